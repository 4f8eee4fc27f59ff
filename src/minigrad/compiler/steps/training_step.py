"""Training steps without Python in them: the loss, its gradient, clipping, and the optimiser's move.

    step = minigrad.compile(loss_of).training(optimiser, weights)    # loss_of(weights, tokens)
    for tokens in texts:
        loss = step(tokens)                  # the bits of loss.backward(); optimiser.step()
    losses = step.run(points, targets)       # a step for each point, in one native call
    step.write_back()                        # into the Values and the optimiser

What the first arguments hold (here the weights) stays; the rest comes with each step.  Values that the
function captures, such as the parameters of a module, need no argument.  Between two calls of `write_back`
the numbers live in arrays here: `read` takes over what was changed outside.  A rate that a schedule has set
is read at each step.  Data of another structure is another program on the same arrays.  One object is for
one thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import nan
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ...scalar import Value
from ...text.excerpts import describe
from ...text.translation import say
from ...values.validation import number
from ..numpy_loader import numpy
from ..structure import take_apart
from .bound_step import BoundStep, NativeCall, kind_of_data, may_be_large, mean_rounded_once
from .optimiser_updates import FACTOR, NORM, Updates
from .step_data import StepTable, batches, one_step, steps
from .step_parts import Loss, averaging, clipping

if TYPE_CHECKING:
    from ...nn.optimisers import Optimizer
    from ...nn.schedules import LRScheduler
    from ..numpy_loader import Doubles
    from ..program import Program
    from ..structure import Tree
    from .bound_step import DataKind

__all__ = ["Training", "training"]

MOST = 64  # variants of one structure: more means that a guard breaks again and again
MOST_READY = 32  # steps that are kept ready, with arrays of their own
FEW, MANY = 16, 1 << 14  # steps of one loop: few where guards break often


def training(
    program: Program, optimiser: Optimizer, *held: object, clip: float = 0.0, batched: bool = False
) -> Training:
    """Training steps of `program`, a function of `held` and of what each step brings.

    `clip`: the largest norm of a gradient, as for nn.clip_grad_norm_; 0 for any.  `batched`: each argument of
    a step has one more axis in front, and the step is that of the mean loss.
    """
    return Training(program, optimiser, held, clip, batched)


class Training:
    def __init__(
        self, program: Program, optimiser: Optimizer, held: Sequence[object], clip: float, batched: bool
    ) -> None:
        self._np = numpy()
        most = number(clip)
        if not most >= 0.0:
            raise ValueError(say("compile.steps.clip", given=describe(clip)))
        if not hasattr(optimiser, "rule"):
            raise TypeError(say("compile.steps.optimiser", given=describe(optimiser)))
        if not optimiser.ruled:
            raise TypeError(say("compile.steps.own_step", name=type(optimiser).__name__))
        if program.f is None:
            raise TypeError(say("compile.steps.function", name=program.__name__))
        self._program, self._batched = program, batched
        parts = take_apart(tuple(held))
        self._held = parts.given()
        self._numbers_held: list[float | Value] = list(parts.numbers)
        for place, value in zip(parts.places, parts.values, strict=True):
            self._numbers_held[place] = value
        self._optimiser, self._most = optimiser, most
        self._ready: dict[tuple[Loss, int], BoundStep] = {}  # by loss and size of the batch
        self._quick: dict[DataKind, BoundStep] = {}  # by the kind of the data
        self._count, self._nothing = self._np.ones(1), self._np.zeros(0)
        self._lanes = self._np.zeros((0, 0))
        try:
            self._laid_out(Updates(optimiser, clipped=most > 0.0))
        except NotImplementedError:  # an optimiser of somebody's own, which states no rule
            raise TypeError(say("compile.steps.optimiser", given=describe(optimiser))) from None

    def _laid_out(self, updates: Updates) -> None:
        """Arrays for the parameters of `updates`, in its order."""
        self._updates = updates
        self.parameters: list[Value] = updates.parameters  # in the order of `data` and `grad`
        self._places = {id(parameter): place for place, parameter in enumerate(self.parameters)}
        self._variants: dict[tuple[Tree, str], list[Loss]] = {}
        self._forget()
        count = len(self.parameters)
        # One array for what a loss reads, the parameters first; one for what it gives, the gradients last.
        self._cells: Doubles = self._np.zeros(count + 64)
        self._found: Doubles = self._np.zeros(count + 64)
        self._clip = clipping(updates.listed(), self._most) if self._most else None
        self._clipped = False
        self.data[:] = list(map(attrgetter("data"), self.parameters))

    # ---- the numbers ----------------------------------------------------------------------------

    @property
    def data(self) -> Doubles:
        """The parameters' numbers."""
        return self._cells[: len(self.parameters)]

    @property
    def grad(self) -> Doubles:
        """The gradients of the last step, before they were clipped."""
        return self._found[-len(self.parameters) :]

    @property
    def norm(self) -> float:
        """The norm of the last gradient; NaN where none is clipped."""
        return float(self._updates.shared[NORM]) if self._clip else nan

    def read(self) -> None:
        """Take over the data of the Values, and what the optimiser remembers."""
        updates = Updates(self._optimiser, self._most > 0.0, self._updates)
        if list(map(id, updates.parameters)) != list(self._places):
            self._laid_out(updates)
            return
        self._updates, self._clipped = updates, False
        self._forget()
        self.data[:] = list(map(attrgetter("data"), self.parameters))

    def write_back(self) -> None:
        """Give the Values their data and gradients, and the optimiser what it remembers."""
        factor = float(self._updates.shared[FACTOR]) if self._clipped else 1.0
        for parameter, x, slope in zip(self.parameters, self.data.tolist(), self.grad.tolist(), strict=True):
            parameter.data = x
            parameter.grad = slope * factor
        self._updates.write_back()

    # ---- a step ---------------------------------------------------------------------------------

    def __call__(self, *data: object) -> float:
        """Take one step; the loss before it."""
        kind = kind_of_data(data)
        if kind is not None and kind in self._quick:
            found = self._quickly(self._quick[kind], data)
            if found is not None:
                return found
        loss = self.gradient(*data)
        self.move()
        if kind is not None and not self._updates.fresh:
            self._keep_ready(kind, data)
        return loss

    def gradient(self, *data: object) -> float:
        """The loss, and its gradient into `grad`; nothing moves."""
        self._clipped = False
        return self._gradient(self._tables(data, single=True)[0], 0)

    def gradient_of_mean(self, samples: Iterable[Sequence[object]]) -> float:
        """The mean of the losses of several samples, each a tuple of arguments, and its gradient into `grad`.

        The samples may be of different structures.  The bits are those of `mean([f(x), f(y), ...])`.
        """
        listed = [one_step(sample) for sample in samples]
        if not listed:
            raise ValueError(say("compile.steps.empty"))
        self._refuse_parameters(listed)
        self._clipped = False
        if len(listed) == 1:
            return self._found_or_traced(listed[0], 0, "single")
        self._share, losses = 1.0 / len(listed), []
        self._before = self._np.zeros(len(self.parameters))
        for sample in reversed(listed):
            losses.append(self._found_or_traced(sample, 0, "continued"))
            self._before[:] = self.grad
        return mean_rounded_once(losses[::-1])

    def move(self) -> None:
        """The optimiser's step, with the gradients of the last call."""
        if self._clip is not None:
            self._clip.run_into(self.grad, None, self._updates.shared[: FACTOR + 1], None)
            self._clipped = True
        self._updates.move(self.data, self.grad)

    # ---- many steps -----------------------------------------------------------------------------

    def run(
        self, *data: object, lr: Sequence[float] | None = None, schedule: LRScheduler | None = None
    ) -> Doubles:
        """A step for each entry of the arguments; an array of the losses.

        `lr` has a rate for each step; `schedule` is one of `minigrad.nn`, which is moved on with them.
        Steps of one structure that follow each other run in one native call.  After an error, the steps
        before it have been taken.
        """
        return self._many(self._tables(data, single=False), lr, schedule)

    def repeat(
        self, count: int, *data: object, lr: Sequence[float] | None = None, schedule: Any = None
    ) -> Any:
        """`count` steps on the same data, as `run` takes them."""
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ValueError(say("compile.steps.count", given=describe(count)))
        [table] = self._tables(data, single=True)
        if table.samples is None:
            table.numbers = self._np.broadcast_to(table.numbers, (count, *table.numbers.shape[1:]))
            return self._many([table], lr, schedule)
        return self._many([table] * count, lr, schedule)

    def _many(
        self, tables: list[StepTable], lr: Sequence[float] | None, schedule: LRScheduler | None
    ) -> Doubles:
        count = sum(map(len, tables))
        if lr is not None and len(lr) != count:
            raise ValueError(say("compile.steps.rates", given=len(lr), count=count))
        rates = self._updates.rates(count, lr, schedule)
        losses: list[float] = []
        ahead = MANY
        for table in tables:
            done = 0
            while done < len(table):
                if table.samples is None and not self._updates.fresh and len(table) - done > 1:
                    part = table.part(done, done + ahead)
                    found = self._loop(part, rates[len(losses) : len(losses) + len(part)])
                    losses += found
                    done += len(found)
                    ahead = min(4 * ahead, MANY) if len(found) == len(part) else max(FEW, 2 * len(found))
                if done < len(table):  # the first step of an optimiser, or one that another variant is for
                    self._updates.set_rates(rates[len(losses)])
                    self._clipped = False
                    losses.append(self._gradient(table, done))
                    self.move()
                    done += 1
        if count:
            self._updates.set_rates(self._updates.last_rates if schedule is not None else rates[-1])
        array: Doubles = self._np.array(losses)
        return array

    def _loop(self, table: StepTable, rates: list[list[float]]) -> list[float]:
        """As many of these steps as keep to the guards of one variant."""
        variants = self._kept(table)
        if not variants:
            variants.append(self._traced(table, 0))
        loss, numbers = variants[0], table.numbers
        # A step with an index that is too large ends the loop: the plain step after it refuses it in words.
        right = loss.in_range(numbers).reshape(len(numbers), -1).all(axis=1)
        count = len(numbers) if right.all() else int(right.argmin())
        numbers = numbers[:count]
        losses = self._bound_whole(loss, table.batch).run_many(numbers, rates[:count]) if count else numbers
        self._clipped = self._clip is not None
        return (
            [mean_rounded_once(row) for row in losses.tolist()]
            if losses.shape[1:] != (1,)
            else losses[:, 0].tolist()
        )

    # ---- steps that are bound as a whole --------------------------------------------------------

    def _forget(self) -> None:
        """What was bound is so no more: arrays or variants are others now."""
        self._ready, self._quick = {}, {}

    def _bound_whole(self, loss: Loss, batch: int) -> BoundStep:
        ready = self._ready.get((loss, batch))
        if ready is None or not ready.holds():
            if len(self._ready) >= MOST_READY:
                self._forget()
            call = self._bound(loss, "batched" if batch else "single", batch)
            if batch:
                self._lanes = self._np.zeros((0, 0))  # those of this call are its own
            threads = self._program.threads
            ready = BoundStep(call, self._updates, self.data, self.grad, self._clip, threads)
            self._ready[loss, batch] = ready
        return ready

    def _keep_ready(self, kind: DataKind, data: Sequence[object]) -> None:
        """Let the next step on arrays of this kind be one native call."""
        table = self._tables(data, single=True)[0]
        variants = self._kept(table) if table.samples is None else []
        if variants and table.numbers[0].size and (variants[0].only_looked_up or not may_be_large(kind)):
            self._quick[kind] = self._bound_whole(variants[0], table.batch)

    def _quickly(self, ready: BoundStep, data: Sequence[Any]) -> float | None:
        """A step that is ready; None where the long way has to be taken, and nothing has moved."""
        if ready.call.loss.traced.changed() or not ready.holds() or not ready.run_one(data):
            return None
        self._clipped = self._clip is not None
        return float(ready.value[0]) if len(ready.value) == 1 else mean_rounded_once(ready.value.tolist())

    # ---- inside ---------------------------------------------------------------------------------

    def _tables(self, data: Sequence[object], single: bool) -> list[StepTable]:
        tables = batches(data, single) if self._batched else [one_step(data)] if single else steps(data)
        self._refuse_parameters(tables)
        return tables

    def _refuse_parameters(self, tables: Sequence[StepTable]) -> None:
        """A parameter among the data would be a number like any other, and its gradient would be lost."""
        for table in tables:
            for value in table.values:
                if id(value) in self._places:
                    raise ValueError(say("compile.steps.parameter", given=value.label or repr(value)))

    def _gradient(self, table: StepTable, step: int) -> float:
        """The loss of one step and its gradient; in a batch, those of the mean."""
        if table.samples is None and not table.batch:
            return self._found_or_traced(table, step, "single")
        found = self._in_lanes(table, step) if table.samples is None else None
        if found is None:  # samples of different structures, or ones that other guards hold for
            return self.gradient_of_mean(table.arguments(step))
        return found

    def _in_lanes(self, table: StepTable, step: int) -> float | None:
        """All samples of a step at once; None where not all keep to the guards of the newest variant."""
        variants = self._kept(table)
        if not variants:
            variants.append(self._traced(table, step))
        return self._tried(variants[0], table.numbers[step], "batched", [])

    def _found_or_traced(self, table: StepTable, step: int, form: str) -> float:
        """Find the variant whose guards hold for these numbers, or make it; the loss."""
        variants, numbers = self._kept(table), table.numbers[step]
        broken: list[str] = []
        for place, loss in enumerate(variants):
            found = self._tried(loss, numbers, form, broken)
            if found is not None:
                if place:  # the one that held is tried first next time
                    variants.insert(0, variants.pop(place))
                    self._quick = {}
                return found
        if len(variants) >= MOST:
            raise ValueError(say("compile.steps.variants", count=MOST, where=broken[-1] if broken else "?"))
        loss = self._traced(table, step)
        variants.insert(0, loss)
        self._quick = {}
        found = self._tried(loss, numbers, form, broken)
        if found is None:
            raise ValueError(say("compile.steps.guard", where=broken[-1] if broken else "?"))
        return found

    def _kept(self, table: StepTable) -> list[Loss]:
        """The variants of a structure, without those whose function now captures something else."""
        key = (table.tree, table.kinds)
        kept = [loss for loss in self._variants.get(key, []) if not loss.traced.changed()]
        self._variants[key] = kept
        return kept

    def _traced(self, table: StepTable, step: int) -> Loss:
        from ..tracing import trace_function

        for parameter, x in zip(self.parameters, self.data.tolist(), strict=True):
            parameter.data = x  # f is traced as it decides by the newest data
        arguments = table.arguments(step)[0]
        traced = trace_function(self._program.itself(), (*self._held, *arguments))
        return Loss(traced, self._places, self._numbers_held, self._program)

    def _tried(self, loss: Loss, numbers: Doubles, form: str, broken: list[str]) -> float | None:
        """The loss; None where an index is outside of what it holds for, or a guard does not hold."""
        if not loss.in_range(numbers).all():
            return None
        call = self._bound(loss, form, len(numbers) if form == "batched" else 0)
        call.data[...] = numbers
        call.run(self._program.threads)
        if not self._hold(call, form, broken):
            return None
        if form == "batched" and loss.varies[0]:
            averaging().run_into(self._count, [self.grad], self._nothing, [self.grad])
        return mean_rounded_once(call.value.tolist())

    def _hold(self, call: NativeCall, form: str, broken: list[str]) -> bool:
        """Whether the guards hold, in each sample."""
        loss = call.loss
        count = len(loss.expected)
        if not count:
            return True
        if call.lanes is not None:
            varies = self._np.array(loss.varies[1:], dtype=bool)
            right = self._np.zeros(count, dtype=bool)
            first = int(loss.varies[0])
            right[varies] = (call.lanes[first:] == loss.expected[varies][:, None]).all(axis=1)
            right[~varies] = call.out[1 - first :][: count - int(varies.sum())] == loss.expected[~varies]
        else:
            right = call.out[1 : 1 + count] == loss.expected
        if not right.all():
            broken.append(loss.where[int(right.argmin())])
        return bool(right.all())

    def _bound(self, loss: Loss, form: str, batch: int = 0) -> NativeCall:
        """The parts of the arrays that a loss reads and writes; they grow where they are too short."""
        np, parameters = self._np, len(self.parameters)
        outside, guards = loss.numbers_outside(), len(loss.expected)
        size = 0 if form == "batched" else loss.size
        need = parameters + size + len(outside) + (1 + parameters if form == "continued" else 0)
        if need > len(self._cells):
            grown = np.zeros(2 * need)
            grown[:parameters] = self.data
            self._cells = grown
            self._forget()
        shared = self._cells[:need]
        place = parameters + size
        beside = shared[place : place + len(outside)]
        beside[:] = outside
        if form == "continued":
            shared[place + len(outside)] = self._share
            shared[place + len(outside) + 1 :] = self._before
        varying = sum(loss.varies) if form == "batched" else 0
        before = 1 + guards + (form == "continued") - varying
        if before + parameters > len(self._found):
            grown = np.zeros(2 * (before + parameters))
            grown[-parameters:] = self.grad
            self._found = grown
            self._forget()
        out = self._found[-before - parameters :]
        executor = loss.executor(form)
        if form != "batched":
            value = out[1 + guards : 2 + guards] if form == "continued" else out[:1]
            return NativeCall(
                loss, executor, shared, beside, shared[parameters:place], None, out, None, value
            )
        if self._lanes.shape != (batch, loss.size):
            self._lanes = np.zeros((batch, loss.size))
        self._count[0] = batch
        lanes = np.zeros((varying, batch))
        value = lanes[0] if loss.varies[0] else out[:1]
        return NativeCall(loss, executor, shared, beside, self._lanes, self._lanes, out, lanes, value)
