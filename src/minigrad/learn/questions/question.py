"""Base class of all questions: the prompt, the judging of an answer, and the solution.

A question is plain data and a function of its key, so that progress, sheets and pages keep keys alone:
`question("diamonds/lost-branch")` is one that a lesson writes, `question("gradient:2:17")` one that is
generated: its kind, its level and its seed.  What is right is computed by the engine each time; no answer is
written down anywhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ...graph import Graph

__all__ = ["Answer", "Choice", "Judgement", "Prompt", "Question", "QuestionHead"]

# The blanks of the prompt, and what was typed into each; a choice is {"choice": "B"}.
Answer = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers."""

    letter: str  # A, B, C ...
    words: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The text of a question, in the language in use; texts have the marks of a lesson (see lesson.py)."""

    paragraphs: tuple[str, ...]
    statements: str = ""  # a graph in our language, shown as code
    table: tuple[tuple[str, ...], ...] = ()  # numbers that are given: the head, then the rows
    blanks: tuple[str, ...] = ()  # what is to be filled in: names of nodes, or "choice", or "expression"
    choices: tuple[Choice, ...] = ()  # where the one blank is "choice"
    example: str = ""  # how an answer is written, such as a=1 b=-2 or tanh(x)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of an answer."""

    right: bool
    words: tuple[str, ...]  # sentences; of a wrong answer, the mistake that it comes from where there is one
    fault: str = ""  # the slug of the fault that forensics names
    read: bool = True  # False for what could not be read as an answer, which is no try


@dataclass(frozen=True, slots=True)
class QuestionHead:
    """The identity of a question, and the lesson's paragraph in front of it."""

    key: str
    kind: str
    unit: str  # the slug of the unit that it belongs to
    lead: str = ""


@dataclass(frozen=True)
class Question(ABC):
    """A question of any kind; question_bases.py has what several kinds share."""

    head: QuestionHead

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
        """The graph to draw beside it; None where the drawing would give the answer away."""
        return None

    def ask(self) -> Prompt:
        """The prompt, with the lesson's paragraph in front."""
        prompt = self.prompt()
        if not self.head.lead:
            return prompt
        return replace(prompt, paragraphs=(self.head.lead, *prompt.paragraphs))

    @abstractmethod
    def prompt(self) -> Prompt:
        """The prompt of the question itself."""

    @abstractmethod
    def judge(self, answer: Answer) -> Judgement: ...

    @abstractmethod
    def reveal(self) -> tuple[str, ...]:
        """The right answer with its reason, in sentences."""

    @property
    @abstractmethod
    def solution(self) -> Answer:
        """The right answer, as it would be typed."""

    @abstractmethod
    def mistaken_answers(self) -> Iterator[Answer]:
        """Answers that single known mistakes lead to, the likeliest first; some may be right after all."""

    def anticipated_mistakes(self) -> list[tuple[Answer, Judgement]]:
        """The mistaken answers that are wrong, each with what is said about it."""
        found: dict[tuple[tuple[str, str], ...], tuple[Answer, Judgement]] = {}
        for answer in self.mistaken_answers():
            spot = tuple(sorted(answer.items()))
            if spot not in found:
                judgement = self.judge(answer)
                if judgement.read and not judgement.right:
                    found[spot] = answer, judgement
        return list(found.values())
