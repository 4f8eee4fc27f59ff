"""One run of a duel: the right one, or the one that a fault is at work in.

`train(settings)` and `train(settings, slug, variant)` are functions of plain data that give plain data, so
that another process can do them.
"""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING

from ...faults import FAULTS, Suspect
from ...faults.catalogue.traversal import WalkTooLongError
from ...faults.fault import Variant
from .. import Run, Settings
from ..tasks import TextTask
from .broken_backward import BrokenBackward

if TYPE_CHECKING:
    from ...nn.module import Nest

__all__ = ["Course", "train"]

SAMPLES = 5  # names that a model writes at the end
TEMPERATURE = 0.5


@dataclass(frozen=True)
class Course:
    """How a run went: the true loss at every step, and what the model can do at the end.

    The angles and ratios are of the broken gradient to the right one at the same weights, step by step.
    """

    losses: tuple[float, ...]
    accuracy: float | None
    samples: tuple[str, ...]
    weights: dict[str, Nest[float]]
    angles: tuple[float | None, ...] = ()
    ratios: tuple[float | None, ...] = ()
    equal: bool = True  # was every gradient the right one?
    end: str = ""  # why it ended early: "endless", "not-a-number"


def train(settings: Settings, slug: str = "", variant: Variant = "") -> Course:
    """A whole run, with the right pass or with the fault in it."""
    run = Run(settings)
    backward = None
    if slug:
        backward = BrokenBackward(Suspect(FAULTS[slug], variant), dict(run.model.named_parameters()))
    losses: list[float] = []
    end = ""
    while not run.finished and not end:
        try:
            record = run.advance(backward)
        except WalkTooLongError:
            end = "endless"
            break
        losses.append(record.loss)
        if not record.taken:  # with this gradient no weight, and so no later loss, is a number
            end = "not-a-number"
            if record.loss == record.loss:
                losses.append(nan)
    task = run.task
    samples: list[str] = []
    if isinstance(task, TextTask):
        with suppress(ValueError):  # weights so large that no score is a number: it can write nothing
            samples = task.sample(random.Random(settings.seed), SAMPLES, TEMPERATURE)
    return Course(
        tuple(losses[: settings.steps]),
        task.accuracy(),
        tuple(samples),
        run.model.state_dict(),
        tuple(backward.angles) if backward else (),
        tuple(backward.ratios) if backward else (),
        backward.equal if backward else True,
        end,
    )
