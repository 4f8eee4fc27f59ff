"""Levels and groups: nodes of one shape that do not wait for each other can be one vector instruction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ..scalars import CONSTANT, INPUT, Scalars

__all__ = ["AFTER", "BEFORE", "BODY", "NodeGroup", "groups_of", "levels_of"]

BEFORE, BODY, AFTER = 0, 1, 2
_WAIT = 16


@dataclass(slots=True)
class NodeGroup:
    part: int  # BEFORE the samples, in the BODY that is run for each, AFTER them
    level: int
    op: str
    nodes: list[int]


def levels_of(program: Scalars) -> list[int]:
    """When each node is computed: after all that it needs, and, if it can wait, together with its like.

    A node may stand anywhere between the earliest level, where its arguments are there, and the latest,
    where nothing has to wait for it.  In between it goes where most nodes of its op are.  So positions of a
    sequence whose work differs by a step are still one group, and there are no more levels than the longest
    path has.
    """
    ops, args = program.ops, program.args
    earliest = [0] * len(ops)
    for i, arguments in enumerate(args):
        if arguments:
            earliest[i] = 1 + max([earliest[arg] for arg in arguments])
    latest = [max(earliest, default=0)] * len(ops)
    popular: dict[str, Counter[int]] = {}
    for i in range(len(ops) - 1, -1, -1):
        if args[i]:
            bound = latest[i] - 1
            for arg in args[i]:
                if latest[arg] > bound:
                    latest[arg] = bound
            popular.setdefault(ops[i], Counter())[earliest[i]] += 1
    levels = [0] * len(ops)
    for i, arguments in enumerate(args):
        if arguments:
            first, last = 1 + max([levels[arg] for arg in arguments]), latest[i]
            levels[i] = first if first == last else _meeting(popular[ops[i]], first, last)
    return levels


def _meeting(popular: Counter[int], first: int, last: int) -> int:
    """The level from `first` to `last` where most nodes of an op are; the earliest of several.

    Only the next few are looked at: what differs by a step or two meets, and the work stays linear.
    """
    best, most = first, -1
    for level in range(first, min(last, first + _WAIT) + 1):
        count = popular.get(level, 0)
        if count > most:
            best, most = level, count
    return best


def parts_of(program: Scalars, lanes: frozenset[int]) -> tuple[bytearray, bytearray]:
    """Of each node: does it differ between samples, and does it wait for a sum over them?"""
    varies, waits = bytearray(len(program)), bytearray(len(program))
    for j in lanes:
        varies[program.inputs[j]] = 1
    for i, args in enumerate(program.args):
        if program.ops[i] == "lanesum":
            waits[i] = 1
        elif args:
            varies[i] = any(varies[arg] for arg in args)
            waits[i] = any(waits[arg] for arg in args)
    return varies, waits


def groups_of(program: Scalars, lanes: frozenset[int] = frozenset()) -> tuple[list[NodeGroup], bytearray]:
    """The groups in an order in which they can run, and of each node whether it lies in the lanes."""
    levels = levels_of(program)
    varies, waits = parts_of(program, lanes)
    found: dict[tuple[int, int, str, int, bytes], NodeGroup] = {}
    for i, op in enumerate(program.ops):
        if op in (INPUT, CONSTANT):
            continue
        part = BODY if varies[i] or op == "lanesum" else AFTER if waits[i] else BEFORE
        # members of one instruction take each operand from the same space
        args = program.args[i]
        spaces = bytes([varies[arg] for arg in args]) if lanes and part == BODY else b""
        key = part, levels[i], op, len(args), spaces
        group = found.get(key)
        if group is None:
            found[key] = NodeGroup(part, levels[i], op, [i])
        else:
            group.nodes.append(i)
    return sorted(found.values(), key=lambda group: (group.part, group.level, group.nodes[0])), varies
