"""Source text, and the characters in which each piece of its syntax tree stands.

`ast` counts columns in UTF-8 bytes and lines from 1; edits want offsets into the text.  An edit replaces
a span and nothing else, so that a diff shows what changed and nothing that did not.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from textwrap import dedent
from typing import NamedTuple

__all__ = ["Edit", "SourceText", "apply_edits", "walk_own"]


class Edit(NamedTuple):
    start: int
    end: int
    text: str  # what stands there instead


def apply_edits(source: str, edits: Iterable[Edit]) -> str:
    """The source with all edits made; of two that overlap, the earlier in the text is made."""
    parts, at = [], 0
    for start, end, text in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if start >= at:
            parts += [source[at:start], text]
            at = end
    return "".join([*parts, source[at:]])


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """Everything below a function or a class that is not inside another function in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from walk_own(child)


class SourceText:
    """A source with its tree; SyntaxError where it cannot be parsed."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.tree = ast.parse(source)

    @cached_property
    def lines(self) -> list[str]:
        return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", self.source)

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        return starts

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        return [n for n in ast.walk(self.tree) if isinstance(n, (ast.Import, ast.ImportFrom))]

    @cached_property
    def functions(self) -> list[tuple[int, int]]:
        """The lines of the functions that are in no other, as offsets."""
        found = []
        waiting: list[ast.AST] = [self.tree]
        while waiting:
            for node in ast.iter_child_nodes(waiting.pop()):
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    found.append(self.whole(node))
                elif isinstance(node, (ast.ClassDef, ast.If, ast.Try, ast.With)):
                    waiting.append(node)
        return found

    def is_python_with(self, edits: Sequence[Edit]) -> bool:
        """Does the source still parse?  Where all edits are inside one function, that alone is read."""
        around = [
            (start, end)
            for start, end in self.functions
            if all(start <= edit.start and edit.end <= end and (edit.start < end) for edit in edits)
        ]
        start, end = around[0] if around else (0, len(self.source))
        inside = [Edit(edit.start - start, edit.end - start, edit.text) for edit in edits]
        text = apply_edits(self.source[start:end], inside)
        try:
            ast.parse(dedent(text) if around else text)
        except (SyntaxError, ValueError):
            return bool(around) and self._parses(edits)  # dedenting may be to blame
        return True

    def _parses(self, edits: Sequence[Edit]) -> bool:
        try:
            ast.parse(apply_edits(self.source, edits))
        except (SyntaxError, ValueError):
            return False
        return True

    def offset(self, line: int, column: int) -> int:
        if line > len(self.lines):
            return len(self.source)
        text = self.lines[line - 1]
        inside = column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))
        return self._starts[line - 1] + inside

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return self.offset(node.lineno, node.col_offset), self.offset(end_line, end_column)

    def of(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.source[start:end]

    def line_at(self, offset: int) -> int:
        """The number of the line, from 1, in which an offset lies."""
        return max(1, min(bisect_right(self._starts, offset), len(self.lines)))

    def line(self, number: int) -> str:
        return self.lines[number - 1].rstrip("\r\n") if 0 < number <= len(self.lines) else ""

    def indent(self, node: ast.stmt) -> str:
        """The blanks before the line in which a statement begins."""
        return re.match(r"[ \t]*", self.line(node.lineno))[0]  # type: ignore[index]

    def alone(self, node: ast.stmt) -> bool:
        """Has the statement its lines for itself?"""
        start, end = self.span(node)
        before = self.source[self._starts[node.lineno - 1] : start]
        after = self.source[end : self._starts[self.line_at(max(start, end - 1))]]
        return not before.strip() and not re.match(r"\s*;", after)

    def whole(self, node: ast.stmt) -> tuple[int, int]:
        """The lines of a statement, from the first column to the end of the last."""
        first = min([node.lineno, *[d.lineno for d in getattr(node, "decorator_list", [])]])
        return self._starts[first - 1], self._starts[node.end_lineno or node.lineno]

    def replaced(self, node: ast.expr | ast.stmt, text: str) -> Edit:
        return Edit(*self.span(node), text)

    def after(self, node: ast.stmt, text: str) -> Edit:
        """New whole lines after a statement."""
        end = self.whole(node)[1]
        newline = "" if self.source[:end].endswith(("\n", "\r")) or not end else "\n"
        return Edit(end, end, newline + text)

    def before(self, node: ast.stmt, text: str) -> Edit:
        start = self.whole(node)[0]
        return Edit(start, start, text)

    def removed(self, node: ast.stmt) -> Edit:
        """The statement goes; where nothing else stands in its block, `pass` stays."""
        parent = self.parents.get(node)
        block = next((b for b in _blocks(parent) if node in b), [])
        if len(block) == 1 or not self.alone(node):
            return self.replaced(node, "pass")
        return Edit(*self.whole(node), "")


def _blocks(node: ast.AST | None) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block
