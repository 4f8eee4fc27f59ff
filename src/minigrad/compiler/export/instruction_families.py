"""Families of instructions: ones of a kind whose lengths grow, as when each position looks at all before it.

Seven instructions of 4 x 1, 4 x 2, ..., 4 x 7 members are written as one of 7 x 4 x 7 with padding, if their
operands lie by one rule.  So are seven sums of 1, 2, ..., 7 terms, where the padding counts as nothing.

In an array with padding, each number of the padding is a copy of the first one of its row.  What is computed
from copies is a copy again: the padding can neither overflow nor give a NaN where the program has none, in
values and in gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import LANES, Access, Chain, Instruction, Map, Most, accesses_of
from ..reference import cells_of
from .dialect import DialectArray
from .places import Operand
from .views import StrideRule, cut

if TYPE_CHECKING:
    import numpy as np

    from .writer import ArrayWriter
else:
    np = numpy()

__all__ = ["families", "write_family"]

FEWEST = 3  # members of a family
FULLEST = 0.4  # so much of an array with padding must be numbers

Piece = Map | Chain | Most


def families(part: Sequence[Instruction]) -> list[list[Instruction]]:
    """The instructions in order, those that follow each other and are of one kind together."""
    found: list[list[Instruction]] = []
    last: object = None
    for instruction in part:
        kind = _kind(instruction)
        if kind is not None and kind == last:
            found[-1].append(instruction)
        else:
            found.append([instruction])
        last = kind
    return found


def _kind(ins: Instruction) -> object:
    if isinstance(ins, Map):
        return (ins.kernel, ins.space, *(a.space for a in ins.operands))
    if isinstance(ins, Most):
        return ("most", ins.space, ins.a.space)
    if isinstance(ins, Chain):
        return (
            "chain",
            ins.space,
            *((run.kind, run.a.space, run.b.space if run.b else -1) for run in ins.runs),
        )
    return None


def write_family(writer: ArrayWriter, family: Sequence[Instruction]) -> bool:
    """Write a family as one instruction; False where it is none, and nothing was written."""
    pieces = [ins for ins in family if isinstance(ins, (Map, Chain, Most))]
    if len(pieces) < FEWEST:
        return False
    by_size = sorted(pieces, key=lambda ins: (_members(ins), _terms(ins)))
    if _written(writer, by_size):
        return True
    if not _written(
        writer, by_size[1:]
    ):  # the shortest row is often written in another way, as it needs no sum
        return False
    writer.instruction(by_size[0])
    return True


def _members(ins: Piece) -> int:
    count = 1
    for size in ins.dims:
        count *= size
    return count


def _terms(ins: Piece) -> int:
    if isinstance(ins, Most):
        return ins.terms
    return sum(run.terms for run in ins.runs) if isinstance(ins, Chain) else 1


@dataclass(slots=True)
class _PaddedFrame:
    """The shape of a family: rows, members, and the axis that grows, which comes last."""

    lengths: list[int]
    inner: tuple[int, ...]  # the members beside it
    axis: int  # where it stands among the dims of a piece; -1: it is the terms

    @property
    def longest(self) -> int:
        return max(self.lengths)

    @property
    def mask(self) -> np.ndarray:
        """[rows, 1, ..., longest]: which are numbers."""
        rows = np.arange(self.longest) < np.array(self.lengths)[:, None]
        return rows.reshape(len(self.lengths), *[1] * len(self.inner), self.longest)


def _frame(pieces: Sequence[Piece]) -> _PaddedFrame | None:
    dims = [tuple(size for size in ins.dims if size > 1) for ins in pieces]
    terms = [_terms(ins) for ins in pieces]
    rank = max(map(len, dims))
    if len(set(dims)) == 1:
        single = all(not isinstance(ins, Chain) or len(ins.runs) == 1 for ins in pieces)
        frame = _PaddedFrame(terms, dims[0], -1) if single and len(set(terms)) > 1 else None
    else:
        full = [its for its in dims if len(its) == rank]
        uneven = [axis for axis in range(rank) if len({its[axis] for its in full}) > 1]
        if len(uneven) != 1 or len(set(terms)) > 1:
            return None
        axis = uneven[0]
        inner = (*full[0][:axis], *full[0][axis + 1 :])
        wide = [its if len(its) == rank else (*its[:axis], 1, *its[axis:]) for its in dims]
        if any((*its[:axis], *its[axis + 1 :]) != inner for its in wide):
            return None
        frame = _PaddedFrame([its[axis] for its in wide], inner, axis)
    if frame is None or sum(frame.lengths) < FULLEST * len(frame.lengths) * frame.longest:
        return None
    return frame


def _written(writer: ArrayWriter, pieces: Sequence[Piece]) -> bool:
    if len(pieces) < FEWEST:
        return False
    frame = _frame(pieces)
    if frame is None:
        return False
    accesses = [accesses_of(ins) for ins in pieces]
    outs = np.concatenate([np.arange(ins.out, ins.out + _members(ins)) for ins in pieces])
    tables = []
    for slot in range(len(accesses[0])):
        table = _table(pieces, [its[slot] for its in accesses], frame)
        if accesses[0][slot][0].space == pieces[0].space and np.isin(table, outs).any():
            return False
        tables.append(table)
    written = _table_of_outs(pieces, frame)
    tables, written = _upright(writer, accesses, tables, written, frame)
    operands = []
    for slot, table in enumerate(tables):
        found = _operand(writer, accesses[0][slot][0].space, table)
        if found is None:
            return False
        operands.append(found)
    _write(writer, pieces, operands, written, frame)
    return True


def _shaped(cells: np.ndarray, row: int, frame: _PaddedFrame, terms: int) -> np.ndarray:
    """The cells of one piece, as [inner, length] or [inner, terms of each member, length]."""
    length = frame.lengths[row]
    if frame.axis < 0:
        return cells.reshape(*frame.inner, length)
    dims = (*frame.inner[: frame.axis], length, *frame.inner[frame.axis :])
    table = cells.reshape(*dims, *([terms] if terms > 1 else []))
    return np.moveaxis(table, frame.axis, -1)


def _table(pieces: Sequence[Piece], slot: Sequence[tuple[Access, int]], frame: _PaddedFrame) -> np.ndarray:
    """The cells of one operand of all pieces; -1 is padding."""
    rows = []
    for row, (ins, (access, terms)) in enumerate(zip(pieces, slot, strict=True)):
        rows.append(_shaped(cells_of(access, ins.dims, terms), row, frame, terms))
    return _padded(rows, frame)


def _table_of_outs(pieces: Sequence[Piece], frame: _PaddedFrame) -> np.ndarray:
    rows = [np.arange(ins.out, ins.out + _members(ins)) for ins in pieces]
    if frame.axis < 0:
        return np.stack([row.reshape(frame.inner) for row in rows])
    return _padded([_shaped(cells, row, frame, 1) for row, cells in enumerate(rows)], frame)


def _padded(rows: list[np.ndarray], frame: _PaddedFrame) -> np.ndarray:
    table = np.full((len(rows), *rows[0].shape[:-1], frame.longest), -1, dtype=np.int64)
    for row, cells in enumerate(rows):
        table[row, ..., : cells.shape[-1]] = cells
    return table


def _upright(
    writer: ArrayWriter,
    accesses: list[list[tuple[Access, int]]],
    tables: list[np.ndarray],
    written: np.ndarray,
    frame: _PaddedFrame,
) -> tuple[list[np.ndarray], np.ndarray]:
    """Rows that count down are turned round, so that the padding is at their end."""
    space = accesses[0][0][0].space
    places = writer.found(space, np.maximum(tables[0], 0))[1]
    for axis in range(1, len(frame.inner) + 1):
        if places.shape[axis] > 1 and (np.diff(places[-1], axis=axis - 1)[..., 0] < 0).all():
            tables = [np.flip(table, axis) for table in tables]
            written = np.flip(written, axis)
    if (np.diff(places[-1], axis=-1) < 0).all():
        tables = [_turned(table, frame) for table in tables]
        written = _turned(written, frame) if frame.axis >= 0 else written
    return tables, written


def _turned(table: np.ndarray, frame: _PaddedFrame) -> np.ndarray:
    found = table.copy()
    for row, length in enumerate(frame.lengths):
        found[row, ..., :length] = table[row, ..., :length][..., ::-1]
    return found


def _operand(writer: ArrayWriter, space: int, table: np.ndarray) -> tuple[Operand, bool] | None:
    """The operand over all rows, the padding included, and whether its padding is copies."""
    real = np.broadcast_to(table >= 0, table.shape)
    stored, places = writer.found(space, table[real])
    if stored is None:
        return _still(writer, space, table, real)
    if stored.values is not None:
        values = stored.values[places]
        if (values == values[0]).all():
            return Operand(writer.dialect.literal(float(values[0]))), True
        return None
    positions = np.full(table.shape, -1, dtype=np.int64)
    positions[real] = places
    base = int(positions[(0,) * table.ndim])
    strides = []
    for axis, size in enumerate(table.shape):
        here = [0] * table.ndim
        if axis == table.ndim - 1:
            here[0] = table.shape[0] - 1  # the longest row
        there = list(here)
        there[axis] += 1
        strides.append(int(positions[tuple(there)] - positions[tuple(here)]) if size > 1 else 0)
    full = np.full(table.shape, base, dtype=np.int64)
    for axis, (size, stride) in enumerate(zip(table.shape, strides, strict=True)):
        along = [1] * table.ndim
        along[axis] = size
        full = full + (np.arange(size, dtype=np.int64) * stride).reshape(along)
    if (full[real] != positions[real]).any() or full.min() < 0 or full.max() >= stored.array.size:
        return None
    rule = StrideRule(base, table.shape, tuple(strides))
    if cut(rule, stored.array.shape) is None:
        return None
    twins = np.arange(stored.array.size) if stored.twins is None else stored.twins
    copies = (twins[full] == twins[full[..., :1]])[~real].all()
    return Operand(stored.array, rule), bool(copies)


def _still(
    writer: ArrayWriter, space: int, table: np.ndarray, real: np.ndarray
) -> tuple[Operand, bool] | None:
    """An operand from several arrays, which is the same along each row."""
    first = table[..., :1]
    if (np.broadcast_to(first, table.shape)[real] != table[real]).any():
        return None
    found = writer.operand(space, first[..., 0])
    if found.rule is None:
        return Operand(writer.dialect.reshape(found.array, (*found.array.shape, 1))), True
    rule = found.rule
    return Operand(
        found.array, StrideRule(rule.base, (*rule.sizes, table.shape[-1]), (*rule.strides, 0))
    ), True


def _write(
    writer: ArrayWriter,
    pieces: Sequence[Piece],
    operands: list[tuple[Operand, bool]],
    written: np.ndarray,
    frame: _PaddedFrame,
) -> None:
    dialect, first = writer.dialect, pieces[0]
    rank = 2 + len(frame.inner)
    if isinstance(first, Map):
        everywhere = list(range(rank))
        found = dialect.apply(first.kernel, [writer.whole(operand, everywhere) for operand, _ in operands])
        name = first.kernel.replace("'", "_slope")
    elif isinstance(first, Most):
        whole = writer.whole(operands[0][0], list(range(rank)))
        found = dialect.largest(dialect.masked(frame.mask, whole, dialect.literal(float("-inf"))))
        name = "most"
    elif frame.axis < 0:
        found, name = _sum(writer, first, [operand for operand, _ in operands], frame), "sum"
    else:
        both = [operand for operand, _ in operands]
        found, name = writer.chained(first, both, (len(pieces), *frame.inner), frame.longest), "dot"
    lanes = first.space == LANES
    if frame.axis < 0:
        found = dialect.expand(found, (len(pieces), *frame.inner), lanes)
        writer.store(first.space, written.reshape(-1), writer.name(name, found))
        return
    shape = (len(pieces), *frame.inner, frame.longest)
    found = writer.name(name, dialect.expand(found, shape, lanes))
    if not all(copies for _, copies in operands):
        start = dialect.index(found, (*((0, size) for size in shape[:-1]), (0, 1)))
        found = writer.name(name, dialect.masked(frame.mask, found, start))
    real = np.broadcast_to(frame.mask, shape).reshape(-1)
    places = np.arange(real.size)
    twins = np.where(real, places, places - places % frame.longest)
    writer.store(first.space, written.reshape(-1)[real], found, places[real], twins=twins)


def _sum(writer: ArrayWriter, first: Chain, operands: list[Operand], frame: _PaddedFrame) -> DialectArray:
    """Sums of the terms of each row, where the padding counts as 0."""
    dialect = writer.dialect
    rank = 2 + len(frame.inner)
    dims = (len(frame.lengths), *frame.inner)
    a = operands[0]
    if a.array.number is not None:
        operands = operands[::-1]
        a = operands[0]
    masked = Operand(dialect.masked(frame.mask, writer.whole(a, list(range(rank))), dialect.literal(0.0)))
    masked = Operand(dialect.expand(masked.array, masked.array.shape, masked.array.lanes))
    found = writer.summed(masked, operands[1] if len(operands) > 1 else None, dims, frame.longest)
    return dialect.negative(found) if first.runs[0].kind in "-~" else found
