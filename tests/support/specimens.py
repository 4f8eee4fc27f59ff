"""The specimen of the faults, run: whole, or with a fault's change made to its text.

    Specimen().run(graph)                          # as it stands: right
    Specimen.with_fault(suspect, graph).run(graph) # the text as the break lab shows it

The text is run as a program of its own, so that no two runs share a thing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import minigrad.faults
from minigrad import Graph
from minigrad.faults import Suspect
from minigrad.graph import CONSTANT, INPUT
from operators import OPERATORS

__all__ = ["SOURCE", "Run", "Specimen"]

SOURCE = Path(minigrad.faults.__file__).with_name("specimen.py").read_text(encoding="utf-8")


class Run(NamedTuple):
    value: float
    gradients: dict[str, float]
    grads: dict[str, float]  # of every node that has a name in the graph


class Specimen:
    """An engine of its own, out of a text of specimen.py."""

    def __init__(self, source: str = SOURCE) -> None:
        self.names: dict[str, Any] = {"__name__": "specimen"}
        exec(_compiled(source), self.names)

    @classmethod
    def with_fault(cls, suspect: Suspect, graph: Graph) -> Specimen:
        return cls(suspect.fault.broken(SOURCE, suspect.what(graph)))

    @property
    def ops(self) -> frozenset[str]:
        return frozenset(self.names["FORWARD"])

    def leaves(self, graph: Graph) -> dict[int, Any]:
        make = self.names["Value"]
        return {i: make(graph.nodes[i].data, label=graph.names[i]) for i in graph.inputs}

    def build(self, graph: Graph, leaves: dict[int, Any]) -> list[Any]:
        """Every node as a person would write it: constants are plain numbers, on either side."""
        made: list[Any] = []
        for i, node in enumerate(graph.nodes):
            args = [made[arg] for arg in node.args]
            if node.op == INPUT:
                made.append(leaves[i])
            elif node.op == CONSTANT:
                made.append(node.data)
            elif node.op in OPERATORS and any(isinstance(arg, self.names["Value"]) for arg in args):
                made.append(OPERATORS[node.op](*args))
            else:
                made.append(self.names["apply"](node.op, *args))
            if node.args:
                made[i].label = graph.names[i]
        return made

    def run(self, graph: Graph) -> Run:
        leaves = self.leaves(graph)
        made: list[Any] = []

        def build() -> Any:
            made[:] = self.build(graph, leaves)
            return made[graph.output]

        self.names["train"](build, list(leaves.values()))
        grads = {name: x.grad for name, x in zip(graph.names, made, strict=True) if hasattr(x, "grad")}
        return Run(
            made[graph.output].data,
            {graph.names[i]: leaf.grad for i, leaf in leaves.items()},
            grads,
        )

    def order(self, graph: Graph) -> list[int]:
        """The nodes in the order in which the backward pass of the specimen walks them, inputs among them."""
        forward = self.names["FORWARD"]
        self.names["FORWARD"] = dict.fromkeys(forward, lambda *xs: 1.0)  # the shape does not hang on numbers
        try:
            root = self.build(graph, self.leaves(graph))[graph.output]
        finally:
            self.names["FORWARD"] = forward
        places = {name: i for i, name in enumerate(graph.names)}
        return [places[node.label] for node in reversed(self.names["order_of"](root)) if node.label]


@cache
def _compiled(source: str) -> Any:
    return compile(source, "specimen.py", "exec")
