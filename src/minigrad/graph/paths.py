"""Paths of a gradient: how many there are between an input and the output, and which matter most.

The gradient of the output by an input is one product of local derivatives per path between
them, added up.  A small graph has a handful of paths; a GPT weight has billions.  Both are
explained by the same walk, which visits each edge once: counts add up as exact integers, and
since a product only scales, the k largest paths into a node are among the k largest into its
consumers.  What is not listed is given as one exact remainder.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite
from typing import TYPE_CHECKING

from ..text.numerals import counted, json_number
from ..values import ieee
from .trace import Flow, Seed, Trace

if TYPE_CHECKING:
    from ..text.files import JSON

__all__ = ["Path", "Paths", "json_count", "paths"]

UNWRITABLE = 10**4000  # Python writes no integer of more than 4300 digits
MANY = 32  # paths into a node that wait to be sorted
LONGEST = 64  # nodes of a path that are spelled out; a longer one is cut before the output


def json_count(count: int) -> int | str:
    """A count as JSON has it: one that Python would not write is in words."""
    return count if count < UNWRITABLE else counted(count)


@dataclass(frozen=True, slots=True)
class Path:
    """One way from an input up to the output, and what it contributes."""

    nodes: tuple[int, ...]  # from the input to the output
    slots: tuple[int, ...]  # the place among the arguments of the next node, one per step
    locals: tuple[float, ...]  # one per step that is spelled out
    amount: float
    skipped: int = 0  # nodes left out before the output, when there are very many


@dataclass(frozen=True, slots=True)
class Paths:
    """The gradient of one node as a sum over paths."""

    node: int
    total: float
    count: int
    listed: tuple[Path, ...]  # the largest, by magnitude
    rest: float  # what all the others add up to: total minus the listed ones

    @property
    def adds_up(self) -> bool:
        """Is the gradient the sum of its paths, up to the roundings of a pass?  Not if the pass is broken."""
        total = ieee.fsum(self.rest, *(path.amount for path in self.listed))
        size = max([abs(self.total), *(abs(path.amount) for path in self.listed)])
        return not abs(self.total - total) > 1e-9 * size

    def to_json(self, names: tuple[str, ...]) -> dict[str, JSON]:
        return {
            "total": json_number(self.total),
            "count": json_count(self.count),
            "listed": [
                {
                    "nodes": [names[i] for i in path.nodes],
                    "slots": list(path.slots),
                    "locals": [json_number(local) for local in path.locals],
                    "amount": json_number(path.amount),
                    "skipped": path.skipped,
                }
                for path in self.listed
            ],
            "rest": json_number(self.rest),
        }


@dataclass(frozen=True, slots=True)
class _PathStep:
    """A path under construction, from the output down to some node: a linked list."""

    amount: float
    node: int
    slot: int
    local: float
    length: int  # nodes from here to the output
    above: _PathStep | None


def paths(trace: Trace, keep: int = 5, nodes: Iterable[int] | None = None) -> dict[int, Paths]:
    """The paths of every active input of a traced pass, or of the nodes that are named, by node index."""
    graph = trace.graph
    counts = [0] * len(graph)
    largest: list[list[_PathStep]] = [[] for _ in range(len(graph))]
    trimmed = [False] * len(graph)
    floors = [-1.0] * len(graph)  # what a path into a node with many consumers must exceed to be kept
    for event in trace.events:
        if isinstance(event, Seed):
            counts[event.node] += 1
            largest[event.node].append(_PathStep(event.grad, event.node, 0, 1.0, 1, None))
            continue
        _trim(largest, trimmed, event.source, keep)
        counts[event.target] += counts[event.source]
        _extend(largest[event.source], largest[event.target], event, floors[event.target])
        if len(largest[event.target]) > MANY + 4 * keep:
            _shorten(largest[event.target], keep)
            floors[event.target] = abs(largest[event.target][-1].amount) if keep else inf
    found = {}
    for i in graph.inputs if nodes is None else nodes:
        if graph.active[i]:
            _trim(largest, trimmed, i, keep)
            listed = tuple(_path(step, graph.output) for step in largest[i])
            rest = 0.0 if len(listed) == counts[i] else _rest(trace.grads[i], listed)
            found[i] = Paths(i, trace.grads[i], counts[i], listed, rest)
    return found


def _extend(above: list[_PathStep], below: list[_PathStep], event: Flow, floor: float) -> None:
    for step in above:
        amount = event.local * step.amount
        if not abs(amount) <= floor:  # NaN is among the largest
            below.append(_PathStep(amount, event.target, event.slot, event.local, step.length + 1, step))


def _trim(largest: list[list[_PathStep]], trimmed: list[bool], node: int, keep: int) -> None:
    """Keep the largest few once all of a node's consumers have had their turn."""
    if not trimmed[node]:
        trimmed[node] = True
        _shorten(largest[node], keep)


def _shorten(steps: list[_PathStep], keep: int) -> None:
    """The sort is stable: of equal paths, those that the pass met first stay in front."""
    steps.sort(key=lambda step: -abs(step.amount) if step.amount == step.amount else -inf)
    del steps[keep:]


def _path(step: _PathStep, output: int) -> Path:
    here = step
    steps: list[_PathStep] = []
    while here.above is not None and len(steps) < LONGEST - 1:
        steps.append(here)
        here = here.above
    return Path(
        nodes=(*(s.node for s in steps), output),
        slots=tuple(s.slot for s in steps),
        locals=tuple(s.local for s in steps),
        amount=step.amount,
        skipped=here.length - 1,
    )


def _rest(total: float, listed: tuple[Path, ...]) -> float:
    amounts = [path.amount for path in listed]
    if not all(map(isfinite, (total, *amounts))):
        return total - sum(amounts)
    rest = Fraction(total) - sum(map(Fraction, amounts))
    try:
        return float(rest)
    except OverflowError:
        return inf if rest > 0 else -inf
