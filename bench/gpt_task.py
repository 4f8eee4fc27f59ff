"""The small GPT of programs.py as one function of its weights and of a name, for whatever a number is.

`gpt_loss` is what a user writes (examples/microgpt.py has the same model); `compiled_loss` is what one line
changes for minigrad.compile.  Both start from the weights of the program `gpt`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from by_hand import EPSILON, SHAPES, tokens_of
from programs import BOUNDARY, HEAD, NAME, PROGRAMS, WIDTH

import minigrad

__all__ = ["LEARNED", "compiled_loss", "gpt_loss", "model_of", "names_of", "own", "weights_at_start"]

LEARNED = 3  # steps after which the weights are compared


@cache
def weights_at_start() -> Any:
    numbers: list[float] = []
    PROGRAMS["gpt"].build(numbers.append, 1)
    return np.array(numbers)


def names_of(count: int, letters: int = len(NAME)) -> Any:
    """So many names of one length, between boundaries, (count, letters + 2): the first is the program's."""
    draw = random.Random(3)
    found = [tokens_of(letters)]
    while len(found) < count:
        found.append([BOUNDARY, *(draw.randrange(BOUNDARY) for _ in range(letters)), BOUNDARY])
    return np.array(found, dtype=np.int32)


def model_of(make: Callable[[float], Any]) -> tuple[list[Any], dict[str, list[list[Any]]]]:
    """All weights in order, and by matrix."""
    leaves = [make(x) for x in weights_at_start().tolist()]
    rest = iter(leaves)
    return leaves, {
        name: [[next(rest) for _ in range(columns)] for _ in range(rows)]
        for name, (rows, columns) in SHAPES.items()
    }


def gpt_loss(weights: Any, tokens: Any, row: Callable[..., Any], top: Callable[..., Any]) -> Any:
    """The loss of one name, as in examples/microgpt.py.  `row(rows, i)` looks up, `top` is the largest."""

    def dot(xs: Any, ys: Any) -> Any:
        return sum(x * y for x, y in zip(xs, ys, strict=True))

    def linear(xs: Any, rows: Any) -> list[Any]:
        return [dot(ws, xs) for ws in rows]

    def add(xs: Any, ys: Any) -> list[Any]:
        return [x + y for x, y in zip(xs, ys, strict=True)]

    def softmax(scores: Any) -> list[Any]:
        largest = top(scores)
        powers = [(score - largest).exp() for score in scores]
        total = sum(powers)
        return [power / total for power in powers]

    def normalised(xs: Any) -> list[Any]:
        scale = (dot(xs, xs) / len(xs) + EPSILON) ** -0.5
        return [x * scale for x in xs]

    keys: list[Any] = []
    values: list[Any] = []
    losses = []
    for place in range(len(tokens) - 1):
        before = normalised(add(row(weights["tokens"], tokens[place]), weights["positions"][place]))
        x = normalised(before)
        query = linear(x, weights["query"])
        keys.append(linear(x, weights["key"]))
        values.append(linear(x, weights["value"]))
        found: list[Any] = []
        for start in range(0, WIDTH, HEAD):
            head = slice(start, start + HEAD)
            shares = softmax([dot(query[head], key[head]) / HEAD**0.5 for key in keys])
            found += [dot(shares, column) for column in zip(*(value[head] for value in values), strict=True)]
        middle = add(linear(found, weights["attended"]), before)
        bent = [h.relu() for h in linear(normalised(middle), weights["up"])]
        last = add(linear(bent, weights["down"]), middle)
        chances = softmax(linear(last, weights["logits"]))
        losses.append(-row(chances, tokens[place + 1]).log())
    return sum(losses) / len(losses)


def own(function: Any) -> Any:
    """A copy that shares no code: Python rewrites instructions for the types it meets (see programs.py)."""

    def copied(code: Any) -> Any:
        return code.replace(
            co_consts=tuple(copied(x) if hasattr(x, "co_code") else x for x in code.co_consts)
        )

    return FunctionType(copied(function.__code__), function.__globals__, function.__name__)


def compiled_loss(weights: Any, tokens: Any) -> Any:
    """`gpt_loss` with look-ups and a maximum that are part of the program: it holds for every name."""
    return gpt_loss(weights, tokens, minigrad.take, lambda scores: minigrad.functions.max(scores).detach())
