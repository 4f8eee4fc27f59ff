"""The C of bench/c, compiled when a benchmark runs and called through ctypes.

    library = compiled("gpt_loops", POSITIONS=7)     # gcc -O3 -march=native, in a folder of its own

It is compiled for the machine that it runs on, so nothing of it is kept.  Without a C compiler
`missing()` says so, and the rows that need one say the same.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["FLAGS", "compiled", "compiler", "missing", "version"]

SOURCES = Path(__file__).parent / "c"
# errno and traps stop gcc from using the machine's own root and selection; no result depends on them
FLAGS = ("-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-std=gnu11")


def compiler() -> str | None:
    return shutil.which(os.environ.get("CC", "gcc")) or shutil.which("cc")


def missing() -> str:
    """Why the rows in C cannot be run; empty if they can."""
    return "" if compiler() else "no C compiler: apt-get install gcc"


@cache
def version() -> str:
    done = subprocess.run([compiler() or "cc", "-dumpfullversion"], capture_output=True, encoding="utf-8")
    return done.stdout.strip()


@cache
def compiled(name: str, *more: str, **constants: int) -> ctypes.CDLL:
    """bench/c/NAME.c as a library, with these constants and further flags."""
    found = compiler()
    if found is None:
        raise SystemExit(missing())
    given = [f"-D{key}={number}" for key, number in constants.items()]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / f"{name}.so"
        words = [
            found,
            *FLAGS,
            *more,
            *given,
            "-shared",
            "-fPIC",
            str(SOURCES / f"{name}.c"),
            "-o",
            str(made),
            "-lm",
        ]
        done = subprocess.run(words, capture_output=True, encoding="utf-8")
        if done.returncode:
            raise SystemExit(f"{name}.c does not compile:\n{done.stderr[-2000:]}")
        return ctypes.CDLL(str(made))  # it stays loaded when its file is gone
