"""Places in a program: the lines of the user's own files from which something was called.

A frame of PyTorch, the standard library, a trainer or minigrad is no place; one of any other file is.
"""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

__all__ = ["NOWHERE", "ProgramPlace", "stack_here"]

OWN = str(Path(__file__).resolve().parents[1]) + os.sep
STANDARD = tuple(
    os.path.realpath(path) + os.sep
    for name in ("stdlib", "platstdlib")
    if (path := sysconfig.get_paths().get(name))
)
# Loops of others, which call the user's program and are called by it: a line in them says nothing.
TRAINERS = tuple(
    f"{os.sep}site-packages{os.sep}{name}"
    for name in (
        *(f"{name}{os.sep}" for name in ("lightning", "pytorch_lightning", "lightning_fabric", "accelerate")),
        f"transformers{os.sep}trainer",
    )
)
DEEPEST = 400  # frames that are looked at


@dataclass(frozen=True, slots=True)
class ProgramPlace:
    """A line of a file, in the function that it stands in."""

    file: str
    line: int
    function: str = ""

    @property
    def text(self) -> str:
        return linecache.getline(self.file, self.line).strip()

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}:{self.line}"


NOWHERE = ProgramPlace("", 0)


@cache
def _torch_folder() -> str:
    torch = sys.modules.get("torch")
    file = getattr(torch, "__file__", None)
    return os.path.dirname(os.path.realpath(file)) + os.sep if file else "\0"


@cache
def _kind(file: str) -> str:
    """torch, program, or "" for what counts as neither."""
    if not file or file.startswith("<"):
        return ""
    path = os.path.realpath(file)
    if path.startswith(_torch_folder()):
        return "torch:" + path[len(_torch_folder()) :].replace(os.sep, "/")
    if path.startswith(OWN) or any(each in path for each in TRAINERS):
        return ""
    if f"{os.sep}site-packages{os.sep}" not in path and path.startswith(STANDARD):
        return ""
    return "program"


_kinds: dict[CodeType, str] = {}


def _kind_of(code: CodeType) -> str:
    kind = _kinds.get(code)
    if kind is None:
        kind = _kinds[code] = _kind(code.co_filename)
    return kind


def stack_here(skip: int = 1) -> tuple[tuple[ProgramPlace, ...], tuple[str, ...]]:
    """The places of the program that led here, innermost first; and the files of PyTorch between them."""
    frame: FrameType | None = sys._getframe(skip)
    places: list[ProgramPlace] = []
    through: list[str] = []
    for _ in range(DEEPEST):
        if frame is None:
            break
        kind = _kind_of(frame.f_code)
        if kind == "program":
            places.append(ProgramPlace(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        elif kind:
            through.append(f"{len(places)}:{kind[6:]}:{frame.f_code.co_name}")
        frame = frame.f_back
    return tuple(places), tuple(through)
