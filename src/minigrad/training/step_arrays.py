"""Arrays of a run's next step: its examples, its arrays with their gradients, and each weight by its name.

Nothing here changes the run that it is given: gradients are worked out on a copy.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import hypot, inf, sqrt
from operator import lt
from typing import TYPE_CHECKING

from ..nn.module import Array, array_of
from ..scalar import Value
from ..text.escape import printable, visible
from ..text.excerpts import cut
from ..text.numerals import json_number, show
from ..text.page import Page, Result, Sections
from ..text.translation import say
from .run import Run
from .settings import Settings
from .tasks import TextTask

if TYPE_CHECKING:
    from ..text.files import JSON

__all__ = ["ArrayRow", "Arrays", "TrainingStep", "copy_of", "find_weight", "list_arrays", "step_of"]

SCHEMA = "minigrad.weights/1"
EXAMPLES = 4  # examples of a step that are named
LONGEST = 100  # letters of a name that are repeated in an error
_PLACES = re.compile(r"(\[[0-9]{1,12}\])*")


def copy_of(run: Run) -> Run:
    """A run in the same state, by way of what a checkpoint holds."""
    from .run_file import pack, unpack

    return unpack(pack(run))


# ---- the step -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingStep:
    """Which step of which run is explained."""

    settings: Settings
    number: int  # the step that comes next
    examples: tuple[str, ...]  # the first few of them, in words
    count: int  # how many there are
    loss: float

    def to_json(self) -> dict[str, JSON]:
        return {
            "task": self.settings.task,
            "seed": self.settings.seed,
            "step": self.number,
            "steps": self.settings.steps,
            "examples": list(self.examples),
            "examples_count": self.count,
            "loss": json_number(self.loss),
        }


def step_of(run: Run, loss: float) -> TrainingStep:
    """The step that comes next."""
    indices = run.indices()
    task = run.task
    if isinstance(task, TextTask):
        shown = [printable(task.documents[i]) for i in indices[:EXAMPLES]]
    else:
        shown = [_point(*task.points[i]) for i in indices[:EXAMPLES]]
    return TrainingStep(run.settings, run.step + 1, tuple(shown), len(indices), loss)


def _point(point: Sequence[float], label: float) -> str:
    return f"({', '.join(show(x, 3) for x in point)}): {show(label, 3)}"


# ---- names ----------------------------------------------------------------------------------------


def _quote(name: str) -> str:
    return visible(cut(name, LONGEST))


def _arrays(run: Run) -> dict[str, Array]:
    found = {name: array_of(nested) for name, nested in run.model.arrays().items()}
    return {name: array for name, array in found.items() if array is not None}


def find_weight(run: Run, name: str) -> tuple[str, Value]:
    """The weight of a name, as `named_parameters` spells it; ValueError says what to write instead."""
    arrays = _arrays(run)
    given = name.strip() if isinstance(name, str) else ""
    stem, bracket, _ = given.partition("[")
    if stem not in arrays:
        raise ValueError(_unknown(arrays, given or repr(name), stem, bracket and given[len(stem) :]))
    array, places = arrays[stem], _places(given[len(stem) :])
    if places is None or not _fits(places, array):
        raise ValueError(_outside(stem, array, given))
    at = 0
    for place, size in zip(places, array.shape, strict=True):
        at = at * size + place
    if not array.values[at].requires_grad:
        raise ValueError(say("weight.constant", name=_quote(given)))
    return given, array.values[at]


def _places(text: str) -> tuple[int, ...] | None:
    """[3][5] as numbers."""
    return tuple(map(int, re.findall("[0-9]+", text))) if _PLACES.fullmatch(text) else None


def _fits(places: tuple[int, ...], array: Array) -> bool:
    return len(places) == len(array.shape) and all(map(lt, places, array.shape))


def _unknown(arrays: dict[str, Array], given: str, stem: str, tail: str) -> str:
    close = get_close_matches(stem, arrays, 3, 0.5)
    places = _places(tail)
    known = ", ".join(
        name + tail if places is not None and _fits(places, arrays[name]) else _example(name, arrays[name])
        for name in close or list(arrays)[:3]
    )
    key = "weight.unknown.close" if close else "weight.unknown"
    return say(key, given=_quote(given), known=known)


def _outside(name: str, array: Array, given: str) -> str:
    if not array.shape:
        return say("weight.single", given=_quote(given), name=_quote(name))
    last = name + "".join(f"[{size - 1}]" for size in array.shape)
    return say(
        "weight.outside",
        given=_quote(given),
        shape=" x ".join(map(str, array.shape)),
        first=_example(name, array),
        last=last,
    )


def _example(name: str, array: Array) -> str:
    return name + "[0]" * len(array.shape)


# ---- all of them ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ArrayRow:
    name: str
    shape: tuple[int, ...]
    rms: float  # of its gradients
    largest: str  # the weight with the largest gradient
    gradient: float


@dataclass(frozen=True)
class Arrays(Result):
    """The arrays of a run, with the gradients of its next step: what there is to be explained."""

    step: TrainingStep
    rows: tuple[ArrayRow, ...]
    right = True

    def sections(self, page: Page) -> Sections:
        from .weight_text import listing

        return listing(self, page)

    def _title(self) -> str:
        return say("weight.list")

    def _notes(self, page: Page) -> list[str]:
        return page.wrap(say("weight.list.how", name=self.rows[0].largest) if self.rows else "", "")

    def to_json(self) -> dict[str, JSON]:
        return {
            "schema": SCHEMA,
            "run": self.step.to_json(),
            "arrays": [
                {
                    "name": row.name,
                    "shape": list(row.shape),
                    "rms": json_number(row.rms),
                    "largest": row.largest,
                    "gradient": json_number(row.gradient),
                }
                for row in self.rows
            ],
        }


def list_arrays(run: Run) -> Arrays:
    """Every array that is trained, and where its largest gradient is."""
    run = copy_of(run)
    loss = run.forward()
    run.model.zero_grad()
    loss.backward()
    rows = []
    for name, array in _arrays(run).items():
        trained = [
            (value.grad, name + place)
            for place, value in zip(array.places(), array.values, strict=True)
            if value.requires_grad
        ]
        if trained:
            gradient, largest = max(trained, key=lambda row: abs(row[0]) if row[0] == row[0] else inf)
            rms = hypot(*(grad for grad, _ in trained)) / sqrt(len(trained))
            rows.append(ArrayRow(name, array.shape, rms, largest, gradient))
    return Arrays(step_of(run, loss.data), tuple(rows))
