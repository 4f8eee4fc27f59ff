"""`minigrad check --epsilon`: central differences with one step, as somebody with a pencil writes them."""

from __future__ import annotations

import pytest

from minigrad.cli import main

CLASSIC = ["ab = a*b; e = ab + c; f = a - c; L = e*f", "a=2", "b=3", "c=4"]


def test_the_differences_of_one_step_are_shown_with_the_two_values_they_come_from(capsys):
    assert main(["check", *CLASSIC, "--ask", "central", "--epsilon", "1e-5", "--lang", "en"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Central differences of L with epsilon = 1e-5" in out
    assert "a: (-19.9999599997 - (-20.0000399997)) / (2 * 1e-5) = 4.0" in out


def test_a_step_that_is_too_long_shows_its_error_and_costs_no_verdict(capsys):
    """(a + h)^3 - (a - h)^3 over 2h is 3a^2 + h^2: 12 + 1 at a = 2 with h = 1."""
    assert main(["check", "a**3", "a=2", "--ask", "central", "--epsilon", "1", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    assert "a: (27 - 1) / (2 * 1) = 13" in out
    assert "RIGHT" in out


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "x", "1e9"])
def test_what_is_no_step_is_refused(given, lang, capsys):
    assert main(["check", "a*b", "a=1", "b=2", f"--epsilon={given}", "--lang", lang]) == 2
    assert "--epsilon" in capsys.readouterr().err


def test_a_document_has_no_place_for_it(capsys):
    assert main(["check", "a*b", "a=1", "b=2", "--epsilon", "1e-5", "--json", "--lang", "en"]) == 2
    assert "--epsilon and --json" in capsys.readouterr().err


def test_a_decimal_comma_is_a_point_wherever_a_number_is_read(capsys):
    assert main(["check", "a*b", "a=0,5", "b=2", "--got", "a=2", "b=0,5", "--ask", "exact"]) == 0
    assert main(["explain", "a*b", "a=0,5", "b=-,25", "--view", "forward", "--lang", "en"]) == 0
    assert "0.5 * (-0.25) = -0.125" in capsys.readouterr().out
    assert main(["explain", "a*b", "a=1,234", "b=2", "--lang", "en"]) == 2  # 1.234, or 1234?
