"""The referee: what each op is, said again in mpmath and in nothing else.

A definition here is the textbook's, for mpmath numbers.  It knows nothing of the formulas
in `ops.py`, and derivatives are central differences of the definition, so that no
derivative formula of anybody's is trusted.  Answers are exact for our purposes: differences
are taken with two step sizes, and the precision is doubled until the two agree.

    exact("tanh", 20.0)          # the value, an mpf with more than 50 right digits
    slope("tanh", 0, 20.0)       # the derivative in slot 0
    nearest(x)                   # the float nearest to an mpf
    ulps(0.1, x)                 # how far a float is from an mpf, in units of the last place

Outside its domain a definition gives None.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath
from mpmath import mp, mpf

__all__ = ["DEFINITIONS", "exact", "nearest", "slope", "ulps"]

BITS = 200  # 60 decimal digits
AGREEMENT = mpf(2) ** -100
FLAT = mpf(2) ** -1200  # a slope below every float is 0
MOST_BITS = 50_000


# ---- the definitions ------------------------------------------------------------------------


def _inside(test: Callable[..., bool], definition: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *xs: definition(*xs) if test(*xs) else None


def _power(x: mpf, p: mpf) -> mpf | None:
    if x > 0:
        return mpmath.power(x, p)
    if not mpmath.isint(p):
        return mpf(0) if x == 0 and p > 0 else None
    n = int(p)
    return None if x == 0 and n < 0 else (-1) ** (n % 2) * mpmath.power(-x, p)


def _cube_root(x: mpf) -> mpf:
    return mpmath.sign(x) * mpmath.root(abs(x), 3)


def _normal(x: mpf) -> mpf:
    """The normal distribution function; mpmath's erfc fails on huge numbers, where this is 0 or 1."""
    return mpmath.ncdf(min(max(x, mpf(-1_000_000)), mpf(1_000_000)))


def _halves(xs: Sequence[mpf]) -> zip[tuple[mpf, mpf]]:
    return zip(xs[: len(xs) // 2], xs[len(xs) // 2 :], strict=True)


DEFINITIONS: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": _inside(lambda x, y: y != 0, lambda x, y: x / y),
    "pow": _power,
    "neg": lambda x: -x,
    "abs": lambda x: abs(x),
    "sign": mpmath.sign,
    "square": lambda x: x**2,
    "reciprocal": _inside(lambda x: x != 0, lambda x: 1 / x),
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.power(2, x),
    "expm1": mpmath.expm1,
    "log": _inside(lambda x: x > 0, mpmath.log),
    "log2": _inside(lambda x: x > 0, lambda x: mpmath.log(x) / mpmath.log(2)),
    "log10": _inside(lambda x: x > 0, lambda x: mpmath.log(x) / mpmath.log(10)),
    "log1p": _inside(lambda x: x > -1, mpmath.log1p),
    "sqrt": _inside(lambda x: x >= 0, mpmath.sqrt),
    "cbrt": _cube_root,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "arcsin": _inside(lambda x: abs(x) <= 1, mpmath.asin),
    "arccos": _inside(lambda x: abs(x) <= 1, mpmath.acos),
    "arctan": mpmath.atan,
    "arctan2": _inside(lambda y, x: y != 0 or x > 0, mpmath.atan2),
    "hypot": lambda x, y: mpmath.sqrt(x**2 + y**2),
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "arcsinh": mpmath.asinh,
    "arccosh": _inside(lambda x: x >= 1, mpmath.acosh),
    "arctanh": _inside(lambda x: abs(x) < 1, mpmath.atanh),
    "sigmoid": lambda x: 1 / (1 + mpmath.exp(-x)),
    "softplus": lambda x: mpmath.log1p(mpmath.exp(x)),
    "relu": lambda x: max(x, mpf(0)),
    "leaky_relu": lambda x, slope: x if x > 0 else slope * x,
    "elu": lambda x, scale: x if x > 0 else scale * mpmath.expm1(x),
    "gelu": lambda x: x * _normal(x),
    "silu": lambda x: x / (1 + mpmath.exp(-x)),
    "erf": mpmath.erf,
    "maximum": lambda x, y: max(x, y),
    "minimum": lambda x, y: min(x, y),
    "clamp": lambda x, low, high: min(max(x, low), high),
    "where": lambda c, x, y: x if c != 0 else y,
    "greater": lambda x, y: mpf(x > y),
    "greater_equal": lambda x, y: mpf(x >= y),
    "less": lambda x, y: mpf(x < y),
    "less_equal": lambda x, y: mpf(x <= y),
    "sum": lambda *xs: mpmath.fsum(xs),
    "mean": lambda *xs: mpmath.fsum(xs) / len(xs),
    "prod": lambda *xs: mpmath.fprod(xs),
    "dot": lambda *xs: mpmath.fsum(x * w for x, w in _halves(xs)),
    "logsumexp": lambda *xs: mpmath.log(mpmath.fsum(mpmath.exp(x) for x in xs)),
    "max": lambda *xs: max(xs),
    "min": lambda *xs: min(xs),
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
            if narrow and abs(wide - narrow) <= AGREEMENT * abs(narrow):
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


def _fraction(x: mpf) -> Fraction:
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** exponent


def nearest(x: mpf) -> float:
    """x rounded once, to nearest: also into the subnormals and over the largest float."""
    if not mpmath.isfinite(x) or x == 0:
        return float(x)
    magnitude = mpmath.mag(x)
    if magnitude > 1100:
        return math.inf if x > 0 else -math.inf
    if magnitude < -1200:
        return 0.0
    try:
        return float(_fraction(x))
    except OverflowError:
        return math.inf if x > 0 else -math.inf


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
