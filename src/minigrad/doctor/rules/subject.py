"""What the examination asks of a library: run the forward, pull a gradient back, say how it was done.

One file per library answers (`torch_rules`, `jax_rules`); nothing else in this room knows a library.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from .grids import Grid, Shape
from .report import Remark, RuleFinding, Unseen

__all__ = ["Point", "Pulled", "RuleRefusedError", "RuleSubject", "runs_backward", "told"]

Point = tuple[Grid, ...]  # one grid for each differentiable input


class RuleRefusedError(Exception):
    """The user's code raised, or gave what is no gradient; `stage` is forward, backward or inputs."""

    def __init__(self, stage: str, message: str, shapes: tuple[Shape | None, ...] = ()) -> None:
        super().__init__(message)
        self.stage, self.message, self.shapes = stage, message, shapes


def told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class Pulled:
    """What the rule gave: for each input its gradient, or None where it gave none."""

    grads: tuple[Grid | None, ...]


class RuleSubject(Protocol):
    """A custom rule with its inputs, in one library."""

    library: str
    name: str
    names: tuple[str, ...]  # of the differentiable inputs
    start: Point  # where the examination begins, in float64
    rounding: float  # relative, of the numbers that the forward is run in
    remarks: list[Unseen]  # what could not be done

    def forward(self, point: Point) -> list[Grid]:
        """The outputs; RefusedError where it raises."""
        ...

    def pull(self, point: Point, upstream: Sequence[Grid]) -> Pulled:
        """The rule's gradients for one upstream gradient per output."""
        ...

    def plain_forward(self, point: Point) -> list[Grid] | None:
        """The same outputs by the plain function, where there is one."""
        ...

    def plain_pull(self, point: Point, upstream: Sequence[Grid]) -> Pulled | None:
        """The gradients by the library's own differentiation of the plain function, where there is one."""
        ...

    def returned_shapes(self, point: Point, upstream: Sequence[Grid]) -> tuple[Shape | None, ...]:
        """The shapes that the rule itself returned, before the library put them right."""
        ...

    def first_look(self, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
        """A fault that makes every further comparison pointless: two equal runs that differ."""
        ...

    def conduct(self, point: Point, other: Point, upstream: Sequence[Grid]) -> Iterator[RuleFinding | Remark]:
        """What this library alone can show: saved state, layouts, precision, second derivatives."""
        ...


def runs_backward(subject: RuleSubject, outputs: Sequence[Grid]) -> bool:
    """Does the rule run at the start, right or wrong?"""
    try:
        subject.pull(subject.start, outputs)
    except RuleRefusedError:
        return False
    return True
