"""no_grad: a block in which ops make constants instead of nodes.

Each thread, and each task of an event loop, has blocks of its own.  `blocks` counts those that
are open anywhere: while there are none, an op need not ask whether it is inside one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any, TypeVar

__all__ = ["no_grad", "paused", "recorded"]

Function = TypeVar("Function", bound=Callable[..., Any])

blocks = 0
_lock = Lock()
_depth: ContextVar[int] = ContextVar("minigrad no_grad", default=0)


def paused() -> bool:
    """Is the caller inside a no_grad block?"""
    return _depth.get() > 0


@contextmanager
def recorded() -> Iterator[None]:
    """Inside this block ops make nodes again, whatever no_grad blocks are around it."""
    token = _depth.set(0)
    try:
        yield
    finally:
        _depth.reset(token)


class no_grad:
    """Inside `with no_grad():`, or a function under `@no_grad()`, ops make constants."""

    def __enter__(self) -> None:
        global blocks
        with _lock:
            blocks += 1
        _depth.set(_depth.get() + 1)

    def __exit__(self, *_: object) -> None:
        global blocks
        _depth.set(max(0, _depth.get() - 1))
        with _lock:
            blocks -= 1

    def __call__(self, function: Function) -> Function:
        from .decorating import inside

        wrapped: Function = inside(no_grad, function)
        return wrapped
