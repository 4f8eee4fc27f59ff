"""minigrad grade FOLDER|FILES...: marks for returned sheets, and the doctor for learners' engines."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import chain, count
from pathlib import Path
from re import fullmatch
from typing import TYPE_CHECKING

from ...text.escape import visible
from ...text.files import rows_json
from ...text.translation import say
from .. import argument_values, output
from ..argument_values import quoted
from ..arguments import Arguments, UsageError, take_apart
from ..signals import as_interrupts
from . import OF_RESULTS, RIGHT

if TYPE_CHECKING:
    from ...learn.classroom.answer_key import AnswerKey
    from ...learn.classroom.grades import AsideFile, HandInFile, Results
    from ...learn.classroom.learner_engines import EngineFile, ExaminedEngine

__all__ = ["run"]

OPTIONS = {
    "key": "FILE",
    "due": "2026-09-30T18:00",
    "bug-cost": "0.25",
    "force": "",
    **OF_RESULTS,
    "out": "FILE|FOLDER",
}
MOST = 5000  # files of a folder that is no learner's own
MOST_OF_ONE = 500  # files of a learner's own folder
SKIPPED = {"feedback", "__pycache__", "venv", "site-packages", "node_modules"}
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
    bug_cost = _bug_cost(arguments)
    named = [_existing(word) for word in arguments.words]
    key, place = _key(arguments, named)
    names = {sheet.learner.slug: sheet.learner.name for sheet in key.sheets} if key else {}
    found, excess = _files(named, names, place)
    if key is None and not (found and all(one.path.suffix == ".py" for one in found)):
        raise UsageError(say("usage.grade.key"))
    with as_interrupts():
        results, interrupted = _results(key, found, excess, due, bug_cost)
    write(results)
    if interrupted:  # what was graded until then is saved
        raise KeyboardInterrupt
    return RIGHT


def _bug_cost(arguments: Arguments) -> float:
    """What one bug takes from the point of an engine."""
    from ...learn.classroom.learner_engines import BUG_COST

    if not arguments.flag("bug-cost"):
        return BUG_COST
    cost = argument_values.number("--bug-cost", arguments.options["bug-cost"])
    if not 0.0 <= cost <= 1.0:
        raise UsageError(say("usage.bug_cost", given=quoted(arguments.options["bug-cost"])))
    return cost


def _due(text: str) -> datetime:
    try:
        due = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UsageError(say("usage.due", given=quoted(text))) from None
    whole_day = len(text.strip()) <= len("2026-09-30")
    return due.replace(hour=23, minute=59, second=59, tzinfo=None) if whole_day else due.replace(tzinfo=None)


# ---- what is graded ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _FoundFile:
    """A file, the folder that was named where it was found in one, and the learner's own that it lies in."""

    path: Path
    root: Path | None = None
    own: Path | None = None


def _existing(word: str) -> Path:
    if not os.path.exists(word):
        raise UsageError(f"{visible(word)}: {say('system.missing')}")
    path = Path(word)
    if not (path.is_dir() or path.is_file()):
        raise UsageError(say("usage.grade.kind", path=visible(word)))
    return path


def _files(
    named: Sequence[Path], names: Mapping[str, str], key: Path | None
) -> tuple[list[_FoundFile], list[AsideFile]]:
    """The files that are named and those in the folders that are named, in order; links are not followed.

    What is too much of one folder is told of that folder, and costs nobody else anything.
    """
    from ...learn.classroom.grades import AsideFile

    found: list[_FoundFile] = []
    unread: list[OSError] = []  # folders
    counts: Counter[Path | None] = Counter()
    for path in named:
        alone = _FoundFile(path, None, _own_folder(path.parent, path.parent, names, key))
        for one in _within(path, names, key, unread) if path.is_dir() else (alone,):
            folder = one.own or (one.path.parent if one.root else None)
            counts[folder] += 1
            if counts[folder] <= (MOST_OF_ONE if one.own else MOST):
                found.append(one)
            elif folder is None or folder == one.root != one.own:
                raise UsageError(say("usage.grade.many", most=MOST))
    owned = {one.own for one in found}
    excess = []
    for folder, number in counts.items():
        most = MOST_OF_ONE if folder in owned else MOST
        if folder is not None and number > most:
            name, why = visible(folder.name), say("classroom.aside.many", most=most, count=number - most)
            excess.append(AsideFile(name, why, folder.name, folder.name))
    for error in unread:
        folder = Path(os.fsdecode(error.filename))
        excess.append(AsideFile(visible(folder.name), output.reason(error), folder.name, folder.name))
    return found, excess


def _within(
    root: Path, names: Mapping[str, str], key: Path | None, unread: list[OSError]
) -> Iterator[_FoundFile]:
    for here, folders, files in os.walk(root, onerror=unread.append):
        folders[:] = sorted(name for name in folders if name not in SKIPPED and name[0] != ".")
        own = _own_folder(root, Path(here), names, key)
        for name in sorted(files):
            if name not in OURS and name[0] != ".":
                yield _FoundFile(Path(here, name), root, own)


def _own_folder(root: Path, here: Path, names: Mapping[str, str], key: Path | None) -> Path | None:
    """The outermost folder from the root on that is a learner's own; the one with the key is the class's."""
    from ...learn.classroom.owners import folder_owner

    inner = here.relative_to(root)
    folders = dict.fromkeys(root / part for part in reversed((inner, *inner.parents)))
    own = (folder for folder in folders if folder_owner(folder.name, names))
    return next((folder for folder in own if key is None or not _holds(folder, key)), None)


def _holds(folder: Path, key: Path) -> bool:
    return os.path.realpath(folder) == os.path.dirname(os.path.realpath(key))


def _key(arguments: Arguments, named: Sequence[Path]) -> tuple[AnswerKey | None, Path | None]:
    """The key and its place: the one that is named, or the one in a folder; engines alone need none."""
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
        return None, None
    try:
        with places[0].open("rb") as file:
            octets = file.read(LARGEST + 1)
    except OSError as error:
        raise UsageError(f"{visible(str(places[0]))}: {output.reason(error)}") from None
    if len(octets) > LARGEST:
        raise UsageError(say("classroom.key.unread"))
    return read_key(octets.decode("utf-8", errors="replace")), places[0]


def _near(path: Path) -> Iterator[Path]:
    """Where a key may lie: the folder, and the two above it."""
    folder = Path(os.path.abspath(path))
    yield from [folder, *folder.parents][:3]


def _results(
    key: AnswerKey | None,
    found: Sequence[_FoundFile],
    excess: Sequence[AsideFile],
    due: datetime | None,
    bug_cost: float,
) -> tuple[Results, bool]:
    """The results, and whether they were interrupted.

    Everything is read before an engine runs, because an engine could change what others handed in.  What we
    fail on is told of that one hand-in, and the others are graded.
    """
    from ...learn.classroom.grades import AsideFile, HandInFile, failure, grade
    from ...learn.classroom.learner_engines import examine_engine, unexamined_engine

    handed: list[HandInFile] = []
    engines: list[ExaminedEngine] = []
    waiting: list[EngineFile] = []
    aside = list(excess)
    for name, files, whole in _hand_ins(found):
        try:
            taken = _whole_folder(name, files) if whole else _taken(files[0], name)
        except Exception as error:
            taken = failure(error)
        if isinstance(taken, str):
            aside.append(AsideFile(name, taken, _stem(files[0].path), _folder_name(files[0])))
        elif isinstance(taken, HandInFile):
            handed.append(taken)
        else:
            waiting.append(taken)
    interrupted = False
    for engine in waiting:
        try:
            if not interrupted:
                engines.append(examine_engine(engine, key.language if key else None, bug_cost))
        except KeyboardInterrupt:
            interrupted = True
        except Exception as error:
            engines.append(unexamined_engine(engine, failure(error)))
        if interrupted:
            why = say("classroom.aside.interrupted")
            aside.append(AsideFile(engine.name, why, engine.stem, engine.folder))
    return grade(key, handed, engines, aside, due), interrupted


def _hand_ins(found: Sequence[_FoundFile]) -> Iterator[tuple[str, list[_FoundFile], bool]]:
    """Each hand-in by the name that is shown, with its files, and whether it is a learner's whole folder.

    The Python files in a folder that is named after a learner belong together; every other file is alone.
    """
    together: dict[Path, list[_FoundFile]] = {}
    for one in found:
        if one.path.suffix.lower() == ".py" and one.own:
            together.setdefault(one.own, []).append(one)
    engine_names = Counter(one.path.name for one in found if one.path.suffix == ".py")
    told: set[Path] = set()
    for one in found:
        folder = one.own if one.path.suffix.lower() == ".py" else None
        if folder is not None and len(together[folder]) > 1:
            if folder not in told:
                told.add(folder)
                yield visible(folder.name), together[folder], True
            continue
        name = visible(one.path.name)
        if engine_names[one.path.name] > 1:
            name = f"{visible(one.path.parent.name)}/{name}"
        yield name, [one], False


def _stem(path: Path) -> str:
    return path.name.partition(".")[0]


def _folder_name(one: _FoundFile) -> str:
    """The name of the folder that says whose a file is; "" if none does."""
    return one.own.name if one.own else ""


def _taken(one: _FoundFile, name: str) -> HandInFile | EngineFile | str:
    """A file, read; a sentence where it cannot be."""
    from ...learn.classroom.grades import HandInFile
    from ...learn.classroom.hand_in import ENDINGS, is_sheet, read
    from ...learn.classroom.hand_in import LARGEST as LARGEST_SHEET
    from ...learn.classroom.learner_engines import (
        LARGEST,
        LARGEST_NOTEBOOK,
        EngineFile,
        looks_like_an_engine,
    )

    path, ending = one.path, one.path.suffix.lower()
    if ending in _OTHERS:
        return say("classroom.aside.kind")
    if ending not in (*ENDINGS, ".py"):
        return say("classroom.aside.ending", known=", ".join([*ENDINGS, ".py"]))
    if one.root and (path.is_symlink() or not path.is_file()):
        return say("classroom.aside.special")
    most = {".py": LARGEST, ".ipynb": LARGEST_NOTEBOOK}.get(ending, LARGEST_SHEET)
    try:
        with path.open("rb") as file:
            octets = file.read(most + 1)
        changed = path.stat().st_mtime
    except OSError as error:
        return output.reason(error)
    folder = _folder_name(one)
    engine = EngineFile(name, path.stem, folder, {path.name: octets})
    if ending == ".py":
        return engine
    if (
        ending == ".ipynb"
        and not is_sheet(octets)
        and looks_like_an_engine(octets.decode("utf-8", "replace"))
    ):
        return engine
    content = read(ending, octets)
    return HandInFile(name, _stem(path), _when(content.saved, changed), content, folder)


def _whole_folder(name: str, files: Sequence[_FoundFile]) -> EngineFile | str:
    """The Python files of a learner's own folder; a sentence where one cannot be read."""
    from ...learn.classroom.learner_engines import LARGEST, MOST_FILES, EngineFile

    folder = files[0].own
    assert folder is not None
    texts = {}
    for one in files[: MOST_FILES + 1]:
        if not one.path.is_file() or one.path.is_symlink():
            continue
        try:
            with one.path.open("rb") as file:
                texts[one.path.relative_to(folder).as_posix()] = file.read(LARGEST + 1)
        except OSError as error:
            return output.reason(error)
    return EngineFile(name, folder.name, folder.name, texts, is_folder=True)


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
    from ...learn.classroom.grades import failure
    from ...learn.classroom.sheet_markdown import escape_markdown

    files = {}
    for one in results.graded:
        if results.key is not None and (one.file or one.engine):
            for ending, form in ((".md", feedback_markdown), (".html", feedback_html)):
                try:
                    text = form(one, results.key)
                except Exception as error:
                    text = f"{escape_markdown(escape(failure(error)))}\n"
                files[f"feedback/{one.sheet.learner.slug}{ending}"] = text
    for engine in results.engines:  # those of two learners may have one name
        stem = engine.stem if fullmatch(r"[\w.-]{1,80}", engine.stem) else "engine"
        places = (f"feedback/{stem}{again}.md" for again in chain([""], map("-{}".format, count(2))))
        files[next(place for place in places if place not in files)] = engine.feedback
    return files
