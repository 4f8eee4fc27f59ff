"""Document of the player, as plain JSON: traces with their drawings, their source and the words of the page.

    document([TitledTrace("right", ("right", "correcto"), trace)])

Every number in it comes out of the traces.  The drawings are made here, so that a page lays nothing out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from re import findall, sub
from typing import Any, TypedDict

from ..drawing import DRAWINGS, draw
from ..drawing.kinks import conventional_nodes
from ..drawing.scene import groups
from ..graph import INPUT, Graph
from ..graph.notation import local_factor, mathml
from ..graph.notation.paper import known
from ..graph.paths import paths
from ..graph.trace import Trace
from ..graph.wording import name, recipe, substituted
from ..language import LIMITS, Places, parse_with_places, write
from ..text.translation import catalogue, language

__all__ = ["SCHEMA", "PlayerDocument", "Source", "TitledTrace", "document"]

SCHEMA = "minigrad.player/1"
Source = tuple[str, Places]  # a text, and where in it each node comes from

EVERY_NODE = 60  # nodes of a graph each of which has its ledger; in a larger one only inputs do
LEDGERS = 24  # of a larger graph
LISTED = 6  # paths that have an arrow of their own
GROUPS = 100  # of a very large graph that can be opened, the outer ones first
SYMBOLS = 600  # nodes of a graph whose local derivatives are given in symbols too
RIVERS = 150  # nodes of a graph whose groups open as rivers too: ribbons take room in a file


class GroupDocument(TypedDict):
    """A group of a large graph; a drawing that was not made is empty."""

    title: list[str]
    parent: str
    svg: str
    river: str


class TraceDocument(TypedDict):
    """One trace with its drawings."""

    key: str
    title: list[str]
    trace: dict[str, Any]  # as Trace.to_json makes it
    names: list[str]
    recipes: list[str]
    worked: list[str]
    conventions: list[int]
    symbols: dict[str, str]
    paths: dict[str, object]
    drawings: dict[str, str]
    ledgers: dict[str, str]
    groups: dict[str, GroupDocument]


class PlayerDocument(TypedDict):
    """All that a player plays."""

    schema: str
    language: str
    title: str
    view: str
    node: int | None
    source: dict[str, object]
    traces: list[TraceDocument]
    words: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class TitledTrace:
    """A trace and what it is called.  The key of a right pass is "right", of a broken one the fault's."""

    key: str
    title: tuple[str, str]  # English, Spanish
    trace: Trace


def document(
    told: Sequence[TitledTrace],
    *,
    source: Source | None = None,
    title: str = "",
    view: str = "",
    node: str = "",
    most: int = GROUPS,
) -> PlayerDocument:
    """One trace, or two that are compared, ready for `page.html`; in the language in use.

    `view` and `node` are what is looked at first.  Without a source the graph is written as one.  At most
    `most` groups of a large graph are drawn; a page that can ask for more is told of all of them.
    """
    graph = told[0].trace.graph
    text, places = source or _written(graph)
    traces = [_trace(each, most) for each in told]
    return {
        "schema": SCHEMA,
        "language": language(),
        "title": title,
        "view": view if view in DRAWINGS else "",
        "node": graph.index(node) if node else None,
        "source": {"text": text, "places": [None if place is None else list(place) for place in places]},
        "traces": traces,
        "words": _words(traces),
    }


# ---- one trace ----------------------------------------------------------------------------------


def _trace(told: TitledTrace, most: int) -> TraceDocument:
    trace, graph = told.trace, told.trace.graph
    ledgers = paths(trace, LISTED, _with_ledger(trace))
    ops = [i for i, node in enumerate(graph.nodes) if node.args]
    return {
        "key": told.key,
        "title": list(told.title),
        "trace": trace.to_json(),
        "names": [name(graph, i) for i in range(len(graph))],
        "recipes": [recipe(graph, i) if node.args else "" for i, node in enumerate(graph.nodes)],
        "worked": [substituted(trace, i) if node.args else "" for i, node in enumerate(graph.nodes)],
        "conventions": sorted(conventional_nodes(trace)),
        "symbols": _symbols(graph, ops) if len(graph) <= SYMBOLS else {},
        "paths": {str(i): found.to_json(graph.names) for i, found in ledgers.items()},
        "drawings": {view: draw(view, trace).inline(view) for view in DRAWINGS if view != "ledger"},
        "ledgers": {
            str(i): draw("ledger", trace, node=i, found=found).inline("ledger")
            for i, found in ledgers.items()
        },
        "groups": _groups(trace, most),
    }


def _with_ledger(trace: Trace) -> list[int]:
    """The nodes whose sum over paths is drawn: inputs first, since that is what is looked at."""
    graph = trace.graph
    inputs = [i for i in graph.inputs if graph.active[i]]
    if len(graph) > EVERY_NODE:
        return inputs[:LEDGERS]
    return [*inputs, *(i for i in graph.order if graph.nodes[i].op != INPUT)]


def _symbols(graph: Graph, ops: Iterable[int]) -> dict[str, str]:
    return {
        f"{i}.{slot}": local_factor(graph, i, slot, mathml)
        for i in ops
        if known(graph, i)
        for slot in range(len(graph.nodes[i].args))
    }


def _groups(trace: Trace, most: int) -> dict[str, GroupDocument]:
    """The inside of each group, as a graph and, where that is not too much, as a river."""
    found = groups(trace.graph)
    outer = sorted(found, key=lambda key: key.count("."))[:most]  # the sort is stable
    opened = {key: draw("graph", trace, group=key).inline("graph") for key in outer}
    rivers = outer if len(trace.graph) <= RIVERS else []
    flowing = {key: draw("river", trace, group=key).inline("river") for key in rivers}
    return {
        key: {
            "title": list(group.title),
            "parent": group.parent,
            "svg": opened.get(key, ""),
            "river": flowing.get(key, ""),
        }
        for key, group in found.items()
    }


# ---- source and words ---------------------------------------------------------------------------


def _written(graph: Graph) -> Source:
    """The graph as a text of its own; an empty one where there is none for it."""
    nothing: Source = ("", (None,) * len(graph))
    try:
        text = sub(r"(?<=\d)\.0\b", "", write(graph))  # a person writes 2, not 2.0
    except ValueError:  # a node that was made by hand
        return nothing
    if len(text) > LIMITS["text"]:
        return nothing
    again, places = parse_with_places(text)
    # reading it back moves leaves only, so the ops are the same ones in the same order, and so are the inputs
    ops = zip(_ops(graph), (places[i] for i in _ops(again)), strict=True)
    inputs = zip(graph.inputs, (places[i] for i in again.inputs), strict=True)
    place = dict((*ops, *inputs))
    return text, tuple(place.get(i) for i in range(len(graph)))


def _ops(graph: Graph) -> list[int]:
    return [i for i, node in enumerate(graph.nodes) if node.args]


def _words(traces: Sequence[TraceDocument]) -> dict[str, list[str]]:
    """The rows of the catalogue that the scripts and the drawings say."""
    drawn = [svg for trace in traces for svg in (*trace["drawings"].values(), *trace["ledgers"].values())]
    groups = [row for trace in traces for row in trace["groups"].values()]
    drawn += [svg for row in groups for svg in (row["svg"], row["river"])]
    said = {key for svg in drawn for key in findall(r'data-say="([a-z_.]+)"', svg)}
    rows = catalogue()
    return {key: list(rows[key]) for key in rows if key in said or key.startswith(("player.", "meaning."))}
