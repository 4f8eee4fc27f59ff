"""Drawing of a model: an MLP as columns of units with their weights, any other as a chain of its modules.

    draw(units_of_mlp(model))
    draw(boxes_of(record.gradients, model))

The width of a line is the size of a weight, one below 0 is dashed.  An orange ring around a unit is as wide
as the gradient of its weights; a dead unit is hollow and crossed.  Of a large layer the first units are
drawn, and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, isfinite, sqrt
from typing import TYPE_CHECKING

from ..drawing.chart import PAD, Chart, key_of, seen, text
from ..drawing.styled_lines import clip_to_columns
from ..drawing.svg import element, short
from ..text.numerals import counted, show
from ..text.translation import say

if TYPE_CHECKING:
    from ..nn import MLP, Neuron
    from ..scalar import Value

__all__ = ["ModuleBox", "NetworkUnit", "boxes_of", "chain", "columns", "draw", "units_of_mlp"]

WIDTH, TOP, HIGH = 480.0, 84.0, 330.0
MOST = 16  # units of a layer that are drawn
CLOSE = 5  # columns; of more, the first and the last leave no room for words below them
LINKS = 1200  # lines; of more, the strongest


@dataclass(frozen=True, slots=True)
class NetworkUnit:
    weights: tuple[float, ...]
    grad: float = 0.0  # the rms of the gradients of its weights and bias
    dead: bool = False


@dataclass(frozen=True, slots=True)
class ModuleBox:
    name: str
    count: int  # of parameters
    grad: float


def units_of_mlp(model: MLP, dead: Mapping[int, Collection[int]] | None = None) -> list[list[NetworkUnit]]:
    """The layers of an MLP as plain numbers; `dead` are units by layer."""
    return [
        [_unit(neuron, j in (dead or {}).get(i, ())) for j, neuron in enumerate(layer.neurons)]
        for i, layer in enumerate(model.layers)
    ]


def _unit(neuron: Neuron, dead: bool) -> NetworkUnit:
    grads = [*(w.grad for w in neuron.w), neuron.b.grad]
    return NetworkUnit(tuple(w.data for w in neuron.w), hypot(*grads) / sqrt(len(grads)), dead)


def boxes_of(
    layers: Mapping[str, Sequence[Value]], gradients: Mapping[str, tuple[float, float]]
) -> list[ModuleBox]:
    """The modules of any model: their parameters by name, and the sizes of their gradients."""
    return [ModuleBox(name, len(of), gradients.get(name, (0.0, 0.0))[0]) for name, of in layers.items()]


def draw(parts: Sequence[Sequence[NetworkUnit]] | Sequence[ModuleBox]) -> Chart:
    """Columns of units, or a chain of boxes."""
    boxes = [part for part in parts if isinstance(part, ModuleBox)]
    return chain(boxes) if boxes else columns([part for part in parts if not isinstance(part, ModuleBox)])


# ---- columns of units ---------------------------------------------------------------------------


def columns(layers: Sequence[Sequence[NetworkUnit]], *, width: float = WIDTH) -> Chart:
    """An MLP from its inputs, on the left, to its outputs."""
    sizes = [len(layers[0][0].weights), *map(len, layers)]
    places = [_places(size, at, len(sizes), width) for at, size in enumerate(sizes)]
    heading = say("network.title")
    count = sum(len(unit.weights) + 1 for layer in layers for unit in layer)
    words = say("network.told", sizes=_chained(sizes), count=counted(count))
    dead = any(unit.dead for layer in layers for unit in layer)
    entries = [("link strong", say("network.plus")), ("link minus strong", say("network.minus"))]
    key, _ = key_of([*entries, ("pull sample", say("network.pull"))], PAD, 46, width)
    parts = [
        text(heading, PAD, 22, "heading", "start"),
        text(words, width - PAD, 22, "small", "end"),
        key,
        text(f"⊗ {say('network.dead')}", PAD, 66, "small wrong", "start") if dead else "",
        *_links(layers, places),
        *(element("circle", class_="unit", cx=x, cy=y, r=_radius(sizes[0])) for x, y in places[0]),
        *_units(layers, places[1:]),
        *_heads(sizes, places),
    ]
    return Chart(width, TOP + HIGH + 34, heading, words, "\n".join(filter(None, parts)))


def _chained(sizes: Sequence[int]) -> str:
    """The sizes from the first to the last; of many, those at the ends."""
    shown = [counted(size) for size in sizes]
    return " → ".join(shown if len(shown) <= 6 else [*shown[:2], "…", *shown[-2:]])


def _radius(size: int) -> float:
    return max(4.5, min(11.0, 0.36 * HIGH / max(1, min(size, MOST))))


def _places(size: int, at: int, count: int, width: float) -> list[tuple[float, float]]:
    shown = min(size, MOST)
    x = 40 + (width - 80) * at / max(1, count - 1)
    step = min(HIGH / max(shown, 1), 60.0)
    first = TOP + HIGH / 2 - step * (shown - 1) / 2
    return [(round(x, 1), round(first + step * i, 1)) for i in range(shown)]


def _links(
    layers: Sequence[Sequence[NetworkUnit]], places: Sequence[Sequence[tuple[float, float]]]
) -> list[str]:
    """The weights as lines, in few elements: those of one width and sign share a path."""
    found = [
        (abs(weight), weight < 0.0, before[i], after[j])
        for layer, before, after in zip(layers, places, places[1:], strict=False)
        for j, unit in enumerate(layer[: len(after)])
        for i, weight in enumerate(unit.weights[: len(before)])
        if isfinite(weight)
    ]
    top = max((size for size, *_ in found), default=0.0) or 1.0
    paths: dict[tuple[int, bool], list[str]] = {}
    for size, below, (x0, y0), (x1, y1) in sorted(found, key=lambda row: -row[0])[:LINKS]:
        width = round(4.0 * size / top)  # in quarters of the widest: 0 is a hair
        paths.setdefault((width, below), []).append(f"M{short(x0)} {short(y0)}L{short(x1)} {short(y1)}")
    return [
        element("path", class_=f"link{' minus' if below else ''} w{width}", d="".join(d))
        for (width, below), d in sorted(paths.items())
    ]


def _units(
    layers: Sequence[Sequence[NetworkUnit]], places: Sequence[Sequence[tuple[float, float]]]
) -> list[str]:
    finite = [unit.grad for layer in layers for unit in layer if isfinite(unit.grad)]
    top = max(finite, default=0.0) or 1.0
    parts = []
    for layer, column in zip(layers, places, strict=True):
        radius = _radius(len(layer))
        for unit, (x, y) in zip(layer, column, strict=False):
            ring = 0.5 + 4.5 * (unit.grad / top) if isfinite(unit.grad) else 5.0
            if unit.grad:
                parts.append(
                    element("circle", class_="pull", cx=x, cy=y, r=radius + ring / 2, stroke_width=ring)
                )
            kind = "unit dead" if unit.dead else "unit live"
            parts.append(element("circle", class_=kind, cx=x, cy=y, r=radius))
            if unit.dead:
                reach = short(radius * 0.7)
                d = f"M{short(x)} {short(y)}m-{reach}-{reach}l{short(radius * 1.4)} {short(radius * 1.4)}"
                parts.append(
                    element(
                        "path",
                        class_="cross thin",
                        d=f"{d}m0-{short(radius * 1.4)}l-{short(radius * 1.4)} {short(radius * 1.4)}",
                    )
                )
    return parts


def _heads(sizes: Sequence[int], places: Sequence[Sequence[tuple[float, float]]]) -> list[str]:
    """Below each column how many units it has, and what it is."""
    parts = []
    for at, (size, column) in enumerate(zip(sizes, places, strict=True)):
        x = column[0][0]
        words = counted(size)
        if size > MOST:
            words = say("network.part", shown=MOST, size=words)
        if at in (0, len(sizes) - 1) and len(sizes) <= CLOSE:
            words = say("network.outputs" if at else "network.inputs", size=words)
        anchor = "start" if at == 0 else "end" if at == len(sizes) - 1 else "middle"
        edge = PAD if at == 0 else WIDTH - PAD if at == len(sizes) - 1 else x
        parts.append(text(words, edge, TOP + HIGH + 20, "note", anchor))
    return parts


# ---- a chain of boxes ---------------------------------------------------------------------------

ABREAST = ({"tokens", "positions"}, {"query", "key", "value"})  # modules that read the same thing
GAP = 8.0


def chain(boxes: Sequence[ModuleBox], *, width: float = WIDTH) -> Chart:
    """Modules from the input to the output; those that stand side by side read the same thing."""
    heading = say("network.title")
    words = say("network.parameters", count=counted(sum(box.count for box in boxes)))
    top = max((box.grad for box in boxes if isfinite(box.grad)), default=0.0) or 1.0
    parts = [text(heading, PAD, 22, "heading", "start"), text(words, width - PAD, 22, "small", "end")]
    y, told = 40.0, []
    for at, row in enumerate(_abreast(boxes)):
        if at:
            d = f"M{short(width / 2)} {short(y - 16)}v11m-4-5l4 5l4-5"
            parts.append(element("path", class_="wire", d=d))
        wide = (width - 2 * PAD - 8 - GAP * (len(row) - 1)) / len(row)
        high = 40.0 if len(row) == 1 else 58.0
        for column, box in enumerate(row):
            x = PAD + 4 + column * (wide + GAP)
            parts.append(_box(box, x, y, wide, high, top))
            told.append(", ".join([seen(box.name), *_sizes(box)]))
        y += high + 20
    return Chart(width, y - 8, heading, f"{words}. {'; '.join(told)}.", "\n".join(parts))


def _abreast(boxes: Sequence[ModuleBox]) -> list[list[ModuleBox]]:
    rows: list[list[ModuleBox]] = []
    for box in boxes:
        parent, _, name = box.name.rpartition(".")
        last = rows[-1][-1].name.rpartition(".") if rows else ("", "", "")
        together = any(name in group and last[2] in group for group in ABREAST) and last[0] == parent
        if together:
            rows[-1].append(box)
        else:
            rows.append([box])
    return rows


def _sizes(box: ModuleBox) -> tuple[str, str]:
    count = say("network.parameters", count=counted(box.count))
    return count, say("network.row", grad=show(box.grad, 2))


def _box(box: ModuleBox, x: float, y: float, wide: float, high: float, top: float) -> str:
    """A box with the name of a module, whose rim is as wide as its gradient."""
    count, grad = _sizes(box)
    fits = int((wide - 20) / 7.5)
    name = seen(box.name)
    name = name if len(name) <= fits else clip_to_columns(name.rpartition(".")[2], fits)
    low = high > 40.0
    place = {"x": x, "y": y, "width": wide, "height": high, "rx": 6}
    rim = 1.2 + 4.0 * min(1.0, box.grad / top) if isfinite(box.grad) else 5.0
    return element(
        "g",
        element("rect", class_="box", **place),
        element("rect", class_="pull", stroke_width=rim, **place) if box.grad else "",
        text(name, x + 12, y + 17, "name small", "start"),
        text(count, x + 12, y + 33, "note", "start"),
        text(
            grad,
            x + 12 if low else x + wide - 12,
            y + (49 if low else 25),
            "grad small",
            "start" if low else "end",
        ),
    )
