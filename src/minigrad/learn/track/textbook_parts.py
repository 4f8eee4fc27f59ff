"""Parts of the textbook engine: what each step adds, with its hole open, or filled with a right solution."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pkgutil import get_data

from ...text.translation import say

__all__ = ["CLASS", "STEPS", "OwnTests", "hole_lines", "names_of", "own_tests", "part", "solution"]

CLASS = "Value"
STEPS = (
    "number", "rules", "by-hand", "paths", "order", "diamond", "constants", "curves", "again", "neuron",
    "proof",
)  # fmt: skip
OVERWRITES_BEFORE = "diamond"
_MARK = re.compile(r" *# > ([a-z-]+)")
_SINCE = re.compile(r"  # > ([a-z-]+)$")


@dataclass(frozen=True)
class OwnTests:
    """The file of the learner's own tests: as it is handed out, and with a suite that sees the usual bugs."""

    skeleton: str
    solution: str


@dataclass(frozen=True)
class _BookLine:
    text: str
    step: str
    hole: bool
    since: str = ""  # the step from which it is there, if that is a later one


@cache
def _lines(file: str = "textbook.py") -> tuple[_BookLine, ...]:
    text = (get_data(__package__, file) or b"").decode("utf-8")
    found, step, hole = [], "", False
    for line in text.splitlines():
        mark = _MARK.fullmatch(line)
        if mark and mark[1] in ("hole", "end"):
            hole = mark[1] == "hole"
        elif mark:
            step = mark[1]
        else:
            since = _SINCE.search(line)
            found.append(_BookLine(_SINCE.sub("", line), step, hole, since[1] if since else ""))
    return tuple(found)


def _until(step: str) -> int:
    return STEPS.index(step)


def _there(line: _BookLine, step: str) -> bool:
    """Is this line in an engine that has come as far as a step?"""
    return bool(line.step) and _until(line.step) <= _until(step) >= _until(line.since or line.step)


def _written(line: _BookLine, step: str) -> str:
    if _until(step) < _until(OVERWRITES_BEFORE):
        return line.text.replace(".grad += ", ".grad = ")
    return line.text


@cache
def solution(step: str) -> str:
    """A right engine after a step, with everything of the steps before it."""
    return _tidy([_written(line, step) for line in _lines() if _there(line, step)])


def _tidy(lines: Sequence[str]) -> str:
    text = re.sub(r"\n{3,}(?= )", "\n\n", "\n".join(lines).strip("\n"))
    return re.sub(r"\n{4,}", "\n\n\n", text) + "\n"


def part(step: str, *, filled: bool = False) -> tuple[str, str]:
    """What a step adds to the class, and what to the file; one of them is empty."""
    chosen = [line for line in _lines() if line.step == step and not (line.since and not filled)]
    if filled:
        lines = [_written(line, step) for line in chosen if _there(line, step)]
    else:
        lines = _opened(chosen, step)
    text = "\n".join(lines).strip("\n")
    return (text, "") if _is_inside(chosen) else ("", text)


def _is_inside(lines: Sequence[_BookLine]) -> bool:
    """Does this part belong into the class?"""
    return next(line.text for line in lines if line.text).startswith(" ")


def _opened(lines: Sequence[_BookLine], step: str) -> list[str]:
    """The lines with the hole empty: methods that lie whole in it keep their first line."""
    found: list[str] = []
    level = "    def " if _is_inside(lines) else "def "
    for i, line in enumerate(lines):
        if not line.hole:
            found.append(_written(line, step))
            continue
        margin = len(line.text) - len(line.text.lstrip())
        begins = not i or not lines[i - 1].hole
        if begins and not line.text.startswith(level):
            found.append(f"{' ' * margin}...  # {say('track.hole')}")
        if line.text.startswith(level):
            if found and found[-1]:
                found.append("")
            found += [line.text, f"{' ' * (margin + 4)}...  # {say('track.hole')}"]
    return found


@cache
def hole_lines(step: str) -> tuple[str, ...]:
    """What a right solution writes into the hole of a step, line by line."""
    return tuple(
        _written(line, step).strip()
        for line in _lines()
        if line.step == step and line.hole and _there(line, step) and line.text.strip()
    )


def own_tests() -> OwnTests:
    lines = _lines("textbook_tests.py")
    tests = [line for line in lines if line.step]
    texts = [_tidy([line.text for line in lines]) for lines in (filter(_is_given, tests), tests)]
    return OwnTests(*(f"from engine import Value, is_right\n\n\n{text}" for text in texts))


def _is_given(line: _BookLine) -> bool:
    return not line.hole


def names_of(step: str) -> tuple[str, ...]:
    """What a step defines: methods of the class, functions and classes."""
    inside, outside = part(step, filled=True)
    text = f"class {CLASS}:\n{inside}" if inside else outside
    tree = ast.parse(text)
    nodes = tree.body[0].body if inside else tree.body  # type: ignore[attr-defined]
    return tuple(node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef)))
