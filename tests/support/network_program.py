"""A small network as a plain function over numbers, its weights and an input: to compile."""

from __future__ import annotations

from minigrad import Value
from minigrad.functions import exp

__all__ = ["MODEL", "X", "loss", "neuron"]


def neuron(weights, bias, x):
    total = bias
    for w, a in zip(weights, x, strict=True):
        total = total + w * a
    return total.tanh() if isinstance(total, Value) else exp(total)


def loss(model, x):
    hidden = [neuron(row, b, x) for row, b in zip(model["w"], model["b"], strict=True)]
    return sum((h * h for h in hidden), start=0.0) / len(hidden)


MODEL = {"w": [[0.5, -1.0], [0.25, 2.0], [-0.75, 0.125]], "b": [0.1, -0.2, 0.3]}
X = [1.5, -0.5]
