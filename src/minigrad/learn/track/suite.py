"""Suite of a learner's tests: how many of the bugs that are planted into their engine it notices.

The bugs are those of `minigrad mutate`; the tests run apart, with limits, with one broken engine after the
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...doctor.patches.patch import Patch
from ...doctor.patches.planted_bugs import mutants
from ...doctor.patches.planted_bugs.field_names import read_anatomy
from ...doctor.sandbox.process import PROCESSES
from ...doctor.sandbox.runner import ChildProgram, Job, Limits, RawMessage, Runner
from ...errors import MinigradError
from ...text.escape import visible
from ...text.excerpts import cut
from ...text.page import Page
from ...text.translation import say
from .check import op_at, sign_of
from .learner_file import LearnerFile
from .mistakes import NO_MISTAKE, slug_of_fault
from .textbook_parts import CLASS

__all__ = ["TESTS", "Score", "SuiteError", "score", "score_lines"]

TESTS = "test_engine.py"
CHILD = ChildProgram("inside.suite_run", str(Path(__file__).parent))  # standard library only
SECONDS = 1.0  # of processor time for one test
CPU = 60.0
SHOWN = 8  # bugs that were not noticed


class SuiteError(MinigradError, ValueError):
    """The tests cannot be scored; the message says why."""


@dataclass(frozen=True)
class Score:
    """What the tests noticed."""

    killed: tuple[Patch, ...]
    survived: tuple[Patch, ...]

    @property
    def planted(self) -> int:
        return len(self.killed) + len(self.survived)


@dataclass(frozen=True)
class _SuiteRun:
    at: int
    count: int
    failed: str
    error: str


def score(source: str, tests: str, *, runner: Runner = PROCESSES) -> Score:
    """Run the tests with the engine as it is and with each planted bug; SuiteError where none can be."""
    planted = [one for one in mutants(source, read_anatomy(source, CLASS)) if one.kind not in NO_MISTAKE]
    engines = [source, *(one.apply(source) for one in planted)]
    request = {"tests": tests, "engines": engines, "seconds": SECONDS}
    ended = runner.run(Job(CHILD, request, Limits(wall=10 * CPU, cpu=CPU, processes=8)), _run)
    runs = {run.at: run for run in ended.messages}
    first = runs.get(0)
    if first is None:
        raise SuiteError(say("track.finding.left"))
    if first.failed:
        raise SuiteError(
            say("track.tests.failing", error=visible(cut(f"{first.failed}: {first.error}", 200)))
        )
    if not first.count:
        raise SuiteError(say("track.tests.empty", path=TESTS))
    # One that ends the whole run is noticed: whoever runs the tests sees that they do not come through.
    survived = tuple(one for at, one in enumerate(planted, 1) if at in runs and not runs[at].failed)
    return Score(tuple(one for one in planted if one not in survived), survived)


def _run(raw: RawMessage) -> _SuiteRun | None:
    at, count, failed, error = raw.get("at"), raw.get("count"), raw.get("failed"), raw.get("error")
    if type(at) is int and type(count) is int and isinstance(failed, str) and isinstance(error, str):
        return _SuiteRun(at, count, failed, error)
    return None


def score_lines(found: Score, source: str, page: Page) -> list[str]:
    """The score in words, with some of the bugs that were not noticed."""
    lines = page.wrap(say("track.tests.score", killed=len(found.killed), planted=found.planted), "")
    if found.survived:
        lines += ["", *page.wrap(say("track.tests.survivors"), "")]
        file = LearnerFile(source)
        for one in found.survived[:SHOWN]:
            op = sign_of(one.op) if one.op else op_at(file, one.line) or CLASS
            name = say(f"track.mistake.{slug_of_fault(one.kind)}", op=op)
            lines += page.wrap(say("track.tests.survivor", line=one.line, name=name))
    return lines
