"""`minigrad build [FOLDER]`: an engine of one's own, step by step; check, hint, picture and grade.

The learner's file is engine.py in the folder.  A skeleton is put into it once, and what stands there is never
changed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...learn.progress import Progress
from ...learn.terminal_question import LeavingError
from ...text.escape import visible
from ...text.files import rows_json, write_whole
from ...text.page import Page
from ...text.translation import chosen_language, say
from .. import argument_values, output
from ..arguments import Arguments, UsageError, take_apart
from ..signals import as_interrupts
from . import EVERYWHERE, RIGHT, WRONG
from .learn import Terminal

if TYPE_CHECKING:
    from ...doctor.patches.patch import Patch
    from ...learn.track.answer import Commands
    from ...learn.track.check import Checked
    from ...learn.track.suite import Score

__all__ = ["run"]

OPTIONS = {
    "loop": "",
    "suite": "",
    "expect": "N",
    "out": "FILE",
    "json": "",
    "progress": "FILE",
    **EVERYWHERE,
}
ACTIONS = ("check", "hint", "picture", "grade")
KNOWN = {  # the options of each
    "": ("progress",),
    "check": ("loop", "suite", "expect", "json", "progress"),
    "hint": ("progress",),
    "picture": ("out",),
    "grade": ("json",),
}
ENGINE = "engine.py"
LARGEST = 1_000_000  # octets of a learner's file that are read
BLINK = 0.5  # seconds between two looks at a file that is waited for


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    action = arguments.words[0] if arguments.words and arguments.words[0] in ACTIONS else ""
    named = arguments.words[1:] if action else arguments.words
    if len(named) > 1:
        close = "" if action else _close_action(named[0])
        if close:
            given = argument_values.quoted(named[0])
            raise UsageError(say("usage.build.close", given=given, close=close))
        raise UsageError(say("usage.build.words", given=argument_values.quoted(named[1])))
    for option in arguments.options:
        if option not in (*KNOWN[action], *EVERYWHERE):
            raise UsageError(
                say("usage.build.option", given=f"--{option}", command=f"build {action}".strip())
            )
    folder = Path(named[0]) if named else Path()
    if action == "grade":
        return _grade(arguments, folder)
    track = Track(arguments, folder)
    with as_interrupts():
        try:
            return {"": track.show, "check": track.check, "hint": track.hint, "picture": track.draw}[action]()
        except LeavingError:
            return RIGHT


def _close_action(word: str) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, ACTIONS, 1, 0.6)), "")


class Track:
    """One learner's folder, and the progress that is kept of it."""

    def __init__(self, arguments: Arguments, folder: Path) -> None:
        from ...learn.track.answer import Commands

        self.arguments, self.folder = arguments, folder
        self.path = folder / ENGINE
        self.terminal = Terminal()
        self.page = self.terminal.page
        name = str(folder) if folder != Path() else ""
        self.commands: Commands = Commands(f'"{name}"' if " " in name else name, chosen_language())
        self._progress: Progress | None = None

    @property
    def progress(self) -> Progress:
        if self._progress is None:
            self._progress = Progress.open(self.arguments.options.get("progress"), reason=output.reason)
        return self._progress

    # ---- the step ---------------------------------------------------------------------------------

    def show(self) -> int:
        from ...learn.track import answer
        from ...learn.track.check import check
        from ...learn.track.learner_file import LearnerFile
        from ...learn.track.textbook_parts import STEPS, names_of

        source = _text(self.path) if self.path.exists() else ""
        checked = check(source)
        if checked.finding is not None and checked.finding.kind == "unreadable":
            self._say(answer.first_answer(checked, self.page, self.commands))
            return WRONG
        if checked.finding is None and checked.step == STEPS[-1]:
            self._say(self.page.wrap(say("track.all_done", count=len(STEPS)), ""))
            return RIGHT
        step = checked.finding.step if checked.finding else STEPS[STEPS.index(checked.step) + 1]
        file = LearnerFile(source)
        if source.strip() and file.value_class is None:
            raise UsageError(f"{visible(str(self.path))}: {say('track.file.class')}")
        self._say([answer.heading(step, self.page), "", *answer.step_text(step, self.page)])
        if not any(file.definition(name) for name in names_of(step)):
            whole = file.with_part(step)
            self._place(self.path, whole, source)
            line = LearnerFile(whole).hole(step)
            self._say(self.page.wrap(say("track.placed", path=visible(str(self.path)), line=line), ""))
        else:
            self._say(self.page.wrap(say("track.there", path=visible(str(self.path))), ""))
        if step == STEPS[-1]:
            self._place_tests()
        self._ask(step)
        self._say(["", *self.page.wrap(say("track.then", command=self.commands("check")), "")])
        self._notices()
        return RIGHT

    def _place(self, path: Path, whole: str, before: str) -> None:
        """Write a file that is still as it was read."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if (_text(path) if path.exists() else "") != before:
                raise UsageError(say("track.file.changed", path=visible(str(path))))
            write_whole(path, whole)
        except OSError as error:
            raise UsageError(say("out.failed", path=visible(str(path)), why=output.reason(error))) from None

    def _place_tests(self) -> None:
        from ...learn.track.suite import TESTS
        from ...learn.track.textbook_parts import own_tests

        path = self.folder / TESTS
        if not os.path.lexists(path):
            self._place(path, own_tests().skeleton, "")
            self._say(self.page.wrap(say("track.tests_placed", path=visible(str(path))), ""))

    def _ask(self, step: str) -> str:
        """The prediction of a step: as it was made, or asked for now if somebody is there."""
        row = self.progress.step(step)
        if row is not None and row.get("predicted"):
            return _number(row.get("predicted", ""))
        if not self.terminal.interactive:
            return ""
        self._say(["", *self.page.wrap(say("track.predict"), ""), *self.page.wrap(say(f"track.ask.{step}"))])
        while True:
            heard = self.terminal.hear(f"  ({say('track.predict.how')}) > ")
            if not heard:
                return ""
            if _number(heard):
                self.progress.predict_step(step, _number(heard))
                return _number(heard)
            self._say(self.page.wrap(say("track.predict.unreadable", given=argument_values.quoted(heard))))

    # ---- the check --------------------------------------------------------------------------------

    def check(self) -> int:
        if self.arguments.flag("suite"):
            return self._score()
        if self.arguments.flag("loop"):
            return self._watch()
        checked, code = self._checked()
        self._report(checked)
        return code

    def _checked(self) -> tuple[Checked, int]:
        from ...learn.track.check import check

        checked = check(self._source())
        for step in checked.passed:
            row = self.progress.step(step)
            if row is None or not row.get("passed"):
                self.progress.pass_step(step)
        return checked, WRONG if checked.finding else RIGHT

    def _report(self, checked: Checked) -> None:
        from ...learn.track import answer

        if self.arguments.flag("json"):
            print(rows_json(answer.verdict_json(checked, self.commands)), end="")
            return
        predicted = self._predicted(checked.step) if checked.step else ""
        self._say(answer.first_answer(checked, self.page, self.commands, predicted))
        self._notices()

    def _predicted(self, step: str) -> str:
        given = self.arguments.options.get("expect")
        if given is None:
            row = self.progress.step(step)
            return _number(row.get("predicted", "")) if row is not None else ""
        if not _number(given):
            raise UsageError(say("usage.number", option="--expect", given=argument_values.quoted(given)))
        self.progress.predict_step(step, _number(given))
        return _number(given)

    def _watch(self) -> int:
        """Check at every save, until Ctrl-C."""
        seen: object = None
        while True:
            try:
                state = self.path.stat()
                now: object = (state.st_mtime_ns, state.st_size)
            except OSError:
                now = ()
            if now != seen:
                seen = now
                try:
                    self._report(self._checked()[0])
                except UsageError as error:
                    self._say([str(error)])
                self._say(["", *self.page.wrap(say("track.loop.waiting", path=visible(str(self.path))), "")])
            time.sleep(BLINK)

    def _score(self) -> int:
        from ...learn.track.suite import TESTS, score, score_lines

        source = self._source()
        found = score(source, self._tests(TESTS))
        if self.arguments.flag("json"):
            print(rows_json(_score_json(found)), end="")
        else:
            self._say(score_lines(found, source, self.page))
        return WRONG if found.survived or found.not_run else RIGHT

    def _tests(self, name: str) -> str:
        path = self.folder / name
        if not path.exists():
            raise UsageError(say("track.tests.none", path=visible(str(path))))
        return _text(path)

    # ---- hints, pictures --------------------------------------------------------------------------

    def hint(self) -> int:
        from ...learn.track import answer
        from ...learn.track.check import check

        checked = check(self._source())
        found = checked.finding
        if found is None or not found.step:
            self._say(answer.hint(checked, 1, self.page, self.commands))
            return RIGHT
        row = self.progress.step(found.step)
        about = answer.identity(found)
        given = row.get("hints", 0) if row is not None and row.get("about") == about else 0
        number = min(given + 1, answer.HINTS)
        self.progress.hint_step(found.step, about, number)
        self._say(answer.hint(checked, number, self.page, self.commands))
        self._notices()
        return RIGHT

    def draw(self) -> int:
        from ...learn.track.learner_graph import draw_graph

        path = Path(self.arguments.options.get("out", str(self.folder / "engine.svg")))
        if path.suffix != ".svg":
            raise UsageError(say("usage.ending", given=argument_values.quoted(path.name), known=".svg"))
        drawing = draw_graph(self._source())
        try:
            write_whole(path, drawing.svg("auto"))
        except OSError as error:
            raise UsageError(say("out.failed", path=visible(str(path)), why=output.reason(error))) from None
        self._say(
            [say("out.written", path=visible(str(path))), *self.page.wrap(say("track.picture.caption"))]
        )
        return RIGHT

    # ---- what is said -----------------------------------------------------------------------------

    def _source(self) -> str:
        if not self.path.exists():
            raise UsageError(say("track.file.none", path=visible(str(self.path)), command=self.commands()))
        return _text(self.path)

    def _say(self, lines: Sequence[str]) -> None:
        self.terminal.tell(list(lines))

    def _notices(self) -> None:
        if self._progress is not None:
            self._progress.save()
            self._say(
                [line for note in self._progress.notices for line in self.page.wrap(note, kind="wrong")]
            )
            self._progress.notices.clear()


def _number(text: str) -> str:
    """A number as Python writes it; "" for what is none."""
    from ...language import number

    found = None
    with suppress(ValueError, OverflowError):
        found = number(text)
    return "" if found is None else repr(found)


def _text(path: Path) -> str:
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise UsageError(say("track.file.kind", path=visible(str(path))))
    try:
        with path.open("rb") as file:
            octets = file.read(LARGEST + 1)
        if len(octets) > LARGEST:
            raise UsageError(f"{visible(str(path))}: {say('track.file.large', most=200)}")
        return octets.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise UsageError(say("track.file.text", path=visible(str(path)))) from None
    except OSError as error:
        raise UsageError(f"{visible(str(path))}: {output.reason(error)}") from None


def _score_json(found: Score) -> dict[str, object]:
    from ...learn.track.mistakes import slug_of_fault

    def rows(bugs: Sequence[Patch]) -> list[dict[str, object]]:
        return [{"fault": one.kind, "mistake": slug_of_fault(one.kind), "line": one.line} for one in bugs]

    return {
        "killed": len(found.killed),
        "planted": found.planted,
        "survived": rows(found.survived),
        "not_run": rows(found.not_run),
        "why_not_run": found.stop or None,
    }


# ---- a class ------------------------------------------------------------------------------------------


def _grade(arguments: Arguments, folder: Path) -> int:
    """Steps passed and the score of the tests, for each engine.py in a folder."""
    from ...learn.track.check import check
    from ...learn.track.suite import TESTS, SuiteError, score
    from ...learn.track.textbook_parts import STEPS

    rows: list[dict[str, object]] = []
    for path in _engines(folder):
        row: dict[str, object] = {"name": path.parent.name or str(path.parent), "steps": 0, "of": len(STEPS)}
        try:
            source = _text(path)
            checked = check(source)
            row |= {
                "steps": len(checked.passed),
                "stopped_at": checked.finding.step if checked.finding else None,
            }
            row["mistake"] = checked.finding.slug or checked.finding.kind if checked.finding else None
            tests = path.parent / TESTS
            if tests.is_file() and checked.passed and checked.passed[-1] == STEPS[-1]:
                found = score(source, _text(tests))
                row["tests"] = {
                    "killed": len(found.killed),
                    "planted": found.planted,
                    "not_run": len(found.not_run),
                }
        except (UsageError, SuiteError) as error:
            row["why"] = str(error)
        rows.append(row)
    if not rows:
        raise UsageError(say("track.grade.none", path=visible(str(folder))))
    if arguments.flag("json"):
        print(rows_json({"schema": "minigrad.build.grades/1", "engines": rows}), end="")
        return RIGHT
    page = output.page()
    print(output.fitting(page.ink("title", say("track.grade.title"))))
    for row in rows:
        print(output.fitting("\n".join(_grade_lines(row, page))))
    return RIGHT


def _grade_lines(row: dict[str, object], page: Page) -> Iterator[str]:
    text = say("track.grade.row", name=visible(str(row["name"])), passed=row["steps"], count=row["of"])
    tests = row.get("tests")
    if isinstance(tests, dict):
        text += "; " + say("track.grade.tests", killed=tests["killed"], planted=tests["planted"])
        if tests["not_run"]:
            text += ", " + say("track.grade.not_run", count=tests["not_run"])
    if row.get("mistake"):
        text += f" ({row['mistake']})"
    yield from page.wrap(text)
    if row.get("why"):
        yield from page.wrap(visible(str(row["why"])), "    ")


def _engines(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UsageError(f"{visible(str(folder))}: {say('system.missing')}")
    found = [folder / ENGINE, *(sub / ENGINE for sub in sorted(folder.iterdir()) if sub.is_dir())]
    return [path for path in found if path.is_file()]
