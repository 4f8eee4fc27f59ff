"""Reproduction of a finding: a script of its own that still shows it, as short as it can be made.

    made = reproduce(report, "repro.py")
    made.lines, made.entry_line, made.tried

The program is reduced in a child process with limits.  What is left of it is run and x-rayed by itself, in
another one, and is written only if that shows the finding again.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..doctor.sandbox import message_fields as fields
from ..doctor.sandbox.process import PROCESSES
from ..doctor.sandbox.runner import ChildProgram, Job, RawMessage, Runner
from ..errors import MinigradError
from ..text.escape import visible
from ..text.files import write_whole
from ..text.page import Page, Result, Sections
from ..text.translation import language, say
from .program import LIMITS, ROOT, ProgramSource

if TYPE_CHECKING:
    from .report import XrayEntry, XrayReport

__all__ = ["LINES", "SECONDS", "TRIALS", "Reproduction", "ReproductionError", "check_target", "reproduce"]

LINES = 30  # that a script should have at most
TRIALS, SECONDS = 800, 180.0
AROUND = 120.0  # seconds for what is not a candidate: PyTorch is loaded, the program examined as it is
LONGEST = 1 << 20  # characters of a script
CHILD = ChildProgram("minigrad.xray.reduction_child", ROOT)


class ReproductionError(MinigradError, ValueError):
    """No script can be made, or none that shows the finding; nothing was written."""


@dataclass(frozen=True)
class Reproduction(Result):
    """A script that was written, and how it came about."""

    path: str
    family: str
    entry_line: int  # where the finding is in it; 0 for one without a line
    lines: int
    lines_before: int
    tried: int
    accepted: int
    spent: bool  # was the budget over before nothing more could be removed?

    def sections(self, page: Page) -> Sections:
        rows = [say("xray.reproduced.lines", path=visible(self.path), lines=self.lines, of=self.lines_before)]
        key = "xray.reproduced.again" if self.entry_line else "xray.reproduced.again_nowhere"
        rows.append(say(key, family=self.family, line=self.entry_line))
        rows.append(say("xray.reproduced.tried", tried=self.tried, accepted=self.accepted))
        if self.spent:
            rows.append(say("xray.reproduced.spent"))
        if self.lines > LINES:
            rows.append(say("xray.reproduced.long", lines=self.lines, most=LINES))
        yield say("xray.reproduced.title"), [line for row in rows for line in page.wrap(row)]

    def _title(self) -> str:
        return say("xray.reproduced.title")

    def to_json(self) -> dict[str, object]:
        return {
            "path": self.path, "family": self.family, "line": self.entry_line or None, "lines": self.lines,
            "lines_before": self.lines_before, "tried": self.tried, "accepted": self.accepted,
            "budget_spent": self.spent,
        }  # fmt: skip


def check_target(path: str | os.PathLike[str], overwrite: bool = False) -> Path:
    """The file to write; an error where it is none, or is there already."""
    target = Path(path)
    if target.suffix != ".py":
        raise ReproductionError(say("xray.reproduce.ending", given=visible(repr(target.name))))
    if os.path.lexists(target) and not overwrite:
        raise ReproductionError(say("xray.reproduce.exists", path=visible(str(target))))
    if not target.parent.is_dir():
        raise ReproductionError(say("xray.reproduce.folder", path=visible(str(target.parent))))
    return target


def reproduce(
    report: XrayReport,
    path: str | os.PathLike[str],
    entry: XrayEntry | None = None,
    *,
    overwrite: bool = False,
    trials: int = TRIALS,
    seconds: float = SECONDS,
    runner: Runner = PROCESSES,
) -> Reproduction:
    """Write the smallest script that was found to show an entry of a report; without one, its first."""
    target = check_target(path, overwrite)
    if not hasattr(os, "fork"):
        raise ReproductionError(say("xray.reproduce.system", system=sys.platform))
    if not report.entries:
        raise ReproductionError(say("xray.reproduce.nothing"))
    wanted = report.entries[0] if entry is None else entry
    if wanted not in report.entries:
        raise ReproductionError(say("xray.reproduce.entry"))
    source = _source_of(report)
    request: dict[str, Any] = {
        "file": source.file,
        "folder": os.getcwd(),
        "function": source.function,
        "captured": source.captured,
        "intended": list(source.intended),
        "language": language(),
        "trials": trials,
        "seconds": seconds,
        "lines": LINES - 1,  # and one that says what it shows
        "entry": {
            "family": wanted.family,
            "code": wanted.code,
            "grade": wanted.grade,
            "line": wanted.place.line,
            "own": os.path.realpath(wanted.place.file) == os.path.realpath(source.file),
            "position": report.entries.index(wanted),
        },
    }
    reduced = _run(runner, request, seconds)
    key = "xray.reproduced.head_self" if source.captured else "xray.reproduced.head"
    head = say(key, name=target.name, family=wanted.family)
    text = f"# {head}\n{reduced.text}"
    with tempfile.TemporaryDirectory() as folder:
        trial = os.path.join(folder, target.name)
        Path(trial).write_text(text, encoding="utf-8")
        again = {
            **request, "file": trial, "trials": 0,
            "entry": {**request["entry"], "own": False},
        }  # fmt: skip
        found = _run(runner, again, seconds)
    try:
        if overwrite:
            write_whole(target, text)
        else:
            with target.open("x", encoding="utf-8") as file:  # never over a file that has come meanwhile
                file.write(text)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise ReproductionError(say("xray.reproduce.failed", path=visible(str(target)), why=why)) from None
    return Reproduction(
        str(target), wanted.family, found.line, text.count("\n"), reduced.lines_before, reduced.tried,
        reduced.accepted, reduced.spent,
    )  # fmt: skip


def _source_of(report: XrayReport) -> ProgramSource:
    if isinstance(report.source, ProgramSource):
        return report.source
    make_loss = getattr(report.subject, "make_loss", None)
    code = getattr(make_loss, "__code__", None)
    if code is None or not os.path.isfile(code.co_filename):
        raise ReproductionError(say("xray.reproduce.source"))
    intended = tuple(getattr(report.subject, "intended", ()))
    return ProgramSource(os.path.abspath(code.co_filename), "", True, intended)


@dataclass(frozen=True)
class _Reduced:
    """What the child answers."""

    text: str
    line: int
    lines_before: int
    tried: int
    accepted: int
    spent: bool
    failed: str = ""


def _run(runner: Runner, request: Mapping[str, Any], seconds: float) -> _Reduced:
    wall = seconds + 2 * AROUND
    limits = replace(LIMITS, wall=wall, cpu=2 * wall)
    own = os.environ.get("PYTHONPATH", "")
    path = (ROOT, *(os.path.abspath(each) for each in own.split(os.pathsep) if each))
    ended = runner.run(Job(CHILD, request, limits, path=path), _answer_from)
    if len(ended.messages) != 1 or ended.kind != "finished":
        raise ReproductionError(say("xray.reproduce.ended", how=ended.kind))
    answer = ended.messages[0]
    if answer.failed:
        again = "again" if request["trials"] == 0 else answer.failed
        raise ReproductionError(say(f"xray.reproduce.{again}"))
    return answer


def _answer_from(raw: RawMessage) -> _Reduced | None:
    """The answer that a message of the child holds; None for anything else."""
    try:
        if "failed" in raw:
            return _Reduced("", 0, 0, 0, 0, False, fields.choice(raw["failed"], "no_torch", "other_finding"))
        line, before, tried, accepted = (
            fields.count(raw[key]) for key in ("line", "lines_before", "tried", "accepted")
        )
        return _Reduced(
            fields.text(raw["text"], LONGEST), line, before, tried, accepted, fields.flag(raw["spent"])
        )
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None
