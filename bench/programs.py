"""The programs that the engines are timed on, written once, as a user would write them.

A program is a function `build(make, size)`.  It makes its leaves with `make`, which is a class or
whatever an engine makes a number with, and gives back the leaves, in the order in which it made them,
and a function without arguments that computes the output.  It uses + - * / ** and unary minus, exp,
log, relu, sum() and the `.data` of a number: nothing that a small scalar engine would not have,
nothing that belongs to one engine.  Its start is the same on every engine and in every run.

Two programs learn: they name a rule (`Sgd`, `Adam`) that reads `.grad`, writes `.data` and sets
`.grad` to zero, in plain Python, one number after another.

Where an engine has to differ, it says so by an argument: `linear` and `layer` for an engine that has
dot products, `largest` for one that has no `.data`.  The defaults are the user's code unmodified.
"""

from __future__ import annotations

import importlib.util
import math
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from reference import LocalGrads

__all__ = ["PROGRAMS", "Adam", "Program", "Sgd", "Tally", "nodes_made", "own_copy", "written_ops"]

Built = tuple[list[Any], Callable[[], Any]]


# ---- a chain, and Rosenbrock's function ---------------------------------------------------------


def chain(make: Any, size: int) -> Built:
    """x = x*b + c, `size` nodes deep.  The gradients stay clear of underflow at two million too."""
    start, b, c = leaves = [make(0.5), make(0.999999), make(0.000001)]

    def forward() -> Any:
        x = start
        for _ in range(size // 2):
            x = x * b + c
        return x

    return leaves, forward


def rosenbrock(make: Any, size: int) -> Built:
    """The banana function in `size` variables."""
    xs = [make(x) for x in _draws(size, 5, 1.0)]

    def forward() -> Any:
        return sum(100.0 * (xs[i + 1] - xs[i] ** 2) ** 2 + (1.0 - xs[i]) ** 2 for i in range(size - 1))

    return xs, forward


# ---- an MLP on two moons ------------------------------------------------------------------------


def plain_layer(xs: list[Any], neurons: list[tuple[list[Any], Any]], bends: bool) -> list[Any]:
    sums = [sum((w * x for w, x in zip(ws, xs)), b) for ws, b in neurons]  # noqa: B905 as users write it
    return [s.relu() for s in sums] if bends else sums


def mlp(make: Any, size: int, layer: Callable[..., list[Any]] = plain_layer) -> Built:
    """2-16-16-1 with relu, on `size` points of two moons: a margin for each, and weight decay."""
    layers = [
        [([make(w) for w in _draws(inputs, 100 * depth + i, 0.6)], make(0.0)) for i in range(outputs)]
        for depth, (inputs, outputs) in enumerate([(2, 16), (16, 16), (16, 1)])
    ]
    parameters = [leaf for neurons in layers for ws, b in neurons for leaf in (*ws, b)]
    points = two_moons(size)

    def forward() -> Any:
        losses = []
        for xs, side in points:
            for depth, neurons in enumerate(layers):
                xs = layer(xs, neurons, depth < 2)
            losses.append((1.0 - side * xs[0]).relu())
        return sum(losses) / len(losses) + 1e-4 * sum(p * p for p in parameters)

    return parameters, forward


@cache
def two_moons(count: int) -> list[tuple[list[float], float]]:
    """Points on two half circles that reach into each other, with noise; which one is +1 or -1."""
    draw = random.Random(7)
    points = []
    for i in range(count):
        angle = math.pi * (i // 2) / max(1, count // 2 - 1)
        x, y = math.cos(angle), math.sin(angle)
        if i % 2:
            x, y = 1.0 - x, 0.5 - y
        points.append(([x + draw.gauss(0.0, 0.1), y + draw.gauss(0.0, 0.1)], 1.0 if i % 2 else -1.0))
    return points


# ---- a small GPT --------------------------------------------------------------------------------

WIDTH, HEADS, BLOCK, VOCABULARY = 16, 4, 16, 27
HEAD = WIDTH // HEADS
BOUNDARY = 26  # the token before and after a name
NAME = "amelie"


def plain_linear(xs: list[Any], rows: list[list[Any]]) -> list[Any]:
    return [sum(w * x for w, x in zip(row, xs)) for row in rows]  # noqa: B905 as users write it


def plain_largest(xs: list[Any]) -> Any:
    return max(x.data for x in xs)


def gpt(
    make: Any,
    size: int,
    linear: Callable[..., list[Any]] = plain_linear,
    largest: Callable[[list[Any]], Any] = plain_largest,
) -> Built:
    """One layer, width 16, 4 heads, RMSNorm, relu, no biases; the loss of one name of `size` letters."""
    shapes = {
        "tokens": (VOCABULARY, WIDTH),
        "positions": (BLOCK, WIDTH),
        "query": (WIDTH, WIDTH),
        "key": (WIDTH, WIDTH),
        "value": (WIDTH, WIDTH),
        "attended": (WIDTH, WIDTH),
        "up": (4 * WIDTH, WIDTH),
        "down": (WIDTH, 4 * WIDTH),
        "logits": (VOCABULARY, WIDTH),
    }
    weights = {
        name: [[make(w) for w in _draws(columns, 1000 * seed + row, 0.08)] for row in range(rows)]
        for seed, (name, (rows, columns)) in enumerate(shapes.items())
    }
    parameters = [w for rows in weights.values() for row in rows for w in row]
    tokens = [BOUNDARY, *(ord(letter) - ord("a") for letter in NAME[:size]), BOUNDARY]

    def softmax(logits: list[Any]) -> list[Any]:
        top = largest(logits)
        powers = [(logit - top).exp() for logit in logits]
        total = sum(powers)
        return [power / total for power in powers]

    def normalised(xs: list[Any]) -> list[Any]:
        scale = (sum(x * x for x in xs) / len(xs) + 1e-5) ** -0.5
        return [x * scale for x in xs]

    def attend(query: list[Any], keys: list[list[Any]], values: list[list[Any]]) -> list[Any]:
        found = []
        for head in range(0, WIDTH, HEAD):
            scores = [sum(query[j] * key[j] for j in range(head, head + HEAD)) / HEAD**0.5 for key in keys]
            shares = softmax(scores)
            for j in range(head, head + HEAD):
                found.append(sum(share * value[j] for share, value in zip(shares, values)))  # noqa: B905
        return found

    def forward() -> Any:
        keys: list[list[Any]] = []
        values: list[list[Any]] = []
        losses = []
        for position in range(len(tokens) - 1):
            token, following = tokens[position], tokens[position + 1]
            xs = [t + p for t, p in zip(weights["tokens"][token], weights["positions"][position])]  # noqa: B905
            xs = normalised(xs)
            before = xs
            xs = normalised(xs)
            query = linear(xs, weights["query"])
            keys.append(linear(xs, weights["key"]))
            values.append(linear(xs, weights["value"]))
            xs = linear(attend(query, keys, values), weights["attended"])
            before = xs = [x + y for x, y in zip(xs, before)]  # noqa: B905
            xs = linear(normalised(xs), weights["up"])
            xs = linear([x.relu() for x in xs], weights["down"])
            xs = [x + y for x, y in zip(xs, before)]  # noqa: B905
            shares = softmax(linear(xs, weights["logits"]))
            losses.append(-shares[following].log())
        return (1.0 / len(losses)) * sum(losses)

    return parameters, forward


# ---- learning -----------------------------------------------------------------------------------


class Sgd:
    """data -= rate * grad"""

    rate = 0.1

    def __init__(self, parameters: list[Any]) -> None:
        self.parameters = parameters

    def __call__(self) -> None:
        rate = self.rate
        for p in self.parameters:
            p.data -= rate * p.grad
            p.grad = 0.0


class Adam:
    """Adam with (0.85, 0.99); its two corrections are computed once a step."""

    rate, first, second, epsilon = 0.01, 0.85, 0.99, 1e-8

    def __init__(self, parameters: list[Any]) -> None:
        self.parameters = parameters
        self.m = [0.0] * len(parameters)
        self.v = [0.0] * len(parameters)
        self.steps = 0

    def __call__(self) -> None:
        self.steps += 1
        first, second, epsilon, ms, vs = self.first, self.second, self.epsilon, self.m, self.v
        rate = self.rate / (1.0 - first**self.steps)
        correction = 1.0 / (1.0 - second**self.steps)
        for i, p in enumerate(self.parameters):
            grad = p.grad
            ms[i] = m = first * ms[i] + (1.0 - first) * grad
            vs[i] = v = second * vs[i] + (1.0 - second) * grad * grad
            p.data -= rate * m / ((v * correction) ** 0.5 + epsilon)
            p.grad = 0.0


# ---- the list -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    title: str  # with {size}
    build: Callable[..., Built]
    size: int
    quick: int  # the size with --quick
    rounds: int  # unless told otherwise
    update: type[Sgd] | type[Adam] | None = None
    per_op: bool = False  # figures are per op, so that sizes can differ
    probe: int = 0  # a size that tells how long the whole would take; 0: it takes no time to speak of


PROGRAMS = {
    "chain": Program("chain x*b + c, {size:,} nodes", chain, 2_000, 60, 101, per_op=True),
    "long": Program("chain x*b + c, {size:,} nodes", chain, 2_000_000, 400, 5, per_op=True, probe=20_000),
    "mlp": Program("MLP 2-16-16-1, one epoch of {size} points", mlp, 100, 4, 15, Sgd),
    "gpt": Program("small GPT, one training step, name of length {size}", gpt, len(NAME), 1, 15, Adam),
    "rosenbrock": Program("Rosenbrock's gradient, {size:,} variables", rosenbrock, 1_000, 20, 51),
}


def own_copy(key: str, owner: str) -> Program:
    """A program in a copy of this file that only `owner` runs.

    Python rewrites the instructions of a function for the types that it meets there.  In a user's
    program these are the types of one engine, so each engine gets functions of its own.
    """
    name = f"{__name__}_of_{owner}"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, __file__)
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name].PROGRAMS[key]


class Tally:
    """Not a number: it counts the ops that a program writes."""

    data = 1.0
    ops = 0

    def __init__(self, *_: object) -> None:
        pass

    def count(self, *_: object) -> Tally:
        Tally.ops += 1
        return self

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = __rsub__ = __truediv__ = __rtruediv__ = count
    __pow__ = __neg__ = exp = log = relu = count


def written_ops(program: Program, size: int) -> int:
    """An op is one that the user writes: a / b is one, whatever an engine makes of it."""
    Tally.ops = 0
    program.build(Tally, size)[1]()
    return Tally.ops


def nodes_made(program: Program, size: int) -> int:
    """Every number that the microgpt style makes, parameters and constants too, used or not."""
    made = 0

    def count(self: LocalGrads, *facts: Any) -> None:
        nonlocal made
        made += 1
        initialise(self, *facts)

    initialise, LocalGrads.__init__ = LocalGrads.__init__, count  # its ops name the class
    try:
        program.build(LocalGrads, size)[1]()
    finally:
        LocalGrads.__init__ = initialise
    return made


@cache
def _draws(count: int, seed: int, spread: float) -> list[float]:
    """The same numbers for every engine, drawn once: some engines make their leaves anew each step."""
    draw = random.Random(seed)
    return [draw.gauss(0.0, spread) for _ in range(count)]
