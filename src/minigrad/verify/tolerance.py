"""Tolerances of the court, from the roundings inside a graph.

`doubts` is a running error analysis of one pass: how far a right value or gradient may be off.
`witness_tolerance` adds what a witness's own arithmetic may be off.

Each node's value may be off by its own rounding, as much as its row
of the table admits, and by what its arguments are off.  A local derivative is off by its own
rounding and by as much as it changes when the arguments move by their doubt, which is found by
moving them.  A gradient gathers all that on its way.  So a tolerance is never a number that
somebody picked: where nothing cancels it is some 1e-15, and where everything does it says so.

The table serves here only to see how much things move; no gradient comes out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, isfinite, ulp

from ..graph import Graph
from ..ops import OPS
from ..values import ieee
from .testimony import Estimate

__all__ = ["Doubts", "doubts", "witness_tolerance"]

SINGLY = 6  # arguments of one op that are moved one at a time; more of them move together


@dataclass(frozen=True, slots=True)
class Doubts:
    """For each node, in the unit of the output's own gradient (a seed of 1)."""

    values: tuple[float, ...]  # how far its value may be off
    grads: tuple[float, ...]  # how far its gradient may be off
    gross: tuple[float, ...]  # the contributions to its gradient, added up without regard to sign


def witness_tolerance(witness: str, own: float, gross: float, estimate: Estimate, *, of_slope: bool) -> float:
    """How far a right number may be from that of a witness that rounds.

    `own` is how far the pass may be off by itself, `gross` the size of what was added up for the number.
    """
    if witness == "central" and of_slope:  # as in `values/differences.py`
        return own + max(4.0 * estimate.error, 1e-7 * abs(estimate.number))
    if witness in ("complex", "central"):
        return 16.0 * own + 1e-12 * gross  # exp(p * log(x)) has more roundings than x**p
    return 64.0 * own + 1e-13 * gross


def doubts(graph: Graph, values: Sequence[float]) -> Doubts:
    """How far each node's value and gradient may be off, by a running error analysis."""
    off = [0.0] * len(graph)
    rows: list[tuple[float, ...]] = [()] * len(graph)
    for i, node in enumerate(graph.nodes):
        if node.args:
            rows[i] = tuple(0.0 if local is None else float(local) for local in graph.locals(i, values))
            carried = sum(_times(local, off[arg]) for local, arg in zip(rows[i], node.args, strict=True))
            carried = max(carried, _carried(graph, i, values, off))
            off[i] = carried + _own(node.op, values[i], [values[arg] for arg in node.args])
    grads, gross, doubt = [0.0] * len(graph), [0.0] * len(graph), [0.0] * len(graph)
    grads[graph.output] = gross[graph.output] = 1.0
    for i in graph.order:
        args = graph.nodes[i].args
        if not args or gross[i] == 0.0:
            continue
        shifts = _shifts(graph, i, values, off, rows[i])
        for arg, local, shift in zip(args, rows[i], shifts, strict=True):
            amount = _times(local, gross[i])
            grads[arg] += _times(local, grads[i])
            gross[arg] += amount
            doubt[arg] += _times(local, doubt[i]) + _times(gross[i] + doubt[i], shift)
            doubt[arg] += 2.0 * _ulp(amount)
    return Doubts(tuple(off), tuple(doubt), tuple(gross))


def _times(x: float, y: float) -> float:
    """|x * y|, where nothing times infinity is nothing."""
    return abs(x * y) if x and y else 0.0


def _ulp(x: float) -> float:
    return ulp(abs(x)) if isfinite(x) else inf


def _sizes(op: str, xs: Sequence[float]) -> tuple[float, ...]:
    """The sizes at which the row of an op counts its units, for the value and each partial."""
    terms = OPS[op].bounds.terms if op in OPS else None
    if terms is None or not all(map(isfinite, xs)):
        return (0.0,) * (1 + len(xs))
    return terms(*xs)


def _own(op: str, y: float, xs: Sequence[float]) -> float:
    units = OPS[op].bounds.value if op in OPS else 1.0
    return units * _ulp(max(abs(y), _sizes(op, xs)[0]))


def _shifts(
    graph: Graph, i: int, values: Sequence[float], off: Sequence[float], row: Sequence[float]
) -> list[float]:
    """How far each local derivative of a node may be off."""
    node = graph.nodes[i]
    if node.op not in OPS:
        return [_ulp(local) for local in row]
    op, xs = OPS[node.op], [values[arg] for arg in node.args]
    sizes = _sizes(node.op, xs)
    shifts = [
        op.bounds.partial * _ulp(max(abs(local), size)) for local, size in zip(row, sizes[1:], strict=True)
    ]
    for moved in _moved(graph, i, values, off):
        again = op.partials(ieee, op.forward(ieee, *moved), *moved)
        for slot, (old, new) in enumerate(zip(row, again, strict=True)):
            gap = abs((new or 0.0) - old)
            shifts[slot] += gap if gap == gap else 0.0 if old != old else inf
    return shifts


def _carried(graph: Graph, i: int, values: Sequence[float], off: Sequence[float]) -> float:
    """How far the value of a node moves with its arguments: at a jump, all of the jump."""
    node = graph.nodes[i]
    if node.op not in OPS:
        return 0.0
    gaps = [abs(OPS[node.op].forward(ieee, *moved) - values[i]) for moved in _moved(graph, i, values, off)]
    return sum(gap if gap == gap else 0.0 if values[i] != values[i] else inf for gap in gaps)


def _moved(graph: Graph, i: int, values: Sequence[float], off: Sequence[float]) -> Iterator[list[float]]:
    """The arguments of a node, moved as far as they may be off: one at a time, up and down."""
    args = graph.nodes[i].args
    moving = [slot for slot, arg in enumerate(args) if off[arg] > 0.0]
    groups = [[slot] for slot in moving] if len(moving) <= SINGLY else [moving[::2], moving[1::2]]
    for group in groups:
        for way in (1.0, -1.0):
            moved = [values[arg] for arg in args]
            for slot in group:
                moved[slot] += way * off[args[slot]]
            yield moved
