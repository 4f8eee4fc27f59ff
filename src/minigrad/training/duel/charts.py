"""Charts of a duel: the losses with the band of right runs, the angle of the gradients, the learned models.

Each is made of numbers that a `Bout` has; the models are made anew from their weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from ...drawing.chart import Chart, stack_charts
from ...drawing.svg import element, text, width_of
from ...text.numerals import counted
from ...text.translation import say
from .. import boundary, loss_curve
from ..loss_curve import Series, SeriesMark
from ..tasks import PointsTask
from .bouts import Bout, Duel
from .detection import WINDOW, smoothed
from .duel_run import Course
from .report import label, noticed_cell

__all__ = [
    "angle_series",
    "angles",
    "band_words",
    "boundaries",
    "explodes",
    "hiding_bar",
    "loss_marks",
    "loss_series",
    "losses",
    "picture",
]

ROW = 22.0
BAR = 260.0
PAD = 12.0
HIGH = 3.0  # times the highest of the right losses


def loss_series(bout: Bout) -> list[Series]:
    return [
        Series(say("duel.right"), smoothed(bout.right.losses), "right"),
        Series(say("duel.broken"), smoothed(bout.broken.losses), "wrong"),
    ]


def explodes(bout: Bout) -> bool:
    """Does the broken loss go so high that the right one would lie flat on the axis?"""
    usual = max(*bout.band.highest, *bout.right.losses)
    return any(isfinite(x) and x > HIGH * usual for x in smoothed(bout.broken.losses))


def loss_marks(bout: Bout) -> list[SeriesMark]:
    if bout.noticed is None:
        return []
    return [SeriesMark(bout.noticed, say("duel.mark", step=counted(bout.noticed)))]


def band_words(bout: Bout) -> str:
    return say("duel.band", count=len(bout.band.seeds))


def losses(bout: Bout, title: str = "") -> Chart:
    """Both losses over the band of right runs."""
    limit = Series(say("duel.limit"), bout.band.limit, "faint")
    return loss_curve.draw(
        [*loss_series(bout), limit],
        marks=loss_marks(bout),
        title=title or say("duel.section.loss", window=WINDOW),
        steps=bout.settings.steps,
        log=explodes(bout),
        band=(bout.band.lowest, bout.band.highest),
        band_name=band_words(bout),
    )


def angle_series(bout: Bout) -> list[Series]:
    """The angle of every step, and its mean; where there is none, the one before stands."""
    numbers: list[float] = []
    for x in bout.broken.angles:
        if x is not None:
            numbers.append(x)
        elif numbers:
            numbers.append(numbers[-1])
    if not numbers:
        return []
    first = len(bout.broken.angles) - len(numbers) + 1
    mean = say("duel.angle.mean", window=WINDOW)
    return [
        Series(say("duel.angle"), numbers, "faint", first),
        Series(mean, smoothed(numbers), "grad", first),
    ]


def angles(bout: Bout) -> Chart | None:
    series = angle_series(bout)
    return loss_curve.draw(series, unit="angle", steps=bout.settings.steps) if series else None


def boundaries(bout: Bout) -> list[Chart]:
    """What each of the two models makes of the plane; nothing for models of text."""
    if bout.settings.language:
        return []
    return [
        _boundary(bout, bout.right, say("duel.right")),
        _boundary(bout, bout.broken, say("duel.broken")),
    ]


def _boundary(bout: Bout, course: Course, who: str) -> Chart:
    task = PointsTask(bout.settings)
    task.model.load_state_dict(course.weights)
    return boundary.draw(task.points, task.score, title=who)


# ---- everything in one drawing --------------------------------------------------------------------


def picture(duel: Duel) -> Chart:
    """The curves of each bout, one below the other; of the whole catalogue, the ranking."""
    if duel.whole:
        return _ranking(duel)
    charts = []
    for bout in duel.bouts:
        charts.append(losses(bout, label(bout)))
        drawn = angles(bout)
        if drawn is not None:
            charts.append(drawn)
    return stack_charts(charts) if charts else _nothing(duel)


def hiding_bar(bout: Bout, width: float, height: float, x: float = 0.0, y: float = 0.0) -> str:
    """How long a fault hides, of all steps: the bar of one that is never noticed has the full width."""
    steps = bout.settings.steps
    hidden = steps if bout.noticed is None else min(bout.noticed, steps)
    kind = {"hidden": "bar grad wrong", "noticed": "bar grad", "equal": "box faint"}[bout.status]
    return element("rect", class_="box", x=x, y=y, width=width, height=height) + element(
        "rect", class_=f"hides {kind}", x=x, y=y, width=max(1.0, width * hidden / steps), height=height
    )


def _ranking(duel: Duel) -> Chart:
    ranked = duel.ranked
    names = [label(bout) for bout in ranked]
    left = PAD + max(map(width_of, names), default=0.0) + PAD
    title = say("duel.title.ranking", on=duel.settings.task)
    parts = [text(title, PAD, 24, "heading", "start")]
    for row, (bout, name) in enumerate(zip(ranked, names, strict=True)):
        y = 40.0 + ROW * row
        parts.append(text(name, PAD, y + 15, "", "start"))
        parts.append(hiding_bar(bout, BAR, 14.0, left, y + 3))
        parts.append(text(noticed_cell(bout), left + BAR + PAD, y + 15, "note", "start"))
    width = max(left + BAR + 140.0, 2 * PAD + width_of(title))
    return Chart(width, 52.0 + ROW * len(ranked), title, say("duel.told.ranking"), "\n".join(parts))


def _nothing(duel: Duel) -> Chart:
    """A drawing that says that there is nothing to draw."""
    from .report import idle_sentences

    lines: Sequence[str] = list(idle_sentences(duel))
    title = say("duel.section.idle")
    parts = [text(title, PAD, 24, "heading", "start")]
    parts += [text(line, PAD, 52.0 + ROW * i, "note", "start") for i, line in enumerate(lines)]
    width = 2 * PAD + max([width_of(title), *map(width_of, lines)])
    return Chart(width, 60.0 + ROW * len(lines), title, " ".join(lines), "\n".join(parts))
