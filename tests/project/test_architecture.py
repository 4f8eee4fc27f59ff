"""architecture.md names what is there: every file it mentions exists, and every package is in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from source_trees import PACKAGE, ROOT

PAGES = [ROOT / "docs" / language / "architecture.md" for language in ("en", "es")]
OWN = {"__init__.py", "__init__.pyi", "__main__.py", "py.typed", "__pycache__"}


def named(text: str) -> set[str]:
    """Files and folders in code spans: `page.py`, `compiler/passes/`, `slabs.c`."""
    spans = re.findall(r"`([\w./]+)`", text)
    return {span for span in spans if span.endswith("/") or Path(span).suffix in (".py", ".c", ".h", ".js")}


def missing(text: str) -> list[str]:
    """What a page mentions, and no path in the repository ends with."""
    there = [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for path in PACKAGE.rglob("*")]
    for pattern in ("tests/**/*.py", "tests/**/*.toml", "examples/*.py", "web/**/*.js"):
        there += [f"/{path.relative_to(ROOT).as_posix()}" for path in ROOT.glob(pattern)]
    return sorted(name for name in named(text) if not any(path.endswith(f"/{name}") for path in there))


def unmentioned(text: str) -> list[str]:
    """Modules and packages at the top of minigrad that a page passes over."""
    tops = {f"{path.name}{'/' * path.is_dir()}" for path in PACKAGE.iterdir() if path.name not in OWN}
    return sorted(tops - named(text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_package_is_as_the_page_says(page):
    text = page.read_text(encoding="utf-8")
    assert len(named(text)) > 50
    assert missing(text) == []
    assert unmentioned(text) == []


def test_a_file_that_is_gone_and_a_package_that_is_new_are_seen():
    text = PAGES[0].read_text(encoding="utf-8")
    assert missing(text + "\n`compiler/nowhere.py`, `attic/`") == ["attic/", "compiler/nowhere.py"]
    assert unmentioned(text.replace("`functional.py`", "functional")) == ["functional.py"]
