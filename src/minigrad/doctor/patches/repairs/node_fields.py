"""Repairs of what a node keeps: locals in a dict, its kind on an operand, a flag that one operand decides."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, Function
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch

__all__ = ["ask_node_itself", "decide_by_any_operand", "keep_locals_by_slot"]

Repairs = Iterator[Patch | None]
_FLAG = re.compile(r"requires|needs|track|trainable|learn|differentiable", re.IGNORECASE)


# ---- local gradients in a dict by operand ---------------------------------------------------------


def keep_locals_by_slot(anatomy: Anatomy, op: str) -> Repairs:
    """`dict(zip(children, locals))` has one place for an operand that is there twice: pairs have two."""
    for function in _functions(anatomy):
        for node in walk_own(function):
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Attribute):
                continue
            given = _zipped(node.value)
            if given is None:
                continue
            attribute = node.targets[0].attr
            pairs = anatomy.text.replaced(node.value, f"list(zip({anatomy.text.of(given[0])}, "
                                                      f"{anatomy.text.of(given[1])}))")  # fmt: skip
            alone = anatomy.text.replaced(node.value, anatomy.text.of(given[1]))
            items = [e for f in _functions(anatomy) for e in _items(anatomy, f, attribute)]
            looked_up = [e for f in _functions(anatomy) for e in _looked_up(anatomy, f, attribute)]
            if items:
                yield make_patch(anatomy, "by-slot", pairs, *items)
            if looked_up:
                yield make_patch(anatomy, "by-slot", alone, *looked_up)


def _functions(anatomy: Anatomy) -> Iterator[Function]:
    return (n for n in ast.walk(anatomy.text.tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))


def _zipped(value: ast.expr) -> list[ast.expr] | None:
    """The keys and the values of `dict(zip(keys, values))` or `{k: v for k, v in zip(keys, values)}`."""
    held: ast.expr | None = None
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "dict" and len(value.args) == 1:
        held = value.args[0]
    elif isinstance(value, ast.DictComp) and len(value.generators) == 1:
        held = value.generators[0].iter
    if isinstance(held, ast.Call) and ast.unparse(held.func) == "zip" and len(held.args) == 2:
        return held.args
    return None


def _items(anatomy: Anatomy, function: Function, attribute: str) -> Iterator[Edit]:
    for node in walk_own(function):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            called = node.iter.func
            held = called.value if isinstance(called, ast.Attribute) and called.attr == "items" else None
            if isinstance(held, ast.Attribute) and held.attr == attribute:
                yield anatomy.text.replaced(node.iter, anatomy.text.of(held))


def _looked_up(anatomy: Anatomy, function: Function, attribute: str) -> Iterator[Edit]:
    """`for child in node.children: ... node.locals[child]`: the two side by side."""
    for loop in walk_own(function):
        if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Name):
            continue
        found = [
            n for n in ast.walk(loop)
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Attribute)
            and n.value.attr == attribute and ast.unparse(n.slice) == loop.target.id
        ]  # fmt: skip
        if found:
            held, kept = anatomy.text.of(loop.iter), anatomy.text.of(found[0].value)
            yield anatomy.text.replaced(loop.target, f"{loop.target.id}, local")
            yield anatomy.text.replaced(loop.iter, f"zip({held}, {kept})")
            yield from (anatomy.text.replaced(n, "local") for n in found)


# ---- what is kept on an operand -------------------------------------------------------------------


def ask_node_itself(anatomy: Anatomy, op: str) -> Repairs:
    """`self.args[0].used_in = self.op`: a node is asked what it is, not its operand, which others use too."""
    for store in _stores(anatomy):
        target = store.targets[0]
        if not isinstance(target, ast.Attribute):
            continue
        for node in ast.walk(anatomy.text.tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr == target.attr
                and isinstance(node.ctx, ast.Load)
                and isinstance(node.value, ast.Subscript)
                and isinstance(node.value.value, ast.Attribute)
            ):
                owner = ast.unparse(node.value.value.value)
                around = anatomy.text.parents.get(node)
                whole = around if isinstance(around, ast.IfExp) else node
                text = re.sub(r"\bself\b", owner, anatomy.text.of(store.value))
                if text != anatomy.text.of(store.value):
                    yield make_patch(anatomy, "on-output", anatomy.text.replaced(whole, text))
                here = anatomy.text.replaced(target.value, "self")
                there = anatomy.text.replaced(whole, f"{owner}.{node.attr}")
                yield make_patch(anatomy, "on-output", here, there)


def _stores(anatomy: Anatomy) -> Iterator[ast.Assign]:
    """Attributes that are set on what a node was made from while the node itself is made."""
    for function in _functions(anatomy):
        if function.name not in ("__init__", "__post_init__", "__new__"):
            continue
        for node in walk_own(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                target = node.targets[0]
                held = isinstance(target.value, (ast.Subscript, ast.Name))
                if held and ast.unparse(target.value) != "self" and target.attr not in (
                    anatomy.data, anatomy.grad
                ):  # fmt: skip
                    yield node


# ---- a flag that one operand decides --------------------------------------------------------------


def decide_by_any_operand(anatomy: Anatomy, op: str) -> Repairs:
    """A node is followed where any of its operands is: not the first alone, not only where all are."""
    for function in _functions(anatomy):
        for node in walk_own(function):
            if isinstance(node, ast.keyword) and node.arg and _FLAG.search(node.arg):
                yield from _by_any(anatomy, function, node.value)
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Name)):
                target = node.targets[0]
                name = target.attr if isinstance(target, ast.Attribute) else target.id
                if _FLAG.search(name):
                    yield from _by_any(anatomy, function, node.value)


def _by_any(anatomy: Anatomy, function: Function, value: ast.expr) -> Repairs:
    text = anatomy.text
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.And):
        parts = " or ".join(text.of(part) for part in value.values)
        yield make_patch(anatomy, "any-operand", text.replaced(value, parts))
    elif isinstance(value, ast.Call) and ast.unparse(value.func) == "all":
        yield make_patch(anatomy, "any-operand", text.replaced(value.func, "any"))
    elif isinstance(value, ast.Attribute) and _FLAG.search(value.attr):
        inner, steps = value.value, ""
        while isinstance(inner, ast.Subscript) and isinstance(inner.value, ast.Subscript):
            inner, steps = inner.value, f"[{text.of(inner.slice)}]{steps}"
        if isinstance(inner, ast.Subscript):  # inputs[0].requires_grad
            held = text.of(inner.value)
            found = f"any(each{steps}.{value.attr} for each in {held})"
            yield make_patch(anatomy, "any-operand", text.replaced(value, found))
        elif isinstance(inner, ast.Name):
            given = [p.arg for p in function.args.args]
            for other in given[:2]:
                if inner.id in given[:2] and other != inner.id:
                    found = f"{text.of(value)} or {other}.{value.attr}"
                    yield make_patch(anatomy, "any-operand", text.replaced(value, found))
