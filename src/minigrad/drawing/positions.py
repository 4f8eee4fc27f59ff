"""Positions of the vertices in their layers: long wires straight, boxes in the middle of their neighbours.

The method is that of Brandes and Koepf (2001).  Vertices are chained to the median of their neighbours in the
layer before (or after), and a chain is drawn as one straight line.  Where two want the same neighbour the
upper one (or the lower one) has it.  That makes four drawings, each leaning into a corner; the mean of the
two middle places of each vertex is upright, and keeps all distances that the four keep.  A wire is straight
when its two ports are level: in a chain, a box stands higher or lower by the offset of its port.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

__all__ = ["Lattice", "places"]


@dataclass(frozen=True, slots=True)
class Lattice:
    """Layers of vertices in order, and the wire pieces between neighbouring layers.

    A piece is (other vertex, rise): the wire is straight if this vertex stands `rise` below the other one.
    """

    layers: list[list[int]]
    before: list[list[tuple[int, float]]]  # of each vertex, by the order of the other vertices
    after: list[list[tuple[int, float]]]
    thickness: list[float]  # of each vertex, across the layers
    gaps: list[float]  # half the room that each wants to its neighbours
    bend: list[bool]  # is it a place that a wire passes through, rather than a box?


def places(lattice: Lattice) -> list[float]:
    """The middle of each vertex; the smallest edge is at 0."""
    place = [0] * len(lattice.thickness)
    for layer in lattice.layers:
        for i, v in enumerate(layer):
            place[v] = i
    kept = _conflicts(lattice, place)
    apart = _apart(lattice)
    drawings = []
    for from_before in (True, False):
        for mirrored in (False, True):
            root, shift = _chains(lattice, place, kept, from_before, mirrored)
            drawings.append(_compact(lattice, apart, root, shift, mirrored))
    return _balanced(drawings, lattice.thickness)


def _conflicts(lattice: Lattice, place: Sequence[int]) -> set[tuple[int, int]]:
    """The wire pieces that cross a piece between two bends: those stay straight, so these may not."""
    bend, found = lattice.bend, set()
    for number, layer in enumerate(lattice.layers[1:]):
        low, start = 0, 0
        for i, v in enumerate(layer):
            inner = bend[v] and bend[lattice.before[v][0][0]]
            if not inner and i < len(layer) - 1:
                continue
            high = place[lattice.before[v][0][0]] if inner else len(lattice.layers[number])
            for w in layer[start : i + 1]:
                for u, _ in lattice.before[w]:
                    if not low <= place[u] <= high and not (bend[u] and bend[w]):
                        found.add((u, w))
            start, low = i + 1, high
    return found


def _apart(lattice: Lattice) -> list[list[float]]:
    """For each layer, the distance that each vertex keeps from the next."""
    reach = [t / 2 + gap for t, gap in zip(lattice.thickness, lattice.gaps, strict=True)]
    return [[reach[u] + reach[v] for u, v in pairwise(layer)] for layer in lattice.layers]


def _chains(
    lattice: Lattice,
    place: Sequence[int],
    kept: set[tuple[int, int]],
    from_before: bool,
    mirrored: bool,
) -> tuple[list[int], list[float]]:
    """For each vertex the first of its chain, and how far below that one it stands."""
    count = len(place)
    root, shift = list(range(count)), [0.0] * count
    rows = lattice.before if from_before else lattice.after
    for layer in lattice.layers if from_before else reversed(lattice.layers):
        last = count if mirrored else -1
        for v in reversed(layer) if mirrored else layer:
            row = rows[v]
            if not row:
                continue
            low, high = (len(row) - 1) // 2, len(row) // 2
            for at in (low,) if low == high else (high, low) if mirrored else (low, high):
                u, rise = row[at]
                beyond = place[u] < last if mirrored else place[u] > last
                if beyond and (((u, v) if from_before else (v, u)) not in kept):
                    root[v], shift[v] = root[u], shift[u] + rise
                    last = place[u]
                    break
    return root, shift


def _compact(
    lattice: Lattice,
    apart: Sequence[Sequence[float]],
    root: Sequence[int],
    shift: Sequence[float],
    mirrored: bool,
) -> list[float]:
    """Chains as far up as they can go, then down again to the next one; mirrored, the other way round."""
    count = len(root)
    following: list[list[tuple[int, float]]] = [
        [] for _ in range(count)
    ]  # the chains below each, and how far
    waiting = [0] * count
    for layer, distances in zip(lattice.layers, apart, strict=True):
        for i, distance in enumerate(distances):
            u, v = layer[i], layer[i + 1]
            following[root[u]].append((root[v], distance + shift[u] - shift[v]))
            waiting[root[v]] += 1
    order = [v for v in range(count) if root[v] == v and not waiting[v]]
    for chain in order:  # grows while it is walked
        for other, _ in following[chain]:
            waiting[other] -= 1
            if not waiting[other]:
                order.append(other)
    at = [0.0] * count
    if mirrored:
        for chain in reversed(order):
            if following[chain]:
                at[chain] = min([at[other] - distance for other, distance in following[chain]])
        reached: list[float | None] = [None] * count
        for chain in order:
            least = reached[chain]
            if least is not None:
                at[chain] = least
            for other, distance in following[chain]:
                bound, known = at[chain] + distance, reached[other]
                reached[other] = bound if known is None or known < bound else known
    else:
        for chain in order:
            for other, distance in following[chain]:
                at[other] = max(at[other], at[chain] + distance)
        for chain in reversed(order):
            if following[chain]:
                at[chain] = min([at[other] - distance for other, distance in following[chain]])
    return [at[root[v]] + shift[v] for v in range(count)]


def _balanced(drawings: Sequence[list[float]], thickness: Sequence[float]) -> list[float]:
    """The mean of the two middle places of each vertex, of drawings laid over the narrowest of them."""
    edges = [
        (
            min([y - t / 2 for y, t in zip(drawing, thickness, strict=True)]),
            max([y + t / 2 for y, t in zip(drawing, thickness, strict=True)]),
        )
        for drawing in drawings
    ]
    top, bottom = min(edges, key=lambda edge: edge[1] - edge[0])
    moves = [bottom - edge[1] if k % 2 else top - edge[0] for k, edge in enumerate(edges)]
    first, second, third, fourth = (
        [y + move for y in drawing] for drawing, move in zip(drawings, moves, strict=True)
    )
    middle = [(sum(row) - min(row) - max(row)) / 2 for row in zip(first, second, third, fourth, strict=True)]
    top = min([y - t / 2 for y, t in zip(middle, thickness, strict=True)])
    return [y - top for y in middle]
