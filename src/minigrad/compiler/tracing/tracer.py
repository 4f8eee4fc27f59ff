"""Tracer: what is noted while a function is traced, and the numbers that the function is given.

The function runs on ordinary Values, and the graph that the engine builds is what is read afterwards.  What
an engine does not write down is noted here:

* `x.data`, `x.item()`, `x.detach()`: the number again, without its gradient (op "stop");
* comparisons: the function went one way, and goes it again only while they come out the same (guards);
* look-ups (op "take"), and ints that were looked at.

What `x.data` gives is a `TracedNumber`: a float to the function, whatever each call makes it.
"""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable
from contextvars import ContextVar
from numbers import Real
from typing import Any, NoReturn, TypeVar, cast

from ... import functions
from ...errors import MinigradError
from ...scalar import Value, _constant
from ...text.excerpts import describe
from ...text.translation import say
from ...values.take import Index, chosen
from ...values.trees import container
from ..structure import is_array

__all__ = ["TracedNumber", "Tracer", "TracingError", "current", "refuse_here"]

_V = TypeVar("_V", bound=Value)
_HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
_SOURCES = {**{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge")}, "equal": operator.eq}
COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal", "equal": "equal"}


class TracingError(MinigradError, TypeError):
    """A function that cannot be compiled as it stands; the message says why, and what to write instead."""


def place() -> str:
    """The line of the user's code that is running: file.py:12."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_HOME) and frame.f_back is not None:
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


class Tracer:
    """What one run of a function tells beside its graph."""

    def __init__(self) -> None:
        self.first = Value(0.0)._index  # what is older was there before the run
        self.open = True
        self.defined: list[tuple[Value, str, tuple[Value, ...]]] = []  # leaves that stand for other ops
        self.guards: list[tuple[str, Value, Value | float, float, str]] = []
        self.rows: dict[Value, int] = {}  # the input of an index: the fewest rows that it chose from
        self.refused: TracingError | None = None
        # What .data of a node gave, by its id; `defined` keeps them all.
        self._numbers: dict[int, TracedNumber] = {}

    def refuse(self, key: str, **fields: object) -> NoReturn:
        """End the tracing; also where the function catches the error, what was traced is of no use."""
        self.refused = TracingError(say(key, where=place(), **fields))
        raise self.refused

    def fixed(self, value: Value) -> bool:
        """Whether a node is the same in every call: computed from numbers that the function wrote."""
        return not value.requires_grad and value._index > self.first

    # ---- numbers without a gradient -------------------------------------------------------------

    def number(self, value: Value) -> TracedNumber | float:
        """What value.data is: a float, here one that the next call may bring otherwise."""
        if isinstance(value, TracedNumber):
            return value
        if self.fixed(value):
            return value._data
        known = self._numbers.get(id(value))
        if known is None:
            known = self._numbers[id(value)] = self.stop(TracedNumber(value._data), value)
        return known

    def stop(self, copy: _V, value: Value) -> _V:
        self.defined.append((copy, "stop", (value,)))
        return copy

    # ---- guards ---------------------------------------------------------------------------------

    def compare(self, comparison: str, value: Value, other: object) -> object:
        """The outcome, and a guard that it stays so."""
        right: Value | float
        if isinstance(other, Value):
            right, b = other, other._data
        elif isinstance(other, Index):
            right, b = other._value, other._value._data
        elif isinstance(other, (int, float, Real)):
            right = b = float(other)
            if b != other and other == other:
                self.refuse("compile.trace.inexact", given=describe(other))
        else:
            return NotImplemented
        outcome = _SOURCES[comparison](value._data, b)
        if not (self.fixed(value) and (not isinstance(right, Value) or self.fixed(right))):
            self.guards.append((COMPARISONS[comparison], value, right, float(outcome), place()))
        return outcome

    def shown(self, value: Value) -> float:
        """The number itself, about to become text: what is traced is then true for this number alone."""
        x: float = value._data
        if self.open and not self.fixed(value):
            same: Value | float = x if x == x else value  # only nan is not equal to itself
            self.guards.append(("equal", value, same, float(x == x), place()))
            if x == 0.0:  # 0.0 and -0.0 are equal, and are written differently
                upside_down: Value = functions.reciprocal(value)
                self.guards.append(("less", upside_down, 0.0, float(upside_down._data < 0.0), place()))
        return x

    def unlike(self, value: Value, other: Value) -> bool:
        """That two Values are not equal, which goes for floats too while their numbers differ: a guard."""
        if self.compare("equal", value, other):
            self.refuse("compile.trace.equal")
        return True

    def made(self, value: Value) -> bool:
        """Whether a Value came with the arguments or since: for the caller, it may stand for a float."""
        return value._index > self.first

    # ---- integers -------------------------------------------------------------------------------

    def known(self, index: Index) -> int:
        if self.open:
            self.guards.append(("equal", index._value, float(index._number), 1.0, place()))
        return index._number

    def beside(self, index: Index, other: Value) -> Value:
        """The index as an operand: a float beside a float, a Value beside a Value."""
        number = self.number(index._value) if isinstance(other, TracedNumber) else index._value
        return cast(Value, number)  # no float: the argument of a call is not fixed

    def take(self, rows: Any, index: Index) -> Any:
        count = chosen(rows, index._number)
        if index._number < 0:  # counted from the end: rare, and another program
            return rows[self.known(index)]
        self.rows[index._value] = min(count, self.rows.get(index._value, count))
        if is_array(rows):
            taken = self._taken(rows.tolist(), index)
            return sys.modules["numpy"].array(taken, dtype=object) if rows.ndim > 1 else taken
        return self._taken([rows[i] for i in range(count)], index)

    def _taken(self, rows: list[Any], index: Index) -> Any:
        kind = type(rows[0])
        if issubclass(kind, dict):
            if any(type(row) is not kind or list(row) != list(rows[0]) for row in rows):
                raise ValueError(say("take.alike"))
            return {key: self._taken([row[key] for row in rows], index) for key in rows[0]}
        if issubclass(kind, (list, tuple)):
            if any(type(row) is not kind or len(row) != len(rows[0]) for row in rows):
                raise ValueError(say("take.alike"))
            parts = [self._taken(list(column), index) for column in zip(*rows, strict=True)]
            return container(kind, None, parts)
        if any(isinstance(row, (dict, list, tuple)) for row in rows):
            raise ValueError(say("take.alike"))
        numbers = all(isinstance(row, (Value, Index, Real)) for row in rows)
        if not numbers or all(isinstance(row, int) for row in rows):
            return rows[self.known(index)]  # texts, or ints to look up with: it depends on which
        values = tuple(
            [row if isinstance(row, Value) else row._value if isinstance(row, Index) else _constant(row)
             for row in rows]
        )  # fmt: skip
        graded = any(isinstance(row, Value) and not isinstance(row, TracedNumber) for row in rows)
        leaf = (Value if graded else TracedNumber)(values[index._number]._data)
        self.defined.append((leaf, "take", (index._value, *values)))
        return leaf


current: ContextVar[Tracer | None] = ContextVar("minigrad tracer", default=None)


def refuse_here(key: str, **fields: object) -> None:
    """Refuse, if a function is being traced."""
    tracer = current.get()
    if tracer is not None:
        tracer.refuse(key, **fields)


# ---- floats that each call brings ---------------------------------------------------------------


class TracedNumber(Value):
    """A float of the function that depends on its arguments, and that no gradient flows through.

    It computes and compares as a float does.  What needs the number itself (float(), math.exp, a key of a
    dict) is refused, because the next call brings another one.
    """

    __slots__ = ()

    def __eq__(self, other: object) -> Any:
        tracer = current.get()
        if tracer is None:
            return NotImplemented  # while the graph is read, it is a node like any other
        if isinstance(other, Value) and not isinstance(other, TracedNumber):
            return not tracer.unlike(self, other)
        return tracer.compare("equal", self, other)

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else not equal

    def __hash__(self) -> int:
        refuse_here("compile.trace.key")
        return Value.__hash__(self)

    def __bool__(self) -> bool:
        return bool(self != 0.0)

    def __repr__(self) -> str:
        tracer = current.get()
        return repr(self._data if tracer is None else tracer.shown(self))

    def __str__(self) -> str:
        return repr(self)

    def __format__(self, spec: str) -> str:
        tracer = current.get()
        return format(self._data if tracer is None else tracer.shown(self), spec)


def _forward(name: str) -> Callable[[TracedNumber, object], object]:
    operation = getattr(Value, f"__{name}__")

    def method(self: TracedNumber, other: object) -> object:
        tracer = current.get()
        if isinstance(other, Index) and tracer is not None:
            other = tracer.beside(other, self)
        if tracer is not None and name in ("truediv", "pow"):
            _as_floats_do(tracer, name, self, other)
        result = operation(self, other)
        if isinstance(other, Value) and not isinstance(other, TracedNumber):
            result.__class__ = Value  # a float and a Value make a Value
        return result

    return method


def _backward(name: str) -> Callable[[TracedNumber, object], object]:
    operation, reflected = getattr(Value, f"__{name}__"), getattr(Value, f"__r{name}__")

    def method(self: TracedNumber, other: object) -> object:
        if isinstance(other, Value):
            return operation(other, self)
        return reflected(self, other)  # the left side becomes one of ours, and `_forward` looks at both

    return method


def _as_floats_do(tracer: Tracer, name: str, left: Any, right: Any) -> None:
    """Where a division or power of floats is an error, and one of Values is inf or nan: raise it here, and
    have later calls come here for it."""
    if any(isinstance(x, Value) and not isinstance(x, TracedNumber) for x in (left, right)):
        return
    a, b = (x._data if isinstance(x, Value) else x for x in (left, right))
    if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
        return
    if name == "truediv":
        if right == 0.0:  # a guard
            raise ZeroDivisionError("float division by zero")
        return
    varies = isinstance(right, TracedNumber)
    whole = abs(b) < 1e300 and b == int(b)
    # A negative number is raised to whole powers only; all others are complex, which no Value is.
    if (varies or not whole) and left < 0.0 and not (whole and right == b):
        tracer.refuse("compile.trace.complex")
    if (right < 0.0 if varies else b < 0) and left == 0.0:
        raise ZeroDivisionError("0.0 cannot be raised to a negative power")


def _refusing(name: str) -> Callable[..., object]:
    def method(self: Value, *others: object) -> object:
        refuse_here("compile.trace.float", asked=name)
        raise TypeError(name)

    return method


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(TracedNumber, f"__{_name}__", _forward(_name))
    setattr(TracedNumber, f"__r{_name}__", _backward(_name))
for _name, _asked in {
    "__float__": "float()", "__int__": "int()", "__round__": "round()", "__trunc__": "math.trunc()",
    "__floor__": "math.floor()", "__ceil__": "math.ceil()", "__complex__": "complex()",
    "__floordiv__": "//", "__rfloordiv__": "//", "__mod__": "%", "__rmod__": "%", "__divmod__": "divmod()",
    "__rdivmod__": "divmod()", "is_integer": "is_integer()", "hex": "hex()",
    "as_integer_ratio": "as_integer_ratio()",
}.items():  # fmt: skip
    setattr(TracedNumber, _name, _refusing(_asked))
