"""Stages of an examination after the verdict on the gradient, and the time that they share.

A stage that the time does not reach is not run; one remark names them all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from time import monotonic

from .report import Remark, RuleFinding, Unseen

__all__ = ["BUDGET", "RuleStage", "late_remark", "run_stages"]

BUDGET = 8.0  # seconds for all stages together


@dataclass(frozen=True)
class RuleStage:
    """One group of questions: its name, and the generator that asks them."""

    name: str  # conduct, second, shapes, transforms, devices, precisions or memory
    found: Iterator[RuleFinding | Remark]


def late_remark(names: Iterable[str]) -> Unseen:
    """What the time did not reach."""
    return Unseen("time", ", ".join(dict.fromkeys(names)))


def run_stages(stages: Iterable[RuleStage], deadline: float) -> Iterator[RuleFinding | Remark]:
    """What the stages find, one after the other; a stage that has begun stops where it wants to."""
    late: list[str] = []
    for stage in stages:
        if monotonic() > deadline:
            late.append(stage.name)
            continue
        for found in stage.found:
            if isinstance(found, Unseen) and found.code == "time":
                late.append(stage.name)
            else:
                yield found
    if late:
        yield late_remark(late)
