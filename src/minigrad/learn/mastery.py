"""Mastery: the level that a learner has reached in each kind of question, and what comes next.

It is computed from the answers alone, as repetition is; nothing about it is kept.  Of the answers to one
question on one day, the first counts.  Two right ones in a row lead to the next level, two wrong ones to the
one before; two in a row on the highest level are mastery, until one is wrong again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ..text.translation import say
from .progress import Progress
from .questions import KINDS, Question, generate
from .questions.random_graphs import LEVELS
from .spaced_repetition import DueItem, RecordedAnswer, first_answers, question_for

__all__ = ["Practice", "Skill", "advice", "skills"]

STREAK = 2  # answers in a row that change the level
RECENT = 6  # answers that are shown
APART = 1000  # between the seeds of repetitions, of which some are tried
BETWEEN = 2  # other questions before what went wrong comes back in the same sitting


@dataclass(frozen=True, slots=True)
class Skill:
    """One kind of question, and how far the learner is in it."""

    kind: str
    level: int
    mastered: bool
    recent: tuple[bool, ...]  # the last answers, oldest first

    @property
    def unit(self) -> str:
        return KINDS[self.kind].unit


def skills(answers: Iterable[RecordedAnswer]) -> dict[str, Skill]:
    """Every kind, in the order of the table."""
    found: dict[str, tuple[int, int, bool, tuple[bool, ...]]]
    found = dict.fromkeys(KINDS, (LEVELS[0], 0, False, ()))
    for row in first_answers(answers):
        if row.kind in found:
            found[row.kind] = _after(row, *found[row.kind])
    return {
        kind: Skill(kind, level, mastered, recent) for kind, (level, _, mastered, recent) in found.items()
    }


def _after(
    row: RecordedAnswer, level: int, streak: int, mastered: bool, recent: tuple[bool, ...]
) -> tuple[int, int, bool, tuple[bool, ...]]:
    """The state after one more answer; a streak is positive of right ones, negative of wrong ones."""
    recent = (*recent, row.right)[-RECENT:]
    asked = _level(row.question)
    if (asked < level) if row.right else (asked > level):
        return level, streak, mastered, recent  # too easy to show anything, or too hard
    streak = max(streak, 0) + 1 if row.right else min(streak, 0) - 1
    mastered = row.right and (mastered or (level == LEVELS[-1] and streak >= STREAK))
    if abs(streak) >= STREAK:
        moved = min(max(level + (1 if row.right else -1), LEVELS[0]), LEVELS[-1])
        level, streak = moved, 0 if moved != level else streak
    return level, streak, mastered, recent


def _level(key: str) -> int:
    """The level of a generated question; those of the lessons are of the first."""
    parts = key.split(":")
    return int(parts[1]) if len(parts) == 3 and parts[1] in map(str, LEVELS) else LEVELS[0]


# ---- practice -----------------------------------------------------------------------------------


class Practice:
    """Questions for this learner, one after the other, each chosen once the one before was answered.

    First what is due; then the kinds that are not mastered, each at the level that was reached.  What goes
    wrong comes back in the same sitting, with other numbers, when others have been asked in between.
    """

    def __init__(self, progress: Progress, kinds: Sequence[str], count: int, seed: int) -> None:
        self._progress, self._kinds, self._count, self._seed = progress, kinds, count, seed
        self._waiting: list[tuple[int, DueItem]] = []  # mistakes, and when they were made
        self._asked: Counter[str] = Counter()

    def __iter__(self) -> Iterator[tuple[Question, DueItem | None]]:
        since = self._progress.now
        due = [item for item in self._progress.due() if item.kind in self._kinds]
        for number in range(self._count):
            item = due.pop(0) if due else self._returning(number)
            if item is not None:
                question = question_for(item, self._seed + APART * (number + 1))
            else:
                kind = self._wanted()
                level = skills(self._progress.answers)[kind].level
                question = generate(kind, level, self._seed + number)
            self._asked[question.kind] += 1
            yield question, item
            tries = [row for row in self._progress.tries(question.key) if row.on >= since]
            if tries and not tries[0].right:
                self._waiting.append((number, _again(item, tries[0])))

    def _returning(self, number: int) -> DueItem | None:
        """A mistake that was made long enough ago, or for which there is no later place."""
        left = self._count - number
        for place, (made, item) in enumerate(self._waiting):
            if number - made > BETWEEN or left <= len(self._waiting):
                del self._waiting[place]
                return item
        return None

    def _wanted(self) -> str:
        """The kind that was asked least in this sitting; what is mastered comes last."""
        known = skills(self._progress.answers)
        return min(self._kinds, key=lambda kind: (known[kind].mastered, self._asked[kind], known[kind].level))


def _again(item: DueItem | None, row: RecordedAnswer) -> DueItem:
    return item or DueItem(row.item, row.kind, row.fault, row.unit, row.on.date(), 0, row.question)


# ---- what comes next ----------------------------------------------------------------------------


def advice(progress: Progress, units: Sequence[str], today: date) -> str:
    """What to do next, in a sentence with its command: what is due, the weakest kind, the next unit."""
    due = len(progress.due(today))
    if due:
        return say("learn.advice.due", count=due)
    known = skills(progress.answers)
    open_units = [slug for slug in units if progress.state(slug) != "done"]
    weak = [
        each for each in known.values() if not each.mastered and each.recent and not all(each.recent[-2:])
    ]
    if weak:
        worst = min(weak, key=lambda each: sum(each.recent) / len(each.recent))
        return say("learn.advice.kind", kind=say(f"learn.kind.{worst.kind}"), slug=worst.kind)
    if open_units:
        return say("learn.advice.unit", number=units.index(open_units[0]) + 1)
    if all(each.mastered for each in known.values()):
        return say("learn.advice.all")
    return say("learn.advice.practice")
