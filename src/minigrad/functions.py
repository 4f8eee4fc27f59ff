"""Every op of the table as a function on Values, and the reductions over lists of them.

    from minigrad import functions as F
    F.exp(v), F.arctan2(y, x), F.where(x > 0, x.log(), 0)
    F.sum([a, b, c]), F.dot(xs, ws), F.softmax(logits), F.cross_entropy(logits, 2)

`VALUES` is the number system of Values: a formula of the table that is run over it makes
nodes, which can be differentiated again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt
from typing import TYPE_CHECKING, Protocol, TypeVar

from ._native.compiled_engine import compiled_op
from .ops import MANY, OPS, Op
from .scalar import Operand, Value, _apply, _constant, operands
from .text.excerpts import describe
from .text.translation import say
from .values.take import Index, take

T = TypeVar("T")

__all__ = ["VALUES", "cross_entropy", "dot", "softmax"]  # and one name per op


class _Function(Protocol):
    def __call__(self, *operands: Operand | Iterable[Operand]) -> Value: ...


def _function(op: Op) -> Callable[..., Value]:
    """The function of a row with a fixed number of arguments."""

    def function(*given: Operand) -> Value:
        values = operands(op, given)
        return _apply(op, values[0], values)

    return _named(function, op, ", ".join("abc"[: op.arity[1]]))


def _reduction(op: Op) -> Callable[..., Value]:
    """The function of a row that takes any number of arguments: it takes them as one list."""

    def reduction(*given: Iterable[Operand]) -> Value:
        xs = given[0] if len(given) == 1 else None
        if isinstance(xs, (Value, str)) or not isinstance(xs, Iterable):
            raise TypeError(say("op.list", op=op.name, given=", ".join(map(describe, given))))
        values = tuple(xs)
        if not values:
            if op.name in _EMPTY:
                return Value(_EMPTY[op.name], requires_grad=False)
            raise ValueError(say("op.empty", op=op.name))
        values = operands(op, values)
        return _apply(op, values[0], values)

    return _named(reduction, op, "xs")


_EMPTY = {"sum": 0.0, "prod": 1.0}


def _named(function: Callable[..., Value], op: Op, arguments: str) -> Callable[..., Value]:
    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = (
        f"{op.name}({arguments}): {op.rule[0].format(a='a', b='b', c='c').replace(' | ', '; ')}."
    )
    return function


for _op in OPS.values():
    if _op.name != "dot":
        _many = _op.arity[1] == MANY
        _arguments = ["xs"] if _many else [*"abc"[: _op.arity[0]], *(f"b={x!r}" for x in _op.defaults)]
        _plain = _reduction(_op) if _many else _function(_op)
        globals()[_op.name] = compiled_op(_op.name, ", ".join([*_arguments, "/"]), _plain)
    __all__ += [_op.name]

if TYPE_CHECKING:

    def __getattr__(name: str) -> _Function: ...


def dot(xs: Iterable[Operand], ws: Iterable[Operand]) -> Value:
    """The sum of the products of two lists, pair by pair, as one node."""
    left, right = tuple(xs), tuple(ws)
    if len(left) != len(right):
        raise ValueError(say("op.lengths", left=len(left), right=len(right)))
    if not left:
        return Value(0.0, requires_grad=False)
    values = operands(OPS["dot"], left + right)
    return _apply(OPS["dot"], values[0], values)


dot = compiled_op("dot", "xs, ws", dot)

# Softmax and cross entropy are composed, so that a graph shows what they are made of.


def softmax(logits: Iterable[Operand]) -> list[Value]:
    """exp(x - logsumexp(all)) for each x: shares that add up to 1, without overflow."""
    values = operands(OPS["logsumexp"], _logits("softmax", logits))
    total = _apply(OPS["logsumexp"], values[0], values)
    return [(value - total).exp() for value in values]


def cross_entropy(logits: Iterable[Operand], target: int) -> Value:
    """-log(softmax(logits)[target]), computed as logsumexp(logits) - logits[target]."""
    values = operands(OPS["logsumexp"], _logits("cross_entropy", logits))
    if isinstance(target, Index) and 0 <= target._number < len(values):  # in a compiled function
        return _apply(OPS["logsumexp"], values[0], values) - take(values, target)
    if not isinstance(target, bool) and hasattr(target, "__index__"):
        target = target.__index__()  # NumPy's integers too
    if isinstance(target, bool) or not isinstance(target, int) or not 0 <= target < len(values):
        given = repr(target) if isinstance(target, int) else describe(target)
        raise ValueError(say("op.target", last=len(values) - 1, given=given))
    return _apply(OPS["logsumexp"], values[0], values) - values[target]


def _logits(name: str, xs: Iterable[Operand]) -> tuple[Operand, ...]:
    if isinstance(xs, (Value, str)) or not isinstance(xs, Iterable):
        raise TypeError(say("op.list", op=name, given=describe(xs)))
    logits = tuple(xs)
    if not logits:
        raise ValueError(say("op.empty", op=name))
    return logits


# ---- the number system of Values --------------------------------------------------------------


class _Values:
    """The vocabulary of `ieee` on Values.  Conditions are known here, so `where` just picks."""

    number = staticmethod(_constant)

    @staticmethod
    def where(condition: bool, yes: T, no: T) -> T:
        return yes if condition else no

    @staticmethod
    def equal(x: Operand, y: Operand) -> bool:
        a, b = (v.data if isinstance(v, Value) else v for v in (x, y))
        return a == b

    @staticmethod
    def inverse(x: Operand) -> Value:
        return _functions["div"](1.0, x)

    @staticmethod
    def exp_square(x: Operand, factor: float) -> Value:
        exp: Value = _functions["exp"](factor * x * x)
        return exp

    @staticmethod
    def normal_cdf(x: Operand) -> Value:
        return 0.5 + 0.5 * _functions["erf"](x * sqrt(0.5))

    @staticmethod
    def fsum(*xs: Operand) -> Value:
        return _functions["sum"](xs)

    @staticmethod
    def max(*xs: Operand) -> Value:
        return _functions["max"](xs)

    def __getattr__(self, name: str) -> Callable[..., Value]:
        return _functions[name]


_functions: dict[str, Callable[..., Value]] = {op: globals()[op] for op in OPS}
VALUES = _Values()
