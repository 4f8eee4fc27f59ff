"""Structure of arguments: taken apart into one list of numbers and a tree, and put together again.

A tree is as in `trees.py`: None for a number, (kind, keys, subtrees) for a container.  Two things are added:

* What is no number but decides what a function does (a bool, a string, None, an integer too large for a
  float) stays as it is: `(Static, (type, value), ())`.  It is part of the structure, not of the numbers.
* A NumPy array stands for nested lists of its shape.

Two calls are of one structure when their trees and their `kinds` are equal.
"""

from __future__ import annotations

import sys
from collections import OrderedDict, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import chain
from numbers import Integral, Real
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say
from ..values.trees import container
from ..values.validation import number

if TYPE_CHECKING:
    from .numpy_loader import Array, Doubles

__all__ = [
    "Branch",
    "Parts",
    "Static",
    "Tree",
    "count",
    "is_array",
    "is_doubles",
    "kind_of_array",
    "like",
    "put_together",
    "refuse_own_kind",
    "take_apart",
    "tree_of_shape",
    "values_for",
]

# The tree of a structure: None for a number, (kind, keys, subtrees) for a container.
Tree: TypeAlias = "Branch | None"
Branch: TypeAlias = "tuple[type, tuple[object, ...] | None, tuple[Tree, ...]]"

_EXACT = 2**53  # integers up to here are floats without a change
_data = attrgetter("data")
_KINDS = {list, tuple, dict, OrderedDict, defaultdict}


class Static:
    """The kind of a leaf that is part of the structure."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A structure taken apart."""

    numbers: list[float]  # floats and ints from left to right; of a Value, its data
    kinds: str  # of each: "f" a number, "i" an integer
    tree: Branch
    places: list[int]  # which of the numbers were Values,
    values: list[Value]  # and which Values
    starts: list[int]  # where the numbers of each part of the outermost container begin, and where all end

    def given(self) -> Any:
        """The structure again, with the Values that it had; arrays are lists."""
        numbers: list[float | Value] = list(self.numbers)
        for place, value in zip(self.places, self.values, strict=True):
            numbers[place] = value
        return put_together(self.tree, numbers)

    def as_traced(self) -> Any:
        """The structure as a function sees it while it is traced: with Values for its floats."""
        numbers = values_for(self.numbers, self.kinds)
        for place, value in zip(self.places, self.values, strict=True):
            numbers[place] = value
        return put_together(self.tree, numbers)


def values_for(numbers: Sequence[float], kinds: str) -> list[float | Value]:
    """Constants in place of floats; integers stay."""
    return [
        x if kind == "i" else Value(x, requires_grad=False) for x, kind in zip(numbers, kinds, strict=True)
    ]


def is_array(x: object) -> TypeGuard[Array]:
    """Whether x is a NumPy array; without importing NumPy, as who has an array has imported it."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray)


def is_doubles(x: object) -> TypeGuard[Doubles]:
    """Whether x is an array that can be read as it lies in memory: doubles, aligned, and no subclass."""
    return (
        is_array(x)
        and type(x) is sys.modules["numpy"].ndarray
        and x.dtype.char == "d"
        and x.dtype.isnative
        and x.flags.aligned
    )


def take_apart(arguments: Sequence[object], floats: Container[int] = ()) -> Parts:
    """The numbers of a tuple of arguments and its tree; TypeError for what is neither number nor structure.

    In the arguments at the places `floats`, integers are numbers like all others: what a gradient is taken
    by is not looked up with.
    """
    numbers: list[float] = []
    letters: list[str] = []
    places: list[int] = []
    values: list[Value] = []
    whole = "i"

    def walk(part: object) -> Tree:
        if type(part) is float:
            numbers.append(part)
            letters.append("f")
            return None
        kind = type(part)
        if isinstance(part, dict):
            refuse_own_kind(kind)
            return (dict, tuple(part), tuple([walk(x) for x in part.values()]))
        if isinstance(part, (list, tuple)):
            refuse_own_kind(kind)
            alike = set(map(type, part))
            if alike == {float} or alike == {Value}:  # nearly all that is long
                several(part, len(part), Value in alike)
                return (kind, None, (None,) * len(part))
            if alike == {list} and kind is list and len(set(map(len, part))) == 1:  # rows of a matrix
                inner = set(map(type, chain.from_iterable(part)))
                if inner == {float} or inner == {Value}:
                    shape = (len(part), len(part[0]))
                    several(list(chain.from_iterable(part)), shape[0] * shape[1], Value in inner)
                    return tree_of_shape(shape)
            if alike == {int} and whole == "i" and min(part) >= -_EXACT and max(part) <= _EXACT:
                numbers.extend(part)
                letters.append("i" * len(part))
                return (kind, None, (None,) * len(part))
            return (kind, None, tuple([walk(x) for x in part]))
        if isinstance(part, Value):
            places.append(len(numbers))
            values.append(part)
            numbers.append(part.data)
            letters.append("f")
            return None
        if kind is bool or part is None or isinstance(part, (str, bytes, Enum)):  # also one that is an int
            return (Static, (kind, part), ())
        if is_array(part):
            return array(part)
        if isinstance(part, Integral):
            if abs(int(part)) > _EXACT and whole == "i":
                return (Static, (int, int(part)), ())
            numbers.append(number(part) if whole == "f" else int(part))
            letters.append(whole)
            return None
        if isinstance(part, Real):
            numbers.append(number(part))
            letters.append("f")
            return None
        if hasattr(part, "dtype") and part.dtype.kind == "b":  # NumPy's own bool
            return (Static, (bool, bool(part)), ())
        raise TypeError(say(_reason(part), given=describe(part)))

    def several(part: Sequence[Any], size: int, are_values: bool) -> None:
        letters.append("f" * size)
        if are_values:
            places.extend(range(len(numbers), len(numbers) + size))
            values.extend(part)
        numbers.extend(map(_data, part) if are_values else part)

    def array(part: Array) -> Tree:
        kind = kind_of_array(part)
        flat = (part if kind == "i" and whole == "i" else part.astype(float)).ravel().tolist()
        numbers.extend(flat)
        letters.append(("f" if kind == "f" else whole) * len(flat))
        return tree_of_shape(part.shape)

    trees, starts = [], []
    for place, argument in enumerate(arguments):
        whole = "f" if place in floats else "i"
        starts.append(len(numbers))
        try:
            trees.append(walk(argument))
        except RecursionError:
            raise TypeError(say("compile.argument.deep")) from None
    starts.append(len(numbers))
    return Parts(numbers, "".join(letters), (tuple, None, tuple(trees)), places, values, starts)


def refuse_own_kind(kind: type) -> None:
    """A class of lists or dicts may have ideas of its own, which a list in its place does not have."""
    if kind not in _KINDS and not hasattr(kind, "_fields"):
        raise TypeError(say("compile.argument.kind", given=kind.__name__))


def kind_of_array(array: Array) -> str:
    """ "f" for an array of numbers, "i" for one of integers; TypeError for all others."""
    kind = array.dtype.kind
    if kind not in "fiu" or hasattr(array, "mask"):  # a masked number is none
        masked = "masked " if hasattr(array, "mask") else ""
        raise TypeError(say("compile.argument.dtype", given=f"{masked}{array.dtype}"))
    if kind != "f" and array.size and max(abs(int(array.min())), abs(int(array.max()))) > _EXACT:
        raise TypeError(say("compile.argument.large"))
    return "f" if kind == "f" else "i"


def _reason(part: object) -> str:
    if isinstance(part, (set, frozenset)):
        return "compile.argument.set"
    if isinstance(part, Iterator):
        return "compile.argument.generator"
    if callable(part):
        return "compile.argument.callable"
    return "compile.argument"


def put_together(tree: Tree, numbers: Iterable[object]) -> Any:
    """The structure with these numbers in it."""
    rest = iter(numbers)

    def build(part: Tree) -> Any:
        if part is None:
            return next(rest)
        kind, keys, subtrees = part
        if kind is Static and keys:
            return keys[1]
        return container(kind, keys, [build(subtree) for subtree in subtrees])

    return build(tree)


def like(original: object, numbers: Sequence[float] | Doubles, dtype: str = "float64") -> Any:
    """Other numbers, an array of them or a list, in the structure of an argument: an array for an array."""
    if type(original) is float:
        return float(numbers[0])
    place = 0

    def take(size: int) -> Sequence[float] | Doubles:
        nonlocal place
        place += size
        return numbers[place - size : place]

    def build(part: object) -> Any:
        if is_array(part):
            return sys.modules["numpy"].array(take(part.size), dtype=dtype).reshape(part.shape)
        if isinstance(part, dict):
            return {key: build(x) for key, x in part.items()}
        if isinstance(part, (list, tuple)):
            kind = type(part)
            if kind is list and set(map(type, part)) <= {float, Value}:  # nearly all that is long
                return [float(x) for x in take(len(part))]
            parts = [build(x) for x in part]
            return container(kind, None, parts)
        if take_apart((part,)).tree[2][0] is not None:  # a bool, a string: it stays what it is
            return part
        return float(take(1)[0])

    return build(original)


def count(tree: Tree) -> int:
    """How many numbers a tree has."""
    waiting, found = [tree], 0
    while waiting:
        part = waiting.pop()
        if part is None:
            found += 1
        else:
            waiting.extend(part[2])
    return found


@lru_cache(maxsize=256)
def tree_of_shape(shape: tuple[int, ...]) -> Tree:
    """The tree of nested lists of a shape."""
    if not shape:
        return None
    return (list, None, (tree_of_shape(shape[1:]),) * shape[0])
