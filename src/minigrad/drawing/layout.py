"""Layered layout of boxes and wires: the place of each box, of each label and of each wire.

    placed = layout([Box(130, 68), Box(130, 68)], [Wire(0, 1, (80, 22))])
    curve(placed.routes[0])                  # the wire as the `d` of an SVG path

Wires run from left to right (or downwards) through layers: boxes stand in some, labels in those between.
Inside a layer a wire is a straight line that keeps its distance from boxes and labels; between layers, where
nothing stands, it bends.  So no wire runs through a box, and no label lies over anything.  The same boxes and
wires give the same places, to the last digit, in every process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .positions import Lattice, places
from .wire_routes import Point, columns, curve, ports, route
from .wires import Wiring, wiring

__all__ = ["Box", "Placement", "Wire", "curve", "layout"]

AROUND_BOX, AROUND_LABEL, AROUND_WIRE = 13.0, 5.0, 6.0  # half the room between two of a kind


@dataclass(frozen=True, slots=True)
class Box:
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Wire:
    """From an argument to its consumer; the wires into one box are given in the order of its slots."""

    tail: int
    head: int
    label: tuple[float, float] | None = None  # width and height
    thick: float = 0.0  # of a ribbon, the room that it takes itself


@dataclass(frozen=True, slots=True)
class Placement:
    """The size of it all, without a margin, and the places of boxes, labels and wires in the order given."""

    width: float
    height: float
    boxes: tuple[Point, ...]  # centres
    labels: tuple[Point | None, ...]  # centres
    routes: tuple[tuple[Point, ...], ...]  # for `curve`


def layout(boxes: Sequence[Box], wires: Sequence[Wire], direction: str = "right") -> Placement:
    """Places for all of it, in layers from left to right, or downwards if the direction is "down"."""
    if not boxes:
        return Placement(0.0, 0.0, (), (), ())
    right = direction == "right"
    net = wiring(  # everything below is said from left to right; "down" is its mirror image in the diagonal
        [(box.width, box.height) if right else (box.height, box.width) for box in boxes],
        [(wire.tail, wire.head) for wire in wires],
        [wire.label if right or wire.label is None else wire.label[::-1] for wire in wires],
        [wire.thick for wire in wires],
    )
    leaves, enters = ports(net)
    ys = places(_lattice(net, leaves, enters))
    xs = columns(net, ys, leaves, enters)

    def turned(x: float, y: float) -> Point:
        x, y = round(x, 1) + 0.0, round(y, 1) + 0.0
        return (x, y) if right else (y, x)

    def centre(v: int) -> Point:
        start, end = xs[net.layer_of[v]]
        return turned((start + end) / 2, ys[v])

    return Placement(
        *turned(xs[-1][1], max(y + net.sizes[v][1] / 2 for v, y in enumerate(ys))),
        tuple(centre(v) for v in range(net.boxes)),
        tuple(None if v is None else centre(v) for v in net.labels),
        tuple(
            tuple(turned(x, y) for x, y in route(net, chain, xs, ys, leaves[w], enters[w]))
            for w, chain in enumerate(net.chains)
        ),
    )


def _lattice(net: Wiring, leaves: Sequence[float], enters: Sequence[float]) -> Lattice:
    """The vertices with the room around each, and the pieces of wire with what makes them straight."""
    count = len(net.sizes)
    before: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    after: list[list[tuple[int, float]]] = [[] for _ in range(count)]
    for w, chain in enumerate(net.chains):
        for at, (u, v) in enumerate(pairwise(chain)):
            rise = (leaves[w] if at == 0 else 0.0) - (enters[w] if at == len(chain) - 2 else 0.0)
            before[v].append((u, rise))
            after[u].append((v, -rise))
    place = {v: i for layer in net.layers for i, v in enumerate(layer)}
    for rows in (before, after):
        for v in range(net.boxes):
            rows[v].sort(key=lambda piece: place[piece[0]])
    around = [AROUND_BOX] * net.boxes + [AROUND_WIRE] * (count - net.boxes)
    for label in net.labels:
        if label is not None:
            around[label] = AROUND_LABEL
    across = [size[1] for size in net.sizes]
    return Lattice(net.layers, before, after, across, around, [v >= net.boxes for v in range(count)])
