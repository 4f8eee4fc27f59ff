"""Parts of an engine: its ops, what each sends to its operands, and its backward pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from .source_text import SourceText

__all__ = ["Anatomy", "Construction", "LocalRule", "OpFunction", "Traversal"]

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, eq=False)
class LocalRule:
    """One place that says what one operand gets."""

    slot: int
    owner: str  # the operand, as the source names it there: "self", "self.left"
    operator: str  # "=", "+=", "-=" of a statement that sends; "" where the number is stored or returned
    expression: ast.expr
    statement: ast.stmt
    upstream: str  # what to multiply by: "out.grad"; "" where another line does it
    values: tuple[str, ...]  # the operands' data as one reads it there, by slot
    output: str  # the output's data there; "" where it has no name
    tests: tuple[tuple[ast.expr, bool], ...] = ()  # the branches that it stands in

    @property
    def sends(self) -> bool:
        return self.operator != ""


@dataclass(frozen=True, eq=False)
class Construction:
    """The call that makes the node of the output."""

    call: ast.Call
    value: ast.expr | None  # the data
    children: ast.expr | None  # the argument that names the operands
    keyword: str = ""  # its keyword, where it has one
    locals: ast.expr | None = None  # a tuple of local gradients beside it
    pairs: tuple[ast.Tuple, ...] = ()  # (operand, local gradient), each an argument
    loose: tuple[ast.expr, ...] = ()  # local gradients, each an argument
    tests: tuple[tuple[ast.expr, bool], ...] = ()  # the branches that it stands in


@dataclass(frozen=True, eq=False)
class OpFunction:
    """A function, a method or a class that is one op."""

    op: str
    name: str
    node: Function  # where it is computed
    operands: tuple[str, ...]  # names by slot
    values: tuple[str, ...]  # their data in that function
    reflected: bool = False
    in_place: bool = False
    class_name: str = ""  # the class that it is a method of
    output: str = ""  # the name of the output's node
    construction: Construction | None = None
    others: tuple[Construction, ...] = ()  # where several branches make a node
    closure: Function | None = None
    attachments: tuple[ast.Assign, ...] = ()  # out._backward = closure
    rules: tuple[LocalRule, ...] = ()
    formula: ast.expr | None = None  # what is returned where no node is made: a composition of other ops
    aliases: dict[str, ast.expr] = field(default_factory=dict)  # what simple names stand for
    backward: Function | None = None  # of an op that is a class

    def rules_of(self, slot: int) -> list[LocalRule]:
        return [rule for rule in self.rules if rule.slot == slot]

    @property
    def constant(self) -> tuple[bool, ...]:
        """For each slot, whether the operand is taken for a number, not a node."""
        pairs = zip(self.operands, self.values, strict=True)
        return tuple(value == name for name, value in pairs)


@dataclass(frozen=True, eq=False)
class Traversal:
    """A function that runs the backward pass."""

    function: Function
    root: str  # the name of the output in it: "self"
    seeds: tuple[ast.stmt, ...] = ()  # statements that set the root's gradient
    helper: Function | None = None  # the recursive function in it, or that it calls
    node: str = ""  # the helper's name for the node it is at
    guard: ast.If | None = None  # the test whether a node has been visited
    flag: str = ""  # the attribute that marks a visited node, where no set does
    appends: ast.stmt | None = None  # order.append(node)
    recursion: tuple[ast.stmt, ...] = ()  # where the helper, or the function itself, visits the children
    loop: ast.For | ast.While | None = None  # where each node has its turn
    turn: str = ""  # the loop's name for the node
    builder: Function | None = None  # a function that it calls for the order


@dataclass(frozen=True, eq=False)
class Anatomy:
    text: SourceText
    class_name: str
    data: str
    grad: str
    ops: tuple[OpFunction, ...]
    traversals: tuple[Traversal, ...]
    initial: Function | None = None  # __init__ of the class
    children: str = ""  # the attribute with the operands' nodes
    closure: str = ""  # the attribute with the closure
    functions: dict[str, Function] = field(default_factory=dict)  # of the file, by name

    @property
    def source(self) -> str:
        return self.text.source

    @property
    def calling(self) -> int:
        """Where closures call each other, which is a pass too; else where a node gets its own; or 0."""
        for function in self.ops:
            for node in ast.walk(function.closure) if function.closure is not None else ():
                called = node.func if isinstance(node, ast.Call) else None
                if isinstance(called, ast.Attribute) and self.closure and called.attr == self.closure:
                    return called.lineno
        for node in ast.walk(self.initial) if self.initial is not None else ():
            target = node.targets[0] if isinstance(node, ast.Assign) else None
            if isinstance(target, ast.Attribute) and self.closure and target.attr == self.closure:
                return target.lineno
        return 0

    def of(self, op: str) -> list[OpFunction]:
        return [function for function in self.ops if not op or function.op == op]

    def named(self, name: str) -> OpFunction | None:
        return next((function for function in self.ops if function.name == name), None)

    def rules(self, op: str = "") -> Iterator[tuple[OpFunction, LocalRule]]:
        for function in self.of(op):
            for rule in function.rules:
                yield function, rule
