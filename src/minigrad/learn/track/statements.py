"""Statements of a function beside those of the textbook's, whatever the names in it are.

Which of the learner's names is which of the book's is found by the statements that are alike but for their
names.  Then the first statement that the book has not is the line to look at.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from difflib import SequenceMatcher

__all__ = ["Comparison", "compare"]

LIKE_ENOUGH = 0.4  # of the statements, those that are the book's: then a line tells where the others are


@dataclass(frozen=True)
class Comparison:
    is_like: bool  # are they written much alike?
    line: int  # of the first statement that differs; after which one is missing; 0 if none does
    missing: bool = False  # is it the one after which something is missing?


def compare(mine: ast.AST, right: ast.AST) -> Comparison:
    """Where a function or class differs from the book's."""
    names = _mapping(mine, right)
    left, wanted = _statements(mine, names), _statements(right, {})
    texts, rights = [one.text for one in left], [one.text for one in wanted]
    shared = sum((Counter(texts) & Counter(rights)).values())
    if shared < LIKE_ENOUGH * max(len(texts), len(rights)):
        return Comparison(False, left[0].line)
    for kind, start, end, first, last in SequenceMatcher(None, texts, rights, autojunk=False).get_opcodes():
        if kind in ("replace", "delete") and end > start:
            return Comparison(True, left[start].line)
        if kind == "insert" and set(rights[first:last]) & set(texts[start:]):  # it comes too late
            return Comparison(True, left[start].line)
        if kind == "insert":
            return Comparison(True, left[max(0, start - 1)].line, True)
    return Comparison(True, 0)


@dataclass(frozen=True)
class _Written:
    text: str  # of a compound statement its head, as deep as it stands
    line: int
    names: tuple[str, ...]  # in the order in which they stand in it, as they are written


def _statements(node: ast.AST, names: Mapping[str, str], others: str = "") -> list[_Written]:
    """Each statement in the order of the text, with new names; `others` where there is none."""
    own = _own_names(node)
    found = []
    for statement, depth in _in_order(node):
        head = deepcopy(statement)
        for part in ("body", "orelse"):
            if isinstance(getattr(head, part, None), list):
                setattr(head, part, [ast.Pass()] if part == "body" else [])
        renamed = _Renaming({name: names.get(name, others or name) for name in own})
        plain = renamed.visit(head)
        text = ast.unparse(ast.fix_missing_locations(plain)).split("\n")[0]
        found.append(_Written(" " * depth + text, statement.lineno, tuple(renamed.met)))
    return found


def _mapping(mine: ast.AST, right: ast.AST) -> dict[str, str]:
    """The learner's names and the book's, by the statements that are alike but for names."""
    left, wanted = _statements(mine, {}, "_"), _statements(right, {}, "_")
    votes: Counter[tuple[str, str]] = Counter()
    matcher = SequenceMatcher(None, [one.text for one in left], [one.text for one in wanted], autojunk=False)
    for start, begin, size in matcher.get_matching_blocks():
        for one, other in zip(left[start : start + size], wanted[begin : begin + size], strict=True):
            votes.update(zip(one.names, other.names, strict=False))
    found: dict[str, str] = {}
    for (own, book), _ in votes.most_common():
        if own not in found and book not in found.values():
            found[own] = book
    return found


def _own_names(node: ast.AST) -> set[str]:
    """The names that a function gives itself: arguments, what it assigns, functions in it."""
    found = {
        each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }
    found |= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)} - {"self"}
    inner = {each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef) and each is not node}
    return found | (inner if isinstance(node, ast.FunctionDef) else set())


class _Renaming(ast.NodeTransformer):
    """New names, sums and differences written as `+=`, and the factors of a product in one order."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names, self.met = names, list[str]()

    def _new(self, name: str) -> str:
        if name in self.names:
            self.met.append(name)
        return self.names.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._new(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._new(node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._new(node.name)
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        value, target = node.value, node.targets[0]
        if isinstance(value, ast.BinOp) and ast.unparse(value.left) == ast.unparse(target):
            added: ast.stmt = ast.AugAssign(target, value.op, value.right)  # type: ignore[arg-type]
            return self.visit(added)  # type: ignore[no-any-return]
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if isinstance(node.op, ast.Sub):
            node = ast.AugAssign(node.target, ast.Add(), ast.UnaryOp(ast.USub(), node.value))
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.op, ast.Mult):
            factors = list(_factors(node))
            if not all(isinstance(factor, ast.Name) for factor in factors):  # a * b runs a's operator
                factors.sort(key=ast.unparse)
            whole = factors[0]
            for factor in factors[1:]:
                whole = ast.BinOp(whole, ast.Mult(), factor)
            return whole
        return node


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _in_order(node: ast.AST, depth: int = 0) -> Iterator[tuple[ast.stmt, int]]:
    if isinstance(node, ast.stmt):
        yield node, depth
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield from _in_order(child, depth + 1)
