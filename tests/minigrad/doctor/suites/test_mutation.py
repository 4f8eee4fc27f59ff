"""`minigrad mutate`: bugs planted into someone's engine, and what their tests say to them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from minigrad.doctor.patches.anatomy import anatomy
from minigrad.doctor.patches.planted_bugs.field_names import read_anatomy
from minigrad.doctor.suites import project_copy
from minigrad.doctor.suites.mutation import EQUIVALENT, KILLED, SURVIVED, TIMED_OUT, MutationError, mutate
from minigrad.doctor.suites.one_line_tests import lines_for
from source_trees import DATA

ENGINES = DATA / "engines"
ENGINE = (ENGINES / "closures.py").read_text(encoding="utf-8")
WEAK = """\
from engine import Value

a, b = Value(2.0), Value(3.0)
(a * b + a).backward()
assert (a.grad, b.grad) == (4.0, 2.0)
"""
FEW = ("overwrite-one-op", "tanh-plus", "no-seed", "subtract")


def project(folder: Path, check: str = WEAK, engine: str = ENGINE) -> str:
    (folder / "engine.py").write_text(engine, encoding="utf-8")
    (folder / "check.py").write_text(check, encoding="utf-8")
    (folder / "pyproject.toml").write_text("", encoding="utf-8")
    return str(folder / "engine.py")


def test_weak_tests_let_bugs_pass_and_strong_ones_do_not(tmp_path):
    found = mutate(project(tmp_path), "python check.py", only=FEW)
    verdicts = {(t.mutant.kind, t.mutant.op): t.verdict for t in found.trials}
    assert verdicts["no-seed", ""] == verdicts["subtract", ""] == KILLED
    assert verdicts["overwrite-one-op", "mul"] == KILLED  # a has 1 from + and 3 from *
    assert verdicts["tanh-plus", "tanh"] == verdicts["overwrite-one-op", "exp"] == SURVIVED
    assert found.exit_code == 1
    strong = WEAK + "".join(f"{trial.test}\n" for trial in found.survived)
    again = mutate(project(tmp_path, strong), "python check.py", only=FEW)
    assert (len(again.survived), again.exit_code) == (0, 0)
    assert len(again.killed) == len(found.trials)
    assert "every one of" in again.text(lang="en")


def test_a_survivor_is_told_with_its_line_its_diff_and_a_test_that_catches_it(tmp_path):
    found = mutate(project(tmp_path), "python check.py", only=["tanh-plus"])
    (trial,) = found.survived
    engine = ENGINE.split("\n")
    assert "out.grad" in engine[trial.mutant.line - 1]
    assert "t ** 2" in engine[trial.mutant.line - 1]
    assert run_line(tmp_path, ENGINE, found.imports, trial.test) == 0
    assert run_line(tmp_path, trial.mutant.apply(ENGINE), found.imports, trial.test) == 1
    text = found.text(lang="en")
    assert "the tests notice 0 of 1 planted bugs; 1 would pass unseen" in text
    assert f"line {trial.mutant.line} of engine.py" in text
    assert trial.test in text
    assert "tanh with the sign of tan" in text
    assert f"-            {engine[trial.mutant.line - 1].strip()}" in text
    assert "pasarían sin verse" in found.text(lang="es")
    assert found.markdown(lang="en").startswith("# What the tests would notice\n")
    document = json.loads(json.dumps(found.to_json()))
    assert document["schema"] == "minigrad.mutation/1"
    assert [(m["fault"], m["verdict"], m["test"]) for m in document["mutants"]] == [
        ("tanh-plus", SURVIVED, trial.test)
    ]
    assert str(tmp_path) not in json.dumps(document)


def run_line(folder: Path, engine: str, imports: str, line: str) -> int:
    (folder / "engine.py").write_text(engine, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", "-c", f"{imports}\n{line}"], cwd=folder, capture_output=True, check=False
    )
    (folder / "engine.py").write_text(ENGINE, encoding="utf-8")
    return done.returncode


def test_the_project_itself_is_never_touched(tmp_path):
    path = project(tmp_path)
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "large").write_text("x" * 1000, encoding="utf-8")
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    found = mutate(path, "python check.py", only=["no-seed"])
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before
    assert found.copied.files == 3  # the environment stays where it is


def test_what_runs_out_of_time_is_noticed(tmp_path):
    waiting = WEAK.replace("assert", "while not") + "    pass\n"
    waiting = waiting.replace("== (4.0, 2.0)", "== (4.0, 2.0):")
    found = mutate(project(tmp_path, waiting), "python check.py", only=["seed-scaled"], seconds=2.0)
    assert [trial.verdict for trial in found.trials] == [TIMED_OUT]
    assert found.exit_code == 0
    assert "ran out of time" not in found.text(lang="en")
    assert "run out of time" in found.text(lang="en")


def test_a_survivor_that_no_probe_notices_is_set_aside(tmp_path):
    asked = []

    def notices(source: str) -> bool:
        asked.append(source)
        return False

    found = mutate(project(tmp_path), "python check.py", only=["tanh-plus", "no-seed"], notices=notices)
    assert sorted(t.verdict for t in found.trials) == [EQUIVALENT, KILLED]
    assert asked == [t.mutant.apply(ENGINE) for t in found.equivalent]
    assert found.exit_code == 0
    [trial] = found.equivalent
    told = " ".join(found.text(lang="en").split())
    row = (
        f"Changes that no probe tells from the original {trial.mutant.kind} {trial.mutant.line} {trial.name}"
    )
    assert row in told


def test_a_limit_takes_every_kind_once_before_one_comes_twice(tmp_path):
    found = mutate(project(tmp_path), "python check.py", limit=6)
    assert len(found.trials) == 6 < found.planted
    assert len({t.mutant.kind for t in found.trials}) == 6
    assert f"6 of {found.planted}" in found.text(lang="en")


def test_a_package_is_imported_from_the_copy(tmp_path):
    folder = tmp_path / "src" / "tiny"
    folder.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text("", encoding="utf-8")
    (folder / "__init__.py").write_text("from .engine import Value\n", encoding="utf-8")
    (folder / "engine.py").write_text(ENGINE, encoding="utf-8")
    (tmp_path / "check.py").write_text(WEAK.replace("from engine", "from tiny"), encoding="utf-8")
    found = mutate(str(folder / "engine.py"), "python check.py", only=["no-seed", "exp-by-input"])
    assert [trial.verdict for trial in found.trials] == [KILLED, SURVIVED]
    assert found.imports == "from tiny.engine import Value"
    assert found.survived[0].test


# ---- what cannot be tried -------------------------------------------------------------------------


def refused(words: str, *given: object, **named: object) -> None:
    with pytest.raises(ValueError, match=words):
        mutate(*given, **named)


def test_tests_that_cannot_judge_are_refused(tmp_path, monkeypatch):
    path = project(tmp_path, WEAK + "assert a.grad == 5.0, 'as it is'\n")
    refused("as it is", path, "python check.py")  # they fail already
    project(tmp_path, "print('fine')\n")
    refused("another copy", path, "python check.py")  # they do not look at the engine
    project(tmp_path)
    refused("--tests", path, "")
    refused("no-such-program", path, "no-such-program check.py")
    refused("did you mean overwrite", path, "python check.py", only=["overwrit"])
    refused("not in the project", path, "python check.py", project=ENGINES)
    (tmp_path / "empty.py").write_text("class Value:\n    def __add__(self, o): return o\n"
                                       "    def backward(self): pass\n", encoding="utf-8")  # fmt: skip
    refused("no fault", str(tmp_path / "empty.py"), "python check.py")
    monkeypatch.setattr(project_copy, "MOST_FILES", 2)
    with pytest.raises(MutationError, match="--project"):
        mutate(path, "python check.py")


# ---- the names of an engine, and one-line tests in them -------------------------------------------


@pytest.mark.parametrize(
    ("engine", "class_name", "data", "grad"),
    [
        ("closures", "Value", "data", "grad"),
        ("counter", "Num", "value", "gradient"),
        ("valor", "Valor", "dato", "gradiente"),
        ("methods", "Scalar", "val", "derivative"),
        ("global_tape", "Var", "v", "adj"),
    ],
)
def test_the_names_of_an_engine_are_found_by_reading(engine, class_name, data, grad):
    found = read_anatomy((ENGINES / f"{engine}.py").read_text(encoding="utf-8"), class_name)
    assert (found.data, found.grad) == (data, grad)


def test_one_line_tests_speak_the_engines_language():
    body = anatomy(ENGINE, "Value")
    first = next(lines_for(body, "overwrite", ""))
    assert first == "a = Value(3.0); out = a + a; out.backward(); assert out.data == 6.0 and a.grad == 2.0"
    spoken = anatomy((ENGINES / "valor.py").read_text(encoding="utf-8"), "Valor", "dato", "gradiente")
    assert next(lines_for(spoken, "overwrite", "")) == (
        "a = Valor(3.0); out = a + a; out.retropropagar(); assert out.dato == 6.0 and a.gradiente == 2.0"
    )
    for line in lines_for(body, "exp-by-input", "exp"):
        assert re.fullmatch(r"[^\n]*assert [^\n]*", line)
