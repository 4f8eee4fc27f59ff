"""The lines that each test runs, and its seconds: a plugin of pytest, used by `sample.py`.

    pytest -p reach tests/minigrad/nn

Writes reach.json: the tests by number with their seconds, and for each file below src/minigrad/PACKAGE
(MINIGRAD_REACH is the package) the numbers of the tests that run each line.  Tests in a browser are left out:
they take too long to be run for each change.  What child processes run is not seen.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from time import perf_counter

import pytest
from coverage import Coverage

SLOW_FIXTURES = {"visit", "chromium"}


class _Measure:
    def __init__(self, package: str) -> None:
        self.coverage = Coverage(data_file=None, source=[str(Path("src/minigrad", package).resolve())])
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.coverage.start()

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        left_out = [item for item in items if SLOW_FIXTURES & {*getattr(item, "fixturenames", ())}]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        self.coverage.switch_context(item.nodeid)
        started = perf_counter()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = perf_counter() - started
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        tests = [name for name in self.seconds if name not in self.failed]
        number = {name: i for i, name in enumerate(tests)}
        lines: dict[str, dict[int, list[int]]] = defaultdict(dict)
        data = self.coverage.get_data()
        for file in data.measured_files():
            short = Path(file).relative_to(Path("src/minigrad").resolve()).as_posix()
            for line, names in data.contexts_by_lineno(file).items():
                if found := sorted(number[name] for name in names if name in number):
                    lines[short][line] = found
        found_all = {"tests": [[name, round(self.seconds[name], 4)] for name in tests], "lines": lines}
        Path("reach.json").write_text(json.dumps(found_all))


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Measure(os.environ["MINIGRAD_REACH"]))
