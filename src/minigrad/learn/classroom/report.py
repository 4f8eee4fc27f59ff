"""Report of the marks of a class: in a terminal, as Markdown, as a page, for a spreadsheet, as data."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from re import compile as pattern
from unicodedata import combining, east_asian_width

from ...faults import FAULTS
from ...text.escape import printable, visible
from ...text.excerpts import cut
from ...text.numerals import show
from ...text.page import Page, columns, text_of
from ...text.translation import pick, say
from ..course import titles
from .grades import EMPTY, RIGHT, TWICE, UNREAD, WRONG, Grade, GradedSheet, Results
from .learner_engines import ExaminedEngine
from .sheet_html import document
from .sheet_markdown import escape_markdown

__all__ = ["as_csv", "as_html", "as_json", "as_markdown", "as_text", "sections", "unit_shares"]

SIGNS = {RIGHT: "1", WRONG: "0", UNREAD: "?", EMPTY: "-", TWICE: "?"}
NAMES = 22  # columns of a name in a terminal
MOST = 5  # mistakes that are listed
# How a cell begins that a spreadsheet would run, at the start of a text and behind each separator that a
# spreadsheet may split at, whatever we separate by; full-width signs count as the plain ones.
_FORMULA = pattern(r"""(\A|[,;|\t])([\s"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])""")
SCHEMA = "minigrad.results/1"
BYTE_ORDER_MARK = "\ufeff"
ANY = "X"  # the op, edge or number of a mistake, where none is meant in particular
BAR, TITLE = 20, 34  # columns of a whole bar, and of the title of a unit
CHART = 300  # and its length in a page
WIDE = 78  # columns of a page with room for both
GOOD = 0.75  # the share of right answers from which a unit need not be repeated

Section = tuple[str, list[str]]


def as_text(results: Results, page: Page) -> str:
    """The marks of the class for a terminal."""
    return text_of(sections(results, page), page)


def sections(results: Results, page: Page) -> Iterator[Section]:
    if results.key is not None:
        yield results.key.title, list(_table(results, page))
        if any(one.file for one in results.graded):
            yield say("classroom.section.most"), [line for x in _most(results) for line in page.wrap(x)]
            yield say("classroom.section.units"), list(_units(results, page))
    if engines := _engines(results):
        yield say("classroom.section.engines"), [line for x in engines for line in page.wrap(x)]
    if told := list(_notices(results)):
        yield say("classroom.section.look"), [line for x in told for line in page.wrap(f"- {x}")]
    if results.aside:
        rows = [f"- {printable(file)}: {why}" for file, why in results.aside]
        yield say("classroom.section.aside"), [line for x in rows for line in page.wrap(x)]


def _table(results: Results, page: Page) -> Iterator[str]:
    count = max((len(one.sheet.items) for one in results.graded), default=0)
    wide = page.width >= NAMES + 3 * count + 12
    rows = [[cut(name, NAMES), *(signs if wide else ()), points] for name, *signs, points in _rows(results)]
    widest = max(_width(row[0]) for row in rows)
    for (name, *_), cells in zip(rows, columns(row[1:] for row in rows), strict=True):
        yield "  " + "  ".join([name + " " * (widest - _width(name)), *cells]).rstrip()
    yield page.ink("faint", "  " + say("classroom.legend"))
    back = len(results.returned)
    if not back:
        yield from page.wrap(say("classroom.summary.none", all=len(results.graded)))
        return
    mean = show(round(sum(one.points for one in results.returned) / back, 2))
    yield from page.wrap(say("classroom.summary", back=back, all=len(results.graded), mean=mean, of=count))


def _width(text: str) -> int:
    """How many columns a terminal gives to a text."""
    return sum(2 if east_asian_width(c) in "WF" else 0 if combining(c) else 1 for c in text)


def _most(results: Results) -> Iterator[str]:
    back = len(results.returned)
    for number, count in results.hardest()[:3]:
        kinds = {one.sheet.items[number - 1].question.kind for one in results.returned}
        kind = say(f"classroom.kind.{kinds.pop()}") if len(kinds) == 1 else ""
        yield say("classroom.hardest", number=number, kind=kind, count=count, all=back)
    for fault, count in results.mistakes()[:MOST]:
        yield say("classroom.mistake", fault=fault, name=_fault(fault), count=count)
    if not results.hardest():
        yield say("classroom.all_right")


@dataclass(frozen=True, slots=True)
class UnitShare:
    """How a unit went: of the answers that it teaches to give, those that are right."""

    number: int
    title: str
    right: int
    asked: int

    @property
    def share(self) -> float:
        return self.right / self.asked


def unit_shares(results: Results) -> list[UnitShare]:
    """The units that were asked about, in the order of the course; an empty answer is not right."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for one in results.returned:
        for mark in one.marks:
            asked[mark.item.question.unit] += 1
            right[mark.item.question.unit] += mark.points
    return [
        UnitShare(number, title, right[slug], asked[slug])
        for number, slug, title, *_ in titles()
        if asked[slug]
    ]


def _units(results: Results, page: Page) -> Iterator[str]:
    """A bar for each unit, and the one to repeat."""
    shares = unit_shares(results)
    rows = []
    wide, titled = (BAR, [TITLE]) if page.width >= WIDE else (BAR // 2, [])
    for unit in shares:
        bar = "━" * round(wide * unit.share)
        title = [cut(unit.title, most) for most in titled]
        rows.append((f"  {unit.number}", *title, bar.ljust(wide), _percent(unit.share)))
    yield from ("  ".join(row).rstrip() for row in columns(rows))
    yield from page.wrap(_advice(shares))


def _advice(shares: Sequence[UnitShare]) -> str:
    """Which unit the class should repeat, if one went worse than it should."""
    worst = min(shares, key=lambda unit: unit.share)
    about = {"number": worst.number, "title": worst.title, "count": worst.asked - worst.right}
    key = "classroom.repeat" if worst.share < GOOD else "classroom.repeat.none"
    return say(key, **about, all=worst.asked)


def _percent(share: float) -> str:
    return say("classroom.percent", percent=round(100 * share))


def _chart(results: Results) -> str:
    """The bars as a drawing: how much of each unit is right."""
    shares, wide, high = unit_shares(results), 640, 30
    parts = []
    for place, unit in enumerate(shares):
        top = place * high
        words = escape(f"{unit.number} {unit.title}")
        length = round(CHART * unit.share)
        parts.append(f'<text x="0" y="{top + 20}">{words}</text>')
        parts.append(f'<rect class="all" x="250" y="{top + 6}" width="{CHART}" height="18"/>')
        parts.append(f'<rect class="part" x="250" y="{top + 6}" width="{length}" height="18"/>')
        parts.append(f'<text x="{258 + CHART}" y="{top + 20}">{_percent(unit.share)}</text>')
    label = escape(say("classroom.section.units"))
    box = f'viewBox="0 0 {wide} {high * len(shares)}" width="{wide}"'
    return f'<svg class="chart" role="img" aria-label="{label}" {box}>{"".join(parts)}</svg>'


def _fault(slug: str) -> str:
    if slug not in FAULTS:
        return slug
    return pick(FAULTS[slug].name).format(what=ANY)


def _engines(results: Results) -> list[str]:
    found = [(one.sheet.learner.name, one.engine) for one in results.graded if one.engine]
    found += [(engine.file, engine) for engine in results.engines]
    return [line for name, engine in found for line in _engine(printable(name), engine)]


def _engine(name: str, engine: ExaminedEngine) -> Iterator[str]:
    yield say("classroom.engine", name=name, headline=engine.headline, points=show(engine.points))
    yield from (f"- {finding}" for finding in engine.findings)
    yield from (f"- {words}" for words in _looks(engine))


def _looks(engine: ExaminedEngine) -> list[str]:
    """Why the teacher should look at an engine by hand, beside its verdict."""
    return [say("classroom.engine.look", why=visible(why)) for why in engine.suspicions]


def _notices(results: Results) -> Iterator[str]:
    for one in results.graded:
        yield from (f"{printable(one.sheet.learner.name)}: {words}" for words in one.notices)
    yield from results.notices
    missing = [one.sheet.learner.name for one in results.graded if not one.file]
    if missing and len(missing) < len(results.graded):
        yield say("classroom.missing.names", names=", ".join(map(printable, missing)))
    if results.blank:
        yield say("classroom.blank", count=results.blank)


# ---- as files ---------------------------------------------------------------------------------------


def as_markdown(results: Results) -> str:
    """The marks of the class as Markdown."""
    title = results.key.title if results.key else say("classroom.section.engines")
    parts = [f"# {escape_markdown(title)}"]
    if results.key is not None:
        head, *rows = [[escape_markdown(cell) for cell in row] for row in _rows(results)]
        lines = [head, ["---"] * len(head), *rows]
        parts += ["\n".join(f"| {' | '.join(row)} |" for row in lines), say("classroom.legend")]
    for heading, items in _listed(results):
        parts += [f"## {heading}", "\n".join(f"* {escape_markdown(item)}" for item in items)]
    return "\n\n".join(parts) + "\n"


def _rows(results: Results) -> Iterator[list[str]]:
    """The table: its head, then a row per learner."""
    count = max((len(one.sheet.items) for one in results.graded), default=0)
    numbers = map(str, range(1, count + 1))
    yield [say("classroom.column.name"), *numbers, say("classroom.column.points")]
    for one in results.graded:
        signs = [SIGNS[mark.status] for mark in one.marks] if one.file else [""] * count
        points = f"{one.points}/{count}" if one.file else say("classroom.missing")
        yield [one.sheet.learner.name, *signs, points]


def _listed(results: Results) -> Iterator[Section]:
    """The sections below the table, a line per item."""
    for heading, lines in list(sections(results, Page(width=10_000)))[1 if results.key else 0 :]:
        yield heading, [line.strip().removeprefix("- ") for line in lines]


def as_html(results: Results) -> str:
    """The same as a page."""
    title = results.key.title if results.key else say("classroom.section.engines")
    body = [f"<header><h1>{escape(title)}</h1></header>"]
    if results.key is not None:
        head, *rows = _rows(results)
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        lines = "".join(f"<tr>{''.join(_cell(cell) for cell in row)}</tr>" for row in rows)
        body.append(f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>")
        body.append(f'<p class="faint">{escape(say("classroom.legend"))}</p>')
    for heading, items in _listed(results):
        if heading == say("classroom.section.units"):
            advice = escape(_advice(unit_shares(results)))
            body.append(f"<section><h2>{escape(heading)}</h2>{_chart(results)}<p>{advice}</p></section>")
            continue
        body.append(f"<section><h2>{escape(heading)}</h2><ul>")
        body += [f"<li>{escape(item)}</li>" for item in items]
        body.append("</ul></section>")
    return document(title, "\n".join(body))


def _cell(text: str) -> str:
    return f'<td dir="auto">{escape(text)}</td>'


def as_csv(results: Results) -> str:
    """For a spreadsheet of the language in use; what would be a formula, at any separator, is marked as text.

    A spreadsheet knows by the mark in front that the letters are UTF-8.  Where decimals have a comma, cells
    are separated by semicolons.
    """
    comma = say("decimal.sign") == ","
    out = StringIO()
    write = csv.writer(out, delimiter=";" if comma else ",", lineterminator="\n").writerow
    count = max((len(one.sheet.items) for one in results.graded), default=0)
    head = [say(f"classroom.column.{key}") for key in ("name", "id", "file", "state")]
    tail = [say(f"classroom.column.{key}") for key in ("points", "of", "engine", "engine_points", "notices")]
    write([*head, *map(str, range(1, count + 1)), *tail])
    for one in results.graded:
        points = [mark.points for mark in one.marks] if one.file else [""] * count
        engine = [_verdict(one.engine), one.engine.points] if one.engine else ["", ""]
        total = one.points if one.file else ""
        row = [one.sheet.learner.name, one.sheet.learner.id, one.file, _state(one), *points, total, count]
        notices = [*one.notices, *(_looks(one.engine) if one.engine else ())]
        write([_cell_text(cell, comma) for cell in [*row, *engine, "; ".join(notices)]])
    for other in results.engines:
        row = [other.file, "", other.file, "", *[""] * (count + 1), count, _verdict(other), other.points]
        notices = [other.headline, *_looks(other)]
        write([_cell_text(cell, comma) for cell in [*row, "; ".join(notices)]])
    return BYTE_ORDER_MARK + out.getvalue()


def _state(one: GradedSheet) -> str:
    """Whether there is a sheet to grade, in the same words everywhere."""
    return say("classroom.graded" if one.file else "classroom.missing")


def _verdict(engine: ExaminedEngine) -> str:
    return say(f"classroom.verdict.{engine.verdict.replace(' ', '_')}")


def _cell_text(cell: object, comma: bool) -> object:
    if isinstance(cell, str):
        return _FORMULA.sub(r"\1\2'\3", visible(cell))
    if isinstance(cell, float):
        return show(cell).replace(".", ",") if comma else show(cell)
    return cell


def as_json(results: Results) -> dict[str, object]:
    """The marks of the class as plain data."""
    return {
        "schema": SCHEMA,
        "title": results.key.title if results.key else "",
        "learners": [_learner_json(one) for one in results.graded],
        "engines": [_engine_json(engine) for engine in results.engines],
        "not_graded": [{"file": file, "why": why} for file, why in results.aside],
        "mistakes": dict(results.mistakes()),
        "notices": list(results.notices),
    }


def _learner_json(one: GradedSheet) -> dict[str, object]:
    return {
        "name": one.sheet.learner.name,
        "id": one.sheet.learner.id,
        "sheet": one.sheet.code,
        "file": one.file,
        "state": "graded" if one.file else "no sheet",
        "points": one.points if one.file else None,
        "of": len(one.sheet.items),
        "questions": [_mark_json(mark) for mark in one.marks],
        "notices": list(one.notices),
        "engine": _engine_json(one.engine) if one.engine else None,
    }


def _mark_json(mark: Grade) -> dict[str, object]:
    about = {"question": mark.item.question.key, "status": mark.status, "answer": dict(mark.answer)}
    return {**about, "fault": mark.fault}


def _engine_json(engine: ExaminedEngine) -> dict[str, object]:
    about = {"file": engine.file, "verdict": engine.verdict, "points": engine.points}
    return {**about, "findings": list(engine.findings), "suspicions": list(engine.suspicions)}
