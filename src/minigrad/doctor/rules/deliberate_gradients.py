"""Gradients that are meant to be no derivative, recognised by what they do.

Straight-through estimators, surrogates of spikes, learned step sizes, reversal and scaling, guided
backpropagation, clipped and given gradients, parts that are held constant.  A rule of this kind is never
called wrong: the report says which kind it is.  With a promise (`intended`) another kind is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum, isfinite, prod
from random import Random

from ...text.numerals import show
from .expected import Truth, measure
from .grids import Grid
from .input_structure import right_along, structures_of
from .observations import Observation, ObservedEntry, RuleCase
from .report import LIMITED, WRONG, RuleFinding
from .rule_source import RuleSource
from .subject import LARGER, RuleRefusedError, RuleSubject

__all__ = ["DELIBERATE", "KINDS", "ignores_upstream", "kept_by", "one_border", "recognise"]

# What `--intended` takes, and the findings that keep such a promise.
KINDS = {
    "ste": ("straight-through", "gated-straight-through", "learned-step"),
    "surrogate": ("surrogate", "straight-through", "gated-straight-through"),
    "step": ("learned-step",),
    "reversal": ("reversal",),
    "scaling": ("scaling", "reversal", "rescaled"),
    "clipping": ("clipping", "rescaled", "held-derivative"),
    "guided": ("guided",),
    "given": ("given-gradient", "straight-through", "surrogate"),
    "detached": ("detached",),
    "any": (),
}
DELIBERATE = frozenset(
    {
        "added-gradient",
        "announced",
        "beside-estimator",
        "own-argument",
        "own-gradient",
        "own-update",
        "random-backward",
        "root-product",
    }.union(*KINDS.values())
)
ESTIMATORS = frozenset({"straight-through", "gated-straight-through", "surrogate", "rescaled"})
TOLERANCE = 1e-6
PLAIN = 0.01  # of the largest number: an argument that changes a gradient by less may be a tolerance
CLOSE = 2e-3  # of the largest number: as near as an iteration comes
SLIGHT = 1e-3  # a smaller factor is the far end of a surrogate's curve
CURVE = 9  # points of the curve that is shown


def recognise(
    case: RuleCase, wrong: Sequence[int], source: RuleSource, intended: str = "", announced: bool = True
) -> dict[int, RuleFinding]:
    """For inputs whose gradient is not the derivative: the finding, where it is one of the known kinds."""
    found = {}
    for i in wrong:
        finding = next(_kinds(case, i, source), None)
        if _adds(case, i):
            finding = case.finding("added-gradient", i)
        elif finding is not None and finding.fault in ESTIMATORS and ignores_upstream(case, i):
            continue  # no estimator ignores the loss
        silent = one_border(case, i) or ignores_upstream(case, i)
        if finding is None and announced and source.meant() and not silent:
            finding = case.finding("announced", i, word=source.meant())
        if finding is None:
            continue
        if intended and KINDS.get(intended) and finding.fault not in KINDS[intended]:
            fields = {**finding.fields, "promised": intended, "kind": finding.fault}
            found[i] = replace(finding, fault="promise-broken", grade=WRONG, fields=fields)
        else:
            found[i] = replace(finding, grade=LIMITED)
    return found | _beside(case, [i for i in wrong if i not in found], found, source)


def kept_by(promise: str) -> frozenset[str]:
    """The findings that keep a promise; "any" takes each kind that is known."""
    return frozenset(KINDS[promise]) or DELIBERATE


def _beside(
    case: RuleCase, others: Sequence[int], found: Mapping[int, RuleFinding], source: RuleSource
) -> dict[int, RuleFinding]:
    """The other inputs of a rule that is meant for one: its source speaks for them, and so does a forward
    that rounds, which owes no derivative to a step size either."""
    rounded = any(each.fault in ESTIMATORS | {"learned-step"} for each in found.values())
    beside = {}
    for i in others if found else ():
        if source.meant():
            beside[i] = replace(case.finding("announced", i, word=source.meant()), grade=LIMITED)
        elif rounded and not ignores_upstream(case, i):
            beside[i] = replace(case.finding("beside-estimator", i), grade=LIMITED)
    return beside


def _kinds(case: RuleCase, i: int, source: RuleSource) -> Iterator[RuleFinding]:
    yield from _returns_its_input(case, i)
    yield from _flat(case, i)
    yield from _through_the_whole(case, i)
    yield from _guided(case, i)
    yield from _rounded_straight_through(case, i)
    yield from _flat_in_places(case, i, source)
    yield from _clipped(case, i)
    yield from _rescaled(case, i, source)
    yield from _held_derivative(case, i)
    yield from _detached(case, i, source)
    yield from _own_argument(case, i)
    yield from _own_update(case, i)
    yield from _of_a_root(case, i)


# ---- numbers ------------------------------------------------------------------------------------


def _entries(case: RuleCase, i: int) -> list[ObservedEntry]:
    return [e for e in case.entries(i) if isfinite(e.got)]


def _same(a: float, b: float, size: float) -> bool:
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b)) + 1e-9 * size


def _size(case: RuleCase, i: int) -> float:
    return max((abs(x) for seen in case.observations for x in seen.got(i) if isfinite(x)), default=0.0)


def ignores_upstream(case: RuleCase, i: int) -> bool:
    """Are the same numbers returned at the same point, whatever the upstream gradient is?"""
    first: dict[int, Observation] = {}
    compared = 0
    for seen in case.observations:
        before = first.setdefault(id(seen.truth), seen)
        if before is seen:
            continue
        if not case.fits(i, seen, before.got(i)):
            return False
        compared += not case.fits(i, seen, seen.values(i)) and any(before.got(i))
    return compared > 0


def _adds(case: RuleCase, i: int) -> bool:
    """Does another input pass through unchanged, while the forward does not look at this one?

    Its gradient is a penalty that is added beside the loss.
    """
    first = case.observations[0]
    outputs = first.truth.outputs
    passes = any(k != i and [grid] == [*outputs] for k, grid in enumerate(first.point))
    return passes and case.scale(i) == 0.0 and len(outputs) == 1


def _elementwise(case: RuleCase, i: int) -> bool:
    """Has the first output the shape of the input, so that each number has one above it?"""
    return all(
        len(seen.upstream) >= 1 and seen.upstream[0].shape == seen.point[i].shape
        for seen in case.observations
    )


def _above(entry: ObservedEntry) -> float:
    return entry.observation.upstream[0].numbers[entry.position]


def _ratios(case: RuleCase, entries: Sequence[ObservedEntry]) -> list[tuple[float, float]]:
    """(x, what is returned beside the upstream number), for an elementwise rule."""
    return [(e.x, e.got / _above(e)) for e in entries if _above(e)]


def _flat_here(case: RuleCase, i: int, entry: ObservedEntry) -> bool:
    """Does no output change with this number?"""
    truth = entry.observation.truth
    row = truth.slopes[i].get(entry.position)
    if row is None:
        return False
    known = [s for s in row if isfinite(s.value) and not s.kink]
    return len(known) == len(row) and all(abs(s.value) <= max(1e-9, 4.0 * s.error) for s in known)


def _curve(entries: Sequence[ObservedEntry]) -> str:
    """A few points: x, what is returned for an upstream of 1, the derivative: "-1.2: 0, 0; 0.3: 1, 0"."""
    points = {round(e.x, 4): (e.got / _above(e), e.expected.value / _above(e)) for e in entries if _above(e)}
    ordered = sorted(points.items())
    last = len(ordered) - 1
    chosen = (
        [ordered[k] for k in sorted({round(last * n / CURVE) for n in range(CURVE + 1)})] if ordered else []
    )
    return "; ".join(f"{show(x)}: {show(round(y, 6))}, {show(round(d, 6) + 0.0)}" for x, (y, d) in chosen)


# ---- the forward is the identity ----------------------------------------------------------------


def _returns_its_input(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Reversal, scaling, clipping, anything: the value passes as it is; the gradient is what matters."""
    for seen in case.observations:
        x = seen.point[i].numbers
        if not any(
            len(grid.numbers) == len(x)
            and all(abs(a - b) <= 1e-12 * abs(b) for a, b in zip(grid.numbers, x, strict=True))
            for grid in seen.truth.outputs
        ):
            return
    pairs = [(e.got, e.expected.value) for e in _entries(case, i) if isfinite(e.expected.value)]
    large = [(got, due) for got, due in pairs if abs(due) > 1e-3 * case.scale(i)]
    factors = [got / due for got, due in large]
    if factors and all(_same(f, factors[0], 0.0) for f in factors) and _also_small(case, i):
        kind = "reversal" if factors[0] < 0.0 else "scaling"
        yield case.finding(kind, i, factor=round(factors[0], 9))
    elif _bounds(pairs):
        low, high = _bounds(pairs) or (0.0, 0.0)
        yield case.finding("clipping", i, low=low, high=high)
    elif len({got for got, _ in pairs}) > 1 or not _constant_too(case, i):
        # A constant, whatever arrives, is no intention.
        yield case.finding("own-gradient", i)


def _also_small(case: RuleCase, i: int) -> bool:
    """Is a small upstream gradient treated alike?  A gate on its size lets one pass and not the other."""
    seen = case.observations[0]
    small = tuple(grid.map(lambda x: 1e-3 * x) for grid in seen.upstream)
    try:
        got = case.subject.pull(seen.point, small).grads[i]
    except RuleRefusedError:
        return False
    pairs = zip(seen.got(i), (0.0,) * len(seen.got(i)) if got is None else got.numbers, strict=True)
    return all(_same(1e3 * b, a, 1e-9) for a, b in pairs)


def _constant_too(case: RuleCase, i: int) -> bool:
    """Does a small upstream gradient bring the same numbers?"""
    seen = case.observations[0]
    small = tuple(grid.map(lambda x: 1e-3 * x) for grid in seen.upstream)
    try:
        got = case.subject.pull(seen.point, small).grads[i]
    except RuleRefusedError:
        return True
    return got is None or got.numbers == seen.got(i)


# ---- the forward is flat ------------------------------------------------------------------------


def _flat(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Nothing changes with the input nearby: whatever the rule gives was chosen."""
    if case.scale(i) >= 1e-9 or not all(
        each.known for seen in case.observations for each in seen.expected(i)
    ):
        return
    if not _elementwise(case, i):
        yield _given(case, i) or case.finding("straight-through", i)
        return
    ratios = _ratios(case, _entries(case, i))
    values = {round(r, 6) for _, r in ratios}
    if len(values) == 1 and min(values) > SLIGHT:
        yield case.finding("straight-through", i, factor=next(iter(values)))
    elif len(values - {0.0}) == 1:
        yield case.finding("gated-straight-through", i, gate=_gate(ratios), curve=_curve(_entries(case, i)))
    elif (given := _given(case, i)) is not None:
        yield given
    else:
        yield case.finding("surrogate", i, curve=_curve(_entries(case, i)))


def _given(case: RuleCase, i: int) -> RuleFinding | None:
    """What is returned is another argument: a gradient that was handed in."""
    for k, name in enumerate(case.names):
        if (
            k != i
            and len(case.observations[0].point[i]) > 1
            and all(
                len(seen.point[k]) == len(seen.point[i]) and _parallel(seen.got(i), seen.point[k].numbers)
                for seen in case.observations
            )
        ):
            return case.finding("given-gradient", i, other=name)
    return None


def _parallel(a: Sequence[float], b: Sequence[float]) -> bool:
    aa, bb, ab = (
        fsum(x * x for x in a),
        fsum(x * x for x in b),
        fsum(x * y for x, y in zip(a, b, strict=True)),
    )
    return aa > 0.0 and bb > 0.0 and abs(ab * ab - aa * bb) <= 1e-9 * aa * bb


def _gate(ratios: Sequence[tuple[float, float]]) -> str:
    """Where the gradient passes: "-1 to 1", by the numbers that were seen."""
    passed = [x for x, r in ratios if r]
    return f"{show(min(passed))} ... {show(max(passed))}" if passed else ""


def _flat_in_places(case: RuleCase, i: int, source: RuleSource) -> Iterator[RuleFinding]:
    """Right where the forward has a slope; where it has none (clamped, saturated) a gradient of its own.

    If the rule simply goes on there as beside it, a mask may have been forgotten; then it takes a word in the
    source to believe that it is meant.
    """
    if not _elementwise(case, i):
        return
    entries = _entries(case, i)
    wrong = [e for e in entries if not e.right]
    if not wrong or not all(_flat_here(case, i, e) for e in wrong):
        return
    if one_border(case, i):
        return
    outside = {round(r, 6) for _, r in _ratios(case, wrong)}
    inside = {round(r, 6) for _, r in _ratios(case, [e for e in entries if e.right and e.got])}
    goes_on = len(outside) == 1 and outside == inside
    if goes_on and not (source.meant() or source.clamped() or _two_sided(case, i)):
        return
    fault = "gated-straight-through" if len(outside) == 1 else "surrogate"
    ratios = _ratios(case, entries)
    yield case.finding(fault, i, gate=_gate(ratios), curve=_curve(entries))


def _flat_sides(case: RuleCase, i: int) -> tuple[list[ObservedEntry], list[ObservedEntry]]:
    """The entries in a flat stretch below and above the stretch that has a slope."""
    entries = [e for e in _entries(case, i) if isfinite(e.expected.value)]
    sloped = [e.x for e in entries if not _flat_here(case, i, e)]
    if not sloped:
        return [], []
    flat = [e for e in entries if _flat_here(case, i, e)]
    return [e for e in flat if e.x < min(sloped)], [e for e in flat if e.x > max(sloped)]


def _two_sided(case: RuleCase, i: int) -> bool:
    """Is the forward flat on both sides, as a clamp is, and does the rule pass a gradient on both?"""
    below, above = _flat_sides(case, i)
    return bool(below and above) and not all(e.right for e in below) and not all(e.right for e in above)


def one_border(case: RuleCase, i: int) -> bool:
    """A clamp of which the rule treats one border as its inside and the other one not."""
    if not _elementwise(case, i):
        return False
    below, above = _flat_sides(case, i)
    if not below or not above:
        return False
    sides = [{round(r, 6) for _, r in _ratios(case, side)} for side in (below, above)]
    inside = {
        round(r, 6)
        for _, r in _ratios(
            case, [e for e in _entries(case, i) if e.right and e.got and not _flat_here(case, i, e)]
        )
    }
    goes_on = [side == inside and len(side) == 1 for side in sides]
    return goes_on[0] != goes_on[1]


def _through_the_whole(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """The upstream gradient as it is, through a forward that rounds and does something else besides."""
    if not _elementwise(case, i):
        return
    values = {round(r, 6) for _, r in _ratios(case, _entries(case, i))}
    if len(values) == 1 and min(values) > 0.0 and _varies(case, i, "rounding"):
        yield case.finding("straight-through", i, factor=values.pop())


def _varies(case: RuleCase, i: int, variant: str) -> bool:
    """Is there a rounding, or with "borders" a clamp, on the way of this input that makes a difference?"""
    for seen in case.observations[:4]:
        plain = case.subject.plain_pull(seen.point, seen.upstream)
        varied = case.subject.varied_pull(seen.point, seen.upstream, variant)
        if varied is not None and (plain is None or plain.grads[i] != varied.grads[i]):
            return True
    return False


# ---- gates on the upstream gradient -------------------------------------------------------------


def _guided(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Only upstream gradients of one sign pass, as in guided backpropagation and in deconvolution."""
    if not _elementwise(case, i):
        return
    wrong = [e for e in _entries(case, i) if not e.right]
    blocked = [e for e in wrong if not e.got and e.expected.value]
    others = [e for e in wrong if e not in blocked]
    if not blocked or not all(_flat_here(case, i, e) for e in others):
        return
    signs = {_above(e) > 0.0 for e in blocked}
    if len(signs) != 1:
        return
    stopped = signs.pop()
    passed = [e for e in _entries(case, i) if e.right and e.got and (_above(e) > 0.0) == stopped]
    if passed:
        return
    if any(e.right and e.got and (_above(e) > 0.0) != stopped for e in _entries(case, i)):
        yield case.finding("guided", i, sign="positive" if stopped else "negative")


# ---- roundings inside ---------------------------------------------------------------------------


def _rounded_straight_through(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """The derivative of the forward in which roundings, or clamps too, count as the identity."""
    for variant in ("rounding", "borders"):
        factors: list[float] = []
        apart = False
        for seen in case.observations[:4]:
            varied = case.subject.varied_pull(seen.point, seen.upstream, variant)
            grad = None if varied is None else varied.grads[i]
            got = seen.got(i)
            if grad is not None and not any(grad.numbers) and not any(got):
                continue
            if grad is None or not any(grad.numbers) or not _varies(case, i, variant):
                factors = []
                break
            if not _parallel(got, grad.numbers):
                factors = []
                break
            factors.append(
                fsum(a * b for a, b in zip(got, grad.numbers, strict=True))
                / fsum(b * b for b in grad.numbers)
            )
            due = seen.expected(i)
            apart = apart or any(
                x.known and not x.allows(g, case.slack, 1e-9) for x, g in zip(due, grad.numbers, strict=True)
            )
        if factors and apart and all(_same(f, factors[0], 0.0) for f in factors) and factors[0] > 0.0:
            if variant == "borders" and _elementwise(case, i) and not _varies(case, i, "rounding"):
                entries = _entries(case, i)
                gate, curve = _gate(_ratios(case, entries)), _curve(entries)
                yield case.finding("gated-straight-through", i, gate=gate, curve=curve)
            else:
                yield case.finding("learned-step", i, factor=round(factors[0], 6), variant=variant)
            return


# ---- clipped, rescaled, held --------------------------------------------------------------------


def _bounds(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Is got = min(max(due, low), high), with a bound that is reached at least twice?"""
    low, high = min(got for got, _ in pairs), max(got for got, _ in pairs)
    if low == high:
        return None
    off = [(got, due) for got, due in pairs if not _same(got, due, 1.0)]
    if len(off) < 2 or not all(
        (_same(got, high, 0.0) and due > high) or (_same(got, low, 0.0) and due < low) for got, due in off
    ):
        return None
    return low, high


def _clipped(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    pairs = [(e.got, e.expected.value) for e in _entries(case, i) if isfinite(e.expected.value)]
    right = [e for e in _entries(case, i) if e.right and e.got]
    if right and (bounds := _bounds(pairs)):
        yield case.finding("clipping", i, low=bounds[0], high=bounds[1])


def _rescaled(case: RuleCase, i: int, source: RuleSource) -> Iterator[RuleFinding]:
    """The right direction with another length, and not in proportion to the upstream gradient.

    A factor that follows the upstream gradient cannot come from a formula of the inputs: the gradient was
    normalised, or clipped by its norm.
    """
    lengths: dict[int, list[float]] = {}
    for seen in case.observations:
        got, due = seen.got(i), seen.values(i)
        if not all(map(isfinite, due)) or not any(due):
            return
        if not _parallel(got, due):
            if source.rescaled() and _row_by_row(case, i):
                yield case.finding("rescaled", i)
            return
        factor = fsum(a * b for a, b in zip(got, due, strict=True)) / fsum(b * b for b in due)
        lengths.setdefault(id(seen.truth), []).append(factor)
    spread = any(not _same(f, each[0], 0.0) for each in lengths.values() for f in each)
    if spread and all(f > 0.0 for each in lengths.values() for f in each):
        yield case.finding("rescaled", i)


def _row_by_row(case: RuleCase, i: int) -> bool:
    """Does each sample alone send its contribution in the right direction?"""
    seen = case.observations[0]
    if len(seen.upstream) != 1 or len(seen.upstream[0].shape) < 2 or not seen.truth.whole:
        return False
    grid = seen.upstream[0]
    width = len(grid) // max(1, grid.shape[0])
    for row in range(grid.shape[0]):
        alone = grid.like([x if k // width == row else 0.0 for k, x in enumerate(grid.numbers)])
        try:
            got = case.subject.pull(seen.point, (alone,)).grads[i]
        except RuleRefusedError:
            return False
        due = Observation((alone,), seen.truth, (got,)).values(i)
        if got is None or not all(map(isfinite, due)) or not _parallel(got.numbers, due):
            return False
    return True


def _held_derivative(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Beyond a border the derivative stays what it is at the border, against overflow: a truncated exp."""
    if not _elementwise(case, i):
        return
    entries = [e for e in _entries(case, i) if _above(e)]
    wrong = [e for e in entries if not e.right]
    right = [e for e in entries if e.right and e.got]
    if len(wrong) < 2 or not right:
        return
    for side in (1.0, -1.0):
        beyond = [e for e in wrong if e.x * side > max(r.x * side for r in right)]
        if len(beyond) == len(wrong):
            held = {round(r, 9) for _, r in _ratios(case, wrong)}
            due = {round(e.expected.value / _above(e), 9) for e in wrong}
            limit = max(map(abs, held))
            if len(held) == 1 and limit and len(due) > 1 and all(abs(d) > limit for d in due):
                yield case.finding("held-derivative", i, bound=min((e.x for e in wrong), key=abs))


# ---- parts held constant ------------------------------------------------------------------------


def _detached(case: RuleCase, i: int, source: RuleSource) -> Iterator[RuleFinding]:
    """The derivative of the forward as written, with its detach() and no_grad: parts of it are constants."""
    if not source.detaches():
        return
    for seen in case.observations[:4]:
        plain = case.subject.plain_pull(seen.point, seen.upstream)
        grad = None if plain is None else plain.grads[i]
        if grad is None or not any(grad.numbers):
            return
        if not all(_same(a, b, _size(case, i)) for a, b in zip(seen.got(i), grad.numbers, strict=True)):
            return
    yield case.finding("detached", i)


# ---- arguments that are there for the gradient alone --------------------------------------------


def _own_argument(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """The forward does not look at an argument, and the gradient follows it.

    A number or an array of this kind shapes the gradient, as an average of former inputs does.  A flag or a
    count chooses how it is computed, and then another choice has to give the derivative.
    """
    if ignores_upstream(case, i):
        return
    seen = case.observations[0]
    size = _size(case, i)
    for k, name in enumerate(case.names):
        if k != i and case.scale(k) == 0.0:
            moved = seen.point[k].map(lambda x: LARGER * x)
            point = (*seen.point[:k], moved, *seen.point[k + 1 :])
            if _follows(case.subject, seen, point, i, PLAIN * size):
                yield case.finding("own-argument", i, other=name)
                return
    for name, other, chosen in case.subject.other_arguments():
        if not _follows(other, seen, seen.point, i, PLAIN * size if not chosen else 0.0):
            continue
        if not chosen or _gives_derivative(case, other, i):
            yield case.finding("own-argument", i, other=f"{name} ({chosen})" if chosen else name)
            return


def _follows(subject: RuleSubject, seen: Observation, point: Sequence[Grid], i: int, least: float) -> bool:
    """Does the gradient change by more than `least`, and no output by anything?"""
    try:
        if subject.forward(tuple(point)) != list(seen.truth.outputs):
            return False
        got = subject.pull(tuple(point), seen.upstream).grads[i]
    except RuleRefusedError:
        return False
    if got is None or not got.finite:
        return False
    return max((abs(a - b) for a, b in zip(got.numbers, seen.got(i), strict=True)), default=0.0) > least


def _gives_derivative(case: RuleCase, other: RuleSubject, i: int) -> bool:
    """Is the rule right, or as near as an iteration comes, with another value of an argument?"""
    seen = case.observations[0]
    if any(
        right_along(other, [seen.point], [seen.upstream], i, kept, CLOSE)
        for kept in structures_of(seen.point[i])
    ):
        return True
    for seen in case.observations:
        try:
            got = other.pull(seen.point, seen.upstream).grads[i]
        except RuleRefusedError:
            return False
        floor = CLOSE * max((abs(x) for x in seen.values(i) if isfinite(x)), default=0.0)
        if got is None or not all(
            due.allows(x, case.slack, floor)
            for x, due in zip(got.numbers, seen.expected(i), strict=True)
            if due.known
        ):
            return False
    return True


def _own_update(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """An input that the rule moves by itself, whatever the loss is, beside one whose gradient is right.

    It moves its rows down a loss, one number, each row at a rate of its own that no number of the inputs
    changes: the centres of classes move at rates that follow from counts.  Whoever forgot the upstream
    gradient has the same factor for all rows, and whoever forgot a weight too has one that changes with it.
    """
    if not ignores_upstream(case, i):
        return
    rates = [_rates(case, i, seen) for seen in case.observations]
    first = rates[0]
    if first is None or len(set(first)) < 2 or _alike([x for x in first if x], case.slack):
        return
    for each in rates[1:]:
        if each is None or not all(_alike(pair, case.slack) for pair in zip(first, each, strict=True)):
            return
    if _forgets_weights(case, i, first):
        return
    for k, name in enumerate(case.names):
        if k != i and case.scale(k) > 0.0 and not case.wrong(k):
            yield case.finding("own-update", i, other=name)
            return


def _rates(case: RuleCase, i: int, seen: Observation) -> list[float] | None:
    """What each row of an input's gradient is, as a positive multiple of the derivative of a loss; 0 for a
    row on which that does not depend.  None where it is no such multiple, or rows are single numbers."""
    shape, got = seen.point[i].shape, seen.got(i)
    width = len(got) // max(1, shape[0]) if shape else 0
    if width < 2 or not seen.truth.whole or [len(grid) for grid in seen.upstream] != [1]:
        return None
    plain = [
        each.value for each in seen.truth.expected([grid.map(lambda _: 1.0) for grid in seen.upstream], i)
    ]
    if not all(map(isfinite, [*plain, *got])):
        return None
    least = case.slack * max(map(abs, plain))
    rates = []
    for r in range(0, len(got), width):
        row, due = got[r : r + width], plain[r : r + width]
        if max(map(abs, due)) <= least:
            rate = 0.0
        else:
            rate = fsum(a * b for a, b in zip(row, due, strict=True)) / fsum(b * b for b in due)
            if rate <= 0.0:
                return None
        if any(abs(a - rate * b) > least * max(rate, 1.0) for a, b in zip(row, due, strict=True)):
            return None
        rates.append(rate)
    return rates


def _forgets_weights(case: RuleCase, i: int, rates: Sequence[float]) -> bool:
    """Are the rates divided by what an array of the call is multiplied by, which needs no gradient?"""
    sizes = {each.name: prod(each.shape or ()) for each in case.subject.described}
    seen = case.observations[0]
    for name, other, chosen in case.subject.other_arguments():
        if chosen or sizes.get(name, 1) < 2:
            continue
        try:
            truth = measure(other, seen.point, [seen.upstream])
            there = _rates(
                case, i, Observation(seen.upstream, truth, other.pull(seen.point, seen.upstream).grads)
            )
        except RuleRefusedError:
            continue
        pairs = zip(rates, there or (), strict=False)
        if there and all(_alike([before, LARGER * after], case.slack) for before, after in pairs):
            return True
    return False


def _alike(numbers: Sequence[float], slack: float) -> bool:
    """Do these differ by no more than what differences of the forward may be off?"""
    return max(numbers) - min(numbers) <= 4.0 * slack * max(numbers)


# ---- roots that are not the only ones ------------------------------------------------------------


def _of_a_root(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """A root R of a matrix is one of many; a rule may be right for what is made of R R^T, or R^T R, alone."""
    truths = list({id(seen.truth): seen.truth for seen in case.observations}.values())
    for product, left in (("R R^T", True), ("R^T R", False)):
        if truths and all(_right_for_product(case, i, truth, left) for truth in truths):
            yield case.finding("root-product", i, product=product)
            return


def _right_for_product(case: RuleCase, i: int, truth: Truth, left: bool) -> bool:
    """Is it right for upstream gradients of functions of the product of an output with itself?"""
    random = Random(3)
    roots = [k for k, grid in enumerate(truth.outputs) if len(grid)]
    shapes = [truth.outputs[k].shape for k in roots]
    if not truth.whole or not all(len(shape) == 2 and min(shape) > 1 for shape in shapes):
        return False  # what is wrong may be the gradient from another output
    if not all(_is_root(truth.outputs[k], truth.point[i], left) for k in roots):
        return False  # other products of an output may happen to lead to a right gradient too
    for k in roots:
        seeds = tuple(
            _weighted(each, left, random) if k == o else each.map(lambda _: 0.0)
            for o, each in enumerate(truth.outputs)
        )
        try:
            got = case.subject.pull(truth.point, seeds).grads[i]
            structures = [each for each in structures_of(truth.point[i]) if each.code == "symmetric"]
            if any(
                right_along(case.subject, [truth.point], [seeds], i, each, case.slack) for each in structures
            ):
                continue
        except RuleRefusedError:
            return False
        due = truth.expected(seeds, i)
        floor = case.slack * max((abs(each.value) for each in due if isfinite(each.value)), default=0.0)
        if got is None or not all(
            each.known and each.allows(x, case.slack, floor) for x, each in zip(got.numbers, due, strict=True)
        ):
            return False
    return True


def _is_root(root: Grid, matrix: Grid, left: bool) -> bool:
    """Is the product of the root with itself the matrix, or its inverse?"""
    if len(matrix.shape) != 2 or matrix.shape != (root.shape[not left],) * 2:
        return False
    size, other = matrix.shape[0], root.shape[left]
    first, second = (other, 1) if left else (1, size)  # steps to the next vector, and along one
    at, x = root.numbers, matrix.numbers
    product = [
        fsum(at[a * first + k * second] * at[b * first + k * second] for k in range(other))
        for a in range(size)
        for b in range(size)
    ]
    half = [(x[a * size + b] + x[b * size + a]) / 2.0 for a in range(size) for b in range(size)]
    one = [
        fsum(product[a * size + k] * half[k * size + b] for k in range(size))
        for a in range(size)
        for b in range(size)
    ]
    least = PLAIN * max(map(abs, half))
    is_matrix = all(abs(p - h) <= least for p, h in zip(product, half, strict=True))
    return is_matrix or all(abs(p - (n % (size + 1) == 0)) <= PLAIN for n, p in enumerate(one))


def _weighted(grid: Grid, left: bool, random: Random) -> Grid:
    """W R, or R W, with a symmetric W: the gradient of a function of R R^T, or of R^T R."""
    rows, columns = grid.shape
    size = rows if left else columns
    w = [[0.0] * size for _ in range(size)]
    for a in range(size):
        for b in range(a + 1):
            w[a][b] = w[b][a] = random.uniform(-1.0, 1.0)
    at = [grid.numbers[r * columns : (r + 1) * columns] for r in range(rows)]
    return grid.like(
        [
            fsum(w[r][k] * at[k][c] for k in range(rows))
            if left
            else fsum(at[r][k] * w[k][c] for k in range(columns))
            for r in range(rows)
            for c in range(columns)
        ]
    )
