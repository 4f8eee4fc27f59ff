"""The rule for CORRECT: the ordinary programs ran.  Hiding a wrong gradient by failing does not help."""

from __future__ import annotations

import pytest

from engine_texts import ENGINES
from forged_engines import CLOSURES_TEXT, changed, denies_at_the_end, hidden_by
from minigrad.doctor import Report, examine
from minigrad.doctor.engine.ordinary_programs import is_ordinary
from minigrad.doctor.engine.probes import probes

pytestmark = pytest.mark.slow

ADD = "        other = wrap(other)\n        out = Value(self.data + other.data"
OURS = "import sys\nfrom types import SimpleNamespace\n"


@pytest.fixture
def report_on(tmp_path):
    def report(text: str) -> Report:
        (tmp_path / "engine.py").write_text(text, encoding="utf-8")
        return examine(tmp_path / "engine.py", patience=3.0)

    return report


HIDDEN = {
    "raises": (hidden_by("raise ValueError('a value is used twice')"), "ValueError: a value is used twice"),
    "raises the child's own error": (
        hidden_by("raise sys.modules['inside.adapter'].UnsupportedError('add vv')", OURS),
        "UnsupportedError: add vv",
    ),
    "lets the child raise it": (
        hidden_by(
            "sys.modules['inside.adapter'].Adapter.apply(SimpleNamespace(plan={'ops': {}}), 'add', [], 'vv')",
            OURS,
        ),
        "UnsupportedError: add vv",
    ),
    "leaves": (hidden_by("raise SystemExit(0)"), "SystemExit: 0"),
    "interrupts": (hidden_by("raise KeyboardInterrupt"), "KeyboardInterrupt"),
}


@pytest.mark.parametrize("how", HIDDEN)
def test_a_wrong_engine_that_fails_on_every_small_shared_graph_is_not_examined(report_on, how):
    text, error = HIDDEN[how]
    report = report_on(text)
    assert (report.verdict, report.findings) == ("not examined", ()), report.text()
    assert report.trouble.code == "few_ran"
    said = " ".join(report.text(lang="en").split())
    assert "more than half of the ordinary programs fail" in said
    assert f"a = 3; a + a: {error}" in said
    assert "más de la mitad de los programas corrientes fallan" in " ".join(report.text(lang="es").split())


def test_a_wrong_engine_that_says_missing_at_the_end_is_wrong(report_on):
    report = report_on(denies_at_the_end())
    assert report.verdict == "wrong", report.text()
    assert report.exam.outcomes["mul-beside"].status == "wrong"
    assert report.exam.out_of_turn > 100


@pytest.mark.parametrize(
    ("old", "new", "program"),
    [
        (
            ADD,
            "        if self is other:\n            raise ValueError('no')\n" + ADD,
            "a = 3; a + a",
        ),
        (
            "        t = math.tanh(self.data)\n",
            "        if self.data > 1.9:\n            raise ValueError('no')\n"
            "        t = math.tanh(self.data)\n",
            "a = 2; tanh(a)",
        ),
        (
            "        out = Value(self.data if self.data > 0",
            "        if self.data == 0:\n            raise ValueError('no')\n"
            "        out = Value(self.data if self.data > 0",
            "a = 0; relu(a)",
        ),
    ],
    ids=["the same value twice", "an op in part of its usual inputs", "relu at 0"],
)
def test_an_engine_that_raises_on_an_ordinary_program_is_limited_and_the_program_is_shown(
    report_on, old, new, program
):
    report = report_on(changed(CLOSURES_TEXT, (old, new)))
    assert report.verdict == "limited", report.text()
    limit = next(limit for limit in report.limits if limit.code == "not_run")
    assert limit.limiting
    assert limit.what == program
    assert limit.detail == "ValueError: no"
    said = " ".join(report.text(lang="en").split())
    assert "ValueError: no" in said
    assert program in said


def test_a_second_loss_over_the_same_leaves_that_raises_is_a_limit(report_on):
    counted = "        Value.passes = getattr(Value, 'passes', 0) + 1\n        if Value.passes > 1:\n"
    text = changed(
        CLOSURES_TEXT,
        ("        walk(self)\n", f"{counted}            raise RuntimeError('once')\n        walk(self)\n"),
    )
    report = report_on(text)
    assert report.verdict in ("limited", "not examined"), report.text()


def test_an_exponent_may_be_refused_and_an_op_may_be_lacking(report_on):
    whole = "        if not isinstance(k, int):\n            raise TypeError('whole exponents only')\n"
    power = "        out = Value(self.data ** k, (self,), f'**{k}')\n"
    report = report_on(changed(CLOSURES_TEXT, (power, whole + power)))
    assert report.verdict == "correct", report.text()
    assert any(limit.code == "fails" for limit in report.limits)
    start, end = CLOSURES_TEXT.index("    def tanh"), CLOSURES_TEXT.index("    # --- the interesting part")
    lacking = report_on(CLOSURES_TEXT[:start] + CLOSURES_TEXT[end:])
    assert (lacking.verdict, lacking.suspicions) == ("correct", ())
    assert {"exp(a)", "tanh(a)"} <= set(lacking.not_examined)


def test_an_exponent_that_is_refused_beside_another_contribution_only_is_no_excuse(report_on):
    text = changed(
        CLOSURES_TEXT,
        (
            "            self.grad += k * self.data ** (k - 1) * out.grad\n",
            "            if self.grad:\n                raise ValueError('no')\n"
            "            self.grad = k * self.data ** (k - 1) * out.grad\n",
        ),
    )
    report = report_on(text)
    assert report.verdict == "limited", report.text()


def test_sum_is_not_asked_of_an_engine_without_the_operator():
    report = examine(ENGINES / "free_functions.py", patience=3.0)
    assert "builtin-sum" not in report.exam.outcomes
    assert "builtin-sum" in examine(ENGINES / "closures.py", patience=3.0).exam.outcomes


def test_ordinary_are_the_usual_graphs_and_not_the_edges():
    ordinary = {probe.id for probe in probes() if is_ordinary(probe)}
    assert {"add-twice", "diamond", "tanh-shared", "relu-at-zero", "depth-100", "two-losses"} <= ordinary
    assert ordinary.isdisjoint({"sigmoid-negative", "abs-at-zero", "depth-2000", "paths-2**40", "seed"})
    assert len(ordinary) > 0.8 * len(probes())
