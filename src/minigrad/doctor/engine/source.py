"""What is to be examined: a file, a folder, a module or a notebook, as one source text.

    subject_of("engine.py")            # the class is found
    subject_of("lesson.ipynb:Value")   # the cells that define it, with what they need
    subject_of("micrograd.engine")     # a module that could be imported

Everything here reads text and syntax trees; nothing of the subject is imported or run.
"""

from __future__ import annotations

import ast
import os
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from ...text.escape import visible
from ...text.translation import say
from .engine_class import notebook, scores_of
from .source_syntax import LARGEST, SubjectError, parsed_of

__all__ = ["EngineSource", "SourcePlace", "SubjectError", "subject_of"]

MOST_FILES = 5000  # of a folder
LARGEST_NOTEBOOK = 10 * LARGEST  # its outputs are in it
SKIPPED = {"test", "tests", "venv", ".venv", "env", "site-packages", "node_modules", "__pycache__", "build"}


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A line of what a person wrote: in a file, or in a cell of a notebook."""

    line: int
    cell: int | None = None
    file: str = ""  # where it is another one than the one examined

    def __str__(self) -> str:
        if self.file:
            return say("doctor.file_line", file=self.file, line=self.line)
        if self.cell is None:
            return say("doctor.line", line=self.line)
        return say("doctor.cell_line", cell=self.cell, line=self.line)


@dataclass(frozen=True)
class EngineSource:
    path: Path
    source: str  # of a notebook: its code cells, one after the other
    classes: tuple[str, ...]  # that may be the engine, the likeliest first
    name: str  # as a module
    package: str | None
    search: tuple[str, ...]  # folders from which it imports
    cells: tuple[tuple[int, int], ...] = ()  # of a notebook: a cell's number, and its first line in `source`
    left_out: tuple[int, ...] = ()  # lines that this Python cannot read
    others: tuple[str, ...] = field(default=())  # engines that were found beside it

    def place(self, line: int) -> SourcePlace:
        """A line of the source as a line of what was written."""
        inside = [(cell, first) for cell, first in self.cells if first <= line]
        return SourcePlace(line - inside[-1][1] + 1, inside[-1][0]) if inside else SourcePlace(line)

    @property
    def folder(self) -> Path:
        """The folder whose files belong together: that of the whole package."""
        return Path(self.search[0], (self.package or "").partition(".")[0])

    def request(self, texts: Mapping[str, str] | None = None) -> dict[str, object]:
        """What the child is told; `texts` are files that have another text than on the disk."""
        texts = texts or {}
        return {
            "source": texts.get(str(self.path), self.source),
            "replaced": {file: text for file, text in texts.items() if file != str(self.path)},
            "folder": str(self.folder),
            "filename": str(self.path),
            "name": self.name,
            "package": self.package,
            "search": list(self.search),
            "classes": list(self.classes),
        }


def subject_of(given: str, *, cell: int | None = None) -> EngineSource:
    """The subject that PATH[:Class] names; SubjectError where there is none."""
    where, wanted = _split(given)
    path = Path(where)
    if not path.exists():
        path = _module(where)
    if path.is_dir():
        return _folder(path, wanted)
    return _file(path, wanted, cell)


def _split(given: str) -> tuple[str, str]:
    head, colon, tail = given.rpartition(":")
    if colon and head and tail.isidentifier() and not Path(given).exists():
        return head, tail
    return given, ""


def _module(name: str) -> Path:
    """The file of a module that could be imported, found without importing its package."""
    parts = name.split(".")
    if all(part.isidentifier() for part in parts):
        for folder in ["", *sys.path]:
            base = Path(folder, *parts)
            for found in (base.with_suffix(".py"), base / "__init__.py"):
                if found.is_file():
                    return found.parent if found.name == "__init__.py" else found
    raise SubjectError(_nowhere(name))


def _nowhere(given: str) -> str:
    folder = Path.cwd().joinpath(given).parent
    return say("doctor.no_path", given=repr(given), folder=visible(str(folder)))


# ---- one file -------------------------------------------------------------------------------------


def _file(path: Path, wanted: str, cell: int | None = None) -> EngineSource:
    text = _text(path)
    cells: tuple[tuple[int, int], ...] = ()
    if path.suffix == ".ipynb":
        text, cells = notebook(path, text, cell)
    tree, text, left_out, unreadable = parsed_of(path, text)
    scored = sorted(scores_of(tree).items(), key=lambda row: -row[1])
    classes = [name for name, score in scored if score > 0]
    if wanted:
        known = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        if wanted not in known and not _imported(tree, wanted):
            raise SubjectError(
                say("doctor.no_class", name=wanted, path=path.name, known=", ".join(sorted(known)) or "-")
            )
        classes = [wanted]
    elif not classes:
        raise SubjectError(unreadable or say("doctor.no_engine", path=path.name))
    package, root = _package(path)
    name = f"{package}.{path.stem}" if package else path.stem
    if path.stem == "__init__" and package:
        name = package
    if not name.replace(".", "").isidentifier() or name in sys.stdlib_module_names:
        name = "examined_" + "".join(c if c.isalnum() else "_" for c in path.stem)
    search = (str(root), str(path.resolve().parent))
    return EngineSource(
        path.resolve(), text, tuple(classes[:4]), name, package, search, cells, left_out=left_out
    )


def _text(path: Path) -> str:
    if not path.is_file():
        raise SubjectError(_nowhere(str(path)))
    if path.suffix not in (".py", ".ipynb"):
        raise SubjectError(say("doctor.suffix", path=path.name))
    if path.stat().st_size > (LARGEST_NOTEBOOK if path.suffix == ".ipynb" else LARGEST):
        raise SubjectError(say("doctor.too_large", path=path.name, size=path.stat().st_size // 1000))
    try:
        if path.suffix == ".ipynb":
            return path.read_text(encoding="utf-8-sig")
        with tokenize.open(path) as file:  # as Python itself reads it: a cookie may name the encoding
            return file.read()
    except (UnicodeDecodeError, SyntaxError, OSError) as error:
        raise SubjectError(say("doctor.unreadable", path=path.name, why=type(error).__name__)) from None


def _package(path: Path) -> tuple[str | None, Path]:
    """The package that a file is in, and the folder above it."""
    folder = path.resolve().parent
    parts: list[str] = []
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or None, folder


def _imported(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names)
        for node in tree.body
    )


# ---- a folder -------------------------------------------------------------------------------------


def _folder(path: Path, wanted: str) -> EngineSource:
    """The file of a folder that has the likeliest engine."""
    found = _engines_in(_python_files(path), wanted) or _engines_in(_python_files(path, True), wanted)
    if not found:
        raise SubjectError(say("doctor.empty_folder", path=path.name or str(path)))
    found.sort(key=lambda row: (-row[0], len(row[2].parts), str(row[2])))
    best = found[0][2]
    subject = _file(best, wanted)
    others = tuple(f"{file}:{name}" for score, name, file in found if file != best and score >= 8.0)
    return EngineSource(**{**vars(subject), "others": others[:6]})


def _engines_in(files: Iterable[Path], wanted: str) -> list[tuple[float, str, Path]]:
    """(score, class, file) for everything that looks like an engine."""
    found = []
    for file in islice(files, MOST_FILES):
        try:
            if not file.is_file() or file.stat().st_size > LARGEST:
                continue
            text = file.read_text(encoding="utf-8-sig")
            if not any(word in text for word in ("grad", "deriv", "adj", "back")):
                continue  # nothing in it speaks of a pass
            if file.suffix == ".ipynb":
                text, _ = notebook(file, text, None)
            scores = scores_of(parsed_of(file, text)[0])
        except (SubjectError, ValueError, OSError, RecursionError):
            continue
        less = 0.5 if file.suffix == ".ipynb" else 0.0
        mine = scores.items() if not wanted else [(n, s) for n, s in scores.items() if n == wanted]
        found += [(score - less, name, file) for name, score in mine if score >= 4.0]
    return found


def _python_files(path: Path, all_of_them: bool = False) -> Iterator[Path]:
    """Python files and notebooks; those of tests and of other people's packages only if all are wanted."""
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(n for n in folders if all_of_them or not (n in SKIPPED or n.startswith(".")))
        for name in sorted(names):
            if name.endswith((".py", ".ipynb")) and (all_of_them or not name.startswith(("test_", "."))):
                yield Path(folder, name)
