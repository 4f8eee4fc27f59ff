"""Long texts, names and arguments fit on a line of an error message."""

from __future__ import annotations

import pytest

from minigrad.text.excerpts import cut, describe, listed


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("", 3, ""),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        ("abcd", 3, "..."),
    ],
)
def test_a_text_is_cut_to_its_width(text, width, shown):
    assert cut(text, width) == shown
    assert len(cut(text, width)) <= width


def test_an_ellipsis_may_be_one_character():
    assert cut("abcdefg", 6, "…") == "abcde…"
    assert cut("abcdef", 6, "…") == "abcdef"


def test_of_many_names_the_first_are_listed():
    names = [f"x{i}" for i in range(14)]
    assert listed(names[:2]) == "x0, x1"
    assert listed(names[:12]).endswith("x11")
    assert listed(names).endswith("x11, ...")
    assert listed(names, 1) == "x0, ..."
    assert listed([]) == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("3", "'3' (str)"),
        (None, "None (NoneType)"),
        (2.5, "2.5 (float)"),
        (10**39, f"{10**39} (int)"),
        (10**41, "a int"),
        ("x" * 39, "a long str"),
        ([1, 2], "a list"),
        ({"a": 1}, "a dict"),
    ],
)
def test_what_was_given_is_described_by_its_type_and_if_short_itself(given, said, english):
    assert describe(given) == said


def test_nothing_of_a_callers_own_class_is_run():
    class Mine:
        def __repr__(self) -> str:
            raise AssertionError("asked for its text")

    assert "Mine" in describe(Mine())
