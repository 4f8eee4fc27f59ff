"""Protocol between the doctor and the child that uses an engine: requests, and the messages that come back.

    found = ask(subject, probes, run=0)
    found.plan, found.numbers["diamond"], found.trouble

The examined program can write to the pipe of our own, so `message_reader` reads each message strictly into
one of the classes here, or rejects it; nothing else looks at what a child sent.  A probe that kills the
process is reported as what it did, and the rest is asked of a new process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ..inside.message_text import MOST_STEPS
from ..inside.op_spellings import METHODS
from ..sandbox.message_fields import (
    MalformedError,
    choice,
    count,
    mapping,
    name,
    number,
    number_or_none,
    rows,
    text,
)
from ..sandbox.process import PROCESSES
from ..sandbox.runner import Accept, ChildProgram, Ended, Job, Limits, RawMessage, Runner, StopRequest
from .probes import Probe
from .source import EngineSource
from .usage_plan import UsagePlan

__all__ = [
    "Answer", "Begun", "ChildMessage", "ExpansionStep", "Expansions", "Finished", "Green", "LinesNotRun",
    "PlanFound", "ProbeFailed", "ProbeNumbers", "ProbeResult", "SkippedStatement", "Trouble", "ask",
    "message_reader", "try_sources",
]  # fmt: skip

CHILD = ChildProgram("inside.main", str(Path(__file__).parents[1]))  # standard library only
DEATHS = 3  # processes that may die before the rest is given up
CPU = 8.0  # seconds of processor time for one process: these decide what is found
BUSY = 10.0  # times as long it may take on the clock, on a machine that does other things as well
IDLE = 8.0  # seconds of these in which it only sleeps; the child itself notices that sooner, mostly
MOST_OPERANDS = 100  # of one op in a composition
LONGEST_TIME = 1e6  # seconds that anything may be said to have taken

TROUBLES = (
    "class", "leaf", "argument", "data", "ops", "backward", "raises", "forward", "syntax", "load", "slow",
    "long_name",
)  # fmt: skip
FAILURES = ("slow", "missing", "recursion", "memory", "raised", "died", "freed")
STAGES = ("", "forward", "backward", "again")


# ---- messages -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Begun:
    """Sent before anything that may kill the process."""

    what: str  # load, find, probe
    probe: str = ""


@dataclass(frozen=True, slots=True)
class ExpansionStep:
    """One op of a composition."""

    op: str
    # ("x", i): operand i of the whole; ("s", i): the result of step i; ("k", number)
    operands: tuple[tuple[str, float], ...]


Expansions: TypeAlias = Mapping[str, Sequence[ExpansionStep]]  # by "op pattern"


@dataclass(frozen=True, slots=True)
class PlanFound:
    """How the engine is used, which ops it composes of others, and the files that were loaded along."""

    plan: UsagePlan
    expansions: Expansions
    files: tuple[str, ...]
    loaded: int = 0  # modules that were there when it was loaded


@dataclass(frozen=True, slots=True)
class ProbeNumbers:
    """What a probe gave: the output's data and the leaves' gradients; None stands for no number."""

    probe: str
    value: float | None
    grads: Mapping[str, float | None]
    once: Mapping[str, float | None] = field(default_factory=dict)  # of two passes, after the first
    # values at a step to the right and to the left of the point, for an op that nobody knows
    around: tuple[tuple[float | None, float | None], ...] = ()
    steps: tuple[float, ...] = ()
    seconds: float | None = field(default=None, compare=False)  # that it took, as the child says


@dataclass(frozen=True, slots=True)
class ProbeFailed:
    probe: str
    failed: str  # one of FAILURES
    stage: str = ""  # one of STAGES
    detail: str = ""


ProbeResult: TypeAlias = ProbeNumbers | ProbeFailed


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why an engine could not be used: a code for the sentence, and a detail."""

    code: str  # one of TROUBLES, or "ended.KIND" and others that the parent finds
    detail: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class SkippedStatement:
    """A statement of the examined file that could not be run."""

    line: int
    detail: str


@dataclass(frozen=True, slots=True)
class LinesNotRun:
    """Lines of statements that were left alone."""

    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The child came to its end."""


@dataclass(frozen=True, slots=True)
class Green:
    """The number of the first changed source with which the probes are right."""

    number: int


ChildMessage: TypeAlias = (
    Begun
    | PlanFound
    | ProbeNumbers
    | ProbeFailed
    | Trouble
    | SkippedStatement
    | LinesNotRun
    | Finished
    | Green
)


def message_reader(probes: Sequence[Probe]) -> Accept[ChildMessage]:
    """Reads a message of a child that was asked about these probes; None for what it cannot have sent."""
    asked = {probe.id: probe for probe in probes}

    def read(raw: RawMessage) -> ChildMessage | None:
        try:
            return _message(mapping(raw), asked)
        except (MalformedError, KeyError):  # a KeyError: something is missing
            return None

    return read


def _message(raw: RawMessage, asked: Mapping[str, Probe]) -> ChildMessage:
    if "begin" in raw:
        what = choice(raw["begin"], "load", "find", "probe")
        return Begun(what, _probe(raw["probe"], asked).id if what == "probe" else "")
    if "plan" in raw:
        files = tuple(text(file) for file in rows(raw.get("files", [])))
        return PlanFound(
            UsagePlan.from_json(raw["plan"]),
            _expansions(raw.get("expansions", {})),
            files,
            count(raw.get("loaded", 0)),
        )
    if "probe" in raw:
        probe = _probe(raw["probe"], asked)
        return _failed(probe.id, raw) if "failed" in raw else _numbers(probe, raw)
    if "trouble" in raw:
        detail, line = text(raw.get("detail", "")), raw.get("line")
        return Trouble(choice(raw["trouble"], *TROUBLES), detail, 0 if line is None else count(line))
    if "skipped" in raw:
        return SkippedStatement(count(raw["skipped"]), text(raw["detail"]))
    if "not run" in raw:
        return LinesNotRun(tuple(count(line) for line in rows(raw["not run"])))
    if "green" in raw:
        return Green(count(raw["green"]))
    if raw["end"] is not True:
        raise MalformedError("end")
    return Finished()


def _probe(raw: object, asked: Mapping[str, Probe]) -> Probe:
    probe = asked.get(name(raw))
    if probe is None:
        raise MalformedError("a probe that was not asked for")
    return probe


def _failed(probe: str, raw: RawMessage) -> ProbeFailed:
    code, stage = choice(raw["failed"], *FAILURES), choice(raw.get("stage", ""), *STAGES)
    return ProbeFailed(probe, code, stage, text(raw.get("detail", "")))


def _numbers(probe: Probe, raw: RawMessage) -> ProbeNumbers:
    """What a probe of this kind gives: a gradient for each of its leaves, and no other."""
    value, grads = number_or_none(raw["value"]), _grads(probe, raw["grads"])
    seconds = _seconds(raw.get("seconds"))
    if probe.kind == "twice":
        return ProbeNumbers(probe.id, value, grads, _grads(probe, raw["once"]), seconds=seconds)
    if probe.kind == "unknown":
        around = tuple(_pair(pair) for pair in rows(raw["around"], 2))
        steps = tuple(number(step) for step in rows(raw["steps"], 2))
        if not all(0.0 < step < 1.0 for step in steps):
            raise MalformedError("steps")
        return ProbeNumbers(probe.id, value, grads, around=around, steps=steps, seconds=seconds)
    return ProbeNumbers(probe.id, value, grads, seconds=seconds)


def _seconds(raw: object) -> float | None:
    """A number; the child writes it as a text of one length."""
    try:
        seconds = float(text(raw)) if isinstance(raw, str) else number_or_none(raw)
    except ValueError:
        raise MalformedError("seconds") from None
    if seconds is not None and not 0.0 <= seconds < LONGEST_TIME:
        raise MalformedError("seconds")
    return seconds


def _grads(probe: Probe, raw: object) -> dict[str, float | None]:
    grads = {leaf: number_or_none(grad) for leaf, grad in mapping(raw).items()}
    if grads.keys() != probe.leaves:
        raise MalformedError("gradients of other leaves")
    return grads


def _pair(raw: object) -> tuple[float | None, float | None]:
    right, left = rows(raw, 2)
    return number_or_none(right), number_or_none(left)


def _expansions(raw: object) -> dict[str, tuple[ExpansionStep, ...]]:
    found = {}
    for key, steps in mapping(raw).items():
        op, _, pattern = key.partition(" ")
        if not pattern or set(pattern) - {"v", "k"} or len(pattern) > 2:
            raise MalformedError("a pattern")
        choice(op, *METHODS)
        found[key] = tuple(
            _step(step, at, len(pattern)) for at, step in enumerate(rows(steps, 0, MOST_STEPS))
        )
    return found


def _step(raw: object, at: int, operands: int) -> ExpansionStep:
    op, args = rows(raw, 2)
    return ExpansionStep(name(op), tuple(_operand(arg, at, operands) for arg in rows(args, 0, MOST_OPERANDS)))


def _operand(raw: object, at: int, operands: int) -> tuple[str, float]:
    kind, what = rows(raw, 2)
    if choice(kind, "x", "s", "k") == "k":
        return "k", number(what)
    place = count(what)
    if place >= (operands if kind == "x" else at):
        raise MalformedError("an operand that is not there")
    return ("x" if kind == "x" else "s"), place


# ---- requests -------------------------------------------------------------------------------------


@dataclass
class Answer:
    """What a child said about an engine, sorted."""

    plan: UsagePlan | None = None
    expansions: Expansions = field(default_factory=dict)
    files: tuple[str, ...] = ()  # that were loaded along from beside it
    loaded: int = 0  # modules that were there when it was loaded
    numbers: dict[str, ProbeResult] = field(default_factory=dict)  # by probe
    skipped: list[SkippedStatement] = field(default_factory=list)
    not_run: tuple[int, ...] = ()  # lines of statements that were left alone
    trouble: Trouble | None = None
    seconds: float = 0.0
    out_of_turn: int = 0  # messages that our program does not send at that moment
    rejected: int = 0  # lines that are none of its messages
    computing: float = 0.0  # seconds that its probes took together, as the child says


def ask(
    subject: EngineSource,
    probes: Sequence[Probe],
    *,
    plan: UsagePlan | None = None,
    pins: Mapping[str, object] | None = None,
    run: int = 0,
    isolate: bool = False,
    cpu: float = CPU,
    texts: Mapping[str, str] | None = None,
    stop: StopRequest | None = None,
    runner: Runner = PROCESSES,
) -> Answer:
    """Load, find out how the engine is used unless `plan` says it, and run probes.

    It may take `cpu` seconds of processor time.  `run` is the hash seed, and other than 0 it also shuffles
    the heap between probes.
    """
    answer = Answer(plan=plan)
    left = list(probes)
    for _ in range(DEATHS):
        request = {
            "subject": subject.request(texts),
            "plan": answer.plan.to_json() if answer.plan else None,
            "pins": dict(pins or {}),
            "probes": [probe.request() for probe in left],
            "shuffle": run,
            "isolate": isolate,
            "load_seconds": cpu * 0.8,
        }
        limits = Limits(wall=max(BUSY, BUSY * cpu - answer.seconds), cpu=cpu, idle=IDLE)
        job = Job(CHILD, request, limits, hash_seed=run)
        ended: Ended[ChildMessage] = runner.run(job, message_reader(left), stop=stop)
        answer.seconds += ended.seconds
        died_in = _sort(answer, ended)
        if answer.trouble or died_in is None:
            break
        if ended.kind in ("timeout", "cpu", "stopped"):  # our clock, not its doing
            break
        answer.numbers[died_in] = ProbeFailed(died_in, "died", detail=ended.kind)
        left = [probe for probe in left if probe.id not in answer.numbers]
        if not left or answer.seconds > BUSY * cpu - 0.5:
            break
    return answer


def _sort(answer: Answer, ended: Ended[ChildMessage]) -> str | None:
    """Sort what came back; the id of the probe in which the process died, if it did in one.

    The child begins a probe, answers it once, and only then begins the next; it sends a plan only if it was
    told none.  Whatever comes at another moment was not sent by it, and is counted, not used.
    """
    begun = Begun("")
    finished = False
    in_turn: set[str] = set()  # probes that were answered when they had begun
    known: set[str] = set()  # and those that have begun
    if ended.kind in ("finished", "exit"):  # else its last line may have been cut off
        answer.rejected += ended.rejected
    for message in ended.messages:
        if finished:
            answer.out_of_turn += 1
        match message:
            case Begun():
                begun, finished = message, False
                answer.out_of_turn += bool(message.probe) and message.probe in known
                known.add(message.probe)
            case PlanFound() if answer.plan is not None:
                answer.out_of_turn += 1
            case PlanFound():
                answer.plan, answer.expansions = message.plan, message.expansions
                answer.files, answer.loaded = message.files, message.loaded
            case LinesNotRun():
                answer.not_run = message.lines
            case SkippedStatement():
                answer.skipped.append(message)
            case Trouble():
                answer.trouble = message
            case ProbeNumbers() | ProbeFailed():
                is_next = begun.probe == message.probe and message.probe not in in_turn
                if is_next:
                    in_turn.add(message.probe)
                    answer.numbers[message.probe] = message
                if isinstance(message, ProbeNumbers):
                    answer.out_of_turn += not is_next or message.seconds is None
                    answer.computing += message.seconds or 0.0
                elif message.failed != "died":  # a process of its own may answer, and then die
                    answer.out_of_turn += not is_next
            case Finished():
                finished = True
    if finished or answer.trouble:
        return None
    if begun.what == "probe":
        return begun.probe
    kind = ended.kind if ended.kind != "finished" else "exit"
    detail = str(ended.code if kind == "exit" else ended.signal or "")
    answer.trouble = Trouble(f"ended.{kind}", detail)
    return None


def try_sources(
    subject: EngineSource,
    sources: Sequence[tuple[str, str]],
    texts: Mapping[str, str],
    probes: Sequence[Probe],
    expect: Mapping[str, Mapping[str, object]],
    plan: UsagePlan,
    *,
    cpu: float = CPU,
    runner: Runner = PROCESSES,
) -> int | None:
    """Which of many changed sources is the first to give what is expected on all these probes.

    Each is a file with its new text; `texts` are files that have been changed already.
    """
    request = {
        "subject": subject.request(texts),
        "plan": plan.to_json(),
        "probes": [probe.request() for probe in probes],
        "candidates": [
            {"file": "" if file == str(subject.path) else file, "source": text} for file, text in sources
        ],
        "expect": {probe: dict(row) for probe, row in expect.items()},
        "load_seconds": cpu,
    }
    job = Job(CHILD, request, Limits(wall=BUSY * cpu, cpu=cpu, idle=IDLE, processes=8))
    ended: Ended[ChildMessage] = runner.run(job, message_reader(probes))
    green = next((m.number for m in ended.messages if isinstance(m, Green)), None)
    return green if green is not None and green < len(sources) else None
