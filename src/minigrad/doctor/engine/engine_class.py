"""Which class of a file is the engine's, and what a notebook comes to as one file; by syntax alone."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...text.translation import say
from ..inside.op_spellings import BACKWARD, DUNDERS, GRAD, METHODS, REFLECTED, plain
from .source_syntax import SubjectError

__all__ = ["notebook", "scores_of"]

_OPS = {plain(name) for names in METHODS.values() for name in names}
_DUNDERS = {*DUNDERS.values(), *REFLECTED.values()}
_ARITHMETIC = {"add", "sub", "mul", "div", "neg", "pow", "multiply", "subtract", "divide"}
_NAMES = {
    "value": 8.0, "scalar": 8.0, "val": 8.0, "var": 6.0, "variable": 6.0, "number": 6.0,
    "node": 4.0, "expr": 4.0, "parameter": 2.0, "tensor": 2.0,
}  # fmt: skip


def scores_of(tree: ast.Module) -> dict[str, float]:
    """How much each class looks like the values of an engine; 0 for one that does not."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {plain(node.name) for node in tree.body if isinstance(node, ast.FunctionDef)}
    free = len(functions & _ARITHMETIC)
    held = {name: _members(node, classes) for name, node in classes.items()}
    scores = {}
    for name, node in classes.items():
        defined = held[name]
        dunders = len(defined & _DUNDERS)
        ops = len({plain(member) for member in defined} & _OPS)
        back = bool({plain(member) for member in defined} & {plain(word) for word in BACKWARD})
        grad = _speaks_of_gradients(node, classes)
        score = 2.0 * dunders + ops + 3.0 * back + 3.0 * grad
        if not (dunders or ops >= 2 or (free >= 2 and "__init__" in defined)):
            score = 0.0
        else:
            score += _NAMES.get(plain(name), 0.0)
        if score and any(name in _bases(other) for other in classes.values()) and not dunders:
            score -= 2.0
        scores[name] = score if grad or back or free else min(score, 1.0)
    return scores


def _bases(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _members(node: ast.ClassDef, classes: dict[str, ast.ClassDef], depth: int = 0) -> set[str]:
    """The names that a class defines, those of its bases in the same file among them."""
    names = {inner.name for inner in node.body if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))}
    names |= {
        target.id
        for inner in node.body
        if isinstance(inner, ast.Assign)
        for target in inner.targets
        if isinstance(target, ast.Name)
    }
    fields = [inner.target for inner in node.body if isinstance(inner, ast.AnnAssign)]
    if fields and node.decorator_list:  # a dataclass
        names |= {"__init__", *(field.id for field in fields if isinstance(field, ast.Name))}
    if depth < 5:
        for base in _bases(node) & classes.keys():
            names |= _members(classes[base], classes, depth + 1)
    return names


def _speaks_of_gradients(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    family = [node, *(classes[base] for base in _bases(node) & classes.keys())]
    return any(
        (inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else "")
        in GRAD[:10]
        for one in family
        for inner in ast.walk(one)
    )


# ---- a notebook -----------------------------------------------------------------------------------


def notebook(path: Path, text: str, cell: int | None) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The code cells as one text; of a class that is defined several times, the definition that counts."""
    try:
        document = json.loads(text)
        cells = [
            (number, "".join(one["source"]) if isinstance(one["source"], list) else str(one["source"]))
            for number, one in enumerate(document["cells"])
            if one.get("cell_type") == "code"
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SubjectError(say("doctor.not_a_notebook", path=path.name)) from None
    parsed = []
    for number, source in cells:
        source = "\n".join(_without_magic(source))
        try:
            parsed.append((number, source, ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError):
            continue  # a cell for the notebook alone
    if cell is not None and cell not in {number for number, _, _ in parsed}:
        raise SubjectError(say("doctor.no_cell", cell=cell, path=path.name))
    chosen = _counting(parsed, cell)
    lines: list[str] = []
    starts = []
    for number, source, tree in parsed:
        starts.append((number, len(lines) + 1))
        rows = source.split("\n")
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and chosen.get(node.name, number) != number:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                rows[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - first + 1)
        lines += rows
    return "\n".join(lines) + "\n", tuple(starts)


def _without_magic(source: str) -> Iterator[str]:
    for line in source.split("\n"):
        yield "pass  # " + line if line.startswith(("%", "!", "?")) else line


def _counting(parsed: Iterable[tuple[int, str, ast.Module]], cell: int | None) -> dict[str, int]:
    """For each class the cell whose definition counts: the fullest one, the last of equals."""
    best: dict[str, tuple[float, int]] = {}
    for number, _, tree in parsed:
        scores = scores_of(tree)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                score = scores[node.name] + (1000.0 if number == cell else 0.0)
                if score >= best.get(node.name, (-1.0, 0))[0]:
                    best[node.name] = score, number
    return {name: number for name, (_, number) in best.items()}
