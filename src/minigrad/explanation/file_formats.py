"""File formats of an explanation, by the ending of a file: one row per format.

Texts are made of the views beside this file; drawings of those in `drawing/`.  An explanation, the command
line and the studio all ask here, so that an ending means the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ..drawing import DRAWINGS, draw, stacked
from ..drawing.svg import THEMES, Drawing
from ..graph.paths import paths
from ..text.files import rows_json
from ..text.translation import catalogue, say

if TYPE_CHECKING:
    from .explanation import Explanation

__all__ = ["FORMS", "FormatOptions", "drawing_of", "page_of", "svg_of"]


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """How something is to be shown; what is left out is as usual."""

    views: tuple[str, ...] = ()
    node: str = ""  # whose ledger
    group: str = ""  # which group of a large graph to open
    theme: str = "auto"
    against: tuple[str, ...] | None = None  # another order of the nodes, to be played beside the first


USUAL = FormatOptions()
LEDGERS = 12  # inputs whose ledgers are drawn when none is asked for by name
LISTED = 6  # paths that have an arrow of their own


def drawing_of(explanation: Explanation, wishes: FormatOptions = USUAL) -> Drawing:
    """The drawings that are wished for, one below the other; without a wish, the graph."""
    return stacked([_drawn(explanation, view, wishes) for view in wishes.views or DRAWINGS[:1]])


def _drawn(explanation: Explanation, view: str, wishes: FormatOptions) -> Drawing:
    if view not in DRAWINGS:
        raise ValueError(say("view.undrawn", given=repr(view), known=", ".join(DRAWINGS)))
    trace = explanation.trace
    if view != "ledger":
        return draw(view, trace, group=wishes.group)
    graph = trace.graph
    nodes: Sequence[int] = [graph.index(wishes.node)] if wishes.node else graph.inputs[:LEDGERS]
    found = paths(trace, LISTED, nodes)
    return stacked([draw(view, trace, node=i, found=found.get(i)) for i in nodes or (graph.output,)])


def svg_of(explanation: Explanation, wishes: FormatOptions = USUAL) -> str:
    if wishes.theme not in THEMES:
        raise ValueError(say("theme.unknown", given=repr(wishes.theme), known=", ".join(THEMES)))
    return drawing_of(explanation, wishes).svg(wishes.theme)


def _png(explanation: Explanation, wishes: FormatOptions) -> bytes:
    from dataclasses import replace

    from ..drawing.png import png

    theme = "light" if wishes.theme == "auto" else wishes.theme  # a PNG cannot ask its reader
    return png(svg_of(explanation, replace(wishes, theme=theme)))


def page_of(explanation: Explanation, wishes: FormatOptions = USUAL) -> str:
    """The player: one HTML file with everything in it."""
    from ..player.document import TitledTrace
    from ..player.page import play

    told = [TitledTrace("right", catalogue()["told.right"], explanation.trace)]
    if wishes.against is not None:
        against = explanation.in_order(wishes.against).trace
        told = [
            TitledTrace("order-1", catalogue()["told.first"], explanation.trace),
            TitledTrace("order-2", catalogue()["told.second"], against),
        ]
    view = wishes.views[0] if wishes.views else ""
    return play(told, source=explanation.source, view=view, node=wishes.node)


def _tex(explanation: Explanation, wishes: FormatOptions) -> str:
    from .latex_document import tex

    return tex(explanation)


def _text(explanation: Explanation, wishes: FormatOptions) -> str:
    return explanation.text(wishes.views) if wishes.views else explanation.text()


def _markdown(explanation: Explanation, wishes: FormatOptions) -> str:
    return explanation.markdown(wishes.views) if wishes.views else explanation.markdown()


def _json(explanation: Explanation, wishes: FormatOptions) -> str:
    return rows_json(explanation.to_json())


class Form(Protocol):
    def __call__(self, explanation: Explanation, wishes: FormatOptions) -> str | bytes: ...


FORMS: dict[str, Form] = {
    ".txt": _text,
    ".md": _markdown,
    ".json": _json,
    ".svg": svg_of,
    ".png": _png,
    ".html": page_of,
    ".tex": _tex,
}
