"""The course: units, each a lesson file per language, read and filled when somebody asks for it.

    unit("diamonds"), unit(4), unit("dia")      # in the language in use, or unit("diamonds", "es")
    titles()                                    # what there is, without computing anything

A unit is computed once per language and process; the questions that are generated depend on a seed.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..text.escape import printable
from ..text.translation import language, say, speaking
from .lesson import LESSONS, SLUGS, Block, LessonCheckpoint, Unit
from .lesson_reader import LessonSource, read
from .lesson_renderer import Maker, PendingCheckpoint, fill_blocks, fill_questions
from .questions import Question

__all__ = ["LESSONS", "SLUGS", "file_of", "number_of", "questions", "source", "titles", "unit"]


def number_of(which: str | int) -> int:
    """The number of a unit: from its number, its slug or title, or the beginning of one; else ValueError."""
    wish = str(which).strip().lower()
    if wish.isdecimal() and len(wish) < 3 and 1 <= int(wish) <= len(SLUGS):
        return int(wish)
    called = [(slug, title.lower()) for _, slug, title, *_ in titles()] if wish else []
    found = [slug for slug, title in called if slug.startswith(wish) or title.startswith(wish)]
    if wish in SLUGS:
        found = [wish]
    given, known = repr(printable(str(which))), ", ".join(found or SLUGS)
    if len(found) > 1:
        raise ValueError(say("course.several", given=given, known=known))
    if not found:
        raise ValueError(say("course.unknown", given=given, known=known, count=len(SLUGS)))
    return SLUGS.index(found[0]) + 1


def file_of(number: int, lang: str) -> Path:
    """Where a unit stands in a language."""
    return LESSONS / lang / f"{number:02}-{SLUGS[number - 1]}.md"


@cache
def source(number: int, lang: str) -> LessonSource:
    """A lesson as it was written."""
    return read(file_of(number, lang))


def titles(lang: str | None = None) -> list[tuple[int, str, str, str, int]]:
    """Number, slug, title, idea and minutes of each unit."""
    lang = lang or language()
    return [
        (number, slug, found.title, found.idea, found.minutes)
        for number, slug in enumerate(SLUGS, 1)
        for found in (source(number, lang),)
    ]


def unit(which: str | int, lang: str | None = None, seed: int = 0) -> Unit:
    """One unit with its numbers in it; `seed` is the learner's, for the questions that are generated."""
    lang, number = lang or language(), number_of(which)
    with speaking(lang):
        written, blocks = source(number, lang), _blocks(number, lang)
        shown = tuple(
            _asked(block, seed) if isinstance(block, PendingCheckpoint) else block for block in blocks
        )
    return Unit(number, SLUGS[number - 1], lang, written.title, written.idea, written.minutes, shown)


def questions(which: str | int, lang: str | None = None, seed: int = 0) -> tuple[Question, ...]:
    """The questions of a unit, without running its code or its labs."""
    lang, number = lang or language(), number_of(which)
    with speaking(lang):
        return tuple(maker(seed) for maker in _makers(number, lang))


@cache
def _blocks(number: int, lang: str) -> tuple[Block | PendingCheckpoint, ...]:
    return fill_blocks(source(number, lang), number, SLUGS[number - 1])


@cache
def _makers(number: int, lang: str) -> tuple[Maker, ...]:
    return fill_questions(source(number, lang), number, SLUGS[number - 1])


def _asked(pending: PendingCheckpoint, seed: int) -> LessonCheckpoint:
    return LessonCheckpoint(tuple(maker(seed) for maker in pending.makers))
