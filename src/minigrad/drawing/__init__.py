"""Drawings of a traced pass, as SVG that is made here: no library, no network, the same bytes each time.

    draw("river", trace).svg("dark")

One file per drawing; each runs alone, as in `python -m minigrad.drawing.river`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

from ..graph.paths import Paths
from ..graph.trace import Trace
from .svg import THEMES, Drawing, stacked

__all__ = ["DRAWINGS", "THEMES", "Drawing", "draw", "stacked"]

# What each drawing is called, in the order in which a page offers them.
DRAWINGS = ("graph", "river", "waterfall", "thermometer", "ledger")
_FILES = {"graph": "diagram"}
_GROUPED = ("graph", "river")  # in which a group can be opened


class _DrawingModule(Protocol):
    """The file of a drawing; `group` is for those that _GROUPED lists."""

    def draw(self, trace: Trace, group: str = "", /) -> Drawing: ...


def draw(
    view: str, trace: Trace, *, group: str = "", node: int | None = None, found: Paths | None = None
) -> Drawing:
    """One drawing: of the whole, of one group that is opened, or the ledger of one node.

    Who has the paths of that node already may hand them over.
    """
    if view == "ledger":
        from .ledger import draw as draw_ledger

        return draw_ledger(trace, trace.graph.output if node is None else node, found)
    module: _DrawingModule = import_module(f".{_FILES.get(view, view)}", __package__)
    return module.draw(trace, group) if view in _GROUPED else module.draw(trace)
