"""Rules at other shapes: what is wrong there alone limits a rule, and a border of its forward does not."""

from __future__ import annotations

from time import monotonic

import pytest
import torch

import rules_right
import rules_wrong
from minigrad.doctor.rules import examine_function
from minigrad.doctor.rules.shape_probes import shape_findings
from minigrad.doctor.rules.torch_rules import torch_subject


def examined(forward, backward, *inputs):
    return examine_function(rules_wrong.rule(forward, backward, "planted"), inputs, beyond=True)


def findings(report):
    return [(each.fault, each.grade, each.fields["shapes"]) for each in report.findings]


X = torch.tensor([[0.5, -1.2, 0.8, 1.1], [0.3, 0.9, -0.7, 0.2], [1.4, -0.4, 0.6, -1.3]])


@pytest.mark.parametrize("condition", ["x.shape[0] == 1", "x.shape[-1] % 2 == 1", "x.dim() > 2"])
def test_what_is_wrong_at_some_shapes_only_limits_a_rule(condition):
    wrong = eval(f"lambda x: {condition}")  # one of those above
    report = examined(lambda x: x.sin(), lambda x, g: g * x.cos() * (2 if wrong(x) else 1), X)
    assert (report.verdict, report.faults) == ("limited", ("shape-dependent",))
    (finding,) = report.findings
    assert finding.input == "x"
    assert finding.got == pytest.approx(2 * finding.expected, rel=1e-5)
    assert str(finding.fields["shapes"]) in " ".join(report.text("en").split())


def test_the_shapes_are_named():
    mean = examined(lambda x: x.mean(), lambda x, g: g / 12 * torch.ones_like(x), X)
    first = findings(mean)[0]
    assert first[:2] == ("shape-dependent", "limited")
    assert first[2].startswith("x (1, 4); x (5, 4); x (3, 1); x (3, 5)")


def test_an_error_of_the_rule_at_another_length_limits_it():
    report = examined(lambda x: x.exp(), lambda x, g: g.reshape(3, 4) * x.exp(), X)
    assert (report.verdict, report.faults) == ("limited", ("error-at-shape",))
    assert report.findings[0].fields["shapes"].startswith("x (1, 4); x (5, 4)")
    assert "invalid for input of size" in report.findings[0].story()


def test_numbers_for_an_empty_output_are_wrong():
    report = examined(
        lambda x, w: x * w,
        lambda x, w, g: (g * w, (g * x).sum() + (0.0 if len(g) else 1.0)),
        X[:, 0].clone(),
        torch.tensor(0.7),
    )
    (finding,) = report.findings
    assert (finding.fault, finding.input, finding.got, finding.expected) == ("shape-dependent", "w", 1.0, 0.0)
    assert finding.fields["shapes"] == "x (0), w ()"


def test_more_axes_than_the_rule_is_meant_for_are_a_remark():
    report = examine_function(rules_right.Matmul, (X, X.t().clone()), beyond=True)
    assert (report.verdict, report.faults) == ("correct", ())
    (remark,) = report.not_examined
    assert remark.code == "other-shapes"
    assert "a (2, 3, 4), b (2, 4, 3)" in remark.unseen()


def test_lengths_among_the_arguments_are_left_alone():
    def backward(x, n, g):
        return g.expand(-1, n) / n, None

    mean = rules_wrong.rule(lambda x, n: x.sum(-1, keepdim=True) / n, backward, "mean")
    assert examine_function(mean, (X, 4), beyond=True).verdict == "correct"


def test_a_forward_that_refuses_a_shape_is_no_fault():
    def forward(x):
        if x.shape != (3, 4):
            raise ValueError("only (3, 4)")
        return x.sin()

    assert examined(forward, lambda x, g: g.reshape(3, 4) * x.cos(), X).verdict == "correct"


def test_the_given_shapes_are_all_that_is_asked_about_without_beyond():
    rule = rules_wrong.rule(lambda x: x.mean(), lambda x, g: g / 12 * torch.ones_like(x), "mean")
    assert examine_function(rule, (X,)).verdict == "correct"


@pytest.mark.parametrize("function", rules_right.RIGHT, ids=lambda function: function.__name__)
def test_a_right_rule_is_right_at_other_shapes(function):
    for inputs in (None, rules_right.RIGHT[function]()):
        torch.manual_seed(1)
        report = examine_function(function, inputs, beyond=True, library="torch")
        assert (report.verdict, report.conduct, report.faults) == ("correct", "correct", ())


def test_the_time_can_be_up_between_two_shapes():
    subject = torch_subject(rules_right.Exp, (X,), None, 0)
    (late,) = shape_findings(subject, monotonic() - 1)
    assert (late.code, late.about) == ("time", "shapes")
