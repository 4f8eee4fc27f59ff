"""Graphs and traces as JSON: what is accepted is what minigrad would have written, and can be used.

A graph and a trace are written back to the same document; a graph is evaluated and traced, and a trace is
drawn as events again.  Everything else is a ValueError.
"""

from __future__ import annotations

import json
import math
from random import Random
from typing import Any

from document_changes import changed, same_numbers, written
from minigrad import Graph, Value, explain, trace
from minigrad import functions as F  # noqa: N812
from minigrad.graph.trace import Trace
from small_graphs import random_value

from .boundary import ACCEPTED, Boundary, wrong_unless

__all__ = ["BOUNDARY"]


class Documents(Boundary):
    name = "traces"
    count = 8_000
    batch = 8_000

    def prepare(self) -> None:
        a, b = Value(-0.0, label="a"), Value(math.inf, label="a")
        made = Value(1.5, (a, a), (2.0, -math.inf), label="made by hand")
        odd = F.sum([made, b, a * math.nan, a.leaky_relu(), F.dot([a, b], [b, a]), F.where(1, a, b)])
        graphs = [Graph.of(odd), Graph.of(Value(1e-320))]
        graphs += [Graph.of(random_value(seed, ops=seed % 7)[1]) for seed in range(12)]
        self.graphs: list[Any] = [graph.to_json() for graph in graphs]
        self.traces: list[Any] = [trace(graph, seed=-0.5).to_json() for graph in graphs]
        broken = trace(graphs[3], accumulate=lambda before, amount: amount)
        self.traces.append(broken.to_json())
        self.traces += [explain(graph).to_json() for graph in graphs[2:6]]

    def input(self, random: Random) -> tuple[str, str]:
        """Which reader, and the document as text; the reader of JSON is Python's own here."""
        kind = random.choice(("graph", "trace"))
        known = self.graphs if kind == "graph" else self.traces
        if random.random() < 0.02:
            known = self.traces if kind == "graph" else self.graphs
        document = random.choice(known)
        if random.random() < 0.95:
            document = changed(random, document)
        return kind, written(random, document)

    def check(self, given: tuple[str, str]) -> str:
        kind, text = given
        try:
            document = json.loads(text)
        except ValueError:
            return "JSONDecodeError"
        try:
            read: Graph | Trace = (Graph if kind == "graph" else Trace).from_json(document)
        except ValueError as error:
            wrong_unless(type(error) is ValueError, f"{type(error).__name__} is not the documented error")
            wrong_unless(len(str(error)) < 2000, "a refusal of more than 2,000 characters")
            return "ValueError"
        again: Any = json.loads(json.dumps(read.to_json(), allow_nan=False))
        own = {key: document[key] for key in again if key != "schema"}
        del again["schema"]
        wrong_unless(same_numbers(again, own), f"written again it is {json.dumps(again)[:2000]}")
        graph = read.graph if isinstance(read, Trace) else read
        wrong_unless(len(graph.evaluate()) == len(trace(graph).grads) == len(graph), "nodes were lost")
        wrong_unless(next(graph.orders()) is not None, "it has no order")
        if isinstance(read, Trace):
            wrong_unless(len(read.values) == len(read.grads) == len(graph), "numbers were lost")
        return ACCEPTED


BOUNDARY = Documents()
