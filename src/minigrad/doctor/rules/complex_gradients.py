"""Gradients of complex numbers: pairs of real ones to the examination, and a conjugate that is missing.

PyTorch's gradient of z = x + iy is dL/dx + i dL/dy: for an analytic f that is the upstream gradient times the
conjugate of f'(z).  Real and imaginary part are leaves of their own here, so that nothing else knows of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from .grids import Grid
from .observations import Observation, RuleCase
from .report import RuleFinding
from .subject import RuleSubject
from .torch_rules import TorchSubject

__all__ = ["complex_inputs", "conjugate_missing", "speaks_of_complex"]


def complex_inputs(subject: RuleSubject) -> frozenset[int]:
    """The examined inputs that are complex; their last axis is (real, imaginary)."""
    if not isinstance(subject, TorchSubject):
        return frozenset()
    return frozenset(i for i, place in enumerate(subject.places) if place in subject.complex_places)


def speaks_of_complex(subject: RuleSubject) -> bool:
    """Is an input or an output complex?"""
    return isinstance(subject, TorchSubject) and bool(subject.complex_places or subject.complex_outputs)


def conjugate_missing(case: RuleCase, i: int) -> RuleFinding | None:
    """The finding where the conjugate of what is returned, of its factor or of the upstream is right."""
    subject = case.subject
    if not isinstance(subject, TorchSubject) or not (subject.complex_places or subject.complex_outputs):
        return None
    whole = i in complex_inputs(subject)
    outs = [k in subject.complex_outputs for k in subject.outputs]
    ways = (("factor", True, True), ("result", True, False), ("upstream", False, True))
    for what, turn_result, turn_upstream in ways:
        if turn_result and not whole:
            continue
        if all(_explains(case, seen, i, outs, turn_result, turn_upstream) for seen in case.observations):
            return case.finding("conjugate-missing", i, what=what)
    return None


def _explains(
    case: RuleCase,
    seen: Observation,
    i: int,
    outs: Sequence[bool],
    turn_result: bool,
    turn_upstream: bool,
) -> bool:
    """Is what came the right gradient, with these conjugated?"""
    upstream = [
        conjugate(grid) if turn_upstream and whole else grid
        for grid, whole in zip(seen.upstream, outs, strict=True)
    ]
    due = seen.point[i].like(seen.values(i, upstream))
    return case.fits(i, seen, (conjugate(due) if turn_result else due).numbers)


def conjugate(grid: Grid) -> Grid:
    """Of pairs of numbers."""
    return grid.like([-x if e % 2 else x for e, x in enumerate(grid.numbers)])
