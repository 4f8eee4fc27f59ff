"""Fixtures of tests of the court."""

import sys

import pytest


@pytest.fixture
def no_mpmath(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has no mpmath."""
    monkeypatch.setitem(sys.modules, "mpmath", None)
