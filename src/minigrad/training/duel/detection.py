"""Detection: the step at which a person would notice that a run goes wrong.

They do not have the right run beside theirs; they know what such runs look like.  So right runs with other
seeds give a band: at every step, from the lowest to the highest of their smoothed losses, and some room
above it.  A run is noticed at the step at which its own smoothed loss has been above that for PATIENCE steps
on end, or at which its loss is no number any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

__all__ = ["OTHERS", "PATIENCE", "WINDOW", "Band", "band_of", "noticed", "smoothed"]

OTHERS = 7  # right runs with other seeds
WINDOW = 10  # steps that a loss is averaged over
PATIENCE = 15  # steps in a row above the band until a person is sure
ROOM = 0.5  # above the highest, as a part of the band's height


@dataclass(frozen=True, slots=True)
class Band:
    """What right runs look like: at every step the lowest and the highest smoothed loss, and the limit."""

    seeds: tuple[int, ...]
    lowest: tuple[float, ...]
    highest: tuple[float, ...]

    @property
    def limit(self) -> tuple[float, ...]:
        """What a loss has to exceed until somebody wonders."""
        pairs = zip(self.lowest, self.highest, strict=True)
        return tuple(highest + ROOM * (highest - lowest) for lowest, highest in pairs)


def smoothed(losses: Sequence[float], window: int = WINDOW) -> list[float]:
    """At every step the mean of the losses of the last `window` steps, or of all that there are."""
    return [sum(losses[max(0, i + 1 - window) : i + 1]) / min(i + 1, window) for i in range(len(losses))]


def band_of(seeds: Sequence[int], runs: Sequence[Sequence[float]]) -> Band:
    """The band of right runs; runs are the losses of each, all of one length."""
    columns = list(zip(*map(smoothed, runs), strict=True))
    return Band(tuple(seeds), tuple(map(min, columns)), tuple(map(max, columns)))


def noticed(losses: Sequence[float], band: Band) -> int | None:
    """The step, counted from 1, at which a person would notice; None for never in these steps."""
    above = 0
    for step, (loss, mean, limit) in enumerate(zip(losses, smoothed(losses), band.limit, strict=False), 1):
        if not isfinite(loss):
            return step
        above = above + 1 if mean > limit else 0
        if above == PATIENCE:
            return step
    return None
