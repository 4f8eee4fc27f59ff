"""Witnesses that say whether a gradient is right, and the court that hears them.

    verify.court("a*b + c", {"a": 2.0, "b": 3.0, "c": 4.0})

One file per witness, each independent of our derivative formulas but for two that say so.
"""

from .case import Case
from .central import central_differences
from .court import court
from .testimony import Finding, Testimony
from .verdict import Verdict
from .witnesses import WITNESSES

__all__ = ["WITNESSES", "Case", "Finding", "Testimony", "Verdict", "central_differences", "court"]
