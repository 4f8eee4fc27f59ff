"""Reports on rules as one HTML page: no script, no network, the same style as the page on an engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from ...drawing.svg import palette
from ...player.page import framed
from ...text.page import Page
from ...text.translation import language, say
from ..page_style import STYLE
from . import report_text
from .report import WRONG, RuleFinding, RuleReport

__all__ = ["page"]


def page(reports: Sequence[RuleReport], remarks: Iterable[str] = ()) -> str:
    """One report, or several after one another."""
    alone = len(reports) == 1
    heading = report_text.title(reports[0]).replace("`", "") if alone else say("rules.list.title")
    body = [f"<h1>{escape(heading)}</h1>"]
    for report in reports:
        if not alone:
            body.append(f"<h1>{escape(report.name)}</h1>")
        body += _report(report)
    body += _list(say("rules.title.unseen"), remarks)
    main = "\n".join(["<main>", *body, "</main>"])
    return framed(heading, main, "", palette() + STYLE, language=language(), look="doctor")


def _report(report: RuleReport) -> Iterator[str]:
    wide = Page(width=10_000)
    first, *others = (line.strip() for line in report_text.verdict_lines(report, wide))
    yield f'<p class="verdict {report.verdict.replace(" ", "-")}">{escape(first)}</p>'
    yield from (f"<p>{escape(line)}</p>" for line in others)
    for finding in report.findings:
        yield from _article(finding)
    if report.snippet:
        yield f"<h2>{escape(say('rules.title.snippet'))}</h2>"
        yield f"<pre>{escape(report.snippet)}</pre>"
    if report.inputs:
        yield from _list(say("rules.title.examined"), report_text.examined_lines(report, wide))
    yield from _list(say("rules.title.choices"), map(report_text.choice, report.design_choices))
    yield from _list(say("rules.title.unseen"), map(report_text.unseen, report.not_examined))


def _article(finding: RuleFinding) -> Iterator[str]:
    name = f"{finding.input}: {finding.fault}" if finding.input else finding.fault
    kind = "wrong" if finding.grade == WRONG else "limited"
    yield f'<article class="{kind}">'
    yield f"<h2>{escape(name)}</h2>"
    yield f"<p>{escape(report_text.story(finding))}</p>"
    if numbers := report_text.evidence(finding):
        yield f"<p>{escape(numbers)}</p>"
    yield from _curve(finding)
    if finding.line is not None:
        place = f"{Path(finding.file).name}:{finding.line}"
        yield f"<p>{escape(say('rules.repaired' if finding.diff else 'rules.place', place=place))}</p>"
    if finding.diff:
        classes = {"-": "removed", "+": "added"}
        rows = (
            f'<span class="{classes.get(row[:1], "")}">{escape(row)}</span>'
            for row in finding.diff.splitlines()
        )
        yield f"<pre>{''.join(rows)}</pre>"
    if not (finding.diff and finding.fault == "one-change"):
        yield f"<p>{escape(say('rules.fix', fix=report_text.fix(finding)))}</p>"
    yield "</article>"


def _curve(finding: RuleFinding) -> Iterator[str]:
    rows = report_text.curve_rows(finding)
    if not rows:
        return
    yield f"<p>{escape(say('rules.curve'))}</p>"
    yield '<div class="scroll"><table>'
    heads = (finding.input, say("rules.curve.got"), say("rules.curve.due"))
    yield "<tr>" + "".join(f"<th>{escape(head)}</th>" for head in heads) + "</tr>"
    for cells in rows:
        yield "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>"
    yield "</table></div>"


def _list(heading: str, texts: Iterable[str]) -> Iterator[str]:
    items = [f"<li>{escape(text.strip())}</li>" for text in texts]
    if items:
        yield from (f"<h2>{escape(heading)}</h2>", "<ul>", *items, "</ul>")
