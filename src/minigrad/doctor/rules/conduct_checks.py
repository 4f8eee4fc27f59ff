"""Shared checks of rules of PyTorch and JAX: two results compared, second derivatives beside differences."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from random import Random
from typing import TypedDict

from ...values.differences import slope
from .expected import noise_around
from .grids import Grid, Shape
from .report import RuleFinding
from .subject import Point, RuleGradients

__all__ = ["SAME", "Difference", "difference", "second_slopes"]

SAME = 1e-8  # relative to the largest number; sums in another order differ by less
SAMPLED = 16  # numbers of the inputs whose second derivatives are measured


class Difference(TypedDict, total=False):
    """Fields of a RuleFinding: the input whose gradients differ, and one number where they do."""

    input: str
    position: Shape
    got: float
    expected: float


def difference(
    names: Sequence[str], got: RuleGradients, due: RuleGradients, slack: float = SAME, least: float = 1e-30
) -> Difference | None:
    """The largest difference between two results that should be equal; None where they are.

    It is large beside the largest number, or beside `least` where all are smaller.
    """
    worst: tuple[float, Difference] | None = None
    for name, ours, theirs in zip(names, got.grads, due.grads, strict=True):
        if ours is None or theirs is None:
            if (ours is None) != (theirs is None) and any((ours or theirs or Grid((), ())).numbers):
                return {"input": name}
            continue
        if ours.shape != theirs.shape:
            return {"input": name}
        size = max((abs(x) for x in theirs.numbers if x == x), default=0.0)
        for e, (a, b) in enumerate(zip(ours.numbers, theirs.numbers, strict=True)):
            gap = abs(a - b) if a == a and b == b else float("inf") if (a == a) != (b == b) else 0.0
            if a != b and gap > slack * max(size, least) and (worst is None or gap > worst[0]):
                worst = gap, {"input": name, "position": ours.position(e), "got": a, "expected": b}
    return worst[1] if worst else None


def second_slopes(
    names: Sequence[str],
    point: Point,
    total: Callable[[Point], float],
    second: Sequence[Grid | None],
    seed: int,
    constant: Container[int] = (),
) -> Iterator[RuleFinding]:
    """The derivatives of `total` beside those that were given: at most one finding for each input.

    `total` is a sum of gradients of the rule itself, which is on trial elsewhere.  The inputs that are
    `constant` to the rule have no derivative at all.
    """
    places = [(i, e) for i, grid in enumerate(point) if i not in constant for e in range(len(grid))]
    chosen = places if len(places) <= SAMPLED else Random(seed).sample(places, SAMPLED)
    found = set()
    for i, e in sorted(chosen):
        grid, given = point[i], second[i]

        def along(x: float, i: int = i, e: int = e, grid: Grid = grid) -> float:
            moved = grid.like([*grid.numbers[:e], x, *grid.numbers[e + 1 :]])
            return total((*point[:i], moved, *point[i + 1 :]))

        due = slope(along, grid.numbers[e], 2.0 * noise_around(along, grid.numbers[e]))
        if i in found or not due.sharp or due.kink or due.rough or due.value != due.value:
            continue
        got = 0.0 if given is None else given.numbers[e]
        if abs(got - due.value) > max(1e-5 * max(abs(got), abs(due.value)), 8.0 * due.error, 1e-7):
            found.add(i)
            yield RuleFinding(
                "second-derivative-wrong", names[i], position=grid.position(e), got=got, expected=due.value
            )
