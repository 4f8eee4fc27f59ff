"""Runs of one broken pass over the valid orders of a graph: what each of them gives.

A handful of orders is walked one by one, so that each has its row; of more, each different result has
one, with the number of orders that lead to it.  The right pass is walked along, and must not care.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from ..graph import Graph
from ..graph.trace import RIGHT, Pieces, Trace
from .contributions import same
from .order_outcomes import count_orders, outcomes

__all__ = ["FEW", "OrderRun", "OrderRuns", "run_orders"]

FEW = 24  # orders that are walked and shown one by one


@dataclass(frozen=True, slots=True)
class OrderRun:
    """The gradients of every node, an order that gives them, and how many orders do."""

    order: tuple[int, ...]
    grads: tuple[float, ...]
    count: int


@dataclass(frozen=True, slots=True)
class OrderRuns:
    listed: tuple[OrderRun, ...]  # that of the newest-first order in front
    orders: int | None  # how many valid orders there are; None where nobody can count them
    complete: bool  # was every one of them followed?
    single: bool  # has each order a row of its own?
    own: bool  # does the pass walk an order of its own, whatever it is asked for?
    steady: bool  # did the right pass give the same gradients in all of them?
    results: int = 1  # how many different results there are, of what the inputs show


def run_orders(graph: Graph, pieces: Pieces, ordered: bool, right: Trace) -> OrderRuns:
    """What `pieces` give in the valid orders of a graph; `right` is the right pass over it."""
    reached = {*right.order}
    asked = (tuple(i for i in order if i in reached) for order in islice(graph.orders(), FEW + 1))
    few = list(dict.fromkeys(asked))
    own = pieces.order is not RIGHT.order
    if len(few) <= FEW:
        steady = all(_agree(right.grads, _walk(graph, RIGHT, order)[1]) for order in few)
        found = [OrderRun(*_walk(graph, pieces, order), 1) for order in few]
        if all(_agree(found[0].grads, run.grads) for run in found):
            return OrderRuns(
                (OrderRun(found[0].order, found[0].grads, len(few)),), len(few), True, False, own, steady
            )
        results = len(_merged(graph, found))
        return OrderRuns(tuple(found), len(few), True, True, own, steady, results)
    return _many(graph, pieces, ordered, own, right, few)


def _many(
    graph: Graph, pieces: Pieces, ordered: bool, own: bool, right: Trace, few: Sequence[tuple[int, ...]]
) -> OrderRuns:
    total = count_orders(graph)
    steady = all(_agree(right.grads, outcome.grads) for outcome in outcomes(graph, RIGHT, True).found)
    if not ordered:
        order, grads = _walk(graph, pieces, few[0])
        return OrderRuns((OrderRun(order, grads, total or 1),), total, True, False, own, steady)
    broken = outcomes(graph, pieces, True)
    found = _merged(graph, (OrderRun(x.order, x.grads, x.count) for x in broken.found))
    return OrderRuns(found, total, broken.complete, False, own, steady, len(found))


def _merged(graph: Graph, runs: Iterable[OrderRun]) -> tuple[OrderRun, ...]:
    """One run for each result that the inputs show: newest-first in front, then the frequent ones."""
    met: dict[tuple[float | None, ...], OrderRun] = {}
    for run in runs:
        key = _known(run.grads[i] for i in graph.inputs)
        known = met.get(key)
        met[key] = OrderRun(known.order, known.grads, known.count + run.count) if known else run
    first, *others = met.values()
    return (first, *sorted(others, key=lambda run: -run.count))


def _walk(graph: Graph, pieces: Pieces, order: Sequence[int]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """The op nodes in the order in which they had their turns, and the gradients."""
    walk = pieces.begin(graph)
    turns = pieces.run(walk, order)
    return tuple(i for i in turns if walk.graph.nodes[i].args), tuple(walk.grads)


def _agree(xs: Sequence[float], ys: Sequence[float]) -> bool:
    size = max((abs(x) for x in xs if x == x), default=0.0)
    return all(same(x, y, size) for x, y in zip(xs, ys, strict=True))


def _known(grads: Iterable[float]) -> tuple[float | None, ...]:
    """What tells two results apart; NaN equals NaN here."""
    return tuple(grad if grad == grad else None for grad in grads)
