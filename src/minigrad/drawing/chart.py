"""Charts: scales, round ticks, axes, lines, and the classes that they add to the colour grammar.

A chart is a drawing like the others.  It has rules of its own for lines and regions, in the same colours, so
that a drawing without them stays as small as it is.  No line is told by its colour alone: what is right is
unbroken, what is wrong is dashed, and a key names each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil, floor, inf, isfinite, log10

from ..text.escape import visible
from ..text.numerals import show
from ..text.translation import say
from . import svg
from .styled_lines import size_of
from .svg import GAP, THEMES, Drawing, colours, element, short, stylesheet, width_of

__all__ = [
    "Axes",
    "Chart",
    "Scale",
    "chart_rules",
    "degrees",
    "distinct",
    "path",
    "round_ticks",
    "scale_of",
    "seen",
    "stack_charts",
    "text",
    "thin_out",
]

_RULES = """
.grid{stroke:hair;stroke-width:1;fill:none} .ends{stroke:line;stroke-width:1;fill:none}
.plot{fill:none;stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}
.plot.right{stroke:right} .plot.data{stroke:data} .plot.grad{stroke:grad}
.plot.wrong{stroke:wrong;stroke-dasharray:7 5} .plot.faint{stroke:line;stroke-width:1}
.band{fill:hair;fill-opacity:.6}
.cross{fill:none;stroke:wrong;stroke-width:2.6;stroke-linecap:round}
.sign{stroke:active-line;stroke-width:1.6;stroke-dasharray:2 4;fill:none}
.cursor{stroke:active-line;stroke-width:2}
.halo{paint-order:stroke;stroke:page;stroke-width:4px;stroke-linejoin:round}
.field.up{fill:data-wash} .field.down{fill:grad-wash}
.contour{fill:none;stroke:ink;stroke-width:1.6}
.dot{stroke:page;stroke-width:1} .dot.up{fill:data} .dot.down{fill:grad}
.missed{fill:none;stroke:wrong;stroke-width:2}
.bar.faint{fill:line} .track{fill:card} .bar.wrong{fill:wrong}
.link{stroke:data;fill:none} .link.minus{stroke:line;stroke-dasharray:4 3}
.unit{fill:page;stroke:ink;stroke-width:1.4} .unit.dead{stroke:wrong;stroke-dasharray:3 2}
.unit.live{fill:data-wash} .pull{fill:none;stroke:grad} .pull.sample{stroke-width:4}
.w0{stroke-width:.35;stroke-opacity:.45} .w1{stroke-width:.7;stroke-opacity:.7}
.w2{stroke-width:1.1;stroke-opacity:.85}
.w3{stroke-width:1.8} .w4{stroke-width:2.8} .link.strong{stroke-width:2} .cross.thin{stroke-width:1.8}
"""


@cache
def chart_rules(theme: str = "page") -> str:
    """The rules of charts as CSS: for a theme, or for a page whose colours are custom properties."""
    if theme == "auto":
        light, dark, ink = map(chart_rules, THEMES[1:])
        return f"{light}@media (prefers-color-scheme: dark){{{dark}}}\n@media print{{{ink}}}\n"
    named: Mapping[str, str] = colours(0 if theme == "page" else THEMES.index(theme) - 1)
    css = _RULES
    for name, colour in named.items():
        spelled = f"var(--{name})" if theme == "page" else colour
        for end in (";", "}"):
            css = css.replace(f":{name}{end}", f":{spelled}{end}")
    return css


def _spaced(words: str) -> str:
    """Spaces that do not break, as counts have them in Spanish, are spaces: nothing breaks in a drawing."""
    return words.replace("\u00a0", " ")


def seen(words: str) -> str:
    """Words as they stand, but for what nobody would see, which is spelled out; counts stay counts."""
    return visible(_spaced(words))


def text(words: str, x: float, y: float, kind: str = "", anchor: str = "middle") -> str:
    """Words at a place, counts among them."""
    return svg.text(_spaced(words), x, y, kind, anchor)


class Chart(Drawing):
    """A drawing whose document has the rules of charts too."""

    __slots__ = ()

    def __init__(self, width: float, height: float, title: str, words: str, body: str) -> None:
        super().__init__(width, height, _spaced(title), _spaced(words), body)

    def _style(self, theme: str) -> str:
        return stylesheet(theme) + chart_rules(theme)


def stack_charts(charts: Sequence[Chart]) -> Chart:
    """Charts one below the other, from the left."""
    y, parts = 0.0, []
    for chart in charts:
        parts.append(element("g", chart.body, transform=f"translate(0 {short(y)})"))
        y += chart.height + GAP
    return Chart(
        max(chart.width for chart in charts),
        y - GAP,
        "; ".join(chart.title for chart in charts),
        " ".join(chart.words for chart in charts),
        "\n".join(parts),
    )


# ---- scales -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """From numbers to places: low stands at start, high at end; linear or by powers of ten."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __call__(self, x: float) -> float:
        return self.start + self.share(x) * (self.end - self.start)

    def share(self, x: float) -> float:
        """Where it stands between low, 0, and high, 1; what is outside stands at the nearer end."""
        x = min(max(x, self.low), self.high)
        if self.log:
            return (log10(x) - log10(self.low)) / ((log10(self.high) - log10(self.low)) or 1.0)
        span = self.high / 2 - self.low / 2  # halves: the largest numbers there are must not overflow
        return (x / 2 - self.low / 2) / span if span else 0.5

    def placed(self, start: float, end: float) -> Scale:
        """The same numbers at other places."""
        return Scale(self.low, self.high, start, end, self.log)

    def ticks(self, most: int = 5) -> list[float]:
        """Round numbers between low and high."""
        return _decades(self.low, self.high, most) if self.log else round_ticks(self.low, self.high, most)


def round_ticks(low: float, high: float, most: int = 5, whole: bool = False) -> list[float]:
    """At most so many multiples of 1, 2 or 5 times a power of ten, from low to high."""
    if not low < high:
        return [low]
    rough = (high / most - low / most) or 5e-324
    power = floor(log10(rough))
    for factor in (1, 2, 5, 10, 20, 50):
        exponent = power if factor < 10 else power + 1
        digit = factor if factor < 10 else factor // 10
        if whole and exponent < 0:
            continue
        first, last = _multiples(low, high, digit, exponent)
        if 0 <= last - first < most:
            return [_decimal(n * digit, exponent) for n in range(first, last + 1)]
    return [low, high]


def _multiples(low: float, high: float, digit: int, exponent: int) -> tuple[int, int]:
    """The first and the last multiple of a step inside; an end that is one but for rounding is inside."""
    step = _decimal(digit, exponent) or 5e-324
    return ceil(low / step - 1e-9), floor(high / step + 1e-9)


def _decimal(digits: int, exponent: int) -> float:
    return float(f"{digits}e{exponent}")


def _decades(low: float, high: float, most: int) -> list[float]:
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    every = max(1, ceil((last - first + 1) / most))
    powers = [_decimal(1, n) for n in range(first, last + 1) if n % every == 0]
    if last - first >= 2:
        return powers
    for digits in ((1, 2, 5), (1, 3), (1,)):
        found = [
            x
            for n in range(first - 1, last + 1)
            for x in (_decimal(digit, n) for digit in digits)
            if low <= x * (1 + 1e-9) and x <= high * (1 + 1e-9)
        ]
        if len(found) <= most:
            return found or powers
    return powers


def distinct(values: Sequence[float], digits: int = 6) -> Callable[[float], str]:
    """Numbers with so many digits that no two of these look the same."""
    while digits < 17 and len({show(x, digits) for x in values}) < len(set(values)):
        digits += 1
    return lambda x: show(x, digits)


def scale_of(numbers: Iterable[float], log: bool | None = None) -> Scale:
    """A scale from 0 to 1 that holds the finite ones of these numbers, with a little air.

    Whether it goes by powers of ten is decided by them: all are above zero, and the largest is more than
    fifty times the smallest.
    """
    finite = [x for x in numbers if isfinite(x)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    if log is None:
        log = low > 0.0 and high / low > 50.0
    if log and low > 0.0:
        low, high = max(low / 1.25, 5e-324), min(high * 1.25, 1.7e308)
        if high / low < 4.0:
            low, high = low / 2.0, min(high * 2.0, 1.7e308)
        return Scale(low, high, 0.0, 1.0, True)
    if 0.0 <= low < 0.4 * high:
        low = 0.0
    if low == high:
        margin = abs(low) / 2 or 1.0
        return Scale(low - margin, high + margin if abs(high) < 1e308 else high, 0.0, 1.0)
    air = (high / 2 - low / 2) * 0.1
    return Scale(low if low == 0.0 else max(low - air, -1.7e308), min(high + air, 1.7e308), 0.0, 1.0)


def degrees() -> Scale:
    """A scale for angles between two directions."""
    return Scale(0.0, 180.0, 0.0, 1.0)


# ---- lines --------------------------------------------------------------------------------------


def thin_out(points: Sequence[tuple[float, float]], most: int) -> list[tuple[float, float]]:
    """At most about so many of these points, with the highest and the lowest of each stretch among them."""
    if len(points) <= most:
        return list(points)
    count = max(1, most // 2)
    kept: list[tuple[float, float]] = [points[0]]
    for at in range(count):
        stretch = range(at * len(points) // count, (at + 1) * len(points) // count)
        heights = [points[i][1] for i in stretch]
        low, high = heights.index(min(heights)), heights.index(max(heights))
        kept += [points[stretch[i]] for i in sorted({low, high})]
    return [*kept, points[-1]]


def path(points: Iterable[tuple[float, float]], closed: bool = False) -> str:
    """The data of an SVG path through places."""
    places = [f"{short(x)} {short(y)}" for x, y in points]
    return f"M{'L'.join(places)}{'Z' if closed else ''}" if places else ""


def stretches(numbers: Sequence[float]) -> Iterator[range]:
    """Where numbers are finite, one after the other."""
    breaks = [-1, *(i for i, x in enumerate(numbers) if not isfinite(x)), len(numbers)]
    for before, after in pairwise(breaks):
        if after - before > 1:
            yield range(before + 1, after)


# ---- axes ---------------------------------------------------------------------------------------

PAD = 12.0


@dataclass(frozen=True, slots=True)
class Axes:
    """A plot's place in a drawing and its two scales, both in the units of the drawing."""

    x: Scale
    y: Scale

    @classmethod
    def of(
        cls,
        x: Scale,
        y: Scale,
        width: float,
        height: float,
        top: float,
        tick: Callable[[float], str] = show,
        foot: float = 0.0,
    ) -> Axes:
        """Axes that fill a drawing of this size, with room for their numbers."""
        labels = [tick(value) for value in y.ticks()]
        left = PAD + max((width_of(label, size_of("note")) for label in labels), default=0.0) + 8
        return cls(x.placed(left, width - PAD), y.placed(height - foot - 30, top))

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.x(x), self.y(y)

    def draw(
        self,
        across: Sequence[float],
        tick: Callable[[float], str] = show,
        step: Callable[[float], str] = show,
        upward: Sequence[float] | None = None,
    ) -> str:
        """The grid and its numbers; `across` are the ticks below, those at the side are the scale's."""
        left, right, bottom = self.x.start, self.x.end, self.y.start
        parts = []
        for value in self.y.ticks() if upward is None else upward:
            y = self.y(value)
            parts.append(element("path", class_="grid", d=f"M{short(left)} {short(y)}H{short(right)}"))
            parts.append(text(tick(value), left - 8, y + 4.5, "note", "end"))
        parts.append(element("path", class_="ends", d=f"M{short(left)} {short(bottom)}H{short(right)}"))
        used = -inf
        for value in across:
            x, label = self.x(value), step(value)
            half = width_of(label, size_of("note")) / 2
            x_text = min(max(x, left + half - 6), right + PAD - half - 2)
            if x_text - half < used + 8:
                continue
            used = x_text + half
            parts.append(element("path", class_="ends", d=f"M{short(x)} {short(bottom)}v5"))
            parts.append(text(label, x_text, bottom + 20, "note"))
        return "".join(parts)


def key_of(entries: Sequence[tuple[str, str]], x: float, y: float, width: float) -> tuple[str, float]:
    """Samples of lines (by their classes) with their names, in rows that fit; and how high that is."""
    parts, left, top = [], x, y
    for kind, name in entries:
        wide = 30 + width_of(name, size_of("note"))
        if left > x and left + wide > width:
            left, top = x, top + 20
        shape = (
            f"M{short(left)} {short(top - 10)}h22v11h-22z"
            if kind == "band"
            else f"M{short(left)} {short(top - 4.5)}h22"
        )
        parts.append(element("path", class_=kind, d=shape))
        parts.append(text(name, left + 30, top, "note", "start"))
        left += wide + 20
    return "".join(parts), (top - y + 20 if entries else 0.0)


def axis_words(scale: Scale) -> str:
    """How an axis is divided, in words, where that is not the usual way."""
    return say("chart.log") if scale.log else ""
