"""Who is asked, in which order and how far: the line-up of faults; and where a fault hides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minigrad import parse, trace
from minigrad.faults import FAULTS, Suspect, fault, lab
from minigrad.faults.hiding_place import find_hiding_place, shows
from minigrad.faults.lineup import Lineup, pieces_of, weight
from minigrad.faults.order_outcomes import Outcome, outcomes
from minigrad.text.translation import speaking

GRAPH = parse("a = 3; b = 2; c = a - b; L = c*a")


def suspect(slug: str, variant="") -> Suspect:
    return Suspect(FAULTS[slug], variant)


# ---- how likely -------------------------------------------------------------------------------------


def seen(slug: str) -> float:
    """The engines that have it, shared among the rows of its family that were counted together."""
    row = FAULTS[slug]
    sharing = sum((other.family, other.seen) == (row.family, row.seen) for other in FAULTS.values())
    return row.seen / sharing


def test_the_weight_of_a_suspect():
    assert FAULTS["overwrite"].seen == 24
    assert weight((suspect("overwrite"),)) == seen("overwrite") + 0.5
    shared = next(slug for slug in FAULTS if FAULTS[slug].seen and seen(slug) != FAULTS[slug].seen)
    assert weight((suspect(shared),)) == seen(shared) + 0.5
    twice = next(slug for slug, row in FAULTS.items() if row.passes > 1 and row.seen)
    assert weight((suspect(twice),)) == (seen(twice) + 0.5) / 4
    assert weight((suspect("branch-dropped", (1, 0)),)) == (seen("branch-dropped") + 0.5) / 10
    one, other = suspect("overwrite"), suspect("sub-sign")
    assert weight((one, other)) == pytest.approx(weight((one,)) * weight((other,)) / 100)


def test_the_usual_suspects_come_first():
    weights = [weight((one,)) for one in Lineup(GRAPH).suspects]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) > 5


# ---- how far ----------------------------------------------------------------------------------------


def test_one_at_a_time_as_far_as_the_work_goes():
    """A pass is two turns here, and two more for going forward; with less than two left, nobody is asked."""
    graph = parse("a = 3; -a")
    everyone = len(Lineup(graph).suspects)
    for singles, asked in ((0, 0), (1, 0), (2, 1), (5, 1), (6, 2), (9, 2), (10, 3)):
        lineup = Lineup(graph, singles=singles)
        assert [len(entry.suspects) for entry in lineup.one_by_one] == [1] * asked
        assert lineup.untried == [(one,) for one in lineup.suspects[asked:]]
        assert len(lineup.untried) == everyone - asked


def test_other_orders_are_looked_at_with_what_is_left():
    wide = parse("a = 1; p = a*2; q = a*3; L = p + q")
    one = next(entry for entry in Lineup(wide).one_by_one if entry.suspects == (suspect("overwrite"),))
    assert ([outcome.grads[0] for outcome in one.results.found], one.results.complete) == ([2.0, 3.0], True)
    enough = sum(outcomes(wide, s.pieces(), False).turns + len(wide) for s in Lineup(wide).suspects)
    for singles in (enough, enough + len(wide) - 1):
        lineup = Lineup(wide, singles=singles)
        assert lineup.one_by_one
        assert not lineup.untried
        ordered = [entry for entry in lineup.one_by_one if entry.suspects[0].fault.ordered]
        assert [entry.results.complete for entry in ordered] == [False] * len(ordered)
        assert {len(entry.results.found) for entry in ordered} == {1}
        others = [entry for entry in lineup.one_by_one if not entry.suspects[0].fault.ordered]
        assert all(entry.results.complete for entry in others)


def test_as_much_work_as_there_are_nodes_is_enough_for_one_of_them():
    """With ten more inputs, half of that is enough for the two orders of three ops."""
    given = "; ".join(f"x{i} = 1" for i in range(10))
    more = ", ".join(f"x{i}" for i in range(10))
    graph = parse(f"a = 1; {given}; p = a*2; q = a*3; L = sum(p, q, {more})")
    enough = sum(outcomes(graph, s.pieces(), False).turns + len(graph) for s in Lineup(graph).suspects)
    for left, first in ((len(graph) - 1, False), (len(graph), True)):
        entries = [e for e in Lineup(graph, singles=enough + left).one_by_one if e.suspects[0].fault.ordered]
        assert [e.results.complete for e in entries] == [first] + [False] * (len(entries) - 1)


def test_slow_faults_are_not_asked_about_large_graphs(monkeypatch):
    graph = parse("a = 3; b = 2; c = a + b; L = c*a")
    assert not Lineup(graph).untried
    monkeypatch.setattr(fault, "LARGE", len(graph))
    lineup = Lineup(graph)
    assert (len(lineup.one_by_one), lineup.untried) == (len(lineup.suspects), [])
    monkeypatch.setattr(fault, "LARGE", len(graph) - 1)
    lineup = Lineup(graph)
    assert len(lineup.one_by_one) == len(lineup.suspects) - 1
    assert lineup.untried == [(suspect("aliased-upstream"),)]


def pairs(lineup: Lineup) -> list[tuple[Suspect, ...]]:
    return [entry.suspects for entry in lineup.two_by_two()]


def of(lineup: Lineup, *suspects: Suspect) -> Lineup:
    """The same with these suspects alone."""
    lineup.__dict__["suspects"] = list(suspects)
    return lineup


def test_two_at_a_time():
    """Both ways round where they swap the same piece: then it matters which is swapped into which."""
    overwrite, subtract, sign, hidden = map(suspect, ("overwrite", "subtract", "sub-sign", "breadth-first"))
    assert {overwrite, subtract, sign, hidden} <= {*Lineup(GRAPH).suspects}
    lineup = of(Lineup(GRAPH), overwrite, subtract, sign, hidden)
    first = [(overwrite, subtract), (subtract, overwrite), (overwrite, sign), (subtract, sign)]
    again = [pair for pair in first if overwrite in pair]  # in other orders than newest first
    assert pairs(lineup) == first + again  # and breadth-first does not show here alone
    assert lineup.untried == []


def test_two_at_a_time_as_far_as_the_work_goes():
    """A pair takes its turns, and one for each node on the way forward; less left than nodes is nothing."""
    graph = parse("a = 3; -a")
    everything = list(Lineup(graph, pairs=10**7).two_by_two())
    total = len({entry.suspects for entry in everything})
    costs = [entry.results.turns + len(graph) for entry in everything]
    assert len(set(costs)) > 1
    for asked in (0, 1, 2, 20):
        for work in (sum(costs[:asked]), sum(costs[:asked]) + len(graph) - 1):
            lineup = Lineup(graph, pairs=work)
            assert len(pairs(lineup)) == asked
            assert len({*lineup.untried}) == total - asked
        assert len(pairs(Lineup(graph, pairs=sum(costs[:asked]) + len(graph)))) == asked + 1


def test_pairs_in_too_many_orders_are_said_to_be_untried():
    text = "a = 1; " + "; ".join(f"v{i} = a*{i + 2}" for i in range(7)) + "; sum(v0, v1, v2, v3, v4, v5, v6)"
    both = suspect("overwrite"), suspect("accumulate-twice")
    lineup = of(Lineup(parse(text)), *both)
    assert pairs(lineup) == [both, both[::-1]] * 2
    assert lineup.untried == [both, both[::-1]]  # not in all orders
    lineup = of(Lineup(parse(text), pairs=50), *both)
    assert pairs(lineup) == [both, both[::-1]]
    assert lineup.untried == [both, both[::-1]]  # not at all in others


def test_pairs_are_asked_about_other_orders_with_what_is_left():
    """As much as there are nodes is enough for one of them, and nothing is left for the other."""
    wide = parse("a = 1; p = a*2; q = a*3; L = p + q")
    both = suspect("overwrite"), suspect("accumulate-twice")
    once = 2 * (outcomes(wide, pieces_of(both), False).turns + len(wide))
    for left, asked in ((len(wide) - 1, []), (len(wide), [both])):
        lineup = of(Lineup(wide, pairs=once + left), *both)
        assert pairs(lineup) == [both, both[::-1], *asked]
        assert lineup.untried == [pair for pair in (both, both[::-1]) if pair not in asked]


def test_what_is_wrong_differs_in_an_input():
    lineup = Lineup(GRAPH)
    grads = lineup.right.grads
    assert not lineup.wrong(Outcome(grads, (), 1))
    assert not lineup.wrong(Outcome((*grads[:2], 99.0, *grads[3:]), (), 1))  # a node in between
    assert lineup.wrong(Outcome((grads[0] + 1e-6, *grads[1:]), (), 1))


def test_the_pieces_of_two_are_swapped_one_after_the_other():
    """-1 for the minus, and twice what is sent."""
    both = pieces_of((suspect("sub-sign"), suspect("accumulate-twice")))
    assert trace(parse("a = 3; b = 2; a - b"), pieces=both).gradients == {"a": 2.0, "b": 2.0}


# ---- where a fault hides ----------------------------------------------------------------------------

PLACES = {
    "overwrite": "x = 3; y = 5; z = x*y",
    "mul-as-add": "a = 1; b = 1; a*b",
    "sub-sign": "a = 3; a - 2",  # nobody asks for the slope of 2
    "neg-sign": "a = 3; b = -a; -b",
    "div-by-b": "a = 3; a / 2",
    "div-swapped": "a = -2; b = 2; a / b",  # 1/2 and 2/4
    "pow-two": "a = 3; b = 2; a ** b",
    "pow-as-relu": "a = 0.5; b = 2; a ** b",  # 2 * 0.5 is 1
    "exp-without-itself": "a = 0; exp(a)",
    "relu-leaks": "a = 3; relu(a)",
    "clamp-open": "a = 3; b = 2; c = 3; clamp(a, b, c)",
    "max-tie-to-both": "a = 3; b = 2; max(a, b)",
    "max-wrong-side": "a = 2; b = 2; maximum(a, b)",
    "prod-includes-itself": "a = 1; prod(a, 2)",
}


@pytest.mark.parametrize("slug", PLACES)
def test_where_a_fault_hides(slug):
    assert lab(None, slug).hides.text == PLACES[slug]


def test_no_fault_hides_where_everything_is_infinite():
    """At 0 the slope of sqrt is infinite with the mistake as well as without it."""
    assert lab(None, "sqrt-no-half").hides is None


def test_a_variant_hides_in_the_same_variant_and_an_edge_in_any():
    found = find_hiding_place(suspect("overwrite-one-op", "add"), parse("a = 3; b = exp(a); a + b"))
    assert (found.text, found.suspect.variant) == ("a = 2; b = 3; c = 4; a*b + c", "add")
    edge = find_hiding_place(suspect("branch-dropped", (2, 1)), parse("a = 3; b = 2; a*b"))
    assert edge.text == "a = 0; b = 2; a * b"  # what b is sent is 0
    assert edge.suspect.what(edge.graph) == "out > b"


def test_what_shows_is_the_value_or_a_gradient():
    right = trace(parse("a = 3; b = 2; a*b"))
    assert not shows(right, right)
    assert shows(right, replace(right, values=(*right.values[:-1], 7.0)))
    assert shows(right, replace(right, grads=(7.0, *right.grads[1:])))
    assert not shows(right, replace(right, grads=(*right.grads[:-1], 7.0)))  # the output's own


# ---- a suspect in words -----------------------------------------------------------------------------


def test_a_suspect_in_words():
    graph = parse("a = 3; b = a + a; L = a*b")
    assert repr(suspect("overwrite")) == "<Suspect overwrite>"
    assert repr(suspect("overwrite-one-op", "add")) == "<Suspect overwrite-one-op add>"
    assert suspect("branch-dropped", (1, 0)).what(graph) == "b > a #1"
    assert suspect("branch-dropped", (1, 1)).what(graph) == "b > a #2"
    assert suspect("branch-dropped", (2, 1)).what(graph) == "L > b"
    assert suspect("seed-scaled", 5).what(graph) == "5"
    assert suspect("overwrite-one-op", "add").name(graph) == "= in place of += in add only"
    with speaking("es"):
        turned = suspect("children-in-a-set", "reversed").name(graph)
    assert turned == "hijos en un conjunto (orden: invertido)"
    assert [suspect("overwrite").portable, suspect("branch-dropped", (1, 0)).portable] == [True, False]
    assert len({suspect("overwrite"), suspect("overwrite"), suspect("sub-sign")}) == 2


def test_a_fault_that_is_slow_takes_too_long_on_many_nodes(monkeypatch):
    monkeypatch.setattr(fault, "LARGE", 2)
    small, large = parse("a = 3; -a"), parse("a = 3; b = -a; -b")
    assert [FAULTS["aliased-upstream"].takes_too_long(graph) for graph in (small, large)] == [False, True]
    assert not FAULTS["overwrite"].takes_too_long(large)


def test_the_piece_that_a_fault_swaps():
    expected = {"overwrite": "accumulate", "sub-sign": "rule", "recursion": "order", "no-zero-grad": "start"}
    assert {slug: FAULTS[slug].piece for slug in expected} == expected


def test_the_variants_on_the_smallest_graph():
    """Of a row that nobody has asked yet."""
    row = replace(FAULTS["overwrite-one-op"])
    assert (row.smallest, row.sample) == ("a = 3; b = exp(a); a + b", ("exp", "add"))


def test_two_rows_of_one_name_are_refused():
    row = FAULTS["overwrite"]
    assert fault.rows(row) == {"overwrite": row}
    with pytest.raises(RuntimeError, match=r"^the catalogue of faults has a slug twice$"):
        fault.rows(row, row)
