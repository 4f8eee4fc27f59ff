"""The doctor's report: verdict, findings, limits, design choices, and what was not examined.

print(examine("engine.py"))
examine("engine.py:Value").verdict          # "correct", "wrong", "limited" or "not examined"
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ...ops import OPS
from ...text.numerals import json_number
from ...text.page import Page, Result, Sections
from ...text.translation import speaking
from ..inside.op_spellings import METHODS, REFLECTED
from .child_protocol import Trouble
from .configuration import checked, pins_of
from .examination import Examination, examination
from .findings import EngineFinding
from .fix_search import operated
from .limits_and_choices import DesignChoice, Limit, choices_of, limits_of
from .source import EngineSource, subject_of

__all__ = ["CORRECT", "LIMITED", "NOT_EXAMINED", "WRONG", "Report", "examine"]

SCHEMA = "minigrad.doctor/1"
CORRECT, WRONG, LIMITED, NOT_EXAMINED = "correct", "wrong", "limited", "not examined"


@dataclass(frozen=True, repr=False)
class Report(Result):
    subject: EngineSource
    exam: Examination
    findings: tuple[EngineFinding, ...] = ()
    limits: tuple[Limit, ...] = ()
    choices: tuple[DesignChoice, ...] = ()

    @property
    def verdict(self) -> str:
        if self.exam.trouble:
            return NOT_EXAMINED
        if self.findings:
            return WRONG
        return LIMITED if any(limit.limiting for limit in self.limits) else CORRECT

    @property
    def trouble(self) -> Trouble | None:
        return self.exam.trouble

    @cached_property
    def not_examined(self) -> tuple[str, ...]:
        """Ops that the engine has not, as they would be written."""
        if self.exam.trouble:
            return ()
        ops = self.exam.plan["ops"]
        usual = ("sub", "neg", "mul", "add", "div", "pow", "exp", "log", "tanh", "sigmoid", "relu")
        found = [
            OPS[op].write("a", "b") if OPS[op].arity[0] == 2 else OPS[op].write("a")
            for op in usual
            if op not in ops
        ]
        found += [OPS[op].write("2", "a") for op in REFLECTED if op in ops and "kv" not in ops[op]]
        found += [OPS[op].write("a", "b") for op in ("pow",) if op in ops and "vv" not in ops[op]]
        return tuple(found)

    @property
    def probes(self) -> int:
        return len(self.exam.outcomes)

    @property
    def ops(self) -> tuple[str, ...]:
        return tuple(op for op in METHODS if op in self.exam.plan.get("ops", {}))

    def sections(self, page: Page) -> Sections:
        from .report_text import sections

        return sections(self, page)

    def _title(self) -> str:
        from .report_text import title

        return title(self)

    def _notes(self, page: Page) -> list[str]:
        from .report_text import notes

        return notes(self, page)

    def html(self, *, lang: str | None = None) -> str:
        from .report_html import sheet

        with speaking(lang):
            return sheet(self)

    def __repr__(self) -> str:
        return f"<Report on {self.subject.path.name}: {self.verdict}, {len(self.findings)} findings>"

    def to_json(self) -> dict[str, Any]:
        """Plain data for json.dumps."""
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "path": str(self.subject.path),
            "verdict": self.verdict,
            "class": self.exam.plan.get("class", ""),
            "interface": _interface(self.exam.plan),
            "probes": self.probes,
            "unreached": self.exam.unreached,
            "findings": [_finding_json(finding) for finding in self.findings],
            "limits": [
                {"code": limit.code, "what": limit.what, "detail": limit.detail, "limiting": limit.limiting}
                for limit in self.limits
            ],
            "design_choices": [choice.code for choice in self.choices],
            "not_examined": list(self.not_examined),
        }
        if self.trouble:
            document["trouble"] = {"code": self.trouble.code, "detail": self.trouble.detail}
        return document


def _interface(plan: Mapping[str, Any]) -> dict[str, Any]:
    if not plan:
        return {}
    return {
        "data": plan["data"][1],
        "grad": plan["grad"][1] or plan["grad"][0],
        "backward": plan["backward"].get("name", ""),
        "on": plan["backward"]["on"],
        "ops": sorted(plan["ops"]),
    }


def _finding_json(finding: EngineFinding) -> dict[str, Any]:
    seen, right = finding.outcome.worst, finding.outcome.expected
    fix, shaky = finding.fix, finding.unsteady or finding.outcome
    return {
        "fault": finding.fault,
        "ops": list(finding.ops),
        "name": finding.name,
        "graph": finding.graph,
        "got": _numbers(seen.get("value"), seen.get("grads", {})),
        "expected": _numbers(right.value, right.grads),
        "flaky": finding.flaky,
        "runs": {"wrong": shaky.wrong_runs, "all": shaky.runs},
        "probes": list(finding.probes),
        "alike": list(finding.alike),
        "file": fix.place.file or None if fix else None,
        "line": fix.place.line if fix else None,
        "cell": fix.place.cell if fix else None,
        "confirmed": bool(fix and fix.confirmed),
        "before": list(fix.before) if fix else [],
        "after": list(fix.after) if fix else [],
    }


def _numbers(value: float | None, grads: Mapping[str, float | None]) -> dict[str, Any]:
    return {
        "value": None if value is None else json_number(value),
        "grads": {name: None if grad is None else json_number(grad) for name, grad in grads.items()},
    }


def examine(
    path: str | PathLike[str],
    *,
    pins: Mapping[str, Any] | None = None,
    cell: int | None = None,
    patience: float = 1.0,
) -> Report:
    """Examine the engine that PATH[:Class] names: a file, a folder, a module or a notebook.

    `pins` says what cannot be found: {"data": "val", "grad": "adj", "backward": "run"}; a doctor.toml
    beside the file says the same.  With more `patience` than 1, a slow machine has so many times the usual
    time; what has to stop stops later.  SubjectError where there is nothing to examine.
    """
    given = fspath(path)
    known = {**pins_of(Path(given)), **checked(pins or {}, "pins")}
    if "class" in known and Path(given).exists():  # a class behind a colon counts more
        given = f"{given}:{known['class']}"
    subject = subject_of(given, cell=known.get("cell") if cell is None else cell)
    exam = examination(subject, known, patience)
    if exam.trouble:
        return Report(subject, exam)
    findings = operated(exam)
    return Report(subject, exam, tuple(findings), tuple(limits_of(exam)), tuple(choices_of(exam)))
