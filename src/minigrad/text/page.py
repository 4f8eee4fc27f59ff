"""Layout of a result as text: width, colours, sections, Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from re import findall, sub
from textwrap import wrap

from .numerals import counted
from .translation import say, speaking

__all__ = [
    "ROWS",
    "Ink",
    "Page",
    "Result",
    "Sections",
    "columns",
    "markdown_of",
    "plain_heading",
    "text_of",
]

ROWS = 60  # lines of one part that are printed, unless all are asked for
_COLOURS = {
    "data": "34", "grad": "33", "local": "36", "title": "1", "faint": "2",
    "wrong": "31", "right": "32", "removed": "31", "added": "32",
}  # fmt: skip


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
        """The rows; of very many, the first and the last, and how many are left out between."""
        if self.rows is None or len(rows) <= self.rows + 1:
            yield from rows
            return
        last = self.rows // 3
        yield from rows[: self.rows - last]
        yield self.ink("faint", "  " + say("page.more", count=counted(len(rows) - self.rows)))
        yield from rows[len(rows) - last :]

    def wrap(self, text: str, indent: str = "  ", kind: str = "") -> list[str]:
        """A sentence in lines that fit the page; those after the first are set in further."""
        lines = wrap(
            text, self.width, initial_indent=indent, subsequent_indent=indent + "  ",
            break_on_hyphens=False, break_long_words=False,
        )  # fmt: skip
        return [self.ink(kind, line) for line in lines] if kind else lines

    def beside(self, left: str, text: str) -> list[str]:
        """A text to the right of another, its further lines below its first."""
        lines = wrap(text, max(24, self.width - len(left)), break_on_hyphens=False, break_long_words=False)
        return [left + line if i == 0 else " " * len(left) + line for i, line in enumerate(lines or [""])]


def columns(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Rows of cells with every column but the last padded to one width."""
    table = [list(row) for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)] if table else []
    return [[cell.ljust(w) for cell, w in zip(row[:-1], widths, strict=False)] + row[-1:] for row in table]


Sections = Iterable[tuple[str, Sequence[str]]]  # a title and its lines


def text_of(sections: Sections, page: Page, notes: Sequence[str] = ()) -> str:
    """Sections for a terminal, with notes at the end."""
    parts = ["\n".join([page.ink("title", title), *lines]) for title, lines in sections]
    return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])]) + "\n"


def markdown_of(title: str, sections: Sections, kinds: Mapping[str, str] | None = None) -> str:
    """Sections as Markdown: what a user wrote is text in headings, and stays inside code fences below them.

    The title is Markdown already; the kind of a fence is text, or what `kinds` says for its heading.
    """
    parts = [f"# {title}"]
    for heading, lines in sections:
        body = "\n".join(line.removeprefix("  ") for line in lines)
        fence = "`" * max(3, 1 + max(map(len, findall("`+", body)), default=0))
        kind = (kinds or {}).get(heading, "text")
        parts.append(f"## {plain_heading(heading)}\n\n{fence}{kind}\n{body}\n{fence}")
    return "\n\n".join(parts) + "\n"


def plain_heading(text: str) -> str:
    """A heading in which nothing is a link, an image, markup or emphasis; `my_engine.py` stays as it is."""
    return sub(r"[\\`*\[\]<>&]|(?<!\w)_|_(?!\w)", r"\\\g<0>", text)


class Result:
    """What can be printed: a subclass says its sections, and the title that they have in Markdown."""

    __slots__ = ()

    def sections(self, page: Page) -> Sections:
        raise NotImplementedError

    def _title(self) -> str:
        raise NotImplementedError

    def _notes(self, page: Page) -> Sequence[str]:
        return ()

    def text(self, lang: str | None = None, page: Page | None = None) -> str:
        page = page or Page()
        with speaking(lang):
            return text_of(self.sections(page), page, self._notes(page))

    def markdown(self, lang: str | None = None) -> str:
        with speaking(lang):
            return markdown_of(self._title(), self.sections(Page()))

    def __str__(self) -> str:
        return self.text(page=Page(rows=ROWS))
