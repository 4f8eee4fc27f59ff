"""Reports of the rule child: what it sends is read, and what a stranger writes to its pipe is not."""

from __future__ import annotations

import dataclasses

import pytest

from forged_messages import forgeries, junk_everywhere
from memory_runner import MemoryRunner
from minigrad.doctor.rules.by_name import examine_named, report_from
from minigrad.doctor.rules.report import ExaminedInput, Remark, RuleFinding, RuleReport, Unseen

REPORT = RuleReport(
    "torch",
    "Scale",
    "wrong",
    (
        RuleFinding(
            "wrong-in-region",
            "x",
            "wrong",
            (1, 0),
            0.5,
            float("inf"),
            -2.5,
            {"region": "below", "bound": 1.0, "like": ""},
        ),
    ),
    (),
    (Unseen("large", "x"),),
    (ExaminedInput("x", (2, 3), ""), ExaminedInput("factor", None, "3")),
    "module",
    12,
    ("differences",),
)


@pytest.fixture(scope="module")
def real() -> list[dict[str, object]]:
    return [report.to_json() for report in (REPORT, RuleReport("jax", "f", "correct", origin="given"))]


def is_well_typed(report: RuleReport) -> bool:
    """Written without the reader."""
    numbers = [x for f in report.findings for x in (f.got, f.expected, f.upstream)]
    places = [at for f in report.findings for at in f.position or ()]
    sizes = [at for given in report.inputs for at in given.shape or ()]
    texts = [report.library, report.name, report.origin, *report.witnesses]
    texts += [text for f in report.findings for text in (f.fault, f.input, f.grade, *f.fields)]
    texts += [text for r in (*report.design_choices, *report.not_examined) for text in (r.code, r.about)]
    texts += [text for given in report.inputs for text in (given.name, given.text)]
    return (
        all(x is None or type(x) is float for x in numbers)
        and all(type(at) is int for at in (report.comparisons, *places, *sizes))
        and all(type(text) is str for text in texts)
        and all(type(x) in (str, float) for f in report.findings for x in f.fields.values())
        and report.verdict in ("correct", "wrong", "limited", "not examined")
    )


def test_a_report_is_read_as_it_was_sent(real):
    assert [report_from(document).to_json() for document in real] == real
    assert all(is_well_typed(report_from(document)) for document in real)


def test_junk_in_any_place_of_a_report_does_not_raise_and_is_not_taken_for_its_type(real):
    for document in real:
        for forged in junk_everywhere(document):
            found = report_from(forged)
            assert found is None or is_well_typed(found), forged


def test_of_two_thousand_forgeries_none_raises_and_what_is_accepted_can_be_told(real):
    rejected = 0
    for forged in forgeries(real, 2000, seed=22):
        found = report_from(forged)
        rejected += found is None
        if found is not None:
            assert is_well_typed(found), forged
            assert found.text(lang="es")
            assert found.markdown(lang="en")
    assert rejected > 1000


def test_a_remark_of_an_unknown_code_is_no_remark(real):
    assert report_from({**real[0], "design_choices": [Remark("nobody-knows").to_json()]}) is None


# ---- which report counts ------------------------------------------------------------------------


def remark(runner: MemoryRunner) -> Unseen | None:
    """Why a function has not been examined; None if it has."""
    report = examine_named("rules.py:Scale", runner=runner)
    assert report.text(lang="en") != report.text(lang="es")
    return report.not_examined[0] if report.verdict == "not examined" else None


def test_one_report_about_the_library_that_was_asked_for_counts():
    sent, other = (RuleReport(library, "Scale", "correct").to_json() for library in ("torch", "jax"))
    assert remark(MemoryRunner(lambda job: [sent])) is None
    assert remark(MemoryRunner(lambda job: [other, sent])) is None
    assert remark(MemoryRunner(lambda job: [other])) == Unseen("ended", "finished; last words")


@pytest.mark.parametrize("last", ["correct", "wrong"])
def test_of_two_reports_none_counts(last):
    """The last one may be that of the module, written by a thread or at exit."""
    sent = [RuleReport("torch", "Scale", verdict).to_json() for verdict in ("limited", last)]
    assert remark(MemoryRunner(lambda job: sent)) == Unseen("several", "2")


@pytest.mark.parametrize("kind", ["exit", "signal", "timeout", "memory"])
def test_a_report_of_a_process_that_did_not_end_properly_does_not_count(kind):
    class Ending(MemoryRunner):
        def run(self, job, accept, **options):
            return dataclasses.replace(super().run(job, accept, **options), kind=kind)

    runner = Ending(lambda job: [RuleReport("torch", "Scale", "correct").to_json()])
    assert remark(runner) == Unseen("broken_off", f"{kind}; last words")
