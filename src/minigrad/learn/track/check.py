"""Check of a learner's engine: what exists so far is run apart, examined by the doctor, and judged.

    checked = check(source)
    checked.passed      # the steps that hold, in their order
    checked.finding     # what is wrong with the next one, or what is still open in it; None if nothing is

The steps' own probes say whether a step holds.  The doctor, for which the rest of the textbook is put into a
copy of the class, says which bug it is and finds the line by trying changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...doctor import examine
from ...doctor.engine.child_protocol import BUSY, IDLE
from ...doctor.engine.findings import EngineFinding
from ...doctor.engine.probe_script import script
from ...doctor.engine.report import Report
from ...doctor.sandbox.process import PROCESSES
from ...doctor.sandbox.runner import ChildProgram, Ended, Job, Limits, RawMessage, Runner
from ...graph import CONSTANT, INPUT, Graph
from ...text.numerals import show
from .learner_file import LearnerFile, UnreadableFileError, added
from .mistakes import UNPLANTED, mistake_like, slug_of_fault
from .probes import MANY_PATHS, PREDICTIONS, PROBES, Outcome, StepProbe, agree, expected
from .textbook_parts import CLASS, STEPS

__all__ = ["ENDINGS", "Checked", "StepFinding", "check", "error_of", "op_at", "run_probes", "sign_of"]

CHILD = ChildProgram("inside.probe_run", str(Path(__file__).parent))  # standard library only
SECONDS = 2.0  # of processor time for one probe
CPU = 20.0  # for all of them
PINS = {"class": CLASS, "data": "data", "grad": "grad", "backward": "backward"}
ENDINGS = {  # of the whole program, and the kind of finding; by any other it left by itself
    "cpu": "too-long", "timeout": "too-idle",
    "memory": "too-much", "output": "too-much", "processes": "too-much",
}  # fmt: skip
_OPS = {
    "add": "rules", "mul": "rules", "sum": "rules", "sub": "diamond", "neg": "constants", "div": "curves",
    "pow": "curves", "exp": "curves", "tanh": "curves", "relu": "curves",
}  # fmt: skip
_PROGRAM_OPS = {CONSTANT: "constants", "sum": "constants"}  # from which step on a program may have it
_GENERAL = {
    "number": "keeping-wrong", "by-hand": "pass-wrong", "paths": "pass-wrong", "order": "pass-wrong",
    "again": "clearing-wrong", "neuron": "neuron-wrong", "proof": "slope-wrong",
}  # fmt: skip
_SIGNS = {
    "add": "+", "mul": "*", "sub": "-", "neg": "-a", "div": "/", "pow": "**", "exp": "exp", "tanh": "tanh",
    "relu": "relu", "sum": "sum",
}  # fmt: skip
_METHODS = {
    "__add__": "+", "__radd__": "+", "__mul__": "*", "__rmul__": "*", "__sub__": "-", "__rsub__": "-",
    "__neg__": "-a", "__truediv__": "/", "__rtruediv__": "/", "__pow__": "**",
}  # fmt: skip


@dataclass(frozen=True)
class StepFinding:
    """What keeps a step from holding."""

    step: str
    kind: str  # absent, open, unreadable, error, too-long, too-idle, too-much, left, mistake
    slug: str = ""  # of a mistake: its sentence is track.mistake.SLUG
    op: str = ""  # as it is written: *, tanh
    line: int = 0
    missing: bool = False  # is the mistake that something is missing after this line?
    error: str = ""  # Python's own words
    program: tuple[str, ...] = ()  # the smallest that shows it
    got: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    hunks: tuple[
        tuple[tuple[str, ...], tuple[str, ...]], ...
    ] = ()  # a change that was tried and made it right

    @property
    def is_wrong(self) -> bool:
        """Has something been written that is wrong, rather than not yet been written?"""
        return self.kind not in ("absent", "open")


@dataclass(frozen=True)
class Checked:
    file: LearnerFile
    passed: tuple[str, ...] = ()
    finding: StepFinding | None = None
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    limits: tuple[str, ...] = ()

    @property
    def step(self) -> str:
        """The step that this is about: the one with a finding, or the last one."""
        return self.finding.step if self.finding else self.passed[-1]


def check(source: str, *, runner: Runner = PROCESSES) -> Checked:
    """Check as many steps as there are in a file; nothing of it runs in this process."""
    file = LearnerFile(source)
    try:
        reached = file.step
        if not reached:
            return Checked(file, (), StepFinding(STEPS[0], "absent"))
    except UnreadableFileError as error:
        return Checked(file, (), StepFinding("", "unreadable", line=error.line, error=str(error)))
    known = STEPS[: STEPS.index(reached) + 1]
    ready = [step for step in known if file.has(step) and not file.hole(step)]
    probes = tuple(probe for probe in PROBES if probe.step in ready)
    asked = tuple(PREDICTIONS[step] for step in ready)
    outcomes, trouble = run_probes(source, (*probes, *asked), runner)
    passed: list[str] = []
    for step in known:
        found = _finding(file, step, outcomes, trouble)
        if found is None:
            passed.append(step)
            continue
        if found.is_wrong and trouble is None:
            found = _placed(file, _named(file, found, outcomes, runner), runner)
        return Checked(file, tuple(passed), found, outcomes)
    examined = _examined(file, reached, runner)
    by_doctor = _finding_of(file, reached, examined)
    if by_doctor is not None:
        upto = STEPS[: STEPS.index(by_doctor.step)]
        by_doctor = _placed(file, by_doctor, runner)
        return Checked(file, tuple(step for step in passed if step in upto), by_doctor, outcomes)
    return Checked(file, tuple(passed), None, outcomes)


# ---- running it apart -------------------------------------------------------------------------------


def run_probes(
    source: str, probes: Sequence[StepProbe], runner: Runner = PROCESSES
) -> tuple[dict[str, Outcome], StepFinding | None]:
    """The outcome of each probe, and what went wrong with the file as a whole."""
    known = {probe.id for probe in probes}

    def accept(raw: RawMessage) -> Outcome | None:
        name = raw.get("id")
        if name != "" and name not in known:
            return None
        if isinstance(raw.get("numbers"), list) or isinstance(raw.get("error"), str):
            return dict(raw)
        return None

    request = {"source": source, "probes": [probe.request() for probe in probes], "seconds": SECONDS}
    job = Job(CHILD, request, Limits(wall=BUSY * CPU, cpu=CPU, idle=IDLE, processes=8))
    ended: Ended[Outcome] = runner.run(job, accept)
    outcomes = {str(message["id"]): _at_loop(source, message) for message in reversed(ended.messages)}
    loaded = outcomes.pop("", None)
    if loaded is None:
        return outcomes, StepFinding("", ENDINGS.get(ended.kind, "left"))
    if "error" in loaded:
        return outcomes, error_of(loaded)
    unanswered = next((probe.id for probe in probes if probe.id not in outcomes), "")
    if unanswered and ended.kind in ENDINGS:
        outcomes[unanswered] = {"error": ENDINGS[ended.kind]}
    return outcomes, None


def _at_loop(source: str, outcome: Outcome) -> Outcome:
    """The outcome of what did not end with the line of the loop in which it was."""
    lines = outcome.get("lines")
    if outcome.get("error") != "too-long" or not isinstance(lines, list):
        return outcome
    return {**outcome, "line": LearnerFile(source).loop_at([line for line in lines if isinstance(line, int)])}


def error_of(outcome: Outcome, step: str = "") -> StepFinding:
    """What kept a program from its numbers."""
    if "error" not in outcome:
        return StepFinding(step, "left")
    kind = str(outcome["error"]) if outcome["error"] in ENDINGS.values() else "error"
    line = outcome.get("line")
    words = f"{outcome['error']}: {outcome.get('detail', '')}".rstrip(": ")
    return StepFinding(
        step, kind, line=line if isinstance(line, int) else 0, error=words if kind == "error" else ""
    )


def _finding(
    file: LearnerFile, step: str, outcomes: Mapping[str, Outcome], trouble: StepFinding | None
) -> StepFinding | None:
    """What keeps a step from holding, by its own probes."""
    if not file.has(step):
        return StepFinding(step, "absent")
    if file.hole(step):
        return StepFinding(step, "open", line=file.hole(step))
    if trouble is not None:
        return replace(trouble, step=step)
    right = expected(step)
    for probe in PROBES:
        if probe.step != step:
            continue
        outcome = outcomes.get(probe.id)
        if outcome is None:
            return StepFinding(step, "left")
        if agree(outcome, right[probe.id]):
            continue
        program = (*probe.code.strip().splitlines(), f"print({probe.result})")
        if "error" in outcome:
            return replace(error_of(outcome, step), program=program)
        numbers, wanted = _numbers(outcome), _numbers(right[probe.id])
        slug = _general(probe, outcome, right[probe.id])
        return StepFinding(step, "mistake", slug, program=program, got=numbers, right=wanted)
    return None


def _general(probe: StepProbe, outcome: Outcome, right: Outcome) -> str:
    """What is wrong by the probe alone, where no mistake is known that acts like this."""
    if probe.step in _GENERAL:
        return _GENERAL[probe.step]
    got, wanted = outcome["numbers"], right["numbers"]
    firsts = [numbers[:1] for numbers in (got, wanted) if isinstance(numbers, list)]
    if probe.result.startswith(("[out.data", "y.data")) and not agree(
        {"numbers": firsts[0]}, {"numbers": firsts[-1]}
    ):
        return "value-wrong"
    return "rule-wrong"


def _numbers(outcome: Outcome) -> tuple[str, ...]:
    numbers = outcome.get("numbers")
    return (
        tuple(show(x) if isinstance(x, float) else str(x) for x in numbers)
        if isinstance(numbers, list)
        else ()
    )


# ---- which mistake, and which line ------------------------------------------------------------------


def _named(
    file: LearnerFile, found: StepFinding, outcomes: Mapping[str, Outcome], runner: Runner
) -> StepFinding:
    """The same finding with the name of the mistake: by the doctor, or by what the step is known for."""
    step = found.step
    like = mistake_like(step, outcomes)
    known = like.best
    is_clear = len(like.exact) == 1 and file.is_like(step) and file.differing_line(step) > 0
    if found.kind == "too-long" and _is_endless(step, outcomes):
        return found
    if found.kind == "mistake" and step not in UNPLANTED and not is_clear and not _is_endless(step, outcomes):
        by_doctor = _finding_of(file, step, _examined(file, step, runner))
        is_named = by_doctor is not None and by_doctor.slug not in ("gradient-wrong", "rule-wrong")
        if by_doctor is not None and (by_doctor.slug in like.exact or (is_named and not like.exact)):
            if not by_doctor.program:
                by_doctor = replace(by_doctor, program=found.program, got=found.got, right=found.right)
            return replace(by_doctor, step=step)
    line = file.differing_line(step)
    if found.kind == "error" and found.line and "RecursionError" not in found.error:
        line = found.line
    if found.kind == "too-long":
        known = known or ("clears-again" if step == "again" else "guard-missing" if step == "order" else "")
    if known:
        return replace(found, kind="mistake", slug=known, line=line, op=op_at(file, line))
    if found.kind == "mistake":
        return replace(found, line=line, op=op_at(file, line))
    return replace(found, line=found.line or line)


def _is_endless(step: str, outcomes: Mapping[str, Outcome]) -> bool:
    """Did a probe of a step not end, on a graph with few paths?"""
    ids = [probe.id for probe in PROBES if probe.step == step and probe.id not in MANY_PATHS]
    return any(outcomes.get(each, {}).get("error") == "too-long" for each in ids)


def _placed(file: LearnerFile, found: StepFinding, runner: Runner) -> StepFinding:
    """The same finding at the first line that has the form of its mistake."""
    early = file.entered_early(found.step) if found.slug in ("not-reversed", "pre-order") else 0
    if early:
        return replace(found, slug="pre-order", line=early, op=op_at(file, early), hunks=())
    if found.kind == "mistake" and found.line and file.is_missing_after(found.line, found.step):
        return replace(found, missing=True)
    if found.slug != "overwrite":
        return found
    lines = file.overwriting(found.step)
    if not lines or (found.hunks and lines == [found.line]):
        return found
    olds = file.source.splitlines()
    news = [added(line) if number in lines else line for number, line in enumerate(olds, 1)]
    hunks = tuple(((olds[number - 1],), (news[number - 1],)) for number in lines)
    probes = [probe for probe in PROBES if probe.step == found.step]
    outcomes, trouble = run_probes("\n".join(news) + "\n", probes, runner)
    right = expected(found.step)
    holds = trouble is None and all(agree(outcomes.get(one.id, {}), right[one.id]) for one in probes)
    return replace(found, line=lines[0], op=op_at(file, lines[0]), hunks=hunks if holds else ())


def sign_of(op: str) -> str:
    """An op of the table as a learner writes it: * for mul."""
    return _SIGNS.get(op, op)


def op_at(file: LearnerFile, line: int) -> str:
    """The operation that a line belongs to, as it is written; the name of its function where it is none."""
    name = file.function_at(line)
    return _METHODS.get(name, name)


def _examined(file: LearnerFile, step: str, runner: Runner) -> tuple[Report, int, int] | None:
    """The doctor's report on the class with the rest of the textbook in it, and which lines came in."""
    if file.value_class is None:
        return None
    text, first, count = file.completed(step)
    with TemporaryDirectory(prefix="minigrad-", ignore_cleanup_errors=True) as root:
        alone = Path(root, "alone", "engine")  # a doctor.toml is looked for in three folders upwards
        alone.mkdir(parents=True)
        path = alone / "engine.py"
        path.write_text(text, encoding="utf-8")
        return examine(path, pins=PINS, runner=runner), first, count


def _finding_of(file: LearnerFile, step: str, examined: tuple[Report, int, int] | None) -> StepFinding | None:
    """The doctor's first finding about what has been written so far."""
    if examined is None:
        return None
    report, first, count = examined
    for found in report.findings:
        line = _own_line(found.fix.place.line if found.fix else 0, first, count)
        due = [op for op in found.ops if STEPS.index(_OPS.get(op, STEPS[0])) <= STEPS.index(step)]
        if line == 0 and (found.fix or (found.ops and not due)):
            continue  # about a line that is not the learner's, or an op that is not due yet
        slug = slug_of_fault(found.fault)
        at = file.written(line) or file.differing_line(step)
        op = ", ".join(sign_of(op) for op in due if op != "sum") or op_at(file, at)
        return _described(found, report, StepFinding(step, "mistake", slug, op, at))
    return None


def _own_line(line: int, first: int, count: int) -> int:
    """A line of the completed text as one of the learner's; 0 for one that came in."""
    if line < first:
        return line
    return line - count if line >= first + count else 0


def _described(found: EngineFinding, report: Report, finding: StepFinding) -> StepFinding:
    program: tuple[str, ...] = ()
    got: list[str] = []
    right: list[str] = []
    if found.outcome.probe.text and _is_known(found.outcome.probe.graph, finding.step):
        program = tuple(script(found.outcome.probe.graph, report.exam.plan))
        wanted = found.outcome.expected.grads
        got = [f"{name}: {_shown(found.outcome.grads.get(name))}" for name in wanted]
        right = [f"{name}: {_shown(grad)}" for name, grad in wanted.items()]
    hunks = found.fix.hunks if found.fix and found.fix.confirmed else ()
    return replace(finding, program=program, got=tuple(got), right=tuple(right), hunks=hunks)


def _is_known(graph: Graph, step: str) -> bool:
    """Does a graph ask for nothing but what an engine has and does rightly after a step?"""

    def comes(one: str) -> bool:
        return STEPS.index(one) <= STEPS.index(step)

    used = [arg for node in graph.nodes for arg in node.args]
    is_tree = len(used) == len(set(used))
    ops = {node.op for node in graph.nodes} - {INPUT}
    due = [_PROGRAM_OPS.get(op) or _OPS.get(op) for op in ops]
    return comes("order") and (is_tree or comes("diamond")) and all(one and comes(one) for one in due)


def _shown(x: float | None) -> str:
    return "None" if x is None else show(x)
