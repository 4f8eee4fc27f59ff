"""Report on an engine: verdict, findings, limits, design choices, and what was not examined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ...ops import OPS
from ...text.numerals import json_number
from ...text.page import Page, Result, Sections, plain_heading
from ...text.translation import speaking
from ..inside.op_spellings import METHODS, REFLECTED
from ..verdict import CORRECT, LIMITED, NOT_EXAMINED, WRONG, Verdict
from . import report_html, report_text
from .child_protocol import ProbeNumbers, Trouble
from .findings import EngineFinding
from .forgery_signs import ForgerySign
from .limits_and_choices import DesignChoice, Limit
from .probe_outcomes import Examination
from .source import EngineSource
from .usage_plan import UsagePlan

__all__ = ["Report"]

SCHEMA = "minigrad.doctor/1"


@dataclass(frozen=True, repr=False)
class Report(Result):
    subject: EngineSource
    exam: Examination
    findings: tuple[EngineFinding, ...] = ()
    limits: tuple[Limit, ...] = ()
    choices: tuple[DesignChoice, ...] = ()
    signs: tuple[ForgerySign, ...] = ()
    corrected: Mapping[str, str] = field(default_factory=dict)  # files with all confirmed repairs made
    unexplained: int = 0  # probes that are wrong all the same

    @property
    def verdict(self) -> Verdict:
        if self.exam.trouble:
            return NOT_EXAMINED
        if self.findings:
            return WRONG
        return LIMITED if any(limit.limiting for limit in self.limits) else CORRECT

    @property
    def suspicions(self) -> tuple[str, ...]:
        """Why the results may be the engine's own writing, in sentences; none of it changes the verdict."""
        return tuple(sign.text for sign in self.signs)

    @property
    def trouble(self) -> Trouble | None:
        return self.exam.trouble

    @cached_property
    def not_examined(self) -> tuple[str, ...]:
        """Ops that the engine has not, as they would be written."""
        if self.exam.trouble:
            return ()
        ops = self.exam.plan.ops
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
        return tuple(op for op in METHODS if op in self.exam.plan.ops)

    def sections(self, page: Page) -> Sections:
        return report_text.sections(self, page)

    def _title(self) -> str:
        return plain_heading(report_text.title(self))

    def _notes(self, page: Page) -> list[str]:
        return report_text.notes(self, page)

    def html(self, *, lang: str | None = None) -> str:
        with speaking(lang):
            return report_html.page(self)

    def __repr__(self) -> str:
        return f"<Report on {self.subject.path.name}: {self.verdict}, {len(self.findings)} findings>"

    def to_json(self) -> dict[str, object]:
        """Plain data for json.dumps."""
        document: dict[str, object] = {
            "schema": SCHEMA,
            "path": str(self.subject.path),
            "verdict": self.verdict,
            "class": self.exam.plan.class_name,
            "interface": _interface(self.exam.plan),
            "probes": self.probes,
            "unreached": self.exam.unreached,
            "unexplained": self.unexplained,
            "findings": [_finding_json(finding) for finding in self.findings],
            "limits": [
                {
                    "code": limit.code,
                    "what": limit.what,
                    "detail": limit.detail,
                    "limiting": limit.limiting,
                    "count": limit.count,
                }
                for limit in self.limits
            ],
            "suspicions": [
                {"code": sign.code, "count": sign.count, "what": sign.what} for sign in self.signs
            ],
            "design_choices": [choice.code for choice in self.choices],
            "not_examined": list(self.not_examined),
        }
        if self.trouble:
            document["trouble"] = {"code": self.trouble.code, "detail": self.trouble.detail}
        return document


def _interface(plan: UsagePlan) -> dict[str, object]:
    if not plan:
        return {}
    return {
        "data": plan.data.name,
        "grad": plan.grad.name or plan.grad.how,
        "backward": plan.backward.name,
        "on": plan.backward.on,
        "ops": sorted(plan.ops),
    }


def _finding_json(finding: EngineFinding) -> dict[str, object]:
    seen, right = finding.outcome.worst, finding.outcome.expected
    fix, shaky = finding.fix, finding.unsteady or finding.outcome
    return {
        "fault": finding.fault,
        "ops": list(finding.ops),
        "name": finding.name,
        "graph": finding.graph,
        "got": _numbers(seen.value if isinstance(seen, ProbeNumbers) else None, finding.outcome.grads),
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


def _numbers(value: float | None, grads: Mapping[str, float | None]) -> dict[str, object]:
    return {
        "value": None if value is None else json_number(value),
        "grads": {name: None if grad is None else json_number(grad) for name, grad in grads.items()},
    }
