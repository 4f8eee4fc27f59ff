"""lesson.js on an empty page: which answers it takes for which, and when it starts a player."""

from __future__ import annotations

import json

import pytest

from minigrad import parse, trace
from minigrad.player.document import TitledTrace, document
from minigrad.player.page import embed_json
from minigrad.text.translation import speaking
from script_runner import LEARN, workbench

TOLD = {
    "numeric": True,
    "free": False,
    "rows": [
        {"answer": {"a": "1/3", "b": "-2"}, "right": True, "words": ["Right."]},
        {
            "answer": {"a": "1", "b": "1"},
            "right": False,
            "words": ["An `=` where `+=` was meant.", "See `b`."],
        },
    ],
    "unknown": "UNKNOWN",
    "unread": "UNREAD",
    "empty": "EMPTY",
}
FORM = (
    '<form class="question"><input name="a"><input name="b"><button class="check" hidden>check</button>'
    '<div class="judgement"></div><script type="application/json" class="foreseen">%s</script></form>'
)


def lesson(visit, told=TOLD, markup=""):
    return workbench(visit, LEARN / "lesson.js", markup=FORM % embed_json(told) + markup)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (" 4 ", 4),
        ("-0,5", -0.5),
        ("6/3", 2),
        ("1 / -4", -0.25),
        ("1e3", 1000),
        ("\uff14", 4),
        ("\u20134", -4),
    ],
)
def test_a_number_may_be_written_in_several_ways(visit, text, number):
    assert lesson(visit).evaluate("(text) => numberTyped(text)", text) == number


@pytest.mark.parametrize("text", ["", "four", "1/2/3", "0x10", "0b11", "4x", "1 2", "--1", "1e", "/", "1/"])
def test_what_is_no_number_is_not_taken_for_one(visit, text):
    assert lesson(visit).evaluate("(text) => Number.isNaN(numberTyped(text))", text)


@pytest.mark.parametrize(
    ("typed", "answer", "same"),
    [
        ("0.000001", "0", True),  # a millionth, of one where the answer is smaller
        ("0.0000011", "0", False),
        ("1000000", "1000001", True),
        ("1000000", "1000003", False),
        ("0.333333", "1/3", True),
        ("0.3333", "1/3", False),
    ],
)
def test_an_answer_may_be_off_by_a_millionth(visit, typed, answer, same):
    assert (
        lesson(visit).evaluate("([typed, answer]) => sameAnswer(typed, answer, true)", [typed, answer])
        is same
    )


def test_a_text_is_compared_without_its_spaces(visit):
    program = "([typed, answer]) => sameAnswer(typed, answer, false)"
    page = lesson(visit)
    assert page.evaluate(program, ["2 * a", "2*a"])
    assert not page.evaluate(program, ["2 * a", "2*b"])


@pytest.mark.parametrize(
    ("a", "b", "right", "said"),
    [
        ("1/3", "-2", True, "Right."),
        ("1/3", "1", False, "UNKNOWN"),  # each is in a row, and no row has both
        ("2", "-2", False, "UNKNOWN"),
        ("1", "1", False, "An = where += was meant."),
        ("1", "  ", False, "EMPTY"),
        ("", "1", False, "EMPTY"),
        ("1", "one", False, "UNREAD"),
    ],
)
def test_an_answer_is_judged_by_the_row_that_has_all_of_it(visit, a, b, right, said):
    page = lesson(visit)
    page.fill("[name=a]", a)
    page.fill("[name=b]", b)
    page.click(".check")
    verdict = page.locator(".judgement")
    assert verdict.locator("p").first.inner_text() == said
    assert verdict.get_attribute("class").split()[1:] == ["right" if right else "wrong"]


def test_what_stands_in_backquotes_is_code_and_nothing_else_is(visit):
    page = lesson(visit)
    program = "(words) => pieces(words).map((piece) => [piece.nodeName, piece.textContent])"
    assert page.evaluate(program, "An `=` where `+=` was <b>meant</b>.") == [
        ["#text", "An "],
        ["CODE", "="],
        ["#text", " where "],
        ["CODE", "+="],
        ["#text", " was <b>meant</b>."],
    ]


def test_a_blank_that_the_form_lacks_is_empty(visit):
    rows = [{"answer": {"a": "1", "c": "2"}, "right": True, "words": ["Right."]}]
    page = lesson(visit, TOLD | {"rows": rows})
    page.fill("[name=a]", "1")
    page.click(".check")
    assert page.locator(".judgement").inner_text() == "EMPTY"


def test_words_that_are_not_compared_as_numbers_need_not_be_numbers(visit):
    rows = [{"answer": {"a": "2*a", "b": "b"}, "right": True, "words": ["Right."]}]
    page = lesson(visit, TOLD | {"rows": rows, "numeric": False})
    page.fill("[name=a]", "2 * a")
    page.fill("[name=b]", "b")
    page.click(".check")
    assert page.locator(".judgement").inner_text() == "Right."


@pytest.mark.parametrize("shut", [True, False])
def test_a_player_starts_when_what_it_stands_in_is_opened(visit, shut):
    with speaking("en"):
        told = document([TitledTrace("right", ("right", "correcto"), trace(parse("a = 2\nL = a*a")))])
    data = embed_json(json.loads(json.dumps(told)))
    page = lesson(
        visit,
        markup=f"<details{'' if shut else ' open'}><summary>graph</summary>"
        '<div class="player-host" data-document="graph"></div></details>'
        f'<script type="application/json" id="graph">{data}</script>',
    )
    assert (page.locator(".player").count() == 0) is shut
    if shut:
        page.click("summary")
        page.wait_for_selector(".player")
        page.click("summary")
        page.click("summary")
    assert page.locator(".player").count() == 1
    assert page.locator(".player-host").get_attribute("data-ready") == "true"
