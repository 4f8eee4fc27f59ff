"""Copies of a project, and the command that tests one.

Nothing is ever written into the project itself.  The copies have no version history, no environments
and no caches.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from ...errors import MinigradError
from ...text.numerals import counted
from ...text.translation import say

__all__ = ["CopySize", "MutationError", "copy_project", "measure_project", "project_of", "words_of"]

MOST_FILES = 20_000
LARGEST = 200_000_000  # bytes
_LEFT_OUT = {
    ".git", ".hg", ".svn", "venv", ".venv", "env", ".env", "node_modules", "__pycache__", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".tox", ".nox", ".idea", ".vscode", ".ipynb_checkpoints", "site-packages",
}  # fmt: skip
_ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".git", "tests", "test")


class MutationError(MinigradError, ValueError):
    """The tests cannot be tried; the message says why, and what to do."""


@dataclass(frozen=True)
class CopySize:
    """How much there is to copy."""

    folder: Path  # the original
    files: int
    size: int  # bytes


def project_of(path: Path) -> Path:
    """The folder that is tested with a file: the nearest above it that looks like a project."""
    for folder in path.resolve().parents:
        if any((folder / name).exists() for name in _ROOTS) and len(folder.parts) > 2:
            return folder
    return path.resolve().parent


def measure_project(folder: Path) -> CopySize:
    """How much there is to copy; MutationError where it is too much."""
    files = size = 0
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        for name in names:
            files += 1
            size += os.lstat(os.path.join(here, name)).st_size
        if files > MOST_FILES or size > LARGEST:
            raise MutationError(
                say(
                    "mutation.too_large",
                    folder=folder,
                    files=counted(MOST_FILES),
                    size=counted(LARGEST // 10**6),
                )
            )
    return CopySize(folder, files, size)


def copy_project(folder: Path, into: Path) -> Path:
    """A copy of a project, without what is not its own."""
    target = into / folder.name
    shutil.copytree(
        folder, target, symlinks=True, ignore=lambda _here, names: [n for n in names if n in _LEFT_OUT]
    )
    return target


def words_of(command: str) -> list[str]:
    """The command as words; pytest and python are those of this Python where there are no others."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise MutationError(say("mutation.no_tests"))
    if words[0] == "pytest":
        words[:1] = [sys.executable, "-m", "pytest"]
    elif words[0] in ("python", "python3"):
        words[0] = sys.executable
    if shutil.which(words[0]) is None and not Path(words[0]).exists():
        raise MutationError(say("mutation.no_command", given=words[0]))
    return words
