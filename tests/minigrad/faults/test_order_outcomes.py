"""What a broken pass gives over the valid orders of a graph, held against walking them one by one."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from math import factorial, isnan

import pytest

from fault_graphs import small_graph
from minigrad import Graph, parse, trace
from minigrad.faults import FAULTS, Suspect
from minigrad.faults import order_outcomes as counting
from minigrad.faults.order_outcomes import count_orders, outcomes
from minigrad.faults.order_runs import run_orders
from minigrad.graph.trace import RIGHT, Pieces

ORDERED = [slug for slug, fault in FAULTS.items() if fault.ordered]
OVERWRITE = Suspect(FAULTS["overwrite"]).pieces()
DOUBLING = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
MOST = 400  # orders of a graph that are walked one by one


def fan(ops: int) -> Graph:
    """v0 = 2*a, v1 = 3*a ... and their sum: any order of them is valid, and each sends another number."""
    made = "; ".join(f"v{i} = a*{i + 2}" for i in range(ops))
    return parse(f"a = 1; {made}; sum({', '.join(f'v{i}' for i in range(ops))})")


def key(grads) -> tuple[float | None, ...]:
    return tuple(None if isnan(grad) else grad for grad in grads)


def walked(graph: Graph, pieces: Pieces, order) -> tuple[float | None, ...]:
    walk = pieces.begin(graph)
    pieces.run(walk, order)
    return key(walk.grads)


def compare(graph: Graph, pieces: Pieces) -> int:
    """How many orders there were, each of which must be counted where it belongs; 0 for too many."""
    orders = list(islice(graph.orders(), MOST + 1))
    if len(orders) > MOST:
        return 0
    expected = Counter(walked(graph, pieces, order) for order in orders)
    found = outcomes(graph, pieces, True, states=10**6)
    assert found.complete
    assert {key(outcome.grads): outcome.count for outcome in found.found} == expected
    assert key(found.found[0].grads) == walked(graph, pieces, orders[0])
    for outcome in found.found:
        assert walked(graph, pieces, outcome.order) == key(outcome.grads)
    return len(orders)


@pytest.mark.parametrize("slug", ORDERED)
def test_every_order_is_counted_where_it_belongs(slug):
    fault, compared = FAULTS[slug], 0
    for number in range(12):
        graph = small_graph(number, fault)
        for suspect in fault.suspects(graph)[:2]:
            compared += compare(graph, suspect.pieces())
    assert compared > 24


@pytest.mark.parametrize("slug", ["not-reversed", "breadth-first", "recursion", "hash-by-content"])
def test_so_is_every_order_of_a_pass_that_rearranges_it(slug):
    pieces = Suspect(FAULTS["overwrite"]).pieces(Suspect(FAULTS[slug]).pieces())
    assert sum(compare(small_graph(number, FAULTS[slug]), pieces) for number in range(8)) > 8


def test_a_pass_that_turns_the_order_round_gives_what_each_order_gives():
    """Where every gradient starts at 1, oldest first sends something, and overwriting keeps the last."""
    pieces = RIGHT
    for slug in ("grads-start-at-one", "not-reversed", "overwrite"):
        pieces = Suspect(FAULTS[slug]).pieces(pieces)
    assert compare(fan(3), pieces) == 6
    found = outcomes(fan(3), pieces, True)
    assert [(outcome.grads[0], outcome.count) for outcome in found.found] == [(4.0, 2), (3.0, 2), (2.0, 2)]
    first: dict = {}
    for order in fan(3).orders():
        first.setdefault(walked(fan(3), pieces, order), order)
    assert {key(outcome.grads): outcome.order for outcome in found.found} == first


def test_walks_that_remember_something_else_are_not_one():
    """s shares its array with a and b, unless m came first; when n has taken away what m added, all is alike,
    and what k adds goes to a and b, or to a alone."""
    graph = parse("a = 1; b = 1; k = a*4; n = a*-3; m = a*3; s = a + b; sum(s, m, n, k)")
    pieces = Suspect(FAULTS["aliased-upstream"]).pieces()
    assert compare(graph, pieces) == 24
    found = {tuple(outcome.gradients(graph).values()) for outcome in outcomes(graph, pieces, True).found}
    assert {(5.0, 5.0), (5.0, 1.0)} <= found


def test_what_is_no_number_is_the_same_in_every_order():
    """u and v are 0 times infinity and send that; of what p and q send, 4 and 9, overwriting keeps one."""
    graph = parse("a = 1; b = inf; p = a*2; q = a*3; u = 0*b; v = 0*b; sum(p, q, u, v)")
    pieces = Suspect(FAULTS["overwrite"]).pieces(Suspect(FAULTS["data-for-grad"]).pieces())
    assert compare(graph, pieces) == 24
    found = [outcome.gradients(graph) for outcome in outcomes(graph, pieces, True).found]
    assert [(x["a"], isnan(x["b"])) for x in found] == [(4.0, True), (9.0, True)]


def test_what_the_orders_of_a_fan_give():
    """Overwriting keeps the last of 2, 3 and 4: each in two of six orders, 2 in the newest-first."""
    graph = fan(3)
    found = outcomes(graph, OVERWRITE, True).found
    assert [(outcome.gradients(graph), outcome.count) for outcome in found] == [
        ({"a": 2.0}, 2),
        ({"a": 3.0}, 2),
        ({"a": 4.0}, 2),
    ]
    assert [[graph.names[i] for i in outcome.order[1:]] for outcome in found] == [
        ["v2", "v1", "v0"],
        ["v2", "v0", "v1"],
        ["v1", "v0", "v2"],
    ]


def test_the_inputs_of_a_pass_can_be_others():
    graph = parse("a = 3; a*a")
    assert outcomes(graph, RIGHT, False, {"a": 5.0}).found[0].gradients(graph) == {"a": 10.0}
    assert outcomes(graph, RIGHT, True, {"a": 5.0}).found[0].gradients(graph) == {"a": 10.0}


def test_the_work_is_counted_in_turns():
    """The sum, then one of two, then the other: 1 + 2 + 2 turns; in one order alone, 3 and the input's."""
    assert outcomes(fan(2), OVERWRITE, True).turns == 5
    alone = outcomes(fan(2), OVERWRITE, False)
    assert (alone.turns, alone.complete, alone.found[0].count) == (4, True, 1)
    assert alone.found[0].order == tuple(fan(2).order[:3])


@pytest.mark.parametrize(
    ("states", "counts", "complete"),
    [(0, [1], False), (4, [1], False), (8, [1, 1], False), (23, [2, 2, 1], False), (24, [2, 2, 2], True)],
)
def test_only_so_many_walks_are_kept_side_by_side(states, counts, complete):
    """Four steps: so many states allow a quarter of them at each.

    After the sum and two others there are six: which two, and which of them was the last.
    """
    found = outcomes(fan(3), OVERWRITE, True, states=states)
    assert ([outcome.count for outcome in found.found], found.complete) == (counts, complete)
    assert found.found[0].gradients(fan(3)) == {"a": 2.0}  # newest first is always among them


def test_orders_that_are_rearranged_are_followed_as_far_as_the_work_goes():
    """Each takes five turns, the fifth of them for having been begun."""
    pieces = Suspect(FAULTS["overwrite"]).pieces(Suspect(FAULTS["breadth-first"]).pieces())
    for states, followed in ((0, 1), (4, 1), (5, 2), (9, 2), (10, 3)):
        found = outcomes(fan(3), pieces, True, states=states)
        assert (sum(o.count for o in found.found), found.turns, found.complete) == (
            followed,
            5 * followed,
            False,
        )
    found = outcomes(fan(3), pieces, True, states=30)
    assert (sum(o.count for o in found.found), found.turns, found.complete) == (6, 30, True)


def test_of_a_large_graph_two_orders_are_walked(monkeypatch):
    monkeypatch.setattr(counting, "LARGE", 6)
    graph = parse("a = 2; b = 5; c = a*b; d = a + b; e = c*d; f = d - c; e + f")
    found = outcomes(graph, OVERWRITE, True)
    names = [[graph.names[i] for i in outcome.order] for outcome in found.found]
    assert names == [["out", "f", "e", "d", "c"], ["out", "e", "f", "c", "d"]]
    assert [key(outcome.grads) for outcome in found.found] == [
        walked(graph, OVERWRITE, outcome.order) for outcome in found.found
    ]
    assert (found.complete, found.turns, [outcome.count for outcome in found.found]) == (False, 10, [1, 1])
    alike = outcomes(graph, RIGHT, True)
    assert (len(alike.found), alike.complete) == (1, False)
    chain = outcomes(parse("a = 3; b = a*a; c = b*b; d = c*c; e = d*d; f = -e; -f"), RIGHT, True)
    assert (len(chain.found), chain.complete) == (1, True)  # it has one order, whichever end one begins at
    assert outcomes(parse("a = 3; b = a*a; c = b*b; d = c*c; e = d*d; -e"), RIGHT, True).complete
    monkeypatch.setattr(counting, "LARGE", 7)
    assert outcomes(graph, OVERWRITE, True).complete


def test_a_walk_that_does_not_end_gives_nothing(monkeypatch):
    graph, endless = parse(DOUBLING), Suspect(FAULTS["recursion"]).pieces()
    both = Suspect(FAULTS["overwrite"]).pieces(endless)
    for pieces, ordered in ((endless, False), (both, True)):
        found = outcomes(graph, pieces, ordered)
        assert (found.found, found.complete, found.turns) == ((), False, 22)
    monkeypatch.setattr(counting, "LARGE", 6)
    found = outcomes(graph, both, True)
    assert (found.found, found.complete, found.turns) == ((), False, 21)


# ---- how many orders there are --------------------------------------------------------------------


@pytest.mark.parametrize("ops", range(1, 8))
def test_any_order_of_a_fan_is_valid(ops):
    assert count_orders(fan(ops)) == factorial(ops)


def test_orders_are_counted_as_they_are_listed():
    for number in range(40):
        graph = small_graph(number)
        listed = sum(1 for _ in islice(graph.orders(), 3000))
        assert count_orders(graph) == listed or listed == 3000


def test_counting_ends_where_it_would_take_too_long(monkeypatch):
    assert count_orders(fan(2), limit=5) == 2  # 1 + 2 + 2 steps
    assert count_orders(fan(2), limit=4) is None
    monkeypatch.setattr(counting, "LARGE", 4)
    assert (count_orders(fan(3)), count_orders(fan(4))) == (6, None)


# ---- the rows of a run ------------------------------------------------------------------------------


def rows(ops: int, slug: str = "overwrite"):
    graph, fault = fan(ops), FAULTS[slug]
    return run_orders(graph, Suspect(fault).pieces(), fault.ordered, trace(graph))


def test_up_to_24_orders_have_a_row_each():
    found = rows(4)
    assert (len(found.listed), found.orders, found.results) == (24, 24, 4)
    assert (found.complete, found.single, found.own, found.steady) == (True, True, False, True)
    assert {run.count for run in found.listed} == {1}
    assert [run.order for run in found.listed] == list(fan(4).orders())
    assert [run.grads[0] for run in found.listed[:3]] == [
        2.0,
        3.0,
        2.0,
    ]  # the last of ... v1, v0; v0, v1; ... v0


def test_of_more_orders_each_result_has_a_row():
    found = rows(5)
    assert (len(found.listed), found.orders, found.results) == (5, 120, 5)
    assert (found.complete, found.single, found.own, found.steady) == (True, False, False, True)
    assert [run.count for run in found.listed] == [24] * 5
    assert found.listed[0].grads[0] == 2.0


def test_where_every_order_gives_the_same_there_is_one_row():
    for ops, orders in ((4, 24), (5, 120)):
        for slug in ("accumulate-twice", "breadth-first"):
            found = rows(ops, slug)
            twice_twice = 4.0 if slug == "accumulate-twice" else 1.0  # to each v, and from each v
            assert [(run.count, run.grads[0]) for run in found.listed] == [
                (orders, sum(range(2, ops + 2)) * twice_twice)
            ]
            assert (found.orders, found.complete, found.single, found.results) == (orders, True, False, 1)
            assert (found.own, found.steady) == (slug == "breadth-first", True)


def test_where_nobody_can_count_them_a_result_counts_once(monkeypatch):
    monkeypatch.setattr(counting, "LARGE", 5)
    found = rows(5, "accumulate-twice")
    assert (found.orders, found.complete, [run.count for run in found.listed]) == (None, True, [1])
    assert rows(5).complete is False


def test_the_frequent_results_come_first_behind_that_of_the_newest_first_order():
    text = "p=a*b; q=a*c; r=b*c; s=p+q; t=q*r; u=r-p; v=a*a; w=s+t; x=u+v; w*x"
    graph = parse(text, {"a": 2.0, "b": 3.0, "c": 4.0})
    found = run_orders(graph, OVERWRITE, True, trace(graph))
    counts = [run.count for run in found.listed]
    assert counts[1:] == sorted(counts[1:], reverse=True)
    assert len(set(counts)) > 2
    for run in found.listed:
        assert trace(graph, pieces=OVERWRITE, order=run.order).grads == run.grads
    newest = trace(graph, pieces=OVERWRITE)
    assert [found.listed[0].grads[i] for i in graph.inputs] == list(newest.gradients.values())


def test_a_pass_that_is_not_steady_is_seen():
    """A right pass is, whatever the order; so it is given another one to be held against."""
    for ops in (4, 5):
        graph = fan(ops)
        for passed in (trace(graph), trace(graph, pieces=OVERWRITE)):
            steady = run_orders(graph, OVERWRITE, True, passed).steady
            assert steady == (passed.gradients == trace(graph).gradients)


def test_roundings_in_another_order_are_no_other_result():
    """0.1 + 0.2 - 0.3 is 0 but for a rounding, and another one from the other end."""
    graph = parse("a = 1; p = a*0.1; q = a*0.2; r = a*-0.3; sum(p, q, r)")
    right = trace(graph)
    assert len({trace(graph, order=order).gradients["a"] for order in graph.orders()}) > 1
    found = run_orders(graph, RIGHT, True, right)
    assert (found.steady, len(found.listed), found.listed[0].count) == (True, 1, 6)


def test_what_is_no_number_is_one_result():
    """u and v send 0 times infinity, p and q 4 and 9; and a seed that is no number is in every gradient."""
    graph = parse("a = 1; b = inf; p = a*2; q = a*3; u = 0*b; v = 0*b; sum(p, q, u, v)")
    pieces = Suspect(FAULTS["overwrite"]).pieces(Suspect(FAULTS["data-for-grad"]).pieces())
    found = run_orders(graph, pieces, True, trace(graph))
    assert (len(found.listed), found.results) == (24, 2)
    seeded = Suspect(FAULTS["overwrite"]).pieces(Suspect(FAULTS["seed-is-data"]).pieces())
    fan_of_nan = parse("a = inf; p = a - a; q = a - a; p + q")
    assert len(run_orders(fan_of_nan, seeded, True, trace(fan_of_nan)).listed) == 1


def test_orders_that_differ_in_what_no_gradient_reaches_are_one():
    """A pass asks only for the nodes that the right one reaches."""
    graph = parse("a = 1; k = sign(a)*3; m = a*2; k + m")
    found = run_orders(graph, OVERWRITE, True, trace(graph))
    assert found.orders == len(set(graph.orders()))
    assert len({run.order for run in found.listed}) == len(found.listed)
