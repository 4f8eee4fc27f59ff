"""Second derivatives beside differences of the rule itself, which is on trial elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from ...values.differences import slope
from .grids import Grid
from .noise import trembling
from .report import RuleFinding
from .subject import Point

__all__ = ["second_slopes"]

SAMPLED = 16  # numbers of the inputs whose second derivatives are measured


def second_slopes(
    names: Sequence[str], point: Point, total: Any, second: Sequence[Grid | None], seed: int
) -> Iterator[RuleFinding]:
    """The derivatives of `total` beside those that were given: at most one finding for each input."""
    places = [(i, e) for i, grid in enumerate(point) for e in range(len(grid))]
    chosen = places if len(places) <= SAMPLED else Random(seed).sample(places, SAMPLED)
    told = set()
    for i, e in sorted(chosen):
        grid, given = point[i], second[i]

        def along(x: float, i: int = i, e: int = e, grid: Grid = grid) -> float:
            moved = grid.like([*grid.numbers[:e], x, *grid.numbers[e + 1 :]])
            number: float = total((*point[:i], moved, *point[i + 1 :]))
            return number

        due = slope(along, grid.numbers[e], 2.0 * trembling(along, grid.numbers[e]))
        if i in told or not due.sharp or due.kink or due.rough or due.value != due.value:
            continue
        got = 0.0 if given is None else given.numbers[e]
        if abs(got - due.value) > max(1e-5 * max(abs(got), abs(due.value)), 8.0 * due.error, 1e-7):
            told.add(i)
            yield RuleFinding(
                "second-derivative-wrong", names[i], position=grid.position(e), got=got, expected=due.value
            )
