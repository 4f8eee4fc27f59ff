"""Source: a program as a text that runs without minigrad."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ...errors import MinigradError
from ...text.translation import say

__all__ = ["ExportError", "Source", "check_dtype", "require_library"]


class ExportError(MinigradError, ValueError):
    """An exported text that does not compute what the program computes."""


class Source:
    """A text, for people; and what it defines, for programs.

    `text` is the whole file.  `save(path)` writes it.  `load()` runs it and gives its names; for the texts in
    Python `value` (and where the text has gradients `value_and_grad`) is what it defines.
    """

    suffix = ".py"

    def __init__(self, text: str) -> None:
        self.text = text
        self._names: dict[str, Any] | None = None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self.text.splitlines())} lines>"

    def save(self, path: str | Path) -> Path:
        where = Path(path)
        where.write_text(self.text, encoding="utf-8", newline="\n")
        return where

    def load(self) -> dict[str, Any]:
        """The names that the text defines."""
        if self._names is None:
            names: dict[str, Any] = {"__name__": "minigrad_export"}
            exec(compile(self.text, "<minigrad export>", "exec"), names)
            self._names = names
        return self._names

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self.load()[name]
        except KeyError:
            raise AttributeError(name) from None


def check_dtype(dtype: str) -> None:
    if dtype not in ("float64", "float32"):
        raise ValueError(say("compile.handover.dtype", given=repr(dtype)))


def require_library(library: str) -> ModuleType:
    """The library, or what to install."""
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise ImportError(
            say("compile.handover.missing", library=library, install=f"'minigrad-lab[{library}]'")
        ) from None
