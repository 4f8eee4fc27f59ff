"""Configuration: what a person says about an engine that the doctor would otherwise have to find.

A doctor.toml beside the examined file, or above it:

    class = "Number"
    data = "val"            # the attribute, or method(), that holds the number
    grad = "adj"
    backward = "run"        # the method of the value or tape, or the function of the module
    seed = "caller"         # the caller sets the output's gradient before backward
    arguments = { track = true }   # that the constructor wants
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from ...text.escape import visible
from ...text.excerpts import cut
from ...text.translation import say
from .source import SubjectError

__all__ = ["FILE", "KEYS", "check_pins", "pins_of"]

FILE = "doctor.toml"
KEYS = ("class", "data", "grad", "backward", "seed", "arguments", "cell")
NAMES = ("class", "data", "grad", "backward")
NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*(\(\))?")  # val, val(), tape.grad
HEIGHT = 3  # folders upwards


def pins_of(path: Path) -> dict[str, object]:
    """What the nearest doctor.toml says."""
    folder = path if path.is_dir() else path.parent
    for _ in range(HEIGHT):
        file = folder / FILE
        if file.is_file():
            try:
                found = tomllib.loads(file.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError, RecursionError) as error:
                raise SubjectError(
                    say("doctor.toml", path=visible(str(file)), why=visible(str(error)))
                ) from None
            return check_pins(found, FILE)
        folder = folder.parent
    return {}


def check_pins(pins: Mapping[str, object], where: str) -> dict[str, object]:
    """The pins, every one known and of its type; SubjectError otherwise."""
    for key, value in pins.items():
        if key not in KEYS:
            raise SubjectError(say("doctor.pin", where=where, key=key, known=", ".join(KEYS)))
        wanted: type = dict if key == "arguments" else int if key == "cell" else str
        if not isinstance(value, wanted) or (key == "seed" and value != "caller"):
            raise SubjectError(say("doctor.pin_value", where=where, key=key, given=_shortened(value)))
        if key in NAMES and not NAME.fullmatch(str(value)):
            raise SubjectError(say("doctor.pin_name", where=where, key=key, given=_shortened(value)))
    return dict(pins)


def _shortened(value: object) -> str:
    return cut(ascii(value), 60)
