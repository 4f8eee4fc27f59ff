"""Streams of a program that runs apart, in bounded memory: its output as text, its messages as objects.

Each has `take(piece)`, which returns whether more is wanted, and `full`, which says that it was too much.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Generic, TypeVar

from .runner import Accept

__all__ = ["CUT", "MessageStream", "OutputStream"]

M = TypeVar("M")

CUT = "\n[...]\n"  # stands where the middle of an output was left out


class OutputStream:
    """What is printed: the beginning and the end are kept, each half of `kept` bytes."""

    def __init__(self, kept: int, most: int) -> None:
        self.half = kept // 2
        self.most = most
        self.size = 0
        self.full = False
        self._head = bytearray()
        self._tail = bytearray()

    def take(self, piece: bytes) -> bool:
        self.size += len(piece)
        room = self.half - len(self._head)
        self._head += piece[:room]
        self._tail += piece[room:]
        if len(self._tail) > self.half:
            del self._tail[: len(self._tail) - self.half]
        self.full = self.full or self.size > self.most
        return not self.full

    def text(self) -> str:
        whole = self.size == len(self._head) + len(self._tail)
        if whole:
            return (self._head + self._tail).decode("utf-8", "replace")
        return self._head.decode("utf-8", "replace") + CUT + self._tail.decode("utf-8", "replace")


class MessageStream(Generic[M]):
    """Lines of JSON: objects that are accepted are kept and handed on as they come, all else is counted."""

    def __init__(
        self,
        accept: Accept[M],
        on_message: Callable[[M], object] | None,
        *,
        count: int,
        line: int,
        size: int,
    ) -> None:
        self.accept, self.on_message = accept, on_message
        self.count = count
        self.line = line
        self.size = size
        self.found: list[M] = []
        self.rejected = 0
        self.full = False
        self._rest = b""  # a line that has no end yet

    def take(self, piece: bytes) -> bool:
        if self.full:
            return False
        self.size -= len(piece)
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            self._read(line)
        self.full = self.full or self.size < 0 or len(self._rest) > self.line
        return not self.full

    def close(self) -> None:
        """A last line without an end is read too, unless it was too long."""
        if self._rest and not self.full:
            self._read(self._rest)
        self._rest = b""

    def _read(self, line: bytes) -> None:
        if self.full or len(line) > self.line or len(self.found) + self.rejected >= self.count:
            self.full = True
            return
        try:
            raw = json.loads(line)
        except (ValueError, RecursionError):
            raw = None
        message = self.accept(raw) if isinstance(raw, dict) else None
        if message is None:
            self.rejected += 1
            return
        self.found.append(message)
        if self.on_message is not None:
            self.on_message(message)
