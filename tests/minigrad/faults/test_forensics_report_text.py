"""What forensics found, as a document and in sentences; and what it refuses."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lab_graphs import DIAMOND, SMALL, painted
from minigrad import Value, parse, trace
from minigrad.faults import FAULTS, Suspect, diagnose
from minigrad.faults.forensics import EXPLAINED, RIGHT, UNEXPLAINED, examine
from minigrad.faults.lineup import Lineup
from minigrad.faults.order_outcomes import outcomes
from minigrad.faults.overview import Listing, overview
from minigrad.text.page import Ink, Page

pytestmark = pytest.mark.usefixtures("english")


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


def test_two_explanations_are_told_apart_and_one_is_not():
    found = diagnose(SMALL, {"a": -3})
    one, two = (replace(found, diagnoses=tuple(g[0] for g in found.groups[:count])) for count in (1, 2))
    assert one.distinction is None
    assert two.distinction.groups == 2


def test_what_was_cut_short_is_in_the_document():
    """With so much work, everybody is asked in one order, and nobody in the others; with none, nobody."""
    wide = parse("a = 1; p = a*2; q = a*3; L = p + q")
    enough = sum(outcomes(wide, s.pieces(), False).turns + len(wide) for s in Lineup(wide).suspects)
    short = examine(Lineup(wide, singles=enough), {"a": 7.25})
    assert set(short.cut) == {s.fault.slug for s in Lineup(wide).suspects if s.fault.ordered}
    assert (short.verdict, short.untried) == (UNEXPLAINED, ())
    nobody = examine(Lineup(wide, singles=0), {"a": 7.25})
    assert nobody.untried == tuple((suspect,) for suspect in Lineup(wide).suspects)


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
    near = examine(
        Lineup(parse(DIAMOND), pairs=0), {"a": 12, "b": -4, "c": 1.1}
    )  # a seed of 3 gives the first
    assert "b, c" in near.text("en").partition("What comes closest")[2].partition("\n\n")[0]


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
    assert f"  these numbers cannot tell it from {others}\n" in text
    assert "What else" not in text
    pair = next(group for group in found.groups if len(group) == 2)  # no-seed and zero-seed
    assert "  these numbers cannot tell it from zero-seed\n" in replace(found, diagnoses=tuple(pair)).text(
        "en"
    )
    two = replace(found, diagnoses=(alike[0], *pair)).text("en")
    assert "What else" in two
    assert f"{pair[0].name()} (= zero-seed)\n" in two


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
    ink = found.text("en", Page(rows=60, ink=Ink(True))).splitlines()
    assert painted("faint", f"  ... and {groups - 6} more (--all)") in ink


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


def test_the_titles_of_the_documents():
    assert overview(SMALL).markdown("en").startswith("# What each fault does here\n")
    assert Listing().markdown("en").startswith("# The catalogue of faults\n")
    assert diagnose(SMALL, {"a": -6}).markdown("en").startswith("# What the numbers say\n")
    assert repr(diagnose(SMALL, {"a": -6})).endswith(": right>")


def test_the_colours_of_forensics():
    lines = diagnose(DIAMOND, {"a": -6, "b": -4}).text("en", Page(rows=60, ink=Ink(True))).splitlines()
    assert f"  a  {painted('wrong', '      -6      4')}  {painted('wrong', 'wrong')}" in lines
    assert f"  b  {painted('grad', '      -4     -4')}  fits" in lines
    assert f"     {painted('faint', 'observed  right')}" in lines
    assert any(line.startswith(painted("faint", "    overwrite: each contribution")[:30]) for line in lines)
    assert any(line.startswith("\x1b[34m  a = 2; b = 3; c = 4;") for line in lines)
    assert any(re.match(r"    a right pass +\x1b\[33m", line) for line in lines)
