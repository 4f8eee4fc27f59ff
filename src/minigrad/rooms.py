"""Rooms that can be called, and rooms whose names are loaded when somebody asks for them.

`minigrad.explain(L)` and `minigrad.explain.ledger` are both wanted, and Python binds the name
of an imported submodule to the module.  So the module itself is made callable.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["callable_room", "opened_later"]


class _Room(ModuleType):
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return getattr(self, self.__name__.rpartition(".")[2])(*args, **named)


def callable_room(name: str) -> None:
    """Make the module `name` callable: it calls its function of the same last name."""
    sys.modules[name].__class__ = _Room


def opened_later(room: str, files: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a room: each name is in the file beside it, which is not imported before."""

    def found(name: str) -> Any:
        if name not in files:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        module: Any = import_module(f".{files[name]}", room)
        return module if files[name] == name and callable(module) else getattr(module, name)

    return found
