"""Shared parts of the witnesses of other libraries: an op's name there becomes the function there.

An op is called by its name of the table, never by our formula.  A library that lacks the op says so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from types import ModuleType, SimpleNamespace
from typing import Any

from ...ops import OPS
from ...text.numerals import counted
from ..case import Case
from ..definitions import CannotError
from ..testimony import ABSENT, CANNOT, Estimate, Statement

__all__ = ["estimate", "its_function", "of_a_library"]

Witness = Callable[[Case], Statement]


def of_a_library(name: str, extra: str, largest: int) -> Callable[[Witness], Witness]:
    """A witness that may be missing, cannot run a node made by hand, and is slow on large graphs."""

    def wrap(run: Witness) -> Witness:
        def witness(case: Case) -> Statement:
            if case.custom is not None:
                return Statement(name, status=CANNOT, why="custom", about=case.custom)
            if len(case.graph) > largest:
                return Statement(name, status=CANNOT, why="size", about=counted(len(case.graph)))
            try:
                return run(case)
            except ImportError:
                return Statement(name, status=ABSENT, why="missing", about=extra)

        return witness

    return wrap


def its_function(library: str, root: ModuleType | SimpleNamespace, op: str) -> Callable[..., Any]:
    """The function of a library for an op; CannotError where it has none."""
    path = OPS[op].foreign.get(library, "")
    found: object = root
    for part in path.split(".") if path else ():
        found = getattr(found, part, None)
    if not callable(found):
        raise CannotError("op", op)
    return found


def estimate(x: float) -> Estimate:
    return Estimate(float(x), 0.0, "" if isfinite(x) else "infinite")
