"""Repairs of a list of waiting nodes: a stack, a queue, a heap, from which a shared node is taken twice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, Function, Traversal
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch

__all__ = ["list_insertions", "place_once", "push_once", "statement_to_blame", "wait_for_all", "walks_again"]

Repairs = Iterator[Patch | None]
_PUSHES = (
    "append",
    "appendleft",
    "heappush",
    "put",
    "push",
    "extend",
    "extendleft",
    "update",
    "insert",
    "add",
)


def statement_to_blame(traversal: Traversal) -> ast.stmt | None:
    """The statement of a pass at which its order is decided: what is put in, whom it calls, whom it takes."""
    builder, helper, loop = traversal.builder, traversal.helper, traversal.loop
    if loop is not None and (_waits(loop) or _grows(loop)):
        return next(_pushes(loop), loop)
    for scope in (builder, traversal.function):
        found = list_insertions(scope) if scope is not None else None
        if found is not None:
            return found
    if helper is not None and traversal.recursion:
        return traversal.recursion[-1]
    if loop is not None:
        return loop
    return traversal.recursion[-1] if traversal.recursion else None


def list_insertions(scope: Function) -> ast.stmt | None:
    """Where a function puts nodes into a list that it takes them from."""
    for node in walk_own(scope):
        if isinstance(node, ast.While) and _waits(node):
            return next(_pushes(node), node)
    return None


def _waits(loop: ast.For | ast.While) -> bool:
    """Is it a loop over those that wait, as long as some do?"""
    return isinstance(loop, ast.While) and bool(re.search(r"pop(left)?\(|\.get\(", ast.unparse(loop)))


def _grows(loop: ast.For | ast.While) -> bool:
    """`for node in queue`, where the queue grows meanwhile."""
    held = ast.unparse(loop.iter) if isinstance(loop, ast.For) else ""
    return bool(held) and any(ast.unparse(p).startswith((f"{held}.", f"{held} +=")) for p in _pushes(loop))


def _pushes(loop: ast.For | ast.While) -> Iterator[ast.stmt]:
    """The statements that put nodes in, those that put them where the loop takes them from first."""
    head = loop.test if isinstance(loop, ast.While) else loop.iter
    waiting = {n.id for n in ast.walk(head) if isinstance(n, ast.Name)}
    found: list[ast.stmt] = []
    for node in ast.walk(loop):
        call = node.value if isinstance(node, ast.Expr) else None
        pushes = isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in _PUSHES
        if isinstance(node, ast.stmt) and (pushes or isinstance(node, ast.AugAssign)):
            found.append(node)
    names = [{n.id for n in ast.walk(node) if isinstance(n, ast.Name)} for node in found]
    yield from (node for node, used in zip(found, names, strict=True) if used & waiting)


def wait_for_all(anatomy: Anatomy, traversal: Traversal) -> Repairs:
    """Who is used several times waits until all have reported, where somebody has counted them."""
    loop, function = traversal.loop, traversal.function
    counts = [
        node.target
        for node in ast.walk(function)
        if isinstance(node, ast.AugAssign)
        and isinstance(node.op, ast.Add)
        and ast.unparse(node.value) == "1"
        and isinstance(node.target, (ast.Subscript, ast.Attribute))
    ]
    for push in _pushes(loop) if loop is not None else ():
        call = push.value if isinstance(push, ast.Expr) else None
        if not isinstance(call, ast.Call) or not call.args or not anatomy.text.alone(push):
            continue
        child, indent = anatomy.text.of(call.args[-1]), anatomy.text.indent(push)
        for count in counts:
            key = count.slice if isinstance(count, ast.Subscript) else count.value
            names = [n.id for n in ast.walk(key) if isinstance(n, ast.Name) and n.id != "id"]
            if not names or f"{ast.unparse(count)} -= 1" in ast.unparse(function):
                continue
            left = re.sub(rf"\b{names[0]}\b", child, anatomy.text.of(count))
            lines = f"{indent}{left} -= 1\n{indent}if {left} == 0:\n{indent}    {anatomy.text.of(push)}\n"
            yield make_patch(anatomy, "counted", Edit(*anatomy.text.whole(push), lines))


def push_once(anatomy: Anatomy, loop: ast.While) -> Repairs:
    """Who waits already is not put in again."""
    for node in _pushes(loop):
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call) or not node.value.args:
            continue
        name = ast.unparse(node.value.func).rpartition(".")[2]
        if name in ("append", "appendleft", "heappush", "put", "push") and anatomy.text.alone(node):
            child, indent = anatomy.text.of(node.value.args[-1]), anatomy.text.indent(node)
            guard = (
                f"{indent}if id({child}) not in visited:\n{indent}    visited.add(id({child}))\n{indent}    "
            )
            edit = Edit(*anatomy.text.whole(node), f"{guard}{anatomy.text.of(node)}\n")
            before = anatomy.text.before(loop, f"{anatomy.text.indent(loop)}visited = set()\n")
            yield make_patch(anatomy, "guard-added", edit, before)


def place_once(anatomy: Anatomy, scope: Function) -> Repairs:
    """Who has a place in the order gets no second one, however often it waits."""
    for loop in walk_own(scope):
        if not isinstance(loop, ast.While):
            continue
        waiting = {n.id for n in ast.walk(loop.test) if isinstance(n, ast.Name)}
        for node in ast.walk(loop):
            call = node.value if isinstance(node, ast.Expr) else None
            if not isinstance(node, ast.Expr) or not isinstance(call, ast.Call) or len(call.args) != 1:
                continue
            held, _, how = ast.unparse(call.func).rpartition(".")
            if how != "append" or held in waiting or not anatomy.text.alone(node):
                continue
            placed, indent = anatomy.text.of(call.args[0]), anatomy.text.indent(node)
            lines = f"{indent}if {placed} not in {held}:\n{indent}    {anatomy.text.of(node)}\n"
            yield make_patch(anatomy, "placed-once", Edit(*anatomy.text.whole(node), lines))


def walks_again(anatomy: Anatomy) -> str:
    """The fault of a pass that has no mark for what it has visited, by how it walks; "" where it has one."""
    for traversal in anatomy.traversals:
        three = (traversal.function, traversal.helper, traversal.builder)
        scopes = {scope for scope in three if scope is not None}
        called = {
            ast.unparse(n.func).rpartition(".")[2]
            for scope in scopes
            for n in ast.walk(scope)
            if isinstance(n, ast.Call)
        }
        scopes |= {f for f in anatomy.functions.values() if f.name in called and _calls_itself(f)}
        if traversal.guard is not None or any(_is_asked_for(scope) for scope in scopes):
            return ""
        for scope in scopes:
            for loop in walk_own(scope):
                if isinstance(loop, (ast.For, ast.While)) and (_grows(loop) or _waits(loop)):
                    first = re.search(r"pop\(0\)|popleft\(|\.get\(", ast.unparse(loop))
                    return "queue-revisits" if first or isinstance(loop, ast.For) else "stack-revisits"
        if any(_calls_itself(scope) for scope in scopes):
            return "recursion"
    return ""


def _calls_itself(function: Function) -> bool:
    return any(
        isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == function.name
        for n in ast.walk(function)
    )


def _is_asked_for(scope: Function) -> bool:
    """Does it ask whether something is in a collection, or what a mark says?"""
    return any(
        (isinstance(n, ast.Compare) and isinstance(n.ops[0], (ast.In, ast.NotIn)))
        or re.search(r"visit|seen|marked", getattr(n, "attr", "") if isinstance(n, ast.Attribute) else "")
        for n in ast.walk(scope)
    )
