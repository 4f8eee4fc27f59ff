"""The witness of exact rationals: a + b*eps with fractions for a and b, and eps squared is nothing.

Every float is a fraction, and sums, products, quotients, whole powers and choices of fractions
are fractions.  So for expressions of arithmetic, value and slope come out exactly, without any
rounding, by the arithmetic in this file.  The rest (exp, sqrt, ...) has no exact fraction.

eps is smaller than every fraction and yet more than 0, and is compared so: x > 0 holds for eps.
So an input that is moved by eps, and then by -eps, shows the slope to either side of a kink.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NoReturn

from ...text.numerals import counted
from ..case import Case
from ..definitions import CannotError, Lexicographic, parts_of, run
from ..testimony import CANNOT, Estimate, Statement

__all__ = ["witness"]

NAME = "exact"
AFFORDABLE = 60_000
MOST_BITS = 60_000  # of a numerator or a denominator


class Exact(Lexicographic):
    """a + b*eps."""

    __slots__ = ("a", "b")

    def __init__(self, a: Fraction, b: Fraction) -> None:
        if a.denominator.bit_length() > MOST_BITS or a.numerator.bit_length() > MOST_BITS:
            raise CannotError("digits")
        self.a, self.b = a, b

    def __add__(self, other: Exact) -> Exact:
        return Exact(self.a + other.a, self.b + other.b)

    def __sub__(self, other: Exact) -> Exact:
        return Exact(self.a - other.a, self.b - other.b)

    def __mul__(self, other: Exact) -> Exact:
        return Exact(self.a * other.a, self.a * other.b + self.b * other.a)

    def __truediv__(self, other: Exact) -> Exact:
        """(a + b eps) / (c + d eps), multiplied above and below by c - d eps."""
        c, d = other.a, other.b
        return Exact(self.a / c, (self.b * c - self.a * d) / (c * c))

    def __neg__(self) -> Exact:
        return Exact(-self.a, -self.b)

    def parts(self) -> tuple[Fraction, Fraction]:
        return self.a, self.b


class Rationals:
    """Exact numbers as a number system for the definitions; what it has no exact answer to, it refuses."""

    @staticmethod
    def number(x: float) -> Exact:
        return Exact(Fraction(x), Fraction(0))

    @staticmethod
    def where(condition: bool, yes: Exact, no: Exact) -> Exact:
        return yes if condition else no

    @staticmethod
    def plain(x: Exact) -> Fraction:
        return x.a

    @staticmethod
    def unequal(x: Exact, y: float) -> bool:
        return x.parts() != parts_of(y)

    @staticmethod
    def total(xs: Sequence[Exact]) -> Exact:
        return Exact(sum((x.a for x in xs), Fraction(0)), sum((x.b for x in xs), Fraction(0)))

    @staticmethod
    def power(x: Exact, p: Exact) -> Exact | None:
        if p.b or p.a.denominator != 1:
            raise CannotError("op")
        n = int(p.a)
        if x.a == 0 and n < 0:
            return None
        if abs(n) * max(x.a.numerator.bit_length(), x.a.denominator.bit_length()) > MOST_BITS:
            raise CannotError("digits")
        return Exact(x.a**n, n * x.a ** (n - 1) * x.b if n and x.b else Fraction(0))

    def __getattr__(self, name: str) -> NoReturn:
        raise CannotError("op")


def rounded(x: Fraction) -> float:
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def witness(case: Case) -> Statement:
    if case.custom is not None:
        return Statement(NAME, status=CANNOT, why="custom", about=case.custom)
    if not case.finite:
        return Statement(NAME, status=CANNOT, why="infinite")
    if not case.affordable(2, AFFORDABLE):
        return Statement(NAME, status=CANNOT, why="size", about=counted(len(case.graph)))
    graph, n = case.graph, Rationals()
    slopes: dict[str, Estimate] = {}
    middle = run(n, graph.nodes, {graph.index(name): n.number(x) for name, x in case.at.items()})
    here = middle[graph.output]
    value = Estimate(math.nan, math.inf, "domain") if here is None else Estimate(rounded(here.a))
    refused = None
    for name in case.names:
        try:
            slopes[name] = _slope(case, n, middle, name)
        except CannotError as error:
            refused = error
    if refused is not None and not slopes:
        raise refused
    return Statement(NAME, value, slopes)


def _slope(case: Case, n: Rationals, middle: list[Exact | None], name: str) -> Estimate:
    graph, here = case.graph, middle[case.graph.output]
    sides = []
    for way in (-1, 1):
        start = {graph.index(name): Exact(Fraction(case.at[name]), Fraction(way))}
        there = run(n, graph.nodes, start, middle, graph.output)[graph.output]
        if here is None or there is None:
            return Estimate(math.nan, math.inf, "domain")
        if there.a != here.a:
            return Estimate(math.nan, math.inf, "jump")
        sides.append(way * there.b)
    left, right = sides
    if left == right:
        return Estimate(rounded(left))
    return Estimate(math.nan, math.inf, "kink", (rounded(left), rounded(right)))
