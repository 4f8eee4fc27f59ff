"""The court over every op and over random graphs: what is wrong by a little is convicted, nothing right is.

These passes are over graphs, so it makes no difference on which engine minigrad runs (Makefile).
"""

from __future__ import annotations

import math
import sys
from random import Random

import pytest

from edge_cases import EDGES, graph_of
from minigrad import trace
from minigrad.ops import OPS
from minigrad.verify import court
from minigrad.verify.testimony import AGREES, DISAGREES, UNRELIABLE
from op_graphs import FLAT, of_op, statuses, wrong_by
from random_graphs import random_graph, random_seed

pytestmark = pytest.mark.one_engine

# ---- convictions --------------------------------------------------------------------------------


def steep_samples(op):
    """Points where the op has a slope that can be wrong: 0.05 % of nothing is nothing."""
    for xs in op.samples:
        graph = of_op(op, xs)
        node = next(i for i, node in enumerate(graph.nodes) if node.op == op.name)
        if any(graph.locals(node, graph.evaluate())):
            yield graph


@pytest.mark.parametrize("ask", ["all", "quick"])
@pytest.mark.parametrize("name", [name for name in OPS if name not in FLAT])
def test_a_rule_that_is_wrong_by_a_twentieth_of_a_percent_is_convicted(name, ask):
    for graph in steep_samples(OPS[name]):
        verdict = court(trace(graph, rule=wrong_by(1.0005, name), seed=-0.5), ask=ask)
        assert verdict.verdict == "wrong"
        assert (verdict.why.code, verdict.why.suspect.op) == ("rule", name)
        assert f"The rule of {name} is wrong" in verdict.reason


@pytest.mark.parametrize("name", [name for name in OPS if name not in FLAT])
def test_without_mpmath_it_is_convicted_too(name, no_mpmath):
    for graph in steep_samples(OPS[name]):
        verdict = court(trace(graph, rule=wrong_by(1.0005, name)), ask="quick")
        assert verdict.verdict == "wrong"
        assert (verdict.why.code, verdict.why.suspect.op) == ("rule", name)


@pytest.mark.parametrize("name", FLAT)
def test_a_step_that_is_not_flat_is_convicted(name):
    graph = of_op(OPS[name], OPS[name].samples[0])

    def rule(graph, node, values):
        return [0.0005 if graph.nodes[node].op == name else x for x in graph.locals(node, values)]

    assert court(trace(graph, rule=rule), ask="quick").verdict == "wrong"


# ---- acquittals ---------------------------------------------------------------------------------


@pytest.mark.parametrize("start", range(0, 500, 100))
def test_no_right_pass_over_random_graphs_is_convicted(start):
    agreed = 0
    for number in range(start, start + 100):
        verdict = court(trace(random_graph(number), seed=random_seed(number)), ask="quick")
        assert verdict.verdict == "right", (number, verdict.reason)
        assert verdict.why.code == "agrees"
        agreed += sum(testimony.status == AGREES for testimony in verdict.witnesses)
    assert agreed > 400


@pytest.mark.slow
def test_all_witnesses_agree_on_random_graphs():
    for number in range(20):
        verdict = court(trace(random_graph(number), seed=random_seed(number)))
        assert verdict.verdict == "right", (number, verdict.reason)
        assert not set(statuses(verdict).values()) & {DISAGREES, UNRELIABLE}


EXTREME = (
    0.0,
    -0.0,
    1.0,
    -1.0,
    1e-300,
    1e300,
    5e-324,
    1e160,
    1e-160,
    1e10,
    100.0,
    math.inf,
    -math.inf,
    math.nan,
)


@pytest.mark.parametrize("hidden", [False, True])
def test_no_right_pass_is_convicted_at_extreme_inputs(hidden, monkeypatch):
    if hidden:
        monkeypatch.setitem(sys.modules, "mpmath", None)
    for number in range(120):
        graph, draw = random_graph(number), Random(number)
        at = {graph.names[i]: draw.choice((*EXTREME, graph.nodes[i].data)) for i in graph.inputs}
        verdict = court(graph, at, ask="quick")
        assert verdict.verdict != "wrong", (number, at, verdict.reason)
        assert verdict.text()


@pytest.mark.parametrize("part", range(8))
def test_every_op_is_acquitted_at_its_kinks_and_edges(part):
    for name, xs in EDGES[part::8]:
        verdict = court(graph_of(name, xs))
        assert verdict.verdict == "right", (name, xs, verdict.reason)
        reasons = {finding.why for t in verdict.witnesses for finding in t.all_findings}
        assert "unexplained" not in reasons, (name, xs)


def test_every_op_is_acquitted_at_its_kinks_without_large_libraries_and_without_mpmath(no_mpmath):
    for op in OPS.values():
        for xs in op.kinks:
            assert court(graph_of(op.name, xs), ask="quick").verdict == "right", (op.name, xs)
