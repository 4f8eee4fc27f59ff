"""Witnesses that say whether a gradient is right, and the court that hears them.

    verify.court("a*b + c", {"a": 2.0, "b": 3.0, "c": 4.0})

One file per witness, each independent of our derivative formulas but for two that say so.  The court is
loaded when it is first asked: an explanation needs central differences alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..rooms import opened_later
from .central import central_differences
from .testimony import Finding, Testimony

if TYPE_CHECKING:
    from .court import court as court
    from .verdict import Verdict as Verdict
    from .witnesses import WITNESSES as WITNESSES

__all__ = ["WITNESSES", "Finding", "Testimony", "Verdict", "central_differences", "court"]

_LATER = {"WITNESSES": "witnesses", "Verdict": "verdict", "court": "court"}

__getattr__ = opened_later(__name__, _LATER)
