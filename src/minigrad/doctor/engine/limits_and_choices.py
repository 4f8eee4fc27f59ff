"""Limits and design choices of an engine: nothing of this is a bug."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ...graph.wording import statement
from ...ops import OPS
from ...text.numerals import counted
from ...text.translation import say
from ..inside.op_spellings import METHODS, RETURNS_NONE, STORES_NOT_IMPLEMENTED
from .child_protocol import ProbeFailed
from .expected import close
from .ordinary_programs import failure_of, is_ordinary, programs_not_run
from .probe_outcomes import FAILED, MISSING, ROUGH, ROUGH_EDGE, WRONG, Examination, ProbeOutcome
from .probes import DEPTH, EDGE, FAR, OP, STATE, STRUCTURE

__all__ = ["DesignChoice", "Limit", "choices_of", "limits_of"]

CORE = ("add", "sub", "mul", "neg")  # without one of these an ordinary program does not run
SILENT = {RETURNS_NONE: "returns_none", STORES_NOT_IMPLEMENTED: "stores_not_implemented"}
MOST_ERRORS = 3  # of ordinary programs that are shown


@dataclass(frozen=True)
class Limit:
    """Something that the engine cannot do, and says so by failing."""

    code: str  # its sentence is doctor.limit.CODE
    what: str = ""
    detail: str = ""
    limiting: bool = False  # does it keep ordinary programs from running?
    count: int = 0  # programs that it is about, where these are many

    @property
    def text(self) -> str:
        what = counted(int(self.what)) if self.what.isdecimal() else self.what
        if self.count == 1:
            return say(f"doctor.limit.{self.code}_one", what=what, detail=self.detail)
        return say(f"doctor.limit.{self.code}", what=what, detail=self.detail, count=counted(self.count))


@dataclass(frozen=True)
class DesignChoice:
    """Not a bug: another way to have it."""

    code: str

    @property
    def text(self) -> str:
        return say(f"doctor.choice.{self.code}")


def limits_of(exam: Examination) -> list[Limit]:
    """What it cannot do, ordinary programs first."""
    plan = exam.plan
    ops = plan.ops
    found = []
    for op in CORE:
        if op not in ops and f"{op} vv" not in plan.broken and f"{op} v" not in plan.broken:
            found.append(Limit("no_op", _as_typed(op), limiting=True))
    signs = any(call.how == "operator" for op in ("add", "mul") for call in ops.get(op, {}).values())
    if not any("vk" in plan.patterns(op) for op in ("add", "mul")):
        found.append(Limit("no_numbers", "a + 2, a * 2", limiting=signs))
    elif signs:
        lacking = [op for op in ("add", "mul") if {"vk", "kv"} & plan.patterns(op) == {"vk"}]
        if lacking:
            found.append(
                Limit("no_reflected", ", ".join(_as_typed(op, "kv") for op in lacking), limiting=True)
            )
    for key, error in plan.broken.items():
        op, _, pattern = key.partition(" ")
        if op == "backward":
            found.append(Limit("pass_fails", detail=error, limiting=True))
        elif op in METHODS and not op.startswith(("max", "min", "leaky")):
            code = SILENT.get(error, "crashes")
            found.append(Limit(code, _as_typed(op, pattern), error, limiting=True))
    if plan.backward.on == "walk":
        found.append(Limit("no_pass", plan.backward.name, limiting=True))
    found += _not_run(exam)
    found += _failures(exam)
    leaf = exam.outcomes.get("leaf")
    if leaf is not None and (_failure(leaf) or not close(leaf.grads["a"], 1.0)):
        found.append(Limit("leaf"))
    if exam.single:
        found.append(Limit("single_precision", limiting=True))
    elif any(o.status == ROUGH for o in exam.outcomes.values()):
        found.append(Limit("few_digits"))
    return found + _deep(exam)


def _failure(outcome: ProbeOutcome) -> str:
    """How the worst result failed, as a code; "" where it has numbers."""
    return outcome.worst.failed if isinstance(outcome.worst, ProbeFailed) else ""


def _as_typed(op: str, pattern: str = "") -> str:
    pattern = pattern or ("vv" if op in ("add", "sub", "mul", "div", "pow") else "v")
    letters = {"vv": ("a", "b"), "vk": ("a", "2"), "kv": ("2", "a"), "v": ("a",)}[pattern]
    return OPS[op].write(*letters)


STOPPED = {"memory": "memory", "output": "stopped", "processes": "stopped"}  # by a limit of ours


def _never_works(exam: Examination, op: str) -> bool:
    mine = [o for o in exam.outcomes.values() if o.probe.op == op and o.probe.topic == OP]
    return bool(op) and bool(mine) and all(o.status in (FAILED, MISSING) for o in mine)


def _died(outcome: ProbeOutcome) -> str:
    """How a probe ended its process: by itself, or because it went over a limit."""
    return STOPPED.get(outcome.worst.detail, "died") if isinstance(outcome.worst, ProbeFailed) else ""


def _not_run(exam: Examination) -> list[Limit]:
    """Ordinary programs that raised or were reported as not supported, by what they raised."""
    by_error: dict[tuple[str, str], list[ProbeOutcome]] = {}
    for outcome in programs_not_run(exam):
        failure = _failure(outcome)
        elsewhere = failure in ("slow", "died", "memory") or _never_works(exam, outcome.probe.op)
        if outcome.status == MISSING:
            by_error.setdefault(("not_supported", ""), []).append(outcome)
        elif not elsewhere and outcome.probe.topic != DEPTH:
            why = "RecursionError" if failure == "recursion" else failure_of(outcome)
            by_error.setdefault(("not_run", why), []).append(outcome)
    largest = sorted(by_error.items(), key=lambda row: -len(row[1]))
    return [
        Limit(code, _program(outcomes[0]), why, True, len(outcomes))
        for (code, why), outcomes in largest[:MOST_ERRORS]
    ]


def _program(outcome: ProbeOutcome) -> str:
    return (
        statement(outcome.probe.graph)
        if outcome.probe.text
        else f"y = a; y = y + a; ... ({outcome.probe.depth})"
    )


def _failures(exam: Examination) -> list[Limit]:
    """Probes that raised: an op that never works, or one that fails only where it is hard."""
    found: dict[str, Limit] = {}
    for outcome in exam.of(EDGE, FAR):
        shown = statement(outcome.probe.graph)
        if outcome.status == WRONG and outcome.probe.topic == FAR:
            code = "far_value" if outcome.value_wrong else "far_gradient"
            found.setdefault(f"{outcome.probe.op}-far", Limit(code, shown))
        elif outcome.status == ROUGH_EDGE:
            found.setdefault(f"{outcome.probe.op}-rough", Limit("rough", shown))
    ordinary = {outcome.probe.id for outcome in programs_not_run(exam)}
    for outcome in exam.of(STRUCTURE, OP, EDGE, FAR, STATE, status=FAILED):
        failure, op = _failure(outcome), outcome.probe.op
        why = failure_of(outcome) or "inf"
        if outcome.probe.kind == "in-place" or failure == "freed":
            continue  # no such operator; a choice
        if failure in ("slow", "died", "memory"):
            code = _died(outcome) if failure == "died" else failure
            found.setdefault(code, Limit(code, statement(outcome.probe.graph), why, True))
        elif _never_works(exam, op):
            found.setdefault(op, Limit("crashes", _as_typed(op), why, limiting=True))
        elif outcome.probe.id in ordinary:
            continue  # in _not_run
        elif outcome.probe.topic in (EDGE, FAR):
            found.setdefault(f"{op}-edge", Limit("edge", statement(outcome.probe.graph), why))
        else:
            found.setdefault(f"{op}-some", Limit("fails", statement(outcome.probe.graph), why))
    return list(found.values())


def _deep(exam: Examination) -> list[Limit]:
    found: list[Limit] = []
    for outcome in exam.of(DEPTH, status=FAILED):
        probe, failure = outcome.probe, _failure(outcome)
        how = _died(outcome) if failure == "died" else failure
        why = failure_of(outcome) if failure == "raised" else failure
        if probe.kind == "chain":
            if not any(limit.code.startswith("depth") for limit in found):
                code = DEPTH_CODES.get(how, "depth_fails")
                found.append(Limit(code, str(probe.depth), why, limiting=is_ordinary(probe)))
        elif not any(limit.code.startswith("paths") for limit in found):
            code = (
                "paths" if failure == "slow" and _walks_paths(exam) else PATHS_CODES.get(how, "paths_fails")
            )
            found.append(Limit(code, f"2**{probe.depth}", why, limiting=is_ordinary(probe)))
    return found


DEPTH_CODES = {"recursion": "depth", "slow": "depth_slow", "died": "depth_dies", "memory": "depth_memory"}
PATHS_CODES = {"slow": "paths_slow", "died": "paths_dies", "memory": "paths_memory"}
WALKS = 2.0  # times as long as the chain: 4,096 visits take some 40 times as long as 100, and 12 far less


def _walks_paths(exam: Examination) -> bool:
    """Does its time grow with the number of paths?  The graph with 4,096 of them has only 12 ops: whoever
    visits each node once is through with it sooner than with a chain of 100."""
    chain, paths = (_seconds(exam, name) for name in ("depth-100", "paths-4096"))
    return chain is not None and paths is not None and paths > WALKS * chain


def _seconds(exam: Examination, name: str) -> float | None:
    """How long a probe took at least; None where that is not known."""
    outcome = exam.outcomes.get(name)
    if outcome is None:
        return None
    seen = outcome.seen[0]
    if isinstance(seen, ProbeFailed):
        return outcome.probe.seconds if seen.failed == "slow" else None
    return seen.seconds


# ---- choices --------------------------------------------------------------------------------------


def choices_of(exam: Examination) -> list[DesignChoice]:
    """What it does where there is more than one right way; only what the numbers tell."""
    found = []
    passes = exam.outcomes.get("two-passes")
    if passes is not None:
        found.append(DesignChoice(_second_pass(passes)))
    written = exam.outcomes.get("written-data")
    if written is not None and not _failure(written):
        read = {20.0: "reads_late", 6.0: "reads_early"}
        found += [DesignChoice(code) for grad, code in read.items() if close(written.grads["a"], grad)]
    failed = [seen.failed for o in exam.of(STATE) for seen in o.seen if isinstance(seen, ProbeFailed)]
    if "freed" in failed:
        found = [choice for choice in found if choice.code != "starts_anew"]
        found.append(DesignChoice("frees"))
    relu = exam.outcomes.get("relu-at-zero")
    if relu is not None and not _failure(relu) and close(relu.grads["a"], 1.0):
        found.append(DesignChoice("relu_at_zero"))
    if exam.plan.backward.seed and exam.plan.backward.on != "walk":
        found.append(DesignChoice("caller_seeds"))
    if exam.plan.grad.how in ("returned", "tape"):
        found.append(DesignChoice("returns_gradients"))
    return [choice for choice in found if choice.code]


def _second_pass(outcome: ProbeOutcome) -> str:
    """What a second backward() over the same graph does: a = 3, b = 2, c = a*b, c + a."""
    seen = outcome.worst
    if isinstance(seen, ProbeFailed):
        return "once_only" if seen.stage == "again" else ""
    grads = (seen.grads["a"], seen.grads["b"])
    if any(x is None or not isfinite(x) for x in grads):
        return ""
    known = {(6.0, 6.0): "accumulates", (8.0, 9.0): "stale", (3.0, 3.0): "starts_anew"}
    for numbers, code in known.items():
        if all(close(x, y) for x, y in zip(grads, numbers, strict=True)):
            return code
    once = seen.once
    steady = close(once["a"], 3.0) and close(once["b"], 3.0)  # else the first pass is wrong already
    return "second_pass_differs" if steady else ""
