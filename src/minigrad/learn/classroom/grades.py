"""Marks: every returned sheet held against the key, and what a teacher should know about it.

A sheet is known by the code inside it, never by the name of its file.  A question is worth one point, and an
answer that cannot be read, or that stands there twice, is worth none; whatever a sheet holds, what is graded
is the question that was handed out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ...text.escape import printable
from ...text.translation import say, speaking
from ..questions import Question
from .answer_key import AnswerKey
from .hand_in import HandIn
from .learner_engines import ExaminedEngine
from .neighbour_answers import neighbours
from .sheet import Sheet, SheetItem
from .sheet_markdown import expected_pieces, strip_marks

__all__ = [
    "EMPTY",
    "RIGHT",
    "TWICE",
    "UNREAD",
    "WRONG",
    "Grade",
    "GradedSheet",
    "HandInFile",
    "Results",
    "grade",
]

RIGHT, WRONG, UNREAD, EMPTY, TWICE = "right", "wrong", "unread", "empty", "twice"


@dataclass(frozen=True)
class HandInFile:
    """A file that came back, read."""

    name: str
    stem: str
    when: datetime
    content: HandIn


@dataclass(frozen=True, slots=True)
class Grade:
    """The grade of one question."""

    item: SheetItem
    status: str
    answer: Mapping[str, str]
    words: tuple[str, ...] = ()  # what is said to the learner
    fault: str = ""  # the slug of the mistake, where it has a name

    @property
    def points(self) -> int:
        return int(self.status == RIGHT)


@dataclass(frozen=True)
class GradedSheet:
    """One learner; `file` is "" for a sheet that did not come back."""

    sheet: Sheet
    file: str = ""
    marks: tuple[Grade, ...] = ()
    notices: tuple[str, ...] = ()  # for the teacher
    engine: ExaminedEngine | None = None

    @property
    def points(self) -> int:
        return sum(mark.points for mark in self.marks)


@dataclass(frozen=True)
class Results:
    """The class."""

    key: AnswerKey | None
    graded: tuple[GradedSheet, ...]
    engines: tuple[ExaminedEngine, ...]  # that nobody of the class can be found for
    aside: tuple[tuple[str, str], ...]  # files that were not graded, and why
    notices: tuple[str, ...]
    blank: int = 0  # sheets with nothing in them

    @property
    def returned(self) -> tuple[GradedSheet, ...]:
        return tuple(one for one in self.graded if one.file)

    def mistakes(self) -> list[tuple[str, int]]:
        """The faults that answers were traced to, the commonest first.

        A letter is traced to none: whoever takes one bug for another has not made either.
        """
        marks = (mark for one in self.returned for mark in one.marks)
        found = Counter(mark.fault for mark in marks if mark.fault and "choice" not in mark.answer)
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))

    def hardest(self) -> list[tuple[int, int]]:
        """The questions with the most that are not right: the number, and how many."""
        found = Counter(mark.item.number for one in self.returned for mark in one.marks if not mark.points)
        return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def grade(
    key: AnswerKey | None,
    handed: Iterable[HandInFile],
    engines: Sequence[ExaminedEngine] = (),
    aside: Sequence[tuple[str, str]] = (),
    due: datetime | None = None,
) -> Results:
    """Grade what was handed in; `aside` are files that could not even be read."""
    known = key.by_code() if key else {}
    sheets: dict[str, list[HandInFile]] = {}
    left, blank = list(aside), 0
    for one in handed:
        code, why = _whose(one, known)
        if why:
            left.append((one.name, why))
        elif not one.content.answers:
            blank += 1
        else:
            sheets.setdefault(code, []).append(one)
    graded = [_learner(sheet, sheets.get(code, []), known, due, key) for code, sheet in known.items()]
    told = [say("classroom.neighbour", **fact) for fact in neighbours(graded)]
    mine, others = _engines(engines, known)
    rows = tuple(replace(one, engine=mine.get(one.sheet.code)) for one in graded)
    return Results(key, rows, others, tuple(left), tuple(told), blank)


def _whose(one: HandInFile, known: Mapping[str, Sheet]) -> tuple[str, str]:
    """The code of a returned file, or why it has none."""
    content = one.content
    if content.trouble:
        return "", say("classroom.aside.large" if content.trouble == "large" else "classroom.aside.unread")
    codes = [code for code in content.codes if code in known]
    if len(codes) == 1:
        return codes[0], ""
    if codes:
        names = ", ".join(printable(known[code].learner.name) for code in codes[:4])
        return "", say("classroom.aside.several", names=names)
    if content.codes:
        return "", say("classroom.aside.stranger", code=content.codes[0])
    return "", say("classroom.aside.none")


def _learner(
    sheet: Sheet,
    handed: list[HandInFile],
    known: Mapping[str, Sheet],
    due: datetime | None,
    key: AnswerKey | None,
) -> GradedSheet:
    if not handed:
        return GradedSheet(sheet)
    handed = sorted(handed, key=lambda one: (one.when, one.name))
    chosen = handed[-1]
    *earlier, marks = [_marks(sheet, one.content, key) for one in handed]
    notices = [_changed(sheet, chosen.content), _late(chosen, due), _renamed(sheet, chosen, known)]
    notices += [_doubled(one, chosen, old, marks) for one, old in zip(handed, earlier, strict=False)]
    twice = [mark.item.number for mark in marks if mark.status == TWICE]
    if twice:
        notices.append(say("classroom.notice.twice", questions=", ".join(map(str, twice))))
    return GradedSheet(sheet, chosen.name, marks, tuple(words for words in notices if words))


def _marks(sheet: Sheet, content: HandIn, key: AnswerKey | None) -> tuple[Grade, ...]:
    with speaking(key.language if key else None):
        return tuple(_mark(item, content) for item in sheet.items)


def _mark(item: SheetItem, content: HandIn) -> Grade:
    blanks = item.prompt.blanks
    written = dict(content.answers.get(item.number, {}))
    if len(blanks) == 1 and "" in written:  # answer = ...
        written.setdefault(blanks[0], written[""])
        if written[blanks[0]] != written.pop(""):
            return Grade(item, TWICE, written, (say("classroom.mark.twice"),))
    answer = {blank: written[blank] for blank in blanks if blank in written}
    if item.number in content.twice:
        return Grade(item, TWICE, answer, (say("classroom.mark.twice"),))
    if not answer:
        return Grade(item, EMPTY, answer, (say("classroom.mark.empty"),))
    if any(len(text) > 300 for text in answer.values()):
        return Grade(item, UNREAD, answer, (say("classroom.mark.long"),))
    return _judged(item, item.question, answer)


def _judged(item: SheetItem, question: Question, answer: Mapping[str, str]) -> Grade:
    try:
        judgement = question.judge(answer)
    except (ValueError, KeyError, ArithmeticError, RecursionError, MemoryError) as error:
        return Grade(item, UNREAD, answer, (str(error.args[0] if error.args else error),))
    status = RIGHT if judgement.right else WRONG if judgement.read else UNREAD
    return Grade(item, status, answer, judgement.words, judgement.fault)


# ---- what a teacher should know -------------------------------------------------------------------


def _changed(sheet: Sheet, content: HandIn) -> str:
    """Questions whose own words are no longer there; a file of answers has none."""
    if not content.text:
        return ""
    text = strip_marks(content.text)
    missing = [
        str(item.number) for item in sheet.items if any(piece not in text for piece in expected_pieces(item))
    ]
    return say("classroom.notice.changed", questions=", ".join(missing)) if missing else ""


def _late(one: HandInFile, due: datetime | None) -> str:
    if due is None or one.when <= due:
        return ""
    return say("classroom.notice.late", when=one.when.strftime("%Y-%m-%d %H:%M"))


def _renamed(sheet: Sheet, one: HandInFile, known: Mapping[str, Sheet]) -> str:
    other = next((each for each in known.values() if each.learner.slug == one.stem), None)
    if other is None or other is sheet:
        return ""
    return say("classroom.notice.named", file=printable(one.name), name=printable(other.learner.name))


def _doubled(one: HandInFile, chosen: HandInFile, old: Sequence[Grade], marks: Sequence[Grade]) -> str:
    if [mark.answer for mark in old] == [mark.answer for mark in marks]:
        return ""
    points = sum(mark.points for mark in old)
    about = {"file": printable(one.name), "points": points, "chosen": printable(chosen.name)}
    return say("classroom.notice.doubled", **about)


def _engines(
    engines: Sequence[ExaminedEngine], known: Mapping[str, Sheet]
) -> tuple[dict[str, ExaminedEngine], tuple[ExaminedEngine, ...]]:
    """Each learner's engine, and those of nobody."""
    by_slug = {sheet.learner.slug: code for code, sheet in known.items()}
    mine: dict[str, ExaminedEngine] = {}
    others = []
    for one in engines:
        code = next(_owners(one, known, by_slug), "")
        if code and code not in mine:
            mine[code] = one
        else:
            others.append(one)
    return mine, tuple(others)


def _owners(one: ExaminedEngine, known: Mapping[str, Sheet], by_slug: Mapping[str, str]) -> Iterator[str]:
    yield from (code for code in one.codes if code in known)
    if one.stem in by_slug:
        yield by_slug[one.stem]
