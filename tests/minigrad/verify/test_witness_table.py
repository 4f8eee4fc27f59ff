"""The table of witnesses: when it is a table, what it leaves out, and its colours."""

from __future__ import annotations

import pytest

from minigrad.text.page import Ink, Page
from minigrad.verify import court
from minigrad.verify.witness_table import _lines, cells, rows

pytestmark = [pytest.mark.one_engine, pytest.mark.usefixtures("english")]


def product(ask="exact", **options):
    return court("y = a*b", {"a": 2.0, "b": 3.0}, ask=ask, **options)


def test_what_is_on_trial_has_no_status():
    heads, (on_trial, witness) = cells(product())
    assert heads == ["y", "dy/da", "dy/db"]
    assert (on_trial.status, on_trial.word, on_trial.cells) == ("", "", ["6", "3", "2"])
    assert (witness.status, witness.cells) == ("agrees", ["6", "3", "2"])


def test_a_table_that_just_fits_is_a_table():
    table = list(rows(product(), Page(400)))
    width = max(map(len, table))
    assert [len(line) for line in table].count(width) == 1  # the row of the witness, up to its status
    assert list(rows(product(), Page(width))) == table
    narrow = list(rows(product(), Page(width - 1)))
    assert "  exact rationals: agrees" in narrow
    assert "    y = 6, dy/da = 3, dy/db = 2" in narrow


def test_of_very_many_numbers_it_says_how_many_are_left_out():
    (line,) = _lines(Page(400, rows=6), [f"x{i} = {i}" for i in range(10)])
    first = "x0 = 0, x1 = 1, x2 = 2, x3 = 3"
    assert line.startswith(f"    {first}, ")
    assert line.endswith(", x8 = 8, x9 = 9")
    assert "4" in line.removeprefix(f"    {first}, ").removesuffix(", x8 = 8, x9 = 9")
    assert "x4" not in line


def test_the_point_has_the_colour_of_data_and_reasons_are_faint():
    colour = {"data": "\x1b[34m", "faint": "\x1b[2m"}
    verdict = court("exp(a)", {"a": 0.0}, ask="central,dual")
    wide = list(rows(verdict, Page(400)))
    table = max(line.index("agrees") for line in wide if "agrees" in line) + len("agrees")
    lines = list(rows(verdict, Page(table, ink=Ink(on=True))))
    assert lines[0].startswith(colour["data"])
    assert "a = 0" in lines[0]
    row = next(i for i, line in enumerate(lines) if line.endswith("agrees:"))
    assert lines[row + 1].startswith(colour["faint"] + "      ")
