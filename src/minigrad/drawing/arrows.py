"""Arrows: blocks whose length is a number, and lines that lead from one thing to the next."""

from __future__ import annotations

from .svg import element, short

__all__ = ["block", "down", "turn", "up"]

HEAD = 16.0  # the longest head of a block
TIP = 5.0  # half the width of the head of a line


def block(start: float, end: float, y: float, thick: float) -> str:
    """The outline of a horizontal block arrow that ends exactly where it should."""
    head = min(HEAD, abs(end - start))
    neck = end - head if end > start else end + head
    low, high = short(y - thick), short(y + thick)
    return f"M{short(start)} {low}H{short(neck)}L{short(end)} {short(y)}L{short(neck)} {high}H{short(start)}Z"


def down(kind: str, x: float, top: float, bottom: float) -> str:
    """A line that leads down."""
    return _line(kind, f"M{short(x)} {short(top)}V{short(bottom - TIP)}", x, bottom, -1)


def up(kind: str, x: float, bottom: float, top: float) -> str:
    """A line that leads up."""
    return _line(kind, f"M{short(x)} {short(bottom)}V{short(top + TIP)}", x, top, 1)


def turn(kind: str, left: float, right: float, y: float, depth: float) -> str:
    """A line that leads down, across and up again."""
    r, low = min(14.0, depth), short(y + depth)
    way = (
        f"M{short(left)} {short(y)}V{short(y + depth - r)}Q{short(left)} {low} {short(left + r)} {low}"
        f"H{short(right - r)}Q{short(right)} {low} {short(right)} {short(y + depth - r)}V{short(y + TIP)}"
    )
    return _line(kind, way, right, y, 1)


def _line(kind: str, way: str, x: float, tip: float, sign: int) -> str:
    foot = short(tip + sign * 2 * TIP)
    head = f"M{short(x - TIP)} {foot}L{short(x)} {short(tip)}L{short(x + TIP)} {foot}Z"
    return element(
        "g", element("path", class_="line", d=way), element("path", d=head), class_=f"arrow {kind}"
    )
