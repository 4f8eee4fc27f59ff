"""Contributions and predictions in words."""

from __future__ import annotations

import pytest

from lab_graphs import DIAMOND
from minigrad import parse
from minigrad.faults import lab
from minigrad.faults.contribution_text import account_in_words, show_apart
from minigrad.faults.contributions import OUTSIDE, Account, ContributionTerm
from minigrad.faults.prediction import judge, prediction_sentences

pytestmark = pytest.mark.usefixtures("english")

GRAPH = parse("a = 3; b = 2; c = a*b; d = c + a")  # nodes 0 to 3
A, B, C, D = range(4)


# ---- contributions ----------------------------------------------------------------------------------


def words(node: int, expected: float, got: float, kept=(), lost=(), changed=(), extra=()) -> str:
    return account_in_words(GRAPH, Account(node, expected, got, kept, lost, changed, extra))


def test_an_account_that_is_right():
    assert (
        words(B, 3.0, 3.0, (ContributionTerm(C, 1, 3.0),))
        == "b: 3, right: its one contribution arrived, 3 via c"
    )
    assert words(A, 3.0, 3.0, (ContributionTerm(C, 0, 2.0), ContributionTerm(D, 1, 1.0))) == (
        "a: 3, right: all 2 contributions arrived and were added up"
    )
    assert words(A, 0.0, 0.0) == "a: 0, right: no message reaches it"
    assert words(D, 1.0, 1.0, (ContributionTerm(OUTSIDE, OUTSIDE, 1.0),)) == (
        "d: 1, right: its one contribution arrived, the seed, 1,"
    )


def test_an_account_that_is_right_by_luck():
    assert words(
        A,
        3.0,
        3.0,
        (ContributionTerm(C, 0, 2.0),),
        (ContributionTerm(D, 1, 1.0),),
        (),
        (ContributionTerm(OUTSIDE, OUTSIDE, 1.0),),
    ) == ("a: 3, right nonetheless: kept 2 via c; lost 1 via d; not due: 1 that no message brought")


def test_an_account_that_is_wrong():
    changed = ((ContributionTerm(C, 0, 2.0), ContributionTerm(C, 0, 4.0)),)
    assert words(A, 3.0, 4.0, (), (ContributionTerm(D, 1, 1.0),), changed) == (
        "a: 4 in place of 3: lost 1 via d; 2 via c arrived as 4"
    )


def test_the_slot_is_said_where_a_source_has_several():
    both = (ContributionTerm(C, 0, 2.0),), (ContributionTerm(C, 1, 5.0),)
    assert words(A, 7.0, 2.0, *both) == "a: 2 in place of 7: kept 2 via c [slot 1]; lost 5 via c [slot 2]"
    again = (
        (ContributionTerm(C, 0, 2.0),),
        (),
        (),
        (ContributionTerm(C, 0, 2.0),),
    )  # sent again from the same slot
    assert words(A, 2.0, 4.0, *again) == "a: 4 in place of 2: kept 2 via c; not due: 2 via c"


def test_of_many_terms_four_are_written_out():
    terms = tuple(ContributionTerm(i, 0, float(i)) for i in (0, 1, 2, 3))
    assert words(A, 6.0, 0.0, (), terms) == "a: 0 in place of 6: lost 0 via a, 1 via b, 2 via c, 3 via d"
    five = (*terms, ContributionTerm(3, 1, 4.0))
    assert words(A, 10.0, 0.0, (), five).endswith("1 via b, 2 via c, 3 via d [slot 1], ... (5)")
    changed = tuple((ContributionTerm(C, slot, 1.0), ContributionTerm(C, slot, 2.0)) for slot in range(5))
    assert words(A, 4.0, 8.0, (), (), changed[:4]).endswith("; 1 via c [slot 4] arrived as 2")
    assert words(A, 5.0, 10.0, (), (), changed).endswith("; 1 via c [slot 4] arrived as 2; 1 more changed")


def test_numbers_are_told_apart_by_as_many_digits_as_it_takes():
    assert show_apart(0.1, 0.1) == "0.1"
    assert show_apart(0.25, 0.125) == "0.25"
    assert (show_apart(0.10000001, 0.1), show_apart(0.1, 0.10000001)) == ("0.10000001", "0.1")
    assert show_apart(0.1, 0.10000000000000002) == "0.10000000000000001"
    assert show_apart(0.10000000000000002, 0.1) == "0.10000000000000002"
    assert show_apart(0.3333333333, 0.33333333334) == "0.33333333329999998"  # alike in ten digits
    assert show_apart(0.33333333334, 0.3333333333) == "0.33333333333999998"


# ---- predictions ------------------------------------------------------------------------------------


def test_what_is_said_to_a_prediction():
    overwrite = lab(DIAMOND, "overwrite")
    assert list(prediction_sentences(overwrite, {"a": 6, "b": 7, "c": -2})) == [
        "a: 6 has the other sign: the broken pass gives -6, and 4 is right",
        "b: you said 7; the broken pass gives -4, and -4 is right",
        "c: -2, as you said, where -12 is right",
        "1 of 3 foreseen",
    ]
    assert list(prediction_sentences(overwrite, {"a": 10})) == [
        "a: 10 is what the order L, e, ab, f gives; this one gives -6, and 4 is right",
        "0 of 1 foreseen",
    ]
    assert list(prediction_sentences(overwrite, {})) == ["No prediction was made."]
    dropped = lab(DIAMOND, "branch-dropped", variant="f > a")
    assert list(prediction_sentences(dropped, {"a": 10, "b": -4})) == [
        "a: 10 is one contribution, 10 via f; the broken pass gives -6, and 4 is right",
        "b: -4, as you said: the bug leaves it alone",
        "1 of 2 foreseen",
    ]


def test_a_prediction_for_a_pass_that_does_not_end():
    text = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
    endless = lab(text, "recursion")
    assert list(prediction_sentences(endless, {"a": 2**21, "b": 1})) == [
        "a: 2097152 is the right gradient, and the broken pass gives nan",
        "0 of 1 foreseen",
    ]
    assert next(prediction_sentences(endless, {"a": 5})) == (
        "a: you said 5; the broken pass gives nan, and 2097152 is right"
    )


def kind(text: str, slug: str, guess: float) -> str:
    found = lab(text, slug)
    return judge(found, found.graph.inputs[0], guess).kind


def test_a_prediction_need_not_have_more_than_six_digits():
    assert [kind(DIAMOND, "overwrite", guess) for guess in (-6.00002, -6.0002)] == ["foreseen", "other"]
    assert kind("a = 1000000; -a", "data-for-grad", 1000001.0) == "foreseen"
    assert kind("a = 1000; exp(a)", "accumulate-twice", float("inf")) == "untouched"
    assert kind("a = 400; tanh(a)", "tanh-overflow", float("nan")) == "foreseen"
    assert kind("a = 400; tanh(a)", "tanh-overflow", 1.0) == "other"
    assert kind("a = 3; a*1.5e308", "overwrite", 1.5000001e308) == "untouched"
