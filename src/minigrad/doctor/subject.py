"""What is to be examined: a file, a folder, a module or a notebook, as one source text.

    subject_of("engine.py")            # the class is found
    subject_of("lesson.ipynb:Value")   # the cells that define it, with what they need
    subject_of("micrograd.engine")     # a module that could be imported

Everything here reads text and syntax trees; nothing of the subject is imported or run.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ..messages import say
from .inside.spellings import BACKWARD, DUNDERS, GRAD, METHODS, REFLECTED, plain

__all__ = ["Place", "Subject", "SubjectError", "seeds_by_hand", "subject_of"]

LARGEST = 4_000_000  # bytes of one file
MOST_LEFT_OUT = 4  # places
MOST_BESIDE = 40  # files that are looked through for an example of use
MOST_FILES = 500  # of a folder
SKIPPED = {"test", "tests", "venv", ".venv", "env", "site-packages", "node_modules", "__pycache__", "build"}


class SubjectError(ValueError):
    """There is nothing here that can be examined; the message says why, and what to write."""


@dataclass(frozen=True, slots=True)
class Place:
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
class Subject:
    path: Path
    source: str  # of a notebook: its code cells, one after the other
    classes: tuple[str, ...]  # that may be the engine, the likeliest first
    name: str  # as a module
    package: str | None
    search: tuple[str, ...]  # folders from which it imports
    cells: tuple[tuple[int, int], ...] = ()  # of a notebook: a cell's number, and its first line in `source`
    left_out: tuple[int, ...] = ()  # lines that this Python cannot read
    others: tuple[str, ...] = field(default=())  # engines that were found beside it

    def place(self, line: int) -> Place:
        """A line of the source as a line of what was written."""
        inside = [(cell, first) for cell, first in self.cells if first <= line]
        return Place(line - inside[-1][1] + 1, inside[-1][0]) if inside else Place(line)

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


def subject_of(given: str, *, cell: int | None = None) -> Subject:
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
    raise SubjectError(say("doctor.no_path", given=repr(name)))


# ---- one file -------------------------------------------------------------------------------------


def _file(path: Path, wanted: str, cell: int | None = None) -> Subject:
    text = _text(path)
    cells: tuple[tuple[int, int], ...] = ()
    if path.suffix == ".ipynb":
        text, cells = _notebook(path, text, cell)
    tree, text, left_out, unreadable = _parsed(path, text)
    scored = sorted(_scores(tree).items(), key=lambda row: -row[1])
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
    return Subject(path.resolve(), text, tuple(classes[:4]), name, package, search, cells, left_out=left_out)


def _parsed(path: Path, text: str) -> tuple[ast.Module, str, tuple[int, ...], str]:
    """The syntax tree.

    What this Python cannot read, such as syntax of a later one, is left out, a function or a statement at
    a time, as long as it is little; every other line keeps its number.  The complaint about the first of
    them comes along, for the case that there is nothing else.
    """
    left_out: list[int] = []
    complaint = ""
    while True:
        try:
            return ast.parse(text), text, tuple(left_out), complaint
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 0
            why = getattr(error, "msg", None) or type(error).__name__
            complaint = complaint or say("doctor.syntax", path=path.name, line=line, why=why)
            cut = _without(text, line) if line and len(left_out) < MOST_LEFT_OUT else None
            if cut is None:
                raise SubjectError(complaint) from None
            text = cut
            left_out.append(line)


def _without(text: str, line: int) -> str | None:
    """The text with the function around a line made empty, or the statement; None where that is no help."""
    rows = text.split("\n")
    if line > len(rows):
        return None
    first = line - 1
    while first > 0 and not rows[first].lstrip().startswith(("def ", "type ")):
        first -= 1
        if rows[first][:1].strip() and not rows[first].startswith(("def ", "class ", "type ", "@")):
            break
    depth = len(rows[first]) - len(rows[first].lstrip())
    is_function = rows[first].lstrip().startswith("def ")
    last = first + 1
    while last < len(rows) and (not rows[last].strip() or len(rows[last]) - len(rows[last].lstrip()) > depth):
        last += 1
    if not first <= line - 1 < last:
        return None
    name = rows[first].lstrip()[4:].partition("(")[0].partition("[")[0] if is_function else ""
    rows[first] = " " * depth + (f"def {name}(*_args, **_keywords): raise SyntaxError" if name else "pass")
    rows[first + 1 : last] = [""] * (last - first - 1)
    cut = "\n".join(rows)
    return cut if cut != text else None


def _text(path: Path) -> str:
    if not path.is_file():
        raise SubjectError(say("doctor.no_path", given=repr(str(path))))
    if path.suffix not in (".py", ".ipynb"):
        raise SubjectError(say("doctor.suffix", path=path.name))
    if path.stat().st_size > LARGEST:
        raise SubjectError(say("doctor.too_large", path=path.name, size=path.stat().st_size // 1000))
    try:
        return path.read_text(encoding="utf-8-sig")
    except (UnicodeDecodeError, OSError) as error:
        raise SubjectError(say("doctor.unreadable", path=path.name, why=type(error).__name__)) from None


def _package(path: Path) -> tuple[str | None, Path]:
    """The package that a file is in, and the folder above it."""
    folder = path.resolve().parent
    parts: list[str] = []
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or None, folder


def seeds_by_hand(source: str, grad: str, folder: Path | None = None) -> bool:
    """Does the author set an output's gradient to 1 before the pass, outside of it?

    Then that is how the engine is meant to be used.  Examples often stand in a file beside it.
    """
    tree = ast.parse(source)
    passes = {plain(name) for name in BACKWARD}
    inside = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and (plain(node.name) in passes or node.name == "__init__")
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Assign)
            and id(node) not in inside
            and isinstance(node.value, ast.Constant)
            and node.value.value == 1
            and any(isinstance(one, ast.Attribute) and _is_grad(one.attr, grad) for one in node.targets)
        ):
            return True
    text = " ".join(
        ast.get_docstring(node) or ""
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Module))
    )
    if any(f".{name} = 1" in text for name in {grad, "grad", "gradient"} if name):
        return True
    by_hand = re.compile(rf"\.({'|'.join(filter(None, (grad, 'grad', 'gradient')))}) ?= ?1(\.0*)?\b")
    return folder is not None and any(by_hand.search(text) for text in _beside(folder))


def _beside(folder: Path) -> Iterator[str]:
    """The texts of the files beside an engine, as far as they are few and small."""
    files = [file for file in sorted(folder.glob("*")) if file.suffix in (".py", ".ipynb", ".md")]
    for file in files[:MOST_BESIDE]:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if file.stat().st_size < LARGEST // 4:
                yield file.read_text(encoding="utf-8")


def _is_grad(name: str, grad: str) -> bool:
    return name == grad or name in GRAD


def _imported(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom) and any((alias.asname or alias.name) == name for alias in node.names)
        for node in tree.body
    )


# ---- which class it is ----------------------------------------------------------------------------

_OPS = {plain(name) for names in METHODS.values() for name in names}
_DUNDERS = {*DUNDERS.values(), *REFLECTED.values()}
_ARITHMETIC = {"add", "sub", "mul", "div", "neg", "pow", "multiply", "subtract", "divide"}
_NAMES = {"value", "scalar", "var", "variable", "node", "tensor", "val", "number", "expr", "parameter"}


def _scores(tree: ast.Module) -> dict[str, float]:
    """How much each class looks like the values of an engine; 0 for one that does not."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {plain(node.name) for node in tree.body if isinstance(node, ast.FunctionDef)}
    free = len(functions & _ARITHMETIC)
    held = {name: _members(node, classes) for name, node in classes.items()}
    scores = {}
    for name, node in classes.items():
        defined = held[name]
        dunders = len(defined & _DUNDERS)
        ops = len({plain(member) for member in defined} & _OPS)
        back = bool({plain(member) for member in defined} & {plain(word) for word in BACKWARD})
        grad = _speaks_of_gradients(node, classes)
        score = 2.0 * dunders + ops + 3.0 * back + 3.0 * grad
        if not (dunders or ops >= 2 or (free >= 2 and "__init__" in defined)):
            score = 0.0
        elif plain(name) in _NAMES:
            score += 4.0
        if score and any(name in _bases(other) for other in classes.values()) and not dunders:
            score -= 2.0
        scores[name] = score if grad or back or free else min(score, 1.0)
    return scores


def _bases(node: ast.ClassDef) -> set[str]:
    return {base.id for base in node.bases if isinstance(base, ast.Name)}


def _members(node: ast.ClassDef, classes: dict[str, ast.ClassDef], depth: int = 0) -> set[str]:
    """The names that a class defines, those of its bases in the same file among them."""
    names = {inner.name for inner in node.body if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef))}
    names |= {
        target.id
        for inner in node.body
        if isinstance(inner, ast.Assign)
        for target in inner.targets
        if isinstance(target, ast.Name)
    }
    fields = [inner.target for inner in node.body if isinstance(inner, ast.AnnAssign)]
    if fields and node.decorator_list:  # a dataclass
        names |= {"__init__", *(field.id for field in fields if isinstance(field, ast.Name))}
    if depth < 5:
        for base in _bases(node) & classes.keys():
            names |= _members(classes[base], classes, depth + 1)
    return names


def _speaks_of_gradients(node: ast.ClassDef, classes: dict[str, ast.ClassDef]) -> bool:
    family = [node, *(classes[base] for base in _bases(node) & classes.keys())]
    return any(
        (inner.attr if isinstance(inner, ast.Attribute) else inner.id if isinstance(inner, ast.Name) else "")
        in GRAD[:10]
        for one in family
        for inner in ast.walk(one)
    )


# ---- a notebook -----------------------------------------------------------------------------------


def _notebook(path: Path, text: str, cell: int | None) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The code cells as one text; of a class that is defined several times, the definition that counts."""
    try:
        document = json.loads(text)
        cells = [
            (number, "".join(one["source"]) if isinstance(one["source"], list) else str(one["source"]))
            for number, one in enumerate(document["cells"])
            if one.get("cell_type") == "code"
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SubjectError(say("doctor.not_a_notebook", path=path.name)) from None
    parsed = []
    for number, source in cells:
        source = "\n".join(_without_magic(source))
        try:
            parsed.append((number, source, ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError):
            continue  # a cell for the notebook alone
    if cell is not None and cell not in {number for number, _, _ in parsed}:
        raise SubjectError(say("doctor.no_cell", cell=cell, path=path.name))
    chosen = _counting(parsed, cell)
    lines: list[str] = []
    starts = []
    for number, source, tree in parsed:
        starts.append((number, len(lines) + 1))
        rows = source.split("\n")
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and chosen.get(node.name, number) != number:
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                rows[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - first + 1)
        lines += rows
    return "\n".join(lines) + "\n", tuple(starts)


def _without_magic(source: str) -> Iterator[str]:
    for line in source.split("\n"):
        yield "pass  # " + line if line.startswith(("%", "!", "?")) else line


def _counting(parsed: Iterable[tuple[int, str, ast.Module]], cell: int | None) -> dict[str, int]:
    """For each class the cell whose definition counts: the fullest one, the last of equals."""
    best: dict[str, tuple[float, int]] = {}
    for number, _, tree in parsed:
        scores = _scores(tree)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                score = scores[node.name] + (1000.0 if number == cell else 0.0)
                if score >= best.get(node.name, (-1.0, 0))[0]:
                    best[node.name] = score, number
    return {name: number for name, (_, number) in best.items()}


# ---- a folder -------------------------------------------------------------------------------------


def _folder(path: Path, wanted: str) -> Subject:
    """The file of a folder that has the likeliest engine."""
    found: list[tuple[float, str, Path]] = []
    count = 0
    for file in _python_files(path):
        count += 1
        if count > MOST_FILES:
            break
        try:
            text = file.read_text(encoding="utf-8-sig")
            if file.suffix == ".ipynb":
                text, _ = _notebook(file, text, None)
            scores = _scores(ast.parse(text))
        except (SyntaxError, ValueError, OSError, RecursionError):
            continue
        for name, score in scores.items():
            if score >= 4.0 and (not wanted or name == wanted):
                found.append((score - (0.5 if file.suffix == ".ipynb" else 0.0), name, file))
    if not found:
        raise SubjectError(say("doctor.empty_folder", path=path.name or str(path)))
    found.sort(key=lambda row: (-row[0], len(row[2].parts), str(row[2])))
    best = found[0][2]
    subject = _file(best, wanted)
    others = tuple(f"{file}:{name}" for score, name, file in found if file != best and score >= 8.0)
    return Subject(**{**vars(subject), "others": others[:6]})


def _python_files(path: Path) -> Iterator[Path]:
    for file in sorted(path.rglob("*")):
        parts = file.relative_to(path).parts
        if any(part in SKIPPED or part.startswith(".") for part in parts[:-1]):
            continue
        if file.suffix in (".py", ".ipynb") and file.is_file() and not file.name.startswith(("test_", ".")):
            yield file
