"""A real browser for tests of pages: Debian's chromium, one per file of tests, which reaches nothing outside.

    page = visit(html)                           # a page of text, written to a file and opened
    page = visit("http://127.0.0.1:8000/", width=360, dark=True)

When a test ends, its pages must not have complained: no error and no warning on the console, no exception
that nobody caught, no request to anywhere but the page's own origin.  `axe(page)` asks about accessibility.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn
from urllib.parse import urlsplit

import pytest

from source_trees import ROOT

__all__ = ["Visits", "axe", "chromium", "node_modules", "until", "visit"]

QUIET = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
INSIDE = ("data", "blob", "about")  # schemes that load nothing from anywhere


def lacking(what: str) -> NoReturn:
    """Skip, and say what is missing; under `make test`, which sees to it, that is a failure."""
    (pytest.fail if "MINIGRAD_NODE_MODULES" in os.environ else pytest.skip)(what)


def node_modules() -> Path:
    """Where the checkers of types and of accessibility are; `make test` puts them there."""
    root = ROOT
    named = Path(os.environ.get("MINIGRAD_NODE_MODULES") or root / ".venv" / "node" / "node_modules")
    if not named.is_dir():
        lacking(f"no {named}; `make test` installs typescript and axe-core there")
    return named


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser of one file of tests: while it is there, nobody else can have an event loop here."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        lacking("chromium is missing; on Debian: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


class Visits:
    """The pages that one test has opened, and what they complained about."""

    def __init__(self, browser: Any, folder: Path) -> None:
        self.browser, self.folder = browser, folder
        self.contexts: list[Any] = []
        self.requests: list[str] = []
        self.complaints: list[str] = []

    def __call__(
        self,
        where: str,
        *,
        width: int = 1280,
        height: int = 800,
        dark: bool = False,
        reduced: bool = False,
        **options: Any,
    ) -> Any:
        """Open an address, or a text of HTML."""
        if "<html" in where:
            file = self.folder / f"page-{len(self.contexts)}.html"
            file.write_text(where, encoding="utf-8")
            where = file.as_uri()
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if reduced else "no-preference",
            **options,
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(f"exception: {error}"))
        page.on("request", lambda request: self._request(where, request.url))
        page.goto(where)
        return page

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"console {message.type}: {message.text}")

    def _request(self, home: str, url: str) -> None:
        self.requests.append(url)
        own, asked = urlsplit(home), urlsplit(url)
        if asked.scheme in INSIDE:
            return
        inside = url.partition("#")[0] == home.partition("#")[0] if own.scheme == "file" else True
        if not inside or (own.scheme, own.netloc) != (asked.scheme, asked.netloc):
            self.complaints.append(f"request to {url}")

    def forgive(self) -> None:
        """For a test in which something must be caught; what a page says late goes with the page."""
        self.close()
        self.complaints.clear()

    def close(self) -> None:
        while self.contexts:
            self.contexts.pop().close()


@pytest.fixture
def visit(chromium: Any, tmp_path: Path) -> Iterator[Visits]:
    """Opens pages, and fails the test if one of them complains."""
    visits = Visits(chromium, tmp_path)
    yield visits
    visits.close()
    assert visits.complaints == []


def until(page: Any, expression: str, seconds: float = 10.0) -> None:
    """Wait until an expression holds; a page with a strict policy lets no test evaluate it in the page."""
    start = monotonic()
    while not page.evaluate(expression):
        assert monotonic() < start + seconds, f"still not: {expression}"
        page.wait_for_timeout(20)


def axe(page: Any) -> list[str]:
    """The serious and critical findings of axe-core about a page, as it stands now."""
    source = (node_modules() / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    page.evaluate(f"{source}; 0")  # by the debugger, so that the page's own policy may stay strict
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{finding['id']} ({finding['impact']}): {node['target']} {node['failureSummary']}"
        for finding in found["violations"]
        if finding["impact"] in ("serious", "critical")
        for node in finding["nodes"]
    ]
