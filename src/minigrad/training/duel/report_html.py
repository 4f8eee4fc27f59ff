"""A duel as one page: the curves, the angles, what was learned, side by side; or the ranking as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ...drawing.chart import Chart
from ...drawing.svg import element
from ...text.translation import say
from ..page_frame import page_of
from . import charts, report
from .bouts import Bout, Duel
from .report_text import end_rows, ranking_rows

__all__ = ["html"]

STYLE = """
.sheet .hides-of { width: 10rem; height: 0.75rem; display: block; }
.sheet .hides-of .box { fill: none; stroke: var(--hair); }
.sheet .hides.wrong { fill: var(--wrong); } .sheet .hides.grad { fill: var(--grad); }
.sheet .hides.faint { fill: var(--hair); }
.sheet .end { width: auto; min-width: 18rem; }
.sheet p + p, .sheet h1 + p, .sheet h2 + p { margin-top: 0.5rem; }
.sheet p { max-width: 46rem; }
.sheet h3 { margin: 1.5rem 0 0.25rem; }
.sheet p + .scroll { margin-top: 1rem; }
.sheet thead th.number { font-family: inherit; }
"""


def html(duel: Duel) -> str:
    key = "duel.title.ranking" if duel.whole else "duel.title"
    title = say(key, on=duel.settings.task)
    parts = [element("h1", escape(title)), _paragraph(report.setting(duel.settings), "remark")]
    if duel.whole:
        parts += _ranking(duel)
    else:
        for bout in duel.bouts:
            parts += _bout(bout)
    idle = list(report.idle_sentences(duel))
    if idle:
        parts += [_heading(say("duel.section.idle")), *map(_paragraph, idle)]
    if duel.bouts:
        parts.append(_heading(say("duel.section.how")))
        parts += [_paragraph(sentence, "remark") for sentence in report.how(duel)]
    return page_of(title, "\n".join(parts), style=STYLE)


def _bout(bout: Bout) -> Iterator[str]:
    yield _heading(report.label(bout))
    for sentence in (
        *report.about(bout),
        *report.noticing(bout),
        report.look(bout),
    ):
        yield _paragraph(sentence)
    figures = [_figure(charts.losses(bout), "")]
    angles = charts.angles(bout)
    caption = f"{say('duel.section.gradient')}.  {report.gradient(bout)}"
    figures.append(_figure(angles, caption) if angles else _paragraph(report.gradient(bout), "card"))
    figures += [_figure(chart, "") for chart in charts.boundaries(bout)]
    yield element("div", *figures, class_="cards")
    yield element("h3", escape(say("duel.section.end")))
    yield element("div", _table(end_rows(bout), "end"), class_="scroll", tabindex="0")


def _ranking(duel: Duel) -> Iterator[str]:
    yield _paragraph(report.counts(duel))
    rows = ranking_rows(duel)
    bars = [escape(say("duel.head.hides")), *(" " for _ in duel.arenas)]
    for bout in duel.ranked:
        bar = charts.hiding_bar(bout, 160.0, 12.0)
        words_of = escape(report.noticed_cell(bout))
        label = element("title", words_of)
        bars.append(element("svg", label, bar, class_="hides-of", viewBox="0 0 160 12", role="img"))
    yield element("div", _table(rows, "ranking", bars), class_="scroll", tabindex="0")


def _table(rows: Sequence[Sequence[str]], kind: str, bars: Sequence[str] = ()) -> str:
    """A table whose first row is its head; `bars` is one more column, of markup, behind the first."""
    lines = []
    for i, row in enumerate(rows):
        cells = [
            element(
                "th",
                escape(cell) or " ",
                scope="col" if i == 0 else "row",
                class_="number" if i == 0 and j > 0 else None,
            )
            if i == 0 or j == 0
            else element("td", escape(cell) or " ", class_="number")
            for j, cell in enumerate(row)
        ]
        if bars:
            cells.insert(1, element("th" if i == 0 else "td", bars[i], scope="col" if i == 0 else None))
        lines.append(element("tr", *cells))
    head, body = element("thead", lines[0]), element("tbody", *lines[1:])
    return element("table", head, body, class_=kind)


def _figure(chart: Chart, caption: str) -> str:
    below = element("figcaption", escape(caption)) if caption else ""
    return element("figure", chart.inline("curve"), below, class_="card")


def _heading(words_: str) -> str:
    return element("h2", escape(words_))


def _paragraph(sentence: str, kind: str = "") -> str:
    return element("p", escape(sentence), class_=kind or None)
