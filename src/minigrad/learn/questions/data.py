"""Question kind `data`: the data of the output, or of the nodes that are named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...faults.fault import Suspect
from ...graph import Graph
from ...graph.trace import RIGHT
from ...graph.wording import name, recipe, substituted
from ...text.numerals import show
from ...text.translation import say
from .mistakes import lineup, same
from .number_parser import TypedNumber, number_text
from .parameters import Parameters
from .question import Answer, Prompt, QuestionHead
from .question_bases import NodesQuestion, NumberQuestion, graph_text
from .question_text import bug_words, list_names, off_words
from .random_graphs import Lot, draw_graph

__all__ = ["DataQuestion", "draw", "write"]

# What an op is taken for: another op, or the same with its operands the other way round.
TAKEN_FOR = {
    "mul": (("add", False),),
    "add": (("mul", False), ("sub", False)),
    "sub": (("sub", True), ("add", False)),
    "div": (("div", True), ("mul", False)),
}


@dataclass(frozen=True)
class DataQuestion(NodesQuestion, NumberQuestion):
    """What are these nodes worth?"""

    @property
    def truths(self) -> Mapping[str, float]:
        return {blank: self._right.values[i] for blank, i in self._blanks.items()}

    def prompt(self) -> Prompt:
        key = "question.data" if len(self.nodes) > 1 else "question.data.one"
        text = say(key, names=list_names(self._blanks))
        return Prompt((text,), graph_text(self.subject), blanks=tuple(self._blanks), example=self.example)

    def explain(self, typed: Mapping[str, TypedNumber], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        graph, right = self.subject, self._right
        given = {self._blanks[blank]: each.value for blank, each in typed.items()}
        for suspect, values in self._broken():
            if all(same(values[i], x) for i, x in given.items()):
                return (say("question.fault", bug=bug_words(suspect, graph)),), suspect.fault.slug
        for i, other in self._misread():
            if all(same(other.evaluate()[node], x) for node, x in given.items()):
                about = {"right": _made(graph, i), "wrong": _made(other, i)}
                return (say("question.slip.recipe", **about),), ""
        blank = off[0]
        i, x = self._blanks[blank], typed[blank].value
        if same(x, right.grads[i]):
            return (say("question.slip.grad", name=f"`{blank}`"),), ""
        if same(x, -right.values[i]):
            return (say("question.slip.sign", names=f"`{blank}`"),), ""
        for node, value in enumerate(right.values):
            if graph.nodes[node].args and node != i and same(x, value):
                return (say("question.slip.other", name=f"`{blank}`", other=f"`{name(graph, node)}`"),), ""
        return off_words(off, typed, say("question.hint.data", made=_made(graph, i))), ""

    def _broken(self) -> Iterator[tuple[Suspect, Sequence[float]]]:
        """The faults of the catalogue that change a value."""
        for suspect in lineup(self.subject).suspects:
            pieces = suspect.pieces()
            if pieces.forward is not RIGHT.forward:
                yield suspect, pieces.forward(self.subject, {})

    def _misread(self) -> Iterator[tuple[int, Graph]]:
        """The graph with one op taken for another."""
        nodes = self.subject.nodes
        for i, node in enumerate(nodes):
            for op, turned in TAKEN_FOR.get(node.op, ()):
                other = node._replace(op=op, args=node.args[::-1] if turned else node.args)
                yield i, Graph([*nodes[:i], other, *nodes[i + 1 :]], self.subject.output)

    def reveal(self) -> tuple[str, ...]:
        graph, right = self.subject, self._right
        return tuple(
            f"`{name(graph, i)} = {recipe(graph, i)} = {substituted(right, i)} = {show(right.values[i])}`"
            for i, node in enumerate(graph.nodes)
            if node.args and i <= max(self.nodes)
        )

    def mistaken_answers(self) -> Iterator[Answer]:
        for _, values in self._broken():
            yield self._answer(values)
        for _, other in self._misread():
            yield self._answer(other.evaluate())
        yield self._answer(self._right.grads)

    def _answer(self, values: Sequence[float]) -> Answer:
        return {blank: number_text(values[i]) for blank, i in self._blanks.items()}


def _made(graph: Graph, i: int) -> str:
    return f"`{name(graph, i)} = {recipe(graph, i)}`"


def write(head: QuestionHead, graph: Graph, given: Parameters) -> DataQuestion:
    """One that a lesson writes about the graph on stage."""
    return DataQuestion(head, graph, given.nodes("about") or (graph.output,))


def draw(head: QuestionHead, lot: Lot, level: int) -> DataQuestion:
    """One drawn by lot."""
    graph = draw_graph(lot, level)
    return DataQuestion(head, graph, (graph.output,))
