"""Suite of a learner's tests: how many of the bugs that are planted into their engine it notices.

The bugs are those of `minigrad mutate`; the tests run apart, with limits, with one broken engine after the
other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path

from ...doctor.engine.child_protocol import BUSY, IDLE
from ...doctor.patches.patch import Patch
from ...doctor.patches.planted_bugs import mutants
from ...doctor.patches.planted_bugs.field_names import read_anatomy
from ...doctor.sandbox.process import PROCESSES
from ...doctor.sandbox.runner import ChildProgram, Ended, Job, Limits, RawMessage, Runner
from ...errors import MinigradError
from ...text.escape import visible
from ...text.excerpts import cut
from ...text.page import Page
from ...text.translation import say
from .check import ENDINGS, op_at, sign_of
from .learner_file import LearnerFile
from .mistakes import NO_MISTAKE, slug_of_fault
from .textbook_parts import CLASS

__all__ = ["TESTS", "Score", "SuiteError", "score", "score_lines"]

TESTS = "test_engine.py"
CHILD = ChildProgram("inside.suite_run", str(Path(__file__).parent))  # standard library only
SECONDS = 1.0  # of processor time for one test with the engine as it is
LONGER = 2.0  # times as long it may take with a bug
CPU = 60.0  # for all engines of one process
DEATHS = 10  # engines that may end the run before the rest is given up
SHOWN = 8  # bugs that were not noticed


class SuiteError(MinigradError, ValueError):
    """The tests cannot be scored; the message says why."""


@dataclass(frozen=True)
class Score:
    """What the tests noticed, what they let pass, and what they were not run with to the end."""

    killed: tuple[Patch, ...]
    survived: tuple[Patch, ...]
    not_run: tuple[Patch, ...] = ()
    stop: str = ""  # why not: too-long, too-idle, too-much or left

    @property
    def planted(self) -> int:
        return len(self.killed) + len(self.survived) + len(self.not_run)


@dataclass(frozen=True)
class _SuiteRun:
    at: int
    count: int
    failed: str
    error: str


def score(source: str, tests: str, *, runner: Runner = PROCESSES) -> Score:
    """Run the tests with the engine as it is and with each planted bug; SuiteError where none can be."""
    _try_own(source, tests, runner)
    planted = [one for one in mutants(source, read_anatomy(source, CLASS)) if one.kind not in NO_MISTAKE]
    engines = [one.apply(source) for one in planted]
    noticed: list[bool] = []  # of the first engines
    deaths, seconds, stop = 0, 0.0, ""
    while len(noticed) < len(engines) and not stop:
        ended = _tested(engines[len(noticed) :], tests, LONGER * SECONDS, runner, seconds)
        seconds += ended.seconds
        noticed += [bool(run.failed) for run in ended.messages]
        if len(noticed) >= len(engines):
            break
        if ended.kind in ("cpu", "timeout") or seconds > BUSY * CPU:  # our clock, not the bug's doing
            stop = "too-long" if ended.kind == "cpu" else "too-idle"
        elif not ended.messages:
            # It ended the run in a process of its own: whoever runs the tests sees that they do not come
            # through.  Behind other engines, it may be what those left behind, and it is tried again.
            noticed.append(True)
            deaths += 1
            if deaths == DEATHS:
                stop = ENDINGS.get(ended.kind, "left")
    killed = tuple(one for one, seen in zip(planted, noticed, strict=False) if seen)
    survived = tuple(one for one, seen in zip(planted, noticed, strict=False) if not seen)
    not_run = tuple(planted[len(noticed) :])
    return Score(killed, survived, not_run, stop if not_run else "")


def _try_own(source: str, tests: str, runner: Runner) -> None:
    """SuiteError where the tests do not hold with the learner's own engine."""
    ended = _tested([source], tests, SECONDS, runner)
    if not ended.messages:
        raise SuiteError(say("track.tests.ended", why=_why(ENDINGS.get(ended.kind, "left"))))
    own = ended.messages[0]
    if own.failed:
        error = say("track.tests.slow", seconds=f"{SECONDS:g}") if own.error == "too-long" else own.error
        raise SuiteError(say("track.tests.failing", error=visible(cut(f"{own.failed}: {error}", 200))))
    if not own.count:
        raise SuiteError(say("track.tests.empty", path=TESTS))


def _tested(
    engines: Sequence[str], tests: str, seconds: float, runner: Runner, spent: float = 0.0
) -> Ended[_SuiteRun]:
    """The tests with one engine after the other; of what comes back, what comes in this order."""
    request = {"tests": tests, "engines": [*engines], "seconds": seconds}
    limits = Limits(wall=max(BUSY, BUSY * CPU - spent), cpu=CPU, idle=IDLE, processes=8)
    ended = runner.run(Job(CHILD, request, limits), _run)
    in_order = takewhile(lambda row: row[0] == row[1].at < len(engines), enumerate(ended.messages))
    return replace(ended, messages=tuple(run for _, run in in_order))


def _why(stop: str) -> str:
    return say(f"track.tests.why.{stop}", seconds=f"{CPU:g}")


def _run(raw: RawMessage) -> _SuiteRun | None:
    at, count, failed, error = raw.get("at"), raw.get("count"), raw.get("failed"), raw.get("error")
    if type(at) is int and type(count) is int and isinstance(failed, str) and isinstance(error, str):
        return _SuiteRun(at, count, failed, error)
    return None


def score_lines(found: Score, source: str, page: Page) -> list[str]:
    """The score in words, with some of the bugs that were not noticed."""
    lines = page.wrap(say("track.tests.score", killed=len(found.killed), planted=found.planted), "")
    if found.not_run:
        words = say("track.tests.not_run", count=len(found.not_run), why=_why(found.stop))
        lines += page.wrap(words, "")
    if found.survived:
        lines += ["", *page.wrap(say("track.tests.survivors"), "")]
        file = LearnerFile(source)
        for one in found.survived[:SHOWN]:
            op = sign_of(one.op) if one.op else op_at(file, one.line) or CLASS
            name = say(f"track.mistake.{slug_of_fault(one.kind)}", op=op)
            lines += page.wrap(say("track.tests.survivor", line=one.line, name=name))
    return lines
