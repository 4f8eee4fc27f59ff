"""The tests that `make quick` runs: those of the core, and of the packages that were changed.

    python tests/tools/quick.py [BASE]      files and folders of tests, for pytest

A package was changed if a file of it, or of its tests, differs from BASE (main, if none is named), is not
committed or is not known to git.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CORE = (
    "tests/minigrad/test_scalar*.py",
    "tests/minigrad/test_functional.py",
    "tests/minigrad/test_ops.py",
    "tests/minigrad/test_random_graphs.py",
    "tests/minigrad/values",
    "tests/minigrad/graph",
    "tests/minigrad/language",
    "tests/project/test_layers.py",
    "tests/project/test_names.py",
)
# Files that no package owns, and the tests that read them.
ELSEWHERE = {
    ".md": (
        "tests/project/test_docs.py",
        "tests/project/test_architecture.py",
        "tests/project/test_contributing.py",
    ),
    "tests/mutation/": ("tests/project/test_mutation_survivors.py",),
    "bench/": ("tests/project/test_bench.py",),
    "Makefile": ("tests/project/test_whole_suite.py",),
}


def changed(base: str) -> list[str]:
    """The paths that differ from a commit, with those that git does not know yet."""

    def git(*words: str) -> list[str]:
        run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
        if run.returncode != 0:
            raise SystemExit(f"make quick: git {' '.join(words)}: {run.stderr.strip()}")
        return run.stdout.splitlines()

    names = ("diff", "--name-only", "--no-renames")
    committed = git(*names, f"{base}...HEAD")
    return sorted({*committed, *git(*names, "HEAD"), *git("ls-files", "-o", "--exclude-standard")})


def select_tests(paths: Iterable[str]) -> list[str]:
    """The files and folders of tests for changes of these paths, none of them inside another."""
    found = {str(path.relative_to(ROOT)) for pattern in CORE for path in ROOT.glob(pattern)}
    for path in paths:
        parts = Path(path).parts
        if parts[:2] in (("src", "minigrad"), ("tests", "minigrad")):
            found |= {str(test.relative_to(ROOT)) for test in _tests_of_part(parts[2], len(parts) > 3)}
        elif parts[:2] == ("tests", "project") and path.endswith(".py") and (ROOT / path).is_file():
            found.add(path if parts[-1].startswith("test_") else str(Path(*parts[:-1])))
        for what, tests in ELSEWHERE.items():
            if path.startswith(what) or path.endswith(what):
                found |= {*tests}
    return sorted(path for path in found if not any(str(above) in found for above in Path(path).parents))


def _tests_of_part(name: str, is_package: bool) -> list[Path]:
    """The folder of tests of a package; of a module at the top, such as ops.py, all files about it."""
    if is_package:
        return [*(ROOT / "tests" / "minigrad").glob(name)]
    stem = Path(name).stem.removeprefix("test_")
    return [*(ROOT / "tests" / "minigrad").glob(f"test_{stem}*.py")]


if __name__ == "__main__":
    print(*select_tests(changed(sys.argv[1] if sys.argv[1:] else "main")), sep="\n")
