"""A small language model in PyTorch whose table is used at both ends, for the guide on explaining a model.

It defines what the x-ray looks for: `model`, and `make_loss`, which gives the loss of one batch.
"""

import torch
from torch import nn
from torch.nn import functional


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.mlp(self.norm(x))


class Language(nn.Module):
    def __init__(self, words: int = 12, width: int = 8) -> None:
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.places = nn.Embedding(6, width)
        self.first, self.second = Block(width), Block(width)
        self.head = nn.Linear(width, words, bias=False)
        self.head.weight = self.table.weight

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.table(tokens) + self.places.weight[: tokens.shape[1]]
        return self.head(self.second(self.first(x)))


torch.manual_seed(0)
model = Language().double()
tokens = torch.randint(0, 12, (4, 6))


def make_loss() -> torch.Tensor:
    return functional.cross_entropy(model(tokens).flatten(0, 1), tokens.roll(-1, 1).flatten())
