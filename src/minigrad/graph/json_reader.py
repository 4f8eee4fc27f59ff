"""Reading graphs and traces back from JSON, and refusing everything else.

A document is refused whole, with the place and the reason, rather than read halfway:
an unknown schema, a key too many or too few, an argument that is not an earlier node,
a number that is not one.
"""

from __future__ import annotations

from typing import Any

from ..ops import OPS
from ..text.numerals import from_json_number
from ..text.translation import say
from .graph import CONSTANT, CUSTOM, INPUT, Graph, Node
from .graph import SCHEMA as GRAPH_SCHEMA
from .trace import EXPLANATION_SCHEMA, Event, Flow, Seed, Trace
from .trace import SCHEMA as TRACE_SCHEMA

__all__ = ["graph_from_json", "trace_from_json"]


class _Refused(Exception):  # noqa: N818 a reason, not an error of ours
    """The reason why a document is not ours, already in words."""


def graph_from_json(document: Any) -> Graph:
    try:
        _keys(document, {"schema", "output", "nodes"}, GRAPH_SCHEMA)
        return _graph(document, with_results=False)[0]
    except _Refused as reason:
        raise ValueError(say("json.not_ours", kind="graph", why=reason)) from None


def trace_from_json(document: Any) -> Trace:
    try:
        wanted = {"schema", "output", "nodes", "order", "events"}
        if isinstance(document, dict) and document.get("schema") == EXPLANATION_SCHEMA:
            _keys(document, wanted | {"value", "gradients", "paths", "check", "notes"})
        else:
            _keys(document, wanted, TRACE_SCHEMA)
        graph, values, grads = _graph(document, with_results=True)
        order = tuple(_reference(graph, name) for name in _list(document, "order"))
        events = tuple(_event(graph, i, row) for i, row in enumerate(_list(document, "events")))
        return Trace(graph, values, order, events, grads)
    except _Refused as reason:
        raise ValueError(say("json.not_ours", kind="trace", why=reason)) from None


def _keys(row: Any, wanted: set[str], schema: str = "") -> None:
    if not isinstance(row, dict):
        raise _Refused(say("json.shape", what=type(row).__name__))
    if schema and row.get("schema") != schema:
        raise _Refused(say("json.schema", given=_shown(row.get("schema")), known=schema))
    odd = wanted.symmetric_difference(row)
    if odd:
        raise _Refused(say("json.keys", keys=", ".join(sorted(map(str, odd)))[:200]))


def _list(document: dict[str, Any], key: str) -> list[Any]:
    rows = document[key]
    if not isinstance(rows, list):
        raise _Refused(say("json.shape", what=key))
    return rows


def _number(x: Any) -> float:
    try:
        if isinstance(x, (int, float, str)):
            return from_json_number(x)
    except (ValueError, OverflowError):
        pass
    raise _Refused(say("json.number", given=_shown(x)))


def _shown(x: Any) -> str:
    """What was found, for an error message; a container only by its type, since it may be deep."""
    plain = isinstance(x, (str, float, bool, type(None))) or (isinstance(x, int) and abs(x) < 10**18)
    return repr(x)[:40] if plain else type(x).__name__


def _graph(
    document: dict[str, Any], with_results: bool
) -> tuple[Graph, tuple[float, ...], tuple[float, ...]]:
    rows = _list(document, "nodes")
    places: dict[str, int] = {}
    nodes, values, grads = [], [], []
    for i, row in enumerate(rows):
        try:
            nodes.append(_node(row, places, with_results))
            if with_results:
                values.append(_number(row["data"]))
                grads.append(_number(row["grad"]))
            places[row["name"]] = i
        except _Refused as reason:
            raise _Refused(say("json.node", index=i, why=reason)) from None
    output = document["output"]
    if not isinstance(output, str) or output not in places:
        raise _Refused(say("json.shape", what="output"))
    graph = Graph(nodes, places[output])
    if list(graph.names) != list(places):
        raise _Refused(say("json.shape", what="name"))
    return graph, tuple(values), tuple(grads)


def _node(row: Any, places: dict[str, int], with_results: bool) -> Node:
    op = row.get("op") if isinstance(row, dict) else None
    leaf, custom = op in (INPUT, CONSTANT), op == CUSTOM
    wanted = {"name", "op", "args", "label"} | ({"data", "grad"} if with_results else set())
    _keys(row, wanted | ({"data"} if leaf or custom else set()) | ({"locals"} if custom else set()))
    if not isinstance(op, str) or not (leaf or custom or op in OPS):
        raise _Refused(say("json.op", given=_shown(op)))
    for key in ("name", "label"):
        if not isinstance(row[key], str):
            raise _Refused(say("json.shape", what=key))
    names = _list(row, "args")
    earlier = all(isinstance(name, str) and name in places for name in names)
    if not earlier or not _fits(op, len(names)):
        raise _Refused(say("json.args"))
    locals_ = tuple(_number(x) for x in _list(row, "locals")) if custom else ()
    if custom and len(locals_) != len(names):
        raise _Refused(say("json.shape", what="locals"))
    data = _number(row["data"]) if leaf or custom else None
    return Node(op, tuple(places[name] for name in names), row["label"], data, locals_)


def _fits(op: str, count: int) -> bool:
    """Can a node of this op have so many arguments?  In a graph, no default is left out."""
    if op in (INPUT, CONSTANT, CUSTOM):
        return (count > 0) == (op == CUSTOM)
    return OPS[op].takes(count)


def _reference(graph: Graph, name: Any) -> int:
    try:
        return graph.index(name)
    except (KeyError, TypeError):
        raise _Refused(say("json.shape", what=_shown(name))) from None


_FLOW = ("upstream", "local", "amount", "before", "after")


def _event(graph: Graph, i: int, row: Any) -> Event:
    try:
        if isinstance(row, dict) and row.get("type") == "seed":
            _keys(row, {"type", "node", "grad"})
            return Seed(_reference(graph, row["node"]), _number(row["grad"]))
        _keys(row, {"type", "source", "slot", "target", *_FLOW})
        source, target = _reference(graph, row["source"]), _reference(graph, row["target"])
        args, slot = graph.nodes[source].args, row["slot"]
        fits = type(slot) is int and 0 <= slot < len(args) and args[slot] == target
        if row["type"] != "flow" or not fits:
            raise _Refused(say("json.shape", what="slot"))
        return Flow(source, slot, target, *(_number(row[key]) for key in _FLOW))
    except _Refused as reason:
        raise _Refused(say("json.event", index=i, why=reason)) from None
