"""Building and installing: a wheel with the compiled engine, one in plain Python, and no compiler at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """
import minigrad
x = minigrad.Value(3.0)
(x * x).backward()
print(minigrad.ENGINE, x.grad)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What a clone has, without what was built in this one."""
    folder = tmp_path / "checkout"
    shutil.copytree(
        ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__")
    )
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    return folder


def run(words: list[str], folder: Path, **environment: str) -> str:
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("MINIGRAD", "PYTHON"))}
    done = subprocess.run(
        words, cwd=folder, env=kept | environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


PAGES = [  # the scripts and styles of the pages, the lessons, and the names
    path.relative_to(ROOT / "src")
    for ending in ("js", "css", "html", "md", "txt")
    for path in sorted((ROOT / "src/minigrad").rglob(f"*.{ending}"))
]


def wheel(checkout: Path, *options: str, **environment: str) -> tuple[Path, str]:
    """The wheel that pip builds, and what pip says."""
    words = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--disable-pip-version-check",
        "-w",
        "dist",
        *options,
        ".",
    ]
    said = run(words, checkout, **environment)
    (built,) = (checkout / "dist").glob("*.whl")
    return built, said


def outcome(built: Path) -> str:
    """What the program prints where only this wheel is installed."""
    home = built.parent / "home"
    zipfile.ZipFile(built).extractall(home)
    return run([sys.executable, "-S", "-W", "error", "-c", PROGRAM], home, PYTHONPATH=str(home)).strip()


def test_a_wheel_holds_the_compiled_engine_and_no_sources_of_it(checkout):
    built, _ = wheel(checkout)
    names = zipfile.ZipFile(built).namelist()
    assert sum("_native/engine." in name and name.endswith((".so", ".pyd")) for name in names) == 1
    assert "minigrad/_native/engine.pyi" in names
    assert not [name for name in names if name.endswith((".c", ".h"))]
    assert {str(path) for path in PAGES} <= set(names)
    assert outcome(built) == "native 6.0"


def test_a_wheel_in_plain_python_is_for_every_machine(checkout):
    built, _ = wheel(checkout, MINIGRAD_PURE="1")
    assert built.name.endswith("-py3-none-any.whl")
    assert outcome(built) == "plain 6.0"


def test_without_a_compiler_the_install_succeeds_and_says_once_what_is_missing(checkout):
    built, said = wheel(checkout, "-v", CC=shutil.which("false") or "false")
    assert said.count("minigrad: the compiled engine was not built") == 1
    assert said.count("minigrad: install a C compiler") == 1
    assert outcome(built) == "plain 6.0"


def test_an_install_without_the_engine_says_so_in_both_languages(checkout):
    """What make shows, since pip shows nothing of a build that succeeds."""
    words = [sys.executable, "-S", "-m", "minigrad.installed"]
    home = str(checkout / "src")
    for lang, said in (("en", "no C compiler was found"), ("es", "no se encontró un compilador de C")):
        assert said in run(words, checkout, PYTHONPATH=home, MINIGRAD_LANG=lang)
    assert run(words, checkout, PYTHONPATH=home, MINIGRAD_PURE="1") == ""


def test_an_sdist_holds_what_a_wheel_is_built_from(checkout):
    program = "from setuptools import build_meta; build_meta.build_sdist('dist')"
    folder = checkout / "backend"
    run([sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), "setuptools>=77"], checkout)
    run([sys.executable, "-c", program], checkout, PYTHONPATH=str(folder))
    (built,) = (checkout / "dist").glob("*.tar.gz")
    shutil.unpack_archive(built, checkout / "unpacked", filter="data")
    (unpacked,) = (checkout / "unpacked").iterdir()
    for path in (ROOT / "src/minigrad/_native").glob("*.[ch]"):
        assert (unpacked / "src/minigrad/_native" / path.name).exists(), path.name
    assert [path for path in PAGES if not (unpacked / "src" / path).exists()] == []
    assert (unpacked / "setup.py").exists()
