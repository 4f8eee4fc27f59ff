"""The referee: what each op is, said again in mpmath and in nothing else.

The definitions are the court's (`minigrad.verify.definitions`), the textbook's, here for mpmath
numbers.  They know nothing of the formulas in `ops.py`, and derivatives are central differences
of the definition, so that no derivative formula of anybody's is trusted.  Answers are exact for
our purposes: differences are taken with two step sizes, and the precision is raised until the two
agree and rounding cannot have made them agree.

    exact("tanh", 20.0)          # the value, an mpf with more than 50 right digits
    slope("tanh", 0, 20.0)       # the derivative in slot 0
    nearest(x)                   # the float nearest to an mpf
    ulps(0.1, x)                 # how far a float is from an mpf, in units of the last place

Outside its domain a definition gives None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import mpmath
from mpmath import mp, mpf

from minigrad.ops import OPS
from minigrad.verify import definitions
from minigrad.verify.definitions import define
from minigrad.verify.witnesses.high_precision import nearest, numbers

__all__ = ["DEFINITIONS", "exact", "nearest", "slope", "ulps"]

BITS = 200  # 60 decimal digits
AGREEMENT = mpf(2) ** -100
FLAT = mpf(2) ** -1200  # a slope below every float is 0
MOST_BITS = 50_000


# ---- the definitions ------------------------------------------------------------------------

if undefined := OPS.keys() - definitions.DEFINITIONS.keys():
    raise NotImplementedError(f"write what {sorted(undefined)} are in src/minigrad/verify/definitions.py")
DEFINITIONS: dict[str, Callable[..., Any]] = {
    op: partial(define, numbers(), op)
    for op in definitions.DEFINITIONS  # of mpf numbers; None outside the domain
}


# ---- values and derivatives -----------------------------------------------------------------


def _span(xs: Sequence[float]) -> int:
    """Bits between the largest and the smallest number that a definition may have to add."""
    return max((abs(math.frexp(x)[1]) for x in xs if x), default=0)


@cache
def exact(op: str, *xs: float) -> mpf | None:
    """The op's value, or None outside its domain."""
    with mp.workprec(BITS + 2 * _span(xs)):
        return DEFINITIONS[op](*map(mpf, xs))


@cache
def slope(op: str, slot: int, *xs: float) -> mpf | None:
    """The derivative by one argument, or None where there is no value on both sides."""
    bits = 2 * BITS + 2 * _span(xs)
    sizes = [abs(x) for x in xs if x]
    scale = min(abs(xs[slot]) or min(sizes, default=1.0), 1.0)
    while bits < MOST_BITS:
        with mp.workprec(bits):
            step = mpf(scale) * mpf(2) ** (-bits // 3)
            wide, _ = _difference(op, slot, xs, step)
            narrow, noise = _difference(op, slot, xs, step / 1024)
            if wide is None or narrow is None:
                return None
            if narrow and max(abs(wide - narrow), noise) <= AGREEMENT * abs(narrow):
                return narrow
            if max(abs(wide), abs(narrow), noise) < FLAT:
                return mpf(0)
        bits = bits * 5 // 2
    raise ArithmeticError(f"{op}{xs}: differences do not settle: {wide}, {narrow}")


def _difference(op: str, slot: int, xs: Sequence[float], step: mpf) -> tuple[mpf | None, mpf]:
    """The central difference, and what rounding can have done to it."""
    points = [mpf(x) for x in xs]
    middle = points[slot]
    points[slot] = middle + step
    above = DEFINITIONS[op](*points)
    points[slot] = middle - step
    below = DEFINITIONS[op](*points)
    if above is None or below is None:
        return None, mpf(0)
    return (above - below) / (2 * step), (abs(above) + abs(below)) / step * mpf(2) ** (8 - mp.prec)


# ---- floats ---------------------------------------------------------------------------------


TOP = mpf(2) ** 1024


def ulps(ours: float, truth: mpf, size: float = 0.0) -> float:
    """The distance in units of the last place of the truth, or of `size` if that is larger.

    An infinity stands at 2**1024, one step above the largest float: to overflow too soon is an
    error like any other, and its size is how much too soon.
    """
    if ours != ours or mpmath.isnan(truth):
        return 0.0 if ours != ours and mpmath.isnan(truth) else math.inf
    with mp.workprec(BITS):
        there = min(max(truth, -TOP), TOP)
        here = mpf(ours) if math.isfinite(ours) else (TOP if ours > 0 else -TOP)
        unit = math.ulp(min(max(abs(nearest(there)), size), 1.7976931348623157e308))
        return float(abs(here - there) / mpf(unit))
