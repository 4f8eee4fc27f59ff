"""Threads that get into each other's way as often as they can."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

__all__ = ["in_threads"]


def in_threads(work: Callable[[int], None], count: int) -> None:
    """Run work(0), work(1), ... at once, with as many switches as there can be."""
    errors: list[BaseException] = []
    ready = threading.Barrier(count)

    def guarded(who: int) -> None:
        try:
            ready.wait()
            work(who)
        except BaseException as error:
            errors.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=guarded, args=(who,)) for who in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    if errors:
        raise errors[0]
