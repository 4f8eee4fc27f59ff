"""Annotations for GitHub's pages: a line for each finding, which marks the rule in a pull request."""

from __future__ import annotations

import os
from collections.abc import Iterator

from ...text.escape import visible
from ...text.translation import say
from ..verdict import NOT_EXAMINED, WRONG
from .report import RuleFinding
from .rule_place import RulePlace
from .rule_reports import RuleReports

__all__ = ["annotation_lines"]


def annotation_lines(rules: RuleReports) -> Iterator[str]:
    """`::error file=...,line=...,title=...::message` for what is wrong, `::warning` for what is limited."""
    folder = os.environ.get("GITHUB_WORKSPACE") or os.getcwd()
    for rule in rules.rules:
        report = rule.report
        for finding in report.findings:
            place = _place(finding, rule.place).below(folder)
            about = f"{finding.input}: {finding.fault}" if finding.input else finding.fault
            message = " ".join([finding.story(), finding.evidence(), say("rules.fix", fix=finding.fix())])
            kind = "error" if finding.grade == WRONG and finding.about != "second" else "warning"
            yield _line(kind, place, f"{report.name}: {about}", message)
        if report.verdict == NOT_EXAMINED:
            reasons = "; ".join(remark.unseen() for remark in report.not_examined)
            place = rule.place.below(folder)
            yield _line("warning", place, say("rules.annotation.unseen", name=report.name), reasons)


def _place(finding: RuleFinding, rule: RulePlace) -> RulePlace:
    """The line of the finding itself where it has one, else that of the rule."""
    return RulePlace(finding.file or rule.file, finding.line) if finding.line else rule


def _line(kind: str, place: RulePlace, title: str, message: str) -> str:
    """What GitHub would take for the end of a field is escaped, as it asks for."""
    fields = []
    if place.file:
        fields += [f"file={_field(place.file)}", f"line={place.line}"]
    fields.append(f"title={_field(title)}")
    return f"::{kind} {','.join(fields)}::{_data(message)}"


def _data(text: str) -> str:
    return visible(" ".join(text.split())).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _field(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
