"""Fixtures of tests of the doctor."""

import pytest

from engine_cases import CASES, write


@pytest.fixture
def broken(tmp_path):
    """The file of an engine with a planted bug, by the name of its case."""
    return lambda name: write(CASES[name], tmp_path)
