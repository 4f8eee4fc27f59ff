"""Examination of a function by its name: its module is imported by a program that runs apart, never here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..sandbox.message_fields import choice, count, mapping, name, number, rows, text
from ..sandbox.process import PROCESSES
from ..sandbox.runner import ChildProgram, Ended, Job, Limits, RawMessage, Runner
from ..verdict import LIMITED, NOT_EXAMINED, WRONG
from .report import RuleReport, Unseen

if TYPE_CHECKING:
    from .child import RuleRequest

__all__ = ["examine_named"]

LIMITS = Limits(
    wall=180.0, cpu=150.0, resident=6 << 30
)  # a library takes seconds to load, and its share of memory
LONGEST = 200  # characters of what the child printed at the end
ROOT = str(Path(__file__).resolve().parents[3])  # the folder that minigrad is in
CHILD = ChildProgram("minigrad.doctor.rules.child", ROOT)

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
    """The report that a message of the child holds; None for anything else.

    The examined module can write to the pipe too, so types are checked first, and last whether there is a
    sentence for every code: what is accepted can also be told.
    """
    try:
        _check(raw)
        report = RuleReport.from_json(raw)
        report.text()
        return report
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None


def _check(raw: RawMessage) -> None:
    """MalformedError or KeyError where something in a report has another type than `RuleReport` gives it."""
    for key in ("library", "name", "verdict", "origin"):
        name(raw[key])
    count(raw["comparisons"])
    for one in rows(raw["witnesses"]):
        name(one)
    for one in rows(raw["inputs"]):
        given = mapping(one)
        name(given["name"])
        text(given["text"])
        _check_counts(given["shape"])
    for key in ("design_choices", "not_examined"):
        for one in rows(raw[key]):
            remark = mapping(one)
            name(remark["code"])
            text(remark["about"])
    for one in rows(raw["findings"]):
        _check_finding(mapping(one))


def _check_finding(finding: RawMessage) -> None:
    for key in ("fault", "input"):
        name(finding[key])
    choice(finding["grade"], WRONG, LIMITED)
    _check_counts(finding["position"])
    for key in ("got", "expected", "upstream"):
        if finding[key] is not None and finding[key] not in ("inf", "-inf", "nan"):
            number(finding[key])
    for key, found in mapping(finding["detail"]).items():
        name(key)
        if not isinstance(found, str):
            number(found)
        else:
            text(found)


def _check_counts(raw: object) -> None:
    """Places along axes, or lengths of them; None is fine."""
    for one in rows(raw) if raw is not None else ():
        count(one)


def _last_words(ended: Ended[M]) -> str:
    lines = [line for line in ended.output.splitlines() if line.strip()]
    return f"{ended.kind}; {lines[-1].strip()[:LONGEST]}" if lines else ended.kind
