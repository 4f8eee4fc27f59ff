"""Programs that the tests of the hand-over export: plain functions over numbers, lists and dicts."""

from __future__ import annotations

import itertools
import random
from typing import Any

import minigrad
from minigrad.ops import MANY, OPS


def numbers(seed: int, *shape: int) -> Any:
    """Nested lists of this shape, of numbers that look like nothing in particular."""
    draw = random.Random(seed)

    def make(sizes: tuple[int, ...]) -> Any:
        return [make(sizes[1:]) for _ in range(sizes[0])] if sizes else draw.gauss(0.0, 0.6)

    return make(shape)


def rosenbrock(x):
    return sum(100.0 * (b - a * a) ** 2 + (1 - a) ** 2 for a, b in itertools.pairwise(x))


def layer(w, x):
    hidden = [
        sum((a * b for a, b in zip(row, x, strict=True)), bias).relu()
        for row, bias in zip(w["up"], w["bias"], strict=True)
    ]
    return sum(a * b for a, b in zip(hidden, w["out"], strict=True))


def softmax(scores):
    powers = [score.exp() for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def attention(w, xs):
    """Each position looks at itself and at those before it."""
    rows = [[sum(a * b for a, b in zip(row, x, strict=True)) for row in w] for x in xs]
    found = []
    for place, query in enumerate(rows):
        seen = rows[: place + 1]
        shares = softmax([sum(a * b for a, b in zip(query, key, strict=True)) for key in seen])
        found += [
            sum(s * v for s, v in zip(shares, column, strict=True)) for column in zip(*seen, strict=True)
        ]
    return sum(x * x for x in found)


def choices(table, picks):
    """Rows that are looked up, one of them by a number that is itself a row's."""
    rows = [minigrad.take(table, pick) for pick in picks]
    return sum(a * b for a, b in zip(rows[0], rows[1], strict=True)) + rows[2][0].exp()


def branching(x):
    return x[0] * x[1] if x[0] > 0.0 else x[0] - x[1]


def several(x, y):
    """More than one number comes back, in a structure."""
    return {"sum": [a + b for a, b in zip(x, y, strict=True)], "first": x[0] * y[0]}


def every_op(points):
    """All rows of the op table, each at its own smooth points."""
    total = 0.0
    for xs, op in zip(points, OPS.values(), strict=True):
        total = total + (_nary(op, xs) if op.arity[1] == MANY else _fixed(op, xs))
    return total


def _nary(op: Any, values: list[Any]) -> Any:
    function = getattr(minigrad.functions, op.name)
    if op.paired:
        half = len(values) // 2
        return function(values[:half], values[half:])
    return function(values)


def _fixed(op: Any, values: list[Any]) -> Any:
    signs = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b,
             "div": lambda a, b: a / b, "pow": lambda a, b: a**b, "neg": lambda a: -a}  # fmt: skip
    return signs[op.name](*values) if op.name in signs else getattr(minigrad.functions, op.name)(*values)


POINTS = [list(op.samples[0]) for op in OPS.values()]
EXAMPLES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "rosenbrock": (rosenbrock, (numbers(1, 9),)),
    "layer": (layer, ({"up": numbers(2, 5, 3), "bias": numbers(3, 5), "out": numbers(4, 5)}, numbers(5, 3))),
    "attention": (attention, (numbers(6, 4, 3), numbers(7, 6, 3))),
    "choices": (choices, (numbers(8, 6, 4), [2, 5, 0])),
    "every_op": (every_op, (POINTS,)),
}
