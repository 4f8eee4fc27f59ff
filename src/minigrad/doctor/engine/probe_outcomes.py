"""Outcomes of all probes on one engine: its numbers in every run, compared with those expected.

Probes run in several processes: one after the other, with other hash seeds and a shuffled heap, because a bug
that hangs on the order of a set comes and goes with them, and in a process of their own.  Of those that came
out right every time, only some run alone, too, so long as it makes no difference to these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from struct import pack, unpack
from threading import Event

from ...graph import Graph
from ..sandbox.process import PROCESSES
from ..sandbox.runner import Runner
from .child_protocol import (
    CPU,
    Answer,
    Expansions,
    ProbeFailed,
    ProbeNumbers,
    ProbeResult,
    SkippedStatement,
    Trouble,
    ask,
)
from .expected import CLOSE, SINGLE, ExpectedProbe, by_its_own_values, close, expected, is_confirmed, is_fair
from .fault_dictionary import EngineDiagnosis, ProbeReading, as_written, diagnose, sound
from .probes import CHOICE, DEPTH, EDGE, FAR, OP, STATE, STRUCTURE, Probe, probes, unknown_probes
from .source import EngineSource, seeds_by_hand, subject_of
from .usage_plan import UsagePlan

__all__ = ["Examination", "ProbeOutcome", "change_detector", "run_again", "run_probes", "with_caller_seed"]

SHUFFLES = (1, 2, 3)  # hash seeds; the heap is shuffled along with them
RIGHT, WRONG, FAILED, MISSING = "right", "wrong", "failed", "missing"
ROUGH, ROUGH_EDGE = "rough", "rough at the edge"  # single precision; an epsilon in a formula
NEAR = 0.05  # as close as a formula with an epsilon comes, far out
CLOCKS_DIFFER = 0.1  # seconds
HEAVY = 600  # modules that are loaded with it, as with a large library: then fewer processes


@dataclass(frozen=True)
class ProbeOutcome:
    """One probe on one engine, over all runs."""

    probe: Probe
    expected: ExpectedProbe
    status: str  # RIGHT, WRONG, ROUGH (single precision), FAILED, MISSING
    flaky: bool  # wrong, and not the same in all runs
    seen: tuple[ProbeResult, ...]  # what came out, each different result once
    wrong_runs: int = 0
    runs: int = 0

    @property
    def worst(self) -> ProbeResult:
        """A result that shows what is wrong, if any does."""
        for found in self.seen:
            if isinstance(found, ProbeFailed) or not _is_right(self.expected, found):
                return found
        return self.seen[0]

    @property
    def grads(self) -> Mapping[str, float | None]:
        """The gradients of the worst result; none where it failed."""
        return self.worst.grads if isinstance(self.worst, ProbeNumbers) else {}

    @property
    def value_wrong(self) -> bool:
        found = self.worst
        return isinstance(found, ProbeNumbers) and not close(found.value, self.expected.value)


@dataclass
class Examination:
    """All that the probes showed; `runner` ran them, and runs what is tried later."""

    subject: EngineSource
    plan: UsagePlan = field(default_factory=UsagePlan)
    expansions: Expansions = field(default_factory=dict)
    outcomes: dict[str, ProbeOutcome] = field(default_factory=dict)
    trouble: Trouble | None = None
    skipped: list[SkippedStatement] = field(default_factory=list)
    not_run: tuple[int, ...] = ()  # lines of statements that were left alone
    files: tuple[str, ...] = ()  # that were loaded along from beside it
    texts: dict[str, str] = field(default_factory=dict)  # of files that were changed
    pins: dict[str, object] = field(default_factory=dict)  # what was said about its use
    patience: float = 1.0  # how many times the usual time it may take
    unreached: int = 0  # probes that nobody came to in time
    asked: tuple[Probe, ...] = ()  # probes whose ops it has
    out_of_turn: int = 0  # messages that our program does not send at that moment
    rejected: int = 0  # lines that are none of its messages
    overlong: bool = False  # did its probes take longer than the process that ran them?
    leaks: bool = False  # does one graph leave something behind that changes the next?
    apart: bool = False  # has some probe come to something else in a process of its own?
    round: int = 0  # how often changes had been made before
    runner: Runner = PROCESSES

    def of(self, *topics: str, status: str = "") -> list[ProbeOutcome]:
        return [
            outcome
            for outcome in self.outcomes.values()
            if outcome.probe.topic in topics and (not status or outcome.status == status)
        ]

    @cached_property
    def single(self) -> bool:
        """Is every number that it gave one of single precision, though the right ones are not?"""
        first = [(o.seen[0], o.expected.value) for o in self.of(STRUCTURE, OP)]
        telling = [
            seen.value for seen, right in first if isinstance(seen, ProbeNumbers) and not _is_single(right)
        ]
        return len(telling) > 2 and all(x is not None and _is_single(x) for x in telling)

    @cached_property
    def graphs(self) -> dict[str, Graph]:
        """Each probe's graph as this engine writes it."""
        good = sound(self.expansions)
        return {
            probe: as_written(outcome.probe.graph, good)
            for probe, outcome in self.outcomes.items()
            if outcome.probe.kind == "graph"
        }

    @cached_property
    def diagnosis(self) -> EngineDiagnosis:
        readings = [
            ProbeReading(
                outcome.probe,
                outcome.status == WRONG,
                tuple((found.value, tuple(found.grads.items())) for found in numbers),
            )
            for outcome in self.of(STRUCTURE, OP)
            if outcome.status in (RIGHT, WRONG) and outcome.probe.seed == 1.0
            for numbers in [[found for found in outcome.seen if isinstance(found, ProbeNumbers)]]
            if len(numbers) == len(outcome.seen)
        ]
        return diagnose(readings, self.graphs, self.patience)


def run_probes(
    subject: EngineSource,
    pins: Mapping[str, object] | None = None,
    patience: float = 1.0,
    runner: Runner = PROCESSES,
    texts: Mapping[str, str] | None = None,
) -> Examination:
    """Use the engine, run everything that it can do, and judge the numbers; `texts` are of changed files."""
    result = Examination(subject, patience=patience, runner=runner, texts=dict(texts or {}))
    result.pins = pins = dict(pins or {})
    pins["caller seeds"] = pins.get("seed") == "caller" or seeds_by_hand(
        subject.source, str(pins.get("grad", "")), subject.path
    )
    first = ask(subject, [], pins=pins, texts=result.texts, cpu=CPU * patience, runner=runner)
    result.skipped, result.not_run = first.skipped, first.not_run
    if first.trouble or first.plan is None:
        result.trouble = first.trouble or Trouble("nothing")
        return result
    result.plan, result.expansions, result.files = first.plan, first.expansions, first.files
    _note_irregularities(result, [first])
    _run(result, SHUFFLES[:1] if first.loaded > HEAVY else SHUFFLES, deep=True)
    return result


def run_again(exam: Examination, texts: Mapping[str, str]) -> Examination:
    """The same engine with changed files, for what is wrong with it then."""
    result = Examination(
        exam.subject,
        exam.plan,
        exam.expansions,
        files=exam.files,
        texts=dict(texts),
        patience=exam.patience,
        round=exam.round + 1,
        runner=exam.runner,
    )
    _run(result, SHUFFLES[:1], deep=False, before=exam)
    return result


def with_caller_seed(exam: Examination) -> Examination:
    """The same, with the output's gradient set to 1 by the caller."""
    return replace(exam, plan=exam.plan.seeded())


def _run(
    result: Examination,
    shuffles: Sequence[int],
    deep: bool,
    before: Examination | None = None,
) -> None:
    """All probes in all ways, several processes at a time, and what they came to."""
    light = [probe for probe in probes() if probe.topic != DEPTH and _runs_on(probe, result.plan)]
    far = [probe for probe in probes() if probe.topic == DEPTH] if deep else []
    strange = unknown_probes(result.plan.unknown) if "mul" in result.plan.ops else []
    stop = Event()

    def job(asked: Sequence[Probe], run: int = 0, isolate: bool = False) -> Answer:
        return ask(
            result.subject, asked, plan=result.plan, run=run, isolate=isolate, cpu=CPU * result.patience,
            texts=result.texts, stop=stop, runner=result.runner,
        )  # fmt: skip

    with result.runner.side_by_side() as pool:
        try:
            submitted = [pool.submit(job, light, run=n) for n in (0, *shuffles)]
            deeper = pool.submit(job, far) if far else None
            known = {probe.id: expected(probe) for probe in light}  # meanwhile
            in_a_row = [each.result() for each in submitted]
            chosen = light
            if before is None or not before.apart:
                chosen = _probes_to_run_alone(light, known, in_a_row, thorough=before is None)
            alone = job([*chosen, *strange], isolate=True)
            result.apart = any(_shows(p, known, alone) != _shows(p, known, in_a_row[0]) for p in chosen)
            result.leaks = _leaks(light, known, alone)
            if result.leaks:  # or was it the order of a set?  Then it is otherwise where all lies elsewhere
                pairs = [probe for probe in light if probe.topic == STATE or probe.id.endswith("-plain")]
                result.leaks = all(_leaks(light, known, job(pairs, run=n, isolate=True)) for n in SHUFFLES)
            rest = [probe for probe in light if probe not in chosen]
            if rest and (result.apart or result.leaks):
                alone.numbers |= job(rest, isolate=True).numbers
            deep_down = deeper.result() if deeper is not None else Answer()
        except BaseException:
            stop.set()
            raise
    # Where one graph spoils the next, only what each gives alone counts.
    answers = [alone] if result.leaks else [alone, *in_a_row]
    for probe in light:
        _add(result, probe, known[probe.id], answers)
    for probe in far:
        _add(result, probe, expected(probe), [deep_down])
    result.asked = (*light, *far)
    _note_irregularities(result, [alone, *in_a_row, deep_down])
    reached = {probe for answer in answers for probe in answer.numbers} | deep_down.numbers.keys()
    result.unreached = sum(probe.id not in reached for probe in [*light, *far])
    for probe in strange:
        found = alone.numbers.get(probe.id)
        right = by_its_own_values(found, probe.seed) if isinstance(found, ProbeNumbers) else None
        _add(result, probe, right, [alone])
    if 10 * result.unreached > len(light) + len(far):
        troubles = [answer.trouble for answer in [alone, *in_a_row] if answer.trouble]
        result.trouble = troubles[0] if troubles else Trouble("unreached")


def _note_irregularities(result: Examination, answers: Iterable[Answer]) -> None:
    """Keep what shows that somebody else wrote to the pipe; `forgery_signs` says what it means."""
    for answer in answers:
        result.out_of_turn += answer.out_of_turn
        result.rejected += answer.rejected
        result.overlong |= answer.computing > answer.seconds + CLOCKS_DIFFER


def _probes_to_run_alone(
    light: Sequence[Probe], known: Mapping[str, ExpectedProbe], others: Sequence[Answer], thorough: bool
) -> list[Probe]:
    """Probes that run alone, too: a process for each of all is expensive.

    These are the ones about what is left behind, all that did not come out right with `others` before them,
    and one for every way in which an op is used; a `thorough` choice tells more ways apart.
    """
    used: set[str] = set()
    chosen = []
    losses = {f"{probe.id}-plain" for probe in light if probe.kind == "two"}
    for probe in light:
        ways = probe.uses if thorough and probe.text else probe.asks
        if (
            probe.topic in (STATE, CHOICE)
            or probe.id in losses
            or not ways <= used
            or any(_shows(probe, known, answer) for answer in others)
        ):
            chosen.append(probe)
        used |= ways
    return chosen


def _leaks(light: Sequence[Probe], known: Mapping[str, ExpectedProbe], alone: Answer) -> bool:
    """Does one graph leave something behind that changes the next, in a process with no others?"""
    return any(
        _status(probe, known[probe.id], alone.numbers[probe.id]) == WRONG
        and _status(probe, known[probe.id], alone.numbers[f"{probe.id}-plain"]) == RIGHT
        for probe in light
        if probe.kind == "two" and {probe.id, f"{probe.id}-plain"} <= alone.numbers.keys()
    )


def _shows(probe: Probe, known: Mapping[str, ExpectedProbe], answer: Answer) -> bool:
    """Did it not come out right?"""
    found = answer.numbers.get(probe.id)
    return found is None or _status(probe, known[probe.id], found) != RIGHT


def _runs_on(probe: Probe, plan: UsagePlan) -> bool:
    """Has the engine the ops of a probe?  A number may also be made a node."""
    if plan.backward.on == "none" and (probe.kind == "two" or probe.id == "unused"):
        return False  # its leaves know their consumers: each graph wants leaves of its own
    if probe.kind == "in-place":
        return "mul" in plan.ops and probe.op in plan.ops
    if probe.seed != 1.0 and not plan.backward.takes_seed:
        return False
    for asked in probe.asks:
        op, pattern = asked.split(" ")
        patterns = plan.patterns(op)
        if op == "sum":
            call = plan.ops.get("add", {}).get("kv")  # sum() begins with 0 + a, and knows no function add
            patterns = frozenset({pattern} if call is not None and call.how == "operator" else ())
        if pattern in patterns:
            continue
        if probe.topic in (STRUCTURE, STATE, CHOICE) and "vv" in patterns:
            continue  # the number is lifted
        return False
    return True


def _add(result: Examination, probe: Probe, right: ExpectedProbe | None, answers: Iterable[Answer]) -> None:
    found = [answer.numbers[probe.id] for answer in answers if probe.id in answer.numbers]
    came_through = [one for one in found if not _has_failed(one, "died", "slow")]
    found = came_through or found  # a busy machine is slow, an engine that hangs is so every time
    if not found or right is None:
        return
    found = [_without_blanks(one, right, result.plan) for one in found]
    statuses = [_status(probe, right, one) for one in found]
    different: list[ProbeResult] = []
    for one in found:
        if not any(_alike(one, other) for other in different):
            different.append(one)
    worst = next(s for s in (WRONG, FAILED, MISSING, ROUGH, ROUGH_EDGE, RIGHT) if s in statuses)
    if worst == WRONG and not is_confirmed(probe):
        return
    result.outcomes[probe.id] = ProbeOutcome(
        probe, right, worst, worst == WRONG and len(different) > 1, tuple(different),
        statuses.count(WRONG), len(statuses),
    )  # fmt: skip


def _has_failed(found: ProbeResult, *how: str) -> bool:
    return isinstance(found, ProbeFailed) and found.failed in how


def _without_blanks(found: ProbeResult, right: ExpectedProbe, plan: UsagePlan) -> ProbeResult:
    """A leaf that is not reached has no gradient, whatever stands there: 1 where that is what gradients
    start with, or where a node without consumers takes itself for the output."""
    blank = 1.0 if plan.backward.on == "none" else plan.blank
    if isinstance(found, ProbeFailed) or not blank:
        return found
    grads = {
        name: None if grad == blank and right.grads.get(name) == 0.0 else grad
        for name, grad in found.grads.items()
    }
    return replace(found, grads=grads)


def _status(probe: Probe, right: ExpectedProbe | None, found: ProbeResult) -> str:
    if isinstance(found, ProbeFailed):
        return MISSING if found.failed == "missing" else FAILED
    if right is None or probe.topic == CHOICE:
        return RIGHT
    if _is_right(right, found):
        return RIGHT
    if probe.topic in (EDGE, FAR) and _fair(probe, found):
        return RIGHT
    if probe.topic in (EDGE, FAR) and not _finite(found):
        return FAILED  # an overflow that everybody sees
    if probe.topic in (EDGE, FAR) and _is_right(right, found, NEAR):
        return ROUGH_EDGE
    if _is_right(right, found, SINGLE):
        return ROUGH
    return WRONG


def _is_right(right: ExpectedProbe, found: ProbeNumbers, tolerance: float = CLOSE) -> bool:
    return close(found.value, right.value, 0.0, tolerance) and all(
        close(found.grads.get(name), grad, right.size, tolerance) for name, grad in right.grads.items()
    )


def _is_single(x: float) -> bool:
    try:
        return bool(unpack("f", pack("f", x))[0] == x)
    except OverflowError:
        return False


def _fair(probe: Probe, found: ProbeNumbers) -> bool:
    return probe.kind == "graph" and is_fair(probe, found.value, found.grads)


def _finite(found: ProbeNumbers) -> bool:
    numbers = [found.value, *found.grads.values()]
    return all(x is not None and isfinite(x) for x in numbers)


def _alike(one: ProbeResult, other: ProbeResult) -> bool:
    if isinstance(one, ProbeFailed) or isinstance(other, ProbeFailed):
        return isinstance(one, ProbeFailed) and _has_failed(other, one.failed)
    pairs = [(one.value, other.value), *((one.grads.get(leaf), other.grads[leaf]) for leaf in other.grads)]
    return all(
        x == y or (x != x and y != y) or (x is not None and y is not None and close(x, y)) for x, y in pairs
    )


# ---- changed sources ------------------------------------------------------------------------------


def change_detector(path: str, runner: Runner = PROCESSES) -> Callable[[str], bool] | None:
    """A function that says whether a source gives other numbers; None where the engine cannot be used.

    A planted bug that neither somebody's tests nor these probes see may be no bug at all in that engine.
    """
    subject = subject_of(path)
    exam = run_probes(subject, runner=runner)
    if exam.trouble:
        return None
    right = [o for o in exam.outcomes.values() if o.status == RIGHT and o.probe.depth < 100]
    known = {o.probe.id: o.seen[0] for o in right}

    def gives_other_numbers(source: str) -> bool:
        answer = ask(
            subject,
            [o.probe for o in right],
            plan=exam.plan,
            texts={str(subject.path): source},
            isolate=True,
            runner=runner,
        )
        return answer.trouble is not None or any(
            not _same_numbers(answer.numbers.get(probe), found) for probe, found in known.items()
        )

    return gives_other_numbers


def _same_numbers(one: ProbeResult | None, other: ProbeResult) -> bool:
    return (
        isinstance(one, ProbeNumbers)
        and isinstance(other, ProbeNumbers)
        and (one.value, one.grads) == (other.value, other.grads)
    )
