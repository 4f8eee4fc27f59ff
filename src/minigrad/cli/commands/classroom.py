"""minigrad learn --class FILE: sheets for a class; minigrad learn --handout FAULT: a break lab on paper."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from re import fullmatch
from secrets import randbelow
from typing import TYPE_CHECKING

from ...text.escape import printable, visible
from ...text.translation import say
from .. import argument_values
from ..arguments import Arguments, UsageError
from ..output import reason
from . import RIGHT

if TYPE_CHECKING:
    from ...learn.classroom.sheet import SheetPlan

__all__ = ["OPTIONS", "asked", "run"]

OPTIONS = {
    "class": "FILE",
    "handout": "FAULT",
    "units": "1-4",
    "kinds": "gradient,lost",
    "questions": "N",
    "level": "N",
    "seed": "N",
    "title": "TEXT",
    "forms": "md,html,ipynb",
    "answers": "",
    "force": "",
    "out": "FILE|FOLDER",
    "lang": "LANG",
}
_CLASS = {"class", "units", "kinds", "questions", "level", "seed", "title", "forms", "force", "out", "lang"}
_HANDOUT = {"handout", "answers", "out", "force", "lang"}
MOST = 40  # questions of a sheet
LARGEST_SEED = 10**9
LONGEST_TITLE = 120
FEWEST = 6  # questions, where nobody says how many


def asked(arguments: Arguments) -> bool:
    """Is this a wish of a teacher?"""
    return arguments.flag("class") or arguments.flag("handout")


def run(arguments: Arguments) -> int:
    """Make what --class or --handout asks for."""
    if arguments.flag("class") and arguments.flag("handout"):
        raise UsageError(say("usage.break.together", first="--class", second="--handout"))
    one, allowed = ("class", _CLASS) if arguments.flag("class") else ("handout", _HANDOUT)
    for option in arguments.options:
        if option not in allowed:
            raise UsageError(say("usage.break.together", first=f"--{one}", second=f"--{option}"))
    if not arguments.options.get("out"):
        raise UsageError(say(f"usage.{one}.out"))
    return _class(arguments) if one == "class" else _handout(arguments)


# ---- sheets -----------------------------------------------------------------------------------------


def _class(arguments: Arguments) -> int:
    from ...learn.classroom.class_folder import class_files, write_files
    from ...learn.classroom.roster import LARGEST, roster
    from ...learn.classroom.sheet import class_sheets

    if arguments.words:
        raise UsageError(say("usage.class.word", given=argument_values.quoted(arguments.words[0])))
    forms = _forms(arguments.options.get("forms", "md,html,ipynb"))
    plan = _plan(arguments)
    names = Path(arguments.options["class"])
    try:
        if names.exists() and not names.is_file():
            raise UsageError(say("classroom.roster.file", path=visible(str(names))))
        with names.open("rb") as file:
            octets = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{visible(str(names))}: {reason(error)}") from None
    people = roster(octets)
    folder = Path(arguments.options["out"])
    sheets = list(class_sheets(people.learners, plan))
    files = class_files(plan, sheets, forms, folder.name)
    try:
        count = write_files(folder, files, plan.seed, arguments.flag("force"))
    except OSError as error:
        raise UsageError(say("out.failed", path=visible(str(folder)), why=reason(error))) from None
    for notice in people.notices:
        print(say("classroom.note", words=notice))
    about = {"count": len(sheets), "questions": len(plan.slots), "path": visible(str(folder))}
    print(say("classroom.made" if count else "classroom.made.same", seed=plan.seed, **about))
    print(say("classroom.made.key", path=visible(str(folder))))
    print(say("classroom.made.next", path=visible(str(folder))))
    return RIGHT


def _forms(text: str) -> list[str]:
    from ...learn.classroom.class_folder import FORMS

    wished = list(dict.fromkeys(part.strip().removeprefix(".") for part in text.split(",") if part.strip()))
    for form in wished:
        if form not in FORMS:
            raise UsageError(say("usage.forms", given=argument_values.quoted(form), known=", ".join(FORMS)))
    if not wished:
        raise UsageError(say("usage.forms", given=argument_values.quoted(text), known=", ".join(FORMS)))
    return wished


def _plan(arguments: Arguments) -> SheetPlan:
    from ...learn.classroom.sheet import SheetPlan
    from ...learn.questions.random_graphs import LEVELS

    kinds = _kinds(arguments)
    count = argument_values.whole(arguments, "questions", 1, MOST, max(FEWEST, len(kinds)))
    level = argument_values.whole(arguments, "level", 1, max(LEVELS), 0)
    seed = argument_values.whole(arguments, "seed", 0, LARGEST_SEED, -1)
    title = " ".join(arguments.options.get("title", "").split()) or say("classroom.title")
    if len(title) > LONGEST_TITLE or not title.isprintable():
        raise UsageError(say("usage.title", given=printable(title), most=LONGEST_TITLE))
    slots = [(kinds[at % len(kinds)], level or min(max(LEVELS), 1 + at // len(kinds))) for at in range(count)]
    return SheetPlan(title, randbelow(10**6) if seed < 0 else seed, tuple(slots))


def _kinds(arguments: Arguments) -> Sequence[str]:
    """The kinds that are asked for, else those of the units, in the order of the course."""
    from ...learn.course import SLUGS
    from ...learn.questions import KINDS

    if arguments.flag("kinds"):
        wished = [part.strip() for part in arguments.options["kinds"].split(",") if part.strip()]
        for kind in wished:
            if kind not in KINDS:
                raise UsageError(
                    say("usage.kinds", given=argument_values.quoted(kind), known=", ".join(KINDS))
                )
        if wished:
            return wished
        raise UsageError(say("usage.kinds", given=argument_values.quoted(""), known=", ".join(KINDS)))
    units = _units(arguments.options["units"]) if arguments.flag("units") else SLUGS
    found = [name for unit in SLUGS for name, kind in KINDS.items() if kind.unit == unit and unit in units]
    if not found:
        known = ", ".join(dict.fromkeys(kind.unit for kind in KINDS.values()))
        raise UsageError(
            say("usage.units.none", given=argument_values.quoted(arguments.options["units"]), known=known)
        )
    return found


def _units(text: str) -> list[str]:
    """1-4, 2,5 or diamonds,order: the slugs."""
    from ...learn.course import SLUGS, number_of

    found: list[str] = []
    for part in text.split(","):
        try:
            ends = fullmatch(r"\s*([0-9])\s*-\s*([0-9])\s*", part)
            first, last = (number_of(end) for end in (ends.groups() if ends else (part, part)))
            if first > last:
                raise ValueError
        except ValueError:
            raise UsageError(
                say("usage.units", given=argument_values.quoted(part), count=len(SLUGS))
            ) from None
        found += SLUGS[first - 1 : last]
    return found


# ---- handouts ---------------------------------------------------------------------------------------


def _handout(arguments: Arguments) -> int:
    from ...learn.classroom.handout import FORMS, handout
    from ...text.files import write_whole

    path = Path(arguments.options["out"])
    if path.suffix not in FORMS:
        raise UsageError(say("usage.ending", given=argument_values.quoted(path.name), known=", ".join(FORMS)))
    words = arguments.words
    inputs = words if words and "=" in words[0] and ";" not in words[0] else words[1:]
    text = None if inputs is words or not words else words[0]
    made = handout(
        arguments.options["handout"], text, argument_values.inputs(inputs), arguments.flag("answers")
    )
    content = FORMS[path.suffix](made)
    try:
        old = path.read_bytes() if path.is_file() else None
        if old is not None and old != content.encode() and not arguments.flag("force"):
            raise UsageError(say("classroom.folder.taken", path=visible(str(path))))
        write_whole(path, content)
    except OSError as error:
        raise UsageError(say("out.failed", path=visible(str(path)), why=reason(error))) from None
    print(say("out.written", path=visible(str(path))))
    return RIGHT
