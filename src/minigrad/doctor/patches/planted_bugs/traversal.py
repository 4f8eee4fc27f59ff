"""Planted faults of the pass: order, visited guard, seed, and what an earlier one leaves behind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from textwrap import indent

from ..anatomy import Anatomy, Edit, Traversal
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch
from ..repairs.textbook_pass import steps, visits

__all__ = ["plant_bugs"]

Planted = Iterator[Patch | None]


def plant_bugs(anatomy: Anatomy) -> Planted:
    for traversal in anatomy.traversals[:1]:
        yield from _orders(anatomy, traversal)
        yield from _guards(anatomy, traversal)
        yield from _seeds(anatomy, traversal)
        yield from _walks(anatomy, traversal)
        yield from _left_behind(anatomy, traversal)


def _orders(anatomy: Anatomy, traversal: Traversal) -> Planted:
    edit = _not_reversed(anatomy, traversal)
    if edit is not None:
        yield make_patch(anatomy, "not-reversed", edit)
    appends, recursion = traversal.appends, [n for n in traversal.recursion if isinstance(n, ast.For)]
    if (
        edit is not None
        and appends is not None
        and recursion
        and anatomy.text.alone(appends)
        and appends.lineno > recursion[0].lineno
    ):
        line = f"{anatomy.text.indent(recursion[0])}{anatomy.text.of(appends)}\n"
        moved = anatomy.text.before(recursion[0], line)
        yield make_patch(anatomy, "pre-order", moved, Edit(*anatomy.text.whole(appends), ""), edit)


def _not_reversed(anatomy: Anatomy, traversal: Traversal) -> Edit | None:
    loop = traversal.loop
    if isinstance(loop, ast.For):
        held = loop.iter
        if isinstance(held, ast.Call) and ast.unparse(held.func) == "reversed":
            return anatomy.text.replaced(held, anatomy.text.of(held.args[0]))
        if anatomy.text.of(held).endswith("[::-1]"):
            return anatomy.text.replaced(held, anatomy.text.of(held).removesuffix("[::-1]"))
    return None


def _guards(anatomy: Anatomy, traversal: Traversal) -> Planted:
    """`order.append(node)` beside the guard, and not under it."""
    guard, appends = traversal.guard, traversal.appends
    if guard is None or appends is None or not guard.body or guard.body[-1] is not appends or guard.orelse:
        return
    line = f"{anatomy.text.indent(guard)}{anatomy.text.of(appends)}\n"
    if anatomy.text.alone(appends) and len(guard.body) > 1:
        yield make_patch(anatomy, "guard-misplaced", Edit(*anatomy.text.whole(appends), line))


def _seeds(anatomy: Anatomy, traversal: Traversal) -> Planted:
    for seed in traversal.seeds[:1]:
        value = getattr(seed, "value", None)
        if value is None:
            continue
        yield make_patch(anatomy, "no-seed", anatomy.text.removed(seed))
        yield make_patch(anatomy, "zero-seed", anatomy.text.replaced(value, "0.0"))
        yield make_patch(anatomy, "seed-scaled", anatomy.text.replaced(value, "2.0"))
        root = f"{traversal.root}.{anatomy.data}"
        yield make_patch(anatomy, "seed-is-data", anatomy.text.replaced(value, root))
    if anatomy.initial is not None:
        for node in walk_own(anatomy.initial):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                zero = isinstance(node.value, ast.Constant) and node.value.value == 0
                if node.targets[0].attr == anatomy.grad and zero:
                    yield make_patch(anatomy, "grads-start-at-one", anatomy.text.replaced(node.value, "1.0"))


def _walks(anatomy: Anatomy, traversal: Traversal) -> Planted:
    """Walks that visit a shared node again, or too early, in place of the whole pass."""
    visit, step = next(visits(anatomy, traversal), ""), next(steps(anatomy, traversal), "")
    function = traversal.function
    if not visit or not step or not traversal.seeds or not isinstance(traversal.loop, ast.For):
        return
    if not anatomy.text.alone(function.body[0]):
        return
    body = function.body
    first = body[1] if ast.get_docstring(function) is not None and len(body) > 1 else body[0]
    start, end = anatomy.text.whole(first)[0], anatomy.text.whole(body[-1])[1]
    seed = f"{traversal.root}.{anatomy.grad} = 1.0\n"
    root = traversal.root
    once = re.sub(
        r"visit\((\w+)\)", r"if not any(\1 is one for one in waiting):\n        waiting.append(\1)", visit
    )
    pushed = visit.replace("visit(", "waiting.append(")
    texts = {
        "recursion": (
            f"{seed}\ndef visit(node):\n{indent(step, '    ')}\n{indent(visit, '    ')}\n\nvisit({root})\n"
        ),
        "stack-revisits": (
            f"{seed}waiting = [{root}]\nwhile waiting:\n    node = waiting.pop()\n"
            f"{indent(step, '    ')}\n{indent(pushed, '    ')}\n"
        ),
        "queue-revisits": (
            f"{seed}waiting = [{root}]\nfor node in waiting:  # it grows\n"
            f"{indent(step, '    ')}\n{indent(pushed, '    ')}\n"
        ),
        "breadth-first": (
            f"{seed}waiting = [{root}]\nfor node in waiting:  # it grows\n"
            f"{indent(step, '    ')}\n{indent(once, '    ')}\n"
        ),
    }
    margin = anatomy.text.indent(first)
    for slug, text in texts.items():
        yield make_patch(anatomy, slug, Edit(start, end, indent(text, margin)))


def _left_behind(anatomy: Anatomy, traversal: Traversal) -> Planted:
    """The set of visited nodes outlives the pass, as a default argument does."""
    function = traversal.function
    for node in walk_own(function):
        if isinstance(node, ast.Assign) and ast.unparse(node.value) == "set()":
            target = node.targets[0]
            if isinstance(target, ast.Name) and anatomy.text.alone(node):
                given = function.args.args
                if given and not function.args.vararg and not function.args.kwarg:
                    last = given[-1]
                    at = anatomy.text.offset(last.end_lineno or 0, last.end_col_offset or 0)
                    if function.args.defaults:
                        at = anatomy.text.span(function.args.defaults[-1])[1]
                    added = Edit(at, at, f", {target.id}=set()")
                    yield make_patch(anatomy, "default-arguments-outlive", added, anatomy.text.removed(node))
                return
