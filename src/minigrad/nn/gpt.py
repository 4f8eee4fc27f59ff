"""A small GPT out of single scalars: it reads tokens and scores which one comes next.

    model = GPT(27)                            # one layer, width 16, four heads: the well-known 200-line one
    model.loss([26, 0, 13, 13, 0, 26])         # how surprised it is by "anna", per token
    model.sample(random.Random(1), 26, 26)     # the tokens of a name of its own

RMSNorm without weights, no biases, relu, an MLP four times as wide, and a head of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite
from random import Random

from ..functions import cross_entropy, mean
from ..scalar import Value
from ..text.excerpts import describe
from ..text.translation import say
from ..values.no_grad import no_grad
from .attention import Attention, Cache
from .initialisers import normal_
from .layers import Dropout, Embedding, Linear
from .module import Module
from .norms import RMSNorm
from .validation import Seed, generator, index, measure, size

__all__ = ["GPT", "Block"]

Vectors = list[list[Value]]


def _added(xs: Vectors, ys: Vectors) -> Vectors:
    return [[x + y for x, y in zip(one, other, strict=True)] for one, other in zip(xs, ys, strict=True)]


class Block(Module):
    """Attention, then an MLP; each reads a normalised copy of what it adds to."""

    def __init__(self, width: int, heads: int, dropout: float = 0.0, seed: Seed = None) -> None:
        draw = generator(seed)
        self.norm = RMSNorm(width, elementwise_affine=False)
        self.attention = Attention(width, heads, dropout=dropout, seed=draw)
        self.up = Linear(width, 4 * width, bias=False, seed=draw)
        self.down = Linear(4 * width, width, bias=False, seed=draw)
        self.dropout = Dropout(dropout, seed=draw)

    def forward(self, xs: Vectors, cache: Cache | None = None) -> Vectors:
        xs = _added(self.dropout(self.attention(self.norm(xs), cache)), xs)
        hidden = [[x.relu() for x in row] for row in self.up(self.norm(xs))]
        return _added(self.dropout(self.down(hidden)), xs)


class GPT(Module):
    def __init__(
        self,
        vocabulary: int,
        *,
        block: int = 16,
        layers: int = 1,
        width: int = 16,
        heads: int = 4,
        dropout: float = 0.0,
        std: float = 0.08,
        seed: Seed = None,
    ) -> None:
        draw = generator(seed)
        self.vocabulary, self.block = size("vocabulary", vocabulary), size("block", block)
        self.width, self.heads = size("width", width), size("heads", heads)
        scratch = Random(0)  # all weights are drawn anew below
        self.tokens = Embedding(vocabulary, width, seed=scratch)
        self.positions = Embedding(block, width, seed=scratch)
        self.norm = RMSNorm(width, elementwise_affine=False)
        self.dropout = Dropout(dropout, seed=scratch)
        self.blocks = [Block(width, heads, dropout, scratch) for _ in range(size("layers", layers))]
        self.head = Linear(width, vocabulary, bias=False, seed=scratch)
        for array in self.arrays().values():
            normal_(array, std=measure("std", std), seed=draw)
        masks = draw if seed is not None else Random(draw.getrandbits(64))
        for module in self.modules():
            if isinstance(module, Dropout):
                module.generator = masks

    def forward(self, tokens: Sequence[int]) -> Vectors:
        """For each position, a logit for each token that may come next."""
        return self._logits(tokens, [([], []) for _ in self.blocks])

    def _logits(self, tokens: Sequence[int], caches: list[Cache]) -> Vectors:
        """The same, after the positions that the caches hold, which then hold these too."""
        given = self._tokens(tokens)
        start = len(caches[0][0])
        if start + len(given) > self.block:
            raise ValueError(say("module.block", given=start + len(given), block=self.block))
        places = list(range(start, start + len(given)))
        xs = self.dropout(self.norm(_added(self.tokens(given), self.positions(places))))
        for block, cache in zip(self.blocks, caches, strict=True):
            xs = block(xs, cache)
        return self.head(xs)  # type: ignore[no-any-return]

    def _tokens(self, tokens: Sequence[int]) -> list[int]:
        if isinstance(tokens, (str, bytes)) or not hasattr(tokens, "__len__") or not len(tokens):
            raise TypeError(say("module.tokens", given=describe(tokens)))
        return [index("token", token, self.vocabulary) for token in tokens]

    def loss(self, tokens: Sequence[int]) -> Value:
        """The mean cross entropy of each token after the first, from those before it.

        Of more than `block` + 1 tokens, the first ones.
        """
        if hasattr(tokens, "__len__") and len(tokens) == 1:
            raise ValueError(say("module.tokens_two", given=tokens[0]))
        given = self._tokens(tokens)[: self.block + 1]
        logits = self.forward(given[:-1])
        return mean([cross_entropy(row, token) for row, token in zip(logits, given[1:], strict=True)])

    def sample(self, generator: Seed, start: int, stop: int, temperature: float = 0.5) -> list[int]:
        """Tokens drawn one after another until `stop`, at most `block` of them; `start` is not among them.

        A low temperature keeps to the likely ones.  Nothing is dropped, and no gradients are recorded.
        """
        return _sample(self, generator, start, stop, measure("temperature", temperature, above_zero=True))

    def extra_repr(self) -> str:
        sizes = f"block={self.block}, layers={len(self.blocks)}, width={self.width}, heads={self.heads}"
        return f"{self.vocabulary}, {sizes}"


def _sample(model: GPT, seed: Seed, start: int, stop: int, temperature: float) -> list[int]:
    draw, token, found = generator(seed), start, list[int]()
    stop = index("stop", stop, model.vocabulary)
    caches: list[Cache] = [([], []) for _ in model.blocks]
    modes = [(module, module.training) for module in model.modules()]
    model.eval()
    try:
        with no_grad():
            while len(found) < model.block:
                logits = [logit.data for logit in model._logits([token], caches)[0]]
                if not all(map(isfinite, logits)):
                    raise ValueError(say("module.sample"))
                top = max(logits)
                shares = [exp((logit - top) / temperature) for logit in logits]
                token = draw.choices(range(model.vocabulary), shares)[0]
                if token == stop:
                    break
                found.append(token)
    finally:
        for module, mode in modes:
            module.training = mode
    return found
