"""Mutation testing of the scripts in JavaScript: a sample of their small changes, each made in the browser.

    python tests/mutation/scripts.py                     the whole sample
    python tests/mutation/scripts.py player studio/lab.js    a folder, a file
    python tests/mutation/scripts.py --every player/numerals.js      every change of it, not only the sample

`script_changes.py` chooses the changes, `script_loop.py` tries them in build/mutation/scripts.  What survives
must be in `script_survivors.toml` with the reason; the exit status is 1 if something else survives, if an
entry of the list does not survive any more, or if nobody makes it any more.  `make mutation` brings what is
needed: a browser, node and TypeScript.
"""

from __future__ import annotations

import argparse
import atexit
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from script_changes import LISTED, SHARES, ScriptMutant, planted, sampled, script_files, script_mutants
from subjects import REPOSITORY
from survivors import SOURCE, Change, listed

SCRATCH = REPOSITORY / "build" / "mutation" / "scripts"
MODULES = Path(os.environ.get("MINIGRAD_NODE_MODULES") or REPOSITORY / ".venv" / "node" / "node_modules")
LEAST = 90.0  # per cent of the changes that are not in the list
SILENCE = 120  # seconds without the end of a test, after which a page is taken to be in an endless loop

TESTS = (
    "tests/minigrad/player/test_scripts.py",
    "tests/minigrad/player/test_scripts_parts.py",
    "tests/minigrad/player/test_player.py",
    "tests/minigrad/player/test_player_modes.py",
    "tests/minigrad/player/test_player_checks.py",
    "tests/minigrad/player/test_page.py",
    "tests/minigrad/studio/test_scripts.py",
    "tests/minigrad/studio/test_scripts_pages.py",
    "tests/minigrad/studio/test_page_browser.py",
    "tests/minigrad/studio/test_page_everybody.py",
    "tests/minigrad/studio/test_page_links.py",
    "tests/minigrad/studio/test_lessons_browser.py",
    "tests/minigrad/learn/test_lesson_script.py",
    "tests/minigrad/learn/test_lesson_pages.py",
    "tests/minigrad/learn/classroom/test_sheet_html.py",
)
# Tests that take long and say nothing about a script by itself.
LEFT_OUT = "not axe and not planted and not block_fits and not every_script_is_listed"
# One browser and one studio for all files, and less patience with what does not come.
REPLACED = {
    "tests/support/browser.py": {
        '@pytest.fixture(scope="module")': '@pytest.fixture(scope="session")',
        "10_000": "6_000",
        "seconds: float = 10.0": "seconds: float = 6.0",
    },
    "tests/support/studio_page.py": {"15_000": "6_000"},
    "tests/minigrad/studio/conftest.py": {
        '@pytest.fixture(scope="module")': '@pytest.fixture(scope="session")'
    },
}


def prepare(mutants: Mapping[int, ScriptMutant]) -> None:
    """A fresh folder with planted scripts, and what the tests of pages need."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("src/minigrad", "tests/support", "tests/data", "tests/tools", "tests/mutation"):
        shutil.copytree(REPOSITORY / part, SCRATCH / part, ignore=ignored)
    for name in ("player", "studio", "learn"):
        shutil.copytree(
            REPOSITORY / "tests/minigrad" / name, SCRATCH / "tests/minigrad" / name, ignore=ignored
        )
    for name in ("tests/conftest.py", "pyproject.toml"):
        shutil.copy(REPOSITORY / name, SCRATCH / name)
    for name, replaced in REPLACED.items():
        text = (SCRATCH / name).read_text(encoding="utf-8")
        for before, after in replaced.items():
            if before not in text:
                sys.exit(f"{name} does not contain {before} any more: renew REPLACED")
            text = text.replace(before, after)
        (SCRATCH / name).write_text(text, encoding="utf-8")
    for file in {mutant.change.file for mutant in mutants.values()}:
        own = {number: mutant for number, mutant in mutants.items() if mutant.change.file == file}
        text = (SOURCE / file).read_text(encoding="utf-8")
        (SCRATCH / "src" / "minigrad" / file).write_text(planted(text, own), encoding="utf-8")


def start(what: str, worker: int, tests: Sequence[str]) -> subprocess.Popen[bytes]:
    switch = REPOSITORY / "tests" / "mutation" / "script_switch.js"
    environment = os.environ | {
        "MINIGRAD_MUTATION_WORKER": str(worker),
        "MINIGRAD_NODE_MODULES": str(MODULES),
        "NODE_OPTIONS": f"--require={switch}",
        "PYTHONPATH": str(SCRATCH / "src"),
    }
    command = [sys.executable, REPOSITORY / "tests" / "mutation" / "script_loop.py", what]
    with open(SCRATCH / f"{what}-{worker}.log", "ab") as log:
        process = subprocess.Popen(
            [*command, "-k", LEFT_OUT, *tests],
            cwd=SCRATCH,
            env=environment,
            stdout=log,
            stderr=log,
            start_new_session=True,  # so that all of it can be ended, the browser too
        )
    atexit.register(lambda: process.poll() is None and end(process))  # also when this is interrupted
    return process


def cover(workers: int) -> None:
    """coverage.json: which tests reach which changes."""
    running = [start("cover", worker, TESTS[worker::workers]) for worker in range(workers)]
    for worker, process in enumerate(running):
        if process.wait() != 0:
            log = SCRATCH / f"cover-{worker}.log"
            sys.exit(f"{log.read_text()[-3000:]}\nthe tests fail without any change: they would show nothing")
    rows = [json.loads(line) for path in SCRATCH.glob("coverage-*.jsonl") for line in path.open()]
    (SCRATCH / "coverage.json").write_text(json.dumps(rows))


def try_all(
    mutants: Mapping[int, ScriptMutant], explained: Mapping[Change, str], workers: int
) -> dict[int, dict[str, str]]:
    """A verdict about each change; a worker that is silent for long has made one that never ends."""
    found: dict[int, dict[str, str]] = {}
    running: dict[int, subprocess.Popen[bytes]] = {}

    def begin(worker: int) -> None:
        todo = [
            (number, mutants[number].change.file, mutants[number].change in explained)
            for number in [*mutants][worker::workers]
            if number not in found
        ]
        if todo:
            (SCRATCH / f"todo-{worker}.json").write_text(json.dumps(todo))
            (SCRATCH / f"verdicts-{worker}.jsonl").write_text("")
            running[worker] = start("try", worker, TESTS)

    for worker in range(workers):
        begin(worker)
    while running:
        time.sleep(1)
        for worker, process in [*running.items()]:
            path = SCRATCH / f"verdicts-{worker}.jsonl"
            if process.poll() is None and time.time() - path.stat().st_mtime <= SILENCE:
                continue
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            if not rows:
                sys.exit(f"{(SCRATCH / f'try-{worker}.log').read_text()[-3000:]}\na worker does not start")
            found |= {row["number"]: row for row in rows if row["verdict"] != "begun"}
            if rows[-1]["verdict"] == "begun":  # the page does not end, or the browser did
                found[rows[-1]["number"]] = {"verdict": "killed", "test": "the time limit"}
            end(running.pop(worker))
            begin(worker)
    return found


def end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def report(
    mutants: Mapping[int, ScriptMutant],
    verdicts: Mapping[int, dict[str, str]],
    explained: Mapping[Change, str],
) -> bool:
    """What came out, by file and folder; whether all that survived is explained."""
    table: dict[str, Counter[str]] = defaultdict(Counter)
    left: set[Change] = set()
    for number, mutant in mutants.items():
        killed = verdicts[number]["verdict"] == "killed"
        outcome = "killed" if killed else "explained" if mutant.change in explained else "survived"
        if not killed:
            left.add(mutant.change)
        for key in (mutant.change.file, f"{mutant.folder}/", "all"):
            table[key].update(["planted", outcome])
    print(f"{'':34}{'planted':>9}{'killed':>9}{'explained':>11}{'survived':>10}")
    enough = True
    for key, row in sorted(
        table.items(), key=lambda each: (each[0] == "all", each[0].endswith("/"), each[0])
    ):
        print(f"{key:34}{row['planted']:9}{row['killed']:9}{row['explained']:11}{row['survived']:10}")
        if key.endswith("/"):
            enough &= 100 * row["killed"] >= LEAST * (row["killed"] + row["survived"])
    for number, mutant in mutants.items():
        if mutant.change in left - explained.keys():
            print(f"{verdicts[number]['verdict']}: {mutant.change}")
    made = {mutant.change for mutant in mutants.values()}
    files = {change.file for change in made}
    stale = [change for change in explained if change.file in files and change not in left]
    for change in stale:
        print(f"in the list, but {'killed' if change in made else 'nobody makes it'}: {change}")
    return enough and not stale and left <= explained.keys()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("scripts", nargs="*", help="folders and files; none means all")
    parser.add_argument("--every", action="store_true", help="every change, not only the sample")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="browsers at a time")
    given = parser.parse_args()
    asked = [
        file
        for file in script_files()
        if not given.scripts or any(f"{file}/".startswith(f"{name.rstrip('/')}/") for name in given.scripts)
    ]
    if not asked:
        parser.error(f"no script is called so; they are {', '.join(script_files())}")
    every = script_mutants(asked, SOURCE, MODULES)
    mutants = dict(enumerate(sampled(every, dict.fromkeys(SHARES, 1.0) if given.every else SHARES)))
    started = time.monotonic()
    prepare(mutants)
    cover(given.workers)
    explained = listed(LISTED)
    verdicts = try_all(mutants, explained, given.workers)
    rows = [[*mutants[number].change, mutants[number].kind, row] for number, row in verdicts.items()]
    (SCRATCH / "verdicts.json").write_text(json.dumps(rows, indent=1))
    fine = report(mutants, verdicts, explained)
    print(f"{len(mutants)} of {len(every)} changes in {time.monotonic() - started:.0f} s")
    return not fine


if __name__ == "__main__":
    sys.exit(main())
