"""Graphs that are too large to be drawn node by node: networks, chains, tangles, an op of many inputs."""

from __future__ import annotations

import random
from itertools import pairwise

from minigrad import Graph, Value
from minigrad.functions import dot
from minigrad.graph import CONSTANT, INPUT, Node

__all__ = ["LARGE", "chain", "network", "tangle"]


def network(sizes=(16, 16, 16, 8), samples=1, labels=True):
    """The loss of a small network over some samples, neuron by neuron."""
    draw = random.Random(0)

    def value(label):
        return Value(draw.uniform(-1, 1), label=label if labels else "")

    layers = [
        (
            [[value(f"layer{k}.w[{i}][{j}]") for j in range(inner)] for i in range(outer)],
            [value(f"layer{k}.b[{i}]") for i in range(outer)],
        )
        for k, (inner, outer) in enumerate(pairwise(sizes), 1)
    ]
    loss = Value(0.0, requires_grad=False)
    for sample in range(samples):
        xs = [value(f"x{sample}.{i}") for i in range(sizes[0])]
        for k, (weights, biases) in enumerate(layers, 1):
            outputs = []
            for i, row in enumerate(weights):
                total = biases[i]
                for weight, x in zip(row, xs, strict=True):
                    total = total + weight * x
                outputs.append(total.tanh())
                if labels:
                    outputs[-1].label = f"h{k}.{i}"
            xs = outputs
        for x in xs:
            loss = loss + (x - 0.5) ** 2
    return Graph.of(loss)


def tangle(count, seed=0):
    """A large graph without any plan."""
    draw = random.Random(seed)
    nodes = [Node(INPUT, (), "", 0.5) for _ in range(draw.randint(3, 60))]
    while len(nodes) < count:
        if draw.random() < 0.05:
            nodes.append(
                Node(draw.choice((INPUT, CONSTANT)), (), draw.choice(("", "", f"p{len(nodes)}")), 0.5)
            )
            continue
        near = range(max(0, len(nodes) - 100), len(nodes))
        args = draw.choice(near), draw.choice(near if draw.random() < 0.8 else range(len(nodes)))
        label = f"part{len(nodes) // 97}.v{len(nodes)}" if draw.random() < 0.1 else ""
        nodes.append(Node(*draw.choice((("add", args), ("mul", args), ("tanh", args[:1]))), label))
    return Graph(nodes)


def chain(count):
    y = x = Value(0.5, label="x")
    for i in range(count):
        y = y * x if i % 2 else y.sin()
    return Graph.of(y)


LARGE = {
    "layers": network(),
    "samples": network((5, 6, 4), samples=9),
    "without labels": network((5, 6, 4), samples=9, labels=False),
    "chain": chain(900),
    "tangle": tangle(700),
    "another": tangle(1500, 1),
    "wide": Graph.of(dot(*([Value(0.1, label=f"{letter}{i}") for i in range(400)] for letter in "wx"))),
    "flat": Graph([*(Node(INPUT, (), "", 0.5) for _ in range(300)), Node("sum", tuple(range(300)))]),
}  # fmt: skip
