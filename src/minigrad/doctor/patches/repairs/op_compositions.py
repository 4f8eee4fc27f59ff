"""Repairs that write an op with other ops: reflected operators, and ops cut from the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..anatomy import Anatomy, Edit, OpFunction
from ..anatomy.op_names import op_of
from ..anatomy.source_text import walk_own
from ..patch import Patch, make_patch
from .expression_variants import variations
from .formula_check import composes_right, computes_right

__all__ = ["compose_op", "mirror_operands", "replace_in_place"]

Repairs = Iterator[Patch | None]
_SYMBOLS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
_DUNDER = {"+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "**": "__pow__"}
_COMPOSED = {
    "add": ("{b} + {a}",),
    "mul": ("{b} * {a}",),
    "sub": ("{a} + (-{b})", "(-{b}) + {a}", "{a} + {b} * -1"),
    "div": ("{a} * {b}**-1", "{b}**-1 * {a}", "{a} * (1 / {b})"),
    "pow": ("({b} * {a}.log()).exp()", "({b} * {c}({a}).log()).exp()"),
    "neg": ("{a} * -1", "0 - {a}"),
    "reciprocal": ("{a}**-1", "1 / {a}"),
    "square": ("{a} * {a}", "{a}**2"),
    "sqrt": ("{a}**0.5",),
    "abs": ("{a} * (1 if {a}.{data} > 0 else -1)",),
    "relu": ("{a} * (1 if {a}.{data} > 0 else 0)",),
    "sigmoid": ("((-{a}).exp() + 1)**-1", "1 / (1 + (-{a}).exp())"),
    "tanh": ("(({a} * 2).exp() - 1) / (({a} * 2).exp() + 1)",),
    "exp": (),
}


def compose_op(anatomy: Anatomy, op: str, wrong: bool = True) -> Repairs:
    """An op as a composition of others; with `wrong`, only where its value is wrong on paper."""
    by_op: dict[str, list[list[Patch]]] = {}
    for function in anatomy.of(op):
        if wrong and computes_right(anatomy, function) is not False:
            continue
        if not function.class_name or (
            function.class_name != anatomy.class_name and function.op not in _SYMBOLS
        ):
            continue
        if wrong and function.formula is None and not function.reflected:
            continue
        mine = [*_slips(anatomy, function)] if function.formula is not None and wrong else []
        mine += [
            _returned(anatomy, function, text)
            for text in _texts(anatomy, function)
            if composes_right(anatomy, function, text) is not False
        ]
        yield from mine
        by_op.setdefault(function.op, []).append([one for one in mine if one is not None])
    for several in by_op.values():  # a - b and 2 - a, each wrong
        if wrong and len(several) > 1 and all(several):
            for place in range(max(map(len, several))):
                edits = [edit for mine in several for edit in mine[min(place, len(mine) - 1)].edits]
                yield make_patch(anatomy, "composition", *edits, op=several[0][0].op)


def _slips(anatomy: Anatomy, function: OpFunction) -> Repairs:
    """A composition with a slip in it: `self + other` for `self - other`."""
    for node in walk_own(function.node):
        if isinstance(node, ast.Return) and node.value is function.formula and node.value is not None:
            start, end = anatomy.text.span(node.value)
            for edit in variations(anatomy.text, node.value, function.operands):
                changed = anatomy.source[start : edit.start] + edit.text + anatomy.source[edit.end : end]
                try:
                    right = composes_right(anatomy, function, f"({changed})")
                except SyntaxError:
                    continue
                if right and not _recurses(function, changed) and not edit.text.startswith("-("):
                    yield make_patch(anatomy, "composition", edit, op=function.op)
                    return


def _recurses(function: OpFunction, text: str) -> bool:
    """Would the op call itself for ever?  `other - self` in __rsub__ does, where other is a number."""
    body = ast.parse(f"({text})", mode="eval").body
    if not isinstance(body, ast.BinOp) or function.op not in _SYMBOLS:
        return False
    same = _SYMBOLS[function.op] == {
        ast.Add: "+",
        ast.Sub: "-",
        ast.Mult: "*",
        ast.Div: "/",
        ast.Pow: "**",
    }.get(type(body.op), "")
    ends = ast.unparse(body.left), ast.unparse(body.right)
    return same and ends == function.operands and not _converted(function)


def _converted(function: OpFunction) -> bool:
    """Has the function made a node of the other operand before?"""
    return any(
        isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in function.operands
        for node in walk_own(function.node)
    )


def _texts(anatomy: Anatomy, function: OpFunction) -> Iterator[str]:
    names = dict(zip("ab", function.operands, strict=False))
    names |= {"c": anatomy.class_name, "data": anatomy.data}
    available = {other.name for other in anatomy.ops if other is not function}
    symbol = _SYMBOLS.get(function.op, "")
    if function.reflected and _DUNDER.get(symbol) in available and symbol:
        yield f"{anatomy.class_name}({names['a']}) {symbol} {names['b']}"
        if _converted(function):
            yield f"{names['a']} {symbol} {names['b']}"
    for pattern in _COMPOSED.get(function.op, ()):
        text = pattern.format(**{"b": "", **names})
        if (
            f"__{function.name.strip('_')}__" == function.name
            and not function.reflected
            and function.op in ("add", "mul")
        ):
            continue
        methods = {
            n.func.attr for n in ast.walk(ast.parse(text, mode="eval"))
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
        }  # fmt: skip
        if methods <= available:
            yield text


def _returned(anatomy: Anatomy, function: OpFunction, text: str) -> Patch | None:
    """The composition as what the function returns; where it only returned something, only that changes."""
    body = function.node.body
    if function.formula is not None:
        returns = [
            n for n in walk_own(function.node) if isinstance(n, ast.Return) and n.value is function.formula
        ]
        if returns and returns[0].value is not None:
            return make_patch(
                anatomy, "composition", anatomy.text.replaced(returns[0].value, text), op=function.op
            )
    first = body[1] if ast.get_docstring(function.node) is not None and len(body) > 1 else body[0]
    edit = Edit(anatomy.text.span(first)[0], anatomy.text.span(body[-1])[1], f"return {text}")
    return make_patch(anatomy, "composition", edit, op=function.op)


def mirror_operands(anatomy: Anatomy, op: str) -> Repairs:
    """`__rsub__ = __sub__` changes no sides: a method that does."""
    for scope in [n for n in ast.walk(anatomy.text.tree) if isinstance(n, ast.ClassDef)]:
        for node in scope.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                symbol = {"__rsub__": "-", "__rtruediv__": "/", "__rpow__": "**"}.get(name, "")
                if symbol:
                    indent = anatomy.text.indent(node)
                    made = anatomy.class_name or scope.name
                    text = f"def {name}(self, other):\n{indent}    return {made}(other) {symbol} self"
                    yield make_patch(
                        anatomy, "composition", anatomy.text.replaced(node, text), op=op_of(name)
                    )


def replace_in_place(anatomy: Anatomy, op: str) -> Repairs:
    """`a += b` on nodes must make a new one."""
    for function in anatomy.of(op):
        if function.in_place and function.op in _SYMBOLS:
            first, second = function.operands[:2]
            body = function.node.body
            text = f"return {first} {_SYMBOLS[function.op]} {second}"
            edit = Edit(anatomy.text.span(body[0])[0], anatomy.text.span(body[-1])[1], text)
            yield make_patch(anatomy, "new-node", edit, op=function.op)
