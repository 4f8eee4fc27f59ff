"""Series that curves are made of: numbers by step under a name, their running mean, their trend in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from ..drawing.chart import seen
from ..text.numerals import counted, show
from ..text.translation import say

__all__ = ["Series", "SeriesMark", "broken", "of_losses", "smoothed", "told", "why_broken"]

SMOOTH = 60  # numbers from which on a running mean helps


@dataclass(frozen=True, slots=True)
class Series:
    """Numbers, one for each step, under a name."""

    name: str
    numbers: Sequence[float]
    kind: str = "data"  # right, wrong, data, grad, faint
    first: int = 1  # the step of the first number


@dataclass(frozen=True, slots=True)
class SeriesMark:
    """A step at which something happened."""

    step: int
    words: str


def of_losses(losses: Sequence[float], first: int = 1) -> list[Series]:
    """The losses; where they are many, faintly, with their running mean."""
    raw = Series(say("chart.loss"), losses, "data", first)
    if len(losses) < SMOOTH:
        return [raw]
    window = max(5, min(100, len(losses) // 20))
    mean = Series(say("chart.mean", count=counted(window)), smoothed(losses, window), "data", first)
    return [replace(raw, kind="faint"), mean]


def smoothed(numbers: Sequence[float], window: int) -> list[float]:
    """The mean of the last so many; one that is not finite is its own mean, and nobody else's."""
    means: list[float] = []
    kept: list[float] = []  # the finite ones
    total = 0.0
    for at, x in enumerate(numbers):
        if not isfinite(x):
            means.append(x)
            continue
        kept.append(x)
        total += x
        if len(kept) > window:
            total -= kept[-window - 1]
        if at % 256 == 0:  # differences of sums drift
            total = sum(kept[-window:])
        means.append(total / min(len(kept), window))
    return means


def told(series: Sequence[Series], marks: Sequence[SeriesMark] = ()) -> str:
    """The curves in words."""
    sentences = []
    for one in series:
        name, found = one.name, [(x, at) for at, x in enumerate(one.numbers) if isfinite(x)]
        if not found:
            sentences.append(say("chart.told.none", name=name))
            continue
        (first, at_first), (last, at_last), (low, at_low) = found[0], found[-1], min(found)
        sentences.append(
            say(
                "chart.told",
                name=name,
                first=show(first, 4),
                start=counted(at_first + one.first),
                last=show(last, 4),
                end=counted(at_last + one.first),
                low=show(low, 4),
                best=counted(at_low + one.first),
            )
        )
        end = broken(one)
        if end is not None:
            sentences.append(why_broken(one, end))
    return " ".join([*sentences, *(f"{seen(mark.words)}." for mark in marks)])


def broken(one: Series) -> int | None:
    """Where a line meets its first number that is not finite."""
    return next((at for at, x in enumerate(one.numbers) if not isfinite(x)), None)


def why_broken(one: Series, at: int) -> str:
    """What a line met there, in words."""
    key = "chart.nan" if one.numbers[at] != one.numbers[at] else "chart.infinite"
    return say(key, name=one.name, step=counted(at + one.first))
