"""The MLP and the GPT of `minigrad.nn` as torch.nn.Modules in float64, with the same weights.

    twin = mlp_twin(model)          # of MLP: twin(points) -> one row of outputs per point
    twin = gpt_twin(model)          # of GPT: twin(tokens) -> logits for each position; twin.loss(tokens)
    gradients(twin)                 # the twin's gradients under the names of model.named_parameters()

Written with PyTorch's own layers and functions, from the description of the models and not from their code;
only the names of the weights are theirs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from minigrad.nn import GPT, MLP

torch.set_num_threads(1)  # for a few numbers, waiting for a second thread takes most of the time

BENDS = {
    "linear": lambda x: x,
    "relu": torch.relu,
    "leaky_relu": functional.leaky_relu,
    "elu": functional.elu,
    "gelu": functional.gelu,
    "silu": functional.silu,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": functional.softplus,
}


def tensor(numbers: Any) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float64)


class MlpTwin(nn.Module):
    def __init__(self, sizes: list[int], activation: str) -> None:
        super().__init__()
        self.activation = activation
        self.layers = nn.ModuleList(nn.Linear(a, b, dtype=torch.float64) for a, b in pairwise(sizes))

    def forward(self, points: Tensor) -> Tensor:
        for layer in self.layers[:-1]:
            points = BENDS[self.activation](layer(points))
        return self.layers[-1](points)

    def load(self, state: dict[str, Any]) -> None:
        """Take the numbers of an MLP's state_dict()."""
        with torch.no_grad():
            for i, layer in enumerate(self.layers):
                for j in range(layer.out_features):
                    layer.weight[j] = tensor(state[f"layers.{i}.neurons.{j}.w"])
                    layer.bias[j] = tensor(state[f"layers.{i}.neurons.{j}.b"])

    def named(self, pick: Any) -> dict[str, float]:
        """`pick` of each weight and bias, entry by entry, under the names of the MLP."""
        found = {}
        for i, layer in enumerate(self.layers):
            weights, biases = pick(layer.weight).tolist(), pick(layer.bias).tolist()
            for j, (row, bias) in enumerate(zip(weights, biases, strict=True)):
                found |= {f"layers.{i}.neurons.{j}.w[{k}]": number for k, number in enumerate(row)}
                found[f"layers.{i}.neurons.{j}.b"] = bias
        return found


class GptTwin(nn.Module):
    """Tokens and positions are added and normalised; then attention and an MLP add to what they read."""

    def __init__(self, vocabulary: int, block: int, layers: int, width: int, heads: int) -> None:
        super().__init__()

        def linear(inputs: int, outputs: int) -> nn.Linear:
            return nn.Linear(inputs, outputs, bias=False, dtype=torch.float64)

        self.block, self.width, self.heads = block, width, heads
        self.tokens = nn.Embedding(vocabulary, width, dtype=torch.float64)
        self.positions = nn.Embedding(block, width, dtype=torch.float64)
        self.blocks = nn.ModuleList()
        for _ in range(layers):
            part = nn.Module()
            part.attention = nn.Module()
            for name in ("query", "key", "value", "output"):
                setattr(part.attention, name, linear(width, width))
            part.up, part.down = linear(width, 4 * width), linear(4 * width, width)
            self.blocks.append(part)
        self.head = linear(width, vocabulary)

    def forward(self, tokens: list[int]) -> Tensor:
        ids = torch.tensor(tokens)
        x = self._normalised(self.tokens(ids) + self.positions(torch.arange(len(tokens))))
        for part in self.blocks:
            attention = part.attention
            y = self._normalised(x)
            q, k, v = (
                projection(y).view(len(tokens), self.heads, -1).transpose(0, 1)
                for projection in (attention.query, attention.key, attention.value)
            )
            found = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + attention.output(found.transpose(0, 1).reshape(len(tokens), self.width))
            x = x + part.down(torch.relu(part.up(self._normalised(x))))
        return self.head(x)

    def _normalised(self, x: Tensor) -> Tensor:
        return functional.rms_norm(x, (self.width,), eps=1e-5)

    def loss(self, tokens: list[int]) -> Tensor:
        seen = tokens[: self.block + 1]
        return functional.cross_entropy(self(seen[:-1]), torch.tensor(seen[1:]))

    def load(self, state: dict[str, Any]) -> None:
        """Take the numbers of a GPT's state_dict(): the names are the same."""
        self.load_state_dict({name: tensor(numbers) for name, numbers in state.items()})

    def named(self, pick: Any) -> dict[str, float]:
        return {
            f"{name}[{i}][{j}]": number
            for name, weight in self.named_parameters()
            for i, row in enumerate(pick(weight).tolist())
            for j, number in enumerate(row)
        }


def mlp_twin(model: MLP) -> MlpTwin:
    layers = model.layers
    sizes = [len(layers[0].neurons[0].w), *(len(layer.neurons) for layer in layers)]
    twin = MlpTwin(sizes, layers[0].neurons[0].activation)
    twin.load(model.state_dict())
    return twin


def gpt_twin(model: GPT) -> GptTwin:
    twin = GptTwin(model.vocabulary, model.block, len(model.blocks), model.width, model.heads)
    twin.load(model.state_dict())
    return twin


def gradients(twin: MlpTwin | GptTwin) -> dict[str, float]:
    """By name, as of model.named_parameters(); 0 where nothing has come."""
    return twin.named(lambda weight: torch.zeros_like(weight) if weight.grad is None else weight.grad)


def weights(twin: MlpTwin | GptTwin) -> dict[str, float]:
    return twin.named(lambda weight: weight.detach())
