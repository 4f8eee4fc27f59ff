"""Tolerances of the court: how far a right number may be off, for graphs whose roundings are known."""

from __future__ import annotations

from collections import Counter
from math import inf, nan

import pytest

from minigrad import Graph, Value, parse
from minigrad.verify.tolerance import _moved, _own, _shifts, doubts

pytestmark = pytest.mark.one_engine


def test_a_node_made_by_hand_is_off_by_one_unit_of_its_value():
    """Nobody can run it again, and its input is exact; from 4 to 8, floats are 2**-50 apart."""
    graph = Graph.of(Value(6.0, (Value(2.0, label="x"),), (3.0,)))
    assert doubts(graph, graph.evaluate()).values[graph.output] == 2.0**-50


@pytest.mark.parametrize("op", ["exp", "custom"])
def test_a_value_that_is_not_finite_may_be_off_by_anything(op):
    for y in (inf, -inf, nan):
        assert _own(op, y, [800.0]) == inf


def summed(count):
    names = [f"x{i}" for i in range(count)]
    graph = parse(f"sum({', '.join(names)})", dict.fromkeys(names, 1.0))
    off = [0.5] * count + [0.0]
    return [tuple(moved) for moved in _moved(graph, graph.output, graph.evaluate(), off)]


def test_up_to_six_arguments_are_moved_one_at_a_time():
    for count in (1, 5, 6):
        right = {
            tuple(1.0 + way * (place == slot) for place in range(count))
            for slot in range(count)
            for way in (0.5, -0.5)
        }
        found = summed(count)
        assert len(found) == 2 * count
        assert set(found) == right


def test_more_than_six_are_moved_in_two_groups_and_each_goes_up_once_and_down_once():
    for count in (7, 8):
        found = summed(count)
        assert len(found) == 4
        for each in zip(*found, strict=True):
            assert Counter(each) == {1.0: 2, 1.5: 1, 0.5: 1}


def test_what_an_argument_may_be_off_moves_a_local_derivative_up_and_down():
    """Of x*y at 2 and 3 the derivatives are y and x, each with 4 units of 2**-51 of its own."""
    graph = parse("x*y", {"x": 2.0, "y": 3.0})
    shifts = _shifts(graph, graph.output, graph.evaluate(), [0.5, 0.25, 0.0], [3.0, 2.0])
    assert shifts == [2 * 0.25 + 2.0**-49, 2 * 0.5 + 2.0**-49]
