"""Plots of `--plot`: the loss curve and, where points are learned, what the model makes of the plane."""

from __future__ import annotations

from ..drawing.chart import Chart, stack_charts
from ..text.page import Page
from . import boundary, loss_curve
from .run import Run
from .tasks import PointsTask

__all__ = ["drawing_of", "lines_of"]

FRAME = 5  # lines of a picture that are its axis, its key and the blank one before it
SMALLEST = 4  # lines that a curve can be seen in


def drawing_of(run: Run) -> Chart:
    """One picture with all of it."""
    charts = [loss_curve.draw(loss_curve.of_losses(run.losses), steps=run.settings.steps)]
    task = run.task
    if isinstance(task, PointsTask):
        charts.append(boundary.draw(task.points, task.score, kind=task.kind))
    return stack_charts(charts)


def lines_of(run: Run, page: Page, most: int = 1000) -> list[str]:
    """The same for a terminal, in at most so many lines: smaller, or less of it, where they are few."""
    task = run.task
    both = isinstance(task, PointsTask) and most >= 2 * FRAME + 3 * SMALLEST
    rows = min(loss_curve.ROWS, most - FRAME)
    if both:
        rows = min(rows, max(SMALLEST, most - 2 * FRAME - boundary.ROWS))
    if rows < SMALLEST:
        return []
    lines = loss_curve.lines(loss_curve.of_losses(run.losses), page, steps=run.settings.steps, rows=rows)
    if both and isinstance(task, PointsTask):
        left = min(boundary.ROWS, most - len(lines) - FRAME)
        lines = [*lines, "", *boundary.lines(task.points, task.score, page, kind=task.kind, rows=left)]
    return lines
