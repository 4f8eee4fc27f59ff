"""Where MINIGRAD_WHOLE is set, as in CI, a test that is skipped or expected to fail has failed."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

__all__ = ["pytest_make_collect_report", "pytest_runtest_makereport"]

Report = pytest.TestReport | pytest.CollectReport


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Generator[None, Report, Report]:
    return counted((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, Report, Report]:
    return counted((yield))


def counted(report: Report) -> Report:
    if report.outcome == "skipped" and "MINIGRAD_WHOLE" in os.environ:
        report.outcome = "failed"
        report.longrepr = f"nothing may be left out here: {report.longrepr}"
    return report
