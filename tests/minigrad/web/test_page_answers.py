"""A page without a server gets the answers of the studio, and the course with the learner's own file."""

from __future__ import annotations

import json

import pytest

from minigrad.studio.answers import answer
from minigrad.web.page_answers import PageAnswers

pytestmark = pytest.mark.one_engine


@pytest.fixture
def page(tmp_path):
    return PageAnswers(tmp_path / "progress.json")


def ask(page, api, language="en", **fields):
    return json.loads(page.text(api, json.dumps(fields), language))


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    ("api", "more"),
    [
        ("explain", {}),
        ("break", {"fault": "overwrite"}),
        ("faults", {}),
        ("diagnose", {"observed": {"a": -6}}),
        ("check", {"ask": ["paper", "dual"]}),
        ("explain", {"text": "L = a $ 3"}),
        ("explain", {"nonsense": 1}),
    ],
)
def test_the_studios_questions_are_answered_by_the_studio(page, api, more, language):
    fields = {"text": "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"} | more
    _, expected = answer(api, fields, language)
    assert ask(page, api, language, **fields) == json.loads(json.dumps(expected))


def test_the_course_goes_on_from_the_file_that_is_handed_over(page, tmp_path):
    first = ask(page, "unit", unit="diamonds")
    assert first["ok"]
    assert first["unit"]["slug"] == "diamonds"
    answered = ask(page, "judge", key="diamonds/what-is-right", answer={"a": "-2", "b": "3"})
    assert answered["right"]
    assert "diamonds/what-is-right" in answered["progress"]["settled"]
    text = page.kept()
    assert json.loads(text)["schema"].startswith("minigrad.progress/")

    other = PageAnswers(tmp_path / "elsewhere.json")
    assert ask(other, "lessons")["progress"]["settled"] == []
    other.keep(text)
    contents = ask(other, "lessons")
    assert contents["progress"]["settled"] == ["diamonds/what-is-right"]
    assert contents["progress"]["current"] == "diamonds"


def test_the_command_goes_on_from_the_same_file(page, monkeypatch, capsys, tmp_path):
    from minigrad.cli import main

    ask(page, "judge", key="diamonds/what-is-right", answer={"a": "-2", "b": "3"})
    monkeypatch.setenv("MINIGRAD_PROGRESS", str(tmp_path / "progress.json"))
    assert main(["learn", "--list", "--lang", "en"]) == 0
    line = next(row for row in capsys.readouterr().out.splitlines() if "Diamonds" in row)
    assert "begun" in line or "1 of" in line


def test_nothing_is_kept_before_something_was_learned(page):
    assert page.kept() == ""


def test_a_question_about_the_course_that_is_none_is_refused(page):
    assert ask(page, "arrive", unit=3)["error"]["code"] == "request"
    assert ask(page, "unit", "es", unit="nowhere")["ok"] is False


def test_warming_asks_a_question_and_leaves_nothing_behind(page, tmp_path):
    page.warm()
    assert list(tmp_path.iterdir()) == []
