"""A training run: its model, where it stands, and the next step.

`forward()` is the loss of the next step's examples, as a graph, and changes nothing: it can be asked for
any number of times.  `advance()` takes the step.  The order of the examples is a function of the seed and
the epoch alone, so that where a run stands in its data is one number.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot, isfinite, nan, sqrt
from typing import TYPE_CHECKING

from .. import nn
from ..nn import ConstantLR, CosineAnnealingLR, LinearLR, Module, SequentialLR, clip_grad_norm_
from ..nn.schedules import LRScheduler
from ..scalar import Value
from ..text.numerals import counted
from ..text.translation import say
from .settings import OPTIMISERS, Settings
from .tasks import PointsTask, TextTask, task_of

if TYPE_CHECKING:
    from .compiled_steps import CompiledSteps

__all__ = ["Run", "StepRecord", "layers_of"]


@dataclass(frozen=True)
class StepRecord:
    """One step: its loss, the rate it was taken with, and how large the gradients were before clipping.

    Those of a layer are without what the regularisation adds to them: it would hide that others vanish.
    """

    step: int  # 1 for the first
    loss: float
    lr: float
    gradients: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # layer: its rms, its weights'
    norm: float = nan  # of all gradients together
    taken: bool = True  # False: the loss or a gradient was no number, and the weights were left as they were


class Run:
    def __init__(self, settings: Settings) -> None:
        self._task = task_of(settings.checked())
        if isinstance(self._task, TextTask) and not settings.data_digest:
            settings = replace(settings, data_digest=self._task.digest)
        self.settings = settings
        self.generator = self._task.generator
        self._generators = [self.generator, *self._task.model.generators().values()]
        self._layers = layers_of(self._task.model)
        self._parameters: list[Value] = self._task.model.parameters()
        self._optimiser = _optimiser(settings, self._parameters)
        self._compiled: CompiledSteps | None = None
        self.schedule = _schedule(settings, self._optimiser)
        self.step = 0  # steps that were taken
        self.cursor = 0  # examples that were seen
        self.losses: list[float] = []
        self._epoch: tuple[int, list[int]] = (-1, [])

    @property
    def finished(self) -> bool:
        return self.step >= self.settings.steps

    @property
    def batch(self) -> int:
        """How many examples a step takes."""
        return self.settings.batch or self._task.examples

    @property
    def lr(self) -> float:
        """The rate of the next step."""
        rate: float = self._optimiser.param_groups[0]["lr"]
        return rate

    # ---- compiled steps -------------------------------------------------------------------------------
    # They keep their numbers in arrays; whoever asks for one of the objects below finds it up to date.

    def compile(self) -> None:
        """From here on the steps run compiled: the same numbers to the last bit, sooner."""
        from .compiled_steps import CompiledSteps

        self._compiled = CompiledSteps(self._task, self._optimiser, self._layers, self.settings.clip)

    def _settle(self) -> None:
        if self._compiled is not None:
            self._compiled.settle()

    @property
    def task(self) -> PointsTask | TextTask:
        self._settle()
        return self._task

    @property
    def model(self) -> Module:
        self._settle()
        return self._task.model

    @property
    def layers(self) -> dict[str, list[Value]]:
        self._settle()
        return self._layers

    @property
    def parameters(self) -> list[Value]:
        self._settle()
        return self._parameters

    @property
    def optimiser(self) -> nn.Optimizer:
        self._settle()
        return self._optimiser

    # ---- the data -----------------------------------------------------------------------------------

    def indices(self) -> list[int]:
        """The examples of the next step."""
        count = self._task.examples
        if self.batch == count:
            return list(range(count))
        places = range(self.cursor, self.cursor + self.batch)
        return [self._order(place // count)[place % count] for place in places]

    def _order(self, epoch: int) -> list[int]:
        if self._epoch[0] != epoch:
            self._epoch = (epoch, _shuffled(self._task.examples, f"{self.settings.seed} {epoch}"))
        return self._epoch[1]

    # ---- a step -------------------------------------------------------------------------------------

    def forward(self) -> Value:
        """The loss of the next step's examples; nothing moves, dropout's generators neither."""
        states = self._states()
        try:
            return self._loss(self.indices())
        finally:
            self._put_back(states)

    def _states(self) -> list[tuple[object, ...]]:
        return [generator.getstate() for generator in self._generators]

    def _put_back(self, states: list[tuple[object, ...]]) -> None:
        for generator, state in zip(self._generators, states, strict=True):
            generator.setstate(state)

    def _loss(self, indices: Sequence[int]) -> Value:
        if not self.model.training:
            self.model.train()
        return self.task.loss(indices)

    def advance(self, backward: Callable[[Value], None] | None = None) -> StepRecord:
        """Take one step; `backward` fills the gradients of the parameters in place of the right pass.

        A loss or a gradient that is no number ends a run: such a step is not taken, and the weights and
        everything else stay as they were.
        """
        states = self._states()
        steps = self._compiled if self._compiled and backward is None else _PlainSteps(self, backward)
        loss = steps.gradient(self.indices())
        pull = 2.0 * self.settings.regularisation  # of each weight towards 0, which tells nothing of the data
        gradients = {layer: (_rms(slopes), _rms(data)) for layer, slopes, data in steps.by_layer(pull)}
        norm = hypot(*steps.slopes())
        record = StepRecord(self.step + 1, loss, self.lr, gradients, norm, isfinite(loss) and isfinite(norm))
        if not record.taken:
            self._put_back(states)
            return record
        steps.move()
        self.schedule.step()
        self.step += 1
        self.cursor += self.batch
        self.losses.append(loss)
        return record

    def read(self) -> None:
        """Take over, in compiled steps, what was changed in the parameters and in the optimiser."""
        if self._compiled is not None:
            self._compiled.read()

    def extend(self, steps: int) -> None:
        """Go on to more steps; the schedule is stretched, as if that many had been asked for at first."""
        if steps < self.step:
            raise ValueError(say("train.extend", given=counted(steps), done=counted(self.step)))
        self.settings = replace(self.settings, steps=steps).checked()
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.lr
            group.pop("initial_lr", None)
        self.schedule = _schedule(self.settings, self.optimiser)
        for _ in range(self.step):
            self.schedule.step()


class _PlainSteps:
    """A step, node by node: the graph of the loss, the backward pass, the optimiser."""

    def __init__(self, run: Run, backward: Callable[[Value], None] | None) -> None:
        self._run, self._backward = run, backward

    def gradient(self, indices: Sequence[int]) -> float:
        """The loss of the examples; the parameters have its gradients."""
        loss = self._run._loss(indices)
        self._run.optimiser.zero_grad()
        if self._backward is None:
            loss.backward()
        else:
            self._backward(loss)
        return loss.data

    def by_layer(self, pull: float) -> Iterator[tuple[str, list[float], list[float]]]:
        """Each layer, its gradients without the pull on its data, its data."""
        for layer, of in self._run.layers.items():
            yield layer, [p.grad - pull * p.data for p in of], [p.data for p in of]

    def slopes(self) -> list[float]:
        return [p.grad for p in self._run.parameters]

    def move(self) -> None:
        if self._run.settings.clip:
            clip_grad_norm_(self._run.parameters, self._run.settings.clip)
        self._run.optimiser.step()
        self._run.read()


def _shuffled(count: int, words: str) -> list[int]:
    """0 to count - 1 in an order that depends on the words only; of `random()` alone, which Python promises
    to keep as it is."""
    draw, order = random.Random(f"minigrad order {words}").random, list(range(count))
    for i in range(count - 1, 0, -1):
        j = int(draw() * (i + 1))
        order[i], order[j] = order[j], order[i]
    return order


def layers_of(model: Module) -> dict[str, list[Value]]:
    """The parameters by the module that a person would call a layer: neurons count to theirs."""
    layers: dict[str, list[Value]] = {}
    for name, value in model.named_parameters():
        path = name.partition("[")[0].split(".")
        path = path[: path.index("neurons")] if "neurons" in path else path[:-1]
        layers.setdefault(".".join(path) or type(model).__name__, []).append(value)
    return layers


def _rms(numbers: list[float]) -> float:
    return hypot(*numbers) / sqrt(len(numbers))


def _optimiser(settings: Settings, parameters: list[Value]) -> nn.Optimizer:
    kind: Callable[..., nn.Optimizer] = getattr(nn, OPTIMISERS[settings.optimiser])
    memory = {"momentum": settings.momentum} if kind is nn.SGD else {"betas": settings.betas}
    return kind(parameters, lr=settings.lr, weight_decay=settings.weight_decay, **memory)


def _schedule(settings: Settings, optimiser: nn.Optimizer) -> LRScheduler:
    span = settings.steps - settings.warmup
    main: LRScheduler
    if settings.schedule == "constant":
        main = ConstantLR(optimiser, factor=1.0, total_iters=0)
    elif settings.schedule == "linear":
        main = LinearLR(optimiser, start_factor=1.0, end_factor=settings.final, total_iters=span)
    else:
        main = CosineAnnealingLR(optimiser, T_max=span, eta_min=settings.lr * settings.final)
    if not settings.warmup:
        return main
    first = LinearLR(
        optimiser, start_factor=1.0 / (settings.warmup + 1), end_factor=1.0, total_iters=settings.warmup
    )
    return SequentialLR(optimiser, schedulers=[first, main], milestones=[settings.warmup])
