"""expand: the rows of the table that take any number of arguments, as the ops that their formulas are
made of.

After `backward`, whose derivatives are of the rows themselves: what a value and its derivatives share
is found by `simplify`.
"""

from __future__ import annotations

from ...ops import MANY, OPS
from ..node_numbers import NodeNumber, NodeNumbers
from ..scalars import CONSTANT, Scalars

__all__ = ["expand"]


def expand(program: Scalars, kept: list[int], stops: bool = False) -> tuple[Scalars, list[int]]:
    """The program in ops that an executor knows; `kept` are nodes that are also wanted (gradients).

    `stops`: keep the places where a gradient stops, for someone else who will differentiate the program.
    """
    written = Scalars()
    numbers = NodeNumbers(written)
    place: list[int] = []
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        row = [place[arg] for arg in args]
        if op == "stop" and not stops:
            place.append(row[0])
        elif op == CONSTANT:
            place.append(numbers.number(program.data[i]).node)
        elif op != "max" and op in OPS and OPS[op].arity[1] == MANY:
            value = OPS[op].forward(numbers, *[NodeNumber(numbers, arg) for arg in row])
            place.append(numbers.number(value).node)
        else:
            place.append(written.add(op, *row))
    written.take_ends(program, place)
    return written, [place[node] for node in kept]
