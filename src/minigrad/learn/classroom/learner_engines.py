"""A learner's own engine, through the doctor: the verdict, the findings and the line.

The doctor runs it in child processes with limits; nothing of it runs here.  It is examined alone, as a copy
in a folder of its own: nothing that somebody else handed in lies beside it, and no doctor.toml is read.
Whose it is says a comment in it, `# sheet 3f9a-01bc-77de`, or its file name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from re import compile as pattern
from re import sub
from tempfile import TemporaryDirectory

from ...doctor import examine
from ...doctor.engine.configuration import FILE as CONFIGURATION
from ...doctor.engine.probe_outcomes import RIGHT as OUTCOME_RIGHT
from ...doctor.engine.report import Report
from ...doctor.engine.report_text import headline
from ...doctor.engine.source import SubjectError, code_cells
from ...doctor.verdict import CORRECT, LIMITED, NOT_EXAMINED, WRONG, Verdict
from ...text.escape import printable, visible
from ...text.page import Page
from ...text.translation import say
from .sheet_markdown import escape_markdown

__all__ = [
    "BUG_COST",
    "LARGEST",
    "LARGEST_NOTEBOOK",
    "MOST_FILES",
    "EngineFile",
    "ExaminedEngine",
    "examine_engine",
    "looks_like_an_engine",
    "unexamined_engine",
]

POINTS: dict[Verdict, float] = {CORRECT: 1.0, LIMITED: 0.5, NOT_EXAMINED: 0.0}
BUG_COST = 0.25  # of one point, unless the teacher says otherwise
LARGEST = 400_000  # octets of code; parsing more takes seconds and gigabytes
LARGEST_NOTEBOOK = 16_000_000  # its outputs are in it
MOST_FILES = 100  # of a folder that a learner handed in
COLUMNS = 68  # that a page of feedback has
_CODE = pattern(r"sheet:?\s+([0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4})")


@dataclass(frozen=True)
class EngineFile:
    """An engine as it was handed in, read and not yet run: a file, or a folder of a learner's own."""

    name: str  # as it is shown
    stem: str
    folder: str  # the name of the folder that says whose it is
    texts: Mapping[str, bytes]  # by the path in a folder of its own
    is_folder: bool = False

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of sheets that stand in it."""
        texts = (text[: 1 << 16].decode("utf-8", errors="replace") for text in self.texts.values())
        return tuple(dict.fromkeys(code for text in texts for code in _CODE.findall(text)))


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
    folder: str = ""
    suspicions: tuple[str, ...] = ()  # why the teacher should look at it by hand
    share: float = 0.0  # of the probes, those that came out right
    bug_cost: float = BUG_COST  # what each bug takes away from the one point

    @property
    def points(self) -> float:
        """A wrong engine keeps what its bugs leave of the point, its share of right probes at most."""
        if self.verdict != WRONG:
            return POINTS[self.verdict]
        left = 1.0 - self.bug_cost * max(1, len(self.findings))
        return round(max(0.0, min(left, self.share)), 2)


def examine_engine(handed: EngineFile, lang: str | None = None, bug_cost: float = BUG_COST) -> ExaminedEngine:
    """The doctor's report on what was handed in, whatever is in it."""
    if why := _too_large(handed):
        return unexamined_engine(handed, why)
    with TemporaryDirectory(prefix="minigrad-", ignore_cleanup_errors=True) as root:
        # A doctor.toml is looked for in three folders upwards; all three are ours.
        alone = Path(root, "alone", "engine")
        alone.mkdir(parents=True)
        for place, text in handed.texts.items():
            path = alone / _plain_place(place)
            if path.name != CONFIGURATION:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text)
        try:
            report = examine(alone if handed.is_folder else path)
        except SubjectError as error:
            return unexamined_engine(handed, str(error))
        markdown, plain = (
            _visible_lines(form.replace(f"{alone}/", ""))
            for form in (report.markdown(lang), report.text(lang, Page(width=COLUMNS)))
        )
        return ExaminedEngine(
            f"{handed.name}/{report.subject.path.name}" if handed.is_folder else handed.name,
            handed.stem,
            report.verdict,
            visible(headline(report)),
            tuple(_finding(report, at) for at in range(len(report.findings))),
            markdown,
            plain,
            handed.codes,
            handed.folder,
            report.suspicions,
            _share(report),
            bug_cost,
        )


def _share(report: Report) -> float:
    """How many of the probes came out right."""
    outcomes = report.exam.outcomes.values()
    return sum(outcome.status == OUTCOME_RIGHT for outcome in outcomes) / len(outcomes) if outcomes else 0.0


def unexamined_engine(handed: EngineFile, why: str, suspicions: tuple[str, ...] = ()) -> ExaminedEngine:
    """An engine that the doctor has nothing to say about, with the reason."""
    why = visible(why)
    return ExaminedEngine(
        handed.name,
        handed.stem,
        NOT_EXAMINED,
        why,
        (),
        f"{escape_markdown(why)}\n",
        why,
        handed.codes,
        handed.folder,
        suspicions,
    )


def _too_large(handed: EngineFile) -> str:
    """Why it is not examined: there is more code in it than a learner writes; "" if there is not."""
    code = sum(
        _code_size(text) if place.endswith(".ipynb") else len(text) for place, text in handed.texts.items()
    )
    if code > LARGEST:
        return say("classroom.engine.large", file=handed.name, most=LARGEST // 1000)
    if len(handed.texts) > MOST_FILES:
        return say("classroom.engine.many", file=handed.name, most=MOST_FILES)
    return ""


def _code_size(notebook: bytes) -> int:
    """Characters of the code of a notebook, as the doctor parses it; of what is no notebook it tells."""
    if len(notebook) > LARGEST_NOTEBOOK:
        return len(notebook)
    try:
        return sum(len(source) for _, source in code_cells(notebook.decode("utf-8-sig")))
    except ValueError:
        return 0


def _plain_place(place: str) -> str:
    """A path in which nothing means anything in Markdown; what it is called is a part of the report."""
    parts = (sub(r"[^\w. ()-]", "-", part)[-80:] for part in PurePosixPath(place).parts)
    return "/".join(parts)


def _visible_lines(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _finding(report: Report, at: int) -> str:
    finding = report.findings[at]
    line = f":{finding.fix.place.line}" if finding.fix else ""
    return f"{printable(finding.name)} ({printable(report.subject.path.name)}{line})"


def looks_like_an_engine(text: str) -> bool:
    """Is this notebook somebody's engine, and no sheet?"""
    return "class " in text and "backward" in text
