"""The run as a table of orders, and the order explorer, frame by frame."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lab_graphs import DIAMOND, fan, many, painted
from minigrad.faults import lab, order_outcomes
from minigrad.faults.lab_table import run_table
from minigrad.faults.order_explorer import frame, frames
from minigrad.text.page import Ink, Page

pytestmark = pytest.mark.usefixtures("english")

STEADY = "  The right pass gives the same gradients whichever valid order it walks."


# ---- the table of orders ----------------------------------------------------------------------------


def table(text: str, slug: str, page: Page | None = None) -> list[str]:
    return list(run_table(lab(text, slug), page or Page()))


def test_of_many_orders_each_result_has_its_count():
    assert table(fan(5), "overwrite") == [
        "  order                                 a",
        "  right, all 120 orders                20",
        "  24 orders, as s, v4, v3, v2, v1, v0   2*",
        "  24 orders, as s, v4, v3, v2, v0, v1   3*",
        "  24 orders, as s, v4, v3, v1, v0, v2   4*",
        "  24 orders, as s, v4, v2, v1, v0, v3   5*",
        "  24 orders, as s, v3, v2, v1, v0, v4   6*",
        "  * wrong",
        STEADY,
        "  The broken pass gives 5 different results.",
        "  No valid order gives a = 20.",
    ]


def test_two_orders_are_several():
    rows = table("a = 2; b = -3; c = a*b; d = a + b; e = c + d", "overwrite")
    assert rows[-4:] == [
        "  * wrong",
        STEADY,
        "  The broken pass gives 2 different results.",
        "  No valid order gives a = -2 or b = 3.",
    ]


def test_six_of_the_numbers_that_no_order_gives_are_named():
    """64 or 1, whichever is sent last, and 65 is right."""
    names = [f"x{i}" for i in range(7)]
    given, listed = "; ".join(f"{name} = 2" for name in names), ", ".join(names)
    words = " ".join(table(f"{given}; p = sum({listed}); q = prod({listed}); L = p + q", "overwrite"))
    assert words.count(" = 65") == 6


def test_of_very_many_results_the_first_and_the_last_are_shown():
    found = lab(fan(5), "overwrite")
    many_rows = replace(found, runs=replace(found.runs, listed=found.runs.listed * 6))  # and the right one
    few = list(run_table(many_rows, Page(rows=60, ink=Ink(True))))
    assert few[17] == painted("faint", "  ... 7 more lines ...")
    assert len(list(run_table(many_rows, Page()))) - len(few) == 31 - 25


def test_a_sample_of_orders(monkeypatch):
    rows = table(fan(9), "overwrite")
    assert rows[1:4] == [
        "  right, all 362,880 orders              54",
        "  s, v8, v7, v6, v5, v4, v3, v2, v1, v0   2*",
        "  s, v8, v7, v6, v5, v4, v3, v2, v0, v1   3*",
    ]
    assert rows[-3:] == [
        STEADY,
        "  There are too many orders to follow all of them: these are 9 results of a",
        "    sample.",
    ]
    monkeypatch.setattr(order_outcomes, "LARGE", 12)
    assert table(fan(12), "overwrite") == [
        "  order                                                       a",
        "  right, any order                                           90",
        "  s, v11, v10, v9, v8, v7, v6, v5, v4, v3, v2, v1, ... (13)   2*",
        "  s, v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, ... (13)   13*",
        "  * wrong",
        STEADY,
        "  There are too many orders to follow all of them: these are 2 results of a",
        "    sample.",
    ]
    twelve = table(fan(11), "accumulate-twice")[2]
    assert " ".join(twelve.split()) == "s, v10, v9, v8, v7, v6, v5, v4, v3, v2, v1, v0 308*"


def test_a_pass_that_goes_its_own_way():
    assert table("a = 3; -a", "visited-flags-outlive") == [
        "  order               a",
        "  right              -1",
        "  nobody has a turn   0*",
        "  * wrong",
        "  The broken pass walks an order of its own, whatever the valid ones are.",
    ]
    assert table(DIAMOND, "breadth-first")[-2:] == [
        "  The broken pass walks an order of its own, whatever the valid ones are.",
        "  On this graph the bug does not show: every gradient is right.",
    ]


def test_the_only_order_there_is():
    assert table("a = 3; -a", "accumulate-twice") == [
        "  order   a",
        "  right  -1",
        "  out    -2*",
        "  * wrong",
        "  The ops have only this one valid order.",
    ]


def test_what_shows_in_one_input_of_many_has_its_column():
    """Thirty do not fit; x3 and x28 are wrong, and the first eight others have room beside them."""
    rows = table(many(30, (3, 28)), "overwrite")
    assert rows[0].split() == ["order", *(f"x{i}" for i in range(10)), "x28"]
    assert rows[1].split()[-11:] == ["1", "1", "1", "6", *"111111", "56"]
    assert "  19 more inputs are not shown" in rows
    assert all(len(line) <= 78 for row in rows for line in row.splitlines())
    assert "not shown" not in " ".join(table(many(10, (3,)), "overwrite"))


@pytest.mark.parametrize(("length", "shown"), [(27, 2), (28, 1)])
def test_inputs_have_the_room_that_an_order_leaves(length, shown):
    """Sixteen columns for an order: of 78, two names of 27 characters take what is left."""
    first, second = "a" * 27, "b" * length
    rows = table(f"{first} = 3; {second} = 2; L = {first}*{second}", "mul-as-add")
    assert rows[0].split() == ["order", first, second][: 1 + shown]
    assert ("  1 more inputs are not shown" in rows) == (shown == 1)


def test_an_order_that_is_too_long_stands_above_its_numbers():
    order, numbers = table(many(30, (3, 28)), "overwrite")[2].splitlines()
    assert (order[:9], order[-6:]) == ("  L, v30,", "... (31)"[-6:])
    assert numbers == " " * 25 + "1    1    1    3*   1    1    1    1    1    1    28*"


def test_a_wrong_value_is_told_above_the_table():
    assert table("a = 2; b = 4; mean(a, b)", "mean-is-sum")[0] == (
        "  the value itself is wrong: out = 6, and 3 is right"
    )
    assert table("a = 2; b = 4; mean(a, b)", "mean-is-sum", Page(ink=Ink(True)))[0] == (
        painted("wrong", "  the value itself is wrong: out = 6, and 3 is right")
    )


def test_a_pass_without_an_end_has_no_table():
    text = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
    assert table(text, "recursion") == []
    endless = lab(text, "recursion")
    assert frames(endless) == 0
    assert frame(endless, 0)[0].startswith("  The pass was given up: it visits shared nodes")


def test_a_result_that_one_order_gives():
    found = lab(DIAMOND, "overwrite")
    merged = replace(found, runs=replace(found.runs, single=False))
    assert list(run_table(merged, Page()))[2].startswith("  1 order, L, f, e, ab  ")
    twice = replace(found.runs.listed[0], count=2)
    merged = replace(found, runs=replace(found.runs, single=False, listed=(twice, *found.runs.listed[1:])))
    assert list(run_table(merged, Page()))[2].startswith("  2 orders, as L, f, e, ab  ")


def test_numbers_that_look_alike_are_told_apart_in_a_frame():
    found = lab("a = 0.1; b = 3; a*b", "float32")
    assert "0.1000000015*" in " ".join(frame(found, 0))
    right = lab("a = 3; L = -a", "accumulate-twice")
    run = replace(right.runs.listed[0], grads=(-1.0 - 1e-15, 1.0))
    rounded = replace(right, runs=replace(right.runs, listed=(run,)))
    assert frame(rounded, 0)[5].split() == ["a", "-1", "-1"]  # the same but for a rounding


def test_what_is_wrong_is_red():
    rows = table(DIAMOND, "overwrite", Page(ink=Ink(True)))
    assert rows[:3] == [
        painted("faint", "  order                 a    b     c"),
        painted("right", "  right, all 3 orders   4   -4   -12"),
        painted("wrong", "  L, f, e, ab          -6*  -4    -2*"),
    ]
    assert painted("faint", "  * wrong") in rows
    assert painted("wrong", "  a: -6 in place of 4: kept -6 via ab; lost 10 via f") in (
        lab(DIAMOND, "overwrite").text("en", Page(ink=Ink(True)))
    )
    hidden = table("a = 3; b = 2; a*b", "overwrite", Page(ink=Ink(True)))
    assert hidden[2] == "  out    2   3"
    assert painted("faint", "  * wrong") not in hidden


# ---- the order explorer -----------------------------------------------------------------------------


def test_a_frame_of_a_result_that_many_orders_give():
    assert frame(lab(fan(5), "overwrite"), 1) == [
        "  result 2 of 5, of 24 orders; one of them:",
        "  ○●○○○",
        "",
        "  s, v4, v3, v2, v0, v1",
        "       right  broken",
        "    a     20       3*",
        "",
        "  a: 3 in place of 20: kept 3 via v1; lost 6 via v4, 5 via v3, 4 via v2, 2 ...",
    ]


def test_a_frame_of_a_sample_and_of_the_only_order():
    assert frame(lab(fan(9), "overwrite"), 1)[0] == "  result 2 of 9 in a sample of the orders"
    alone = lab("a = 3; -a", "accumulate-twice")
    assert frames(alone) == 1
    assert frame(alone, 0)[:2] == ["  order 1 of 1", "  ●"]


def test_a_frame_shows_eight_inputs_and_those_that_are_wrong_first():
    lines = frame(lab(many(30, (3, 28)), "overwrite"), 0)
    assert [line.split()[0] for line in lines[5:13]] == [*(f"x{i}" for i in range(7)), "x28"]
    assert lines[8:9] + lines[12:13] == ["    x3       6       3*", "    x28     56      28*"]
    assert lines[13] == ""
    assert [line.split(":")[0].strip() for line in lines[14:]] == [*(f"x{i}" for i in range(7)), "x28"]
    assert max(map(len, lines)) <= 78


def test_the_colours_of_a_frame():
    lines = frame(lab(DIAMOND, "overwrite"), 0, Page(ink=Ink(True)))
    assert lines[:2] == [painted("title", "  order 1 of 3"), painted("faint", "  ●○○")]
    assert lines[4] == painted("faint", "       right  broken")
    assert lines[5:8] == [
        f"    a  {painted('right', '    4')}  {painted('wrong', '    -6*')}",
        f"    b  {painted('right', '   -4')}  {painted('grad', '    -4')}",
        f"    c  {painted('right', '  -12')}  {painted('wrong', '    -2*')}",
    ]
    assert lines[9:] == [
        painted("wrong", "  a: -6 in place of 4: kept -6 via ab; lost 10 via f"),
        painted("faint", "  b: -4, right: its one contribution arrived, -4 via ab"),
        painted("wrong", "  c: -2 in place of -12: kept -2 via e; lost -10 via f"),
    ]
