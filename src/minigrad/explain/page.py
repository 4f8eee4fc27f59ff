"""How an explanation is laid out: width, colours, and names that cannot break a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..messages import say

__all__ = ["Ink", "Page", "columns", "printable"]

_COLOURS = {"data": "34", "grad": "33", "local": "36", "title": "1", "faint": "2"}


class Ink:
    """One colour grammar: data blue, gradient orange, local derivative teal; or none at all."""

    def __init__(self, on: bool = False) -> None:
        self.on = on

    def __call__(self, kind: str, text: str) -> str:
        return f"\x1b[{_COLOURS[kind]}m{text}\x1b[0m" if self.on and text.strip() else text


_PLAIN = Ink()


@dataclass(frozen=True, slots=True)
class Page:
    width: int = 78
    rows: int | None = None  # the most rows of one view; None for all of them
    ink: Ink = _PLAIN

    def clip(self, rows: Sequence[str]) -> Iterator[str]:
        """The rows, or the first of them and how many there are."""
        if self.rows is None or len(rows) <= self.rows:
            yield from rows
            return
        yield from rows[: self.rows]
        yield self.ink("faint", "  " + say("page.more", count=f"{len(rows) - self.rows:,}"))


def printable(text: str) -> str:
    """A label for people: control characters and the like are escaped, and it stays short."""
    safe = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return safe if len(safe) <= 40 else safe[:37] + "..."


def columns(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Rows of cells with every column but the last padded to one width."""
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)] if table else []
    return [[cell.ljust(w) for cell, w in zip(row[:-1], widths, strict=False)] + row[-1:] for row in table]
