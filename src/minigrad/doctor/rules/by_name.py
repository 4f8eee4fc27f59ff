"""Examination of a function by its name: its module is imported by a program that runs apart, never here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..sandbox.process import PROCESSES
from ..sandbox.runner import Ended, Job, Limits, Program, RawMessage, Runner
from ..verdict import NOT_EXAMINED
from .report import RuleReport, Unseen

if TYPE_CHECKING:
    from .child import RuleRequest

__all__ = ["examine_named"]

LIMITS = Limits(
    wall=180.0, cpu=150.0, resident=6 << 30
)  # a library takes seconds to load, and its share of memory
LONGEST = 200  # characters of what the child printed at the end
ROOT = str(Path(__file__).resolve().parents[3])  # the folder that minigrad is in
CHILD = Program("minigrad.doctor.rules.child", ROOT)

M = TypeVar("M")


def examine_named(
    name: str,
    *,
    library: str = "torch",
    folder: str | Path = ".",
    seed: int = 0,
    limits: Limits = LIMITS,
    runner: Runner = PROCESSES,
) -> RuleReport:
    """Examine "module:Function" or "path/to/file.py:Function"; modules are looked for in `folder` too."""
    request: RuleRequest = {
        "name": name,
        "library": library,
        "folder": str(Path(folder).resolve()),
        "seed": seed,
    }
    ended = runner.run(Job(CHILD, request, limits, path=(ROOT,)), report_from)
    if ended.messages:
        return ended.messages[-1]
    unseen = (Unseen("ended", _last_words(ended)),)
    return RuleReport(library, name, NOT_EXAMINED, not_examined=unseen)


def report_from(raw: RawMessage) -> RuleReport | None:
    """The report that a message of the child holds, if it is one."""
    try:
        return RuleReport.from_json(raw)
    except (KeyError, TypeError, ValueError):
        return None


def _last_words(ended: Ended[M]) -> str:
    lines = [line for line in ended.output.splitlines() if line.strip()]
    return f"{ended.kind}; {lines[-1].strip()[:LONGEST]}" if lines else ended.kind
