"""Processes that share the runs of a duel: the same results in the same places, whatever their number.

Whoever ends the one that shares it out ends all of them, at once and without a word; none outlives it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from multiprocessing import active_children, get_context, parent_process
from os import _exit
from signal import SIG_IGN, SIGINT, SIGTERM, getsignal, signal
from threading import Thread, current_thread, main_thread
from typing import TypeVar

from ...text.translation import say

__all__ = ["Told", "run_in_processes"]

T = TypeVar("T")
R = TypeVar("R")
Told = Callable[[int, int], None]  # how many runs are done, of how many


def run_in_processes(
    function: Callable[[T], R], work: Sequence[T], workers: int, told: Told | None = None
) -> list[R]:
    """Every result, in its place; `told` hears how many of how many there are."""
    results: list[R] = []
    with ExitStack() as stack:
        done: Iterator[R] = map(function, work)
        try:
            if workers > 1 and len(work) > 1:
                spawn = get_context("spawn")
                pool = ProcessPoolExecutor(min(workers, len(work)), spawn, initializer=_serve)
                stack.callback(pool.shutdown, cancel_futures=True)
                stack.enter_context(_ended_when_interrupted())
                with _no_interrupts():
                    done = pool.map(function, work)
            for result in done:
                results.append(result)
                if told is not None:
                    told(len(results), len(work))
        except BrokenProcessPool:
            raise ValueError(say("duel.process")) from None
    return results


def _serve() -> None:
    """In a process that shares the work: Ctrl-C reaches all, one answers, and no other outlives that one."""
    signal(SIGINT, SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        _exit(1)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes that are started inside are never interrupted, not even while they import.

    Whoever wants to end this one waits until all are started: half started, nobody could end them.
    """
    try:
        from signal import SIG_BLOCK, SIG_SETMASK, SIGHUP, pthread_sigmask
    except ImportError:  # Windows
        yield
        return
    held: list[int] = []
    handlers = {}
    if current_thread() is main_thread():  # a mask would be inherited, and then nothing could end them
        for number in (SIGTERM, SIGHUP):
            if callable(getsignal(number)):
                handlers[number] = signal(number, lambda number, _: held.append(number))
    before = pthread_sigmask(SIG_BLOCK, {SIGINT})
    try:
        yield
    finally:
        pthread_sigmask(SIG_SETMASK, before)
        for number, handler in handlers.items():
            signal(number, handler)
    if held:
        raise KeyboardInterrupt


@contextmanager
def _ended_when_interrupted() -> Iterator[None]:
    """On Ctrl-C, end the processes that were started inside in place of waiting for what they are at."""
    others = set(active_children())
    try:
        yield
    except KeyboardInterrupt:
        for process in set(active_children()) - others:
            process.terminate()
        raise
