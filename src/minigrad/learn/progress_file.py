"""Progress file on the disk: read with distrust, written whole, never replaced by less than it held.

A file that cannot be read as it should be is set aside under another name; what of it could be read goes on
in a new one.  Whoever changes the file holds a lock, reads it again and writes all of it, so that two
sessions at once lose nothing.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import SystemRandom
from re import compile as pattern
from typing import NotRequired, TypedDict, TypeGuard

from ..errors import MinigradError
from ..text.files import rows_json, write_whole
from ..text.strict_json import parse_json
from ..text.translation import say

__all__ = [
    "LARGEST",
    "SCHEMA",
    "AnswerRow",
    "BusyError",
    "PlaceError",
    "ProgressDocument",
    "StepRow",
    "UnitRow",
    "default_path",
    "is_answer",
    "locked",
    "read",
    "set_aside",
    "write",
]

SCHEMA = "minigrad.progress/1"
LARGEST = 32 << 20  # bytes: a hundred thousand answers are half of it
PATIENCE = 5.0  # seconds to wait for another session that writes
LONGEST = 300  # characters of a name or an answer that are kept

_DAY = pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d")
_SLUG = pattern(r"[a-z0-9]+(-[a-z0-9]+)*")


class UnitRow(TypedDict):
    """The row of one unit; moments are texts such as 2026-01-31T12:00:00+01:00."""

    begun: str
    block: int
    on: str
    finished: NotRequired[str]


AnswerRow = TypedDict(  # a call, as `try` cannot be the name of an attribute
    "AnswerRow",
    {
        "question": str,
        "kind": str,
        "unit": NotRequired[str],
        "on": str,
        "try": NotRequired[int],
        "answer": NotRequired[dict[str, str]],
        "right": bool,
        "revealed": NotRequired[bool],
        "fault": NotRequired[str],
        "review": NotRequired[str],
    },
)


class StepRow(TypedDict):
    """The row of one step of the track."""

    on: str
    passed: NotRequired[str]  # when it held for the first time
    predicted: NotRequired[str]
    about: NotRequired[str]  # the mistake that hints were asked about, and how many
    hints: NotRequired[int]


class BusyError(MinigradError):
    """Another session has held the file for longer than anybody should."""


class PlaceError(MinigradError, ValueError):
    """There cannot be a progress file at this place."""


@dataclass
class ProgressDocument:
    """The content of the file; rows that are not ours stay as they are."""

    seed: int = field(default_factory=lambda: SystemRandom().randrange(1, 1_000_000))
    units: dict[str, UnitRow] = field(default_factory=dict)
    answers: list[AnswerRow] = field(default_factory=list)
    steps: dict[str, StepRow] = field(default_factory=dict)  # of the track
    others: dict[str, object] = field(default_factory=dict)

    def text(self) -> str:
        rows = {"seed": self.seed, "units": self.units, "answers": self.answers}
        steps = {"steps": self.steps} if self.steps else {}
        return rows_json({"schema": SCHEMA, **rows, **steps, **self.others})


def default_path() -> Path:
    """MINIGRAD_PROGRESS, else where this system keeps what belongs to a person; PlaceError without a home."""
    if chosen := os.environ.get("MINIGRAD_PROGRESS"):
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or str(_home() / "AppData" / "Roaming")
    else:
        base = os.environ.get("XDG_DATA_HOME") or ""
        if not os.path.isabs(base):  # the specification says to ignore another one
            base = str(_home() / ".local" / "share")
    return (Path(base) / "minigrad" / "progress").with_suffix(".json")


def _home() -> Path:
    try:
        return Path("~").expanduser()
    except RuntimeError:
        raise PlaceError(say("keeping.home")) from None


# ---- reading ------------------------------------------------------------------------------------


def read(path: Path) -> tuple[ProgressDocument, str]:
    """The document, and what is wrong with the file: "" or the end of a key of `keeping.damage.`.

    OSError for a file that is there and cannot be looked at.
    """
    try:
        size = path.stat().st_size
        if size > LARGEST:
            return ProgressDocument(), "huge"
        with path.open("rb") as file:
            octets = file.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        return ProgressDocument(), ""
    if not octets.strip():
        return ProgressDocument(), ""  # nothing that could be lost
    try:
        text = octets.decode("utf-8-sig")
        found = parse_json(text)
    except (ValueError, RecursionError):
        return _rescued(octets.decode("utf-8", "replace")), "broken"
    if not isinstance(found, dict) or not str(found.get("schema", "")).startswith("minigrad.progress/"):
        return ProgressDocument(), "foreign"
    document, whole = _checked(found)
    if found["schema"] != SCHEMA:
        return document, "newer"
    return document, "" if whole else "rows"


def _checked(found: Mapping[str, object]) -> tuple[ProgressDocument, bool]:
    """The rows that are as they should be, and whether those are all."""
    document, whole = ProgressDocument(), True
    for key, value in found.items():
        if key == "schema":
            continue
        if key == "seed":
            if type(value) is int and 0 <= value < 1 << 53:
                document.seed = value
            else:
                whole = False
        elif key == "units" and isinstance(value, dict):
            document.units = {slug: row for slug, row in value.items() if _is_unit(row, slug)}
            whole &= len(document.units) == len(value)
        elif key == "answers" and isinstance(value, list):
            document.answers = [row for row in value if is_answer(row)]
            whole &= len(document.answers) == len(value)
        elif key == "steps" and isinstance(value, dict):
            document.steps = {slug: row for slug, row in value.items() if _is_step(row, slug)}
            whole &= len(document.steps) == len(value)
        elif key in ("units", "answers", "steps"):
            whole = False
        else:
            document.others[key] = value
    return document, whole and "seed" in found


def _rescued(text: str) -> ProgressDocument:
    """The rows of a file that is no JSON any more: each stood on a line of its own."""
    document = ProgressDocument()
    for line in text.splitlines():
        line = line.strip().removesuffix(",")
        with suppress(ValueError, RecursionError):
            if line.startswith("{"):
                row = parse_json(line)
                if isinstance(row, dict) and is_answer(row):
                    document.answers.append(row)
            elif line.startswith('"'):
                entries = parse_json("{" + line + "}")
                for key, value in entries.items() if isinstance(entries, dict) else ():
                    if key == "seed" and type(value) is int and 0 <= value < 1 << 53:
                        document.seed = value
                    elif isinstance(value, dict) and _is_unit(value, key):
                        document.units[key] = value
                    elif isinstance(value, dict) and _is_step(value, key):
                        document.steps[key] = value
    return document


def is_answer(row: object) -> TypeGuard[AnswerRow]:
    """Is this a row of `answers`?"""
    return (
        isinstance(row, dict)
        and all(_short(row.get(key)) for key in ("question", "kind"))
        and bool(row["question"])
        and all(_short(row.get(key, "")) for key in ("unit", "fault", "review"))
        and _is_moment(row.get("on"))
        and type(row.get("right")) is bool
        and type(row.get("revealed", False)) is bool
        and type(row.get("try", 1)) is int
        and isinstance(row.get("answer", {}), dict)
        and all(isinstance(value, str) for value in row.get("answer", {}).values())
    )


def _is_unit(row: object, slug: str) -> TypeGuard[UnitRow]:
    return (
        bool(_SLUG.fullmatch(slug))
        and isinstance(row, dict)
        and type(row.get("block")) is int
        and row["block"] >= 0
        and _is_moment(row.get("begun"))
        and _is_moment(row.get("on"))
        and (row.get("finished", "") == "" or _is_moment(row["finished"]))
    )


def _is_step(row: object, slug: str) -> TypeGuard[StepRow]:
    return (
        bool(_SLUG.fullmatch(slug))
        and isinstance(row, dict)
        and _is_moment(row.get("on"))
        and (row.get("passed", "") == "" or _is_moment(row["passed"]))
        and all(_short(row.get(key, "")) for key in ("predicted", "about"))
        and type(row.get("hints", 0)) is int
    )


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST


def _is_moment(value: object) -> bool:
    if not (isinstance(value, str) and _DAY.fullmatch(value)):
        return False
    from datetime import datetime

    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


# ---- writing ------------------------------------------------------------------------------------


def write(path: Path, document: ProgressDocument) -> None:
    """Put a document in the place of the file, whole or not at all."""
    write_whole(path, document.text(), durable=True)


def set_aside(path: Path, day: str) -> Path:
    """Give the file a second name, which nothing overwrites; the first may then be written anew."""
    path = Path(os.path.realpath(path))
    for number in range(1, 1000):
        again = f"-{number}" if number > 1 else ""
        aside = path.with_name(f"{path.stem}.set-aside-{day}{again}{path.suffix}")
        try:
            os.link(path, aside)
            return aside
        except FileExistsError:
            if aside.exists() and os.path.samefile(path, aside):
                return aside  # whoever did this was killed before the new file was there
        except OSError:  # a system without second names
            if not aside.exists():
                write_whole(aside, path.read_bytes(), durable=True)
                return aside
    raise OSError(f"{path}: too many files are set aside")


@contextmanager
def locked(path: Path, patience: float | None = None) -> Iterator[None]:
    """Nobody else changes the file meanwhile; where locks are unknown, it is done without one.

    The lock is on the folder, which is there whether or not the file is, and leaves nothing behind.
    """
    folder = Path(os.path.realpath(path)).parent
    folder.mkdir(parents=True, exist_ok=True)
    if sys.platform == "win32":
        handle = os.open(folder / ".minigrad-progress.lock", os.O_RDWR | os.O_CREAT)
    else:
        handle = os.open(folder, os.O_RDONLY)
    try:
        end = time.monotonic() + (PATIENCE if patience is None else patience)
        while not _taken(handle):
            if time.monotonic() > end:
                raise BusyError(str(path))
            time.sleep(0.01)
        yield
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    """Take the lock if it is free; True also where there are none."""
    if sys.platform == "win32":
        from msvcrt import LK_NBLCK, locking

        try:
            locking(handle, LK_NBLCK, 1)
        except OSError:
            return False
        return True
    from fcntl import LOCK_EX, LOCK_NB, flock

    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # some file systems have no locks
        return True
    return True
