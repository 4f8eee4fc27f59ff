"""Inline marks in a text of a lesson: `code`, **strong**, *emphasis* and [words](address).

A star with a space after it opens nothing, so that 2 * 3 is a product.  Inside code nothing else is a mark.
A mark without its other half is text; `refuse_stray` is for lessons, in which it would be a slip.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from re import compile as pattern

from ..text.translation import say

__all__ = ["InlineMark", "marks", "plain", "refuse_stray", "runs"]

_TOKEN = pattern(
    r"`(?P<code>[^`]+)`"
    r"|\*\*(?P<strong>(?! ).+?(?<! ))\*\*"
    r"|(?<!\*)\*(?P<emphasis>(?![ *]).*?(?<![ *]))\*(?!\*)"
    r"|\[(?P<link>[^\[\]]+)\]\((?P<address>[^()\s]+)\)"
)
_STRAY = pattern(r"`|\*\*|\*(?=[^\s*])|(?<=[^\s*])\*|\]\(")


@dataclass(frozen=True, slots=True)
class InlineMark:
    """A piece of text: plain text or code, or something around further pieces."""

    kind: str  # text, code, strong, emphasis, link
    text: str  # what it says, without any mark
    address: str = ""  # of a link
    inside: tuple[InlineMark, ...] = ()  # of strong, emphasis and link


def marks(text: str) -> tuple[InlineMark, ...]:
    """The pieces of a text."""
    return tuple(_marks(text))


def refuse_stray(text: str) -> None:
    """ValueError for a mark that is opened and not closed."""
    for mark in marks(text):
        if mark.inside:
            refuse_stray(_inner(mark))
        stray = _STRAY.search(mark.text) if mark.kind == "text" else None
        if stray:
            raise ValueError(say("course.mark", mark=stray[0], text=mark.text.strip()[:60]))


def _inner(mark: InlineMark) -> str:
    """The text inside a mark, its code left out: what is in code is no mark."""
    return "".join(inner.text for inner in mark.inside if inner.kind == "text")


def _marks(text: str) -> Iterator[InlineMark]:
    at = 0
    for found in _TOKEN.finditer(text):
        if at < found.start():
            yield InlineMark("text", text[at : found.start()])
        at = found.end()
        kind = found.lastgroup or ""
        if kind == "code":
            yield InlineMark("code", found["code"])
            continue
        kind = "link" if kind == "address" else kind
        inside = marks(found[kind])
        yield InlineMark(kind, "".join(mark.text for mark in inside), found["address"] or "", inside)
    if text[at:]:
        yield InlineMark("text", text[at:])


def plain(text: str) -> str:
    """A text without its marks."""
    return "".join(mark.text for mark in marks(text))


def runs(text: str) -> tuple[tuple[str, str, str], ...]:
    """A text as pieces in a row: kind, words and address; code inside strong is "strong code"."""
    return tuple(_runs(marks(text), (), ""))


def _runs(
    pieces: tuple[InlineMark, ...], around: tuple[str, ...], address: str
) -> Iterator[tuple[str, str, str]]:
    for mark in pieces:
        if mark.inside:
            yield from _runs(mark.inside, (*around, mark.kind), mark.address or address)
        else:
            kinds = (*around, *(() if mark.kind == "text" and around else (mark.kind,)))
            yield " ".join(kinds), mark.text, address
