"""Points for tests of kernels, every op at its own, and answers of two kernels compared bit by bit."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import inf, nan, nextafter
from struct import pack

from minigrad.ops import MANY, Op

__all__ = ["FEW", "SIGNED", "Answer", "Point", "bits", "differences", "magnitude", "points", "some"]

Point = tuple[float, ...]
Answer = tuple[float | None, ...]  # the value, then the locals; None is silent

# ---- the comparison -----------------------------------------------------------------------------

NOT_A_NUMBER, SILENT = "nan", "silent"


def bits(x: float | None, silence: bytes = b"") -> str | bytes:
    """The bits of a double, NaNs apart: those are all alike, but for the one that says: no message."""
    if x is None or (x != x and pack("=d", x) == silence):
        return SILENT
    return NOT_A_NUMBER if x != x else pack("=d", x)


def differences(
    points: Sequence[Point], got: Sequence[Answer], wanted: Sequence[Answer], silence: bytes = b""
) -> list[str]:
    """Where two lists of answers differ, in words."""
    found = []
    for point, ours, theirs in zip(points, got, wanted, strict=True):
        if ours == theirs and 0.0 not in ours:
            continue  # equal floats have equal bits, zeros apart
        if [bits(x, silence) for x in ours] != [bits(x, silence) for x in theirs]:
            found.append(f"at {point}: {ours} in C, {theirs} by the formula")
    return found


# ---- the points ---------------------------------------------------------------------------------

LARGEST = 1.7976931348623157e308
BRANCHES = (  # where a formula, or the C library, changes hands
    1.0, 10.0, 40.0, 64.0, 800.0, 1000.0, 1024.0, 1e-290, 1e-140, 1e140,
    709.782712893384, 710.4758600739439, 708.3964185322641, 745.1332191019411, 2.2250738585072014e-308,
)  # fmt: skip
SIZES = (
    5e-324, 1e-310, 1e-200, 1e-17, 0.01, 0.5, 1 - 2**-53, 1.0, 1 + 2**-52, 2.0, 3.0,
    40.0, 1e17, 2.0**53 + 2, 1e154, 1e200, 1e308, LARGEST,
)  # fmt: skip
SIGNED = (nan, *(sign * x for x in (0.0, *SIZES, inf) for sign in (1.0, -1.0)))
FEW = (nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 5e-324, 1e200, -1e308)


def magnitude(draw: random.Random) -> float:
    """Any finite double, each exponent equally likely."""
    return draw.choice((1.0, -1.0)) * math.ldexp(draw.uniform(0.5, 1.0), draw.randint(-1074, 1024))


def some(draw: random.Random) -> float:
    kinds: tuple[Callable[[], float], ...] = (
        lambda: draw.uniform(-1.0, 1.0),
        lambda: draw.uniform(-40.0, 40.0),
        lambda: draw.uniform(-1100.0, 1100.0),
        lambda: draw.choice((1.0, -1.0)) * 2.0 ** draw.uniform(-30.0, 30.0),
        lambda: float(draw.randint(-40, 40)),
        lambda: magnitude(draw),
    )
    return draw.choice(kinds)()


def points(op: Op) -> tuple[Point, ...]:
    draw, most = random.Random(f"points of {op.name}"), op.arity[1]
    if most == MANY:
        found = [xs for xs in lists(draw) if op.takes(len(xs))]
    elif most == 1:
        found = [(sign * x,) for x in around(BRANCHES) for sign in (1.0, -1.0)]
        found += [(x,) for x in SIGNED]
        found += [(some(draw),) for _ in range(8000)]
    else:
        found = list(product(SIGNED if most == 2 else FEW, repeat=most))
        found += [tuple(some(draw) for _ in range(most)) for _ in range(6000)]
        found += [(x,) * most for x in (some(draw) for _ in range(100))]
        found += [(sign * x, *[1.5] * (most - 1)) for x in around(BRANCHES) for sign in (1.0, -1.0)]
    return (*op.samples, *op.kinks, *found)


def around(xs: Sequence[float]) -> Iterator[float]:
    for x in xs:
        yield from (nextafter(x, 0.0), x, nextafter(x, inf))


def lists(draw: random.Random) -> Iterator[Point]:
    yield from product(FEW, repeat=1)
    yield from product(FEW, repeat=2)
    yield from product((nan, inf, -inf, 0.0, -0.0, 1e308, -1e308), repeat=4)
    for _ in range(250):
        n = draw.randint(1, 40)
        yield tuple(draw.uniform(-3.0, 3.0) for _ in range(n))
        yield tuple(draw.uniform(-800.0, 800.0) for _ in range(n))
        yield tuple(magnitude(draw) for _ in range(n))
        yield tuple(some(draw) for _ in range(n))
        yield tuple(draw.choice((0.0, -0.0, 2.0, -2.0)) for _ in range(n))  # ties
        yield tuple(
            draw.choice((1.0, -1.0)) * 2.0 ** draw.randint(-110, 2) for _ in range(n)
        )  # halves of an ulp
        yield tuple(draw.choice((LARGEST, -LARGEST, 1e308, 2.0**970, -5e-324)) for _ in range(n))
        yield tuple(draw.choice((*FEW, 3.0, 4.0)) for _ in range(draw.randint(1, 6)))
        terms = [some(draw) for _ in range(draw.randint(1, 20))]  # what cancels, all but a little
        terms += [-x for x in terms] + [magnitude(draw) for _ in range(draw.randint(0, 2))]
        draw.shuffle(terms)
        yield tuple(terms)
