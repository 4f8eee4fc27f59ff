"""Custom rules of PyTorch: each planted mistake is named, and the right ones are acquitted."""

from __future__ import annotations

import json
import os
import random
import sys
from functools import cache
from importlib import invalidate_caches
from math import isnan

import pytest
import torch
from torch.autograd import Function

import rules_conduct
import rules_right
import rules_wrong
from minigrad.doctor.rules import RuleReport, examine_function, examine_named
from minigrad.doctor.rules.child import answer
from minigrad.doctor.rules.deliberate_gradients import DELIBERATE
from minigrad.doctor.rules.report import CONDUCT
from minigrad.doctor.sandbox.runner import Limits
from minigrad.text.page import Page
from minigrad.text.translation import catalogue


@cache  # by position: a call that names the seed, or leaves it to a default, would be another one
def examined(name: str, seed: int, /) -> RuleReport:
    """The report on one of the planted formulas."""
    _, forward, backward, inputs, _, _ = next(row for row in rules_wrong.WRONG if row[0] == name)
    torch.manual_seed(seed)
    return examine_function(rules_wrong.rule(forward, backward, name), inputs(), seed=seed, beyond=True)


@cache
def conducted(function: type[Function], seed: int, /) -> RuleReport:
    """The report on one of the rules that hold under some circumstances only."""
    inputs = next(row[1] for row in rules_conduct.CLASSES if row[0] is function)
    torch.manual_seed(seed)
    return examine_function(function, inputs(), seed=seed)


# ---- what is wrong is named ---------------------------------------------------------------------


@pytest.mark.parametrize("row", rules_wrong.WRONG, ids=lambda row: row[0])
def test_a_planted_mistake_is_named(row):
    name, _, _, _, fault, wrong = row
    for seed in range(2):
        report = examined(name, seed)
        if fault in CONDUCT:
            assert (report.verdict, report.conduct) == (
                "correct",
                "limited" if fault == "single-precision" else "wrong",
            )
        else:
            assert report.verdict == "wrong"
        assert set(report.faults) == {fault}
        assert report.findings[0].input == wrong
        document = report.to_json()
        assert RuleReport.from_json(json.loads(json.dumps(document, allow_nan=False))).to_json() == document


@pytest.mark.parametrize("row", rules_conduct.CLASSES, ids=lambda row: row[0].__name__)
def test_a_rule_that_holds_under_some_circumstances_only_is_named(row):
    function, _, fault, verdict = row
    for seed in range(2):
        report = conducted(function, seed)
        assert report.faults[0] == fault
        about = report.findings[0].about
        assert {"gradient": report.verdict, "conduct": report.conduct, "second": report.second}[
            about
        ] == verdict
        if about != "gradient":
            assert report.verdict == "correct"


def test_a_finding_has_the_numbers_that_show_it():
    finding = examine_function(
        rules_wrong.rule(lambda x: x * x, lambda x, g: g * x, "half"), (torch.tensor([3.0]),)
    ).findings[0]
    assert finding.position == (0,)
    assert finding.upstream is not None
    assert finding.expected == pytest.approx(2.0 * finding.got, rel=1e-6)
    assert finding.fields["factor"] == 0.5
    assert abs(finding.got / finding.upstream) == pytest.approx(3.0, rel=0.26)  # g * x, at 3 or nearby


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("double", {"factor": 2.0, "like": ""}),
        ("loss_without_mean", {"factor": 12.0, "like": "times_size"}),
        ("matmul_no_transpose", {"what": "operand", "other": "b"}),
        ("result_transposed", {"what": "result", "other": ""}),
        ("summed_wrong_axis", {"axes": "1", "right": "0"}),
        ("mean_for_sum", {"count": 5.0}),
        ("first_row_only", {"what": "first"}),
        ("not_summed", {"got": "(3, 4)", "due": "(2)"}),
        ("product_rule_first", {"how": "only", "term": "upstream * out / x"}),
        ("product_rule_second", {"how": "lost", "term": "upstream * out / x"}),
        ("forgets_the_other_use", {"how": "depends", "other": "b"}),
        ("skip_connection", {"how": "lost", "term": "upstream"}),
        ("sigmoid_half", {"term": "(1 - out)"}),
        ("forgets_inner", {"term": "b"}),
        ("offset", {"amount": 0.1}),
        ("second_output_ignored", {"output": 1.0}),
        ("abs_of_positives", {"region": "negative", "bound": 0.0, "like": "sign_inside"}),
        ("right_for_positives", {"region": "negative", "bound": 0.0, "like": "sign_inside"}),
    ],
)
def test_a_finding_says_which_number_axis_or_term(name, fields):
    assert dict(examined(name, 0).findings[0].fields) == fields


def test_the_border_of_a_region_lies_between_right_and_wrong():
    finding = examined("clipped_when_large", 0).findings[0]
    assert finding.fields["region"] == "large"
    assert 1.3 < finding.fields["bound"] < 15.6  # right up to 1.3, clipped from 4 on, looked at up to 15.6


def test_a_small_mistake_is_seen_and_none_is_seen_without_it():
    for error, verdict in ((5e-4, "wrong"), (0.0, "correct")):
        rule = rules_wrong.rule(
            lambda x: x.exp(), lambda x, g, error=error: (1 + error) * g * x.exp(), "nearly"
        )
        assert examine_function(rule, (torch.tensor([0.3, -1.2, 0.8]),)).verdict == verdict


def test_a_function_that_uses_a_wrong_rule_is_wrong():
    sine = rules_wrong.rule(lambda x: x.sin(), lambda x, g: -g * x.cos(), "sine")
    report = examine_function(lambda x: sine.apply(2 * x).sum(), (torch.tensor([0.3, 1.0]),))
    assert (report.verdict, report.faults) == ("wrong", ("sign",))
    assert report.witnesses == ("differences",)  # there is no plain forward to ask


def test_a_wrong_forward_shows_beside_the_plain_function():
    report = examine_function(rules_right.Exp, (torch.tensor([0.5, 1.0]),), plain=lambda x: x.exp() + 1e-3)
    assert report.faults == ("forward-differs",)
    assert report.findings[0].expected - report.findings[0].got == pytest.approx(1e-3)
    assert examine_function(rules_right.Exp, (torch.tensor([0.5]),), plain=torch.exp).verdict == "correct"


def test_a_constant_of_floats_needs_no_gradient_if_the_others_ask_for_theirs():
    masked = rules_wrong.rule(lambda x, m: x * m, lambda x, m, g: (g * m, None), "masked")
    x, mask = torch.tensor([0.5, 2.0]), torch.tensor([1.0, 0.0])
    unsaid = examine_function(masked, (x, mask))
    assert (unsaid.verdict, [each.code for each in unsaid.design_choices]) == ("correct", ["constant"])
    assert examine_function(masked, (x.requires_grad_(), mask)).verdict == "correct"
    asked = examine_function(masked, (x, mask.requires_grad_()))
    assert (asked.verdict, asked.faults) == ("limited", ("gradient-missing",))


def test_the_neighbourhood_can_be_all_that_is_asked_about():
    rule = rules_wrong.rule(lambda x: x * x.abs(), lambda x, g: 2 * g * x, "positives")
    inputs = (torch.tensor([0.5, 1.0, 1.5, 2.0]),)
    assert examine_function(rule, inputs, beyond=True).faults == ("wrong-in-region",)
    assert examine_function(rule, inputs).verdict == "correct"


def test_of_large_inputs_some_positions_are_compared():
    x = torch.linspace(0.1, 1.0, 400).reshape(20, 20)
    right = examine_function(rules_right.Exp, (x,))
    assert (right.verdict, right.comparisons) == ("correct", 2400)  # two points, three upstream gradients
    double = rules_wrong.rule(lambda x: x.exp(), lambda x, g: 2 * g * x.exp(), "double")
    wrong = examine_function(double, (x,))
    assert (wrong.faults, [remark.code for remark in wrong.not_examined]) == (("factor",), ["large"])


def test_a_gradient_of_a_choice_of_inputs_is_compared_with_that_of_all():
    finding = conducted(rules_conduct.NeedsTwo, 0).findings[0]
    assert (finding.input, finding.fields["needed"]) == ("a", "a, c")
    assert "where a gradient is needed for a, c alone" in finding.story()


def test_no_upstream_gradient_must_give_none():
    finding = conducted(rules_conduct.NormalisesTheUpstream, 0).findings[0]
    assert (finding.upstream, finding.expected) == (0.0, 0.0)
    assert isnan(finding.got)


# ---- what is right is acquitted -----------------------------------------------------------------


@pytest.mark.parametrize("function", rules_right.RIGHT, ids=lambda function: function.__name__)
def test_a_right_rule_is_acquitted(function):
    for seed in range(3):  # 20 were tried, and 3 are kept for the time they take
        torch.manual_seed(seed)
        report = examine_function(function, rules_right.RIGHT[function](), seed=seed)
        assert (report.verdict, report.faults) == ("correct", ())
        assert report.comparisons >= 18
        assert "differences" in report.witnesses


def test_a_forward_that_trembles_in_its_ninth_digit_is_measured_with_longer_steps():
    for factor, verdict in ((1.0, "correct"), (1.001, "wrong")):
        rule = rules_wrong.rule(
            lambda x: x.sin().round(decimals=9),
            lambda x, g, factor=factor: factor * g * x.cos(),
            "trembling",
        )
        for seed in range(5):
            torch.manual_seed(seed)
            report = examine_function(rule, (torch.randn(4, dtype=torch.float64),), seed=seed)
            assert report.verdict == verdict
            assert report.faults in ((), ("factor",))


def test_a_design_choice_is_told_and_not_held_against_a_rule():
    def choices(function):
        torch.manual_seed(0)
        report = examine_function(function, rules_right.RIGHT[function]())
        return [remark.code for remark in report.design_choices]

    assert choices(rules_right.SinOnce) == ["once-differentiable"]
    assert choices(rules_right.LeftToTheLibrary) == ["unsummed", "needs-ignored"]
    assert choices(rules_right.LayerNorm) == []
    assert choices(rules_right.Dropout) == ["random-forward"]
    assert choices(rules_right.Exp) == []
    add = rules_wrong.rule(
        lambda a, b: a + b, lambda a, b, g: (g, g), "add"
    )  # what it hands on costs nothing
    assert examine_function(add, (torch.randn(3), torch.randn(3))).design_choices == ()


def test_nothing_of_the_callers_is_changed():
    x = torch.tensor([0.5, 1.5])
    torch.manual_seed(5)
    state, threads, rule = torch.random.get_rng_state(), torch.get_num_threads(), vars(rules_right.Exp).copy()
    examine_function(rules_right.Exp, (x,))
    examine_function(rules_conduct.FreshMask, (x,))
    assert torch.equal(torch.random.get_rng_state(), state)
    assert torch.get_num_threads() == threads
    assert vars(rules_right.Exp) == rule
    assert x.tolist() == [0.5, 1.5]
    assert not x.requires_grad
    assert x.grad is None


# ---- inputs -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "shapes"),
    [
        (rules_right.Matmul, [(3, 4), (4, 5)]),
        (rules_right.BroadcastMul, [(3, 4), (3, 4)]),
        (rules_right.Log, [(3, 4)]),
        (rules_right.Power, [(3, 4), None]),
        (rules_right.LayerNorm, [(3, 4), (4,), (4,), None]),
        (rules_right.Scaled, [(3, 4), ()]),
    ],
)
def test_inputs_are_invented(function, shapes):
    report = examine_function(function)
    assert (report.verdict, report.origin) == ("correct", "invented")
    assert [given.shape for given in report.inputs][: len(shapes)] == shapes


def test_a_missing_transpose_is_named_although_it_raises_at_first():
    rule = rules_wrong.rule(lambda a, b: a @ b, lambda a, b, g: (g @ b, a.t() @ g), "product")
    report = examine_function(rule)
    assert report.faults == ("transposed",)
    assert [given.shape for given in report.inputs] == [(3, 3), (3, 3)]


def test_plain_floats_are_inputs():
    assert examine_function(rules_right.Exp, (0.5,), library="torch").verdict == "correct"


class Raises(Function):
    @staticmethod
    def forward(ctx, x):
        raise ValueError("not today")


class Restless(Function):
    @staticmethod
    def forward(ctx, x):
        return x * random.random()

    @staticmethod
    def backward(ctx, g):
        return g


def test_what_cannot_be_run_is_not_judged():
    for function, inputs, code in (
        (Raises, (torch.tensor([1.0]),), "forward"),
        (Raises, None, "inputs"),
        (Restless, (torch.tensor([1.0, 2.0]),), "random"),
        (rules_right.Exp, (torch.tensor([1, 2]),), "no_inputs"),
        (lambda x: x.detach(), (torch.tensor([1.0]),), "no_gradient"),
    ):
        report = examine_function(function, inputs, library="torch")
        assert (report.verdict, [remark.code for remark in report.not_examined]) == ("not examined", [code])
    assert "not today" in str(examine_function(Raises, (torch.tensor([1.0]),)))


# ---- in words -----------------------------------------------------------------------------------


def test_a_report_is_told_in_both_languages():
    report = examined("minus", 0)
    english, spanish = report.text("en"), report.text("es")
    assert "WRONG. The gradient of minus is not the derivative of its forward: sign." in " ".join(
        english.split()
    )
    assert "the gradient of x has the wrong sign" in english
    assert "INCORRECTA." in spanish
    assert "el gradiente de x tiene el signo cambiado" in spanish
    assert report.markdown("en").startswith("# The backward rule of `minus`\n")
    assert max(map(len, report.text(page=Page(width=60)).splitlines())) <= 60
    assert repr(report) == "<RuleReport minus: wrong: sign>"


def test_every_fault_can_be_told():
    reports = [examined(row[0], 0) for row in rules_wrong.WRONG]
    reports += [conducted(row[0], 0) for row in rules_conduct.CLASSES]
    for report in reports:
        for lang in ("en", "es"):
            text = report.text(lang)
            assert all(fault in text for fault in report.faults)
            assert "{" not in text


def test_every_fault_has_a_story_and_something_to_do():
    keys = catalogue().keys()
    stories = {key.removeprefix("rules.story.") for key in keys if key.startswith("rules.story.")}
    fixes = {key.removeprefix("rules.fix.") for key in keys if key.startswith("rules.fix.")}
    assert stories - DELIBERATE == fixes - {"deliberate"}
    assert stories >= DELIBERATE
    assert {row[4] for row in rules_wrong.WRONG} | {row[2] for row in rules_conduct.CLASSES} <= stories


def test_the_data_is_the_same_in_every_language(monkeypatch):
    documents = []
    for lang in ("en", "es"):
        monkeypatch.setenv("MINIGRAD_LANG", lang)
        documents.append(examined.__wrapped__("minus", 0).to_json())  # the doctor is asked again
    assert documents[0] == documents[1]
    assert documents[0]["schema"] == "minigrad.rules/2"
    assert documents[0]["findings"][0].keys() >= {"fault", "input", "got", "expected", "position", "detail"}
    with pytest.raises(ValueError, match="other/1"):
        RuleReport.from_json({"schema": "other/1"})


# ---- by name, in a child process ----------------------------------------------------------------

MODULE = """
import torch

print("imported")

class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return {rule}

{more}
"""


def test_a_function_is_examined_by_its_name_in_a_process_of_its_own(tmp_path):
    (tmp_path / "rules_of_mine.py").write_text(MODULE.format(rule="g", more=""))
    report = examine_named("rules_of_mine.py:Twice", folder=tmp_path)
    assert (report.verdict, report.faults, report.origin) == ("wrong", ("factor",), "invented")
    assert "rules_of_mine" not in sys.modules


@pytest.fixture
def by_name(tmp_path, monkeypatch):
    """What the child answers, asked here: a process that imports torch takes seconds."""

    def ask(rule="g", more="", name="rules_of_mine.py:Twice", library="torch"):
        (tmp_path / "rules_of_mine.py").write_text(MODULE.format(rule=rule, more=more))
        monkeypatch.setattr(sys, "path", sys.path[:])
        monkeypatch.delitem(sys.modules, "rules_of_mine", raising=False)
        invalidate_caches()
        report = answer({"name": name, "library": library, "folder": str(tmp_path), "seed": 0})
        sys.modules.pop("rules_of_mine", None)
        return RuleReport.from_json(json.loads(json.dumps(report.to_json(), allow_nan=False)))

    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # the file changes within a second
    return ask


def test_a_name_is_that_of_a_file_of_a_module_or_of_the_only_function_in_it(by_name):
    assert by_name("2 * g", name="rules_of_mine:Twice").verdict == "correct"
    assert by_name(name="rules_of_mine.py").faults == ("factor",)  # there is no other


def test_a_module_can_offer_its_inputs(by_name):
    report = by_name("2 * g", "def example_inputs():\n    return (torch.ones(2, 5),)")
    assert (report.verdict, report.origin) == ("correct", "module")
    assert [given.shape for given in report.inputs] == [(2, 5)]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ({"name": "rules_of_mine.py", "more": "class Half(Twice): pass"}, "which", "rules_of_mine.py:Half"),
        ({"name": "rules_of_mine.py", "more": "del Twice"}, "no_rule", "rules_of_mine.py"),
        ({"name": "rules_of_mine.py:Plain", "more": "class Plain: pass"}, "no_function", "Plain"),
        ({"library": "jax"}, "of_torch", "Twice"),
        ({"name": "rules_of_nobody.py:Twice"}, "no_file", "rules_of_nobody.py"),
        ({"name": "rules_of_mine.py:Thrice"}, "missing", "Thrice"),
        ({"more": "1 +"}, "importing", "invalid syntax"),
        ({"more": "raise ModuleNotFoundError('gone', name='torch')"}, "absent", "torch"),
    ],
)
def test_what_cannot_be_imported_is_not_judged(by_name, options, code, words):
    assert_not_judged(by_name(**options), code, words)


def assert_not_judged(report, code, words):
    assert report.verdict == "not examined"
    assert report.not_examined[0].code == code
    assert words in report.not_examined[0].about
    assert "NOT EXAMINED" in report.text("en")


@pytest.mark.parametrize(
    ("text", "limits", "words"),
    [
        ("import os; os._exit(7)", Limits(), "exit"),
        ("while True: pass", Limits(wall=1.5, cpu=60.0), "timeout"),
    ],
)
def test_a_module_that_ends_its_process_or_never_ends_is_not_judged(tmp_path, text, limits, words):
    (tmp_path / "rules_of_mine.py").write_text(text)
    report = examine_named("rules_of_mine.py:Twice", folder=tmp_path, limits=limits)
    assert_not_judged(report, "ended", words)


def test_a_refusal_comes_out_of_the_process(tmp_path):
    assert_not_judged(examine_named("nobody.py:Twice", folder=tmp_path), "no_file", "nobody.py")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    assert_not_judged(examine_named("pipe.py:Twice", folder=tmp_path), "no_file", "pipe.py")
