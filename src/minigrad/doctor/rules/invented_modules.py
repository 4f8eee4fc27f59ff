"""Invented modules of PyTorch: what stands for the network or the function that a rule is handed.

Its parameters are two weights and two biases, and its output has the shape of its largest input.  It
contracts, so that fixed points of it converge, and it takes any further arguments and keywords.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType
from typing import Any

__all__ = ["invented_module", "with_parameters"]

WEIGHTS, BIASES = (1.1, -0.5), (0.1, 0.6)
CONTRACTION = 0.3


@cache
def _module_class(torch: ModuleType) -> Any:
    class InventedModule(torch.nn.Module):  # type: ignore[misc, name-defined]
        """0.3 * tanh(a * x + b * (x moved by one place) + c) + 0.1 * d, and so for further tensors.

        a and b are the hyperbolic tangents of the weights: it contracts whatever these are.
        """

        def __init__(self, kind: str, turn: int) -> None:
            super().__init__()
            double = torch.float64
            shift = 0.1 * turn
            weight = torch.tensor([each + shift for each in WEIGHTS], dtype=double)
            learned = kind != "function"  # a plain function has none that would be asked for
            self.weight = torch.nn.Parameter(weight, requires_grad=learned)
            self.bias = torch.nn.Parameter(torch.tensor(BIASES, dtype=double), requires_grad=learned)

        def forward(self, *inputs: Any, **options: Any) -> Any:
            tensors = [x for x in inputs if isinstance(x, torch.Tensor) and x.is_floating_point()]
            if not tensors:
                raise TypeError("no tensor was given to the invented module")
            largest = max(tensors, key=lambda x: x.numel())
            total = self._mapped(largest)
            for x in tensors:
                if x is not largest:
                    total = total + (self._mapped(x) if x.shape == largest.shape else 0.1 * x.mean())
            return total

        def _mapped(self, x: Any) -> Any:
            weight, bias = torch.tanh(self.weight).to(x.dtype), self.bias.to(x.dtype)
            moved = x.roll(1, -1) if x.dim() else x
            return CONTRACTION * torch.tanh(weight[0] * x + weight[1] * moved + bias[0]) + 0.1 * bias[1]

    InventedModule.__qualname__ = InventedModule.__name__
    return InventedModule


def invented_module(torch: ModuleType, kind: str, turn: int = 0) -> Any:
    """One module; `kind` is "module", or "function" for one whose parameters nobody asks for."""
    return _module_class(torch)(kind, turn)


def with_parameters(torch: ModuleType, arguments: list[Any], at: int) -> list[Any]:
    """Arguments with the parameters of all modules among them, in their order, from place `at` on.

    Which of the arguments need a gradient is left open, as it is for the tensors.
    """
    found = list(arguments[:at])
    for each in arguments[:at]:
        for inner in each if isinstance(each, list) else [each]:
            if isinstance(inner, _module_class(torch)):
                found += [p.requires_grad_(False) for p in inner.parameters()]
    return found + list(arguments[at + 1 :])
