"""All faults at once: the overview of a graph and the catalogue, as documents and as tables."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lab_graphs import ENDLESS, SMALL
from minigrad import parse
from minigrad.faults import FAULTS
from minigrad.faults.overview import Listing, overview
from minigrad.text.page import Ink, Page

pytestmark = pytest.mark.usefixtures("english")


def test_the_document_of_an_overview():
    found = overview("a = 3; L = -a")
    document = found.to_json()
    rows = {row["fault"]: (row["variant"], row["gradients"]) for row in document["faults"]}
    assert document.keys() == {
        "schema", "output", "expected", "faults", "hidden", "idle", "untried", "suggestion",
    }  # fmt: skip
    assert (document["schema"], document["output"], document["expected"]) == (
        "minigrad.break/1",
        "L",
        {"a": -1.0},
    )
    assert rows["accumulate-twice"] == ("", {"a": -2.0})
    assert rows["seed-scaled"] == ("2", {"a": -2.0})
    assert rows["neg-sign"] == ("", {"a": 1.0})
    assert "overwrite" in document["hidden"]
    assert "relu-zeroes" in document["idle"]
    assert document["untried"] == []
    assert document["suggestion"] == max(rows, key=lambda slug: (FAULTS[slug].ordered, FAULTS[slug].seen))
    assert len(rows) + len(document["hidden"]) + len(document["idle"]) == len(FAULTS)


def test_an_overview_of_a_pass_that_does_not_end():
    found = overview(ENDLESS)
    row = next(row for row in found.to_json()["faults"] if row["fault"] == "recursion")
    assert row == {"fault": "recursion", "variant": "", "gradients": None}
    assert len(found.showing) + len(found.hidden) + len(found.idle) == len(FAULTS)  # the others are asked too
    assert re.search(r"^  recursion +does not come to an end$", found.text("en"), re.MULTILINE)


def test_an_overview_of_what_nothing_shows_on():
    found = replace(overview("a = 3; L = -a"), showing=(), idle=(), hidden=())
    assert found.suggestion is None
    assert found.to_json()["suggestion"] is None
    assert found.text("en").splitlines()[-1] == (
        f"  0 of {len(FAULTS)} faults show on this graph, in the newest-first order (* wrong)."
    )


def test_what_an_overview_leaves_out_is_said(monkeypatch):
    import minigrad.faults.overview as rows

    graph = parse("a = 3; L = -a")
    monkeypatch.setattr(rows, "MOST", 2 * len(graph))
    found = overview(graph)
    assert (len(found.showing) + len(found.hidden), len(found.untried) > 50) == (3, True)
    assert found.to_json()["untried"] == [fault.slug for fault in found.untried]
    assert f", {found.untried[-1].slug}" in " ".join(found.text("en").split())


def test_an_overview_has_columns_for_the_inputs_that_fit():
    names = [f"input_number_{i}" for i in range(6)]
    text = (
        "; ".join(f"{name} = {i + 2}" for i, name in enumerate(names))
        + "; L = prod("
        + ", ".join(names)
        + ")"
    )
    lines = overview(text).text("en").splitlines()
    assert lines[1].split() == names[:2]
    assert "  4 more inputs are not shown" in lines
    assert lines[2].split() == ["right", "2520", "1680"]  # 3*4*5*6*7 and 2*4*5*6*7
    assert max(map(len, lines)) <= 78


def test_a_name_that_is_too_long_for_its_column_stands_above_the_numbers():
    """Two columns of 21 and 3 leave 28 for the names of faults, and that is the least."""
    first, other = "name_of_the_first_one", "name_of_the_other_one"
    lines = overview(f"{first} = 2; {other} = 3; L = {first}*{other}").text("en").splitlines()
    assert lines[1].split() == [first, other]
    above = lines.index(f"  branch-dropped (L > {first})")
    assert lines[above + 1].split() == ["0*", "2"]
    assert lines[above + 1].startswith(" " * 30)
    assert max(map(len, lines)) == 78
    found = overview(f"{first} = 2; {other} = 3; L = {first}*{other}")
    wider = found.text("en", Page(80)).splitlines()
    assert [len(line) for line in wider if "seed-scaled" in line] == [80]
    assert "  children-in-a-set (reversed)" not in lines  # of 28 characters


def test_numbers_that_are_the_same_but_for_roundings_look_the_same():
    found = overview("a = 3; L = -a")
    suspect, broken = found.showing[0]

    def row(grad: float, ink: bool) -> str:
        other = replace(found, showing=((suspect, replace(broken, grads=(grad, 1.0))),))
        return other.text("en", Page(ink=Ink(ink))).splitlines()[5]

    assert row(-1 - 1e-15, True).split()[-1] == "-1"
    assert row(-1.0000001, False).split()[-1] == "-1.0000001*"


def test_the_colours_of_an_overview():
    page = Page(ink=Ink(True))
    rows = overview(ENDLESS).text("en", page)
    assert re.search(r"\x1b\[31m  recursion +does not come to an end\x1b\[0m", rows)
    twice = next(line for line in overview(SMALL).text("en", page).splitlines() if "accumulate-twice" in line)
    assert twice.startswith("  accumulate-twice ")
    assert re.search(r"\x1b\[31m +-\d+\*\x1b\[0m$", twice)
    rests = overview(
        "; ".join(f"long_name_of_input_{i} = {i}" for i in range(5)) + "; L = -long_name_of_input_0"
    )
    assert "\x1b[2m  3 more inputs are not shown\x1b[0m" in rests.text("en", page)


def test_a_row_of_the_catalogue():
    row = FAULTS["overwrite"]
    assert Listing((row,)).to_json() == {
        "schema": "minigrad.faults/1",
        "faults": [
            {
                "fault": "overwrite",
                "family": "sum",
                "name": {"en": row.name[0], "es": row.name[1]},
                "story": {"en": row.story[0], "es": row.story[1]},
                "piece": "accumulate",
                "smallest": "a = 3; a + a",
                "ordered": True,
                "seen": 24,
                "case": "callummcdougall/ARENA_3.0#127",
            }
        ],
    }
    assert Listing((row, FAULTS["seed-scaled"])).text("en").splitlines() == [
        "The sum: contributions add up",
        "  overwrite                     24  = in place of +=",
        "                                    callummcdougall/ARENA_3.0#127",
        "",
        "The seed: where the pass starts",
        f"  seed-scaled                  {FAULTS['seed-scaled'].seen or '-':>3}  "
        + FAULTS["seed-scaled"].name[0].format(what="..."),
        *([" " * 36 + FAULTS["seed-scaled"].case] if FAULTS["seed-scaled"].case else []),
        "",
        "2 faults; the number says how many of 191 public engines have a bug of that",
        "  kind, the line below names a public case. To see one at work: minigrad break",
        "  overwrite",
    ]
    nobody = next(fault for fault in FAULTS.values() if not fault.seen)
    assert Listing((nobody,)).text("en").splitlines()[1].startswith(f"  {nobody.slug:28}   -  ")
