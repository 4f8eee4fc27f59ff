"""A duel for a terminal: the curves and what follows from them, or the ranking as one table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from ...text.excerpts import cut
from ...text.page import Page, columns
from ...text.translation import say
from .. import loss_curve
from . import charts, report
from .bouts import Bout, Duel, final
from .detection import WINDOW
from .duel_run import Course

__all__ = ["end_rows", "ranking_rows", "sections"]

Section = tuple[str, list[str]]


def sections(duel: Duel, page: Page) -> Iterator[Section]:
    key = "duel.title.ranking" if duel.whole else "duel.title"
    yield say(key, on=duel.settings.task), page.wrap(report.setting(duel.settings))
    if duel.whole:
        yield from _ranking(duel, page)
    else:
        for bout in duel.bouts:
            yield from _bout(bout, page)
    idle = [line for sentence in report.idle_sentences(duel) for line in page.wrap(sentence)]
    if idle:
        yield say("duel.section.idle"), idle
    if duel.bouts:
        yield (
            say("duel.section.how"),
            [line for sentence in report.how(duel) for line in page.wrap(sentence, kind="faint")],
        )


def _bout(bout: Bout, page: Page) -> Iterator[Section]:
    yield (
        report.label(bout),
        [line for sentence in report.about(bout) for line in page.wrap(sentence)],
    )
    yield (
        say("duel.section.loss", window=WINDOW),
        loss_curve.lines(
            charts.loss_series(bout),
            page,
            marks=charts.loss_marks(bout),
            steps=bout.settings.steps,
            log=charts.explodes(bout),
            band=(bout.band.limit, bout.band.limit),  # both edges would be in the way of the curves
            band_name=say("duel.limit"),
        ),
    )
    series = charts.angle_series(bout)
    drawn = (
        loss_curve.lines(series[1:], page, unit="angle", steps=bout.settings.steps, rows=5) if series else []
    )
    yield say("duel.section.gradient"), [*drawn, *page.wrap(report.gradient(bout))]
    yield say("duel.section.end"), list(_table(end_rows(bout), page))
    noticing = [line for sentence in report.noticing(bout) for line in page.wrap(sentence)]
    yield say("duel.section.notice"), noticing
    yield say("duel.section.look"), page.wrap(report.look(bout))


def end_rows(bout: Bout) -> list[list[str]]:
    """What the right and the broken run came to; the first row is the head."""
    rows = [
        ["", say("duel.head.right"), say("duel.head.broken")],
        [
            say("duel.head.loss"),
            report.loss_words(final(bout.right)),
            report.loss_words(final(bout.broken)),
        ],
    ]
    if bout.right.accuracy is not None:
        right, broken = (
            report.percent(bout.right.accuracy),
            report.percent(bout.broken.accuracy),
        )
        rows.append([say("duel.head.accuracy"), right, broken])
    samples = zip_longest(bout.right.samples, bout.broken.samples, fillvalue="-")
    for i, (right, broken) in enumerate(samples):
        rows.append([say("duel.head.samples") if i == 0 else "", right, broken])
    return rows


def ranking_rows(duel: Duel) -> list[list[str]]:
    """The table of the whole catalogue: its head, the right pass on each model, and every bout."""
    accuracy = not duel.settings.language
    head = ["duel.head.fault", "duel.head.noticed", "duel.head.loss", "duel.head.accuracy", "duel.head.angle"]
    rows = [[say(key) for key in head if accuracy or key != "duel.head.accuracy"]]
    for bout in duel.arenas:
        who = f"{say('duel.right')} [{bout.settings.activation}]" if accuracy else say("duel.right")
        rows.append(_row(who, "", bout.right, "", accuracy))
    for bout in duel.ranked:
        angle = report.angle_words(bout.angle)
        rows.append(
            _row(
                report.label(bout),
                report.noticed_cell(bout),
                bout.broken,
                angle,
                accuracy,
            )
        )
    return rows


def _row(who: str, when: str, course: Course, angle: str, accuracy: bool) -> list[str]:
    share = [report.percent(course.accuracy)] if accuracy else []
    return [who, when, report.loss_words(final(course)), *share, angle]


def _ranking(duel: Duel, page: Page) -> Iterator[Section]:
    above = 1 + len(duel.arenas)  # the head and the right passes are never left out
    lines = list(_table(ranking_rows(duel), page))
    title = say("duel.section.ranking", count=len(duel.bouts))
    yield title, [*lines[:above], *page.clip(lines[above:]), *page.wrap(report.counts(duel))]


def _table(rows: Sequence[Sequence[str]], page: Page) -> Iterator[str]:
    """Rows below a faint head; what does not fit is cut in its first column."""
    laid = columns(rows)
    over = max((2 + len("  ".join(row)) for row in laid), default=0) - page.width
    wide = min(len(laid[0][0]), max(16, len(laid[0][0]) - over))
    for i, (first, *rest) in enumerate(laid):
        line = "  ".join([cut(first.rstrip(), wide).ljust(wide), *rest]).rstrip()
        yield page.ink("faint", f"  {line}") if i == 0 else f"  {line}"
