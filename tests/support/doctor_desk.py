"""What tests of the doctor share: a right engine, engines with planted bugs, reports that are made once."""

from __future__ import annotations

from functools import cache

import pytest

from engine_cases import CASES, write
from engine_texts import ENGINES
from minigrad.doctor import Report, examine

__all__ = ["CLOSURES", "broken", "remembered"]

CLOSURES = ENGINES / "closures.py"


@cache
def remembered(path: str) -> Report:
    return examine(path)


@pytest.fixture
def broken(tmp_path):
    """The file of an engine with a planted bug."""
    return lambda name: write(CASES[name], tmp_path)
