"""Witnesses that say whether a gradient is right, and the court that hears them.

    verify.court("a*b + c", {"a": 2.0, "b": 3.0, "c": 4.0})

One file per witness, each independent of our derivative formulas but for two that say so.  The court is
loaded when it is first asked: an explanation needs central differences alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .central import central_differences
from .testimony import Finding, Testimony

if TYPE_CHECKING:
    from .court import court as court
    from .verdict import Verdict as Verdict
    from .witnesses import WITNESSES as WITNESSES

__all__ = ["WITNESSES", "Finding", "Testimony", "Verdict", "central_differences", "court"]

_LATER = {"WITNESSES": "witnesses", "Verdict": "verdict"}


def __getattr__(name: str) -> Any:
    if name == "court":  # a room that can be called (see rooms.py)
        return import_module(".court", __name__)
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
