"""Attention: each position of a sequence looks at the others, or only at those before it.

    Attention(width=16, heads=4)(vectors)      # as many vectors as came in

In every head, a position's query is compared with the keys, by a dot product over the square root of the
head's width; the softmax of these scores says how much of each position's value it takes.
"""

from __future__ import annotations

from math import sqrt

from ..functions import dot, softmax
from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say
from .layers import Dropout, Linear
from .module import Module, Numbers
from .validation import Seed, generator, size, vectors

__all__ = ["Attention", "Cache"]

Cache = tuple[list[list[Value]], list[list[Value]]]  # the keys and values of the positions so far


class Attention(Module):
    def __init__(
        self,
        width: int,
        heads: int,
        causal: bool = True,
        bias: bool = False,
        dropout: float = 0.0,
        seed: Seed = None,
    ) -> None:
        self.width, self.heads = size("width", width), size("heads", heads)
        if self.width % self.heads:
            raise ValueError(say("module.heads", width=self.width, heads=self.heads, example=self._nearest()))
        draw = generator(seed)
        self.causal = bool(causal)
        self.query = Linear(width, width, bias, draw)
        self.key = Linear(width, width, bias, draw)
        self.value = Linear(width, width, bias, draw)
        self.output = Linear(width, width, bias, draw)
        self.dropout = Dropout(dropout, None if seed is None else draw)

    def _nearest(self) -> int:
        """A number of heads that would do."""
        return max(heads for heads in range(1, min(self.heads, self.width) + 1) if self.width % heads == 0)

    def forward(self, xs: Numbers, cache: Cache | None = None) -> list[list[Value]]:
        """One vector for each vector; what a `cache` holds came before, and these are added to it."""
        if not vectors(xs):
            raise TypeError(say("module.sequence", width=self.width, given=describe(xs)))
        keys, values = cache if cache is not None else ([], [])
        before = len(keys)
        queries = self.query(xs)
        keys += self.key(xs)
        values += self.value(xs)
        found = []
        for position, query in enumerate(queries, before + 1):
            seen = position if self.causal else len(keys)
            found.append(self._look(query, keys[:seen], values[:seen]))
        return self.output(found)  # type: ignore[no-any-return]

    def _look(self, query: list[Value], keys: list[list[Value]], values: list[list[Value]]) -> list[Value]:
        step = self.width // self.heads
        root = sqrt(step)
        found = []
        for start in range(0, self.width, step):
            part = query[start : start + step]
            shares = softmax([dot(part, key[start : start + step]) / root for key in keys])
            shares = self.dropout(shares)
            found += [dot(shares, [value[j] for value in values]) for j in range(start, start + step)]
        return found

    def extra_repr(self) -> str:
        return f"{self.width}, heads={self.heads}" + ("" if self.causal else ", causal=False")
