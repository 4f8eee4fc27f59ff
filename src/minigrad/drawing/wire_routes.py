"""Routes of the wires: from a port on one box, through the room between layers, to a port on another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from .svg import short
from .wires import Wiring

__all__ = ["Point", "columns", "curve", "ports", "route"]

Point = tuple[float, float]

PORTS, CORNER = 14.0, 10.0  # the most room between two ports, and what stays free at the ends of a side
BESIDE = 9.0  # between two ribbons at a box, which must be wide enough for all of them
LEAST_GAP, STEEPNESS, MOST_GAP = 22.0, 0.25, 90.0  # room between layers: the further a wire bends, the more


def ports(net: Wiring) -> tuple[list[float], list[float]]:
    """Where each wire leaves its tail and enters its head, from the middle of the side.

    In the order in which wires come and go, so that none cross at a box; wires that come from one box
    together in the order of their slots.
    """
    place = {v: i for layer in net.layers for i, v in enumerate(layer)}
    leaving: list[list[int]] = [[] for _ in range(net.boxes)]
    entering: list[list[int]] = [[] for _ in range(net.boxes)]
    for w, chain in enumerate(net.chains):
        leaving[chain[0]].append(w)
        entering[chain[-1]].append(w)
    leaves, enters = [0.0] * len(net.chains), [0.0] * len(net.chains)
    for box in range(net.boxes):
        for wires, end, offsets in ((leaving[box], 1, leaves), (entering[box], -2, enters)):
            wires.sort(key=lambda w, end=end: place[net.chains[w][end]])  # type: ignore[misc]
            side = max(0.0, net.sizes[box][1] - 2 * CORNER)
            step = min(PORTS, side / (len(wires) - 1)) if len(wires) > 1 else 0.0
            gaps = [
                (net.thick[v] + net.thick[w]) / 2 + BESIDE if net.thick[v] or net.thick[w] else step
                for v, w in pairwise(wires)
            ]
            at = (net.thick[wires[0]] - net.thick[wires[-1]] - 2 * sum(gaps)) / 4 if wires else 0.0
            for k, w in enumerate(wires):
                offsets[w] = at
                at += gaps[k] if k < len(gaps) else 0.0
    return leaves, enters


def columns(
    net: Wiring, ys: Sequence[float], leaves: Sequence[float], enters: Sequence[float]
) -> list[tuple[float, float]]:
    """Where each layer starts and ends."""
    bends = [0.0] * len(net.layers)  # after each layer, how far a wire has to go up or down
    for w, chain in enumerate(net.chains):
        heights = [ys[v] for v in chain]
        heights[0] += leaves[w]
        heights[-1] += enters[w]
        for u, y, next_y in zip(chain, heights, heights[1:], strict=False):
            layer = net.layer_of[u]
            bends[layer] = max(bends[layer], abs(next_y - y))
    found, x = [], 0.0
    for row, bend in zip(net.layers, bends, strict=True):
        end = x + max(net.sizes[v][0] for v in row)
        found.append((x, end))
        x = end + min(MOST_GAP, LEAST_GAP + STEEPNESS * bend)
    return found


def route(
    net: Wiring,
    chain: Sequence[int],
    xs: Sequence[tuple[float, float]],
    ys: Sequence[float],
    leaves: float,
    enters: float,
) -> list[Point]:
    """The points of a wire: straight inside each layer, so that it may bend only between two of them."""
    points: list[Point] = []
    for at, v in enumerate(chain):
        start, end = xs[net.layer_of[v]]
        y = ys[v]
        if at == 0:
            y += leaves
            start = (start + end + net.sizes[v][0]) / 2
        elif at == len(chain) - 1:
            y += enters
            end = (start + end - net.sizes[v][0]) / 2
        for x in (start, end):
            while len(points) > 1 and points[-1][1] == y == points[-2][1]:
                points.pop()  # one straight line
            if not points or points[-1] != (x, y):
                points.append((x, y))
    return points


def curve(points: Sequence[Point], direction: str = "right") -> str:
    """An SVG path through the points; it never turns back, and runs along the direction at each of them."""
    parts = [f"M{short(points[0][0])} {short(points[0][1])}"]
    for (x1, y1), (x2, y2) in pairwise(points):
        end = f"{short(x2)} {short(y2)}"
        if x1 == x2 or y1 == y2:
            parts.append(f"L{end}")
        elif direction == "right":
            middle = short((x1 + x2) / 2)
            parts.append(f"C{middle} {short(y1)} {middle} {short(y2)} {end}")
        else:
            middle = short((y1 + y2) / 2)
            parts.append(f"C{short(x1)} {middle} {short(x2)} {middle} {end}")
    return "".join(parts)
