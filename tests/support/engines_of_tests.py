"""Tests that need not be run on both engines: folders of them, and two marks for single files.

`make test` runs every test on the compiled engine, and all but those marked `one_engine` on the plain one
too.  A test below a folder of ONE_ENGINE is marked so by its place, unless its file says
`pytestmark = pytest.mark.both_engines`; elsewhere a file says `pytestmark = pytest.mark.one_engine`.
(With the plain engine, NumPy runs compiled programs.)
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from source_trees import ROOT

__all__ = ["ONE_ENGINE", "is_for_one_engine", "pytest_collection_modifyitems"]

TESTS = ROOT / "tests"
ONE_ENGINE = {
    "fuzz": "reads documents, and loads both engines to compare them",
    "minigrad/_native": "loads both engines to compare them",
    "minigrad/cli/commands": "what a command prints of other packages",
    "minigrad/compiler/export": "text that is written from a program, once it is traced",
    "minigrad/compiler/passes": "programs in, programs out, once they are traced",
    "minigrad/doctor": "examines other programs in child processes",
    "minigrad/drawing": "pictures of graphs",
    "minigrad/faults": "passes over graphs",
    "minigrad/learn": "lessons and questions about graphs",
    "minigrad/player": "pages about graphs",
    "minigrad/studio": "pages about graphs",
    "minigrad/text": "sentences",
    "minigrad/training": "runs whose steps are those of nn",
    "minigrad/verify/witnesses": "witnesses of graphs",
    "project": "packages, docs and the source as text",
}

BOTH_ENGINES = {"project/test_wheel.py"}  # also run by itself, beside a wheel, where our marks are unknown


def is_for_one_engine(path: Path, marks: Iterable[str] = ()) -> bool:
    """Whether a test of a file below tests/ needs to be run on one engine only."""
    marks = set(marks)
    if "both_engines" in marks or path in {TESTS / name for name in BOTH_ENGINES}:
        return False
    return "one_engine" in marks or any(path.is_relative_to(TESTS / folder) for folder in ONE_ENGINE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_for_one_engine(item.path, [mark.name for mark in item.iter_markers()]):
            item.add_marker("one_engine")
