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

__all__ = ["enable_grad", "no_grad", "paused"]

Function = TypeVar("Function", bound=Callable[..., Any])

blocks = 0
_lock = Lock()
_watchers: list[Callable[[int], object]] = []


def watch(told: Callable[[int], object]) -> None:
    """Tell `told` how many blocks are open whenever that changes: for an engine that cannot look."""
    _watchers.append(told)


def _count(change: int) -> None:
    global blocks
    with _lock:
        blocks += change
        for told in _watchers:
            told(blocks)


class _NoGradBlock:
    """One open `with no_grad():`, and the one around it."""

    __slots__ = ("around", "open")

    def __init__(self, around: _NoGradBlock | None) -> None:
        self.around, self.open = around, True


# A task inherits the blocks that are open when it is made, and sees them close.
_innermost: ContextVar[_NoGradBlock | None] = ContextVar("minigrad no_grad", default=None)


def paused() -> bool:
    """Is the caller inside a no_grad block?"""
    block = _innermost.get()
    while block is not None and not block.open:
        block = block.around
    return block is not None


@contextmanager
def enable_grad() -> Iterator[None]:
    """Inside this block ops make nodes again, whatever no_grad blocks are around it."""
    token = _innermost.set(None)
    try:
        yield
    finally:
        _innermost.reset(token)


class no_grad:
    """Inside `with no_grad():`, or a function under `@no_grad()`, ops make constants."""

    def __init__(self) -> None:
        self._entered: list[_NoGradBlock] = []  # one no_grad may be entered again inside itself

    def __enter__(self) -> None:
        block = _NoGradBlock(_innermost.get())
        self._entered.append(block)
        _innermost.set(block)
        _count(+1)

    def __exit__(self, *_: object) -> None:
        if not self._entered:
            return
        block = self._entered.pop()
        block.open = False
        if _innermost.get() is block:
            _innermost.set(block.around)
        _count(-1)

    def __call__(self, function: Function) -> Function:
        from .block_decorator import inside

        return inside(no_grad, function)
