"""Boundaries of minigrad: the places where something arrives that somebody else may have written.

One file each.  A file defines a subclass of `Boundary`, whose only instance is `BOUNDARY`.
"""

from __future__ import annotations

from importlib import import_module

from .boundary import Boundary

__all__ = ["NAMES", "boundary"]

NAMES = (
    "language",
    "traces",
    "programs",
    "checkpoints",
    "progress",
    "sheets",
    "result_pipe",
    "studio_requests",
    "engine_calls",
)


def boundary(name: str) -> Boundary:
    """The boundary of this name; its file is imported now, since some of them load large libraries."""
    found: Boundary = import_module(f"{__name__}.{name}").BOUNDARY
    return found
