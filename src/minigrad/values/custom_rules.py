"""Local gradients of nodes with a `_backward` of their own, as micrograd's users write them.

Everything but the pass itself needs local gradients as numbers; a closure keeps them to itself.
"""

from __future__ import annotations

from ..scalar import Value
from ..text.translation import say

__all__ = ["learn_local_gradients"]


def learn_local_gradients(value: Value) -> tuple[float, ...]:
    """The local gradients of a node with a `_backward` of its own, learnt by calling it.

    What arrives at a child that stands in two slots is told of the first of them.  All gradients
    are put back.  A rule that does not double what it sends when its upstream doubles is no rule.
    """
    children = list(dict.fromkeys(value._children))
    before = [(node, node.grad) for node in (value, *children)]
    sent = []
    try:
        for upstream in (1.0, 2.0):
            for child in children:
                child.grad = 0.0
            value.grad = upstream
            value._backward()
            sent.append({child: float(child.grad) for child in children})
    finally:
        for node, grad in before:
            node.grad = grad
    once, twice = sent
    if any(2.0 * once[child] != twice[child] and once[child] == once[child] for child in children):
        raise ValueError(say("graph.closure", name=value.label or repr(value)))
    return tuple([once.pop(child, 0.0) for child in value._children])
