"""Record of a backward pass: at each node of the autograd graph, what arrived and what was sent on.

Kept are counts and extremes, not tensors: how many numbers there were, how many of them are zero or not
finite.  The nodes are those that the forward record knows, so that each can be traced to a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .forward_record import ForwardRecord, TorchCall

__all__ = ["BackwardRecord", "GradientCount", "NodePass", "nodes_of", "record_backward"]


@dataclass(frozen=True, slots=True)
class GradientCount:
    """A gradient in numbers: how many, how many of them zero or not finite, and the largest."""

    size: int
    zeros: int
    bad: int
    largest: float

    @property
    def all_zero(self) -> bool:
        return self.zeros == self.size


@dataclass(slots=True, eq=False)
class NodePass:
    """One node, when its gradient had arrived."""

    order: int
    node: Any
    call: TorchCall | None
    arrived: tuple[GradientCount | None, ...]
    sent: tuple[GradientCount | None, ...]


@dataclass(eq=False)
class BackwardRecord:
    """The passes of the nodes, in the order in which they ran."""

    passes: list[NodePass] = field(default_factory=list)
    gradients: dict[int, GradientCount | None] = field(default_factory=dict)  # by the number of the leaf
    error: str = ""


def nodes_of(root: Any) -> Iterator[Any]:
    """All nodes that a gradient of `root` reaches."""
    seen: set[Any] = set()
    rest = [root] if root is not None else []
    while rest:
        node = rest.pop()
        if node in seen:
            continue
        seen.add(node)
        yield node
        rest += [after for after, _ in node.next_functions if after is not None]


def count_of(gradient: Any) -> GradientCount | None:
    import torch

    if gradient is None or not isinstance(gradient, torch.Tensor):
        return None
    with torch.no_grad():
        dense = (gradient.coalesce().values() if gradient.is_sparse else gradient).detach()
        size = dense.numel()
        if not size:
            return GradientCount(0, 0, 0, 0.0)
        finite = torch.isfinite(dense)
        bad = int(size - finite.sum())
        zeros = int((dense == 0).sum())
        largest = float(dense.abs().max()) if not bad else float("inf")
        return GradientCount(size, zeros, bad, largest)


def record_backward(forward: ForwardRecord) -> BackwardRecord:
    """Differentiate the loss of a forward record; the graph is kept, and the gradients are left in .grad."""
    import torch

    record = BackwardRecord()
    loss = forward.loss
    order = 0
    with ExitStack() as opened:

        def watch(node: Any) -> None:
            def hook(sent: tuple[Any, ...], arrived: tuple[Any, ...]) -> None:
                nonlocal order
                order += 1
                record.passes.append(
                    NodePass(
                        order,
                        node,
                        forward.call_of(node),
                        tuple(map(count_of, arrived)),
                        tuple(map(count_of, sent)),
                    )
                )

            opened.callback(node.register_hook(hook).remove)

        for node in nodes_of(loss.grad_fn):
            if not hasattr(node, "variable"):
                watch(node)
        for leaf in forward.leaves:
            leaf.grad = None
        try:
            seed = torch.ones_like(loss)
            torch.autograd.backward(loss, seed, retain_graph=True)
        except RuntimeError as error:
            record.error = str(error)
    for at, leaf in enumerate(forward.leaves):
        record.gradients[at] = count_of(leaf.grad)
    return record
