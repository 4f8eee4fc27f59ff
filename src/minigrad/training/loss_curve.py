"""Loss curve, as a drawing and for a terminal: pure functions of numbers.

    draw(of_losses(run.losses)).svg()
    lines([Series("right", right, "right"), Series("broken", broken, "wrong")], page)

The numbers choose the axis: one by powers of ten where they span a lot, and the words say so.  A line that
meets an infinity or something that is not a number ends there with a cross, and the words say at which step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain

from ..drawing.braille import Canvas, key_lines
from ..drawing.chart import (
    PAD,
    Axes,
    Chart,
    Scale,
    axis_words,
    degrees,
    distinct,
    key_of,
    path,
    round_ticks,
    scale_of,
    seen,
    stretches,
    text,
    thin_out,
)
from ..drawing.styled_lines import size_of
from ..drawing.svg import element, short, width_of
from ..text.numerals import counted, show
from ..text.page import Page
from ..text.translation import say
from .series import Series, SeriesMark, broken, of_losses, smoothed, told, why_broken

__all__ = ["Series", "SeriesMark", "draw", "lines", "of_losses", "places_of", "smoothed", "told"]

WIDTH, HEIGHT = 480.0, 300.0
MOST = 480  # points of one line that are drawn
ROWS = 10  # of a terminal
COLUMNS = 40  # of a name

Band = tuple[Sequence[float], Sequence[float]]


# ---- a drawing ----------------------------------------------------------------------------------


def draw(
    series: Sequence[Series],
    *,
    marks: Sequence[SeriesMark] = (),
    title: str = "",
    unit: str = "loss",
    steps: int = 0,
    log: bool | None = None,
    band: Band | None = None,
    band_name: str = "",
    width: float = WIDTH,
    height: float = HEIGHT,
) -> Chart:
    """The series over their steps; `unit` is loss or angle, `steps` how far the axis goes at least.

    A band is the lowest and the highest number of each step, shaded behind the lines.
    """
    heading = title or say("chart.title.angle" if unit == "angle" else "chart.title.loss")
    series = [replace(one, name=seen(one.name)[:COLUMNS]) for one in series]
    axes, head = _axes(series, unit, steps, log, band, band_name, width, height)
    note = " · ".join(filter(None, [say("chart.steps"), axis_words(axes.y)]))
    parts = [
        text(heading, PAD, 22, "heading", "start"),
        head,
        _shaded(band, axes) if band else "",
        axes.draw(_steps(axes.x), _tick(unit, axes.y), _count, _quarters() if unit == "angle" else None),
        text(note, (axes.x.start + axes.x.end) / 2, height - 8, "note"),
        *(_line(one, axes) for one in series),
        *_signs(marks, axes),
        *_ends(series, axes),
    ]
    return Chart(width, height, heading, told(series, marks), "\n".join(filter(None, parts)))


def places_of(
    series: Sequence[Series], at: Sequence[int], steps: int = 0, height: float = HEIGHT
) -> tuple[list[float], float, float]:
    """Where steps stand in the drawing of these series: their x, and the y of the top and the bottom."""
    axes, _ = _axes(series, "loss", steps, None, None, "", WIDTH, height)
    return [round(axes.x(step), 1) for step in at], axes.y.end, axes.y.start


def _axes(
    series: Sequence[Series],
    unit: str,
    steps: int,
    log: bool | None,
    band: Band | None,
    band_name: str,
    width: float,
    height: float,
) -> tuple[Axes, str]:
    """The axes of a drawing, and what stands above them: what each line is, and why one ends."""
    upward, across = _scales(series, unit, steps, log, band)
    entries = [(f"plot {one.kind}", one.name) for one in series] if len(series) > 1 or band else []
    if band:
        entries.append(("band", seen(band_name)[:COLUMNS]))
    key, high = key_of(entries, PAD, 46, width - PAD)
    for one in series:
        at = broken(one)
        if at is not None and one.kind != "faint":
            key += text(f"✗ {why_broken(one, at)}", PAD, 46 + high, "small wrong", "start")
            high += 20
    return Axes.of(across, upward, width, height, 42 + high, _tick(unit, upward), 20.0), key


def _tick(unit: str, upward: Scale, digits: int = 6) -> Callable[[float], str]:
    return _degrees if unit == "angle" else distinct(upward.ticks(), digits)


def _scales(
    series: Sequence[Series], unit: str, steps: int, log: bool | None, band: Band | None
) -> tuple[Scale, Scale]:
    last = max([steps, 1, *(one.first + len(one.numbers) - 1 for one in series)])
    first = min((one.first for one in series), default=1)
    numbers = chain(*(one.numbers for one in series), *(band or ()))
    upward = degrees() if unit == "angle" else scale_of(numbers, log)
    return upward, Scale(first, max(last, first + 1), 0.0, 1.0)


def _steps(across: Scale) -> list[float]:
    """The first step, round ones, and the last where it is not near a round one."""
    low, high = across.low, across.high
    inner = [x for x in round_ticks(low, high, 6, whole=True) if x - low > 0.06 * (high - low)]
    near = inner and high - inner[-1] < 0.12 * (high - low)
    return [low, *inner, *([] if near else [high])]


def _quarters() -> list[float]:
    return [0.0, 45.0, 90.0, 135.0, 180.0]


def _degrees(x: float) -> str:
    return f"{show(x)}°"


def _count(x: float) -> str:
    return counted(int(x))


def _placed(
    numbers: Sequence[float], stretch: range, first: int, axes: Axes, most: int
) -> list[tuple[float, float]]:
    """Where a stretch of numbers stands; thinned first, which the axes do not change and is quicker."""
    return [axes.place(x, y) for x, y in thin_out([(first + i, numbers[i]) for i in stretch], most)]


def _line(one: Series, axes: Axes) -> str:
    parts = []
    for stretch in stretches(one.numbers):
        points = _placed(one.numbers, stretch, one.first, axes, MOST)
        if len(points) == 1:
            points = [(points[0][0] - 1.5, points[0][1]), (points[0][0] + 1.5, points[0][1])]
        parts.append(path(points))
    return element("path", class_=f"plot {one.kind}", d="".join(parts)) if parts else ""


def _shaded(band: Band, axes: Axes) -> str:
    """The area between the lowest and the highest, where both are numbers."""
    low, high = band
    both = [a - a + b for a, b in zip(low, high, strict=True)]  # finite where both are
    parts = []
    for stretch in stretches(both):
        above, below = (_placed(edge, stretch, 1, axes, MOST) for edge in (high, low))
        parts.append(path([*above, *reversed(below)], closed=True))
    return element("path", class_="band", d="".join(parts)) if parts else ""


def _signs(marks: Sequence[SeriesMark], axes: Axes) -> list[str]:
    """Vertical lines with their words beside them, each set lower than the one before."""
    parts = []
    for at, mark in enumerate(marks):
        x, top = axes.x(mark.step), axes.y.end
        words = seen(mark.words)[:COLUMNS]
        wide = width_of(words, size_of("small"))
        right = x + 6 + wide <= axes.x.end + PAD
        y = top + 14 + 18 * at
        parts.append(element("path", class_="sign", d=f"M{short(x)} {short(top)}V{short(axes.y.start)}"))
        start = x + 6 if right else max(x - 6, axes.x.start + wide)
        parts.append(text(words, start, y, "small halo", "start" if right else "end"))
    return parts


def _ends(series: Sequence[Series], axes: Axes) -> list[str]:
    """A cross where a line ends for want of a number."""
    parts = []
    for one in series:
        at = broken(one)
        if at is None:
            continue
        last = one.numbers[at - 1] if at else axes.y.high
        x, y = axes.place(one.first + max(at - 1, 0), last)
        parts.append(element("path", class_="cross", d=f"M{short(x - 5)} {short(y - 5)}l10 10m0-10l-10 10"))
    return parts


# ---- a terminal ---------------------------------------------------------------------------------


def lines(
    series: Sequence[Series],
    page: Page,
    *,
    marks: Sequence[SeriesMark] = (),
    unit: str = "loss",
    steps: int = 0,
    log: bool | None = None,
    band: Band | None = None,
    band_name: str = "",
    rows: int = ROWS,
) -> list[str]:
    """The series in dots of braille, with the numbers of the axes; what is wrong is dotted."""
    series = [replace(one, name=seen(one.name)[:COLUMNS]) for one in series]
    if band:  # what is above it has left it
        series = [Series(seen(band_name)[:COLUMNS], band[1], "faint"), *series]
    upward, across = _scales(series, unit, steps, log, None)
    tick = _tick(unit, upward, 4)
    values = _quarters()[::2] if unit == "angle" else upward.ticks(4)
    labels = {value: tick(value) for value in values}
    left = max(map(len, labels.values()), default=0)
    canvas = Canvas(max(8, page.width - left - 4), rows)
    axes = Axes(across.placed(0, canvas.dots_wide - 1), upward.placed(canvas.dots_high - 1, 0))
    for mark in marks:
        x = round(axes.x(mark.step))
        for y in range(0, canvas.dots_high, 3):
            canvas.dot(x, y, "title")
    for one in series:
        _dotted(one, axes, canvas)
    written: dict[int, str] = {}
    for value, label in labels.items():
        written.setdefault(min(rows - 1, max(0, round(axes.y(value)) // 4)), label)
    drawn = canvas.lines(page.ink)
    body = [
        f"  {written.get(row, '').rjust(left)} {'┤' if row in written else '│'}{line}"
        for row, line in enumerate(drawn)
    ]
    body.append(f"  {' ' * left} └{'─' * canvas.wide}")
    body.append(_below(_steps(across), axes.x, left + 4, page.width))
    if len(series) > 1:
        body += key_lines(
            [(_INKS[one.kind], _SAMPLES.get(one.kind, "⠒⠒⠒"), one.name) for one in series], page
        )
    for words in (axis_words(upward), *(seen(mark.words) for mark in marks)):
        body += page.wrap(words, kind="faint") if words else []
    for one in series:
        at = broken(one)
        if at is not None and one.kind != "faint":
            body += page.wrap(why_broken(one, at), kind="wrong")
    return body


_INKS = {"faint": "faint", "data": "data", "grad": "grad", "right": "right", "wrong": "wrong"}
_SAMPLES = {"wrong": "⠒ ⠒", "faint": "⠐⠄⠂"}


def _dotted(one: Series, axes: Axes, canvas: Canvas) -> None:
    for stretch in stretches(one.numbers):
        points = _placed(one.numbers, stretch, one.first, axes, 4 * canvas.dots_wide)
        if one.kind == "faint":
            for x, y in points:
                canvas.dot(round(x), round(y), "faint")
        else:
            canvas.line(points, _INKS[one.kind], dotted=one.kind == "wrong")


def _below(ticks: Sequence[float], scale: Scale, left: int, width: int) -> str:
    """The numbers of the steps below their columns; one for which there is no room is left out."""
    line = " " * left
    for value in ticks:
        label = _count(value)
        at = min(max(left, left + round(scale(value) / 2) - len(label) // 2), width - len(label))
        if at >= len(line) + (2 if line.strip() else 0):
            line = line.ljust(at) + label
        elif not line.strip():
            line = line[:at] + label
    return line.rstrip()
