"""The document of a lab, worked out by hand; and what a lab refuses."""

from __future__ import annotations

import re

import pytest

from lab_graphs import DIAMOND, ENDLESS, SMALL
from minigrad import Value, parse, trace
from minigrad.faults import FAULTS, Suspect, break_lab, lab

pytestmark = pytest.mark.usefixtures("english")


def term(source: str | None, slot: int, amount: float) -> dict[str, object]:
    return {"source": source, "slot": slot, "amount": amount}


def message(
    kind: str, source: str | None, node: str, before: float, after: float, *right: float
) -> dict[str, object]:
    return {"kind": kind, "node": node, "source": source, "before": before, "after": after, "right": [*right]}


# ---- the lab ----------------------------------------------------------------------------------------


def test_the_document_of_a_lab():
    found = lab(SMALL, "overwrite")
    document = found.to_json()
    assert document.pop("diff") == found.diff
    nothing = {"lost": [], "changed": [], "extra": []}
    assert document == {
        "schema": "minigrad.lab/1",
        "fault": "overwrite",
        "variant": "",
        "family": "sum",
        "output": "L",
        "value": {"expected": -9.0, "broken": -9.0},
        "shows": True,
        "expected": {"a": -6.0},
        "orders": [{"order": ["L", "b"], "gradients": {"a": -3.0}, "count": 1}],
        "complete": True,
        "valid_orders": 1,
        "accounts": {
            "a": {
                "expected": -6.0,
                "got": -3.0,
                "kept": [term("b", 0, -3.0)],
                "lost": [term("L", 1, -3.0)],
                "changed": [],
                "extra": [],
            },
            "b": {"expected": 3.0, "got": 3.0, "kept": [term("L", 0, 3.0)], **nothing},
            "L": {"expected": 1.0, "got": 1.0, "kept": [term(None, 0, 1.0)], **nothing},
        },
        "log": [
            message("", None, "L", 0.0, 1.0, 0.0, 1.0),
            message("", "L", "b", 0.0, 3.0, 0.0, 3.0),
            message("", "L", "a", 0.0, -3.0, 0.0, -3.0),
            message("total", "b", "a", -3.0, -3.0, -3.0, -6.0),
        ],
        "hides": {
            "expression": "x = 3; y = 5; z = x*y",
            "variant": "",
            "gradients": {"x": 5.0, "y": 3.0},
        },
    }


def test_what_arrives_changed_or_was_not_due_is_in_the_document():
    twice = lab("a = 3; L = -a", "accumulate-twice").to_json()
    assert twice["accounts"]["a"]["changed"] == [{"from": term("L", 0, -1.0), "to": term("L", 0, -2.0)}]
    assert twice["hides"] is None
    left = lab("a = 3; L = -a", "no-zero-grad", variant=3).to_json()
    assert left["accounts"]["a"]["extra"] == [term(None, 0, -2.0)]
    assert lab("a = 3; b = 2; a*b", "branch-dropped").to_json()["hides"]["variant"] == "out > b"


def test_the_document_of_a_pass_that_does_not_end():
    document = lab(ENDLESS, "recursion").to_json()
    assert document["value"] == {"expected": 2.0**21, "broken": None}
    nothing = {key: document[key] for key in ("orders", "complete", "valid_orders", "accounts", "log")}
    assert nothing == {"orders": [], "complete": False, "valid_orders": None, "accounts": {}, "log": []}
    assert document["shows"] is True


def test_the_passes_for_the_player():
    found = lab(DIAMOND, "overwrite")
    right, broken = found.told()
    assert (right.key, right.title, right.trace) == ("right", ("right", "correcto"), trace(found.graph))
    assert (broken.key, broken.title) == ("overwrite", FAULTS["overwrite"].name)
    assert broken.trace == found.broken
    other = found.runs.listed[1].order
    right, broken = found.told(other)
    assert right.trace == trace(found.graph, order=other)
    assert broken.trace.gradients == {"a": -6.0, "b": -4.0, "c": -10.0}
    own = lab("a = 3; b = a*a; c = -b; L = b*c", "breadth-first")
    assert own.told(own.runs.listed[0].order)[0].trace == own.right  # no order for a right pass
    assert [told.key for told in lab(ENDLESS, "recursion").told()] == ["right"]


def test_the_names_of_the_passes_are_in_both_languages():
    assert "L > e" in lab(DIAMOND, "branch-dropped").told()[1].title[1]
    assert lab(SMALL, "overwrite-one-op").told()[1].title == (
        "= in place of += in neg only",
        Suspect(FAULTS["overwrite-one-op"], "neg").fault.name[1].format(what="neg"),
    )


def test_a_lab_as_a_page_and_in_a_notebook():
    found = lab(SMALL, "overwrite")
    page = found.to_html("es")
    assert 'lang="es"' in page
    assert "a = 3; b = -a; L = b*a" in page
    shown = found._repr_mimebundle_()
    assert shown["text/plain"] == str(found)
    assert "<svg" in shown["image/svg+xml"]
    assert "-3" in shown["image/svg+xml"]  # of the broken pass
    assert "iframe" in shown["text/html"]
    assert lab(ENDLESS, "recursion")._repr_mimebundle_()["image/svg+xml"]


def test_the_text_that_a_lab_was_written_as():
    assert lab(SMALL, "overwrite").source[0] == SMALL
    assert lab(None, "overwrite").source[0] == FAULTS["overwrite"].smallest
    assert lab(None, "overwrite", {"a": 5}).source is None
    assert lab(parse(SMALL), "overwrite").source is None
    assert lab(ENDLESS, "recursion").source[0] == ENDLESS


def test_a_lab_as_markdown():
    text = lab(DIAMOND, "branch-dropped", variant="f > a").markdown("es")
    assert text.startswith("# Laboratorio de fallos: ")
    assert "f > a" in text.splitlines()[0]
    quoted = Value(3.0, label="`a`")
    assert (
        lab(quoted * 2.0, "branch-dropped").markdown("en").splitlines()[0].endswith(" out > 'a' is dropped")
    )


def test_accounts_in_another_order():
    """Of two equal contributions the twin says which was kept: the one of the order that was asked for."""
    found = lab("a = 3; b = -a; c = -a; L = b + c", "overwrite")
    b, c = found.graph.index("b"), found.graph.index("c")
    orders = list(found.graph.orders())
    assert [[term.source for term in found.accounts_in(order)[0].kept] for order in orders] == [[b], [c]]
    assert [term.source for term in found.accounts[0].kept] == [b]
    first = lab("a = 3; b = -a; c = -a; L = b + c", "keep-first")
    assert [[term.source for term in first.accounts_in(order)[0].kept] for order in orders] == [[c], [b]]


def test_the_twin_walks_the_same_order():
    """b sends 1 to a, and c sends 1 in vain; in the other order the last message is the first that w gets."""
    found = lab("a = 3; y = 2; w = 0.5; b = prod(a, y, w); c = y + a; L = b + c", "keep-first")
    b, c = found.graph.index("b"), found.graph.index("c")
    orders = [[found.graph.output, c, b], [found.graph.output, b, c]]
    assert [[term.source for term in found.accounts_in(tuple(o))[0].kept] for o in orders] == [[c], [b]]


# ---- what a lab refuses -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SMALL, "overwrit"), "there is no fault 'overwrit'; did you mean overwrite?"),
        ((SMALL, "limit"), "there is no fault 'limit'; did you mean fan-out-limit?"),
        ((SMALL, "x" * 60), f"there is no fault '{'x' * 60}'; minigrad"),
        ((SMALL, "x" * 61), "there is no fault a long str; minigrad"),
        ((SMALL, 7), "there is no fault 7 (int); minigrad"),
        (
            (SMALL, "relu-zeroes"),
            'on this graph relu-zeroes finds nothing to break; try it on its own: "a = -3;',
        ),
        (
            (SMALL, "relu-zeroes", None, "x"),
            'relu-zeroes finds nothing to break; try it on its own: "a = -3;',
        ),
        (
            (SMALL, "overwrite", None, "mul"),
            "overwrite has no variants, so 'mul' cannot be one; leave it out",
        ),
        ((SMALL, "overwrite", None, 3), "overwrite has no variants, so 3 (int) cannot be one; leave it out"),
        (
            (SMALL, "overwrite-one-op", None, "add"),
            "overwrite-one-op has no variant 'add' on this graph; here it has neg, mul",
        ),
    ],
)
def test_what_is_refused_is_said(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        lab(*arguments)


def test_what_is_no_mapping_or_no_graph_is_refused():
    with pytest.raises(TypeError, match=r"given by name, such as {'a': 1.0}, and 3 \(int\) is not that"):
        lab(SMALL, "overwrite", 3)
    with pytest.raises(TypeError, match=r"a Graph, a Value or a text, and 3.0 \(float\) is none of these"):
        lab(3.0, "overwrite")


def test_of_many_variants_twelve_are_named():
    terms = "; ".join(f"v{i} = a*{i + 2}" for i in range(6))
    text = f"a = 1; {terms}; L = sum(v0, v1, v2, v3, v4, v5)"  # six edges into L, six into a
    with pytest.raises(ValueError, match=r"L > v5, v5 > a, v4 > a, v3 > a, v2 > a, v1 > a, v0 > a$"):
        lab(text, "branch-dropped", variant="x")
    with pytest.raises(ValueError, match=r"(, [^,]+ > [^,]+){11}, \.\.\.$"):
        lab(f"{text} + a", "branch-dropped", variant="x")


def test_the_first_variant_that_shows(monkeypatch):
    """Dropping what b is sent does not show: it is 0.  With little work, only two variants are looked at."""
    assert lab("a = 2; b = 0; L = a*b", "branch-dropped").variant == "L > b"
    assert lab("a = 0; b = 2; L = a*b", "branch-dropped").variant == "L > a"
    hidden = "a = 0; b = 0; c = 1; d = a*b; L = d*c"
    assert lab(hidden, "branch-dropped").variant == "L > d"  # none shows, and so the first
    third = "a = 0; b = 0; c = 1; d = a*b; e = d*d; L = sum(d, e, c)"
    assert lab(third, "branch-dropped").variant == "L > c"
    monkeypatch.setattr(break_lab, "WORK", 1)
    assert lab("a = 2; b = 0; L = a*b", "branch-dropped").variant == "L > b"
    assert lab(third, "branch-dropped").variant == "L > d"


def test_where_the_first_of_several_does_not_end_it_is_the_one():
    assert lab(ENDLESS, "recursion").broken is None
