"""Interpreter of an examined engine, in a browser's worker: `inside.main` with the worker's own means.

A worker has no processes.  Its script copies the memory of the interpreter and puts it back, which makes each
job begin anew and gives what runs apart a world of its own; so nothing that is kept here outlasts a call of
`run`, and `begin` is called in a fresh interpreter.  A worker has no signals either: `setitimer` is given to
`signal` here, over the worker's clock.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

__all__ = ["Clock", "EngineChild"]

BROWSER = {"js", "pyodide", "pyodide_js", "pyodide_core"}
SLICE = 0.01  # seconds of a sleep, after which an alarm may ring


class Clock(Protocol):
    """The worker's: two alarms, numbered as by `setitimer`."""

    def set(self, which: int, seconds: float, signum: int, interval: float) -> float:
        """Ring after so many seconds, 0: never, and again at this interval if it is not 0.

        It gives the seconds that were left before.
        """


class EngineChild:
    def __init__(self, home: str, send: Callable[[str], object], clock: Clock) -> None:
        """Everything that user code could replace later is bound now, and imported."""
        _be_like_a_process(clock)
        sys.path.insert(0, home)
        for module in ("inside.engine_usage", "inside.op_expansion"):
            __import__(module)
        self._prepare = __import__("inside.main", fromlist=("prepare",)).prepare
        sys.path.remove(home)
        encode = json.JSONEncoder().encode
        self._send = lambda message: send(encode(message))
        self._apart: Any = None
        _hide_the_browser()

    def begin(self, request: str) -> int:
        """Do what need not be done apart; how many calls are left, or -1 - its exit code, where it ended."""
        try:
            self._apart = self._prepare(json.loads(request), self._send, worlds=True)
        except SystemExit as error:
            code = 0 if error.code is None else error.code if isinstance(error.code, int) else 1
            return -1 - (code & 255)
        except BaseException:  # what a process would end with
            return -2
        return -1 if self._apart is None else len(self._apart)

    def run(self, number: int) -> int:
        """One of these calls, in a world of its own: its exit code."""
        code: int = self._apart.run(number)
        return code

    def goes_on(self, codes: str) -> bool:
        """After these exit codes, one after the other."""
        return bool(self._apart.goes_on(_numbers(codes)))

    def finish(self, codes: str) -> None:
        self._apart.finish(_numbers(codes))


def _hide_the_browser() -> None:
    """An engine finds nothing of the page, as in a process.

    This is no wall: what an engine can reach is the policy's to say.  But what JavaScript is asked to call
    later would be called in a memory that was put back.
    """
    for name in [name for name in sys.modules if name.partition(".")[0].strip("_") in BROWSER]:
        del sys.modules[name]
    sys.meta_path[:] = [each for each in sys.meta_path if "pyodide" not in type(each).__module__]


def _numbers(codes: str) -> list[int]:
    return [int(code) for code in codes.split()]


def _be_like_a_process(clock: Clock) -> None:
    for stream in (sys.stdout, sys.stderr):  # what is printed must not be lost in a memory that is put back
        stream.reconfigure(write_through=True)  # type: ignore[union-attr]
    if hasattr(os, "fork"):  # which would say that it cannot
        del os.fork
    if not hasattr(time, "thread_time"):  # there is one thread
        time.thread_time = time.process_time
    timers = {0: signal.SIGALRM, 2: signal.SIGPROF}

    def setitimer(which: int, seconds: float, interval: float = 0.0) -> tuple[float, float]:
        return clock.set(which, seconds, timers[which], interval), 0.0

    signal.ITIMER_REAL, signal.ITIMER_PROF, signal.setitimer = 0, 2, setitimer
    sleep, now = time.sleep, time.monotonic

    def sleep_in_slices(seconds: float, /) -> None:
        end = now() + seconds
        while (left := end - now()) > 0:
            sleep(min(left, SLICE))

    time.sleep = sleep_in_slices  # type: ignore[assignment]
