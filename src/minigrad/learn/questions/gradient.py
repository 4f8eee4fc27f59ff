"""Compute the gradients: of all inputs, or of the nodes that are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...graph import Graph
from ...graph.paths import paths
from ...graph.trace import Trace
from ...graph.wording import factors, name, product, route, terms
from ...text.numerals import show
from ...text.translation import say
from .question_bases import Head, NumberQuestion, OnNodes, graph_text
from .mistakes import Evidence, explained, fault_answers
from .number_parser import Typed
from .parameters import Parameters
from .question import Answer, Prompt
from .question_text import listed
from .random_graphs import Lot, draw_graph

__all__ = ["Gradient", "draw", "ledger_lines", "write"]


@dataclass(frozen=True)
class Gradient(OnNodes, NumberQuestion):
    """What are these gradients?"""

    @property
    def truths(self) -> Mapping[str, float]:
        return {blank: self._right.grads[i] for blank, i in self._blanks.items()}

    def prompt(self) -> Prompt:
        output = f"`{name(self.subject, self.subject.output)}`"
        key = "question.gradient" if len(self.nodes) > 1 else "question.gradient.one"
        return Prompt(
            (say(key, output=output, names=listed(self._blanks)),),
            statements=graph_text(self.subject),
            blanks=tuple(self._blanks),
            example=self.example,
        )

    def explained(self, typed: Mapping[str, Typed], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        return explained(Evidence(self._right, self._blanks, typed, off))

    def reveal(self) -> tuple[str, ...]:
        return tuple(ledger_lines(self._right, self.nodes))

    def mistaken(self) -> Iterator[Answer]:
        yield from fault_answers(self.subject, self._blanks)


def ledger_lines(right: Trace, nodes: Sequence[int]) -> Iterator[str]:
    """Each gradient as a sum over paths, and each path as a product."""
    graph = right.graph
    found = paths(right, nodes=nodes)
    for i in nodes:
        if i not in found or not found[i].count:
            yield say("question.reveal.unreached", name=f"`{name(graph, i)}`")
            continue
        own = found[i]
        yield f"`{name(graph, i)}: {show(own.total)} = {terms(graph, own)}`"
        if i == graph.output:
            continue
        for path in own.listed:
            whole = factors(right, path)
            made = f" = {product(whole)}" if len(whole) > 1 else ""
            about = {"product": f"`{show(path.amount)}{made}`", "route": f"`{route(graph, path)}`"}
            yield say("question.reveal.path", **about)


def write(head: Head, graph: Graph, given: Parameters) -> Gradient:
    """One that a lesson writes about the graph on stage."""
    return Gradient(head, graph, given.nodes("about") or graph.inputs)


def draw(head: Head, lot: Lot, level: int) -> Gradient:
    """One drawn by lot."""
    graph = draw_graph(lot, level)
    return Gradient(head, graph, graph.inputs)
