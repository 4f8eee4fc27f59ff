"""Expected numbers of a probe: those of our pass, which independent witnesses confirm.

The court hears the witnesses before a probe may speak against an engine; one that they do not confirm says
nothing.  At a kink it is also the court that says whether another choice of slope is a fair one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from math import isfinite

from ...graph.trace import Flow, trace
from ...verify import court
from .child_protocol import ProbeNumbers
from .probes import Probe

__all__ = ["ExpectedProbe", "by_its_own_values", "close", "expected", "is_confirmed", "is_fair"]

CLOSE = 1e-6  # relative: formulas with an epsilon in them, and other orders of summing
SINGLE = 3e-5  # what single precision leaves


@dataclass(frozen=True, slots=True)
class ExpectedProbe:
    value: float
    grads: Mapping[str, float]
    size: float = 0.0  # of the largest contribution: roundings are as large as that makes them


@cache
def expected(probe: Probe) -> ExpectedProbe:
    """The right numbers."""
    if probe.kind == "chain":
        return ExpectedProbe(probe.depth + 1.0, {"a": probe.depth + 1.0})
    if probe.kind == "doubling":
        return ExpectedProbe(2.0**probe.depth, {"a": 2.0**probe.depth})
    passed = trace(probe.graph, seed=probe.seed)
    amounts = [abs(event.amount) for event in passed.events if isinstance(event, Flow)]
    size = max((amount for amount in amounts if isfinite(amount)), default=0.0)
    return ExpectedProbe(passed.values[probe.graph.output], passed.gradients, size)


@cache
def is_confirmed(probe: Probe) -> bool:
    """Do the witnesses confirm the right numbers?  They take longer than the pass, so most are not asked."""
    return not probe.text or court(probe.graph, ask="quick").verdict == "right"


def by_its_own_values(found: ProbeNumbers, upstream: float) -> ExpectedProbe | None:
    """What the gradient of an op that nobody knows should be, from its values around the point.

    Two steps must agree: at a kink, or where it is not smooth, nobody can tell.
    """
    slopes = []
    for (right, left), step in zip(found.around, found.steps, strict=True):
        if right is None or left is None or not (isfinite(right) and isfinite(left)):
            return None
        slopes.append((right - left) / (2.0 * step))
    size = max(1.0, *map(abs, slopes))
    if abs(slopes[0] - slopes[1]) > 1e-5 * size or found.value is None:
        return None
    return ExpectedProbe(found.value, {"a": slopes[1] * upstream}, 1e3 * size)  # a tolerance of 1e-3


def close(x: float | None, right: float, size: float = 0.0, tolerance: float = CLOSE) -> bool:
    """Is it the right number?  Nothing at all stands for no gradient, which is 0."""
    if x is None:
        return right == 0.0
    if x == right:
        return True
    return isfinite(x) and isfinite(right) and abs(x - right) <= tolerance * max(abs(right), size, 1e-9)


def is_fair(probe: Probe, value: float | None, grads: Mapping[str, float | None]) -> bool:
    """Are these numbers a fair choice at a kink?"""
    claimed = {name: grad for name, grad in grads.items() if grad is not None and isfinite(grad)}
    if len(claimed) < len(grads) or value is None:
        return False
    return _fair(probe, value, tuple(claimed.items()))


@lru_cache(1000)  # every run gives these numbers again
def _fair(probe: Probe, value: float, claimed: tuple[tuple[str, float], ...]) -> bool:
    found = court(probe.graph, claimed=dict(claimed), value=value, ask="quick", seed=probe.seed)
    return found.verdict == "right"
