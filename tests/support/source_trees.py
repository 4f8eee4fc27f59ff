"""The source of the package, parsed once for all tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

__all__ = ["DATA", "PACKAGE", "ROOT", "sources"]

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"  # engines, hostile programs, notebooks and suites to examine
PACKAGE = ROOT / "src" / "minigrad"


@cache
def sources() -> dict[Path, ast.Module]:
    """Every file in Python of the package, as a tree that nobody changes."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
