"""Decisions of the court, one number at a time: seeds, choices at a kink, choices that belong together."""

from __future__ import annotations

from math import inf

import pytest

from minigrad.verify import court
from minigrad.verify.case import case_of, through
from minigrad.verify.decision import _Bench, _go_together
from minigrad.verify.testimony import Estimate, Statement

pytestmark = pytest.mark.one_engine


def test_a_seed_scales_all_of_an_estimate_and_keeps_its_doubt():
    """The slopes of abs to either side of 0 are -1 and 1; a pass that starts from -2 turns them round."""
    case = case_of("abs(a)", {"a": 0.0}, seed=-2.0)
    said = Statement("central", None, {"a": Estimate(0.25, 0.5, "kink", (-1.0, 1.0))})
    assert _Bench(case, [said]).estimate("central", "a") == Estimate(-0.5, 1.0, "kink", (2.0, -2.0))


def test_differences_alone_know_the_slopes_to_either_side_of_a_kink():
    for claim, verdict in ((0.5, "right"), (-1.0, "right"), (1.0, "right"), (1.5, "wrong")):
        found = court("abs(a)", {"a": 0.0}, claimed={"a": claim}, ask="central")
        assert found.verdict == verdict, claim
        assert found.why.decision.sides == pytest.approx((-1.0, 1.0))


def test_choices_are_compared_along_the_second_direction_where_the_first_leads_out_of_the_domain():
    """The root has a value on the line of the second direction, and nowhere else beside the origin.

    There, maximum(a, b) has the slopes of a and of b; 1 and 1 for both of them would be their sum.
    """
    way = through(("a", "b"))
    text = f"maximum(a, b) + 0*sqrt(1e-20 - ({way['b']!r}*a - {way['a']!r}*b)**2)"
    for claimed, together in (({"a": 1.0, "b": 1.0}, False), ({"a": 1.0, "b": 0.0}, True)):
        case = case_of(text, {"a": 0.0, "b": 0.0}, claimed=claimed)
        assert _go_together(_Bench(case, [])) is together


@pytest.mark.parametrize("power", [0.5, 0.8, 0.9, 0.99])
def test_where_the_slopes_to_both_sides_are_infinite_no_number_between_is_wrong(power):
    """The slope of abs(a)**p for p < 1 is p*abs(a)**(p - 1), beyond every number on the way to 0."""
    for claim in (inf, -inf, 1e9, 0.0):
        found = court(f"abs(a)**{power}", {"a": 0.0}, claimed={"a": claim}, ask="quick")
        assert (found.verdict, found.why.decision.sides) == ("right", (-inf, inf)), claim


def test_at_an_ordinary_kink_a_slope_beyond_either_side_is_wrong():
    """2*abs(a) has the slopes -2 and 2 at 0; what is added has none there, however fast it bends."""
    for text in ("2*abs(a) + a*a", "2*abs(a) - 1e6*a*a", "2*abs(a) + abs(a)**1.5", "2*abs(a) - abs(a)**1.5"):
        for claim, verdict in ((2.0, "right"), (2.1, "wrong"), (inf, "wrong")):
            found = court(text, {"a": 0.0}, claimed={"a": claim}, ask="quick")
            assert found.verdict == verdict, (text, claim)
            assert found.why.decision.sides == pytest.approx((-2.0, 2.0)), text
