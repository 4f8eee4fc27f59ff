"""Building and installing: a wheel with the compiled engine, one in plain Python, and no compiler at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy
import pytest

from minigrad._native import checksum, vector_checksum

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = """
import minigrad
x = minigrad.Value(3.0)
(x * x).backward()
print(minigrad.ENGINE, x.grad)
"""
COMPILED = """
import minigrad
square = minigrad.compile(lambda x, y: x * x + minigrad.functions.sum([x.exp(), y]))
value, gradient = square.value_and_grad(3.0, 4.0)
from minigrad.compile import running
x = minigrad.Value(3.0)
node = x * x + minigrad.functions.sum([x.exp(), 4.0])
node.backward()
assert (value, gradient) == (node.data, x.grad), (value, gradient)
assert len(square.batched("x")([1.0, 2.0], 4.0)) == 2
assert "fsum" in str(square.to_c(3.0, 4.0))
print("compiled" if running.ISA in ("baseline", "avx2", "avx512") else running.ISA)
"""
WITHOUT_NUMPY = """
import minigrad
program = minigrad.compile(lambda x: x * x)
try:
    program(3.0)
except ImportError as error:
    print(error)
"""
NUMPY = Path(numpy.__file__).parent.parent


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
    # What is in a wheel is looked at, not how fast it is, and a build of all kernels takes a minute.
    said = run(words, checkout, **{"CFLAGS": "-O0"} | environment)
    (built,) = (checkout / "dist").glob("*.whl")
    return built, said


def outcome(built: Path, program: str = PROGRAM, *others: Path) -> str:
    """What the program prints where only this wheel is installed, and what is in the other folders."""
    home = built.parent / "home"
    zipfile.ZipFile(built).extractall(home)
    path = os.pathsep.join(map(str, (home, *others)))
    return run([sys.executable, "-S", "-W", "error", "-c", program], home, PYTHONPATH=path).strip()


def test_a_wheel_holds_the_compiled_engine_and_no_sources_of_it(checkout):
    built, _ = wheel(checkout)
    names = zipfile.ZipFile(built).namelist()
    for module in ("engine", "vector"):
        built_in = [name for name in names if f"_native/{module}." in name and name.endswith((".so", ".pyd"))]
        assert len(built_in) == 1
        assert f"minigrad/_native/{module}.pyi" in names
    # A program that is handed over in C is made of two headers.
    headers = {f"minigrad/_native/{name}.h" for name in ("ieee", "reductions")}
    assert {name for name in names if name.endswith((".c", ".h"))} == headers
    assert {str(path) for path in PAGES} <= set(names)
    assert outcome(built) == "native 6.0"
    assert outcome(built, COMPILED, NUMPY) == "compiled"


def test_headers_alone_are_no_sources_that_a_build_could_differ_from(tmp_path):
    """A wheel has two of them, which programs in C need; a checkout has all, and each of them counts."""
    vector = tmp_path / "_native" / "vector"
    vector.mkdir(parents=True)
    for name in ("ops.py", "formulas.py", "ieee.py", "_native/ieee.h", "_native/reductions.h"):
        (tmp_path / name).write_text("")
    for total, folder in ((checksum, vector.parent), (vector_checksum, vector)):
        assert total(str(folder)) is None
        (folder / "a.c").write_text("1")
        before = total(str(folder))
        (vector.parent / "ieee.h").write_text(str(folder))
        assert None is not before != total(str(folder))


def test_a_wheel_in_plain_python_is_for_every_machine(checkout):
    built, _ = wheel(checkout, MINIGRAD_PURE="1")
    assert built.name.endswith("-py3-none-any.whl")
    assert outcome(built) == "plain 6.0"
    assert outcome(built, COMPILED, NUMPY) == "numpy"
    assert (
        outcome(built, WITHOUT_NUMPY) == "compiled programs need NumPy: pip install 'minigrad-lab[compile]'"
    )


def test_without_a_compiler_the_install_succeeds_and_says_once_what_is_missing(checkout):
    built, said = wheel(checkout, "-v", CC=shutil.which("false") or "false")
    assert said.count("minigrad: the compiled engine was not built") == 1
    assert said.count("minigrad: install a C compiler") == 1
    assert said.count("minigrad: the executor of compiled programs was not built") == 1
    assert outcome(built) == "plain 6.0"
    assert outcome(built, COMPILED, NUMPY) == "numpy"


def test_an_install_without_the_engine_says_so_in_both_languages(checkout):
    """What make shows, since pip shows nothing of a build that succeeds."""
    words = [sys.executable, "-S", "-m", "minigrad.installed"]
    home = str(checkout / "src")
    for lang, said in (("en", "no C compiler was found"), ("es", "no se encontró un compilador de C")):
        assert said in run(words, checkout, PYTHONPATH=home, MINIGRAD_LANG=lang)
    assert run(words, checkout, PYTHONPATH=home, MINIGRAD_PURE="1") == ""


def test_so_does_one_without_the_executor_of_programs_alone(checkout):
    words = [sys.executable, "-S", "-m", "minigrad.installed"]
    home = str(checkout / "src")
    for built in (ROOT / "src/minigrad/_native").glob("engine.*.so"):
        shutil.copy(built, checkout / "src/minigrad/_native")
    for lang, said in (("en", "so NumPy runs them"), ("es", "así que los ejecuta NumPy")):
        assert said in run(words, checkout, PYTHONPATH=home, MINIGRAD_LANG=lang)
    for built in (ROOT / "src/minigrad/_native").glob("vector.*.so"):
        shutil.copy(built, checkout / "src/minigrad/_native")
    assert run(words, checkout, PYTHONPATH=home) == ""


def test_an_sdist_holds_what_a_wheel_is_built_from(checkout):
    program = "from setuptools import build_meta; build_meta.build_sdist('dist')"
    folder = checkout / "backend"
    run([sys.executable, "-m", "pip", "install", "-q", "--target", str(folder), "setuptools>=77"], checkout)
    run([sys.executable, "-c", program], checkout, PYTHONPATH=str(folder))
    (built,) = (checkout / "dist").glob("*.tar.gz")
    shutil.unpack_archive(built, checkout / "unpacked", filter="data")
    (unpacked,) = (checkout / "unpacked").iterdir()
    for path in (ROOT / "src/minigrad/_native").rglob("*.[ch]"):
        assert (unpacked / path.relative_to(ROOT)).exists(), path.name
    assert [path for path in PAGES if not (unpacked / "src" / path).exists()] == []
    assert (unpacked / "setup.py").exists()
