"""Floats on which no function raises: `math`, made total by IEEE 754.

Python's `math` stops the program at the points that matter most to a gradient:
`math.exp(710)`, `math.log(0)` and `1 / 0` raise where IEEE arithmetic says inf,
-inf and inf.  Every function here returns a float for every float and is as
accurate as the C library allows (`docs/en/numerics.md` states the measured bounds).

This module is also a *number system*, the `m` that the formulas in `ops.py` are
written over; `functions.py` is the same vocabulary on Values.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from math import asinh as arcsinh
from math import atan as arctan
from math import atan2 as arctan2
from math import copysign, erf, inf, nan, tanh
from operator import eq as equal

__all__ = [  # noqa: RUF022
    "abs", "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh",
    "cbrt", "cos", "cosh", "div", "equal", "erf", "exp", "exp2", "exp_square", "expm1", "fsum",
    "hypot", "inverse", "log", "log10", "log1p", "log2", "max", "normal_cdf", "number", "pow",
    "sign", "sin", "sinh", "sqrt", "tan", "tanh", "where",
]  # fmt: skip

Float1 = Callable[[float], float]

number = float
abs = math.fabs
_largest = max


def where(condition: bool, yes: float, no: float) -> float:
    return yes if condition else no


def sign(x: float) -> float:
    return 1.0 if x > 0.0 else -1.0 if x < 0.0 else 0.0 if x == 0.0 else nan


def div(x: float, y: float) -> float:
    try:
        return x / y
    except ZeroDivisionError:
        return nan if x == 0.0 or x != x else copysign(inf, x) * copysign(1.0, y)


class inverse(float):
    """1 / divisor as a local gradient: what it multiplies is divided, and so rounded only once."""

    __slots__ = ("divisor",)
    divisor: float

    def __new__(cls, divisor: float) -> inverse:
        self = float.__new__(cls, div(1.0, divisor))
        self.divisor = divisor
        return self

    def __mul__(self, upstream: float) -> float:
        return div(upstream, self.divisor)

    __rmul__ = __mul__

    def __reduce__(self) -> tuple[type[inverse], tuple[float]]:
        return inverse, (self.divisor,)


def hypot(x: float, y: float) -> float:
    """The C library's hypot, which is the absolute value of a complex number.

    `math.hypot` is Python's own and has changed between versions; this one gives one answer
    on all of them, and the compiled engine can give the same bits.
    """
    if x != x or y != y:  # said here: CPython looks at an old errno then
        return inf if inf in (abs(x), abs(y)) else nan
    try:
        return complex(x, y).__abs__()
    except OverflowError:
        return inf


def pow(x: float, y: float) -> float:
    """C's pow: always real, so a negative base with a fractional exponent is NaN.

    The commonest exponents take one operation, which rounds correctly: C's pow need not, and is slower.
    """
    if y == 2.0:
        return x * x
    if y == 1.0:
        return x
    if y == 0.5:
        return inf if x == -inf else sqrt(x + 0.0)  # C's pow forgets the sign of a zero, sqrt does not
    if y == -1.0:
        return div(1.0, x)
    try:
        return math.pow(x, y)
    except OverflowError:
        return -inf if x < 0.0 and y % 2.0 == 1.0 else inf
    except ValueError:
        if x == 0.0:  # a negative power of zero is a pole, odd ones keep the zero's sign; y % 2 may round
            return copysign(inf, x) if abs(y) % 2.0 == 1.0 else inf
        return nan


def _saturating(function: Float1, odd: bool = False) -> Float1:
    """`function`, with the infinity that it overflows to in place of OverflowError."""

    def total(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return copysign(inf, x) if odd else inf

    return total


def _logarithm(function: Float1, pole: float = 0.0) -> Float1:
    """`function`, with -inf at its pole and NaN to the left of it."""

    def total(x: float) -> float:
        if x > pole:
            return function(x)
        return -inf if x == pole else nan

    return total


def _partial(function: Float1) -> Float1:
    """`function`, with NaN outside its domain."""

    def total(x: float) -> float:
        try:
            return function(x)
        except ValueError:
            return nan

    return total


exp = _saturating(math.exp)
exp2 = _saturating(math.exp2)
expm1 = _saturating(math.expm1)
sinh = _saturating(math.sinh, odd=True)
cosh = _saturating(math.cosh)
log = _logarithm(math.log)
log2 = _logarithm(math.log2)
log10 = _logarithm(math.log10)
log1p = _logarithm(math.log1p, pole=-1.0)
sqrt = _partial(math.sqrt)
sin = _partial(math.sin)
cos = _partial(math.cos)
tan = _partial(math.tan)
arcsin = _partial(math.asin)
arccos = _partial(math.acos)
arccosh = _partial(math.acosh)


def arctanh(x: float) -> float:
    if -1.0 < x < 1.0:
        return math.atanh(x)
    return copysign(inf, x) if x in (-1.0, 1.0) else nan


def _halves(x: float) -> tuple[float, float]:
    """x as a head of 26 bits and a tail, so that a product of two such halves is exact."""
    scaled = 134217729.0 * x  # 2**27 + 1
    head = scaled - (scaled - x)
    return head, x - head


def _product_rounding(x: float, y: float, product: float) -> float:
    """What was rounded away from x * y."""
    a, b = _halves(x)
    c, d = _halves(y)
    return a * c - product + a * d + b * c + b * d


def cbrt(x: float) -> float:
    """The C library's cube root is several ulp off; one Newton step on it is not."""
    if x == 0.0 or x != x or x in (inf, -inf):
        return x
    fraction, exponent = math.frexp(x)
    thirds, rest = divmod(exponent, 3)
    fraction = math.ldexp(fraction, rest)
    root = math.cbrt(fraction)
    square = root * root
    cube = square * root
    excess = cube - fraction + _product_rounding(square, root, cube)
    excess += _product_rounding(root, root, square) * root
    return math.ldexp(root - excess / (3.0 * square), thirds)


def exp_square(x: float, factor: float) -> float:
    """exp(factor * x * x) for a factor that is a negative power of two.

    Rounding x * x alone would cost up to x * x ulp, so the head is squared exactly.
    """
    if not -64.0 < x < 64.0:
        return nan if x != x else 0.0
    head, tail = _halves(x)
    return math.exp(factor * head * head) * math.exp(factor * tail * (x + head))


_ROOT_HALF = math.sqrt(0.5)
_ROOT_HALF_REST = -4.833646656726457e-17  # what no float near sqrt(1/2) can hold of it
_ROOT_OF_INVERSE_PI = 1.0 / math.sqrt(math.pi)


def normal_cdf(x: float) -> float:
    """The normal distribution function, right in relative terms far into the left tail.

    erfc amplifies the rounding of x / sqrt(2) by up to 1500, so that rounding is
    computed exactly and put back to first order.
    """
    if x < -40.0:
        return 0.0
    if x > 10.0 or x != x:
        return nan if x != x else 1.0
    z = x * _ROOT_HALF
    rounding = _product_rounding(x, _ROOT_HALF, z) + x * _ROOT_HALF_REST
    return 0.5 * math.erfc(-z) + rounding * _ROOT_OF_INVERSE_PI * exp_square(z, -1.0)


def max(*xs: float) -> float:
    """The largest argument; NaN if any is NaN."""
    return nan if any(x != x for x in xs) else _largest(xs)


def fsum(*xs: float) -> float:
    """The sum, rounded once."""
    try:
        return math.fsum(xs)
    except ValueError:  # inf and -inf
        return nan
    except OverflowError:  # a partial sum is beyond the largest float: add at a smaller scale
        if inf in xs and -inf in xs:
            return nan
        return math.fsum(x * 2.0**-64 for x in xs) * 2.0**64
