"""Small random graphs for tests that look at every order, path or permutation of one."""

from __future__ import annotations

import random

from minigrad import Graph, Value
from minigrad.functions import where

__all__ = ["classic", "random_value", "small_graphs"]

UNARY = ("neg", "exp", "tanh", "sin", "sigmoid", "relu", "square")
BINARY = ("add", "sub", "mul", "maximum")


def classic() -> Value:
    """L = (a*b + c) * (a - c) at 2, 3, 4, with a label on every node."""
    a, b, c = Value(2.0, label="a"), Value(3.0, label="b"), Value(4.0, label="c")
    ab = a * b
    e = ab + c
    f = a - c
    L = e * f  # noqa: N806
    for node, label in ((ab, "ab"), (e, "e"), (f, "f"), (L, "L")):
        node.label = label
    return L


def random_value(seed: int, ops: int = 6, leaves: int = 3) -> tuple[list[Value], Value]:
    """Labelled inputs and an output; arguments repeat, some nodes are unused, some are constant."""
    rng = random.Random(seed)
    inputs = [Value(rng.uniform(-1.5, 1.5), label="abcdef"[i]) for i in range(leaves)]
    values = [*inputs, Value(rng.uniform(-1.5, 1.5), requires_grad=False)]
    for _ in range(ops):
        x, y = rng.choice(values), rng.choice(values[-3:])
        kind = rng.random()
        if kind < 0.3:
            values.append(getattr(y, rng.choice(UNARY))())
        elif kind < 0.9:
            values.append(getattr(x, rng.choice(BINARY))(y))
        else:
            values.append(where(float(rng.random() < 0.5), x, y))
    return inputs, values[-1]


def small_graphs(count: int, ops: int = 6) -> list[Graph]:
    return [Graph.of(random_value(seed, ops)[1]) for seed in range(count)]
