"""What tests of the doctor share: a right engine, and reports that are made once."""

from __future__ import annotations

from functools import cache

from engine_texts import ENGINES
from minigrad.doctor import Report, examine

__all__ = ["CLOSURES", "remembered"]

CLOSURES = ENGINES / "closures.py"


@cache
def remembered(path: str) -> Report:
    return examine(path)
