"""The explanation of a weight in words: which step, its paths, what checks it, what the step will do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path as FilePath

from ..text.escape import printable, visible
from ..text.numerals import counted, show
from ..text.page import Page, columns
from ..text.translation import say
from .settings import OPTIMISERS
from .step_arrays import Arrays, TrainingStep
from .weight import Hop, Route, Weight, as_float

__all__ = ["listing", "sections"]

FIRST, LAST = 4, 3  # parts of a long route that are shown
EXACT = 10**60  # a count below this is written out
DIGITS = 10  # where two numbers are to be compared


def sections(weight: Weight, page: Page) -> Iterator[tuple[str, list[str]]]:
    yield say("weight.step"), _step(weight.step, page)
    yield say("weight.weight"), _facts(weight, page)
    yield say("weight.paths"), _paths(weight, page)
    yield say("weight.check"), _check(weight, page)
    yield say("weight.next"), page.wrap(_next(weight))


# ---- the step and the weight ----------------------------------------------------------------------


def _step(step: TrainingStep, page: Page) -> list[str]:
    settings = step.settings
    key = "weight.step.line" if step.number <= settings.steps else "weight.step.over"
    line = say(
        key,
        task=printable(FilePath(settings.data).name) if settings.data else settings.task,
        seed=settings.seed,
        step=counted(step.number),
        steps=counted(settings.steps),
    )
    named = [f'"{example}"' if settings.language else example for example in step.examples]
    more = step.count - len(named)
    shown = (", " if settings.language else "; ").join(named) + (
        " " + say("weight.examples.more", count=counted(more)) if more else ""
    )
    kind = "one" if step.count == 1 else "many"
    return [
        *page.wrap(line),
        *page.wrap(say(f"weight.examples.{kind}", count=counted(step.count), shown=shown)),
        *page.wrap(say("weight.loss", loss=show(step.loss))),
    ]


def _facts(weight: Weight, page: Page) -> list[str]:
    rows = columns(
        [
            [say("weight.value"), page.ink("data", show(weight.value, DIGITS))],
            [say("weight.gradient"), page.ink("grad", show(weight.gradient, DIGITS))],
        ]
    )
    return [f"  {weight.name}", *(f"    {name}  {number}" for name, number in rows)]


# ---- its paths ------------------------------------------------------------------------------------


def _paths(weight: Weight, page: Page) -> list[str]:
    if not weight.count:
        return page.wrap(say("weight.none"))
    kind = "language" if weight.step.settings.language else "points"
    lines = [*page.wrap(_counts(weight)), *page.wrap(say(f"weight.legend.{kind}"), kind="faint")]
    for at, (route, words) in enumerate(zip(weight.listed, _routes(weight.listed, page), strict=True), 1):
        lines.append(f"  {at:>3}  {page.ink('grad', show(route.amount))}")
        lines += page.wrap(words, " " * 7, "faint")
    return [*lines, *_sum(weight, page)]


def _counts(weight: Weight) -> str:
    whole = counted(weight.count)
    if 10**21 <= weight.count < EXACT:
        whole = say("weight.exactly", about=whole, count=f"{weight.count:,}")
    idle = weight.count - weight.carrying
    key = "weight.count.one" if weight.count == 1 else "weight.count"
    line = say(key, count=whole)
    return f"{line} {say('weight.idle', count=counted(idle))}" if idle else line


def _sum(weight: Weight, page: Page) -> list[str]:
    """What is listed, the others and the gradient, as one sum."""
    others = weight.count - len(weight.listed)
    if weight.rest is None:
        return page.wrap(say("weight.rest.none"))
    listed = as_float(sum((Fraction(route.amount) for route in weight.listed), Fraction(0)))
    sums = []
    if weight.listed:
        sums.append([show(listed, DIGITS), say("weight.sum.listed", count=counted(len(weight.listed)))])
    rest = show(as_float(weight.rest), DIGITS)
    if others:
        sums.append(
            [rest, say("weight.sum.rest" if others > 1 else "weight.sum.rest.one", count=counted(others))]
        )
    elif weight.rest:
        sums.append([rest, say("weight.sum.rounding")])
    sums.append([show(weight.gradient, DIGITS), say("weight.sum.all")])
    width = max(len(number) for number, _ in sums)
    return [f"    {'=' if i == len(sums) - 1 else '+' if i else ' '} {number:>{width}}  {words}"
            for i, (number, words) in enumerate(sums)]  # fmt: skip


def _routes(listed: Sequence[Route], page: Page) -> list[str]:
    """The routes in words; those that read alike also say through which arguments they go."""
    alike: dict[str, list[Route]] = {}
    for route in listed:
        alike.setdefault(_route(route), []).append(route)
    found = []
    for route in listed:
        ways = zip(*([hop.slot for hop in other.hops] for other in alike[_route(route)]), strict=True)
        apart = {at for at, slots in enumerate(ways) if len({*slots}) > 1}
        found.append((_route(route, apart), _route(route, apart, short=page.rows is not None)))
    seen = Counter(short for _, short in found)
    return [short if seen[short] == 1 else whole for whole, short in found]


def _route(route: Route, apart: Container[int] = (), short: bool = False) -> str:
    """up[2][37] (dot) > blocks.0 (relu) > ...: what one use of a module did stands together."""
    parts = []
    for _, group in groupby(enumerate(route.hops), key=lambda row: row[1].call):
        parts.append(_part(list(group), apart))
    hidden = len(parts) - FIRST - LAST
    if short and hidden > 1:
        parts = [*parts[:FIRST], f"... ({counted(hidden)})", *parts[-LAST:]]
    if route.skipped:
        parts.append(f"... ({counted(route.skipped)}) > {say('weight.route.loss')}")
    return " > ".join(parts) if parts else say("weight.route.loss")


def _part(hops: Sequence[tuple[int, Hop]], apart: Container[int]) -> str:
    """The last place tells most: it is a result of the module, where the path leaves through one."""
    last = hops[-1][1]
    place = last.place if last.call else say("weight.route.loss")
    names = [say("weight.slot", op=hop.op, slot=hop.slot + 1) if at in apart else hop.op for at, hop in hops]
    ops = []
    for name, group in groupby(names):
        times = len(list(group))
        ops.append(f"{name} x{times}" if times > 1 else name)
    return f"{visible(place)} ({', '.join(ops)})"


# ---- what checks it, and what comes of it ---------------------------------------------------------


def _check(weight: Weight, page: Page) -> list[str]:
    same = say("weight.engine.same" if weight.same else "weight.engine.other", number=repr(weight.native))
    measured = show(weight.slope.value, DIGITS)
    words = say(f"weight.central.{weight.verdict}", number=measured, error=show(weight.slope.error, 2))
    kind = {"agrees": "right", "disagrees": "wrong"}.get(weight.verdict, "")
    return [*page.wrap(same, kind="right" if weight.same else "wrong"), *page.wrap(words, kind=kind)]


def _next(weight: Weight) -> str:
    if weight.after is None:
        return say("weight.next.none")
    optimiser, moved = OPTIMISERS[weight.step.settings.optimiser], weight.after - weight.value
    about = {"optimiser": optimiser, "lr": show(weight.lr), "before": show(weight.value)}
    if not moved:
        return say("weight.next.stays", **about)
    return say("weight.next.moves", **about, moved=show(moved), after=show(weight.after))


# ---- all arrays -----------------------------------------------------------------------------------


def listing(arrays: Arrays, page: Page) -> Iterator[tuple[str, list[str]]]:
    yield say("weight.step"), _step(arrays.step, page)
    heads = ["array", "shape", "rms", "largest", "place"]
    rows = [[say(f"weight.list.{head}") for head in heads]]
    for row in arrays.rows:
        shape = " x ".join(map(str, row.shape)) or "1"
        place = row.largest[len(row.name) :]
        rows.append([row.name, shape, show(row.rms, 3), show(row.gradient, 3), place])
    head, *lines = [f"  {'  '.join(cells)}".rstrip() for cells in columns(rows)]
    yield say("weight.list"), [page.ink("faint", head), *page.clip(lines)]
