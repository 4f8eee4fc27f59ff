"""What a stranger wrote cannot act on a terminal, hide, or turn a line around."""

from __future__ import annotations

import sys

import pytest

from minigrad.cli import main
from minigrad.drawing.svg import esc
from minigrad.text.escape import printable, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, with ñ, ∂ and 変数", "plain, with ñ, ∂ and 変数"),
        ("", ""),
        ("a\x1b[31mb", "a\\x1b[31mb"),  # colours
        ("a\x1b]0;title\x07", "a\\x1b]0;title\\x07"),  # the title of the window
        ("a\r\nb\tc\x00", "a\\r\\nb\\tc\\x00"),
        ("a\x7fb\x9bc", "a\\x7fb\\x9bc"),  # delete, and the eight-bit form of escape
        ("user\u202egnp.exe", "user\\u202egnp.exe"),  # shown from right to left
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),  # of no width
        ("a\u2028b", "a\\u2028b"),  # the end of a line to some
        ("half \ud800", "half \\ud800"),  # of a pair, as in the name of a file
        ("\U000e0041", "\\U000e0041"),  # a tag, which nobody sees
        ("1\u00a0000", "1 000"),  # a Spanish count
    ],
)
def test_what_cannot_be_printed_is_spelled_out(text, shown):
    assert visible(text) == shown
    assert visible(text).isprintable()
    assert esc(text) == shown
    visible(text).encode()


def test_every_character_becomes_printable():
    for code in range(sys.maxunicode + 1):
        assert visible(chr(code)).isprintable(), hex(code)


def test_a_name_for_a_report_is_escaped_before_it_is_cut():
    assert printable("x" * 40) == "x" * 40
    assert printable("x" * 41) == "x" * 37 + "..."
    assert printable("\x1b" * 10) == "\\x1b" * 10
    assert len(printable("\u202e" * 40)) == 40


def test_markup_is_escaped_after_control_characters():
    assert esc("<b>\x1b&") == "&lt;b&gt;\\x1b&amp;"


def test_a_path_with_control_characters_is_shown_and_not_obeyed(tmp_path, monkeypatch, capsys, english):
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "a * b", "a=2", "b=3", "--out", "a\x1b[2J.txt"]) == 0
    assert "a\\x1b[2J.txt" in capsys.readouterr().out
