"""`make test` runs every test, slow ones too, and where it decides what lands it leaves none out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

from source_trees import ROOT

RUNS = re.compile(r"^\t(.*/pytest\b.*)$", re.MULTILINE)
CHOICE = re.compile(r"(?<!\S)(-m|-k|--deselect|--maxfail|-x|--lf|--last-failed)\b")


def test_make_runs_every_test_and_ci_runs_make():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert RUNS.findall(makefile) == [
        "$(BIN)/pytest $(SHARED)",
        "MINIGRAD_PURE=1 $(BIN)/pytest $(SHARED) $(ELSEWHERE)",
    ]
    (shared,) = re.findall(r"^SHARED := (.*)$", makefile, re.MULTILINE)
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]
    assert not CHOICE.search(shared)
    assert not CHOICE.search(options["ini_options"]["addopts"])
    assert "MINIGRAD_WHOLE=1 make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()


def test_a_choice_of_tests_would_be_seen():
    assert CHOICE.search('-n 2 -m "not slow"')
    assert CHOICE.search("-k value")
    assert not CHOICE.search("-n 2 --dist worksteal -p no:cacheprovider --strict-markers")


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
