"""layout: where every number lies, and the vector instructions that follow from it.

The members of a group lie side by side, so a group is written in one stroke. In which order they lie is
chosen so that its operands, whose cells are known by then, are read by rule: of a few orders the one
that needs the fewest pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import LANES, SHARED, Plan
from ..scalars import CONSTANT, Scalars
from .affine import AffinePiece, pieces_of
from .groups import BODY, groups_of
from .instructions import instruction, single

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["layout"]


def layout(
    program: Scalars,
    lanes: frozenset[int] = frozenset(),
    gradients: Sequence[int] = (),
    nodes: Sequence[int] = (),
) -> Plan:
    """The plan of a program whose `nodes` are the gradients of the inputs number `gradients`."""
    groups, varies = groups_of(program, lanes)
    cell = [-1] * len(program)
    sizes = [0, 0]
    inputs = []
    for node in program.inputs:
        space = LANES if varies[node] else SHARED
        inputs.append((space, sizes[space]))
        cell[node] = sizes[space]
        sizes[space] += 1
    first_constant = sizes[SHARED]
    constants = _constants(program)
    for node in constants:
        cell[node] = sizes[SHARED]
        sizes[SHARED] += 1
    outputs = [*program.outputs, *(guard.node for guard in program.guards), *nodes]
    plan = Plan(
        cells=(0, 0),
        constants=np.array([program.data[node] for node in constants], np.float64),
        first_constant=first_constant,
        inputs=inputs,
        outputs=[],
        parts=(len(program.outputs), len(program.guards), len(nodes)),
        gradients=list(gradients),
    )
    rank = {node: i for i, node in enumerate(nodes)}
    listings = (plan.before, plan.body, plan.after)
    owner = [0] * len(program)  # the number of the group that a node is in; 0 for inputs and constants
    for number, group in enumerate(groups, 1):
        space = LANES if group.part == BODY and group.op != "lanesum" else SHARED
        out = sizes[space]
        sizes[space] += len(group.nodes)
        spaces = [LANES if varies[arg] else SHARED for arg in program.args[group.nodes[0]]]
        if len(group.nodes) == 1:  # the common case in a program that is one long chain of steps
            (node,) = group.nodes
            cell[node], owner[node] = out, number
            row = [cell[arg] for arg in program.args[node]]
            listings[group.part].append(single(group.op, space, out, row, spaces))
            continue
        table = np.array([[cell[arg] for arg in program.args[node]] for node in group.nodes], np.int64)
        owners = np.array([[owner[arg] for arg in program.args[node]] for node in group.nodes], np.int64)
        order, pieces = _arranged(table, owners, [rank.get(node, -1) for node in group.nodes])
        if order is not None:
            table = table[order]
        for place, member in enumerate(range(len(table)) if order is None else order.tolist()):
            cell[group.nodes[member]] = out + place
            owner[group.nodes[member]] = number
        for piece in pieces:
            listings[group.part].append(instruction(group.op, space, out, table, piece, spaces))
    plan.cells = (sizes[SHARED], sizes[LANES])
    plan.outputs = [(LANES if varies[node] else SHARED, cell[node]) for node in outputs]
    return plan


def _constants(program: Scalars) -> list[int]:
    """Whole numbers first, by size: rows are chosen by 0, 1, 2, ..., which then lie side by side."""
    return sorted(
        (i for i, op in enumerate(program.ops) if op == CONSTANT),
        key=lambda i: (program.data[i] % 1.0 != 0.0, program.data[i], i),
    )


# ---- the order of the members --------------------------------------------------------------------


def _arranged(
    table: np.ndarray, owners: np.ndarray, ranks: list[int]
) -> tuple[np.ndarray | None, list[AffinePiece]]:
    """An order of the members (None: as they are), and the pieces of the table in that order.

    A piece without dims is gathered.
    """
    members = len(table)
    most = max(4, members // 16)
    best: tuple[tuple[int, int, int], np.ndarray, list[AffinePiece]] | None = None
    for order in _orders(table, ranks):
        pieces = pieces_of(table[order], owners[order], most)
        if pieces is None:
            continue
        odd = sum(int(((piece.strides[-1] >> 1) != 0).sum()) for piece in pieces)  # strides but 0 and 1
        score = len(pieces), odd, -sum(piece.dims[-1] for piece in pieces)
        if best is None or score < best[0]:
            best = score, order, pieces
        if score[0] == 1 and score[1] == 0:
            break
    if best is None:
        return None, [AffinePiece(0, (), np.zeros((0, table.shape[1]), np.int64))]
    return best[1], best[2]


def _orders(table: np.ndarray, ranks: list[int]) -> list[np.ndarray]:
    members = len(table)
    if min(ranks) >= 0:  # gradients lie in the order of what they are the gradients of
        return [np.argsort(ranks, kind="stable")]
    created = np.arange(members)
    if members < 8:  # too few for an order to matter
        return [created]
    columns = range(table.shape[1])[:3]
    sorted_by = [np.lexsort([table[:, c] for c in (*others, first)]) for first in columns
                 for others in [[c for c in columns if c != first][::-1]]]  # fmt: skip
    return [created, created[::-1], *sorted_by]
