"""What --plot shows: the loss curve and, where points are learned, what the model makes of their places."""

from __future__ import annotations

from ..drawing.chart import Chart, stack_charts
from ..text.page import Page
from . import boundary, loss_curve
from .run import Run

__all__ = ["drawing_of", "lines_of"]

FRAME = 5  # lines of a picture that are its axis, its key and the blank one before it
SMALLEST = 4  # lines that a curve can be seen in


def drawing_of(run: Run) -> Chart:
    """One picture with all of it."""
    charts = [loss_curve.draw(loss_curve.of_losses(run.losses), steps=run.settings.steps)]
    if run.task.kind != "language":
        charts.append(boundary.draw(run.task.points, run.task.score, kind=run.task.kind))
    return stack_charts(charts)


def lines_of(run: Run, page: Page, most: int = 1000) -> list[str]:
    """The same for a terminal, in at most so many lines: smaller, or less of it, where they are few."""
    both = run.task.kind != "language" and most >= 2 * FRAME + 3 * SMALLEST
    rows = min(loss_curve.ROWS, most - FRAME)
    if both:
        rows = min(rows, max(SMALLEST, most - 2 * FRAME - boundary.ROWS))
    if rows < SMALLEST:
        return []
    lines = loss_curve.lines(loss_curve.of_losses(run.losses), page, steps=run.settings.steps, rows=rows)
    if both:
        left = min(boundary.ROWS, most - len(lines) - FRAME)
        score, kind = run.task.score, run.task.kind
        lines = [*lines, "", *boundary.lines(run.task.points, score, page, kind=kind, rows=left)]
    return lines
