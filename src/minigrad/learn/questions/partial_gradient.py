"""Question kind `running`: the total in a gradient in the middle of the pass, after another node's turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...faults.catalogue.traversal import WalkTooLongError
from ...faults.fault import Suspect
from ...graph import Graph
from ...graph.trace import Flow, Trace, trace
from ...graph.wording import name, names, product
from ...text.numerals import show
from ...text.translation import say
from .mistakes import is_program_fault, lineup, same
from .number_parser import TypedNumber, number_text
from .parameters import Parameters
from .question import Answer, Prompt, QuestionHead
from .question_bases import GraphQuestion, NumberQuestion, graph_text
from .question_text import bug_words
from .random_graphs import BACK, Lot, draw_graph

__all__ = ["PartialGradientQuestion", "draw", "write"]


def total_after(walked: Trace, about: int, after: int) -> float | None:
    """What stands in a gradient when a node's turn is over; None where it has none."""
    turns = [place for place, event in enumerate(walked.events) if _sent_by(event, after)]
    if not turns:
        return None
    total = 0.0
    for event in walked.events[: turns[-1] + 1]:
        if isinstance(event, Flow) and event.target == about:
            total = event.after
    return total


def _sent_by(event: object, source: int) -> bool:
    return isinstance(event, Flow) and event.source == source


@dataclass(frozen=True)
class PartialGradientQuestion(GraphQuestion, NumberQuestion):
    """What stands in this gradient after the turn of that node?"""

    about: int
    after: int
    order: tuple[int, ...]

    @cached_property
    def _right(self) -> Trace:
        return trace(self.subject, order=self.order)

    @property
    def _blank(self) -> str:
        return self.subject.names[self.about]

    @cached_property
    def _truth(self) -> float:
        total = total_after(self._right, self.about, self.after)
        if total is None:
            raise ValueError(say("question.running.turn", name=name(self.subject, self.after)))
        return total

    @property
    def truths(self) -> Mapping[str, float]:
        return {self._blank: self._truth}

    def prompt(self) -> Prompt:
        graph = self.subject
        text = say(
            "question.running",
            order=f"`{names(graph, self.order)}`",
            after=f"`{name(graph, self.after)}`",
            about=f"`{name(graph, self.about)}`",
        )
        return Prompt((text,), graph_text(graph), blanks=(self._blank,), example=self.example)

    @cached_property
    def _broken(self) -> list[tuple[Suspect, float]]:
        """What stands there when the pass has a fault."""
        return list(self._totals())

    def _totals(self) -> Iterator[tuple[Suspect, float]]:
        for suspect in lineup(self.subject).suspects:
            try:
                walked = trace(self.subject, pieces=suspect.pieces(), order=self.order)
            except WalkTooLongError:
                continue
            total = total_after(walked, self.about, self.after)
            if total is not None and total == total and abs(total) < 1e9:
                yield suspect, total

    def explain(self, typed: Mapping[str, TypedNumber], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        graph, x = self.subject, typed[self._blank].value
        about, after = f"`{self._blank}`", f"`{name(graph, self.after)}`"
        suspects = sorted(
            (s for s, total in self._broken if same(total, x)), key=lambda s: is_program_fault(s.fault)
        )
        found = suspects[0] if suspects else None
        slug = found.fault.slug if found is not None else ""
        if same(x, self._right.grads[self.about]):
            return (say("question.running.final", about=about, after=after),), slug
        if same(x, self._right.values[self.about]):
            return (say("question.slip.own_data", name=about),), slug
        for event in self._right.events:
            if isinstance(event, Flow) and event.target == self.about and same(x, event.after):
                via = f"`{name(graph, event.source)}`"
                return (say("question.running.other", via=via, after=after),), slug
        for event in self._right.events:
            if isinstance(event, Flow) and event.target == self.about and same(x, event.amount):
                via = f"`{name(graph, event.source)}`"
                return (say("question.running.alone", via=via, about=about, after=after),), slug
        if same(x, -self._truth):
            return (say("question.slip.sign", names=about),), slug
        if found is not None:
            return (say("question.fault", bug=bug_words(found, graph)),), slug
        return (say("question.hint.running", about=about, after=after),), ""

    def reveal(self) -> tuple[str, ...]:
        graph = self.subject
        lines = []
        for event in self._right.events:
            if not isinstance(event, Flow):
                continue
            if event.target == self.about:
                made = f"{product((event.local, event.upstream))} = {show(event.amount)}"
                about = {
                    "source": f"`{name(graph, event.source)}`",
                    "made": f"`{made}`",
                    "total": f"`{self._blank}: {show(event.before)} -> {show(event.after)}`",
                }
                lines.append(say("question.reveal.sends", **about))
            if event.source == self.after:
                last = len(lines)
        lines = lines[:last]
        after = f"`{name(graph, self.after)}`"
        end = f"`{show(self._truth)}`"
        return (*lines, say("question.reveal.running", after=after, about=f"`{self._blank}`", total=end))

    def mistaken_answers(self) -> Iterator[Answer]:
        for _, total in self._broken:
            yield {self._blank: number_text(total)}
        yield {self._blank: number_text(self._right.grads[self.about])}


def write(head: QuestionHead, graph: Graph, given: Parameters) -> PartialGradientQuestion:
    """One that a lesson writes about the graph on stage."""
    question = PartialGradientQuestion(head, graph, given.node("about"), given.node("after"), given.order())
    assert question.truths  # a node without a turn is refused here, where the lesson is read
    return question


def draw(head: QuestionHead, lot: Lot, level: int) -> PartialGradientQuestion:
    """One drawn by lot."""
    moments: list[tuple[int, int]] = []

    def suits(graph: Graph, right: Trace) -> bool:
        moments[:] = _moments(right)
        return bool(moments)

    graph = draw_graph(lot, level, shared=(True,), sizes=(4, 5) if level == 1 else None, suits=suits)
    about, after = lot.pick(moments)
    return PartialGradientQuestion(
        head, graph, about, after, tuple(i for i in graph.order if graph.nodes[i].args)
    )


def _moments(right: Trace) -> list[tuple[int, int]]:
    """A node and a turn after which its total is neither nothing nor all."""
    graph = right.graph
    found = []
    for about in graph.order:
        if graph.names[about] == BACK:
            continue
        flows = [e for e in right.events if isinstance(e, Flow) and e.target == about]
        for flow in flows[:-1]:
            total = flow.after
            if total and total != right.grads[about] and total != right.values[about]:
                found.append((about, flow.source))
    return found
