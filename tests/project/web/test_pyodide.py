"""The engine of a browser: the plain one, on CPython as WebAssembly, takes the tests that need no library.

pytest itself runs there, in node, over the files of this repository as they are.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browser import lacking, node_modules
from source_trees import ROOT

pytestmark = pytest.mark.slow

TESTS = "tests/minigrad"
FILES = (
    *("test_ops.py", "test_ops_conventions.py", "test_scalar.py", "test_random_graphs.py"),
    *("test_functional_gradcheck.py", "graph/test_paths.py", "graph/test_trace.py"),
    *("language/test_language.py", "language/test_reader_errors.py"),
)
# What there is not in a browser: threads, and the libraries that two of the files ask by the way.
LEAST = 1000  # tests of these files that are run
FEWER = ("--graphs=100", "-k", "not torch and not thread")


def in_pyodide(*words: str, other: Path = ROOT) -> tuple[int, str]:
    """pytest's exit code, and what it printed; `other` is a folder that is there as /other."""
    node = shutil.which("node")
    if node is None:
        lacking("node is missing; on Debian: apt-get install nodejs")
    found = importlib.util.find_spec("pytest")
    assert found is not None
    assert found.origin is not None
    packages = Path(found.origin).parent.parent
    program = ROOT / "tests" / "tools" / "pyodide_pytest.mjs"
    given = {name: each for name, each in os.environ.items() if not name.startswith(("PYTEST", "MINIGRAD"))}
    command = [node, program, ROOT, packages, other, node_modules() / "pyodide", *words]
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, timeout=900, env=given, cwd=ROOT
    )
    return done.returncode, done.stdout + done.stderr


def counted(said: str, what: str) -> int:
    found = re.search(rf"(\d+) {what}", said)
    return int(found[1]) if found else 0


def test_the_plain_engine_passes_its_tests_there():
    code, said = in_pyodide(*(f"{TESTS}/{name}" for name in FILES), *FEWER)
    assert code == 0, said[-3000:]
    assert counted(said, "passed") >= LEAST
    assert not counted(said, "skipped")


def test_a_test_that_fails_there_is_seen(tmp_path):
    """On that Python, and on no other."""
    (tmp_path / "test_planted.py").write_text(
        "import sys\nfrom minigrad import ENGINE, Value\n\n"
        "def test_where_this_is():\n    assert (sys.platform, ENGINE) == ('emscripten', 'plain')\n"
        "def test_of_something_wrong():\n    assert (Value(2.0) * 3.0).data == 7.0\n"
    )
    code, said = in_pyodide(
        "-c", "pyproject.toml", "--rootdir=/other", "/other/test_planted.py", other=tmp_path
    )
    assert (code, counted(said, "passed"), counted(said, "failed")) == (1, 1, 1), said[-3000:]
