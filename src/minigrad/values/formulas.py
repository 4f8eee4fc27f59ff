"""Formulas of the op table that need more than a line, over a number system `m`.

`ops.py` says what `m` is and how a formula is written; here they are, with the reason why each is not the
formula of the textbook: next to the textbook's, these keep their bits where terms cancel, over-
or underflow.  At the end, the sizes at which some rows count their errors.
"""

from __future__ import annotations

import math
from math import inf, nan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .number_systems import N, NumberSystem

LARGEST = 1.7976931348623157e308
SMALLEST = 2.0**-1022  # a number below this has lost bits
LN2 = math.log(2.0)
ROOT_OF_INVERSE_TAU = 1.0 / math.sqrt(math.tau)


def power_slope(m: NumberSystem[N], x: N, p: N) -> N:
    """p * x**(p-1), by way of x**(p/2) where p - 1 rounds or the power leaves the normal range."""
    return _power_slope_from(m, x, p, m.pow(m.abs(x), 0.5 * p))


def _power_slope_from(m: NumberSystem[N], x: N, p: N, half: N) -> N:
    q = p - 1.0
    slope = p * m.pow(x, q)
    good = m.equal(q + 1.0, p) & m.equal(p - q, 1.0) & _normal(m, slope)
    good = good | m.equal(x, 0.0) | m.equal(m.abs(x), inf) | m.equal(m.abs(p), inf)
    best = m.where(good, slope, m.div(m.pow(m.sign(x), p) * p * half, x) * half)
    return m.where(m.equal(p, 0.0), m.where(m.abs(x) > 0.0, best, 0.0), best)


def pow_partials(m: NumberSystem[N], y: N, x: N, p: N) -> tuple[N, N]:
    half, logarithm = m.pow(m.abs(x), 0.5 * p), m.log(x)
    good = _normal(m, y) | m.equal(x, 0.0) | m.equal(m.abs(x), inf)
    dp = m.where(good, y * logarithm, half * (half * logarithm))
    return _power_slope_from(m, x, p, half), m.where(m.equal(x, 0.0) & (p >= 0.0), 0.0, dp)


def _normal(m: NumberSystem[N], x: N) -> bool:
    """Is x neither infinite nor so small that it has lost bits?"""
    size = m.abs(x)
    return (size > 1e-290) & (size < inf)


def exp2_partials(m: NumberSystem[N], y: N, x: N) -> tuple[N]:
    return (m.where(x < 1024.0, y * LN2, m.exp2(x - 1.0) * (2.0 * LN2)),)  # y may overflow first


def arctan_partials(m: NumberSystem[N], y: N, x: N) -> tuple[N]:
    r = m.div(1.0, x)  # 1 / (1 + x*x) for large x, before x*x overflows
    return (m.where(m.abs(x) > 1.0, m.div(r, x + r), m.div(1.0, 1.0 + x * x)),)


def _scale(m: NumberSystem[N], h: N) -> N:
    """A power of two that brings a length to where its square neither over- nor underflows."""
    return m.where(h < 1e-140, 2.0**600, m.where(h > 1e140, 2.0**-600, 1.0))


def arctan2_partials(m: NumberSystem[N], _angle: N, y: N, x: N) -> tuple[N, N]:
    h = m.hypot(x, y)
    s = _scale(m, h)
    sx, sy = s * x, s * y
    square = sx * sx + sy * sy
    return (
        m.where(m.equal(h, 0.0), x, s * m.div(sx, square)),
        m.where(m.equal(h, 0.0), -y, -s * m.div(sy, square)),
    )


def hypot_partials(m: NumberSystem[N], h: N, x: N, y: N) -> tuple[N, N]:
    """Each side over h, scaled only where h has lost bits or may be beyond the largest float.

    A scale that made h small sooner, as for a square, would lose the shorter side: 1e-146 / 1e141 is a float.
    """
    s = m.where(h < 2.0**-960, 2.0**600, m.where(h > 2.0**1020, 0.25, 1.0))
    length = m.hypot(s * x, s * y)
    return m.div(s * x, length), m.div(s * y, length)


def _magnitude(m: NumberSystem[N], x: N) -> N:
    """|x| with slope 1 at 0: what is smooth there stays so when it is differentiated again."""
    return m.where(x >= 0.0, x, -x)


def tanh_partials(m: NumberSystem[N], y: N, x: N) -> tuple[N]:
    e = m.exp(-2.0 * _magnitude(m, x))  # 1 / cosh(x)**2, without the 1 - y*y that rounds to zero
    return (m.div(4.0 * e, 1.0 + e * (2.0 + e)),)


def sigmoid(m: NumberSystem[N], x: N) -> N:
    e = m.exp(-_magnitude(m, x))
    q = m.div(e, 1.0 + e)  # the smaller of sigma(x) and sigma(-x); e - e*q is q, rounded less
    return m.where(x >= 0.0, 1.0 - q, e - e * q)


def sigmoid_partials(m: NumberSystem[N], y: N, x: N) -> tuple[N]:
    e = m.exp(-_magnitude(m, x))  # sigma(x) * sigma(-x), without the 1 - sigma that rounds to zero
    return (m.div(e, 1.0 + e * (2.0 + e)),)  # one rounding fewer than (1 + e)**2


def softplus(m: NumberSystem[N], x: N) -> N:
    return m.where(x >= 0.0, x, 0.0) + m.log1p(m.exp(-_magnitude(m, x)))


def gelu(m: NumberSystem[N], x: N) -> N:
    return m.where(x < -40.0, -0.0, x * m.normal_cdf(x))


def gelu_partials(m: NumberSystem[N], y: N, x: N) -> tuple[N]:
    slope = m.normal_cdf(x) + x * (ROOT_OF_INVERSE_TAU * m.exp_square(x, -0.5))
    return (m.where(x > 40.0, 1.0, m.where(x < -40.0, 0.0, slope)),)


def silu(m: NumberSystem[N], x: N) -> N:
    return m.where(x < -800.0, -0.0, x * sigmoid(m, x))


def silu_partials(m: NumberSystem[N], y: N, x: N) -> tuple[N]:
    e = m.exp(-_magnitude(m, x))  # sigma(x) * (1 + x * sigma(-x)), over a common denominator
    left, right = m.where(x >= 0.0, 1.0, e), m.where(x >= 0.0, e, 1.0)
    slope = m.div(left * (1.0 + e + x * right), 1.0 + e * (2.0 + e))
    return (m.where(x > 800.0, 1.0, m.where(x < -800.0, -0.0, slope)),)


def step(m: NumberSystem[N], x: N, below: N, above: N) -> N:
    """One of two by the sign of x, `below` at 0; NaN for NaN."""
    return m.where(x > 0.0, above, m.where(x <= 0.0, below, nan))


def maximum_partials(m: NumberSystem[N], z: N, x: N, y: N) -> tuple[N, N]:
    dx = m.where(x > y, 1.0, m.where(x < y, 0.0, m.where(m.equal(x, y), 0.5, nan)))
    return dx, 1.0 - dx


def minimum_partials(m: NumberSystem[N], z: N, x: N, y: N) -> tuple[N, N]:
    dx, dy = maximum_partials(m, z, x, y)
    return dy, dx


def clamp(m: NumberSystem[N], x: N, low: N, high: N) -> N:
    raised = m.where(x < low, low, m.where(x >= low, x, nan))
    return m.where(raised > high, high, m.where(raised <= high, raised, nan))


def clamp_partials(m: NumberSystem[N], y: N, x: N, low: N, high: N) -> tuple[N, N, N]:
    none = m.where(m.equal(y, y), 0.0, nan)
    dx = m.where((x >= low) & (x <= high), 1.0, none)
    dlow = m.where((x < low) & (low < high), 1.0, none)
    dhigh = m.where((x > high) | (low > high), 1.0, none)
    return dx, dlow, dhigh


def prod(m: NumberSystem[N], *xs: N) -> N:
    y = m.number(1.0)
    for x in xs:
        y = y * x
    return y


def prod_partials(m: NumberSystem[N], y: N, *xs: N) -> tuple[N, ...]:
    """For each factor the product of the others, without dividing: a factor may be zero."""
    before, after = [m.number(1.0)], [m.number(1.0)]
    for x in xs[:-1]:
        before.append(before[-1] * x)
    for x in xs[:0:-1]:
        after.append(after[-1] * x)
    return tuple(b * a for b, a in zip(before, reversed(after), strict=True))


def dot(m: NumberSystem[N], *xs: N) -> N:
    half = len(xs) // 2
    return m.fsum(*(x * w for x, w in zip(xs[:half], xs[half:], strict=True)))


def dot_partials(m: NumberSystem[N], y: N, *xs: N) -> tuple[N, ...]:
    half = len(xs) // 2
    return xs[half:] + xs[:half]


def _shares(m: NumberSystem[N], xs: tuple[N, ...]) -> tuple[N, list[N]]:
    """The largest of xs, made finite, and the exponentials relative to it."""
    top = m.max(*xs)
    shift = m.where(m.equal(top, inf), LARGEST, m.where(m.equal(top, -inf), 0.0, top))
    return shift, [_exp_difference(m, x, shift) for x in xs]


def _exp_difference(m: NumberSystem[N], x: N, y: N) -> N:
    """exp(x - y), which would multiply the rounding of x - y by |x - y|: that is put back."""
    d = x - y
    z = d - x
    rounding = (x - (d - z)) - (y + z)
    e = m.exp(d)
    return m.where(m.abs(d) < 1000.0, e + e * rounding, e)


def logsumexp(m: NumberSystem[N], *xs: N) -> N:
    shift, shares = _shares(m, xs)
    return shift + m.log1p(m.fsum(*shares, -1.0))  # the largest share is the 1 of log1p


def logsumexp_partials(m: NumberSystem[N], y: N, *xs: N) -> tuple[N, ...]:
    _, shares = _shares(m, xs)
    total = m.fsum(*shares)
    return tuple(m.div(share, total) for share in shares)


def mean(m: NumberSystem[N], *xs: N) -> N:
    n, shrink, grow = m.number(float(len(xs))), m.number(2.0**-64), m.number(2.0**64)
    total = m.fsum(*xs)
    shrunk = m.fsum(*(x * shrink for x in xs))  # for a sum beyond the largest float
    return m.where(m.abs(total) < inf, m.div(total, n), m.div(shrunk, n) * grow)


def extreme_partials(m: NumberSystem[N], y: N, *xs: N) -> tuple[N, ...]:
    share = m.div(1.0, m.fsum(*(m.where(m.equal(x, y), 1.0, 0.0) for x in xs)))
    return tuple(m.where(m.equal(x, y), share, m.where(m.equal(y, y), 0.0, nan)) for x in xs)


def ties(*xs: float) -> bool:
    return xs.count(max(xs)) > 1


def low_ties(*xs: float) -> bool:
    return xs.count(min(xs)) > 1


def flat(*_: object) -> tuple[float, float]:
    return 0.0, 0.0


# ---- sizes at which errors are counted, for the bounds -----------------------------------


def gelu_terms(x: float) -> tuple[float, float]:
    lost = abs(x) * SMALLEST
    return lost, 0.5 * math.erfc(-x * 0.7071) + abs(x) * 0.4 * math.exp(-0.5 * min(x * x, 1490.0)) + lost


def silu_terms(x: float) -> tuple[float, float]:
    return abs(x) * SMALLEST, 0.5 + 0.5 * math.tanh(0.5 * x) + abs(x) * SMALLEST


def prod_terms(*xs: float) -> tuple[float, ...]:
    """As many roundings as factors, and an underflow that the largest factors multiply."""
    lost = SMALLEST * math.prod(max(1.0, abs(x)) for x in xs)
    others = (xs, *(xs[:i] + xs[i + 1 :] for i in range(len(xs))))
    return tuple(len(xs) * (abs(math.prod(factors)) + lost) for factors in others)


def dot_terms(*xs: float) -> tuple[float, ...]:
    half = len(xs) // 2
    products = (abs(x * w) + SMALLEST for x, w in zip(xs[:half], xs[half:], strict=True))
    return (sum(products), *[0.0] * len(xs))
