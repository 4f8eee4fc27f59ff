"""The witness of dual numbers: the op table's own derivatives, pushed forward instead of back.

It knows our rules and trusts them, so it cannot say whether a rule is right.  What it judges is
the pass: forward mode has no order to get wrong, no gradients to accumulate and no seed, so where
it and a backward pass disagree, the bookkeeping is wrong.
"""

from __future__ import annotations

from ...values import ieee
from ..case import Case
from ..testimony import Estimate, Statement

__all__ = ["NAME", "witness"]

NAME = "dual"
AFFORDABLE = 2_000_000


def witness(case: Case) -> Statement:
    graph, values = case.graph, case.values
    rows = [graph.locals(i, values) if node.args else () for i, node in enumerate(graph.nodes)]
    each = case.affordable(1, AFFORDABLE)
    directions = [{name: 1.0} for name in case.names] if each else [case.direction]
    slopes = {}
    for direction in directions:
        moves: dict[int, float] = {graph.index(name): way for name, way in direction.items()}
        for i, node in enumerate(graph.nodes[: graph.output + 1]):
            terms = [
                local * moves[arg]
                for arg, local in zip(node.args, rows[i], strict=True)
                if local is not None and arg in moves
            ]
            if terms:
                moves[i] = ieee.fsum(*terms)
        slopes[next(iter(direction)) if each else ""] = Estimate(moves.get(graph.output, 0.0))
    return Statement(NAME, Estimate(values[graph.output]), slopes, note="our_rules")
