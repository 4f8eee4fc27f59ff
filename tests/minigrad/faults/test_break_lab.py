"""The break lab: the facts of the documents per order, and every fault of the catalogue put through it."""

from __future__ import annotations

import json
import re
import time
from functools import cache

import pytest

import minigrad
from minigrad import Graph, Value, trace
from minigrad.faults import FAULTS, Suspect, lab
from minigrad.faults.contributions import ContributionTerm
from minigrad.faults.order_explorer import frame, frames
from minigrad.graph import Node
from minigrad.text.page import Page
from minigrad.text.translation import LANGUAGES, speaking

DIAMOND = "ab = a*b; e = ab + c; f = a - c; L = e*f"
AT = {"a": 2.0, "b": 3.0, "c": 4.0}
FIRST = "c = a*b; d = a + b; e = c + d"
every_fault = pytest.mark.parametrize("slug", FAULTS)


def diamond(slug: str = "overwrite", **named):
    return lab(DIAMOND, slug, AT, **named)


@cache
def own(slug: str):
    """The lab of a fault on its own graph: nothing that is asked of it changes it."""
    return lab(None, slug)


def by_order(found):
    """What each valid order gives, inputs in their order."""
    names = found.graph.names
    return {
        ",".join(names[i] for i in run.order): tuple(run.grads[i] for i in found.graph.inputs)
        for run in found.runs.listed
    }


def broken(graph: Graph, slug: str, variant="", **named):
    return trace(graph, pieces=Suspect(FAULTS[slug], variant).pieces(), **named)


# ---- what the documents say ---------------------------------------------------------------------


def test_overwriting_on_the_diamond_in_each_valid_order():
    found = diamond()
    assert by_order(found) == {
        "L,f,e,ab": (-6.0, -4.0, -2.0),
        "L,e,f,ab": (-6.0, -4.0, -10.0),
        "L,e,ab,f": (10.0, -4.0, -10.0),
    }
    assert found.expected == {"a": 4.0, "b": -4.0, "c": -12.0}
    assert (found.runs.orders, found.runs.complete, found.runs.steady) == (3, True, True)


def test_no_valid_order_gives_the_right_number_by_luck():
    found = diamond()
    assert all(run.grads[found.graph.index("a")] != 4.0 for run in found.runs.listed)
    assert "No valid order gives a = 4 or c = -12." in found.text(lang="en")
    assert "Ningún orden válido da a = 4 ni c = -12." in found.text(lang="es")


def test_overwriting_on_the_first_graph():
    found = lab(FIRST, "overwrite", {"a": 2, "b": -3})
    assert by_order(found) == {"e,d,c": (-3.0, 2.0), "e,c,d": (1.0, 1.0)}
    assert found.expected == {"a": -2.0, "b": 3.0}


def test_the_instrumented_line():
    lines = diamond().text(lang="en").splitlines()
    assert "    ab sends  a.grad: 10 -> -6    right: 10 -> 4" in lines
    assert "    e sends   c.grad: -10 -> -2   right: -10 -> -12" in lines
    assert "    ab sends  b.grad: 0 -> -4" in lines  # as it should be, and so without a comment


def test_overwriting_hides_on_a_product_of_two_inputs():
    hides = diamond().hides
    assert hides.text == "x = 3; y = 5; z = x*y"
    assert hides.broken.gradients == {"x": 5.0, "y": 3.0}


def test_which_inputs_survive_and_why():
    text = diamond().text(lang="en")
    assert "a: -6 in place of 4: kept -6 via ab; lost 10 via f" in text
    assert "b: -4, right: its one contribution arrived, -4 via ab" in text
    assert "c: -2 in place of -12: kept -2 via e; lost -10 via f" in text


def test_the_hypothesis_asks_about_what_is_owed():
    text = diamond().text(lang="en")
    assert "a is owed 10 via f, -6 via ab" in text
    assert "b is owed" not in text


def test_the_change_is_a_diff_with_the_function_that_it_is_in():
    diff = diamond().diff.splitlines()
    assert re.fullmatch(r"@@ -\d+,3 \+\d+,3 @@ def send\(node\):", diff[0])
    assert "-        child.grad += amount" in diff
    assert "+        child.grad = amount" in diff
    assert own("sub-sign").diff.splitlines()[0].endswith("@@ LOCALS = {")  # without the comment behind it
    assert re.fullmatch(r"@@ -\d+,\d+ \+\d+,\d+ @@", own("float32").diff.splitlines()[0])  # in no function


# ---- every fault --------------------------------------------------------------------------------


@every_fault
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_fault_goes_through_the_lab(slug, lang):
    found = own(slug)
    assert found.shows
    text = found.text(lang=lang)
    with speaking(lang):
        change = minigrad.text.translation.say("lab.section.change")
        run = minigrad.text.translation.say("lab.section.run")
    words = text[: text.index(change)] + text[text.index(run) :]
    assert not re.search(r"[{}]", words)
    assert found.markdown(lang).count("\n## ") == 8
    assert found.diff.startswith("@@ ")
    assert any(line.startswith("+") for line in found.diff.splitlines()) or "-" in found.diff


@every_fault
def test_every_fault_fits_the_page(slug):
    for lang in LANGUAGES:
        for width in (78, 58):
            for line in own(slug).text(lang, Page(width, 60)).splitlines():
                assert len(line) <= width, line


@every_fault
def test_every_fault_is_the_same_data_in_both_languages(slug):
    documents = []
    for lang in LANGUAGES:
        with speaking(lang):
            documents.append(json.dumps(lab(None, slug).to_json(), allow_nan=False))
    assert documents[0] == documents[1]
    document = json.loads(documents[0])
    assert document["schema"] == "minigrad.lab/1"
    assert document["fault"] == slug
    assert document["orders"][0]["gradients"].keys() == document["expected"].keys()


@every_fault
def test_where_a_fault_hides_its_numbers_are_right(slug):
    hides = own(slug).hides
    if hides is not None:
        right = trace(hides.graph)
        again = trace(hides.graph, pieces=hides.suspect.pieces())
        assert again.gradients == pytest.approx(right.gradients, rel=1e-9)
        assert again.values[hides.graph.output] == pytest.approx(right.values[hides.graph.output], rel=1e-9)
        assert any(right.gradients.values())


def test_enough_faults_have_a_place_to_hide():
    hiding = [slug for slug in FAULTS if own(slug).hides is not None]
    assert len(hiding) > len(FAULTS) / 2
    assert "accumulate-twice" not in hiding  # it doubles whatever it meets


def test_a_wrong_value_is_shown_as_well():
    text = lab(None, "mean-is-sum").text(lang="en")
    assert "the value itself is wrong: out = 5, and 2.5 is right" in text
    assert "out.data = 5     right: 2.5" in text


def test_numbers_that_differ_do_not_look_alike():
    text = lab(None, "float32").text(lang="en")
    assert "0.1 for 0.1:" not in text
    assert "0.1000000015 in place of 0.1" in text


def test_a_node_that_sends_too_early_is_named():
    text = lab(None, "breadth-first").text(lang="en")
    assert "too early: b.grad is -9, and not yet -18" in text


# ---- what can be given --------------------------------------------------------------------------


def test_a_value_a_graph_and_a_text_give_the_same_lab():
    a, b, c = (Value(x, label=name) for name, x in AT.items())
    ab = a * b
    ab.label = "ab"
    e, f = ab + c, a - c
    e.label, f.label = "e", "f"
    out = e * f
    out.label = "L"
    texts = {lab(subject, "overwrite", inputs).text() for subject, inputs in
             ((out, None), (Graph.of(out), None), (DIAMOND, AT))}  # fmt: skip
    assert len(texts) == 1
    assert (
        lab(Graph.of(out), "overwrite", {"a": 5}).expected
        == lab(DIAMOND, "overwrite", {**AT, "a": 5}).expected
    )


def test_the_lab_is_a_function_and_its_module_is_another_name():
    assert minigrad.faults.lab(None, "overwrite").fault is FAULTS["overwrite"]
    assert minigrad.faults.break_lab.lab is lab
    assert repr(lab(None, FAULTS["overwrite"])) == "<Lab of overwrite on <Graph of out: 2 nodes, 1 inputs>>"
    assert "overwrite" in str(lab(None, "overwrite"))


def test_a_variant_is_chosen_by_its_words_or_is_the_first_that_shows():
    assert diamond("overwrite-one-op").variant == "mul"  # the first of mul, add, sub, and it shows
    assert diamond("overwrite-one-op", variant="add").variant == "add"
    edge = diamond("branch-dropped", variant="ab>a")
    assert edge.variant == "ab > a"
    assert edge.accounts[0].lost == (ContributionTerm(3, 0, -6.0),)
    assert lab("a = 3; -a", "seed-scaled", variant=5).expected == {"a": -1.0}
    assert lab("a = 3; -a", "seed-scaled", variant="0.5").broken.gradients == {"a": -0.5}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a = 3; a + a", "overwrit"), "did you mean overwrite"),
        (("a = 3; a + a", "qqqq"), "there is no fault 'qqqq'"),
        (("a = 3; a + a", 7), "there is no fault 7"),
        (("a = 3; a + a", "relu-zeroes"), "relu-zeroes finds nothing to break"),
        (("a = 3; a + a", "overwrite", None, "mul"), "has no variants"),
        (("a = 3; a + a", "overwrite-one-op", None, "mul"), "here it has add"),
        (("3 + 4", "overwrite"), "there is no gradient to break"),
        (("a = 3; a + ", "overwrite"), "a value is missing"),
    ],
)
def test_what_cannot_be_broken_is_refused_with_a_reason(arguments, message):
    with speaking("en"), pytest.raises(ValueError, match=message):
        lab(*arguments)


def test_something_that_is_no_graph_is_refused():
    with speaking("en"), pytest.raises(TypeError, match="a Graph, a Value or a text"):
        lab(3.0, "overwrite")
    with speaking("en"), pytest.raises(KeyError, match="no input z"):
        lab(None, "overwrite", {"z": 3})


def test_a_bug_that_does_not_show_says_so():
    found = lab("x = 3; y = 5; x*y", "overwrite")
    assert not found.shows
    text = found.text(lang="en")
    assert "On this graph the bug does not show" in text
    assert "every message is what it should be" in text
    assert "No node here is owed more than one contribution." in text


# ---- orders -------------------------------------------------------------------------------------


def test_of_many_orders_each_result_has_one_row_and_its_count():
    text = "p=a*b; q=a*c; r=b*c; s=p+q; t=q*r; u=r-p; v=a*a; w=s+t; x=u+v; w*x"
    found = lab(text, "overwrite", AT)
    runs = found.runs
    assert runs.complete
    assert runs.steady
    assert sum(run.count for run in runs.listed) == runs.orders == sum(1 for _ in found.graph.orders())
    shown = {tuple(run.grads[i] for i in found.graph.inputs) for run in runs.listed}
    walked = {
        tuple(broken(found.graph, "overwrite", order=order).gradients.values())
        for order in found.graph.orders()
    }
    assert shown == walked
    assert len(runs.listed) == runs.results == len(walked)


def test_a_bug_that_does_not_depend_on_the_order_says_so():
    found = diamond("upstream-ignored")
    assert len(found.runs.listed) == 1
    assert found.runs.listed[0].count == 3
    assert "Every valid order gives this" in found.text(lang="en")


def chain(ops: int) -> Graph:
    nodes = [Node("input", (), "a", 1.0), Node("input", (), "b", 0.5)]
    for i in range(ops):
        nodes.append(Node(("add", "sub", "mul")[i % 3], (len(nodes) - 1, i % 2)))
    return Graph(nodes)


def fan(ops: int) -> Graph:
    nodes = [Node("input", (), "a", 1.0), Node("input", (), "b", 0.5)]
    nodes += [Node(("mul", "add")[i % 2], (0, 1)) for i in range(ops)]
    return Graph([*nodes, Node("sum", tuple(range(2, ops + 2)))])


@pytest.mark.parametrize("graph", [chain(3000), fan(3000)], ids=["chain", "fan"])
@pytest.mark.parametrize(
    "slug",
    [
        "overwrite",
        "recursion",
        "fan-out-limit",
        "aliased-upstream",
    ],
)
def test_a_large_graph_is_no_reason_to_wait(graph, slug):
    start = time.process_time()
    found = lab(graph, slug)
    text = found.text("en", Page(78, 60))
    found.to_json()
    assert time.process_time() - start < 5
    assert text.count("\n") < 400
    if graph.nodes[-1].op == "sum" and slug == "overwrite":
        assert not found.runs.complete
        assert "too many orders to follow all of them" in text


def test_a_pass_that_does_not_come_to_an_end_is_given_up():
    text = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
    found = lab(text, "recursion")
    assert found.broken is None
    assert found.shows
    assert "The pass was given up" in found.text(lang="en")
    assert found.to_json()["orders"] == []
    assert frames(found) == 0
    assert frame(found, 0)
