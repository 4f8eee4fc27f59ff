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
from minigrad.learn import course
from minigrad.learn.lesson import Heading, LessonCheckpoint, LessonGuess, Paragraph, Unit
from minigrad.learn.lesson_screens import parts
from minigrad.learn.progress import Progress
from minigrad.learn.terminal_question import LeavingError, ask, predict
from minigrad.learn.terminal_session import TerminalSession
from minigrad.text.page import Page
from minigrad.text.translation import LANGUAGES, speaking
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
    told = [line for line in talk.seen if "is not a number" in line]
    assert told == ["  'much' is not a number; write -6, 0.5 or 1/3, or press Enter to skip"]


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


# ---- guesses ------------------------------------------------------------------------------------

GUESSED = (Heading("One"), LessonGuess("How many?"), Paragraph("There are two."))


def test_what_answers_a_guess_is_on_the_next_screen_and_comes_once_something_was_said(progress):
    unit = replace(a_unit("one"), blocks=GUESSED)
    asked, answer, *_ = parts(unit, Script())
    assert "How many?" in asked.lines
    assert asked.guess
    assert "There are two." not in asked.lines
    assert "There are two." in answer.lines
    talk = Script("three", "")
    TerminalSession(talk, progress)._unit(unit, anew=False)
    said = talk.seen.index("  You said: three. Compare:")
    assert talk.seen.index("How many?") < said < talk.seen.index("There are two.")
    assert progress.answers == []  # nobody judges it


def test_nobody_has_to_guess_and_one_can_stop_or_go_back(progress):
    unit = replace(a_unit("one"), blocks=(Heading("Zero"), Paragraph("zero"), *GUESSED))
    talk = Script("", "", "")
    TerminalSession(talk, progress)._unit(unit, anew=False)
    assert "There are two." in talk.seen
    assert not any("You said" in line for line in talk.seen)
    back = Script("", "b", "", "", "")
    TerminalSession(back, progress)._unit(unit, anew=True)
    assert back.seen.count("zero") == 2
    with pytest.raises(LeavingError):
        TerminalSession(Script("", "q"), progress)._unit(unit, anew=True)


def test_one_who_asks_for_help_before_a_guess_or_behind_a_screen_is_told_the_keys_and_asked_again(progress):
    unit = replace(a_unit("one"), blocks=GUESSED)
    talk = Script("?", "three", "?", "")
    TerminalSession(talk, progress)._unit(unit, anew=False)
    guess, again, pause, once_more = (at for at, line in enumerate(talk.seen) if line.startswith("["))
    for asked, next_asked in ((guess, again), (pause, once_more)):
        assert talk.seen[asked] == talk.seen[next_asked]
        assert "b and Enter for the screen before" in " ".join(talk.seen[asked + 1 : next_asked])


def answered_at_once(unit: Unit, talk: Script) -> list[str]:
    """The questions of a lesson's own text that say that one should think, where no answer is waited for."""
    told = []
    for step in parts(unit, talk):
        text = " ".join(step.lines)
        waits = step.guess or step.lab is not None or step.question is not None
        if not waits and any(words in text.lower() for words in THINK):
            told.append(text[:200])
    return told


THINK = (
    "guess", "before you read", "before you look", "take a pencil", "work it out", "count them",
    "write down as many", "cover the",
    "adivin", "antes de seguir leyendo", "antes de mirar", "tome un lápiz", "cuéntelos",
    "escriba tantas", "tape la",
)  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("number", range(1, len(course.SLUGS) + 1))
def test_a_prompt_that_asks_waits_for_an_answer(number, lang):
    with speaking(lang):
        assert answered_at_once(course.unit(number, lang), Script()) == []


def test_a_prompt_that_answers_itself_is_found():
    assert answered_at_once(a_unit("Guess before you read on. It is two."), Script())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_first_thing_to_answer_comes_within_two_screens(lang):
    with speaking(lang):
        steps = list(parts(course.unit(1, lang), Script()))
    assert any(step.guess for step in steps[:2])
