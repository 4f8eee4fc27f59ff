"""Base classes of questions: about a graph, about nodes, answered by numbers, answered by a letter."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from re import sub

from ...graph import Graph
from ...graph.trace import Trace, trace
from ...language import write
from ...text.translation import say
from .number_parser import TypedNumber, UnreadableError, number_text, read_numbers
from .question import Answer, Choice, Judgement, Question
from .question_text import as_code

__all__ = [
    "ChoiceQuestion",
    "GraphQuestion",
    "NodesQuestion",
    "NumberQuestion",
    "graph_text",
    "unreadable_judgement",
]

LETTERS = "ABCDEFGH"  # capitals: nodes are called a, b and c


@dataclass(frozen=True)
class GraphQuestion(Question):
    """A question about one graph, which may be drawn beside it."""

    subject: Graph

    @property
    def graph(self) -> Graph:
        return self.subject

    @cached_property
    def _right(self) -> Trace:
        """The pass as it should be."""
        return trace(self.subject)


@dataclass(frozen=True)
class NodesQuestion(GraphQuestion):
    """A question about some nodes of a graph, with a blank for each."""

    nodes: tuple[int, ...]

    @property
    def _blanks(self) -> dict[str, int]:
        return {self.subject.names[i]: i for i in self.nodes}


def unreadable_judgement(error: UnreadableError) -> Judgement:
    """The judgement of something that is no answer, which is no try."""
    return Judgement(False, tuple(str(error).split("\n")), read=False)


def graph_text(graph: Graph) -> str:
    """A graph as code: its inputs on one line, and then a statement per line; 2.0 is written 2."""
    lines = sub(r"(?<=\d)\.0\b", "", write(graph)).split("\n")
    count = len(graph.inputs)
    return "\n".join(["; ".join(lines[:count]), *lines[count:]])


# ---- numbers ------------------------------------------------------------------------------------


class NumberQuestion(Question):
    """A question whose blanks are numbers."""

    @property
    @abstractmethod
    def truths(self) -> Mapping[str, float]:
        """The right number for each blank."""

    @abstractmethod
    def explain(self, typed: Mapping[str, TypedNumber], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """Sentences about a wrong answer, and the slug of its fault; `off` are the wrong blanks."""

    @property
    def solution(self) -> Answer:
        return {name: number_text(x) for name, x in self.truths.items()}

    @property
    def example(self) -> str:
        """An example of an answer, in which no number is right."""
        shapes = (1, -2, 0.5)
        texts = []
        for place, (name, truth) in enumerate(self.truths.items()):
            number = next(x for x in (*shapes[place % 3 :], 3, 4) if x != truth)
            texts.append(f"{name}={number}")
        return " ".join(texts)

    def judge(self, answer: Answer) -> Judgement:
        try:
            typed = read_numbers(answer, self.truths)
            off = [name for name, truth in self.truths.items() if not typed[name].means(truth)]
        except UnreadableError as error:
            return unreadable_judgement(error)
        notes = tuple(dict.fromkeys(each.note for each in typed.values() if each.note))
        if not off:
            return Judgement(True, (say("question.right"), *notes))
        words, fault = self.explain(typed, off)
        return Judgement(False, (*notes, *words), fault)


# ---- choices ------------------------------------------------------------------------------------


class ChoiceQuestion(Question):
    """A question whose one blank is a letter."""

    @property
    @abstractmethod
    def options(self) -> Sequence[str]:
        """The choices in words, in the order of their letters."""

    @property
    @abstractmethod
    def right(self) -> int:
        """The place of the right one."""

    @abstractmethod
    def why_not(self, place: int) -> tuple[tuple[str, ...], str]:
        """Sentences about a wrong choice, and the slug of the fault that it is about."""

    @property
    def choices(self) -> tuple[Choice, ...]:
        return tuple(Choice(LETTERS[place], words) for place, words in enumerate(self.options))

    @property
    def solution(self) -> Answer:
        return {"choice": LETTERS[self.right]}

    def judge(self, answer: Answer) -> Judgement:
        letters = LETTERS[: len(self.options)]
        given = answer.get("choice", "").strip().strip(".()")
        letter = given.upper()
        if len(letter) != 1 or letter not in letters:
            sentence = say("question.typed.choice", letters=", ".join(letters), given=as_code(given))
            return Judgement(False, (sentence,), read=False)
        place = letters.index(letter)
        if place == self.right:
            return Judgement(True, (say("question.right"),))
        words, fault = self.why_not(place)
        return Judgement(False, words, fault)

    def mistaken_answers(self) -> Iterator[Answer]:
        for place in range(len(self.options)):
            if place != self.right:
                yield {"choice": LETTERS[place]}
