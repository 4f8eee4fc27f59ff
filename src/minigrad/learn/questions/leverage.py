"""Question kind `leverage`: the input that moves the output most, and which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...graph import Graph
from ...graph.trace import Trace
from ...graph.wording import name
from ...text.numerals import show
from ...text.translation import say
from .mistakes import same
from .parameters import Parameters
from .question import Prompt, QuestionHead
from .question_bases import ChoiceQuestion, GraphQuestion, graph_text
from .random_graphs import Lot, draw_graph

__all__ = ["LeverageQuestion", "draw", "write"]

UP, DOWN = 0, 1
THREE = {1: 0.0, 2: 0.15, 3: 0.6}  # how often there are three inputs, by level


@dataclass(frozen=True)
class LeverageQuestion(GraphQuestion, ChoiceQuestion):
    """Which input moves the output most, and which way?"""

    @property
    def _output(self) -> str:
        return f"`{name(self.subject, self.subject.output)}`"

    def _meant(self, place: int) -> tuple[int, int]:
        """The input and the way that a choice names."""
        return self.subject.inputs[place // 2], place % 2

    @property
    def options(self) -> Sequence[str]:
        found = []
        for i in self.subject.inputs:
            about = {"input": f"`{name(self.subject, i)}`", "output": self._output}
            found += [say("question.leverage.up", **about), say("question.leverage.down", **about)]
        return found

    @property
    def right(self) -> int:
        grads, inputs = self._right.grads, self.subject.inputs
        place = max(range(len(inputs)), key=lambda at: abs(grads[inputs[at]]))
        return 2 * place + (UP if grads[inputs[place]] > 0.0 else DOWN)

    @property
    def clear(self) -> bool:
        """Is there one that moves it most?"""
        sizes = sorted((abs(self._right.grads[i]) for i in self.subject.inputs), reverse=True)
        return 1 < len(sizes) <= 4 and sizes[0] > 0.0 and not same(sizes[0], sizes[1])

    def prompt(self) -> Prompt:
        return Prompt(
            (say("question.leverage", output=self._output),),
            statements=graph_text(self.subject),
            blanks=("choice",),
            choices=self.choices,
            example="A",
        )

    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        graph, grads = self.subject, self._right.grads
        i, way = self._meant(place)
        about = {"input": f"`{name(graph, i)}`", "output": self._output}
        if i == self._meant(self.right)[0]:
            return (say("question.leverage.sign", **about),), ""
        sentences = [say("question.leverage.less", **about)]
        if (grads[i] > 0.0) != (way == UP):
            sentences.append(say("question.leverage.sign_too", **about))
        elif abs(self._right.values[i]) == max(abs(self._right.values[j]) for j in graph.inputs):
            sentences.append(say("question.leverage.data", **about))
        return tuple(sentences), ""

    def reveal(self) -> tuple[str, ...]:
        graph, grads = self.subject, self._right.grads
        numbers = ", ".join(f"{name(graph, i)}: {show(grads[i])}" for i in graph.inputs)
        return (
            f"{self.choices[self.right].letter}: {self.options[self.right]}",
            say("question.reveal.leverage", numbers=f"`{numbers}`"),
        )


def write(head: QuestionHead, graph: Graph, given: Parameters) -> LeverageQuestion:
    """One that a lesson writes about the graph on stage."""
    question = LeverageQuestion(head, graph)
    if not question.clear:
        raise ValueError(say("question.leverage.tie"))
    return question


def draw(head: QuestionHead, lot: Lot, level: int) -> LeverageQuestion:
    """One drawn by lot: first which answer is to be right, then a graph in which it is."""
    if not lot.even:
        return LeverageQuestion(head, draw_graph(lot, level))
    count = 3 if lot.chance(THREE[level]) else 2
    right = lot.below(2 * count)

    def suits(graph: Graph, _: Trace) -> bool:
        return len(graph.inputs) == count and LeverageQuestion(head, graph).right == right

    return LeverageQuestion(head, draw_graph(lot, level, suits=suits))
