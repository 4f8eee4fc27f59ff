"""The referee at edges, kinks and steep places, and where a graph is too large for it."""

from __future__ import annotations

from math import inf

import pytest

from minigrad.verify.case import case_of
from minigrad.verify.testimony import CANNOT, Estimate, Statement
from minigrad.verify.witnesses import high_precision
from minigrad.verify.witnesses.high_precision import witness


def slope(text, a=0.0):
    return witness(case_of(text, {"a": a})).slopes["a"]


def test_at_the_edge_of_a_domain_the_one_side_that_there_is_speaks_without_an_error_bar():
    assert slope("sqrt(a)") == Estimate(inf, 0.0, "edge")
    assert slope("-sqrt(a)") == Estimate(-inf, 0.0, "edge")
    assert slope("sqrt(a)**2") == Estimate(1.0, 0.0, "edge")
    assert slope("-3*sqrt(-a)**2") == Estimate(3.0, 0.0, "edge")


def test_a_steep_place_has_the_sign_of_the_way_it_goes():
    assert slope("cbrt(a)") == Estimate(inf, 0.0, "steep")
    assert slope("-cbrt(a)") == Estimate(-inf, 0.0, "steep")


def test_outside_a_domain_there_is_no_value():
    stated = witness(case_of("log(a)", {"a": -1.0})).value
    assert stated is not None
    assert (stated.error, stated.why) == (inf, "domain")
    assert stated.number != stated.number


def test_a_kink_is_seen_although_floats_overflow_on_the_way():
    """exp(800) is beyond every float, and divided by itself it is 1: the slopes are 1 - 1/4 and 1 + 1/4."""
    case = case_of("abs(a)/4 + a*(exp(b)/exp(b))", {"a": 0.0, "b": 800.0}, claimed={"a": 1.0})
    found = witness(case).slopes["a"]
    assert (found.why, found.sides) == ("kink", (0.75, 1.25))


def test_a_kink_counts_only_beyond_a_tiny_part_of_what_a_pass_may_be_off():
    """abs(a) times c parts the slopes to either side of 0 by 2*c; the limit is a 2**40th of the tolerance."""

    def case(c):
        return case_of("a + c*abs(a)", {"a": 0.0, "c": c}, claimed={"a": 1.0})

    tolerance = case(1e-30).tolerance("a")
    limit = tolerance * 2.0**-41
    for c, why in ((limit * (1.0 - 1e-9), ""), (limit, ""), (limit * (1.0 + 1e-9), "kink")):
        assert case(c).tolerance("a") == tolerance
        assert witness(case(c)).slopes["a"].why == why


@pytest.mark.parametrize(("largest", "refused"), [(14, True), (15, False)])
def test_a_graph_that_is_too_large_for_it_is_counted(monkeypatch, largest, refused):
    """Five looks at each of the three nodes of a product."""
    monkeypatch.setattr(high_precision, "LARGEST", largest)
    statement = witness(case_of("a*b", {"a": 2.0, "b": 3.0}))
    if refused:
        assert statement == Statement("mpmath", status=CANNOT, why="size", about="3")
    else:
        assert {name: each.number for name, each in statement.slopes.items()} == {"a": 3.0, "b": 2.0}
