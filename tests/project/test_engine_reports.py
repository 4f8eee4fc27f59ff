"""The comparison of reports finds an engine that is reported otherwise in another run, and no other."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys

import pytest

from doctor_reports import CLOSURES
from source_trees import ROOT

pytestmark = pytest.mark.one_engine
TOOL = ROOT / "tests" / "tools" / "engine_reports.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("engine_reports", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules["engine_reports"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["engine_reports"]


@pytest.fixture
def listed(tmp_path):
    """A list of engines: a wrong one, one that is wrong in every other run, and what is no engine."""
    text = CLOSURES.read_text(encoding="utf-8")
    wrong = text.replace("out.data * out.grad", "2 * out.data * out.grad", 1)
    assert wrong != text
    mark = tmp_path / "mark"
    head = f"import pathlib\nMARK = pathlib.Path({str(mark)!r})\nRIGHT = 1 if MARK.exists() else 2\n"
    (tmp_path / "wrong.py").write_text(wrong, encoding="utf-8")
    (tmp_path / "fickle.py").write_text(
        head + text.replace("out.data * out.grad", "RIGHT * out.data * out.grad", 1), encoding="utf-8"
    )
    (tmp_path / "none.py").write_text("x = 1\n", encoding="utf-8")
    path = tmp_path / "list.txt"
    path.write_text("".join(f"{tmp_path / name}\n" for name in ("wrong.py", "fickle.py", "none.py")))
    return path, mark


def test_a_report_that_differs_is_named(tool, listed, monkeypatch, capsys):
    path, mark = listed
    monkeypatch.setattr(tool, "two_busy_processes", lambda: _makes(mark))
    assert tool.main([str(path), "--runs", "2", "--out", str(path.with_suffix(".jsonl"))]) == 1
    said = capsys.readouterr().out
    assert "fickle.py: verdict, " in said
    assert "wrong.py" not in said
    assert "none.py" not in said
    assert "2 of 3 said the same in 2 runs" in said
    rows = [json.loads(line) for line in path.with_suffix(".jsonl").read_text().splitlines()]
    assert all(len(row["seconds"]) == 2 for row in rows)
    assert rows[0]["seconds"][0] > 0.1


class _makes:
    """A block in which the mark is there, in place of two busy processes."""

    def __init__(self, mark):
        self.mark = mark

    def __enter__(self):
        self.mark.touch()

    def __exit__(self, *_):
        self.mark.unlink()


def test_the_busy_processes_are_ended(tool):
    with tool.two_busy_processes():
        pass
    assert subprocess.run(["pgrep", "-fx", f"{sys.executable} -c {tool.BUSY}"], check=False).returncode == 1


def test_a_proof_that_hangs_on_the_seed_is_named(tool, tmp_path):
    text = CLOSURES.read_text(encoding="utf-8").replace(
        "out.data * out.grad", "SEEDED * out.data * out.grad", 1
    )
    (tmp_path / "engine.py").write_text(
        f"import os\nSEEDED = 2 + int(os.environ['PYTHONHASHSEED'])\n{text}", encoding="utf-8"
    )
    assert len(list(tool.proofs_that_fail(str(tmp_path / "engine.py"), None, 2))) == 1
    (tmp_path / "engine.py").write_text(f"SEEDED = 2\n{text}", encoding="utf-8")
    assert list(tool.proofs_that_fail(str(tmp_path / "engine.py"), None, 2)) == []
