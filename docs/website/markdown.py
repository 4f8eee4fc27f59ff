"""Pieces of Markdown: text that stays text, cells, tables, code, pictures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from minigrad.drawing import Drawing
from minigrad.learn.lesson_markdown import fence

__all__ = ["code", "fenced", "pictured", "plain", "raw", "table"]

_MARKS = re.compile(r"([\\`*_{}\[\]<>|#$~^])")


def plain(words: str) -> str:
    """Words as they stand, though they are formulas: Markdown takes * and _ for marks."""
    return _MARKS.sub(r"\\\1", words)


def code(text: str) -> str:
    """A piece of code inside a sentence or a cell."""
    ticks = "`" * (max(map(len, re.findall(r"`+", text)), default=0) + 1)
    pad = " " if "`" in text else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def fenced(text: str, kind: str = "text") -> str:
    """Text in a fence that it cannot end."""
    return fence(text.rstrip(), kind) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = ()) -> str:
    """A table; the columns of `numbers` are set to the right."""
    right = {*numbers}
    rule = "|".join("--:" if at in right else "---" for at in range(len(head)))
    written = [f"| {' | '.join(map(_cell, row))} |" for row in (head, *rows)]
    lines = [written[0], f"|{rule}|", *written[1:]]
    return "\n".join(lines) + "\n"


def _cell(words: str) -> str:
    return re.sub(r"(?<!\\)\|", r"\\|", words)


def raw(html: str) -> str:
    """HTML in the page, as it stands."""
    return fenced(html, "{raw} html")


def pictured(drawing: Drawing, view: str, caption: str = "") -> str:
    """A drawing in the page, in the reader's colours; no wider than it was drawn."""
    below = f"<figcaption>{caption}</figcaption>" if caption else ""
    wide = f"--wide:{drawing.width:.0f}px"
    return raw(
        f'<figure class="mg-drawing"><div class="mg-scroll" tabindex="0" style="{wide}">'
        f"\n{drawing.inline(view).strip()}\n</div>{below}</figure>"
    )
