"""Local rules: the statements and tuples in which a function says what its operands get."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .parts import LocalRule

__all__ = ["RuleReading", "Tests", "aliases_of", "elements", "pair_rule", "placed", "scan"]

Tests = tuple[tuple[ast.expr, bool], ...]


@dataclass(frozen=True)
class RuleReading:
    """How to read one scope: whose gradient is whose."""

    grad: str
    owners: dict[str, int]  # the operands' names there, and their slots
    upstream: str
    values: tuple[str, ...]
    output: str = ""
    returns: bool = False  # is what it returns one number per operand?
    outputs: set[str] = field(default_factory=set)  # names of the output's node

    def rule(
        self, slot: int, owner: str, operator: str, expression: ast.expr, statement: ast.stmt, tests: Tests
    ) -> LocalRule:
        upstream = self.upstream
        if isinstance(expression, ast.Lambda):  # (self, lambda g: g * other.data)
            upstream = expression.args.args[0].arg if expression.args.args else upstream
            expression = expression.body
        return LocalRule(
            slot, owner, operator, expression, statement, upstream, self.values, self.output, tests
        )


def elements(expression: ast.expr | None) -> list[ast.expr] | None:
    """The elements of a tuple, list or set, also inside `set(...)`; None for something else."""
    if isinstance(expression, (ast.Tuple, ast.List, ast.Set)):
        return list(expression.elts)
    if (
        isinstance(expression, ast.Call)
        and isinstance(expression.func, ast.Name)
        and expression.args
        and expression.func.id in ("set", "tuple", "list", "frozenset", "array")
    ):
        return elements(expression.args[0])
    return None


def aliases_of(statements: Iterable[ast.AST], operands: Iterable[str] = ()) -> dict[str, ast.expr]:
    """Simple names that are given a meaning once."""
    found: dict[str, ast.expr] = {}
    twice: set[str] = set(operands)
    for node in statements:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            pairs = _pairs(node.targets[0], node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            pairs = _pairs(node.target, node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            twice.add(node.target.id)
            continue
        else:
            continue
        for name, value in pairs:
            if name in found and ast.dump(found[name]) != ast.dump(value):
                twice.add(name)
            found.setdefault(name, value)
    return {name: value for name, value in found.items() if name not in twice}


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = elements(value)
        for i, inner in enumerate(target.elts):
            if parts and len(parts) == len(target.elts):
                yield from _pairs(inner, parts[i])


def placed(body: Sequence[ast.stmt], tests: Tests = ()) -> Iterator[tuple[ast.stmt, Tests]]:
    """The simple statements with the branches that they stand in; nested functions are left out.

    What follows a branch that returns stands in the other branch.
    """
    for statement in body:
        if isinstance(statement, ast.If):
            yield from placed(statement.body, (*tests, (statement.test, True)))
            yield from placed(statement.orelse, (*tests, (statement.test, False)))
            if isinstance(statement.body[-1], ast.Return) and not statement.orelse:
                tests = (*tests, (statement.test, False))
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        elif isinstance(statement, (ast.For, ast.While, ast.With, ast.Try)):
            yield from placed(statement.body, tests)
        else:
            yield statement, tests


def scan(body: Sequence[ast.stmt], reading: RuleReading) -> Iterator[LocalRule]:
    """All rules in these statements."""
    for statement, tests in placed(body):
        yield from _statement(statement, reading, tests)


def _statement(statement: ast.stmt, reading: RuleReading, tests: Tests) -> Iterator[LocalRule]:
    if isinstance(statement, ast.AugAssign):
        operator = {ast.Add: "+=", ast.Sub: "-="}.get(type(statement.op), "")
        owner = _owner(statement.target, reading)
        if owner and operator:
            yield reading.rule(reading.owners[owner], owner, operator, statement.value, statement, tests)
    elif isinstance(statement, ast.Assign):
        yield from _assigned(statement, reading, tests)
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from _called(statement.value, statement, reading, tests)
    elif isinstance(statement, ast.Return) and statement.value is not None and reading.returns:
        parts = elements(statement.value)
        if parts is None and len(reading.values) == 1 and not isinstance(statement.value, ast.Name):
            parts = [statement.value]
        for slot, part in enumerate(parts or ()):
            if slot < len(reading.values) and not isinstance(part, ast.Starred):
                name = next((o for o, s in reading.owners.items() if s == slot), "")
                yield reading.rule(slot, name, "", part, statement, tests)


def _assigned(statement: ast.Assign, reading: RuleReading, tests: Tests) -> Iterator[LocalRule]:
    for target in statement.targets:
        targets = target.elts if isinstance(target, ast.Tuple) else [target]
        parts = elements(statement.value) if isinstance(target, ast.Tuple) else [statement.value]
        for one, value in zip(targets, parts or (), strict=False):
            owner = _owner(one, reading)
            if not owner:
                continue
            operator, expression = "=", value
            if isinstance(one, ast.Subscript):
                operator = ""
            else:  # self.grad = self.grad + ...
                operator, expression = _spelled_out(value, ast.unparse(one))
            yield reading.rule(reading.owners[owner], owner, operator, expression, statement, tests)


def _spelled_out(value: ast.expr, target: str) -> tuple[str, ast.expr]:
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
        if ast.unparse(value.left) == target:
            return ("+=" if isinstance(value.op, ast.Add) else "-="), value.right
        if ast.unparse(value.right) == target and isinstance(value.op, ast.Add):
            return "+=", value.left
        if isinstance(value.op, ast.Add) and _leftmost(value) == target:
            return "+=", value  # grad + x + y: read as a whole
    return "=", value


def _leftmost(value: ast.expr) -> str:
    while isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add):
        value = value.left
    return ast.unparse(value)


def _called(call: ast.Call, statement: ast.stmt, reading: RuleReading, tests: Tests) -> Iterator[LocalRule]:
    """`self.children.append((1.0, z))`, `z.parents.append((1.0, self))`, `self.accumulate(...)`."""
    if not isinstance(call.func, ast.Attribute) or not call.args:
        return
    held = call.func.value
    if call.func.attr in ("append", "add", "extend", "insert"):
        for argument in call.args:
            pairs = [argument] if isinstance(argument, ast.Tuple) else elements(argument) or []
            for pair in pairs:
                yield from pair_rule(pair, statement, reading, tests, held)
    elif ast.unparse(held) in reading.owners and len(call.args) == 1 and reading.upstream:
        argument = call.args[0]
        if reading.upstream in ast.unparse(argument):
            owner = ast.unparse(held)
            yield reading.rule(reading.owners[owner], owner, "()", argument, statement, tests)


def pair_rule(
    pair: ast.expr, statement: ast.stmt, reading: RuleReading, tests: Tests = (), held: ast.expr | None = None
) -> Iterator[LocalRule]:
    """(local, node) or (node, local), or a local and the output, appended to what an operand holds."""
    if not isinstance(pair, ast.Tuple) or len(pair.elts) != 2:
        return
    for one, other in (pair.elts, pair.elts[::-1]):
        name = ast.unparse(one)
        if isinstance(other, ast.Constant) and isinstance(other.value, str):
            continue
        if name in reading.owners and ast.unparse(other) not in reading.owners:
            yield reading.rule(reading.owners[name], name, "", other, statement, tests)
            return
        holder = ast.unparse(held.value) if isinstance(held, ast.Attribute) else ""
        if name in reading.outputs and holder in reading.owners:
            yield reading.rule(reading.owners[holder], holder, "", other, statement, tests)
            return


def _owner(target: ast.expr, reading: RuleReading) -> str:
    """The operand whose gradient a target is; "" for another target."""
    if isinstance(target, ast.Attribute) and target.attr == reading.grad:
        name = ast.unparse(target.value)
        return name if name in reading.owners else ""
    if isinstance(target, ast.Subscript):  # grads[self], out.local[other]
        name = ast.unparse(target.slice)
        if name.startswith("id(") and name.endswith(")"):
            name = name[3:-1]
        return name if name in reading.owners else ""
    return ""
