"""The catalogue of bugs: one row each, in the file of its kind.  Adding a fault is adding a row."""

from __future__ import annotations

from ..fault import Fault, rows
from . import (
    accumulation,
    arithmetic,
    functions,
    numeric,
    reflected,
    seeds,
    slots,
    state,
    structure,
    traversal,
    upstream,
)

__all__ = ["FAULTS"]

FAULTS: dict[str, Fault] = rows(
    *accumulation.ROWS,
    *traversal.ROWS,
    *seeds.ROWS,
    *upstream.ROWS,
    *slots.ROWS,
    *structure.ROWS,
    *state.ROWS,
    *arithmetic.ROWS,
    *functions.ROWS,
    *reflected.ROWS,
    *numeric.ROWS,
)
