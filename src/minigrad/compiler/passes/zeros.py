"""zeros: `0.0 + x` is x where nobody can tell 0.0 from -0.0.

A gradient begins at 0.0, so that -0.0, if that is all there is to add, becomes 0.0.  But where a number is
only multiplied, divided or gated and then added to a sum that begins at 0.0 itself, its sign makes no
difference when it is zero.
"""

from __future__ import annotations

from ..scalars import CHAIN, Scalars

__all__ = ["zeros"]

# ops that hand the sign of a zero on, and the slots from which they do nothing else with it
_PASS_ON = {"mul": (0, 1), "div": (0,), "gate": (0, 1), "neg": (0,)}


def zeros(program: Scalars, kept: list[int]) -> Scalars:
    """The program without such additions; what they led to takes their argument instead."""
    ops, args = program.ops, program.args
    told = bytearray(len(program))  # does the sign of a zero there reach an output, or decide something?
    for node in (*program.outputs, *kept, *(guard.node for guard in program.guards)):
        told[node] = 1
    for i in range(len(program) - 1, -1, -1):
        op = ops[i]
        if op.startswith((CHAIN + "0", "put:")) or op == "lanesum":
            continue
        quiet = () if told[i] else _PASS_ON.get(op, ())
        for slot, arg in enumerate(args[i]):
            if slot not in quiet:
                told[arg] = 1
    place = list(range(len(program)))
    for i, op in enumerate(ops):
        if op == CHAIN + "0+" and not told[i]:
            place[i] = place[args[i][0]]
    if place == list(range(len(program))):
        return program
    rows = [tuple([place[arg] for arg in row]) for row in args]
    return Scalars(list(ops), rows, program.data, program.inputs, program.outputs, program.guards)
