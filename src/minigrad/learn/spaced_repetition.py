"""Spaced repetition: a mistake comes back after 1, 3, 7, 16 and 35 days, with fresh numbers.

What comes back is a kind of question, together with the mistake that forensics named.  The state is computed
from the answers alone, oldest first; nothing about it is kept.  Of the answers to one question on one day,
the first counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .questions import Question

__all__ = ["DAYS", "DueItem", "RecordedAnswer", "due", "first_answers", "question_for", "schedule"]

DAYS = (1, 3, 7, 16, 35)
SEARCH = 6  # questions of one level that are made until one is found in which the mistake can be made


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One answer, as the progress file has it."""

    question: str
    kind: str
    unit: str
    on: datetime
    right: bool
    answer: dict[str, str]
    fault: str = ""
    review: str = ""  # the item that it was a repetition of
    revealed: bool = False

    @property
    def item(self) -> str:
        return f"{self.kind}/{self.fault}" if self.fault else self.kind


@dataclass(frozen=True, slots=True)
class DueItem:
    """Something that went wrong, and when it comes back."""

    item: str  # "gradient/overwrite", or "gradient" where no mistake has a name
    kind: str
    fault: str
    unit: str
    on: date
    step: int  # of DAYS
    source: str  # the key of the question that went wrong

    @property
    def days(self) -> int:
        return DAYS[self.step]


def first_answers(answers: Iterable[RecordedAnswer]) -> Iterator[RecordedAnswer]:
    """Of the answers to one question on one day, the first."""
    counted: set[tuple[str, date]] = set()
    for row in answers:
        spot = row.question, row.on.date()
        if spot not in counted:
            counted.add(spot)
            yield row


def schedule(answers: Iterable[RecordedAnswer]) -> dict[str, DueItem]:
    """Everything that is to come back, by item."""
    found: dict[str, DueItem] = {}
    for row in first_answers(answers):
        day = row.on.date()
        if not row.right:
            old = found.get(row.review)
            again = old or DueItem(row.item, row.kind, row.fault, row.unit, day, 0, row.question)
            found[again.item] = replace(again, step=0, on=_later(day, DAYS[0]))
            continue
        for item in [due for due in found.values() if row.review == due.item or row.question == due.source]:
            if day < item.on:
                continue  # too early to say that it was remembered
            if item.step + 1 == len(DAYS):
                del found[item.item]
            else:
                found[item.item] = replace(item, step=item.step + 1, on=_later(day, DAYS[item.step + 1]))
    return found


def _later(day: date, days: int) -> date:
    return day + timedelta(days) if day < date.max - timedelta(days) else date.max


def due(answers: Iterable[RecordedAnswer], today: date) -> list[DueItem]:
    """What is due by today, the oldest first."""
    ready = [item for item in schedule(answers).values() if item.on <= today]
    return sorted(ready, key=lambda item: (item.on, item.item))


def question_for(item: DueItem, seed: int) -> Question:
    """A fresh question of the same kind in which the same mistake can be made, if one is found soon."""
    from .questions import generate
    from .questions.random_graphs import LEVELS

    level = 1 if item.step < 2 else 2
    parts = item.source.split(":")
    if len(parts) == 3 and parts[1] in map(str, LEVELS):
        level = int(parts[1])
    first = generate(item.kind, level, seed)
    if not item.fault:
        return first
    for number in range(2 * SEARCH):  # on a graph without a diamond, overwriting is no mistake
        harder = min(level + number // SEARCH, max(LEVELS))
        made = generate(item.kind, harder, seed + number)
        if any(judged.fault == item.fault for _, judged in made.anticipated_mistakes()):
            return made
    return first
