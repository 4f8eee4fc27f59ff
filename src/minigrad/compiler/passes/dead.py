"""dead: what no output, guard or gradient needs is not computed.  Inputs stay: they keep their numbers."""

from __future__ import annotations

from ..scalars import CONSTANT, INPUT, Scalars

__all__ = ["dead"]


def dead(program: Scalars, kept: list[int]) -> tuple[Scalars, list[int]]:
    needed = bytearray(len(program))
    for node in (*program.outputs, *kept, *(guard.node for guard in program.guards)):
        needed[node] = 1
    for i in range(len(program) - 1, -1, -1):
        if needed[i]:
            for arg in program.args[i]:
                needed[arg] = 1
    living = Scalars()
    place = [-1] * len(program)
    for i, op in enumerate(program.ops):
        if needed[i] or op == INPUT:
            place[i] = living.add(op, *[place[arg] for arg in program.args[i]])
            if op == CONSTANT:
                living.data[place[i]] = program.data[i]
    living.take_ends(program, place)
    return living, [place[node] for node in kept]
