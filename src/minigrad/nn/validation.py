"""Validation of the arguments of modules: sizes, fractions, seeds, vectors of the right length."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, TypeGuard, cast

from ..scalar import Value
from ..text.excerpts import describe
from ..text.numerals import counted
from ..text.translation import say
from ..values.take import Index
from ..values.validation import number

if TYPE_CHECKING:
    from ..scalar import Operand
    from .module import Module

__all__ = ["Seed", "fraction", "generator", "index", "measure", "room_for", "size", "vector", "vectors"]

Seed = int | random.Random | None

LARGEST = 20_000_000  # Values in one array: some gigabytes


def size(name: str, given: object) -> int:
    """A whole number, 1 or more."""
    if isinstance(given, bool) or not hasattr(given, "__index__") or (count := int(given.__index__())) < 1:
        raise ValueError(say("module.size", name=name, given=describe(given)))
    return count


def room_for(*sizes: int) -> None:
    """An error for an array that no memory holds."""
    count = 1
    for each in sizes:
        count *= each
    if count > LARGEST:
        shape = " x ".join(map(str, sizes)) if count < 10**40 else counted(count)
        raise ValueError(say("module.large", shape=shape, most=counted(LARGEST)))


def fraction(name: str, given: object) -> float:
    """A number from 0 up to, and without, 1."""
    if isinstance(given, bool) or not 0.0 <= (share := number(given)) < 1.0:
        raise ValueError(say("module.fraction", name=name, given=describe(given)))
    return share


def measure(name: str, given: object, above_zero: bool = False) -> float:
    """A finite number, 0 or more; or more than 0."""
    found = number(given)
    if isinstance(given, bool) or not isfinite(found) or found < 0.0 or (above_zero and found == 0.0):
        raise ValueError(
            say("module.positive" if above_zero else "module.measure", name=name, given=describe(given))
        )
    return found


def generator(seed: Seed) -> random.Random:
    """Where to draw from: a stream of its own for a whole number, Python's own stream for None."""
    if isinstance(seed, random.Random):
        return seed
    if seed is None:
        return random._inst  # what random.random() draws from
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:  # Random(-1) is Random(1)
        raise ValueError(say("module.seed", given=describe(seed)))
    return random.Random(seed)


def index(name: str, given: object, count: int) -> int:
    """A whole number from 0 to count - 1; in a compiled function, any of these that a call will bring."""
    if isinstance(given, Index) and 0 <= given._number < count:
        return cast("int", given)  # an int to all that look at it
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise TypeError(say("module.index_kind", name=name, given=describe(given)))
    found = int(given.__index__())
    if not 0 <= found < count:
        raise ValueError(say("module.index", name=name, given=found, last=count - 1))
    return found


def vector(owner: Module, xs: object, length: int) -> list[Value]:
    """A list of `length` Values for a module; numbers become constants, and no length is cut to fit."""
    if isinstance(xs, (Value, str, bytes)) or not isinstance(xs, Iterable):
        raise TypeError(say("module.vector", module=title(owner), wanted=length, given=describe(xs)))
    values = [x if isinstance(x, Value) else Value(x, requires_grad=False) for x in xs]
    if len(values) != length:
        raise ValueError(say("module.length", module=title(owner), wanted=length, given=len(values)))
    return values


def vectors(xs: object) -> TypeGuard[Sequence[Sequence[Operand]]]:
    """Is this a list of vectors, and not one of numbers?"""
    if not isinstance(xs, (list, tuple)) and not hasattr(xs, "tolist"):
        return False
    rows = cast("Sequence[object]", xs)
    return len(rows) > 0 and isinstance(rows[0], Iterable) and not isinstance(rows[0], (str, bytes))


def title(owner: Module) -> str:
    return f"{type(owner).__name__}({owner.extra_repr()})"
