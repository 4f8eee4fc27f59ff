"""Decision boundary of a model: two regions and the line between them; or, of one input, the fitted curve.

    draw(task.points, task.score)
    lines(task.points, task.score, page)

A class is told by shape as well as by colour (a disc for +1, a triangle for -1), and what is on the wrong
side has a ring.  The line between the regions is where the score is 0, found between the corners of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from ..drawing.braille import Canvas, key_lines
from ..drawing.chart import PAD, Axes, Chart, Scale, path, round_ticks, stretches, text
from ..drawing.styled_lines import size_of
from ..drawing.svg import element, short, width_of
from ..text.numerals import counted, show
from ..text.page import Page
from ..text.translation import say

__all__ = ["PlaneField", "draw", "field_of", "lines"]

Point = tuple[Sequence[float], float]
Score = Callable[..., float]
Place = tuple[float, float]

WIDTH, HEIGHT = 480.0, 372.0
CELLS = 44, 32  # across and up
MOST = 400  # points that are drawn
SAMPLES = 120  # of a fitted curve
ROWS = 18  # of a terminal


@dataclass(frozen=True, slots=True)
class PlaneField:
    """Scores at the corners of the cells of a plane: `scores[row][column]`, from the lowest row."""

    x: Scale
    y: Scale
    scores: tuple[tuple[float, ...], ...]


def field_of(points: Sequence[Point], score: Score, across: int = CELLS[0], up: int = CELLS[1]) -> PlaneField:
    """Ask a model about the plane around its points."""
    x = _around([point[0] for point, _ in points])
    y = _around([point[1] for point, _ in points])
    xs = [x.low + (x.high - x.low) * i / across for i in range(across + 1)]
    ys = [y.low + (y.high - y.low) * j / up for j in range(up + 1)]
    return PlaneField(x, y, tuple(tuple(float(score(a, b)) for a in xs) for b in ys))


def _around(numbers: Sequence[float]) -> Scale:
    finite = [x for x in numbers if isfinite(x)] or [0.0]
    low, high = min(finite), max(finite)
    margin = (high - low) * 0.12 or 1.0
    return Scale(low - margin, high + margin, 0.0, 1.0)


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    return points[:: max(1, -(-len(points) // MOST))]


def _missed(points: Sequence[Point], score: Score) -> list[bool]:
    return [(score(*point) > 0.0) != (label > 0.0) for point, label in points]


# ---- a drawing ----------------------------------------------------------------------------------


def draw(
    points: Sequence[Point],
    score: Score,
    *,
    kind: str = "classifier",
    title: str = "",
    cells: tuple[int, int] = CELLS,
    width: float = WIDTH,
    height: float = HEIGHT,
) -> Chart:
    """The regions of a classifier, or the curve of a regression, with the points.

    A model is asked at every corner of the cells: a large one takes a while, and fewer cells make it less.
    """
    if kind == "regression":
        return _fitted(points, score, width, height)
    field = field_of(points, score, *cells)
    missed = _missed(points, score)
    heading, words = title or say("boundary.title"), _accuracy(missed)
    axes = Axes.of(field.x, field.y, width, height, 58, _short, 0.0)
    parts = [
        text(heading, PAD, 22, "heading", "start"),
        _key(PAD, 44, any(missed)),
        *_regions(field, axes),
        axes.draw(round_ticks(field.x.low, field.x.high, 6), _short, _short),
        *_dots(points, missed, axes),
    ]
    parts.insert(1, text(words, width - PAD, 22, "small", "end"))
    return Chart(width, height, heading, words, "\n".join(filter(None, parts)))


def _accuracy(missed: Sequence[bool]) -> str:
    right, count = len(missed) - sum(missed), len(missed)
    share = show(100.0 * right / count if count else 0.0, 3)
    return say("boundary.accuracy", right=counted(right), count=counted(count), percent=share)


def _short(x: float) -> str:
    return show(x, 3)


def _key(x: float, y: float, missed: bool) -> str:
    up, down = say("boundary.up"), say("boundary.down")
    at = x + 16 + width_of(up, size_of("note")) + 22
    parts = [_disc(x + 6, y - 5), text(up, x + 16, y, "note", "start")]
    parts += [_triangle(at + 6, y - 5), text(down, at + 16, y, "note", "start")]
    if missed:
        at += 16 + width_of(down, size_of("note")) + 22
        parts += [_ring(at + 6, y - 5), text(say("boundary.missed"), at + 20, y, "note", "start")]
    return "".join(parts)


def _disc(x: float, y: float) -> str:
    return element("circle", class_="dot up", cx=float(x), cy=float(y), r=4.0)


def _triangle(x: float, y: float) -> str:
    return element("path", class_="dot down", d=f"M{short(x)} {short(y - 5)}l5 8.5h-10z")


def _ring(x: float, y: float) -> str:
    return element("circle", class_="missed", cx=float(x), cy=float(y), r=7.5)


def _dots(points: Sequence[Point], missed: Sequence[bool], axes: Axes) -> Iterator[str]:
    every = max(1, -(-len(points) // MOST))
    for at in range(0, len(points), every):
        (a, b, *_), label = points[at]
        x, y = axes.place(a, b)
        yield _disc(x, y) if label > 0.0 else _triangle(x, y)
        if missed[at]:
            yield _ring(x, y)


def _regions(field: PlaneField, axes: Axes) -> Iterator[str]:
    """The region below 0 as the ground, the one above it on top, and the line between them."""
    left, top = axes.x.start, axes.y.end
    wide, high = axes.x.end - left, axes.y.start - top
    yield element("rect", class_="field down", x=left, y=top, width=wide, height=high)
    above, unknown, border = [], [], []
    rows, columns = len(field.scores) - 1, len(field.scores[0]) - 1
    for j in range(rows):
        y0, y1 = axes.y.start - high * j / rows, axes.y.start - high * (j + 1) / rows
        run: float | None = None  # where a row of cells that are wholly above 0 began
        for i in range(columns + 1):
            x0, x1 = left + wide * i / columns, left + wide * (i + 1) / columns
            corners = _corners(field, i, j) if i < columns else (-1.0,) * 4
            if all(score > 0.0 for score in corners):
                run = x0 if run is None else run
                continue
            if run is not None:
                above.append(_box(run, y1, x0, y0))
                run = None
            if not all(map(isfinite, corners)):
                unknown.append(_box(x0, y1, x1, y0))
            elif any(score > 0.0 for score in corners):
                places = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
                inside, crossings = cut(corners, places)
                above.append(path(inside, closed=True))
                border += [path(pair) for pair in zip(crossings[::2], crossings[1::2], strict=True)]
    if above:
        yield element("path", class_="field up", shape_rendering="crispEdges", d="".join(above))
    if unknown:
        yield element("path", class_="page", d="".join(unknown))
    if border:
        yield element("path", class_="contour", d="".join(border))


def _corners(field: PlaneField, i: int, j: int) -> tuple[float, float, float, float]:
    low, high = field.scores[j], field.scores[j + 1]
    return low[i], low[i + 1], high[i + 1], high[i]


def _box(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"M{short(x0)} {short(y0)}H{short(x1)}V{short(y1)}H{short(x0)}Z"


def cut(corners: Sequence[float], places: Sequence[Place]) -> tuple[list[Place], list[Place]]:
    """Of a cell, the part where the score is above 0, and where its edge is crossed: marching squares.

    The score is taken to change evenly along an edge.  Of two opposite corners above 0, the parts are
    joined: what is between them cannot be known from the corners.
    """
    inside, crossings = [], []
    for at in range(4):
        here, there = corners[at], corners[(at + 1) % 4]
        (x0, y0), (x1, y1) = places[at], places[(at + 1) % 4]
        if here > 0.0:
            inside.append((x0, y0))
        if (here > 0.0) != (there > 0.0):
            share = here / (here - there) if isfinite(here - there) else 0.5
            crossing = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            inside.append(crossing)
            crossings.append(crossing)
    if len(crossings) == 4 and not corners[0] > 0.0:  # the two around each corner that is cut off
        crossings = [crossings[-1], *crossings[:-1]]
    return inside, crossings


def _fitted(points: Sequence[Point], score: Score, width: float, height: float) -> Chart:
    across = _around([point[0] for point, _ in points])
    xs = [across.low + (across.high - across.low) * i / SAMPLES for i in range(SAMPLES + 1)]
    ys = [float(score(x)) for x in xs]
    upward = _around([*(target for _, target in points), *ys])
    axes = Axes.of(across, upward, width, height, 36, _short, 0.0)
    heading, words = say("boundary.fit"), _error(points, score)
    curve = "".join(path(axes.place(xs[i], ys[i]) for i in stretch) for stretch in stretches(ys))
    parts = [
        text(heading, PAD, 22, "heading", "start"),
        text(words, width - PAD, 22, "small", "end"),
        axes.draw(round_ticks(across.low, across.high, 6), _short, _short),
        *(_disc(*axes.place(point[0], target)) for point, target in _thinned(points)),
        element("path", class_="plot grad", d=curve) if curve else "",
    ]
    return Chart(width, height, heading, words, "\n".join(filter(None, parts)))


def _error(points: Sequence[Point], score: Score) -> str:
    squares = [(score(*point) - target) ** 2 for point, target in points]
    return say("boundary.error", error=show((sum(squares) / max(1, len(squares))) ** 0.5, 3))


# ---- a terminal ---------------------------------------------------------------------------------


def lines(
    points: Sequence[Point], score: Score, page: Page, *, kind: str = "classifier", rows: int = ROWS
) -> list[str]:
    """The same in characters: the region above 0 is shaded, and a point on the wrong side is crossed."""
    if kind == "regression":
        return _fitted_lines(points, score, page, rows)
    wide = min(page.width - 10, 3 * rows)
    field = field_of(points, score, wide - 1, rows - 1)
    missed = _missed(points, score)
    cells = [
        ["░" if score > 0.0 else " " if score == score else "?" for score in row] for row in field.scores
    ]
    inks = [["faint"] * wide for _ in range(rows)]
    for at, ((a, b, *_), label) in enumerate(points):
        column, row = round(field.x.share(a) * (wide - 1)), round(field.y.share(b) * (rows - 1))
        cells[row][column] = "✗" if missed[at] else "●" if label > 0.0 else "○"
        inks[row][column] = "wrong" if missed[at] else "data" if label > 0.0 else "grad"
    drawn = [
        "".join(page.ink(ink, cell) for ink, cell in zip(inks[j], cells[j], strict=True)).rstrip()
        for j in reversed(range(rows))
    ]
    entries = [("data", "●", say("boundary.up")), ("grad", "○", say("boundary.down"))]
    entries += [("wrong", "✗", say("boundary.missed"))] if any(missed) else []
    return [
        *_framed(drawn, wide, field.x, field.y),
        *key_lines(entries, page),
        *page.wrap(_accuracy(missed)),
    ]


def _framed(drawn: Sequence[str], wide: int, x: Scale, y: Scale) -> list[str]:
    """Rows with the numbers of their axes."""
    rows = len(drawn)
    side = {rows - 1 - round(y.share(value) * (rows - 1)): _short(value) for value in y.ticks(4)}
    left = max(map(len, side.values()), default=0)
    body = [
        f"  {side.get(row, '').rjust(left)} {'┤' if row in side else '│'}{line}"
        for row, line in enumerate(drawn)
    ]
    below = " " * (left + 4)
    for value in round_ticks(x.low, x.high, 6):
        label = _short(value)
        at = left + 4 + round(x.share(value) * (wide - 1)) - len(label) // 2
        if at > len(below.rstrip()):
            below = below.ljust(at)[:at] + label
    return [*body, f"  {' ' * left} └{'─' * wide}", below]


def _fitted_lines(points: Sequence[Point], score: Score, page: Page, rows: int) -> list[str]:
    across = _around([point[0] for point, _ in points])
    canvas = Canvas(min(page.width - 10, 3 * rows), rows)
    xs = [across.low + (across.high - across.low) * i / canvas.dots_wide for i in range(canvas.dots_wide + 1)]
    ys = [float(score(x)) for x in xs]
    upward = _around([*(target for _, target in points), *ys])
    axes = Axes(across.placed(0, canvas.dots_wide - 1), upward.placed(canvas.dots_high - 1, 0))
    for stretch in stretches(ys):
        canvas.line([axes.place(xs[i], ys[i]) for i in stretch], "grad")
    cells = {(round(axes.x(point[0])) // 2, round(axes.y(target)) // 4) for point, target in points}
    drawn = canvas.lines(page.ink, {cell: page.ink("data", "●") for cell in cells})
    entries = [("data", "●", say("boundary.points")), ("grad", "⠒⠒⠒", say("boundary.curve"))]
    return [
        *_framed(drawn, canvas.wide, across, upward),
        *key_lines(entries, page),
        *page.wrap(_error(points, score)),
    ]
