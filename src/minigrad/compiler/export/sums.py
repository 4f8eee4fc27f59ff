"""Sums and sums of products, as matrix products where their operands allow it."""

from __future__ import annotations

import math
import string
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import Chain
from .dialect import DialectArray
from .places import ArrayPlaces, Operand, cells_in
from .views import cut, rule_of

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["Sums"]


@dataclass(frozen=True, slots=True)
class Terms:
    """One side of the terms of a run: the cells [*dims, terms], or [*dims] of a single term."""

    space: int
    cells: np.ndarray
    terms: int


def _side_by_side(parts: list[Terms]) -> np.ndarray:
    return np.concatenate(
        [part.cells if part.terms > 1 else part.cells[..., None] for part in parts], axis=-1
    )


class Sums(ArrayPlaces):
    """A writer of chains."""

    def _chain(self, ins: Chain, dims: tuple[int, ...]) -> tuple[str, DialectArray]:
        dialect = self.dialect
        found: DialectArray | None = None
        name = "sum"
        for kind, a, b in self._terms(ins):
            term = self._run(a, b, dims)
            if b is not None and a.terms > 1:
                name = "dot"
            if found is None:
                found = dialect.negative(term) if kind in "-~" else term
            else:
                found = dialect.infix("-" if kind in "-~" else "+", found, term)
        return name, found if found is not None else dialect.literal(0.0)

    def chained(
        self, ins: Chain, operands: list[Operand], dims: tuple[int, ...], length: int
    ) -> DialectArray:
        """The chain of a family: operands over [*dims, terms, length], or [*dims, length] of single terms."""
        rest = iter(operands)
        found: DialectArray | None = None
        for run in ins.runs:
            a, b = next(rest), next(rest) if run.b is not None else None
            if run.terms > 1:  # the terms come last
                a, b = a.turned(), b.turned() if b is not None else None
            term = self.summed(a, b, (*dims, length), run.terms)
            minus = run.kind in "-~"
            if found is None:
                found = self.dialect.negative(term) if minus else term
            else:
                found = self.dialect.infix("-" if minus else "+", found, term)
        assert found is not None
        return found

    def _terms(self, ins: Chain) -> list[tuple[str, Terms, Terms | None]]:
        """The runs of a chain, those of one kind as one where that leaves their operands a rule."""
        runs: list[tuple[str, Terms, Terms | None]] = []
        for run in ins.runs:
            a = Terms(run.a.space, cells_in(run.a, ins.dims, run.terms), run.terms)
            b = Terms(run.b.space, cells_in(run.b, ins.dims, run.terms), run.terms) if run.b else None
            runs.append((run.kind, a, b))
        alike: dict[tuple[str, int, int], list[tuple[Terms, Terms | None]]] = {}
        for kind, a, b in runs:
            alike.setdefault((kind, a.space, b.space if b else -1), []).append((a, b))
        found: list[tuple[str, Terms, Terms | None]] = []
        for (kind, *_), parts in alike.items():
            merged = self._merged(parts)
            found += [(kind, *merged)] if merged else [(kind, *part) for part in parts]
        return sorted(
            found, key=lambda term: term[0] in "-~"
        )  # a text does not begin with a minus if it need not

    def _merged(self, parts: list[tuple[Terms, Terms | None]]) -> tuple[Terms, Terms | None] | None:
        if len(parts) < 2:
            return None
        terms = sum(a.terms for a, _ in parts)
        a = _side_by_side([a for a, _ in parts])
        b = _side_by_side([b for _, b in parts if b]) if parts[0][1] else None
        keys = (
            [a.reshape(-1, a.shape[-1])[0]] if b is None else [x.reshape(-1, x.shape[-1])[0] for x in (a, b)]
        )
        order = np.lexsort(keys)
        left = Terms(parts[0][0].space, a[..., order], terms)
        right = Terms(parts[0][1].space, b[..., order], terms) if b is not None and parts[0][1] else None
        ruled = all(side is None or self._ruled(side) for side in (left, right))
        return (left, right) if ruled or len(parts) > 4 else None

    def _ruled(self, side: Terms) -> bool:
        stored, places = self.found(side.space, side.cells)
        if stored is None or stored.values is not None:
            return stored is not None
        rule = rule_of(places)
        return rule is not None and cut(rule, stored.array.shape) is not None

    def _run(self, left: Terms, right: Terms | None, dims: tuple[int, ...]) -> DialectArray:
        """The sum of the terms of a run."""
        a = self.operand(left.space, left.cells)
        b = None if right is None else self.operand(right.space, right.cells)
        return self.summed(a, b, dims, left.terms)

    def summed(self, a: Operand, b: Operand | None, dims: tuple[int, ...], terms: int) -> DialectArray:
        """The sum of a, or of the products of a and b, over the terms."""
        dialect, axes = self.dialect, list(range(len(dims)))
        if b is None:
            return self._total(a, terms, axes)
        if a.array.number is not None:
            a, b = b, a
        if b.array.number is not None:
            total = self._total(a, terms, axes)
            return total if b.array.number == 1.0 else dialect.infix("*", b.array, total)
        if terms > 1 and a.still(len(axes)) and b.still(len(axes)):
            once = dialect.infix("*", self.whole(a, axes), self.whole(b, axes))
            return dialect.infix("*", dialect.literal(float(terms)), once)
        if terms == 1:
            return dialect.infix("*", self.whole(a, axes), self.whole(b, axes))
        product = self._product(a, b, dims)
        if product is not None:
            return product
        everywhere = [*axes, len(dims)]
        both = dialect.infix("*", self.whole(a, everywhere), self.whole(b, everywhere))
        return self._total(Operand(both), terms, axes)

    def _total(self, operand: Operand, terms: int, axes: list[int]) -> DialectArray:
        dialect = self.dialect
        if operand.array.number is not None:
            return dialect.literal(operand.array.number * terms)
        if terms == 1:
            return self.whole(operand, axes)
        if operand.still(len(axes)):
            return dialect.infix("*", dialect.literal(float(terms)), self.whole(operand, axes))
        array = operand.array if operand.rule is None else self.whole(operand, [*axes, len(axes)])
        return dialect.total(array)

    def _product(self, a: Operand, b: Operand, dims: tuple[int, ...]) -> DialectArray | None:
        """The sum of products as a matrix product; None where it is no more than a row of products."""
        dialect, k = self.dialect, len(dims)
        if a.still(k) or b.still(k):
            return None
        live = [axis for axis in range(k) if not (a.still(axis) and b.still(axis))]
        mine, other = self._moving(a, live), self._moving(b, live)
        both = [axis for axis in live if axis in mine and axis in other]
        only_a = [axis for axis in live if axis not in other]
        only_b = [axis for axis in live if axis not in mine]
        lanes = (a.array.lanes, b.array.lanes)
        if not (only_a or only_b) and lanes[0] == lanes[1]:
            return None
        if all(lanes) and math.prod((*dims, a.terms(k))) <= dialect.spread_out:
            return None
        first, second = self.whole(a, [*mine, k]), self.whole(b, [*other, k])
        found = self._matmul(first, second, both, only_a, only_b, live)
        if found is None:
            letters = string.ascii_lowercase.replace("n", "")
            left = "".join(letters[axis] for axis in mine) + "z"
            right = "".join(letters[axis] for axis in other) + "z"
            found = dialect.einsum(first, second, left, right, "".join(letters[axis] for axis in live))
        shape = tuple(dims[axis] if axis in live else 1 for axis in range(k))
        return dialect.reshape(found, shape)

    def _matmul(
        self,
        a: DialectArray,
        b: DialectArray,
        both: list[int],
        only_a: list[int],
        only_b: list[int],
        live: list[int],
    ) -> DialectArray | None:
        """With the sign @, where the axes stand in its order."""
        dialect = self.dialect
        if both and not (len(only_a) == len(only_b) == 1):
            return None
        if not both and a.lanes and b.lanes and not (len(only_a) == len(only_b) == 1):
            return None
        if live == [*both, *only_b, *only_a] and (
            live != [*both, *only_a, *only_b] or (b.lanes and not a.lanes)
        ):
            a, b, only_a, only_b = b, a, only_b, only_a
        if live != [*both, *only_a, *only_b] or len(only_b) > 1:
            return None
        if b.lanes and not a.lanes and len(only_a) != 1:
            return None
        if not only_b:
            return dialect.matmul(a, b) if not b.lanes else None
        return dialect.matmul(a, dialect.turned(b))
