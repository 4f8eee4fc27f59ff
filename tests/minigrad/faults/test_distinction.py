"""The smallest graph that tells faults apart: which are tried, and what each fault gives there."""

from __future__ import annotations

from math import inf, nan

import pytest

from minigrad import parse, trace
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.distinction import Distinction, _groups, candidates, distinguish, gives
from minigrad.graph.wording import statement

pytestmark = pytest.mark.usefixtures("english")


def test_the_document_of_a_distinction():
    """Overwriting keeps one of two 1s, a forgotten minus sign does not matter where there is none."""
    found = distinguish([Suspect(FAULTS["overwrite"]), Suspect(FAULTS["neg-sign"])])
    document = found.to_json()
    graph = parse(document["expression"], document["inputs"])
    assert document["nodes"] == len(graph) == 2
    assert document["expression"] == "a + a"  # the first of those that do
    assert document["expected"] == trace(graph).gradients
    assert [(row["fault"], row["variant"], row["passes"]) for row in document["faults"]] == [
        ("overwrite", "", 1),
        ("neg-sign", "", 1),
    ]
    assert [row["gradients"] for row in document["faults"]] == [
        [trace(graph, pieces=Suspect(FAULTS[slug]).pieces()).gradients] for slug in ("overwrite", "neg-sign")
    ]


def test_what_is_best_of_those_of_one_size():
    """a + a tells them apart and is tried first; a - a tells both from the right 0 as well, -1 and 2."""
    found = distinguish([Suspect(FAULTS["overwrite"]), Suspect(FAULTS["sub-sign"])])
    assert (found.expression, found.expected) == ("a - a", {"a": 0.0})
    assert [numbers for _, numbers in found.numbers] == [({"a": -1.0},), ({"a": 2.0},)]


def test_a_larger_graph_that_tells_more_of_them_apart():
    """On -a two of them give -2; on --a they give 4 and 2, and the third gives 1, which is right."""
    named = (("accumulate-twice", ""), ("seed-scaled", 2), ("neg-sign", ""))
    found = distinguish([Suspect(FAULTS[slug], variant) for slug, variant in named])
    assert (found.groups, len(found.graph)) == (3, 3)


@pytest.mark.parametrize(
    ("sets", "groups"),
    [
        ([[(1.0,)], [(1.0000001,)]], 1),  # six digits
        ([[(1.0,)], [(1.00001,)]], 2),
        ([[(1e-20,)], [(2e-20,)]], 2),
        ([[(0.0,)], [(-0.0,)]], 1),
        ([[(nan,)], [(nan,)]], 1),
        ([[(nan,)], [(inf,)]], 2),
        ([[(1.0,)], [(2.0,)], [(1.0,)]], 2),
        ([[(1.0,)], [(2.0,)], [(2.0,), (1.0,)]], 1),
        ([[(1.0, 2.0)], [(1.0, 3.0)]], 2),
    ],
)
def test_results_that_are_shared_make_one_group(sets, groups):
    assert _groups(sets) == groups


def test_the_inputs_of_a_distinction():
    graph = parse("a = 0; b = 2; a*b")
    assert Distinction(graph, {}, (), 1).inputs == {"a": 0.0, "b": 2.0}


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
    assert gives(Suspect(FAULTS["seed-scaled"], 0.37), graph) == [(0.37, -0.37)]  # a factor made to measure
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
