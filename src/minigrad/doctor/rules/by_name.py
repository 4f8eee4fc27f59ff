"""Examination of a function by its name: its module is imported by a program that runs apart, never here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..sandbox import message_fields as fields
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
    """Examine "module:Function" or "path/to/file.py:Function"; modules are looked for in `folder` too.

    The module that is examined can write to the pipe of its process.  So a report counts only if it is the
    only one about this library, and if the process ended properly after it.
    """
    request: RuleRequest = {
        "name": name,
        "library": library,
        "folder": str(Path(folder).resolve()),
        "seed": seed,
    }

    def accept(raw: RawMessage) -> RuleReport | None:
        # The name in a report is the function's own, which need not be the one that was asked for.
        report = report_from(raw)
        return report if report is not None and report.library == library else None

    ended = runner.run(Job(CHILD, request, limits, path=(ROOT,)), accept)
    if len(ended.messages) == 1 and ended.kind == "finished":
        return ended.messages[0]
    if len(ended.messages) > 1:
        unseen = Unseen("several", str(len(ended.messages)))
    else:
        unseen = Unseen("broken_off" if ended.messages else "ended", _last_words(ended))
    return RuleReport(library, name, NOT_EXAMINED, not_examined=(unseen,))


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
        fields.name(raw[key])
    fields.count(raw["comparisons"])
    for one in fields.rows(raw["witnesses"]):
        fields.name(one)
    for one in fields.rows(raw["inputs"]):
        given = fields.mapping(one)
        fields.name(given["name"])
        fields.text(given["text"])
        _check_counts(given["shape"])
    for key in ("design_choices", "not_examined"):
        for one in fields.rows(raw[key]):
            remark = fields.mapping(one)
            fields.name(remark["code"])
            fields.text(remark["about"])
    for one in fields.rows(raw["findings"]):
        _check_finding(fields.mapping(one))


def _check_finding(finding: RawMessage) -> None:
    for key in ("fault", "input"):
        fields.name(finding[key])
    fields.choice(finding["grade"], WRONG, LIMITED)
    _check_counts(finding["position"])
    for key in ("got", "expected", "upstream"):
        if finding[key] is not None and finding[key] not in ("inf", "-inf", "nan"):
            fields.number(finding[key])
    for key, found in fields.mapping(finding["detail"]).items():
        fields.name(key)
        if not isinstance(found, str):
            fields.number(found)
        else:
            fields.text(found)


def _check_counts(raw: object) -> None:
    """Places along axes, or lengths of them; None is fine."""
    for one in fields.rows(raw) if raw is not None else ():
        fields.count(one)


def _last_words(ended: Ended[M]) -> str:
    lines = [line for line in ended.output.splitlines() if line.strip()]
    return f"{ended.kind}; {lines[-1].strip()[:LONGEST]}" if lines else ended.kind
