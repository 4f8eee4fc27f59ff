"""Statements and testimonies: a witness's numbers for the gradients of one pass.

A *statement* is what a witness has found out by itself: its own number for the output and for
each slope, with an error bar, or why it has none.  A *testimony* is that statement beside the
numbers on trial: each gradient has its *finding*, and the whole has one status.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ..text.numerals import json_number

__all__ = [
    "ABSENT", "AGREES", "CANNOT", "DISAGREES", "UNRELIABLE",
    "Estimate", "Finding", "Statement", "Testimony",
]  # fmt: skip

AGREES, DISAGREES, UNRELIABLE = "agrees", "disagrees", "unreliable"
CANNOT, ABSENT = "cannot", "not installed"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A witness's own number, with its own error bar; `why` says what makes it doubtful, if anything."""

    number: float
    error: float = 0.0
    why: str = ""
    sides: tuple[float, float] | None = None  # at a kink, the slopes to the left and to the right


_NONE: Mapping[str, Estimate] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Statement:
    """What one witness has found out, before anybody compares it with anything.

    Slopes are derivatives of the output, so for a seed of 1; one under "" is along the direction
    through all inputs on trial.  With `status` CANNOT or ABSENT there are no numbers.
    """

    witness: str
    value: Estimate | None = None
    slopes: Mapping[str, Estimate] = field(default_factory=lambda: _NONE)
    status: str = ""
    why: str = ""
    about: str = ""  # the op, the extra to install, the count: what `why` is about
    note: str = ""  # a remark that belongs to its row, as a code


@dataclass(frozen=True, slots=True)
class Finding:
    """One gradient beside the witness's own number for it."""

    name: str  # the input, or "" for one direction through all of them
    gradient: float
    witness: float
    error: float  # the witness's own error bar
    status: str  # AGREES, DISAGREES or UNRELIABLE
    why: str = ""  # for UNRELIABLE: "kink", "rough", "range", "rounding" ...
    sides: tuple[float, float] | None = None  # at a kink, the slopes to the left and to the right

    @property
    def gap(self) -> float:
        """How far apart the two numbers are, relative to them where they are large."""
        return abs(self.gradient - self.witness) / max(1.0, abs(self.gradient))


@dataclass(frozen=True, slots=True)
class Testimony:
    witness: str
    findings: tuple[Finding, ...]
    value: Finding | None = None  # the output's own number, where the witness computes it
    kept_from: tuple[str, str, str] = ("", "", "")  # CANNOT or ABSENT, why, and about what
    note: str = ""

    def having(self, status: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == status]

    @property
    def right(self) -> bool:
        """Did the witness contradict nothing?"""
        return not self.having(DISAGREES)

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """The finding about the value, if there is one, and those about the gradients."""
        return (*((self.value,) if self.value else ()), *self.findings)

    @property
    def status(self) -> str:
        """One word for all: a contradiction outweighs a doubt, and a doubt outweighs agreement."""
        if self.kept_from[0]:
            return self.kept_from[0]
        statuses = {finding.status for finding in self.all_findings}
        return next((status for status in (DISAGREES, UNRELIABLE, AGREES) if status in statuses), CANNOT)

    @property
    def why(self) -> str:
        """The reason for the status, as a code."""
        if self.kept_from[0]:
            return self.kept_from[1]
        status = self.status
        return next((f.why for f in self.all_findings if f.status == status and f.why), "")

    def to_json(self) -> dict[str, object]:
        return {
            "witness": self.witness,
            "right": self.right,
            "findings": [
                {
                    "input": finding.name,
                    "status": finding.status,
                    "why": finding.why,
                    "gradient": json_number(finding.gradient),
                    "witness": json_number(finding.witness),
                    "error": json_number(finding.error),
                }
                for finding in self.findings
            ],
        }
