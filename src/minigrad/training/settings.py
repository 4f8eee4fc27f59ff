"""Settings of a run: everything that determines it, as plain data.  Equal settings, equal losses.

`defaults(task)` is what each task starts from; `check` refuses what cannot be, in words, before any work;
`to_json` and `from_json` are how a checkpoint keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from math import inf, isfinite
from typing import TYPE_CHECKING, Any

from ..text.numerals import counted, show
from ..text.translation import say

if TYPE_CHECKING:
    from ..text.files import JSON

__all__ = [
    "ACTIVATIONS",
    "LANGUAGES",
    "LARGEST",
    "OPTIMISERS",
    "SCHEDULES",
    "TASKS",
    "Settings",
    "defaults",
]

LANGUAGES = ("names", "text")  # the tasks that are about texts
OPTIMISERS = {"sgd": "SGD", "adam": "Adam", "adamw": "AdamW"}  # and their classes in nn
SCHEDULES = ("constant", "linear", "cosine")
ACTIVATIONS = ("relu", "tanh", "sigmoid", "gelu", "silu")
LATER: dict[str, object] = {
    "held_out": 0.0
}  # settings that checkpoints of 0.1 do not have, and what they mean there
LARGEST = 200_000  # parameters: each is a Python object, and every step visits all of them


@dataclass(frozen=True)
class Settings:
    task: str
    data: str = ""  # the file of the documents; "" for the task's own
    data_digest: str = ""  # SHA-256 of the documents, so that a changed file is noticed
    points: int = 100
    noise: float = 0.1
    seed: int = 0
    steps: int = 100
    optimiser: str = "sgd"
    lr: float = 1.0
    momentum: float = 0.0
    betas: tuple[float, float] = (0.9, 0.999)
    weight_decay: float = 0.0
    schedule: str = "linear"
    final: float = 0.1  # what the schedule ends at, as a part of lr
    warmup: int = 0
    batch: int = 0  # examples of a step; 0 for all of them
    hidden: tuple[int, ...] = (16, 16)
    activation: str = "relu"
    loss: str = "hinge"
    regularisation: float = 0.0
    width: int = 16
    heads: int = 4
    layers: int = 1
    block: int = 16
    dropout: float = 0.0
    clip: float = 0.0  # the largest norm of a gradient; 0 for any
    held_out: float = 0.0  # the part of the texts that is not trained on; points are drawn anew for it

    def to_json(self) -> dict[str, JSON]:
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
            if name not in LATER or value != LATER[name]
        }

    @classmethod
    def from_json(cls, document: object) -> Settings:
        """The settings that `to_json` wrote; ValueError for anything else."""
        if not isinstance(document, Mapping):
            raise ValueError(say("train.settings.kind"))
        known = {field.name: field for field in fields(cls)}
        given = {**LATER, **document}
        for name in {*given, *known}:
            if name not in known or name not in given:
                raise ValueError(say("train.settings.name", name=repr(name)[:60]))
        for name, default in asdict(cls("moons")).items():
            value = given[name]
            if isinstance(default, tuple) and isinstance(value, list):
                kind = type(default[0])
                right = all(type(part) in (kind, int) for part in value)
                given[name] = tuple(map(kind, value)) if right else value
                right = right and (name != "betas" or len(value) == 2)
            elif isinstance(default, float) and type(value) is int:
                right, given[name] = abs(value) < 2**53, float(value) if abs(value) < 2**53 else 0.0
            else:
                right = type(value) is type(default)
            if not right:
                raise ValueError(say("train.settings.value", name=name, given=repr(value)[:60]))
        return cls(**given).checked()

    @property
    def language(self) -> bool:
        """Whether the task is about texts."""
        return self.task in LANGUAGES

    def checked(self) -> Settings:
        """Themselves, if a run can be made of them; ValueError with the reason otherwise."""
        _check(self)
        return self


def defaults(task: str, **changed: Any) -> Settings:
    """What a task starts from, with changes."""
    if task not in _DEFAULTS:
        raise ValueError(say("train.task", given=repr(task)[:60], known=", ".join(TASKS)))
    return replace(_DEFAULTS[task], **changed).checked()


_DEFAULTS = {
    # the demo of the well-known engine
    "moons": Settings("moons", regularisation=1e-4),
    "circles": Settings(
        "circles", optimiser="adam", lr=0.02, activation="tanh", steps=120, regularisation=1e-4
    ),
    "spirals": Settings(
        "spirals", optimiser="adam", lr=0.04, activation="tanh", steps=200, noise=0.05, regularisation=1e-5
    ),
    "regression": Settings(
        "regression", optimiser="adam", lr=0.02, activation="tanh", steps=200, loss="mse", points=60
    ),
    # the small GPT
    "names": Settings(
        "names",
        optimiser="adam",
        lr=0.01,
        betas=(0.85, 0.99),
        final=0.0,
        steps=1000,
        batch=1,
        loss="cross_entropy",
    ),
}
_DEFAULTS["text"] = replace(_DEFAULTS["names"], task="text", held_out=0.1)
TASKS = tuple(_DEFAULTS)


# ---- what cannot be -------------------------------------------------------------------------------

# setting: the least and the most
# fmt: off
_RANGES: dict[str, tuple[float, float]] = {
    "points":         (2, 100_000),
    "noise":          (0.0, 1e6),
    "seed":           (0, 2**63 - 1),
    "steps":          (1, 10_000_000),
    "momentum":       (0.0, 1.0),
    "weight_decay":   (0.0, 1e6),
    "final":          (0.0, 1.0),
    "warmup":         (0, 10_000_000),
    "batch":          (0, 100_000),
    "regularisation": (0.0, 1e6),
    "width":          (1, 4_096),
    "heads":          (1, 4_096),
    "layers":         (1, 100),
    "block":          (1, 4_096),
    "dropout":        (0.0, 0.99),
    "clip":           (0.0, inf),
    "held_out":       (0.0, 0.9),
}
# fmt: on
_CHOICES: dict[str, Iterable[str]] = {
    "task": TASKS,
    "optimiser": OPTIMISERS,
    "schedule": SCHEDULES,
    "activation": ACTIVATIONS,
}
_LOSSES = {  # what a task can be trained on
    **dict.fromkeys(TASKS, ("hinge", "mse")),
    "regression": ("mse",),
    **dict.fromkeys(LANGUAGES, ("cross_entropy",)),
}


def _check(settings: Settings) -> None:
    choices = {**_CHOICES, "loss": _LOSSES.get(settings.task, ())}  # the task itself is checked first
    for name, known in choices.items():
        value = getattr(settings, name)
        if value not in known:
            raise ValueError(
                say("train.choice", name=_option(name), given=repr(value)[:60], known=", ".join(known))
            )
    for name, (least, most) in _RANGES.items():
        value = getattr(settings, name)
        if not least <= value <= most:
            raise ValueError(
                say(
                    "train.range",
                    name=_option(name),
                    given=_shown(value),
                    least=_shown(least),
                    most=_shown(most),
                )
            )
    if not (isfinite(settings.lr) and 0.0 < settings.lr <= 1e6):
        raise ValueError(say("train.lr", given=_shown(settings.lr)))
    if not all(0.0 <= beta < 1.0 for beta in settings.betas):
        raise ValueError(say("train.choice", name="betas", given=settings.betas, known="0 <= beta < 1"))
    if settings.warmup >= settings.steps:
        raise ValueError(say("train.warmup", given=counted(settings.warmup), steps=counted(settings.steps)))
    if settings.momentum and settings.optimiser != "sgd":
        raise ValueError(say("train.momentum", optimiser=settings.optimiser))
    unused = "regularisation" if settings.language else "dropout"  # its losses, or its model, have none
    if value := getattr(settings, unused):
        raise ValueError(say("train.choice", name=_option(unused), given=show(value), known="0"))
    if settings.language:
        if settings.width % settings.heads:
            raise ValueError(
                say("train.heads", heads=settings.heads, width=settings.width, near=_divisor(settings))
            )
    elif not settings.hidden or not all(1 <= width <= 4_096 for width in settings.hidden):
        raise ValueError(say("train.hidden", given=",".join(map(str, settings.hidden))))
    elif settings.batch > settings.points:
        raise ValueError(say("train.batch", given=counted(settings.batch), points=counted(settings.points)))


def _divisor(settings: Settings) -> int:
    """The number of heads below the one that was asked for that divides the width."""
    return next(n for n in range(min(settings.heads, settings.width), 0, -1) if settings.width % n == 0)


def _shown(value: float) -> str:
    return counted(value) if isinstance(value, int) and value >= 0 else show(value)


def _option(name: str) -> str:
    """What a person types for a setting; some have no option."""
    return (
        name
        if name in ("task", "loss", "betas", "final", "regularisation")
        else "--" + name.replace("_", "-")
    )
