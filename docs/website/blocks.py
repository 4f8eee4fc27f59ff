"""The blocks of code on the pages of docs/, and whether somebody runs each of them.

    <!-- run -->             docs/renew.py runs it and shows what it prints
    <!-- runs -->            a test runs it in an empty folder
    <!-- not run: WHY -->    nobody does, for this reason
    $ minigrad ...           in a console, a test runs every such line

`unmarked(text)` finds the blocks about which nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Block", "blocks", "unmarked"]

PROGRAMS = ("python", "py", "console", "bash", "sh")
_FENCE = re.compile(r"^\s*(`{3,})(\S*)")
_REASON = re.compile(r"<!-- not run[^:]*: \S.* -->")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block of a page."""

    line: int
    kind: str
    text: str
    mark: str  # the line above it


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    lines = text.splitlines()
    start: int | None = None
    for at, line in enumerate(lines):
        fence = _FENCE.match(line)
        if start is None and fence:
            start, marks, kind = at, fence[1], fence[2]
        elif start is not None and line.strip().startswith(marks):
            above = lines[start - 1].strip() if start else ""
            yield Block(start + 1, kind, "\n".join(lines[start + 1 : at]) + "\n", above)
            start = None


def unmarked(text: str) -> list[str]:
    """The programs that nobody runs, and for which no reason is given."""
    found = []
    for block in blocks(text):
        if block.kind not in PROGRAMS or _REASON.fullmatch(block.mark):
            continue
        if block.kind == "console" and all(_is_minigrad(line) for line in block.text.splitlines()):
            continue
        if block.mark not in ("<!-- run -->", "<!-- runs -->"):
            found.append(f"line {block.line}: {block.kind}")
    return found


def _is_minigrad(line: str) -> bool:
    return not line.strip() or line.startswith(("$ minigrad ", "$ minigrad\n")) or line == "$ minigrad"
