"""Marks: every returned sheet held against the key, and what a teacher should know about it.

A sheet is known by the code inside it, never by the name of its file.  A question is worth one point, and an
answer that cannot be read, or that stands there twice, is worth none; whatever a sheet holds, what is graded
is the question that was handed out.  Where a code comes back in several files, `owners` says which counts;
the others are told, and nobody loses their row by what somebody else handed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ...text.escape import printable, visible
from ...text.excerpts import cut
from ...text.translation import say, speaking
from ..questions import Question
from .answer_key import AnswerKey
from .hand_in import HandIn
from .learner_engines import ExaminedEngine
from .neighbour_answers import neighbours
from .owners import Claims, named_after, sort_claims
from .sheet import Sheet, SheetItem
from .sheet_markdown import expected_pieces, strip_marks

__all__ = [
    "EMPTY",
    "RIGHT",
    "TWICE",
    "UNREAD",
    "WRONG",
    "AsideFile",
    "Grade",
    "GradedSheet",
    "HandInFile",
    "Results",
    "failure",
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
    folder: str = ""  # the name of the folder that says whose it is


@dataclass(frozen=True, slots=True)
class AsideFile:
    """A file, or a whole folder, that was not graded."""

    name: str
    why: str
    stem: str
    folder: str = ""


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
        return _points(self.marks)


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
    aside: Sequence[AsideFile] = (),
    due: datetime | None = None,
) -> Results:
    """Grade what was handed in; `aside` are files that could not even be read."""
    known = key.by_code() if key else {}
    slugs = {sheet.learner.slug: code for code, sheet in known.items()}
    names = _names(known)
    sheets: dict[str, list[HandInFile]] = {}
    left, blank = list(aside), 0
    for one in handed:
        code, why = _whose(one, known)
        if why:
            left.append(AsideFile(one.name, why, one.stem, one.folder))
        elif not one.content.answers:
            blank += 1
        else:
            sheets.setdefault(code, []).append(one)
    extra: dict[str, list[str]] = {code: [] for code in known}  # notices that come from elsewhere
    for other in left:
        if owner := named_after(other, names):
            told = say("classroom.notice.aside", file=printable(other.name), why=other.why)
            extra[slugs[owner]].append(told)
    graded = []
    for code, sheet in known.items():
        claims = sort_claims(sheet.learner.slug, sheets.get(code, []), names)
        graded.append(_graded(sheet, claims, known, due, key))
        for one in claims.foreign:
            extra[slugs[named_after(one, names)]].append(_borrowed(one.name, sheet, graded[-1].file))
    alike = [say("classroom.neighbour", **fact) for fact in neighbours(graded)]
    mine, others = _engines(engines, known, slugs, extra)
    rows = tuple(
        replace(one, engine=mine.get(one.sheet.code), notices=(*one.notices, *extra[one.sheet.code]))
        for one in graded
    )
    listed = tuple((other.name, other.why) for other in left)
    return Results(key, rows, others, listed, tuple(alike), blank)


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


def _graded(
    sheet: Sheet,
    claims: Claims[HandInFile],
    known: Mapping[str, Sheet],
    due: datetime | None,
    key: AnswerKey | None,
) -> GradedSheet:
    """The marks of one learner; a failure of ours on one sheet is no reason to grade no other."""
    try:
        return _learner(sheet, claims, known, due, key)
    except Exception as error:
        words = failure(error)
        marks = tuple(Grade(item, UNREAD, {}, (words,)) for item in sheet.items)
        return GradedSheet(sheet, claims.counting[-1].name, marks, (words,))


def failure(error: Exception) -> str:
    """What is told of a hand-in that we failed on."""
    why = cut(visible(f"{type(error).__name__}: {error}"), 100)
    return say("classroom.failed", why=why)


def _learner(
    sheet: Sheet,
    claims: Claims[HandInFile],
    known: Mapping[str, Sheet],
    due: datetime | None,
    key: AnswerKey | None,
) -> GradedSheet:
    handed = sorted(claims.counting, key=lambda one: (one.when, one.name))
    if not handed:
        return GradedSheet(sheet)
    judged = [_marks(sheet, one.content, key) for one in handed]
    at = len(handed) - 1
    if not claims.own:  # somebody else may have handed one of them in, and must take nothing away
        at = max(range(len(handed)), key=lambda place: _points(judged[place]))
    chosen, marks = handed[at], judged[at]
    notices = [_changed(sheet, chosen.content), _late(chosen, due)]
    if not claims.own and not claims.unnamed:
        notices.append(_named(chosen, known))
    again = "doubled" if claims.own else "unclear"
    told = [(again, one, old) for one, old in zip(handed, judged, strict=True) if one is not chosen]
    if claims.own:
        told += [("other", one, _marks(sheet, one.content, key)) for one in claims.unnamed]
    notices += [_again(how, one, chosen, old, marks) for how, one, old in told]
    twice = [mark.item.number for mark in marks if mark.status == TWICE]
    if twice:
        notices.append(say("classroom.notice.twice", questions=", ".join(map(str, twice))))
    return GradedSheet(sheet, chosen.name, marks, tuple(words for words in notices if words))


def _points(marks: Sequence[Grade]) -> int:
    return sum(mark.points for mark in marks)


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


def _again(
    how: str, one: HandInFile, chosen: HandInFile, old: Sequence[Grade], marks: Sequence[Grade]
) -> str:
    """Of a second file with the code: which counts, and what the other would have; "" if it says the same."""
    if [mark.answer for mark in old] == [mark.answer for mark in marks]:
        return ""
    about = {"file": printable(one.name), "points": _points(old), "chosen": printable(chosen.name)}
    return say(f"classroom.notice.{how}", **about)


def _named(one: HandInFile, known: Mapping[str, Sheet]) -> str:
    """For the row of the learner whose code stands in a file that is named after somebody else."""
    names = _names(known)
    name = printable(names[named_after(one, names)])
    return say("classroom.notice.named", file=printable(one.name), name=name)


def _names(known: Mapping[str, Sheet]) -> dict[str, str]:
    """The names of the learners, by their slugs."""
    return {sheet.learner.slug: sheet.learner.name for sheet in known.values()}


def _borrowed(file: str, sheet: Sheet, chosen: str) -> str:
    """For the row of the learner whose file has the code of somebody else."""
    about = {"file": printable(file), "name": printable(sheet.learner.name), "chosen": printable(chosen)}
    return say("classroom.notice.borrowed" if chosen != file else "classroom.notice.borrowed.alone", **about)


def _engines(
    engines: Sequence[ExaminedEngine],
    known: Mapping[str, Sheet],
    slugs: Mapping[str, str],
    extra: Mapping[str, list[str]],
) -> tuple[dict[str, ExaminedEngine], tuple[ExaminedEngine, ...]]:
    """Each learner's engine, and those of nobody; `extra` gets what is to be told of an engine."""
    names = _names(known)
    claimed: dict[str, list[ExaminedEngine]] = {}
    for one in engines:
        codes = [code for code in one.codes if code in known]
        if not codes:
            codes = [slugs[owner] for owner in [named_after(one, names)] if owner]
        if len(codes) == 1:
            claimed.setdefault(codes[0], []).append(one)
    mine: dict[str, ExaminedEngine] = {}
    for code, files in claimed.items():
        sheet = known[code]
        claims = sort_claims(sheet.learner.slug, files, names)
        for one in claims.foreign:
            about = {"file": printable(one.file), "name": printable(sheet.learner.name)}
            extra[slugs[named_after(one, names)]].append(say("classroom.notice.borrowed.engine", **about))
        if not (claims.own or claims.unnamed):
            continue
        if claims.own:
            chosen = claims.own[0]
        else:  # somebody else may have handed one of them in, and must take nothing away
            chosen = max(claims.unnamed, key=lambda one: one.points)
            extra[code].append(say("classroom.notice.unnamed.engine", file=printable(chosen.file)))
        mine[code] = chosen
        for one in (*claims.own, *claims.unnamed):
            if one is not chosen:
                about = {"file": printable(one.file), "chosen": printable(chosen.file)}
                extra[code].append(say("classroom.notice.engines", **about))
    taken = list(mine.values())
    return mine, tuple(one for one in engines if not any(one is other for other in taken))
