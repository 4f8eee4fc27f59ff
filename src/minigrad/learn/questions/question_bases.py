"""What all questions share: a head with the key, and those whose answer is numbers or one letter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from re import sub

from ...graph import Graph
from ...graph.trace import Trace, trace
from ...language import write
from ...text.translation import say
from .number_parser import Typed, UnreadableError, read_all, shown
from .question import Answer, Choice, Judgement, Prompt
from .question_text import coded

__all__ = ["Asked", "Choosing", "Head", "NumberQuestion", "OnGraph", "OnNodes", "graph_text", "unreadable"]

LETTERS = "ABCDEFGH"  # capitals: nodes are called a, b and c


@dataclass(frozen=True, slots=True)
class Head:
    """Who a question is."""

    key: str
    kind: str
    unit: str
    lead: str = ""  # a paragraph of the lesson in front of the question


@dataclass(frozen=True)
class Asked(ABC):
    """A question of any kind."""

    head: Head

    @property
    def key(self) -> str:
        return self.head.key

    @property
    def kind(self) -> str:
        return self.head.kind

    @property
    def unit(self) -> str:
        return self.head.unit

    @property
    def graph(self) -> Graph | None:
        """What may be drawn beside it."""
        return None

    def ask(self) -> Prompt:
        prompt = self.prompt()
        if not self.head.lead:
            return prompt
        return replace(prompt, paragraphs=(self.head.lead, *prompt.paragraphs))

    @abstractmethod
    def prompt(self) -> Prompt: ...

    @abstractmethod
    def judge(self, answer: Answer) -> Judgement: ...

    @property
    @abstractmethod
    def solution(self) -> Answer: ...

    @abstractmethod
    def mistaken(self) -> Iterator[Answer]:
        """Answers that single known mistakes lead to, the likeliest first; some may be right after all."""

    def anticipated(self) -> list[tuple[Answer, Judgement]]:
        found: dict[tuple[tuple[str, str], ...], tuple[Answer, Judgement]] = {}
        for answer in self.mistaken():
            spot = tuple(sorted(answer.items()))
            if spot not in found:
                judgement = self.judge(answer)
                if judgement.read and not judgement.right:
                    found[spot] = answer, judgement
        return list(found.values())


@dataclass(frozen=True)
class OnGraph(Asked):
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
class OnNodes(OnGraph):
    """A question about some nodes of a graph, with a blank for each."""

    nodes: tuple[int, ...]

    @property
    def _blanks(self) -> dict[str, int]:
        return {self.subject.names[i]: i for i in self.nodes}


def unreadable(error: UnreadableError) -> Judgement:
    """What is said about something that is no answer: no try."""
    return Judgement(False, tuple(str(error).split("\n")), read=False)


def graph_text(graph: Graph) -> str:
    """A graph as code: its inputs on one line, and then a statement per line; 2.0 is written 2."""
    lines = sub(r"(?<=\d)\.0\b", "", write(graph)).split("\n")
    count = len(graph.inputs)
    return "\n".join(["; ".join(lines[:count]), *lines[count:]])


# ---- numbers ------------------------------------------------------------------------------------


class NumberQuestion(Asked):
    """A question whose blanks are numbers."""

    @property
    @abstractmethod
    def truths(self) -> Mapping[str, float]:
        """The right number for each blank."""

    @abstractmethod
    def explained(self, typed: Mapping[str, Typed], off: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """What a wrong answer comes from, and the fault that it is; `off` are the blanks that are wrong."""

    @property
    def solution(self) -> Answer:
        return {name: shown(x) for name, x in self.truths.items()}

    @property
    def example(self) -> str:
        """How an answer is written, with numbers of which none is right."""
        shapes = (1, -2, 0.5)
        texts = []
        for place, (name, truth) in enumerate(self.truths.items()):
            number = next(x for x in (*shapes[place % 3 :], 3, 4) if x != truth)
            texts.append(f"{name}={number}")
        return " ".join(texts)

    def judge(self, answer: Answer) -> Judgement:
        try:
            typed = read_all(answer, self.truths)
            off = [name for name, truth in self.truths.items() if not typed[name].means(truth)]
        except UnreadableError as error:
            return unreadable(error)
        notes = tuple(dict.fromkeys(each.note for each in typed.values() if each.note))
        if not off:
            return Judgement(True, (say("question.right"), *notes))
        words, fault = self.explained(typed, off)
        return Judgement(False, (*notes, *words), fault)


# ---- choices ------------------------------------------------------------------------------------


class Choosing(Asked):
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
        """What is said about a wrong choice, and the fault that it is about."""

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
            sentence = say("question.typed.choice", letters=", ".join(letters), given=coded(given))
            return Judgement(False, (sentence,), read=False)
        place = letters.index(letter)
        if place == self.right:
            return Judgement(True, (say("question.right"),))
        words, fault = self.why_not(place)
        return Judgement(False, words, fault)

    def mistaken(self) -> Iterator[Answer]:
        for place in range(len(self.options)):
            if place != self.right:
                yield {"choice": LETTERS[place]}
