"""File of a learner: what of the track is in it, what is still open, and where a part of it differs.

It is read here as text and syntax, and never run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...errors import MinigradError
from ...text.translation import say
from .statements import Comparison, compare
from .textbook_parts import CLASS, STEPS, names_of, part, solution

__all__ = ["LARGEST", "LearnerFile", "UnreadableFileError", "added"]

LARGEST = 200_000  # characters; the whole track has some eight thousand
_ASSIGNED = re.compile(r"\.grad\s*=\s*")
_RULES = ("rules", "diamond", "curves")  # the steps that define operations with a rule


class UnreadableFileError(MinigradError, ValueError):
    """This is no Python; the message says at which line."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class LearnerFile:
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        """UnreadableFileError where Python cannot read it."""
        if len(self.source) > LARGEST:
            raise UnreadableFileError(say("track.file.large", most=LARGEST // 1000))
        try:
            return ast.parse(self.source)
        except SyntaxError as error:
            raise UnreadableFileError(str(error.msg), error.lineno or 0) from None
        except (ValueError, RecursionError, MemoryError) as error:
            raise UnreadableFileError(str(error) or type(error).__name__) from None

    @cached_property
    def value_class(self) -> ast.ClassDef | None:
        found = [node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name == CLASS]
        return found[-1] if found else None

    def definition(self, name: str) -> ast.FunctionDef | ast.ClassDef | None:
        """The method of the class, or the function or class of the file; of several the last one."""
        inside = self.value_class.body if self.value_class else []
        found = [
            node
            for node in [*self.tree.body, *inside]
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name
        ]
        return found[-1] if found else None

    def has(self, step: str) -> bool:
        """Is everything that a step defines there?"""
        return all(self.definition(name) for name in names_of(step))

    @property
    def step(self) -> str:
        """The step that the file has come to: the last of which something is there; "" of an empty one."""
        return next(
            (step for step in reversed(STEPS) if any(self.definition(name) for name in names_of(step))), ""
        )

    def hole(self, step: str) -> int:
        """The first line of a step that is still to be written; 0 if there is none."""
        for node in self._parts(step):
            for each in ast.walk(node):
                if _is_hole(each):
                    return getattr(each, "lineno", 0)
        return 0

    def _parts(self, step: str) -> Iterator[ast.stmt]:
        """What is there of what a step defines; of the class, without the methods that other steps define."""
        for name in names_of(step):
            node = self.definition(name)
            if node is not None and name == CLASS:
                others = {each for one in STEPS if one != step for each in names_of(one)}
                yield from (each for each in node.body if getattr(each, "name", "") not in others)
            elif node is not None:
                yield node

    def line(self, number: int) -> str:
        lines = self.source.splitlines()
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def written(self, number: int) -> int:
        """The line, or the last one above it in which something stands."""
        while number > 0 and not self.line(number):
            number -= 1
        return number

    def function_at(self, line: int) -> str:
        """The name of the function of the class or the file that a line is in; "" outside of all."""
        inside = self.value_class.body if self.value_class else []
        for node in [*inside, *self.tree.body]:
            if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0):
                return node.name
        return ""

    def with_part(self, step: str, *, filled: bool = False) -> str:
        """The text with what a step adds to it, and nothing of what is there changed."""
        inside, outside = part(step, filled=filled)
        lines = self.source.splitlines()
        if inside:
            if self.value_class is None:
                raise UnreadableFileError(say("track.file.class"))
            at = self.value_class.end_lineno or len(lines)
            return "\n".join([*lines[:at], "", *inside.splitlines(), *lines[at:]]).rstrip("\n") + "\n"
        text = "\n".join(lines).rstrip("\n")
        return (f"{text}\n\n\n{outside}" if text else outside) + "\n"

    def completed(self, step: str) -> tuple[str, int, int]:
        """The text with the rest of the textbook's class in it, and which lines came in: the first, how many.

        So the doctor has a whole engine to examine.  Before the step in which contributions add up, rules
        that write with = are made to add: that is no mistake yet.
        """
        assert self.value_class is not None
        source = self.source
        if STEPS.index(step) < STEPS.index("diamond"):
            source = self._adding()
        at = self.value_class.end_lineno or 0
        known = {node.name for node in self.value_class.body if isinstance(node, ast.FunctionDef)}
        added = [text for text in _methods(known) if text]
        new = "\n\n".join(added).splitlines()
        lines = source.splitlines()
        margin = [""] if new else []
        end = ["", "import math"] if new else []
        return "\n".join([*lines[:at], *margin, *new, *lines[at:], *end]) + "\n", at + 1, len(margin + new)

    def _adding(self) -> str:
        lines = self.source.splitlines()
        for number in self.overwriting("diamond"):
            lines[number - 1] = added(lines[number - 1])
        return "\n".join(lines) + "\n"

    def overwriting(self, step: str) -> list[int]:
        """The lines of the operations up to a step that give a gradient a number without what was there."""
        known = [one for one in _RULES if STEPS.index(one) <= STEPS.index(step)]
        found = []
        for name in (name for one in known for name in names_of(one)):
            kept: dict[str, list[str]] = {}  # what a name was given, as text: g = self.grad
            for node in ast.walk(self.definition(name) or ast.Module([], [])):
                if isinstance(node, ast.Assign) and len(node.targets) == 1 and node.lineno == node.end_lineno:
                    target, reads = node.targets[0], [ast.unparse(part) for part in ast.walk(node.value)]
                    reads += [text for read in reads for text in kept.get(read, ())]
                    if isinstance(target, ast.Name):
                        kept[target.id] = reads
                    elif ast.unparse(target).endswith(".grad") and ast.unparse(target) not in reads:
                        found.append(node.lineno)
        return sorted(found)

    def loop_at(self, lines: Sequence[int]) -> int:
        """Of the lines of the calls that were running, outermost first, the one in a loop; else the last."""
        loops = [node for node in ast.walk(self.tree) if isinstance(node, (ast.While, ast.For))]
        inside = [line for line in lines for one in loops if one.lineno <= line <= (one.end_lineno or 0)]
        return next(iter(inside), lines[-1] if lines else 0)

    def is_like(self, step: str) -> bool:
        """Is what is there of a step written much like the textbook, so that a line tells it from that?"""
        book = LearnerFile(solution(self.step or step))
        for name in names_of(step):
            mine, right = self.definition(name), book.definition(name)
            if mine is None or right is None or not compare(mine, right).is_like:
                return False
        return True

    def differing_line(self, step: str) -> int:
        """The first line of what a step adds that is not as in the textbook, or else of an earlier step.

        Where a line is missing, it is the one after which it would stand; of a very different part its head.
        """
        return self._difference(step).line

    def is_missing_after(self, line: int, step: str) -> bool:
        """Is this line named for what should come after it?"""
        return self._difference(step) == Comparison(True, line, True)

    def _difference(self, step: str) -> Comparison:
        book = LearnerFile(solution(self.step or step))
        for one in reversed(STEPS[: STEPS.index(step) + 1]):
            for name in names_of(one):
                mine, right = self.definition(name), book.definition(name)
                found = compare(mine, right) if mine and right else None
                if found and found.line:
                    return found
        return Comparison(True, 0)

    def entered_early(self, step: str) -> int:
        """The line that appends a node before the function calls itself, if that is its only append; or 0."""
        for outer in self._parts(step):
            for inner in (node for node in ast.walk(outer) if isinstance(node, ast.FunctionDef)):
                if sum(getattr(node, "attr", "") == "append" for node in ast.walk(inner)) != 1:
                    continue  # of two, one may be of what has been visited
                for block in (getattr(node, "body", None) for node in ast.walk(inner)):
                    line = _append_before(inner.name, block) if isinstance(block, list) else 0
                    if line:
                        return line
        return 0


def added(line: str) -> str:
    """A line that sets a gradient as one that adds to it."""
    return _ASSIGNED.sub(".grad += ", line, count=1)


def _append_before(name: str, block: Sequence[ast.stmt]) -> int:
    """The line of a block that appends to something, if a later statement of it calls the function."""
    line = 0
    for statement in block:
        called = [node.func for node in ast.walk(statement) if isinstance(node, ast.Call)]
        if line and any(isinstance(each, ast.Name) and each.id == name for each in called):
            return line
        if isinstance(statement, ast.Expr) and any(getattr(each, "attr", "") == "append" for each in called):
            line = statement.lineno
    return 0


def _is_hole(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is ...


def _methods(known: set[str]) -> Iterator[str]:
    """The methods of the whole textbook's class that are not known."""
    book = LearnerFile(solution(STEPS[-1]))
    lines = book.source.splitlines()
    assert book.value_class is not None
    for node in book.value_class.body:
        if isinstance(node, ast.FunctionDef) and node.name not in known:
            yield "\n".join(lines[node.lineno - 1 : node.end_lineno])
