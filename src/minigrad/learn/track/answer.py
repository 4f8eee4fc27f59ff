"""Answers of the track: what is said of a checked engine, first the mistake and its line, hints on request.

The first answer never says what to write instead.  The hints grow: a question with the smallest program that
shows it, the idea in full, and the change itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff

from ...text.escape import visible
from ...text.excerpts import cut
from ...text.numerals import show
from ...text.page import Page
from ...text.translation import say
from .check import Checked, StepFinding
from .learner_file import LearnerFile
from .probes import PREDICTIONS, agree
from .textbook_parts import CLASS, STEPS, names_of, solution

__all__ = ["HINTS", "Commands", "first_answer", "heading", "hint", "identity", "step_text", "verdict_json"]

HINTS = 3
WIDEST = 100  # characters of a learner's line that are quoted
SCHEMA = "minigrad.build/1"


@dataclass(frozen=True)
class Commands:
    """What to type, for this folder."""

    folder: str = ""
    lang: str = ""  # that the command line asked for

    def __call__(self, word: str = "") -> str:
        lang = f"--lang {self.lang}" if self.lang else ""
        return " ".join(part for part in ("minigrad build", word, self.folder, lang) if part)


def number_of(step: str) -> int:
    return STEPS.index(step) + 1


def title_of(step: str) -> str:
    return say(f"track.title.{step}")


def heading(step: str, page: Page) -> str:
    words = say("track.heading", number=number_of(step), count=len(STEPS), title=title_of(step))
    return page.ink("title", words)


def step_text(step: str, page: Page) -> Iterator[str]:
    """The text of a step; indented lines keep their form."""
    for paragraph in say(f"track.text.{step}").split("\n\n"):
        if paragraph.startswith("  "):
            yield from ("  " + line for line in paragraph.split("\n"))
        else:
            yield from page.beside("", paragraph)
        yield ""


# ---- the first answer -------------------------------------------------------------------------------


def first_answer(checked: Checked, page: Page, commands: Commands, predicted: str = "") -> list[str]:
    """What is said of a check: it holds, or the mistake and its line."""
    lines: list[str] = []
    if checked.finding is None:
        step = checked.step
        lines.append(page.ink("right", say("track.passed", number=number_of(step), title=title_of(step))))
        if len(checked.passed) > 1:
            before = len(checked.passed) - 1
            lines += page.wrap(say("track.earlier" if before > 1 else "track.earlier.one", count=before))
        lines += page.wrap(_prediction(checked, step, predicted))
        if step == STEPS[-1]:
            lines += ["", *page.wrap(say("track.all_done", count=len(STEPS)), "")]
        else:
            lines += ["", *page.wrap(say("track.next", command=commands()), "")]
        return lines
    found = checked.finding
    if found.step:
        words = say("track.not_yet", number=number_of(found.step), title=title_of(found.step))
        lines.append(page.ink("wrong", words))
    lines += page.wrap(sentence(found, commands))
    lines += _place(checked.file, found, page)
    if found.is_wrong and found.step:
        lines += ["", *page.wrap(say("track.more", command=commands("hint")), "")]
    return lines


def sentence(found: StepFinding, commands: Commands) -> str:
    """The mistake in one sentence."""
    if found.kind == "mistake":
        text = say(f"track.mistake.{found.slug}", op=found.op or "Value")
    else:
        text = say(f"track.finding.{found.kind}", error=visible(cut(found.error, 200)), command=commands())
    return text[:1].upper() + text[1:] + "."


def _place(file: LearnerFile, found: StepFinding, page: Page) -> Iterator[str]:
    if not found.line:
        return
    yield from page.wrap(say("track.missing" if found.missing else "track.line", line=found.line))
    quoted = _code(file.line(found.line))
    if quoted:
        yield "    " + quoted


def _code(line: str) -> str:
    return cut(visible(line.expandtabs(4)), WIDEST)


def _prediction(checked: Checked, step: str, predicted: str) -> str:
    outcome = checked.outcomes.get(PREDICTIONS[step].id, {})
    numbers = outcome.get("numbers")
    if not isinstance(numbers, list) or len(numbers) != 1 or not isinstance(numbers[0], float):
        return ""
    got = show(numbers[0])
    if not predicted:
        return say("track.predict.none", got=got)
    is_right = agree({"numbers": [float(predicted)]}, {"numbers": numbers})
    given = show(float(predicted))
    if is_right:
        return say("track.predict.right", given=given, got=got)
    return say("track.predict.wrong", given=given, got=got)


# ---- hints ------------------------------------------------------------------------------------------


def identity(found: StepFinding) -> str:
    """What hints are counted for: another mistake begins with the first hint again."""
    return f"{found.kind}:{found.slug}:{found.op}"[:120]


def hint(checked: Checked, number: int, page: Page, commands: Commands) -> list[str]:
    """The hint of this number, from 1: a question, the idea, the change."""
    found = checked.finding
    if found is None or not found.step or found.kind == "absent":
        return page.wrap(say("track.help.none"), "")
    lines = [page.ink("title", say("track.help.title", number=number, count=HINTS))]
    if number == 1:
        lines += page.wrap(say(f"track.hint.{found.step}"))
        lines += _shown(found, page)
    elif number == 2:
        lines += page.wrap(say(f"track.larger.{found.step}"))
    else:
        lines += _change(checked.file, found, page)
    lines.append("")
    if number < HINTS:
        lines += page.wrap(say("track.more", command=commands("hint")), "")
    else:
        lines += page.wrap(say("track.help.again", command=commands()), "")
    return lines


def _shown(found: StepFinding, page: Page) -> Iterator[str]:
    if not found.program:
        return
    yield ""
    yield from page.wrap(say("track.help.program"))
    yield from (f"    {_code(line)}" for line in found.program if line.strip())
    if found.got:
        yield from page.wrap(say("track.help.got", numbers=", ".join(found.got)))
    if found.right:
        yield from page.wrap(say("track.help.right", numbers=", ".join(found.right)))


def _change(file: LearnerFile, found: StepFinding, page: Page) -> Iterator[str]:
    if found.hunks:
        yield from page.wrap(say("track.help.diff"))
        for old, new in found.hunks:
            yield from (page.ink("removed", f"    - {_code(line.strip())}") for line in old)
            yield from (page.ink("added", f"    + {_code(line.strip())}") for line in new)
        return
    yield from page.wrap(say("track.help.book"))
    book = LearnerFile(solution(file.step or found.step))
    there = file.function_at(found.line) if found.line else ""
    for names in _parts(found.step, there):
        shown = list(_differences(file, book, names, page))
        if shown:
            yield from shown
            return


def _parts(step: str, there: str) -> Iterator[tuple[str, ...]]:
    """The functions that may differ from the book's, the likely ones first, and last the class."""
    names = names_of(step)
    whole = CLASS in names
    yield from [(there,)] if there else []
    yield ("__init__",) if whole else names
    yield from (names_of(one) for one in reversed(STEPS[: STEPS.index(step)]))
    yield (CLASS,)


def _differences(file: LearnerFile, book: LearnerFile, names: tuple[str, ...], page: Page) -> Iterator[str]:
    for name in names:
        mine, right = _text(file, name), _text(book, name)
        if mine == right or not right:
            continue
        for line in list(unified_diff(mine, right, n=2, lineterm=""))[3:]:
            kind = {"-": "removed", "+": "added"}.get(line[:1], "")
            text = "    " + _code(line)
            yield page.ink(kind, text) if kind else text


def _text(file: LearnerFile, name: str) -> list[str]:
    node = file.definition(name)
    return file.source.splitlines()[node.lineno - 1 : node.end_lineno] if node else []


# ---- as JSON ----------------------------------------------------------------------------------------


def verdict_json(checked: Checked, commands: Commands) -> dict[str, object]:
    """What a program reads of a check."""
    found = checked.finding
    return {
        "schema": SCHEMA,
        "steps": list(STEPS),
        "passed": list(checked.passed),
        "step": checked.step,
        "finding": None
        if found is None
        else {
            "kind": found.kind,
            "mistake": found.slug or None,
            "op": found.op or None,
            "line": found.line or None,
            "sentence": sentence(found, commands),
        },
    }
