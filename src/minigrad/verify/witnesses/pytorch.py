"""The witness of PyTorch: the same graph in float64 tensors, op by op, and its own backward."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING

from ...graph import INPUT
from ...ops import MANY, OPS
from ..case import Case
from ..definitions import CannotError
from ..testimony import Statement
from .libraries import estimate, its_function, of_a_library

if TYPE_CHECKING:
    from torch import Tensor

__all__ = ["witness"]

NAME = "torch"


@of_a_library(NAME, extra="torch", largest=50_000)
def witness(case: Case) -> Statement:
    import torch

    with torch.inference_mode(False), torch.enable_grad():  # wherever the caller stands
        return _run(torch, case)


def _run(torch: ModuleType, case: Case) -> Statement:
    graph = case.graph
    built: list[Tensor] = []
    for i, node in enumerate(graph.nodes[: graph.output + 1]):
        if node.args:
            built.append(_op(torch, node.op, [built[arg] for arg in node.args]))
        else:
            leaf = torch.tensor(case.values[i], dtype=torch.float64, requires_grad=node.op == INPUT)
            built.append(leaf)
    output = built[graph.output]
    places = [graph.index(name) for name in case.names]
    grads: dict[int, Tensor | None] = {}
    if output.requires_grad:
        inputs = [i for i in places if i < len(built)]
        found = torch.autograd.grad(output, [built[i] for i in inputs], allow_unused=True)
        grads = dict(zip(inputs, found, strict=True))
    slopes = {}
    for name, i in zip(case.names, places, strict=True):
        grad = grads.get(i)
        slopes[name] = estimate(0.0 if grad is None else grad.item())
    return Statement(NAME, estimate(output.item()), slopes)


def _op(torch: ModuleType, op: str, xs: list[Tensor]) -> Tensor:
    function = its_function("torch", torch, op)
    if op == "where":
        return function(xs[0] != 0.0, xs[1], xs[2])
    if OPS[op].defaults:  # it takes these as plain numbers
        if any(x.requires_grad for x in xs[1:]):
            raise CannotError("argument", op)
        return function(xs[0], *[x.item() for x in xs[1:]])
    if op == "dot":
        return function(torch.stack(xs[: len(xs) // 2]), torch.stack(xs[len(xs) // 2 :]))
    if OPS[op].arity[1] == MANY:
        stacked = torch.stack(xs)
        return function(stacked, 0) if op == "logsumexp" else function(stacked)
    result = function(*xs)
    return result.to(torch.float64) if result.dtype == torch.bool else result
