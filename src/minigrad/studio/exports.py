"""Files of the export buttons: a name, a type and a content each."""

from __future__ import annotations

from base64 import b64encode
from re import sub

from ..drawing import DRAWINGS
from ..explanation.explanation import Explanation
from ..explanation.file_formats import FORMS, FormatOptions
from ..graph.trace import Trace, trace
from ..player.page import play
from ..text.translation import say
from .broken_pass import laboratory, order_of
from .requests import ExportRequest, RequestRefusedError
from .typed_graph import TypedGraph

__all__ = ["export_answer"]

TYPES = {
    "svg": "image/svg+xml",
    "png": "image/png",
    "html": "text/html",
    "md": "text/markdown",
    "tex": "application/x-tex",
    "json": "application/json",
    "txt": "text/plain",
}
PICTURES = ("svg", "png")


def export_answer(found: TypedGraph, asked: ExportRequest) -> dict[str, object]:
    """The file; of a broken pass, its pictures and its report in place of the right one's."""
    graph = found.graph
    if asked.node is not None and asked.node >= len(graph):
        raise RequestRefusedError(say("server.node", node=asked.node))
    content = _broken(found, asked) if asked.fault else _explained(found, asked, trace(graph))
    stem = sub(r"[^A-Za-z0-9_]+", "", graph.names[graph.output])[:40] or "output"
    broken = f"-{asked.fault}" if asked.fault else ""
    return {
        "name": f"minigrad-{stem}{broken}.{asked.format}",
        "type": TYPES[asked.format],
        "encoding": "base64" if isinstance(content, bytes) else "text",
        "body": b64encode(content).decode() if isinstance(content, bytes) else content,
    }


def _explained(found: TypedGraph, asked: ExportRequest, shown: Trace) -> str | bytes:
    """A trace in the form that is asked for; `view` is one of the drawings."""
    graph = found.graph
    views = (asked.view,) if asked.format in (*PICTURES, "html") else ()
    if views and asked.view not in DRAWINGS:
        raise RequestRefusedError(say("view.undrawn", given=ascii(asked.view), known=", ".join(DRAWINGS)))
    node = "" if asked.node is None else graph.names[asked.node]
    explanation = Explanation(shown, source=(found.text, found.places))
    return FORMS[f".{asked.format}"](explanation, FormatOptions(views, node, "", asked.theme))


def _broken(found: TypedGraph, asked: ExportRequest) -> str | bytes:
    lab = laboratory(found, asked)
    _, order = order_of(lab, asked.order)
    told = lab.told(order)
    if asked.format == "html":
        node = "" if asked.node is None else lab.graph.names[asked.node]
        return play(told, source=lab.source, view=asked.view, node=node)
    if asked.format == "md":
        return lab.markdown()
    if asked.format == "txt":
        return lab.text()
    if asked.format == "json":
        from ..text.files import rows_json

        return rows_json(lab.to_json())
    if lab.broken is None:  # a picture of the right pass would have the name of the fault
        raise RequestRefusedError(say("lab.run.endless"))
    _, broken = told
    return _explained(found, asked, broken.trace)
