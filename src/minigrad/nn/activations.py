"""Activations: bends between layers, as modules and by name.

Each is one op of the table, applied to every Value of a list, of a list of lists, or to one Value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

from ..functions import softmax
from ..scalar import Operand, Value
from ..text.excerpts import describe
from ..text.translation import say
from .module import Module, Nest, Numbers
from .validation import measure, vectors

__all__ = [
    "ACTIVATIONS",
    "ELU",
    "GELU",
    "Identity",
    "LeakyReLU",
    "ReLU",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Tanh",
    "activation_named",
    "each",
]


T = TypeVar("T")


def each(xs: Numbers, function: Callable[[Value], Value]) -> Nest[Value]:
    """`function` of one Value, or of each one in a list or in lists of lists."""
    if isinstance(xs, Value) or not isinstance(xs, Iterable):
        return function(xs if isinstance(xs, Value) else Value(xs, requires_grad=False))
    if isinstance(xs, (str, bytes)):
        raise TypeError(say("module.values", given=describe(xs)))
    return [each(x, function) for x in xs]


class Identity(Module):
    """What comes in goes out."""

    def forward(self, xs: T) -> T:
        return xs


class _Bend(Module):
    op = ""

    def forward(self, xs: Numbers) -> Nest[Value]:
        op = self.op
        return each(xs, lambda x: getattr(x, op)())


class ReLU(_Bend):
    op = "relu"


class Tanh(_Bend):
    op = "tanh"


class Sigmoid(_Bend):
    op = "sigmoid"


class GELU(_Bend):
    op = "gelu"


class SiLU(_Bend):
    op = "silu"


class Softplus(_Bend):
    op = "softplus"


class LeakyReLU(Module):
    def __init__(self, negative_slope: float = 0.01) -> None:
        self.negative_slope = measure("negative_slope", negative_slope)

    def forward(self, xs: Numbers) -> Nest[Value]:
        return each(xs, lambda x: x.leaky_relu(self.negative_slope))

    def extra_repr(self) -> str:
        return f"{self.negative_slope:g}"


class ELU(Module):
    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = measure("alpha", alpha)

    def forward(self, xs: Numbers) -> Nest[Value]:
        return each(xs, lambda x: x.elu(self.alpha))

    def extra_repr(self) -> str:
        return f"{self.alpha:g}"


class Softmax(Module):
    """Shares that add up to 1, of one vector or of each in a list."""

    def forward(self, xs: Numbers) -> Sequence[Nest[Value]]:
        if vectors(xs):
            return [self.forward(row) for row in xs]
        return softmax(cast("Iterable[Operand]", xs))


# What MLP(activation=...) may be: the name of the op, or "linear" for none.
ACTIVATIONS: dict[str, Callable[[Value], Value]] = {
    "linear": lambda x: x,
    **{
        name: lambda x, name=name: getattr(x, name)()  # type: ignore[misc]
        for name in ("relu", "leaky_relu", "elu", "gelu", "silu", "tanh", "sigmoid", "softplus")
    },
}


def activation_named(name: object) -> Callable[[Value], Value]:
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise ValueError(say("module.activation", given=describe(name), known=", ".join(ACTIVATIONS)))
    return ACTIVATIONS[name]
