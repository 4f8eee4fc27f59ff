"""Numerals: numbers as text for people, and in JSON."""

from __future__ import annotations

from math import inf, isfinite, nan
from typing import Any

from .translation import pick

__all__ = ["counted", "from_json_number", "json_number", "show"]


def show(x: float, digits: int = 6) -> str:
    """A number for people: 4, -0.25, 0.333333, 1e-17, inf.

    Whole numbers below ten billion are written out; all else has `digits` digits.
    """
    if x == 0.0:
        return "0"
    if abs(x) < 1e10 and x == int(x):
        return str(int(x))
    return f"{x:.{digits}g}"


def counted(n: int) -> str:
    """A count for people, in groups of three digits: 1,000 in English, 1 000 in Spanish.

    One of more than 21 digits is given by its size: about 10^30.
    """
    if n >= 10**21:
        return f"10^{int((n.bit_length() - 1) * 0.30103)}"
    return f"{n:,}".replace(",", pick((",", "\u00a0")))


def json_number(x: float) -> float | str:
    """A number for JSON, which has no words for infinity and NaN: those become strings."""
    return x if isfinite(x) else str(x)


_WORDS = {"inf": inf, "-inf": -inf, "nan": nan}


def from_json_number(x: Any) -> float:
    """The number that `json_number` wrote; ValueError for anything else."""
    if isinstance(x, str) and x in _WORDS:
        return _WORDS[x]
    if isinstance(x, (int, float)) and not isinstance(x, bool) and isfinite(x):
        return float(x)
    raise ValueError(repr(x)[:40])
