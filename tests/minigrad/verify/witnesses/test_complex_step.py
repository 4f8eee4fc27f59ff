"""The complex step: its arithmetic, how long its step is, and one direction for large graphs."""

from __future__ import annotations

import pytest

from minigrad import Graph, Value, functions
from minigrad.verify.case import case_of
from minigrad.verify.witnesses.complex_step import Complexes, Plane, step_at, witness


def test_a_hypotenuse_of_any_size_has_its_value_and_its_slope():
    """Of a triangle of 3, 4 and 5 the slope by the first leg is 3/5."""
    h = 1e-100
    for size in (1.0, 1e200, 1e300, 1e-200):
        found = Complexes.hypot(Plane(complex(3.0 * size, h * size)), Complexes.number(4.0 * size)).z
        assert found.real == pytest.approx(5.0 * size, rel=1e-15)
        assert found.imag == pytest.approx(0.6 * h * size, rel=1e-15)


def test_a_total_adds_both_parts():
    assert Complexes.total([Plane(1 + 2j), Plane(3 + 4j), Plane(-6 + 1j)]).z == -2 + 7j


def test_whole_powers_to_either_side_of_zero():
    for power, right in ((3.0, 8.0), (1.0, 2.0), (0.0, 1.0), (-1.0, 0.5), (-3.0, 0.125)):
        found = Complexes.power(Complexes.number(2.0), Complexes.number(power))
        assert found is not None
        assert found.z == right


def test_a_step_is_short_beside_its_input_however_small_that_is():
    """At most a 2**150th of the input, so that its square is nothing beside that of the input."""
    for exponent in (0, 100, 149, 150, 151, 200, 237, 238, 300, 700):
        x = 2.0**-exponent
        for each in (x, -x, 1.5 * x):
            assert 0.0 < step_at(each) <= 2.0**-150 * abs(each)
    assert step_at(2.0**-200) == 2.0**-350
    assert step_at(0.0) == step_at(5.0) == 2.0**-300


def test_a_large_graph_is_judged_along_one_direction_through_all_inputs():
    """A sum has the slope 1 by each input; 4 looks at 331 nodes for each of 330 inputs are too many."""
    case = case_of(Graph.of(functions.sum([Value(1.0, label=f"w{i}") for i in range(330)])))
    (name, slope), *others = witness(case).slopes.items()
    assert (name, others) == ("", [])
    assert slope.number == pytest.approx(sum(case.direction.values()), rel=1e-12)
