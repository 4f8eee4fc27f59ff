"""Tasks: a model, the examples that it learns from, and the loss of some of them.

`task_of(settings)` makes it, drawing the weights from one generator seeded by the settings.  A task with
points is a classifier (labels +1 and -1) or a regression; one with documents is a small GPT that learns to
continue them, letter by letter.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from math import exp
from statistics import fmean
from typing import TypeAlias

from .. import functions
from ..nn import GPT, MLP, Module, Vocabulary, data, hinge_loss, mse_loss
from ..scalar import Value
from ..text.numerals import counted
from ..text.translation import say
from ..values.no_grad import no_grad
from .settings import LARGEST, Settings

__all__ = ["HeldOut", "PointsTask", "Task", "TextTask", "block_for", "digest", "documents_of", "task_of"]

FRESH = 1_000_003  # between the seed of the points and that of points that nobody was trained on
WIDEST = 64  # characters that a model of our own accord sees at a time: attention grows with the square
JUDGED = 200  # texts that were kept out and are measured
BUSIEST = 20_000_000  # products of one step; each takes some hundred bytes until the step is done
Point = tuple[list[float], float]
Sample: TypeAlias = tuple[list[list[float]], list[float]] | tuple[list[int]]  # points and targets; tokens


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The loss and the accuracy on examples that were not trained on."""

    examples: int
    loss: float
    accuracy: float | None = None


class Task:
    """A model and the examples it learns from."""

    kind: str  # classifier, regression or language
    model: Module
    generator: random.Random  # what the weights were drawn from, and dropout draws from
    examples: int

    def samples(self, indices: Sequence[int]) -> list[Sample]:
        """These examples, as arguments of `measure()`; their loss is the mean over them."""
        raise NotImplementedError

    def measure(self) -> Callable[..., Value]:
        """The loss of one sample as a function of its numbers, which captures the model and no generator."""
        raise NotImplementedError

    def loss(self, indices: Sequence[int]) -> Value:
        """The loss of these examples."""
        measured = self.measure()
        losses = [measured(*sample) for sample in self.samples(indices)]
        return losses[0] if len(losses) == 1 else functions.mean(losses)

    def accuracy(self) -> float | None:
        """The part of all examples that is classified right; None where nothing is classified."""
        return None

    def held_out(self) -> HeldOut | None:
        """How the model does on examples that it was not trained on; None where there are none."""
        return None

    @contextmanager
    def judging(self) -> Iterator[None]:
        """The model as it is used: no dropout, nothing recorded."""
        was = self.model.training
        self.model.eval()
        try:
            with no_grad():
                yield
        finally:
            self.model.train(was)


class PointsTask(Task):
    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.kind = "regression" if settings.task == "regression" else "classifier"
        self.points: list[Point] = _points(settings)
        self.examples = len(self.points)
        inputs = len(self.points[0][0])
        sizes = [inputs, *settings.hidden, 1]
        parameters = sum((before + 1) * after for before, after in pairwise(sizes))
        _fits(parameters, settings.batch or self.examples)
        self.generator = random.Random(settings.seed)
        self.model: MLP = MLP(
            inputs, [*settings.hidden, 1], activation=settings.activation, seed=self.generator
        )
        self.model.label()

    def samples(self, indices: Sequence[int]) -> list[Sample]:
        chosen = [self.points[i] for i in indices]  # one sample: what regularises is there once
        return [([point for point, _ in chosen], [target for _, target in chosen])]

    def measure(self) -> Callable[..., Value]:
        model, squared, strength = self.model, self.settings.loss == "mse", self.settings.regularisation

        def measured(points: list[list[float]], targets: list[float]) -> Value:
            scores = [model(point) for point in points]
            loss: Value = mse_loss(scores, targets) if squared else hinge_loss(scores, targets)
            if strength:
                parameters = model.parameters()
                loss = loss + strength * functions.dot(parameters, parameters)
            return loss

        return measured

    def score(self, *point: float) -> float:
        """What the model says of a point; a classifier's is positive for +1."""
        with no_grad():  # nothing in an MLP behaves otherwise in training
            return float(self.model(list(point)).data)

    def accuracy(self) -> float | None:
        return self._accuracy(self.points)

    def _accuracy(self, points: Sequence[Point]) -> float | None:
        if self.kind != "classifier":
            return None
        return sum((self.score(*point) > 0.0) == (label > 0.0) for point, label in points) / len(points)

    def held_out(self) -> HeldOut | None:
        """On as many points again, drawn in the same way; the loss is without the regularisation."""
        fresh = _points(replace(self.settings, seed=self.settings.seed + FRESH))
        measured = mse_loss if self.settings.loss == "mse" else hinge_loss
        with self.judging():
            loss = measured([self.model(point) for point, _ in fresh], [target for _, target in fresh])
        return HeldOut(len(fresh), loss.data, self._accuracy(fresh))


class TextTask(Task):
    kind = "language"

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        texts = documents_of(settings)
        found = digest(texts)
        if settings.data_digest and settings.data_digest != found:
            raise ValueError(say("train.data.changed", path=settings.data or settings.task))
        self.digest = found
        self.documents, self._kept_out = _split(texts, settings)
        self.examples = len(self.documents)
        if settings.batch > self.examples:
            raise ValueError(
                say("train.batch.texts", given=counted(settings.batch), count=counted(self.examples))
            )
        self.vocabulary = Vocabulary(texts)
        self.letters = len(self.vocabulary)
        width = settings.width
        letters = min(settings.block, max(map(len, texts)) + 1)  # of the longest example
        _fits(
            (2 * self.letters + settings.block) * width + 12 * settings.layers * width**2,
            letters * (settings.batch or self.examples),
            letters * width * settings.layers,  # attention looks at all letters from each
        )
        self.generator = random.Random(settings.seed)
        self.model: GPT = GPT(
            self.letters,
            block=settings.block,
            layers=settings.layers,
            width=width,
            heads=settings.heads,
            dropout=settings.dropout,
            seed=self.generator,
        )
        self.model.label()

    def samples(self, indices: Sequence[int]) -> list[Sample]:
        return [(self.vocabulary.encode(self.documents[i]),) for i in indices]

    def measure(self) -> Callable[..., Value]:
        model = self.model
        return lambda tokens: model.loss(tokens)

    @property
    def lengths(self) -> list[int]:
        """Of all texts, how many characters they have, the shortest first."""
        return sorted(map(len, (*self.documents, *self._kept_out)))

    @property
    def cut(self) -> int:
        """How many texts the model does not see to their ends; an end is a token of its own."""
        return sum(length + 1 > self.settings.block for length in self.lengths)

    def held_out(self) -> HeldOut | None:
        """On the texts that were kept out, or so many of them."""
        judged = self._kept_out[:JUDGED]
        if not judged:
            return None
        with self.judging():
            losses = [self.model.loss(self.vocabulary.encode(text)).data for text in judged]
        return HeldOut(len(judged), fmean(losses))

    def probability(self, text: str) -> float:
        """How likely the model is to write this, at temperature 1; of a text that is cut, its beginning."""
        tokens = self.vocabulary.encode(text)
        with self.judging():
            count = min(len(tokens) - 1, self.settings.block)
            return exp(-count * self.model.loss(tokens).data)

    def sample(self, generator: random.Random, count: int, temperature: float = 0.5) -> list[str]:
        """New documents, as the model would write them."""
        boundary = self.vocabulary.boundary
        with self.judging():
            return [
                self.vocabulary.decode(self.model.sample(generator, boundary, boundary, temperature))
                for _ in range(count)
            ]


def task_of(settings: Settings) -> PointsTask | TextTask:
    """The task that settings ask for."""
    return TextTask(settings) if settings.language else PointsTask(settings)


def _split(texts: list[str], settings: Settings) -> tuple[list[str], list[str]]:
    """The texts to train on and those that are kept out, which are drawn by the seed."""
    count = min(int(settings.held_out * len(texts)), len(texts) - 2)
    if count < 1:
        return texts, []
    draw = random.Random(f"minigrad held out {settings.seed}").random
    out = set(sorted(range(len(texts)), key=lambda _: draw())[:count])
    kept = [text for place, text in enumerate(texts) if place not in out]
    return kept, [texts[place] for place in sorted(out)]


def _points(settings: Settings) -> list[Point]:
    make = getattr(data, settings.task)
    found: list[Point] = make(settings.points, noise=settings.noise, seed=settings.seed)
    return found


def documents_of(settings: Settings) -> list[str]:
    """The texts of a task; one needs two of them at least, one on each line."""
    found: list[str] = data.documents(settings.data) if settings.data else data.names()
    if len(found) < 2:
        raise ValueError(say("train.data.one", path=settings.data))
    return found


def block_for(path: str) -> int:
    """How far a model has to see to see the longest text of a file to its end, within what it can learn."""
    longest = max(map(len, documents_of(Settings("text", path))))
    return min(max(Settings.block, longest + 1), WIDEST)


def digest(documents: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(documents).encode("utf-8", "surrogatepass")).hexdigest()


def _fits(parameters: int, examples: int, attended: int = 0) -> None:
    """Refuse what would take too much memory; each example uses each parameter about once."""
    if parameters > LARGEST:
        raise ValueError(say("train.large", count=counted(parameters), most=counted(LARGEST)))
    products = (parameters + attended) * examples
    if products > BUSIEST:
        raise ValueError(say("train.busy", count=counted(products), most=counted(BUSIEST)))
