"""A break lab as a handout: for learners with room to write, and for the teacher with everything filled in.

    handout("overwrite")                          # on the fault's own smallest graph
    handout("overwrite", "a*b + a", {"a": 2.0, "b": 3.0}, key=True)

Six steps, as in every lab: a hypothesis, the change, the run, what failed, the diagnosis, the lesson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from html import escape

from ...faults.break_lab import Lab, lab
from ...faults.lab_question import question
from ...faults.lab_report_text import sections
from ...faults.lab_table import order_text
from ...graph.wording import name, statement
from ...text.numerals import show
from ...text.page import Page
from ...text.translation import language, pick, say
from ..lesson_markdown import fence
from .sheet_html import document, drawing, marks_html
from .sheet_markdown import BLANK, image, image_data
from .sheet_notebook import cells_notebook

__all__ = ["FORMS", "Handout", "handout"]

LINES = 3  # to write on


@dataclass(frozen=True)
class HandoutPart:
    """One step: what to do, code, a table to fill in, room to write; and what the teacher's copy says."""

    title: str
    words: tuple[str, ...] = ()
    code: str = ""
    kind: str = "text"
    table: tuple[tuple[str, ...], ...] = ()
    room: bool = False  # lines to write on
    answer: tuple[str, ...] = ()  # in the teacher's copy, in place of the room
    drawn: bool = False


@dataclass(frozen=True)
class Handout:
    """A break lab in steps; with `key`, the teacher's copy."""

    lab: Lab
    title: str
    parts: tuple[HandoutPart, ...]
    key: bool


def handout(fault: str, text: str | None, inputs: Mapping[str, float], key: bool = False) -> Handout:
    """The handout of a fault on a graph; ValueError with the reason where there is nothing to break."""
    made = lab(text, fault, dict(inputs) if inputs or text is not None else None)
    title = say("lab.title", name=made.suspect.name(made.graph))
    return Handout(made, say("classroom.key.title", title=title) if key else title, tuple(_parts(made)), key)


def _parts(made: Lab) -> Iterator[HandoutPart]:
    graph = made.graph
    told = dict(sections(made, Page(width=10_000)))
    code = "\n".join(statement(graph).split("; "))
    yield HandoutPart(
        say("classroom.handout.graph"), (say("classroom.handout.graph.words"),), code, drawn=True
    )
    yield HandoutPart(
        say("lab.section.broken"),
        (f"**{made.suspect.name(graph)}**", pick(made.fault.story)),
    )
    yield HandoutPart(
        say("lab.section.hypothesis"),
        (*question(made), say("classroom.handout.predict")),
        table=_predictions(made),
        answer=(_results(made),),
    )
    spoken = "" if language() == "en" else f" --lang {language()}"
    yield HandoutPart(say("lab.section.change"), code=made.diff.rstrip(), kind="diff")
    yield HandoutPart(
        say("lab.section.run"),
        (say("classroom.handout.run"),),
        f'$ minigrad break {made.fault.slug} "{statement(graph)}"' + spoken,
        "console",
        answer=tuple(_orders(made)),
    )
    told_of = [*told.get(say("lab.section.survivors"), []), *told.get(say("lab.section.log"), [])]
    survivors = tuple(line.strip() for line in told_of)
    yield HandoutPart(
        say("classroom.handout.diagnostic"),
        (say("classroom.handout.diagnostic.words"),),
        table=_diagnosis(made),
        room=True,
        answer=survivors,
    )
    hides = tuple(line.strip() for line in told[say("lab.section.hides")])
    words = say("classroom.handout.hides")
    yield HandoutPart(say("lab.section.hides"), (words,), room=True, answer=hides)
    lesson = tuple(line.strip() for line in told[say("lab.section.lesson")])
    yield HandoutPart(say("lab.section.lesson"), (say("classroom.handout.lesson"),), room=True, answer=lesson)


def _predictions(made: Lab) -> tuple[tuple[str, ...], ...]:
    head = ("", *(f"`{name(made.graph, i)}.grad`" for i in made.graph.inputs))
    blank = [""] * len(made.graph.inputs)
    rows = ("classroom.handout.mine", "classroom.handout.right", "classroom.handout.seen")
    return (head, *((say(row), *blank) for row in rows))


def _results(made: Lab) -> str:
    """Right and broken gradients, in the order that is walked newest first."""
    right = ", ".join(f"{who} = {show(x)}" for who, x in made.right.gradients.items())
    if made.broken is None:
        return say("classroom.handout.key.endless", right=right)
    broken = ", ".join(f"{who} = {show(x)}" for who, x in made.broken.gradients.items())
    return say("classroom.handout.key.results", right=right, broken=broken)


def _orders(made: Lab) -> Iterator[str]:
    """What every valid order gives, a line for each result."""
    if made.runs is None:
        yield say("lab.run.endless")
        return
    for run in made.runs.listed:
        got = ", ".join(f"{name(made.graph, i)} = {show(run.grads[i])}" for i in made.graph.inputs)
        yield say("classroom.handout.key.order", order=order_text(made, run.order), gradients=got)


def _diagnosis(made: Lab) -> tuple[tuple[str, ...], ...]:
    columns = ("node", "expected", "got", "lost")
    head = tuple(say(f"classroom.handout.{column}") for column in columns)
    return (head, *((f"`{name(made.graph, i)}`", "", "", "") for i in made.graph.inputs))


# ---- the three forms ----------------------------------------------------------------------------------


def _markdown(made: Handout) -> str:
    parts = [text for part in made.parts for text in _md(made, part)]
    parts.insert(1, f"![{say('classroom.handout.graph')}][graph]")
    parts.append(f"[graph]: <{image_data(made.lab.graph)}>")
    return "\n\n".join([f"# {made.title}", *_head(made), *parts]) + "\n"


def _head(made: Handout) -> list[str]:
    return [] if made.key else [say("classroom.handout.name", blank=BLANK * 5)]


def _md(made: Handout, part: HandoutPart) -> Iterator[str]:
    yield f"## {part.title}"
    yield from part.words
    if part.code:
        yield fence(part.code, part.kind)
    if made.key and part.answer:
        yield "\n".join(f"> {line}  " for line in part.answer).rstrip()
        return
    if part.table:
        head, *rows = part.table
        lines = [head, ("---",) * len(head), *rows]
        yield "\n".join(f"| {' | '.join(cell or '      ' for cell in line)} |" for line in lines)
    if part.room:
        yield "\n\n".join([BLANK * 16] * LINES)


def _html(made: Handout) -> str:
    body = [
        f"<header><h1>{escape(made.title)}</h1>",
        *(f"<p>{escape(x)}</p>" for x in _head(made)),
        "</header>",
    ]
    for part in made.parts:
        body.append(f"<section><h2>{escape(part.title)}</h2>")
        body += [f"<p>{marks_html(text)}</p>" for text in part.words]
        if part.code:
            body.append(f"<pre>{_diff(part.code) if part.kind == 'diff' else escape(part.code)}</pre>")
        if part.drawn:
            body.append(drawing(made.lab.graph))
        if made.key and part.answer:
            lines = "<br>".join(escape(line) for line in part.answer)
            body.append(f"<blockquote>{lines}</blockquote>")
        else:
            body.append(_table(part) + (LINES * '<div class="line"></div>' if part.room else ""))
        body.append("</section>")
    return document(made.title, "\n".join(body))


def _diff(code: str) -> str:
    kinds = {"-": "removed", "+": "added"}
    return "\n".join(
        f'<span class="{kinds[line[0]]}">{escape(line)}</span>' if line[:1] in kinds else escape(line)
        for line in code.split("\n")
    )


def _table(part: HandoutPart) -> str:
    if not part.table:
        return ""
    head, *rows = part.table
    cells = "".join(f"<th>{marks_html(cell)}</th>" for cell in head)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"


def _cell(text: str) -> str:
    return f"<td>{marks_html(text)}</td>" if text else '<td class="write"></td>'


def _notebook(made: Handout) -> str:
    """The run can be run there, where minigrad is installed."""
    text = statement(made.lab.graph)
    cells = [("markdown", "\n\n".join([f"# {made.title}", *_head(made)]))]
    for part in made.parts:
        words = list(_md(made, part))
        if part.drawn:
            words.append(image(made.lab.graph))
        if part.kind == "console":
            words = [text for text in words if not text.startswith("```")]
            source = f'from minigrad.faults import lab\n\nlab({text!r}, "{made.lab.fault.slug}")'
            cells += [("markdown", "\n\n".join(words)), ("code", source)]
        else:
            cells.append(("markdown", "\n\n".join(words)))
    return cells_notebook(cells)


FORMS: Mapping[str, Callable[[Handout], str]] = {".md": _markdown, ".html": _html, ".ipynb": _notebook}
