"""The referee: mpmath, with fifty right digits and as many more as that takes.

It runs the textbook's definitions, not our formulas, and takes differences, so that nobody's
derivative is trusted.  With hundreds of bits a step can be so short that the curve is straight
and rounding still far away; two steps that agree settle the matter, else the precision is
raised.  One-sided slopes tell a kink from a smooth point.  It also computes the forward value
again, which nothing else that we have does independently to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING

from ...text.numerals import counted
from ..case import Case
from ..definitions import CannotError, run
from ..testimony import ABSENT, CANNOT, Estimate, Statement

if TYPE_CHECKING:
    from mpmath import mpf

__all__ = ["NAME", "PrecisionNumbers", "nearest", "numbers", "witness"]

NAME = "mpmath"
EXTRA = "court"
BITS = 400  # of the first attempt; 200 for each half of a difference
MOST_BITS = 20_000
AFFORDABLE = 60_000  # evaluations of a node for a look at every input by itself
LARGEST = 400_000  # and for any look at all
DEAREST = 60_000_000  # bits of one look at all nodes
LONGEST = 2_000  # bits of an exponent
AGREEMENT = 2.0**-100
STEADY = 2.0**-20  # part by which the slopes beside a kink may grow with a 1024th of the step
JUMP = 900  # times that a slope grows with a 1024th of the step, where the output itself does not shrink
FLAT = -1200  # a slope below 2**FLAT is below every float


_BOUNDED = (
    "exp", "expm1", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh",
    "atanh", "erf",
)  # fmt: skip


class PrecisionNumbers:
    """mpmath's real numbers as a number system for the definitions."""

    def __init__(self, mpmath: ModuleType) -> None:
        self.mp = mpmath
        self.number = mpmath.mpf
        self.log, self.log1p, self.sqrt, self.atan2 = mpmath.log, mpmath.log1p, mpmath.sqrt, mpmath.atan2
        for name in _BOUNDED:
            setattr(self, name, self._bounded(getattr(mpmath, name)))
        self.total = mpmath.fsum

    def _bounded(self, function: Callable[[mpf], mpf]) -> Callable[[mpf], mpf]:
        """exp(exp(exp(9))) has more digits than there is memory, and its sine needs them all."""

        def bounded(x: mpf) -> mpf:
            if x != 0 and self.mp.mag(x) > LONGEST:
                raise CannotError("overflow")
            return function(x)

        return bounded

    @staticmethod
    def plain(x: mpf) -> mpf:
        return x

    @staticmethod
    def where(condition: bool, yes: mpf, no: mpf) -> mpf:
        return yes if condition else no

    @staticmethod
    def unequal(x: mpf, y: float) -> bool:
        return bool(x != y)

    def power(self, x: mpf, p: mpf) -> mpf | None:
        if x > 0:
            size = p * self.mp.log(x)
            if size != 0 and self.mp.mag(size) > LONGEST:
                raise CannotError("overflow")
            return self.mp.power(x, p)
        if not self.mp.isint(p):
            return self.number(0) if x == 0 and p > 0 else None
        if p != 0 and self.mp.mag(p) > LONGEST:
            raise CannotError("overflow")
        n = int(p)
        if x == 0:
            return None if n < 0 else self.number(int(n == 0))
        return (-1) ** (n % 2) * self.power(-x, p)

    def hypot(self, x: mpf, y: mpf) -> mpf:
        return self.mp.sqrt(x * x + y * y)

    def cube_root(self, x: mpf) -> mpf:
        return self.mp.root(abs(x), 3)

    def normal(self, x: mpf) -> mpf:
        """The normal distribution function; mpmath's erfc fails on huge numbers, where this is 0 or 1."""
        bound = self.number(1_000_000)
        return self.mp.ncdf(min(max(x, -bound), bound))


def numbers() -> PrecisionNumbers:
    """mpmath, where it is installed; else ImportError."""
    import mpmath

    return _numbers(mpmath)


_numbers = cache(PrecisionNumbers)


def nearest(x: mpf) -> float:
    """An mpf rounded once, to nearest: also into the subnormals and over the largest float."""
    sign, mantissa, exponent, size = x._mpf_
    if not mantissa:  # zero, infinite or not a number
        return float(x)
    if exponent + size > 1100:
        return -math.inf if sign else math.inf
    if exponent + size < FLAT:
        return 0.0
    try:
        return float(Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** exponent)
    except OverflowError:
        return -math.inf if sign else math.inf


# ---- a graph ------------------------------------------------------------------------------------


def witness(case: Case) -> Statement:
    try:
        n = numbers()
    except ImportError:
        return Statement(NAME, status=ABSENT, why="missing", about=EXTRA)
    if case.custom is not None:
        return Statement(NAME, status=CANNOT, why="custom", about=case.custom)
    if not case.finite:
        return Statement(NAME, status=CANNOT, why="infinite")
    if 5 * len(case.graph) > LARGEST:
        return Statement(NAME, status=CANNOT, why="size", about=counted(len(case.graph)))
    return _Referee(case, n).statement()


class _Referee:
    def __init__(self, case: Case, n: PrecisionNumbers) -> None:
        self.case, self.n, self.graph = case, n, case.graph
        with n.mp.workprec(BITS):
            sizes = [n.mp.mag(x) for x in self._middle() if x is not None and x != 0]
        span = max(map(abs, sizes), default=0)  # bits between 1 and the largest or smallest number on the way
        if span > MOST_BITS // 4:
            raise CannotError("overflow")
        self.bits = BITS + 2 * int(span)
        self.largest = int(max(sizes, default=0))

    def statement(self) -> Statement:
        case = self.case
        with self.n.mp.workprec(self.bits):
            middle = self._middle()
            value = middle[self.graph.output]
            stated = Estimate(math.nan, math.inf, "domain") if value is None else Estimate(nearest(value))
        if case.affordable(4, AFFORDABLE):
            slopes = {name: self._slope({name: 1.0}, name) for name in case.names}
        else:
            slopes = {"": self._slope(case.direction, "")}
        return Statement(NAME, stated, slopes)

    def _middle(self) -> list[mpf | None]:
        start = {self.graph.index(name): self.n.number(x) for name, x in self.case.at.items()}
        return run(self.n, self.graph.nodes, start)

    def _slope(self, direction: dict[str, float], name: str) -> Estimate:
        """The slope along a direction, with as much precision as it needs."""
        case, mp = self.case, self.n.mp
        if not any(self.graph.active[self.graph.index(each)] for each in direction):
            return Estimate(0.0)  # nothing of it reaches the output
        tolerance = case.tolerance(name) / abs(case.seed)
        fine = tolerance * 2.0**-40 if math.isfinite(tolerance) else 0.0
        sizes = [abs(case.at[each]) for each in direction if case.at[each]]
        scale = min(min(sizes, default=1.0), 1.0)
        steeper = 0
        for bits in self._precisions():
            with mp.workprec(bits):
                middle = self._middle()
                step = mp.mpf(scale) * mp.mpf(2) ** (-bits // 3)
                wide = self._sides(direction, middle, step)
                narrow = self._sides(direction, middle, step / 1024)
                if narrow.left is None or narrow.right is None:
                    return self._edge(wide, narrow)
                if wide.left is None or wide.right is None:
                    continue
                before, apart = abs(wide.right - wide.left), abs(narrow.right - narrow.left)
                size = max(abs(narrow.right), abs(narrow.left))
                noise = mp.mpf(2) ** (20 - bits + self.largest) / step
                # Of a smooth curve, a step of a 1024th brings them together as much.
                if apart > max(fine, noise, AGREEMENT * size) and 2 * apart > before:
                    if apart > JUMP * before:
                        return Estimate(math.nan, math.inf, "jump")
                    steady = apart - before <= max(noise, before * STEADY)  # those of abs(a)**0.9 are not
                    grown = 1 if steady else mp.inf
                    sides = (nearest(grown * narrow.left), nearest(grown * narrow.right))
                    return Estimate(math.nan, math.inf, "kink", sides)
                coarse, best = (wide.left + wide.right) / 2, (narrow.left + narrow.right) / 2
                gap = abs(coarse - best)
                quiet = noise <= max(AGREEMENT * abs(best), fine * 2.0**30) or mp.mag(noise) < FLAT
                if quiet and (gap <= AGREEMENT * abs(best) or gap <= fine):
                    return Estimate(nearest(best))
                if quiet and max(mp.mag(coarse), mp.mag(best)) < FLAT:
                    return Estimate(0.0)
                steeper = steeper + 1 if abs(best) > 4 * abs(coarse) else 0
                if abs(best) > JUMP * abs(coarse):
                    return Estimate(math.nan, math.inf, "jump")
                if steeper > 1:  # the same to both sides: cbrt at 0
                    return Estimate(math.inf if best > 0 else -math.inf, 0.0, "steep")
        return Estimate(math.nan, math.inf, "rough")

    def _precisions(self) -> Iterator[int]:
        """Bits to try, one after the other."""
        bits = self.bits
        while bits < MOST_BITS:
            yield bits
            bits = bits * 5 // 2
            if bits * len(self.graph) > DEAREST:
                break

    def _sides(self, direction: dict[str, float], middle: list[mpf | None], step: mpf) -> _Sides:
        """The slopes to the left and to the right; None where the output has no value."""
        here = middle[self.graph.output]
        slopes = []
        for way in (-step, step):
            start = {self.graph.index(name): self.n.number(self.case.at[name]) + way * amount
                     for name, amount in direction.items()}  # fmt: skip
            there = run(self.n, self.graph.nodes, start, middle, self.graph.output)[self.graph.output]
            slopes.append(None if there is None or here is None else (there - here) / way)
        return _Sides(*slopes)

    def _edge(self, wide: _Sides, narrow: _Sides) -> Estimate:
        """At the edge of the domain: what the one side that there is says, if it settles."""
        for coarse, fine in ((wide.left, narrow.left), (wide.right, narrow.right)):
            if coarse is not None and fine is not None:
                if abs(fine) > 4 * abs(coarse):
                    return Estimate(math.inf if fine > 0 else -math.inf, 0.0, "edge")
                return Estimate(nearest(fine), 0.0, "edge")
        return Estimate(math.nan, math.inf, "domain")


class _Sides:
    def __init__(self, left: mpf | None, right: mpf | None) -> None:
        self.left, self.right = left, right
