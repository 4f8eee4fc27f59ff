"""Runs of a learner's tests with one engine after the other: a program that runs apart.

The request is {"tests": ..., "engines": [...], "seconds": ...}.  There is a message for each engine: {"at",
"count", "failed", "error"}, with the name of the first test that fails.  Standard library only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from functools import partial
from types import ModuleType

from .probe_run import outcome_of

__all__ = ["main"]


def main(request: Mapping[str, object], send: Callable[[object], None]) -> None:
    tests, engines, seconds = str(request["tests"]), request["engines"], float(str(request["seconds"]))
    for at, source in enumerate(engines):  # type: ignore[arg-type, var-annotated]
        send({"at": at, **_tested(source, tests, seconds)})
    os._exit(0)  # whatever was left running


def _call(test: Callable[[], object]) -> list[float]:
    test()
    return []


def _tested(source: str, tests: str, seconds: float) -> dict[str, object]:
    """How many tests there are, and the first that fails with this engine."""
    module = ModuleType("engine")
    sys.modules["engine"] = module
    names: dict[str, object] = {"__name__": "test_engine", "__file__": "test_engine.py"}

    def load() -> list[float]:
        exec(compile(source, "engine.py", "exec"), module.__dict__)
        exec(compile(tests, "test_engine.py", "exec"), names)
        return []

    loaded = outcome_of("", load, seconds)
    if "error" in loaded:
        return {"count": 0, "failed": "import", "error": _words(loaded)}
    found = [name for name, value in names.items() if name.startswith("test") and callable(value)]
    for name in found:
        outcome = outcome_of("", partial(_call, names[name]), seconds)  # type: ignore[arg-type]
        if "error" in outcome:
            return {"count": len(found), "failed": name, "error": _words(outcome)}
    return {"count": len(found), "failed": "", "error": ""}


def _words(outcome: Mapping[str, object]) -> str:
    return f"{outcome['error']}: {outcome['detail']}".rstrip(": ")
