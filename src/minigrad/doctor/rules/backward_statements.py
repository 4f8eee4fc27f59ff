"""Statements of a rule's source: which line computes the gradient of an input, changes it, or keeps state."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from types import FrameType
from typing import Any

from .rule_source import RuleSource

__all__ = ["changing_line", "lines_run", "returned_count", "returned_line", "state_line"]

Function = ast.FunctionDef


def returned_line(
    source: RuleSource, place: int | None, method: str = "backward", ran: Collection[int] = ()
) -> int | None:
    """The line that computes what is returned for an argument; that of the return statement for None.

    `ran` are the lines of the file that were run; without any, the last return statement counts.
    """
    found = source.method(method)
    if found is None:
        return None
    function, offset = found
    returns = [node for node in _statements(function) if isinstance(node, ast.Return)]
    if not returns:
        return offset + function.lineno
    last = next((node for node in reversed(returns) if offset + node.lineno in ran), returns[-1])
    value: ast.expr | None = last.value
    if isinstance(value, ast.Tuple) and place is not None and place < len(value.elts):
        value = value.elts[place]
    elif place is None or (isinstance(value, ast.Tuple) and place is not None):
        return offset + last.lineno
    name = value.id if isinstance(value, ast.Name) else None
    line = (value or last).lineno
    if name is not None:
        for node in _statements(function):
            if node.lineno < last.lineno and name in _assigned(node) and not _is_none(node):
                line = node.lineno
    return offset + line


def lines_run(file: str, act: Callable[[], object]) -> set[int]:
    """The lines of a file that run while `act` does, whatever it raises."""
    ran: set[int] = set()

    def local(frame: FrameType, event: str, _: object) -> Any:
        ran.add(frame.f_lineno)
        return local

    def trace(frame: FrameType, event: str, _: object) -> Any:
        return local if frame.f_code.co_filename == file else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    except Exception:
        pass
    finally:
        sys.settrace(before)
    return ran


def returned_count(source: RuleSource, method: str = "backward") -> int | None:
    """How many gradients it returns, where every return statement says so; None elsewhere."""
    found = source.method(method)
    returns = [node for node in _statements(found[0]) if isinstance(node, ast.Return)] if found else []
    counts = set()
    for node in returns:
        if not isinstance(node.value, ast.Tuple) or any(isinstance(e, ast.Starred) for e in node.value.elts):
            return None
        counts.add(len(node.value.elts))
    return counts.pop() if len(counts) == 1 else None


def changing_line(source: RuleSource, method: str) -> int | None:
    """The first line of a method that changes one of its arguments, or an alias of one, in place."""
    found = source.method(method)
    if found is None:
        return None
    function, offset = found
    names = {arg.arg for arg in (*function.args.posonlyargs, *function.args.args)[1:]}
    if function.args.vararg:
        names.add(function.args.vararg.arg)
    for node in _statements(function):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name) and node.value.id in names:
            names |= _assigned(node)
            continue
        if isinstance(node, ast.Assign) and _saved(node.value):
            continue
        for part in ast.walk(node):
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and part.func.attr.endswith("_")
                and not part.func.attr.startswith("_")
                and _root(part.func.value) in names
            ):
                return offset + part.lineno
        targets = (
            [node.target]
            if isinstance(node, ast.AugAssign)
            else node.targets
            if isinstance(node, ast.Assign)
            else []
        )
        for target in targets:
            inside = isinstance(node, ast.AugAssign) or isinstance(target, ast.Subscript)
            if inside and _root(target) in names:
                return offset + node.lineno
        if isinstance(node, ast.Assign):
            names -= _assigned(node)  # a new tensor under an old name
    return None


def state_line(source: RuleSource, method: str = "forward") -> int | None:
    """The first line that keeps something elsewhere than on ctx: on the class, or in a global."""
    found = source.method(method)
    if found is None:
        return None
    function, offset = found
    own = {arg.arg for arg in (*function.args.posonlyargs, *function.args.args)[:1]}
    shared = {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    for node in _statements(function):
        for target in node.targets if isinstance(node, ast.Assign) else ():
            if isinstance(target, (ast.Attribute, ast.Subscript)) and _root(target) not in own:
                return offset + node.lineno
            if isinstance(target, ast.Name) and target.id in shared:
                return offset + node.lineno
    return None


def _statements(function: Function) -> Iterator[ast.stmt]:
    """All statements, in the order of their lines."""
    nodes = [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function]
    yield from sorted(nodes, key=lambda node: node.lineno)


def _assigned(node: ast.AST) -> set[str]:
    targets: Sequence[ast.expr] = ()
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    return (
        {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
        if not any(isinstance(t, ast.Subscript) for t in targets)
        else {root for t in targets if (root := _root(t))}
    )


def _is_none(node: ast.AST) -> bool:
    value = getattr(node, "value", None)
    return (isinstance(value, ast.Constant) and value.value is None) or (
        isinstance(value, ast.Tuple) and all(isinstance(x, ast.Constant) for x in value.elts)
    )


def _saved(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and value.attr in ("saved_tensors", "saved_variables")


def _root(node: ast.AST) -> str:
    """x for x[0].data."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""
