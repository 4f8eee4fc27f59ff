"""The stages after the verdict on the gradient: their order, and what the time does not reach."""

from __future__ import annotations

from time import monotonic

import pytest
import torch

import rules_conduct
import rules_right
from minigrad.doctor.rules import examine_function
from minigrad.doctor.rules.report import Remark, RuleFinding, Unseen
from minigrad.doctor.rules.stages import RuleStage, late_remark, run_stages


def test_stages_run_in_their_order_until_the_time_is_up():
    asked = []

    def questions(name, *found):
        asked.append(name)
        yield from found

    first, second = RuleFinding("input-changed"), Remark("random-forward")
    stages = [RuleStage("conduct", questions("a", first)), RuleStage("second", questions("b", second))]
    assert list(run_stages(stages, monotonic() + 60)) == [first, second]
    assert asked == ["a", "b"]
    stages = [RuleStage("conduct", questions("c", first)), RuleStage("second", questions("d", second))]
    assert list(run_stages(stages, monotonic() - 1)) == [Unseen("time", "conduct, second")]
    assert asked == ["a", "b"]


def test_a_stage_that_stops_early_is_named():
    stages = [RuleStage("shapes", iter([late_remark(["shapes"])])), RuleStage("memory", iter([]))]
    assert list(run_stages(stages, monotonic() + 60)) == [Unseen("time", "shapes")]


@pytest.mark.parametrize("function", [rules_right.Exp, rules_conduct.Stale])
def test_without_time_the_gradient_is_judged_and_the_rest_is_named(function):
    report = examine_function(function, (torch.tensor([0.5, 1.0]),), budget=-1.0)
    assert (report.verdict, report.conduct, report.second) == ("correct", "not examined", "not examined")
    (late,) = report.not_examined
    assert late.code == "time"
    assert late.about.startswith("conduct, second")
    assert "for want of time: conduct, second derivatives" in " ".join(report.text("en").split())
    assert "por falta de tiempo: conducta, segundas derivadas" in " ".join(report.text("es").split())
    assert report.findings == ()
