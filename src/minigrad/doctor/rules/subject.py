"""The interface of a library to the examination: run the forward, pull a gradient back, tell how it was done.

One file per library implements it (`torch_rules`, `jax_rules`); nothing else here knows a library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from .forward_variants import ForwardStep
from .grids import Grid, Shape
from .report import ExaminedInput, RuleFinding, Unseen
from .stages import RuleStage

__all__ = [
    "LARGER",
    "Point",
    "Rule",
    "RuleGradients",
    "RuleRefusedError",
    "RuleSubject",
    "error_text",
    "runs_backward",
]

LARGER = 1.25  # by which an argument is multiplied to see what follows it
Point = tuple[Grid, ...]  # one grid for each differentiable input
Rule: TypeAlias = Callable[
    ..., object
]  # as the user wrote it: a class with a rule, or a function that has one


class RuleRefusedError(Exception):
    """The user's code raised, or gave what is no gradient; `stage` is forward, backward or inputs."""

    def __init__(self, stage: str, message: str, shapes: tuple[Shape | None, ...] = ()) -> None:
        super().__init__(message)
        self.stage, self.message, self.shapes = stage, message, shapes

    def line_in(self, file: str, method: str) -> int | None:
        """The line of the user's file at which it was raised; None where it was raised elsewhere.

        Of a method of the rule that called other functions, the line in the method.
        """
        found = None
        cause: BaseException | None = self
        while cause is not None:
            trace = cause.__traceback__
            while trace is not None:
                code = trace.tb_frame.f_code
                if code.co_filename == file:
                    if code.co_name == method:
                        return trace.tb_lineno
                    found = trace.tb_lineno
                trace = trace.tb_next
            cause = cause.__cause__
        return found


def error_text(error: BaseException) -> str:
    """An error of the user's code: its class and its message."""
    return f"{type(error).__name__}: {error}"


@dataclass(frozen=True)
class RuleGradients:
    """The gradients that a rule gave, one for each input, or None where it gave none."""

    grads: tuple[Grid | None, ...]


class RuleSubject(Protocol):
    """A custom rule with its inputs, in one library."""

    library: str
    name: str
    names: tuple[str, ...]  # of the differentiable inputs
    start: Point  # where the examination begins, in float64
    places: list[int]  # of the differentiable inputs among the arguments
    rounding: float  # relative, of the numbers that the forward is run in
    remarks: list[Unseen]  # what could not be done
    described: tuple[ExaminedInput, ...]  # all arguments of the call
    origin: str  # of the inputs
    absent: frozenset[int]  # inputs for which the rule returned None, where the library makes zeros of it
    draws: bool  # does its forward draw random numbers?
    given: list[object]  # the arguments as they were given or invented

    @property
    def rule(self) -> Rule:
        """What the user wrote."""
        ...

    @property
    def described_by(self) -> object:
        """What has the docstring that speaks of the rule."""
        ...

    def versions(self) -> str:
        """Of Python and the library."""
        ...

    def may_be_tied(self, i: int) -> bool:
        """Could the forward use this input under another name, inside a function that was handed over?"""
        ...

    def asked_for(self, i: int) -> bool:
        """Did the caller say that input i needs a gradient, and not only leave it open?"""
        ...

    def varied_pull(self, point: Point, upstream: Sequence[Grid], variant: str) -> RuleGradients | None:
        """The gradients of a variant of the plain forward ("rounding", "borders"), where there is one."""
        ...

    def forward(self, point: Point) -> list[Grid]:
        """The outputs; RuleRefusedError where it raises."""
        ...

    def pull(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients:
        """The rule's gradients for one upstream gradient per output."""
        ...

    def plain_forward(self, point: Point) -> list[Grid] | None:
        """The same outputs by the plain function, where there is one."""
        ...

    def plain_pull(self, point: Point, upstream: Sequence[Grid]) -> RuleGradients | None:
        """The gradients by the library's own differentiation of the plain function, where there is one."""
        ...

    def steps(self, file: str) -> list[ForwardStep]:
        """The operations of the plain forward, with their lines in the user's file; none if unseen."""
        ...

    def held_pull(self, point: Point, upstream: Sequence[Grid], steps: Sequence[int]) -> RuleGradients | None:
        """The gradients of the plain forward with the results of some steps held constant."""
        ...

    def other_arguments(self) -> Iterator[tuple[str, RuleSubject, str]]:
        """The same call with another value of an argument that is not examined: (its name, the call, and of
        a flag or a count that value)."""
        ...

    def returned_shapes(self, point: Point, upstream: Sequence[Grid]) -> tuple[Shape | None, ...]:
        """The shapes that the rule itself returned, before the library put them right."""
        ...

    def first_look(self, point: Point, upstream: Sequence[Grid]) -> RuleFinding | None:
        """A fault that makes every further comparison pointless: two equal runs that differ."""
        ...

    def stages(
        self, point: Point, other: Point, upstream: Sequence[Grid], beyond: bool, deadline: float
    ) -> Iterator[RuleStage]:
        """What this library alone can show: saved state, layouts, second derivatives, other shapes."""
        ...


def runs_backward(subject: RuleSubject, outputs: Sequence[Grid], point: Point | None = None) -> bool:
    """Does the rule run at a point, or at the start, right or wrong?"""
    try:
        subject.pull(subject.start if point is None else point, outputs)
    except RuleRefusedError:
        return False
    return True
