"""What the witnesses of other libraries share: an op's name there becomes the function there.

An op is called by its name of the table, never by our formula.  A library that lacks the op says so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

from ..ops import OPS
from .definitions import CannotError
from .testimony import Estimate

__all__ = ["estimate", "its_function"]


def its_function(library: str, root: Any, op: str) -> Callable[..., Any]:
    """The function of a library for an op; CannotError where it has none."""
    path = OPS[op].foreign.get(library, "")
    found = root
    for part in path.split(".") if path else ():
        found = getattr(found, part, None)
    if not path or found is None:
        raise CannotError("op", op)
    function: Callable[..., Any] = found
    return function


def estimate(x: float) -> Estimate:
    return Estimate(float(x), 0.0, "" if isfinite(x) else "infinite")
