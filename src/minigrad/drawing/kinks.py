"""Gradients that are conventions: nodes from which a way to the output leads over a kink.

relu at 0 has a slope of 0 on one side and of 1 on the other.  The pass takes one number by convention, and
a sentence such as "raising a does not move L" would be false about it.
"""

from __future__ import annotations

from ..graph.trace import Trace
from ..ops import OPS

__all__ = ["conventional_nodes"]


def conventional_nodes(trace: Trace) -> frozenset[int]:
    """The active nodes whose gradient a convention has decided."""
    graph, values = trace.graph, trace.values
    decided: set[int] = set()
    for i in graph.order:  # consumers come first
        node = graph.nodes[i]
        xs = [values[arg] for arg in node.args]
        here = node.op in OPS and all(x == x for x in xs) and OPS[node.op].kink(*xs)
        if here or i in decided:
            decided.update(arg for arg in node.args if graph.active[arg])
    return frozenset(decided)
