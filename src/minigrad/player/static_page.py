"""What a page shows where no script runs: the graph, and every gradient as a sum, in MathML."""

from __future__ import annotations

from html import escape

from ..drawing import draw
from ..graph.notation import gradient_sum, mathml
from ..graph.trace import Trace
from ..text.translation import say

__all__ = ["still"]

FORMULAS = 12  # inputs whose sums are written out
LARGEST = 40_000  # characters of a drawing that is there a second time for this


def still(trace: Trace) -> str:
    """Markup of its own: nothing in it needs the player."""
    graph = trace.graph
    inputs = [i for i in graph.inputs if graph.active[i]][:FORMULAS]
    formulas = "\n".join(f"<p>{gradient_sum(trace, i, mathml)}</p>" for i in inputs)
    drawing = draw("graph", trace).inline("graph")
    shown = drawing if len(drawing) <= LARGEST else ""
    return f"<p>{escape(say('player.noscript'))}</p>\n{shown}{formulas}\n"
