"""A question: what is asked, how an answer is judged, and what is revealed.

A question is plain data and a function of its key, so that progress, sheets and pages keep keys alone:
`question("diamonds/lost-branch")` is one that a lesson writes, `question("gradient:2:17")` one that is
generated: its kind, its level and its seed.  What is right is computed by the engine each time; no answer is
written down anywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ...graph import Graph

__all__ = ["Answer", "Choice", "Judgement", "Prompt", "Question"]

# The blanks of the prompt, and what was typed into each; a choice is {"choice": "B"}.
Answer = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several answers."""

    letter: str  # A, B, C ...
    words: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked, in the language in use; texts have the marks of a lesson (see lesson.py)."""

    paragraphs: tuple[str, ...]
    statements: str = ""  # a graph in our language, shown as code
    table: tuple[tuple[str, ...], ...] = ()  # numbers that are given: the head, then the rows
    blanks: tuple[str, ...] = ()  # what is to be filled in: names of nodes, or "choice", or "expression"
    choices: tuple[Choice, ...] = ()  # where the one blank is "choice"
    example: str = ""  # how an answer is written, such as a=1 b=-2 or tanh(x)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is said about an answer."""

    right: bool
    words: tuple[str, ...]  # sentences; of a wrong answer, the mistake that it comes from where there is one
    fault: str = ""  # the slug of the fault that forensics names
    read: bool = True  # False for what could not be read as an answer, which is no try


class Question(Protocol):
    """One question of any kind; the classes are the files beside this one."""

    @property
    def key(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def unit(self) -> str:
        """The slug of the unit that it belongs to."""
        ...

    @property
    def graph(self) -> Graph | None:
        """What may be drawn beside it; None where the drawing would give the answer away."""
        ...

    def ask(self) -> Prompt: ...

    def judge(self, answer: Answer) -> Judgement: ...

    def reveal(self) -> tuple[str, ...]:
        """The right answer with its reason, in sentences."""
        ...

    @property
    def solution(self) -> Answer:
        """The right answer, as it would be typed."""
        ...

    def anticipated(self) -> list[tuple[Answer, Judgement]]:
        """Wrong answers that single known mistakes lead to, each with what is said about it."""
        ...
