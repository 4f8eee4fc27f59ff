"""Course in a terminal: a unit screen by screen, its lab, its checkpoint, and the spaced repetition.

A person at a terminal sees one screen at a time and says when to go on; for anybody else there are no pauses,
and the lines that come in are answers.  Where the learner is, and every answer, is in the progress file
before anything more is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from ..text.escape import visible
from ..text.page import columns
from ..text.translation import say
from . import course, spaced_repetition
from .lesson import LabWork, LessonCheckpoint, Paragraph, Unit
from .lesson_screens import ScreenPart, cut, parts, room
from .lesson_text import lines as block_lines
from .lesson_text import wrap_text
from .progress import Progress
from .spaced_repetition import DueItem
from .terminal_question import Dialogue, LeavingError, ask, predict

if TYPE_CHECKING:
    from .questions import Question

__all__ = ["TerminalSession", "contents", "item_in_words", "skill_lines", "when"]

OUTCOMES = ("right", "later", "revealed", "skipped")
MARGIN = " " * 9  # what stands below the title of a unit in the contents
ANY = "X"  # the op, edge or number of a mistake, where none is meant in particular
LEAVING = ("q", ":q", "quit", "exit", "salir")
NARROW = 60  # columns below which the keys are named and not explained


class TerminalSession:
    """One sitting."""

    def __init__(self, talk: Dialogue, progress: Progress, seed: int | None = None) -> None:
        self.talk, self.progress = talk, progress
        self.seed = progress.seed if seed is None else seed

    # ---- a unit ---------------------------------------------------------------------------------

    def learn(self, slug: str, *, anew: bool = False) -> None:
        """A unit from where it was left, to its end; then the next, as long as somebody says so."""
        while slug:
            unit = course.unit(slug, seed=self.seed)
            self._unit(unit, anew)
            following = self._after(unit)
            if not following or not self.talk.interactive:
                return
            self.pause(say("learn.next.ask"))
            slug, anew = following, False

    def _unit(self, unit: Unit, anew: bool) -> None:
        steps = list(parts(unit, self.talk))
        going_on = self.progress.reading(unit.slug) and not anew
        at = self._resumed(unit.slug, steps) if going_on else 0
        self.progress.arrive(unit.slug, steps[at].block, anew=not going_on)
        self.notices()
        if at:
            about = {"number": unit.number, "title": unit.title}
            self.talk.tell(self.talk.page.wrap(say("learn.going_on", **about), kind="faint"))
        while at < len(steps):
            step = steps[at]
            self.progress.arrive(unit.slug, step.block)
            self.notices()
            if step.lab is not None:
                self._lab(step.lab, step.lines)
            elif step.lines:
                self.talk.tell(["", *step.lines])
            if step.question is not None:
                self._question(step)
                if at + 1 == len(steps):
                    break
            move = self._guessed() if step.guess else self._wait(at + 1, len(steps))
            at = self._back(steps, at) if move == "b" else self._on(unit.slug, steps, at + 1)
        self.progress.finish(unit.slug)
        self.notices()
        self._summary(unit)

    def _resumed(self, slug: str, steps: Sequence[ScreenPart]) -> int:
        """The screen of the block that was reached; of a checkpoint, the first question that is open."""
        place = self.progress.place(slug)
        at = max((i for i, step in enumerate(steps) if step.block <= place), default=0)
        at = next(i for i, step in enumerate(steps) if step.block == steps[at].block)
        return min(self._on(slug, steps, at), len(steps) - 1)

    def _on(self, slug: str, steps: Sequence[ScreenPart], at: int) -> int:
        """This screen, or the next one that is no settled question."""
        settled = self.progress.settled(slug)
        while at < len(steps):
            question = steps[at].question
            if question is None or question.key not in settled:
                break
            at += 1
        return at

    @staticmethod
    def _back(steps: Sequence[ScreenPart], at: int) -> int:
        """The screen before, past questions: what is settled is settled."""
        return next((i for i in range(at - 1, -1, -1) if steps[i].question is None), at)

    def _question(self, step: ScreenPart) -> None:
        assert step.question is not None
        if step.count > 1:
            title = say("learn.question.number", number=step.number, count=step.count)
            self.talk.tell(["", self.talk.page.ink("title", title)])
        ask(self.talk, step.question, self.progress)
        self.notices()

    # ---- pauses ---------------------------------------------------------------------------------

    def _wait(self, number: int, count: int) -> str:
        """Enter goes on, b goes back; nobody waits for a file."""
        page = self.talk.page
        key = say("learn.keys") if page.width >= NARROW else say("learn.keys.narrow")
        return self.pause(f"{min(number, count)}/{count}  {key}")

    def _guessed(self) -> str:
        """What the learner thinks comes next; it is shown again above the answer, and not judged."""
        if not self.talk.interactive:
            return ""
        while True:
            heard = self.talk.hear("\n" + self.talk.page.ink("faint", say("learn.guess")) + " ")
            if heard.lower() in LEAVING:
                raise LeavingError
            if heard != "?":
                break
            self.talk.tell(self.talk.page.wrap(say("learn.keys.help")))
        if heard and heard.lower() != "b":
            self.talk.tell(self.talk.page.wrap(say("learn.guessed", guess=visible(heard[:200]))))
        return heard.lower()

    def pause(self, keys: str) -> str:
        if not self.talk.interactive:
            return ""
        while True:
            heard = self.talk.hear("\n" + self.talk.page.ink("faint", keys) + " ").lower()
            if heard in LEAVING:
                raise LeavingError
            if heard in ("", "b", "n"):
                return heard
            self.talk.tell(self.talk.page.wrap(say("learn.keys.help")))

    def _screens(self, lines: Sequence[str]) -> None:
        """Many lines, a screen at a time."""
        screens = cut(lines, room(self.talk), self.talk.page.width)
        at = 0
        while at < len(screens):
            self.talk.tell(["", *screens[at]] if at else screens[at])
            going_back = at + 1 < len(screens) and self.pause(say("learn.more")) == "b"
            at = max(at - 1, 0) if going_back else at + 1

    def notices(self) -> None:
        for notice in self.progress.notices:
            self.talk.tell(self.talk.page.wrap(notice, kind="wrong"))
        self.progress.notices.clear()

    # ---- the lab --------------------------------------------------------------------------------

    def _lab(self, work: LabWork, above: Sequence[str]) -> None:
        """The bug and its change first, then a prediction, and only then what comes of it."""
        from ..faults.lab_report_text import BEFORE_THE_RUN, sections
        from ..faults.prediction import prediction_sentences
        from ..text.page import text_of

        page = self.talk.page
        shown = list(sections(work.lab, page))
        lead = ["", *block_lines(Paragraph(work.lead), page)] if work.lead else []
        self._screens(["", *above, "", *text_of(shown[:BEFORE_THE_RUN], page).splitlines(), *lead, ""])
        guesses: dict[str, float] = {}
        predict(self.talk, work.lab, guesses)
        answer = [
            line for sentence in prediction_sentences(work.lab, guesses) for line in page.wrap(sentence)
        ]
        parts_left = [(say("lab.predict.title"), answer), *shown[BEFORE_THE_RUN:]]
        self._screens(["", *text_of(parts_left, page).splitlines()])

    # ---- the end of a unit ------------------------------------------------------------------------

    def _summary(self, unit: Unit) -> None:
        page = self.talk.page
        asked = [
            q.key for block in unit.blocks if isinstance(block, LessonCheckpoint) for q in block.questions
        ]
        title = page.ink("title", say("learn.done", number=unit.number, title=unit.title))
        came_of = self._outcomes(asked, self.progress.begun(unit.slug))
        self.talk.tell(["", title, *came_of, *self._coming()])

    def _outcomes(self, keys: Sequence[str], since: datetime) -> list[str]:
        """How many were right at once, right later, revealed, skipped."""
        outcomes = Counter(self.progress.outcome(key, since) for key in keys)
        counts = [say(f"learn.outcome.{word}", count=outcomes[word]) for word in OUTCOMES if outcomes[word]]
        return [line for sentence in counts for line in self.talk.page.wrap(sentence)]

    def _coming(self) -> list[str]:
        """What comes back when, the next first."""
        page, today = self.talk.page, self.progress.today
        lines = []
        for item in self.progress.coming()[:6]:
            what = say("learn.comes_back", what=item_in_words(item), when=when(item.on, today))
            lines += page.wrap(what)
        return lines

    def _after(self, unit: Unit) -> str:
        """Say which unit is next; its slug, or "" after the last."""
        page = self.talk.page
        if unit.number == len(course.SLUGS):
            self.talk.tell(page.wrap(say("learn.all_done")))
            return ""
        number, slug, title, *_ = course.titles()[unit.number]
        self.talk.tell(page.wrap(say("learn.next", number=number, title=title)))
        return slug

    # ---- repetition and practice --------------------------------------------------------------------

    def review(self) -> None:
        """All that is due, each with fresh numbers."""
        page, due = self.talk.page, self.progress.due()
        if not due:
            coming = self.progress.coming()
            nothing = say("learn.review.nothing") if coming else say("learn.review.never")
            self.talk.tell([*page.wrap(nothing), *self._coming()])
            return
        self.talk.tell(page.wrap(say("learn.review", count=len(due))))
        days = self.progress.today.toordinal()

        def made(item: DueItem, number: int) -> Question:
            return spaced_repetition.question_for(item, self.seed + 1000 * days + 37 * number)

        asked = [(made(item, number), item.item, item_in_words(item)) for number, item in enumerate(due)]
        self._series(asked, len(asked))
        self.talk.tell(["", *self._coming()])

    def practise(self, kinds: Sequence[str], level: int, count: int, first: int) -> None:
        """Questions of these kinds in turn at one level, from the seed `first` on."""
        from .questions import generate

        made = (generate(kinds[number % len(kinds)], level, first + number) for number in range(count))
        self._series(((question, "", say(f"learn.kind.{question.kind}")) for question in made), count)

    def practise_what_is_needed(self, kinds: Sequence[str], count: int, first: int) -> None:
        """Questions of these kinds, each chosen by the answers so far."""
        from .mastery import Practice

        def asked() -> Iterable[tuple[Question, str, str]]:
            for question, item in Practice(self.progress, kinds, count, first):
                what = item_in_words(item) if item else say(f"learn.kind.{question.kind}")
                yield question, item.item if item else "", what

        self._series(asked(), count)

    def _series(self, asked: Iterable[tuple[Question, str, str]], count: int) -> None:
        since, keys = self.progress.now, []
        for number, (question, item, what) in enumerate(asked, 1):
            title = say("learn.question.number", number=number, count=count)
            self.talk.tell(["", self.talk.page.ink("title", f"{title}: {what}")])
            keys.append(question.key)
            ask(self.talk, question, self.progress, item)
            self.notices()
            if number < count:
                self.pause(say("learn.keys.series"))
        self.talk.tell(["", *self._outcomes(keys, since)])


# ---- in words -----------------------------------------------------------------------------------


def contents(progress: Progress, talk: Dialogue, ideas: bool = True) -> list[str]:
    """The units with a mark for what is done or begun; with what is due and each one's idea, if asked."""
    page = talk.page
    due = Counter(item.unit for item in progress.due())
    lines = []
    for number, slug, title, idea, minutes in course.titles():
        state = progress.state(slug)
        mark = {"new": " ", "begun": ">", "done": "x"}[state]
        words = [] if state == "new" else [say(f"learn.state.{state}")]
        if due[slug]:
            words.append(say("learn.state.due", count=due[slug]))
        words.append(say("learn.unit.minutes", count=minutes))
        about = f"{title} ({slug}): {', '.join(words)}" if ideas else title
        lines += page.beside(f"  [{mark}] {number}  ", about)
        if ideas:
            lines += wrap_text(idea, page, MARGIN, MARGIN)
    return lines


def skill_lines(progress: Progress, talk: Dialogue) -> list[str]:
    """What is mastered and what is not, kind by kind in the order of the course, and what comes next."""
    from .mastery import advice, skills

    page, returning = talk.page, {item.kind: item for item in reversed(progress.coming())}
    ordered = sorted(skills(progress.answers).values(), key=lambda each: course.SLUGS.index(each.unit))
    rows = []
    for each in ordered:
        marks = "".join("+" if right else "-" for right in each.recent) or "."
        state = "mastered" if each.mastered else "practised" if each.recent else "new"
        words = say(f"learn.skill.{state}", level=each.level)
        if each.kind in returning:
            day = when(returning[each.kind].on, progress.today)
            words += "; " + say("learn.skill.returns", when=day)
        rows.append((f"  {course.SLUGS.index(each.unit) + 1}", say(f"learn.kind.{each.kind}"), marks, words))
    lines = []
    for number, kind, marks, words in columns(rows):
        lines += page.beside(f"{number}  {kind}  {marks}  ", words)
    mastered = sum(each.mastered for each in ordered)
    return [
        page.ink("title", say("learn.skill.title", count=mastered, total=len(ordered))),
        *lines,
        *page.wrap(say("learn.skill.marks"), kind="faint"),
        "",
        *page.wrap(advice(progress, course.SLUGS, progress.today), ""),
    ]


def item_in_words(item: DueItem) -> str:
    """A kind of question, with the mistake that was made in it."""
    from ..faults import FAULTS
    from ..text.translation import pick

    kind = say(f"learn.kind.{item.kind}")
    fault = FAULTS.get(item.fault)
    if fault is None:
        return kind
    return say("learn.item", kind=kind, fault=pick(fault.name).format(what=ANY))


def when(day: date, today: date) -> str:
    """A day as somebody says it today: today, tomorrow, in 3 days."""
    days = (day - today).days
    if days <= 0:
        return say("learn.when.today")
    return say("learn.when.tomorrow") if days == 1 else say("learn.when.days", count=days)
