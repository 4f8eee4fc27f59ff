"""What a learner masters: levels that follow the answers, mistakes that come back, what is next."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from minigrad.learn import course
from minigrad.learn.mastery import Practice, advice, skills
from minigrad.learn.progress import Progress
from minigrad.learn.questions import KINDS, Judgement, Question, generate
from minigrad.learn.spaced_repetition import RecordedAnswer
from minigrad.text.translation import speaking

MONDAY = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


def answered(*rights: bool, kind: str = "gradient", level: int | None = None) -> list[RecordedAnswer]:
    """Answers to new questions, each at the level that was reached, or at one that is given."""
    rows: list[RecordedAnswer] = []
    for number, right in enumerate(rights):
        at = level or skills(rows)[kind].level
        key = f"{kind}:{at}:{number}"
        rows.append(RecordedAnswer(key, kind, "by-hand", MONDAY + timedelta(minutes=number), right, {}))
    return rows


def level(*rights: bool) -> int:
    return skills(answered(*rights))["gradient"].level


def test_two_right_answers_lead_to_the_next_level_and_two_wrong_ones_back():
    assert [level(*[True] * count) for count in range(6)] == [1, 1, 2, 2, 3, 3]
    assert level(True, True, False) == 2
    assert level(True, True, False, False) == 1
    assert level(True, False, True, False, True) == 1
    assert level(False, False, False) == 1  # there is none below


def test_two_more_on_the_highest_level_are_mastery_until_one_is_wrong():
    assert not skills(answered(*[True] * 5))["gradient"].mastered
    assert skills(answered(*[True] * 6))["gradient"].mastered
    assert skills(answered(*[True] * 9))["gradient"].mastered
    assert not skills(answered(*[True] * 9, False))["gradient"].mastered
    assert not skills(answered(*[True] * 9, False, True))["gradient"].mastered
    assert skills(answered(*[True] * 9, False, True, True))["gradient"].mastered


def test_what_is_too_easy_or_too_hard_shows_nothing():
    assert skills([*answered(True, True), *answered(True, True, True, level=1)])["gradient"].level == 2
    assert skills(answered(False, False, level=3))["gradient"].level == 1


def test_a_second_try_is_no_first_one():
    wrong, right = answered(False)[0], answered(True)[0]
    assert skills([wrong, right])["gradient"].recent == (False,)


def test_other_kinds_are_not_touched_and_unknown_ones_are_passed_over():
    known = skills([*answered(True, True), *answered(True, kind="from-another-version", level=1)])
    assert set(known) == set(KINDS)
    assert [kind for kind, each in known.items() if each.recent] == ["gradient"]


# ---- practice -----------------------------------------------------------------------------------


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    clock = iter(MONDAY + timedelta(seconds=number) for number in range(10_000))
    return Progress.open(tmp_path / "progress.json", now=lambda: next(clock))


def sit(
    progress: Progress, kinds: list[str], count: int, right: Callable[[Question], bool]
) -> list[Question]:
    """One sitting of somebody who knows some things."""
    asked = []
    for question, item in Practice(progress, kinds, count, 11):
        asked.append(question)
        if right(question):
            answer, judgement = question.solution, question.judge(question.solution)
        else:
            answer, judgement = question.anticipated_mistakes()[0]
        progress.record(question, answer, judgement, item.item if item else "")
    return asked


def test_questions_get_harder_for_who_answers_them(progress):
    asked = sit(progress, ["data"], 6, lambda _: True)
    assert [question.key.split(":")[1] for question in asked] == ["1", "1", "2", "2", "3", "3"]
    assert skills(progress.answers)["data"].mastered


def test_questions_stay_easy_for_who_does_not(progress):
    asked = sit(progress, ["data"], 6, lambda _: False)
    assert {question.key.split(":")[1] for question in asked} == {"1"}


def test_every_kind_has_its_turn_before_one_comes_again(progress):
    asked = sit(progress, list(KINDS), len(KINDS), lambda _: True)
    assert [question.kind for question in asked] == list(KINDS)


def test_what_is_mastered_is_asked_last(progress):
    sit(progress, ["data"], 6, lambda _: True)
    asked = sit(progress, ["data", "leverage", "gradient"], 8, lambda _: True)
    assert "data" not in {question.kind for question in asked}


def test_a_mistake_comes_back_in_the_same_sitting_with_other_numbers(progress):
    missed: list[Question] = []

    def right(question: Question) -> bool:
        if question.kind == "gradient" and not missed:
            missed.append(question)
            return False
        return True

    asked = sit(progress, ["gradient", "data", "leverage", "difference"], 6, right)
    kinds = [question.kind for question in asked]
    assert kinds[:4] == ["gradient", "data", "leverage", "gradient"]
    assert asked[3].key != asked[0].key
    fault = progress.answers[0].fault
    assert fault
    assert any(judged.fault == fault for _, judged in asked[3].anticipated_mistakes())
    assert [row.review for row in progress.answers if row.review] == [f"gradient/{fault}"]


def test_a_mistake_in_the_last_but_one_question_comes_back_in_the_last(progress):
    asked = sit(progress, ["data", "leverage"], 3, lambda question: question.kind != "leverage")
    assert [question.kind for question in asked] == ["data", "leverage", "leverage"]


def test_what_is_due_comes_first(tmp_path):
    file = tmp_path / "progress.json"
    before = Progress.open(file, now=lambda: MONDAY)
    sit(before, ["leverage"], 1, lambda _: False)
    later = Progress.open(file, now=lambda: MONDAY + timedelta(days=2))
    asked = sit(later, list(KINDS), 2, lambda _: True)
    assert [question.kind for question in asked] == ["leverage", "data"]
    assert later.answers[1].review.startswith("leverage")
    assert not later.due()


# ---- what comes next ----------------------------------------------------------------------------


def advised(progress: Progress) -> str:
    with speaking("en"):
        return advice(progress, course.SLUGS, progress.today)


def test_what_comes_next_is_the_first_unit_for_somebody_new(progress):
    assert "minigrad learn 1," in advised(progress)


def test_what_comes_next_is_what_is_due_then_what_goes_wrong_then_the_next_unit(tmp_path):
    file = tmp_path / "progress.json"
    monday = Progress.open(file, now=lambda: MONDAY)
    monday.arrive("data-and-grad", 0)
    monday.finish("data-and-grad")
    assert "minigrad learn 2," in advised(monday)
    wrong = generate("order", 1, 5)
    monday.record(wrong, {"a": "77"}, Judgement(False, ("no",)))
    assert "--practice order" in advised(monday)
    assert "--review" in advised(Progress.open(file, now=lambda: MONDAY + timedelta(days=1)))


def test_what_comes_next_when_all_is_mastered_is_to_keep_it(progress):
    for slug in course.SLUGS:
        progress.arrive(slug, 0)
        progress.finish(slug)
    assert "--practice, which asks" in advised(progress)
    for kind in KINDS:
        for number in range(6):
            level = skills(progress.answers)[kind].level
            question = f"{kind}:{level}:{number}"
            progress.record(question, {}, Judgement(True, ()))
    assert "keeps it fresh" in advised(progress)
