"""What is released: an sdist, out of it a wheel with the compiled engine and one in plain Python, each tried
where nothing else is installed, and no compiler at all.  `tests/tools/release.py` does it on every Python."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import numpy
import pytest
import yaml

import minigrad
import release
import smoke
from minigrad._native import checksum, vector_checksum
from release import OutcomeError, run, sdist, staged
from source_trees import ROOT

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
from minigrad.compiler import executors
x = minigrad.Value(3.0)
node = x * x + minigrad.functions.sum([x.exp(), 4.0])
node.backward()
assert (value, gradient) == (node.data, x.grad), (value, gradient)
assert len(square.batched("x")([1.0, 2.0], 4.0)) == 2
assert "fsum" in str(square.to_c(3.0, 4.0))
print("compiled" if executors.ISA in ("baseline", "avx2", "avx512") else executors.ISA)
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
    return staged(tmp_path / "checkout")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sdist."""
    folder = tmp_path_factory.mktemp("packed")
    backend = folder / "backend"
    release.pip("install", "-q", "--target", backend, *release.SETUPTOOLS, folder=folder)
    return sdist(sys.executable, staged(folder / "checkout"), folder / "dist", PYTHONPATH=str(backend))


PAGES = [  # scripts and styles of the pages, lessons, names for data, and stubs, which list public names
    path.relative_to(ROOT / "src")
    for ending in ("js", "css", "html", "md", "txt", "pyi")
    for path in sorted((ROOT / "src/minigrad").rglob(f"*.{ending}"))
]


def wheel(packed: Path, folder: Path, **environment: str) -> Path:
    """The wheel that pip builds of the sdist, without asking for setuptools once more."""
    # What is in a wheel is looked at, not how fast it is, and a build of all kernels takes a minute.
    own = {"CFLAGS": "-O0", "PYTHONPATH": str(packed.parent.parent / "backend")}
    return release.wheel(sys.executable, packed, folder, "--no-build-isolation", **own, **environment)[0]


def outcome(built: Path, program: str = PROGRAM, *others: Path) -> str:
    """What the program prints where only this wheel is installed, and what is in the other folders."""
    home = built.parent / "home"
    zipfile.ZipFile(built).extractall(home)
    path = os.pathsep.join(map(str, (home, *others)))
    return run([sys.executable, "-S", "-W", "error", "-c", program], home, PYTHONPATH=path).strip()


@pytest.mark.slow
def test_a_wheel_holds_the_compiled_engine_and_no_sources_of_it(packed, tmp_path):
    built = wheel(packed, tmp_path)
    names = zipfile.ZipFile(built).namelist()
    for module in ("engine", "vector"):
        built_in = [name for name in names if f"_native/{module}." in name and name.endswith((".so", ".pyd"))]
        assert len(built_in) == 1
        assert f"minigrad/_native/{module}.pyi" in names
    # A program that is handed over in C is made of two headers.
    headers = {f"minigrad/_native/{name}.h" for name in ("ieee", "reductions")}
    assert {name for name in names if name.endswith((".c", ".h"))} == headers
    assert {str(path) for path in PAGES} <= set(names)
    assert outcome(built, COMPILED, NUMPY) == "compiled"
    assert "all right" in release.smoke(sys.executable, tmp_path / "native", built, "native")


def test_headers_alone_are_no_sources_that_a_build_could_differ_from(tmp_path):
    """A wheel has two of them, which programs in C need; a checkout has all, and each of them counts."""
    vector = tmp_path / "_native" / "vector"
    vector.mkdir(parents=True)
    (tmp_path / "values").mkdir()
    for name in ("ops.py", "values/formulas.py", "values/ieee.py", "_native/ieee.h", "_native/reductions.h"):
        (tmp_path / name).write_text("")
    for total, folder in ((checksum, vector.parent), (vector_checksum, vector)):
        assert total(str(folder)) is None
        (folder / "a.c").write_text("1")
        before = total(str(folder))
        (vector.parent / "ieee.h").write_text(str(folder))
        assert None is not before != total(str(folder))


@pytest.mark.slow
def test_a_wheel_in_plain_python_is_for_every_machine(packed, tmp_path):
    built = wheel(packed, tmp_path, MINIGRAD_PURE="1")
    assert built.name.endswith("-py3-none-any.whl")
    assert outcome(built) == "plain 6.0"
    assert outcome(built, COMPILED, NUMPY) == "numpy"
    assert (
        outcome(built, WITHOUT_NUMPY) == "compiled programs need NumPy: pip install 'minigrad-lab[compile]'"
    )


@pytest.mark.slow
def test_without_a_compiler_an_sdist_installs_and_says_once_what_is_missing(packed, tmp_path):
    assert "all right" in release.smoke(sys.executable, tmp_path / "plain", packed, "plain")


def test_an_install_without_the_engine_says_so_in_both_languages(checkout):
    """What make shows, since pip shows nothing of a build that succeeds."""
    words = [sys.executable, "-S", "-m", "minigrad._native.status"]
    home = str(checkout / "src")
    for lang, said in (("en", "no C compiler was found"), ("es", "no se encontró un compilador de C")):
        assert said in run(words, checkout, PYTHONPATH=home, MINIGRAD_LANG=lang)
    assert run(words, checkout, PYTHONPATH=home, MINIGRAD_PURE="1") == ""


def test_so_does_one_without_the_executor_of_programs_alone(checkout):
    words = [sys.executable, "-S", "-m", "minigrad._native.status"]
    home = str(checkout / "src")
    for built in (ROOT / "src/minigrad/_native").glob("engine.*.so"):
        shutil.copy(built, checkout / "src/minigrad/_native")
    for lang, said in (("en", "so NumPy runs them"), ("es", "así que los ejecuta NumPy")):
        assert said in run(words, checkout, PYTHONPATH=home, MINIGRAD_LANG=lang)
    for built in (ROOT / "src/minigrad/_native").glob("vector.*.so"):
        shutil.copy(built, checkout / "src/minigrad/_native")
    assert run(words, checkout, PYTHONPATH=home) == ""


def test_an_sdist_is_the_repository(packed):
    """Everything that a clone has but what belongs to a code host; and what setuptools writes of its own."""
    with tarfile.open(packed) as archive:
        names = {name.partition("/")[2] for name in archive.getnames() if not archive.getmember(name).isdir()}
    checkout = packed.parent.parent / "checkout"
    here = {path.relative_to(checkout).as_posix() for path in checkout.rglob("*") if path.is_file()}
    assert names - here == {"PKG-INFO", "setup.cfg"}  # and an egg-info, which is in the checkout now too
    assert {name.partition("/")[0] for name in here - names} == {".ci", ".github", ".gitignore"}
    assert [path for path in PAGES if f"src/{path.as_posix()}" not in names] == []


# ---- one version, and what is said about it -----------------------------------------------------


def test_the_version_is_that_of_the_changelog(packed):
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.findall(r"^## (\S+) \(\d{4}-\d\d-\d\d\)$", text, re.MULTILINE)[0]
    assert newest == minigrad.__version__
    assert packed.name == f"minigrad_lab-{newest}.tar.gz"


def test_the_forms_for_issues_ask_for_what_the_commands_give(capsys):
    """In both languages; of a code host's forms, the fields that it needs."""
    from minigrad.cli import main

    folder = ROOT / ".github/ISSUE_TEMPLATE"
    forms = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("[0-9]*.yml"))]
    assert len(forms) == 5
    for form in forms:
        assert " / " in form["name"]
        assert len(form["description"]) <= 200  # a code host cuts off the rest
        fields = [part["id"] for part in form["body"]]
        assert len(set(fields)) == len(fields)
        for command, flags in re.findall(r"`minigrad (\w+)[^`]*?((?: --\w+)*)`", str(form)):
            assert main([command, "--help"]) == 0
            assert flags.strip() in capsys.readouterr().out


# ---- the checks themselves: each must catch something ---------------------------------------------


def test_bytes_that_differ_between_two_builds_are_noticed(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"1")
    two.write_bytes(b"2")
    assert release.same([one], [one]) == "1 pieces, the same bytes"
    with pytest.raises(OutcomeError, match="two builds differ: one"):
        release.same([one], [two])


def test_two_archives_of_the_same_files_are_the_same_bytes(tmp_path):
    (tmp_path / "file").write_text("text")
    archives = [tmp_path / "one.tar.gz", tmp_path / "two.tar.gz"]
    for at, archive in enumerate(archives):
        os.utime(tmp_path / "file", (at, 1000 * at))
        with tarfile.open(archive, "w:gz") as packing:
            packing.add(tmp_path / "file", "file")
    assert archives[0].read_bytes() != archives[1].read_bytes()
    for archive in archives:
        release.without_traces(archive)
    assert archives[0].read_bytes() == archives[1].read_bytes()


@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        ("print('said')", False),
        ("print('something else')", True),
        ("print('said'); raise SystemExit(1)", True),
        ("import sys; print('said Traceback', file=sys.stderr)", True),
    ],
)
def test_a_command_that_does_not_do_what_it_should_is_complained_of(program, wrong):
    assert bool(list(smoke.said_by([sys.executable, "-c", program], 0, "said"))) is wrong


@pytest.mark.usefixtures("elsewhere")
def test_an_environment_with_other_things_in_it_is_complained_of(monkeypatch):
    """Such as this one, with its editable install."""
    monkeypatch.setattr(smoke, "COMMANDS", [])
    monkeypatch.setattr(smoke, "said_by", lambda *_: [])
    other = "plain" if minigrad.ENGINE == "native" else "native"
    found = "\n".join(smoke.complaints(other))
    assert "the environment is not empty" in found
    assert f"the engine is {minigrad.ENGINE}, not {other}" in found
    assert "not the installed package" in found


def test_every_command_is_tried():
    from minigrad.cli.commands import COMMANDS

    tried = {words[0] for words, _, _ in smoke.COMMANDS if words}
    assert set(COMMANDS) - tried == {"mutate"}  # it needs tests to run, and pytest
