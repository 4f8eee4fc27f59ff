"""A sheet as one HTML page: to print on paper, or to fill in and save as a small file of answers.

The page holds its own style and script and loads nothing.  What is typed is also kept in the page's
attributes, so that a page that a browser saves holds it too.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from ...graph import Graph
from ...player.page import embed_json, framed, stylesheet
from ...text.translation import language, say
from ..blank_drawing import blank_drawing
from ..lesson_html import inline
from ..questions import Prompt
from .sheet import Sheet, SheetItem
from .sheet_markdown import label

__all__ = ["document", "drawing", "ending", "marks_html", "prompt_html", "sheet_html"]

ending = ".html"
SCHEMA = "minigrad.answers/1"
_HERE = Path(__file__).parent


def sheet_html(sheet: Sheet) -> str:
    """The whole sheet as a page, with the script that saves what is typed."""
    body = [
        f"<header><h1>{escape(sheet.title)}</h1>",
        f'<p class="whose"><strong dir="auto">{escape(sheet.learner.name)}</strong>'
        f" <span>{escape(say('classroom.sheet.code'))} <code>{sheet.code}</code></span></p>",
        f'<p class="how">{marks_html(say("classroom.sheet.page"))}</p></header>',
        *(_question(item) for item in sheet.items),
        f'<footer class="save"><button type="button" id="save">{escape(say("classroom.save"))}</button>'
        f'<p id="saved" role="status" data-done="{escape(say("classroom.saved"))}"></p></footer>',
    ]
    data = {"schema": SCHEMA, "sheet": sheet.code, "file": f"{sheet.learner.slug}.answers.json"}
    return document(sheet.title, "\n".join(body), data)


def document(title: str, body: str, data: dict[str, str] | None = None) -> str:
    """A page of its own; with `data` it has the script that keeps what is typed."""
    style = stylesheet() + _file("sheet.css")
    script = _file("sheet.js") if data is not None else ""
    whole = f"<main>\n{body}\n</main>"
    if data is not None:
        whole += f'\n<script type="application/json" id="sheet">{embed_json(data)}</script>'
    return framed(title, whole, script, style, language=language(), look="sheet")


@cache
def _file(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _question(item: SheetItem) -> str:
    drawn = drawing(item.question.graph) if item.question.graph is not None else ""
    return (
        f'<section data-question="{item.number}">\n'
        f"<h2>{escape(say('classroom.question', number=item.number))}</h2>\n"
        f"{prompt_html(item.prompt, item.number, drawn)}\n{_blanks(item)}</section>"
    )


def drawing(graph: Graph) -> str:
    """The empty graph, in letters as large as those around it."""
    drawn = blank_drawing(graph)
    size = f'width="{0.85 * drawn.width:.0f}" height="{0.85 * drawn.height:.0f}"'
    return drawn.inline("graph").replace("<svg ", f"<svg {size} ", 1)


def prompt_html(prompt: Prompt, number: int = 0, drawn: str = "") -> str:
    """What is asked, with a drawing beside the statements; choices can be chosen if it has a number."""
    parts = [f"<p>{marks_html(text)}</p>" for text in prompt.paragraphs]
    statements = f"<pre>{escape(prompt.statements)}</pre>" if prompt.statements else ""
    if statements or drawn:
        parts.append(f'<div class="given">{statements}{drawn}</div>' if drawn else statements)
    if prompt.table:
        head, *rows = prompt.table
        cells = "".join(f"<th>{marks_html(cell)}</th>" for cell in head)
        lines = "".join(f"<tr>{''.join(f'<td>{marks_html(cell)}</td>' for cell in row)}</tr>" for row in rows)
        parts.append(f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>")
    if prompt.choices:
        rows_of = []
        for choice in prompt.choices:
            radio = (
                f'<input type="radio" name="q{number}" value="{escape(choice.letter)}" data-blank="choice"> '
            )
            rows_of.append(
                f"<li><label>{radio if number else ''}<b>{escape(choice.letter)})</b> "
                f"<span>{marks_html(choice.words)}</span></label></li>"
            )
        parts.append(f'<ul class="choices">{"".join(rows_of)}</ul>')
    return "\n".join(parts)


def _blanks(item: SheetItem) -> str:
    prompt = item.prompt
    if prompt.choices:
        return ""
    fields = "".join(
        f'<label><span>{escape(label(blank))} =</span> <input type="text" data-blank="{escape(blank)}" '
        'autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="300"></label>'
        for blank in prompt.blanks
    )
    wide = " wide" if "expression" in prompt.blanks else ""
    hint = say("classroom.example", example=f"`{prompt.example}`") if wide and prompt.example else ""
    return f'<div class="blanks{wide}">{fields}</div>' + (
        f'<p class="hint">{marks_html(hint)}</p>' if hint else ""
    )


def marks_html(text: str) -> str:
    """A text with the marks of a lesson, as HTML; a link is its words, for a sheet has no network."""
    return inline(text, links=False)
