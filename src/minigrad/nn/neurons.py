"""Neuron, Layer and MLP as in micrograd: every product and every sum is a node that can be looked at.

    random.seed(1337)
    model = MLP(2, [16, 16, 1])      # the weights that micrograd draws: uniform from -1 to 1, biases 0
    score = model([0.5, -1.0])       # one output is a Value; several are a list

The last layer of an MLP does not bend.  For larger layers, `Linear` makes one node per output.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import cast

from ..scalar import Operand, Value
from ..text.excerpts import describe
from ..text.translation import say
from .activations import activation_named
from .module import Module, Numbers
from .validation import Seed, generator, room_for, size, vector

__all__ = ["MLP", "Layer", "Neuron"]


def _inputs(owner: Module, xs: Numbers, count: int) -> list[Value]:
    """One input may be given without a list around it."""
    alone = count == 1 and not (isinstance(xs, Iterable) and not isinstance(xs, Value))
    return vector(owner, [xs] if alone else xs, count)


class Neuron(Module):
    def __init__(self, nin: int, nonlin: bool = True, activation: str = "relu", seed: Seed = None) -> None:
        draw = generator(seed)
        activation_named(activation)
        room_for(size("nin", nin))
        self.w = [Value(draw.uniform(-1, 1)) for _ in range(size("nin", nin))]
        self.b = Value(0.0)
        self.nonlin = bool(nonlin)
        self.activation = activation

    def forward(self, x: Numbers) -> Value:
        fits = isinstance(x, (list, tuple)) and len(x) == len(self.w)
        entries = cast("Sequence[Operand]", x) if fits else _inputs(self, x, len(self.w))
        total = self.b
        for weight, entry in zip(self.w, entries, strict=True):
            total = total + weight * entry
        return activation_named(self.activation)(total) if self.nonlin else total

    def extra_repr(self) -> str:
        return f"{len(self.w)}, {self.activation if self.nonlin else 'linear'}"


class Layer(Module):
    def __init__(
        self, nin: int, nout: int, nonlin: bool = True, activation: str = "relu", seed: Seed = None
    ) -> None:
        draw = generator(seed)
        room_for(size("nin", nin), size("nout", nout))
        self.neurons = [Neuron(nin, nonlin, activation, draw) for _ in range(size("nout", nout))]

    def forward(self, x: Numbers) -> Value | list[Value]:
        inputs = _inputs(self, x, len(self.neurons[0].w))
        outputs = [neuron(inputs) for neuron in self.neurons]
        return outputs[0] if len(outputs) == 1 else outputs

    def extra_repr(self) -> str:
        first = self.neurons[0]
        return f"{len(first.w)} -> {len(self.neurons)}, {first.activation if first.nonlin else 'linear'}"


class MLP(Module):
    def __init__(self, nin: int, nouts: Iterable[int], activation: str = "relu", seed: Seed = None) -> None:
        if isinstance(nouts, (str, bytes)) or not isinstance(nouts, Iterable):
            raise TypeError(say("module.nouts", given=describe(nouts)))
        draw = generator(seed)
        sizes = [size("nin", nin), *(size("nouts", nout) for nout in nouts)]
        if len(sizes) == 1:
            raise ValueError(say("module.nouts", given="[]"))
        for inputs, outputs in pairwise(sizes):
            room_for(inputs, outputs)
        last = len(sizes) - 2
        self.layers = [
            Layer(sizes[i], sizes[i + 1], nonlin=i != last, activation=activation, seed=draw)
            for i in range(last + 1)
        ]

    def forward(self, x: Numbers) -> Numbers:
        for layer in self.layers:
            x = layer(x)
        return x

    def extra_repr(self) -> str:
        sizes = [len(self.layers[0].neurons[0].w), *(len(layer.neurons) for layer in self.layers)]
        return f"{' -> '.join(map(str, sizes))}, {self.layers[0].neurons[0].activation}"
