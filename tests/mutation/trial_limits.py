"""Limits of a process in which one change is tried; apart from `loop.py`, because they need no mutmut."""

from __future__ import annotations

import resource
import signal

MEMORY = 4 << 30  # a change can make a loop that fills a list for ever


def limit(seconds: float) -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    signal.alarm(60 + 10 * int(seconds))  # for one that waits; this machine may have more to do
