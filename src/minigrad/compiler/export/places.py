"""Places of the numbers of a plan while it is written: the array of each, and how it is cut out of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import SHARED, Access, Plan
from ..reference import cells_of
from .dialect import Dialect, DialectArray
from .leaves import identifier
from .views import StrideRule, cut, nested, rule_of, segments

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["ArrayPlaces", "Operand", "Stored", "cells_in"]

FEW, MOST_PIECES = 8, 64  # arrays that are joined part by part, rather than whole


@dataclass(slots=True)
class Stored:
    """An array that holds cells."""

    array: DialectArray
    values: np.ndarray | None = None  # of constants
    twins: np.ndarray | None = (
        None  # of an array with padding, for each position: the one whose number it has
    )


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand: one number for each member (and term), or a rule over one array, or an array as it is."""

    array: DialectArray
    rule: StrideRule | None = (
        None  # over dims and terms; None: `array` has that shape already, ones where it stands still
    )

    def still(self, axis: int) -> bool:
        """Whether it is the same along an axis of the instruction (none of which has the size 1)."""
        if self.rule is not None:
            return not self.rule.strides[axis]
        return not self.array.shape or self.array.shape[axis] == 1

    def terms(self, axis: int) -> int:
        return self.rule.sizes[axis] if self.rule is not None else self.array.shape[axis]

    def turned(self) -> Operand:
        """With the last two axes exchanged."""
        if self.rule is None:
            return self
        *sizes, a, b = self.rule.sizes
        *strides, c, d = self.rule.strides
        return Operand(self.array, StrideRule(self.rule.base, (*sizes, b, a), (*strides, d, c)))


def cells_in(access: Access, dims: tuple[int, ...], terms: int) -> np.ndarray:
    """The cells of an operand: [*dims, terms], without the axes that have the size 1."""
    cells = cells_of(access, dims, terms)
    return cells.reshape([size for size in (*dims, terms) if size > 1])


class ArrayPlaces:
    """The arrays that were written so far, by the cells that they hold."""

    def __init__(self, plan: Plan, dialect: Dialect, inputs: Sequence[tuple[DialectArray, int, int]]) -> None:
        """`inputs`: the arrays of the arguments, with the space and the first cell of each."""
        self.plan = plan
        self.dialect = dialect
        self._owner = [np.full(count, -1, dtype=np.int64) for count in plan.cells]
        self._place = [np.zeros(count, dtype=np.int64) for count in plan.cells]
        self._stored: list[Stored] = []
        self._count: dict[str, int] = {}
        self._joined: dict[tuple[tuple[int, int, int], ...], DialectArray] = {}
        self._pieces: dict[tuple[int, tuple[int, ...], bytes], DialectArray] = {}
        for array, space, cell in inputs:
            self.store(space, np.arange(cell, cell + array.size), array)
        if len(plan.constants):
            cells = np.arange(plan.first_constant, plan.first_constant + len(plan.constants))
            self.store(SHARED, cells, DialectArray("", cells.shape), values=plan.constants)

    def store(
        self,
        space: int,
        cells: np.ndarray,
        array: DialectArray,
        places: np.ndarray | None = None,
        **known: np.ndarray | None,
    ) -> None:
        """From now on these cells are found in this array: in its order, or at these places of it."""
        self._owner[space][cells] = len(self._stored)
        self._place[space][cells] = np.arange(len(cells)) if places is None else places
        self._stored.append(Stored(array, **known))

    def found(self, space: int, cells: np.ndarray) -> tuple[Stored | None, np.ndarray]:
        """The array that holds all these cells, if one does, and where they are in it."""
        owners = np.unique(self._owner[space][cells])
        return self._stored[int(owners[0])] if len(owners) == 1 else None, self._place[space][cells]

    def _access(self, access: Access, dims: tuple[int, ...], terms: int) -> Operand:
        return self.operand(access.space, cells_in(access, dims, terms))

    def operand(self, space: int, cells: np.ndarray) -> Operand:
        for axis in range(cells.ndim):  # where it stands still, one is enough
            first = cells.take([0], axis=axis)
            if cells.shape[axis] > 1 and (cells == first).all():
                cells = first
        stored, places = self.found(space, cells)
        if stored is not None:
            return (
                self._part(stored.array, places)
                if stored.values is None
                else self._constant(stored.values[places])
            )
        apart = self._apart(space, cells)
        if apart is not None:
            return self._part(apart, np.arange(cells.size).reshape(cells.shape))
        array, moved = self._join(space, cells)
        return self._part(array, moved)

    def _apart(self, space: int, cells: np.ndarray) -> DialectArray | None:
        """Parts of several arrays one after the other, where each array is needed in one place only."""
        cells = cells.squeeze()
        flat = cells.reshape(-1)
        key = (space, cells.shape, flat.tobytes())
        if key in self._pieces:
            return self._pieces[key]
        who = self._owner[space][flat]
        bounds = [0, *(np.flatnonzero(np.diff(who)) + 1).tolist(), len(flat)]
        if len(bounds) - 1 > max(FEW, len(np.unique(who))) or len(bounds) > MOST_PIECES:
            return None
        inner = math.prod(cells.shape[1:])
        rows = all(bound % inner == 0 for bound in bounds)
        parts: list[DialectArray] = []
        for first, past in pairwise(bounds):
            mine = flat[first:past].reshape(-1, *cells.shape[1:]) if rows else flat[first:past]
            operand = self.operand(space, mine)
            if operand.array.number is not None:
                parts.append(self.dialect.constant(np.full(mine.shape, operand.array.number), "c"))
                continue
            part = self.whole(operand, range(mine.ndim))
            parts.append(self.dialect.expand(part, mine.shape, part.lanes))
        self._pieces[key] = self.name("joined", self.dialect.join(parts))
        return self._pieces[key]

    def _constant(self, values: np.ndarray) -> Operand:
        if (values == values.flat[0]).all():
            return Operand(self.dialect.literal(float(values.flat[0])))
        for axis in range(values.ndim):  # where it stands still, one is enough
            first = values.take([0], axis=axis)
            if (values == first).all():
                values = first
        return Operand(self.dialect.constant(np.ascontiguousarray(values), "c"))

    def _part(self, array: DialectArray, places: np.ndarray) -> Operand:
        rule = rule_of(places)
        if rule is not None and cut(rule, array.shape) is not None:
            return Operand(array, rule)
        dialect = self.dialect
        flat = places.reshape(-1)
        loops = nested(flat)
        pieces = [loops] if loops is not None else segments(flat)
        found: list[DialectArray] = []
        for piece in pieces or ():
            how = cut(piece, array.shape)
            if how is None:
                break
            view = dialect.cut(array, how, tuple(not stride for stride in piece.strides))
            view = dialect.expand(view, piece.sizes, array.lanes)
            found.append(dialect.reshape(view, (math.prod(piece.sizes),)))
        if pieces and len(found) == len(pieces):
            joined = found[0] if len(found) == 1 else dialect.join(found)
            return Operand(dialect.reshape(joined, places.shape))
        return Operand(dialect.gather(dialect.reshape(array, (array.size,)), places))

    def _join(self, space: int, cells: np.ndarray) -> tuple[DialectArray, np.ndarray]:
        """Several arrays as one, and where the cells are in it."""
        dialect = self.dialect
        key, moved, offset = [], np.empty_like(cells), 0
        which, places = self._owner[space][cells], self._place[space][cells]
        for owner in sorted(np.unique(which).tolist(), key=lambda owner: int(cells[which == owner].min())):
            mine = places[which == owner]
            first, past = int(mine.min()), int(mine.max()) + 1
            stored = self._stored[owner]
            if stored.values is None and 2 * (past - first) > stored.array.size:
                first, past = 0, stored.array.size
            key.append((owner, first, past))
            moved[which == owner] = mine - first + offset
            offset += past - first
        known = self._joined.get(tuple(key))
        if known is None:
            parts = []
            for owner, first, past in key:
                stored = self._stored[owner]
                if stored.values is not None:
                    parts.append(dialect.constant(stored.values[first:past], "c"))
                elif past - first == stored.array.size and stored.array.shape:
                    parts.append(stored.array)
                else:
                    flat = dialect.reshape(stored.array, (stored.array.size,))
                    parts.append(dialect.index(flat, ((first, past),)))
            if not all(part.shape[1:] == parts[0].shape[1:] for part in parts):
                parts = [dialect.reshape(part, (part.size,)) for part in parts]
            known = self.name("joined", dialect.join(parts))
            self._joined[tuple(key)] = known
        return known, moved

    def name(self, base: str, array: DialectArray) -> DialectArray:
        sizes = " x ".join([*(["n"] if array.lanes else []), *map(str, array.shape)])
        self._count[base] = self._count.get(base, 0) + 1
        between = "_" if base[-1].isdigit() else ""  # pow_slope0_1 is the first of pow_slope0
        name = identifier(f"{base}{between}{self._count[base]}", self.dialect.taken)
        return self.dialect.named(name, array, sizes)

    # ---- operands as arrays ----------------------------------------------------------------------

    def whole(self, operand: Operand, axes: Sequence[int]) -> DialectArray:
        """The operand over these axes: of the size 1 where it stands still.  The others must stand still."""
        array = operand.array
        if array.number is not None:
            return array
        if operand.rule is None:
            inside = sorted(axes)
            found = self.dialect.reshape(array, tuple(array.shape[axis] for axis in inside))
            order = tuple(inside.index(axis) for axis in axes)
            return found if list(axes) == inside else self.dialect.permute(found, order)
        rule = operand.rule
        kept = StrideRule(rule.base, tuple(rule.sizes[a] for a in axes), tuple(rule.strides[a] for a in axes))
        how = cut(kept, array.shape)
        assert how is not None  # _part has seen to it
        return self.dialect.cut(array, how, tuple(not stride for stride in kept.strides))

    def _moving(self, operand: Operand, axes: Sequence[int]) -> list[int]:
        return [axis for axis in axes if not operand.still(axis)]
