"""Traced functions computed node by node, for tests, and functions that read what is around them."""

from __future__ import annotations

from typing import Any

from minigrad.compiler.structure import put_together, take_apart
from minigrad.compiler.traced_function import TracedFunction
from minigrad.ops import OPS
from minigrad.values import ieee

__all__ = ["computed", "holds", "values_of"]


def values_of(traced: TracedFunction, args: tuple[Any, ...]) -> list[float]:
    """Every node's number, by the formulas of the table."""
    scalars = traced.scalars
    parts = take_apart(args)
    assert (parts.tree, parts.kinds) == (traced.arguments, traced.kinds)
    brought = [*map(float, parts.numbers), *(value.data for value in traced.captured)]
    found: list[float] = [0.0] * len(scalars)
    for node, number in zip(scalars.inputs, brought, strict=True):
        found[node] = number
    for node, (op, arguments) in enumerate(zip(scalars.ops, scalars.args, strict=True)):
        assert all(argument < node for argument in arguments)
        xs = [found[argument] for argument in arguments]
        if op == "constant":
            found[node] = scalars.data[node]
        elif op == "stop":
            (found[node],) = xs
        elif op == "take":
            found[node] = xs[1:][int(xs[0])]
        elif op == "equal":
            found[node] = float(xs[0] == xs[1])
        elif op != "input":
            found[node] = OPS[op].forward(ieee, *xs)
    return found


def holds(traced: TracedFunction, args: tuple[Any, ...]) -> bool:
    """Whether a call keeps to the guards of a traced function, its look-ups among them."""
    found = values_of(traced, args) if within(traced, args) else None
    return found is not None and all(found[g.node] == g.expected for g in traced.scalars.guards)


def within(traced: TracedFunction, args: tuple[Any, ...]) -> bool:
    numbers = take_apart(args).numbers
    return all(0 <= numbers[j] < rows for j, rows in traced.rows.items())


def computed(traced: TracedFunction, args: tuple[Any, ...]) -> Any:
    """What a call gives."""
    found = values_of(traced, args)
    return put_together(traced.result, [found[node] for node in traced.scalars.outputs])
