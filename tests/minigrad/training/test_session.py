"""Sessions: signals, and what looks on and cannot write."""

from __future__ import annotations

import io
import signal
from pathlib import Path

import pytest

from minigrad.text.page import Page
from minigrad.training import Run, defaults
from minigrad.training.health import Health
from minigrad.training.progress_line import ProgressLine
from minigrad.training.session import Stop, TrainingSession, stoppable


class Onlooker:
    """One whose file cannot be written, and that does not say which it is."""

    def __init__(self) -> None:
        self.asked = 0

    def step(self, record: object) -> None:
        self.asked += 1
        raise PermissionError(13, "Permission denied", "elsewhere.html")

    def finish(self) -> None:
        raise AssertionError("it was asked again")


def test_an_onlooker_that_cannot_write_is_told_with_its_file_and_not_asked_again():
    run, screen, onlooker = Run(defaults("moons", points=4, hidden=(2,), steps=3)), io.StringIO(), Onlooker()
    progress = ProgressLine(run, screen, Page(), False)
    session = TrainingSession(
        run, progress, Health(run), witness=onlooker, reason=lambda error: error.strerror
    )
    session.go(Stop())
    assert run.finished
    assert onlooker.asked == 1
    assert [*session.troubles] == [Path("elsewhere.html")]
    assert screen.getvalue().count("elsewhere.html") == 1
    assert "elsewhere.html" in session.unwritten


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_handler_of_ones_own_is_back_afterwards(number):
    def own(*_: object) -> None:
        pass

    before = signal.signal(number, own)
    try:
        with stoppable() as stop:
            assert signal.getsignal(number) == stop.ask
        assert signal.getsignal(number) is own
    finally:
        signal.signal(number, before)
