"""For tests of tracing: a recording computed node by node, and functions that read what is around them."""

from __future__ import annotations

from typing import Any

from minigrad.compiler.structure import put_together, taken_apart
from minigrad.compiler.traced_function import TracedFunction
from minigrad.ops import OPS
from minigrad.values import ieee

__all__ = ["computed", "holds", "values_of"]


def values_of(recording: TracedFunction, args: tuple[Any, ...]) -> list[float]:
    """Every node's number, by the formulas of the table."""
    scalars = recording.scalars
    parts = taken_apart(args)
    assert (parts.tree, parts.kinds) == (recording.arguments, recording.kinds)
    brought = [*map(float, parts.numbers), *(value.data for value in recording.captured)]
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


def holds(recording: TracedFunction, args: tuple[Any, ...]) -> bool:
    """Whether a call keeps to the guards of a recording, its look-ups among them."""
    found = values_of(recording, args) if within(recording, args) else None
    return found is not None and all(found[g.node] == g.expected for g in recording.scalars.guards)


def within(recording: TracedFunction, args: tuple[Any, ...]) -> bool:
    numbers = taken_apart(args).numbers
    return all(0 <= numbers[j] < rows for j, rows in recording.rows.items())


def computed(recording: TracedFunction, args: tuple[Any, ...]) -> Any:
    """What a call gives."""
    found = values_of(recording, args)
    return put_together(recording.result, [found[node] for node in recording.scalars.outputs])
