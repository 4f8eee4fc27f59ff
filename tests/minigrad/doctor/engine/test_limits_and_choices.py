"""Limits of an engine: each sentence is said only where there is evidence for it."""

from __future__ import annotations

import pytest

from doctor_reports import CLOSURES
from forged_engines import CLOSURES_TEXT, changed
from minigrad.doctor import Report, examine
from minigrad.doctor.engine.child_protocol import ProbeFailed, ProbeNumbers
from minigrad.doctor.engine.expected import ExpectedProbe
from minigrad.doctor.engine.limits_and_choices import limits_of
from minigrad.doctor.engine.probe_outcomes import FAILED, RIGHT, Examination, ProbeOutcome
from minigrad.doctor.engine.probes import probes
from minigrad.doctor.engine.source import subject_of
from minigrad.doctor.engine.usage_plan import OpCall, UsagePlan

pytestmark = pytest.mark.slow

WALK = "        walk(self)\n"

# A pass that has no order: every node hands on each contribution that it gets, so it visits every path.
EVERY_PATH = """
class Value:
    def __init__(self, data, parents=()):
        self.data, self.grad, self.parents = data, 0.0, parents

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-other if isinstance(other, Value) else Value(-other))

    __radd__, __rmul__ = __add__, __mul__

    def backward(self, upstream=1.0):
        self.grad += upstream
        for parent, local in self.parents:
            parent.backward(upstream * local)
"""


@pytest.fixture
def report_on(tmp_path):
    def report(text: str) -> Report:
        (tmp_path / "engine.py").write_text(text, encoding="utf-8")
        return examine(tmp_path / "engine.py", patience=3.0)

    return report


def at(nodes: str, harm: str) -> str:
    """A right engine that does some harm in graphs of so many nodes."""
    return "import os, time\n" + changed(
        CLOSURES_TEXT, (WALK, f"{WALK}        if {nodes}:\n            {harm}\n")
    )


def said(report: Report) -> str:
    return " ".join(report.text(lang="en").split())


CHAIN = "60 < len(order) < 150"  # the chain of 100; a longer one is too deep for it anyhow
DEEP = {
    "raise ValueError('too long')": ("depth_fails", "it fails on a chain of 100 ops: ValueError: too long"),
    "raise RecursionError": ("depth", "a chain of 100 ops is too deep for it: RecursionError"),
    "raise MemoryError": ("depth_memory", "a chain of 100 ops takes it too much memory"),
    "raise SystemExit(3)": ("depth_fails", "it fails on a chain of 100 ops: SystemExit: 3"),
    "raise KeyboardInterrupt": ("depth_fails", "it fails on a chain of 100 ops: KeyboardInterrupt"),
    "os._exit(3)": ("depth_dies", "a chain of 100 ops kills the process"),
    "os.kill(os.getpid(), 9)": ("depth_dies", "a chain of 100 ops kills the process"),
    "time.sleep(9)": ("depth_slow", "a chain of 100 ops takes it too long"),
}


@pytest.mark.parametrize("harm", DEEP)
def test_a_chain_that_fails_is_told_as_what_happened(report_on, harm):
    code, sentence = DEEP[harm]
    report = report_on(at(CHAIN, harm))
    assert [limit.code for limit in report.limits if limit.code.startswith("depth")] == [code], report.text()
    assert report.verdict == "limited"
    assert sentence in said(report)
    assert ("kills the process" in said(report)) == (code == "depth_dies")


DOUBLING = "11 < len(order) < 60 and all(v._op in ('', '+') and len(v._parents) < 2 for v in order)"
PATHS = {
    "raise ValueError('no')": ("paths_fails", "it fails on a small graph with 2**12 paths: ValueError: no"),
    "os._exit(3)": ("paths_dies", "a small graph with 2**12 paths kills the process"),
    "time.sleep(9 if len(order) > 30 else 0)": (
        "paths_slow",
        "a small graph with 2**40 paths takes it too long",
    ),
}


@pytest.mark.parametrize("harm", PATHS)
def test_a_graph_with_many_paths_that_fails_is_told_as_what_happened(report_on, harm):
    code, sentence = PATHS[harm]
    report = report_on(at(DOUBLING, harm))
    assert [limit.code for limit in report.limits if limit.code.startswith("paths")] == [code], report.text()
    assert sentence in said(report)
    assert "walks every path" not in said(report)
    assert report.verdict == ("correct" if code == "paths_slow" else "limited")


def test_an_engine_that_walks_every_path_is_told_so(report_on):
    report = report_on(EVERY_PATH)
    assert [limit.code for limit in report.limits if limit.code.startswith("paths")] == ["paths"]
    assert "it walks every path by itself: a small graph with 2**40 paths does not end in time" in said(
        report
    )


def chain_and_paths(chain: float | None, paths: float | None) -> Examination:
    """An examination in which the graph with 2**40 paths took too long, and the two small ones so long."""
    known = {probe.id: probe for probe in probes()}
    plan = UsagePlan("Value", ops={"add": {"vv": OpCall("operator", "add")}})
    exam = Examination(subject_of(str(CLOSURES)), plan)
    for name, seconds in (("depth-100", chain), ("paths-4096", paths)):
        right = ExpectedProbe(1.0, {"a": 1.0})
        seen = ProbeNumbers(name, 1.0, {"a": 1.0}, seconds=seconds)
        exam.outcomes[name] = ProbeOutcome(known[name], right, RIGHT, False, (seen,))
    slow = ProbeFailed("paths-2**40", "slow")
    right = ExpectedProbe(2.0**40, {"a": 2.0**40})
    exam.outcomes["paths-2**40"] = ProbeOutcome(known["paths-2**40"], right, FAILED, False, (slow,))
    return exam


@pytest.mark.parametrize(
    ("chain", "paths", "code"),
    [
        (100e-6, 4096e-6, "paths"),  # a microsecond for each visit
        (100e-6, 12e-6, "paths_slow"),  # each node once
        (100e-6, 150e-6, "paths_slow"),  # on a busy machine
        (None, 4096e-6, "paths_slow"),  # unknown
        (100e-6, None, "paths_slow"),
    ],
)
def test_whether_it_walks_every_path_is_told_by_its_times(chain, paths, code):
    found = limits_of(chain_and_paths(chain, paths))
    assert [limit.code for limit in found if limit.code.startswith("paths")] == [code]


@pytest.mark.parametrize(
    ("harm", "sentence"),
    [
        ("os._exit(3)", "its process ends on a = 2; tanh(a)"),
        ("raise SystemExit(3)", "2 ordinary programs fail with SystemExit: 3; one of them is a = 2; tanh(a)"),
        ("raise MemoryError", "the memory ran out on a = 2; tanh(a)"),
    ],
)
def test_a_process_that_ends_is_told_from_a_program_that_raises(report_on, harm, sentence):
    old = "        t = math.tanh(self.data)\n"
    new = f"        if self.data == 2.0:\n            {harm}\n{old}"
    report = report_on("import os\n" + changed(CLOSURES_TEXT, (old, new)))
    assert report.verdict == "limited"
    assert sentence in said(report)
