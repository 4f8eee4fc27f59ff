"""Every printed proof, pasted behind the engine, gives the numbers of the report under any hash seed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doctor_reports import CLOSURES
from engine_cases import CASES, write
from minigrad.doctor import examine
from minigrad.doctor.engine.findings import EngineFinding
from minigrad.doctor.engine.probe_outcomes import ProbeOutcome
from minigrad.doctor.engine.proofs import changes_before, proof_lines, proof_remark
from minigrad.text.numerals import show
from pasted_proofs import proofs_of, said

SEEDS = (0, 1, 6)


def altered(finding: EngineFinding, value: float) -> ProbeOutcome:
    """Its outcome with another number in it."""
    return replace(finding.outcome, seen=(replace(finding.outcome.worst, value=value),))


# functions of another file of the package, two bugs at once, a tape, gradients that are handed back
ENGINES = ("sprout-sigmoid-from-input", "two-wrong-slopes", "tape-reads-leaf-values", "mirror-and-overwrite")


@pytest.mark.parametrize("name", [name for name in ENGINES if name in CASES])
def test_a_pasted_proof_gives_the_numbers_of_the_report(name, tmp_path):
    report = examine(write(CASES[name], tmp_path))
    assert report.verdict == "wrong"
    proofs = proofs_of(report)
    assert proofs
    assert [said(report, proof, seed) for proof in proofs for seed in SEEDS] == [""] * (3 * len(proofs))


# Overwriting, with parents in an order of their own in every process; a + a does not depend on it.
UNSTEADY = CLOSURES.read_text(encoding="utf-8").replace(".grad += ", ".grad = ")
UNSTEADY = UNSTEADY.replace("set(_parents)", "sorted({*_parents}, key=lambda p: hash(str(p.data)))")


def test_a_bug_that_comes_and_goes_is_shown_by_a_probe_that_does_not(tmp_path):
    path = tmp_path / "engine.py"
    path.write_text(UNSTEADY, encoding="utf-8")
    report = examine(path)
    (finding, *_) = report.findings
    assert finding.flaky
    assert not finding.outcome.flaky
    assert [said(report, proofs_of(report)[0], seed) for seed in SEEDS] == [""] * 3


def test_numbers_that_do_not_come_out_are_noticed(tmp_path):
    """The checker itself: another number, another seed, a name that is not there."""
    path = tmp_path / "engine.py"
    text = CLOSURES.read_text(encoding="utf-8").replace(
        "out.data * out.grad", "out.data * out.grad * SEEDED", 1
    )
    path.write_text(f"import os\nSEEDED = 1 + int(os.environ['PYTHONHASHSEED'])\n{text}", encoding="utf-8")
    report = examine(path)
    (proof, *_) = proofs_of(report)
    came = [said(report, proof, seed) == "" for seed in range(4)]
    assert came.count(True) == 1  # under the seed of the run that is shown
    assert "NameError" in said(report, replace(proof, lines=("out = nobody",)), 0)
    shown = next(seed for seed in range(4) if came[seed])
    other = replace(proof.finding, outcome=altered(proof.finding, 7.5))
    assert "7.5" in said(report, replace(proof, finding=other), shown)


def test_numbers_that_a_change_brought_to_light_say_so(tmp_path):
    """The second bug, seen after the change of the first, with other numbers than without it."""
    report = examine(write(CASES["two-wrong-slopes"], tmp_path))
    first, second = report.findings
    assert proof_remark(report, first) == proof_remark(report, second) == ""
    base = {str(report.subject.path): report.corrected[str(report.subject.path)]}
    later = replace(second, exam=replace(report.exam, round=1, texts=base), outcome=altered(second, 7.5))
    changed = replace(report, findings=(first, later))
    assert changes_before(changed, later) == [1]
    remark = "these numbers come out once the change of 1 is made"
    assert remark in " ".join(changed.text().split())
    assert remark in changed.html()
    assert "una vez hecho el cambio de 1" in " ".join(changed.text(lang="es").split())
    (_, proof) = proofs_of(changed)
    assert proof.texts == base
    right = [
        show(proof.finding.outcome.expected.value),
        *map(show, proof.finding.outcome.expected.grads.values()),
    ]
    assert said(changed, proof, 0).startswith(str(right))  # it was pasted behind the changed engine


def test_a_function_of_another_file_is_imported_first(tmp_path):
    report = examine(write(CASES["sprout-sigmoid-from-input"], tmp_path))
    (finding,) = report.findings
    assert proof_lines(report, finding)[0].startswith("from sprout")
