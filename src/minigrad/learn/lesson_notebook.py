"""A unit as a notebook: text, live code, and a checkpoint that is judged in place and gives nothing away.

    cells(unit)        the cells
    percent(unit)      as a script in jupytext's percent format
    ipynb(cells)       as a notebook, nbformat 4.5, always the same bytes

`python -m minigrad.learn.lesson_notebook notebooks` writes notebooks/{en,es}/NN-slug.py for the course, and
beside a script that is written by hand its .ipynb, with what its cells print.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from json import dumps
from pathlib import Path
from re import split, sub
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..text.files import write_whole
from ..text.translation import LANGUAGES, say, speaking
from .lesson import Block, Code, LabWork, LessonCheckpoint, Picture, Stage, Unit
from .lesson_context import LessonContext
from .lesson_markdown import block_markdown, words
from .questions import Question

__all__ = ["Cell", "cells", "cells_of", "ipynb", "percent", "script", "text"]

_HEAD = """# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#       format_version: '1.3'
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---
"""
SHOWN = "_shown"  # what the last line of a cell is worth
_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


class Cell(NamedTuple):
    """One cell of a notebook."""

    kind: str  # markdown or code
    source: str


# ---- from a unit --------------------------------------------------------------------------------


def cells(unit: Unit) -> list[Cell]:
    """The cells of a unit: prose is gathered, whatever can be run is a cell of its own."""
    with speaking(unit.language):
        return list(_gathered(_cells(unit)))


def _cells(unit: Unit) -> Iterator[Cell]:
    about = say("course.about", number=unit.number, minutes=unit.minutes)
    yield Cell("markdown", f"# {words(unit.title)}\n\n> {words(unit.idea)}\n\n{about}")
    yield Cell("code", _setup(unit.language))
    asked = 0
    for block in unit.blocks:
        if isinstance(block, LessonCheckpoint):
            for question in block.questions:
                asked += 1
                yield from _question(question, asked)
        else:
            yield from _of_block(block)


def _setup(lang: str) -> str:
    speak = "" if lang == "en" else f'import os\n\nos.environ["MINIGRAD_LANG"] = "{lang}"\n\n'
    return (
        f"{speak}from minigrad import Value, explain\n"
        "from minigrad.faults import lab\n"
        "from minigrad.learn import check, command, picture, question, reveal"
    )


def _of_block(block: Block) -> Iterator[Cell]:
    if isinstance(block, Stage) and not block.asked:
        yield Cell("code", f'graph = """\n{block.text}\n"""\nexplain(graph)')
    elif isinstance(block, Picture):
        if block.caption:
            yield Cell("markdown", words(block.caption))
        node = f', "{block.node}"' if block.node else ""
        yield Cell("code", f'picture(graph, "{block.view}"{node})')
    elif isinstance(block, LabWork):
        yield from _lab(block)
    elif isinstance(block, Code) and block.run and block.language == "python":
        yield Cell("code", block.text)
    elif isinstance(block, Code) and block.run and block.language == "console":
        yield Cell("code", f"command({_literal(block.text.removeprefix('$ '))})")
    elif isinstance(block, Stage):
        yield Cell("code", f'graph = """\n{block.text}\n"""')
    else:
        yield Cell("markdown", block_markdown(block))


def _lab(block: LabWork) -> Iterator[Cell]:
    if block.lead:
        yield Cell("markdown", words(block.lead))
    variant = f", variant={_literal(block.lab.variant)}" if block.lab.variant else ""
    yield Cell("code", f'lab(graph, "{block.lab.fault.slug}"{variant})')


def _literal(line: str) -> str:
    """A text as Python writes it, in double quotes where that needs no escape."""
    plain = line.replace("\\\n", "")
    return f'"{plain}"' if '"' not in plain and "\\" not in plain else repr(plain)


def _question(question: Question, number: int) -> Iterator[Cell]:
    """The question, and a cell to answer in, which says nothing until the blanks are filled."""
    blanks = question.ask().blanks
    only = blanks in (("choice",), ("expression",))
    answer = "..." if only else ", ".join(f"{blank}=..." for blank in blanks)
    if not all(blank.isidentifier() for blank in blanks):
        answer = f"**{{{', '.join(f'{blank!r}: ...' for blank in blanks)}}}"
    yield Cell("markdown", f"### {say('course.question', number=number)}")
    yield Cell("code", f'q{number} = question("{question.key}")\nq{number}')
    yield Cell("code", f"check(q{number}, {answer})  # {say('course.notebook.answer')}")
    yield Cell("code", f"# reveal(q{number})  # {say('course.notebook.reveal')}")


def _gathered(found: Iterable[Cell]) -> Iterator[Cell]:
    """Markdown cells in a row as one, up to the next heading."""
    prose: list[str] = []
    for cell in found:
        if cell.kind == "markdown" and not (prose and cell.source.startswith("#")):
            prose.append(cell.source)
            continue
        if prose:
            yield Cell("markdown", "\n\n".join(prose))
        prose = [cell.source] if cell.kind == "markdown" else []
        if cell.kind == "code":
            yield cell
    if prose:
        yield Cell("markdown", "\n\n".join(prose))


# ---- to files -----------------------------------------------------------------------------------


def percent(unit: Unit) -> str:
    """A unit as a script in the percent format."""
    return script(cells(unit))


def script(found: Sequence[Cell]) -> str:
    """Cells as a script in the percent format."""
    parts = [_HEAD]
    for cell in found:
        if cell.kind == "markdown":
            prose = sub(r"(?m)^(?=%%)", r"\\", cell.source)  # the format would take that for a new cell
            body = "\n".join(f"# {line}".rstrip() for line in prose.split("\n"))
            parts.append(f"# %% [markdown]\n{body}\n")
        else:
            parts.append(f"# %%\n{cell.source}\n")
    return "\n".join(parts)


def cells_of(source: str) -> list[Cell]:
    """The cells of a script in the percent format, such as `script` writes."""
    found = []
    for part in split(r"(?m)^# %%", source)[1:]:
        mark, _, body = part.partition("\n")
        kind = "markdown" if mark.strip() == "[markdown]" else "code"
        if kind == "markdown":
            body = "\n".join(
                line.removeprefix("#").removeprefix(" ") for line in body.strip("\n").split("\n")
            )
        found.append(Cell(kind, body.strip("\n")))
    return found


def ipynb(found: Sequence[Cell], outputs: Mapping[int, Output] | None = None) -> dict[str, Any]:
    """Cells as a notebook, with what they print, by place; an id is made of a cell's place and text."""
    return {
        "cells": [_json(cell, i, (outputs or {}).get(i)) for i, cell in enumerate(found)],
        "metadata": {"kernelspec": _KERNEL, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _json(cell: Cell, place: int, output: Output | None) -> dict[str, object]:
    digest = blake2b(f"{place} {cell.source}".encode(), digest_size=4).hexdigest()
    row: dict[str, object] = {"cell_type": cell.kind, "id": f"{place:03}-{digest}", "metadata": {}}
    if cell.kind == "code":
        row |= {"execution_count": None, "outputs": output.rows() if output else []}
    return row | {"source": cell.source.splitlines(keepends=True)}


def text(found: Sequence[Cell], outputs: Mapping[int, Output] | None = None) -> str:
    """A notebook as the text of its file."""
    return dumps(ipynb(found, outputs), indent=1, ensure_ascii=False, sort_keys=True) + "\n"


# ---- what cells print ---------------------------------------------------------------------------


class Output(NamedTuple):
    """What a cell printed and showed: text, and a drawing; a player is too large to keep."""

    printed: str
    shown: str
    drawing: str

    def rows(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        if self.printed:
            lines = self.printed.splitlines(keepends=True)
            found.append({"name": "stdout", "output_type": "stream", "text": lines})
        if self.shown:
            data: dict[str, object] = {"text/plain": self.shown.splitlines(keepends=True)}
            if self.drawing:
                data["image/svg+xml"] = self.drawing.splitlines(keepends=True)
            head: dict[str, object] = {"output_type": "execute_result", "execution_count": None}
            found.append({**head, "metadata": {}, "data": data})
        return found


def outputs_of(found: Sequence[Cell]) -> dict[int, Output]:
    """Run the code of a notebook from top to bottom, in an empty folder, and keep what it prints."""
    context = LessonContext()
    kept, here, environment = {}, Path.cwd(), dict(os.environ)
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for place, cell in enumerate(found):
                if cell.kind == "code":
                    kept[place] = _run(cell.source, context)
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(environment)
    return kept


def _run(source: str, context: LessonContext) -> Output:
    """What a cell prints, and the value of its last line."""
    tree = ast.parse(source)
    context.names[SHOWN] = None
    if tree.body and isinstance(last := tree.body[-1], ast.Expr):
        shown = ast.Assign([ast.Name(SHOWN, ast.Store())], last.value)
        tree.body[-1] = ast.copy_location(ast.fix_missing_locations(shown), last)
    printed = context.python(ast.unparse(tree), "<cell>")
    value = context.names[SHOWN]
    drawing = getattr(value, "_repr_svg_", lambda: "")() if value is not None else ""
    return Output(printed, "" if value is None else repr(value), drawing or "")


# ---- files --------------------------------------------------------------------------------------


def sources() -> dict[str, str]:
    """Every unit in every language as a script, by its path."""
    from .course import SLUGS, unit

    return {
        f"{lang}/{number:02}-{slug}.py": percent(unit(number, lang))
        for lang in LANGUAGES
        for number, slug in enumerate(SLUGS, 1)
    }


def notebook_files(folder: Path) -> dict[Path, str]:
    """All that is computed in a folder of notebooks: the units, and the .ipynb of what is written by hand.

    The latter is run, and should find PyTorch: what it prints without is another text.
    """
    found = {folder / name: source for name, source in sources().items()}
    for path in sorted(folder.glob("*/*.py")):
        if path not in found:
            written = cells_of(path.read_text(encoding="utf-8"))
            found[path.with_suffix(".ipynb")] = text(written, outputs_of(written))
    return found


def main(folder: str) -> None:
    for path, source in notebook_files(Path(folder)).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != source:
            write_whole(path, source)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "notebooks")
