"""The documents of the lab, the overview and forensics, worked out by hand; and what is refused."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from minigrad import Value, parse, trace
from minigrad.faults import FAULTS, Suspect, diagnose, lab
from minigrad.faults import lab as room
from minigrad.faults.distinguish import candidates, distinguish, gives
from minigrad.faults.forensics import EXPLAINED, RIGHT, UNEXPLAINED
from minigrad.faults.overview import Listing, overview
from minigrad.messages import speaking
from minigrad.page import Ink, Page
from minigrad.wording import statement

SMALL = "a = 3; b = -a; L = b*a"  # dL/da = b + (-1)*a = -3 - 3
ENDLESS = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
DIAMOND = "a = 2; b = 3; c = 4; ab = a*b; e = ab + c; f = a - c; L = e*f"


@pytest.fixture(autouse=True)
def _english():
    with speaking("en"):
        yield


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


# ---- what a lab refuses -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((SMALL, "overwrit"), "there is no fault 'overwrit'; did you mean overwrite?"),
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
    monkeypatch.setattr(room, "WORK", 1)
    assert lab("a = 2; b = 0; L = a*b", "branch-dropped").variant == "L > b"
    assert lab(third, "branch-dropped").variant == "L > d"


def test_where_the_first_of_several_does_not_end_it_is_the_one():
    assert lab(ENDLESS, "recursion").broken is None


# ---- the overview -----------------------------------------------------------------------------------


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


def test_the_titles_of_the_documents():
    assert overview(SMALL).markdown("en").startswith("# What each fault does here\n")
    assert Listing().markdown("en").startswith("# The catalogue of faults\n")
    assert diagnose(SMALL, {"a": -6}).markdown("en").startswith("# What the numbers say\n")
    assert repr(diagnose(SMALL, {"a": -6})).endswith(": right>")


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


# ---- forensics --------------------------------------------------------------------------------------


def test_the_document_of_forensics():
    found = diagnose(SMALL, {"a": -3})
    document = found.to_json()
    assert (document["schema"], document["verdict"]) == ("minigrad.forensics/1", "wrong")
    assert (document["expected"], document["observed"]) == ({"a": -6.0}, {"a": -3.0})
    assert document["expression"] == "a = 3; b = -a; L = b * a"
    best = document["diagnoses"][0]
    assert best == {
        "fault": "overwrite",
        "faults": [{"fault": "overwrite", "variant": ""}],
        "order": ["L", "b"],
        "gradients": {"a": -3.0},
        "kept": {"a": [{"via": "b", "slot": 0, "amount": -3.0}]},
        "lost": {"a": [{"via": "L", "slot": 1, "amount": -3.0}]},
        "changed": {"a": []},
        "rounded": False,
        "unexplained": [],
    }
    assert (document["closest"], document["if_exact"], document["untried"], document["cut"]) == (
        [],
        [],
        [],
        [],
    )
    assert document["distinguish"]["faults"][0]["fault"] == "overwrite"
    assert repr(found) == f"<Forensics of {found.graph!r}: wrong: overwrite>"


def test_what_was_changed_on_the_way_is_in_the_document():
    found = diagnose("a = 3; L = -a", {"a": 1})
    sign = next(d for d in found.to_json()["diagnoses"] if d["fault"] == "neg-sign")
    assert sign["changed"] == {"a": [{"via": "L", "slot": 0, "amount": -1.0, "arrived": 1.0}]}
    left = diagnose("a = 3; L = -a", {"a": -3})
    twice = next(d for d in left.to_json()["diagnoses"] if d["fault"] == "no-zero-grad")
    assert (twice["faults"], twice["kept"]) == (
        [{"fault": "no-zero-grad", "variant": "3"}],
        {"a": [{"via": "L", "slot": 0, "amount": -1.0}]},
    )


def test_the_document_of_right_numbers():
    document = diagnose(SMALL, {"a": -6}).to_json()
    assert (document["verdict"], document["diagnoses"], document["distinguish"]) == ("right", [], None)


def test_what_was_not_tried_is_counted():
    found = diagnose(SMALL, {"a": -3})
    one, other = Suspect(FAULTS["overwrite"]), Suspect(FAULTS["sub-sign"])
    cut = replace(
        found, untried=((one,), (one, other), (one, other), (other, one)), cut=("overwrite", "recursion")
    )
    assert cut.to_json()["untried"] == [
        {"faults": ["overwrite"], "variants": 1},
        {"faults": ["overwrite", "sub-sign"], "variants": 2},
        {"faults": ["sub-sign", "overwrite"], "variants": 1},
    ]
    assert cut.to_json()["cut"] == ["overwrite", "recursion"]
    text = cut.text("en")
    assert text.endswith(
        "What was not tried\n"
        "  not all valid orders, there are too many: overwrite, recursion\n"
        "  the graph is too large to try all; not tried: overwrite\n"
        "  3 pairs of mistakes: the budget was used up\n"
    )
    assert replace(found, untried=((one,), (other,))).text("en").endswith("not tried: overwrite, sub-sign\n")


def test_what_is_said_of_numbers_that_nothing_explains():
    nothing = replace(
        diagnose(DIAMOND, {"a": 17.25, "b": 1.125}), diagnoses=(), verdict=UNEXPLAINED, untried=()
    )
    verdict = "  these gradients are wrong, and "
    assert (
        nothing.text("en")
        .splitlines()[1]
        .startswith(f"{verdict}no mistake in the catalogue gives them, alone")
    )
    one = Suspect(FAULTS["overwrite"])
    cut = replace(nothing, untried=((one,),))
    assert cut.text("en").splitlines()[1].startswith(f"{verdict}none of the mistakes that could be tried")
    assert replace(cut, observed=cut.observed[:1]).text("en").splitlines()[1].startswith(f"{verdict}none of")
    pairs = replace(nothing, untried=((one, one),))
    assert pairs.text("en").splitlines()[1].startswith(f"{verdict}no mistake")
    alone = replace(nothing, observed=nothing.observed[:1])
    assert (
        alone.text("en")
        .splitlines()[1]
        .startswith("  this gradient is wrong, and no mistake in the catalogue")
    )
    assert "What comes closest\n  nothing comes close" in replace(nothing, closest=()).text("en")


def test_what_is_said_of_two_mistakes():
    """pow that sends 2a = 4, and a sub that sends 1 and 1: 4*3 + 8 and 8."""
    found = diagnose("a = 2; b = 5; p = a**3; q = b - a; L = p*q", {"a": 20, "b": 8})
    assert found.verdict == EXPLAINED
    best = found.diagnoses[0]
    assert len(best.suspects) == 2
    names = " ".join(f"two together do: {best.name()}".split())
    assert f"no single mistake explains them; {names}" in " ".join(found.text("en").split())
    assert ", and " in best.name()
    assert {"pow-two + sub-sign", "sub-sign + pow-two"} & {d.slugs for d in found.diagnoses}
    assert found.distinction is None  # which tells single mistakes apart


def test_what_is_said_of_right_numbers():
    assert diagnose(SMALL, {"a": -6}).text("en").splitlines()[1] == "  these are the right gradients"
    rounded = diagnose("a = 1; exp(a)", {"a": "2.7183"}).text("en").splitlines()
    assert rounded[1] == "  these are the right gradients, as far as the printed digits tell"
    assert "  b               -4  not given\n" in diagnose(DIAMOND, {"a": 4}).text("en")


def test_what_shows_in_a_second_pass_says_so():
    found = diagnose("a = 3; b = -a; L = -b", {"a": 3})
    second = next(d for d in found.diagnoses if d.suspects[0].fault.slug == "no-zero-grad")
    text = replace(found, diagnoses=(second,)).text("en")
    assert (
        "What happened\n  it shows when backward() is called a second time\n  the pass walked L, b; another"
        in text
    )


def test_what_no_number_can_tell_apart_is_said_beside_it():
    found = diagnose("a = 3; L = -a", {"a": 0})
    alike = next(group for group in found.groups if len(group) == 3)
    others = ", ".join(other.slugs for other in alike[1:])
    text = replace(found, diagnoses=tuple(alike)).text("en")
    assert f"  to the numbers it is the same as {others}\n" in text
    assert "What else" not in text


def test_a_long_order_is_cut():
    chain = "x0 = -a; " + "; ".join(f"x{i} = -x{i - 1}" for i in range(1, 31))
    for ops, end in ((30, "x1, x0; another"), (31, "x2, x1, ...; another")):
        text = f"a = 3; {'; '.join(chain.split('; ')[:ops])}"
        right = parse(text)
        found = diagnose(right, {"a": trace(right).gradients["a"] * 2})
        words = " ".join(found.text("en").split())
        assert f"{end} order would give the same" in words


def test_all_alternatives_are_listed_where_all_are_asked_for():
    found = diagnose("a = 2; b = -3; c = a*b; d = a + b; e = c + d", {"a": 1, "b": 1})
    groups = len(found.groups) - 1
    listed = found.text("en").partition("What else")[2].partition("How to tell")[0]
    assert "(--all)" not in listed
    few = found.text("en", Page(rows=60)).partition("What else")[2].partition("How to tell")[0]
    assert f"... and {groups - 6} more (--all)" in few


def test_what_may_be_several_numbers_is_listed_up_to_three():
    found = diagnose("a = 2; b = -3; c = a*b; d = a + b; e = c + d", {"a": 1, "b": 1})
    distinction = found.distinction
    suspect, results = distinction.numbers[0]
    for count, shown in ((1, "a = 1"), (3, " or ".join(f"a = {i + 1}" for i in range(3)))):
        several = tuple({"a": float(i + 1)} for i in range(count))
        other = replace(distinction, numbers=((suspect, several),))
        found.__dict__["distinction"] = other
        assert f"    overwrite     {shown}\n" in found.text("en")
    found.__dict__["distinction"] = replace(
        distinction, numbers=((suspect, tuple({"a": float(i + 1)} for i in range(4))),)
    )
    assert f"    overwrite     {shown} or ...\n" in found.text("en")
    second = Suspect(FAULTS["no-zero-grad"], 2)
    found.__dict__["distinction"] = replace(distinction, numbers=((second, ({"a": 7.0},)),))
    assert "    no-zero-grad  a = 7 (after a second backward())\n" in found.text("en")
    hides = (dict(distinction.expected),)
    found.__dict__["distinction"] = replace(distinction, numbers=((suspect, hides),))
    assert "(it hides here)\n" in found.text("en")
    assert results


@pytest.mark.parametrize(
    ("arguments", "refusal", "message"),
    [
        ((SMALL, 3), TypeError, "and 3 (int) is not that"),
        ((SMALL, {"a": 1}, 3), TypeError, "and 3 (int) is not that"),
        ((3.0, {"a": 1}), TypeError, "and 3.0 (float) is none of these"),
        ((SMALL, {}), ValueError, "there are no gradients to examine"),
        ((SMALL, {"z": 1}), ValueError, "z"),
        (("a = 3; 2*a", {"k1": 1}), ValueError, "k1 is a constant: it has no gradient to examine"),
    ],
)
def test_what_forensics_refuses(arguments, refusal, message):
    with pytest.raises(refusal) as said:
        diagnose(*arguments)
    assert message in str(said.value)
    assert said.value.__suppress_context__ or said.value.__context__ is None


def test_a_value_is_examined_with_other_inputs_as_well():
    a = Value(2.0, label="a")
    assert diagnose(a * a, {"a": 10}, {"a": 5}).verdict == RIGHT
    assert diagnose(a * a, {"a": 10}, a=5).verdict == RIGHT
    assert diagnose(a * a, {"a": 4}).verdict == RIGHT


def test_a_long_or_a_foreign_graph_is_not_written_out():
    chain = "a = 3; x0 = -a; " + "; ".join(f"x{i} = -x{i - 1}" for i in range(1, 40))
    long = parse(chain)
    assert len(long) == 41
    assert diagnose(long, {"a": 1}).expression == ""
    assert diagnose(parse(chain.rpartition(";")[0]), {"a": -1}).expression.startswith("a = 3; x0 = -a; ")


# ---- how to tell them apart -------------------------------------------------------------------------


def test_the_document_of_a_distinction():
    """Overwriting keeps one of two 1s, a forgotten minus sign does not matter where there is none."""
    found = distinguish([Suspect(FAULTS["overwrite"]), Suspect(FAULTS["neg-sign"])])
    document = found.to_json()
    graph = parse(document["expression"], document["inputs"])
    assert document["nodes"] == len(graph) == 2
    assert document["expected"] == trace(graph).gradients
    assert [(row["fault"], row["variant"], row["passes"]) for row in document["faults"]] == [
        ("overwrite", "", 1),
        ("neg-sign", "", 1),
    ]
    assert [row["gradients"] for row in document["faults"]] == [
        [trace(graph, pieces=Suspect(FAULTS[slug]).pieces()).gradients] for slug in ("overwrite", "neg-sign")
    ]


def tried(*suspects: Suspect, largest: int = 6, tries: int = 600) -> list[str]:
    graphs = list(candidates(suspects, largest, tries))
    sizes = [len(graph) for graph in graphs]
    assert sizes == sorted(sizes)
    assert max(sizes) <= largest
    return [statement(graph, inputs=False) for graph in graphs]


def test_the_graphs_that_are_tried():
    """The fault's own first, then those of other rows, then its ops and the usual ones put together."""
    found = tried(Suspect(FAULTS["tanh-from-input"]))
    assert found[0] == "tanh(a)"
    assert {"relu(a)", "tanh(tanh(a))", "tanh(a) + a", "--a", "a * b", "v = tanh(a); v * v"} <= {*found}
    assert "exp(exp(a))" not in found
    own = tried(Suspect(FAULTS["max-wrong-side"]))
    assert {"maximum(a, b)", "maximum(a, 2)", "maximum(2, a)"} <= {*own}
    of_one = tried(Suspect(FAULTS["overwrite-one-op"], "cbrt"))
    assert {"cbrt(cbrt(a))", "a - cbrt(a)"} <= {*of_one}
    of_two = tried(Suspect(FAULTS["overwrite-one-op"], "minimum"))
    assert "minimum(a, b) * a" in of_two
    assert "clamp(a, b)" not in tried(Suspect(FAULTS["clamp-open"]))


def test_only_so_many_graphs_of_such_a_size_are_tried():
    assert len(tried(Suspect(FAULTS["overwrite"]), tries=5)) == 5
    everything = tried(Suspect(FAULTS["overwrite"]), tries=10**5)
    assert len(everything) < 10**5
    assert len(tried(Suspect(FAULTS["overwrite"]))) <= 600
    few = list(candidates([Suspect(FAULTS["overwrite"])], 3, 600))
    assert {len(graph) for graph in few} == {2, 3}


def test_what_a_suspect_gives():
    graph = parse("a = 3; b = 2; L = a - b")
    assert gives(Suspect(FAULTS["sub-sign"]), graph) == [(1.0, 1.0)]
    assert gives(Suspect(FAULTS["overwrite-one-op"], "mul"), graph) == [(1.0, -1.0)]  # it has no mul
    assert gives(Suspect(FAULTS["branch-dropped"], (7, 0)), graph) == [(0.0, -1.0), (1.0, 0.0)]  # any edge
    fan = parse("a = 1; p = a*2; q = a*3; p + q")
    assert gives(Suspect(FAULTS["overwrite"]), fan) == [(2.0,), (3.0,)]
    assert gives(Suspect(FAULTS["accumulate-twice"]), fan) == [(20.0,)]


def test_a_distinction_says_into_how_many_groups_they_fall():
    three = [Suspect(FAULTS[slug]) for slug in ("accumulate-twice", "neg-sign", "zero-seed")]
    assert distinguish(three).groups == 3
    alike = [*three, Suspect(FAULTS["no-seed"])]
    assert distinguish(alike).groups == 3  # two of them give 0 wherever one looks
    assert distinguish([three[0], three[0]]) is None
    assert distinguish(three[:2], largest=1) is None
    assert len(distinguish(three[:2], largest=2).graph) == 2


def test_an_edge_of_another_graph_has_no_name_on_this_one():
    found = distinguish([Suspect(FAULTS["branch-dropped"], (7, 0)), Suspect(FAULTS["neg-sign"])])
    assert found.to_json()["faults"][0]["variant"] == ""
    named = distinguish([Suspect(FAULTS["seed-scaled"], 5), Suspect(FAULTS["no-zero-grad"], 2)])
    assert [(row["variant"], row["passes"]) for row in named.to_json()["faults"]] == [("5", 1), ("2", 2)]
