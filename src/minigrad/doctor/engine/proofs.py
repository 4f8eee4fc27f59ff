"""Proof of a finding as a person pastes it: its lines, and what is to be changed to get its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...text.translation import say
from .child_protocol import ProbeNumbers, ProbeResult
from .findings import EngineFinding
from .probe_script import script, shown

if TYPE_CHECKING:
    from .report import Report

__all__ = ["changes_before", "proof_lines", "proof_remark"]


def proof_lines(report: Report, finding: EngineFinding) -> list[str]:
    exam = finding.exam or report.exam
    return script(finding.outcome.probe.graph, exam.plan)


def proof_remark(report: Report, finding: EngineFinding) -> str:
    """Which changes of other findings have to be made for these numbers; "" where none."""
    numbers = changes_before(report, finding)
    if not numbers:
        return ""
    key = "doctor.proof.changes" if len(numbers) > 1 else "doctor.proof.change"
    return say(key, numbers=", ".join(map(str, numbers)))


def changes_before(report: Report, finding: EngineFinding) -> list[int]:
    """The numbers of the findings whose changes have to be made first."""
    if finding.exam is None:
        return []
    seen = report.exam.outcomes.get(finding.outcome.probe.id)
    if not report.exam.texts and seen is not None and _same(seen.worst, finding.outcome.worst):
        return []
    return [
        number
        for number, other in enumerate(report.findings, 1)
        if other.fix is not None and other.fix.confirmed
        if other.exam is None or other.exam.round < finding.exam.round
    ]


def _same(one: ProbeResult, other: ProbeResult) -> bool:
    """Would the same be printed?"""
    if not (isinstance(one, ProbeNumbers) and isinstance(other, ProbeNumbers)):
        return False
    return shown(one.value) == shown(other.value) and {
        name: shown(grad) for name, grad in one.grads.items()
    } == {name: shown(grad) for name, grad in other.grads.items()}
