"""What goes to disk: JSON with one row per line, for people to compare; files whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from errno import EACCES
from json import dumps
from pathlib import Path
from typing import Any

__all__ = ["rows_json", "write_whole"]


def write_whole(path: Path, content: str | bytes) -> None:
    """Write beside the file and rename, so that a failure leaves an old file as it was.

    The name beside it cannot be foreseen: in a folder that others write to, somebody could be there first.
    A link is followed, the mode of an old file is kept, and what is no file (a device, a pipe) is
    written to as it is.
    """
    octets = content if isinstance(content, bytes) else content.encode()
    path = Path(os.path.realpath(path))
    beside = path.with_name(f".minigrad-{os.urandom(8).hex()}.part") if path.name else path
    if path.exists() and not path.is_file():
        path.write_bytes(octets)
        return
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(EACCES, os.strerror(EACCES))
    try:
        with beside.open("xb") as file:
            file.write(octets)
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        beside.replace(path)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        if isinstance(error, OSError):
            error.filename, error.filename2 = str(path), None  # the one that was asked for
        raise


def rows_json(document: dict[str, Any]) -> str:
    """A document with one line per entry of its lists and dicts; strict JSON, always the same bytes."""
    parts = [f"{dumps(key)}: {_block(value)}" for key, value in document.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _block(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n  " + ",\n  ".join(map(_line, value)) + "\n]"
    if isinstance(value, dict) and value:
        return "{\n  " + ",\n  ".join(f"{dumps(key)}: {_line(row)}" for key, row in value.items()) + "\n}"
    return _line(value)


def _line(value: Any) -> str:
    return dumps(value, ensure_ascii=True, allow_nan=False)
