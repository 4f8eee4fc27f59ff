"""Question kind `difference`: the central difference, from values that are given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...graph import Graph
from ...graph.trace import Trace, trace
from ...graph.wording import name
from ...text.numerals import show
from ...text.translation import say
from .mistakes import same
from .number_parser import TypedNumber, number_text
from .parameters import Parameters
from .question import Answer, Prompt, QuestionHead
from .question_bases import GraphQuestion, NumberQuestion, graph_text
from .random_graphs import BACK, Lot, draw_graph

__all__ = ["DifferenceQuestion", "draw", "write"]

STEPS = {1: (1.0, 0.1), 2: (0.1, 0.25), 3: (0.01, 0.1)}  # not a half: divided by 1, nobody would notice
DIGITS = 12
LONGEST = 10  # characters of a number that is worked with by hand


@dataclass(frozen=True)
class DifferenceQuestion(GraphQuestion, NumberQuestion):
    """What is the central difference of these values?"""

    about: int
    step: float

    @property
    def _blank(self) -> str:
        return self.subject.names[self.about]

    def _there(self, step: float) -> float:
        """The output with the input moved, as it is shown."""
        x = self.subject.nodes[self.about].data or 0.0
        value = self.subject.evaluate(inputs={self._blank: x + step})[self.subject.output]
        return float(show(value, DIGITS))

    @cached_property
    def _three(self) -> tuple[float, float, float]:
        return self._there(-self.step), self._there(0.0), self._there(self.step)

    @property
    def truths(self) -> Mapping[str, float]:
        low, _, high = self._three
        return {self._blank: float(show((high - low) / (2.0 * self.step), DIGITS))}

    def prompt(self) -> Prompt:
        graph = self.subject
        x = graph.nodes[self.about].data or 0.0
        output = name(graph, graph.output)
        text = say(
            "question.difference", about=f"`{self._blank}`", output=f"`{output}`", step=f"`{show(self.step)}`"
        )
        table = [(f"`{self._blank}`", f"`{output}`")]
        for step, value in zip((-self.step, 0.0, self.step), self._three, strict=True):
            table.append((show(x + step, DIGITS), show(value, DIGITS)))
        return Prompt(
            (text,), graph_text(graph), table=tuple(table), blanks=(self._blank,), example=self.example
        )

    def _slips(self) -> Iterator[tuple[str, float]]:
        low, middle, high = self._three
        rise = high - low
        yield "question.slip.rise", rise
        yield "question.slip.half_step", rise / self.step
        yield "question.slip.backwards", -rise / (2.0 * self.step)
        yield "question.slip.one_side", (high - middle) / self.step
        yield "question.slip.one_side", (middle - low) / self.step
        yield "question.slip.times_step", rise * 2.0 * self.step
        yield "question.slip.upside_down", 2.0 * self.step / rise if rise else 0.0
        yield "question.slip.value", middle

    def explain(self, typed: Mapping[str, TypedNumber], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        x = typed[self._blank].value
        for key, value in self._slips():
            if same(value, x):
                return (say(key, step=f"`{show(self.step)}`"),), ""
        return (say("question.hint.difference", about=f"`{self._blank}`"),), ""

    def reveal(self) -> tuple[str, ...]:
        low, _, high = self._three
        below = f"({show(low, DIGITS)})" if low < 0.0 else show(low, DIGITS)
        made = f"({show(high, DIGITS)} - {below}) / (2 * {show(self.step)})"
        worth = f"`{made} = {show(self.truths[self._blank])}`"
        slope = show(trace(self.subject).grads[self.about])
        return (
            say("question.reveal.difference", made=worth),
            say("question.reveal.slope", about=f"`{self._blank}`", grad=f"`{slope}`"),
        )

    def mistaken_answers(self) -> Iterator[Answer]:
        for _, value in self._slips():
            yield {self._blank: number_text(float(show(value, DIGITS)))}


def write(head: QuestionHead, graph: Graph, given: Parameters) -> DifferenceQuestion:
    """One that a lesson writes about the graph on stage."""
    about, step = given.node("about"), given.number("h", "0.001")
    if about not in graph.inputs or not 0.0 < step < 1e6:
        raise ValueError(say("question.difference.bad", about=name(graph, about), step=show(step)))
    return DifferenceQuestion(head, graph, about, step)


def draw(head: QuestionHead, lot: Lot, level: int) -> DifferenceQuestion:
    """One drawn by lot."""
    step = lot.pick(STEPS[level])
    found: list[DifferenceQuestion] = []

    def suits(graph: Graph, right: Trace) -> bool:
        """An input of which the output is a line or a parabola: there the difference is the slope."""
        found.clear()
        for about in lot.shuffled(graph.inputs):
            each = DifferenceQuestion(head, graph, about, step)
            if each._blank == BACK:
                continue
            short = all(len(show(x, DIGITS)) <= LONGEST for x in each._three)
            if short and same(each.truths[each._blank], right.grads[about]):
                values = [value for key, value in each._slips() if "one_side" not in key]
                if not any(same(value, right.grads[about]) for value in values):
                    found.append(each)
        return bool(found)

    draw_graph(lot, level, suits=suits)
    return found[0]
