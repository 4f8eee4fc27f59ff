"""Time of a call: processor time counts, who sleeps is stopped, and a busy machine stops nobody."""

from __future__ import annotations

import sys
import time

import pytest

from minigrad.doctor.inside import probe_run
from minigrad.doctor.inside.probe_run import TooSlowError, within

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how long a process waited")


@pytest.fixture
def short(monkeypatch):
    """Who does nothing for 0.2 s sleeps."""
    monkeypatch.setattr(probe_run, "IDLE", 0.2)
    monkeypatch.setattr(probe_run, "LOOK", 0.05)
    monkeypatch.setattr(probe_run, "FIRST_LOOK", 0.05)


def compute(seconds: float) -> None:
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def test_who_waits_for_a_busy_machine_loses_no_time():
    assert within(0.2, lambda: time.sleep(0.6)) is None


def test_who_computes_for_ever_is_stopped():
    with pytest.raises(TooSlowError):
        within(0.1, lambda: compute(1e9))


def test_who_sleeps_for_ever_is_stopped_too(monkeypatch):
    """Where nobody says how long a process waited for a processor, by the clock."""
    monkeypatch.setattr(probe_run, "_waited", lambda: None)
    with pytest.raises(TooSlowError):
        within(0.02, lambda: time.sleep(60))


@on_linux
def test_who_does_nothing_is_stopped_long_before_its_time_is_up(short):
    begun = time.process_time()
    with pytest.raises(TooSlowError):
        within(20.0, lambda: time.sleep(60))
    assert time.process_time() - begun < 1.0


@on_linux
def test_who_is_kept_waiting_for_a_processor_is_not_asleep(short, monkeypatch):
    """As on a machine so busy that it gives the process nothing: its time passes in the queue."""
    began = time.monotonic()
    monkeypatch.setattr(probe_run, "_waited", lambda: time.monotonic() - began)
    assert within(20.0, lambda: time.sleep(0.8)) is None


@on_linux
def test_who_waits_for_a_disk_is_not_asleep(short, monkeypatch):
    monkeypatch.setattr(probe_run, "_reads", lambda: (0, int(1e6 * time.monotonic())))
    assert within(20.0, lambda: time.sleep(0.8)) is None


@on_linux
def test_who_computes_a_little_from_time_to_time_is_not_asleep(short):
    def now_and_then():
        for _ in range(12):
            compute(0.01)
            time.sleep(0.05)

    assert within(20.0, now_and_then) is None


@on_linux
def test_the_system_says_how_long_a_process_waited():
    assert probe_run._waited() is not None
