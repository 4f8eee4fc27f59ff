"""Files on disk: written whole or not at all; JSON with one row per line, for people to compare."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from errno import EACCES, EINVAL, EISDIR
from json import dumps
from pathlib import Path
from typing import TypeAlias

__all__ = ["JSON", "clear_leftovers", "rehearse", "rows_json", "write_whole"]

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"


def write_whole(path: Path, content: str | bytes, *, durable: bool = False) -> None:
    """Write beside the file and rename, so that a failure leaves an old file as it was.

    The name beside it cannot be foreseen: in a folder that others write to, somebody could be there first.
    A link is followed, the mode of an old file is kept, and what is no file (a device, a pipe) is
    written to as it is.  What is durable has reached the disk, with its name, before this returns; and
    what a writer of the same file left when it was killed is cleared away.
    """
    octets = content if isinstance(content, bytes) else content.encode()
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        path.write_bytes(octets)
        return
    _allowed(path)
    if durable:
        clear_leftovers(path)
    try:
        _put(path, octets, durable)
    except FileNotFoundError:
        if not (durable and path.parent.is_dir()):
            raise
        _put(path, octets, durable)  # in the moment before its lock, the part was taken for a leftover


def rehearse(path: Path, content: str | bytes) -> None:
    """Do all that writing this content whole would do, but for the last: no file is there afterwards."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        kind = IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
        raise kind if path.is_dir() else OSError(EINVAL, os.strerror(EINVAL), str(path))
    _allowed(path)
    clear_leftovers(path)
    _put(path, content if isinstance(content, bytes) else content.encode(), durable=True, keep=False)


def _allowed(path: Path) -> None:
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(path))


def _put(path: Path, octets: bytes, durable: bool, keep: bool = True) -> None:
    stem = _stem(path) if durable else ".minigrad-"
    beside = path.with_name(f"{stem}{os.urandom(8).hex()}.part") if path.name else path
    try:
        with beside.open("xb") as file:
            if durable:
                _hold(file.fileno())
            file.write(octets)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        if not keep:
            beside.unlink()
            return
        beside.replace(path)
        if durable:
            _remember(path.parent)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # the one that was asked for
        raise


def clear_leftovers(path: Path) -> None:
    """Remove what durable writers of this file left beside it when they were killed.

    A writer that still lives holds a lock on its part, which ends with it however it ends.
    """
    path = Path(os.path.realpath(path))
    with suppress(OSError):
        for entry in os.scandir(path.parent):
            if not (entry.name.startswith(_stem(path)) and entry.name.endswith(".part")):
                continue
            with suppress(OSError):  # somebody else's, or gone by now
                part = os.open(entry.path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
                try:
                    if _hold(part):
                        os.unlink(entry.path)
                finally:
                    os.close(part)


def _stem(path: Path) -> str:
    """How the names of the parts of one file begin; its own name could be too long for more."""
    from hashlib import blake2b

    return f".minigrad-{blake2b(os.fsencode(path.name), digest_size=8).hexdigest()}-"


def _hold(file: int) -> bool:
    """Lock a file as long as it is open; False if another process has it, or where locks are unknown."""
    try:
        from fcntl import LOCK_EX, LOCK_NB, flock
    except ImportError:  # Windows
        return False
    try:
        flock(file, LOCK_EX | LOCK_NB)
    except OSError:
        return False
    return True


def _remember(folder: Path) -> None:
    """Let a new name reach the disk; where a folder cannot be opened, its system does so by itself."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def rows_json(document: Mapping[str, object]) -> str:
    """A document with one line per entry of its lists and dicts; strict JSON, always the same bytes."""
    parts = [f"{dumps(key)}: {_block(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _block(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(map(_line, value)) + "\n]"
    if isinstance(value, dict) and value:
        return "{\n  " + ",\n  ".join(f"{dumps(key)}: {_line(row)}" for key, row in value.items()) + "\n}"
    return _line(value)


def _line(value: object) -> str:
    return dumps(value, ensure_ascii=True, allow_nan=False)
