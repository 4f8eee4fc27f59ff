"""A roster: who is in the class.  One name per line, or a CSV file with a column of names.

Whatever the file holds, every learner gets a name that can be shown and a file name that is safe and
nobody else's; what had to be changed is told.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from re import fullmatch, sub
from unicodedata import category, normalize

from ...cli.arguments import UsageError
from ...text.escape import printable
from ...text.translation import say

__all__ = ["LARGEST", "Learner", "Roster", "roster", "slug_of"]

LARGEST = 1 << 20  # octets of a roster
MOST = 2000  # learners
LONGEST = 80  # characters of a name
SLUG = 40

_NAMES = ("name", "full name", "student", "learner", "pupil", "nombre", "nombre completo", "alumno", "alumna",
          "estudiante", "apellidos y nombre", "nombre y apellidos")  # fmt: skip
_FIRST = ("first name", "given name", "nombre", "nombres")
_LAST = ("last name", "surname", "family name", "apellido", "apellidos")
_IDS = ("id", "number", "e-mail", "email", "mail", "código", "codigo", "matrícula", "matricula", "correo",
        "correo electrónico", "número", "numero")  # fmt: skip
_RESERVED = r"con|prn|aux|nul|(com|lpt)\d|key|readme|results"


@dataclass(frozen=True, slots=True)
class Learner:
    """One learner of the class."""

    name: str
    slug: str  # the name of their files, without an ending
    id: str = ""  # a number or an address, where the roster has one
    again: int = 1  # the how manieth of this very name

    @property
    def identity(self) -> str:
        """What their numbers are made from; nobody else's changes it."""
        return f"{self.name}\n{self.id}\n{self.again}"


@dataclass(frozen=True, slots=True)
class Roster:
    """Everybody in the class."""

    learners: tuple[Learner, ...]
    notices: tuple[str, ...]  # what the teacher should know about the file


def roster(octets: bytes) -> Roster:
    """The learners of a file; UsageError where there are none or it is no roster."""
    notices: list[str] = []
    text = _decoded(octets, notices)
    rows = list(_rows(text, notices))
    if not rows:
        raise UsageError(say("classroom.roster.empty"))
    if len(rows) > MOST:
        raise UsageError(say("classroom.roster.many", count=len(rows), most=MOST))
    return Roster(tuple(_learners(rows, notices)), tuple(notices))


def _decoded(octets: bytes, notices: list[str]) -> str:
    if len(octets) > LARGEST:
        raise UsageError(say("classroom.roster.large", size=len(octets) >> 10, most=LARGEST >> 10))
    wide = octets[:2] in (b"\xff\xfe", b"\xfe\xff")
    if b"\0" in octets and not wide:
        raise UsageError(say("classroom.roster.binary"))
    try:
        return octets.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        notices.append(say("classroom.roster.encoding"))
        return octets.decode("cp1252", errors="replace")


def _rows(text: str, notices: list[str]) -> Iterator[tuple[str, str]]:
    """(name, id) of each learner, as they stand."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return
    for separator in (",", ";", "\t"):
        head = [cell.strip().strip('"').casefold() for cell in lines[0].split(separator)]
        first, last = _column(head, _FIRST), _column(head, _LAST)
        name, number = _column(head, _NAMES), _column(head, _IDS)
        together = (first, last) if first is not None and last is not None else (name,)
        if any(at is None for at in together) or (len(head) == 1 and separator != ","):
            continue
        columns = [at for at in together if at is not None]
        yield from _table(text, separator, columns, number, notices)
        return
    for line in lines:
        yield line.strip().strip('"'), ""


def _column(head: list[str], known: tuple[str, ...]) -> int | None:
    return next((at for at, cell in enumerate(head) if cell in known), None)


def _table(
    text: str, separator: str, columns: list[int], number: int | None, notices: list[str]
) -> Iterator[tuple[str, str]]:
    try:
        rows = list(csv.reader(StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise UsageError(say("classroom.roster.csv", why=error)) from None
    filled = [row for row in rows if any(cell.strip() for cell in row)]
    for at, row in enumerate(filled[1:], 2):
        cells = [row[column].strip() if column < len(row) else "" for column in columns]
        name = " ".join(cell for cell in cells if cell)
        if not name:
            notices.append(say("classroom.roster.nameless", row=at))
            continue
        yield name, row[number].strip() if number is not None and number < len(row) else ""


def _learners(rows: list[tuple[str, str]], notices: list[str]) -> Iterator[Learner]:
    seen: Counter[str] = Counter()
    people: set[tuple[str, str]] = set()
    slugs: set[str] = set()
    for at, (given, number) in enumerate(rows, 1):
        name, number = _visible_name(given), _visible_name(number)
        if not name:
            notices.append(say("classroom.roster.nameless", row=at))
            continue
        if name != " ".join(_composed(given).split()):
            notices.append(say("classroom.roster.name", given=printable(given), name=printable(name)))
        if number and (name, number) in people:
            notices.append(say("classroom.roster.same", name=printable(name)))
            continue
        people.add((name, number))
        seen[name] += 1
        if seen[name] > 1:
            notices.append(say("classroom.roster.twice", name=printable(name)))
        slug = _free(_slug(name) or f"sheet-{at}", slugs)
        slugs.add(slug)
        yield Learner(name, slug, number, seen[name])


def _visible_name(text: str) -> str:
    """A name with nothing in it that nobody sees, on one line, and not too long."""
    kept = "".join(c if not category(c).startswith(("C", "Z")) else " " for c in _composed(text))
    return " ".join(kept.split())[:LONGEST].strip()


def _composed(text: str) -> str:
    """As much of a text as a name can have; sorting a longer pile of accents would take hours."""
    return normalize("NFC", text[: 4 * LONGEST])


def _slug(name: str) -> str:
    slug = slug_of(name)[:SLUG].strip("-")
    return f"sheet-{slug}" if fullmatch(_RESERVED, slug) else slug


def slug_of(name: str) -> str:
    """A name in plain small letters and digits, with hyphens between its words."""
    letters = normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return sub(r"[^a-z0-9]+", "-", letters).strip("-")


def _free(slug: str, taken: set[str]) -> str:
    """The slug, or the slug with the first number that nobody has."""
    number, free = 1, slug
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return free
