"""The text of an engine with a planted bug, and the lines where the bug stands.

A right engine is a file or a folder of tests/data/engines.  A wrong one is a right one with passages
replaced; each passage occurs exactly once, and the lines are found from where the change lands.  Notebooks
are kept as readable `.py` files with `# %%` cells and become `.ipynb` when they are written.
"""

from __future__ import annotations

import ast
import difflib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from source_trees import DATA

__all__ = ["BASES", "BEYOND", "Case", "Place", "functions_of", "places_of", "text_of", "write"]

ENGINES = DATA / "engines"

# file or folder of tests/data/engines -> the style of its interface
BASES = {
    "closures.py": "closures",
    "stored_locals.py": "stored locals",
    "tape.py": "tape object",
    "global_tape.py": "global tape",
    "operators.py": "operator classes",
    "free_functions.py": "free functions",
    "methods.py": "method calls",
    "inherited.py": "class per op",
    "lesson.py": "notebook",
    "workbook.py": "notebook",
    "gradients_dict.py": "gradients in a dict",
    "sprout": "package",
    "scalar.py": "requires_grad",
    "numpy_variable.py": "numpy",
    "counter.py": "creation counter",
    "seeded.py": "caller seeds",
    "valor.py": "closures",
}

# Bugs that people write and that are no row of the catalogue, because no single pass over a graph shows them.
BEYOND = {
    "in-place-mutates": "+= changes the left operand itself, so every name that holds it sees another number",
}


@dataclass(frozen=True)
class Case:
    """One engine to examine and what there is to find in it."""

    name: str
    base: str
    change: tuple[tuple[str, str], ...] = ()
    fault: str = ""  # a slug of the catalogue, or of BEYOND
    also: tuple[str, ...] = ()  # slugs that are as good an answer
    op: str = ""  # our name of the op it is about
    beside: str = ""  # the slug of a second bug in the same engine
    beside_op: str = ""
    verdict: str = "wrong"
    also_at: tuple[str, ...] = ()  # passages of the changed text whose lines are as good an answer

    @property
    def style(self) -> str:
        return BASES[self.base]

    @property
    def notebook(self) -> bool:
        return self.style == "notebook"


@dataclass(frozen=True, order=True)
class Place:
    """A line of a file, counted from 1; in a notebook within a cell, which is counted from 0."""

    path: str
    line: int
    cell: int | None = None


# ---- the text of a case --------------------------------------------------------------------------------


@cache
def _base(name: str) -> dict[str, str]:
    """The files of an engine as they stand in tests/data/engines."""
    path = ENGINES / name
    if path.is_file():
        return {name: path.read_text(encoding="utf-8")}
    return {f"{name}/{file.name}": file.read_text(encoding="utf-8") for file in sorted(path.glob("*.py"))}


def _changed(case: Case) -> dict[str, str]:
    files = dict(_base(case.base))
    for old, new in case.change:
        path = _home(files, old, case.name)
        files[path] = files[path].replace(old, new)
    return files


def _home(files: dict[str, str], passage: str, case: str) -> str:
    """The one file in which a passage stands, and stands once."""
    found = [path for path, text in files.items() for _ in range(text.count(passage))]
    if len(found) != 1:
        raise ValueError(f"{case}: this passage occurs {len(found)} times, not once:\n{passage}")
    return found[0]


def text_of(case: Case) -> dict[str, str]:
    """The files of the case as somebody would find them: relative path -> text."""
    files = _changed(case)
    if case.notebook:
        return {str(Path(path).with_suffix(".ipynb")): notebook(text) for path, text in files.items()}
    return files


def write(case: Case, folder: Path) -> Path:
    """Writes the case below a folder; the path that the doctor is given."""
    for path, text in text_of(case).items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return folder / (Path(case.base).with_suffix(".ipynb") if case.notebook else case.base)


# ---- notebooks -----------------------------------------------------------------------------------------


def cells_of(text: str) -> list[tuple[str, int, list[str]]]:
    """The cells of a `# %%` file: kind, number of the first line, lines without the blank ones at the end."""
    cells: list[tuple[str, int, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("# %%"):
            cells.append(("markdown" if "[markdown]" in line else "code", number + 1, []))
        else:
            cells[-1][2].append(line)
    for _, _, lines in cells:
        while lines and not lines[-1].strip():
            lines.pop()
    return cells


def notebook(text: str) -> str:
    """A `# %%` file as nbformat 4: markdown without its `# `, and magics without the # in front of them."""
    cells = []
    for kind, _, lines in cells_of(text):
        if kind == "markdown":
            lines = [line.removeprefix("#").removeprefix(" ") for line in lines]
        else:
            lines = [re.sub(r"^# (?=[%!]\w)", "", line) for line in lines]
        cell: dict[str, Any] = {
            "cell_type": kind,
            "metadata": {},
            "source": "\n".join(lines).splitlines(True),
        }
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    document = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


# ---- where the bug stands ------------------------------------------------------------------------------


def _changed_lines(before: str, after: str) -> Iterator[int]:
    """The lines of `after` that are new; where lines were only taken out, those on both sides of the gap."""
    old, new = before.splitlines(), after.splitlines()
    for kind, _, _, start, stop in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in ("replace", "insert"):
            yield from (i + 1 for i in range(start, stop) if new[i].strip())
        elif kind == "delete":
            yield from (i for i in (start, start + 1) if 1 <= i <= len(new) and new[i - 1].strip())


def _lines(case: Case) -> Iterator[tuple[str, int]]:
    """(path, line) in the changed files, notebooks still as `# %%` files."""
    before, after = _base(case.base), _changed(case)
    for path, text in after.items():
        for line in _changed_lines(before[path], text):
            yield path, line
    for passage in case.also_at:
        path = _home(after, passage, case.name)
        yield path, after[path].count("\n", 0, after[path].index(passage)) + 1


def _place(case: Case, path: str, line: int) -> Place:
    if not case.notebook:
        return Place(path, line)
    cells = cells_of(_changed(case)[path])
    index = max(i for i, (_, first, _) in enumerate(cells) if first <= line)
    return Place(str(Path(path).with_suffix(".ipynb")), line - cells[index][1] + 1, index)


def places_of(case: Case) -> frozenset[Place]:
    """Each line that may be named as the place of the bug."""
    return frozenset(_place(case, path, line) for path, line in _lines(case))


def functions_of(case: Case) -> frozenset[Place]:
    """Every line of the innermost functions around the bug, for a doctor that names the function only."""
    places = set(places_of(case))
    files = _changed(case)
    for path, line in _lines(case):
        around = [
            (node.end_lineno - node.lineno, node.lineno, node.end_lineno)
            for node in ast.walk(ast.parse(files[path]))
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None
            if node.lineno <= line <= node.end_lineno
        ]
        if around:
            _, first, last = min(around)
            places |= {_place(case, path, number) for number in range(first, last + 1)}
    return frozenset(places)
