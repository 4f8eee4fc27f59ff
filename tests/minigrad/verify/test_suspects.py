"""The search for the op behind a wrong gradient or a wrong value."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minigrad import parse, trace
from minigrad.verify import court, suspects
from minigrad.verify.case import case_of
from minigrad.verify.suspects import wrong_rule
from minigrad.verify.testimony import Estimate, Statement

pytestmark = pytest.mark.one_engine


def test_a_rule_is_suspected_beyond_four_error_bars_as_a_gradient_is(monkeypatch):
    """Only differences can judge: d(a*b)/da is 3, give or take 0.01."""
    said = {"x0": Estimate(3.0, 0.01), "x1": Estimate(2.0, 0.01)}
    monkeypatch.setattr(suspects, "ask", lambda key, case: Statement(key, None, said))
    graph = parse("a*b", {"a": 2.0, "b": 3.0})

    def suspect(local):
        return wrong_rule(case_of(trace(graph, rule=lambda graph, node, values: (local, 2.0))))

    assert suspect(3.039) is None
    found = suspect(3.041)
    assert found is not None
    assert (found.op, found.slot, found.got, found.right) == ("mul", 0, 3.041, 3.0)


def test_a_wrong_value_is_looked_for_in_the_pass_on_trial():
    """Somebody walked a pass in which tanh(0) is 1, and then added 0 to that, which is right."""
    record = replace(trace(parse("y = tanh(a) + a", {"a": 0.0})), values=(0.0, 1.0, 1.0))
    verdict = court(record, ask="mpmath")
    assert (verdict.verdict, verdict.why.code) == ("wrong", "value")
    suspect = verdict.why.suspect
    assert suspect is not None
    assert (suspect.op, suspect.slot, suspect.got, suspect.right) == ("tanh", -1, 1.0, 0.0)
