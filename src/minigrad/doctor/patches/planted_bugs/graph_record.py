"""Planted faults of the record: closures on the wrong node, operands not in the graph, equality."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, OpFunction
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch

__all__ = ["plant_bugs"]

Planted = Iterator[Patch | None]


def plant_bugs(anatomy: Anatomy) -> Planted:
    for function in anatomy.ops:
        yield from _closures(anatomy, function)
        yield from _cut(anatomy, function)
    yield from _equality(anatomy)
    yield from _stored(anatomy)


def _closures(anatomy: Anatomy, function: OpFunction) -> Planted:
    for statement in function.attachments:
        target = statement.targets[0]
        if isinstance(target, ast.Attribute) and ast.unparse(target.value) == function.output:
            owner = next((o for o in function.operands if o), "")
            yield make_patch(
                anatomy, "closure-on-input", anatomy.text.replaced(target.value, owner), op=function.op
            )
            if anatomy.text.alone(statement):
                yield make_patch(
                    anatomy, "closure-never-attached", anatomy.text.removed(statement), op=function.op
                )


def _cut(anatomy: Anatomy, function: OpFunction) -> Planted:
    made = function.construction
    if made is None or made.children is None or function.others:
        return
    elements = getattr(made.children, "elts", [])
    if not elements:
        return
    first, last = anatomy.text.span(elements[0])[0], anatomy.text.span(made.children)[1] - 1
    edits = [Edit(first, last, "")]
    if made.locals is not None and getattr(made.locals, "elts", []):
        start = anatomy.text.span(made.locals.elts[0])[0]  # type: ignore[attr-defined]
        edits.append(Edit(start, anatomy.text.span(made.locals)[1] - 1, ""))
    yield make_patch(anatomy, "op-cut-from-graph", *edits, op=function.op)


def _asks_equality(anatomy: Anatomy) -> bool:
    """Does the pass ask whether a node is in a set or a list, by the node and not by its id?"""
    for traversal in anatomy.traversals:
        for node in ast.walk(traversal.guard.test) if traversal.guard is not None else ():
            if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
                return True
    return False


def _equality(anatomy: Anatomy) -> Planted:
    if not _asks_equality(anatomy):
        return
    classes = [n for n in ast.walk(anatomy.text.tree) if isinstance(n, ast.ClassDef)]
    for scope in classes:
        named = {n.name for n in scope.body if isinstance(n, ast.FunctionDef)}
        if scope.name != anatomy.class_name or named & {"__eq__", "__hash__"}:
            continue
        method = next((n for n in scope.body if isinstance(n, ast.FunctionDef)), None)
        if method is not None:
            margin = anatomy.text.indent(method)
            data = anatomy.data
            text = (
                f"{margin}def __eq__(self, other):\n{margin}    return self.{data} == other.{data}\n\n"
                f"{margin}def __hash__(self):\n{margin}    return hash(self.{data})\n\n"
            )
            yield make_patch(anatomy, "hash-by-content", anatomy.text.before(method, text))


def _stored(anatomy: Anatomy) -> Planted:
    """Numbers cut to integers; children kept in a set beside their local gradients."""
    if anatomy.initial is None:
        return
    stored = any(f.construction is not None and f.construction.locals is not None for f in anatomy.ops)
    for node in walk_own(anatomy.initial):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
            text = anatomy.text.of(node.value)
            if node.targets[0].attr == anatomy.data:
                yield make_patch(
                    anatomy, "integer-truncation", anatomy.text.replaced(node.value, f"float(int({text}))")
                )
            if node.targets[0].attr == anatomy.children and stored:
                yield make_patch(
                    anatomy, "children-in-a-set", anatomy.text.replaced(node.value, f"set({text})")
                )
