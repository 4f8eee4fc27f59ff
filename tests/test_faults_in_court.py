"""Every fault is caught by the court on its smallest graph, and a right pass is acquitted there."""

from __future__ import annotations

import pytest

from minigrad.faults import FAULTS
from minigrad.trace import trace
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
