"""Signs of forged results: each is seen on an engine that forges so, and none on an engine that computes."""

from __future__ import annotations

import pytest

from doctor_reports import CLOSURES, remembered
from forged_engines import denies_at_the_end, hidden_by
from memory_runner import MemoryRunner
from minigrad.doctor import Report, examine
from minigrad.doctor.engine.child_protocol import ProbeNumbers
from minigrad.doctor.engine.expected import expected
from minigrad.doctor.engine.forgery_signs import ForgerySign
from minigrad.doctor.engine.probes import probes
from minigrad.doctor.sandbox.runner import Job
from minigrad.text.translation import catalogue
from source_trees import DATA, ROOT

pytestmark = pytest.mark.slow

HOSTILE = DATA / "hostile"
PROBES = {probe.id: probe for probe in probes()}

# An engine of two ops that was written, and one in which nothing is computed.
SMALL = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.children = data, 0.0, children

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def backward(self, upstream=1.0):
        self.grad += upstream
        for child, local in self.children:
            child.backward(upstream * local)
"""
NOTHING = """
class Value:
    def __init__(self, data):
        self.data, self.grad = data, 0.0

    def __add__(self, other):
        return self

    def __mul__(self, other):
        return self

    def backward(self):
        return None
"""


@pytest.fixture
def report_on(tmp_path):
    def report(text: str, runner: MemoryRunner | None = None) -> Report:
        (tmp_path / "engine.py").write_text(text, encoding="utf-8")
        given = {} if runner is None else {"runner": runner}
        return examine(tmp_path / "engine.py", patience=3.0, **given)

    return report


def codes(report: Report) -> set[str]:
    return {sign.code for sign in report.signs}


def transcript(*ops: str, seconds: float = 1e-4):
    """The answers of a child that uses an engine with these ops, all of them right."""
    for probe in PROBES.values():
        expected(probe)
    plan = {
        "class": "Value",
        "leaf": {"how": "class", "keywords": {}},
        "data": ["attribute", "data"],
        "grad": ["attribute", "grad"],
        "blank": 0.0,
        "backward": {"on": "value", "name": "backward", "given": [], "seed": False},
        "ops": {
            op: {"vv": ["operator", op]} if op in ("add", "mul") else {"v": ["method", op]} for op in ops
        },
        "broken": {},
    }

    def answer(job: Job):
        found = [] if job.request["plan"] else [{"plan": plan, "expansions": {}, "files": []}]
        for row in job.request["probes"]:
            probe = PROBES[row["id"]]
            right = expected(probe)
            grads = {leaf: right.grads.get(leaf, 0.0) for leaf in probe.leaves}
            once = {"once": grads} if probe.kind == "twice" else {}
            took = seconds + probe.depth * 1e-6
            found.append({"begin": "probe", "probe": probe.id})
            found.append({"probe": probe.id, "value": right.value, "grads": grads, "seconds": took, **once})
        return [*found, {"end": True}]

    return MemoryRunner(answer)


# ---- forgers --------------------------------------------------------------------------------------


def test_lines_that_are_written_at_the_end_are_seen(report_on):
    report = report_on(denies_at_the_end())
    assert "out_of_turn" in codes(report)
    assert any("messages came when the program that runs the probes" in each for each in report.suspicions)


def test_lines_that_are_no_messages_are_seen():
    assert codes(examine(HOSTILE / "garbles_results.py", patience=3.0)) == {"rejected"}


def test_a_whole_transcript_is_seen_by_its_times():
    report = examine(HOSTILE / "forges_transcript.py", patience=3.0)
    assert codes(report) == {"timing"}, report.text()
    assert "the times that came with the answers are impossible" in " ".join(report.text(lang="en").split())


def test_a_whole_transcript_with_more_time_than_there_was_is_seen(report_on):
    text = (HOSTILE / "forges_transcript.py").read_text(encoding="utf-8")
    assert codes(report_on(text.replace("    return 0.0\n", "    return 60.0\n"))) == {"timing"}


def test_a_perfect_transcript_is_believed(report_on):
    """What docs/en/security.md says cannot be prevented: the engine is wrong, and CORRECT."""
    text = (HOSTILE / "forges_transcript.py").read_text(encoding="utf-8")
    plausible = "    return 1e-5 + probe['depth'] * 1e-6\n"
    report = report_on(text.replace("    return 0.0\n", plausible))
    assert (report.verdict, report.suspicions) == ("correct", ()), report.text()


def test_programs_that_fail_as_a_group_are_seen(report_on):
    report = report_on(hidden_by("raise ValueError('a value is used twice')"))
    assert codes(report) == {"group"}
    assert any("programs that use a value more than once fail" in each for each in report.suspicions)


def test_programs_that_are_denied_are_seen(report_on):
    ours = "sys.modules['inside.adapter'].Adapter.apply(SimpleNamespace(plan={'ops': {}}), 'add', [], 'vv')"
    report = report_on(hidden_by(ours, "import sys\nfrom types import SimpleNamespace\n"))
    assert codes(report) == {"group", "not_supported"}


def test_ops_that_the_source_does_not_speak_of_are_seen(report_on):
    report = report_on(SMALL, transcript("add", "mul", "tanh", "exp"))
    assert codes(report) == {"unwritten"}, report.text()
    assert "it answered for names that are nowhere in its source: exp, tanh" in report.suspicions[0] or (
        "it answered for names that are nowhere in its source: tanh, exp" in report.suspicions[0]
    )


def test_right_gradients_without_arithmetic_are_seen(report_on):
    report = report_on(NOTHING, transcript("add", "mul"))
    assert codes(report) == {"no_arithmetic"}


def test_answers_that_come_in_no_time_are_seen(report_on):
    assert codes(report_on(SMALL, transcript("add", "mul", seconds=0.0))) == {"timing"}


# ---- and those that compute -----------------------------------------------------------------------


def test_the_same_transcript_of_an_engine_that_has_these_ops_is_not_suspected(report_on):
    assert report_on(SMALL, transcript("add", "mul")).suspicions == ()


def test_an_engine_that_lets_a_library_compute_is_not_suspected(report_on):
    assert report_on("import operator\n" + NOTHING, transcript("add", "mul")).suspicions == ()


@pytest.mark.parametrize(
    "text",
    [
        "from elsewhere import Base\n" + SMALL.replace("class Value:", "class Value(Base):"),
        "from elsewhere import with_ops\n" + SMALL.replace("class Value:", "@with_ops\nclass Value:"),
        SMALL + "\nfor name in ('t' + 'anh', 'ex' + 'p'):\n    setattr(Value, name, Value.__add__)\n",
    ],
    ids=["inherited from a library", "added by a decorator", "made as it runs"],
)
def test_ops_that_may_come_from_elsewhere_are_not_suspected(report_on, text):
    assert report_on(text, transcript("add", "mul", "tanh", "exp")).suspicions == ()


def test_a_right_engine_has_times_and_no_sign():
    report = remembered(str(CLOSURES))
    assert report.suspicions == ()
    assert report.to_json()["suspicions"] == []
    numbers = [one for o in report.exam.outcomes.values() for one in o.seen if isinstance(one, ProbeNumbers)]
    assert all(one.seconds is not None and one.seconds > 1e-6 for one in numbers)


# ---- how they are told ----------------------------------------------------------------------------


def test_signs_are_told_in_both_languages_in_every_form_and_change_no_verdict():
    known = remembered(str(CLOSURES))
    signs = (ForgerySign("out_of_turn", 3), ForgerySign("unwritten", 1, "tanh"), ForgerySign("timing"))
    report = Report(known.subject, known.exam, known.findings, known.limits, known.choices, signs)
    assert report.verdict == "correct"
    english, spanish = (" ".join(report.text(lang=lang).split()) for lang in ("en", "es"))
    assert "Signs of forged results - 3 messages came when" in english
    assert "it answered for a name that is nowhere in its source: tanh" in english
    assert "Indicios de resultados falsificados - llegaron 3 mensajes cuando" in spanish
    assert "Indicios de resultados falsificados" in report.html(lang="es")
    assert report.to_json()["suspicions"][1] == {"code": "unwritten", "count": 1, "what": "tanh"}


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_of_the_doctor_has_every_sign(language):
    page = (ROOT / "docs" / language / "doctor.md").read_text(encoding="utf-8")
    start = "doctor.suspicion."
    known = {key.removeprefix(start).removesuffix("_one") for key in catalogue() if key.startswith(start)}
    assert len(known) == 7
    assert {code for code in known if f"\n| `{code}` |" in page} == known
