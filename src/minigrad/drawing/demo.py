"""Demonstration of a drawing: the classic example, printed by `python -m minigrad.drawing.river`."""

from __future__ import annotations

from collections.abc import Callable

from ..graph.trace import Trace, trace
from ..language import parse
from .svg import Drawing

__all__ = ["CLASSIC", "demo"]

CLASSIC = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2.0, "b": 3.0, "c": 4.0})


def demo(draw: Callable[[Trace], Drawing]) -> None:
    """Print one drawing of the classic example."""
    print(draw(trace(parse(*CLASSIC))).svg(), end="")
