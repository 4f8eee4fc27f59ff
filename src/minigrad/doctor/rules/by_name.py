"""Examination of rules by name, by a call or by a program: a program apart runs all of it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from ..sandbox import message_fields as fields
from ..sandbox.process import PROCESSES
from ..sandbox.runner import ChildProgram, Ended, Job, Limits, RawMessage, Runner
from ..verdict import LIMITED, NOT_EXAMINED, WRONG
from .report import Remark, RuleReport, Unseen
from .rule_place import RulePlace
from .rule_reports import SCHEMA, ExaminedRule, InterruptedReportsError, RuleReports

if TYPE_CHECKING:
    from .child import RuleRequest

__all__ = ["examine_named", "examine_program", "examine_rules", "reports_from"]

LIMITS = Limits(
    wall=180.0, cpu=150.0, resident=6 << 30
)  # a library takes seconds to load, and its share of memory
PROGRAM_SECONDS = 120.0  # that a program may run before its rules are examined
PROGRAM_LIMITS = Limits(
    wall=600.0, cpu=900.0, memory=64 << 30, resident=12 << 30, open_files=1024, file=1 << 30
)
LONGEST_PATH = 4096
LONGEST = 200  # characters of what the child printed at the end
ROOT = str(Path(__file__).resolve().parents[3])  # the folder that minigrad is in
# What a program that is run as by itself may need of the caller's environment.
OF_LIBRARIES = ("CUDA_", "HF_", "JAX_", "OMP_", "PYTORCH_", "TORCH_", "XLA_")
CHILD = ChildProgram("minigrad.doctor.rules.child", ROOT)
# As in child.py, which imports the libraries.
PLAN, PART, END = "minigrad.rules.plan/1", "minigrad.rules.part/1", "minigrad.rules.end/1"

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


def examine_rules(
    name: str,
    *,
    library: str = "torch",
    call: str | None = None,
    folder: str | Path = ".",
    seed: int = 0,
    beyond: bool = False,
    intended: str | None = None,
    limits: Limits = LIMITS,
    runner: Runner = PROCESSES,
) -> RuleReports:
    """Examine the rule that is named, or each one of a module or file, or those that `call` calls.

    `call` is a line of Python, such as "Fn.apply(torch.randn(3), 2.0)"; it sees the names of the module.
    """
    request: RuleRequest = {
        "name": name,
        "library": library,
        "folder": str(Path(folder).resolve()),
        "seed": seed,
        "every": True,
        "beyond": beyond,
        "intended": intended,
    }
    if call is not None:
        request["call"] = call
    return _several(request, limits, runner)


def examine_program(
    script: str | Path,
    arguments: Sequence[str] = (),
    *,
    folder: str | Path = ".",
    seed: int = 0,
    beyond: bool = False,
    intended: str | None = None,
    seconds: float = PROGRAM_SECONDS,
    limits: Limits = PROGRAM_LIMITS,
    runner: Runner = PROCESSES,
) -> RuleReports:
    """Run a program as it would be run by itself, and examine the rules that it calls, with their inputs."""
    request: RuleRequest = {
        "name": str(script),
        "library": "torch",
        "folder": str(Path(folder).resolve()),
        "seed": seed,
        "every": True,
        "script": [str(script), *arguments],
        "seconds": seconds,
        "beyond": beyond,
        "intended": intended,
    }
    own = os.environ.get("PYTHONPATH", "")
    path = (ROOT, *(os.path.abspath(each) for each in own.split(os.pathsep) if each))
    variables: dict[str, str | None] = {"CUDA_VISIBLE_DEVICES": None}  # all devices, unless the caller says
    variables |= {name: x for name, x in os.environ.items() if name.startswith(OF_LIBRARIES)}
    return _several(request, replace(limits, wall=limits.wall + seconds), runner, path, variables)


# ---- several reports ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Announced:
    """The first message, once the module or the program has run: the names of the rules."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """One report of several."""

    index: int
    rule: ExaminedRule


@dataclass(frozen=True)
class _Last:
    """The last message: how many reports there were, and the remarks about all of them."""

    count: int
    remarks: tuple[Remark, ...]


_Message: TypeAlias = _Announced | _Part | _Last


def _several(
    request: RuleRequest,
    limits: Limits,
    runner: Runner,
    path: tuple[str, ...] = (ROOT,),
    variables: Mapping[str, str | None] | None = None,
) -> RuleReports:
    """The reports of the child; none counts unless all came, in order, each once, and it ended well.

    Ctrl-C is an InterruptedReportsError, with the reports that had come.
    """
    job = Job(CHILD, request, limits, path=path, variables=variables or {})
    come: list[_Message] = []
    try:
        ended: Ended[_Message] = runner.run(job, _message_from, on_message=come.append)
    except KeyboardInterrupt:
        raise _interrupted(come) from None
    parts = [each for each in ended.messages if isinstance(each, _Part)]
    lasts = [each for each in ended.messages if isinstance(each, _Last)]
    if not ended.messages or not lasts:
        return _nothing(Unseen("ended", _last_words(ended)))
    whole = [part.index for part in parts] == list(range(lasts[0].count))
    if len(lasts) > 1 or not whole or ended.messages[-1] is not lasts[0]:
        return _nothing(Unseen("several", str(len(ended.messages))))
    if ended.kind != "finished":
        return _nothing(Unseen("broken_off", _last_words(ended)))
    return RuleReports(tuple(part.rule for part in parts), lasts[0].remarks)


def _interrupted(come: Sequence[_Message]) -> InterruptedReportsError:
    """What had come when Ctrl-C ended the child; nothing if the messages are not those of one examination."""
    plan, rest = come[:1], come[1:-1] if come and isinstance(come[-1], _Last) else come[1:]
    names = [name for each in plan if isinstance(each, _Announced) for name in each.names]
    parts = [each for each in rest if isinstance(each, _Part)]
    if [each.index for each in parts] != list(range(len(rest))) or len(parts) > len(names):
        parts = []
    return InterruptedReportsError([each.rule for each in parts], names[len(parts) :])


def _nothing(remark: Remark) -> RuleReports:
    return RuleReports((), (remark,))


def _message_from(raw: RawMessage) -> _Message | None:
    try:
        if raw["schema"] == PLAN:
            return _Announced(tuple(fields.text(each) for each in fields.rows(raw["names"])))
        if raw["schema"] == PART:
            return _Part(fields.count(raw["index"]), _rule_from(raw))
        if raw["schema"] == END:
            return _Last(fields.count(raw["count"]), _remarks_from(raw["remarks"]))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None
    return None


def reports_from(raw: object) -> RuleReports | None:
    """The reports that another process wrote with `to_json`; None for anything else."""
    try:
        document = fields.mapping(raw)
        if document["schema"] != SCHEMA:
            return None
        rules = tuple(_rule_from(fields.mapping(row)) for row in fields.rows(document["rules"]))
        return RuleReports(rules, _remarks_from(document["remarks"]))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None


def _rule_from(raw: RawMessage) -> ExaminedRule:
    report = report_from(fields.mapping(raw["report"]))
    if report is None:
        raise fields.MalformedError("no report")
    return ExaminedRule(report, RulePlace(fields.text(raw["file"], LONGEST_PATH), fields.count(raw["line"])))


def _remarks_from(raw: object) -> tuple[Remark, ...]:
    """Remarks that can be told."""
    rows = map(fields.mapping, fields.rows(raw))
    found = tuple(Unseen(fields.name(row["code"]), fields.text(row["about"])) for row in rows)
    RuleReports((), found).text()
    return found


# ---- one report ---------------------------------------------------------------------------------


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
