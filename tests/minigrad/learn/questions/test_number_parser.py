"""Answers as people type them, and the keys and parameters of questions."""

from __future__ import annotations

import pytest

from minigrad.learn.inline_marks import marks
from minigrad.learn.questions import KINDS, generate, question
from minigrad.learn.questions.number_parser import number_text
from minigrad.text.translation import LANGUAGES, speaking
from question_fixtures import FIRST, SECOND, ask, english, right, told  # noqa: F401 english is a fixture

# ---- what was typed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "4",
        "4.0",
        "+4",
        " 4 ",
        "4.",
        "04",
        "4.000",
        "10 - 6",
        "8/2",
        "2**2",
        "a = 4",
        "a=4",
        "= 4",
        "4e0",
        "4,0",
        "0.4e1",
        "a.grad = 4",
        "a: 4",
        "\uff14",
        "4." + "0" * 60,
        "1 + 1/2 + 1/4 + 1/8 + 1/16 + 1/32 + 1/64 + 1/64 + 2",
    ],
)
def test_four_may_be_written_in_many_ways(text: str):
    assert right(ask("gradient", about="a"), text)


@pytest.mark.parametrize(
    "text", ["-0.5", "-.5", "-1/2", "\u22120.5", "-0,5", "-0.50", "\u20130.5", "1/2 - 1"]
)
def test_minus_one_half_may_be_written_in_many_ways(text: str):
    assert right(ask("data", "x = 1; y = x/-2"), text)


def test_zero_has_no_sign():
    q = ask("data", "x = 2; y = x - 2")
    assert all(right(q, text) for text in ("0", "-0", "0.0", "-0.0", "0/3"))


def test_a_third_may_be_rounded_and_three_digits_are_enough():
    q = ask("data", "x = 1; y = x/3")
    assert all(right(q, text) for text in ("1/3", "0.333", "0.3333333", ".3333", "0,3333"))
    assert not any(right(q, text) for text in ("0.334", "0.332", "0.3334", "0.33334", "1/3 + 0.0001", "0"))
    for short in ("0.3", "0.33"):
        judgement = q.judge({"y": short})
        assert not judgement.read
        assert "three digits" in judgement.words[0]


def test_a_decimal_comma_is_read_and_told():
    judgement = ask("data", "x = 9; y = x/2").judge({"y": "4,5"})
    assert judgement.right
    assert judgement.words == ("Right.", "4,5 was read as 4.5; here decimals are written with a point")
    with speaking("es"):
        assert "con punto" in ask("data", "x = 9; y = x/2").judge({"y": "4,5"}).words[1]


def test_spanish_says_e_before_a_name_that_sounds_like_i():
    asked = ask("gradient", "x = 4; y = 3; z = x*y")
    assert "`x` and `y`" in asked.prompt().paragraphs[-1]
    with speaking("es"):
        assert "`x` e `y`" in ask("gradient", "x = 4; y = 3; z = x*y").prompt().paragraphs[-1]
        assert "`a` y `b`" in ask("gradient", "a = 4; b = 3; z = a*b").prompt().paragraphs[-1]


def test_a_comma_that_may_be_a_thousand_is_asked_about():
    judgement = ask("data", "x = 1; y = 1000*x").judge({"y": "1,000"})
    assert not judgement.read
    assert "1000" in judgement.words[0]


GARBAGE = [
    "", "   ", "four", "4 5", "a*b", "nan", "inf", "-inf", "1/0", "**", "`", "*a*", "[x](y)", "4..0", "--",
    "4;5", "\x00", "\x1b[31m4", "9" * 5000, "(" * 3000, "4e999", "\u0664x", "é", "x = 4", "exp(exp(exp(9)))",
]  # fmt: skip


@pytest.mark.parametrize("text", GARBAGE)
def test_what_is_no_answer_is_no_try_and_never_an_error(text: str):
    questions = [
        ask("gradient", about="a"),
        ask("lost", FIRST, about="a", order="e,c,d"),
        ask("rule", None, op="tanh"),
        ask("expose", None, fault="overwrite"),
    ]
    for lang in LANGUAGES:
        with speaking(lang):
            for q in questions:
                judgement = q.judge({q.ask().blanks[0]: text})
                assert not judgement.right, (q.kind, text)
                assert judgement.words
                assert all(marks(sentence) for sentence in judgement.words)
                if q.kind in ("gradient", "lost"):
                    assert not judgement.read


def test_a_blank_that_is_missing_is_named():
    judgement = ask("gradient").judge({"a": "4", "c": "-12"})
    assert not judgement.read
    assert judgement.words == ("`b` is missing; write a number for it",)
    assert not ask("gradient").judge({}).read


def test_numbers_that_are_far_out_are_wrong_and_nothing_breaks():
    q = ask("gradient", about="a")
    for text in ("1e308", "-1e308", "1e-308", "123456789123456789", "4.0000001e5"):
        assert not right(q, text)


def test_a_number_is_written_with_as_many_digits_as_it_needs():
    for x, text in ((0.5, "0.5"), (1.2345678, "1.2345678"), (1 / 3, "0.3333333333333333")):
        assert number_text(x) == text


# ---- keys and parameters ------------------------------------------------------------------------


def test_a_key_finds_its_question():
    for kind in KINDS:
        q = question(f"{kind}:2:17")
        assert q.key == f"{kind}:2:17"
        assert q.ask() == generate(kind, 2, 17).ask()
    assert question("gradient:1:ana-7").key == "gradient:1:ana-7"


@pytest.mark.parametrize(
    "key",
    [
        "",
        "gradient",
        "gradient:9:1",
        "gradient:0:1",
        "nothing:1:1",
        "gradient:1:",
        "gradient:1:a b",
        "x/y",
        "/",
        "gradient:99999999:1",
    ],
)
def test_a_key_of_no_question_is_refused_with_a_sentence(key: str):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        question(key)


@pytest.mark.parametrize(
    ("kind", "text", "parameters", "why"),
    [
        ("nonsense", SECOND, {}, "no kind"),
        ("gradient", SECOND, {"abuot": "a"}, "has no parameter"),
        ("gradient", SECOND, {"about": "zz"}, "zz"),
        ("gradient", None, {}, "none on stage"),
        ("leverage", SECOND, {"about": "a"}, "it has none"),
        ("leverage", "a = 1; b = 1; a + b", {}, "most"),
        ("running", SECOND, {"about": "a"}, "needs after"),
        ("running", SECOND, {"about": "a", "after": "b"}, "sends nothing"),
        ("order", SECOND, {"fault": "overwrite", "order": "L,e"}, "order"),
        ("order", SECOND, {"fault": "overwrte"}, "overwrite"),
        ("lost", SECOND, {"about": "b"}, "exactly one"),
        ("bug", SECOND, {"fault": "overwrite", "among": "keep-first"}, "two right answers"),
        ("bug", "a = 2; b = 3; a*b", {"fault": "overwrite"}, "does not show"),
        ("rule", None, {"op": "tahn"}, "tahn"),
        ("rule", None, {"op": "mul", "slot": "3"}, "no slot 3"),
        ("expose", None, {"fault": "branch-drooped"}, "branch-dropped"),
        ("difference", SECOND, {"about": "L"}, "input"),
        ("difference", SECOND, {"about": "a", "h": "small"}, "not a number"),
        ("difference", SECOND, {"about": "a", "h": "0"}, "above 0"),
    ],
)
def test_what_a_lesson_cannot_ask_is_refused_with_the_reason(
    kind: str, text: str | None, parameters: dict[str, str], why: str
):
    with pytest.raises(ValueError, match=why):
        ask(kind, text, **parameters)
