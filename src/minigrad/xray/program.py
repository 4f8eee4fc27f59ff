"""Programs as files: the model, the optimizer and the loss are found by name and kind, and run apart.

    examine_program("train.py")             # model, optimizer and make_loss, or step, of the file
    examine_program("train.py:make_loss")

The file is loaded as a module, so that what stands under `if __name__ == "__main__":` does not run.  That and
the examination happen in a child process with limits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ..doctor.sandbox import message_fields as fields
from ..doctor.sandbox.process import PROCESSES
from ..doctor.sandbox.runner import ChildProgram, Job, Limits, RawMessage, Runner
from ..errors import MinigradError
from ..text.translation import language, say
from .examination import check_intended
from .report import NOT_EXAMINED, XrayRemark, XrayReport

__all__ = ["LIMITS", "ROOT", "ProgramSource", "XrayProgramError", "examine_program"]

LIMITS = Limits(
    wall=120.0,
    cpu=240.0,
    memory=64 << 30,
    resident=12 << 30,
    open_files=1024,
    file=1 << 30,
    result_line=8 << 20,
)
ROOT = str(Path(__file__).resolve().parents[2])  # the folder that minigrad is in
CHILD = ChildProgram("minigrad.xray.child", ROOT)
ENDINGS = {  # of the child, when it said nothing
    "timeout": "ended_timeout", "cpu": "ended_cpu", "memory": "ended_memory", "output": "ended_output",
    "processes": "ended_processes", "signal": "ended_signal",
}  # fmt: skip
LONGEST = 300  # characters of what the child printed at the end


class XrayProgramError(MinigradError, ValueError):
    """There is nothing in the file that could be examined; the message says what is missing."""


def examine_program(
    name: str,
    *,
    intended: tuple[str, ...] = (),
    seconds: float | None = None,
    limits: Limits = LIMITS,
    runner: Runner = PROCESSES,
) -> XrayReport:
    """The report on "train.py" or "train.py:make_loss"; an error where there is nothing to examine."""
    path, colon, function = name.rpartition(":")
    if not colon or function.endswith(".py") or os.sep in function:
        path, function = name, ""
    check_intended(intended)
    if not path.endswith(".py"):
        raise XrayProgramError(say("xray.program_ending", given=path))
    if not os.path.isfile(path):
        raise XrayProgramError(say("xray.program_missing", given=path))
    request = {
        "file": os.path.abspath(path),
        "folder": os.getcwd(),
        "function": function,
        "intended": list(intended),
        "language": language(),
        "seconds": seconds,
    }
    if seconds is not None:
        wall = seconds * 2 + 60.0
        limits = replace(limits, wall=wall, cpu=max(limits.cpu, wall * 2))
    own = os.environ.get("PYTHONPATH", "")
    path_of = (ROOT, *(os.path.abspath(each) for each in own.split(os.pathsep) if each))
    ended = runner.run(Job(CHILD, request, limits, path=path_of), _answer_from)
    if len(ended.messages) == 1 and ended.kind == "finished":
        found = ended.messages[0].open()
        return replace(found, source=ProgramSource(os.path.abspath(path), function, intended=intended))
    lines = [line for line in ended.output.splitlines() if line.strip()]
    code = ENDINGS.get(ended.kind, "ended_exit")
    amount = {"ended_timeout": limits.wall, "ended_cpu": limits.cpu}.get(code)
    last = lines[-1].strip()[:LONGEST] if lines else say("xray.silent")
    return XrayReport(NOT_EXAMINED, remarks=(XrayRemark(code, last if amount is None else f"{amount:g}"),))


@dataclass(frozen=True)
class ProgramSource:
    """The program that a report is on: its file, and how the x-ray came to its loss."""

    file: str
    function: str = ""
    captured: bool = False  # the file calls xray() itself
    intended: tuple[str, ...] = ()


@dataclass(frozen=True)
class _ChildAnswer:
    """What the child says: a report, or why there is none."""

    report: XrayReport | None = None
    refusal: str = ""

    def open(self) -> XrayReport:
        if self.report is None:
            raise XrayProgramError(self.refusal)
        return self.report


def _answer_from(raw: RawMessage) -> _ChildAnswer | None:
    """The answer that a message of the child holds; None for anything else."""
    try:
        if "refused" in raw:
            detail = fields.mapping(raw["detail"])
            told: Mapping[str, str] = {fields.name(key): fields.text(x) for key, x in detail.items()}
            return _ChildAnswer(refusal=say(f"xray.{fields.name(raw['refused'])}", **told))
        return _ChildAnswer(XrayReport.from_json(raw))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return None
