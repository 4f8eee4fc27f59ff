"""Data of training steps, as tables of numbers: one row for each step of one structure.

Arrays are taken as they are, however many steps they hold.  Lists are taken apart step by step, and steps of
one structure that follow each other share a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ...scalar import Value
from ...text.excerpts import describe
from ...text.translation import say
from ..numpy_loader import numpy
from ..structure import Parts, Tree, is_array, put_together, take_apart

if TYPE_CHECKING:
    from ..numpy_loader import Array, Doubles

__all__ = ["StepTable", "batches", "one_step", "steps"]


@dataclass(slots=True)
class StepTable:
    """Steps with data of one structure that follow each other; in a batch, all samples are of one."""

    tree: Tree  # of the tuple of arguments of one sample
    kinds: str
    numbers: Doubles  # [step, number], or [step, sample, number]
    samples: list[tuple[object, ...]] | None = (
        None  # of one step, where they differ in structure: no table then
    )
    values: Sequence[Value] = ()  # that are among the numbers

    def __len__(self) -> int:
        return 1 if self.samples is not None else len(self.numbers)

    @property
    def batch(self) -> int:
        """How many samples a step has; 0 where it is given one without an axis for them."""
        return int(self.numbers.shape[1]) if self.numbers.ndim == 3 else 0

    def part(self, start: int, stop: int) -> StepTable:
        return StepTable(self.tree, self.kinds, self.numbers[start:stop])

    def arguments(self, step: int) -> list[tuple[object, ...]]:
        """The samples of a step, as arguments; one, if there is no batch."""
        if self.samples is not None:
            return self.samples
        rows = self.numbers[step] if self.batch else self.numbers[step][None]
        return [self._put_together(row.tolist()) for row in rows]

    def _put_together(self, row: list[float]) -> tuple[object, ...]:
        exact = [int(x) if kind == "i" else x for x, kind in zip(row, self.kinds, strict=True)]
        found: tuple[object, ...] = put_together(self.tree, exact)
        return found


def one_step(data: Sequence[object]) -> StepTable:
    """One step."""
    parts = take_apart(tuple(data))
    return StepTable(parts.tree, parts.kinds, _rows([parts]), values=parts.values)


def steps(data: Sequence[Any]) -> list[StepTable]:
    """A step for each entry of the arguments."""
    count = _length(data)
    if not count:
        return []
    if all(map(_plain_array, data)):
        first = take_apart(tuple([argument[0] for argument in data]))
        flat = [argument.reshape(count, -1) for argument in data]
        return [StepTable(first.tree, first.kinds, _joined(flat, 1))]
    every = [take_apart(step) for step in zip(*data, strict=True)]
    tables = []
    for (tree, kinds), group in groupby(every, key=lambda parts: (parts.tree, parts.kinds)):
        alike = list(group)
        tables.append(StepTable(tree, kinds, _rows(alike), values=_values(alike)))
    return tables


def batches(data: Sequence[Any], single: bool) -> list[StepTable]:
    """Steps whose arguments have an axis for the samples; `single`: one step, without an axis for it."""
    if single:
        data = [argument[None] if is_array(argument) else [argument] for argument in data]
    count = _length(data)
    if not count:
        return []
    if all(map(_plain_array, data)) and all(argument.ndim > 1 and argument.shape[1] for argument in data):
        if len({argument.shape[1] for argument in data}) != 1:
            raise ValueError(say("compile.steps.lengths", given=", ".join(map(describe, data))))
        first = take_apart(tuple([argument[0, 0] for argument in data]))
        flat = [argument.reshape(count, argument.shape[1], -1) for argument in data]
        return [StepTable(first.tree, first.kinds, _joined(flat, 2))]
    return [_batch(step) for step in zip(*data, strict=True)]


def _batch(data: Sequence[object]) -> StepTable:
    count = _length(data)
    if not count:
        raise ValueError(say("compile.steps.empty"))
    every = [take_apart(sample) for sample in zip(*data, strict=True)]
    first = every[0]
    if all(parts.tree == first.tree and parts.kinds == first.kinds for parts in every):
        return StepTable(first.tree, first.kinds, _rows(every)[None], values=_values(every))
    return StepTable(None, "", numpy().zeros((1, 0)), [parts.given() for parts in every], _values(every))


def _length(data: Sequence[Any]) -> int:
    if not data or not all(hasattr(argument, "__len__") for argument in data):
        raise ValueError(say("compile.steps.lengths", given=", ".join(map(describe, data))))
    lengths = {len(argument) for argument in data}
    if len(lengths) != 1:
        raise ValueError(say("compile.steps.lengths", given=", ".join(map(describe, data))))
    return lengths.pop()


def _plain_array(argument: object) -> bool:
    return is_array(argument) and argument.ndim > 0 and argument.dtype.kind in "fiu"


def _values(every: Sequence[Parts]) -> list[Value]:
    return [value for parts in every for value in parts.values]


def _rows(every: Sequence[Parts]) -> Doubles:
    np = numpy()
    rows: Doubles = np.array([parts.numbers for parts in every], dtype=float).reshape(len(every), -1)
    return rows


def _joined(flat: Sequence[Array], axis: int) -> Doubles:
    np = numpy()
    joined = flat[0] if len(flat) == 1 else np.concatenate(flat, axis=axis)
    table: Doubles = np.ascontiguousarray(joined, dtype=float)
    return table
