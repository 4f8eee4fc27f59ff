"""Missing terms and factors, and faults of one region: what is left to guess when no simple pattern fits.

Number by number, the lost amount or the ratio is compared with small products of what a rule has at hand:
the input, the output, the other inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement
from math import isfinite
from time import monotonic

from ...text.numerals import show
from .forward_variants import ForwardStep
from .observations import ObservedEntry, RuleCase
from .report import RuleFinding
from .rule_source import rule_source

__all__ = ["held_steps", "region_finding", "term_findings"]

HELD = 0.8
FEWEST = 3  # numbers that a constant has to be seen in


def held_steps(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Right if a step of the forward is held constant: what flows through that step is missing.

    Single steps are tried first, then pairs (a mean and a variance), for at most HELD seconds.
    """
    source = rule_source(case.subject.rule)
    steps = case.subject.steps(source.file) if source.file else []
    deadline = monotonic() + HELD
    chosen: list[tuple[ForwardStep, ...]] = [(step,) for step in steps]
    chosen += list(combinations(steps[:24], 2))
    for held in chosen:
        if monotonic() > deadline:
            return
        if _explains_held(case, i, [step.index for step in held]):
            lines = ", ".join(dict.fromkeys(str(step.line) for step in held if step.line))
            ops = ", ".join(dict.fromkeys(_op_name(step.op) for step in held))
            yield case.finding("step-held-constant", i, step=ops, at=lines)
            return


def _explains_held(case: RuleCase, i: int, held: Sequence[int]) -> bool:
    for seen in case.observations:
        pulled = case.subject.held_pull(seen.point, seen.upstream, held)
        grad = None if pulled is None else pulled.grads[i]
        if grad is None or not any(grad.numbers) or not case.fits(i, seen, grad.numbers):
            return False
    return True


def _op_name(name: str) -> str:
    """mul for __rmul__ and mul_."""
    return name.strip("_").removeprefix("r") if name.startswith("__r") else name.strip("_")


def term_findings(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    wrong = case.wrong(i)
    usable = [entry for entry in case.entries(i) if isfinite(entry.expected.value) and isfinite(entry.got)]
    if len(wrong) < FEWEST:
        yield from region_finding(case, i)
        return
    yield from _factors(case, i, usable)
    yield from _lost_terms(case, i, usable)
    yield from _right_without_another(case, i)
    yield from region_finding(case, i)


# ---- products of what is at hand ----------------------------------------------------------------


def _at_hand(case: RuleCase, i: int, entry: ObservedEntry) -> dict[str, float]:
    """The numbers that stand at one place: of the input, of the output, of inputs of the same shape."""
    point, outputs = entry.observation.point, entry.observation.truth.outputs
    numbers = {case.names[i]: entry.x}
    for k, grid in enumerate(point):
        if k != i and (grid.shape == point[i].shape or len(grid) == 1):
            numbers[case.names[k]] = grid.numbers[entry.position if len(grid) > 1 else 0]
    for o, grid in enumerate(outputs):
        if grid.shape == point[i].shape:
            label = "out" if len(outputs) == 1 else f"out{o}"
            numbers[label] = grid.numbers[entry.position]
            numbers[f"(1 - {label})"] = 1.0 - grid.numbers[entry.position]
            numbers[f"(1 + {label})"] = 1.0 + grid.numbers[entry.position]
    return numbers


def _products(case: RuleCase, i: int, entries: Sequence[ObservedEntry]) -> Iterator[tuple[str, list[float]]]:
    """Small products and quotients, each with its number at every entry."""
    tables = [_at_hand(case, i, entry) for entry in entries]
    names = [name for name in tables[0] if all(name in table for table in tables)]
    for name in names:
        yield name, [table[name] for table in tables]
    for name in names:
        yield f"1 / {name}", [1.0 / table[name] if table[name] else 0.0 for table in tables]
    for one, two in combinations_with_replacement(names, 2):
        yield f"{one} * {two}", [table[one] * table[two] for table in tables]
    for one in names:
        for two in names:
            if one != two:
                yield f"{one} / {two}", [table[one] / table[two] if table[two] else 0.0 for table in tables]


def _constant(numbers: Sequence[float], shapes: Sequence[float], slack: float) -> float:
    """c where numbers = c * shapes throughout and it means something; else 0."""
    pairs = [(n, s) for n, s in zip(numbers, shapes, strict=True) if abs(s) > 1e-12]
    if len(pairs) < FEWEST or len({round(s, 9) for _, s in pairs}) < FEWEST:
        return 0.0
    top = max(pairs, key=lambda pair: abs(pair[1]))
    c = top[0] / top[1]
    size = max(abs(n) for n in numbers)
    for n, s in zip(numbers, shapes, strict=True):
        if abs(n - c * s) > 50.0 * slack * max(abs(n), abs(c * s)) + 1e-7 * size:
            return 0.0
    for parts in (1, 2, 3, 4):  # a formula has plain numbers in it
        near = round(c * parts) / parts
        if near and abs(c - near) < 1e-4 * abs(near):
            return near
    return 0.0


def _written(c: float, term: str) -> str:
    return term if c == 1.0 else f"-{term}" if c == -1.0 else f"{show(c)} * {term}"


def _factors(case: RuleCase, i: int, entries: Sequence[ObservedEntry]) -> Iterator[RuleFinding]:
    """got * term = expected, or got = expected * term."""
    large = [e for e in entries if abs(e.expected.value) > 1e-4 * case.scale(i) and e.got]
    if len(large) < FEWEST or len(large) < len([e for e in entries if e.got]) // 2:
        return
    lacking = [e.expected.value / e.got for e in large]
    for term, shapes in _products(case, i, large):
        if c := _constant(lacking, shapes, case.slack):
            yield case.finding("factor-missing", i, term=_written(c, term))
            return


def _lost_terms(case: RuleCase, i: int, entries: Sequence[ObservedEntry]) -> Iterator[RuleFinding]:
    """expected - got = upstream * term, number by number."""
    seeded = [(e, e.upstream) for e in entries]
    with_seed = [
        (e, u) for e, u in seeded if u is not None and len(e.observation.seeds) == len(e.observation.got(i))
    ]
    usable = [(e, u) for e, u in with_seed if u]
    if len(usable) < FEWEST or any(abs(e.expected.value - e.got) > 1e-6 for e, u in with_seed if not u):
        return
    lost = [(e.expected.value - e.got) / u for e, u in usable]
    first = lost[0]
    if all(abs(x - first) <= 1e-5 * abs(first) for x in lost) and first:
        yield case.finding("term-missing", i, how="lost", term=_written(round(first, 6), "upstream"))
        return
    here = [e for e, _ in usable]
    for term, shapes in _products(case, i, here):
        if c := _constant(lost, shapes, case.slack):
            yield case.finding("term-missing", i, how="lost", term=_written(c, f"upstream * {term}"))
            return
    given = [e.got / u for e, u in usable]
    for term, shapes in _products(case, i, here):
        if " / " in term and _constant(given, shapes, case.slack) == 1.0:
            yield case.finding("term-missing", i, how="only", term=f"upstream * {term}")
            return


def _right_without_another(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Right as soon as another input is zero: what is missing depends on that one."""
    for k in range(len(case.names)):
        if k == i:
            continue
        seen = case.observations[0]
        truth = case.moved(seen, k, "zero")
        if truth is None or not truth.anything:
            continue
        try:
            pulled = case.subject.pull(truth.point, seen.upstream)
        except Exception:  # the rule divides by it, perhaps: nothing can be said
            continue
        grad = pulled.grads[i]
        due = truth.expected(seen.upstream, i)
        if grad is None or not any(x.known and abs(x.value) > 1e-6 for x in due):
            continue
        if all(x.allows(g, case.slack) for x, g in zip(due, grad.numbers, strict=True)):
            yield case.finding("term-missing", i, how="depends", other=case.names[k])
            return


# ---- regions ------------------------------------------------------------------------------------


def region_finding(case: RuleCase, i: int) -> Iterator[RuleFinding]:
    """Wrong for some inputs only, and a plain border between those and the others."""
    entries = list(case.entries(i))
    if not _each_by_itself(case, i):
        return
    wrong = [e for e in entries if not e.right]
    right = [e for e in entries if e.right and (abs(e.got) > 1e-9 or abs(e.expected.value) > 1e-9)]
    for code, bound in _borders(wrong, right):
        yield case.finding("wrong-in-region", i, region=code, bound=bound, like=_inside(wrong))
        return


def _each_by_itself(case: RuleCase, i: int) -> bool:
    """Does each number of the input reach its own output alone?  Else its size is not what decides."""
    for seen in case.observations[:2]:
        truth = seen.truth
        if len(truth.outputs) != 1 or truth.outputs[0].shape != seen.point[i].shape or not truth.whole:
            return False
        for e, row in truth.slopes[i].items():
            if any(s.value and abs(s.value) > 4.0 * s.error for o, s in enumerate(row) if o != e):
                return False
    return True


def _borders(wrong: Sequence[ObservedEntry], right: Sequence[ObservedEntry]) -> Iterator[tuple[str, float]]:
    if not wrong or len(right) < FEWEST:
        return
    bad, good = [e.x for e in wrong], [e.x for e in right]
    if all(x == 0.0 for x in bad) and all(good):
        yield "zero", 0.0
    if len(wrong) < FEWEST:
        return
    if max(bad) < 0.0 <= min(good):
        yield "negative", 0.0
    if min(bad) > 0.0 >= max(good):
        yield "positive", 0.0
    if max(map(abs, good)) < min(map(abs, bad)):
        yield "large", (max(map(abs, good)) + min(map(abs, bad))) / 2.0
    if max(map(abs, bad)) < min(map(abs, good)):
        yield "small", (max(map(abs, bad)) + min(map(abs, good))) / 2.0
    if max(bad) < min(good):
        yield "below", (max(bad) + min(good)) / 2.0
    if max(good) < min(bad):
        yield "above", (max(good) + min(bad)) / 2.0


def _inside(wrong: Sequence[ObservedEntry]) -> str:
    """What the rule does in there, where that is plain."""
    pairs = [(e.got, e.expected.value) for e in wrong if isfinite(e.expected.value)]
    if pairs and all(got == 0.0 for got, _ in pairs):
        return "zero_inside"
    if pairs and all(abs(got + due) <= 1e-6 * abs(due) for got, due in pairs):
        return "sign_inside"
    if any(not isfinite(e.got) for e in wrong):
        return "nan_inside"
    return ""
