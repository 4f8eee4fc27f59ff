"""Drawing of a graph before the pass: its names, its ops and the data of its inputs, and no other number.

A question is asked beside it; whoever fills it in has the answer.
"""

from __future__ import annotations

from ..drawing.box_titles import LINE, title_of
from ..drawing.layout import Box, Wire, curve, layout
from ..drawing.svg import Drawing, element, number, text, width_of
from ..graph import CONSTANT, INPUT, Graph
from ..graph.wording import name, statement
from ..text.numerals import show
from ..text.translation import say

__all__ = ["blank_drawing"]

PADDING, MARGIN = 14.0, 10.0


def blank_drawing(graph: Graph) -> Drawing:
    """The drawing; constants without a name are part of the recipes and have no box."""
    shown = [i for i, node in enumerate(graph.nodes) if node.op != CONSTANT or node.label]
    at = {i: place for place, i in enumerate(shown)}
    boxes = [_size(graph, i) for i in shown]
    wires = [
        Wire(at[argument], at[i])
        for i in shown
        for argument in graph.nodes[i].args
        if argument in at
    ]  # fmt: skip
    placed = layout(boxes, wires, "right")
    body = []
    for route in placed.routes:
        x, y = route[-1]
        head = f"M{x - 7:.1f} {y - 4:.1f}L{x:.1f} {y:.1f}L{x - 7:.1f} {y + 4:.1f}"
        paths = element("path", class_="wire", d=curve(route)), element("path", class_="wire head", d=head)
        body.append(element("g", *paths, class_="edge"))
    for i, box, (x, y) in zip(shown, boxes, placed.boxes, strict=True):
        body.append(_drawn(graph, i, box, x, y))
    inside = element(
        "g", "\n", *(f"{part}\n" for part in body), transform=f"translate({MARGIN:g} {MARGIN:g})"
    )
    return Drawing(
        round(placed.width + 2 * MARGIN, 1),
        round(placed.height + 2 * MARGIN, 1),
        say("sketch.title", output=name(graph, graph.output)),
        say("sketch.words", statements=statement(graph)),
        inside,
    )


def _datum(graph: Graph, i: int) -> str:
    node = graph.nodes[i]
    return show(node.data) if node.op in (INPUT, CONSTANT) and node.data is not None else ""


def _size(graph: Graph, i: int) -> Box:
    widest = max(
        width_of(title_of(graph, i)), width_of(f"data {_datum(graph, i)}") if _datum(graph, i) else 0
    )
    return Box(widest + 2 * PADDING, (2 if _datum(graph, i) else 1) * LINE + 14)


def _drawn(graph: Graph, i: int, box: Box, x: float, y: float) -> str:
    corner = {"x": x - box.width / 2, "y": y - box.height / 2, "width": box.width, "height": box.height}
    top = y - box.height / 2 + 21
    kind = "box leaf" if graph.nodes[i].op == INPUT else "box"
    parts = [element("rect", class_=kind, rx=8, **corner), text(title_of(graph, i), x, top, "name")]
    if _datum(graph, i):
        words = f"data {number('data', _datum(graph, i))}"
        parts.append(element("text", words, class_="data", x=x, y=top + LINE, text_anchor="middle"))
    return element("g", *parts, class_="node")
