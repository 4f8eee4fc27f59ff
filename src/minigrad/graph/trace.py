"""The backward pass as a list of events.

A pass is made of pieces, above all an *order*, a local *rule* per node, and an *accumulation*.
The right pass is (newest first, the table's partials, +); a fault is the same pass with one
piece replaced.  There is one walker, this one.  It is a pure function of a graph: it
touches no `.grad`, and every number that is ever shown comes out of its events.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..scalar import Value
from ..text.numerals import json_number
from ..values.validation import number
from .graph import Graph

if TYPE_CHECKING:
    from ..text.files import JSON

__all__ = ["RIGHT", "Event", "Flow", "Pieces", "Seed", "Trace", "Walk", "trace"]

SCHEMA = "minigrad.trace/1"
EXPLANATION_SCHEMA = "minigrad.explanation/1"  # a trace with what follows from it

Rule = Callable[[Graph, int, Sequence[float]], Sequence[float | None]]
Accumulate = Callable[[float, float], float]


@dataclass(frozen=True, slots=True)
class Seed:
    """The output's own gradient, from which a pass starts: dL/dL = 1."""

    node: int
    grad: float


@dataclass(frozen=True, slots=True)
class Flow:
    """One contribution: `source` sends `local * upstream` to its argument in `slot`."""

    source: int
    slot: int
    target: int
    upstream: float
    local: float
    amount: float
    before: float
    after: float


Event = Seed | Flow


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened in one pass over `graph`, and what came out of it."""

    graph: Graph
    values: tuple[float, ...]
    order: tuple[int, ...]
    events: tuple[Event, ...]
    grads: tuple[float, ...]

    @property
    def gradients(self) -> dict[str, float]:
        """The gradient of each input, by name."""
        return {self.graph.names[i]: self.grads[i] for i in self.graph.inputs}

    def to_json(self) -> dict[str, JSON]:
        """Plain data for json.dumps: nodes with data and grad, the order, the events."""
        names = self.graph.names
        nodes = [
            self.graph._node_json(i) | {"data": json_number(data), "grad": json_number(grad)}
            for i, (data, grad) in enumerate(zip(self.values, self.grads, strict=True))
        ]
        return {
            "schema": SCHEMA,
            "output": names[self.graph.output],
            "nodes": [*nodes],
            "order": [names[i] for i in self.order],
            "events": [_event_json(event, names) for event in self.events],
        }

    @classmethod
    def from_json(cls, document: object) -> Trace:
        """The trace in what `Trace.to_json` or `minigrad explain --json` wrote.

        ValueError for anything that they would not write.
        """
        from .json_reader import trace_from_json

        return trace_from_json(document)


def _event_json(event: Event, names: Sequence[str]) -> dict[str, JSON]:
    if isinstance(event, Seed):
        return {"type": "seed", "node": names[event.node], "grad": json_number(event.grad)}
    return {
        "type": "flow",
        "source": names[event.source],
        "slot": event.slot,
        "target": names[event.target],
        "upstream": json_number(event.upstream),
        "local": json_number(event.local),
        "amount": json_number(event.amount),
        "before": json_number(event.before),
        "after": json_number(event.after),
    }


# ---- the pieces of a pass -----------------------------------------------------------------------


class Walk:
    """A pass under way: what it knows, and the gradients so far."""

    __slots__ = ("events", "grads", "graph", "live", "memory", "pieces", "rows", "values")

    def __init__(self, pieces: Pieces, graph: Graph, values: Sequence[float], live: Sequence[bool]) -> None:
        self.pieces = pieces
        self.graph = graph
        self.values = values
        self.live = live
        self.grads = [0.0] * len(graph)
        self.rows: dict[int, Sequence[float | None]] = {}  # the local derivatives that have been asked for
        self.memory: dict[Hashable, Any] = {}  # what a fault has to remember
        self.events: list[Event] | None = None  # where events are kept, if anybody wants them

    def turn(self, node: int) -> None:
        """One node applies its rule: it sends a contribution to each of its arguments."""
        holder = node if self.pieces.closure is right_closure else self.pieces.closure(self, node)
        if holder is None or not self.graph.nodes[holder].args:
            return
        node, args = holder, self.graph.nodes[holder].args
        upstream, locals_ = self.grads[node], self.pieces.rule(self, node)
        for slot, (target, local) in enumerate(zip(args, locals_, strict=True)):
            if local is None or not self.live[target]:
                continue
            amount = self.pieces.message(self, node, slot, local, upstream)
            before = self.grads[target]
            after = self.pieces.accumulate(self, node, slot, target, amount)
            self.grads[target] = after
            if self.events is not None:
                self.events.append(Flow(node, slot, target, upstream, local, amount, before, after))

    def fork(self) -> Walk:
        """A copy that can go on in another order."""
        other = Walk(self.pieces, self.graph, self.values, self.live)
        other.grads, other.memory, other.rows = self.grads[:], dict(self.memory), self.rows
        return other


def right_record(graph: Graph) -> Graph:
    return graph


def right_forward(graph: Graph, inputs: Mapping[str, float]) -> Sequence[float]:
    return graph.evaluate(inputs=inputs) if inputs else graph.own_values


def right_start(walk: Walk) -> None:
    """Before the seed: every gradient is 0, as a new Walk has them."""


def right_seed(walk: Walk, seed: float) -> float:
    return seed


def right_order(walk: Walk, order: Sequence[int]) -> Iterable[int]:
    return order


def right_closure(walk: Walk, node: int) -> int | None:
    return node


def right_rule(walk: Walk, node: int) -> Sequence[float | None]:
    row = walk.rows.get(node)
    if row is None:
        row = walk.rows[node] = walk.graph.locals(node, walk.values)
    return row


def right_message(walk: Walk, source: int, slot: int, local: float, upstream: float) -> float:
    return local * upstream


def right_accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
    return walk.grads[target] + amount


def right_finish(walk: Walk) -> None:
    """After the last turn: the gradients are what they are."""


class Pieces(NamedTuple):
    """A backward pass, taken apart.  These defaults are the right one; a fault swaps a piece."""

    record: Callable[[Graph], Graph] = right_record  # the graph as the engine wrote it down, node by node
    forward: Callable[[Graph, Mapping[str, float]], Sequence[float]] = right_forward
    start: Callable[[Walk], None] = right_start  # what is in .grad when the pass begins
    seed: Callable[[Walk, float], float] = right_seed
    order: Callable[[Walk, Sequence[int]], Iterable[int]] = right_order  # whose turn it is
    closure: Callable[[Walk, int], int | None] = right_closure  # whose rule runs at a node's turn
    rule: Callable[[Walk, int], Sequence[float | None]] = right_rule  # the local derivatives of a node
    message: Callable[[Walk, int, int, float, float], float] = right_message  # local and upstream, chained
    accumulate: Callable[[Walk, int, int, int, float], float] = right_accumulate
    finish: Callable[[Walk], None] = right_finish

    def begin(self, graph: Graph, inputs: Mapping[str, float] | None = None, seed: float = 1.0) -> Walk:
        """A walk at its start: forward is done, and the output has its seed."""
        graph = self.record(graph)
        values = self.forward(graph, inputs or {})
        walk = Walk(self, graph, values, graph.active)
        if graph.selective or self.rule is not right_rule:  # else every active node gets a message
            walk.live = graph.live(
                {i: self.rule(walk, i) if graph.nodes[i].args else () for i in graph.order}
            )
        self.start(walk)
        if walk.live[graph.output]:
            walk.grads[graph.output] = self.seed(walk, seed)
        return walk

    def run(self, walk: Walk, order: Sequence[int] | None = None) -> list[int]:
        """Walk to the end, in the order that is asked for where the pass has none of its own."""
        asked = [i for i in (walk.graph.order if order is None else order) if walk.live[i]]
        turns = []
        for node in self.order(walk, asked):
            turns.append(node)
            walk.turn(node)
        self.finish(walk)
        return turns


RIGHT = Pieces()


def trace(
    graph: Graph | Value,
    inputs: Mapping[str, float] | None = None,
    *,
    seed: float = 1.0,
    order: Sequence[int] | None = None,
    rule: Rule | None = None,
    accumulate: Accumulate | None = None,
    pieces: Pieces = RIGHT,
) -> Trace:
    """Walk the backward pass of a graph, or of the graph below a Value, and record it.

    `rule(graph, node, values)` and `accumulate(before, amount)` swap those pieces; `pieces` swaps any.
    `order` lists op nodes; leaves need no turn.  It is not checked here, because a broken
    order is something to look at: `graph.refuse_invalid(order)` checks one.
    """
    seed = number(seed)
    graph = Graph.of(graph) if isinstance(graph, Value) else graph
    if rule is not None:
        pieces = pieces._replace(rule=lambda walk, node: rule(walk.graph, node, walk.values))
    if accumulate is not None:
        pieces = pieces._replace(
            accumulate=lambda walk, source, slot, target, amount: accumulate(walk.grads[target], amount)
        )
    walk = pieces.begin(graph, {name: number(x) for name, x in (inputs or {}).items()}, seed)
    walk.events = [Seed(graph.output, walk.grads[graph.output])] if walk.live[graph.output] else []
    turns = pieces.run(walk, order)
    return Trace(walk.graph, tuple(walk.values), tuple(turns), tuple(walk.events), tuple(walk.grads))
