"""The witness of symbols: SymPy builds the expression, differentiates it, and gives fifty digits.

The expression is built node by node, never through a text: by SymPy's own function where it has
one, else from the textbook's definition.  All leaves are symbols, constants too, so that nothing
is rounded or simplified by its numbers before the derivative is taken.  Where an op chooses (relu,
maximum, where), the numbers at this point choose, and what is differentiated is what was chosen: at
a kink that is one side of it, and SymPy cannot know that there is another.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from ...ops import OPS
from ...text.numerals import counted
from ..case import Case
from ..definitions import define
from ..testimony import ABSENT, CANNOT, Estimate, Statement
from .high_precision import nearest, numbers

if TYPE_CHECKING:
    from mpmath import mpf
    from sympy import Expr, Symbol

__all__ = ["witness"]

NAME = "sympy"
EXTRA = "court"
LARGEST = 300  # nodes of the expression written out as a tree
MOST_INPUTS = 30
BITS = 400
CHOOSING = ("abs", "sign", "maximum", "minimum", "max", "min")  # SymPy's own would need all cases at once


class SymbolicPiece:
    """An expression, and the number that it stands for at this point."""

    __slots__ = ("expression", "number")

    def __init__(self, expression: Expr, number: float = math.nan) -> None:
        self.expression, self.number = expression, number

    def __add__(self, other: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.expression + other.expression)

    def __sub__(self, other: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.expression - other.expression)

    def __mul__(self, other: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.expression * other.expression)

    def __truediv__(self, other: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.expression / other.expression)

    def __neg__(self) -> SymbolicPiece:
        return SymbolicPiece(-self.expression, -self.number)

    def __lt__(self, other: SymbolicPiece | float) -> bool:
        return self.number < _number(other)

    def __le__(self, other: SymbolicPiece | float) -> bool:
        return self.number <= _number(other)

    def __gt__(self, other: SymbolicPiece | float) -> bool:
        return self.number > _number(other)

    def __ge__(self, other: SymbolicPiece | float) -> bool:
        return self.number >= _number(other)


def _number(x: SymbolicPiece | float) -> float:
    return x.number if isinstance(x, SymbolicPiece) else float(x)


class Symbols:
    """SymPy's expressions as a number system for the definitions."""

    def __init__(self, sympy: ModuleType) -> None:
        self.sympy = sympy

    def number(self, x: float) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.Integer(x), float(x))

    @staticmethod
    def plain(x: SymbolicPiece) -> float:
        return x.number

    @staticmethod
    def where(condition: bool, yes: SymbolicPiece, no: SymbolicPiece) -> SymbolicPiece:
        return yes if condition else no

    @staticmethod
    def unequal(x: SymbolicPiece, y: float) -> bool:
        return x.number != y

    def total(self, xs: Sequence[SymbolicPiece]) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.Add(*[x.expression for x in xs]))

    def exp(self, x: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.exp(x.expression))

    def expm1(self, x: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.exp(x.expression) - 1)

    def log(self, x: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.log(x.expression))

    def log1p(self, x: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.log(1 + x.expression))

    def hypot(self, x: SymbolicPiece, y: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(self.sympy.sqrt(x.expression**2 + y.expression**2))

    def cube_root(self, x: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece(x.expression ** self.sympy.Rational(1, 3))

    def normal(self, x: SymbolicPiece) -> SymbolicPiece:
        return SymbolicPiece((1 + self.sympy.erf(x.expression / self.sympy.sqrt(2))) / 2)


def _tree_size(case: Case) -> int:
    sizes = [1] * len(case.graph)
    for i, node in enumerate(case.graph.nodes):
        sizes[i] += sum(sizes[arg] for arg in node.args)
    return sizes[case.graph.output]


def witness(case: Case) -> Statement:
    size = _tree_size(case)
    if case.custom is not None:
        return Statement(NAME, status=CANNOT, why="custom", about=case.custom)
    if not case.finite:
        return Statement(NAME, status=CANNOT, why="infinite")
    if not all(map(math.isfinite, case.values)):  # numbers of so many digits take for ever
        return Statement(NAME, status=CANNOT, why="overflow", about=case.overflowing)
    if size > LARGEST or len(case.names) > MOST_INPUTS:
        return Statement(NAME, status=CANNOT, why="size", about=counted(size))
    try:
        import sympy

        mpmath = numbers().mp
    except ImportError:
        return Statement(NAME, status=ABSENT, why="missing", about=EXTRA)
    graph, symbols = case.graph, Symbols(sympy)
    leaves: dict[int, Symbol] = {}
    built: list[SymbolicPiece | None] = []
    for i, node in enumerate(graph.nodes[: graph.output + 1]):
        if node.args:
            made = _op(symbols, node.op, [built[arg] for arg in node.args])
            built.append(None if made is None else SymbolicPiece(made.expression, case.values[i]))
        else:
            leaves[i] = sympy.Symbol(f"s{i}", real=True)
            built.append(SymbolicPiece(leaves[i], case.values[i]))
    output = built[graph.output]
    if output is None:
        return Statement(NAME, status=CANNOT, why="domain")
    places = [graph.index(name) for name in case.names]
    zero = sympy.Integer(0)
    slopes = [sympy.diff(output.expression, leaves[i]) if i <= graph.output else zero for i in places]
    return _evaluated(sympy, mpmath, case, leaves, [output.expression, *slopes])


def _op(symbols: Symbols, op: str, xs: list[SymbolicPiece | None]) -> SymbolicPiece | None:
    its = OPS[op].foreign.get("sympy")
    expressions = [x.expression for x in xs if x is not None]
    if its and op not in CHOOSING and len(expressions) == len(xs):
        return SymbolicPiece(getattr(symbols.sympy, its)(*expressions))
    return define(symbols, op, *xs)


def _evaluated(
    sympy: ModuleType, mpmath: ModuleType, case: Case, leaves: dict[int, Symbol], expressions: list[Expr]
) -> Statement:
    function = sympy.lambdify(list(leaves.values()), expressions, modules="mpmath", cse=True)
    span = max((abs(math.frexp(x)[1]) for x in case.values if x and math.isfinite(x)), default=0)
    with mpmath.workprec(BITS + 2 * span):
        try:
            numbers = function(*[mpmath.mpf(case.values[i]) for i in leaves])
        except (ZeroDivisionError, ValueError, OverflowError, AttributeError, TypeError):  # a complex number
            return Statement(NAME, status=CANNOT, why="domain")
        estimates = [_estimate(mpmath, number) for number in numbers]
    return Statement(NAME, estimates[0], dict(zip(case.names, estimates[1:], strict=True)))


def _estimate(mpmath: ModuleType, number: mpf) -> Estimate:
    number = mpmath.mpmathify(number)
    if isinstance(number, mpmath.mpc):
        if abs(number.imag) > abs(number.real) * mpmath.mpf(10) ** -50:
            return Estimate(math.nan, math.inf, "domain")
        number = number.real
    if mpmath.isnan(number):
        return Estimate(math.nan, math.inf, "domain")
    return Estimate(nearest(number))
