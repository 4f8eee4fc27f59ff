"""The backward pass as a list of events.

A pass is three pieces: an *order*, a local *rule* per node, and an *accumulation*.  The
right pass is (newest first, the table's partials, +); a fault is the same pass with one
piece replaced.  There is one walker, this one.  It is a pure function of a graph: it
touches no `.grad`, and every number that is ever shown comes out of its events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import Any

from .given import number
from .graph import Graph
from .numerals import json_number
from .rooms import callable_room
from .scalar import Value

__all__ = ["Event", "Flow", "Seed", "Trace", "trace"]

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

    def to_json(self) -> dict[str, Any]:
        """Plain data for json.dumps: nodes with data and grad, the order, the events."""
        names = self.graph.names
        document = self.graph.to_json()
        document["schema"] = SCHEMA
        for i, row in enumerate(document["nodes"]):
            row["data"] = json_number(self.values[i])
            row["grad"] = json_number(self.grads[i])
        document["order"] = [names[i] for i in self.order]
        document["events"] = [_event_json(event, names) for event in self.events]
        return document

    @classmethod
    def from_json(cls, document: Any) -> Trace:
        """The trace in what `Trace.to_json` or `minigrad explain --json` wrote.

        ValueError for anything that they would not write.
        """
        from .transport import trace_from_json

        return trace_from_json(document)


def _event_json(event: Event, names: Sequence[str]) -> dict[str, Any]:
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


def table_rule(graph: Graph, node: int, values: Sequence[float]) -> Sequence[float | None]:
    """The right local rule: the partials of the op table."""
    return graph.locals(node, values)


def trace(
    graph: Graph | Value,
    inputs: Mapping[str, float] | None = None,
    *,
    seed: float = 1.0,
    order: Sequence[int] | None = None,
    rule: Rule = table_rule,
    accumulate: Accumulate = add,
) -> Trace:
    """Walk the backward pass of a graph, or of the graph below a Value, and record it.

    `order` lists op nodes; leaves need no turn.  It is not checked here, because a broken
    order is something to look at: `graph.refuse_invalid(order)` checks one.
    """
    seed = number(seed)
    graph = Graph.of(graph) if isinstance(graph, Value) else graph
    values = graph.evaluate(inputs={name: number(x) for name, x in (inputs or {}).items()})
    rows = {i: rule(graph, i, values) for i in graph.order}
    live = graph.live(rows)
    walk = tuple(i for i in (graph.order if order is None else order) if live[i])
    grads = [0.0] * len(graph)
    events: list[Event] = []
    if graph.active[graph.output]:
        events.append(Seed(graph.output, seed))
        grads[graph.output] = seed
    for node in walk:
        upstream = grads[node]
        args = graph.nodes[node].args
        for slot, (target, local) in enumerate(zip(args, rows[node], strict=True)):
            if local is None or not live[target]:
                continue
            amount = local * upstream
            before = grads[target]
            after = grads[target] = accumulate(before, amount)
            events.append(Flow(node, slot, target, upstream, local, amount, before, after))
    return Trace(graph, tuple(values), walk, tuple(events), tuple(grads))


callable_room(__name__)
