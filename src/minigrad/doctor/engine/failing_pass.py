"""A backward pass that raises on every graph: which change makes it run.

Where a pass cannot be run, no probe says anything, and nothing else of the engine can be judged.  So changes
of the pass are tried until it gives gradients; the engine is then examined with that change made, and what
the pass raised is the first finding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from ..patches.anatomy import anatomy
from ..patches.patch import Patch
from ..patches.repairs.failing_pass import hidden_methods, repair_failing_pass
from .child_protocol import CPU, ProbeFailed, ask
from .findings import PASS_FAILS, PASS_HIDDEN, EngineFinding
from .probe_outcomes import WRONG, Examination, run_probes
from .probes import OP, STRUCTURE

__all__ = [
    "examination_with_running_pass",
    "finding_of_failing_pass",
    "finding_of_hidden_pass",
    "is_hidden",
]

TRIED = 12  # changes: each takes a process of its own


def examination_with_running_pass(exam: Examination, kind: str = "") -> tuple[Examination, Patch] | None:
    """The engine examined with the first change, of that kind, that makes its pass run; and that change."""
    path = str(exam.subject.path)
    changes = (patch for patch in _changes(exam) if kind in ("", patch.kind))
    for patch in islice(changes, TRIED):
        text = patch.apply(exam.subject.source)
        answer = ask(
            exam.subject, [], pins=exam.pins, texts={path: text}, cpu=CPU * exam.patience, runner=exam.runner
        )
        if answer.trouble or answer.plan is None or answer.plan.backward.on not in ("value", "function"):
            continue
        if "backward" in answer.plan.broken:
            continue
        found = run_probes(exam.subject, exam.pins, exam.patience, exam.runner, texts={path: text})
        if not found.trouble and any(o.status != WRONG for o in found.of(STRUCTURE, OP)):
            return found, patch
    return None


def finding_of_failing_pass(exam: Examination, why: str) -> EngineFinding | None:
    """What the pass raised, on the smallest graph; `exam` is with the change made."""
    asked = [o for o in exam.of(STRUCTURE, OP) if o.probe.kind == "graph"]
    if not asked:
        return None
    first = min(asked, key=lambda o: (len(o.probe.graph), o.probe.id))
    failed = ProbeFailed(first.probe.id, "raised", stage="backward", detail=why)
    outcome = replace(first, status=WRONG, flaky=False, seen=(failed,), wrong_runs=1, runs=1)
    probes = tuple(o.probe.id for o in asked)
    return EngineFinding(PASS_FAILS, (), outcome, probes, f" ({why})")


def is_hidden(exam: Examination) -> bool:
    """Is the method that should run the pass hidden by an attribute of every node, and little right?"""
    wrong = exam.of(STRUCTURE, OP, status=WRONG)
    if exam.plan.backward.on != "value" or 2 * len(wrong) < len(exam.of(STRUCTURE, OP)):
        return False
    try:
        body = anatomy(exam.subject.source, exam.plan.class_name, exam.plan.data.name, exam.plan.grad.name)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return exam.plan.backward.name in hidden_methods(body)


def finding_of_hidden_pass(exam: Examination) -> EngineFinding | None:
    """The attribute in place of the method, with what came out of that."""
    wrong = [o for o in exam.of(STRUCTURE, OP, status=WRONG) if o.probe.kind == "graph"]
    if not wrong:
        return None
    first = min(wrong, key=lambda o: (len(o.probe.graph), o.probe.id))
    probes = tuple(o.probe.id for o in wrong)
    return EngineFinding(PASS_HIDDEN, (exam.plan.backward.name,), first, probes)


def _changes(exam: Examination) -> Iterator[Patch]:
    source = exam.subject.source
    for name in exam.subject.classes or ("",):
        for data in ("data", "value", "val"):
            if f"self.{data}" not in source and data != "data":
                continue
            try:
                body = anatomy(source, name, data, "grad")
            except (SyntaxError, ValueError, RecursionError):
                break
            seen: set[str] = set()
            for patch in repair_failing_pass(body):
                if patch is not None and (text := patch.apply(source)) not in seen:
                    seen.add(text)
                    yield patch
            break
