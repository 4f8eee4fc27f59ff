"""The op table in JavaScript agrees with the engine: on the points of the C kernels, and on random graphs.

The same bits where IEEE 754 fixes them.  Elsewhere two libraries differ: each may be as far from the truth as
the row allows, so that their distance is held to 4 units in the last place more than that.
"""

from __future__ import annotations

import math
import re
from math import inf, isfinite, isnan, nan
from pathlib import Path

import pytest

from kernel_points import Point, points
from minigrad.graph import Graph
from minigrad.graph.trace import trace
from minigrad.ops import MANY, OPS, Op
from minigrad.player import kernel_emitter
from minigrad.values import ieee
from random_graphs import EXACT, random_graph
from script_runner import PLAYER, in_node

pytestmark = pytest.mark.one_engine

SCRIPTS = [PLAYER / name for name in ("float_functions.js", "op_kernels.js")]
PASS = [PLAYER / "numerals.js", *SCRIPTS, PLAYER / "graph_pass.js"]
# JSON has no infinity, and JavaScript writes a negative zero as 0.
WRITE = "x => x === null ? null : Object.is(x, -0) ? '-0' : Number.isFinite(x) ? x : String(x)"
READ = "x => typeof x === 'string' ? Number(x.replace('inf', 'Infinity')) : x"
ANSWERS = f"""({{rows}}) => rows.map(([name, points]) => points.map(point =>
  OP_KERNELS[name](...point.map({READ}))
    .map(x => typeof x === 'object' && x !== null ? 1 / x.divisor : x).map({WRITE})))"""

# Rows over lists whose formula needs nothing but what IEEE 754 fixes.
EXACT_LISTS = {"sum", "mean", "prod", "dot", "max", "min"}


def travelling(x: float) -> float | str:
    return x if isfinite(x) and (x or math.copysign(1, x) > 0) else "-0" if x == 0 else repr(x)


def arrived(x: object) -> float | None:
    return None if x is None else float(str(x).replace("Infinity", "inf"))


def is_fixed(op: Op) -> bool:
    """Does IEEE 754 say every bit of this op?"""
    if op.arity[1] == MANY:
        return op.name in EXACT_LISTS
    text = kernel_emitter.kernel(op)
    called = set(re.findall(r"([\w.]+)\(", text))
    return called <= {"Math.abs", "Math.sqrt", "signOf"}


def ulp(x: float) -> float:
    return math.ulp(x) if isfinite(x) else inf


def allowed(op: Op, point: Point, slot: int, right: float) -> float:
    """The distance that is allowed to the value (slot 0), or to a local derivative."""
    bound = op.bounds.value if slot == 0 else op.bounds.partial
    size = abs(right)
    if op.bounds.terms is not None:
        size = max(size, op.bounds.terms(*point)[slot])
    return (4.0 + 2.0 * bound) * ulp(size)


def wrong(op: Op, point: Point, ours: list[float | None], right: list[float | None]) -> str:
    """Where an answer of the script is too far from that of the engine; nothing if it is not."""
    if len(ours) != len(right):
        return f"{op.name}{point}: {len(ours)} numbers"
    fixed = is_fixed(op)
    for slot, (x, y) in enumerate(zip(ours, right, strict=True)):
        if x is None or y is None:
            same = x is y
        elif isnan(x) or isnan(y):
            same = isnan(x) and isnan(y)
        elif fixed or not (isfinite(x) and isfinite(y)):
            same = x == y and math.copysign(1, x) == math.copysign(1, y)
        else:
            same = abs(x - y) <= allowed(op, point, slot, y)
        if not same:
            return f"{op.name}{point}: number {slot} is {x!r}, and {y!r} in the engine"
    return ""


def engine(op: Op, point: Point) -> list[float | None]:
    y = op.forward(ieee, *point)
    return [None if x is None else float(x) for x in (y, *op.partials(ieee, y, *point))]


def sampled(op: Op) -> list[Point]:
    found = points(op)
    return list(found[:: max(1, len(found) // 3000)])


@pytest.fixture(scope="module")
def answers():
    """What the script makes of every point of every op."""
    rows = [(name, [list(map(travelling, point)) for point in sampled(op)]) for name, op in OPS.items()]
    found = in_node(ANSWERS, {"rows": rows}, SCRIPTS)
    return {
        name: [[arrived(x) for x in ours] for ours in each] for name, each in zip(OPS, found, strict=True)
    }


def test_op_kernels_js_is_what_the_emitter_writes():
    written = (PLAYER / "op_kernels.js").read_text(encoding="utf-8")
    assert written == kernel_emitter.emit(), "run: python -m minigrad.player.kernel_emitter"


def test_a_changed_row_changes_what_the_emitter_writes(monkeypatch):
    written = kernel_emitter.emit()
    changed = OPS["softplus"]._replace(forward=lambda m, x: m.log1p(m.exp(x)))
    monkeypatch.setattr(kernel_emitter, "OPS", {**OPS, "softplus": changed})
    assert kernel_emitter.emit() != written


@pytest.mark.parametrize("name", OPS)
def test_every_op_agrees_with_its_row(answers, name):
    op = OPS[name]
    found = [
        said
        for point, ours in zip(sampled(op), answers[name], strict=True)
        if (said := wrong(op, point, ours, engine(op, point)))
    ]
    assert found[:5] == []


def test_ieee_fixes_the_bits_of_arithmetic_and_of_nothing_that_calls_a_library():
    fixed = {name for name, op in OPS.items() if is_fixed(op)}
    assert set(EXACT) <= fixed
    assert {"sum", "where", "clamp", "sqrt", "maximum", "leaky_relu"} <= fixed
    assert not fixed & {"exp", "tanh", "pow", "gelu", "hypot", "cbrt", "logsumexp"}


def test_a_kernel_that_is_wrong_by_little_is_caught(answers):
    """Every number of every op, one at a time, a little off: by an ulp where the bits are fixed."""
    for name, op in OPS.items():
        point = op.samples[0]
        right = engine(op, point)
        assert not wrong(op, point, right, right)
        for slot, x in enumerate(right):
            moved = list(right)
            step = math.nextafter(0.0 if x is None else x, inf)
            moved[slot] = step if is_fixed(op) or x is None else x * (1 + 1e-12) if x else 1e-6
            assert wrong(op, point, moved, right), (name, slot)


# ---- whole graphs -------------------------------------------------------------------------------


def documents(numbers: range, ops: tuple[str, ...] | None) -> list[tuple[Graph, Graph]]:
    """Random graphs, and the same ones with other numbers in their inputs."""
    found = []
    for number in numbers:
        graph = random_graph(number, ops) if ops else random_graph(number)
        moved = {graph.names[i]: (graph.nodes[i].data or 0.0) * 1.0625 + 0.001 for i in graph.inputs}
        found.append((graph, graph.at(moved)))
    return found


PASSES = "({asked}) => asked.map(([trace, inputs]) => passWith(trace, new Map(Object.entries(inputs))))"


def passes(pairs: list[tuple[Graph, Graph]]) -> list[dict]:
    asked = [
        (trace(graph).to_json(), {moved.names[i]: moved.nodes[i].data for i in moved.inputs})
        for graph, moved in pairs
    ]
    return in_node(PASSES, {"asked": asked}, PASS)


def test_a_pass_over_arithmetic_has_the_bits_of_the_engines_trace():
    pairs = documents(range(300), EXACT)
    for (_, moved), ours in zip(pairs, passes(pairs), strict=True):
        assert ours == trace(moved).to_json()


def test_a_pass_over_all_ops_agrees_with_the_engines_trace():
    pairs = documents(range(400), None)
    for (_, moved), ours in zip(pairs, passes(pairs), strict=True):
        right = trace(moved)
        sizes = doubts(right)
        expected = right.to_json()
        assert [row["type"] for row in ours["events"]] == [row["type"] for row in expected["events"]]
        assert ours["order"] == expected["order"]
        for x, y, size in zip(ours["nodes"], expected["nodes"], sizes, strict=True):
            for key, bound in (("data", 1e-13), ("grad", 1e-11)):
                one, other = arrived(x[key]), arrived(y[key])
                close = abs(one - other) <= bound * max(1.0, size) if isfinite(other) else False
                assert close or repr(one) == repr(other), (key, x, y)


def doubts(right) -> list[float]:
    """The largest number that a node, its gradient or a message to it has."""
    sizes = [max(abs(value), abs(grad)) for value, grad in zip(right.values, right.grads, strict=True)]
    for event in right.events[1:]:
        sizes[event.target] = max(sizes[event.target], abs(event.amount), abs(event.after))
    return sizes


def test_a_branch_that_is_taken_now_sends_messages_and_the_other_does_not():
    from minigrad.language import parse

    graph = parse("x = -1; y = where(x > 0, x**2, log(-x) * 3)")
    moved = graph.at({"x": 2.0})
    (ours,) = passes([(graph, moved)])
    assert ours == trace(moved).to_json()
    assert len(ours["events"]) != len(trace(graph).events)


def test_infinities_travel():
    from minigrad.language import parse

    graph = parse("x = 1; y = 1 / x")
    (ours,) = passes([(graph, graph.at({"x": 0.0}))])
    assert ours == trace(graph.at({"x": 0.0})).to_json()
    assert ours["nodes"][-1]["data"] == "inf"


def test_a_node_that_was_made_by_hand_has_no_kernel():
    from minigrad import Value

    a = Value(2.0, label="a")
    graph = Graph.of(Value(5.0, (a,), (3.0,), label="made"))
    assert passes([(graph, graph)]) == [None]


@pytest.mark.parametrize("x", [0.0, 1e-300, 0.3, 0.4999, 0.5, 1.0, 2.0, 3.75, 6.0, 20.0, 26.5, -0.7, -5.0])
def test_erfc_is_right_in_relative_terms_far_into_its_tail(x):
    ours = in_node("(x) => erfc(x)", x, SCRIPTS)
    assert abs(ours - math.erfc(x)) <= 8 * ulp(math.erfc(x))
    assert abs(in_node("(x) => erf(x)", x, SCRIPTS) - math.erf(x)) <= 4 * ulp(math.erf(x))


def test_scripts_are_read_in_this_order():
    from minigrad.player.page import SCRIPTS as ALL

    places = [ALL.index(Path(path).name) for path in PASS]
    assert places == sorted(places)
    assert nan not in places


def test_what_a_page_says_of_a_step_has_the_new_numbers():
    from minigrad.player.document import TitledTrace, document

    def told(graph):
        return document([TitledTrace("right", ("right", "correcto"), trace(graph))])["traces"][0]

    pairs = documents(range(40), EXACT)
    asked = [
        (told(graph), {moved.names[i]: moved.nodes[i].data for i in moved.inputs}) for graph, moved in pairs
    ]
    program = "({asked}) => asked.map(([told, inputs]) => toldWith(told, new Map(Object.entries(inputs))))"
    for (_, moved), ours in zip(pairs, in_node(program, {"asked": asked}, PASS), strict=True):
        assert ours["worked"] == told(moved)["worked"]
        assert ours["trace"] == told(moved)["trace"]
