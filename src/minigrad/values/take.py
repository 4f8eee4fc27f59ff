"""take: one of several rows, chosen by a number that each call brings.

    take(table, 3)          # table[3]
    take(table, token)      # in a compiled function the same, for every token, without tracing again

Outside a compiled function an index is an int, and `take` is `rows[index]` with a check.  Inside one, an int
argument is an `Index`: an int to all that look at it, which then holds for this number alone; `take` does not
look, so the look-up itself becomes part of the program.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Protocol, SupportsIndex, TypeVar

from ..ops import OPS
from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say

T = TypeVar("T")

__all__ = ["Index", "take"]


class Watcher(Protocol):
    """Whoever made an Index, and wants to know what is done with it."""

    def known(self, index: Index) -> int: ...

    def beside(self, index: Index, other: Value) -> Value: ...

    def take(self, rows: Sequence[T], index: Index) -> T: ...


def take(rows: Sequence[T], index: SupportsIndex) -> T:
    """rows[index], where `rows` is a list of numbers, or of lists, tuples or dicts of them, all alike."""
    if isinstance(index, Index):
        return index._watcher.take(rows, index)
    if type(index) is not int:
        if isinstance(index, (bool, Value)) or not hasattr(index, "__index__"):
            raise TypeError(say("take.index", given=describe(index)))
        index = operator.index(index)
    chosen(rows, index)
    return rows[index]


def chosen(rows: Sequence[object], index: int) -> int:
    """How many rows there are; an error where the index is not one of theirs."""
    if isinstance(rows, (str, bytes, dict, set, frozenset)) or not hasattr(rows, "__getitem__"):
        raise TypeError(say("take.rows", given=describe(rows)))
    count = len(rows)
    if not count:
        raise IndexError(say("take.empty"))
    if not -count <= index < count:
        raise IndexError(say("take.range", given=index, count=count, last=count - 1))
    return count


class Index:
    """An int that a call brings, while the function that it is given to is being traced.

    Asked for its number it tells its watcher first, so that the trace is used again for this number only.
    With a Value it computes as a number like any other, and nobody need be told.
    """

    __slots__ = ("_number", "_value", "_watcher")

    def __init__(self, number: int, value: Value, watcher: Watcher) -> None:
        self._number, self._value, self._watcher = number, value, watcher

    def __index__(self) -> int:
        return self._watcher.known(self)

    __int__ = __trunc__ = __floor__ = __ceil__ = __index__

    def __float__(self) -> float:
        return float(self.__index__())

    def __complex__(self) -> complex:
        return complex(self.__index__())

    def __bool__(self) -> bool:
        return self.__index__() != 0

    def __hash__(self) -> int:
        return hash(self.__index__())

    def __repr__(self) -> str:
        return repr(self.__index__())

    def __format__(self, spec: str) -> str:
        return format(self.__index__(), spec)

    def __round__(self, digits: int | None = None) -> int:
        return round(self.__index__(), digits) if digits is not None else self.__index__()

    def __copy__(self) -> Index:
        return self

    def __deepcopy__(self, memo: object) -> Index:
        return self

    def __reduce__(self) -> tuple[type[int], tuple[int]]:
        return int, (self.__index__(),)

    def __getattr__(self, name: str) -> object:
        if name in OPS:  # n.exp(), as on any other number of the arguments
            return getattr(self._value, name)
        if name.startswith("_"):  # numpy and others ask for protocols, which an int has none of
            raise AttributeError(name)
        return getattr(self.__index__(), name)


def _two(
    name: str, operation: Callable[[object, object], object], reflected: bool
) -> Callable[[Index, object], object]:
    """An operator of Index: on the int itself, or beside a Value on the number that it stands for."""

    def method(self: Index, other: object) -> object:
        if isinstance(other, Value):
            mine = self._watcher.beside(self, other)
            return operation(other, mine) if reflected else operation(mine, other)
        number, other = self.__index__(), other.__index__() if isinstance(other, Index) else other
        return operation(other, number) if reflected else operation(number, other)

    method.__name__ = name
    return method


def _operators() -> None:
    both = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor")
    for name in both:
        operation = getattr(operator, f"__{name}__")
        setattr(Index, f"__{name}__", _two(f"__{name}__", operation, False))
        setattr(Index, f"__r{name}__", _two(f"__r{name}__", operation, True))
    for name in ("divmod",):
        setattr(Index, f"__{name}__", _two(f"__{name}__", divmod, False))
        setattr(Index, f"__r{name}__", _two(f"__r{name}__", divmod, True))
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        setattr(Index, f"__{name}__", _comparison(name))
    for name in ("neg", "pos", "abs", "invert"):
        setattr(Index, f"__{name}__", _one(getattr(operator, f"__{name}__")))


def _one(operation: Callable[[int], int]) -> Callable[[Index], int]:
    def method(self: Index) -> int:
        return operation(self.__index__())

    return method


def _comparison(name: str) -> Callable[[Index, object], object]:
    operation: Callable[[object, object], object] = getattr(operator, name)

    def method(self: Index, other: object) -> object:
        if isinstance(other, Value):
            return NotImplemented  # the Value compares, with the sides changed
        return operation(self.__index__(), other.__index__() if isinstance(other, Index) else other)

    method.__name__ = f"__{name}__"
    return method


_operators()
