"""Patch: a few edits of a source, a repair or a planted bug, and the line that a person would look at."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from difflib import unified_diff

from .anatomy import Anatomy, Edit, apply_edits

__all__ = ["Patch", "make_patch"]


@dataclass(frozen=True)
class Patch:
    kind: str  # of a repair what is done, in a word: "accumulate"; of a planted bug the slug of its fault
    edits: tuple[Edit, ...]  # the one that matters first
    line: int  # of the original, from 1
    before: str  # that line; "" where lines are put in between
    after: str  # the line that stands there afterwards; "" where it is gone
    op: str = ""  # "" where it is about all ops
    parts: tuple[Patch, ...] = ()  # where it mends several bugs at once: what each of them takes

    def apply(self, source: str) -> str:
        return apply_edits(source, self.edits)

    def diff(self, source: str, name: str = "source") -> list[str]:
        old, new = source.splitlines(keepends=True), self.apply(source).splitlines(keepends=True)
        return [line.rstrip("\r\n") for line in unified_diff(old, new, name, name, n=1)]


def make_patch(
    anatomy: Anatomy, kind: str, *edits: Edit, op: str = "", at: ast.stmt | None = None
) -> Patch | None:
    """A patch of these edits; None where nothing would change or what comes out is no Python.

    `at` is the statement that is to blame, where the first edit is not the place to look.
    """
    text = anatomy.text
    changing = tuple(edit for edit in edits if text.source[edit.start : edit.end] != edit.text)
    patched = apply_edits(text.source, changing)
    if patched == text.source:
        return None
    if not text.is_python_with(changing):
        return None
    first = changing[0]
    line = text.line_at(first.start)
    shift = sum(len(e.text) - (e.end - e.start) for e in changing if e.start < first.start)
    inserted = first.start == first.end and first.text.endswith("\n")
    if inserted:
        start = first.start + shift + len(first.text) - len(first.text.lstrip("\n"))
    else:
        start = patched.rfind("\n", 0, first.start + shift) + 1
    after = patched[start:].split("\n", 1)[0].rstrip("\r")
    if not first.text and text.source[first.start : first.end].endswith("\n"):
        after = ""  # whole lines are gone
    if at is not None:
        return Patch(kind, changing, at.lineno, text.line(at.lineno), after, op)
    return Patch(kind, changing, line, "" if inserted else text.line(line), after, op)
