"""A sheet as a notebook: the questions as text, the answers as calls such as answer("3", a=4, b=-4).

The notebook needs nothing installed: its first cell says what `answer` does, which is to repeat what it
was given.  Nobody runs a notebook that comes back; the calls are read.
"""

from __future__ import annotations

from json import dumps

from ...text.translation import say
from ..lesson_notebook import Cell, ipynb
from .sheet import Sheet
from .sheet_markdown import escape_markdown, image, prompt_markdown

__all__ = ["cells_notebook", "ending", "sheet_notebook"]

ending = ".ipynb"
_ANSWER = """def answer(question, **blanks):
    print(question, ", ".join(f"{name} = {value}" for name, value in blanks.items()))"""


def sheet_notebook(sheet: Sheet) -> str:
    """The whole sheet as the text of a notebook."""
    head = [
        f"# {escape_markdown(sheet.title)}",
        say("classroom.sheet.head", name=escape_markdown(sheet.learner.name), code=f"`{sheet.code}`"),
        say("classroom.sheet.notebook"),
    ]
    cells: list[tuple[str, str]] = [("markdown", "\n\n".join(head)), ("code", _ANSWER)]
    for item in sheet.items:
        parts = [f"## {say('classroom.question', number=item.number)}", *prompt_markdown(item.prompt)]
        if item.question.graph is not None:
            parts.append(image(item.question.graph))
        cells.append(("markdown", "\n\n".join(parts)))
        blanks = "".join(f", {blank}=..." for blank in item.prompt.blanks)
        cells.append(("code", f'answer("{item.number}"{blanks})'))
    return cells_notebook(cells, sheet.code)


def cells_notebook(cells: list[tuple[str, str]], code: str = "") -> str:
    """The cells, each a kind and a source, as the text of a notebook; a sheet's has its code inside."""
    document = ipynb([Cell(kind, source) for kind, source in cells])
    if code:
        document["metadata"] |= {"minigrad": {"sheet": code}}
    return dumps(document, indent=1, ensure_ascii=False) + "\n"
