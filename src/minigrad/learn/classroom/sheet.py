"""A sheet: one learner's questions.  Kinds and levels are those of the class, the numbers are their own.

Which numbers is a function of the seed of the class and of who the learner is, so that a learner who joins
later changes nobody else's sheet; only where two would have the very same question does one get another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from json import dumps
from re import findall, search

from ..questions import Prompt, Question, generate
from .roster import Learner

__all__ = ["Sheet", "SheetItem", "SheetPlan", "class_sheets", "fingerprint", "make_sheet"]

TRIES = 40  # seeds that are tried for a question that nobody else has


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """The plan of all sheets of a class."""

    title: str
    seed: int
    slots: tuple[tuple[str, int], ...]  # kind and level of each question


@dataclass(frozen=True, slots=True)
class SheetItem:
    """One question on a sheet."""

    number: int  # from 1
    question: Question
    prompt: Prompt


@dataclass(frozen=True, slots=True)
class Sheet:
    """The questions of one learner."""

    learner: Learner
    title: str
    code: str  # 3f9a-01bc-77de: by which it is known again
    items: tuple[SheetItem, ...]


def class_sheets(learners: Sequence[Learner], plan: SheetPlan) -> Iterator[Sheet]:
    """One sheet for each, one after the other."""
    seen: list[set[str]] = [set() for _ in plan.slots]
    for learner in learners:
        items = []
        for at, (kind, level) in enumerate(plan.slots):
            question = _fresh(learner, plan, at, kind, level, seen[at])
            items.append(SheetItem(at + 1, question, question.ask()))
        yield make_sheet(learner, plan.title, items, plan.seed)


def make_sheet(learner: Learner, title: str, items: Sequence[SheetItem], seed: int) -> Sheet:
    """A sheet with its code, which follows from the seed, the learner and the questions."""
    content = dumps([seed, learner.identity, [item.question.key for item in items]])
    digits = blake2b(content.encode(), digest_size=6).hexdigest()
    return Sheet(learner, title, "-".join((digits[:4], digits[4:8], digits[8:])), tuple(items))


def _fresh(learner: Learner, plan: SheetPlan, at: int, kind: str, level: int, seen: set[str]) -> Question:
    """A question that nobody before has in this place, where there are enough."""
    first: Question | None = None
    for attempt in range(TRIES):
        question = generate(kind, level, _seed(plan.seed, learner, at, attempt))
        first = first or question
        mark = fingerprint(question.ask())
        if mark not in seen:
            seen.add(mark)
            return question
    assert first is not None
    return first


def _seed(seed: int, learner: Learner, at: int, attempt: int) -> int:
    content = dumps([seed, learner.identity, at, attempt])
    return int.from_bytes(blake2b(content.encode(), digest_size=4).digest(), "big") >> 1


def fingerprint(prompt: Prompt) -> str:
    """What a question gives, and not how it is worded: another question has another."""
    texts = [*prompt.paragraphs, *(choice.words for choice in prompt.choices)]
    facts = [findall(r"`[^`]+`|-?\d+(?:[.,]\d+)?", text) for text in texts]
    numbers = [[cell for cell in row if search(r"\d", cell)] for row in prompt.table]
    given = [prompt.statements, numbers, prompt.blanks, facts]
    return blake2b(dumps(given).encode(), digest_size=8).hexdigest()
