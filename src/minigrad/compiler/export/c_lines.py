"""Small parts of a text in C: sums and products of counters, tables, headers of the compiled engine."""

from __future__ import annotations

import re
import textwrap
from importlib.resources import files

__all__ = ["alive", "indented", "library", "once", "place_of", "plus", "times", "wrapped"]


def alive(lines: list[str], last: str) -> list[str]:
    """The lines that the answer needs."""
    kept: list[str] = []
    needed = last
    for line in reversed(lines):
        name = line.partition(" = ")[0].split()[-1]
        if re.search(rf"\b{name}\b", needed):
            kept.insert(0, line)
            needed += " " + line.partition(" = ")[2]
    return kept


def library(name: str, stop: str = "") -> str:
    """A header of the compiled engine, or a part of it: comments say the rest."""
    text = files("minigrad._native").joinpath(name).read_text(encoding="utf-8")
    lines = [
        line for line in text.split("\n") if not re.match(r'#include "|#(ifndef|define) MINIGRAD_\w+_H', line)
    ]
    text = "\n".join(lines).rstrip().removesuffix("#endif").rstrip()
    if stop:
        text = text[: text.index(f"/* {stop}")].rstrip()
    return text[text.index("#") :]


def plus(cell: int) -> str:
    return f"{cell} + " if cell else ""


def times(name: str, stride: int) -> str:
    return name if stride == 1 else f"-{name}" if stride == -1 else f"{stride} * {name}"


def place_of(base: int, parts: list[str]) -> str:
    """Where a cell is: the first one, and what the counters add."""
    return " + ".join([*([str(base)] if base or not parts else []), *parts]).replace("+ -", "- ")


def once(text: str) -> str:
    """The text with each header of the library included once."""
    seen: set[str] = set()
    lines = []
    for line in text.split("\n"):
        if not line.startswith("#include") or line not in seen:
            lines.append(line)
            seen.add(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines))


def wrapped(text: str) -> str:
    return "\n".join(
        textwrap.wrap(text, 106, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    )


def indented(lines: list[str]) -> str:
    return "\n".join("    " + line for text in lines for line in text.split("\n"))
