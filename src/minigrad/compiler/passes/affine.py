"""Affine rules: rows of cell numbers that follow a rule, found without being told.

The operands of a group are a table: a row per member, a column per operand, and in it the cell where
that operand lies. If each row is the one before plus the same step, the members are an arithmetic
series, and one instruction with strides can walk them; series of series are nested dims. What follows
no rule is cut into pieces that do.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from ..numpy_loader import numpy

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["AffinePiece", "pieces_of"]

_MOST_DIMS = 4


@dataclass(frozen=True, slots=True, eq=False)
class AffinePiece:
    """Members `start`, `start + 1`, ... of a group: their dims, and per dim the stride of each operand."""

    start: int
    dims: tuple[int, ...]
    strides: np.ndarray  # int64 [dims, operands]

    @property
    def members(self) -> int:
        return prod(self.dims)


def pieces_of(table: np.ndarray, owners: np.ndarray, most: int) -> list[AffinePiece] | None:
    """The table as pieces, or None if it takes more than `most` of them.

    `owners` says of each operand which group computed it.  A piece ends where that changes: cells of two
    groups that lie side by side do so by chance, and a series that runs over the border would end in the
    middle of the next one.
    """
    members = len(table)
    if members == 1:
        return [AffinePiece(0, (1,), np.zeros((1, table.shape[1]), np.int64))]
    steps = np.diff(table, axis=0)
    # Steps are compared by a hash; a piece is compared with the table itself before it is believed.
    weights = np.random.default_rng(0).integers(1, 2**62, (table.shape[1],), dtype=np.int64)
    marks = (steps * weights).sum(axis=1) + (np.diff(owners, axis=0) * weights[::-1]).sum(axis=1) * 3
    found: list[AffinePiece] = []
    start = 0
    while start < members:
        if len(found) == most:
            return None
        dims = _dims(marks[start:])
        strides, span = [], 1
        for size in reversed(dims):
            strides.append(table[start + span] - table[start] if size > 1 else np.zeros_like(table[0]))
            span *= size
        piece = AffinePiece(start, dims, np.array(strides[::-1], np.int64))
        if not np.array_equal(_rows(piece, table[start]), table[start : start + span]):
            return None
        found.append(piece)
        start += span
    return found


def _dims(marks: np.ndarray) -> tuple[int, ...]:
    """The dims of the longest regular beginning: marks are those of the steps from row to row."""
    if not len(marks):
        return (1,)
    inner = 1 + _agreeing(marks, 1, marks[:1])
    dims = [inner]
    while len(dims) < _MOST_DIMS:
        span = prod(dims)
        if span > len(marks):
            break
        unit = marks[:span]  # the steps within one span, and the one to the next
        repeats = (_agreeing(marks, span, unit) + 1) // span
        if repeats < 2:
            break
        dims.append(repeats)
    return tuple(reversed(dims))


def _agreeing(marks: np.ndarray, period: int, unit: np.ndarray) -> int:
    """How many of the marks repeat `unit`, from the beginning on."""
    done, window = 0, 8 * period
    while done < len(marks):
        part = marks[done : done + window]
        whole = -(-len(part) // period)
        differ = np.flatnonzero(part != np.tile(unit, whole)[: len(part)])
        if len(differ):
            return done + int(differ[0])
        done += len(part)
        window *= 4
    return done


def _rows(piece: AffinePiece, first: np.ndarray) -> np.ndarray:
    rows = first[None, :]
    for size, stride in zip(reversed(piece.dims), piece.strides[::-1], strict=True):
        rows = (rows[None] + (np.arange(size)[:, None] * stride[None])[:, None]).reshape(-1, len(first))
    return rows
