"""minigrad grade FOLDER|FILES...: marks for returned sheets, and the doctor for learners' engines."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from re import fullmatch
from typing import TYPE_CHECKING

from ...text.escape import visible
from ...text.files import rows_json
from ...text.translation import say
from .. import output
from ..argument_values import quoted
from ..arguments import Arguments, UsageError, take_apart
from . import OF_RESULTS, RIGHT

if TYPE_CHECKING:
    from ...learn.classroom.answer_key import AnswerKey
    from ...learn.classroom.grades import HandInFile, Results
    from ...learn.classroom.learner_engines import ExaminedEngine

__all__ = ["run"]

OPTIONS = {
    "key": "FILE",
    "due": "2026-09-30T18:00",
    "force": "",
    **OF_RESULTS,
    "out": "FILE|FOLDER",
}
MOST = 5000  # files
LATEST = 2.0**37  # seconds: the year 6325, and some file systems go on
OURS = {"key.json", "key.md", "README.md", "results.md", "results.csv", "results.json", "results.html"}
_OTHERS = {
    ".pdf",
    ".docx",
    ".doc",
    ".odt",
    ".rtf",
    ".jpg",
    ".jpeg",
    ".png",
    ".heic",
    ".zip",
    ".7z",
    ".rar",
    ".pages",
}


def run(words: Sequence[str]) -> int:
    arguments = take_apart(words, OPTIONS)
    if not arguments.words:
        raise UsageError(say("usage.grade"))
    write = _writer(arguments)
    due = _due(arguments.options["due"]) if arguments.flag("due") else None
    paths = list(_files(arguments.words))
    key = _key(arguments, [Path(word) for word in arguments.words], paths)
    write(_results(key, paths, due))
    return RIGHT


def _due(text: str) -> datetime:
    try:
        due = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(say("usage.due", given=quoted(text))) from None
    whole_day = len(text.strip()) <= len("2026-09-30")
    return due.replace(hour=23, minute=59, second=59, tzinfo=None) if whole_day else due.replace(tzinfo=None)


# ---- what is graded ---------------------------------------------------------------------------------


def _files(words: Sequence[str]) -> Iterator[Path]:
    """The files that are named and those in the folders that are named, in order; links are not followed."""
    count = 0
    for word in words:
        path = Path(word)
        if not os.path.exists(word):
            raise UsageError(f"{visible(word)}: {say('system.missing')}")
        if path.is_dir():
            found: Iterator[Path] = _within(path)
        elif path.is_file():
            found = iter((path,))
        else:
            raise UsageError(say("usage.grade.kind", path=visible(word)))
        for each in found:
            count += 1
            if count > MOST:
                raise UsageError(say("usage.grade.many", most=MOST))
            yield each


def _within(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if name not in ("feedback", "__pycache__") and name[0] != "."
        )
        for name in sorted(names):
            path = Path(here, name)
            if name not in OURS and name[0] != "." and path.is_file() and not path.is_symlink():
                yield path


def _key(arguments: Arguments, named: Sequence[Path], paths: list[Path]) -> AnswerKey | None:
    """The key: the one that is named, or the one in a folder; engines alone need none."""
    from ...learn.classroom.answer_key import LARGEST, read_key
    from ...learn.classroom.class_folder import KEY

    if arguments.flag("key"):
        places = [Path(arguments.options["key"])]
        if places[0].is_dir():
            places = [places[0] / KEY]
        if not places[0].is_file():
            raise UsageError(f"{visible(str(places[0]))}: {say('system.missing')}")
    else:
        near = dict.fromkeys(place / KEY for path in named for place in _near(path))
        places = [place for place in near if place.is_file()]
        if len(places) > 1:  # a learner may have handed in one of their own
            first, second = (visible(str(place)) for place in places[:2])
            raise UsageError(say("usage.grade.keys", first=first, second=second))
    if not places:
        if all(path.suffix == ".py" for path in paths) and paths:
            return None
        raise UsageError(say("usage.grade.key"))
    try:
        with places[0].open("rb") as file:
            octets = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{visible(str(places[0]))}: {output.reason(error)}") from None
    if len(octets) > LARGEST:
        raise UsageError(say("classroom.key.unread"))
    return read_key(octets.decode("utf-8", errors="replace"))


def _near(path: Path) -> Iterator[Path]:
    """Where a key may lie: the folder, and the two above it."""
    folder = Path(os.path.abspath(path))
    yield from [folder, *folder.parents][:3]


def _results(key: AnswerKey | None, paths: Sequence[Path], due: datetime | None) -> Results:
    from ...learn.classroom.grades import HandInFile, grade

    handed: list[HandInFile] = []
    engines: list[ExaminedEngine] = []
    aside: list[tuple[str, str]] = []
    engine_names = Counter(path.name for path in paths if path.suffix == ".py")
    for path in paths:
        name = path.name if engine_names[path.name] < 2 else f"{path.parent.name}/{path.name}"
        found = _taken(path, name, key)
        if isinstance(found, str):
            aside.append((name, found))
        elif isinstance(found, HandInFile):
            handed.append(found)
        else:
            engines.append(found)
    return grade(key, handed, engines, aside, due)


def _taken(path: Path, name: str, key: AnswerKey | None) -> HandInFile | ExaminedEngine | str:
    """A file, read or examined; a sentence where it can be neither."""
    from ...learn.classroom.grades import HandInFile
    from ...learn.classroom.hand_in import ENDINGS, LARGEST, read
    from ...learn.classroom.learner_engines import examine_engine, looks_like_an_engine

    ending = path.suffix.lower()
    if ending == ".py":
        return examine_engine(path, name, key.language if key else None)
    if ending in _OTHERS:
        return say("classroom.aside.kind")
    if ending not in ENDINGS:
        return say("classroom.aside.ending", known=", ".join([*ENDINGS, ".py"]))
    try:
        with path.open("rb") as file:
            octets = file.read(LARGEST + 1)
        changed = path.stat().st_mtime
    except OSError as error:
        return output.reason(error)
    content = read(ending, octets)
    if ending == ".ipynb" and not content.codes and looks_like_an_engine(octets.decode("utf-8", "replace")):
        return examine_engine(path, name, key.language if key else None)
    stem = path.name.partition(".")[0]
    return HandInFile(name, stem, _when(content.saved, changed), content)


def _when(saved: str, changed: float) -> datetime:
    """When it was saved, as the page says, else as the file says."""
    try:
        return datetime.fromisoformat(saved[:19]).replace(tzinfo=None)
    except ValueError:
        return datetime.fromtimestamp(min(max(0.0, changed), LATEST))


# ---- where it goes ----------------------------------------------------------------------------------


def _writer(arguments: Arguments) -> Callable[[Results], None]:
    """What --out and --json ask for, decided and refused before the work is done."""
    from ...learn.classroom.class_folder import write_files
    from ...learn.classroom.report import as_csv, as_html, as_json, as_markdown, as_text

    forms: dict[str, Callable[[Results], str]] = {
        ".csv": as_csv,
        ".md": as_markdown,
        ".json": lambda results: rows_json(as_json(results)),
        ".html": as_html,
    }
    page = output.page(arguments.flag("all"))

    def show(results: Results) -> None:
        if arguments.flag("json"):
            print(rows_json(as_json(results)), end="")
        else:
            print(output.fitting(as_text(results, page)), end="")

    if not arguments.flag("out"):
        return show
    path = Path(arguments.options["out"])
    if path.suffix and path.suffix not in forms:
        raise UsageError(say("usage.ending", given=quoted(path.name), known=", ".join(forms)))

    def write(results: Results) -> None:
        if path.suffix:
            files, folder = {path.name: forms[path.suffix](results)}, path.parent
        else:
            files, folder = {f"results{ending}": form(results) for ending, form in forms.items()}, path
            files |= _feedback(results)
            show(results)
        try:
            write_files(folder, files, force=arguments.flag("force"))
        except OSError as error:
            raise UsageError(say("out.failed", path=visible(str(path)), why=output.reason(error))) from None
        print(("" if path.suffix else "\n") + say("out.written", path=visible(str(path))))

    return write


def _feedback(results: Results) -> dict[str, str]:
    from ...learn.classroom.feedback import feedback_html, feedback_markdown

    files = {}
    for one in results.graded:
        if results.key is not None and (one.file or one.engine):
            files[f"feedback/{one.sheet.learner.slug}.md"] = feedback_markdown(one, results.key)
            files[f"feedback/{one.sheet.learner.slug}.html"] = feedback_html(one, results.key)
    for engine in results.engines:  # those of two learners may have one name
        stem = engine.stem if fullmatch(r"[\w.-]{1,80}", engine.stem) else "engine"
        places = (f"feedback/{stem}{again}.md" for again in chain([""], map("-{}".format, count(2))))
        files[next(place for place in places if place not in files)] = engine.feedback
    return files
