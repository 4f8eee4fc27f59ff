"""Writer of a plan: it says each instruction once, as an operation on whole arrays.

Each instruction leaves an array of its own.  An operand is found as a part of such an array, or of some that
are joined; what is the same for all members is a number in the text.  A sum of products is a matrix product
where its operands allow it.  Sums are not kept in order: what is written agrees with the program to rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import LANES, Chain, Instruction, Map, Most, Put, Take, accesses_of
from ..reference import cells_of
from .dialect import DialectArray
from .instruction_families import families, write_family
from .places import Operand, Stored, cells_in
from .sums import Sums

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["ArrayWriter"]


class ArrayWriter(Sums):
    """What `write` has said is in the dialect's lines; `numbers` finds the outputs."""

    def write(self) -> None:
        for part in (self.plan.before, self.plan.body, self.plan.after):
            for family in families(part):
                if len(family) == 1 or not write_family(self, family):
                    for instruction in family:
                        self.instruction(instruction)

    def numbers(self, places: Sequence[tuple[int, int]], shape: tuple[int, ...]) -> DialectArray:
        """Some outputs of the plan, by their spaces and cells, as one array."""
        spaces = {space for space, _ in places}
        if len(spaces) > 1:
            parts = [self.numbers([place], (1,)) for place in places]
            return self.dialect.reshape(self.dialect.join(parts), shape)
        cells = np.array([cell for _, cell in places], dtype=np.int64).reshape(shape)
        found = self.whole(self.operand(spaces.pop(), cells), range(len(shape)))
        if found.number is not None:
            return self.dialect.constant(np.full(shape, found.number), "c")
        return self.dialect.expand(found, shape, found.lanes)

    def instruction(self, ins: Instruction) -> None:
        dims = tuple(size for size in ins.dims if size > 1)
        axes = list(range(len(dims)))
        if isinstance(ins, Map):
            if self._alike(ins):
                return
            dims, cells = self._shaped(dims, [(a.space, cells_in(a, ins.dims, 1)) for a in ins.operands])
            axes = list(range(len(dims)))
            operands = [self.whole(self.operand(space, its), axes) for space, its in cells]
            name, found = ins.kernel.replace("'", "_slope"), self.dialect.apply(ins.kernel, operands)
        elif isinstance(ins, Chain):
            name, found = self._chain(ins, dims)
        elif isinstance(ins, Most):
            operand = self._access(ins.a, ins.dims, ins.terms)
            name, found = "most", self._most(operand, ins.terms, axes)
        elif isinstance(ins, Take):
            name, found = "taken", self._take(ins, dims)
        elif isinstance(ins, Put):
            name, found = "put", self._put(ins, dims)
        else:
            whole = self.whole(self._access(ins.source, ins.dims, 1), axes)
            name, found = "total", self.dialect.over_lanes(self.dialect.expand(whole, dims, True))
        if found.number is not None:
            found = self.dialect.constant(np.array(found.number), "c")
        found = self.dialect.expand(found, dims, ins.space == LANES)
        if not found.text.isidentifier():
            found = self.name(name, found)
        self.store(ins.space, np.arange(ins.out, ins.out + math.prod(dims)), found)

    def _alike(self, ins: Map) -> bool:
        """A function of all numbers of an array is written over the array as it is, whatever its shape."""
        count = math.prod(ins.dims)
        found: list[tuple[Stored | None, np.ndarray, Operand | None]] = []
        for access in ins.operands:
            cells = cells_of(access, ins.dims, 1).reshape(-1)
            stored, places = self.found(access.space, cells)
            if (cells == cells[0]).all() and count > 1:
                found.append((None, places, self.operand(access.space, cells[:1].reshape(()))))
            elif stored is None or stored.values is not None or len(np.unique(places)) != count:
                return False
            else:
                found.append((stored, places, None))
        wholes = [(stored, places) for stored, places, _ in found if stored is not None]
        if not wholes:
            return False
        (first, order), *others = wholes
        real = first.array.size if first.twins is None else len(np.unique(first.twins))
        if real != count or (
            first.twins is None and len(first.array.shape) < 2 and (np.diff(order) == 1).all()
        ):
            return False
        for stored, places in others:
            same = stored.twins is first.twins or (
                stored.twins is not None
                and first.twins is not None
                and np.array_equal(stored.twins, first.twins)
            )
            if stored.array.shape != first.array.shape or not same or not np.array_equal(places, order):
                return False
        rank = len(first.array.shape)
        operands = []
        for stored, _, operand in found:
            if operand is None:
                operands.append((stored or first).array)
            elif operand.array.number is not None:
                operands.append(operand.array)
            else:  # a number of each sample must stand beside all axes of the array
                operands.append(self.dialect.spread(self.whole(operand, []), (True,) * rank))
        array = self.dialect.apply(ins.kernel, operands)
        array = self.dialect.expand(array, first.array.shape, ins.space == LANES)
        named = self.name(ins.kernel.replace("'", "_slope"), array)
        self.store(ins.space, np.arange(ins.out, ins.out + count), named, order, twins=first.twins)
        return True

    def _shaped(
        self, dims: tuple[int, ...], operands: list[tuple[int, np.ndarray]]
    ) -> tuple[tuple[int, ...], list[tuple[int, np.ndarray]]]:
        """A flat list of members in the shape of an operand that is all of an array."""
        if len(dims) == 1:
            for space, cells in operands:
                stored, places = self.found(space, cells)
                if stored is None or stored.values is not None or stored.array.size != dims[0]:
                    continue
                if len(stored.array.shape) > 1 and np.array_equal(places, np.arange(dims[0])):
                    shape = stored.array.shape
                    return shape, [(space, cells.reshape(shape)) for space, cells in operands]
        return dims, operands

    def _most(self, operand: Operand, terms: int, axes: list[int]) -> DialectArray:
        if terms == 1 or operand.array.number is not None or operand.still(len(axes)):
            return self.whole(operand, axes)
        return self.dialect.largest(self.whole(operand, [*axes, len(axes)]))

    def _put(self, ins: Put, dims: tuple[int, ...]) -> DialectArray:
        """What comes back from each look-up that chose the row, else 0 (a product would turn inf to NaN)."""
        axes = list(range(len(dims)))
        everywhere = [*axes, len(dims)] if ins.terms > 1 else axes
        operands = []
        for access, terms in accesses_of(ins):
            cells = cells_in(access, ins.dims, terms)
            if terms < ins.terms:  # the row is one for all terms
                cells = cells[..., None]
            operands.append(self.whole(self.operand(access.space, cells), everywhere))
        return self._total(Operand(self.dialect.apply("match", operands)), ins.terms, axes)

    def _take(self, ins: Take, dims: tuple[int, ...]) -> DialectArray:
        dialect, k = self.dialect, len(dims)
        axes = list(range(k))
        which, table = self._access(ins.which, ins.dims, 1), self._access(ins.table, ins.dims, ins.terms)
        if table.array.number is not None or ins.terms == 1 or table.still(k):
            return self.whole(table, axes)
        chosen, columns = self._moving(which, axes), self._moving(table, axes)
        if not table.array.lanes and not set(chosen) & set(columns):
            rows = self.whole(table, [k, *columns])
            found = dialect.rows(rows, dialect.wide(self.whole(which, chosen)))
            live = [*chosen, *columns]
            order = tuple(live.index(axis) for axis in sorted(live))
            if order != tuple(sorted(order)):
                found = dialect.permute(found, order)
            shape = tuple(size if axis in live else 1 for axis, size in enumerate(dims))
            return dialect.reshape(found, shape)
        whole = dialect.expand(self.whole(table, [*axes, k]), (*dims, ins.terms), table.array.lanes)
        return dialect.along(whole, dialect.wide(self.whole(which, axes)))
