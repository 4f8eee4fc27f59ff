"""Reports on several rules: those of a file, of a program that was run, or of a test suite."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import overload

from ...text.escape import printable, visible
from ...text.page import Page, Result, Sections, columns
from ...text.translation import say, speaking
from ..verdict import CORRECT, LIMITED, NOT_EXAMINED, WRONG, Verdict
from .report import Remark, RuleReport, Unseen
from .rule_place import RulePlace

__all__ = ["SCHEMA", "ExaminedRule", "InterruptedReportsError", "RuleReports", "worst_of"]

SCHEMA = "minigrad.rule-reports/1"
WORST_FIRST: tuple[Verdict, ...] = (WRONG, NOT_EXAMINED, LIMITED, CORRECT)


@dataclass(frozen=True)
class ExaminedRule:
    """A report, and where the rule was written."""

    report: RuleReport
    place: RulePlace

    def to_json(self) -> dict[str, object]:
        return {"file": self.place.file, "line": self.place.line, "report": self.report.to_json()}


@dataclass(frozen=True, repr=False)
class RuleReports(Result, Sequence[RuleReport]):
    """One report for each rule; and what else there is to say, such as how the program ended."""

    rules: tuple[ExaminedRule, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @overload
    def __getitem__(self, place: int) -> RuleReport: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[RuleReport, ...]: ...

    def __getitem__(self, place: int | slice) -> RuleReport | tuple[RuleReport, ...]:
        return tuple(rule.report for rule in self.rules)[place]

    def __len__(self) -> int:
        return len(self.rules)

    def alone(self) -> RuleReport:
        """The report on the only rule, with the remarks in it."""
        (rule,) = self.rules
        return replace(rule.report, not_examined=(*rule.report.not_examined, *self.remarks))

    def joined(self, other: RuleReports) -> RuleReports:
        """These and others; of the same rule, the worse report."""
        rules = {(rule.report.name, rule.place): rule for rule in self.rules}
        for rule in other.rules:
            key = rule.report.name, rule.place
            mine = rules.get(key, rule)
            rules[key] = rule if worst_of([mine.report, rule.report]) is rule.report else mine
        return RuleReports(tuple(rules.values()), tuple(dict.fromkeys((*self.remarks, *other.remarks))))

    @property
    def verdict(self) -> Verdict:
        """The worst of all; not examined where there was nothing to examine."""
        found = {rule.report.overall for rule in self.rules} or {NOT_EXAMINED}
        return next(each for each in WORST_FIRST if each in found)

    def sections(self, page: Page) -> Sections:
        if len(self.rules) == 1 and not self.remarks:
            yield from self.rules[0].report.sections(page)
            return
        yield from self.summary(page)
        for rule in self.rules:
            if rule.report.overall != CORRECT:
                yield from _titled(rule.report, page)

    def summary(self, page: Page) -> Iterator[tuple[str, Sequence[str]]]:
        """A line for each rule, and the remarks."""
        lines = list(self.lines())
        yield say("rules.list.title"), [f"  {line}" for line in lines] or page.wrap(say("rules.list.none"))
        if self.remarks:
            yield (
                say("rules.title.unseen"),
                [line for each in self.remarks for line in page.wrap(each.unseen())],
            )

    def lines(self) -> Iterator[str]:
        """Verdict, name, place of each rule, and what else is wrong with it; the worst first."""
        folder = os.getcwd()
        rules = sorted(self.rules, key=lambda rule: WORST_FIRST.index(rule.report.overall))
        rows = [
            [
                say(f"rules.verdict.{rule.report.verdict.replace(' ', '_')}").rstrip("."),
                printable(rule.report.name),
                visible(str(rule.place.below(folder))),
                "; ".join(_besides(rule.report)),
            ]
            for rule in rules
        ]
        return ("  ".join(row).rstrip() for row in columns(rows))

    def _title(self) -> str:
        return say("rules.list.title")

    def html(self, *, lang: str | None = None) -> str:
        """All reports on one page."""
        from .report_html import page

        with speaking(lang):
            return page(list(self), [remark.unseen() for remark in self.remarks])

    def __repr__(self) -> str:
        return f"<RuleReports: {', '.join(f'{each.name} {each.verdict}' for each in self)}>"

    def to_json(self) -> dict[str, object]:
        """Plain data, the same in every language."""
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "rules": [rule.to_json() for rule in self.rules],
            "remarks": [remark.to_json() for remark in self.remarks],
        }


class InterruptedReportsError(KeyboardInterrupt):
    """Ctrl-C came before all rules were examined; `reports` has those that were, and names the others."""

    def __init__(self, rules: Sequence[ExaminedRule], left: Sequence[str], remarks: Sequence[Remark] = ()):
        super().__init__()
        reached = Unseen("interrupted", ", ".join(left)) if left else Unseen("interrupted_early")
        self.reports = RuleReports(tuple(rules), (reached, *remarks))


def _titled(report: RuleReport, page: Page) -> Iterator[tuple[str, Sequence[str]]]:
    """The sections of one report, each with its name, so that they are told from those of the others."""
    for title, lines in report.sections(page):
        yield f"{printable(report.name)}: {title}", lines


def _besides(report: RuleReport) -> Iterator[str]:
    """What is wrong with it besides its gradient."""
    for about, found in (("conduct", report.conduct), ("second", report.second)):
        if found == WRONG:
            yield say(f"rules.list.{about}", faults=", ".join(report.faults_about(about)))


def worst_of(reports: Sequence[RuleReport]) -> RuleReport:
    """Of the same rule at several inputs: what is wrong at some is wrong; one that ran counts."""
    order = (WRONG, LIMITED, CORRECT, NOT_EXAMINED)
    return min(reports, key=lambda report: order.index(report.verdict))
