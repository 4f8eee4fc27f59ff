"""Progress of a learner: places, answers and tries, in one file that the learner owns.

    progress = Progress.open()
    progress.record(question, {"a": "4"}, judgement)     # on the disk before this returns

The file is JSON, one answer per line, and may be read, moved, copied and mended by hand:

    schema    minigrad.progress/1
    seed      a number of the learner's own, from which generated questions take theirs
    units     per unit: when it was begun, the block that was reached, when it was finished
    answers   per answer: the question's key, kind and unit, when, which try that day, what was typed,
              whether it was right or was revealed, the mistake that was named, what it was a repetition of
    steps     per step of the track: when it was last worked on and when it held, the prediction, the hints

A change that cannot be written is kept here and tried again with the next one; `notices` says so once.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..text.escape import visible
from ..text.translation import say
from . import progress_file, spaced_repetition
from .progress_file import AnswerRow, ProgressDocument, StepRow, UnitRow
from .spaced_repetition import DueItem, RecordedAnswer

if TYPE_CHECKING:
    from .questions import Answer, Judgement, Question

__all__ = ["Progress"]

BRIEFLY = 0.05  # seconds to wait for whoever did not let go the last time
RECENT = 50  # answers among which one that was written twice would be
Change = Callable[[ProgressDocument], None]


class Progress:
    """Places, answers and what is due; every change is a lock, a read and a write of the file."""

    def __init__(
        self,
        path: Path,
        now: Callable[[], datetime] | None = None,
        reason: Callable[[OSError], str] | None = None,
    ) -> None:
        self.path = path
        self._reason = reason or (lambda error: str(error.strerror or error))
        self.notices: list[str] = []  # sentences that somebody should see, each once
        self._now = now or (lambda: datetime.now().astimezone())
        self._waiting: list[Change] = []
        self.unkept = 0  # answers that are not on the disk
        self._told: set[str] = set()
        self._readable = True
        self._busy = False  # has somebody held the file for too long?
        self._document = ProgressDocument()

    @classmethod
    def open(
        cls,
        path: str | Path | None = None,
        now: Callable[[], datetime] | None = None,
        reason: Callable[[OSError], str] | None = None,
    ) -> Progress:
        """The progress of a file, or of the usual one; nothing is written yet, unless the file is damaged.

        `now` is the clock, and `reason` says why the system refused, in the language in use.
        PlaceError for what can never be a progress file, such as a folder.
        """
        progress = cls(Path(path) if path is not None else progress_file.default_path(), now, reason)
        if progress.path.exists() and not progress.path.is_file():
            raise progress_file.PlaceError(say("keeping.file", path=visible(str(progress.path))))
        try:
            progress._document, damage = progress_file.read(progress.path)
        except OSError as error:
            progress._readable = False  # what cannot be read must not be replaced
            progress._tell("keeping.unread", error)
            return progress
        if damage:
            progress._change()
        return progress

    # ---- what is known ------------------------------------------------------------------------

    @property
    def seed(self) -> int:
        return self._document.seed

    @property
    def kept(self) -> bool:
        """Is everything on the disk?"""
        return not self._waiting

    @property
    def new(self) -> bool:
        """Has nothing been done yet?"""
        return not self._document.units and not self._document.answers and not self._document.steps

    @property
    def current(self) -> str:
        """The unit that was open last; "" before the first."""
        units = self._document.units
        latest = max((_moment(row["on"]) for row in units.values()), default=None)
        return next((slug for slug in reversed(units) if _moment(units[slug]["on"]) == latest), "")

    def place(self, slug: str) -> int:
        """The block that was reached in a unit."""
        row = self._document.units.get(slug)
        return int(row["block"]) if row else 0

    def state(self, slug: str) -> str:
        """new, begun or done; a unit that is done stays so when it is read again."""
        row = self._document.units.get(slug)
        return "new" if row is None else "done" if row.get("finished") else "begun"

    def reading(self, slug: str) -> bool:
        """Was the unit left before its end, in the last reading of it?"""
        row = self._document.units.get(slug)
        return row is not None and (row["block"] > 0 or not row.get("finished"))

    def step(self, slug: str) -> StepRow | None:
        """What is kept of a step of the track."""
        return self._document.steps.get(slug)

    @property
    def answers(self) -> list[RecordedAnswer]:
        """All answers, oldest first."""
        return [_answered(row) for row in self._document.answers]

    def tries(self, key: str) -> list[RecordedAnswer]:
        """The answers to one question, oldest first."""
        return [_answered(row) for row in self._document.answers if row["question"] == key]

    def outcome(self, key: str, since: datetime) -> str:
        """What came of a question since then: right (at once), later, revealed or skipped."""
        tries = [answer for answer in self.tries(key) if answer.on >= since]
        if any(answer.right for answer in tries):
            return "right" if tries[0].right else "later"
        return "revealed" if any(answer.revealed for answer in tries) else "skipped"

    def begun(self, slug: str) -> datetime:
        """When the last reading of a unit began."""
        row = self._document.units.get(slug)
        return _moment(row["begun"]) if row else self.now

    def settled(self, slug: str) -> set[str]:
        """The questions of a unit that were answered rightly or revealed since it was begun."""
        since = self.begun(slug)
        return {row.question for row in self.answers if (row.right or row.revealed) and row.on >= since}

    def due(self, today: date | None = None) -> list[DueItem]:
        """What is to be repeated by today, the oldest first."""
        return self._returning(today or self.today)

    def coming(self) -> list[DueItem]:
        """All that is to be repeated, the next first."""
        return self._returning(date.max)

    def _returning(self, day: date) -> list[DueItem]:
        """What is due by then, of the kinds that there are: the file may be of another version."""
        from .questions import KINDS

        return [item for item in spaced_repetition.due(self.answers, day) if item.kind in KINDS]

    @property
    def now(self) -> datetime:
        """This second: moments are kept without their fractions."""
        return self._now().replace(microsecond=0)

    @property
    def today(self) -> date:
        return self.now.date()

    # ---- what happens ---------------------------------------------------------------------------

    def arrive(self, slug: str, block: int, *, anew: bool = False) -> None:
        """The learner is at this block of a unit; anew begins the unit again."""
        moment = self._moment()

        def change(document: ProgressDocument) -> None:
            row = _unit_row(document, slug, moment)
            if anew:
                row["begun"] = moment
            row.update({"block": block, "on": moment})
            document.units[slug] = row  # at the end: the last of a second

        self._change(change)

    def finish(self, slug: str) -> None:
        moment = self._moment()

        def change(document: ProgressDocument) -> None:
            row = _unit_row(document, slug, moment)
            row.update({"block": 0, "on": moment, "finished": moment})
            document.units[slug] = row

        self._change(change)

    def record(
        self, question: Question | str, answer: Answer, judgement: Judgement, review: str = ""
    ) -> None:
        """Keep an answer; what could not be read as one is no try."""
        if judgement.read:
            typed = {key[:60]: value[: progress_file.LONGEST] for key, value in list(answer.items())[:20]}
            fault = "" if judgement.right else judgement.fault
            self._answer(question, {"answer": typed, "right": judgement.right, "fault": fault}, review)

    def reveal(self, question: Question | str, review: str = "") -> None:
        """Keep that the answer was shown before it was found, which counts as a wrong one."""
        self._answer(question, {"answer": {}, "right": False, "revealed": True}, review)

    def _answer(self, question: Question | str, facts: dict[str, object], review: str) -> None:
        if isinstance(question, str):
            from .questions import question as called

            question = called(question)
        moment = self._moment()
        about = {"question": question.key, "kind": question.kind, "unit": question.unit, "on": moment}
        repeated = {"review": review} if review else {}
        number = 1 + sum(f"{old.on:%Y-%m-%d}" == moment[:10] for old in self.tries(question.key))
        row = {**about, "try": number, **facts, **repeated}
        if not progress_file.is_answer(row):
            raise ValueError(f"this cannot be kept as an answer: {row!r}")

        def change(document: ProgressDocument) -> None:
            if row not in document.answers[-RECENT:]:  # there already, if a signal came after the write
                document.answers.append(row)

        self._change(change)
        self.unkept += not self.kept

    # ---- the track ------------------------------------------------------------------------------

    def pass_step(self, slug: str) -> None:
        """A step of the track holds; the first moment in which it did stays."""
        moment = self._moment()
        self._step(slug, lambda row: row.update({"on": moment, "passed": row.get("passed", "") or moment}))

    def predict_step(self, slug: str, predicted: str) -> None:
        moment = self._moment()
        text = predicted[: progress_file.LONGEST]
        self._step(slug, lambda row: row.update({"on": moment, "predicted": text}))

    def hint_step(self, slug: str, about: str, hints: int) -> None:
        """So many hints were given about a mistake."""
        moment = self._moment()
        text = about[: progress_file.LONGEST]
        self._step(slug, lambda row: row.update({"on": moment, "about": text, "hints": hints}))

    def _step(self, slug: str, update: Callable[[StepRow], None]) -> None:
        moment = self._moment()

        def change(document: ProgressDocument) -> None:
            row = document.steps.setdefault(slug, StepRow(on=moment))
            update(row)

        self._change(change)

    # ---- the file -------------------------------------------------------------------------------

    def _moment(self) -> str:
        return self._now().isoformat(timespec="seconds")

    def _change(self, *changes: Change) -> None:
        """Do this, and what waits from before: to the file as it is now, or here alone if that fails."""
        for change in changes:
            change(self._document)
        self._waiting += changes
        if not self._readable:
            return
        try:
            with progress_file.locked(self.path, BRIEFLY if self._busy else None):
                document, damage = progress_file.read(self.path)
                if not damage and not document.units and not document.answers and not document.steps:
                    document.seed = self._document.seed
                if damage:
                    self._set_aside(document, damage)
                for change in self._waiting:
                    change(document)
                progress_file.write(self.path, document)
        except progress_file.BusyError:
            self._busy = True
            self._tell("keeping.busy", None)
        except OSError as error:
            self._tell("keeping.unwritten", error)
        else:
            self._document = document
            self._busy = False
            self._waiting.clear()
            self.unkept = 0
            self._told.discard("keeping.unwritten")

    def save(self) -> bool:
        """Try again what could not be written; is everything on the disk?"""
        if self._waiting:
            self._change()
        return self.kept

    def _set_aside(self, document: ProgressDocument, damage: str) -> None:
        aside = progress_file.set_aside(self.path, self.today.isoformat())
        if aside.name in self._told:
            return
        self._told.add(aside.name)
        about = {"path": visible(str(self.path)), "aside": visible(aside.name)}
        self.notices.append(say(f"keeping.damage.{damage}", **about))
        rescued = len(document.answers)
        self.notices.append(say("keeping.rescued" if rescued else "keeping.rescued.none", count=rescued))

    def _tell(self, key: str, error: OSError | None) -> None:
        if key in self._told:
            return
        self._told.add(key)
        why = self._reason(error) if error is not None else ""
        self.notices.append(say(key, path=visible(str(self.path)), why=why))


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _unit_row(document: ProgressDocument, slug: str, moment: str) -> UnitRow:
    """A unit's row, taken out of the document; a new one for a unit that is begun now."""
    old = document.units.pop(slug, None)
    return UnitRow(begun=moment, block=0, on=moment) if old is None else UnitRow(**old)


def _answered(row: AnswerRow) -> RecordedAnswer:
    return RecordedAnswer(
        question=row["question"],
        kind=row["kind"],
        unit=row.get("unit", ""),
        on=_moment(row["on"]),
        right=row["right"],
        answer=row.get("answer", {}),
        fault=row.get("fault", ""),
        review=row.get("review", ""),
        revealed=row.get("revealed", False),
    )
