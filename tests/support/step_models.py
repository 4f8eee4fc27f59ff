"""What tests of compiled training steps train: a small model, and how it is trained plainly."""

import random

from minigrad import Value, functions
from minigrad.nn import clip_grad_norm_


def weights(seed: int = 3) -> dict:
    draw = random.Random(seed)
    return {
        "in": [[Value(draw.gauss(0, 1)) for _ in range(3)] for _ in range(4)],
        "out": [Value(draw.gauss(0, 1)) for _ in range(4)],
    }


def listed(w: dict) -> list[Value]:
    return [v for row in w["in"] for v in row] + w["out"]


def loss_of(w: dict, x: list, y: float) -> Value:
    hidden = [sum(a * b for a, b in zip(row, x, strict=True)).tanh() for row in w["in"]]
    return (functions.dot(hidden, w["out"]) - y) ** 2


def samples(count: int = 9, seed: int = 9) -> list[tuple[list[float], float]]:
    draw = random.Random(seed)
    return [([draw.gauss(0, 1) for _ in range(3)], draw.gauss(0, 1)) for _ in range(count)]


def plainly(loss, optimiser, parameters, data, clip=0.0, schedule=None) -> list[float]:
    """The steps as a person writes them."""
    losses = []
    for sample in data:
        found = loss(*sample)
        optimiser.zero_grad()
        found.backward()
        if clip:
            clip_grad_norm_(parameters, clip)
        optimiser.step()
        if schedule is not None:
            schedule.step()
        losses.append(found.data)
    return losses


def bits(parameters: list[Value]) -> list[tuple[str, str]]:
    return [(p.data.hex(), p.grad.hex()) for p in parameters]
