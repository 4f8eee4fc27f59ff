"""Bound training step: every part bound to its arrays, so that a step is one native call.

What is bound stays right while the arrays, the loss, and the settings of the optimiser are those that it was
bound for; `training_step.py` drops it where one of the first two is another, and asks `holds` for the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, inf
from typing import TYPE_CHECKING, TypeAlias

from ...values import ieee
from ...values.formulas import mean
from ..executors import Executor, PlainCall, bind_call, loop
from ..numpy_loader import numpy
from ..structure import is_array
from .optimiser_updates import FACTOR, Updates
from .step_parts import Loss, averaging, mean_of

if TYPE_CHECKING:
    from ..._native.vector import Call
    from ..numpy_loader import Array, Doubles

__all__ = ["BoundStep", "NativeCall", "kind_of_data", "may_be_large", "mean_rounded_once"]

MOST = 1_024  # losses of a batch whose mean is taken in the step itself: beyond, one more program costs more
Feeds: TypeAlias = "Sequence[tuple[Doubles, Doubles]]"  # as `executors.loop` takes them
_nothing: Feeds = ()
DataKind: TypeAlias = "tuple[tuple[tuple[int, ...], str], ...]"  # of each array its shape and its type


@dataclass(slots=True)
class NativeCall:
    """A loss, ready to run: where its numbers go, and where its results will lie."""

    loss: Loss
    executor: Executor
    shared: Doubles
    outside: Doubles  # the part of `shared` for what it reads beside the parameters and the data
    data: Doubles  # where the numbers of a step go: a row, or [sample, number]
    columns: Doubles | None
    out: Doubles
    lanes: Doubles | None  # [output, sample] of what differs between samples
    value: Doubles  # where the loss will lie: one number, or one for each sample

    def arguments(self) -> tuple[Doubles, Doubles | None, Doubles, list[Doubles] | None]:
        return self.shared, self.columns, self.out, None if self.lanes is None else list(self.lanes)

    def run(self, threads: int) -> None:
        self.executor.run_into(*self.arguments(), threads=threads)


def kind_of_data(data: Sequence[object]) -> DataKind | None:
    """What steps of one kind have in common; None where an argument is no array that is read as it is."""
    kind = []
    for argument in data:
        if not is_array(argument) or not argument.ndim or argument.dtype.char not in "dfbhilqBHILQ":
            return None
        kind.append((argument.shape, argument.dtype.char))
    return tuple(kind)


def may_be_large(kind: DataKind) -> bool:
    """Whether there are integers that may be too large for a number."""
    return any(char in "lqLQ" for _, char in kind)


def mean_rounded_once(losses: list[float]) -> float:
    """`mean` of the op table; its branch for a sum beyond the largest number only where it is needed."""
    if len(losses) == 1:
        return losses[0]
    try:
        total = fsum(losses)
    except (OverflowError, ValueError):
        total = inf
    return total / len(losses) if abs(total) < inf else float(mean(ieee, *losses))


class BoundStep:
    """Whole steps with one loss on data of one kind."""

    def __init__(
        self,
        call: NativeCall,
        updates: Updates,
        data: Doubles,
        grad: Doubles,
        clip: Executor | None,
        threads: int,
    ) -> None:
        np = numpy()
        self.call, self._updates, self._threads = call, updates, threads
        self._settings = updates.settings()
        self._clip, shared = clip, updates.shared
        self._now = shared[FACTOR + 1 :]  # the numbers of this step
        batch = len(call.columns) if call.columns is not None else 0
        calls: list[PlainCall] = [
            (call.executor, *call.arguments(), call.loss.expected if len(call.loss.expected) else None)
        ]
        self.value = call.value
        if len(self.value) > 1:
            calls.append((averaging(), np.array([float(batch)]), [grad], np.zeros(0), [grad], None))
            if len(self.value) <= MOST:
                self.value = np.zeros(1)
                calls.append((mean_of(len(call.value)), call.value, None, self.value, None, None))
        if clip is not None:
            calls.append((clip, grad, None, shared[: FACTOR + 1], None, None))
        calls += updates.calls(data, grad)
        bound = [bind_call(each, threads) for each in calls]
        native = [each for each in bound if each is not None]
        self._calls: Sequence[PlainCall | Call] = native if len(native) == len(calls) else calls

    def holds(self) -> bool:
        """Whether the optimiser is set as it was."""
        return self._updates.settings() == self._settings

    def run(self, feeds: Feeds, collects: Feeds, count: int) -> int:
        """So many steps; how many kept to the guards."""
        if self.call.loss.outside:
            self.call.outside[:] = self.call.loss.numbers_outside()
        done = loop(self._calls, feeds, collects, count, threads=self._threads)
        self._updates.took(done)
        return done

    def run_many(self, numbers: Doubles, rates: Sequence[Sequence[float]]) -> Doubles:
        """A step for each row of numbers: what was collected of the steps that were taken."""
        np, count = numpy(), len(numbers)
        feeds = [(self._now, np.array(self._updates.table(rates), dtype=float).reshape(count, -1))]
        if numbers.size and numbers.strides[0] == 0:  # the same data in all of them
            self.call.data[...] = numbers[0]
        elif numbers.size:
            feeds.append((self.call.data.reshape(-1), numbers.reshape(count, -1)))
        losses = np.zeros((count, len(self.value)))
        found: Doubles = losses[: self.run(feeds, [(self.value, losses)], count)]
        return found

    def run_one(self, data: Sequence[Array]) -> bool:
        """One step on arrays of the kind that this is for; False where it was not taken."""
        into, begin = self.call.data, 0
        for argument in data:
            if into.ndim == 1:
                end = begin + argument.size
                into[begin:end] = argument.reshape(-1)
            else:
                end = begin + argument.size // len(into)
                into[:, begin:end] = argument.reshape(len(into), -1)
            begin = end
        if not self.call.loss.fits(into):
            return False
        self._now[:] = self._updates.now()
        return self.run(_nothing, _nothing, 1) == 1
