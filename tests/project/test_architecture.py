"""The page about the house names what is there: every file it speaks of exists, and every room is on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from source_trees import ROOT

HOUSE = ROOT / "src" / "minigrad"
PAGES = [ROOT / "docs" / language / "architecture.md" for language in ("en", "es")]
OWN = {"__init__.py", "__main__.py", "py.typed", "__pycache__"}


def named(text: str) -> set[str]:
    """Files and folders in code spans: `page.py`, `compile/passes/`, `word_reader.c`."""
    spans = re.findall(r"`([\w./]+)`", text)
    return {span for span in spans if span.endswith("/") or Path(span).suffix in (".py", ".c", ".h", ".js")}


def missing(text: str) -> list[str]:
    """What a page speaks of, and what no folder of the house ends with."""
    there = [f"/{path.relative_to(ROOT).as_posix()}{'/' * path.is_dir()}" for path in HOUSE.rglob("*")]
    there += [f"/{path.relative_to(ROOT).as_posix()}" for path in ROOT.glob("[te]*s/*.py")]  # tests, examples
    return sorted(name for name in named(text) if not any(path.endswith(f"/{name}") for path in there))


def unmentioned(text: str) -> list[str]:
    """Rooms of the house that a page passes over."""
    rooms = {f"{path.name}{'/' * path.is_dir()}" for path in HOUSE.iterdir() if path.name not in OWN}
    return sorted(rooms - named(text))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_the_house_is_as_its_page_says(page):
    text = page.read_text(encoding="utf-8")
    assert len(named(text)) > 50
    assert missing(text) == []
    assert unmentioned(text) == []


def test_a_file_that_is_gone_and_a_room_that_is_new_are_seen():
    text = PAGES[0].read_text(encoding="utf-8")
    assert missing(text + "\n`compile/nowhere.py`, `attic/`") == ["attic/", "compile/nowhere.py"]
    assert unmentioned(text.replace("`numerals.py`", "numerals")) == ["numerals.py"]
