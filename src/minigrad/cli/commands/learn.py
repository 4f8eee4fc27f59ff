"""`minigrad learn [UNIT]`: the course in the terminal, from where it was left; what is due; practice.

It can be stopped at any moment, in any way; what was answered is in the progress file, and the last line
says how to go on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from ...learn import course
from ...learn.lesson import Unit
from ...learn.progress import Progress
from ...learn.questions.random_graphs import LEVELS
from ...learn.terminal_question import Dialogue, LeavingError
from ...learn.terminal_session import TerminalSession, contents, skill_lines
from ...text.escape import visible
from ...text.page import Page
from ...text.translation import say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from ..signals import as_interrupts
from . import EVERYWHERE, RIGHT, classroom

__all__ = ["run"]

OPTIONS = {
    "list": "",
    "review": "",
    "skills": "",
    "practice": "",
    "restart": "",
    "seed": "N",
    "level": "N",
    "questions": "N",
    "progress": "FILE",
    "out": "FILE",
    **EVERYWHERE,
}
WAYS = ("list", "review", "skills", "practice", "out", "restart")  # one at a time
OF_PRACTICE = ("level", "questions")
OWN = -1  # the seed in the progress file, the level that was reached
LARGEST_SEED = 2**53 - 1
MOST = 100  # questions of one sitting
COUNT = 5
INTERRUPTED = 130
LONGEST = 4096  # characters of one line
ENDLESS = 1 << 20  # characters without an end of line, after which nobody is there


def run(words: Sequence[str]) -> int:
    arguments = take_apart(_spelled_out(words), {**classroom.OPTIONS, **OPTIONS})
    if classroom.asked(arguments):
        return classroom.run(arguments)
    _coherent(arguments)
    if arguments.flag("out"):
        return _write(arguments)
    chosen = _kinds(arguments) if arguments.flag("practice") else _unit(arguments)
    level = argument_values.whole(arguments, "level", 1, max(LEVELS), OWN)
    count = argument_values.whole(arguments, "questions", 1, MOST, COUNT)
    seed = argument_values.whole(arguments, "seed", 0, LARGEST_SEED, OWN)
    progress = Progress.open(arguments.options.get("progress"), reason=output.reason)
    terminal = Terminal()
    if arguments.flag("list"):
        heading, notices = _heading(terminal), _notices_and_due(progress, terminal)
        terminal.tell([*heading, *contents(progress, terminal), *notices])
        return RIGHT
    session = TerminalSession(terminal, progress, None if seed == OWN else seed)
    if arguments.flag("skills"):
        session.notices()
        terminal.tell(skill_lines(progress, terminal))
        return RIGHT
    if arguments.flag("review"):
        return _held(session, session.review, "minigrad learn --review")
    if arguments.flag("practice"):
        first = seed if seed != OWN else progress.seed + len(progress.answers)
        if level == OWN:
            return _held(session, lambda: session.practise_what_is_needed(chosen, count, first))
        return _held(session, lambda: session.practise(chosen, level, count, first))
    anew = arguments.flag("restart")
    return _held(session, lambda: _course(session, chosen[0], anew))


def _spelled_out(words: Sequence[str]) -> list[str]:
    """--practice=gradient as two words: the kind may be left out, and then nothing stands for it."""
    found = []
    for word in words:
        name, equals, value = word.partition("=")
        found += [name, value] if name == "--practice" and equals and value else [word]
    return found


def _coherent(arguments: Arguments) -> None:
    """Wishes that cannot be granted together are refused before anything is done."""
    asked = [way for way in WAYS if arguments.flag(way)]
    if len(asked) > 1:
        raise UsageError(say("usage.break.together", first=f"--{asked[0]}", second=f"--{asked[1]}"))
    for option in OF_PRACTICE:
        if arguments.flag(option) and not arguments.flag("practice"):
            raise UsageError(say("usage.learn.practice", given=f"--{option}"))
    for option in classroom.OPTIONS:
        if option not in OPTIONS and arguments.flag(option):
            raise UsageError(say("usage.learn.class", given=f"--{option}"))
    allowed = 0 if any(arguments.flag(way) for way in ("list", "review", "skills")) else 1
    if len(arguments.words) > allowed:
        given = argument_values.quoted(arguments.words[allowed])
        raise UsageError(say("usage.learn.words", given=given))


def _unit(arguments: Arguments) -> list[str]:
    """The slug of the unit that was named; "" for where the learner is."""
    if not arguments.words:
        return [""]
    return [course.SLUGS[course.number_of(arguments.words[0]) - 1]]


def _kinds(arguments: Arguments) -> list[str]:
    from ...learn.questions import KINDS

    if not arguments.words:
        return list(KINDS)
    wish = arguments.words[0].lower()
    if wish not in KINDS:
        about = {"given": argument_values.quoted(arguments.words[0]), "known": ", ".join(KINDS)}
        raise UsageError(say("usage.learn.kind", **about))
    return [wish]


# ---- the course ---------------------------------------------------------------------------------


def _course(session: TerminalSession, slug: str, anew: bool) -> None:
    """The unit that was asked for, else the one that was left, else the first that is not done."""
    progress, talk = session.progress, session.talk
    if progress.new and not slug:
        talk.tell([*_heading(talk), *contents(progress, talk, ideas=False), ""])
        talk.tell(talk.page.wrap(say("learn.welcome.keys")))
        session.pause(say("learn.begin"))
    if not slug:
        due = len(progress.due())
        if due:
            talk.tell(talk.page.wrap(say("learn.due", count=due)))
        slug = _next(progress)
    if not slug:
        talk.tell([*contents(progress, talk), "", *talk.page.wrap(say("learn.all_done"))])
        return
    session.learn(slug, anew=anew)


def _next(progress: Progress) -> str:
    if progress.current and progress.reading(progress.current):
        return progress.current
    return next((slug for slug in course.SLUGS if progress.state(slug) != "done"), "")


def _heading(talk: Dialogue) -> list[str]:
    return [talk.page.ink("title", say("learn.title")), *talk.page.wrap(say("learn.welcome")), ""]


def _notices_and_due(progress: Progress, talk: Dialogue) -> list[str]:
    """Notices about the progress file, each said once, and how much is due."""
    lines = [line for notice in progress.notices for line in talk.page.wrap(notice, kind="wrong")]
    progress.notices.clear()
    due = len(progress.due())
    if due:
        lines += ["", *talk.page.wrap(say("learn.due", count=due))]
    return lines


# ---- stopping -----------------------------------------------------------------------------------


def _held(session: TerminalSession, work: Callable[[], None], again: str = "minigrad learn") -> int:
    """Do it until it ends or is stopped; then say what was kept, and how to go on."""
    with as_interrupts():
        try:
            session.notices()
            work()
            _farewell(session)
        except LeavingError:
            _farewell(session, again)
        except KeyboardInterrupt:
            with suppress(OSError):  # the terminal may be gone
                _farewell(session, again)
            return INTERRUPTED
    return RIGHT


def _farewell(session: TerminalSession, again: str = "") -> None:
    progress, page = session.progress, session.talk.page
    kept = progress.save()
    session.notices()
    if not kept:
        lost = say("learn.not_kept", path=visible(str(progress.path)), count=progress.unkept)
        session.talk.tell(["", *page.wrap(lost, kind="wrong")])
    elif again:
        session.talk.tell(["", *page.wrap(say("learn.stopped", command=again))])


# ---- the terminal -------------------------------------------------------------------------------


class Terminal:
    """Standard input and output; a line of a file is printed after its prompt, as if it had been typed."""

    def __init__(self) -> None:
        self.page: Page = output.page()
        if sys.stdin is not None and hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    @property
    def interactive(self) -> bool:
        return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def height(self) -> int:
        from shutil import get_terminal_size

        return get_terminal_size((80, 24)).lines

    def tell(self, lines: Sequence[str]) -> None:
        if lines:
            print(output.fitting("\n".join(lines)), flush=True)

    def hear(self, prompt: str) -> str:
        print(output.fitting(prompt), end="", flush=True)
        line = self._line()
        if not line:
            print()
            raise LeavingError
        heard = line.strip()
        if not sys.stdin.isatty():
            print(
                argument_values.quoted(heard)[1:-1] if not heard.isprintable() or len(heard) > 60 else heard
            )
        return heard

    @staticmethod
    def _line() -> str:
        """One line, cut if it is very long; "" at the end, or where there is no end of line at all."""
        if sys.stdin is None:
            return ""
        try:
            line = more = sys.stdin.readline(LONGEST)
            dropped = 0
            while more and not more.endswith("\n"):
                more = sys.stdin.readline(LONGEST)
                dropped += len(more)
                if dropped > ENDLESS:
                    return ""
        except (OSError, ValueError):  # a terminal that is gone, or nothing to read from
            return ""
        return line


# ---- a unit as a file ---------------------------------------------------------------------------


def _write(arguments: Arguments) -> int:
    """--out: the unit as Markdown, as a page, as a notebook or as its source."""
    from ...learn import lesson_html, lesson_markdown, lesson_notebook

    if not arguments.words:
        raise UsageError(say("usage.learn.out"))
    forms: dict[str, output.Form[Unit]] = {
        ".md": lesson_markdown.markdown,
        ".html": lesson_html.page,
        ".ipynb": lambda unit: lesson_notebook.text(lesson_notebook.cells(unit)),
        ".py": lesson_notebook.percent,
    }
    write = output.file_writer(arguments, forms)
    seed = argument_values.whole(arguments, "seed", 0, LARGEST_SEED, 0)
    write(course.unit(_unit(arguments)[0], seed=seed))
    return RIGHT
