"""The witness of central differences: agrees with right passes, convicts wrong ones, knows its limits."""

from __future__ import annotations

import math
import random

import pytest

from minigrad import Graph, Value, parse, trace, verify
from minigrad import functions as F  # noqa: N812
from minigrad.ops import OPS
from minigrad.verify import central_differences
from minigrad.verify.testimony import AGREES, DISAGREES, UNRELIABLE, Finding
from op_graphs import FLAT, of_op, wrong_by
from small_graphs import random_value

pytestmark = pytest.mark.both_engines


def classic():
    a, b, c = Value(2.0, label="a"), Value(3.0, label="b"), Value(4.0, label="c")
    return Graph.of((a * b + c) * (a - c))


# ---- right passes -------------------------------------------------------------------------------


def test_it_agrees_on_the_classic_graph():
    testimony = central_differences(trace(classic()))
    assert testimony.right
    assert [(f.name, f.gradient, f.status) for f in testimony.findings] == [
        ("a", 4.0, AGREES),
        ("b", -4.0, AGREES),
        ("c", -12.0, AGREES),
    ]
    assert max(finding.gap for finding in testimony.findings) < 1e-9


def test_it_agrees_on_every_op_at_its_smooth_points():
    for op in OPS.values():
        for xs in op.samples:
            testimony = central_differences(trace(of_op(op, xs), seed=-0.5))
            assert not testimony.having(DISAGREES), (op.name, xs, testimony)
            # The condition of `where` stands exactly on its jump when it is false.
            doubtful = [f for f in testimony.having(UNRELIABLE) if (op.name, f.name) != ("where", "i0")]
            assert not doubtful, (op.name, xs, testimony)


def test_it_contradicts_no_right_pass_over_random_graphs():
    findings = []
    for seed in range(150):
        graph = Graph.of(random_value(seed, ops=10)[1])
        testimony = central_differences(trace(graph, seed=random.Random(seed).choice((1.0, -0.25, 3.5))))
        assert testimony.right, seed
        findings += testimony.findings
    agreeing = [finding for finding in findings if finding.status == AGREES]
    assert len(agreeing) > 0.95 * len(findings) > 100


def test_it_judges_the_pass_at_the_inputs_of_the_pass():
    record = trace(classic(), {"a": 5.0, "b": -1.0})
    testimony = central_differences(record)
    assert [(f.name, f.gradient) for f in testimony.findings] == [("a", -2.0), ("b", 5.0), ("c", 2.0)]
    assert len(testimony.having(AGREES)) == 3


# ---- wrong passes -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in OPS if name not in FLAT])
def test_a_rule_that_is_wrong_by_a_twentieth_of_a_percent_is_convicted(name):
    op = OPS[name]
    xs = next(xs for xs in op.samples if max(map(abs, xs)) < 10)
    graph = of_op(op, xs)
    assert central_differences(trace(graph)).right
    testimony = central_differences(trace(graph, rule=wrong_by(1.0005, name)))
    assert not testimony.right, testimony
    convicted = testimony.having(DISAGREES)[0]
    assert convicted.gradient == pytest.approx(1.0005 * convicted.witness, rel=1e-6)


def test_overwriting_is_convicted_in_every_order():
    graph = classic()
    for order in graph.orders():
        record = trace(graph, order=order, accumulate=lambda before, amount: amount)
        testimony = central_differences(record)
        assert not testimony.right
        assert {finding.name for finding in testimony.having(DISAGREES)} == {"a", "c"}
        assert {finding.name for finding in testimony.having(AGREES)} == {"b"}


def test_a_missing_upstream_factor_shows_only_behind_a_factor():
    def ignores_upstream(before, amount):
        return before + math.copysign(1.0, amount)

    assert not central_differences(trace(classic(), accumulate=ignores_upstream)).right


def test_an_infinite_gradient_does_not_agree_with_a_finite_slope():
    def infinite(graph, node, values):
        return tuple(math.inf for _ in graph.nodes[node].args)

    testimony = central_differences(trace(classic(), rule=infinite))
    assert not testimony.having(AGREES)


# ---- where it cannot judge ----------------------------------------------------------------------


def only(testimony):
    (finding,) = testimony.findings
    return finding.status, finding.why


def test_a_kink_makes_it_unreliable():
    x = Value(0.0, label="x")
    for y in (x.relu(), x.leaky_relu() * 3, (x.relu() + 1e6) * 2, x.clamp(0, 1), x.elu(3.0)):
        assert only(central_differences(trace(Graph.of(y)))) == (UNRELIABLE, "kink")


def test_next_to_a_kink_it_judges():
    for near in (1e-9, -1e-9, 1e-3, 0.25):
        x = Value(near, label="x")
        assert only(central_differences(trace(Graph.of(x.relu() * 3)))) == (AGREES, "")
        wrong = central_differences(trace(Graph.of(x.relu() * 3 + x), rule=wrong_by(1.01, "add")))
        assert only(wrong) == (DISAGREES, "")


def test_next_to_a_pole_it_judges():
    for near in (1e-6, -1e-5, 1e-9):
        x = Value(near, label="x")
        for y in (1 / x, x.square().log(), abs(x) ** -0.5):
            assert only(central_differences(trace(Graph.of(y)))) == (AGREES, "")


def test_an_overflow_makes_it_unreliable():
    for build in (lambda x: x.exp(), lambda x: x**x, lambda x: (x * 1e300) * 1e300):
        x = Value(1000.0, label="x")
        assert only(central_differences(trace(Graph.of(build(x))))) == (UNRELIABLE, "range")


def test_the_edge_of_a_domain_makes_it_unreliable():
    for build in (lambda x: x.sqrt(), lambda x: x.log(), lambda x: (x + 1).arcsin()):
        x = Value(0.0, label="x")
        assert only(central_differences(trace(Graph.of(build(x))))) == (UNRELIABLE, "range")


def test_rounding_makes_it_unreliable():
    x = Value(1.0, label="x")
    y = x * 1e-9 + 1e9
    testimony = central_differences(trace(Graph.of(y), rule=wrong_by(3.0, "mul")))
    assert not testimony.having(DISAGREES)


def test_what_it_cannot_see_it_does_not_call_right():
    for record in (
        trace(Graph.of(Value(3.0, requires_grad=False))),  # no input
        trace(Graph.of(Value(3.0, (Value(1.0),), (3.0,)))),  # a node made by hand cannot be run again
        trace(classic(), seed=0.0),  # every gradient is zero, right or wrong
    ):
        assert central_differences(record).findings == ()


# ---- one direction for large graphs -------------------------------------------------------------


def wide(count):
    rng = random.Random(2)
    leaves = [Value(rng.uniform(-1, 1), label=f"w{i}") for i in range(count)]
    return Graph.of(F.sum([(leaf * rng.uniform(-1, 1)).tanh() * leaf for leaf in leaves]))


def test_a_large_graph_is_judged_along_one_direction():
    graph = wide(300)
    testimony = central_differences(trace(graph))
    assert only(testimony) == (AGREES, "")
    assert testimony.findings[0].name == ""
    assert len(central_differences(trace(wide(40))).findings) == 40


def test_along_one_direction_a_wrong_rule_is_convicted_too():
    graph = wide(300)
    for name in ("tanh", "mul"):
        assert only(central_differences(trace(graph, rule=wrong_by(1.0005, name)))) == (DISAGREES, "")

    def one_wrong_node(graph, node, values):
        wrong = graph.nodes[node].op == "tanh" and node < 610
        return wrong_by(-1.0 if wrong else 1.0, "tanh")(graph, node, values)

    assert only(central_differences(trace(graph, rule=one_wrong_node))) == (DISAGREES, "")


def test_the_direction_is_always_the_same():
    graph = wide(300)
    assert central_differences(trace(graph)) == central_differences(trace(graph))


def test_the_two_ways_agree_with_each_other():
    graph = wide(20)
    assert central_differences(trace(graph), affordable=0).right
    assert central_differences(trace(graph), affordable=10**9).right


# ---- what it says -------------------------------------------------------------------------------


def test_a_testimony_as_plain_data():
    finding = Finding("a", 4.0, math.nan, math.inf, UNRELIABLE, "range")
    assert verify.Testimony("central differences", (finding,)).to_json() == {
        "witness": "central differences",
        "right": True,
        "findings": [
            {
                "input": "a",
                "status": "unreliable",
                "why": "range",
                "gradient": 4.0,
                "witness": "nan",
                "error": "inf",
            }
        ],
    }
    assert not verify.Testimony("w", (finding, Finding("b", 1.0, 2.0, 0.0, DISAGREES))).right
    assert Finding("b", 1.0, 2.5, 0.0, DISAGREES).gap == 1.5


@pytest.mark.parametrize(
    ("text", "x"),
    [
        ("relu(a) + 1", 1e-16),
        ("abs(a) + 1e3", 1e-8),
        ("relu(a - 100)", 100.000001),
        ("maximum(a, 0) + cos(a)", 1e-18),
        ("sin(1e8*a)/1e8", 1.0),
        ("exp(a) + 1e15", 1.0),
        ("tan(a)", 1.5707963),
        ("(a + 1e17) - 1e17", 1.0),
        ("log(1 + a*1e-17)*1e17", 1.0),
        ("1e6*a + sign(a)", 0.0),
        ("abs(a - 1e-9)", 0.0),
    ],
)
def test_what_steps_cannot_resolve_is_left_unjudged(text, x):
    """Every one of these passes is right, and none of them can be seen to be."""
    testimony = central_differences(trace(parse(text, {"a": x})))
    assert [finding.status for finding in testimony.findings] == [UNRELIABLE]


def test_a_large_graph_with_huge_gradients_is_judged_or_not_but_does_not_fail():
    text = "sum(" + ", ".join(f"1e308*x{i}" for i in range(200)) + ")"
    assert central_differences(trace(parse(text, {f"x{i}": 1e-5 for i in range(200)}))).right


WAVES = ("sin(a)", "relu(sin(a))", "exp(cos(a))", "abs(sin(a))", "maximum(sin(a), cos(a))", "sin(1e3*a)")
STEEP = ("tanh(1000*a)", "relu(a) - relu(a - 1e-3)", "arctan(50*a)", "a*sin(a)", "sqrt(abs(a))", "tan(a)")


def test_no_right_pass_is_convicted_however_fast_the_curve_turns():
    draw = random.Random(3)
    statuses = []
    for _ in range(800):
        x = draw.choice([draw.uniform(-3e6, 3e6), draw.uniform(-2, 2), 10 ** draw.uniform(-12, 0)])
        testimony = central_differences(trace(parse(draw.choice(WAVES + STEEP), {"a": x})))
        assert testimony.right, (x, testimony)
        statuses += [finding.status for finding in testimony.findings]
    assert statuses.count(AGREES) > 600  # it does not get away with judging nothing


def test_a_wrong_gradient_is_convicted_however_small():
    a = Value(1.0, label="a")
    record = trace(
        Graph.of(a * 1e-9), rule=lambda graph, i, values: [-90 * x for x in graph.locals(i, values)]
    )
    assert central_differences(record).having(DISAGREES)
