"""On which graphs a fault finds something to break, and in which variants; by hand, row by row."""

from __future__ import annotations

from math import inf, nan

import pytest

from minigrad import Graph, parse
from minigrad.faults import FAULTS
from minigrad.faults.fault import ALONE
from minigrad.graph import CONSTANT, CUSTOM, INPUT, Node

A, B = Node(INPUT, (), "a", 3.0), Node(INPUT, (), "b", 2.0)
OF_SOMEBODY = Node(CUSTOM, (0, 1), "", 3.0, (1.0, 1.0))  # an op of its own, of a and b
DEAD = Graph([A, B, Node("mul", (1, 0)), Node("neg", (0,))])  # nobody reads the product
UNREAD = Graph([A, Node(CONSTANT, (), "", 2.0), Node("mul", (1, 0)), Node("neg", (0,))])  # nor 2*a


def variants(slug: str, graph: Graph | str) -> tuple:
    return tuple(FAULTS[slug].variants(parse(graph) if isinstance(graph, str) else graph))


@pytest.mark.parametrize(
    ("slug", "graph", "expected"),
    [
        # one operand in two slots
        ("repeated-once", "a = 3; b = a*a; L = b + b", ("mul", "add")),
        ("repeated-once", "a = 3; b = 2; a*b", ()),
        ("locals-by-operand", "a = 3; a*a", ALONE),
        ("locals-by-operand", "a = 3; b = 2; a*b", ()),
        # several operands, of which a set may lose the order
        ("children-in-a-set", "a = 3; b = 2; a - b", ("kept", "reversed")),
        ("children-in-a-set", "a = 3; -a", ()),
        ("children-in-a-set", DEAD, ()),
        # a second operand that wants a gradient
        ("second-operand-cut", "a = 3; b = 2; c = a*b; d = a - c; sum(c, d)", ("mul", "sub", "sum")),
        ("second-operand-cut", "a = 3; -a", ()),
        ("second-operand-cut", "a = 3; a*2", ()),
        ("second-operand-cut", DEAD, ()),
        ("second-operand-cut", Graph([A, B, OF_SOMEBODY]), ()),
        # two slots that no other row swaps
        ("slots-swapped", "a = 3; b = 2; c = a + b; d = a*b; e = a/b; sum(c, d, e, -a)", ()),
        ("slots-swapped", "a = 3; b = 2; c = a - b; c + a**b", ("sub", "pow")),
        # a constant in front of something with a gradient
        ("constants-shift-slots", "a = 3; 2*a", ALONE),
        ("constants-shift-slots", "a = 3; a*2", ()),
        ("constants-shift-slots", "a = 3; a*a", ()),
        ("constants-shift-slots", "a = 3; b = 2; sum(a, 2, b)", ALONE),
        ("constants-shift-slots", UNREAD, ()),
        # an op on an input whose rule reads it
        ("stale-data", "a = 3; a*a", ALONE),
        ("stale-data", "a = 3; exp(-a)", ()),  # what it reads is no input
        ("stale-data", "a = 3; b = 2; a + b", ()),
        ("stale-data", "a = 3; b = 2; a - b", ()),
        ("stale-data", "a = 3; -a", ()),
        ("stale-data", "a = 3; b = 2; sum(a, b)", ()),
        ("stale-data", "a = 3; b = 2; mean(a, b)", ()),
        ("stale-data", DEAD, ()),
        # an op of one kind
        ("grad-for-data", "a = 3; a*a", ALONE),
        ("grad-for-data", "a = 3; -a", ()),
        ("relu-zeroes", "a = 3; relu(a)", ALONE),
        ("relu-zeroes", "a = 3; -a", ()),
        # more uses than a limit allows
        ("fan-out-limit", "a = 3; b = -a; c = a*b; d = a + c; d*a", (2, 3)),
        ("fan-out-limit", "a = 3; a*a", ()),
        ("fan-out-limit", "a = 3; -a", ()),
        ("fan-out-limit", "a = 3; a", ()),
        # something with two consumers
        ("one-parent", "a = 3; b = a*a; b + a", ALONE),
        ("one-parent", "a = 3; a*a", ()),
        # equal numbers
        ("equal-leaves-merged", "a = 3; b = 3; a - b", ALONE),
        ("equal-leaves-merged", "a = 3; 3*a", ALONE),
        ("equal-leaves-merged", "a = 3; b = 2; a - b", ()),
        ("equal-leaves-merged", "a = 3; 2*a + 2", ()),
        ("equal-leaves-merged", Graph([A, B, OF_SOMEBODY]), ()),  # its 3 is no leaf
        # a number that is not whole
        ("integer-truncation", "a = 3.5; -a", ALONE),
        ("integer-truncation", "a = 3; -a", ()),
    ],
)  # fmt: skip
def test_where_a_fault_has_something_to_break(slug, graph, expected):
    assert variants(slug, graph) == tuple(expected)


@pytest.mark.parametrize(
    ("pairs", "factor"),
    [
        ([(4.0, 1.48), (-4.0, -1.48), (-12.0, -4.44)], (0.37,)),
        ([(4.0, 1.48), (2.0, 0.74)], (0.37,)),
        ([(4.0, 1.48)], ()),  # some factor explains any one number
        ([(1.0, 0.37), (1.0, 0.3702)], (0.3702,)),  # as close as somebody's digits
        ([(1.0, 0.37), (1.0, 0.38)], ()),
        ([(4.0, 1.48), (2.0, 0.74), (0.0, 0.0)], (0.37,)),
        ([(4.0, 1.48), (2.0, 0.74), (0.0, 1.0)], ()),  # no factor makes 1 of 0
        ([(4.0, 1.48), (2.0, 0.74), (inf, 1.0), (-inf, inf)], (0.37,)),
        ([(4.0, 1.48), (2.0, 0.74), (3.0, nan)], (0.37,)),
        ([(4.0, 4.0), (2.0, 2.0)], ()),  # right
        ([(4.0, 0.0), (2.0, 0.0)], ()),  # no-seed says that
        ([(4.0, 8.0), (2.0, 4.0)], ()),  # a variant that is there already
        ([(3.0, 1.0), (6.0, 2.0)], (0.333333,)),
    ],
)
def test_the_factor_that_numbers_share(pairs, factor):
    assert tuple(FAULTS["seed-scaled"].fit(pairs)) == factor


def test_a_rule_has_its_public_case():
    assert FAULTS["sub-sign"].case == "KhawajaAbaid/micrograd_c#1"
    assert (FAULTS["neg-sign"].case, FAULTS["neg-sign"].seen) == ("", 0)


def test_the_rules_that_were_counted_together():
    """Of 191 engines 13 have a wrong rule for one of five ops: each row about one of them says so."""
    rows = [row for row in FAULTS.values() if row.family == "rule" and row.seen == 13]
    counted = {node.op for row in rows for node in row.graph.nodes if node.args}
    assert counted == {"exp", "pow", "log", "relu", "div"}
    forward = {slug: FAULTS[slug].seen for slug in ("exp-clamped", "mean-is-sum", "tanh-overflow")}
    assert forward == {"exp-clamped": 1, "mean-is-sum": 7, "tanh-overflow": 0}
    assert FAULTS["tanh-overflow"].case == "karpathy/micrograd#74"
    reflected = {slug: FAULTS[slug].seen for slug in ("reflected-sub", "reflected-sub-rule", "reflected-pow")}
    assert reflected == {"reflected-sub": 26, "reflected-sub-rule": 0, "reflected-pow": 26}
    assert FAULTS["reflected-pow-rule"].case == "tenstorrent/tt-metal#52144"
