"""The reference executor: what a Plan means, in NumPy.

    executor = Reference(plan)
    shared_out, lane_out = executor.run(shared, lanes)

It is written to be read, and to be right: the compiled executor is held against it, bit for bit.  Cells are
rows of two arrays, one number wide for SHARED and as wide as the batch for LANES, so that an operand of
either kind meets one of the other.  An instruction is computed for all members and all samples at once, but
a sum is never: its terms are added one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Any

from ..ops import OPS
from ..text.translation import say
from .elementwise import ELEMENTWISE, largest, sum_rounded_once
from .numpy_loader import numpy
from .plan import LANES, SHARED, Access, Chain, Instruction, Map, Most, Plan, Put, Take

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .numpy_loader import Array, Columns
else:
    np = numpy()

__all__ = ["DTYPES", "Reference", "cells_of"]

DTYPES = ("float64", "float32")
EIGHT, CHUNK = 8, 256  # of samples: see LaneSum


class Reference:
    """A plan that can be run.  `exact` changes nothing here: the reference is always exact.

    With dtype "float32" every cell is one, and so is every term of a sum; the value of a formula is
    computed in double precision and then rounded.  `threads` is accepted and not needed.
    """

    def __init__(self, plan: Plan, exact: bool = True, dtype: str = "float64") -> None:
        if dtype not in DTYPES:
            raise ValueError(say("compile.run.dtype", given=repr(dtype), known=", ".join(DTYPES)))
        self.plan, self.exact, self.dtype = plan, exact, dtype

    def run(
        self, shared: Array | Sequence[float], lanes: Columns | None = None, threads: int = 1
    ) -> tuple[Array, Array]:
        """The outputs in SHARED, one number each, and those in LANES: [batch, outputs]."""
        cells = self._loaded(shared, lanes)
        self._compute(cells)
        return self._outputs(cells, SHARED)[:, 0], self._outputs(cells, LANES).T

    def run_into(
        self,
        shared: Array | Sequence[float],
        columns: Columns | None,
        shared_out: Array,
        out_columns: Columns | None,
        threads: int = 1,
    ) -> None:
        """The same, written into arrays that exist; they may be those that were read."""
        shared_found, lane_found = self.run(shared, columns, threads)
        shared_out[...] = shared_found
        for place, column in enumerate(columns_of(out_columns)):
            column[...] = lane_found[:, place]

    # ---- in and out -------------------------------------------------------------------------------

    def _loaded(self, shared: Array | Sequence[float], lanes: Columns | None) -> tuple[Array, Array]:
        """The cells of both spaces as they are before the first instruction."""
        plan = self.plan
        wanted = [sum(space == kind for space, _ in plan.inputs) for kind in (SHARED, LANES)]
        given, columns = np.asarray(shared, dtype=np.float64), columns_of(lanes)
        if given.shape != (wanted[SHARED],):
            raise ValueError(say("compile.run.shared", wanted=wanted[SHARED], given=given.shape))
        if len(columns) != wanted[LANES] or len({len(column) for column in columns}) > 1:
            lengths = ", ".join(str(len(column)) for column in columns) or "0"
            raise ValueError(say("compile.run.lanes", wanted=wanted[LANES], given=lengths))
        batch = len(columns[0]) if columns else 0
        cells = (
            np.zeros((plan.cells[SHARED], 1), self.dtype),
            np.zeros((plan.cells[LANES], batch), self.dtype),
        )
        with np.errstate(all="ignore"):  # a number too large for float32 is infinite
            cells[SHARED][: len(given), 0] = given
            first = plan.first_constant
            cells[SHARED][first : first + len(plan.constants), 0] = plan.constants
            for cell, column in enumerate(columns):
                cells[LANES][cell] = column
        return cells

    def _outputs(self, cells: tuple[Array, Array], wanted: int) -> Array:
        return cells[wanted][[cell for space, cell in self.plan.outputs if space == wanted]]

    # ---- instructions -----------------------------------------------------------------------------

    def _compute(self, cells: tuple[Array, Array]) -> None:
        plan = self.plan
        with np.errstate(all="ignore"):
            for instruction in plan.instructions:
                numbers = self._results(instruction, cells)
                cells[instruction.space][instruction.out : instruction.out + len(numbers)] = numbers

    def _results(self, instruction: Instruction, cells: tuple[Array, Array]) -> Array:
        """The numbers of all members: [members, batch], or [members, 1] for shared ones."""
        if isinstance(instruction, Map):
            dims = instruction.dims
            return _mapped(instruction.kernel, [_operand(a, dims, cells) for a in instruction.operands])
        if isinstance(instruction, Chain):
            return _chained(instruction, cells)
        if isinstance(instruction, Most):
            where = cells_of(instruction.a, instruction.dims, instruction.terms)
            return np.asarray(largest(*(cells[instruction.a.space][column] for column in where.T)))
        if isinstance(instruction, Take):
            return _taken(instruction, cells)
        if isinstance(instruction, Put):
            return _put(instruction, cells)
        source = _operand(instruction.source, instruction.dims, cells)
        return _summed(np.broadcast_to(source, (len(source), cells[LANES].shape[1])))


def columns_of(lanes: Columns | None) -> list[Array]:
    """Lanes as columns: those of a matrix, or of a sequence of columns and matrices."""
    if lanes is None:
        return []
    arrays = [lanes] if isinstance(lanes, np.ndarray) else [np.asarray(part) for part in lanes]
    return [column for part in arrays for column in (part.T if part.ndim == 2 else [part])]


def cells_of(access: Access, dims: tuple[int, ...], terms: int = 1) -> NDArray[np.int64]:
    """The cell of each member and term: [members, terms]."""
    if access.index is not None:
        return access.index
    cells = np.array([access.base], dtype=np.int64)
    for count, stride in zip((*dims, terms), (*access.strides, access.step), strict=True):
        cells = np.add.outer(cells, stride * np.arange(count, dtype=np.int64))
    return cells.reshape(-1, terms)


def _operand(access: Access, dims: tuple[int, ...], cells: tuple[Array, Array]) -> Array:
    return cells[access.space][cells_of(access, dims)[:, 0]]


def _mapped(kernel: str, operands: list[Array]) -> Array:
    xs = [x.astype(np.float64) for x in operands]
    name, _, slot = kernel.partition("'")
    if kernel in _KERNELS:
        numbers = _KERNELS[kernel](*xs)
    elif slot:
        numbers = OPS[name].partials(ELEMENTWISE, *xs)[int(slot)]
    else:
        numbers = OPS[name].forward(ELEMENTWISE, *xs)
    shape = np.broadcast_shapes(*(x.shape for x in xs))
    return np.broadcast_to(np.asarray(numbers, dtype=np.float64), shape)


_KERNELS: dict[str, Callable[..., Any]] = {
    "match": lambda which, row, x: np.where(which == row, x, 0.0),
    "gate": lambda mask, x: np.where(mask != 0.0, x, 0.0),
    "equal": lambda x, y: np.where(x == y, 1.0, 0.0),
    "stop": lambda x: x,
}


def _chained(chain: Chain, cells: tuple[Array, Array]) -> Array:
    terms = [np.zeros((1, 1), cells[SHARED].dtype)] if chain.zero else []
    for run in chain.runs:
        accesses = (run.a,) if run.b is None else (run.a, run.b)
        where = [cells_of(access, chain.dims, run.terms) for access in accesses]
        for k in range(run.terms):
            term, *factor = [cells[access.space][w[:, k]] for access, w in zip(accesses, where, strict=True)]
            term = term * factor[0] if factor else term
            terms.append(-term if run.kind in "-~" else term)
    if chain.exact:
        return np.asarray(sum_rounded_once(*terms))
    total = terms[0]
    for term in terms[1:]:
        total = total + term  # subtracting is adding the negative, to the bit
    return np.broadcast_to(total, (prod(chain.dims), total.shape[1]))


def _taken(take: Take, cells: tuple[Array, Array]) -> Array:
    which = _operand(take.which, take.dims, cells)
    table = cells_of(take.table, take.dims, take.terms)
    # Whoever calls has looked at the bounds; here the nearest row stands for one that does not exist.
    term = np.nan_to_num(np.clip(which, 0, take.terms - 1)).astype(np.int64)
    chosen = np.take_along_axis(table, term, axis=1)  # the cell for each member and sample
    numbers = cells[take.table.space]
    return numbers[chosen, np.arange(numbers.shape[1])]


def _put(put: Put, cells: tuple[Array, Array]) -> Array:
    row = _operand(put.row, put.dims, cells)
    which, source = (cells_of(access, put.dims, put.terms) for access in (put.which, put.source))
    total = np.zeros((1, 1), row.dtype)
    for k in range(put.terms):
        here = cells[put.which.space][which[:, k]] == row
        total = total + np.where(here, cells[put.source.space][source[:, k]], total.dtype.type(0.0))
    return total


def _summed(lanes: Array) -> Array:
    """The sum over the batch, in the order that LaneSum states."""
    members, batch = lanes.shape
    chunks = -(-batch // CHUNK)
    padded = np.zeros((members, chunks * CHUNK), lanes.dtype)  # more zeros change no sum that begins with 0.0
    padded[:, :batch] = lanes
    samples = padded.reshape(members, chunks, CHUNK // EIGHT, EIGHT)
    sums = np.zeros((members, chunks, EIGHT), lanes.dtype)
    for place in range(CHUNK // EIGHT):
        sums = sums + samples[:, :, place]
    for _ in range(3):  # 8 sums, 4, 2, 1
        sums = sums[..., 0::2] + sums[..., 1::2]
    total = np.zeros((members, 1), lanes.dtype)
    for chunk in range(chunks):
        total = total + sums[:, chunk]
    return total
