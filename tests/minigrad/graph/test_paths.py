"""A gradient as a sum over paths: every path of a small graph by brute force, and huge graphs at once."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction

import pytest

from minigrad import Graph, Value, trace
from minigrad.functions import where
from minigrad.graph.paths import LONGEST, paths
from small_graphs import classic, random_value

CLASSIC = trace(Graph.of(classic()))


def every_path(record, target):
    """All paths from the output down to a node, by walking each of them: (nodes, slots, amount)."""
    graph, values = record.graph, record.values
    start = record.grads[graph.output]
    found, open_ends = [], [((graph.output,), (), start)]
    while open_ends:
        nodes, slots, amount = open_ends.pop()
        here = nodes[-1]
        if here == target:
            found.append((nodes[::-1], slots[::-1], amount))
        for slot, (arg, local) in enumerate(
            zip(graph.nodes[here].args, graph.locals(here, values), strict=True)
        ):
            if local is not None and graph.active[arg]:
                open_ends.append(((*nodes, arg), (*slots, slot), local * amount))
    return found


# ---- by hand ------------------------------------------------------------------------------------


def test_the_ledger_of_the_classic_graph():
    record = CLASSIC
    names = record.graph.names
    found = {
        names[i]: [(path.amount, [names[n] for n in path.nodes], path.locals) for path in ways.listed]
        for i, ways in paths(record).items()
    }
    assert found == {
        "a": [(10.0, ["a", "f", "L"], (1.0, 10.0)), (-6.0, ["a", "ab", "e", "L"], (3.0, 1.0, -2.0))],
        "b": [(-4.0, ["b", "ab", "e", "L"], (2.0, 1.0, -2.0))],
        "c": [(-10.0, ["c", "f", "L"], (-1.0, 10.0)), (-2.0, ["c", "e", "L"], (1.0, -2.0))],
    }
    for ways in paths(record).values():
        assert ways.rest == 0.0
        assert ways.count == len(ways.listed)


def test_a_repeated_argument_is_two_paths():
    a = Value(3.0, label="a")
    ways = paths(trace(Graph.of(a * a)))[0]
    assert (ways.count, ways.total) == (2, 6.0)
    assert [(path.nodes, path.slots, path.amount) for path in ways.listed] == [
        ((0, 1), (0,), 3.0),
        ((0, 1), (1,), 3.0),
    ]
    b = a + a
    eight = paths(trace(Graph.of(b + b)))[0]
    assert (eight.count, eight.total) == (4, 4.0)


def test_an_input_that_is_the_output_has_the_empty_path():
    ways = paths(trace(Graph.of(Value(3.0)), seed=2.0))[0]
    assert (ways.count, ways.total) == (1, 2.0)
    assert [(path.nodes, path.slots, path.locals, path.amount) for path in ways.listed] == [
        ((0,), (), (), 2.0)
    ]


def test_a_branch_not_taken_is_no_path():
    x = Value(2.0, label="x")
    ways = paths(trace(Graph.of(where(x > 5, x * x, x * 3))))[0]
    assert (ways.count, ways.total) == (1, 3.0)


def test_an_input_without_a_path_is_listed_with_nothing():
    x, c = Value(2.0, label="x"), Value(0.0, label="c")
    found = paths(trace(Graph.of(where(c, x.log(), x * 3))))
    assert {ways.node: (ways.count, ways.listed, ways.rest) for ways in found.values()}[1] == (0, (), 0.0)


def test_the_seed_is_part_of_every_path():
    a = Value(3.0, label="a")
    graph = Graph.of(a * a)
    assert [path.amount for path in paths(trace(graph, seed=-2.0))[0].listed] == [-6.0, -6.0]


# ---- against brute force ------------------------------------------------------------------------


def test_counts_and_totals_are_those_of_all_paths():
    most = 0
    for seed in range(150):
        record = trace(Graph.of(random_value(seed, ops=16)[1]), seed=1.5)
        for i, ways in paths(record).items():
            expected = every_path(record, i)
            most = max(most, len(expected))
            assert ways.count == len(expected), seed
            amounts = [amount for _, _, amount in expected]
            assert math.fsum(amounts) == pytest.approx(ways.total, rel=1e-12, abs=1e-14), seed
    assert most > 20  # the comparison saw graphs with many paths


@pytest.mark.parametrize("keep", [1, 2, 3, 5, 100])
def test_the_largest_paths_are_those_of_brute_force(keep):
    for seed in range(80):
        record = trace(Graph.of(random_value(seed, ops=16)[1]))
        for i, ways in paths(record, keep).items():
            expected = sorted(every_path(record, i), key=lambda path: -abs(path[2]))
            assert len(ways.listed) == min(keep, len(expected))
            assert [abs(path.amount) for path in ways.listed] == [
                abs(amount) for _, _, amount in expected[:keep]
            ]
            known = {(nodes, slots): amount for nodes, slots, amount in expected}
            for path in ways.listed:
                assert known[path.nodes, path.slots] == path.amount
            assert len({(path.nodes, path.slots) for path in ways.listed}) == len(ways.listed)


def test_the_comparison_with_brute_force_can_fail():
    record = CLASSIC
    a = record.graph.index("a")
    assert {amount for _, _, amount in every_path(record, a)} == {10.0, -6.0}
    assert paths(record, 1)[a].listed != paths(record, 2)[a].listed


def test_listed_paths_and_the_rest_add_up_exactly():
    lost = 0
    for seed in range(80):
        record = trace(Graph.of(random_value(seed, ops=16)[1]), seed=0.3)
        for ways in paths(record, 2).values():
            if ways.count > 2:
                amounts = [path.amount for path in ways.listed]
                assert ways.rest == float(Fraction(ways.total) - sum(map(Fraction, amounts)))
                lost += ways.rest != ways.total - sum(amounts)
    assert lost > 5  # so often would floats have lost a bit


# ---- sizes --------------------------------------------------------------------------------------


def test_a_graph_with_more_paths_than_grains_of_sand_answers_at_once():
    x = Value(1.0, label="x")
    y = x
    for _ in range(200):
        y = y + y
    start = time.process_time()
    ways = paths(trace(Graph.of(y)), 5)[0]
    assert time.process_time() - start < 5.0
    assert ways.count == 2**200 > 10**18
    assert ways.total == 2.0**200
    assert [path.amount for path in ways.listed] == [1.0] * 5
    assert ways.rest == 2.0**200  # minus 5, which is far below its last bit


def test_a_wide_net_of_paths_is_counted_exactly():
    rng = random.Random(4)
    layer = [Value(rng.uniform(0.5, 1.0)) for _ in range(8)]
    inputs = layer
    for _ in range(24):
        layer = [sum((v * rng.uniform(0.1, 0.2) for v in layer[1:]), layer[0] * 0.15) for _ in range(8)]
    total = sum(layer[1:], layer[0])
    start = time.process_time()
    record = trace(Graph.of(total))
    found = paths(record)
    assert time.process_time() - start < 6.0
    assert {ways.count for ways in found.values()} == {8**24}
    assert 8**24 > 10**18
    for ways in found.values():
        listed = [path.amount for path in ways.listed]
        assert listed == sorted(listed, reverse=True)
        assert math.fsum(listed) + ways.rest == pytest.approx(ways.total, rel=1e-15)
    assert len(inputs) == len(found)


def test_a_very_long_path_is_cut_before_the_output_and_says_by_how_much():
    x = Value(1.0, label="x")
    y = x
    for _ in range(500):
        y = y * 1.001
    record = trace(Graph.of(y))
    (path,) = paths(record)[0].listed
    assert len(path.nodes) == LONGEST
    assert len(path.slots) == len(path.locals) == LONGEST - 1
    assert len(path.nodes) + path.skipped == 501
    assert (path.nodes[0], path.nodes[-1]) == (0, record.graph.output)
    assert path.amount == pytest.approx(1.001**500, rel=1e-12)


def test_the_longest_path_that_is_not_cut():
    x = Value(1.0)
    y = x
    for _ in range(LONGEST - 1):
        y = -y
    (path,) = paths(trace(Graph.of(y)))[0].listed
    assert (len(path.nodes), path.skipped) == (LONGEST, 0)
    (path,) = paths(trace(Graph.of(-y)))[0].listed
    assert (len(path.nodes), path.skipped) == (LONGEST, 1)


def test_numbers_that_are_not_finite_do_not_stop_the_count():
    x = Value(0.0, label="x")
    record = trace(Graph.of(x.log() + x * math.nan + x * 2))
    ways = paths(record, 2)[0]
    assert ways.count == 3
    assert math.isnan(ways.total)
    assert {repr(path.amount) for path in ways.listed} == {"inf", "nan"}  # the strangest ones first


@pytest.mark.parametrize("keep", [0, 1, 3, 10])
def test_of_a_node_with_very_many_consumers_the_largest_are_kept_and_of_equals_the_first(keep):
    """The paths that cannot be among the largest are dropped on the way."""
    draw = random.Random(keep)
    factors = [float(draw.randint(-9, 9)) for _ in range(500)]
    factors[draw.randrange(500)] = math.nan  # not a number is the first of all
    x = Value(2.0, label="x")
    record = trace(Graph.of(sum(x * factor for factor in factors)))
    ways = paths(record, keep)[0]
    met = [(path[0][1], path[2]) for path in every_path(record, 0)]  # its product, and its amount
    met.sort(key=lambda row: (row[1] == row[1], -abs(row[1]), -row[0]))  # newest first, as a pass goes
    assert ways.count == 500
    assert [repr((path.nodes[1], path.amount)) for path in ways.listed] == [repr(row) for row in met[:keep]]


def test_paths_as_plain_data():
    record = CLASSIC
    a = record.graph.index("a")
    assert paths(record, 1)[a].to_json(record.graph.names) == {
        "total": 4.0,
        "count": 2,
        "listed": [
            {"nodes": ["a", "f", "L"], "slots": [0, 1], "locals": [1.0, 10.0], "amount": 10.0, "skipped": 0}
        ],
        "rest": -6.0,
    }
