"""Arrays of numbers that belong to no library: a shape and its numbers, in row-major order.

What a rule of PyTorch or JAX gives is read into these, and everything that is compared, is compared here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite, prod

__all__ = ["Grid", "Shape", "broadcast_index", "broadcasts"]

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    shape: Shape
    numbers: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.numbers)

    def like(self, numbers: Sequence[float]) -> Grid:
        return Grid(self.shape, tuple(numbers))

    def map(self, change: Callable[[float], float]) -> Grid:
        return self.like([change(x) for x in self.numbers])

    @property
    def finite(self) -> bool:
        return all(map(isfinite, self.numbers))

    @property
    def square(self) -> bool:
        return len(self.shape) >= 2 and self.shape[-1] == self.shape[-2] > 1

    def transposed(self) -> Grid:
        """With its last two axes exchanged."""
        if len(self.shape) < 2:
            return self
        *front, rows, columns = self.shape
        numbers: list[float] = []
        for start in range(0, len(self.numbers), max(1, rows * columns)):
            numbers += [self.numbers[start + r * columns + c] for c in range(columns) for r in range(rows)]
        return Grid((*front, columns, rows), tuple(numbers))

    def position(self, flat: int) -> Shape:
        """Where a number stands: (1, 2)."""
        found = []
        for length in reversed(self.shape):
            flat, place = divmod(flat, length)
            found.append(place)
        return tuple(reversed(found))


def broadcasts(small: Shape, large: Shape) -> bool:
    """Is `small` stretched, by the usual rules, to become `large`?"""
    if small == large or len(small) > len(large):
        return False
    tail = large[len(large) - len(small) :]
    return all(s in (1, wide) for s, wide in zip(small, tail, strict=True))


def broadcast_index(small: Shape, large: Shape) -> Iterator[int]:
    """For each number of an array of shape `large`: which number of the small one stands behind it."""
    lead = len(large) - len(small)
    strides = [prod(small[k + 1 :]) if small[k] > 1 else 0 for k in range(len(small))]
    for place in product(*map(range, large)):
        yield sum(stride * place[lead + k] for k, stride in enumerate(strides))
