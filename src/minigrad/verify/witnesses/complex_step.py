"""The witness of the complex step: move an input by i*h, and the imaginary part over h is the slope.

There is no difference, so nothing cancels, and h can be so small that h squared is nothing: the
slope comes out as accurate as the function itself.  It runs the textbook's definitions over
complex numbers.  Comparisons look at real parts and, where these are equal, at imaginary ones: so
a step of i*h and one of -i*h show the slope to either side of a kink.  What has no complex version
here (erf) it cannot do.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

from ..case import AFFORDABLE, Case
from ..definitions import CannotError, Lexicographic, parts_of, run
from ..testimony import CANNOT, Estimate, Statement

__all__ = ["witness"]

NAME = "complex"


class Plane(Lexicographic):
    """A complex number that is compared by its real part, and then by its imaginary one."""

    __slots__ = ("z",)

    def __init__(self, z: complex) -> None:
        self.z = z

    def __add__(self, other: Plane) -> Plane:
        return Plane(self.z + other.z)

    def __sub__(self, other: Plane) -> Plane:
        return Plane(self.z - other.z)

    def __mul__(self, other: Plane) -> Plane:
        return Plane(self.z * other.z)

    def __truediv__(self, other: Plane) -> Plane:
        try:
            return Plane(self.z / other.z)
        except ZeroDivisionError:
            raise CannotError("domain") from None

    def __neg__(self) -> Plane:
        return Plane(-self.z)

    def parts(self) -> tuple[float, float]:
        return self.z.real, self.z.imag


def _inside(function: Callable[[complex], complex], *edges: float) -> Callable[[complex], complex]:
    """`function` on an interval, at whose ends a step of i*h leads out of the reals altogether."""

    def inside(z: complex) -> complex:
        if z.real in edges and z.imag:
            raise CannotError("edge")
        return function(z)

    return inside


def _of(function: Callable[[complex], complex]) -> Callable[[Plane], Plane]:
    def lifted(x: Plane) -> Plane:
        try:
            return Plane(function(x.z))
        except OverflowError:
            raise CannotError("overflow") from None
        except (ValueError, ZeroDivisionError):
            raise CannotError("domain") from None

    return lifted


def _expm1(z: complex) -> complex:
    return complex(math.expm1(z.real), math.exp(z.real) * math.sin(z.imag))


def _log1p(z: complex) -> complex:
    return complex(math.log1p(z.real), math.atan2(z.imag, 1.0 + z.real))


class Complexes:
    """Complex numbers as a number system for the definitions."""

    exp = staticmethod(_of(cmath.exp))
    log = staticmethod(_of(cmath.log))
    sqrt = staticmethod(_of(_inside(cmath.sqrt, 0.0)))
    expm1 = staticmethod(_of(_expm1))
    log1p = staticmethod(_of(_log1p))
    sin = staticmethod(_of(cmath.sin))
    cos = staticmethod(_of(cmath.cos))
    tan = staticmethod(_of(cmath.tan))
    asin = staticmethod(_of(_inside(cmath.asin, -1.0, 1.0)))
    acos = staticmethod(_of(_inside(cmath.acos, -1.0, 1.0)))
    atan = staticmethod(_of(cmath.atan))
    sinh = staticmethod(_of(cmath.sinh))
    cosh = staticmethod(_of(cmath.cosh))
    tanh = staticmethod(_of(cmath.tanh))
    asinh = staticmethod(_of(cmath.asinh))
    acosh = staticmethod(_of(_inside(cmath.acosh, 1.0)))
    atanh = staticmethod(_of(cmath.atanh))

    @staticmethod
    def number(x: float) -> Plane:
        return Plane(complex(x))

    @staticmethod
    def where(condition: bool, yes: Plane, no: Plane) -> Plane:
        return yes if condition else no

    @staticmethod
    def plain(x: Plane) -> float:
        return x.z.real

    @staticmethod
    def unequal(x: Plane, y: float) -> bool:
        return x.parts() != parts_of(y)

    @staticmethod
    def total(xs: Sequence[Plane]) -> Plane:
        numbers = [x.z for x in xs]
        try:
            return Plane(complex(math.fsum(z.real for z in numbers), math.fsum(z.imag for z in numbers)))
        except (OverflowError, ValueError):
            raise CannotError("overflow") from None

    @classmethod
    def power(cls, x: Plane, p: Plane) -> Plane | None:
        base, exponent = x.z, p.z
        if not math.isfinite(exponent.real):
            raise CannotError("overflow")
        if not exponent.imag and exponent.real == int(exponent.real):
            return None if base.real == 0.0 and exponent.real < 0.0 else _whole(x, p)
        return cls.exp(p * cls.log(x)) if base.real > 0.0 else None

    @classmethod
    def hypot(cls, x: Plane, y: Plane) -> Plane:
        """Scaled by a power of two, so that no square over- or underflows."""
        size = cls.number(2.0 ** min(1000, math.frexp(max(abs(x.z.real), abs(y.z.real)))[1]))
        x, y = x / size, y / size
        return size * cls.sqrt(x * x + y * y)

    @classmethod
    def cube_root(cls, x: Plane) -> Plane:
        if x.z.real <= 0.0:
            return Plane(0j) if x.z == 0 else Plane(complex(math.nan, math.nan))  # the side not taken
        return cls.exp(cls.log(x) / cls.number(3.0))

    @classmethod
    def atan2(cls, y: Plane, x: Plane) -> Plane:
        """By the arctangent of the smaller ratio, turned to the right quarter of the plane."""
        if abs(x.z.real) >= abs(y.z.real):
            turn = 0.0 if x.z.real > 0.0 else math.copysign(math.pi, y.z.real)
            return cls.atan(y / x) + cls.number(turn)
        return cls.number(math.copysign(math.pi / 2.0, y.z.real)) - cls.atan(x / y)

    def __getattr__(self, name: str) -> NoReturn:
        raise CannotError("op")


def _whole(x: Plane, p: Plane) -> Plane:
    """A whole power, by squaring: no logarithm of a negative number."""
    n = int(p.z.real)
    if abs(n) > 1 << 20:
        raise CannotError("op")
    result, base = Plane(1 + 0j), x
    for bit in bin(abs(n))[:1:-1]:
        if bit == "1":
            result = result * base
        base = base * base
    return Plane(1 + 0j) / result if n < 0 else result


def step_at(x: float) -> float:
    """So small that its square is nothing beside 1, so large that a tiny slope times it is a number."""
    return 2.0**-300 if x == 0.0 or abs(x) > 2.0**-150 else abs(x) * 2.0**-150


def witness(case: Case) -> Statement:
    if case.custom is not None:
        return Statement(NAME, status=CANNOT, why="custom", about=case.custom)
    if not case.finite:
        return Statement(NAME, status=CANNOT, why="infinite")
    graph, n = case.graph, Complexes()
    each = case.affordable(4, AFFORDABLE)
    directions = [{name: 1.0} for name in case.names] if each else [case.direction]
    middle = run(n, graph.nodes, {graph.index(name): n.number(x) for name, x in case.at.items()})
    here = middle[graph.output]
    value = Estimate(math.nan, math.inf, "domain") if here is None else Estimate(here.z.real)
    slopes = {next(iter(d)) if each else "": _slope(case, n, middle, d) for d in directions}
    return Statement(NAME, value, slopes)


def _slope(case: Case, n: Complexes, middle: list[Plane | None], direction: Mapping[str, float]) -> Estimate:
    graph, here = case.graph, middle[case.graph.output]
    h = min(step_at(case.at[moved]) for moved in direction)
    if h < 2.0**-900:
        return Estimate(math.nan, math.inf, "flushed")
    sides = []
    for step in (-h, h):
        start = {graph.index(m): Plane(complex(case.at[m], step * way)) for m, way in direction.items()}
        try:
            there = run(n, graph.nodes, start, middle, graph.output)[graph.output]
        except CannotError as error:
            return Estimate(math.nan, math.inf, "domain" if error.why == "op" else error.why)
        if here is None or there is None:
            return Estimate(math.nan, math.inf, "domain")
        if abs(there.z.real - here.z.real) > 1e-9 * abs(here.z.real) + h:
            return Estimate(math.nan, math.inf, "jump")
        sides.append(there.z.imag / step)
    left, right = sides
    if not math.isfinite(left) or not math.isfinite(right):
        return Estimate(math.nan, math.inf, "overflow")
    if abs(left - right) <= 1e-12 * max(abs(left), abs(right)):
        return Estimate(right)
    return Estimate(math.nan, math.inf, "kink", (left, right))
