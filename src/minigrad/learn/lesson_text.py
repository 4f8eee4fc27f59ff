"""A lesson in a terminal: each block as lines that fit the page, without a blank line around them.

Code has its colour, or its quotes where there is no colour.  A picture is the text that says the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from itertools import groupby
from re import findall
from textwrap import wrap

from ..explanation.explanation import TEXTS, Explanation
from ..faults.break_lab import Lab
from ..faults.lab_report_text import sections
from ..graph.paths import paths
from ..graph.wording import factors, name, product, route, terms
from ..text.numerals import show
from ..text.page import Page, columns
from ..text.translation import say
from .inline_marks import runs
from .lesson import Block, Code, Heading, Items, LabWork, LessonCheckpoint, Paragraph, Picture, Stage, Table
from .lesson_context import printed_by
from .questions import Prompt

__all__ = ["lab_sections", "lines", "prompt_lines"]

INDENT = "    "  # of code and what it prints
LISTED = 6  # paths of a ledger
ONE_LINE = 10_000  # as wide as a sentence is long
_SENTENCES = ("broken", "hypothesis", "survivors", "hides", "lesson")  # sections of a lab that are words
_INSTEAD = {"river": "waterfall"}  # of pictures that no text has; of the others, the walk
_UNBROKEN = "\ue000"  # a space inside code, while lines are broken
_INKS = {"code": "local", "strong": "title", "emphasis": "", "link": "data"}


def lines(block: Block, page: Page) -> list[str]:
    """One block, ready to be printed."""
    return _lines(block, page)


@singledispatch
def _lines(block: object, page: Page) -> list[str]:
    raise TypeError(type(block).__name__)


def lab_sections(lab: Lab) -> Iterator[tuple[str, list[str], bool]]:
    """A lab for a page: each title with its lines, and whether these are sentences, each on one line."""
    prose = {say(f"lab.section.{part}") for part in _SENTENCES}
    wide = sections(lab, Page(width=ONE_LINE))
    for (title, narrow), (_, whole) in zip(sections(lab, Page()), wide, strict=True):
        yield title, whole if title in prose else narrow, title in prose


# ---- prose --------------------------------------------------------------------------------------


@_lines.register
def _(block: Paragraph, page: Page) -> list[str]:
    return wrap_text(block.text, page)


@_lines.register
def _(block: Heading, page: Page) -> list[str]:
    words = "".join(shown for shown, _ in _pieces(block.text, page))
    rule = {1: "═", 2: "─"}.get(block.level, "")
    body = [page.ink("title", line) for line in wrap(words, page.width)]
    return [*body, page.ink("faint", rule * min(page.width, len(words)))] if rule else body


@_lines.register
def _(block: Items, page: Page) -> list[str]:
    found = []
    for i, item in enumerate(block.items, 1):
        mark = f"  {i}. " if block.numbered else "  * "
        found += wrap_text(item, page, mark, " " * len(mark))
    return found


def wrap_text(text: str, page: Page, first: str = "", further: str = "") -> list[str]:
    """A text in lines that fit, its marks in colour."""
    pieces = _pieces(text, page)
    flat = "".join(shown for shown, _ in pieces)
    kinds = [kind for shown, kind in pieces for _ in shown]
    broken = wrap(
        flat, max(20, page.width), initial_indent=first, subsequent_indent=further,
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip
    found, at = [], 0
    for i, line in enumerate(broken):
        indent = further if i else first
        words = line[len(indent) :]
        at = flat.index(words, at)
        found.append(indent + _inked(words, kinds[at : at + len(words)], page))
        at += len(words)
    return found


def _inked(words: str, kinds: Sequence[str], page: Page) -> str:
    parts, at = [], 0
    for kind, group in groupby(kinds):
        count = len(list(group))
        part = words[at : at + count].replace(_UNBROKEN, " ")
        parts.append(page.ink(kind, part) if kind else part)
        at += count
    return "".join(parts)


def _pieces(text: str, page: Page) -> list[tuple[str, str]]:
    """The words of a text and their ink; a short piece of code stays on one line."""
    found = []
    for kind, words, address in runs(text):
        shown = " ".join(words.split()) if not words.isspace() else " "
        if words[:1].isspace() and not words.isspace():
            shown = " " + shown
        if words[-1:].isspace() and not words.isspace():
            shown += " "
        if kind.endswith("code"):
            if len(shown) <= page.width // 2:
                shown = shown.replace(" ", _UNBROKEN)
            shown = shown if page.ink.on else f"`{shown}`"
        found.append((shown, _INKS.get(kind.split()[-1], "") if kind != "strong code" else "local"))
        if "link" in kind and "://" in address:
            found.append((f" ({address})", "faint"))
    return found


# ---- tables -------------------------------------------------------------------------------------


@_lines.register
def _(block: Table, page: Page) -> list[str]:
    rows = [[_pieces(cell, page) for cell in row] for row in (block.head, *block.rows)]
    sizes = [[sum(len(shown) for shown, _ in cell) for cell in row] for row in rows]
    widths = [max(column) for column in zip(*sizes, strict=True)]
    if sum(widths) + 2 * len(widths) > page.width:
        return _narrow(block, page)

    def laid(cells: list[list[tuple[str, str]]], taken: list[int], ink: str = "") -> str:
        parts = []
        for cell, size, width in zip(cells, taken, widths, strict=True):
            words = "".join(_inked(shown, [ink or kind] * len(shown), page) for shown, kind in cell)
            parts.append(words + " " * (width - size))
        return ("  " + "  ".join(parts)).rstrip()

    rule = page.ink("faint", "  " + "  ".join("─" * width for width in widths))
    return [laid(rows[0], sizes[0], "title"), rule, *map(laid, rows[1:], sizes[1:])]


def _narrow(block: Table, page: Page) -> list[str]:
    """A table that is too wide: each row as its first cell, and the others below it with their heads."""
    found: list[str] = []
    for row in block.rows:
        found += wrap_text(row[0], page, "  ", "    ")
        for head, cell in zip(block.head[1:], row[1:], strict=True):
            if cell:
                found += wrap_text(f"{head}: {cell}" if head else cell, page, "    ", "      ")
    return found


# ---- code and graphs ----------------------------------------------------------------------------


@_lines.register
def _(block: Code, page: Page) -> list[str]:
    output = block.output
    within = page.width - len(INDENT)
    if block.language == "console" and output and max(map(len, output.split("\n"))) > within:
        output = printed_by(block.text.removeprefix("$ "), max(36, within))
    text = _continued(block.text, within) if block.language == "console" else block.text
    found = [INDENT + page.ink("data", line) if line else "" for line in text.split("\n")]
    if output and block.language == "python":
        found.append(page.ink("faint", f"  {say('course.prints')}"))
    return [*found, *(f"{INDENT}{line}".rstrip() for line in output.rstrip("\n").split("\n") if output)]


def _continued(command: str, width: int) -> str:
    """A command that can be typed as it stands, in lines that are no wider than this where that can be."""
    first, *words = findall(r'(?:--\S+ (?!-))?(?:"[^"]*"|[^\s"])+', command)  # an option with its value
    lines = [first]
    for word in words:
        if len(f"{lines[-1]} {word} \\") > width:
            lines.append(f"{INDENT}{word}")
        else:
            lines[-1] += f" {word}"
    return " \\\n".join(lines)


@_lines.register
def _(block: Stage, page: Page) -> list[str]:
    return [INDENT + page.ink("data", line) for line in block.text.split("\n")]


@_lines.register
def _(block: Picture, page: Page) -> list[str]:
    view = block.view if block.view in TEXTS else _INSTEAD.get(block.view, "walk")
    explanation = Explanation(block.trace)
    shown = _ledger(block, page) if block.node else _view(view, explanation, page)
    caption = wrap_text(block.caption, page, "  ", "  ") if block.caption else []
    if block.view not in TEXTS and not block.node:
        caption += page.wrap(say("learn.picture.drawn"), kind="faint")
    return [*shown, *caption]


def _view(view: str, explanation: Explanation, page: Page) -> list[str]:
    return [line for _, found in explanation.sections([view], page) for line in found]


def _ledger(block: Picture, page: Page) -> list[str]:
    """The gradient of one node as a sum over paths."""
    graph = block.trace.graph
    node = graph.index(block.node)
    found = paths(block.trace, LISTED, [node])[node]
    headline = f"{name(graph, node)}: {show(found.total)} = {terms(graph, found)}"
    rows = columns(
        [show(path.amount), f"= {product(factors(block.trace, path))}", route(graph, path)]
        for path in found.listed
    )
    sums = [f"      {a} {page.ink('local', b)}   {page.ink('faint', c)}" for a, b, c in rows]
    return [*page.wrap(headline, kind="grad"), *sums]


@_lines.register
def _(block: LabWork, page: Page) -> list[str]:
    lead = [*wrap_text(block.lead, page), ""] if block.lead else []
    return [*lead, *block.lab.text(page=page).rstrip("\n").split("\n")]


# ---- questions ----------------------------------------------------------------------------------


@_lines.register
def _(block: LessonCheckpoint, page: Page) -> list[str]:
    found: list[str] = []
    for i, question in enumerate(block.questions, 1):
        found += ["", page.ink("title", say("course.question", number=i))] if i > 1 else []
        found += [page.ink("title", say("course.question", number=i))] if i == 1 else []
        found += prompt_lines(question.ask(), page)
    return found


def prompt_lines(prompt: Prompt, page: Page) -> list[str]:
    """What is asked, without what is answered."""
    parts: list[Sequence[str]] = [wrap_text(text, page) for text in prompt.paragraphs]
    if prompt.statements:
        parts.append(lines(Code("text", prompt.statements), page))
    if prompt.table:
        parts.append(lines(Table(prompt.table[0], prompt.table[1:]), page))
    if prompt.choices:
        rows = (wrap_text(choice.words, page, f"  {choice.letter}) ", "     ") for choice in prompt.choices)
        parts.append([line for row in rows for line in row])
    found: list[str] = []
    for part in parts:
        found += ["", *part] if found else part
    return found
