"""Every fault is caught by the court: on its smallest graph, and wherever it shows on a random one."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from fault_graphs import broken_at_random, shows, small_graph
from minigrad.faults import FAULTS
from minigrad.graph.trace import trace
from minigrad.ops import OPS
from minigrad.verify import court


@pytest.mark.parametrize("slug", FAULTS)
def test_a_fault_is_caught_on_its_smallest_graph(slug):
    fault = FAULTS[slug]
    graph, right = fault.graph, trace(fault.graph)
    convicted = 0
    for suspect in fault.suspects(graph):
        broken = trace(graph, pieces=suspect.pieces())
        if (broken.gradients, broken.values) == (right.gradients, right.values):
            continue  # a variant that hides on this graph
        verdict = court(graph, claimed=broken.gradients, value=broken.values[graph.output], ask="quick")
        assert verdict.verdict == "wrong", (suspect.variant, str(verdict))
        convicted += 1
    assert convicted


@pytest.mark.parametrize("slug", FAULTS)
def test_a_right_pass_is_acquitted_on_the_same_graph(slug):
    assert court(FAULTS[slug].graph, ask="quick").verdict == "right"


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_no_broken_pass_over_a_random_graph_is_acquitted(start):
    """But for numbers at a kink that are as good a choice as ours; and a right pass is never convicted."""
    verdicts: Counter[str] = Counter()
    for number in range(start, start + 20):
        graph, draw = small_graph(number), random.Random(number)
        right = trace(graph)
        assert court(graph, ask="quick").verdict != "wrong", number
        for fault in draw.sample(list(FAULTS.values()), 30):
            got = broken_at_random(graph, fault, draw)
            if got is not None and shows(got, right.gradients):
                found = court(graph, claimed=got, ask="quick")
                verdicts[found.verdict] += 1
                at_a_kink = any(
                    node.op in OPS and OPS[node.op].kink(*[right.values[arg] for arg in node.args])
                    for node in graph.nodes
                )
                assert found.verdict == "wrong" or at_a_kink, (number, fault.slug, got, str(found))
    assert verdicts["wrong"] > 0.98 * verdicts.total()
