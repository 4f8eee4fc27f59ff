"""Examination of an engine, from its path to the report.

    print(examine("engine.py"))
    examine("engine.py:Value").verdict          # "correct", "wrong", "limited" or "not examined"

The source is found (`source`), the probes run (`probe_outcomes`), wrong numbers get names
(`fault_dictionary`, `findings`) and lines (`fix_search`), and the rest is noted (`limits_and_choices`).
`ordinary_programs` says what must have run for the verdict CORRECT, and `forgery_signs` what looks as if the
engine had written its results itself.  `failing_pass` makes a pass that raises on everything run first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path

from ..patches.patch import Patch
from ..sandbox.process import PROCESSES
from ..sandbox.runner import Runner
from .configuration import check_pins, pins_of
from .failing_pass import (
    examination_with_running_pass,
    finding_of_failing_pass,
    finding_of_hidden_pass,
    is_hidden,
)
from .findings import EngineFinding
from .fix_search import Repaired, find_fixes, made_by
from .forgery_signs import ForgerySign, forgery_signs
from .limits_and_choices import choices_of, limits_of
from .ordinary_programs import too_few_ran
from .probe_outcomes import Examination, run_probes
from .report import Report
from .source import subject_of

__all__ = ["examine", "examine_corrected"]


def examine(
    path: str | PathLike[str],
    *,
    pins: Mapping[str, object] | None = None,
    cell: int | None = None,
    patience: float = 1.0,
    runner: Runner = PROCESSES,
) -> Report:
    """Examine the engine that PATH[:Class] names: a file, a folder, a module or a notebook.

    `pins` says what cannot be found: {"data": "val", "grad": "adj", "backward": "run"}; a doctor.toml
    beside the file says the same.  With more `patience` than 1, a slow machine has so many times the usual
    time; what has to stop stops later.  `runner` runs the engine apart; without one, child processes do.
    SubjectError where there is nothing to examine.
    """
    given = fspath(path)
    known = {**pins_of(Path(given)), **check_pins(pins or {}, "pins")}
    if "class" in known and Path(given).exists():  # a class behind a colon counts more
        given = f"{given}:{known['class']}"
    pinned = known.get("cell")
    subject = subject_of(given, cell=pinned if cell is None and isinstance(pinned, int) else cell)
    return _report(run_probes(subject, known, patience, runner))


def examine_corrected(report: Report) -> Report:
    """The same engine with all confirmed repairs made, examined like any other."""
    exam = report.exam
    own = report.corrected.get(str(exam.subject.path), exam.subject.source)
    subject = replace(exam.subject, source=own)
    return _report(run_probes(subject, exam.pins, exam.patience, exam.runner, texts=report.corrected))


def _report(exam: Examination) -> Report:
    exam.trouble = exam.trouble or too_few_ran(exam)
    if exam.trouble and exam.trouble.code == "raises":
        running = examination_with_running_pass(exam)
        if running is not None:
            return _report_of_failing_pass(finding_of_failing_pass(running[0], exam.trouble.detail), *running)
    signs = tuple(forgery_signs(exam))
    if exam.trouble:
        return Report(exam.subject, exam, signs=signs)
    if is_hidden(exam):
        running = examination_with_running_pass(exam, "shown-again")
        if running is not None:
            return _report_of_failing_pass(finding_of_hidden_pass(exam), *running)
    return _report_of(exam, find_fixes(exam), signs)


def _report_of_failing_pass(finding: EngineFinding | None, exam: Examination, patch: Patch) -> Report:
    """Why the pass does not run, and what else is wrong once it does."""
    made = [made_by(exam, finding, patch)] if finding is not None else []
    return _report_of(exam, find_fixes(exam, made), tuple(forgery_signs(exam)))


def _report_of(exam: Examination, repaired: Repaired, signs: tuple[ForgerySign, ...]) -> Report:
    return Report(
        exam.subject,
        exam,
        tuple(repaired.findings),
        tuple(limits_of(exam)),
        tuple(choices_of(exam)),
        signs,
        repaired.texts,
        repaired.unexplained,
    )
