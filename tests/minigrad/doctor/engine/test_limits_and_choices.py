"""Limits of an engine: each sentence is said only where there is evidence for it."""

from __future__ import annotations

import pytest

from doctor_reports import CLOSURES
from forged_engines import CLOSURES_TEXT, changed
from minigrad.doctor import Report, examine
from minigrad.doctor.engine.child_protocol import ProbeFailed, ProbeNumbers
from minigrad.doctor.engine.expected import ExpectedProbe
from minigrad.doctor.engine.limits_and_choices import choices_of, limits_of
from minigrad.doctor.engine.probe_outcomes import FAILED, RIGHT, Examination, ProbeOutcome
from minigrad.doctor.engine.probes import STATE, probes
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
    "while True: pass": ("depth_slow", "a chain of 100 ops takes it too long"),
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
    "while len(order) > 30: pass": (
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


# ---- choices --------------------------------------------------------------------------------------


def examined(name: str, grads: dict[str, float], failed: str = "", **more: object) -> Examination:
    """An examination in which one probe gave these gradients, and another of its state failed."""
    known = {probe.id: probe for probe in probes()}
    exam = Examination(subject_of(str(CLOSURES)), UsagePlan("Value"))
    seen = ProbeNumbers(name, 9.0, grads, **more)
    exam.outcomes[name] = ProbeOutcome(known[name], ExpectedProbe(9.0, grads), RIGHT, False, (seen,))
    if failed:
        other = next(probe for probe in known.values() if probe.topic == STATE)
        was = ProbeFailed(other.id, failed, stage="again")
        right = ExpectedProbe(1.0, {"a": 1.0})
        exam.outcomes[other.id] = ProbeOutcome(other, right, FAILED, False, (was,))
    return exam


@pytest.mark.parametrize(
    ("grad", "codes"),
    [
        (6.0, ["reads_early"]),  # of a*a at 3, when 10 was written into a before the pass: 3 + 3
        (20.0, ["reads_late"]),  # 10 + 10
        (13.0, []),  # neither
    ],
)
def test_when_a_pass_reads_its_data_is_told_by_the_gradient_of_a_square(grad, codes):
    found = choices_of(examined("written-data", {"a": grad}))
    assert [choice.code for choice in found] == codes


@pytest.mark.parametrize(
    ("grads", "code"),
    [
        ({"a": 6.0, "b": 6.0}, "accumulates"),  # c + a with c = a*b: 2 + 1 and 3 a pass, twice
        ({"a": 8.0, "b": 9.0}, "stale"),
        ({"a": 3.0, "b": 3.0}, "starts_anew"),
    ],
)
def test_what_a_second_pass_does_is_told_by_its_gradients(grads, code):
    assert [choice.code for choice in choices_of(examined("two-passes", grads))] == [code]


@pytest.mark.parametrize(("failed", "codes"), [("freed", ["frees"]), ("raised", ["starts_anew"])])
def test_an_engine_that_frees_its_graph_is_not_told_to_start_anew(failed, codes):
    found = choices_of(examined("two-passes", {"a": 3.0, "b": 3.0}, failed))
    assert [choice.code for choice in found] == codes
