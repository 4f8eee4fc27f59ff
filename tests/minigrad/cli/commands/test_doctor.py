"""minigrad doctor with custom rules: which options go together, what is printed, and the exit code."""

from __future__ import annotations

import json

import pytest

import minigrad.doctor.rules
from minigrad.cli.main import main
from minigrad.doctor.rules.report import RuleFinding, RuleReport, Unseen
from minigrad.doctor.rules.rule_place import RulePlace
from minigrad.doctor.rules.rule_reports import ExaminedRule, InterruptedReportsError, RuleReports


def reports(*verdicts, remarks=()):
    finding = RuleFinding("sign", "x", got=1.0, expected=-1.0)
    made = [RuleReport("torch", f"R{k}", v, (finding,) * (v == "wrong")) for k, v in enumerate(verdicts)]
    return RuleReports(tuple(ExaminedRule(each, RulePlace("/a/mine.py", 7)) for each in made), tuple(remarks))


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command with reports that are given: its exit code, what it printed, and what it asked for."""

    def run(*words, found=None):
        asked = []

        def examine(name, *arguments, **options):
            asked.append((name, *arguments, options))
            if isinstance(found, BaseException):
                raise found
            return reports("correct") if found is None else found

        monkeypatch.setattr(minigrad.doctor.rules, "examine_rules", examine)
        monkeypatch.setattr(minigrad.doctor.rules, "examine_program", examine)
        code = main(["doctor", *words])
        shown = capsys.readouterr()
        return code, shown.out + shown.err, asked

    return run


def test_after_ctrl_c_the_reports_until_then_are_printed(command):
    interrupted = InterruptedReportsError(reports("wrong").rules, ["Clip", "Norm"])
    code, said, _ = command("--record", "train.py", found=interrupted)
    assert code == 130
    assert "WRONG" in said
    assert "not reached: Clip, Norm" in said
    code, said, _ = command("--torch", "mine.py:F", found=InterruptedReportsError([], []))
    assert code == 130
    assert "Ctrl-C came before any rule was examined" in said


def test_options_reach_the_examination(command):
    _, _, asked = command("--torch", "mine.py", "--call", "R.apply(x)", "--beyond", "--intended", "ste")
    assert asked == [
        ("mine.py", {"library": "torch", "call": "R.apply(x)", "beyond": True, "intended": "ste"})
    ]
    _, _, asked = command("--record", "train.py", "--seconds", "7", "--", "--epochs", "1")
    assert asked == [
        ("train.py", ["--epochs", "1"], {"beyond": False, "intended": None, "seconds": 7.0}),
    ]


@pytest.mark.parametrize(
    ("verdicts", "code"),
    [
        (("correct",), 0),
        (("correct", "wrong"), 1),
        (("limited", "correct"), 3),
        (("limited", "not examined"), 2),
        (("wrong", "not examined"), 1),
        ((), 2),
    ],
)
def test_the_exit_code_is_that_of_the_worst(command, verdicts, code):
    assert command("--torch", "mine.py", found=reports(*verdicts))[0] == code


def test_a_rule_alone_is_a_report_and_several_are_a_list(command):
    alone = reports("wrong", remarks=[Unseen("stand_in", "apex")])
    document = json.loads(command("--torch", "mine.py", "--json", found=alone)[1])
    assert (document["schema"], document["not_examined"][0]["about"]) == ("minigrad.rules/2", "apex")
    several = command("--torch", "mine.py", "--json", found=reports("wrong", "correct"))[1]
    document = json.loads(several)
    assert (document["schema"], document["verdict"]) == ("minigrad.rule-reports/1", "wrong")
    assert [row["report"]["name"] for row in document["rules"]] == ["R0", "R1"]
    text = command("--torch", "mine.py", found=reports("correct", "wrong"))[1]
    assert text.index("R1") < text.index("R0")  # the worst first
    assert "R1: What was found" in text
    assert "R0: Verdict" not in text


def test_github_gets_a_line_for_each_finding(command):
    code, text, _ = command("--torch", "mine.py", "--github", found=reports("correct", "wrong"))
    assert code == 1
    assert text.startswith("::error file=/a/mine.py,line=7,title=R1%3A x%3A sign::")


@pytest.mark.parametrize(
    "words",
    [
        ("--torch", "a.py", "--jax", "b.py"),
        ("--torch", "a.py", "more"),
        ("--torch", ":R"),
        ("--torch", " "),
        ("--torch", "a.py", "--call", " "),
        ("--torch", "a.py", "--seconds", "5"),
        ("--torch", "a.py", "--cell", "1"),
        ("--record", "train.py", "--call", "f()"),
        ("--record", "train.sh"),
        ("--record", "train.py", "--seconds", "0"),
        ("--record", "train.py", "--torch", "a.py"),
        ("engine.py", "--call", "f()"),
        ("engine.py", "--github"),
    ],
)
def test_what_does_not_go_together_is_refused_with_what_to_write(command, words):
    code, text, asked = command(*words)
    assert (code, asked) == (2, [])
    assert "minigrad doctor" in text or "write" in text or "--seconds" in text or "engines" in text
    assert "Traceback" not in text


def test_a_promise_that_nobody_knows_is_refused_with_those_that_are_known(command):
    status, out, asked = command("--torch", "mine.py", "--intended", "nonsense")
    assert (status, asked) == (2, [])
    assert "--intended takes one of ste, surrogate" in out
    assert "nonsense" in out
