"""What a confined program says, taken in bounded memory: its output as text, its results as objects.

Each has `take(piece)`, which returns whether more is wanted, and `full`, which says that it was too much.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

__all__ = ["CUT", "OutputStream", "ResultStream"]

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


class ResultStream:
    """Lines of JSON: objects are kept and handed on as they come, all else is counted."""

    def __init__(
        self, count: int, line: int, size: int, on_result: Callable[[dict[str, Any]], object] | None
    ) -> None:
        self.count = count
        self.line = line
        self.size = size
        self.on_result = on_result
        self.found: list[dict[str, Any]] = []
        self.undecoded = 0
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
        if self.full or len(line) > self.line or len(self.found) + self.undecoded >= self.count:
            self.full = True
            return
        try:
            result = json.loads(line)
        except (ValueError, RecursionError):
            result = None
        if not isinstance(result, dict):
            self.undecoded += 1
            return
        self.found.append(result)
        if self.on_result is not None:
            self.on_result(result)
