"""Graphs of one op, rules that are wrong by a factor, and what each witness said of them."""

from __future__ import annotations

from minigrad import Graph, Value
from minigrad import functions as F  # noqa: N812 as users write it
from minigrad.ops import MANY

__all__ = ["FLAT", "of_op", "statuses", "wrong_by"]

FLAT = ("sign", "greater", "greater_equal", "less", "less_equal")  # 1.0005 * 0 is right


def of_op(op, xs):
    """A graph of one op at a point, with a factor behind it so that the upstream gradient is not 1."""
    values = [Value(x, label=f"i{i}") for i, x in enumerate(xs)]
    if op.name == "dot":
        y = F.dot(values[: len(xs) // 2], values[len(xs) // 2 :])
    else:
        y = getattr(F, op.name)(values) if op.arity[1] == MANY else getattr(F, op.name)(*values)
    return Graph.of(y / 0.5 if op.name == "mul" else y * 1.75)


def wrong_by(factor, name):
    """The table's rules, with those of one op multiplied by a factor."""

    def rule(graph, node, values):
        locals_ = graph.locals(node, values)
        if graph.nodes[node].op != name:
            return locals_
        return tuple(None if local is None else factor * local for local in locals_)

    return rule


def statuses(verdict):
    return {testimony.witness: testimony.status for testimony in verdict.witnesses}
