"""Mutation testing of whole packages, by a sample: run it as `python tests/mutation/sample.py`.

    python tests/mutation/sample.py                     every package
    python tests/mutation/sample.py nn training         some of them
    python tests/mutation/sample.py nn --size 400       a larger sample than 160
    python tests/mutation/sample.py nn --again          those that survived the last run
    python tests/mutation/sample.py nn --again --with tests/minigrad/nn/test_layers.py   shown to these tests

`run.py` makes every change of the core; these packages are too large for that.  A change is in the sample by
its own hash, so that an edit elsewhere does not change the sample; half of it are changes at boundaries
(comparisons, numbers, and/or, conditions) and removed calls.  Each change is written into a copy of the
repository, and the tests that run its line are run there until one fails, in a new process: the fastest
first, then the others of the same files, for at most BUDGET seconds.  What survives is in
`package_survivors.toml` with the reason, or it is shown and the exit status is 1, as it is for an entry that
is killed, or that is not in the sample any more.  Afterwards the tests that noticed a change are run without
any: one that fails has shown nothing.  Changes that ended the tests before one failed are listed.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import hashlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import NamedTuple

from subjects import PACKAGES, REPOSITORY, Package
from survivors import PACKAGES_LISTED, SOURCE, Change, listed, plain
from trial_limits import limit

SCRATCH = REPOSITORY / "build" / "mutation"
MAKER = Path(__file__).with_name("mutants.py").read_text()
BUDGET = 30.0  # seconds of tests for one change, by what they took without it
NO_TEST = "no test: they did not begin, or did not end"
COLLECT = "--collect-only"
AT_BOUNDARIES = {
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "and",
    "or",
    "not",
    "is",
    "in",
}
AT_BOUNDARIES |= {"True", "False", "pass", "break", "continue"}
LIBRARIES = ("pytest", "hypothesis", "anyio.pytest_plugin", "mpmath", "numpy", "sympy", "torch")
LIBRARIES += ("httpx", "playwright.sync_api")  # pytest would read some of them anew in each trial


class Planted(NamedTuple):
    """A change, and its file with the change in it."""

    change: Change
    text: str


class Outcome(NamedTuple):
    """What became of the changes: those that no test notices, and the test that noticed each of the others,
    or NO_TEST where the tests could not begin or did not end."""

    left: set[Change]
    noticed: dict[Change, str]


# ---- the sample -----------------------------------------------------------------------------------


def sample(package: Package, size: int) -> list[Planted]:
    """Half of them at boundaries; each half those with the smallest hashes."""
    SCRATCH.mkdir(parents=True, exist_ok=True)
    (SCRATCH / "pyproject.toml").write_text('[tool.mutmut]\nsource_paths = ["."]\n')
    os.chdir(SCRATCH)  # mutmut looks for its settings here
    found = {planted.change: planted for file in package.paths() for planted in changes_of(file)}
    ranked = sorted(found, key=_rank)
    halves = [[c for c in ranked if at_boundary(c) is side][: size // 2] for side in (True, False)]
    return [found[change] for change in sorted(halves[0] + halves[1])]


def changes_of(file: str) -> Iterator[Planted]:
    """All changes of a file.  To make them takes seconds, so they are kept, as what each of them replaces."""
    text = plain((SOURCE / file).read_text())
    kept = SCRATCH / "changes" / (hashlib.sha256(f"{file}\0{MAKER}\0{text}".encode()).hexdigest() + ".json")
    if not kept.is_file():
        from mutants import made  # needs mutmut, which the tests of this file do without

        found = made(file, text, statements=True)[1].values()
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps([[change, *replaced(text, changed)] for change, changed in found]))
    for change, start, end, piece in json.loads(kept.read_text()):
        yield Planted(Change(*change), text[:start] + piece + text[end:])


def replaced(before: str, after: str) -> tuple[int, int, str]:
    """Where two texts differ: its start and end in the first, and what the second has there."""
    start = _same(before, after)
    same = _same(before[start:][::-1], after[start:][::-1])
    return start, len(before) - same, after[start : len(after) - same]


def _same(left: str, right: str) -> int:
    """How many characters two texts have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((i for i, (x, y) in pairs if x != y), min(len(left), len(right)))


def _rank(change: Change) -> bytes:
    return hashlib.sha256("\0".join(change).encode()).digest()


def at_boundary(change: Change) -> bool:
    """Does it change an operator, a number or a condition, or leave out a call?"""
    if change.after == "pass":
        return True
    before, after = Counter(_tokens(change.before)), Counter(_tokens(change.after))
    different = {*(before - after), *(after - before)}
    return all(word in AT_BOUNDARIES or word[:1].isdigit() for word in different)


def _tokens(text: str) -> list[str]:
    try:
        return [
            token.string for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.string
        ]
    except (tokenize.TokenError, IndentationError):  # a piece of a statement
        return text.split()


def lines_in(change: Change) -> tuple[set[int], set[int]]:
    """The numbers of the lines that a change is about, in the file as it was written, and of its function."""
    text = (SOURCE / change.file).read_text()
    wanted, lines = set(change.before.splitlines()), [line.strip() for line in text.splitlines()]
    owner, _, name = change.function.rpartition(".")
    found, around = set[int](), set[int]()
    if name.startswith("row_"):  # a lambda in a table, which `plain` has given a name
        body = change.before.removeprefix("return ")
        return {number for number, line in enumerate(lines, 1) if body in line}, set()
    for parent in ast.walk(ast.parse(text)):
        if not isinstance(parent, (ast.Module, ast.ClassDef)) or getattr(parent, "name", "") != owner:
            continue
        for node in parent.body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name == name:
                span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                found |= {number for number in span if lines[number - 1] in wanted}
                around |= {*span}
    return found, around


# ---- the tests that a change is shown to ------------------------------------------------------------


class Reach:
    """Which tests run which lines of a package."""

    def __init__(self, path: Path, package: Package) -> None:
        found = json.loads(path.read_text())
        self.tests: list[tuple[str, float]] = [(name, seconds) for name, seconds in found["tests"]]
        self.lines: dict[str, dict[str, list[int]]] = found["lines"]
        self.by_file: dict[str, list[int]] = defaultdict(list)
        for number, (name, _) in enumerate(self.tests):
            self.by_file[name.partition("::")[0]].append(number)
        self.otherwise = [n for f in package.otherwise for n in self.by_file[f"tests/minigrad/{f}"]]

    def fastest(self, count: int) -> list[str]:
        return [name for name, _ in sorted(self.tests, key=lambda test: test[1])[:count]]

    def tests_for(self, change: Change, failures: Counter[str]) -> list[str]:
        """The fastest that run the line, then the others of their files; where none is known, `otherwise`."""
        own = self.lines.get(change.file, {})
        lines, around = lines_in(change)
        direct = {test for line in lines for test in own.get(str(line), ())}
        if not direct:  # a default value is computed when the function is made
            direct = {test for line in around for test in own.get(str(line), ())}
        files = {self.tests[number][0].partition("::")[0] for number in direct}
        near = {number for file in files for number in self.by_file[file]} - direct
        chosen, left = list[str](), BUDGET
        for group in (direct, near, set(self.otherwise) - direct - near):
            for number in sorted(group, key=lambda n: (-failures[self.tests[n][0]], self.tests[n][1])):
                name, seconds = self.tests[number]
                if seconds < left or not chosen:
                    chosen.append(name)
                    left -= seconds
        return chosen


def measure(package: Package, folder: Path) -> Path:
    """Run all tests of a package once."""
    command = [sys.executable, "-m", "pytest", "-p", "reach", "-p", "no:cacheprovider", "-q", "--tb=short"]
    environment = environment_in(folder) | {"MINIGRAD_REACH": package.name}
    del environment["PYTHONDONTWRITEBYTECODE"]  # the trials read what pytest makes of the files here
    environment["PYTHONPATH"] += os.pathsep + str(folder / "tests" / "mutation")
    subprocess.run([*command, *package.selection()], cwd=folder, env=environment, check=False)
    return folder / "reach.json"


# ---- trials -----------------------------------------------------------------------------------------


def environment_in(folder: Path) -> dict[str, str]:
    own = {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
    return {**os.environ, **own, "HYPOTHESIS_STORAGE_DIRECTORY": str(folder / ".hypothesis")}


def copy_of_repository(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=REPOSITORY, check=True, capture_output=True).stdout.decode()
    compiled = [str(path.relative_to(REPOSITORY)) for path in (SOURCE / "_native").glob("*.so")]
    for name in [*names.split("\0"), *compiled]:
        if name and (REPOSITORY / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, folder / name)
    quiet = [sys.executable, "-m", "compileall", "-q", str(folder / "src"), str(folder / "tests")]
    subprocess.run(quiet, check=False, stdout=subprocess.DEVNULL)


class Desk:
    """A copy of the repository in which one change at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.planted: Planted | None = None
        self.child = 0

    def begin(self, planted: Planted, tests: Sequence[str]) -> None:
        self.planted, self.deadline = planted, time.monotonic() + 60 + 8 * BUDGET
        self.path = self.folder / "src" / "minigrad" / planted.change.file
        self.original, self.times = self.path.read_bytes(), os.stat(self.path)
        self.path.write_text(planted.text)
        (self.folder / "failed.txt").unlink(missing_ok=True)
        self.child = os.fork()
        if not self.child:
            os._exit(self._run(tests))

    def ended(self) -> bool | None:
        """Was the change noticed?  None while the tests run."""
        child, status = os.waitpid(self.child, os.WNOHANG)
        if not child and time.monotonic() < self.deadline:
            return None
        self._end(reaped=bool(child))
        self.path.write_bytes(self.original)
        os.utime(self.path, ns=(self.times.st_atime_ns, self.times.st_mtime_ns))
        return not child or status != 0

    def stop(self) -> None:
        """End the tests that are running, if any."""
        if self.child:
            self._end(reaped=False)

    def _end(self, *, reaped: bool) -> None:
        with contextlib.suppress(OSError):  # what the tests started ends with them
            os.killpg(self.child, signal.SIGKILL)
        if not reaped:
            with contextlib.suppress(OSError):  # it may not have its own group yet
                os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        self.child = 0

    def failed_test(self) -> str:
        path = self.folder / "failed.txt"
        return path.read_text() if path.is_file() else NO_TEST

    def _run(self, tests: Sequence[str]) -> int:
        import pytest

        os.setsid()
        limit(30 + BUDGET)
        os.chdir(self.folder)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        os.environ.update(environment_in(self.folder))
        own = str(REPOSITORY)
        sys.path[:] = [str(self.folder / "src"), *(p for p in sys.path if not p.startswith(own + "/src"))]
        sys.dont_write_bytecode = True
        failed = self.folder / "failed.txt"

        class Note:
            def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
                if report.failed:
                    failed.write_text(report.nodeid)

            def pytest_collectreport(self, report: pytest.CollectReport) -> None:
                if report.failed:  # a file that makes its tests by the code that was changed
                    failed.write_text(report.nodeid)

        words = [
            "-x",
            "--tb=no",
            "-q",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:xdist",
            "-W",
            "ignore::pytest.PytestAssertRewriteWarning",
        ]
        try:
            status = pytest.main([*words, *tests], plugins=[Note()])
            unknown = status == pytest.ExitCode.USAGE_ERROR and not failed.is_file()
            if unknown and COLLECT not in tests:  # the change gave a test another name
                status = pytest.main([*words, *{test.partition("::")[0] for test in tests}], plugins=[Note()])
            return int(status)
        except BaseException:
            return 1


def survivors(
    planted: Sequence[Planted],
    reach: Reach,
    desks: Sequence[Desk],
    explained: Set[Change],
    more: Sequence[str] = (),
) -> Outcome:
    """Try all changes, and say at once what survives unexplained; `more` are tests that are shown each."""
    outcome, failures = Outcome(set(), {}), Counter[str]()
    waiting, idle, busy = list(reversed(planted)), list(desks), list[Desk]()
    while waiting or busy:
        while waiting and idle:
            one = waiting.pop()
            tests = [*more, *reach.tests_for(one.change, failures)]
            if not tests:
                outcome.left.add(one.change)
                if one.change not in explained:
                    print(f"unreached {one.change}", flush=True)
                continue
            busy.append(idle.pop())
            busy[-1].begin(one, tests)
        for desk in list(busy):
            noticed = desk.ended()
            if noticed is None:
                continue
            assert desk.planted is not None
            if noticed:
                outcome.noticed[desk.planted.change] = desk.failed_test()
                failures[desk.failed_test()] += 1
            else:
                outcome.left.add(desk.planted.change)
                if desk.planted.change not in explained:
                    print(f"survives  {desk.planted.change}", flush=True)
            busy.remove(desk)
            idle.append(desk)
        time.sleep(0.02)
    return outcome


def failing_unchanged(original: Planted, desk: Desk, tests: Sequence[str]) -> str:
    """The first of these tests that fails in the copy as it is, and so shows nothing; or ""."""
    desk.begin(original, tests)
    while (failed := desk.ended()) is None:
        time.sleep(0.02)
    return desk.failed_test() if failed else ""


def report(package: Package, given: argparse.Namespace) -> bool:
    """Try the sample of a package and say what is left.  Is everything explained?"""
    folders = [SCRATCH / f"{package.short}-{number}" for number in range(given.workers)]
    reach_file, last = (SCRATCH / f"{package.short}-{what}.json" for what in ("reach", "survivors"))
    for folder in folders:
        copy_of_repository(folder)
    if not (given.again and reach_file.is_file()):
        shutil.copy(measure(package, folders[0]), reach_file)
    planted = sample(package, given.size)
    if given.again:
        again = {Change(*change) for change in json.loads(last.read_text())} if last.is_file() else set()
        planted = [one for one in planted if one.change in again]
    if not planted:
        print(f"{package.name}: nothing to try again")
        return True
    tried = {one.change for one in planted}
    explained = {c for c in listed(PACKAGES_LISTED) if package.owns(c.file)}
    if given.again:
        explained &= tried
    for library in LIBRARIES:  # once for all trials; none of them loads minigrad
        __import__(library)
    gc.freeze()  # the collections of the trials need not look at them
    desks, reach = [Desk(folder) for folder in folders], Reach(reach_file, package)
    unchanged = Change(planted[0].change.file, "", "", "")
    original = Planted(unchanged, (SOURCE / unchanged.file).read_text())
    every = [name for name, _ in reach.tests]
    try:
        for tests in (reach.fastest(20), [COLLECT, *every]):
            if failed := failing_unchanged(original, desks[0], tests):
                sys.exit(f"the tests fail without any change, and would show nothing: {failed}")
        left, noticed = survivors(planted, reach, desks, explained, given.tests)
        last.write_text(json.dumps(sorted(left)))
        killers = {test for test in noticed.values() if "::" in test}  # others failed to be collected
        doubtful = failing_unchanged(original, desks[0], sorted(killers))
    finally:
        for desk in desks:
            desk.stop()
    for change in sorted(explained - left):
        print(f"{'does not survive' if change in tried else 'is not in the sample any more'}  {change}")
    for change in sorted(change for change, test in noticed.items() if test == NO_TEST):
        print(f"ends the tests {change}")
    if doubtful:
        print(f"what noticed some of them fails without any change too: {doubtful}")
    total, boundaries = len(planted), sum(at_boundary(change) for change in tried)
    print(
        f"{package.name}: {total} changes ({boundaries} at boundaries), {total - len(left)} killed, ", end=""
    )
    print(f"{len(left & explained)} explained, {len(left - explained)} survive")
    return left == explained and not doubtful


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packages", nargs="*", help=f"{', '.join(PACKAGES)}; none means all")
    parser.add_argument("--size", type=int, default=160, help="changes of a package (default: 160)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes at a time")
    parser.add_argument("--again", action="store_true", help="only what survived the last run")
    parser.add_argument(
        "--with", dest="tests", nargs="+", default=[], help="tests that see each change first"
    )
    given = parser.parse_args()
    if unknown := sorted({*given.packages} - PACKAGES.keys()):
        parser.error(f"{', '.join(unknown)}: there are {', '.join(PACKAGES)}")
    fine = True
    for name in given.packages or PACKAGES:
        fine &= report(PACKAGES[name], given)
    return not fine


if __name__ == "__main__":
    sys.exit(main())
