"""What a witness says about the gradients of one pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..numerals import json_number

__all__ = ["AGREES", "DISAGREES", "UNRELIABLE", "Finding", "Testimony"]

AGREES, DISAGREES, UNRELIABLE = "agrees", "disagrees", "unreliable"


@dataclass(frozen=True, slots=True)
class Finding:
    """One gradient beside the witness's own number for it."""

    name: str  # the input, or "" for one direction through all of them
    gradient: float
    witness: float
    error: float  # the witness's own error bar
    status: str  # AGREES, DISAGREES or UNRELIABLE
    why: str = ""  # for UNRELIABLE: "kink", "rough", "range" or "rounding"
    sides: tuple[float, float] | None = None  # at a kink, the slopes to the left and to the right

    @property
    def gap(self) -> float:
        """How far apart the two numbers are, relative to them where they are large."""
        return abs(self.gradient - self.witness) / max(1.0, abs(self.gradient))


@dataclass(frozen=True, slots=True)
class Testimony:
    witness: str
    findings: tuple[Finding, ...]

    def having(self, status: str) -> list[Finding]:
        return [finding for finding in self.findings if finding.status == status]

    @property
    def right(self) -> bool:
        """Did the witness contradict nothing?"""
        return not self.having(DISAGREES)

    def to_json(self) -> dict[str, Any]:
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
