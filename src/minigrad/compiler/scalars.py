"""Scalars: a program of single numbers, as tracing finds it and as the first passes change it.

Node i is computed by `ops[i]` from the nodes `args[i]`, all of which are older.  An op is

    "input"        a number that each call brings
    "constant"     a number that stays: `data[i]`
    "exp", "mul"   a row of the op table with a fixed number of arguments
    "exp'0"        the local derivative of a row in slot 0; its arguments are the output and the inputs
    "max"          the largest of all arguments
    "take"         one of the arguments after the first, which says which: 0 is the first of them
    "match"        args (i, r, g): g where i equals r, else 0.0
    "put:2"        args (i1, i2, r, g1, g2): from 0.0, g1 added if i1 equals r, then g2 if i2 does
    "gate"         args (mask, x): x where the mask is not 0, else 0.0 (and never a NaN out of 0 * inf)
    "equal"        1.0 where two numbers are equal, else 0.0
    "stop"         its argument, without a gradient
    "lanesum"      the sum of its argument over all samples of a batch
    "chain:0**"    a sum from left to right; what follows the colon are its terms, in order:
                   0  it begins with 0.0 (only at the beginning)
                   +  one argument, added        -  one argument, subtracted
                   *  two arguments, their product added     ~  their product subtracted
    "exact:**"     the same terms, each rounded, their sum rounded once (what `fsum` of the table does)

The text of an op says the whole shape of a node: two nodes with the same text differ in their arguments
alone, and can be members of one vector instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import copysign

__all__ = ["CHAIN", "CONSTANT", "EXACT", "INPUT", "SLOT_BITS", "Guard", "Scalars", "arguments_of"]

INPUT, CONSTANT = "input", "constant"
CHAIN, EXACT = "chain:", "exact:"
SLOT_BITS = 32


@dataclass(frozen=True, slots=True)
class Guard:
    """The program holds only where `node` has the number `expected`; `where` is the user's line."""

    node: int
    expected: float
    where: str = ""


@dataclass(slots=True)
class Scalars:
    ops: list[str] = field(default_factory=list)
    args: list[tuple[int, ...]] = field(default_factory=list)
    data: dict[int, float] = field(default_factory=dict)  # of the constants
    inputs: list[int] = field(default_factory=list)  # the node of input number j
    outputs: list[int] = field(default_factory=list)  # what a call returns, in order
    guards: list[Guard] = field(default_factory=list)
    # When the messages of a node's slots are sent in a backward pass, as numbers that grow with time: what
    # `flatten` has put into one chain were many nodes, and a gradient adds up its terms in their order.
    when: dict[int, tuple[int, ...]] = field(default_factory=dict)
    born: list[int] = field(default_factory=list)  # the number a node had at first; empty: its own

    def __len__(self) -> int:
        return len(self.ops)

    def add(self, op: str, *args: int) -> int:
        """A new node at the end; its number."""
        self.ops.append(op)
        self.args.append(args)
        return len(self.ops) - 1

    def constant(self, number: float) -> int:
        node = self.add(CONSTANT)
        self.data[node] = number
        return node

    def take_ends(self, other: Scalars, place: Sequence[int]) -> None:
        """The inputs, outputs and guards of a program whose node i is node place[i] here."""
        self.inputs = [place[node] for node in other.inputs]
        self.outputs = [place[node] for node in other.outputs]
        self.guards = [replace(guard, node=place[guard.node]) for guard in other.guards]

    def is_zero(self, node: int, sign: float = 1.0) -> bool:
        """Is it the constant 0.0, or with sign -1.0 the constant -0.0?"""
        return self.data.get(node) == 0.0 and copysign(1.0, self.data[node]) == sign

    def never_negative_zero(self, node: int) -> bool:
        """Whether a node cannot be -0.0, so that 0.0 added to it changes no bit."""
        op = self.ops[node]
        begun = op.startswith((CHAIN + "0", "put:")) or op == "lanesum"  # 0.0 + -0.0 is 0.0
        return begun or op == "exp" or bool(self.data.get(node, 0.0))

    def times(self, node: int) -> tuple[int, ...]:
        """When each slot of a node sends its message: newest nodes first, slots from left to right."""
        if node in self.when:
            return self.when[node]
        first = -(self.born[node] if node < len(self.born) else node) << SLOT_BITS
        return tuple(range(first, first + len(self.args[node])))


def arguments_of(op: str) -> list[tuple[str, int]]:
    """The terms of a chain: each one's sign and where its first argument stands in `args`."""
    found, place = [], 0
    for kind in op.partition(":")[2].removeprefix("0"):
        found.append((kind, place))
        place += 2 if kind in "*~" else 1
    return found
