"""Plugin for pytest, the doctor inside somebody's test suite: `pytest --minigrad-doctor=engine.py`.

It adds one test per path; a wrong engine fails it, and the report is what the failure shows.  A limit is
no failure.  Several paths are separated by commas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..text.translation import say

if TYPE_CHECKING:
    from os import PathLike

    import pytest
    from _pytest._code.code import TerminalRepr, TracebackStyle

__all__ = ["pytest_addoption", "pytest_collection_modifyitems"]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("minigrad")
    group.addoption("--minigrad-doctor", metavar="PATH[:Class]", default="", help=say("doctor.plugin"))


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
