"""Reports on rules as a page: everything of the text is on it, and nothing on it runs."""

from __future__ import annotations

import html5lib
import torch
from torch.autograd import Function

from minigrad.doctor.rules import RuleReports, examine_function
from minigrad.doctor.rules.report import RuleFinding, RuleReport, Unseen
from minigrad.doctor.rules.rule_place import RulePlace
from minigrad.doctor.rules.rule_reports import ExaminedRule


class Spike(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x > 0).to(x)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (1 + x * x)


class Mean(Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, (g * x).mean(0)


A = torch.tensor([[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]], dtype=torch.float64)


def words(page):
    body = html5lib.parse(page, namespaceHTMLElements=False).find("body")
    return " ".join("".join(body.itertext()).split())


def test_a_page_has_the_verdicts_the_curve_and_the_change():
    spike, mean = examine_function(Spike, (A,)), examine_function(Mean, (A, A[0]))
    for lang, verdict, heading in (("en", "LIMITED.", "derivative"), ("es", "LIMITADA.", "derivada")):
        page = spike.html(lang=lang)
        assert f'<html lang="{lang}"' in page
        assert verdict in words(page)
        assert f"<th>{heading}</th>" in page
        assert page.count("<tr>") > 4
    text = words(mean.html(lang="en"))
    assert "broadcast-mean" in text
    assert "(g * x).mean(0)" in text
    assert "(g * x).sum(0)" in text
    assert mean.versions in text


def test_several_rules_have_a_heading_each():
    found = [examine_function(Spike, (A,)), examine_function(Mean, (A, A[0]))]
    rules = tuple(ExaminedRule(report, RulePlace()) for report in found)
    reports = RuleReports(rules, (Unseen("script_raised", "KeyError: 'planted'"),))
    text = words(reports.html(lang="en"))
    assert text.index("Spike") < text.index("Mean") < text.index("planted")


def test_nothing_of_strangers_has_an_effect_on_the_page():
    hostile = "<img src=x onerror=alert(1)>\x1b[2J"
    finding = RuleFinding(
        "error-in-backward",
        fields={"message": hostile},
        file="/x/y.py",
        line=3,
        diff=f"-{hostile}\n+{hostile}",
    )
    report = RuleReport(
        "torch", hostile, "wrong", (finding,), snippet=hostile, place=hostile, versions=hostile
    )
    page = report.html(lang="en")
    assert "<img" not in page
    assert "Content-Security-Policy" in page
    assert "<script" not in page
