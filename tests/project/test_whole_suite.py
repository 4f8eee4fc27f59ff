"""`make test` runs every test, slow ones too, and where it decides what lands it leaves none out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

import pytest

from engines_of_tests import BOTH_ENGINES, ONE_ENGINE, is_for_one_engine
from quick import CORE, select_tests
from source_trees import ROOT

TESTS = ROOT / "tests"

RUNS = re.compile(r"^\t(.*/pytest\b.*)$", re.MULTILINE)
CHOICE = re.compile(r"(?<!\S)(-m|-k|--deselect|--maxfail|-x|--lf|--last-failed)\b")


def test_make_runs_every_test_and_ci_runs_make():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    test, quick = (
        re.findall(rf"^{goal}:.*\n((?:\t.*\n)+)", makefile, re.MULTILINE)[0] for goal in ("test", "quick")
    )
    assert RUNS.findall(test) == [
        "$(BIN)/pytest $(SHARED)",
        'MINIGRAD_PURE=1 $(BIN)/pytest $(SHARED) -m "not one_engine"',
    ]
    assert RUNS.findall(makefile) == RUNS.findall(test) + RUNS.findall(quick)
    (shared,) = re.findall(r"^SHARED := (.*)$", makefile, re.MULTILINE)
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    assert not CHOICE.search(shared)
    assert not CHOICE.search(options["ini_options"]["addopts"])
    assert "MINIGRAD_WHOLE=1 make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_a_choice_of_tests_would_be_seen():
    assert CHOICE.search('-n 2 -m "not slow"')
    assert CHOICE.search("-k value")
    assert not CHOICE.search("-n 2 --dist worksteal -p no:cacheprovider --strict-markers")


# ---- which tests run on both engines ------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "marks", "once"),
    [
        ("minigrad/test_scalar.py", [], False),
        ("minigrad/graph/notation/test_formula.py", [], False),
        ("minigrad/compiler/tracing/test_guards.py", ["slow"], False),
        ("minigrad/compiler/test_reference.py", ["one_engine"], True),
        ("minigrad/compiler/passes/test_layout.py", [], True),
        ("minigrad/doctor/engine/test_report.py", ["slow"], True),
        ("project/test_facts.py", ["both_engines"], False),
        ("project/test_wheel.py", [], False),
        ("project/test_docs.py", [], True),
    ],
)
def test_a_test_is_run_on_both_engines_unless_its_folder_or_its_file_says_otherwise(path, marks, once):
    assert is_for_one_engine(TESTS / path, marks) is once


def test_the_folders_for_one_engine_are_there_and_a_new_package_is_for_both():
    assert all((TESTS / folder).is_dir() for folder in ONE_ENGINE)
    assert all((TESTS / name).is_file() for name in BOTH_ENGINES)
    assert not is_for_one_engine(TESTS / "minigrad" / "new_package" / "test_it.py")


# ---- make quick ---------------------------------------------------------------------------------


def test_the_core_is_always_tested_and_a_changed_package_besides():
    core = select_tests([])
    assert all([*ROOT.glob(pattern)] for pattern in CORE)
    assert {"tests/minigrad/test_scalar.py", "tests/minigrad/graph", "tests/project/test_layers.py"} <= set(
        core
    )
    assert select_tests(["src/minigrad/scalar.py", "src/minigrad/graph/trace.py"]) == core
    assert "tests/minigrad/test_ops_accuracy.py" in select_tests(["src/minigrad/ops.py"])
    assert select_tests(["src/minigrad/gone/module.py", "src/minigrad/gone.py"]) == core
    found = select_tests(["src/minigrad/nn/losses.py", "tests/minigrad/player/test_page.py", "README.md"])
    added = {"tests/minigrad/nn", "tests/minigrad/player", "tests/project/test_docs.py"}
    assert added <= set(found) - set(core)
    assert len(found) == len(core) + 5
    assert select_tests(["tests/project/site/conftest.py"]) == sorted([*core, "tests/project/site"])


# ---- nothing is skipped -------------------------------------------------------------------------

SKIPPED = (
    "@pytest.mark.skip\ndef test_it(): pass",
    "def test_it(): pytest.skip('not today')",
    "def test_it(): pytest.importorskip('nothing_of_the_kind')",
    "pytest.importorskip('nothing_of_the_kind')\ndef test_it(): pass",
    "@pytest.mark.xfail\ndef test_it(): assert False",
)


def test_what_is_skipped_has_failed_where_nothing_may_be_left_out(tmp_path):
    (tmp_path / "conftest.py").write_text("from whole_suite import *\n")
    for number, text in enumerate(SKIPPED):
        (tmp_path / f"test_{number}.py").write_text(f"import pytest\n{text}\n")
    words = ["-q", "-p", "no:cacheprovider", "--continue-on-collection-errors", str(tmp_path)]
    kept = {
        **os.environ,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTHONPATH": str(ROOT / "tests" / "support"),
    }
    kept.pop("MINIGRAD_WHOLE", None)

    def summary(**more: str) -> str:
        command = [sys.executable, "-m", "pytest", *words]
        run = subprocess.run(command, cwd=tmp_path, env=kept | more, capture_output=True, text=True)
        return run.stdout.splitlines()[-1].partition(" in ")[0]

    assert summary() == "4 skipped, 1 xfailed"
    assert summary(MINIGRAD_WHOLE="1") == "3 failed, 2 errors"
