"""The frame of a page about training: one HTML file in the look of the house, which loads nothing.

    page_of("moons", "<h1>moons</h1>" + curve.draw(series).inline("curve"))

A policy in the page forbids everything but its one script and its one style sheet, as in the page of the
player.  `body` is markup: what a user wrote is escaped before it gets here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ..drawing.chart import chart_rules
from ..player.page import framed, stylesheet
from ..text.translation import language as spoken

__all__ = ["file_of", "page_of"]

_HERE = Path(__file__).parent
TITLE = 120  # characters


def page_of(
    title: str, body: str, script: str = "", style: str = "", language: str = "", head: str = ""
) -> str:
    """A page with this markup inside its main element, always the same bytes."""
    look, whole = f"{_look()}\n{style}", f'<main class="sheet">\n{body}\n</main>'
    return framed(
        title[:TITLE], whole, script, look,
        language=language or spoken(), look="sheet-page", head=head,
    )  # fmt: skip


@cache
def _look() -> str:
    return f"{stylesheet()}\n{chart_rules()}\n{(_HERE / 'sheet.css').read_text(encoding='utf-8')}"


@cache
def file_of(name: str) -> str:
    """A script or a style sheet of this room."""
    return (_HERE / name).read_text(encoding="utf-8")
