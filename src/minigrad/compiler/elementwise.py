"""The number system of NumPy arrays: a formula of the op table, run over it, computes many numbers at once.

Every number has the bits that `ieee` gives, because a formula is the same roundings in the same order
whatever the numbers are.  What IEEE 754 rounds in one way only (+ - * /, square roots, comparisons, choices)
is left to NumPy; all other functions are those of `ieee`, one number after the other: NumPy's own exp and log
are vectors with other last bits, and not the same ones on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..values import ieee
from .numpy_loader import numpy

if TYPE_CHECKING:
    import numpy as np

    from .numpy_loader import Array
else:
    np = numpy()

__all__ = ["ELEMENTWISE", "largest", "sum_rounded_once"]


def _one_by_one(function: Callable[..., float], arguments: int) -> Callable[..., Array]:
    """A function of floats as one of arrays."""
    spread = np.frompyfunc(function, arguments, 1)

    def spread_function(*xs: Array) -> Array:
        return np.asarray(spread(*xs), dtype=np.float64)

    return spread_function


def largest(*xs: Array) -> Array:
    """The first of the largest, as Python's max; NaN where one is."""
    found = xs[0]
    for x in xs[1:]:
        found = np.where((x > found) | (x != x), x, found)  # nothing is larger than a NaN
    return found


def sum_rounded_once(*xs: Array) -> Array:
    columns = np.broadcast_arrays(*xs)
    sums = [ieee.fsum(*terms) for terms in zip(*(column.ravel().tolist() for column in columns), strict=True)]
    return np.array(sums, dtype=np.float64).reshape(columns[0].shape)


class _Elementwise:
    number = staticmethod(np.float64)
    where = staticmethod(np.where)
    equal = staticmethod(np.equal)
    div = staticmethod(np.divide)
    abs = staticmethod(np.abs)
    sqrt = staticmethod(np.sqrt)
    max = staticmethod(largest)
    fsum = staticmethod(sum_rounded_once)

    @staticmethod
    def inverse(x: Array) -> Array:
        return np.divide(1.0, x)

    def __getattr__(self, name: str) -> Callable[..., Array]:
        function: Callable[..., float] = getattr(ieee, name)
        spread = _one_by_one(function, 2 if name in _OF_TWO else 1)
        setattr(self, name, spread)
        return spread


_OF_TWO = ("arctan2", "exp_square", "hypot", "pow")
ELEMENTWISE = _Elementwise()
