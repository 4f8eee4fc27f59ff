"""A sheet as Markdown: to print and fill in by hand, or to fill in with an editor and send back.

The answers of question 3 stand in a fence of their own, ```answers 3, a line per blank.  That is all that is
read of a returned sheet; whatever else a learner writes down is theirs.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from re import findall, sub

from ...graph import Graph
from ...text.translation import say
from ..blank_drawing import blank_drawing
from ..lesson_markdown import prompt_parts
from ..questions import Prompt
from .sheet import Sheet, SheetItem

__all__ = [
    "BLANK",
    "ending",
    "escape_markdown",
    "expected_pieces",
    "image",
    "image_data",
    "label",
    "prompt_markdown",
    "sheet_markdown",
    "strip_marks",
]  # fmt: skip

ending = ".md"
BLANK = "____"


def sheet_markdown(sheet: Sheet) -> str:
    """The whole sheet; drawings stand at the end as data, so that the rest can be edited."""
    parts = [
        f"<!-- minigrad sheet {sheet.code} -->",
        f"# {escape_markdown(sheet.title)}",
        say("classroom.sheet.head", name=escape_markdown(sheet.learner.name), code=f"`{sheet.code}`"),
        say("classroom.sheet.paper", blank=BLANK),
    ]
    drawings = []
    for item in sheet.items:
        parts.append(f"## {say('classroom.question', number=item.number)}")
        parts += prompt_markdown(item.prompt)
        if item.question.graph is not None:
            name = f"graph-{item.number}"
            parts.append(f"![{_alt(item.question.graph)}][{name}]")
            drawings.append(f"[{name}]: <{image_data(item.question.graph)}>")
        lines = "\n".join(f"{label(blank)} = {BLANK}" for blank in item.prompt.blanks)
        parts.append(f"```answers {item.number}\n{lines}\n```")
    return "\n\n".join([*parts, *drawings]) + "\n"


def prompt_markdown(prompt: Prompt) -> Iterator[str]:
    """What is asked, as paragraphs of Markdown, and how an expression is written."""
    yield from prompt_parts(prompt)
    if prompt.example and "expression" in prompt.blanks:  # other blanks stand there by name
        yield say("classroom.example", example=f"`{prompt.example}`")


def label(blank: str) -> str:
    """What stands before a blank: its name, or that an answer belongs there."""
    return say("classroom.answer") if blank in ("choice", "expression") else blank


def escape_markdown(text: str) -> str:
    """A text that is text in Markdown, whatever it holds."""
    return sub(r"([\\`*_{}\[\]<>()#+!|~&-])", r"\\\1", text)


def image(graph: Graph) -> str:
    """The empty graph as an image with its data inside: a notebook lets no other markup through."""
    return f"![{_alt(graph)}]({image_data(graph)})"


def image_data(graph: Graph) -> str:
    """The empty graph as an address that holds the drawing itself."""
    return f"data:image/svg+xml;base64,{b64encode(blank_drawing(graph).svg('light').encode()).decode()}"


def _alt(graph: Graph) -> str:
    return sub(r"[\[\]\n]", " ", blank_drawing(graph).words)


def expected_pieces(item: SheetItem) -> list[str]:
    """The pieces of a question that a returned sheet must still have, each as `strip_marks` leaves it.

    Those are what it gives: another version of minigrad may have worded it in another way.
    """
    prompt = item.prompt
    texts = [*prompt.paragraphs, *(choice.words for choice in prompt.choices)]
    code = (piece for text in texts for piece in findall(r"`([^`]+)`", text))
    pieces = [*code, *prompt.statements.splitlines(), *(" ".join(row) for row in prompt.table)]
    return [piece for piece in map(strip_marks, pieces) if piece]


def strip_marks(text: str) -> str:
    """A text without its spaces and marks, which every form writes in its own way."""
    return sub(r"[\s`*_|\\]", "", sub(r"\[([^\[\]]+)\]\([^()\s]+\)", r"\1", text))
