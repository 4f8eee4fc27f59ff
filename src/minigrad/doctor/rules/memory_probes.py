"""Memory that a rule of PyTorch holds: an output on its own ctx, which only the garbage collector frees.

The output leads to its ctx, and the ctx to the output: a circle.  save_for_backward makes none.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import ref

from .report import LIMITED, RuleFinding
from .subject import Point

if TYPE_CHECKING:
    from torch import Tensor

    from .torch_rules import TorchSubject

__all__ = ["memory_findings"]

DEEPEST = 3  # lists in lists on a ctx


def memory_findings(subject: TorchSubject, point: Point) -> Iterator[RuleFinding]:
    """Results that outlive their last name, and the attribute of the ctx that holds them."""
    with _no_collector(), subject.seeded():
        results = subject.results(subject.leaves(point))
        names = [name for name in map(_holder, results) if name]
        alive = [ref(out) for out in results]
        del results
        held = any(each() is not None for each in alive)
    if held and names:
        yield RuleFinding("memory-held", grade=LIMITED, fields={"attribute": names[0]})


@contextmanager
def _no_collector() -> Iterator[None]:
    """A block without the garbage collector, which is afterwards as it was."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _holder(out: Tensor) -> str:
    """The attribute of a ctx on which one of its own outputs lies; "" where none does."""
    seen: set[object] = set()
    waiting: list[object] = [out.grad_fn]
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for name, kept in getattr(node, "__dict__", {}).items():
            if _holds(kept, node, DEEPEST):
                return f"ctx.{name}"
        waiting += [each for each, _ in getattr(node, "next_functions", ())]
    return ""


def _holds(kept: object, node: object, depth: int) -> bool:
    if isinstance(kept, (tuple, list)) and depth:
        return any(_holds(each, node, depth - 1) for each in kept)
    if isinstance(kept, dict) and depth:
        return any(_holds(each, node, depth - 1) for each in kept.values())
    return getattr(kept, "grad_fn", None) is node
