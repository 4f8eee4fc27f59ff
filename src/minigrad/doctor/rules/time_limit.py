"""A limit on the time that somebody else's code may take, in the main thread: what does not end is ended."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

__all__ = ["LateError", "can_limit", "limited"]

AGAIN = 0.25  # seconds between two alarms, where the first was caught or let through

T = TypeVar("T")


class LateError(BaseException):
    """The time is over; no handler for ordinary errors takes it."""


def can_limit() -> bool:
    """Does the system have timers, and is this the main thread?"""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def limited(seconds: float, act: Callable[[], T], processor: bool = False) -> T:
    """What `act` gives; LateError after so many seconds, of the processor or of the clock.

    It runs without a limit where there can be none.  What is imported meanwhile is let through, so that no
    module stays half made.  An alarm that was set before is kept.
    """
    if not can_limit():
        return act()
    timer = signal.ITIMER_PROF if processor else signal.ITIMER_REAL
    number = signal.SIGPROF if processor else signal.SIGALRM
    now = time.process_time if processor else time.monotonic

    def over(number: int, frame: FrameType | None) -> None:
        if not _is_importing(frame):
            raise LateError

    handler = signal.signal(number, over)
    began = now()
    left = signal.setitimer(timer, seconds, AGAIN)[0]
    try:
        try:
            return act()
        finally:
            signal.setitimer(timer, 0.0)
    finally:
        signal.setitimer(timer, 0.0)
        signal.signal(number, handler)
        if left:
            signal.setitimer(timer, max(0.1, left - (now() - began)))


def _is_importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False
