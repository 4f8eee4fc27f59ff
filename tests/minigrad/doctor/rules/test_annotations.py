"""Annotations for GitHub: each finding marks its line, and no text of a rule can end a field."""

from __future__ import annotations

from minigrad.doctor.rules.annotations import annotation_lines
from minigrad.doctor.rules.report import RuleFinding, RuleReport, Unseen
from minigrad.doctor.rules.rule_place import RulePlace
from minigrad.doctor.rules.rule_reports import ExaminedRule, RuleReports


def lines_of(*findings, verdict="wrong", place=None, unseen=()):
    report = RuleReport("torch", "Scale", verdict, findings, not_examined=unseen)
    return list(annotation_lines(RuleReports((ExaminedRule(report, place or RulePlace()),))))


def test_what_is_wrong_is_an_error_at_the_line_of_the_rule(tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    place = RulePlace(str(tmp_path / "rules" / "mine.py"), 12)
    (line,) = lines_of(RuleFinding("sign", "x", got=1.0, expected=-1.0), place=place)
    assert line.startswith("::error file=rules/mine.py,line=12,title=Scale%3A x%3A sign::")
    assert "got 1, expected -1" in line


def test_what_is_limited_is_a_warning_and_a_line_of_the_finding_itself_comes_first():
    finding = RuleFinding("single-precision", "x", "limited", file="/else/where.py", line=40)
    (line,) = lines_of(finding, verdict="limited", place=RulePlace("/a/mine.py", 12))
    assert line.startswith("::warning file=/else/where.py,line=40,title=")
    finding = RuleFinding("single-precision", "x", "limited")
    (line,) = lines_of(finding, verdict="limited", place=RulePlace("/a/mine.py", 12))
    assert "file=/a/mine.py,line=12" in line


def test_a_wrong_second_derivative_is_a_warning_as_the_verdict_is_limited():
    (line,) = lines_of(RuleFinding("second-derivative-wrong", "x"), verdict="correct")
    assert line.startswith("::warning ")


def test_what_could_not_be_examined_is_a_warning_without_a_place():
    (line,) = lines_of(verdict="not examined", unseen=(Unseen("importing", "OSError: planted"),))
    assert line.startswith("::warning title=Scale was not examined::")
    assert "OSError: planted" in line
    assert lines_of(verdict="correct") == []


def test_no_text_of_a_rule_ends_a_field_or_begins_a_command():
    finding = RuleFinding(
        "error-in-backward", "a,b::c", fields={"message": "x\n::error file=/etc/passwd::100%"}
    )
    (line,) = lines_of(finding, place=RulePlace("/a/b,c:d%.py", 1))
    head, _, message = line.partition("::")[2].partition("::")
    assert head == "error file=/a/b%2Cc%3Ad%25.py,line=1,title=Scale%3A a%2Cb%3A%3Ac%3A error-in-backward"
    assert "\n" not in line
    assert "100%25" in message
