"""The thermometer of gradients by layer: how large they are beside the weights that they are to move.

    draw(record.gradients, {"layers.0": "vanishing"})

One row for each layer, from the first to the last; bars on a scale by powers of ten, the same one for
gradients and weights.  A gradient of 0 has no bar, and one that is no number has a crossed one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import ceil, floor, isfinite, log10

from ..drawing.chart import PAD, Chart, Scale, seen, text
from ..drawing.styled_lines import clip_to_columns, size_of
from ..drawing.svg import element, short, width_of
from ..text.numerals import show
from ..text.translation import say

__all__ = ["draw", "scale_by_tens"]

Gradients = Mapping[str, tuple[float, float]]

WIDTH = 480.0
ROW, WORDS, TOP = 42.0, 18.0, 74.0
COLUMNS = 32  # of a name
SIDE = 46  # columns of words about a layer
MOST = 24  # layers
DECADES = 4  # at least, on the scale


def scale_by_tens(pairs: Iterable[tuple[float, float]]) -> Scale:
    """A scale that holds all sizes; what is smaller than a part in 10^12 of the largest is at its start."""
    sizes = [size for pair in pairs for size in pair if isfinite(size) and size > 0.0]
    top = min(max(ceil(log10(max(sizes, default=1.0))), -290), 308)
    low = max(floor(log10(min(sizes, default=1.0))), top - 12)
    return Scale(10.0 ** max(-307, min(low, top - DECADES)), 10.0**top, 0.0, 1.0, True)


def _layer_sentence(name: str, pair: tuple[float, float]) -> str:
    return say("layers.told", layer=name, grad=show(pair[0], 3), weight=show(pair[1], 3))


def draw(
    gradients: Gradients,
    findings: Mapping[str, str] | None = None,
    *,
    scale: Scale | None = None,
    width: float = WIDTH,
) -> Chart:
    """Rows of bars; `findings` are words about a layer, set below its row.

    Drawings that are looked at one after the other share a `scale`.
    """
    heading, findings = say("layers.title"), findings or {}
    if not gradients:
        words = say("layers.none")
        return Chart(width, 64.0, heading, words, _title(heading) + text(words, PAD, 46, "note", "start"))
    shown = dict(list(gradients.items())[:MOST])
    scale = (scale or scale_by_tens(shown.values())).placed(PAD, width - PAD - 72)
    parts, y, told = [_title(heading), _key()], TOP, []
    for layer, pair in shown.items():
        name = clip_to_columns(seen(layer), COLUMNS)
        parts.append(_row(name, pair, y, scale, width))
        told.append(_layer_sentence(name, pair))
        if layer in findings:
            words = clip_to_columns(seen(findings[layer]), SIDE)
            parts.append(text(f"▲ {words}", PAD, y + ROW - 4, "small wrong", "start"))
            told.append(words)
            y += WORDS
        y += ROW
    ticks = [
        element("path", class_="grid", d=f"M{short(scale(tick))} {short(TOP - 16)}V{short(y - 10)}")
        + text(show(tick), scale(tick), y + 6, "note", "start" if scale(tick) < 30 else "middle")
        for tick in scale.ticks(5)
    ]
    body = "\n".join([*parts[:2], *ticks, *parts[2:]])
    return Chart(width, y + 16, heading, "; ".join(told) + ".", body)


def _title(heading: str) -> str:
    return text(heading, PAD, 22, "heading", "start")


def _key() -> str:
    grad, weight = say("layers.grad"), say("layers.weight")
    at = PAD + 30 + width_of(grad, size_of("note")) + 20
    return "".join(
        [
            element("path", class_="bar grad", d=_bar(PAD, 34.0, PAD + 22, 9.0)),
            text(grad, PAD + 30, 44, "note", "start"),
            element("path", class_="bar data", d=_bar(at, 38.0, at + 22, 3.5)),
            text(weight, at + 30, 44, "note", "start"),
        ]
    )


def _bar(x0: float, y: float, x1: float, thick: float) -> str:
    return f"M{short(x0)} {short(y)}H{short(x1)}V{short(y + thick)}H{short(x0)}Z"


def _row(name: str, pair: tuple[float, float], y: float, scale: Scale, width: float) -> str:
    """A name with its gradient above a thick bar, and a thin one for the weights below it."""
    grad, weight = pair
    end = width - PAD - 72
    parts = [
        text(name, PAD, y, "small halo", "start"),
        text(show(grad, 3), width - PAD, y + 11, "grad small", "end"),
        text(show(weight, 3), width - PAD, y + 26, "data small", "end"),
    ]
    if not isfinite(grad):
        parts.append(element("path", class_="cross", d=f"M{short(PAD)} {short(y + 6)}l9 9m0-9l-9 9"))
        parts.append(element("path", class_="bar wrong", d=_bar(PAD + 16, y + 6, end, 9.0)))
    elif grad > 0.0:
        parts.append(element("path", class_="bar grad", d=_bar(PAD, y + 6, max(scale(grad), PAD + 2), 9.0)))
    if isfinite(weight) and weight > 0.0:
        parts.append(
            element("path", class_="bar data", d=_bar(PAD, y + 18, max(scale(weight), PAD + 2), 3.5))
        )
    return element("g", *parts)
