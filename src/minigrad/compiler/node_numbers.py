"""Number system of nodes: a formula of the op table that is run over it is written down as a program.

So the rows of the table that take any number of arguments need no code here: their values and
derivatives are the table's own formulas, as nodes.
"""

from __future__ import annotations

from typing import Any, Union

from .scalars import EXACT, Scalars

__all__ = ["NodeNumber", "NodeNumbers"]

Operand = Union["NodeNumber", float]


class NodeNumber:
    """One node, with the operators that formulas use."""

    __slots__ = ("node", "system")

    def __init__(self, system: NodeNumbers, node: int) -> None:
        self.system, self.node = system, node

    def __add__(self, other: Operand) -> NodeNumber:
        return self.system.op("add", self, other)

    def __radd__(self, other: Operand) -> NodeNumber:
        return self.system.op("add", other, self)

    def __sub__(self, other: Operand) -> NodeNumber:
        return self.system.op("sub", self, other)

    def __rsub__(self, other: Operand) -> NodeNumber:
        return self.system.op("sub", other, self)

    def __mul__(self, other: Operand) -> NodeNumber:
        return self.system.op("mul", self, other)

    def __rmul__(self, other: Operand) -> NodeNumber:
        return self.system.op("mul", other, self)

    def __neg__(self) -> NodeNumber:
        return self.system.op("neg", self)

    def __lt__(self, other: Operand) -> NodeNumber:
        return self.system.op("less", self, other)

    def __le__(self, other: Operand) -> NodeNumber:
        return self.system.op("less_equal", self, other)

    def __gt__(self, other: Operand) -> NodeNumber:
        return self.system.op("greater", self, other)

    def __ge__(self, other: Operand) -> NodeNumber:
        return self.system.op("greater_equal", self, other)

    def __and__(self, other: NodeNumber) -> NodeNumber:  # conditions are 0.0 and 1.0
        return self.system.op("minimum", self, other)

    def __or__(self, other: NodeNumber) -> NodeNumber:
        return self.system.op("maximum", self, other)


class NodeNumbers:
    """The `m` of the formulas."""

    def __init__(self, program: Scalars) -> None:
        self.program = program
        self._constants: dict[str, int] = {}

    def number(self, x: Operand) -> NodeNumber:
        if isinstance(x, NodeNumber):
            return x
        key = float(x).hex()  # -0.0 is not 0.0
        if key not in self._constants:
            self._constants[key] = self.program.constant(float(x))
        return NodeNumber(self, self._constants[key])

    def op(self, name: str, *operands: Operand) -> NodeNumber:
        return NodeNumber(self, self.program.add(name, *[self.number(x).node for x in operands]))

    def where(self, condition: NodeNumber, yes: Operand, no: Operand) -> NodeNumber:
        return self.op("where", condition, yes, no)

    def equal(self, x: Operand, y: Operand) -> NodeNumber:
        return self.op("equal", x, y)

    def max(self, *xs: Operand) -> NodeNumber:
        return self.op("max", *xs)

    def fsum(self, *xs: Operand) -> NodeNumber:
        return self.op(EXACT + "+" * len(xs), *xs)

    def __getattr__(self, name: str) -> Any:  # div, exp, log1p, abs, ...: rows of the table
        return lambda *xs: self.op(name, *xs)
