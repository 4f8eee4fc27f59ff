"""Reduction of a program: the smallest one that still shows something, by removing and shrinking its parts.

    smaller = Reduction(ast.parse(text), shows, Budget(trials=400, seconds=60.0))
    smaller.run()
    ast.unparse(smaller.tree)

`shows(tree)` says whether a candidate still does.  Nothing is assumed about what it asks: a candidate that
does not even run shows nothing.  Each kind of change is a function that lists changes of a tree; a change
takes a copy of the tree and the number of a node in it.
"""

from __future__ import annotations

import ast
import builtins
import copy
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from time import monotonic
from typing import Any

__all__ = ["Budget", "Reduction", "line_count", "origins", "with_modules", "with_origins", "written"]

Change = Callable[[list[ast.AST]], None]  # takes the nodes of a copy, in the order of ast.walk
LISTS = ("body", "orelse", "finalbody")
SMALLEST = 2  # of a width or a batch: with one of something, much is zero that otherwise is not


@dataclass
class Budget:
    """How often, and how long, candidates may be tried."""

    trials: int
    seconds: float
    begun: float = field(default_factory=monotonic)

    def is_spent(self) -> bool:
        return self.trials <= 0 or monotonic() - self.begun > self.seconds


def line_count(tree: ast.Module) -> int:
    return written(tree).count("\n") + 1


def written(tree: ast.Module) -> str:
    """The text of a tree, without the empty line that a class would begin with."""
    return re.sub(r"^( *class .*:)\n\n", r"\1\n", ast.unparse(tree), flags=re.MULTILINE)


def with_origins(tree: ast.Module) -> ast.Module:
    """The tree, each node of which knows its line; copies of it know that of the original."""
    for node in ast.walk(tree):
        if (line := getattr(node, "lineno", None)) is not None:
            node.origin = line  # type: ignore[attr-defined]
    return tree


def origins(tree: ast.Module, line: int) -> set[int]:
    """The lines of the original that stand in a line of a tree, as it is written out."""
    again = ast.walk(ast.parse(written(tree)))
    return {
        node.origin
        for node, own in zip(ast.walk(tree), again, strict=False)
        if getattr(own, "lineno", None) == line and hasattr(node, "origin")
    }


class Reduction:
    """A tree that becomes smaller, as long as it still shows what it is to show."""

    def __init__(
        self,
        tree: ast.Module,
        shows: Callable[[ast.Module], bool],
        budget: Budget,
        lines: int = 30,
        kept: frozenset[str] = frozenset(),
    ) -> None:
        self.tree, self.shows, self.budget, self.lines = tree, shows, budget, lines
        self.kept = kept  # names that somebody outside of the program looks for
        self.tried = self.accepted = 0
        self._known = {ast.unparse(tree)}
        self._missing = unbound_names(tree)

    def run(self) -> None:
        """Change until nothing more can be changed, or the budget is spent."""
        self.attempt(without_unused(self.tree, self.kept))
        kinds = (statements, blocks, values, arguments, numbers, parameters)
        before = None
        while before != _size(self.tree) and not self.budget.is_spent():
            before = _size(self.tree)
            for kind in kinds:
                self._walk(kind)
            self.attempt(without_unused(self.tree, self.kept))
        if line_count(self.tree) > self.lines:  # shorter, though harder to read
            self._walk(single_uses)

    def _walk(self, kind: Callable[[ast.Module], Iterator[Change]]) -> None:
        """Try the changes of a kind, one after the other; after one that holds, those of the new tree."""
        at = 0
        while not self.budget.is_spent():
            change = next((each for n, each in enumerate(kind(self.tree)) if n == at), None)
            if change is None:
                return
            candidate = copy.deepcopy(self.tree)
            change(list(ast.walk(candidate)))
            if not self.attempt(candidate):
                at += 1

    def attempt(self, candidate: ast.Module) -> bool:
        """Take a candidate if it is new, has all that it names, and shows what it is to show."""
        ast.fix_missing_locations(candidate)
        try:
            text = ast.unparse(candidate)
            ast.parse(text)
        except (SyntaxError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            return False
        if text in self._known or unbound_names(candidate) - self._missing:
            return False
        if not _seeds(self.tree) <= _seeds(candidate):
            return False
        self._known.add(text)
        self.budget.trials -= 1
        self.tried += 1
        if not self.shows(candidate):
            return False
        self.tree = candidate
        self.accepted += 1
        return True


def _size(tree: ast.Module) -> tuple[int, int]:
    """Nodes, and the sum of the numbers."""
    numbers = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is int]
    return sum(1 for _ in ast.walk(tree)), sum(map(abs, numbers))


def _seeds(tree: ast.Module) -> set[str]:
    """The statements that make chance repeat itself, as torch.manual_seed(0) does."""
    rows = [row for row in tree.body if isinstance(row, ast.Expr) and isinstance(row.value, ast.Call)]
    return {text for row in rows if "seed" in (text := ast.unparse(row)).partition("(")[0]}


# ---- names ------------------------------------------------------------------------------------------


def bound_names(tree: ast.AST) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
    return found


def used_names(tree: ast.AST) -> Counter[str]:
    return Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def unbound_names(tree: ast.Module) -> set[str]:
    """The names that nothing in the program gives a value."""
    return {*used_names(tree)} - bound_names(tree) - {*dir(builtins), "__file__", "__name__"}


def without_unused(tree: ast.Module, kept: frozenset[str]) -> ast.Module:
    """A copy without docstrings, imports, functions, classes and plain values that nothing uses."""
    made = copy.deepcopy(tree)
    while True:
        used = {*used_names(made), *kept}
        used |= {node.attr for node in ast.walk(made) if isinstance(node, ast.Attribute)}
        before = _size(made)
        for node in ast.walk(made):
            rows = getattr(node, "body", None)
            if isinstance(rows, list):
                top = node is made
                left = [kept_part for row in rows if (kept_part := _used_part(row, used, top)) is not None]
                node.body = left or ([] if top else [ast.Pass()])  # type: ignore[attr-defined]
        if _size(made) == before:
            return made


def _used_part(row: ast.stmt, used: set[str], top: bool) -> ast.stmt | None:
    if isinstance(row, ast.Expr) and isinstance(row.value, ast.Constant):
        return None
    if isinstance(row, (ast.Import, ast.ImportFrom)):
        if isinstance(row, ast.ImportFrom) and row.module == "__future__":
            return row
        row.names = [
            each for each in row.names if each.name == "*" or (each.asname or each.name).split(".")[0] in used
        ]
        return row if row.names else None
    if isinstance(row, (ast.FunctionDef, ast.ClassDef)) and top:
        return row if row.name in used else None
    return row


def with_modules(tree: ast.Module, folder: str, above: frozenset[str] = frozenset()) -> ast.Module:
    """A copy that holds what it imports from the files of a folder, in place of the imports."""
    made = copy.deepcopy(tree)
    taken: set[str] = set()  # the modules that are called by their names
    body: list[ast.stmt] = []
    for row in made.body:
        names = row.names if isinstance(row, (ast.Import, ast.ImportFrom)) else []
        if isinstance(row, ast.ImportFrom):
            found = {row.module or "": _module_of(row.module or "", folder, above)} if not row.level else {}
        else:
            found = {each.name: _module_of(each.name, folder, above) for each in names if not each.asname}
        if not found or not all(found.values()):
            body.append(row)
            continue
        for name, text in found.items():
            body += with_modules(ast.parse(text), folder, above | {name}).body
        if isinstance(row, ast.Import):
            taken |= found.keys()
        for each in names:
            if isinstance(row, ast.ImportFrom) and each.asname not in (None, each.name):
                value = ast.Name(each.name, ast.Load())
                body.append(ast.Assign([ast.Name(each.asname or "", ast.Store())], value, lineno=0))
    made.body = body

    class BareNames(ast.NodeTransformer):
        def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
            self.generic_visit(node)
            known = isinstance(node.value, ast.Name) and node.value.id in taken
            return ast.Name(node.attr, node.ctx) if known else node

    bare: ast.Module = BareNames().visit(made)
    return bare


def _module_of(name: str, folder: str, above: frozenset[str]) -> str:
    """The text of a module in a folder; empty where it is none, or is being read already."""
    path = os.path.join(folder, f"{name}.py")
    if not name.isidentifier() or name in above or not os.path.isfile(path):
        return ""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read() or "pass"
    except (OSError, ValueError):
        return ""


# ---- kinds of changes -------------------------------------------------------------------------------


def statements(tree: ast.Module) -> Iterator[Change]:
    """Without a row of statements: half of a block, a quarter, ..., each one; the last first."""
    for at, node in enumerate(ast.walk(tree)):
        for name in LISTS:
            rows = getattr(node, name, None)
            if not isinstance(rows, list) or (len(rows) == 1 and isinstance(rows[0], ast.Pass)):
                continue
            length = len(rows)
            while length:
                for start in range(len(rows) - length, -1, -length):
                    yield _without(at, name, start, length)
                length //= 2


def _without(at: int, name: str, start: int, length: int) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        rows = getattr(nodes[at], name)
        del rows[start : start + length]
        if not rows and name == "body" and not isinstance(nodes[at], ast.Module):
            rows.append(ast.Pass())

    return change


def blocks(tree: ast.Module) -> Iterator[Change]:
    """What a condition, a loop, a `with` or a `try` holds, in place of it; functions without decorators."""
    for at, node in enumerate(ast.walk(tree)):
        for name in LISTS:
            rows = getattr(node, name, None)
            if not isinstance(rows, list):
                continue
            for number, row in enumerate(rows):
                if isinstance(row, (ast.If, ast.With, ast.Try, ast.For)):
                    yield _unwrapped(at, name, number, "body")
                if isinstance(row, ast.If) and row.orelse:
                    yield _unwrapped(at, name, number, "orelse")
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.decorator_list:
            yield lambda nodes, at=at: nodes[at].decorator_list.clear()  # type: ignore[misc]


def _unwrapped(at: int, name: str, number: int, part: str) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        rows = getattr(nodes[at], name)
        row = rows[number]
        inside = list(getattr(row, part))
        if isinstance(row, ast.For):  # the first turn of it
            first = ast.Call(ast.Name("iter", ast.Load()), [row.iter], [])
            inside.insert(
                0, ast.Assign([row.target], ast.Call(ast.Name("next", ast.Load()), [first], []), lineno=0)
            )
        rows[number : number + 1] = inside

    return change


def values(tree: ast.Module) -> Iterator[Change]:
    """A part of an expression in place of the whole."""
    for at, node in enumerate(ast.walk(tree)):
        for name, each in ast.iter_fields(node):
            if isinstance(each, ast.expr):
                for part in _parts(each):
                    yield _replaced(at, name, None, part)
            elif isinstance(each, list):
                for number, row in enumerate(each):
                    for part in _parts(row):
                        yield _replaced(at, name, number, part)


def _parts(x: object) -> list[tuple[str, int | None]]:
    """Where in an expression the smaller ones stand that can take its place."""
    if not isinstance(x, ast.expr) or not isinstance(getattr(x, "ctx", ast.Load()), ast.Load):
        return []
    if isinstance(x, ast.Call):
        found: list[tuple[str, int | None]] = [("args", n) for n in range(len(x.args))]
        return [*found, ("func.value", None)] if isinstance(x.func, ast.Attribute) else found
    if isinstance(x, ast.BinOp):
        return [("left", None), ("right", None)]
    if isinstance(x, ast.UnaryOp):
        return [("operand", None)] if not isinstance(x.operand, ast.Constant) else []
    if isinstance(x, ast.IfExp):
        return [("body", None), ("orelse", None)]
    if isinstance(x, (ast.Attribute, ast.Subscript)):
        return [("value", None)]
    if isinstance(x, ast.BoolOp):
        return [("values", n) for n in range(len(x.values))]
    return []


def _replaced(at: int, name: str, number: int | None, part: tuple[str, int | None]) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        old = getattr(nodes[at], name)
        new = old if number is None else old[number]
        for step in part[0].split("."):
            new = getattr(new, step)
        if part[1] is not None:
            new = new[part[1]]
        if number is None:
            setattr(nodes[at], name, new)
        else:
            old[number] = new

    return change


def arguments(tree: ast.Module) -> Iterator[Change]:
    """A call without one of its arguments; a list, a tuple or a dict without one of its members."""
    for at, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Call):
            yield from (_shorter(at, ("keywords",), n) for n in reversed(range(len(node.keywords))))
            yield from (_shorter(at, ("args",), n) for n in reversed(range(len(node.args))))
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            if isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                yield from (_shorter(at, ("elts",), n) for n in reversed(range(len(node.elts))))
        elif isinstance(node, ast.Dict):
            yield from (_shorter(at, ("keys", "values"), n) for n in reversed(range(len(node.keys))))
        elif isinstance(node, ast.comprehension):
            yield from (_shorter(at, ("ifs",), n) for n in range(len(node.ifs)))
        elif isinstance(node, ast.Assign):
            left: Any = node.targets[0]
            right: Any = node.value
            paired = isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple)
            if paired and len(left.elts) == len(right.elts):
                yield from (_without_pair(at, n) for n in reversed(range(len(right.elts))))


def _shorter(at: int, names: tuple[str, ...], number: int) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        for name in names:
            del getattr(nodes[at], name)[number]

    return change


def _without_pair(at: int, number: int) -> Change:
    """`a, b = 1, 2` without one of the two."""

    def change(nodes: list[ast.AST]) -> None:
        row = nodes[at]
        assert isinstance(row, ast.Assign)
        for side in (row.targets[0], row.value):
            assert isinstance(side, ast.Tuple)
            del side.elts[number]
        left, right = row.targets[0], row.value
        assert isinstance(left, ast.Tuple)
        assert isinstance(right, ast.Tuple)
        if len(left.elts) == 1:
            row.targets[0], row.value = left.elts[0], right.elts[0]

    return change


def numbers(tree: ast.Module) -> Iterator[Change]:
    """Smaller whole numbers: first all that are alike, since widths have to fit, and then each."""
    where: dict[int, list[int]] = {}
    for at, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value > SMALLEST:
            where.setdefault(node.value, []).append(at)
    for together in (True, False):
        for value in sorted(where, reverse=True):
            fresh = next(n for n in range(SMALLEST, value + 1) if n not in where or n == value)
            for smaller in dict.fromkeys((fresh, SMALLEST, value // 2)):
                if not SMALLEST <= smaller < value:
                    continue
                if together:
                    yield _renumbered(where[value], smaller)
                elif len(where[value]) > 1:
                    yield from (_renumbered([at], smaller) for at in where[value])


def _renumbered(places: list[int], value: int) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        for at in places:
            setattr(nodes[at], "value", value)  # noqa: B010 what kind of node it is was seen before

    return change


def parameters(tree: ast.Module) -> Iterator[Change]:
    """A function without one of its parameters, and the calls of it without what they give for it."""
    owners = {
        id(row): node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for row in node.body
    }
    for at, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef):
            own = owners.get(id(node))
            names = [each.arg for each in node.args.args]
            for number in reversed(range(1 if own is not None else 0, len(names))):
                yield _without_parameter(at, number, own)


def _without_parameter(at: int, number: int, owner: str | None) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        function = nodes[at]
        assert isinstance(function, ast.FunctionDef)
        gone = function.args.args.pop(number).arg
        from_end = len(function.args.args) - number
        if from_end < len(function.args.defaults):
            del function.args.defaults[-1 - from_end]
        place = number - 1 if owner is not None else number
        called = owner if function.name == "__init__" and owner is not None else function.name
        for node in nodes:
            if isinstance(node, ast.Call) and _called_name(node) == called:
                if place < len(node.args):
                    del node.args[place]
                node.keywords = [each for each in node.keywords if each.arg != gone]

    return change


def _called_name(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def single_uses(tree: ast.Module) -> Iterator[Change]:
    """What a name stands for, in its place, where the next statement alone uses it (once, if no constant)."""
    for at, node in enumerate(ast.walk(tree)):
        for name in LISTS:
            rows = getattr(node, name, None)
            if not isinstance(rows, list):
                continue
            for number, (row, after) in enumerate(pairwise(rows)):
                if isinstance(row, ast.Assign) and isinstance(row.targets[0], ast.Name):
                    word = row.targets[0].id
                    uses = used_names(after)[word]
                    if uses == used_names(tree)[word] and (uses == 1 or isinstance(row.value, ast.Constant)):
                        yield _inlined(at, name, number, word)


def _inlined(at: int, name: str, number: int, word: str) -> Change:
    def change(nodes: list[ast.AST]) -> None:
        rows = getattr(nodes[at], name)
        value = rows[number].value

        class Substitution(ast.NodeTransformer):
            def visit_Name(self, node: ast.Name) -> ast.expr:
                found: ast.expr = value if node.id == word and isinstance(node.ctx, ast.Load) else node
                return found

        rows[number + 1] = Substitution().visit(rows[number + 1])
        del rows[number]

    return change
