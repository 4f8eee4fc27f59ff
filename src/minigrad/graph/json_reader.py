"""Reader of graphs and traces in JSON, which refuses everything else.

A document is refused whole, with the place and the reason, rather than read halfway:
an unknown schema, a key too many or too few, an argument that is not an earlier node,
a number that is not one.
"""

from __future__ import annotations

from contextlib import suppress

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


def graph_from_json(document: object) -> Graph:
    try:
        return _graph(_keys(document, {"schema", "output", "nodes"}, GRAPH_SCHEMA), with_results=False)[0]
    except _Refused as reason:
        raise ValueError(say("json.not_ours", kind="graph", why=reason)) from None


def trace_from_json(document: object) -> Trace:
    try:
        wanted = {"schema", "output", "nodes", "order", "events"}
        if isinstance(document, dict) and document.get("schema") == EXPLANATION_SCHEMA:
            found = _keys(document, wanted | {"value", "gradients", "paths", "check", "notes"})
        else:
            found = _keys(document, wanted, TRACE_SCHEMA)
        graph, values, grads = _graph(found, with_results=True)
        order = tuple(_reference(graph, name) for name in _list(found, "order"))
        events = tuple(_event(graph, i, row) for i, row in enumerate(_list(found, "events")))
        return Trace(graph, values, order, events, grads)
    except _Refused as reason:
        raise ValueError(say("json.not_ours", kind="trace", why=reason)) from None


def _keys(row: object, wanted: set[str], schema: str = "") -> dict[str, object]:
    """The row, if it is a dict with these keys."""
    if not isinstance(row, dict):
        raise _Refused(say("json.shape", what=type(row).__name__))
    if schema and row.get("schema") != schema:
        raise _Refused(say("json.schema", given=_shown(row.get("schema")), known=schema))
    odd = wanted.symmetric_difference(row)
    if odd:
        raise _Refused(say("json.keys", keys=", ".join(sorted(map(str, odd)))[:200]))
    return row


def _text(row: dict[str, object], key: str) -> str:
    text = row[key]
    if not isinstance(text, str):
        raise _Refused(say("json.shape", what=key))
    return text


def _list(document: dict[str, object], key: str) -> list[object]:
    rows = document[key]
    if not isinstance(rows, list):
        raise _Refused(say("json.shape", what=key))
    return rows


def _number(x: object) -> float:
    try:
        if isinstance(x, (int, float, str)):
            return from_json_number(x)
    except (ValueError, OverflowError):
        pass
    raise _Refused(say("json.number", given=_shown(x)))


def _shown(x: object) -> str:
    """What was found, for an error message; a container only by its type, since it may be deep."""
    plain = isinstance(x, (str, float, bool, type(None))) or (isinstance(x, int) and abs(x) < 10**18)
    return repr(x)[:40] if plain else type(x).__name__


def _graph(
    document: dict[str, object], with_results: bool
) -> tuple[Graph, tuple[float, ...], tuple[float, ...]]:
    rows = _list(document, "nodes")
    places: dict[str, int] = {}
    nodes, values, grads = [], [], []
    for i, row in enumerate(rows):
        try:
            found, node = _node(row, places, with_results)
            nodes.append(node)
            if with_results:
                values.append(_number(found["data"]))
                grads.append(_number(found["grad"]))
            places[_text(found, "name")] = i
        except _Refused as reason:
            raise _Refused(say("json.node", index=i, why=reason)) from None
    output = document["output"]
    if not isinstance(output, str) or output not in places:
        raise _Refused(say("json.shape", what="output"))
    graph = Graph(nodes, places[output])
    if list(graph.names) != list(places):
        raise _Refused(say("json.shape", what="name"))
    return graph, tuple(values), tuple(grads)


def _node(given: object, places: dict[str, int], with_results: bool) -> tuple[dict[str, object], Node]:
    """A row of `nodes`, and the node that it describes."""
    op = given.get("op") if isinstance(given, dict) else None
    leaf, custom = op in (INPUT, CONSTANT), op == CUSTOM
    wanted = {"name", "op", "args", "label"} | ({"data", "grad"} if with_results else set())
    row = _keys(given, wanted | ({"data"} if leaf or custom else set()) | ({"locals"} if custom else set()))
    if not isinstance(op, str) or not (leaf or custom or op in OPS):
        raise _Refused(say("json.op", given=_shown(op)))
    _, label = _text(row, "name"), _text(row, "label")
    names = _list(row, "args")
    args = tuple(places[name] for name in names if isinstance(name, str) and name in places)
    if len(args) < len(names) or not _fits(op, len(names)):
        raise _Refused(say("json.args"))
    locals_ = tuple(_number(x) for x in _list(row, "locals")) if custom else ()
    if custom and len(locals_) != len(names):
        raise _Refused(say("json.shape", what="locals"))
    data = _number(row["data"]) if leaf or custom else None
    return row, Node(op, args, label, data, locals_)


def _fits(op: str, count: int) -> bool:
    """Can a node of this op have so many arguments?  In a graph, no default is left out."""
    if op in (INPUT, CONSTANT, CUSTOM):
        return (count > 0) == (op == CUSTOM)
    return OPS[op].takes(count)


def _reference(graph: Graph, name: object) -> int:
    if isinstance(name, str):
        with suppress(KeyError):
            return graph.index(name)
    raise _Refused(say("json.shape", what=_shown(name)))


_FLOW = ("upstream", "local", "amount", "before", "after")


def _event(graph: Graph, i: int, given: object) -> Event:
    try:
        if isinstance(given, dict) and given.get("type") == "seed":
            row = _keys(given, {"type", "node", "grad"})
            return Seed(_reference(graph, row["node"]), _number(row["grad"]))
        row = _keys(given, {"type", "source", "slot", "target", *_FLOW})
        source, target = _reference(graph, row["source"]), _reference(graph, row["target"])
        args, slot = graph.nodes[source].args, row["slot"]
        if not isinstance(slot, int) or isinstance(slot, bool) or not 0 <= slot < len(args):
            raise _Refused(say("json.shape", what="slot"))
        if row["type"] != "flow" or args[slot] != target:
            raise _Refused(say("json.shape", what="slot"))
        return Flow(source, slot, target, *(_number(row[key]) for key in _FLOW))
    except _Refused as reason:
        raise _Refused(say("json.event", index=i, why=reason)) from None
