"""Hiding places of a fault: small graphs on which it is at work and every number is right nonetheless.

That is the graph that a test suite has, when the bug ships.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..graph import Graph
from ..graph.trace import Trace, trace
from ..ops import MANY, OPS
from .contributions import same
from .fault import Suspect, ops_of

__all__ = ["HidingPlace", "find_hiding_place", "shows"]

# Graphs in which every input is used once, as in a first test; the shortest in front.
LINEAR = (
    "x = 3; y = 5; z = x*y",
    "a = 2; b = 3; c = 4; a*b + c",
    "a = 3; a - 2",
    "a = 3; 2*a",
    "a = 3; a*2",
    "a = 3; b = 5; a + b",
    "a = 3; b = 2; a - b",
    "a = 3; -a",
    "a = 3; b = -a; -b",
    "a = 1; b = 1; a*b",
)
POINTS = (3.0, 1.0, 2.0, 0.5, -2.0, 0.0, -1.0)  # for an op that is at hand


@dataclass(frozen=True, slots=True)
class HidingPlace:
    """The graph, the variant that is at work on it, and the right numbers that come out."""

    graph: Graph
    text: str
    suspect: Suspect
    broken: Trace


def shows(right: Trace, broken: Trace) -> bool:
    """Is a number wrong that somebody would look at: the output, or the gradient of an input?"""
    output = right.graph.output
    if not same(right.values[output], broken.values[output]):
        return True
    return any(not same(right.grads[i], broken.grads[i]) for i in right.graph.inputs)


def find_hiding_place(suspect: Suspect, graph: Graph) -> HidingPlace | None:
    """The first of a pool of small graphs on which the fault is in use and does not show."""
    for text, candidate, right in _pool(tuple(ops_of(graph))):
        for other in _same_on(suspect, candidate):
            broken = trace(candidate, pieces=other.pieces())
            if not shows(right, broken):
                return HidingPlace(candidate, text, other, broken)
    return None


def _same_on(suspect: Suspect, graph: Graph) -> list[Suspect]:
    """The fault in the same variant; where that has no meaning on another graph, in any."""
    others = suspect.fault.suspects(graph)
    if not suspect.portable:
        return others
    return [other for other in others if other.variant == suspect.variant]


@lru_cache(maxsize=32)
def _pool(ops: tuple[str, ...]) -> list[tuple[str, Graph, Trace]]:
    """Texts, their graphs and the right pass; only graphs that have a gradient other than 0."""
    from ..language import parse

    found = []
    for text in (*LINEAR, *(text for op in ops for text in _with(op))):
        graph = parse(text)
        right = trace(graph)
        numbers = [right.values[graph.output], *right.gradients.values()]
        if any(right.gradients.values()) and all(x == x and abs(x) < 1e6 for x in numbers):
            found.append((text, graph, right))
    return found


def _with(op: str) -> Iterator[str]:
    """An op on inputs of its own, at several points, and with a constant behind it."""
    least, most = OPS[op].arity
    count = max(least, 2) if most == MANY else least
    names = "abcdef"[:count]
    for x in POINTS:
        numbers = [x, *(2.0 + i for i in range(count - 1))]
        given = "; ".join(f"{name} = {number:g}" for name, number in zip(names, numbers, strict=True))
        yield f"{given}; {OPS[op].write(*names)}"
        if count == 2:
            yield f"a = {x:g}; {OPS[op].write('a', '2')}"
