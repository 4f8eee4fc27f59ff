"""Changes that can make no difference to a probe, because it never comes to where they are.

    ran = lines_run(lambda: run(probe), files)
    IdleChanges(text, file, ran).has(changed_text)       # need not be tried: nothing would come out otherwise

Most changes that are tried for a bug are in the rules of other ops.  What runs is known from a run of the
unchanged source, which may end at the first probe that is wrong, because a change has to mend that one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterable
from types import FrameType
from typing import Any

__all__ = ["IdleChanges", "Lines", "lines_run"]

Lines = set[tuple[str, int]]  # of files

BOUND = re.compile(r"\s*([^\W\d]\w*)\s*(?:[-+*/%@&|^]|\*\*|//|<<|>>)?=(?!=)")  # x = ... and x += ...


def lines_run(call: Callable[[], object], files: Collection[str]) -> Lines:
    """The lines of these files that a call runs; none if that was hidden from us."""
    lines: Lines = set()

    def enter(frame: FrameType, event: str, argument: object) -> Any:
        return note if frame.f_code.co_filename in files else None

    def note(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    threading = sys.modules.get("threading")
    if threading is not None:
        threading.settrace(enter)
    sys.settrace(enter)
    try:
        call()
    finally:
        hidden = sys.gettrace() is not enter
        sys.settrace(None)
        if threading is not None:
            threading.settrace(None)
    return set() if hidden else lines


class IdleChanges:
    """Changes of one text, as far as they cannot matter where these lines are run and no others."""

    def __init__(self, text: str, file: str, ran: Lines) -> None:
        self.lines = text.split("\n")
        mine = sorted(line for where, line in ran if where == file)
        # first line, last line, indentation, was it run, is it all of a function
        self._blocks: list[tuple[int, int, int, bool, bool]] = []
        for node in ast.walk(ast.parse(text)):
            for name in ("body", "orelse", "finalbody"):
                block = getattr(node, name, None)
                if mine and isinstance(block, list) and block and not isinstance(node, ast.Module):
                    self._add(block, mine, isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))

    def _add(self, block: list[ast.stmt], ran: list[int], is_function: bool) -> None:
        begins, ends, indent = block[0].lineno, block[-1].end_lineno or 0, block[0].col_offset
        if isinstance(block[0], (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            begins = min([begins, *(decorator.lineno for decorator in block[0].decorator_list)])
        line = self.lines[begins - 1]
        if line[:indent].strip() or line[indent:].startswith("elif"):  # it shares a line with its head
            return
        self._blocks.append((begins, ends, indent, any(begins <= one <= ends for one in ran), is_function))

    def has(self, changed: str) -> bool:
        """Is all that differs inside one block that was not run?"""
        old, new = self.lines, changed.split("\n")
        most = min(len(old), len(new))
        before = next((i for i in range(most) if old[i] != new[i]), most)
        after = next((i for i in range(most - before) if old[-1 - i] != new[-1 - i]), most - before)
        first, last = before + 1, len(old) - after  # lines, from 1; where some were only added, last < first
        low, high = min(first, last), max(first, last)
        around = [block for block in self._blocks if block[0] <= low and high <= block[1]]
        if not around:
            return False
        _, _, indent, was_run, is_function = max(around)  # the innermost begins last
        gone, come = old[before : len(old) - after], new[before : len(new) - after]
        return (
            not was_run
            and all(len(line) - len(line.lstrip()) >= indent for line in (*gone, *come) if line.strip())
            # another variable of a function would matter elsewhere in it
            and (is_function or _bound(gone) == _bound(come))
        )


def _bound(lines: Iterable[str]) -> set[str]:
    return {found.group(1) for line in lines if (found := BOUND.match(line))}
