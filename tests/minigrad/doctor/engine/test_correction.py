"""A corrected engine: every confirmed repair made, in a new file or as a patch, and examined again."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from doctor_reports import CLOSURES
from engine_cases import CASES, write
from minigrad import cli
from minigrad.doctor import examine
from minigrad.doctor.engine.correction import Correction, CorrectionError, correct


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


def test_a_line_that_comes_first_is_written_first(overwriting):
    path, report = overwriting
    ((name, text),) = report.corrected.items()
    correction = correct(replace(report, corrected={name: f"import math\n{text}"}))
    assert correction.copy() == b"import math\n" + correct(report).copy()
    assert correction.path == path


def applied(correction, folder):
    """What `git apply` makes of the file in a folder of its own."""
    before, _ = correction.files[correction.path]
    copy = folder / correction.path.name
    copy.write_text(before, encoding="utf-8", newline="")
    (folder / "engine.patch").write_bytes(correction.patch())
    subprocess.run(["git", "apply", "engine.patch"], cwd=folder, check=True)
    return copy.read_bytes()


@pytest.fixture
def patched(overwriting):
    """The correction of one line of a file at a path."""

    def make(path, before, after):
        return Correction({path: (before, after)}, {path: "utf-8"}, overwriting[1])

    return make


@pytest.mark.parametrize("place", [("engine.py",), ("beside", "engine.py")])
def test_the_patch_of_a_file_elsewhere_names_the_file_alone(patched, tmp_path, monkeypatch, place):
    here, apart = tmp_path / "here", tmp_path / "apart"
    here.mkdir()
    apart.mkdir()
    monkeypatch.chdir(here)
    correction = patched(tmp_path.joinpath(*place), "x = 1\n", "x = 2\n")
    assert correction.patch().startswith(b"--- a/engine.py\n+++ b/engine.py\n")
    assert applied(correction, apart) == b"x = 2\n"


def test_the_patch_of_a_file_below_names_its_folder(patched, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    correction = patched(tmp_path / "below" / "engine.py", "x = 1\n", "x = 2\n")
    assert correction.patch().startswith(b"--- a/below/engine.py\n")


@pytest.mark.parametrize("between", ["\f\n", "y = '''a\fb'''\n", "y = 'a\u2028b'\n"])
def test_a_patch_has_the_lines_that_git_sees(patched, tmp_path, monkeypatch, between):
    before = f"x = 1\n{between}z = 2\n"
    monkeypatch.chdir(tmp_path)
    correction = patched(tmp_path / "engine.py", before, before.replace("z = 2", "z = 3"))
    assert applied(correction, tmp_path) == before.replace("z = 2", "z = 3").encode()


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
