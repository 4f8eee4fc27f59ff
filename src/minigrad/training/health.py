"""Health of a run: what is wrong with it, in words, when it is first seen.

Looked for: gradients that vanish on the way to the first layers, or explode; units that answer the same to
every example (a relu at 0, a tanh at its end); a loss that is no number; a loss that has not moved.  A
healthy run is told nothing: every limit is far beyond what a run that learns shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from statistics import fmean
from typing import TYPE_CHECKING, TypeVar

from ..scalar import Value
from ..text.escape import printable
from ..text.numerals import counted, json_number, show
from ..text.translation import say
from .run import Run, StepRecord
from .tasks import PointsTask, TextTask

if TYPE_CHECKING:
    from ..nn.module import Numbers
    from ..text.files import JSON

__all__ = ["Health", "HealthFinding", "dead_units", "units_of"]

T = TypeVar("T")
VANISHING = 1e-3  # a layer's gradient, of that of the last one
TINY = 1e-5  # a layer's gradient, of its weights,
STUCK = 0.9  # while the loss is more than this of the first one
PATIENCE = 10  # steps in a row
EXPLODING = 1e3  # a norm, of the smallest of the first ones
HUGE = 1e6  # a norm that no step survives
USUAL = 5  # steps that are the first ones
LOST = 100.0  # a loss, of the first one
IDLE = 2 / 3  # the part of a layer's units that is dead or saturated; some are in every good run
FLAT = 0.01  # the part of the loss that a run has to learn at least
EXAMPLES = 100  # at most so many points are asked what the units do
TEXTS = 20  # and so many texts, each of some letters
END = 0.999  # where a tanh is at its end


@dataclass(frozen=True)
class HealthFinding:
    kind: str  # vanishing, tiny, exploding, diverging, dead, saturated, number or flat
    step: int
    layer: str = ""
    numbers: Mapping[str, float] = field(default_factory=dict)
    last: str = ""  # another layer that it is compared with

    def words(self) -> str:
        """What it is, with its numbers."""
        fields: dict[str, object] = {
            name: counted(int(x)) if name in ("units", "all", "examples") else show(x, 3)
            for name, x in self.numbers.items()
        }
        return say(f"health.{self.kind}", layer=printable(self.layer), last=printable(self.last), **fields)

    def advice(self) -> str:
        """What to try."""
        return say(f"health.{self.kind}.try")

    def to_json(self) -> dict[str, JSON]:
        numbers = {name: json_number(x) for name, x in self.numbers.items()}
        return {"kind": self.kind, "step": self.step, "layer": self.layer, **numbers}


class Health:
    """Watches a run, step by step; each kind of trouble in each layer is found once."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self.findings: list[HealthFinding] = []
        self._norms: list[float] = []
        self._small: dict[str, int] = {}
        self._next = run.step + self._rarely  # when the units are looked at again

    @property
    def _rarely(self) -> int:
        return max(1, self.run.settings.steps // 10)

    def watch(self, record: StepRecord) -> list[HealthFinding]:
        """What is seen for the first time in this step."""
        return self._new(self._seen(record))

    def finish(self) -> list[HealthFinding]:
        """What can be told only at the end."""
        return self._new([*self._idle(self.run.step), *self._flat()])

    def _new(self, found: Sequence[HealthFinding]) -> list[HealthFinding]:
        known = {(finding.kind, finding.layer) for finding in self.findings}
        fresh = [finding for finding in found if (finding.kind, finding.layer) not in known]
        self.findings += fresh
        return fresh

    def _seen(self, record: StepRecord) -> list[HealthFinding]:
        if not record.taken:
            bad = [layer for layer, (size, _) in record.gradients.items() if not isfinite(size)]
            numbers = {"loss": record.loss, "norm": record.norm, "lr": record.lr}
            return [HealthFinding("number", record.step, bad[-1] if bad else "", numbers)]
        found = [*self._exploding(record), *self._vanishing(record)]
        if record.step >= self._next:
            self._next = record.step + self._rarely
            found += self._idle(record.step)
        return found

    def _exploding(self, record: StepRecord) -> Iterator[HealthFinding]:
        if len(self._norms) < USUAL and record.norm > 0.0:
            self._norms.append(record.norm)
        if not self._norms or self._has("exploding", "diverging"):
            return
        usual, first = min(self._norms), self.run.losses[0]
        grown = record.norm > EXPLODING * usual and record.loss > LOST / 10.0 * max(1.0, first)
        if grown or record.norm > HUGE:
            largest = max(record.gradients, key=lambda layer: record.gradients[layer][0])
            numbers = {"norm": record.norm, "usual": usual, "loss": record.loss}
            yield HealthFinding("exploding", record.step, largest, numbers)
        elif record.loss > LOST * max(1.0, first):
            yield HealthFinding("diverging", record.step, "", {"loss": record.loss, "first": first})

    def _vanishing(self, record: StepRecord) -> Iterator[HealthFinding]:
        """Gradients that fade on the way to a layer; or in the whole model, while the loss is as at first."""
        sizes = _by_stage(record.gradients)
        stuck = record.loss > STUCK * self.run.losses[0]
        *before, last = sizes
        for stage in before:
            size, weights = sizes[stage][0], sizes[stage][1]
            small = size < VANISHING * sizes[last][0] or (stuck and size < TINY * weights)
            self._small[stage] = self._small.get(stage, 0) + 1 if small and size > 0.0 else 0
        stage = min(before, key=lambda stage: sizes[stage][0], default="")
        if not stage or self._small[stage] < PATIENCE or self._has("vanishing", "exploding", "diverging"):
            return
        (size, weights), reached = sizes[stage], sizes[last][0]
        if size < VANISHING * reached:
            numbers = {"size": size, "reached": reached, "times": reached / size}
            yield HealthFinding("vanishing", record.step, stage, numbers, last)
        else:
            numbers = {"size": size, "weights": weights, "loss": record.loss}
            yield HealthFinding("tiny", record.step, stage, numbers)

    def _has(self, *kinds: str) -> bool:
        return any(finding.kind in kinds for finding in self.findings)

    def _idle(self, step: int) -> Iterator[HealthFinding]:
        for layer, (activation, answers) in units_of(self.run).items():
            if activation not in _IDLE:
                continue
            kind, still = _IDLE[activation]
            idle = sum(all(map(still, answers_of_one)) for answers_of_one in zip(*answers, strict=True))
            if idle and idle >= IDLE * len(answers[0]):
                numbers = {"units": idle, "all": len(answers[0]), "examples": len(answers)}
                yield HealthFinding(kind, step, layer, numbers)

    def _flat(self) -> Iterator[HealthFinding]:
        losses = self.run.losses
        part = len(losses) // 10
        if part < 2 or self._has("exploding", "diverging"):
            return
        start, end = fmean(losses[:part]), fmean(losses[-part:])
        if start > 1e-3 and end > (1.0 - FLAT) * start:
            yield HealthFinding("flat", len(losses), "", {"start": start, "end": end})


def _by_stage(gradients: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
    """How large the gradients are along the way; a block counts as its largest, because the gradients of
    its queries and keys are small in every good run: at first they hardly matter."""
    sizes: dict[str, tuple[float, float]] = {}
    for layer, pair in gradients.items():
        stage = ".".join(layer.split(".")[:2]) if layer.startswith("blocks.") else layer
        sizes[stage] = max(pair, sizes.get(stage, pair))
    return sizes


def _zero(x: float) -> bool:
    return x == 0.0


def _at_an_end(x: float) -> bool:
    return abs(x) > END


def _at_a_side(x: float) -> bool:
    return abs(2.0 * x - 1.0) > END


_IDLE: dict[str, tuple[str, Callable[[float], bool]]] = {
    "relu": ("dead", _zero),
    "tanh": ("saturated", _at_an_end),
    "sigmoid": ("saturated", _at_a_side),
}


def dead_units(run: Run) -> tuple[int, int, int]:
    """How many units of relu answer 0 to every example; of how many; to how many examples.

    A few are dead in most good runs: they are counted, and called a finding only where they are many.
    """
    layers = [answers for activation, answers in units_of(run).values() if activation == "relu"]
    units = [unit for answers in layers for unit in zip(*answers, strict=True)]
    return sum(not any(unit) for unit in units), len(units), len(layers[0]) if layers else 0


def units_of(run: Run) -> dict[str, tuple[str, list[list[float]]]]:
    """Each hidden layer's activation, and what its units answer to some examples: [example][unit]."""
    answers: dict[str, list[list[float]]]
    task = run.task
    if isinstance(task, TextTask):
        answers, activation = _of_blocks(task, run.settings.block), "relu"
    else:
        answers, activation = _of_layers(task), run.settings.activation
    return {layer: (activation, found) for layer, found in answers.items()}


def _of_layers(task: PointsTask) -> dict[str, list[list[float]]]:
    model = task.model
    answers: dict[str, list[list[float]]] = {f"layers.{i}": [] for i in range(len(model.layers) - 1)}
    points = task.points
    with task.judging():
        for point, _ in points[:: -(-len(points) // EXAMPLES)]:
            flowing: Numbers = point
            for layer, found in zip(model.layers, answers.values(), strict=False):
                answer = flowing = layer.forward(flowing)
                units = answer if isinstance(answer, list) else [answer]  # a layer of one unit
                found.append([value.data for value in units])
    return answers


def _of_blocks(task: TextTask, longest: int) -> dict[str, list[list[float]]]:
    """What goes into the second half of each block's MLP, for each letter of some texts."""
    model = task.model
    answers: dict[str, list[list[float]]] = {}
    documents = task.documents
    try:
        for i, block in enumerate(model.blocks):
            found = answers.setdefault(f"blocks.{i}.up", [])
            vars(block.down)["forward"] = _overheard(block.down.forward, found)
        with task.judging():
            for document in documents[:: -(-len(documents) // TEXTS)]:
                model(task.vocabulary.encode(document)[:-1][:longest])
    finally:
        for block in model.blocks:
            vars(block.down).pop("forward", None)
    return answers


def _overheard(
    forward: Callable[[Sequence[Value]], T], found: list[list[float]]
) -> Callable[[Sequence[Value]], T]:
    def listening(xs: Sequence[Value]) -> T:
        if isinstance(xs[0], Value):  # one row; a list of them comes here again, row by row
            found.append([value.data for value in xs])
        return forward(xs)

    return listening
