"""Five small PyTorch models in float64, each with its loss, for tests and the bench of the x-ray."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["MODELS", "Example", "model_of"]

Example = tuple[Any, Callable[[], Any]]  # a model, and a function that makes its loss


def model_of(name: str, seed: int = 0) -> Example:
    """A model with weights of its own, and its loss on data of its own."""
    import torch

    before = torch.get_rng_state()
    try:
        torch.manual_seed(seed)
        return MODELS[name]()
    finally:
        torch.set_rng_state(before)


def _mlp() -> Example:
    import torch
    from torch import nn

    model = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 4), nn.Tanh(), nn.Linear(4, 2)).double()
    x, y = torch.randn(7, 3).double(), torch.randint(0, 2, (7,))
    return model, lambda: nn.functional.cross_entropy(model(x), y)


def _cnn() -> Example:
    import torch
    from torch import nn

    model = nn.Sequential(
        nn.Conv2d(1, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(3, 4, 3),
        nn.SiLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 3),
    ).double()  # fmt: skip
    x, y = torch.randn(3, 1, 8, 8).double(), torch.randint(0, 3, (3,))
    return model, lambda: nn.functional.cross_entropy(model(x), y)


def _gpt() -> Example:
    import torch
    from torch import nn

    functional: Any = nn.functional

    class Attention(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

        def forward(self, x: Any) -> Any:
            count, length, width = x.shape
            parts = [t.view(count, length, 2, 4).transpose(1, 2) for t in self.qkv(x).chunk(3, -1)]
            mixed = functional.scaled_dot_product_attention(*parts, is_causal=True)
            return self.out(mixed.transpose(1, 2).reshape(count, length, width))

    class Block(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.ln1, self.attention = nn.LayerNorm(8), Attention()
            self.ln2, self.mlp = nn.LayerNorm(8), nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8))

        def forward(self, x: Any) -> Any:
            x = x + self.attention(self.ln1(x))
            return x + self.mlp(self.ln2(x))

    class Gpt(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.wte, self.wpe = nn.Embedding(11, 8), nn.Embedding(5, 8)
            self.blocks, self.norm = nn.ModuleList([Block(), Block()]), nn.LayerNorm(8)
            self.head = nn.Linear(8, 11, bias=False)
            self.head.weight = self.wte.weight

        def forward(self, tokens: Any) -> Any:
            x = self.wte(tokens) + self.wpe(torch.arange(tokens.shape[1]))
            for block in self.blocks:
                x = block(x)
            return self.head(self.norm(x))

    model, tokens = Gpt().double(), torch.randint(0, 11, (2, 5))
    return model, lambda: functional.cross_entropy(
        model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten()
    )


def _lstm() -> Example:
    import torch
    from torch import nn

    class Reader(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.rnn, self.out = nn.LSTM(3, 4, batch_first=True), nn.Linear(4, 1)

        def forward(self, x: Any) -> Any:
            return self.out(self.rnn(x)[0][:, -1])

    model, x, y = Reader().double(), torch.randn(2, 5, 3).double(), torch.randn(2, 1).double()
    return model, lambda: nn.functional.mse_loss(model(x), y)


def _vae() -> Example:
    import torch
    from torch import nn

    class Vae(nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.encoder, self.decoder = nn.Linear(4, 6), nn.Linear(3, 4)

        def forward(self, x: Any) -> Any:
            mean, log_variance = self.encoder(x).chunk(2, -1)
            noise = torch.randn(mean.shape, generator=torch.Generator().manual_seed(1)).double()
            made = self.decoder(mean + noise * (log_variance * 0.5).exp())
            found = nn.functional.binary_cross_entropy_with_logits(made, torch.sigmoid(x))
            return found - 0.5 * (1 + log_variance - mean**2 - log_variance.exp()).sum(-1).mean()

    model, x = Vae().double(), torch.randn(3, 4).double()
    return model, lambda: model(x)


MODELS: dict[str, Callable[[], Example]] = {
    "mlp": _mlp, "cnn": _cnn, "gpt": _gpt, "lstm": _lstm, "vae": _vae,
}  # fmt: skip
