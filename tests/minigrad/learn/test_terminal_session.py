"""What a person at a terminal is shown and asked: questions, predictions, screens, pauses.

The terminal is a list of what was shown and a list of what will be typed; `minigrad/cli/commands/` has the
tests in a real one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from minigrad.faults.break_lab import lab
from minigrad.learn.lesson import Heading, LessonCheckpoint, Paragraph, Unit
from minigrad.learn.lesson_screens import parts
from minigrad.learn.progress import Progress
from minigrad.learn.terminal_question import ask, predict
from minigrad.learn.terminal_session import TerminalSession
from minigrad.text.page import Page
from minigrad.text.translation import speaking
from question_fixtures import ask as asked_about

CLASSIC = "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"


class Script:
    """A terminal whose person types these lines; what was shown and asked is in `seen`, in turn."""

    interactive = True

    def __init__(self, *typed: str, height: int = 24) -> None:
        self.page, self.height = Page(width=78), height
        self.typed = list(typed)
        self.seen: list[str] = []

    def tell(self, lines: Sequence[str]) -> None:
        self.seen += lines

    def hear(self, prompt: str) -> str:
        self.seen.append(f"[{prompt.strip()}]")
        return self.typed.pop(0)

    def asked(self) -> list[str]:
        return [line for line in self.seen if line.startswith("[")]


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with speaking("en"):
        yield


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress.open(tmp_path / "progress.json")


# ---- a question ---------------------------------------------------------------------------------


def test_each_blank_is_asked_for_by_its_name_until_all_are_filled(progress):
    talk = Script("4", "b=-4", "-12")
    ask(talk, asked_about("gradient", CLASSIC), progress)
    assert talk.asked() == ["[a.grad =]", "[b.grad =]", "[c.grad =]"]
    assert [row.right for row in progress.answers] == [True]


def test_the_keys_are_said_before_a_question_and_what_to_do_after_a_wrong_answer(progress):
    talk = Script("1 2 3", "4 -4 -12")
    ask(talk, asked_about("gradient", CLASSIC), progress)
    keys, again, reason = (
        talk.seen.index(next(line for line in talk.seen if words in line))
        for words in ("r reveals the answer, s skips", "Try again; r reveals", "Not right")
    )
    first, second = (at for at, line in enumerate(talk.seen) if line == "[a.grad =]")
    assert keys < first < reason < again < second
    assert [row.right for row in progress.answers] == [False, True]


def test_a_prediction_that_is_no_number_is_told_and_asked_for_again():
    guesses: dict[str, float] = {}
    talk = Script("much", "-6", "", "c=-2")
    predict(talk, lab(CLASSIC, "overwrite"), guesses)
    assert guesses == {"a": -6.0, "c": -2.0}
    assert talk.asked() == ["[a.grad?]", "[a.grad?]", "[b.grad?]", "[c.grad?]"]
    told = [line for line in talk.seen if "is no number" in line]
    assert told == ["  'much' is no number; write -6, 0.5 or 1/3, or press Enter to skip"]


# ---- screens ------------------------------------------------------------------------------------


def a_unit(*paragraphs: str) -> Unit:
    """A heading and a paragraph for each of these, so that each has a screen of its own."""
    blocks = [block for text in paragraphs for block in (Heading(text.upper()), Paragraph(text))]
    return Unit(1, "by-hand", "en", "Numbers", "An idea.", 5, tuple(blocks))


def test_a_unit_begins_with_its_number_its_title_and_its_idea():
    first = next(iter(parts(a_unit("one"), Script())))
    assert first.lines[0] == "Unit 1: Numbers"
    assert "An idea." in first.lines


def test_a_unit_that_was_left_goes_on_at_the_screen_that_was_reached(progress):
    progress.arrive("by-hand", 2)  # the heading TWO
    talk = Script("", "")
    TerminalSession(talk, progress)._unit(a_unit("one", "two", "three"), anew=False)
    assert "one" not in talk.seen
    assert talk.seen.index("two") < talk.seen.index("three")
    assert [line.partition(" ")[0] for line in talk.asked()] == ["[2/3", "[3/3"]


def test_many_lines_are_shown_a_screen_at_a_time_with_a_pause_between_any_two(progress):
    lines = [f"line {number}" for number in range(14)]  # a screen of 8 and one of 6
    talk = Script("b", "", height=8)
    TerminalSession(talk, progress)._screens(lines)
    assert len(talk.asked()) == 2  # behind the first screen, each time that it is shown
    assert talk.typed == []
    assert [line for line in talk.seen if line.startswith("line")] == [*lines[:8], *lines[:8], *lines[8:]]


def test_nobody_has_to_press_enter_behind_the_last_question_of_a_unit(progress):
    question = asked_about("gradient", CLASSIC)
    unit = replace(a_unit("one"), blocks=(Paragraph("one"), LessonCheckpoint((question,))))
    talk = Script("4 -4 -12")
    TerminalSession(talk, progress)._unit(unit, anew=False)
    assert talk.asked() == ["[a.grad =]"]
    assert progress.state("by-hand") == "done"
