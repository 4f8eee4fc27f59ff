"""Mutation testing: every small change of the code makes a test fail, or is in a list with the reason.

    python tests/mutation/run.py                      all subjects
    python tests/mutation/run.py graph trace          some of them
    python tests/mutation/run.py faults/break_lab.py  one file of a subject
    python tests/mutation/run.py graph --coverage     branch coverage of the same tests instead

Each subject is copied to build/mutation, changed there in every way that mutmut knows (`mutants.py`),
and the tests of that subject that call the changed function are run (`loop.py`).  What survives
must be in `survivors.toml`, by its function and its lines.  What is not there is looked at once more, in a
process that imports the changed file anew, because some functions run during the import, and some remember.
If it survives that too, it is shown and the exit status is 1, as it is for an entry of the list that does not
survive, or that nobody makes any more.  `pip install '.[test,mutation]'` brings what is needed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from mutants import made
from subjects import REPOSITORY, SUBJECTS, Subject
from survivors import SOURCE, Change, listed, plain, with_lambdas
from trial_limits import limit

SCRATCH = REPOSITORY / "build" / "mutation"
LEAST = 95.0  # per cent of each file, lines and branches together


TEXTS = ("faults/specimen.py",)  # nobody imports it: it is read and run as a text, and so are its changes


CONFTEST = """
import pytest


def pytest_addoption(parser):
    parser.addoption("--graphs", type=int, default=100)


def pytest_configure(config):
    for mark in ("slow", "one_engine", "both_engines"):
        config.addinivalue_line("markers", mark)


@pytest.fixture
def english():
    from minigrad.text.translation import speaking

    with speaking("en"):
        yield


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def pytest_generate_tests(metafunc):
    if "numbers" in metafunc.fixturenames:
        metafunc.parametrize("numbers", [range(metafunc.config.getoption("graphs"))])
"""
SETTINGS = """
[tool.pytest.ini_options]
addopts = "-q -p no:cacheprovider -p no:logging --no-header --import-mode=importlib"
pythonpath = ["tests/support"]
filterwarnings = ["error"]
[tool.mutmut]
source_paths = ["src"]
"""
# Plain Python, because that is what is changed; and no plugin of pytest but its own.
ENVIRONMENT = {"MINIGRAD_PURE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "OMP_NUM_THREADS": "1"}


def prepare(folder: Path, subject: Subject) -> None:
    """A fresh folder with what the tests of a subject need."""
    shutil.rmtree(folder, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(SOURCE, folder / "src" / "minigrad", ignore=ignored)
    for name in ("support", "data"):
        shutil.copytree(REPOSITORY / "tests" / name, folder / "tests" / name, ignore=ignored)
    for path in subject.test_files():
        (folder / path.parent).mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / path, folder / path)
        for parent in path.parents[:-2]:  # of tests/ itself there is another one here
            if (REPOSITORY / parent / "conftest.py").is_file():
                shutil.copy(REPOSITORY / parent / "conftest.py", folder / parent)
    for page in (REPOSITORY / "docs").glob("*/faults.md"):  # a test of `minigrad break` holds it to them
        (folder / "docs" / page.parent.name).mkdir(parents=True)
        shutil.copy(page, folder / "docs" / page.parent.name)
    (folder / "tests" / "conftest.py").write_text(CONFTEST)
    (folder / "pyproject.toml").write_text(SETTINGS)


# ---- changes ----------------------------------------------------------------------------------------


def survivors(
    folder: Path, subject: Subject, files: Sequence[str], workers: int, once: bool
) -> tuple[int, set[Change]]:
    """How many changes there are, and those that no test notices."""
    prepare(folder, subject)
    os.chdir(folder)  # mutmut looks for its settings here
    again = Again(subject, files)  # before the changes are written
    changes: dict[str, tuple[Change, str]] = {}
    for file in files:
        original = (SOURCE / file).read_text()
        text, its = made(file, plain(original))
        if file in TEXTS:
            its = {name: (change, with_lambdas(text, original)) for name, (change, text) in its.items()}
        else:
            (folder / "src" / "minigrad" / file).write_text(text)
        changes |= its
    (folder / "changes.json").write_text(json.dumps([*changes]))
    loop = [sys.executable, REPOSITORY / "tests" / "mutation" / "loop.py", str(workers)]
    subprocess.run([*loop, *subject.selection()], env=os.environ | ENVIRONMENT, check=True)
    explained, left = listed(), set[Change]()
    for name, verdict in json.loads((folder / "verdicts.json").read_text()).items():
        change, text = changes[name]
        if verdict == "killed" or change in left:
            continue
        if once or (verdict == "survived" and change in explained) or again.survives(change.file, text):
            left.add(change)
    return len(changes), left


class Again:
    """Runs the tests of a subject on a changed file, each time in a process that has not imported it yet."""

    def __init__(self, subject: Subject, files: Sequence[str]) -> None:
        self.subject, self.folder, self.compiled = subject, Path.cwd() / "again", False
        for part in ("src", "tests", "docs"):
            shutil.copytree(part, self.folder / part)
        shutil.copy("pyproject.toml", self.folder)
        os.environ.update(ENVIRONMENT)
        for library in ("pytest", "hypothesis", "mpmath", "numpy", "sympy", "torch"):
            __import__(library)  # so that each process has what takes long to import, and none has minigrad
        if not self.survives(files[0], (SOURCE / files[0]).read_text()):
            sys.exit("the tests fail in a new process without any change: they would show nothing")
        self.compiled = True

    def survives(self, file: str, text: str) -> bool:
        path = self.folder / "src" / "minigrad" / file
        original = path.read_text()
        path.write_text(text)
        child = os.fork()
        if not child:
            os._exit(self._run())
        status = os.waitpid(child, 0)[1]
        path.write_text(original)
        return status == 0

    def _run(self) -> int:
        import pytest

        limit(120)
        os.chdir(self.folder)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        sys.path[:] = [
            str(self.folder / "src"),
            *(p for p in sys.path if not p.startswith(str(REPOSITORY / "tests"))),
        ]
        sys.dont_write_bytecode = self.compiled
        try:  # most are noticed by the first file, and to collect the others takes longer than to run it
            parts = self.subject.selection(slice(1)), self.subject.selection(slice(1, None))
            return any(pytest.main(["-x", "--tb=native", *part]) for part in parts)
        except BaseException:
            return 1


def report(folder: Path, subject: Subject, files: Sequence[str], workers: int, once: bool) -> bool:
    """Say what is left of the changes to some files of a subject.  Is everything explained?"""
    total, left = survivors(folder, subject, files, workers, once)
    explained = {change for change in listed() if change.file in files}
    for change in sorted(left - explained):
        print(f"survives  {change}")
    for change in sorted(explained - left):
        print(f"does not survive, or is not made any more  {change}")
    print(f"{folder.name}: {total} changes, {len(left)} survive, {len(left & explained)} of them in the list")
    return left == explained


# ---- coverage ---------------------------------------------------------------------------------------


def coverage(folder: Path, subject: Subject, files: Sequence[str]) -> bool:
    """Print what the tests of a subject cover of each file, branches included.  Is it enough?"""
    prepare(folder, subject)
    (folder / "coverage.ini").write_text("[report]\nexclude_also =\n    if (not )?TYPE_CHECKING\n")
    wanted = ",".join(str(folder / "src" / "minigrad" / file) for file in files)
    command, config = [sys.executable, "-m", "coverage"], "--rcfile=coverage.ini"
    for step in (
        [*command, "run", "--branch", config, f"--include={wanted}", "-m", "pytest", *subject.selection()],
        [*command, "json", config, "-q", "-o", "coverage.json"],
    ):
        environment = os.environ | ENVIRONMENT | {"PYTHONPATH": "src"}
        subprocess.run(step, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    enough = True
    for file, found in sorted(json.loads((folder / "coverage.json").read_text())["files"].items()):
        share = found["summary"]["percent_covered"]
        enough &= share >= LEAST
        missed = f"lines {found['missing_lines']}, branches {found['missing_branches']}"
        print(f"{share:6.1f}%  {file.partition('minigrad/')[2]:24} missed: {missed}")
    return enough


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "subjects", nargs="*", help=f"{', '.join(SUBJECTS)}, or a file of one; none means all"
    )
    parser.add_argument("--coverage", action="store_true", help="branch coverage instead")
    parser.add_argument("--once", action="store_true", help="without the second look, for a first idea")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at a time")
    given = parser.parse_args()
    fine = True
    for asked in given.subjects or SUBJECTS:
        owner = next((s for name, s in SUBJECTS.items() if asked == name or asked in s.paths()), None)
        if owner is None:
            parser.error(
                f"{asked} is none of {', '.join(SUBJECTS)}, nor a file of one, such as faults/break_lab.py"
            )
        files, folder = owner.paths() if asked in SUBJECTS else [asked], SCRATCH / asked.replace("/", ".")
        if given.coverage:
            fine &= coverage(folder, owner, files)
        else:
            fine &= report(folder, owner, files, given.workers, given.once)
    return not fine


if __name__ == "__main__":
    sys.exit(main())
