"""Rewrite of an op in the way in which its siblings are written: the last resort."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from ..anatomy import Anatomy, Construction, Edit, OpFunction, parameters
from ..patch import Patch, make_patch
from .formulas import forward_text, library_edit, local_text, times
from .graph_record import closure_name, listed, new_rule, sibling_of

__all__ = ["write_op_out"]


def write_op_out(anatomy: Anatomy, op: str) -> Iterator[Patch | None]:
    """The whole body: the other operand made a node, the value, the children, a rule for each slot."""
    for function in anatomy.of(op):
        sibling = sibling_of(anatomy, function)
        if sibling is None or not function.class_name or function.class_name != anatomy.class_name:
            continue
        if function.in_place or sibling.construction is None or len(function.operands) > 2:
            continue
        stored = sibling.construction.locals is not None
        closed = sibling.closure is not None and not parameters(sibling.closure)
        if stored or closed:
            body = _body(anatomy, function, sibling, stored)
            first, last = _first(function), function.node.body[-1]
            if body is not None and anatomy.text.alone(first):
                start, end = anatomy.text.whole(first)[0], anatomy.text.whole(last)[1]
                indent = anatomy.text.indent(first)
                text = "".join(f"{indent}{line}\n" for line in body)
                edits = (Edit(start, end, text), *library_edit(anatomy, text))
                yield make_patch(anatomy, "written-out", *edits, op=function.op)


def _first(function: OpFunction) -> ast.stmt:
    body = function.node.body
    return body[1] if ast.get_docstring(function.node) is not None and len(body) > 1 else body[0]


def _body(anatomy: Anatomy, function: OpFunction, sibling: OpFunction, stored: bool) -> list[str] | None:
    made = sibling.construction
    if made is None:
        return None
    nodes = function.operands
    values = tuple(f"{name}.{anatomy.data}" for name in nodes)
    plain = replace(function, values=values, output="out", aliases={})
    value = forward_text(anatomy, plain)
    locals_ = [
        local_text(anatomy, plain, new_rule(anatomy, plain, slot, sibling)) for slot in range(len(nodes))
    ]
    if value is None or None in locals_:
        return None
    lines = [
        f"{name} = {name} if isinstance({name}, {anatomy.class_name}) else {anatomy.class_name}({name})"
        for name in nodes
        if name != "self"
    ]
    call = _call(anatomy, made, value, list(nodes), [x or "" for x in locals_])
    if stored:
        return [*lines, f"return {call}"]
    closure = sibling.closure.name if sibling.closure is not None else "_backward"
    sends = [
        f"    {name}.{anatomy.grad} += {times(local or '', f'out.{anatomy.grad}')}"
        for name, local in zip(nodes, locals_, strict=True)
    ]
    attach = f"out.{closure_name(anatomy)} = {closure}"
    return [*lines, f"out = {call}", "", f"def {closure}():", *sends, "", attach, "return out"]


def _call(anatomy: Anatomy, like: Construction, value: str, nodes: list[str], locals_: list[str]) -> str:
    """The call of a sibling, with other data, children and local gradients in it."""

    def part(given: ast.expr) -> str | None:
        if given is like.value:
            return value
        if given is like.children:
            pairs = (
                isinstance(given, (ast.Tuple, ast.List))
                and given.elts
                and isinstance(given.elts[0], ast.Tuple)
            )
            inside = [f"({n}, {x})" for n, x in zip(nodes, locals_, strict=True)] if pairs else nodes
            return listed(inside, given)
        if given is like.locals:
            return listed(locals_, given)
        return None

    positional = [part(given) for given in like.call.args]
    named = [(k.arg, part(k.value)) for k in like.call.keywords]
    kept = [text for text in positional if text is not None]
    after_gap = None in positional and positional.index(None) < len(kept)
    names = parameters(anatomy.initial)[1:] if anatomy.initial is not None else []
    if after_gap:
        kept = [
            text if i == 0 or i >= len(names) else f"{names[i]}={text}"
            for i, text in enumerate(positional)
            if text is not None
        ]
    kept += [f"{name}={text}" for name, text in named if text is not None]
    return f"{ast.unparse(like.call.func)}({', '.join(kept)})"
