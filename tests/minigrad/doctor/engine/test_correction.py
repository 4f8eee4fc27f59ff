"""A corrected engine: every confirmed repair made, in a new file or as a patch, and examined again."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from doctor_reports import CLOSURES
from engine_cases import CASES, write
from minigrad import cli
from minigrad.doctor import examine
from minigrad.doctor.engine.correction import CorrectionError, correct


@pytest.fixture(scope="module")
def overwriting(tmp_path_factory):
    """An engine in which one op overwrites, and its report."""
    path = write(CASES["sub-overwrites"], tmp_path_factory.mktemp("overwriting"))
    return path, examine(path)


def test_a_corrected_copy_is_right_and_the_original_is_as_it_was(overwriting, tmp_path):
    path, report = overwriting
    before = path.read_bytes()
    correction = correct(report)
    assert correction.checked.verdict == "correct"
    copy = tmp_path / "engine.py"
    copy.write_bytes(correction.copy())
    assert path.read_bytes() == before != copy.read_bytes()
    assert examine(copy).verdict == "correct"


def test_a_patch_can_be_applied(overwriting, tmp_path, monkeypatch):
    path, report = overwriting
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    monkeypatch.chdir(path.parent)
    correction = correct(report)
    (tmp_path / "engine.patch").write_bytes(correction.patch())
    subprocess.run(["git", "apply", "engine.patch"], cwd=tmp_path, check=True)
    assert copy.read_bytes() == correction.copy()


def test_a_file_keeps_its_line_ends(overwriting, tmp_path):
    path, _ = overwriting
    windows = tmp_path / "engine.py"
    windows.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    written = correct(examine(windows)).copy()
    assert b"\r\n" in written
    assert b"\n" not in written.replace(b"\r\n", b"")


def test_a_notebook_keeps_what_is_not_corrected(tmp_path):
    name = next(
        n for n, case in CASES.items() if case.notebook and case.verdict == "wrong" and not case.beside
    )
    path = write(CASES[name], tmp_path)
    before = json.loads(path.read_text(encoding="utf-8"))
    correction = correct(examine(path))
    after = json.loads(correction.copy())
    assert correction.checked.verdict == "correct"
    assert len(after["cells"]) == len(before["cells"])
    other = [new != old for new, old in zip(after["cells"], before["cells"], strict=True)]
    assert sum(other) == 1
    assert {**after, "cells": 0} == {**before, "cells": 0}


def test_nothing_is_written_for_a_right_engine():
    with pytest.raises(CorrectionError, match="no bug was found"):
        correct(examine(CLOSURES))


# ---- the command ----------------------------------------------------------------------------------


def run(capsys, *words: str) -> tuple[int, str, str]:
    code = cli.main(["doctor", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def known(monkeypatch, overwriting):
    """The command with a report that has been made already."""
    monkeypatch.setattr("minigrad.doctor.engine.examination.examine", lambda *_, **__: overwriting[1])
    return str(overwriting[0])


def test_the_command_says_what_an_examination_of_the_copy_says(capsys, known, tmp_path):
    copy = tmp_path / "new.py"
    code, out, _ = run(capsys, known, "--fix", str(copy))
    assert code == 1  # the verdict on what was examined
    assert "Examined again: CORRECT" in out
    assert copy.exists()


def test_no_file_is_written_over(capsys, known, tmp_path):
    there = tmp_path / "there.py"
    there.write_text("mine", encoding="utf-8")
    for path in (there, Path(known)):
        before = path.read_bytes()
        code, _, err = run(capsys, known, "--fix", str(path))
        assert code == 2
        assert "nothing is written over it" in err
        assert path.read_bytes() == before


def test_the_ending_says_what_is_written(capsys, known, tmp_path):
    code, _, err = run(capsys, known, "--fix", str(tmp_path / "a.txt"))
    assert code == 2
    assert ".patch" in err
    code, _, err = run(capsys, known, "--fix", str(tmp_path / "a.ipynb"))
    assert code == 2
    assert ".py" in err
    run(capsys, known, "--fix", str(tmp_path / "a.patch"))
    assert (tmp_path / "a.patch").read_text(encoding="utf-8").startswith("--- a/")
