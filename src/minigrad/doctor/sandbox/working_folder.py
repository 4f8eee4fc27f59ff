"""Working folder of a fenced program: how much is in it, and how it is removed, whatever was made of it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import uuid

__all__ = ["occupied_bytes", "remove"]

ENTRY = 4096  # bytes that a file or folder takes at least, so that a million empty ones are noticed


def occupied_bytes(folder: str, enough: int) -> int:
    """Bytes on the disk below a folder; it stops counting when it has found more than enough."""
    found, waiting = 0, [folder]
    while waiting and found <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    with contextlib.suppress(FileNotFoundError):
                        found += max(_size(entry), ENTRY)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    if found > enough:
                        break
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:  # nobody nests folders that deep by mistake
                return enough + 1
    return found


def _size(entry: os.DirEntry[str]) -> int:
    """What it takes and not how long it is: a file with holes can be long and small."""
    status = entry.stat(follow_symlinks=False)
    blocks: int | None = getattr(status, "st_blocks", None)
    return status.st_size if blocks is None else blocks * 512


def remove(folder: str) -> None:
    """Remove a folder, however deep it is and whatever its permissions are; links are not followed.

    What is in a subfolder is lifted to the top before the subfolder goes: a path that is longer than
    the system allows, or than Python can recurse, never has to be walked.
    """
    moved = True
    while moved:
        moved = False
        for path in _subfolders(folder):
            for inner in _subfolders(path):
                with contextlib.suppress(OSError):
                    os.chmod(inner, 0o700)
                    os.rename(inner, os.path.join(folder, uuid.uuid4().hex))
                    moved = True
            if not _subfolders(path):
                shutil.rmtree(path, ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


def _subfolders(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
