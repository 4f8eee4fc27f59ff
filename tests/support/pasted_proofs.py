"""Proofs of the doctor's reports, pasted behind the engine's definitions and run anew.

    for proof in proofs_of(report):
        for seed in range(10):
            said(report, proof, seed)     # "" if its numbers are those of the report, else what came out

The lines are run as they are printed, in a process of their own, after the definitions of the examined file
and whatever change the report says was made before.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import minigrad.doctor
from minigrad.doctor.engine.child_protocol import ProbeNumbers
from minigrad.doctor.engine.findings import EngineFinding
from minigrad.doctor.engine.probe_script import shown
from minigrad.doctor.engine.proofs import changes_before, proof_lines
from minigrad.doctor.engine.report import Report
from minigrad.doctor.sandbox.process import PROCESSES
from minigrad.doctor.sandbox.runner import Command, Job, Limits

__all__ = ["Proof", "proofs_of", "said"]

PASTE = """
import json, os, sys
request, number = json.load(sys.stdin), int(os.environ["MINIGRAD_RESULTS"])
sys.path.insert(0, request["home"])
from inside.adapter import Adapter, number_of
from inside.lazy_libraries import LazyLibraries
from inside.module_loader import SourceOverrides, load, neighbours
sys.path.remove(request["home"])
subject = request["subject"]
sys.path[:0] = subject["search"]
sys.meta_path[:0] = [SourceOverrides(subject["replaced"]), LazyLibraries(subject["search"])]
where = [subject[key] for key in ("source", "filename", "name", "package", "classes")]
module = load(*where)[0]
neighbours(module, subject["package"], subject["folder"])
printed = []
module.print = lambda *numbers, **how: printed.append(numbers)  # the engine may print, too
try:
    exec("\\n".join(request["lines"]), module.__dict__)
    out = Adapter(module, request["plan"]).data(module.__dict__[request["out"]])
    answer = {"value": out, "grads": [number_of(x) for x in printed[-1]]}
except BaseException as error:
    answer = {"error": f"{type(error).__name__}: {error}"[:200]}
os.write(number, (json.dumps(answer) + "\\n").encode())
"""
HOME = str(Path(minigrad.doctor.__file__).parent)
LIMITS = Limits(wall=100.0, cpu=10.0)


@dataclass(frozen=True)
class Proof:
    finding: EngineFinding
    lines: tuple[str, ...]
    texts: Mapping[str, str]  # of files with the changes that it says are made before


def proofs_of(report: Report) -> list[Proof]:
    """Those that are printed as lines of Python."""
    return [
        Proof(finding, tuple(proof_lines(report, finding)), texts_of(report, finding))
        for finding in report.findings
        if finding.outcome.probe.kind == "graph"
    ]


def texts_of(report: Report, finding: EngineFinding) -> Mapping[str, str]:
    made = changes_before(report, finding)
    return finding.exam.texts if made and finding.exam is not None else {}


def said(report: Report, proof: Proof, seed: int) -> str:
    """What came out instead of the numbers of the report; nothing if they are the same."""
    found, graph = proof.finding.outcome.worst, proof.finding.outcome.probe.graph
    exam = report.exam
    request = {
        "home": HOME,
        "subject": exam.subject.request(proof.texts),
        "plan": exam.plan.to_json(),
        "lines": proof.lines,
        "out": graph.names[graph.output],
    }
    command = Command((sys.executable, "-B", "-P", "-c", PASTE))
    ended = PROCESSES.run(Job(command, request, LIMITS, hash_seed=seed), lambda raw: raw)
    if len(ended.messages) != 1:
        return f"it ended: {ended.kind} {ended.output[-200:]}"
    (answer,) = ended.messages
    if "error" in answer:
        return str(answer["error"])
    if not isinstance(found, ProbeNumbers):
        return f"{answer} where it had failed"
    names = [graph.names[i] for i in graph.inputs]
    got = [shown(answer["value"]), *map(shown, answer["grads"])]
    due = [shown(found.value), *(shown(found.grads.get(name)) for name in names)]
    return "" if got == due else f"{got} instead of {due}"
