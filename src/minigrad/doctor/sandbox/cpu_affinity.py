"""Processor of a fenced program, and how whoever watches it stays ahead of it.

Hundreds of processes that never rest leave no time to whoever should end them.  So a program, and with
it all that it starts, is bound to one processor.  Root on Linux, whose processes the system does not
count, may go before all others: it watches that way, and meets a fork bomb on its own processor, where
nothing of it can run meanwhile.  Others, whose processes are counted, keep off that processor.  On
other systems nothing is bound.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
from collections import Counter
from collections.abc import Iterator

__all__ = ["Processor", "reserve_processor"]

_busy: Counter[int] = Counter()  # programs on each processor now
_lock = threading.Lock()


class Processor:
    """The processor of one program, None where it is not bound; `first` if we go before all others."""

    def __init__(self, number: int | None, first: bool) -> None:
        self.number = number
        self.first = first

    @contextlib.contextmanager
    def met(self) -> Iterator[None]:
        """The calling thread is on this processor, if it goes first there, and else on any other."""
        if self.number is None:
            yield
            return
        usual = os.sched_getaffinity(0)
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {self.number} if self.first else usual - {self.number} or usual)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, usual)


@contextlib.contextmanager
def reserve_processor() -> Iterator[Processor]:
    """One with the fewest confined programs on it; until the end, the calling thread goes first if it may."""
    if not hasattr(os, "sched_getaffinity"):
        yield Processor(None, False)
        return
    with _lock:
        ours = list(os.sched_getaffinity(0))
        fewest = min(_busy[number] for number in ours)
        number = random.choice([number for number in ours if _busy[number] == fewest])
        _busy[number] += 1
    try:
        with _ahead() as first:
            yield Processor(number, first)
    finally:
        with _lock:
            _busy[number] -= 1


@contextlib.contextmanager
def _ahead() -> Iterator[bool]:
    try:
        usual = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):
            os.sched_setscheduler(0, *usual)
