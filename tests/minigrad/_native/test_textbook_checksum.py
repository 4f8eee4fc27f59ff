"""An edited scalar.py is what runs, compiled engine or not; undoing the edit brings the compiled one back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from minigrad._native import textbook_checksum
from source_trees import PACKAGE

DIAMOND = """
from src.minigrad.scalar import ENGINE, Value
a, b, c = Value(2.0), Value(3.0), Value(4.0)
L = (a * b + c) * (a - c)
L.backward()
print(a.grad, b.grad, c.grad, ENGINE)
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A checkout with the engine built in it: src/minigrad and nothing else."""
    if not list((PACKAGE / "_native").glob("engine*.so")):
        pytest.skip("the compiled engine is not built; make builds it")
    copytree(PACKAGE, tmp_path / "src" / "minigrad", ignore=ignore_patterns("__pycache__"))
    return tmp_path


def python(folder: Path, *words: str, lang: str = "en") -> tuple[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MINIGRAD"))}
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(folder / "src"), "MINIGRAD_LANG": lang},
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout.strip(), done.stderr.strip()


def edit(clone: Path, before: str, after: str) -> None:
    path = clone / "src" / "minigrad" / "scalar.py"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_the_checksum_is_that_of_scalar_py():
    assert not textbook_checksum.is_edited(), (
        "scalar.py has changed; where that is meant to stay, run make docs"
    )


def test_the_exercise_of_the_documents_gives_its_numbers(clone):
    assert python(clone, "-c", DIAMOND) == ("4.0 -4.0 -12.0 native", "")
    edit(clone, ".grad += local", ".grad = local")
    numbers, said = python(clone, "-c", DIAMOND)
    assert numbers == "-6.0 -4.0 -2.0 plain"
    assert said.splitlines() == [said]
    assert "scalar.py was edited" in said
    edit(clone, ".grad = local", ".grad += local")
    assert python(clone, "-c", DIAMOND) == ("4.0 -4.0 -12.0 native", "")


def test_an_edited_file_that_is_imported_by_two_names_is_told_as_edited_and_nothing_else(clone):
    edit(clone, ".grad += local", ".grad = local")
    numbers, said = python(clone, "-c", "import minigrad.scalar" + DIAMOND)
    assert numbers == "-6.0 -4.0 -2.0 plain"
    assert "another minigrad" not in said


def test_line_ends_of_windows_are_no_edit(clone):
    path = clone / "src" / "minigrad" / "scalar.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert python(clone, "-c", DIAMOND) == ("4.0 -4.0 -12.0 native", "")


@pytest.mark.parametrize(
    ("lang", "words"), [("en", "this command does not use it"), ("es", "este comando no lo usa")]
)
@pytest.mark.parametrize(
    "command", [("explain", "a*b + a", "a=2", "b=3"), ("break", "overwrite", "a*b + a", "a=2", "b=3")]
)
def test_a_command_with_a_pass_of_its_own_says_that_it_does_not_use_the_edit(clone, command, lang, words):
    shown, said = python(clone, "-m", "minigrad", *command, lang=lang)
    assert said == ""
    edit(clone, ".grad += local", ".grad = local")
    assert python(clone, "-m", "minigrad", *command, lang=lang)[0] == shown
    said = python(clone, "-m", "minigrad", *command, lang=lang)[1]
    assert said.splitlines() == [said]
    assert words in said
    assert f"minigrad doctor {Path('src/minigrad/scalar.py')}" in said


def test_a_command_that_runs_values_uses_the_edited_file(clone):
    losses = ["train", "moons", "--steps", "3", "--json"]
    before, said = python(clone, "-m", "minigrad", *losses)
    assert "edited" not in said
    edit(clone, ".grad += local", ".grad = local")
    after, said = python(clone, "-m", "minigrad", *losses)
    assert after != before
    assert "the plain engine runs it" in said


def test_the_edit_is_told_once_where_a_command_starts_processes(clone):
    edit(clone, ".grad += local", ".grad = local")
    said = python(clone, "-m", "minigrad", "duel", "overwrite-one-op", "--on", "moons", "--steps", "20")[1]
    assert said.count("scalar.py was edited") == 1
    assert "the plain engine runs it" in said


def test_the_demo_says_that_it_does_not_use_the_edit(clone):
    edit(clone, ".grad += local", ".grad = local")
    shown, said = python(clone, "-m", "minigrad")
    assert "a: 4 = 10 via f - 6 via ab" in shown
    assert "this command does not use it" in said
    assert said.splitlines() == [said]


def test_the_doctor_examines_the_edited_file(clone):
    edit(clone, ".grad += local", ".grad = local")
    report, _ = python(clone, "-m", "minigrad", "doctor", "src/minigrad/scalar.py")
    assert "= in place of +=" in report


def test_an_install_beside_an_edited_file_does_not_ask_for_a_compiler(clone):
    edit(clone, ".grad += local", ".grad = local")
    shown, said = python(clone, "-m", "minigrad._native.status")
    assert shown == ""
    assert "scalar.py was edited" in said


def test_writing_the_checksum_adopts_the_edit(clone):
    """As `make docs` does after a change that is meant to stay: the compiled engine is used again."""
    edit(clone, '"""Value: one number', '"""A Value: one number')
    assert python(clone, "-c", DIAMOND)[0] == "4.0 -4.0 -12.0 plain"
    python(clone, "-m", "minigrad._native.textbook_checksum")
    assert python(clone, "-c", DIAMOND) == ("4.0 -4.0 -12.0 native", "")
