"""Runs `python -m minigrad ...` and `python -c ...` without starting Python each time: a process that has
imported what they begin with makes a copy of itself for each, which sees nothing of the others.

What is run together shares a copy, and what is found out about an engine, a rule, a suite or a fault is
found out once in it: a page and its translation tell the same examination in two languages.
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import signal
import sys
import threading
import traceback
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from subprocess import PIPE, Popen
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, NamedTuple

__all__ = ["Ran", "run"]

# What takes seconds, and says nothing before somebody asks it in a language.
FOUND_OUT = (
    ("minigrad.doctor", "examine"),
    ("minigrad.doctor.rules", "examine_program"),
    ("minigrad.doctor.rules", "examine_rules"),
    ("minigrad.doctor.suites.mutation", "mutate"),
    ("minigrad.training.duel", "duel"),
)
PACKAGES = (
    "cli",
    "explanation",
    "drawing",
    "faults.overview",
    "verify",
    "training",
    "doctor",
    "learn.course",
)
LONGEST = 300  # seconds; then it is ended, and that is what came of it


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def run(group: Sequence[Sequence[str]], folder: str | Path, environment: Mapping[str, str]) -> list[Ran]:
    """What comes of ("-m", "minigrad", ...) or ("-c", text), of one after the other."""
    wanted = {"group": [list(words) for words in group], "folder": str(folder)}
    server = _server(group[0][0])
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(json.dumps(wanted | {"environment": dict(environment)}) + "\n")
    server.stdin.flush()
    return [Ran(*each) for each in json.loads(server.stdout.readline())]


@cache
def _server(kind: str) -> Popen[str]:
    """A program must not find more of minigrad loaded than it loads, so those have a process of their own."""
    server = Popen([sys.executable, __file__, kind], stdin=PIPE, stdout=PIPE, encoding="utf-8")
    atexit.register(server.communicate)  # which closes its input, and that ends it
    return server


# ---- the process that is copied -----------------------------------------------------------------


def serve(kind: str) -> None:
    for name in [f"minigrad.{package}" for package in PACKAGES] if kind == "-m" else ["minigrad", "numpy"]:
        import_module(name)
    for line in sys.stdin:
        wanted = json.loads(line)
        if any("torch" in word for words in wanted["group"] for word in words):
            import_module("torch")
        folder = Path(mkdtemp())  # a TemporaryDirectory would be removed by the copy as well
        copy = os.fork()
        if not copy:
            _work(wanted, folder)
        _, status = os.waitpid(copy, 0)
        found = [_read(folder, i, status) for i in range(len(wanted["group"]))]
        rmtree(folder)
        print(json.dumps(found), flush=True)


def _read(folder: Path, i: int, status: int) -> Ran:
    code, out, err = (folder / f"{i}.{what}" for what in ("code", "out", "err"))
    if not code.exists():
        why = err.read_text(encoding="utf-8") if err.exists() else ""
        return Ran(-1, "", f"{why}its process ended with {status}")
    return Ran(int(code.read_text()), out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))


def _work(wanted: dict[str, Any], folder: Path) -> None:
    """In the copy, which ends here."""
    try:
        signal.alarm(LONGEST)
        os.environ.update(wanted["environment"])
        os.chdir(wanted["folder"])
        if len(wanted["group"]) > 1:
            _find_out_once()
        for i, words in enumerate(wanted["group"]):
            for file, number, mode in (
                (os.devnull, 0, os.O_RDONLY),
                (folder / f"{i}.out", 1, os.O_WRONLY | os.O_CREAT),
                (folder / f"{i}.err", 2, os.O_WRONLY | os.O_CREAT),
            ):
                os.dup2(os.open(file, mode), number)
            sys.stdin = open(0, closefd=False)  # noqa: SIM115 it stays open
            code = _ended(words)
            sys.stdout.flush()
            sys.stderr.flush()
            (folder / f"{i}.code").write_text(str(code))
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(0)


def _ended(words: Sequence[str]) -> int:
    """Run it as Python would; its exit code."""
    kind, text, *others = words
    sys.path[0] = "" if kind == "-c" else os.getcwd()
    sys.argv = ["-c", *others]
    try:
        if kind == "-m":
            sys.argv[0] = text
            runpy.run_module(text, run_name="__main__", alter_sys=True)
        else:
            sys.modules["__main__"] = main = ModuleType("__main__")
            exec(compile(text, "<string>", "exec"), vars(main))
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def _find_out_once() -> None:
    for place, name in FOUND_OUT:
        module = import_module(place)
        function = getattr(module, name)
        for known in (module, sys.modules[function.__module__]):  # by whichever name a command imports it
            setattr(known, name, _once(function))


def _once(function: Any) -> Any:
    known: dict[str, Any] = {}

    def found(*given: Any, **named: Any) -> Any:
        told = {name: each for name, each in named.items() if not callable(each)}  # of how far it is
        key = repr((given, told))
        if key not in known:
            known[key] = function(*given, **named)
        return known[key]

    return found


if __name__ == "__main__":
    serve(sys.argv[1])
