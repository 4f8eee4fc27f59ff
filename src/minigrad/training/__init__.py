"""Training runs: what determines one, the steps it takes, what is wrong with it, and how it is shown.

    run = Run(defaults("moons"))
    while not run.finished:
        print(run.advance().loss)

A run is a function of its settings alone: the same ones give the same losses, bit for bit, on both
engines, whether it was stopped and resumed on the way or not.  The names here are loaded when they are
first used: a picture needs no model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rooms import opened_later

if TYPE_CHECKING:
    from .run import Run as Run
    from .run import StepRecord as StepRecord
    from .settings import TASKS as TASKS
    from .settings import Settings as Settings
    from .settings import defaults as defaults
    from .tasks import task_of as task_of

_LATER = {
    "Run": "run",
    "Settings": "settings",
    "StepRecord": "run",
    "TASKS": "settings",
    "defaults": "settings",
    "task_of": "tasks",
}

__all__ = [*_LATER]

__getattr__ = opened_later(__name__, _LATER)
