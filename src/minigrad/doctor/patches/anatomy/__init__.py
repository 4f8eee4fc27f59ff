"""Anatomy of someone's engine, read from its source and never run.

    found = anatomy(source, "Value")
    found.ops            # every op: its operands, its formula, what it sends to whom
    found.traversals     # the backward pass: seed, order, visited guard, loop

Engines are written in many ways; what is looked for is what they have in common: a number that is
computed from the operands' numbers, and one expression per operand that its gradient is made of.
"""

from __future__ import annotations

import ast

from .evaluation import ExpressionError, ExpressionReader
from .op_classes import op_branches, op_class, op_tables
from .op_functions import Names, op_function, parameters
from .op_names import op_of
from .parts import Anatomy, Construction, Function, LocalRule, OpFunction, Traversal
from .source_text import Edit, SourceText, apply_edits
from .traversal import children_of, closure_of, traversals

__all__ = [
    "Anatomy",
    "Construction",
    "Edit",
    "ExpressionError",
    "ExpressionReader",
    "Function",
    "LocalRule",
    "OpFunction",
    "SourceText",
    "Traversal",
    "anatomy",
    "apply_edits",
    "parameters",
]


def anatomy(source: str, class_name: str = "", data: str = "data", grad: str = "grad") -> Anatomy:
    """What there is in a source; SyntaxError where it is no Python."""
    text = SourceText(source)
    classes = {n.name: n for n in ast.walk(text.tree) if isinstance(n, ast.ClassDef)}  # the last of a name
    family = _family(class_name, classes)
    nodes = {class_name, *(name for name in family if name == class_name or not _is_op(classes[name]))}
    names = Names(frozenset(nodes - {""}), data, grad)
    methods: dict[str, Function] = {}
    ops: list[OpFunction] = []
    initial: Function | None = None
    for name in family:
        for node in _methods(classes[name]):
            methods.setdefault(node.name, node)
            if node.name == "__init__":
                initial = initial or node
            found = op_function(node, name, names)
            if found is not None and not any(o.name == found.name for o in ops):
                ops.append(found)
    for name, one in classes.items():
        op = op_class(one, names) if name != class_name else None
        if op is not None:
            ops.append(op)
    free = {n.name: n for n in text.tree.body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))}
    for node in free.values():
        found = op_function(node, "", names)
        if found is not None:
            ops.append(found)
    for name, one in classes.items():
        if name not in family and not any(o.class_name == name for o in ops):
            ops += _holder(one, names)
    used = {o.node for o in ops}
    for node in (*methods.values(), *free.values()):
        if node not in used:
            ops += op_branches(node, names)
    ops += op_tables(text.tree, names)
    found_ops = tuple(ops)
    others = {
        f"{name}.{m.name}": m
        for name, one in classes.items()
        if name not in family
        for m in one.body
        if isinstance(m, (ast.FunctionDef, ast.AsyncFunctionDef))
    }
    functions = {**others, **free, **methods}
    closure = closure_of(found_ops, functions)
    skipped: set[ast.AST] = {o.node for o in ops if o.name == o.node.name}
    skipped |= {o.backward for o in ops if o.class_name and o.backward is not None}
    walked = tuple(traversals(functions, skipped, names, closure))
    return Anatomy(
        text, class_name, data, grad, found_ops, walked, initial,
        children_of(initial, walked, grad), closure, functions,
    )  # fmt: skip


def _methods(one: ast.ClassDef) -> list[Function]:
    """The functions of a class; of a name that is defined twice, the last one, as in Python."""
    found: dict[str, Function] = {}
    for node in one.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            found[node.name] = node
    return [*found.values()]


def _holder(one: ast.ClassDef, names: Names) -> list[OpFunction]:
    """The ops of a class that is only a name for them: `class Primitives: def add(x, y): ...`."""
    found = []
    for node in one.body:
        given = parameters(node) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else ["self"]
        if given[:1] not in (["self"], ["cls"], ["ctx"]) and isinstance(node, ast.FunctionDef):
            op = op_function(node, "", names)
            if op is not None and op.construction is not None:
                found.append(op)
    return found


def _is_op(one: ast.ClassDef) -> bool:
    """A class that is one op: `class AddNode(Node)`."""
    return bool(op_of(one.name)) and not any(
        isinstance(m, ast.FunctionDef) and m.name == "__add__" for m in one.body
    )


def _family(class_name: str, classes: dict[str, ast.ClassDef]) -> list[str]:
    """The class, its bases in this file and the classes derived from it, the class itself first."""
    if class_name not in classes:
        return []
    family = [class_name]
    for name in family:
        for base in classes[name].bases:
            if isinstance(base, ast.Name) and base.id in classes and base.id not in family:
                family.append(base.id)
    for name, one in classes.items():
        if name not in family and any(isinstance(b, ast.Name) and b.id in family for b in one.bases):
            family.append(name)
    return family
