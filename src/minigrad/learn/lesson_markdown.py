"""A unit as Markdown: readable as it stands, on a code host and on the site.

    markdown(unit)
    markdown(unit, own=lambda block: ...)     # a page's own Markdown for some blocks; None for the usual

What only a page can show is text here: a picture is the text that says the same, and the answers of a
checkpoint are inside `details`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import singledispatch
from re import compile as pattern
from re import findall, sub

from ..faults.lab_report_text import BEFORE_THE_RUN
from ..text.page import Page
from ..text.translation import say, speaking
from .inline_marks import InlineMark, marks
from .lesson import (
    Block,
    Code,
    Heading,
    Items,
    LabWork,
    LessonCheckpoint,
    Paragraph,
    Picture,
    Stage,
    Table,
    Unit,
    aftermath,
)  # fmt: skip
from .lesson_text import lab_sections, lines
from .questions import Prompt, Question

__all__ = ["block_markdown", "fence", "markdown", "prompt_parts", "words"]

# A star between spaces is a product, and a stroke inside a word is part of a name.
_ESCAPED = pattern(r"[\\<\[`]|(?<! )\*|\*(?! )|(?<!\w)_|_(?!\w)")
_BACKSLASH = r"\\\g<0>"
_END = "</details>"
Own = Callable[[Block], str | None]


def markdown(unit: Unit, own: Own | None = None) -> str:
    """The whole unit, from its title on."""
    with speaking(unit.language):
        about = say("course.about", number=unit.number, minutes=unit.minutes)
        parts = [f"# {words(unit.title)}", f"> {words(unit.idea)}", about]
        behind = aftermath(unit)
        for place, block in enumerate(unit.blocks):
            mine = own(block) if own else None
            shown = block_markdown(block) if mine is None else mine.strip("\n")
            if place in behind:
                parts[-1] = f"{parts[-1].removesuffix(_END).rstrip()}\n\n{shown}\n\n{_END}"
            else:
                parts.append(shown)
    return "\n\n".join(parts) + "\n"


def block_markdown(block: Block) -> str:
    """One block, without a line break at its end."""
    return _markdown(block)


def words(text: str) -> str:
    """A text with its marks; what Markdown would take for markup of its own is escaped."""
    return "".join(map(_mark, marks(text)))


def _mark(mark: InlineMark) -> str:
    if mark.inside:
        shown = "".join(map(_mark, mark.inside))  # marks around the whole: **a `b`**, never **a **`b`
        around = {"strong": "**", "emphasis": "*"}.get(mark.kind, "")
        return f"[{shown}]({mark.address})" if mark.kind == "link" else f"{around}{shown}{around}"
    text = sub(r"\s", " ", mark.text)
    return f"`{text}`" if mark.kind == "code" else _ESCAPED.sub(_BACKSLASH, text)


def fence(text: str, kind: str = "text") -> str:
    """Text inside a fence that it cannot end."""
    marks = "`" * max(3, 1 + max(map(len, findall("`+", text)), default=0))
    return f"{marks}{kind}\n{text}\n{marks}"


@singledispatch
def _markdown(block: object) -> str:
    raise TypeError(type(block).__name__)


@_markdown.register
def _(block: Paragraph) -> str:
    return sub(r"^([>+-]|\d+\.)", r"\\\1", words(block.text))


@_markdown.register
def _(block: Heading) -> str:
    return f"{'#' * block.level} {words(block.text)}"


@_markdown.register
def _(block: Items) -> str:
    return "\n".join(
        f"{f'{i}.' if block.numbered else '*'} {words(item)}" for i, item in enumerate(block.items, 1)
    )


@_markdown.register
def _(block: Table) -> str:
    rows = [[words(cell).replace("|", "\\|") for cell in row] for row in (block.head, *block.rows)]
    written = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([written[0], "|" + "---|" * len(block.head), *written[1:]])


@_markdown.register
def _(block: Code) -> str:
    shown = fence(block.text, block.language)
    return f"{shown}\n\n{fence(block.output.rstrip())}" if block.output.strip() else shown


@_markdown.register
def _(block: Stage) -> str:
    return fence(block.text)


@_markdown.register
def _(block: Picture) -> str:
    told = lines(Picture(block.view, block.node, block.trace), Page())
    shown = fence("\n".join(line.removeprefix("  ") for line in told))
    return f"{shown}\n\n{words(block.caption)}" if block.caption else shown


@_markdown.register
def _(block: LabWork) -> str:
    kinds = {say("lab.section.change"): "diff"}
    parts = []
    for title, found, prose in lab_sections(block.lab):
        body = "\n".join(line.removeprefix("  ") for line in found)
        if prose:
            body = "\n".join(f"* {_ESCAPED.sub(_BACKSLASH, line.strip())}" for line in found)
        parts.append(f"**{title}**\n\n{body if prose else fence(body, kinds.get(title, 'text'))}")
    before, after = parts[:BEFORE_THE_RUN], parts[BEFORE_THE_RUN:]
    return "\n\n".join(
        [*([words(block.lead)] if block.lead else []), *before, details(say("course.lab.run"), after)]
    )


def details(summary: str, parts: list[str]) -> str:
    inside = "\n\n".join(parts)
    return f"<details><summary>{summary}</summary>\n\n{inside}\n\n{_END}"


# ---- questions ----------------------------------------------------------------------------------


@_markdown.register
def _(block: LessonCheckpoint) -> str:
    return "\n\n".join(_question(question, i) for i, question in enumerate(block.questions, 1))


def _question(question: Question, number: int) -> str:
    revealed = [words(text) for text in question.reveal()]
    title = f"**{say('course.question', number=number)}**"
    return "\n\n".join([title, *prompt_parts(question.ask()), details(say("course.reveal"), revealed)])


def prompt_parts(prompt: Prompt) -> Iterator[str]:
    """What is asked, with its choices; blanks are for whoever shows it."""
    yield from map(words, prompt.paragraphs)
    if prompt.statements:
        yield fence(prompt.statements)
    if prompt.table:
        yield block_markdown(Table(prompt.table[0], prompt.table[1:]))
    if prompt.choices:
        yield "\n".join(f"* **{choice.letter})** {words(choice.words)}" for choice in prompt.choices)
