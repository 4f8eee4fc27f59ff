"""The case on trial: what may be claimed, and what a verdict about it is about."""

from __future__ import annotations

import pytest

from minigrad import Graph, Value, functions
from minigrad.verify import court
from minigrad.verify.case import case_of

pytestmark = pytest.mark.one_engine


def test_a_gradient_of_an_input_that_is_not_there_cannot_be_claimed():
    with pytest.raises(KeyError, match="no input z here"):
        court("a*b", {"a": 2.0, "b": 3.0}, claimed={"a": 3.0, "z": 1.0}, ask="dual")


def test_a_cut_names_the_inputs_whose_gradients_it_makes_wrong():
    """a * a.data is a square whose recorded slope is a; that of b is right."""
    verdict = court(lambda a, b: a * a.data + b, (3.0, 5.0), ask="central")
    assert (verdict.verdict, verdict.why.code, verdict.why.inputs) == ("wrong", "cut", ("a",))


def test_a_verdict_from_one_direction_says_so():
    xs = [Value(0.01 * i - 0.7, label=f"w{i}") for i in range(140)]
    verdict = court(Graph.of(functions.sum([x * x for x in xs])), ask="central")
    assert (verdict.verdict, verdict.why.code) == ("right", "direction")
    assert "along one direction" in verdict.reason


def test_what_a_gradient_may_be_off_grows_with_the_seed():
    """A pass from -4 has four times the gradients, and so four times their roundings."""
    once, four = (case_of("a*b + exp(a)", {"a": 0.7, "b": 3.0}, seed=seed) for seed in (1.0, -4.0))
    for name in ("a", "b", ""):
        assert 0.0 < four.tolerance(name) == 4.0 * once.tolerance(name)
        assert 0.0 < four.gross(name) == 4.0 * once.gross(name)
