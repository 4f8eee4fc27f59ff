"""spread: an instruction that walks many operands by one rule takes all of them out of one space.

In a batch, a maximum, a look-up or a put may have operands of which some are shared and some differ
between samples.  The shared ones are copied to each sample first: as `where(1, number, sample's)`, a node
of the body.
"""

from __future__ import annotations

from ..scalars import CONSTANT, Scalars
from .groups import parts_of

__all__ = ["spread"]


def spread(program: Scalars, lanes: frozenset[int], kept: list[int]) -> tuple[Scalars, list[int]]:
    varies, _ = parts_of(program, lanes)
    mixed: dict[int, list[range]] = {}
    for i, args in enumerate(program.args):
        found = [
            slots
            for slots in _series(program.ops[i], len(args))
            if len({varies[args[s]] for s in slots}) == 2
        ]
        if found:
            mixed[i] = found
    if not mixed:
        return program, kept
    wide = Scalars()
    place: list[int] = []
    one = -1
    copies: dict[int, int] = {}
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        row = [place[arg] for arg in args]
        for slots in mixed.get(i, ()):
            one = wide.constant(1.0) if one < 0 else one
            sample = next(row[slot] for slot in slots if varies[args[slot]])
            for slot in slots:
                if not varies[args[slot]]:
                    if args[slot] not in copies:
                        copies[args[slot]] = wide.add("where", one, row[slot], sample)
                    row[slot] = copies[args[slot]]
        place.append(wide.add(op, *row))
        if op == CONSTANT:
            wide.data[place[i]] = program.data[i]
    wide.take_ends(program, place)
    return wide, [place[node] for node in kept]


def _series(op: str, count: int) -> list[range]:
    """The slots of an op that are one operand with many terms."""
    if op == "max":
        return [range(count)]
    if op == "take":
        return [range(1, count)]
    if op.startswith("put:"):
        return [range(count // 2), range(count // 2 + 1, count)]
    return []
