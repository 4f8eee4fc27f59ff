"""The examination of a function by its name: its module is imported in a child process, never here."""

from __future__ import annotations

import sys
from pathlib import Path

from ..sandbox.process import Ending, Limits, confined
from .report import NOT_EXAMINED, RuleReport, Unseen

__all__ = ["examine_named"]

LIMITS = Limits(
    wall=180.0, cpu=150.0, resident=6 << 30
)  # a library takes seconds to load, and its share of memory
LONGEST = 200  # characters of what the child printed at the end


def examine_named(
    name: str, *, library: str = "torch", folder: str | Path = ".", seed: int = 0, limits: Limits = LIMITS
) -> RuleReport:
    """Examine "module:Function" or "path/to/file.py:Function"; modules are looked for in `folder` too."""
    package = __package__ or ""
    root = Path(__file__).resolve().parents[package.count(".") + 1]
    argv = [sys.executable, "-B", "-P", "-m", f"{package}.child"]
    request = {"name": name, "library": library, "folder": str(Path(folder).resolve()), "seed": seed}
    ending = confined(argv, request, limits, hash_seed=0, path=[str(root)])
    try:
        return RuleReport.from_json(ending.results[-1])
    except (IndexError, KeyError, TypeError, ValueError):
        unseen = (Unseen("ended", _last_words(ending)),)
        return RuleReport(library, name, NOT_EXAMINED, not_examined=unseen)


def _last_words(ending: Ending) -> str:
    lines = [line for line in ending.output.splitlines() if line.strip()]
    return f"{ending.kind}; {lines[-1].strip()[:LONGEST]}" if lines else ending.kind
