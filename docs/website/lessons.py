"""The course as pages: one per unit, from the same blocks as everywhere else.

A graph has its player below it, a lab has one with both passes; each is a file of its own in a frame, which
is loaded when it comes into view.  A checkpoint is a form: the page knows the right answer and what to say
about the mistakes that can be foreseen, and without a script the answer stands in a `details`.
"""

from __future__ import annotations

from html import escape

from minigrad.drawing import DRAWINGS, draw
from minigrad.explanation.explanation import Explanation
from minigrad.learn import lesson_html
from minigrad.learn.course import SLUGS, titles, unit
from minigrad.learn.lesson import Block, LabWork, LessonCheckpoint, Picture, Stage, Unit
from minigrad.learn.lesson_markdown import block_markdown, markdown, words
from minigrad.text.translation import say

from .markdown import code, pictured, raw, table
from .staging import Book

__all__ = ["add_course", "page_of"]

FOLDER = "course"


def page_of(slug: str) -> str:
    """The name of a unit's page."""
    return f"{FOLDER}/{SLUGS.index(slug) + 1:02}-{slug}"


def add_course(book: Book) -> None:
    """The index and a page for each unit, in the language in use."""
    rows = []
    for number, slug, title, idea, minutes in titles():
        name = page_of(slug).rpartition("/")[2]
        rows.append([str(number), f"[{words(title)}]({name}.md)", words(idea), str(minutes)])
    head = [
        say("site.course.unit"),
        say("site.course.title"),
        say("site.course.idea"),
        say("site.course.minutes"),
    ]
    names = "\n".join(page_of(slug).rpartition("/")[2] for slug in SLUGS)
    book.pages[f"{FOLDER}/index"] = (
        f"# {say('site.course')}\n\n{say('site.course.about')}\n\n{table(head, rows, numbers=[0, 3])}\n"
        f"```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    )
    for slug in SLUGS:
        book.pages[page_of(slug)] = _page(book, unit(slug))


def _page(book: Book, found: Unit) -> str:
    players = 0

    def own(block: Block) -> str | None:
        nonlocal players
        if isinstance(block, Picture) and block.view in DRAWINGS:
            return _picture(block)
        if isinstance(block, LessonCheckpoint):
            return raw(f'<div class="lesson">\n{lesson_html.html(block)}</div>')
        if isinstance(block, Stage):
            if block.asked:
                return None
            players += 1
            shown = Explanation(block.trace).to_html()
            frame = _player(book, found, players, shown, say("site.course.player"))
            return f"{block_markdown(block)}\n\n{frame}"
        if isinstance(block, LabWork):
            players += 1
            frame = _player(book, found, players, block.lab.to_html(), say("site.course.player.both"))
            before, _, _ = block_markdown(block).rpartition("</details>")
            return f"{before.rstrip()}\n\n{frame}\n</details>"
        return None

    resume = f"minigrad learn {found.number}" + (" --lang es" if found.language == "es" else "")
    return markdown(found, own) + "\n" + say("site.course.resume", command=code(resume)) + "\n"


def _picture(block: Picture) -> str:
    graph = block.trace.graph
    node = graph.index(block.node) if block.node else None
    caption = lesson_html.inline(block.caption) if block.caption else ""
    return pictured(draw(block.view, block.trace, node=node), block.view, caption)


def _player(book: Book, found: Unit, number: int, page: str, words: str) -> str:
    """A frame with a player, and the way to have it alone."""
    name = f"players/{found.number:02}-{found.slug}-{number}.html"
    book.assets[name] = page
    alone = escape(say("site.course.alone"))
    about, kind = escape(words), " both" if words == say("site.course.player.both") else ""
    return raw(
        f'<figure class="player-frame{kind}"><iframe src="../{name}" loading="lazy" title="{about}"></iframe>'
        f'<figcaption>{about} · <a href="../{name}">{alone}</a></figcaption></figure>'
    )
