"""Limits and design choices of an engine: nothing of this is a bug."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from ...graph.wording import statement
from ...ops import OPS
from ...text.numerals import counted
from ...text.translation import say
from ..inside.op_spellings import METHODS
from .child_protocol import ProbeFailed
from .expected import close
from .probe_outcomes import FAILED, MISSING, ROUGH, ROUGH_EDGE, WRONG, Examination, ProbeOutcome
from .probes import DEPTH, EDGE, FAR, OP, STATE, STRUCTURE

__all__ = ["DesignChoice", "Limit", "choices_of", "limits_of"]

CORE = ("add", "sub", "mul", "neg")  # without one of these an ordinary program does not run


@dataclass(frozen=True)
class Limit:
    """Something that the engine cannot do, and says so by failing."""

    code: str  # its sentence is doctor.limit.CODE
    what: str = ""
    detail: str = ""
    limiting: bool = False  # does it keep ordinary programs from running?

    @property
    def text(self) -> str:
        what = counted(int(self.what)) if self.what.isdecimal() else self.what
        return say(f"doctor.limit.{self.code}", what=what, detail=self.detail)


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
    elif signs and not any("kv" in plan.patterns(op) for op in ("add", "mul")):
        found.append(Limit("no_reflected", "2 + a, 2 * a", limiting=True))
    for key, error in plan.broken.items():
        op, _, pattern = key.partition(" ")
        if op == "backward":
            found.append(Limit("pass_fails", detail=error, limiting=True))
        elif op in METHODS and not op.startswith(("max", "min", "leaky")):
            found.append(Limit("crashes", _as_typed(op, pattern), error, limiting=True))
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
    for outcome in exam.of(STRUCTURE, OP, EDGE, FAR, STATE, status=FAILED):
        failure, op = _failure(outcome), outcome.probe.op
        mine = [o for o in exam.outcomes.values() if o.probe.op == op and o.probe.topic == OP]
        always = bool(op) and bool(mine) and all(o.status in (FAILED, MISSING) for o in mine)
        detail = outcome.worst.detail if isinstance(outcome.worst, ProbeFailed) else ""
        why = detail or failure or "inf"
        if outcome.probe.kind == "in-place" or failure == "freed":
            continue  # no such operator; a choice
        if failure in ("slow", "died", "memory"):
            found.setdefault(failure, Limit(failure, statement(outcome.probe.graph), why, True))
        elif always:
            found.setdefault(op, Limit("crashes", _as_typed(op), why, limiting=True))
        elif outcome.probe.topic in (EDGE, FAR):
            found.setdefault(f"{op}-edge", Limit("edge", statement(outcome.probe.graph), why))
        else:
            found.setdefault(f"{op}-some", Limit("fails", statement(outcome.probe.graph), why))
    return list(found.values())


def _deep(exam: Examination) -> list[Limit]:
    found: list[Limit] = []
    for outcome in exam.of(DEPTH, status=FAILED):
        probe, why = outcome.probe, _failure(outcome)
        if probe.kind == "chain":
            if not any(limit.code.startswith("depth") for limit in found):
                code = "depth" if why == "recursion" else "depth_slow" if why == "slow" else "depth_dies"
                found.append(Limit(code, str(probe.depth), why, limiting=probe.depth <= 100))
        elif probe.depth > 12 or why:
            found.append(Limit("paths", f"2**{probe.depth}", why, limiting=probe.depth <= 12))
    return found


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
