"""Small random graphs on which bugs show: reuse, repeats, constants on both sides, equal and large inputs."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import isfinite, isnan

from minigrad.faults import FAULTS, Fault, Suspect
from minigrad.faults.catalogue.traversal import WalkTooLongError
from minigrad.graph import CONSTANT, INPUT, Graph, Node
from minigrad.graph.trace import Walk, trace
from minigrad.ops import MANY, OPS

__all__ = ["OPS_AT_HAND", "any_order", "broken_at_random", "broken_gradients", "shows", "small_graph"]

# every op that a row of the catalogue is about, the usual ones more often
_ABOUT = dict.fromkeys(node.op for fault in FAULTS.values() for node in fault.graph.nodes if node.op in OPS)
OPS_AT_HAND = ("add", "mul", "sub", "add", "mul", "div", "neg", "tanh", "relu", "exp", "pow", *_ABOUT)


def small_graph(number: int, around: Fault | None = None, ops: Sequence[str] = OPS_AT_HAND) -> Graph:
    """Graph `number`: 2 to 4 inputs, 2 to 8 ops, finite values and gradients.

    One `around` a fault is built upon the smallest graph that shows it.
    """
    draw = random.Random(f"small {number} {around.slug if around else ''}")
    while True:
        graph = _attempt(draw, around, ops)
        if graph is not None:
            return graph


def _attempt(draw: random.Random, around: Fault | None, ops: Sequence[str]) -> Graph | None:
    nodes: list[Node] = []
    if around is None:
        for label in "abcd"[: draw.randint(2, 4)]:
            nodes.append(Node(INPUT, (), label, _number(draw)))
        if draw.random() < 0.2:  # two equal inputs
            nodes[1] = nodes[1]._replace(data=nodes[0].data)
    else:
        keep = draw.random() < 0.5  # its own inputs, or others
        nodes += [Node(INPUT, (), label, _number(draw)) for label in "xy"[: draw.randint(1, 2)]]
        for node in around.graph.nodes:
            data = node.data if keep or node.op != INPUT or draw.random() < 0.5 else _number(draw)
            nodes.append(node._replace(data=data))
        shift = len(nodes) - len(around.graph)
        nodes[shift:] = [
            node._replace(args=tuple(arg + shift for arg in node.args)) for node in nodes[shift:]
        ]
    usable = [i for i, node in enumerate(nodes) if node.op != CONSTANT]  # what can be an argument
    for _ in range(draw.randint(2, 8) if around is None else draw.randint(1, 5)):
        op = draw.choice(ops)
        least, most = OPS[op].arity
        count = draw.randint(max(2, least), 4) if most == MANY else most
        if OPS[op].paired:
            count = 2 * draw.randint(1, 2)
        args = [draw.choice(usable[-4:] if draw.random() < 0.7 else usable) for _ in range(count)]
        if count == 2 and draw.random() < 0.25:  # a constant on one side
            nodes.append(Node(CONSTANT, (), "", float(draw.choice((2, 3, 0.5, -1)))))
            args[draw.randrange(2)] = len(nodes) - 1
        nodes.append(Node(op, tuple(args)))
        usable.append(len(nodes) - 1)
    unused = [i for i in usable if nodes[i].args and not any(i in node.args for node in nodes)]
    while len(unused) > 1:  # everything reaches the output
        nodes.append(Node(draw.choice(("add", "mul", "sub")), (unused.pop(), unused.pop(0))))
        unused.append(len(nodes) - 1)
    graph = Graph(nodes, unused[0])
    if len(graph) > 15:
        return None
    right = trace(graph)
    numbers = (*right.values, *right.grads)
    if not all(isfinite(x) and abs(x) < 1e8 for x in numbers) or not any(right.gradients.values()):
        return None
    return graph


def _number(draw: random.Random) -> float:
    if draw.random() < 0.05:
        return draw.choice((0.0, -40.0, 12.0, 400.0, 1000.0))
    return draw.choice((-1.0, 1.0, 1.0)) * (
        draw.randint(1, 5) if draw.random() < 0.5 else round(draw.uniform(0.1, 3.0), 3)
    )


def any_order(graph: Graph, draw: random.Random) -> list[int]:
    """A valid order, drawn at random."""
    steps = {i for i in graph.order if graph.nodes[i].args}
    order: list[int] = []
    while steps:
        ready = sorted(i for i in steps if steps.isdisjoint(graph.consumers[i]))
        order.append(draw.choice(ready))
        steps.remove(order[-1])
    return order


def broken_gradients(graph: Graph, suspect: Suspect, order: Sequence[int]) -> dict[str, float]:
    """What a broken engine gives that walks in this order."""
    pieces = suspect.pieces()
    walk: Walk = pieces.begin(graph)
    pieces.run(walk, order)
    return {graph.names[i]: walk.grads[i] for i in graph.inputs}


def broken_at_random(graph: Graph, fault: Fault, draw: random.Random) -> dict[str, float] | None:
    """What one of its variants gives in some valid order; None where it has nothing to break or no end."""
    suspects = fault.suspects(graph)
    if not suspects:
        return None
    try:
        return broken_gradients(graph, draw.choice(suspects), any_order(graph, draw))
    except WalkTooLongError:
        return None


def shows(got: Mapping[str, float], right: Mapping[str, float]) -> bool:
    """Does a result differ from the right one by more than roundings, at the size of its numbers?"""
    size = max(map(abs, right.values()))
    return any(
        not (x == y or (isnan(x) and isnan(y)) or abs(x - y) <= max(1e-6 * max(abs(x), abs(y)), 1e-9 * size))
        for x, y in ((got[name], right[name]) for name in right)
    )
