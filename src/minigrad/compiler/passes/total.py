"""total: what a batch returns is the sum of its values over all samples, not each of them."""

from __future__ import annotations

from dataclasses import replace

from ..scalars import Scalars
from .groups import parts_of

__all__ = ["total"]


def total(program: Scalars, lanes: frozenset[int]) -> Scalars:
    """The program with a sum over the samples in place of each output that differs between them.

    A factor that all samples share is multiplied once: the sum of c * x is c times the sum of x.
    """
    varies, _ = parts_of(program, lanes)
    summed = replace(program, ops=list(program.ops), args=list(program.args))

    def over_samples(node: int) -> int:
        if not varies[node]:
            return node
        own = [arg for arg in program.args[node] if varies[arg]]
        if program.ops[node] == "mul" and len(own) == 1:
            shared = next(arg for arg in program.args[node] if not varies[arg])
            return summed.add("mul", shared, summed.add("lanesum", own[0]))
        return summed.add("lanesum", node)

    summed.outputs = [over_samples(node) for node in program.outputs]
    return summed
