"""A room that is named like its one function can be called like it.

`minigrad.explain(L)` and `minigrad.explain.ledger` are both wanted, and Python binds the name
of an imported submodule to the module.  So the module itself is made callable.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

__all__ = ["callable_room"]


class _Room(ModuleType):
    def __call__(self, /, *args: Any, **named: Any) -> Any:
        return getattr(self, self.__name__.rpartition(".")[2])(*args, **named)


def callable_room(name: str) -> None:
    """Make the module `name` callable: it calls its function of the same last name."""
    sys.modules[name].__class__ = _Room
