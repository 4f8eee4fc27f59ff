"""Signals that end a command from outside, turned into KeyboardInterrupt."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["as_interrupts"]


@contextmanager
def as_interrupts() -> Iterator[None]:
    """A closed terminal, or a polite kill, stops as Ctrl-C does; what is ignored stays so."""

    def stop(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)  # once is enough: what is left to do is quick
        raise KeyboardInterrupt

    before: dict[int, signal._HANDLER] = {}
    for name in ("SIGHUP", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is None or signal.getsignal(number) in (signal.SIG_IGN, None):
            continue
        try:
            before[number] = signal.signal(number, stop)
        except ValueError:  # not the main thread
            break
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
