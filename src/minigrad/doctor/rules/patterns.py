"""Patterns of wrong gradients: each is a guess at what the rule does, compared with all runs.

A guess is named only if it gives every number that the rule gave, at every point and for every upstream
gradient; the more special guesses come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import isfinite, prod

from .deliberate_gradients import ignores_upstream, one_border
from .expected import Truth
from .grids import Grid, broadcast_index, broadcasts
from .missing_terms import held_steps, term_findings
from .observations import Observation, RuleCase
from .report import RuleFinding
from .subject import RuleRefusedError

__all__ = ["name_pattern"]

Guess = Callable[[Observation], Sequence[float] | None]  # None where it does not apply


FEWEST = 24  # numbers in single precision in which a cause is looked for

# Findings of one family say the same thing in other words; the first of them is named.
FAMILIES = (
    {"step-held-constant", "term-missing", "coupling-missing", "diagonal-only", "factor-missing"},
    {"factor", "sign", "broadcast-mean", "factor-missing"},
    {"transposed", "swapped-inputs"},
    {"output-for-input", "input-for-output", "factor-missing", "term-missing"},
)


def name_pattern(case: RuleCase, i: int) -> RuleFinding:
    """The fault of input i's gradient, which is known to be wrong.

    A cause is named if it gives every number that the rule gave and no other cause does; of several that say
    the same in other words, the first.  Otherwise what is wrong is described, and no cause is named.
    """
    for decisive in (_at_kinks, _absent, _at_one_border):
        for finding in decisive(case, i):
            return finding
    found: list[RuleFinding] = []
    if case.subject.rounding > 1e-12 and sum(1 for _ in case.entries(i)) < FEWEST:
        return case.finding("unrecognised", i, **_extent(case, i))  # a few rough numbers fit many stories
    for search in (_upstream_ignored, _constant, _guesses, _not_linear, held_steps, term_findings, _saved):
        if search is _not_linear and found:
            continue
        found += [each for each in search(case, i) if each.fault not in {f.fault for f in found}]
        if found and search in (_constant, _not_linear, held_steps, term_findings):
            break  # what comes later is only a rougher guess at the same
    faults = {finding.fault for finding in found}
    if found and (len(faults) == 1 or any(faults <= family for family in FAMILIES)):
        return found[0]
    return case.finding("unrecognised", i, **_extent(case, i))


def _extent(case: RuleCase, i: int) -> dict[str, float | str]:
    """In how many places it is wrong, and where it is right."""
    entries = list(case.entries(i))
    wrong = [e for e in entries if not e.right]
    fields: dict[str, float | str] = {"places": float(len(wrong)), "of": float(len(entries))}
    ratios = [
        e.got / e.expected.value for e in wrong if isfinite(e.expected.value) and abs(e.expected.value) > 1e-9
    ]
    ratios = [r for r in ratios if isfinite(r)]
    if ratios:
        fields |= {"least": min(ratios), "most": max(ratios)}
    return fields


def explains(case: RuleCase, i: int, guess: Guess) -> bool:
    """Does the guess give what the rule gave, everywhere?"""
    for observation in case.observations:
        numbers = guess(observation)
        if numbers is None or not case.fits(i, observation, numbers):
            return False
    return True


# ---- no gradient, or one that is no number ------------------------------------------------------


def _absent(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    if all(seen.grads[i] is None for seen in case.observations):
        yield case.finding("gradient-missing", i)
    elif all(x == 0.0 for seen in case.observations for x in seen.got(i)):
        yield case.finding("gradient-zero", i)
    else:
        wrong = case.wrong(i)
        if wrong and all(not isfinite(entry.got) for entry in wrong):
            worst = min(wrong, key=lambda entry: abs(entry.x))
            region = {"x": worst.x}
            yield case.finding("not-finite", i, **region)


def _at_one_border(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    if one_border(case, i):
        yield case.finding("one-border", i)


# ---- the upstream gradient ----------------------------------------------------------------------


def _upstream_ignored(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """The same numbers, whatever comes from above."""
    if ignores_upstream(case, i):
        yield case.finding("upstream-ignored", i)


def _not_linear(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """The gradient for twice the upstream gradient is not twice the gradient: the upstream gradient stands
    where something else belongs."""
    for seen in case.observations[:2]:
        twice = tuple(grid.map(lambda x: 2.0 * x) for grid in seen.upstream)
        try:
            grad = case.subject.pull(seen.point, twice).grads[i]
        except RuleRefusedError:
            return
        got = seen.got(i)
        if grad is None or not grad.finite or not all(map(isfinite, got)):
            return
        size = max(map(abs, got), default=0.0)
        gaps = [(abs(b - 2.0 * a), a, b) for a, b in zip(got, grad.numbers, strict=True)]
        gap, a, b = max(gaps)
        if gap > max(1e-6, 100.0 * case.subject.rounding) * size and a:
            yield case.finding("upstream-not-linear", i, ratio=b / a)
            return


def _changed(change: Callable[[float], float], i: int) -> Guess:
    """The right rule, fed with another upstream gradient."""
    return lambda seen: seen.values(i, [grid.map(change) for grid in seen.upstream])


def _averaged(i: int) -> Guess:
    def guess(seen: Observation) -> list[float]:
        return seen.values(i, [grid.map(lambda _, g=grid: sum(g.numbers) / len(g)) for grid in seen.upstream])  # type: ignore[misc]

    return guess


# ---- one number for all -------------------------------------------------------------------------


def _constant(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Off by a factor, or by an amount, that is the same everywhere."""
    pairs = [(entry.got, entry.expected.value) for entry in case.entries(i) if isfinite(entry.expected.value)]
    large = [(got, due) for got, due in pairs if abs(due) > 1e-3 * case.scale(i)]
    if not large:
        return
    got, due = max(large, key=lambda pair: abs(pair[1]))
    factor = _round_number(got / due)

    def scaled(seen: Observation) -> list[float]:
        return [factor * x for x in seen.values(i)]

    if factor not in (0.0, 1.0) and explains(case, i, scaled):
        if factor == -1.0:
            yield case.finding("sign", i)
        elif (count := _stretched(case, i)) and abs(factor * count - 1.0) < 1e-6:
            yield case.finding("broadcast-mean", i, count=float(count))
        else:
            yield case.finding("factor", i, factor=factor, like=_meaning(case, factor))
        return
    amount = got - due
    if abs(amount) <= 1e-3 * case.scale(i):
        return
    for sign in (1.0, -1.0):

        def shifted(seen: Observation, sign: float = sign) -> list[float]:
            return [sign * x + amount for x in seen.values(i)]

        if explains(case, i, shifted):
            yield case.finding("offset", i, amount=_round_number(amount))


def _round_number(x: float) -> float:
    """2 for 1.9999999998."""
    for parts in (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20):
        near = round(x * parts) / parts
        if near and abs(x - near) < 1e-6 * abs(near):
            return near
    return x


def _stretched(case: RuleCase, i: int) -> int:
    """How many output numbers each number of input i is stretched over; 0 where it is not."""
    shape = case.observations[0].point[i].shape
    for output in case.observations[0].truth.outputs:
        if broadcasts(shape, output.shape):
            return len(output) // max(1, prod(shape))
    return 0


def _meaning(case: RuleCase, factor: float) -> str:
    """What a factor may stand for: 1/N of the first axis, of all numbers; "" where nothing is known."""
    point = case.observations[0].point
    for over, times, counts in (
        ("one_over_batch", "times_batch", {grid.shape[0] for grid in point if grid.shape}),
        ("one_over_size", "times_size", {len(grid) for grid in point}),
    ):
        for count in counts - {1}:
            if abs(factor * count - 1.0) < 1e-6:
                return over
            if abs(factor - count) < 1e-6:
                return times
    return ""


# ---- guesses that need the slopes ---------------------------------------------------------------


def _guesses(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    if any(not seen.truth.whole for seen in case.observations):
        return
    for fault, fields, guess in (
        *_of_other_inputs(case, i),
        *_of_upstream(i),
        *_of_outputs(case, i),
        *_of_axes(case, i),
        *_of_halves(case, i),
        *_of_transposes(case, i),
    ):
        if explains(case, i, guess):  # the more special ones come first, so the others say it less well
            yield case.finding(fault, i, **fields)
            return
    if _without_coupling(case, i) and not any(_not_linear(case, i)):
        yield case.finding("coupling-missing", i)


Candidates = Iterator[tuple[str, dict[str, float | str], Guess]]


def _of_other_inputs(case: RuleCase, i: int) -> Candidates:
    point = case.observations[0].point
    for k in range(len(point)):
        if k != i and len(point[k]) == len(point[i]):
            yield "swapped-inputs", {"other": case.names[k]}, lambda seen, k=k: seen.values(k)  # type: ignore[misc]


def _of_upstream(i: int) -> Candidates:
    yield "upstream-twice", {}, _changed(lambda u: u * u, i)
    yield "upstream-divided", {}, _changed(lambda u: 1.0 / u if u else 0.0, i)
    yield "upstream-absolute", {}, _changed(abs, i)
    yield "upstream-averaged", {}, _averaged(i)


def _of_outputs(case: RuleCase, i: int) -> Candidates:
    count = len(case.observations[0].upstream)
    for left_out in range(count if count > 1 else 0):

        def without(seen: Observation, left_out: int = left_out) -> list[float]:
            kept = [
                grid.map(lambda _: 0.0) if k == left_out else grid for k, grid in enumerate(seen.upstream)
            ]
            return seen.values(i, kept)

        yield "output-ignored", {"output": float(left_out)}, without


def _of_axes(case: RuleCase, i: int) -> Candidates:
    """An input that is stretched over the output: its gradient is a sum over those axes."""
    first = case.observations[0]
    shape, outputs = first.point[i].shape, first.truth.outputs
    if len(outputs) == 1 and shape == outputs[0].shape:
        yield "diagonal-only", {}, lambda seen: _contributions(seen.truth, seen.seeds, i)
    if len(outputs) != 1 or not broadcasts(shape, outputs[0].shape):
        return
    whole = outputs[0].shape
    lead = len(whole) - len(shape)
    stretched = [a for a in range(len(whole)) if a < lead or shape[a - lead] != whole[a]]
    for axes in combinations(range(len(whole)), len(stretched)):
        kept = prod(length for a, length in enumerate(whole) if a not in axes)
        if list(axes) != stretched and kept == prod(shape):
            yield (
                "broadcast-wrong-axis",
                {"axes": _listed(axes), "right": _listed(stretched)},
                lambda seen, axes=axes: _summed(_terms(seen, i, whole), axes),  # type: ignore[misc]
            )
    for code, place in (("first", 0), ("last", -1)):
        yield (
            "broadcast-one-slice",
            {"what": code},
            lambda seen, place=place: _sliced(_terms(seen, i, whole), stretched, place),  # type: ignore[misc]
        )


def _of_halves(case: RuleCase, i: int) -> Candidates:
    """The two halves along an axis, one in the place of the other."""
    shape = case.observations[0].point[i].shape
    for axis, length in enumerate(shape):
        if length % 2 == 0 and length:
            yield "swapped-halves", {"axis": float(axis)}, lambda seen, axis=axis: _exchanged(seen, i, axis)  # type: ignore[misc]


def _exchanged(seen: Observation, i: int, axis: int) -> list[float]:
    grid = seen.point[i]
    values = dict(zip(map(grid.position, range(len(grid))), seen.values(i), strict=True))
    half = grid.shape[axis] // 2

    def other(place: tuple[int, ...]) -> tuple[int, ...]:
        return (*place[:axis], (place[axis] + half) % grid.shape[axis], *place[axis + 1 :])

    return [values[other(place)] for place in values]


def _contributions(truth: Truth, seeds: Sequence[float], i: int) -> list[float]:
    """What each output number alone sends to the input number behind it."""
    shape, whole = truth.point[i].shape, truth.outputs[0].shape
    behind = broadcast_index(shape, whole)
    return [seeds[o] * truth.slope_at(i, e, o) for o, e in enumerate(behind)]


def _terms(seen: Observation, i: int, whole: tuple[int, ...]) -> Grid:
    return Grid(whole, tuple(_contributions(seen.truth, seen.seeds, i)))


def _summed(grid: Grid, axes: Sequence[int]) -> list[float]:
    totals: dict[tuple[int, ...], float] = {}
    for flat, x in enumerate(grid.numbers):
        place = tuple(p for a, p in enumerate(grid.position(flat)) if a not in axes)
        totals[place] = totals.get(place, 0.0) + x
    return list(totals.values())


def _sliced(grid: Grid, axes: Sequence[int], place: int) -> list[float]:
    ends = {a: place % grid.shape[a] for a in axes}
    return [
        x for flat, x in enumerate(grid.numbers) if all(grid.position(flat)[a] == p for a, p in ends.items())
    ]


def _listed(axes: Sequence[int]) -> str:
    return ", ".join(map(str, axes))


def _of_transposes(case: RuleCase, i: int) -> Candidates:
    """The result, the upstream gradient or an operand is transposed too often, or not at all."""
    first = case.observations[0]
    operands = [k for k, grid in enumerate(first.point) if grid.square]
    parts = [("result", -1), ("upstream", -2), *(("operand", k) for k in operands)]
    for count in (1, 2):
        for chosen in combinations(parts, count):
            yield (
                "transposed",
                {"what": chosen[0][0], "other": case.names[chosen[0][1]] if chosen[0][1] >= 0 else ""},
                lambda seen, chosen=chosen: _transposed(case, seen, i, chosen),  # type: ignore[misc]
            )


def _transposed(
    case: RuleCase, seen: Observation, i: int, chosen: Sequence[tuple[str, int]]
) -> Sequence[float] | None:
    truth: Truth | None = seen.truth
    upstream = seen.upstream
    for part, k in chosen:
        if part == "operand":
            truth = case.moved(seen, k, "transposed") if truth is seen.truth else None
        if part == "upstream":
            upstream = tuple(
                Grid(grid.shape[::-1], grid.numbers).transposed() if len(grid.shape) == 2 else grid
                for grid in upstream
            )
    if truth is None or [g.shape for g in truth.outputs] != [g.shape for g in seen.truth.outputs]:
        return None
    numbers = [each.value for each in truth.expected(upstream, i)]
    if any(part == "result" for part, _ in chosen):
        return Grid(seen.point[i].shape, tuple(numbers)).transposed().numbers
    return numbers


# ---- the wrong tensor was saved -----------------------------------------------------------------


def _saved(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """The right rule, with the output where an input of its shape should be, or the other way round."""
    first = case.observations[0]
    if len(first.truth.outputs) != 1 or any(not seen.truth.whole for seen in case.observations):
        return

    def guess(seen: Observation, k: int) -> list[float] | None:
        there = case.moved(seen, k, "output")
        numbers = [] if there is None else [each.value for each in there.expected(seen.upstream, i)]
        return numbers if all(x == x for x in numbers) else None  # what is not known explains nothing

    for k, grid in enumerate(first.point):
        if grid.shape == first.truth.outputs[0].shape:
            if explains(case, i, lambda seen, k=k: guess(seen, k)):  # type: ignore[misc]
                yield case.finding("output-for-input", i, other=case.names[k])
            elif _from_input(case, i, k):
                yield case.finding("input-for-output", i, other=case.names[k])


def _from_input(case: RuleCase, i: int, k: int) -> bool:
    """Is the rule right as soon as input k is what the output was?  So it takes the one for the other."""
    for seen in case.observations:
        there = (*seen.point[:k], seen.truth.outputs[0], *seen.point[k + 1 :])
        try:
            pulled = case.subject.pull(there, seen.upstream)
        except RuleRefusedError:
            return False
        if RuleCase(case.subject, [Observation(seen.upstream, seen.truth, pulled.grads)], case.slack).wrong(
            i
        ):
            return False
    return True


def _without_coupling(case: RuleCase, i: int) -> bool:
    """Each gradient number hears of its own output only, where others depend on the input as well."""
    lost = 0
    for seen in case.observations:
        if len(seen.seeds) != len(seen.point[i]) or sum(map(bool, seen.seeds)) != 1:
            continue
        own = next(o for o, u in enumerate(seen.seeds) if u)
        got, due = seen.got(i), seen.values(i)
        if any(x for e, x in enumerate(got) if e != own):
            return False
        lost += sum(abs(x) > 1e-6 * case.scale(i) for e, x in enumerate(due) if e != own and x == x)
    return lost > 1


# ---- kinks --------------------------------------------------------------------------------------


def _at_kinks(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Right everywhere but at a kink, where it gives neither slope nor one between."""
    wrong = case.wrong(i)
    if wrong and all(not isfinite(entry.expected.value) for entry in wrong):
        low, high = wrong[0].expected.low, wrong[0].expected.high
        yield case.finding("wrong-at-kink", i, x=wrong[0].x, low=low, high=high)
