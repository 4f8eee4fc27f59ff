"""Witnesses that say whether a gradient is right, and the court that hears them.

    verify.court("a*b + c", {"a": 2.0, "b": 3.0, "c": 4.0})

One file per witness, each independent of our derivative formulas but for two that say so.  The court is
loaded when it is first asked: an explanation needs central differences alone.
"""

from __future__ import annotations

from ..text.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__)
