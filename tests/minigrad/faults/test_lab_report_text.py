"""A lab in words, section by section, with its colours."""

from __future__ import annotations

import re

import pytest

from lab_graphs import DIAMOND, fan, many, painted
from minigrad.faults import FAULTS, diagnose, lab
from minigrad.faults.lab_report_text import _code, _written, sections
from minigrad.faults.overview import Listing, overview
from minigrad.faults.pass_log import LogEntry
from minigrad.text.page import Ink, Page
from minigrad.text.translation import speaking

pytestmark = pytest.mark.usefixtures("english")


def plain(text: str) -> str:
    return re.sub(r"\x1b\[\d+m", "", text)


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


def test_the_colours_of_what_is_broken():
    title, story, _, seen, _, graph = section(
        lab(DIAMOND, "overwrite"), "What is broken", Page(ink=Ink(True))
    )
    assert title == painted("title", "  overwrite: = in place of +=")
    assert story.startswith("  each contribution")
    assert seen.startswith("\x1b[2m  24 of 191 public engines")
    assert graph.startswith("\x1b[34m  a = 2; b = 3;")


def test_a_fault_without_variants_lists_none():
    assert "other variants" not in " ".join(section(lab(DIAMOND, "overwrite"), "What is broken"))


def test_a_long_graph_is_cut_or_counted():
    chain = "a = 3; x0 = -a; " + "; ".join(f"x{i} = -x{i - 1}" for i in range(1, 299))
    for ops, counted in ((299, False), (300, True)):
        text = chain if ops == 299 else f"{chain}; x299 = -x298"
        words = section(lab(text, "neg-sign"), "What is broken")
        assert any(f"  the graph of x{ops - 1}, {ops + 1} nodes" == line for line in words) is counted
        assert words[-1].endswith(" ...") is not counted
    for length, number, cut in ((70, 33, False), (71, 3, True)):  # 300 characters, and 301
        first, second = "a" * 71, "b" * length
        words = _written(lab(f"{first} = {number}; {second} = -{first}; L = -{second}", "neg-sign"))
        assert (len(words), words.endswith(" ...")) == (304 if cut else 300, cut)
    short = section(lab("a = 3; L = -a", "neg-sign"), "What is broken")
    assert short[-1] == "  a = 3; L = -a"


def test_the_order_is_said_where_there_are_several():
    title = "Which gradients survive, and why"
    text = "a = 2; b = -3; c = a*b; d = a + b; e = c + d"
    lines = section(lab(text, "overwrite"), title, Page(ink=Ink(True)))
    assert lines[0] == painted("faint", "  in the order e, d, c:")
    assert len(lines) == 3
    diamond = section(lab(DIAMOND, "overwrite"), title, Page(ink=Ink(True)))
    assert "  b: -4, right: its one contribution arrived, -4 via ab" in diamond  # in no colour


def test_a_node_in_between_that_is_right_nonetheless():
    """b - b sends 1 and -1; with the slots swapped, -1 and 1."""
    found = lab("a = 3; b = -a; L = b - b", "slots-swapped")
    title = "Which gradients survive, and why"
    last = " ".join("".join(section(found, title)[-2:]).split())
    assert last.startswith("b: 0, right nonetheless: 1 via L [slot 1] arrived as -1;")
    assert section(found, title, Page(ink=Ink(True)))[-2:] == section(found, title)[-2:]  # in no colour


def test_a_line_of_code_is_not_broken_at_a_hyphen():
    assert _code('+    print("a well-known bug")', 20) == [
        '+    print("a',
        "+        well-known",
        '+        bug")',
    ]


def test_an_input_that_the_output_does_not_depend_on():
    found = section(lab("a = 3; b = 2; L = -a", "neg-sign"), "Which gradients survive, and why")
    assert found == [
        "  a: 1 in place of -1: -1 via L arrived as 1",
        "  b: 0, right: the output does not depend on it",
    ]
    first = section(lab("b = 2; a = 3; L = -a", "neg-sign"), "Which gradients survive, and why")
    assert first == found[::-1]


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
    found = section(lab(chain, "mul-own-factor"), "The instrumented lines")
    assert [" ".join(line.split()) for line in found[1:]] == [
        "...",
        "x3 sends x2.grad: 0 -> 1",
        "x2 sends x1.grad: 0 -> -1",
        "x1 sends x0.grad: 0 -> 1",
        "x0 sends b.grad: 0 -> 2 right: 0 -> 3",
        "x0 sends a.grad: 0 -> 3 right: 0 -> 2",
    ]
    shorter = chain.rpartition(";")[0].rpartition(";")[0]  # sixteen
    whole = section(lab(shorter, "mul-own-factor"), "The instrumented lines")
    assert " ".join(whole[1].split()) == "at first x12.grad = 1"
    sixteen = section(lab(chain.rpartition(";")[0], "mul-own-factor"), "The instrumented lines")
    assert (len(sixteen), " ".join(sixteen[1].split())) == (17, "at first x13.grad = 1")
    early = section(lab(chain, "seed-scaled"), "The instrumented lines")
    assert " ".join(early[1].split()) == "at first x14.grad = 2 right: 1"  # nothing is left out before it


def entries(*found: LogEntry) -> list[str]:
    made = lab("a = 3; b = 2; c = a*b; L = -c", "overwrite")
    made.__dict__["log"] = list(found)
    return [" ".join(line.split()) for line in section(made, "The instrumented lines")]


def test_what_is_said_of_each_kind_of_departure():
    a, b, c, output = range(4)
    assert entries(LogEntry("", a, c, 0.0, 1.0, 0.0, 1.0)) == ["every message is what it should be"]
    said = entries(
        LogEntry("value", c, -1, 0.0, 5.0, 0.0, 6.0),
        LogEntry("seed", output, -1, 0.0, 2.0, 0.0, 1.0),
        LogEntry("", c, output, 0.0, -1.0, 0.0, -1.0, 1.0, c),
        LogEntry("total", a, c, 1.0, 4.0, 1.0, -2.0, -1.0, a),
        LogEntry("total", a, c, 1.0, 4.0, 1.0, -3.0, -1.0, b),
        LogEntry("missing", b, c, 0.0, 0.0, 0.0, -3.0),
        LogEntry("again", a, c, 1.0, 2.0, 0.0, 1.0, -1.0, a),
        LogEntry("early", a, c, 0.0, -4.0, 0.0, -2.0, -2.0, a),
        LogEntry("extra", b, output, 0.0, 1.0, 0.0, 0.0, 1.0, b),
        LogEntry("extra", b, a, 0.0, 1.0, 0.0, 0.0, 1.0, b),
        LogEntry("end", b, -1, -3.0, 0.0, -3.0, -3.0),
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
        "a sends b.grad: 0 -> 1 nothing is due here",
        "at last b.grad: -3 -> 0 right: -3",
    ]


def test_numbers_in_a_log_have_as_many_digits_as_it_takes():
    """What is right but for a rounding has no more than others."""
    a, c = 0, 2
    said = entries(
        LogEntry("", a, c, 0.0, 1.0 + 1e-15, 0.0, 1.0, 1.0, a),
        LogEntry("total", a, c, 1.0, 2.0000001, 1.0, 2.0, 1.0, a),
    )
    assert said[1:] == ["c sends a.grad: 0 -> 1", "c sends a.grad: 1 -> 2.0000001 right: 1 -> 2"]


def test_a_comment_that_does_not_fit_stands_below():
    made = lab("a = 3; b = 2; c = a*b; L = -c", "overwrite")
    made.__dict__["log"] = [LogEntry("total", 0, 2, 1.0, 4.0, 1.0, -2.0, -1.0, 0)]
    line = "    c sends  a.grad: 1 -> 4   right: 1 -> -2"
    title = "The instrumented lines"
    assert section(made, title, Page(width=len(line)))[-1] == line
    assert section(made, title, Page(width=len(line) - 1))[-2:] == [
        "    c sends  a.grad: 1 -> 4",
        "        right: 1 -> -2",
    ]
    assert section(made, title, Page(width=len(line) - 1, ink=Ink(True)))[-2:] == [
        painted("wrong", "    c sends  a.grad: 1 -> 4"),
        painted("wrong", "        right: 1 -> -2"),
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
    wide = section(lab(None, "default-arguments-outlive"), title, Page(width=40))
    assert "  +def order_of(root, order=[]," in wide
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
    painted_place = section(lab(DIAMOND, "overwrite"), "Where it hides", Page(ink=Ink(True)))[0]
    assert painted_place == painted("data", "  x = 3; y = 5; z = x*y")
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


def test_a_gradient_of_what_the_output_does_not_depend_on_is_wrong_where_it_is_not_nothing():
    found = lab("a = 1; b = 3; y = a*2", "grads-start-at-one")
    assert section(found, "Which gradients survive, and why") == [
        "  a: 3 in place of 2: kept 2 via y; not due: 1 that no message brought",
        "  b: 1 in place of 0: the output does not depend on it",
    ]
    (line,) = (line for line in found.text("en", Page(ink=Ink(True))).splitlines() if "b: 1 in" in line)
    assert line != plain(line)  # in the colour of what is wrong
