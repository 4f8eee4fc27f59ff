"""A learner's own engine, through the doctor: the verdict, the findings and the line.

The doctor runs it in child processes with limits; nothing of it runs here.  Whose it is says a comment in
it, `# sheet 3f9a-01bc-77de`, or its file name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from re import compile as pattern

from ...doctor import examine
from ...doctor.engine.report import Report
from ...doctor.engine.report_text import headline
from ...doctor.engine.source import SubjectError
from ...doctor.verdict import CORRECT, LIMITED, NOT_EXAMINED, WRONG, Verdict
from ...text.escape import printable
from ...text.page import Page
from .sheet_markdown import escape_markdown

__all__ = ["POINTS", "ExaminedEngine", "examine_engine", "looks_like_an_engine"]

POINTS: dict[Verdict, float] = {CORRECT: 1.0, LIMITED: 0.5, WRONG: 0.0, NOT_EXAMINED: 0.0}
COLUMNS = 68  # that a page of feedback has
_CODE = pattern(r"sheet:?\s+([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})")


@dataclass(frozen=True)
class ExaminedEngine:
    """One engine."""

    file: str
    stem: str
    verdict: Verdict
    headline: str
    findings: tuple[str, ...]  # each bug with its line
    feedback: str  # the whole report, as Markdown
    text: str  # and as plain text, as wide as a page
    codes: tuple[str, ...] = ()  # of sheets, that stand in it

    @property
    def points(self) -> float:
        return POINTS[self.verdict]


def examine_engine(path: Path, name: str, lang: str | None = None) -> ExaminedEngine:
    """The doctor's report on a file, whatever is in it."""
    codes = _codes(path)
    try:
        report = examine(path)
    except SubjectError as error:
        why = str(error)
        return ExaminedEngine(name, path.stem, NOT_EXAMINED, why, (), escape_markdown(why), why, codes)
    findings = tuple(_finding(report, at) for at in range(len(report.findings)))
    forms = report.markdown(lang), report.text(lang, Page(width=COLUMNS))
    return ExaminedEngine(name, path.stem, report.verdict, headline(report), findings, *forms, codes)


def _finding(report: Report, at: int) -> str:
    finding = report.findings[at]
    line = f":{finding.fix.place.line}" if finding.fix else ""
    return f"{printable(finding.name)} ({printable(report.subject.path.name)}{line})"


def _codes(path: Path) -> tuple[str, ...]:
    try:
        with path.open("rb") as file:
            text = file.read(1 << 16).decode("utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(dict.fromkeys(_CODE.findall(text)))


def looks_like_an_engine(text: str) -> bool:
    """Is this notebook somebody's engine, and no sheet?"""
    return "class " in text and "backward" in text
