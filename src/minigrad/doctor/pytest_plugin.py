"""Plugin for pytest, the doctor inside somebody's test suite.

    pytest --minigrad-doctor=engine.py
    pytest --minigrad-rules

The first adds one test per path; a wrong engine fails it, and the report is what the failure shows.  A limit
is no failure.  Several paths are separated by commas.  The second records the custom backward rules that the
tests call, and examines each of them at the end: a wrong one makes the exit status 1; with pytest-xdist each
worker does so for its own tests.  Ctrl-C ends the tests, and then the examination; what was examined is told.
Without these options nothing is imported.
"""

from __future__ import annotations

import json
import os
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from ..text.translation import say

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike

    import pytest
    from _pytest._code.code import TerminalRepr, TracebackStyle

    from .rules.call_record import CallRecord
    from .rules.rule_reports import RuleReports

__all__ = [
    "pytest_addoption",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_unconfigure",
]

KEY = "minigrad_rules"  # of what a worker sends
INTERRUPTED = 2  # the exit status of pytest after Ctrl-C


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("minigrad")
    group.addoption("--minigrad-doctor", metavar="PATH[:Class]", default="", help=say("doctor.plugin"))
    group.addoption("--minigrad-rules", action="store_true", default=False, help=say("rules.plugin"))


def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    paths = [path for path in config.getoption("--minigrad-doctor").split(",") if path]
    items += [_item_class(path).from_parent(session, name=f"minigrad-doctor::{path}") for path in paths]


def _item_class(given: str) -> type[pytest.Item]:
    """The test of one path."""
    import pytest

    class WrongEngineError(Exception):
        """The engine is wrong, or could not be examined; the text is the report."""

    class DoctorItem(pytest.Item):
        def runtest(self) -> None:
            from .engine.examination import examine
            from .engine.source import SubjectError
            from .verdict import NOT_EXAMINED, WRONG

            try:
                beside = self.config.invocation_params.dir / given
                there = beside.parent.joinpath(beside.name.partition(":")[0]).exists()
                report = examine(str(beside) if there else given)  # else it is a module
            except SubjectError as error:
                raise WrongEngineError(str(error)) from None
            if report.verdict in (WRONG, NOT_EXAMINED):
                raise WrongEngineError(report.text())

        def repr_failure(
            self, excinfo: pytest.ExceptionInfo[BaseException], style: TracebackStyle | None = None
        ) -> str | TerminalRepr:
            if excinfo.errisinstance(WrongEngineError):
                return str(excinfo.value)
            return super().repr_failure(excinfo, style)

        def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
            return self.path, None, self.name

    return DoctorItem


# ---- the rules that the tests call --------------------------------------------------------------


class _RuleSession:
    """The record of one run of pytest, from before the tests are collected; or the reports of its workers."""

    def __init__(self, seen: CallRecord | None, end: Callable[[], None]) -> None:
        self.seen, self.end = seen, end
        self.reports: RuleReports | None = None

    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """A worker of pytest-xdist has ended, and sent its reports."""
        from .rules.by_name import reports_from

        sent = getattr(node, "workeroutput", {}).get(KEY)
        found = reports_from(json.loads(sent)) if isinstance(sent, str) else None
        if found is not None:
            self.reports = found if self.reports is None else self.reports.joined(found)


def _session(config: pytest.Config) -> _RuleSession | None:
    found: Any = getattr(config, "_minigrad_rules", None)
    return found if isinstance(found, _RuleSession) else None


def _has_workers(config: pytest.Config) -> bool:
    """Do other processes run the tests?"""
    return bool(getattr(config.option, "numprocesses", None) or getattr(config.option, "tx", None))


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--minigrad-rules"):
        return
    if _has_workers(config) and not hasattr(config, "workerinput"):
        run = _RuleSession(None, lambda: None)
        config.pluginmanager.register(run, "minigrad-rules-of-workers")
    else:
        from .rules.call_record import CallRecord, begin_recording

        seen = CallRecord()
        run = _RuleSession(seen, begin_recording(seen))
    config._minigrad_rules = run  # type: ignore[attr-defined]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Examine what was seen; pytest prints the summary afterwards."""
    run = _session(session.config)
    if run is None:
        return
    run.end()
    if run.seen is not None:
        from .rules.rule_reports import InterruptedReportsError

        with open(os.devnull, "w", encoding="utf-8") as nothing, redirect_stdout(nothing):
            try:
                run.reports = run.seen.examine(watch=_progress(session.config))
            except InterruptedReportsError as interrupted:
                run.reports = interrupted.reports
                session.exitstatus = INTERRUPTED
    output = getattr(session.config, "workeroutput", None)
    if output is not None and run.reports is not None:
        output[KEY] = json.dumps(run.reports.to_json())
    elif run.reports is not None and run.reports.verdict == "wrong" and int(session.exitstatus) == 0:
        session.exitstatus = 1


def _progress(config: pytest.Config) -> Callable[[int, int, str], None] | None:
    """A line for each rule on a terminal: the examination may take longer than the tests did."""
    reporter: Any = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not reporter.isatty:
        return None
    from ..text.escape import printable
    from ..text.translation import say

    def show(number: int, of: int, name: str) -> None:
        reporter.rewrite(say("rules.progress", number=number, of=of, name=printable(name)[:50]), erase=True)

    reporter.ensure_newline()
    return show


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    run = _session(config)
    if run is None or run.reports is None:
        return
    from ..text.page import Page

    for title, lines in run.reports.summary(Page()):
        terminalreporter.section(title)
        for line in lines:
            terminalreporter.write_line(line.removeprefix("  "))
    for rule in run.reports.rules:
        if rule.report.overall == "wrong":
            terminalreporter.section(f"{rule.report.name}  {rule.place}")
            terminalreporter.write(rule.report.text())


def pytest_unconfigure(config: pytest.Config) -> None:
    run = _session(config)
    if run is not None:
        run.end()
