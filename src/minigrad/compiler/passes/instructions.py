"""Instructions: one for each piece of a group whose cells are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import Access, Chain, Instruction, LaneSum, Map, Most, OpRun, Put, Take
from ..scalars import CHAIN, EXACT, arguments_of
from .affine import AffinePiece

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["instruction", "single"]

Operand = Callable[..., Access]  # (column, terms, columns per term)
Series = tuple[str, int, int, int]  # kind, first column, terms, columns per term


def instruction(
    op: str, space: int, out: int, table: np.ndarray, piece: AffinePiece, spaces: Sequence[int]
) -> Instruction:
    """What computes the members of a piece; one without dims is all of them, gathered."""
    gathered = not piece.dims
    dims = (len(table),) if gathered else piece.dims
    first = table[piece.start].tolist()

    def access(column: int, terms: int = 1, width: int = 1) -> Access:
        """The operand in a column and, for several terms, in every `width`-th one after it."""
        if gathered:
            rows = table[:, column : column + terms * width : width]
            return Access(spaces[column], 0, (0,), 0, np.ascontiguousarray(rows))
        step = first[column + width] - first[column] if terms > 1 else 0
        return Access(spaces[column], first[column], tuple(piece.strides[:, column].tolist()), step)

    def everything(column: int, end: int | None = None) -> Access:
        """The columns from one on, as the terms of a single operand."""
        strides = piece.strides[:, column:end]
        if piece.dims and _even(first[column:end]) and not (strides != strides[:, :1]).any():
            return access(column, strides.shape[1])
        rows = table[piece.start :][: piece.members if piece.dims else len(table), column:end]
        return Access(spaces[column], 0, (0,) * len(dims), 0, np.ascontiguousarray(rows))

    def kin(column: int, width: int) -> object:
        columns = slice(column, column + width)
        return tuple(spaces[columns]), None if gathered else piece.strides[:, columns].tobytes()

    series = _series(op, first, kin, gathered) if op.startswith((CHAIN, EXACT)) else []
    return _written(op, space, out + piece.start, dims, series, len(first), access, everything)


def single(op: str, space: int, out: int, row: list[int], spaces: Sequence[int]) -> Instruction:
    """The same for a group of one member, without tables."""

    def access(column: int, terms: int = 1, width: int = 1) -> Access:
        return Access(
            spaces[column], row[column], (0,), row[column + width] - row[column] if terms > 1 else 0
        )

    def everything(column: int, end: int | None = None) -> Access:
        cells = row[column:end]
        if _even(cells):
            return access(column, len(cells))
        return Access(spaces[column], 0, (0,), 0, np.array([cells], np.int64))

    def kin(column: int, width: int) -> object:
        return spaces[column : column + width]

    series = _series(op, row, kin, False) if op.startswith((CHAIN, EXACT)) else []
    return _written(op, space, out, (1,), series, len(row), access, everything)


def _written(
    op: str,
    space: int,
    out: int,
    dims: tuple[int, ...],
    series: list[Series],
    columns: int,
    access: Operand,
    everything: Callable[..., Access],
) -> Instruction:
    if series:
        runs = tuple(
            OpRun(
                kind,
                terms,
                access(column, terms, width),
                access(column + 1, terms, width) if width == 2 else None,
            )
            for kind, column, terms, width in series
        )
        return Chain(space, out, dims, runs, zero=op.startswith(CHAIN + "0"), exact=op.startswith(EXACT))
    if op == "max":
        return Most(space, out, dims, columns, everything(0))
    if op == "take":
        return Take(space, out, dims, columns - 1, access(0), everything(1))
    if op.startswith("put:"):
        terms = columns // 2
        return Put(space, out, dims, terms, everything(0, terms), access(terms), everything(terms + 1))
    if op == "lanesum":
        return LaneSum(out, dims, access(0))
    return Map(op, space, out, dims, tuple([access(column) for column in range(columns)]))


def _even(cells: list[int]) -> bool:
    """Is each of the cells as far from the last as the one before it?"""
    return len(cells) < 3 or len(set(map(int.__sub__, cells[1:], cells))) == 1


def _series(op: str, first: list[int], kin: Callable[[int, int], object], gathered: bool) -> list[Series]:
    """The terms of a chain, cut where their kind, their strides or the step from term to term changes."""
    found: list[Series] = []
    step: list[int] = []  # of the operands, from the last term to the next
    alike: object = None
    for kind, column in arguments_of(op):
        width = 2 if kind in "*~" else 1
        family = kind, kin(column, width)
        if found and family == alike:
            before, start, terms, _ = found[-1]
            move = [first[column + i] - first[column + i - width] for i in range(width)]
            if gathered or terms == 1 or move == step:
                step = move
                found[-1] = before, start, terms + 1, width
                continue
        found.append((kind, column, 1, width))
        alike = family
    return found
