"""Small data sets to train on: points in the plane, a curve, names, and any text.

    moons(100, noise=0.1, seed=0)      # [([0.98, 0.21], -1.0), ([0.02, 0.4], 1.0), ...]
    names()                            # ["aaliyah", "aaron", ...]
    documents("poems.txt")             # its lines
    Vocabulary(names())                # characters to tokens and back

A set of points is a function of its arguments alone: the same on every machine, every Python and both
engines.  So the draws are made of `Random.random()` only, which Python promises to keep, and a number is
rounded to six decimals, out of reach of the last digit in which mathematics libraries differ.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, inf, isfinite, log, pi, sin, sqrt
from random import Random

from ..text.excerpts import describe
from ..text.numerals import counted
from ..text.translation import say
from ..values.validation import number
from .text_data import LARGEST, Vocabulary, documents, names

__all__ = ["LARGEST", "MOST", "Vocabulary", "circles", "documents", "moons", "names", "regression", "spirals"]

MOST = 1_000_000  # points
Points = list[tuple[list[float], float]]
Curve = Callable[[float], tuple[float, float]]  # from how far along, 0 to 1, to a point


def moons(n: int = 100, noise: float = 0.1, seed: int | Random = 0) -> Points:
    """Two half circles that reach into each other: -1 the upper one, 1 the lower one."""
    return _two(
        n,
        noise,
        seed,
        lambda part: (cos(pi * part), sin(pi * part)),
        lambda part: (1.0 - cos(pi * part), 0.5 - sin(pi * part)),
    )


def circles(n: int = 100, noise: float = 0.1, seed: int | Random = 0, factor: float = 0.5) -> Points:
    """A circle of radius 1, which is -1, around one of radius `factor`, which is 1."""
    inner = _part("factor", factor, 1.0)
    return _two(
        n,
        noise,
        seed,
        lambda part: (cos(2 * pi * part), sin(2 * pi * part)),
        lambda part: (inner * cos(2 * pi * part), inner * sin(2 * pi * part)),
        closed=True,
    )


def spirals(n: int = 100, noise: float = 0.05, seed: int | Random = 0, turns: float = 1.0) -> Points:
    """Two arms that wind around each other, half a turn apart: -1 and 1."""
    way = 2 * pi * _part("turns", turns)

    def arm(part: float, side: float) -> tuple[float, float]:
        radius = side * (0.2 + 1.3 * part)
        return radius * cos(way * part), radius * sin(way * part)

    return _two(n, noise, seed, lambda part: arm(part, 1.0), lambda part: arm(part, -1.0))


def regression(n: int = 100, noise: float = 0.1, seed: int | Random = 0) -> Points:
    """Points of sin(2x) for x between -2 and 2; the label is the height to predict, with noise in it."""
    count, spread, random = _count(n), _noise(noise), _random(seed)
    points: Points = []
    for i in range(count):
        x = -2.0 + 4.0 * _share(i, count)
        points.append(([_rounded(x)], _rounded(sin(2.0 * x) + spread * _normal(random))))
    return _shuffled(points, random)


def _two(
    n: int, noise: float, seed: int | Random, first: Curve, second: Curve, closed: bool = False
) -> Points:
    """Half of the points on each of two curves, evenly, then moved by the noise, then shuffled."""
    count, spread, random = _count(n), _noise(noise), _random(seed)
    points: Points = []
    sizes = (count - count // 2, count // 2)
    for curve, size, label in ((first, sizes[0], -1.0), (second, sizes[1], 1.0)):
        for i in range(size):
            x, y = curve(i / size if closed else _share(i, size))
            points.append(
                ([_rounded(x + spread * _normal(random)), _rounded(y + spread * _normal(random))], label)
            )
    return _shuffled(points, random)


# ---- draws ------------------------------------------------------------------------------------


def _normal(random: Random) -> float:
    """One draw from the bell curve, by Box and Muller."""
    return sqrt(-2.0 * log(1.0 - random.random())) * cos(2.0 * pi * random.random())


def _shuffled(points: Points, random: Random) -> Points:
    for i in range(len(points) - 1, 0, -1):
        j = int(random.random() * (i + 1))
        points[i], points[j] = points[j], points[i]
    return points


def _share(i: int, count: int) -> float:
    """How far point i is along its curve, from 0 to 1 with both ends."""
    return i / (count - 1) if count > 1 else 0.0


def _rounded(x: float) -> float:
    return round(x, 6) + 0.0  # no minus zero


# ---- what was given ---------------------------------------------------------------------------


def _count(n: int) -> int:
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MOST:
        raise ValueError(say("data.count", given=describe(n), most=counted(MOST)))
    return n


def _noise(noise: float) -> float:
    spread = noise if isinstance(noise, (int, float)) and not isinstance(noise, bool) else -1.0
    if not 0.0 <= spread < inf:
        raise ValueError(say("data.noise", given=describe(noise)))
    return number(spread)


def _random(seed: int | Random) -> Random:
    if isinstance(seed, Random):
        return seed
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:  # Random(-7) is Random(7)
        raise ValueError(say("data.seed", given=describe(seed)))
    return Random(seed)


def _part(name: str, given: float, most: float = inf) -> float:
    part = number(given)
    if not (0.0 < part <= most and isfinite(part)):
        raise ValueError(say("data.part", name=name, given=describe(given)))
    return part
