"""Ribbons: bands of one width that lead down along a way, and stripes across them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from .svg import short

__all__ = ["SLACK", "outline", "stripes", "way"]

Point = tuple[float, float]

SLACK = 14.0  # above and below everything that the layout places, so that bends are gentle
BETWEEN_STRIPES, SLANT, PIECES = 7.0, 0.2, 8


def way(route: Sequence[Point]) -> list[Point]:
    """The way of a wire with its bends drawn out into the slack; every point is below the one before."""
    points = [(route[0][0], route[0][1] - SLACK)]
    end = route[-1][0], route[-1][1] + SLACK
    for before, (x, y), after in zip(route, route[1:], route[2:], strict=False):
        y += SLACK if after[0] == x else -SLACK if before[0] == x else 0.0
        if points[-1][1] + 1 < y < end[1] - 1:
            points.append((x, y))
    return [*points, end]


def outline(points: Sequence[Point], wide: float, aside: float = 0.0, joined: Point | None = None) -> str:
    """The band as the `d` of an SVG path: down along one edge, and up along the other.

    It runs beside the way, `aside` to the right of it, and may come from a place above it.
    """
    left, right = (_edge(points, wide, aside, joined, side) for side in (-1, 1))
    return f"M{_at(left[0])}{_drawn(left)}L{_at(right[-1])}{_drawn(right[::-1])}Z"


def _at(point: Point) -> str:
    return f"{short(point[0])} {short(point[1])}"


def _drawn(points: Sequence[Point]) -> str:
    """Cubic curves, three points each; one that leads straight is a line."""
    parts = []
    for before, *controls, end in zip(points[:-1:3], points[1::3], points[2::3], points[3::3], strict=True):
        if all(short(x) == short(before[0]) for x, _ in (*controls, end)):
            parts.append(f"V{short(end[1])}")
        else:
            parts.append(f"C{' '.join(map(_at, (*controls, end)))}")
    return "".join(parts)


def _edge(points: Sequence[Point], wide: float, aside: float, joined: Point | None, side: int) -> list[Point]:
    edge = _beside(points, aside + side * wide / 2)
    if joined is None:
        return edge
    start = points[0][0] + aside, points[0][1]
    return [*_beside([joined, start], side * wide / 2), *edge[1:]]


def _beside(points: Sequence[Point], aside: float) -> list[Point]:
    """The ends and controls of curves that keep their distance from the way through these points.

    The way bends in an S from point to point, and leads straight down at each.  Half way its direction is
    known too: there the curve stands off at a right angle, so that a band keeps its width.
    """
    found = [(points[0][0] + aside, points[0][1])]
    for (x, y), (next_x, next_y) in pairwise(points):
        dx, dy = next_x - x, next_y - y
        along, whole = hypot(2 * dx, dy) or 1.0, hypot(dx, dy) or 1.0
        start, end = (x + aside, y), (next_x + aside, next_y)
        centre = x + dx / 2 + aside * dy / along, y + dy / 2 - aside * 2 * dx / along
        first, second = (2 * hypot(centre[0] - tip[0], centre[1] - tip[1]) / whole for tip in (start, end))
        found += [
            (start[0], start[1] + first * dy / 4),
            (centre[0] - first * dx / 4, centre[1] - first * dy / 8),
            centre,
            (centre[0] + second * dx / 4, centre[1] + second * dy / 8),
            (end[0], end[1] - second * dy / 4),
            end,
        ]
    return found


def stripes(points: Sequence[Point], wide: float, aside: float = 0.0, joined: Point | None = None) -> str:
    """Slanted strokes from edge to edge of the same band, at even steps."""
    left, right = (_edge(points, wide, aside, joined, side) for side in (-1, 1))
    strokes, due = [], BETWEEN_STRIPES / 2
    for k in range(0, len(left) - 3, 3):
        ends = left[k : k + 4], right[k : k + 4]
        spots = [_between(*(_on(curve, piece / PIECES) for curve in ends)) for piece in range(PIECES + 1)]
        lengths = [hypot(x - next_x, y - next_y) for (x, y), (next_x, next_y) in pairwise(spots)]
        slant = min(SLANT * wide / (sum(lengths) or 1.0), 0.2)
        for piece, length in enumerate(lengths):
            while due < length:
                t = (piece + due / length) / PIECES
                low, high = _on(ends[0], min(t + slant, 1.0)), _on(ends[1], max(t - slant, 0.0))
                strokes.append(f"M{_at(low)}L{_at(high)}")
                due += BETWEEN_STRIPES
            due -= length
    return "".join(strokes)


def _on(curve: Sequence[Point], t: float) -> Point:
    """The point of a cubic curve at t, from 0 to 1."""
    shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return (
        sum(share * x for share, (x, _) in zip(shares, curve, strict=True)),
        sum(share * y for share, (_, y) in zip(shares, curve, strict=True)),
    )


def _between(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2
