"""Tries changes, each in a fork of one pytest session: run by `run.py`, in the folder that it made.

`mutmut run` does the same, but starts pytest again for each change, which takes ten times as long.  Reads the
names of the changes from changes.json; runs every test once, to see which functions it calls; and for each
change those tests that call its function until one fails: first those that failed for earlier changes of the
function, then the fastest.  Writes verdicts.json: for each change "killed", "survived" or "unreached", where
no test calls the function.
"""

from __future__ import annotations

import gc
import json
import os
import sys
from collections import defaultdict
from functools import _lru_cache_wrapper
from pathlib import Path
from time import process_time

import pytest
from mutmut.mutation.trampoline import set_mutant_under_test
from mutmut.state import state

from trial_limits import limit


def _is_own(cache: _lru_cache_wrapper[object]) -> bool:
    return str(getattr(cache, "__module__", "")).startswith(("minigrad.", "tests."))


class Loop:
    """In place of pytest's own loop over the tests."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        callers: dict[str, list[tuple[float, pytest.Item]]] = defaultdict(list)
        set_mutant_under_test("stats")
        for item in session.items:
            started = process_time()
            self.run(item)
            if self.failed:
                pytest.exit(f"{item.nodeid} fails without any change", 1)
            for function in state()._stats:
                callers[function].append((process_time() - started, item))
            state()._stats.clear()
        verdicts: dict[str, str] = {}
        running: dict[int, str] = {}
        self.caches = [x for x in gc.get_objects() if type(x) is _lru_cache_wrapper and _is_own(x)]
        gc.collect()
        gc.freeze()  # so that children share more of the memory
        self.failures = os.open("failures.txt", os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC)
        failures: dict[str, int] = defaultdict(int)  # of a test, for changes of one function
        changes = json.loads(Path("changes.json").read_text())
        for number, change in enumerate(changes):
            if number % 100 == 0:
                print(f"{number} of {len(changes)}", flush=True)
            function = change.partition("__mutmut_")[0]
            for line in os.read(self.failures, 1 << 20).decode().splitlines():
                failures[line] += 1
            chosen = sorted(
                callers[function], key=lambda pair: (-failures[f"{function} {pair[1].nodeid}"], pair[0])
            )
            if not chosen:
                verdicts[change] = "unreached"
                continue
            if len(running) == self.workers:
                self.wait(running, verdicts)
            child = os.fork()
            if not child:
                limit(3 + 2 * sum(seconds for seconds, _ in chosen))
                os._exit(self.survives(change, [item for _, item in chosen]))
            running[child] = change
        while running:
            self.wait(running, verdicts)
        Path("verdicts.json").write_text(json.dumps(verdicts))
        return True

    def wait(self, running: dict[int, str], verdicts: dict[str, str]) -> None:
        child, status = os.wait()
        change = running.pop(child)
        verdicts[change] = "killed" if status else "survived"
        if not status:
            print(f"survived: {change}", flush=True)

    def survives(self, change: str, items: list[pytest.Item]) -> int:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        set_mutant_under_test(change)
        for cache in self.caches:  # what they remember was computed without the change
            cache.cache_clear()
        try:
            for item in items:
                self.run(item)
                if self.failed:
                    os.write(self.failures, f"{change.partition('__mutmut_')[0]} {item.nodeid}\n".encode())
                    return 1
        except BaseException:
            return 1
        return 0

    def run(self, item: pytest.Item) -> None:
        item._initrequest()  # type: ignore[attr-defined]  # it may have been run before
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)


if __name__ == "__main__":
    workers, *arguments = sys.argv[1:]
    sys.path.insert(0, "src")
    sys.exit(pytest.main(["-s", "--tb=native", *arguments], plugins=[Loop(int(workers))]))
