"""Question kind `order`: the gradients that a broken pass leaves behind, walked in one given order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...faults.catalogue import FAULTS
from ...faults.fault import Suspect
from ...faults.order_outcomes import Outcome, outcomes
from ...graph import Graph
from ...graph.trace import Flow, Trace, trace
from ...graph.wording import name, names
from ...text.numerals import show
from ...text.translation import say
from .mistakes import bug_sentence, diagnose_typed, fault_answers, same
from .number_parser import TypedNumber, number_text
from .parameters import Parameters
from .question import Answer, Prompt, QuestionHead
from .question_bases import NodesQuestion, NumberQuestion, graph_text
from .question_text import bug_name, bug_words, list_names, off_words
from .random_graphs import Lot, draw_graph

__all__ = ["OrderQuestion", "draw", "write"]

FAULTY = {1: ("overwrite",), 2: ("overwrite", "keep-first"), 3: ("overwrite", "keep-first")}
SIZES = {1: (5, 5), 2: (5, 6), 3: (7, 8)}


@dataclass(frozen=True)
class OrderQuestion(NodesQuestion, NumberQuestion):
    """What does this broken pass leave behind, walked in this order?"""

    suspect: Suspect
    order: tuple[int, ...]

    @cached_property
    def _walked(self) -> Trace:
        return trace(self.subject, pieces=self.suspect.pieces(), order=self.order)

    @property
    def truths(self) -> Mapping[str, float]:
        return {blank: self._walked.grads[i] for blank, i in self._blanks.items()}

    def prompt(self) -> Prompt:
        graph = self.subject
        text = say(
            "question.order",
            bug=bug_words(self.suspect, graph),
            order=f"`{names(graph, self.order)}`",
            names=list_names(self._blanks),
        )
        return Prompt((text,), graph_text(graph), blanks=tuple(self._blanks), example=self.example)

    @cached_property
    def _others(self) -> tuple[Outcome, ...]:
        """The same bug over all valid orders."""
        return outcomes(self.subject, self.suspect.pieces(), self.suspect.fault.ordered).found

    def explain(self, typed: Mapping[str, TypedNumber], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        graph, slug = self.subject, self.suspect.fault.slug
        bug = bug_name(self.suspect, graph)

        def are(grads: Sequence[float]) -> bool:
            return all(same(typed[blank].value, grads[i]) for blank, i in self._blanks.items())

        if are(self._right.grads):
            return (say("question.order.right", bug=bug),), ""
        for outcome in self._others:
            if are(outcome.grads):
                return (say("question.order.other", order=f"`{names(graph, outcome.order)}`"),), slug
        if found := diagnose_typed(graph, typed.values()):
            return (bug_sentence(found[0]), say("question.order.bug", bug=bug)), found[0].suspects[
                0
            ].fault.slug
        return off_words(off, typed, say("question.hint.order", name=f"`{off[0]}`")), ""

    def reveal(self) -> tuple[str, ...]:
        graph = self.subject
        lines = []
        for turn in self.order:
            flows = [e for e in self._walked.events if isinstance(e, Flow) and e.source == turn]
            sent = ", ".join(f"`{name(graph, e.target)}: {show(e.before)} -> {show(e.after)}`" for e in flows)
            if sent:
                lines.append(say("question.reveal.turn", node=f"`{name(graph, turn)}`", sent=sent))
        end = ", ".join(f"{blank} = {show(x)}" for blank, x in self.truths.items())
        return (*lines, say("question.reveal.end", numbers=f"`{end}`"))

    def mistaken_answers(self) -> Iterator[Answer]:
        yield self._answer(self._right.grads)
        for outcome in self._others:
            yield self._answer(outcome.grads)
        yield from fault_answers(self.subject, self._blanks)

    def _answer(self, grads: Sequence[float]) -> Answer:
        return {blank: number_text(grads[i]) for blank, i in self._blanks.items()}


def write(head: QuestionHead, graph: Graph, given: Parameters) -> OrderQuestion:
    """One that a lesson writes about the graph on stage."""
    return OrderQuestion(head, graph, given.nodes("about") or graph.inputs, given.suspect(), given.order())


def draw(head: QuestionHead, lot: Lot, level: int) -> OrderQuestion:
    """One drawn by lot."""
    suspect = Suspect(FAULTS[lot.pick(FAULTY[level])])
    found: list[tuple[int, ...]] = []

    def suits(graph: Graph, right: Trace) -> bool:
        """Two orders that come to different numbers, none of them right."""
        results = outcomes(graph, suspect.pieces(), ordered=True).found
        met = {tuple(o.grads[i] for i in graph.inputs) for o in results}
        found[:] = [outcome.order for outcome in results]
        return len(met) > 1 and tuple(right.grads[i] for i in graph.inputs) not in met

    graph = draw_graph(lot, level, shared=(True,), sizes=SIZES[level], suits=suits)
    return OrderQuestion(head, graph, graph.inputs, suspect, lot.pick(found))
