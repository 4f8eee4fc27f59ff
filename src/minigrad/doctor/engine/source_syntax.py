"""Somebody's source as text and syntax: what this Python can read of it, and how its author seeds a pass."""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

from ...text.translation import say
from ..inside.op_spellings import BACKWARD, GRAD, plain

__all__ = ["LARGEST", "SubjectError", "parsed_of", "seeds_by_hand"]

LARGEST = 4_000_000  # bytes of one file
MOST_LEFT_OUT = 4  # places
MOST_BESIDE = 40  # files that are looked through for an example of use


class SubjectError(ValueError):
    """There is nothing here that can be examined; the message says why, and what to write."""


def parsed_of(path: Path, text: str) -> tuple[ast.Module, str, tuple[int, ...], str]:
    """The syntax tree.

    What this Python cannot read, such as syntax of a later one, is left out, a function or a statement at
    a time, as long as it is little; every other line keeps its number.  The complaint about the first of
    them comes along, for the case that there is nothing else.
    """
    left_out: list[int] = []
    complaint = ""
    while True:
        try:
            return ast.parse(text), text, tuple(left_out), complaint
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 0
            why = getattr(error, "msg", None) or type(error).__name__
            complaint = complaint or say("doctor.syntax", path=path.name, line=line, why=why)
            cut = _without(text, line) if line and len(left_out) < MOST_LEFT_OUT else None
            if cut is None:
                raise SubjectError(complaint) from None
            text = cut
            left_out.append(line)


def _without(text: str, line: int) -> str | None:
    """The text with the function around a line made empty, or the statement; None where that is no help."""
    rows = text.split("\n")
    if line > len(rows):
        return None
    if rows[line - 1].lstrip().startswith(("%", "!")):  # a notebook's magic, in a file
        rows[line - 1] = rows[line - 1][: len(rows[line - 1]) - len(rows[line - 1].lstrip())] + "pass"
        return "\n".join(rows)
    first = line - 1
    while first > 0 and not rows[first].lstrip().startswith(("def ", "type ")):
        first -= 1
        if rows[first][:1].strip() and not rows[first].startswith(("def ", "class ", "type ", "@")):
            break
    depth = len(rows[first]) - len(rows[first].lstrip())
    is_function = rows[first].lstrip().startswith("def ")
    last = first + 1
    while last < len(rows) and (not rows[last].strip() or len(rows[last]) - len(rows[last].lstrip()) > depth):
        last += 1
    if not first <= line - 1 < last:
        return None
    name = rows[first].lstrip()[4:].partition("(")[0].partition("[")[0] if is_function else ""
    rows[first] = " " * depth + (f"def {name}(*_args, **_keywords): raise SyntaxError" if name else "pass")
    rows[first + 1 : last] = [""] * (last - first - 1)
    cut = "\n".join(rows)
    return cut if cut != text else None


def seeds_by_hand(source: str, grad: str, path: Path | None = None) -> bool:
    """Does the author set an output's gradient to 1 before the pass, outside of it?

    Then that is how the engine is meant to be used.  Examples often stand in a file beside it.
    """
    tree = ast.parse(source)
    passes = {plain(name) for name in BACKWARD}
    inside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and (plain(node.name) in passes or node.name == "__init__")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and id(node) not in inside
            and isinstance(node.value, ast.Constant)
            and node.value.value == 1
            and any(isinstance(one, ast.Attribute) and _is_grad(one.attr, grad) for one in node.targets)
        ):
            return True
    text = " ".join(
        ast.get_docstring(node) or ""
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module))
    )
    if any(f".{name} = 1" in text for name in {grad, "grad", "gradient"} if name):
        return True
    names = "|".join(filter(None, (grad, "grad", "gradient")))
    by_hand = re.compile(rf"^[^#\n]*\b(?!self\b)\w+\.({names}) ?= ?1(\.0*)?\b", re.MULTILINE)
    return path is not None and any(by_hand.search(text) for text in _users_of(path))


def _users_of(path: Path) -> Iterator[str]:
    """The texts of files beside an engine that import it, as far as they are few and small."""
    files = [f for f in sorted(path.parent.glob("*")) if f.suffix in (".py", ".ipynb") and f != path]
    imports = re.compile(
        rf"\bimport\b.*\b{re.escape(path.stem)}\b|\bfrom\b.*\b{re.escape(path.stem)}\b +import"
    )
    for file in files[:MOST_BESIDE]:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if file.stat().st_size < LARGEST // 4 and imports.search(
                text := file.read_text(encoding="utf-8")
            ):
                yield text.replace("\\n", "\n")  # in a notebook the lines are JSON


def _is_grad(name: str, grad: str) -> bool:
    return name == grad or name in GRAD
