"""A project copied aside, and a command run in the copy with a time limit.

Nothing is ever written into the project itself.  The copies have no version history, no environments
and no caches; a command runs in a process group of its own, which is ended as a whole.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...text.numerals import counted
from ...text.translation import say

__all__ = ["CommandRun", "Copied", "MutationError", "copied", "measured", "project_of", "run_in", "words_of"]

MOST_FILES = 20_000
LARGEST = 200_000_000  # bytes
KEPT = 4000  # characters of what a command printed last
_LEFT_OUT = {
    ".git", ".hg", ".svn", "venv", ".venv", "env", ".env", "node_modules", "__pycache__", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".tox", ".nox", ".idea", ".vscode", ".ipynb_checkpoints", "site-packages",
}  # fmt: skip
_ROOTS = ("pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", ".git", "tests", "test")


class MutationError(ValueError):
    """The tests cannot be tried; the message says why, and what to do."""


@dataclass(frozen=True)
class Copied:
    """What was copied."""

    folder: Path  # the original
    files: int
    size: int  # bytes


@dataclass(frozen=True)
class CommandRun:
    code: int | None  # None: it ran out of time
    output: str  # the end of what it printed
    seconds: float


def project_of(path: Path) -> Path:
    """The folder that is tested with a file: the nearest above it that looks like a project."""
    for folder in path.resolve().parents:
        if any((folder / name).exists() for name in _ROOTS) and len(folder.parts) > 2:
            return folder
    return path.resolve().parent


def measured(folder: Path) -> Copied:
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
    return Copied(folder, files, size)


def copied(folder: Path, into: Path) -> Path:
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


def run_in(
    folder: Path, words: Sequence[str], search: Sequence[str], seconds: float, more: Mapping[str, str]
) -> CommandRun:
    """Run a command in a folder; its modules are looked for there first, installed ones or not."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", **more}
    older = os.environ.get("PYTHONPATH", "")
    environment["PYTHONPATH"] = os.pathsep.join([*search, *([older] if older else [])])
    begun = time.monotonic()
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            list(words),
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            code: int | None = process.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            _end(process)
        printed.seek(max(0, printed.seek(0, os.SEEK_END) - KEPT))
        output = printed.read().decode("utf-8", errors="replace")
    return CommandRun(code, output, time.monotonic() - begun)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the whole group, also what the command left running."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        process.kill()
    process.wait(timeout=10.0)
