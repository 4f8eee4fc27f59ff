"""Fixtures of tests of commands that are ended from outside."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def usual_hangup() -> Iterator[None]:
    """What a closed terminal does to a child of this test, whoever started it: under nohup, nothing."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)
