"""Options of `minigrad train`, and their values, read or refused in words."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from ...language import decimal_point
from ...text.translation import say
from ...training.settings import OPTIMISERS, SCHEDULES, Settings
from ..argument_values import quoted, whole
from ..arguments import Arguments, UsageError

__all__ = ["OPTIONS", "no_foreign", "read_every", "read_places", "read_sampling", "read_settings"]

N = TypeVar("N", int, float)

SETTINGS = {  # options that are settings: what their value is called
    "steps": "N",
    "seed": "N",
    "lr": "X",
    "optimiser": "|".join(OPTIMISERS),
    "momentum": "X",
    "weight-decay": "X",
    "schedule": "|".join(SCHEDULES),
    "warmup": "N",
    "batch": "N",
    "clip": "X",
}
OF_POINTS = {"points": "N", "noise": "X", "hidden": "16,16", "activation": "NAME"}
OF_TEXTS = {"width": "N", "heads": "N", "layers": "N", "block": "N", "dropout": "X", "held-out": "X"}
OF_SAMPLES = {"samples": "N", "temperature": "X"}
OPTIONS = {
    **SETTINGS,
    **OF_POINTS,
    **OF_TEXTS,
    **OF_SAMPLES,
    "save": "FILE.safetensors",
    "every": "N",
    "resume": "FILE.safetensors",
    "plot": "[FILE.svg|.png]",
    "watch": "FILE.html",
    "compile": "",
    "json": "",
    "help": "",
    "lang": "LANG",
}
SAMPLES, MOST_SAMPLES = 20, 10_000


def read_places(arguments: Arguments) -> dict[str, Path]:
    """The files that will be written, by option; their endings are checked."""
    endings = {"save": (".safetensors",), "plot": (".svg", ".png"), "watch": (".html",)}
    found = {}
    for option, known in endings.items():
        given = arguments.options.get(option, "")
        if not given and (option == "plot" or not arguments.flag(option)):
            continue
        if Path(given).suffix not in known:
            raise UsageError(say("usage.ending", given=quoted(Path(given).name), known=", ".join(known)))
        found[option] = Path(given)
    return found


def read_sampling(arguments: Arguments) -> tuple[int, float]:
    """How many samples, of what temperature."""
    temperature = _number(arguments, "temperature", float) if arguments.flag("temperature") else 0.5
    if not 0.0 < temperature <= 100.0:
        raise UsageError(say("usage.train.temperature", given=quoted(arguments.options["temperature"])))
    return whole(arguments, "samples", 0, MOST_SAMPLES, SAMPLES), temperature


def read_every(arguments: Arguments) -> int:
    """Steps between two checkpoints; 0 where nothing was asked for."""
    if not arguments.flag("every"):
        return 0
    if not (arguments.flag("save") or arguments.flag("resume")):
        raise UsageError(say("usage.train.every"))
    return whole(arguments, "every", 1, 10**9, 0)


def _number(arguments: Arguments, option: str, kind: type[N]) -> N:
    """The value of an option as a whole number or any number."""
    text = arguments.options[option]
    try:
        text = decimal_point(text) if kind is float else text
        value = kind(text) if len(text) <= 40 and "_" not in text and text.isascii() else None
    except ValueError:
        value = None
    if value is None or (kind is float and not isfinite(value)):
        key = "usage.train.whole" if kind is int else "usage.train.number"
        raise UsageError(say(key, option=f"--{option}", given=quoted(text)))
    return value


def read_settings(arguments: Arguments) -> dict[str, Any]:
    """The settings that were typed, by the names that Settings has for them."""
    plain = asdict(Settings("moons"))
    found: dict[str, Any] = {}
    for option in (*SETTINGS, *OF_POINTS, *OF_TEXTS):
        if not arguments.flag(option):
            continue
        name = option.replace("-", "_")
        if option == "hidden":
            found[name] = _hidden(arguments.options[option])
        elif isinstance(plain[name], str):
            found[name] = arguments.options[option]
        else:
            found[name] = _number(arguments, option, type(plain[name]))
    for option in ("batch", "clip"):  # 0 is how settings say that there is none
        if option in found and found[option] <= 0:
            raise UsageError(
                say("usage.train.above", option=f"--{option}", given=quoted(arguments.options[option]))
            )
    return found


def _hidden(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdecimal() and part.isascii() and len(part) < 10 for part in parts):
        raise UsageError(say("train.hidden", given=quoted(text)))
    return tuple(map(int, parts))


def no_foreign(arguments: Arguments, task: str, language: bool) -> None:
    """Options that do not belong to the task are refused."""
    for option in OF_POINTS if language else {**OF_TEXTS, **OF_SAMPLES}:
        if arguments.flag(option):
            raise UsageError(say("usage.train.foreign", option=f"--{option}", task=task))
