"""Pictures for a terminal out of dots of braille, two by four to a character; and the same in ASCII.

canvas = Canvas(20, 4)
canvas.line([(0, 0), (39, 15)], "data")
canvas.lines(page.ink)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil

from ..text.page import Ink, Page

__all__ = ["ASCII", "Canvas", "key_lines"]

_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # by row and column of a character
_UPPER, _MIDDLE, _LOWER = 0x09, 0x36, 0xC0


class Canvas:
    """Dots by place, each of a kind of ink; a character has the ink of most of its dots."""

    def __init__(self, wide: int, high: int) -> None:
        self.wide, self.high = wide, high
        self.dots_wide, self.dots_high = 2 * wide, 4 * high
        self.dots: dict[tuple[int, int], str] = {}

    def dot(self, x: int, y: int, kind: str) -> None:
        if 0 <= x < self.dots_wide and 0 <= y < self.dots_high:
            self.dots[x, y] = kind

    def line(self, points: Sequence[tuple[float, float]], kind: str, dotted: bool = False) -> None:
        """A line through places; a dotted one leaves out two columns of four."""
        for at, (x, y) in enumerate(points):
            before = points[at - 1] if at else (x, y)
            count = ceil(max(abs(x - before[0]), abs(y - before[1]), 1))
            for i in range(count + 1):
                share = i / count
                column = round(before[0] + share * (x - before[0]))
                if dotted and column % 4 > 1:
                    continue
                self.dot(column, round(before[1] + share * (y - before[1])), kind)

    def lines(self, ink: Ink, over: Mapping[tuple[int, int], str] | None = None) -> list[str]:
        """The rows; `over` are characters, by column and row, that stand on top of the dots."""
        cells: dict[tuple[int, int], int] = {}
        kinds: dict[tuple[int, int], Counter[str]] = {}
        for (x, y), kind in self.dots.items():
            cell = x // 2, y // 4
            cells[cell] = cells.get(cell, 0) | _BITS[y % 4][x % 2]
            kinds.setdefault(cell, Counter())[kind] += 1
        rows = []
        for row in range(self.high):
            parts: list[str] = []
            for column in range(self.wide):
                if over and (column, row) in over:
                    parts.append(over[column, row])
                    continue
                bits = cells.get((column, row), 0)
                if not bits:
                    parts.append(" ")
                    continue
                parts.append(ink(kinds[column, row].most_common(1)[0][0], chr(0x2800 + bits)))
            rows.append("".join(parts).rstrip())
        return rows


def key_lines(entries: Sequence[tuple[str, str, str]], page: Page) -> list[str]:
    """Samples with their names (ink, sample, name), in lines that fit the page."""
    lines, used = [""], 0
    for ink, sample, name in entries:
        name = name[: max(4, page.width - len(sample) - 3)]
        wide = len(sample) + 1 + len(name)
        if used and used + 3 + wide > page.width:
            lines.append("")
            used = 0
        lines[-1] += ("   " if used else "  ") + f"{page.ink(ink, sample)} {name}"
        used += (3 if used else 2) + wide
    return lines


def _plain(bits: int) -> str:
    upper, middle, lower = bits & _UPPER, bits & _MIDDLE, bits & _LOWER
    if upper and lower:
        return "|" if middle else ":"
    return "-" if middle and not (upper or lower) else "'" if upper else "." if lower else " "


# For a terminal that has no braille: what stands for each character of a picture.
ASCII = str.maketrans(
    {chr(0x2800 + bits): _plain(bits) for bits in range(256)}
    | {"│": "|", "┤": "+", "└": "+", "─": "-", "░": ":", "●": "*", "○": "o", "▲": "^", "✗": "X", "█": "#"}
    | {"▏": "|", "▎": "|", "▍": "|", "▌": "|", "▋": "#", "▊": "#", "▉": "#", "·": ".", "°": " "}
)
