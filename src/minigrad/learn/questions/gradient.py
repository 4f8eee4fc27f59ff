"""Question kind `gradient`: the gradients of all inputs, or of the nodes that are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...graph import Graph
from ...graph.paths import paths
from ...graph.trace import Trace
from ...graph.wording import factors, name, product, route, terms
from ...text.numerals import show
from ...text.translation import say
from .mistakes import Evidence, explain_answer, fault_answers
from .number_parser import TypedNumber
from .parameters import Parameters
from .question import Answer, Prompt, QuestionHead
from .question_bases import NodesQuestion, NumberQuestion, graph_text
from .question_text import list_names
from .random_graphs import Lot, draw_graph

__all__ = ["GradientQuestion", "draw", "ledger_lines", "write"]


@dataclass(frozen=True)
class GradientQuestion(NodesQuestion, NumberQuestion):
    """What are these gradients?"""

    @property
    def truths(self) -> Mapping[str, float]:
        return {blank: self._right.grads[i] for blank, i in self._blanks.items()}

    def prompt(self) -> Prompt:
        output = f"`{name(self.subject, self.subject.output)}`"
        key = "question.gradient" if len(self.nodes) > 1 else "question.gradient.one"
        return Prompt(
            (say(key, output=output, names=list_names(self._blanks)),),
            statements=graph_text(self.subject),
            blanks=tuple(self._blanks),
            example=self.example,
        )

    def explain(self, typed: Mapping[str, TypedNumber], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        return explain_answer(Evidence(self._right, self._blanks, typed, off))

    def reveal(self) -> tuple[str, ...]:
        return tuple(ledger_lines(self._right, self.nodes))

    def mistaken_answers(self) -> Iterator[Answer]:
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


def write(head: QuestionHead, graph: Graph, given: Parameters) -> GradientQuestion:
    """One that a lesson writes about the graph on stage."""
    return GradientQuestion(head, graph, given.nodes("about") or graph.inputs)


def draw(head: QuestionHead, lot: Lot, level: int) -> GradientQuestion:
    """One drawn by lot."""
    graph = draw_graph(lot, level)
    return GradientQuestion(head, graph, graph.inputs)
