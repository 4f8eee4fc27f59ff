"""Source of an engine: a file, a folder, a module or a notebook, as one text with the class that counts.

    subject_of("engine.py")            # the class is found
    subject_of("lesson.ipynb:Value")   # the cells that define it, with what they need
    subject_of("micrograd.engine")     # a module that could be imported

Everything here reads text and syntax trees; nothing of the subject is imported or run.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import re
import sys
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from ...errors import MinigradError
from ...text.escape import visible
from ...text.translation import say
from ..inside.op_spellings import BACKWARD, DUNDERS, GRAD, METHODS, REFLECTED, plain

__all__ = ["EngineSource", "SourcePlace", "SubjectError", "code_cells", "seeds_by_hand", "subject_of"]

LARGEST = 4_000_000  # bytes of one file
MOST_LEFT_OUT = 4  # places that this Python cannot read
MOST_FOLDERS = 4  # above a file, that may be packages
MOST_BESIDE = 40  # files that are looked through for an example of use
MOST_FILES = 5000  # of a folder
LARGEST_NOTEBOOK = 10 * LARGEST  # its outputs are in it
SKIPPED = {"test", "tests", "venv", ".venv", "env", "site-packages", "node_modules", "__pycache__", "build"}


Definition: TypeAlias = tuple[str, int]  # of a class that does not count: its name, and its line


class SubjectError(MinigradError, ValueError):
    """There is nothing here that can be examined; the message says why, and what to write."""


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
    unused: tuple[Definition, ...] = ()
    others: tuple[str, ...] = field(default=())  # engines that were found beside it

    def place(self, line: int) -> SourcePlace:
        """A line of the source as a line of what was written."""
        inside = [(cell, first) for cell, first in self.cells if first <= line]
        return SourcePlace(line - inside[-1][1] + 1, inside[-1][0]) if inside else SourcePlace(line)

    def elsewhere(self, name: str) -> list[SourcePlace]:
        """Where a notebook defines a class too: of several definitions one was examined."""
        return [self.place(line) for other, line in self.unused if other == name]

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
    unused: tuple[Definition, ...] = ()
    if path.suffix == ".ipynb":
        text, cells, unused = notebook(path, text, cell)
    tree, text, left_out, unreadable = parse_source(path, text)
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
    package, root = _package(path, tree)
    name = f"{package}.{path.stem}" if package else path.stem
    if path.stem == "__init__" and package:
        name = package
    if not name.replace(".", "").isidentifier() or name in sys.stdlib_module_names:
        name = "examined_" + "".join(c if c.isalnum() else "_" for c in path.stem)
    search = (str(root), str(path.resolve().parent))
    own = tuple(classes[:4])
    return EngineSource(
        path.resolve(), text, own, name, package, search, cells, left_out=left_out, unused=unused
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
    except (LookupError, ValueError, SyntaxError, OSError) as error:  # a cookie may also name rot13 or base64
        raise SubjectError(say("doctor.unreadable", path=path.name, why=type(error).__name__)) from None


def _package(path: Path, tree: ast.Module) -> tuple[str | None, Path]:
    """The package that a file is in, and the folder above it.

    A folder without an __init__.py is one too, if the file imports from it as from a package.
    """
    folder = path.resolve().parent
    parts: list[str] = []
    while (folder / "__init__.py").is_file() and folder.name.isidentifier():
        parts.insert(0, folder.name)
        folder = folder.parent
    above, names = _imported_from(tree)
    around = [path.resolve().parent, *path.resolve().parent.parents][:MOST_FOLDERS]
    depth = max([above, *(i + 1 for i, one in enumerate(around) if one.name in names)])
    if depth > len(parts) and all(one.name.isidentifier() for one in around[:depth]):
        parts, folder = [one.name for one in around[:depth][::-1]], around[depth - 1].parent
    return ".".join(parts) or None, folder


def _imported_from(tree: ast.Module) -> tuple[int, set[str]]:
    """How many folders up a file imports from, and the libraries that it imports."""
    above, names = 0, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = max(above, node.level)
            if not node.level and node.module and "." in node.module:
                names.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names if "." in alias.name}
    return above, names


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
                text, _, _ = notebook(file, text, None)
            scores = scores_of(parse_source(file, text)[0])
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


# ---- a notebook -----------------------------------------------------------------------------------


def notebook(
    path: Path, text: str, cell: int | None
) -> tuple[str, tuple[tuple[int, int], ...], tuple[Definition, ...]]:
    """The code cells as one text; of a class that is defined several times, the definition that counts.

    Then where each cell begins, and the definitions that do not count.
    """
    try:
        cells = code_cells(text)
    except ValueError:
        raise SubjectError(say("doctor.not_a_notebook", path=path.name)) from None
    parsed = []
    for number, source in cells:
        try:
            parsed.append((number, source, ast.parse(source)))
        except (SyntaxError, ValueError, RecursionError):
            continue  # a cell for the notebook alone
    if cell is not None and cell not in {number for number, _, _ in parsed}:
        raise SubjectError(say("doctor.no_cell", cell=cell, path=path.name))
    chosen = _counting(parsed, cell)
    if cell is not None and cell not in chosen.values():
        others = ", ".join(map(str, sorted(set(chosen.values()))))
        code = "doctor.cell_without_class" if others else "doctor.no_class_in_cells"
        raise SubjectError(say(code, cell=cell, path=path.name, others=others))
    lines: list[str] = []
    starts, unused = [], list[Definition]()
    for number, source, tree in parsed:
        starts.append((number, len(lines) + 1))
        rows = source.split("\n")
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and chosen.get(node.name, number) != number:
                unused.append((node.name, len(lines) + node.lineno))
                first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
                rows[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - first + 1)
        lines += rows
    return "\n".join(lines) + "\n", tuple(starts), tuple(unused)


def code_cells(text: str) -> list[tuple[int, str]]:
    """The number of each code cell of a notebook, and its code as it is parsed; ValueError if it is none.

    A source is a text or a list of texts; anything else would be code of a size that nobody has counted.
    """
    try:
        cells = [
            (number, one["source"])
            for number, one in enumerate(json.loads(text)["cells"])
            if one.get("cell_type") == "code"
        ]
        sources = [source if isinstance(source, list) else [source] for _, source in cells]
        if not all(isinstance(piece, str) for source in sources for piece in source):
            raise ValueError("a source that is no text")
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("no notebook") from error
    return [
        (number, "\n".join(_without_magic("".join(source))))
        for (number, _), source in zip(cells, sources, strict=True)
    ]


def _without_magic(source: str) -> Iterator[str]:
    for line in source.split("\n"):
        yield "pass  # " + line if line.startswith(("%", "!", "?")) else line


def _counting(parsed: Iterable[tuple[int, str, ast.Module]], cell: int | None) -> dict[str, int]:
    """For each class the cell whose definition counts: the fullest one, the last of equals."""
    best: dict[str, tuple[float, int]] = {}
    for number, _, tree in parsed:
        scores = scores_of(tree)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                score = scores[node.name] + (1000.0 if number == cell else 0.0)
                if score >= best.get(node.name, (-1.0, 0))[0]:
                    best[node.name] = score, number
    return {name: number for name, (_, number) in best.items()}


# ---- syntax that this Python cannot read ----------------------------------------------------------


def parse_source(path: Path, text: str) -> tuple[ast.Module, str, tuple[int, ...], str]:
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
    if rows[line - 1].lstrip().startswith(("%", "!")):  # a notebook's magic, in a file
        rows[line - 1] = rows[line - 1][: len(rows[line - 1]) - len(rows[line - 1].lstrip())] + "pass"
        return "\n".join(rows)
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


# ---- the class of an engine, by syntax alone ------------------------------------------------------


_OPS = {plain(name) for names in METHODS.values() for name in names}
_DUNDERS = {*DUNDERS.values(), *REFLECTED.values()}
_ARITHMETIC = {"add", "sub", "mul", "div", "neg", "pow", "multiply", "subtract", "divide"}
_NAMES = {
    "value": 8.0, "scalar": 8.0, "val": 8.0, "var": 6.0, "variable": 6.0, "number": 6.0,
    "node": 4.0, "expr": 4.0, "parameter": 2.0, "tensor": 2.0,
}  # fmt: skip


def scores_of(tree: ast.Module) -> dict[str, float]:
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
        else:
            score += _NAMES.get(plain(name), 0.0)
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


# ---- how its author uses it -----------------------------------------------------------------------


def seeds_by_hand(source: str, grad: str, path: Path | None = None) -> bool:
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
    names = "|".join(map(re.escape, filter(None, (grad, "grad", "gradient"))))
    by_hand = re.compile(rf"^[^#\n]*\b(?!self\b)\w+\.({names}) ?= ?1(\.0*)?\b", re.MULTILINE)
    return path is not None and any(by_hand.search(text) for text in _users_of(path))


def _users_of(path: Path) -> Iterator[str]:
    """The texts of files beside an engine that import it, as far as they are few and small."""
    files = [f for f in sorted(path.parent.glob("*")) if f.suffix in (".py", ".ipynb") and f != path]
    imports = re.compile(
        rf"\bimport\b.*\b{re.escape(path.stem)}\b|\bfrom\b.*\b{re.escape(path.stem)}\b +import"
    )
    for file in files[:MOST_BESIDE]:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if not file.is_file() or file.stat().st_size >= LARGEST // 4:  # a named pipe would be waited for
                continue
            text = file.read_text(encoding="utf-8")
            if imports.search(text):
                yield text.replace("\\n", "\n")  # in a notebook the lines are JSON


def _is_grad(name: str, grad: str) -> bool:
    return name == grad or name in GRAD
