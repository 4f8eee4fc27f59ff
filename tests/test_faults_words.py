"""The lab in words: contributions, predictions, the table of orders, the order explorer, the overview."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from minigrad import parse
from minigrad.faults import FAULTS, diagnose, lab, outcomes
from minigrad.faults.contributions import OUTSIDE, Account, Term
from minigrad.faults.departure import Entry
from minigrad.faults.guesses import compared, judge
from minigrad.faults.overview import Listing, overview
from minigrad.faults.report import sections
from minigrad.faults.scrubbing import frame, frames
from minigrad.faults.table import run_table
from minigrad.faults.terms import account_in_words, told
from minigrad.messages import speaking
from minigrad.page import Ink, Page

DIAMOND = "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"
STEADY = "  The right pass gives the same gradients whichever valid order it walks."
GRAPH = parse("a = 3; b = 2; c = a*b; d = c + a")  # nodes 0 to 3
A, B, C, D = range(4)


@pytest.fixture(autouse=True)
def _english():
    with speaking("en"):
        yield


def fan(uses: int) -> str:
    """v0 = 2*a, v1 = 3*a ... and their sum: overwriting keeps whichever comes last."""
    made = "; ".join(f"v{i} = a*{i + 2}" for i in range(uses))
    return f"a = 1; {made}; s = sum({', '.join(f'v{i}' for i in range(uses))})"


def many(inputs: int, squared: tuple[int, ...]) -> str:
    """A sum of inputs; those that are squared come out as half of what they should, with overwriting."""
    given = "; ".join(f"x{i} = {i}" for i in range(inputs))
    return f"{given}; L = " + " + ".join(f"x{i}*x{i}" if i in squared else f"x{i}" for i in range(inputs))


# ---- contributions ----------------------------------------------------------------------------------


def words(node: int, expected: float, got: float, kept=(), lost=(), changed=(), extra=()) -> str:
    return account_in_words(GRAPH, Account(node, expected, got, kept, lost, changed, extra))


def test_an_account_that_is_right():
    assert words(B, 3.0, 3.0, (Term(C, 1, 3.0),)) == "b: 3, right: its one contribution arrived, 3 via c"
    assert words(A, 3.0, 3.0, (Term(C, 0, 2.0), Term(D, 1, 1.0))) == (
        "a: 3, right: all 2 contributions arrived and were added up"
    )
    assert words(A, 0.0, 0.0) == "a: 0, right: no message reaches it"
    assert words(D, 1.0, 1.0, (Term(OUTSIDE, OUTSIDE, 1.0),)) == (
        "d: 1, right: its one contribution arrived, the seed, 1,"
    )


def test_an_account_that_is_right_by_luck():
    assert words(A, 3.0, 3.0, (Term(C, 0, 2.0),), (Term(D, 1, 1.0),), (), (Term(OUTSIDE, OUTSIDE, 1.0),)) == (
        "a: 3, right nonetheless: kept 2 via c; lost 1 via d; not due: 1 that no message brought"
    )


def test_an_account_that_is_wrong():
    changed = ((Term(C, 0, 2.0), Term(C, 0, 4.0)),)
    assert words(A, 3.0, 4.0, (), (Term(D, 1, 1.0),), changed) == (
        "a: 4 in place of 3: lost 1 via d; 2 via c arrived as 4"
    )


def test_the_slot_is_said_where_a_source_has_several():
    both = (Term(C, 0, 2.0),), (Term(C, 1, 5.0),)
    assert words(A, 7.0, 2.0, *both) == "a: 2 in place of 7: kept 2 via c [slot 1]; lost 5 via c [slot 2]"
    again = (Term(C, 0, 2.0),), (), (), (Term(C, 0, 2.0),)  # sent again from the same slot
    assert words(A, 2.0, 4.0, *again) == "a: 4 in place of 2: kept 2 via c; not due: 2 via c"


def test_of_many_terms_four_are_written_out():
    terms = tuple(Term(i, 0, float(i)) for i in (0, 1, 2, 3))
    assert words(A, 6.0, 0.0, (), terms) == "a: 0 in place of 6: lost 0 via a, 1 via b, 2 via c, 3 via d"
    five = (*terms, Term(3, 1, 4.0))
    assert words(A, 10.0, 0.0, (), five).endswith("1 via b, 2 via c, 3 via d [slot 1], ... (5)")
    changed = tuple((Term(C, slot, 1.0), Term(C, slot, 2.0)) for slot in range(5))
    assert words(A, 4.0, 8.0, (), (), changed[:4]).endswith("; 1 via c [slot 4] arrived as 2")
    assert words(A, 5.0, 10.0, (), (), changed).endswith("; 1 via c [slot 4] arrived as 2; 1 more changed")


def test_numbers_are_told_apart_by_as_many_digits_as_it_takes():
    assert told(0.1, 0.1) == "0.1"
    assert told(0.25, 0.125) == "0.25"
    assert (told(0.10000001, 0.1), told(0.1, 0.10000001)) == ("0.10000001", "0.1")
    assert told(0.1, 0.10000000000000002) == "0.10000000000000001"
    assert told(0.10000000000000002, 0.1) == "0.10000000000000002"
    assert told(0.3333333333, 0.33333333334) == "0.33333333329999998"  # alike in ten digits


# ---- predictions ------------------------------------------------------------------------------------


def test_what_is_said_to_a_prediction():
    overwrite = lab(DIAMOND, "overwrite")
    assert list(compared(overwrite, {"a": 6, "b": 7, "c": -2})) == [
        "a: 6 has the other sign: the broken pass gives -6, and 4 is right",
        "b: you said 7; the broken pass gives -4, and -4 is right",
        "c: -2, as you said, where -12 is right",
        "1 of 3 foreseen",
    ]
    assert list(compared(overwrite, {"a": 10})) == [
        "a: 10 is what the order L, e, ab, f gives; this one gives -6, and 4 is right",
        "0 of 1 foreseen",
    ]
    assert list(compared(overwrite, {})) == ["No prediction was made."]
    dropped = lab(DIAMOND, "branch-dropped", variant="f > a")
    assert list(compared(dropped, {"a": 10, "b": -4})) == [
        "a: 10 is one contribution, 10 via f; the broken pass gives -6, and 4 is right",
        "b: -4, as you said: the bug leaves it alone",
        "1 of 2 foreseen",
    ]


def test_a_prediction_for_a_pass_that_does_not_end():
    text = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
    endless = lab(text, "recursion")
    assert list(compared(endless, {"a": 2**21, "b": 1})) == [
        "a: 2097152 is the right gradient, and the broken pass gives nan",
        "0 of 1 foreseen",
    ]
    assert next(compared(endless, {"a": 5})) == (
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
    monkeypatch.setattr(outcomes, "LARGE", 12)
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


# ---- colours ----------------------------------------------------------------------------------------


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


def painted(kind: str, text: str) -> str:
    return Ink(True)(kind, text)


def test_colours_are_added_to_what_stands_there_without_them():
    ink = Page(ink=Ink(True))
    shown = [
        lab(DIAMOND, "overwrite"),
        lab(many(30, (3, 28)), "overwrite"),
        lab(None, "mean-is-sum"),
        lab(None, "breadth-first"),
        lab(None, "branch-dropped"),
        overview(DIAMOND),
        diagnose(DIAMOND, {"a": -6, "b": -4, "c": -2}),
        diagnose(DIAMOND, {"a": 4, "b": -4}),
        Listing(),
    ]
    for result in shown:
        lines = [line.rstrip() for line in plain(result.text("en", ink)).splitlines()]
        assert lines == result.text("en", Page()).splitlines()
        assert result.text("en", ink) != result.text("en", Page())


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
    assert table("a = 3; b = 2; a*b", "overwrite", Page(ink=Ink(True)))[2] == "  out    2   3"


def test_the_colours_of_forensics():
    lines = diagnose(DIAMOND, {"a": -6, "b": -4}).text("en", Page(rows=60, ink=Ink(True))).splitlines()
    assert f"  a  {painted('wrong', '      -6      4')}  {painted('wrong', 'wrong')}" in lines
    assert f"  b  {painted('grad', '      -4     -4')}  fits" in lines
    assert any(line.startswith(painted("faint", "    overwrite: each contribution")[:30]) for line in lines)
    assert any(line.startswith("\x1b[34m  a = 2; b = 3; c = 4;") for line in lines)
    assert any(re.match(r"    a right pass +\x1b\[33m", line) for line in lines)


def test_the_colours_of_nodes_in_between():
    """b is wrong; and where it is sent 1 too much and 1 too little, it is right nonetheless."""
    text = lab("a = 3; b = -a; L = b*b", "overwrite").text("en", Page(ink=Ink(True)))
    assert painted("faint", "  in between:") in text
    assert (
        painted("wrong", "    b: -3 in place of -6: kept -3 via L [slot 2]; lost -3 via L [slot 1]") in text
    )
    hidden = lab("a = 3; b = 2; L = a*b", "branch-dropped").text("en", Page(ink=Ink(True)))
    assert "\x1b[2m  here: the branch out > b is dropped" in hidden
    assert "\x1b[2m  other variants here (--variant): L > b" in hidden


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


# ---- the sections of a lab --------------------------------------------------------------------------


def section(found, title: str, page: Page | None = None) -> list[str]:
    return dict(sections(found, page or Page()))[title]


def test_a_pass_that_does_not_end_has_its_section():
    text = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
    found = lab(text, "recursion")
    first, _ = section(found, "The run")
    assert first == "  The pass was given up: it visits shared nodes again and again, and would not"
    assert section(found, "The run", Page(ink=Ink(True)))[0] == painted("wrong", first)
    assert [title for title, _ in sections(found, Page())][-3:] == ["The run", "Where it hides", "The lesson"]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        (fan(3), "s > v1, s > v2, v2 > a, v1 > a, v0 > a"),
        ("a = 1; b = 2; L = a*b", "L > b"),
        (
            f"{fan(4)[:-1]}, a)",
            "s > v1, s > v2, s > v3, s > a, v3 > a, v2 > a, v1 > a, v0 > a",
        ),
        (fan(5), "s > v1, s > v2, s > v3, s > v4, v4 > a, v3 > a, v2 > a, v1 > a, ..."),
    ],
)
def test_the_other_variants_are_listed(text, others):
    words = " ".join(" ".join(section(lab(text, "branch-dropped"), "What is broken")).split())
    assert words.endswith(f"other variants here (--variant): {others}")


def test_a_fault_without_variants_lists_none():
    assert "other variants" not in " ".join(section(lab(DIAMOND, "overwrite"), "What is broken"))


def test_a_long_graph_is_cut_or_counted():
    chain = "a = 3; x0 = -a; " + "; ".join(f"x{i} = -x{i - 1}" for i in range(1, 299))
    for ops, counted in ((299, False), (300, True)):
        text = chain if ops == 299 else f"{chain}; x299 = -x298"
        words = section(lab(text, "neg-sign"), "What is broken")
        assert any(f"  the graph of x{ops - 1}, {ops + 1} nodes" == line for line in words) is counted
        assert words[-1].endswith(" ...") is not counted
    short = section(lab("a = 3; L = -a", "neg-sign"), "What is broken")
    assert short[-1] == "  a = 3; L = -a"


def test_an_input_that_the_output_does_not_depend_on():
    found = section(lab("a = 3; b = 2; L = -a", "neg-sign"), "Which gradients survive, and why")
    assert found == [
        "  a: 1 in place of -1: -1 via L arrived as 1",
        "  b: 0, right: the output does not depend on it",
    ]


def test_nodes_in_between_have_their_accounts():
    """b gets one of its two, and sends 2 times -3 for 2 times -6."""
    found = section(lab("a = 3; b = -a; L = b*b", "overwrite"), "Which gradients survive, and why")
    assert found == [
        "  a: 3 in place of 6: 6 via b arrived as 3",
        "  in between:",
        "    b: -3 in place of -6: kept -3 via L [slot 2]; lost -3 via L [slot 1]",
    ]


def test_of_a_long_log_the_part_around_the_mistake_is_shown():
    """Eighteen messages; the first that is wrong is the last, and three before it are shown."""
    chain = "a = 3; b = 2; x0 = b*a; " + "; ".join(f"x{i} = -x{i - 1}" for i in range(1, 15))
    found = section(lab(chain, "mul-own-factor"), "The instrumented line")
    assert [" ".join(line.split()) for line in found[1:]] == [
        "...",
        "x3 sends x2.grad: 0 -> 1",
        "x2 sends x1.grad: 0 -> -1",
        "x1 sends x0.grad: 0 -> 1",
        "x0 sends b.grad: 0 -> 2 right: 0 -> 3",
        "x0 sends a.grad: 0 -> 3 right: 0 -> 2",
    ]
    shorter = chain.rpartition(";")[0].rpartition(";")[0]  # sixteen
    whole = section(lab(shorter, "mul-own-factor"), "The instrumented line")
    assert " ".join(whole[1].split()) == "at first x12.grad = 1"


def entries(*found: Entry) -> list[str]:
    made = lab("a = 3; b = 2; c = a*b; L = -c", "overwrite")
    made.__dict__["log"] = list(found)
    return [" ".join(line.split()) for line in section(made, "The instrumented line")]


def test_what_is_said_of_each_kind_of_departure():
    a, b, c, output = range(4)
    assert entries(Entry("", a, c, 0.0, 1.0, 0.0, 1.0)) == ["every message is what it should be"]
    said = entries(
        Entry("value", c, -1, 0.0, 5.0, 0.0, 6.0),
        Entry("seed", output, -1, 0.0, 2.0, 0.0, 1.0),
        Entry("", c, output, 0.0, -1.0, 0.0, -1.0, 1.0, c),
        Entry("total", a, c, 1.0, 4.0, 1.0, -2.0, -1.0, a),
        Entry("total", a, c, 1.0, 4.0, 1.0, -3.0, -1.0, b),
        Entry("missing", b, c, 0.0, 0.0, 0.0, -3.0),
        Entry("again", a, c, 1.0, 2.0, 0.0, 1.0, -1.0, a),
        Entry("early", a, c, 0.0, -4.0, 0.0, -2.0, -2.0, a),
        Entry("extra", b, output, 0.0, 1.0, 0.0, 0.0, 1.0, b),
        Entry("end", b, -1, -3.0, 0.0, -3.0, -3.0),
    )
    assert said[1:] == [
        "at first c.data = 5 right: 6",
        "at first L.grad = 2 right: 1",
        "L sends c.grad: 0 -> -1",
        "c sends a.grad: 1 -> 4 right: 1 -> -2",
        "c sends a.grad: 1 -> 4 right: b.grad: 1 -> -3",
        "c sends nothing to b right: 0 -> -3",
        "c sends a.grad: 1 -> 2 once too often",
        "c sends a.grad: 0 -> -4 too early: c.grad is -2, and not yet -1",
        "L sends b.grad: 0 -> 1 nothing is due here",
        "at last b.grad: -3 -> 0 right: -3",
    ]


def test_a_comment_that_does_not_fit_stands_below():
    made = lab("a = 3; b = 2; c = a*b; L = -c", "overwrite")
    made.__dict__["log"] = [Entry("total", 0, 2, 1.0, 4.0, 1.0, -2.0, -1.0, 0)]
    line = "    c sends  a.grad: 1 -> 4   right: 1 -> -2"
    title = "The instrumented line"
    assert section(made, title, Page(width=len(line)))[-1] == line
    assert section(made, title, Page(width=len(line) - 1))[-2:] == [
        "    c sends  a.grad: 1 -> 4",
        "        right: 1 -> -2",
    ]


def test_a_change_that_does_not_fit_goes_on_below():
    title = "The change, in faults/specimen.py, a readable engine"
    found = lab(DIAMOND, "overwrite")
    assert section(found, title)[1:] == [
        "           amount = local[slot] * upstream",
        "  -        child.grad += amount",
        "  +        child.grad = amount",
    ]
    assert section(found, title, Page(width=31))[-3:] == [
        "               * upstream",
        "  -        child.grad += amount",
        "  +        child.grad = amount",
    ]
    assert section(found, title, Page(width=30))[-3:] == [
        "  -        child.grad +=",
        "  -            amount",
        "  +        child.grad = amount",
    ]
    ink = section(found, title, Page(ink=Ink(True)))
    assert ink[0].startswith("  \x1b[2m@@ ")
    assert ink[1] == "           amount = local[slot] * upstream"
    assert ink[2:] == [
        "  " + painted("removed", "-        child.grad += amount"),
        "  " + painted("added", "+        child.grad = amount"),
    ]


def test_where_a_variant_hides_in_another_it_is_named():
    found = section(lab("a = 3; b = 2; L = a*b", "branch-dropped"), "Where it hides")
    assert found[0] == "  a = 0; b = 2; a * b"
    assert "out > b" in found[1]
    assert found[-1].endswith(": a = 2, b = 0")
    nowhere = section(lab("a = 3; L = -a", "accumulate-twice"), "Where it hides")
    assert nowhere[0].startswith("  Nowhere among the small graphs that were tried: ")


# ---- nothing is left out of a sentence ----------------------------------------------------------------


@pytest.mark.parametrize("slug", FAULTS)
def test_no_sentence_of_a_lab_has_a_gap(slug):
    found = lab(None, slug)
    for lang in ("en", "es"):
        with speaking(lang):
            title = found.text(lang).split("\n\n")
            told_parts = [part for part in title if "specimen.py" not in part]
        assert not re.search(r"\bNone\b", "\n".join(told_parts))
