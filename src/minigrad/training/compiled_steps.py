"""Compiled steps of a run: what `minigrad train --compile` changes, which is how long they take.

Losses, gradients and weights are those of the plain steps to the last bit (test_compiled_steps.py),
so a checkpoint does not say how its steps were taken, and a run can go on either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..compiler import compile as compiled
from ..compiler.numpy_loader import numpy
from ..nn import Optimizer
from ..scalar import Value
from ..text.translation import say
from .tasks import PointsTask, TextTask

__all__ = ["CompiledSteps"]


class CompiledSteps:
    def __init__(
        self,
        task: PointsTask | TextTask,
        optimiser: Optimizer,
        layers: Mapping[str, Sequence[Value]],
        clip: float,
    ) -> None:
        if task.settings.dropout:
            raise ValueError(say("train.compile.dropout"))
        self._task = task
        self._training = compiled(task.measure()).training(optimiser, clip=clip)
        self._values = layers
        self._ahead = False  # of the Values and of the optimiser
        self._find()

    def _find(self) -> None:
        """Where the parameters lie, layer by layer, and all in their order."""
        np = numpy()
        place_of = {id(parameter): place for place, parameter in enumerate(self._training.parameters)}
        self._layers = {
            layer: np.array([place_of[id(parameter)] for parameter in of])
            for layer, of in self._values.items()
        }
        self._listed = np.array([place_of[id(parameter)] for parameter in self._task.model.parameters()])

    def gradient(self, indices: Sequence[int]) -> float:
        """The loss of the examples; the gradients are kept here."""
        if not self._task.model.training:
            self._task.model.train()
        self._ahead = True
        return float(self._training.gradient_of_mean(self._task.samples(indices)))

    def by_layer(self, pull: float) -> Iterator[tuple[str, list[float], list[float]]]:
        """Each layer, its gradients without the pull on its data, its data."""
        data = self._training.data
        with numpy().errstate(all="ignore"):
            slopes = self._training.grad - pull * data
        for layer, places in self._layers.items():
            yield layer, slopes[places].tolist(), data[places].tolist()

    def slopes(self) -> list[float]:
        listed: list[float] = self._training.grad[self._listed].tolist()
        return listed

    def move(self) -> None:
        self._training.move()

    def settle(self) -> None:
        """Bring the Values and the optimiser up to date."""
        if self._ahead:
            self._ahead = False
            self._training.write_back()

    def read(self) -> None:
        self._training.read()
        self._find()
