"""Drawings to lay out, and what is wrong with one: its wires are read back from SVG, curve by curve."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from bisect import bisect_left
from itertools import combinations, pairwise, product

from minigrad.drawing.layout import Box, Wire, curve
from source_trees import ROOT

__all__ = ["BOX", "CLASSIC", "LABEL", "drawn_of", "flaws", "height", "printed_by", "random_drawing", "walked"]

BOX, LABEL = Box(132.0, 68.0), (104.0, 22.0)
CLASSIC = "a = 2\nb = 3\nc = 4\nab = a*b\ne = ab + c\nf = a - c\nL = e*f"


def printed_by(program: str, seeds: tuple[str, ...]) -> set[str]:
    """What a program prints in processes that hash differently."""
    printed = set()
    for seed in seeds:
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        printed.add(done.stdout)
    return printed


def drawn_of(graph, label=LABEL):
    """A graph's nodes as boxes and its slots as wires."""
    wires = [Wire(arg, i, label) for i, node in enumerate(graph.nodes) for arg in node.args]
    return [BOX] * len(graph), wires


def random_drawing(seed):
    """Boxes and labels of all sizes; some wires have no label, some are parallel, some boxes have none."""
    draw = random.Random(seed)
    count = draw.randint(1, 18)
    boxes = [Box(draw.uniform(20, 220), draw.uniform(16, 130)) for _ in range(count)]
    pairs = []
    for _ in range(draw.randint(0, 2 * count) if count > 1 else 0):
        tail, head = sorted(draw.sample(range(count), 2))
        pairs += [(tail, head)] * draw.choice((1, 1, 1, 2))
    labelled = draw.choice((0.0, 0.5, 1.0))
    sizes = [(draw.uniform(10, 160), draw.uniform(10, 30)) for _ in pairs]
    ends = zip(sorted(pairs, key=lambda pair: pair[1]), sizes, strict=True)
    return boxes, [Wire(*pair, size if draw.random() < labelled else None) for pair, size in ends]


def walked(path, steps=12):
    """Points along an SVG path of M, L and C, by the formula of a Bezier curve."""
    assert re.fullmatch(r"M[^MLC]+([LC][^MLC]+)+", path)
    points, here = [], None
    for command, numbers in re.findall(r"([MLC])([^MLC]+)", path):
        values = list(map(float, numbers.split()))
        corners = list(zip(values[::2], values[1::2], strict=True))
        assert len(corners) == (3 if command == "C" else 1)
        if command == "M":
            points.append(corners[0])
        elif command == "L":
            corners = [here, here, corners[0], corners[0]]
        else:
            corners = [here, *corners]
        if command != "M":
            for k in range(1, steps + 1):
                t = k / steps
                weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
                points.append(
                    tuple(sum(w * c[axis] for w, c in zip(weights, corners, strict=True)) for axis in (0, 1))
                )
        here = corners[-1]
    return points


def height(path, x):
    """How high a path from left to right is at x; None where it is not."""
    at = bisect_left(path, (x,))
    if at == len(path) or (path[at][0] > x and at == 0):
        return None
    (x1, y1), (x2, y2) = path[max(0, at - 1)], path[at]
    return y2 if x1 == x2 else y1 + (y2 - y1) * (x - x1) / (x2 - x1)


def rectangle(centre, width, height, shrink=0.15):
    """Edges; a little is taken off, since places are rounded to a tenth."""
    (x, y), w, h = centre, width / 2 - shrink, height / 2 - shrink
    return x - w, y - h, x + w, y + h


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def inside(point, box):
    return box[0] < point[0] < box[2] and box[1] < point[1] < box[3]


def flaws(boxes, wires, placed, direction="right"):
    """What is wrong with a drawing, as words."""
    found = []
    solid = [
        rectangle(centre, box.width, box.height) for centre, box in zip(placed.boxes, boxes, strict=True)
    ]
    tags = {w: rectangle(at, *wires[w].label) for w, at in enumerate(placed.labels) if at is not None}
    if {w for w, wire in enumerate(wires) if wire.label is not None} != tags.keys():
        found.append("a label is missing")
    for one, other in combinations(solid, 2):
        if overlap(one, other):
            found.append("two boxes overlap")
    for one, other in combinations(tags.values(), 2):
        if overlap(one, other):
            found.append("two labels overlap")
    for tag, box in product(tags.values(), solid):
        if overlap(tag, box):
            found.append("a label overlaps a box")
    for left, top, right, bottom in (*solid, *tags.values()):
        if left < -0.1 or top < -0.1 or right > placed.width + 0.1 or bottom > placed.height + 0.1:
            found.append("something is outside")
    along = 0 if direction == "right" else 1
    for w, (wire, route) in enumerate(zip(wires, placed.routes, strict=True)):
        path = walked(curve(route, direction))
        tail, head = solid[wire.tail], solid[wire.head]
        if tail[along + 2] >= head[along]:
            found.append("a wire does not lead to a later layer")
        for point, box, side in ((path[0], tail, along + 2), (path[-1], head, along)):
            if abs(point[along] - box[side]) > 0.4 or not box[1 - along] < point[1 - along] < box[3 - along]:
                found.append("a wire does not end at its box")
        if any(b[along] < a[along] - 1e-9 for a, b in pairwise(path)):
            found.append("a wire turns back")
        for point in path[1:-1]:
            found += ["a wire runs through a box" for box in solid if inside(point, box)]
            found += [
                "a wire runs through another's label"
                for other, tag in tags.items()
                if other != w and inside(point, tag)
            ]
        if w in tags:
            at = placed.labels[w] if direction == "right" else placed.labels[w][::-1]
            level = height([point if direction == "right" else point[::-1] for point in path], at[0])
            if level is None or abs(level - at[1]) > 0.2:
                found.append("a wire misses its label")
    for one, other in combinations(range(len(wires)), 2):
        if placed.routes[one] == placed.routes[other]:
            found.append("two wires lie on each other")
    return sorted(set(found))
