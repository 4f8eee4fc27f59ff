"""Screens of a unit: a section begins a new one, and what belongs together stays together.

A line that a narrow terminal breaks counts as the lines that it takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..text.translation import say
from .lesson import Heading, LabWork, LessonCheckpoint, LessonGuess, Paragraph, Stage, Unit
from .lesson_text import lines as block_lines
from .lesson_text import prompt_lines

if TYPE_CHECKING:
    from .questions import Question
    from .terminal_question import Dialogue

__all__ = ["ScreenPart", "askable", "cut", "parts", "room", "tall"]

ROWS = 200  # lines of the largest screen that is filled evenly
AROUND = 3  # lines about a question: its number, the keys, and what parts them
ENDLESS = 1 << 30  # lines of something that nobody leafs through
_COLOUR = re.compile(r"\x1b\[\d+m")


@dataclass(frozen=True, slots=True)
class ScreenPart:
    """The content of one screen: lines, and then perhaps something to answer."""

    block: int  # the first of the unit's blocks that is in it
    lines: tuple[str, ...]
    lab: LabWork | None = None
    question: Question | None = None
    guess: bool = False  # is something asked that the next screen answers?
    number: int = 0  # of a question in its checkpoint, from 1
    count: int = 0


def room(talk: Dialogue) -> int:
    """Lines of a screen, without those of the prompt below them."""
    return max(8, talk.height - 3) if talk.interactive else ENDLESS


def tall(lines: Sequence[str], width: int) -> int:
    """How many lines these take on a terminal."""
    return sum(max(1, -(-len(_COLOUR.sub("", line)) // width)) for line in lines)


def askable(lines: Sequence[str], talk: Dialogue) -> bool:
    """Do these fit on a screen, with a question's number above them and the keys and the answer below?"""
    return tall(lines, talk.page.width) + AROUND <= room(talk)


def cut(lines: Sequence[str], height: int, width: int) -> list[list[str]]:
    """Many lines as screens, cut at an empty line where one is near; never without a last one."""
    rest, found = list(lines), []
    while tall(rest, width) > height:
        fits = next(i for i in range(len(rest), 0, -1) if i == 1 or tall(rest[:i], width) <= height)
        empty = (i for i in range(fits, fits // 3, -1) if not rest[i].strip())
        at = next(empty, fits)
        found.append(rest[:at])
        rest = rest[at:]
        while len(rest) > 1 and not rest[0].strip():
            rest.pop(0)
    return [*found, rest]


def parts(unit: Unit, talk: Dialogue) -> Iterator[ScreenPart]:
    """A unit in screens: a new one at each heading, and within a section where the next block would not fit.

    What leads to a lab or to a question stays with it if there is room; so does a line that ends with a
    colon with what it announces.
    """
    size = room(talk), talk.page.width
    section = [ScreenPiece(0, _title(unit, talk), glued=True)]
    for index, block in enumerate(unit.blocks):
        if isinstance(block, (LabWork, LessonCheckpoint)):
            *before, last = _screens(section, *size) or [ScreenPart(index, ())]
            yield from before
            if last.lines and not _room_below(last, block, talk):
                yield last
                last = ScreenPart(index, ())
            yield from _tasks(index, last, block)
            section = []
            continue
        if _repeated(unit, index):
            continue
        glued = isinstance(block, Heading) or (isinstance(block, Paragraph) and block.text.endswith(":"))
        if isinstance(block, Heading) and section and not section[-1].glued:
            yield from _screens(section, *size)
            section = []
        section.append(ScreenPiece(index, block_lines(block, talk.page), glued))
        if isinstance(block, LessonGuess):
            *before, last = _screens(section, *size)
            yield from before
            yield replace(last, guess=True)
            section = []
    yield from _screens(section, *size)


@dataclass(frozen=True, slots=True)
class ScreenPiece:
    """A block as lines; what is glued is not parted from what comes next."""

    block: int
    lines: list[str]
    glued: bool


def _repeated(unit: Unit, index: int) -> bool:
    """Is this a graph that the questions below show by themselves, where they are about it?"""
    block = unit.blocks[index]
    if not (isinstance(block, Stage) and block.asked):
        return False
    asked = next(x for x in unit.blocks[index:] if isinstance(x, LessonCheckpoint))
    return any(question.ask().statements for question in asked.questions)


def _screens(section: Sequence[ScreenPiece], height: int, width: int) -> list[ScreenPart]:
    """As few screens as it takes, and none of them nearly empty where they can be even."""
    wholes: list[tuple[int, list[str]]] = []  # pieces that stay together
    apart = True
    for piece in section:
        if apart or tall([*wholes[-1][1], "", *piece.lines], width) > height:
            wholes.append((piece.block, list(piece.lines)))
        else:
            wholes[-1][1].extend(["", *piece.lines])
        apart = not piece.glued
    wholes = [(block, screen) for block, lines in wholes for screen in cut(lines, height, width)]
    fewest = len(_packed(wholes, height, width))
    tallest = max((tall(lines, width) for _, lines in wholes), default=0)
    tried = range(tallest, min(height, ROWS))
    even = next((h for h in tried if len(_packed(wholes, h, width)) == fewest), height)
    return _packed(wholes, even, width)


def _packed(wholes: Sequence[tuple[int, list[str]]], height: int, width: int) -> list[ScreenPart]:
    found: list[ScreenPart] = []
    for block, lines in wholes:
        together = (*found[-1].lines, "", *lines) if found else ()
        if found and tall(together, width) <= height:
            found[-1] = ScreenPart(found[-1].block, together)
        else:
            found.append(ScreenPart(block, tuple(lines)))
    return found


def _tasks(index: int, above: ScreenPart, block: LabWork | LessonCheckpoint) -> Iterator[ScreenPart]:
    if isinstance(block, LabWork):
        yield ScreenPart(above.block, above.lines, lab=block)
        return
    for number, question in enumerate(block.questions, 1):
        first = above if number == 1 else ScreenPart(index, ())
        yield ScreenPart(
            first.block, first.lines, question=question, number=number, count=len(block.questions)
        )


def _room_below(above: ScreenPart, block: LabWork | LessonCheckpoint, talk: Dialogue) -> bool:
    """Is there room for the first question below these lines, or for the beginning of a lab?"""
    if isinstance(block, LabWork):
        return tall(above.lines, talk.page.width) <= room(talk) // 2
    return askable([*above.lines, *prompt_lines(block.questions[0].ask(), talk.page)], talk)


def _title(unit: Unit, talk: Dialogue) -> list[str]:
    page = talk.page
    head = say("learn.unit.title", number=unit.number, title=unit.title)
    minutes = page.wrap(say("learn.unit.minutes", count=unit.minutes), kind="faint")
    return [page.ink("title", head), *minutes, "", *block_lines(Paragraph(unit.idea), page)]
