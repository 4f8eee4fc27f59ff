"""Parts of a lesson: a unit is a title, an idea and blocks, in one language, with its numbers in it.

The files in `lessons/` are read by `lesson_reader.py`, their numbers are computed by `lesson_renderer.py`,
and four files turn blocks into something to look at: `lesson_text.py` for a terminal, `lesson_html.py` for
pages, `lesson_markdown.py` and `lesson_notebook.py`.  None of them computes a number.

The text of a block has four marks: `code`, **strong**, *emphasis* and [words](address).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..faults.break_lab import Lab
    from ..graph.trace import Trace
    from .questions import Question

__all__ = [
    "LESSONS",
    "SLUGS",
    "Block",
    "Code",
    "Heading",
    "Items",
    "LabWork",
    "LessonCheckpoint",
    "LessonGuess",
    "Paragraph",
    "Picture",
    "Stage",
    "Table",
    "Unit",
    "aftermath",
    "answers_of_guesses",
]

LESSONS = Path(__file__).parent / "lessons"
SLUGS = tuple(path.stem[3:] for path in sorted((LESSONS / "en").glob("*.md")))  # of 04-diamonds.md: diamonds


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text of one paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class LessonGuess(Paragraph):
    """A question about what comes next, up to the next heading, which is shown once something was answered.

    Nothing is judged or kept: what follows is the answer.
    """


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a unit."""

    text: str
    level: int = 2  # 1 is the title of the unit


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; every row has as many cells as the head."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """Something to type, and what it prints: python is run, so is each `$ minigrad ...` of console."""

    language: str  # "python", "console", "text"
    text: str
    output: str = ""
    run: bool = True  # False: it is shown only, because it takes long or never ends


@dataclass(frozen=True, slots=True)
class Stage:
    """The graph that the blocks below are about, as a text of our language with its inputs."""

    text: str
    trace: Trace = field(repr=False)
    asked: bool = False  # the questions that follow at once are about it: nothing computed is shown with it


@dataclass(frozen=True, slots=True)
class Picture:
    """One view of the graph on stage: a drawing where there is a page, text in a terminal."""

    view: str  # one of explain.TEXTS or drawing.DRAWINGS
    node: str  # of a ledger; "" otherwise
    trace: Trace = field(repr=False)
    caption: str = ""


@dataclass(frozen=True, slots=True)
class LabWork:
    """A bug put into the pass over the graph on stage: the change, a prediction, what comes of it."""

    lab: Lab = field(repr=False)
    lead: str = ""  # what to predict, in the lesson's own words


@dataclass(frozen=True, slots=True)
class LessonCheckpoint:
    """Predict first, then reveal."""

    questions: tuple[Question, ...]


Block = Paragraph | Heading | Items | Table | Code | Stage | Picture | LabWork | LessonCheckpoint


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit in one language, ready to be read."""

    number: int  # from 1
    slug: str  # "diamonds": its name on the command line and in addresses
    language: str
    title: str
    idea: str  # one sentence
    minutes: int  # of reading
    blocks: tuple[Block, ...]


def aftermath(unit: Unit) -> frozenset[int]:
    """The places of the blocks that talk about what came out of a lab: from it to the next heading.

    A page shows them with the outcome, so that nobody reads it before predicting it.
    """
    return _behind(unit, LabWork)


def answers_of_guesses(unit: Unit) -> frozenset[int]:
    """The places of the blocks that answer a guess: up to the next one, a heading or a lab."""
    return _behind(unit, LessonGuess)


def _behind(unit: Unit, kind: type[LabWork | LessonGuess]) -> frozenset[int]:
    found, told = set(), False
    for place, block in enumerate(unit.blocks):
        told = told and not isinstance(block, (Heading, LessonCheckpoint, LabWork, LessonGuess))
        if told:
            found.add(place)
        told = told or isinstance(block, kind)
    return frozenset(found)
