"""Variants of an expression: small changes that undo a slip of the pen.

Each is one replacement in the text: a name for another, an operator, a constant, a comparison, a minus,
a factor, a parenthesis, a function for its neighbour.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from ..anatomy import Edit, SourceText

__all__ = ["variations"]

_OPERATORS = {
    "+": ("-", "*"),
    "-": ("+", "*"),
    "*": ("/", "+", "-", "**"),
    "/": ("*", "-"),
    "**": ("*",),
    "//": ("/",),
    "%": ("/",),
}
_COMPARISONS = {
    ">": ("<", ">="),
    "<": (">", "<="),
    ">=": (">", "<"),
    "<=": ("<", ">"),
    "==": (">", "<"),
    "!=": (">",),
}
_NEIGHBOURS = {"sin": "cos", "cos": "sin", "sinh": "cosh", "cosh": "sinh", "exp": "log", "log": "exp",
               "log10": "log", "log2": "log", "tanh": "tan", "max": "min", "min": "max",
               "maximum": "minimum", "minimum": "maximum"}  # fmt: skip
_CONSTANTS = ("1", "2", "0", "-1", "0.5")


def variations(text: SourceText, expression: ast.expr, names: Iterable[str]) -> Iterator[Edit]:
    """Edits of the source that change this expression a little, the smallest first."""
    given = list(dict.fromkeys(name for name in names if name))
    found = dict.fromkeys(_all(text, expression, given))
    yield from sorted(found, key=lambda edit: max(len(edit.text), edit.end - edit.start))


def _all(text: SourceText, expression: ast.expr, names: list[str]) -> Iterator[Edit]:
    for node in ast.walk(expression):
        if isinstance(node, ast.expr):
            yield from _of(text, node, names)
    start, end = text.span(expression)
    whole = text.source[start:end]
    wrapped = whole if isinstance(expression, (ast.Name, ast.Attribute, ast.Call)) else f"({whole})"
    yield Edit(start, end, f"-{wrapped}")
    yield Edit(start, end, f"1 / {wrapped}")
    for name in names:
        yield Edit(start, end, f"{wrapped} * {name}")
        yield Edit(start, end, f"{wrapped} / {name}")
    for front in ("1 - ", "1 + ", "2 * ", "0.5 * "):
        yield Edit(start, end, f"({front}{wrapped})")


def _of(text: SourceText, node: ast.expr, names: list[str]) -> Iterator[Edit]:
    start, end = text.span(node)
    source = text.source[start:end]
    if isinstance(node, ast.BinOp):
        yield from _operation(text, node)
    elif isinstance(node, ast.Compare):
        for left, right in zip([node.left, *node.comparators], node.comparators, strict=False):
            yield from _between(text, left, right, _COMPARISONS)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield Edit(start, text.span(node.operand)[0], "")
    elif isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        yield from (Edit(start, end, other) for other in _CONSTANTS if other != source)
        if isinstance(node.value, int):
            yield from (Edit(start, end, str(node.value + step)) for step in (1, -1))
    elif isinstance(node, ast.Call):
        yield from _call(text, node)
    elif isinstance(node, ast.IfExp):
        parts = (text.of(node.orelse), text.of(node.test), text.of(node.body))
        yield Edit(start, end, "{} if {} else {}".format(*parts))
    if source in names:
        yield from (Edit(start, end, other) for other in names if other != source)
        yield Edit(start, end, f"{source}**2")
        yield Edit(start, end, f"-{source}")


def _between(
    text: SourceText, left: ast.expr, right: ast.expr, table: dict[str, tuple[str, ...]]
) -> Iterator[Edit]:
    """The operator between two operands, for another."""
    start, end = text.span(left)[1], text.span(right)[0]
    found = re.search(r"\*\*|//|>=|<=|==|!=|[-+*/%<>]", text.source[start:end])
    if found:
        at = start + found.start()
        for other in table.get(found[0], ()):
            yield Edit(at, at + len(found[0]), other)


def _operation(text: SourceText, node: ast.BinOp) -> Iterator[Edit]:
    yield from _between(text, node.left, node.right, _OPERATORS)
    start, end = text.span(node)
    left, right = text.span(node.left), text.span(node.right)
    one, other = text.source[slice(*left)], text.source[slice(*right)]
    yield Edit(start, end, one)
    yield Edit(start, end, other)
    yield Edit(right[0], right[1], f"-{other}")
    yield Edit(start, end, f"{other}{text.source[left[1] : right[0]]}{one}")
    if isinstance(node.left, ast.BinOp) and text.source[left[1] : left[1] + 1] != ")":
        inner = text.span(node.left.right)[0]  # a ** n - 1: a ** (n - 1)
        yield Edit(inner, end, f"({text.source[inner:end]})")
    if isinstance(node.op, ast.Pow) and isinstance(node.right, (ast.Name, ast.Attribute)):
        yield Edit(right[0], right[1], f"({other} - 1)")
    if not isinstance(node.op, ast.Pow):
        yield Edit(start, end, f"({text.source[start:end]})**2")


def _call(text: SourceText, node: ast.Call) -> Iterator[Edit]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    end = text.span(node.func)[1]
    if name in _NEIGHBOURS:
        yield Edit(end - len(name), end, _NEIGHBOURS[name])
    if len(node.args) == 1:
        first = text.span(node.args[0])
        yield Edit(*text.span(node), text.source[slice(*first)])
        yield Edit(first[0], first[1], f"-{text.source[slice(*first)]}")
