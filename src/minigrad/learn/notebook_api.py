"""Questions for a notebook or a script: shown when they are looked at, judged when they are answered.

What comes back can be printed, and a notebook shows it in its own way.  `...` is a blank that is not filled
in yet, so that a notebook runs from top to bottom before anybody has answered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..drawing import DRAWINGS
from ..explanation.explanation import TEXTS, Explanation, explain, unknown_view
from ..language import parse
from ..text.excerpts import describe
from ..text.page import Page
from ..text.translation import language, say, speaking
from . import questions
from .inline_marks import plain
from .lesson import Picture
from .lesson_context import printed_by
from .lesson_html import inline, prompt_html
from .lesson_text import lines, prompt_lines
from .questions import Question

if TYPE_CHECKING:
    from ..graph import Graph
    from ..scalar import Value

__all__ = ["Feedback", "NotebookQuestion", "check", "command", "exercise", "picture", "question", "reveal"]


@dataclass(frozen=True)
class NotebookQuestion:
    """A question as a notebook has it."""

    question: Question
    language: str

    @property
    def blanks(self) -> tuple[str, ...]:
        """What is to be filled in."""
        return self.question.ask().blanks

    def __str__(self) -> str:
        with speaking(self.language):
            return "\n".join(prompt_lines(self.question.ask(), Page()))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        with speaking(self.language):
            return prompt_html(self.question.ask())


@dataclass(frozen=True)
class Feedback:
    """Sentences about an answer; `right` is None where nothing was judged."""

    words: tuple[str, ...]
    right: bool | None = None

    def __bool__(self) -> bool:
        return bool(self.right)

    def __str__(self) -> str:
        return "\n".join(line for text in self.words for line in Page().wrap(plain(text), ""))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return "".join(f"<p>{inline(text)}</p>\n" for text in self.words)


@dataclass(frozen=True)
class NotebookPicture:
    """A picture: drawn where there is a page, described in text where there is none."""

    drawn: str
    told: str

    def __str__(self) -> str:
        return self.told

    __repr__ = __str__

    def _repr_svg_(self) -> str | None:
        return self.drawn or None  # IPython takes the text then


def question(key: str) -> NotebookQuestion:
    """A question by its key; ValueError for one that there is not."""
    return NotebookQuestion(questions.question(key), language())


def exercise(text: str) -> NotebookQuestion:
    """A graph of your own as a question: what are the gradients of its inputs?"""
    return NotebookQuestion(
        questions.lesson_question("by-hand", "gradient", "exercise", parse(text), {}), language()
    )


def _question_of(given: object) -> NotebookQuestion:
    if isinstance(given, NotebookQuestion):
        return given
    if isinstance(given, str):
        return question(given)
    raise TypeError(say("course.ask.type", given=describe(given)))


def check(asked: NotebookQuestion | str, /, *answer: object, **named: object) -> Feedback:
    """Judge an answer: check(q, a=4, b=-4), check(q, "B") for a choice, check(q, "1 - y**2") for a rule."""
    found = _question_of(asked)
    with speaking(found.language):
        blanks = found.blanks
        given = {**dict(zip(blanks, answer, strict=False)), **named}
        if len(answer) > len(blanks) or set(given) - set(blanks):
            raise TypeError(say("course.ask.blanks", blanks=", ".join(blanks)))
        empty = [blank for blank in blanks if given.get(blank, ...) is ...]
        if empty:
            return Feedback((say("course.ask.empty", blanks=", ".join(empty)),))
        judged = found.question.judge({blank: str(given[blank]) for blank in blanks})
        return Feedback(judged.words, judged.right if judged.read else None)


def reveal(asked: NotebookQuestion | str, /) -> Feedback:
    """The right answer, with its reason."""
    found = _question_of(asked)
    with speaking(found.language):
        return Feedback(found.question.reveal())


def picture(
    subject: Explanation | Graph | Value | str, view: str = "graph", node: str = ""
) -> NotebookPicture:
    """One view of what can be explained: a drawing such as river, or a text such as walk."""
    explanation = subject if isinstance(subject, Explanation) else explain(subject)
    if view not in (*DRAWINGS, *TEXTS):
        raise ValueError(unknown_view(view))
    block = Picture(view, node, explanation.trace)
    drawn = explanation.to_svg(view, node=node) if view in DRAWINGS else ""
    return NotebookPicture(drawn, "\n".join(lines(block, Page())))


def command(line: str) -> None:
    """Run a command of minigrad, as a terminal would, and print what it prints."""
    print(printed_by(line), end="")
