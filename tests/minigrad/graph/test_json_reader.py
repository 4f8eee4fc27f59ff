"""JSON of graphs and traces: a round trip loses nothing, and everything else is refused whole."""

from __future__ import annotations

import copy
import json
import math
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_changes import places, same_numbers
from minigrad import Graph, Value, trace
from minigrad import functions as F  # noqa: N812
from minigrad.graph.trace import Trace
from minigrad.ops import OPS
from minigrad.text.translation import LANGUAGES, speaking
from sentences import sentence
from small_graphs import random_value, small_graphs


def classic(third=4.0):
    a, b, c = Value(2.0, label="a"), Value(3.0, label="b"), Value(third, label="c")
    y = (a * b + c) * (a - c)
    return Graph.of(y)


def with_everything():
    """A graph with inputs, constants, a hand-made node, defaults, many arguments and odd numbers."""
    a, b = Value(-0.0, label="a"), Value(math.inf, label="a")
    made = Value(1.5, (a, a), (2.0, -math.inf), label="made by hand")
    y = F.sum([made, b, a * math.nan, a.leaky_relu(), F.dot([a, b], [b, a]), F.where(1, a, b)])
    return Graph.of(y)


def through_text(document):
    return json.loads(json.dumps(document, allow_nan=False))


GRAPHS = {"classic": classic(), "everything": with_everything(), "leaf": Graph.of(Value(1e-320))}


# ---- round trips --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GRAPHS)
def test_a_graph_survives_the_round_trip(name):
    graph = GRAPHS[name]
    document = through_text(graph.to_json())
    restored = Graph.from_json(document)
    assert restored == graph
    assert restored.names == graph.names
    assert repr(restored.nodes) == repr(graph.nodes)
    assert restored.output == graph.output
    assert through_text(restored.to_json()) == document


@pytest.mark.parametrize("name", GRAPHS)
def test_a_trace_survives_the_round_trip(name):
    record = trace(GRAPHS[name], seed=-0.5)
    document = through_text(record.to_json())
    restored = Trace.from_json(document)
    for field in ("values", "order", "events", "grads", "gradients"):
        assert repr(getattr(restored, field)) == repr(getattr(record, field)), field
    assert restored.graph == record.graph
    assert through_text(restored.to_json()) == document


def test_random_graphs_survive_too():
    for graph in small_graphs(60, ops=10):
        assert Graph.from_json(through_text(graph.to_json())) == graph
        record = trace(graph)
        assert repr(Trace.from_json(through_text(record.to_json())).events) == repr(record.events)


def test_a_broken_pass_can_be_sent_as_well():
    record = trace(classic(), order=[6, 3, 4, 5, 3], accumulate=lambda before, amount: amount)
    assert Trace.from_json(through_text(record.to_json())).events == record.events


def test_the_document_of_the_smallest_graph_by_hand():
    a = Value(3.0, label="a")
    assert Graph.of(a * a).to_json() == {
        "schema": "minigrad.graph/1",
        "output": "out",
        "nodes": [
            {"name": "a", "op": "input", "args": [], "label": "a", "data": 3.0},
            {"name": "out", "op": "mul", "args": ["a", "a"], "label": ""},
        ],
    }
    assert trace(Graph.of(a * a)).to_json() == {
        "schema": "minigrad.trace/1",
        "output": "out",
        "nodes": [
            {"name": "a", "op": "input", "args": [], "label": "a", "data": 3.0, "grad": 6.0},
            {"name": "out", "op": "mul", "args": ["a", "a"], "label": "", "data": 9.0, "grad": 1.0},
        ],
        "order": ["out", "a"],
        "events": [
            {"type": "seed", "node": "out", "grad": 1.0},
            {"type": "flow", "source": "out", "slot": 0, "target": "a", "upstream": 1.0, "local": 3.0,
             "amount": 3.0, "before": 0.0, "after": 3.0},
            {"type": "flow", "source": "out", "slot": 1, "target": "a", "upstream": 1.0, "local": 3.0,
             "amount": 3.0, "before": 3.0, "after": 6.0},
        ],
    }  # fmt: skip


def test_numbers_that_json_lacks_are_words():
    text = json.dumps(with_everything().to_json(), allow_nan=False)
    assert '"inf"' in text
    assert '"nan"' in text
    assert "Infinity" not in text


# ---- refusals -----------------------------------------------------------------------------------

LOADERS = {
    "graph": (Graph.from_json, through_text(with_everything().to_json())),
    "trace": (Trace.from_json, through_text(trace(classic()).to_json())),
}
ODD = (
    None,
    True,
    0,
    -1,
    1.5,
    10**400,
    "",
    "nonsense",
    "a",
    [],
    ["a"],
    {},
    {"a": 1},
    [[]],
    [None],
    "NaN",
    "1.0",
)


def at(document, path):
    for key in path:
        document = document[key]
    return document


def changed(document, path, new):
    document = copy.deepcopy(document)
    if not path:
        return new
    at(document, path[:-1])[path[-1]] = new
    return document


def same(left, right):
    return json.dumps(left) == json.dumps(right)


@pytest.mark.parametrize("kind", LOADERS)
def test_what_is_read_is_what_would_be_written_and_everything_else_is_a_value_error(kind):
    """Whatever stands at whatever place: it is refused, or it is one more document of ours."""
    load, document = LOADERS[kind]
    refused = 0
    for path in places(document):
        for odd in ODD:
            if same(at(document, path), odd):
                continue
            mutant = changed(document, path, odd)
            try:
                restored = load(mutant)
            except ValueError:
                refused += 1
            else:
                assert same_numbers(through_text(restored.to_json()), mutant), path
    assert refused > 1000


@pytest.mark.parametrize("kind", LOADERS)
def test_a_missing_or_an_unknown_key_is_refused_anywhere(kind):
    load, document = LOADERS[kind]
    for path in places(document):
        part = at(document, path)
        if not isinstance(part, dict):
            continue
        for key in part:
            mutant = copy.deepcopy(document)
            del at(mutant, path)[key]
            with pytest.raises(ValueError, match="minigrad"):
                load(mutant)
        mutant = copy.deepcopy(document)
        at(mutant, path)["surplus"] = 1
        with speaking("en"), pytest.raises(ValueError, match=r"keys.*surplus"):
            load(mutant)


@pytest.mark.parametrize("kind", LOADERS)
def test_another_schema_is_refused_with_both_names(kind):
    load, document = LOADERS[kind]
    for schema in (f"minigrad.{kind}/2", f"minigrad.{kind}/", "minigrad.other/1", None, 1, ["x"]):
        with speaking("en"), pytest.raises(ValueError, match=f"this version reads minigrad.{kind}/1"):
            load(document | {"schema": schema})
    other = LOADERS["trace" if kind == "graph" else "graph"][1]
    with pytest.raises(ValueError, match="minigrad"):
        load(other)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_names_the_place_and_the_reason(lang):
    document = LOADERS["trace"][1]
    for path, new, key in (
        (("nodes", 3, "op"), "frobnicate", "json.node"),
        (("nodes", 3, "args"), ["L"], "json.node"),
        (("events", 2, "slot"), 7, "json.event"),
    ):
        with speaking(lang), pytest.raises(ValueError, match=sentence(key, lang, index=path[1])):
            Trace.from_json(changed(document, path, new))


def node(name, op, *args, **more):
    return {"name": name, "op": op, "args": list(args), "label": name, **more}


def document(*nodes, output):
    return {"schema": "minigrad.graph/1", "output": output, "nodes": list(nodes)}


A, B = node("a", "input", data=1.0), node("b", "input", data=2.0)

MALFORMED = {
    "no nodes": document(output="a"),
    "an output that is not there": document(A, output="b"),
    "two nodes of one name": document(A, A, output="a"),
    "a name that is not the label": document(A | {"name": "z"}, output="z"),
    "a name that would not be given": document(A | {"label": ""}, output="a"),
    "an argument that comes later": document(A, node("y", "neg", "b"), B, output="y"),
    "a node that is its own argument": document(A, node("y", "add", "a", "y"), output="y"),
    "too few arguments": document(A, node("y", "add", "a"), output="y"),
    "too many arguments": document(A, node("y", "neg", "a", "a"), output="y"),
    "an argument too few where a default is left out": document(A, node("y", "leaky_relu", "a"), output="y"),
    "no argument for a sum": document(A, node("y", "sum"), output="y"),
    "an odd number of arguments for a dot": document(A, node("y", "dot", "a", "a", "a"), output="y"),
    "an input with arguments": document(A, node("y", "input", "a", data=1.0), output="y"),
    "an input without a number": document(node("a", "input"), output="a"),
    "an op with a number": document(A, node("y", "neg", "a", data=1.0), output="y"),
    "an op that is not in the table": document(A, node("y", "sinc", "a"), output="y"),
    "a symbol instead of a name": document(A, node("y", "*", "a", "a"), output="y"),
    "a hand-made node without arguments": document(A, node("y", "custom", data=1.0, locals=[]), output="y"),
    "too few local gradients": document(A, node("y", "custom", "a", data=1.0, locals=[]), output="y"),
    "NaN as a number": document(A | {"data": math.nan}, output="a"),
    "infinity as a number": document(A | {"data": math.inf}, output="a"),
    "a number beyond the floats": document(A | {"data": 10**400}, output="a"),
    "a number beyond printing": document(A | {"data": 10**5000}, output="a"),
    "a number as text": document(A | {"data": "1.0"}, output="a"),
    "a truth value as a number": document(A | {"data": True}, output="a"),
}  # fmt: skip


@pytest.mark.parametrize("what", MALFORMED)
def test_a_malformed_graph_is_refused(what):
    with pytest.raises(ValueError, match="minigrad"):
        Graph.from_json(MALFORMED[what])


def test_the_well_formed_neighbours_of_those_are_read():
    for good in (
        document(A, output="a"),
        document(A, B, node("y", "add", "a", "b"), output="y"),
        document(A, node("y", "leaky_relu", "a", "a"), output="y"),
        document(A, node("y", "dot", "a", "a"), output="y"),
        document(A, node("y", "custom", "a", data=1.0, locals=["nan"]), output="y"),
        document(A | {"data": "-inf"}, output="a"),
        document(A | {"data": 1}, output="a"),
    ):
        Graph.from_json(good)


def test_every_op_of_the_table_can_be_sent():
    for op in OPS.values():
        xs = op.samples[0]
        inputs = [node(f"i{i}", "input", data=x) for i, x in enumerate(xs)]
        sent = document(*inputs, node("y", op.name, *(row["name"] for row in inputs)), output="y")
        graph = Graph.from_json(sent)
        assert trace(graph).values[-1] == graph.evaluate()[-1]


def test_a_slot_counts_from_zero_and_not_from_the_end():
    sent = LOADERS["trace"][1]
    first = next(i for i, event in enumerate(sent["events"]) if event["type"] == "flow")
    for slot in (-1, -2, 2, True, 0.0, "0"):
        with pytest.raises(ValueError, match="minigrad"):
            Trace.from_json(changed(sent, ("events", first, "slot"), slot))


def test_a_deeply_nested_document_is_refused_and_not_printed():
    deep: list = []
    for _ in range(900):
        deep = [deep]
    for path in (
        (),
        ("schema",),
        ("nodes", 0, "data"),
        ("nodes", 0, "op"),
        ("output",),
        ("nodes", 3, "args"),
    ):
        with pytest.raises(ValueError, match="minigrad"):
            Graph.from_json(changed(LOADERS["graph"][1], path, deep))


# ---- fuzz ---------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from(["a", "b", "out", "input", "constant", "custom", "add", "inf", "minigrad.graph/1"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(
        st.sampled_from(["schema", "output", "nodes", "name", "op", "args", "label", "data", "grad", "order"])
        | st.text(max_size=4),
        inner,
        max_size=6,
    ),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=150, deadline=None, derandomize=True, database=None)
@given(JSON)
def test_any_json_is_refused_or_read_and_never_crashes(anything):
    for load in (Graph.from_json, Trace.from_json):
        with suppress(ValueError):
            load(anything)


ROWS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["a", "b", "y", "out", "x1", "v1"]),
        "op": st.sampled_from(["input", "constant", "custom", "add", "neg", "dot", "where", "sum", "elu"]),
        "args": st.lists(st.sampled_from(["a", "b", "y", "out", "x1", "v1"]), max_size=4),
        "label": st.sampled_from(["", "a", "b", "y"]),
    },
    optional={"data": st.floats() | st.sampled_from(["nan", 3]), "locals": st.lists(st.floats(), max_size=2)},
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.lists(ROWS, max_size=5), st.sampled_from(["a", "b", "y", "out", "x1", "v1"]))
def test_a_graph_that_is_read_can_be_used(rows, output):
    """What the loader lets in never fails later: it evaluates, traces and is written again."""
    try:
        graph = Graph.from_json(document(*rows, output=output))
    except ValueError:
        return
    record = trace(graph)
    assert Graph.from_json(graph.to_json()) == graph
    assert len(record.grads) == len(graph)
    assert next(graph.orders()) is not None


def test_random_values_make_it_through_a_file(tmp_path):
    _, y = random_value(8, ops=12)
    path = tmp_path / "graph.json"
    path.write_text(json.dumps(Graph.of(y).to_json()), encoding="utf-8")
    assert Graph.from_json(json.loads(path.read_text(encoding="utf-8"))) == Graph.of(y)
