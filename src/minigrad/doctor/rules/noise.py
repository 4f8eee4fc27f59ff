"""How much a function trembles: what is left of a few short steps when the straight line is taken away.

A forward that iterates to a tolerance, or a rule that takes differences itself, is not smooth in its last
digits; a slope that is measured with too short a step would be one of the noise.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fsum, isfinite

__all__ = ["trembling"]

# Some for noise in every digit, some for plateaus; a curve of usual size is straight over all of them.
JOLTS = (0.0, -7.3e-11, 5.9e-11, 1.79e-10, -9.7e-10, 2.3e-9, -5.3e-9, 8.9e-9, 1.13e-8)


def trembling(function: Callable[[float], float], x: float) -> float:
    """The size of the noise around x; 0 where the function gives no numbers there."""
    steps = [jolt * max(1.0, abs(x)) for jolt in JOLTS]
    heights = [function(x + step) for step in steps]
    if not all(map(isfinite, heights)):
        return 0.0
    middle, level = fsum(steps) / len(steps), fsum(heights) / len(heights)
    spread = fsum((s - middle) ** 2 for s in steps)
    tilt = fsum((s - middle) * (h - level) for s, h in zip(steps, heights, strict=True)) / spread
    return max(abs(h - level - tilt * (s - middle)) for s, h in zip(steps, heights, strict=True))
