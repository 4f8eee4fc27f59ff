"""Feedback for one learner: the right answer with its reasons, and the unit to read again."""

from dataclasses import replace
from datetime import datetime

import pytest

from minigrad.learn.classroom.answer_key import AnswerKey
from minigrad.learn.classroom.feedback import feedback_html, feedback_markdown
from minigrad.learn.classroom.grades import EMPTY, Grade, GradedSheet, HandInFile, grade
from minigrad.learn.classroom.hand_in import HandIn
from minigrad.learn.classroom.roster import roster
from minigrad.learn.classroom.sheet import SheetPlan, class_sheets
from minigrad.learn.inline_marks import plain
from minigrad.text.translation import speaking


@pytest.fixture
def wrong() -> tuple[GradedSheet, AnswerKey]:
    """A question of unit 3, answered with numbers that are far out."""
    with speaking("en"):
        [sheet] = class_sheets(roster(b"Ada\n").learners, SheetPlan("Monday", 3, (("gradient", 1),)))
        key = AnswerKey("Monday", 3, "en", (sheet,))
        content = HandIn((sheet.code,), {1: dict.fromkeys(sheet.items[0].prompt.blanks, "777")})
        [graded] = grade(key, [HandInFile("x.md", "x", datetime(2026, 9, 28), content)]).graded
    assert graded.points == 0
    return graded, key


def test_a_wrong_answer_is_followed_by_the_right_one_and_its_reasons(wrong):
    graded, _ = wrong
    question = graded.marks[0].item.question
    right = ", ".join(f"{blank} = {text}" for blank, text in question.solution.items())
    page = feedback_html(*wrong)
    assert f"<p>Right is <code>{right}</code>.</p><ul><li>" in page
    with speaking("en"):
        reasons = question.reveal()
    assert page.count("<li>") == len(reasons) + 1  # and the unit to read again
    text = feedback_markdown(*wrong)
    assert f"Right is `{right}`." in text
    assert all(f"* {reason}" in text for reason in reasons)


def test_the_unit_to_read_again_has_its_number_its_title_and_its_command(wrong):
    again = "unit 3, A pass by hand: minigrad learn by-hand"
    [line] = [line for line in feedback_markdown(*wrong).splitlines() if "minigrad learn" in line]
    assert plain(line.removeprefix("* ")) == again
    assert again.replace("minigrad learn by-hand", "<code>minigrad learn by-hand</code>") in feedback_html(
        *wrong
    )


def test_the_choices_of_a_question_can_be_read_in_the_feedback_and_not_chosen():
    with speaking("en"):
        [sheet] = class_sheets(roster(b"Ada\n").learners, SheetPlan("Monday", 3, (("leverage", 1),)))
        key = AnswerKey("Monday", 3, "en", (sheet,))
        [graded] = grade(key, []).graded
        marks = (Grade(sheet.items[0], EMPTY, {}),)
    page = feedback_html(replace(graded, marks=marks), key)
    assert page.count("<b>A)</b>") == 1
    assert "<input" not in page
