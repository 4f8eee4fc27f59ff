"""Errors of minigrad: `MinigradError` is the root of all of them.

Each error that minigrad defines is a `MinigradError` and also the builtin error that a caller would expect,
a ValueError or a TypeError for example, so that either can be caught.
"""

from __future__ import annotations

__all__ = ["MinigradError"]


class MinigradError(Exception):
    """What every error that minigrad defines is, whatever else it is."""
