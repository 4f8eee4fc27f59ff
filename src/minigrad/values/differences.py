"""Central differences: the slope of a plain function, with an error bar.

Independent of every derivative formula: it only calls the function.  It tries a sweep of
steps, because a step can be too long (the curve bends) or too short (rounding), removes the
leading error by Richardson's extrapolation, and keeps the step whose result moves least.
The two one-sided slopes are kept as well: where they differ, the function has a kink.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isfinite, nan
from typing import NamedTuple

__all__ = ["Slope", "slope"]

EPSILON = 2.0**-52


class Slope(NamedTuple):
    value: float  # the estimate; NaN where none can be had
    error: float  # how far off it may be
    left: float  # the one-sided slopes at the shortest step that tells them apart
    right: float
    kink: bool  # do they stay apart as the step shrinks?
    rough: bool  # do they part even further: a jump, or a curve that turns faster than the steps

    def agrees(self, gradient: float) -> bool:
        """Is `gradient` within the error bar, or within 1e-7 relative?"""
        size = max(abs(gradient), abs(self.value))
        return isfinite(gradient) and abs(gradient - self.value) <= max(1e-7 * size, 4.0 * self.error)

    @property
    def sharp(self) -> bool:
        """Is the error bar short enough for an agreement, or a disagreement, to mean anything?"""
        return self.error <= 1e-4 * max(1.0, abs(self.value))


def slope(function: Callable[[float], float], x: float, noise: float = 0.0) -> Slope:
    """The derivative of `function` at x.

    `noise` is what roundings inside the function may do to its result, where the caller knows:
    (x + 1e17) - 1e17 looks flat from outside.
    """
    best = Slope(nan, inf, nan, nan, False, False)
    centre = function(x)
    if not isfinite(centre) or not isfinite(x):
        return best
    for ladder in _ladders(x):
        best = _climb(function, x, centre, ladder, best, noise)
    return best


def _climb(
    function: Callable[[float], float],
    x: float,
    centre: float,
    ladder: list[float],
    best: Slope,
    noise: float,
) -> Slope:
    """The best slope of one ladder of steps, longest first, and of what was known before."""
    value, error, left, right, kink, rough = best
    coarse = gap_before = spread_before = nan
    steady = parting = 0
    for step in ladder:
        above, below = x + step, x - step
        if not above > x > below:
            continue
        high, low = function(above), function(below)
        fine = (high - low) / (above - below)
        rounding = 4.0 * max(EPSILON * max(abs(high), abs(low), abs(centre)), noise) / step
        to_left, to_right = (centre - low) / (x - below), (high - centre) / (above - x)
        gap = abs(to_right - to_left)
        # A smooth curve's one-sided slopes close in on each other with the step: each step is a
        # quarter of the one before, and so is the gap.  At a kink they stay apart, at a jump they
        # part.  What was measured across such a place is worth nothing.  A gap that would drown
        # in rounding says nothing.
        if gap > 32.0 * rounding:
            steady = steady + 1 if 0.6 * gap_before < gap < 1.7 * gap_before else 0
            kink = steady > 1
            rough = not kink and gap > 0.6 * gap_before
            left, right = to_left, to_right
            if kink or rough:
                value, error, fine = nan, inf, nan
        elif left != left:
            left, right = to_left, to_right
        elif 32.0 * rounding < abs(right - left):
            kink = rough = False  # that gap would have been seen here
        spread = abs(fine - coarse)
        # A jump that is the same to both sides shows in this only: ever steeper from step to step.
        parting = parting + 1 if spread > max(32.0 * rounding, 1.7 * spread_before) else 0
        if parting > 1:
            rough = True
            value, error, fine = nan, inf, nan
        if spread / 8.0 + rounding < error:
            value = fine + (fine - coarse) / 15.0
            error = spread / 8.0 + rounding
        coarse, gap_before, spread_before = fine, gap, spread
    return Slope(value, error, left, right, kink, rough)


def _ladders(x: float) -> list[list[float]]:
    """Steps in factors of four; for a tiny x a second ladder that never reaches past zero."""
    scales = [max(1.0, abs(x))]
    if 0.0 < abs(x) < 1e-3:
        scales.append(abs(x))
    return [[scale * 2.0**-k for k in range(3, 28, 2)] for scale in scales]
