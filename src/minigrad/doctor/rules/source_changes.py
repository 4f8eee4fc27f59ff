"""Changes of a source that can be made and taken back: one expression of a syntax tree for another."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "SourceChange",
    "Spot",
    "expression",
    "is_ctx_part",
    "is_numeric",
    "relevant",
    "spots_in",
    "together",
    "with_call",
]


@dataclass
class SourceChange:
    """A change of the tree that can be made and taken back."""

    node: ast.AST  # whose line counts
    make: Callable[[], Callable[[], None]]
    kind: str
    old: ast.expr | None = None  # the expression that is replaced
    new: ast.expr | None = None
    also: tuple[SourceChange, ...] = ()  # changes that are made with it

    @property
    def parts(self) -> tuple[SourceChange, ...]:
        return (self, *self.also)


def together(first: SourceChange, second: SourceChange, kind: str) -> SourceChange:
    """Both, as one change."""

    def make() -> Callable[[], None]:
        undo = [first.make(), second.make()]

        def undone() -> None:
            for each in reversed(undo):
                each()

        return undone

    return SourceChange(first.node, make, kind, first.old, first.new, (*first.also, *second.parts))


@dataclass
class Spot:
    """A place in the tree where an expression stands."""

    holder: Any
    field: str
    index: int | None
    node: ast.expr

    def edit(self, new: ast.expr, kind: str) -> SourceChange:
        return SourceChange(self.holder, self.put(new), kind, self.node, new)

    def put(self, new: ast.expr) -> Callable[[], Callable[[], None]]:
        def make() -> Callable[[], None]:
            self._set(new)
            return lambda: self._set(self.node)

        return make

    def _set(self, node: ast.expr) -> None:
        if self.index is None:
            setattr(self.holder, self.field, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


def spots_in(tree: ast.FunctionDef) -> Iterator[Spot]:
    """Every expression that is read: not targets, annotations or docstrings; what is assigned comes first."""
    for statement in ast.walk(tree):
        if not isinstance(statement, ast.stmt) or statement is tree:
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        for field, value in ast.iter_fields(statement):
            if field == "value" and isinstance(value, ast.expr):
                yield from _inside(Spot(statement, field, None, value))


def _inside(spot: Spot) -> Iterator[Spot]:
    node = spot.node
    yield spot
    if isinstance(node, ast.Lambda):
        return
    for field, value in ast.iter_fields(node):
        if isinstance(node, ast.Attribute) and is_ctx_part(node):
            return
        if isinstance(node, ast.Call) and field == "func" and isinstance(value, ast.Attribute):
            if not isinstance(value.value, ast.Name) or value.value.id not in ("torch", "F", "np", "math"):
                yield from _inside(Spot(value, "value", None, value.value))
        elif isinstance(value, ast.expr) and field != "func":
            yield from _inside(Spot(node, field, None, value))
        elif isinstance(value, list):
            for k, each in enumerate(value):
                if isinstance(each, ast.expr):
                    yield from _inside(Spot(node, field, k, each))
                elif isinstance(each, ast.keyword):
                    yield from _inside(Spot(each, "value", None, each.value))


def is_ctx_part(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("ctx", "self")


def is_numeric(node: ast.expr) -> bool:
    """Could it be a tensor or a number?  Not a constant None, a string, a tuple, a comparison."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and not isinstance(node.value, bool)
    return isinstance(node, (ast.Name, ast.BinOp, ast.UnaryOp, ast.Call, ast.Attribute, ast.Subscript))


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def with_call(node: ast.expr, ending: str) -> ast.expr:
    """`node.transpose(-1, -2)` for ".transpose(-1, -2)"."""
    made = expression(f"x{ending}")
    inner: Any = made
    while not isinstance(inner.value if isinstance(inner, ast.Attribute) else inner.func.value, ast.Name):
        inner = inner.value if isinstance(inner, ast.Attribute) else inner.func.value
    (inner if isinstance(inner, ast.Attribute) else inner.func).value = node
    return made


# ---- what decides about one gradient -------------------------------------------------------------


def relevant(tree: ast.FunctionDef, place: int | None, spots: Sequence[Spot]) -> list[Spot]:
    """Those of the statements that what is returned at a place is computed by; all, where that is unknown."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and place is not None:
            chosen = node.value.elts[place : place + 1] or [node.value]
            names |= _names_in(*chosen)
    if not names or any(isinstance(node, ast.Starred) for node in ast.walk(tree)):
        return list(spots)
    statements = [each for each in ast.walk(tree) if isinstance(each, (ast.Assign, ast.AugAssign, ast.For))]
    before = -1
    while len(names) != before:
        before = len(names)
        for each in statements:
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            if _names_in(*targets) & names:
                names |= _names_in(*targets, each.iter if isinstance(each, ast.For) else each.value)
    return [spot for spot in spots if _decides(tree, spot.node, names)]


def _names_in(*nodes: ast.AST) -> set[str]:
    return {each.id for node in nodes for each in ast.walk(node) if isinstance(each, ast.Name)}


def _decides(tree: ast.FunctionDef, node: ast.expr, names: set[str]) -> bool:
    for each in ast.walk(tree):
        if isinstance(each, (ast.Assign, ast.AugAssign)) and any(part is node for part in ast.walk(each)):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            return bool(_names_in(*targets) & names)
    return True
