"""The small GPT of programs.py as a user of PyTorch writes it, for batches of names of one length.

`Gpt` takes tokens (names, positions + 1) and gives the mean loss.  Three ways to write attention: "fused" is
PyTorch's own scaled_dot_product_attention, "plain" spells it out in products of matrices, a mask and a
softmax, "summed" in products and sums of numbers, which torch.compile can join.  Which of them is quicker
depends on the machine, so whoever compares with this model should time all.
"""

from __future__ import annotations

from typing import Any

import torch
from by_hand import EPSILON, SHAPES
from programs import HEAD, HEADS, WIDTH
from torch.nn import functional

__all__ = ["Gpt"]


class Gpt(torch.nn.Module):
    def __init__(self, numbers: Any, attention: str = "fused", dtype: Any = torch.float64) -> None:
        super().__init__()
        self.attention = attention
        rest = torch.as_tensor(numbers, dtype=dtype)
        for name, (rows, columns) in SHAPES.items():
            mine, rest = rest[: rows * columns], rest[rows * columns :]
            self.register_parameter(name, torch.nn.Parameter(mine.reshape(rows, columns).clone()))

    def forward(self, tokens: Any) -> Any:
        given, wanted = tokens[:, :-1], tokens[:, 1:]
        names, count = given.shape
        before = norm(functional.embedding(given, self.tokens) + self.positions[:count])
        x = norm(before)
        qkv = functional.linear(x, torch.cat((self.query, self.key, self.value)))
        query, key, value = qkv.view(names, count, 3, HEADS, HEAD).permute(2, 0, 3, 1, 4)
        found = self.attend(query, key, value).transpose(1, 2).reshape(names, count, WIDTH)
        middle = functional.linear(found, self.attended) + before
        bent = functional.relu(functional.linear(norm(middle), self.up))
        last = functional.linear(bent, self.down) + middle
        logits = functional.linear(last, self.logits)
        return functional.cross_entropy(logits.flatten(0, 1), wanted.flatten())

    def attend(self, query: Any, key: Any, value: Any) -> Any:
        if self.attention == "fused":
            return functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        count = query.shape[2]
        ahead = torch.ones(count, count, dtype=torch.bool, device=query.device).triu(1)
        if self.attention == "plain":
            scores = (query @ key.transpose(2, 3)) * HEAD**-0.5
            return scores.masked_fill(ahead, float("-inf")).softmax(-1) @ value
        scores = (query[:, :, :, None] * key[:, :, None]).sum(-1) * HEAD**-0.5
        shares = scores.masked_fill(ahead, float("-inf")).softmax(-1)
        return (shares[..., None] * value[:, :, None]).sum(3)


def norm(x: Any) -> Any:
    return functional.rms_norm(x, (WIDTH,), eps=EPSILON)
