"""Layers: Linear, Embedding, Dropout, and Sequential, which puts modules one after another.

PyTorch's names, arguments and first weights, on lists: a vector is a list of Values or numbers, and where a
module takes a vector it takes a list of them too.  A dot product is one node.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from typing import Any

from ..functions import dot
from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say
from ..values.take import take
from .activations import each
from .module import Module, Nest, Numbers
from .validation import Seed, fraction, generator, index, room_for, size, vector, vectors

__all__ = ["Dropout", "Embedding", "Linear", "Sequential"]


class Linear(Module):
    """weight @ x + bias, for one vector or for each in a list."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True, seed: Seed = None) -> None:
        self.in_features = size("in_features", in_features)
        self.out_features = size("out_features", out_features)
        room_for(self.out_features, self.in_features)
        draw, bound = generator(seed), 1.0 / sqrt(self.in_features)

        def row(length: int) -> list[Value]:
            return [Value(draw.uniform(-bound, bound)) for _ in range(length)]

        self.weight = [row(self.in_features) for _ in range(self.out_features)]
        self.bias = row(self.out_features) if bias else None

    def forward(self, x: Numbers) -> Sequence[Nest[Value]]:
        if vectors(x):
            return [self.forward(row) for row in x]
        inputs = vector(self, x, self.in_features)
        sums = [dot(row, inputs) for row in self.weight]
        if self.bias is None:
            return sums
        return [total + bias for total, bias in zip(sums, self.bias, strict=True)]

    def extra_repr(self) -> str:
        return f"{self.in_features} -> {self.out_features}" + ("" if self.bias else ", bias=False")


class Embedding(Module):
    """A vector for each of so many numbered things, or for each in a list of them."""

    def __init__(self, num_embeddings: int, embedding_dim: int, seed: Seed = None) -> None:
        self.num_embeddings = size("num_embeddings", num_embeddings)
        self.embedding_dim = size("embedding_dim", embedding_dim)
        room_for(self.num_embeddings, self.embedding_dim)
        draw = generator(seed)
        self.weight = [
            [Value(draw.gauss(0.0, 1.0)) for _ in range(self.embedding_dim)]
            for _ in range(self.num_embeddings)
        ]

    def forward(self, tokens: Nest[int]) -> Sequence[Nest[Value]]:
        if isinstance(tokens, (list, tuple)):
            return [self.forward(token) for token in tokens]
        return list(take(self.weight, index("token", tokens, self.num_embeddings)))

    def extra_repr(self) -> str:
        return f"{self.num_embeddings} -> {self.embedding_dim}"


class Dropout(Module):
    """While training, each Value is 0 with probability `p` and divided by 1 - p otherwise.

    It draws from a stream of its own, which a checkpoint keeps; without a seed, that one starts from what
    Python's own stream gives.
    """

    def __init__(self, p: float = 0.5, seed: Seed = None) -> None:
        self.p = fraction("p", p)
        self.generator = Random(generator(None).getrandbits(64)) if seed is None else generator(seed)

    def forward(self, xs: Numbers) -> Numbers:
        if not self.training or self.p == 0.0:
            return xs
        keep, draw = 1.0 / (1.0 - self.p), self.generator.random
        return each(xs, lambda x: x * (0.0 if draw() < self.p else keep))

    def extra_repr(self) -> str:
        return f"{self.p:g}"


class Sequential(Module):
    """Modules, or functions, one after another."""

    def __init__(self, *modules: Callable[[Any], Any]) -> None:
        for module in modules:
            if not callable(module) or isinstance(module, type):
                given = f"{module.__name__}" if isinstance(module, type) else describe(module)
                raise TypeError(say("module.sequential", given=given))
        vars(self).update((str(at), module) for at, module in enumerate(modules))  # PyTorch's names: 0.weight

    def forward(self, x: Any) -> Any:
        for module in self._in_order():
            x = module(x)
        return x

    def _in_order(self) -> list[Callable[[Any], Any]]:
        return [part for key, part in vars(self).items() if key.isdigit()]

    def __len__(self) -> int:
        return len(self._in_order())

    def __getitem__(self, at: int) -> Callable[[Any], Any]:
        return self._in_order()[at]
