"""RMSNorm and LayerNorm: a vector brought to the size 1, as PyTorch does it.

They take a vector, or a list of vectors.  One default is not PyTorch's: RMSNorm's `eps` is 1e-5, as in most
GPTs, where PyTorch takes the smallest difference of its floats.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..functions import dot, mean
from ..scalar import Value
from .module import Module, Nest, Numbers
from .validation import measure, size, vector, vectors

__all__ = ["LayerNorm", "RMSNorm"]


class RMSNorm(Module):
    """x / sqrt(mean of x*x + eps), times a weight for each entry."""

    def __init__(self, normalized_shape: int, eps: float = 1e-5, elementwise_affine: bool = True) -> None:
        self.size = size("normalized_shape", normalized_shape)
        self.eps = measure("eps", eps)
        self.weight = [Value(1.0) for _ in range(self.size)] if elementwise_affine else None

    def forward(self, x: Numbers) -> Sequence[Nest[Value]]:
        if vectors(x):
            return [self.forward(row) for row in x]
        inputs = vector(self, x, self.size)
        scale = (dot(inputs, inputs) / self.size + self.eps) ** -0.5
        outputs = [entry * scale for entry in inputs]
        if self.weight is not None:
            outputs = [output * weight for output, weight in zip(outputs, self.weight, strict=True)]
        return outputs

    def extra_repr(self) -> str:
        return f"{self.size}, eps={self.eps:g}" + ("" if self.weight else ", elementwise_affine=False")


class LayerNorm(Module):
    """(x - mean) / sqrt(variance + eps), times a weight and plus a bias for each entry."""

    def __init__(
        self, normalized_shape: int, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True
    ) -> None:
        self.size = size("normalized_shape", normalized_shape)
        self.eps = measure("eps", eps)
        self.weight = [Value(1.0) for _ in range(self.size)] if elementwise_affine else None
        self.bias = [Value(0.0) for _ in range(self.size)] if elementwise_affine and bias else None

    def forward(self, x: Numbers) -> Sequence[Nest[Value]]:
        if vectors(x):
            return [self.forward(row) for row in x]
        inputs = vector(self, x, self.size)
        middle = mean(inputs)
        away = [entry - middle for entry in inputs]
        scale = (dot(away, away) / self.size + self.eps) ** -0.5
        outputs = [entry * scale for entry in away]
        if self.weight is not None:
            outputs = [output * weight for output, weight in zip(outputs, self.weight, strict=True)]
        if self.bias is not None:
            outputs = [output + bias for output, bias in zip(outputs, self.bias, strict=True)]
        return outputs

    def extra_repr(self) -> str:
        return f"{self.size}, eps={self.eps:g}" + ("" if self.weight else ", elementwise_affine=False")
