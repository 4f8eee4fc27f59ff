"""Reports of the rule child: what it sends is read, and what a stranger writes to its pipe is not."""

from __future__ import annotations

import dataclasses
import json
import os

import pytest

from forged_messages import forgeries, junk_everywhere
from memory_runner import MemoryRunner
from minigrad.doctor.rules.by_name import (
    LIMITS,
    examine_named,
    examine_program,
    examine_rules,
    report_from,
    reports_from,
)
from minigrad.doctor.rules.child import main
from minigrad.doctor.rules.report import ExaminedInput, Remark, RuleFinding, RuleReport, Unseen
from minigrad.doctor.rules.rule_place import RulePlace
from minigrad.doctor.rules.rule_reports import ExaminedRule, InterruptedReportsError, RuleReports

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


# ---- several reports ----------------------------------------------------------------------------

RULES = RuleReports(
    (
        ExaminedRule(REPORT, RulePlace("/a/rules.py", 7)),
        ExaminedRule(RuleReport("jax", "f", "correct"), RulePlace()),
    ),
    (Unseen("stand_in", "apex"),),
)


def parts_of(reports: RuleReports) -> list[dict[str, object]]:
    """The messages of a child that is as it should be, written by hand."""
    rows = [
        {"schema": "minigrad.rules.part/1", "index": k, "file": rule.place.file, "line": rule.place.line,
         "report": rule.report.to_json()}
        for k, rule in enumerate(reports.rules)
    ]  # fmt: skip
    remarks = [{"code": each.code, "about": each.about} for each in reports.remarks]
    return [*rows, {"schema": "minigrad.rules.end/1", "count": len(rows), "remarks": remarks}]


def several(messages, kind=None) -> RuleReports:
    class Ending(MemoryRunner):
        def run(self, job, accept, **options):
            ended = super().run(job, accept, **options)
            return dataclasses.replace(ended, kind=kind or ended.kind)

    return examine_rules("rules.py", runner=Ending(lambda job: messages))


def test_several_reports_are_read_as_they_were_sent():
    assert several(parts_of(RULES)).to_json() == RULES.to_json()
    assert reports_from(RULES.to_json()).to_json() == RULES.to_json()
    runner = MemoryRunner(lambda job: parts_of(RULES))
    assert examine_program("train.py", ["--epochs", "1"], runner=runner).to_json() == RULES.to_json()
    assert runner.jobs[0].request["script"] == ["train.py", "--epochs", "1"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda sent: sent[:-1], "ended"),
        (lambda sent: [], "ended"),
        (lambda sent: sent[1:], "several"),
        (lambda sent: [sent[0], *sent], "several"),
        (lambda sent: [sent[1], sent[0], sent[2]], "several"),
        (lambda sent: [sent[2], *sent[:2]], "several"),
        (lambda sent: [*sent, sent[-1]], "several"),
        (lambda sent: [*sent, {**sent[0], "index": 2}], "several"),
        (lambda sent: [sent[0], {**sent[1], "report": {}}, sent[2]], "several"),
        (lambda sent: [*sent[:2], {**sent[2], "remarks": [{"code": "nobody-knows", "about": ""}]}], "ended"),
    ],
)
def test_of_several_reports_none_counts_unless_all_are_as_they_should_be(change, code):
    found = several(change(parts_of(RULES)))
    assert [remark.code for remark in found.remarks] == [code]
    assert found.verdict == "not examined"
    assert found.text("en") != found.text("es")


PLAN = {"schema": "minigrad.rules.plan/1", "names": ["Scale", "f", "Clip"]}


@pytest.mark.parametrize(
    ("come", "examined", "remark"),
    [
        ([PLAN], 0, Unseen("interrupted", "Scale, f, Clip")),
        ([PLAN, 0], 1, Unseen("interrupted", "f, Clip")),
        ([PLAN, 0, 1], 2, Unseen("interrupted", "Clip")),
        ([PLAN, 0, 1, 2], 2, Unseen("interrupted", "Clip")),  # with the last message
        ([], 0, Unseen("interrupted_early")),
        ([0, 1], 0, Unseen("interrupted_early")),  # no plan came before them
        ([PLAN, 1, 0], 0, Unseen("interrupted", "Scale, f, Clip")),
        ([PLAN, 0, 0], 0, Unseen("interrupted", "Scale, f, Clip")),
        ([PLAN, PLAN, 0], 0, Unseen("interrupted", "Scale, f, Clip")),
    ],
)
def test_after_ctrl_c_the_reports_that_had_come_are_there_and_the_others_are_named(come, examined, remark):
    class Interrupted(MemoryRunner):
        def run(self, job, accept, **options):
            super().run(job, accept, **options)
            raise KeyboardInterrupt

    whole = parts_of(RULES)
    sent = [whole[each] if isinstance(each, int) else each for each in come]
    with pytest.raises(InterruptedReportsError) as raised:
        examine_program("train.py", runner=Interrupted(lambda job: sent))
    reports = raised.value.reports
    assert [rule.to_json() for rule in reports.rules] == [rule.to_json() for rule in RULES.rules[:examined]]
    assert reports.remarks == (remark,)
    assert "Ctrl-C" in reports.text("en")
    assert reports.text("en") != reports.text("es")


def test_several_reports_of_a_process_that_did_not_end_properly_do_not_count():
    assert several(parts_of(RULES), "timeout").remarks == (Unseen("broken_off", "timeout; last words"),)


def test_junk_in_a_list_of_reports_is_refused_or_well_typed():
    for message in (parts_of(RULES)[0], RULES.to_json()):
        for forged in junk_everywhere(message):
            found = reports_from(forged)
            assert found is None or all(map(is_well_typed, found)), forged
            kept = several([forged, *parts_of(RULES)[1:]])
            assert all(map(is_well_typed, kept)), forged
            assert all(type(rule.place.line) is int for rule in kept.rules), forged


def test_the_child_sends_what_is_read_here(rules):
    rules.write("mine.py", "Right = rule('Right', 2.0, 2.0)\nWrong = rule('Wrong', 2.0, 3.0)\n")

    def child(job):
        sent = []
        main(job.request, sent.append)
        return sent

    found = examine_rules("mine.py", folder=rules.path, runner=MemoryRunner(child))
    assert [(report.name, report.verdict) for report in found] == [("Right", "correct"), ("Wrong", "wrong")]
    one = examine_named("mine.py:Wrong", folder=rules.path, runner=MemoryRunner(child))
    assert one.verdict == "wrong"


# ---- calls and programs -------------------------------------------------------------------------


def codes(found: RuleReports) -> list[str]:
    return [remark.code for remark in found.remarks]


def test_the_rules_that_a_line_calls_are_examined_with_its_inputs(rules, verdicts):
    rules.write("mine.py", "R = rule('R', 2.0, 3.0)\nS = rule('S', 2.0, 2.0)\n")
    found = rules.ask("mine.py", call="x = torch.randn(2, 5); R.apply(S.apply(x))")
    assert verdicts(found) == {"R": "wrong", "S": "correct"}
    assert [each.shape for each in found[0].inputs] == [(2, 5)]
    assert verdicts(rules.ask("mine.py:S", call="R.apply(S.apply(torch.ones(3)))")) == {"S": "correct"}
    assert verdicts(rules.ask("mine.py", call="R.apply(torch.tensor(np.ones(3)))")) == {"R": "wrong"}


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        ("R.apply(", "call_syntax", "R.apply("),
        ("R.apply(torch.ones(3), 4, 5)", "call_failed", "TypeError"),
        ("raise SystemExit(3)", "call_failed", "SystemExit: 3"),
        ("torch.ones(3)", "call_none", "torch.ones(3)"),
    ],
)
def test_a_line_that_calls_no_rule_is_refused_with_the_reason(rules, call, code, words):
    rules.write("mine.py", "R = rule('R', 2.0, 3.0)\n")
    found = rules.ask("mine.py", call=call)
    assert found.verdict == "not examined"
    assert code in codes(found)
    assert words in " ".join(found.text("en").split())


PROGRAM = """
import sys
R = rule("R", 2.0, 3.0)
assert __name__ == "__main__" and sys.argv[1:] == ["--fast"]
with open("size.txt") as file:
    R.apply(torch.ones(int(file.read())))
{end}
S = rule("S", 2.0, 2.0)
S.apply(torch.ones(2))
"""


@pytest.mark.parametrize(
    ("end", "seen", "code", "words"),
    [
        ("", ["R", "S"], "", ""),
        ("raise KeyError('planted')", ["R"], "script_raised", "KeyError: 'planted' (train.py, line "),
        ("sys.exit(4)", ["R"], "script_raised", "SystemExit: 4"),
        ("sys.exit()", ["R"], "", ""),
        ("import time; time.sleep(60)", ["R"], "script_late", "after 1 seconds"),
    ],
)
def test_a_program_is_run_and_what_it_called_is_examined_however_it_ends(rules, end, seen, code, words):
    rules.write("train.py", PROGRAM.format(end=end))
    (rules.path / "size.txt").write_text("3")
    found = rules.ask("train.py", script=["train.py", "--fast"], seconds=1.0)
    assert [report.name for report in found] == seen
    assert found[0].verdict == "wrong"
    assert found[0].origin == "recorded"
    assert codes(found) == ([code] if code else [])
    assert words in " ".join(found.text("en").split())


ENVIRONMENT = """
import json, os, sys
with open(os.path.join(os.path.dirname(__file__), "seen.json"), "w") as file:
    json.dump([dict(os.environ), sys.path, os.getcwd()], file)
"""


def test_a_recorded_program_is_given_its_path_and_the_variables_of_its_libraries_alone(tmp_path, monkeypatch):
    """What docs/en/security.md promises; in a real process, and in the caller's folder."""
    own = {f"{name}_PLANTED": "x" for name in ("CUDA", "HF", "JAX", "OMP", "PYTORCH", "TORCH", "XLA")}
    for name in (*own, "SECRET_PLANTED", "AWS_PLANTED", "PYTHONSTARTUP", "MY_TORCH_PLANTED"):
        monkeypatch.setenv(name, "x")
    monkeypatch.setenv("PYTHONPATH", "beside")
    (tmp_path / "beside").mkdir()
    (tmp_path / "program.py").write_text(ENVIRONMENT)
    monkeypatch.chdir(tmp_path)
    assert examine_program("program.py").remarks == (Unseen("call_none", "program.py"),)
    given, path, folder = json.loads((tmp_path / "seen.json").read_text())
    assert folder == str(tmp_path.resolve())
    assert {name: x for name, x in given.items() if "PLANTED" in name} == own
    assert "PYTHONSTARTUP" not in given
    assert given["HOME"] != os.environ.get("HOME")
    assert str(tmp_path / "beside") in path
    examine_named("program.py", limits=dataclasses.replace(LIMITS, wall=20.0))
    given, path, folder = json.loads((tmp_path / "seen.json").read_text())
    assert folder != str(tmp_path.resolve())
    assert not [name for name in given if "PLANTED" in name]  # an examined file has none of them
    assert str(tmp_path / "beside") not in path


def test_a_program_that_is_not_there_or_is_no_python_is_refused(rules):
    rules.write("train.py", "def (", "")
    assert codes(rules.ask("train.py", script=["train.py"]))[0] == "script_raised"
    assert codes(rules.ask("gone.py", script=["gone.py"])) == ["no_file"]
