"""The log of a broken pass: every message beside the one that is due, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from minigrad import Graph, parse, trace
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.pass_log import log
from minigrad.graph.trace import Flow

pytestmark = pytest.mark.both_engines

CHAIN = "a = 3; b = a*2; L = -b"
SHARED = "a = 3; b = a*a; c = -b; L = b*c"


def told(graph: Graph, entries) -> list[tuple]:
    """kind, node, source, before -> after, and what is due; then upstream and the node that it is due to."""
    names = (*graph.names, None)  # -1 is nobody
    return [
        (e.kind, names[e.node], names[e.source], e.before, e.after, e.due_before, e.due_after)
        + ((e.upstream, names[e.due_node]) if e.due_node >= 0 else ())
        for e in entries
    ]


def logged(text: str, slug: str, variant="", other: str = "") -> list[tuple]:
    graph = parse(text)
    pieces = Suspect(FAULTS[slug], variant).pieces()
    if other:
        pieces = Suspect(FAULTS[other]).pieces(pieces)
    entries = log(trace(graph), trace(graph, pieces=pieces))
    assert all(e.source >= -1 and e.due_node >= -1 for e in entries)
    return told(graph, entries)


def seed(grad: float = 1.0, kind: str = "") -> tuple:
    return (kind, "L", None, 0.0, grad, 0.0, 1.0)


def test_a_right_pass():
    graph = parse(CHAIN)
    assert told(graph, log(trace(graph), trace(graph))) == [
        seed(),
        ("", "b", "L", 0.0, -1.0, 0.0, -1.0, 1.0, "b"),
        ("", "a", "b", 0.0, -2.0, 0.0, -2.0, -1.0, "a"),
    ]


def test_another_seed():
    assert logged(CHAIN, "seed-scaled", 5) == [
        seed(5.0, "seed"),
        ("total", "b", "L", 0.0, -5.0, 0.0, -1.0, 5.0, "b"),
        ("total", "a", "b", 0.0, -10.0, 0.0, -2.0, -5.0, "a"),
    ]


def test_a_wrong_value():
    assert logged("a = 3; c = 2 - a; L = c*c", "reflected-sub") == [
        ("value", "c", None, 0.0, 1.0, 0.0, -1.0),
        seed(),
        ("total", "c", "L", 0.0, 1.0, 0.0, -1.0, 1.0, "c"),
        ("total", "c", "L", 1.0, 2.0, -1.0, -2.0, 1.0, "c"),
        ("", "a", "c", 0.0, 2.0, 0.0, 2.0, 2.0, "a"),  # 2*1*1 in place of 2*-1*-1
    ]


def test_a_message_that_is_never_sent():
    assert logged("a = 3; b = -a; L = b*2", "op-without-rule", "neg") == [
        seed(),
        ("", "b", "L", 0.0, 2.0, 0.0, 2.0, 1.0, "b"),
        ("missing", "a", "b", 0.0, 0.0, 0.0, -2.0),
    ]
    assert logged(CHAIN, "visited-flags-outlive") == [
        seed(),
        ("missing", "b", "L", 0.0, 0.0, 0.0, -1.0),
        ("missing", "a", "b", 0.0, 0.0, 0.0, -2.0),
    ]


def test_what_is_due_before_a_missing_message():
    assert logged("a = 3; b = 5; c = -a; L = c + a", "op-without-rule", "neg")[-1] == (
        "missing", "a", "c", 0.0, 0.0, 1.0, 0.0,
    )  # fmt: skip


def test_a_node_that_sends_again():
    assert logged("a = 3; b = a + a; L = b + b", "recursion")[3:] == [
        ("", "a", "b", 0.0, 2.0, 0.0, 2.0, 2.0, "a"),
        ("", "a", "b", 2.0, 4.0, 2.0, 4.0, 2.0, "a"),
        ("again", "a", "b", 4.0, 6.0, 0.0, 2.0, 2.0, "a"),
        ("again", "a", "b", 6.0, 8.0, 2.0, 4.0, 2.0, "a"),
    ]


def test_a_node_that_sends_too_early():
    """b has -9 of its -18 when it sends 3 and 3 times that; c comes after it."""
    assert logged(SHARED, "breadth-first") == [
        seed(),
        ("", "b", "L", 0.0, -9.0, 0.0, -9.0, 1.0, "b"),
        ("", "c", "L", 0.0, 9.0, 0.0, 9.0, 1.0, "c"),
        ("early", "a", "b", 0.0, -27.0, 0.0, -54.0, -9.0, "a"),
        ("early", "a", "b", -27.0, -54.0, -54.0, -108.0, -9.0, "a"),
        ("", "b", "c", -9.0, -18.0, -9.0, -18.0, 9.0, "b"),
    ]


def test_a_total_that_is_wrong_in_a_pass_that_goes_its_own_way():
    """The same, and c overwrites what b has."""
    assert logged(SHARED, "breadth-first", other="overwrite")[-1] == (
        "total", "b", "c", -9.0, -9.0, -9.0, -18.0, 9.0, "b",
    )  # fmt: skip
    twice = logged(SHARED, "breadth-first", other="accumulate-twice")
    assert twice[1] == ("total", "b", "L", 0.0, -18.0, 0.0, -9.0, 1.0, "b")


def test_a_value_that_is_wrong_in_a_pass_that_goes_its_own_way():
    assert logged("a = 3; c = 2 - a; L = c*c", "breadth-first", other="reflected-sub")[0][0] == "value"


def test_a_gradient_that_is_written_to_at_the_end():
    assert logged(CHAIN, "zero-grad-too-late")[-1] == ("end", "a", None, -2.0, 0.0, -2.0, -2.0)
    graph = parse("a = 3; b = 2; L = -a")
    right = trace(graph)
    aside = replace(right, grads=(*right.grads[:1], 7.0, *right.grads[2:]))
    assert log(right, aside) == log(right, right)  # b takes no part in the pass
    moved = replace(right, grads=(7.0, *right.grads[1:]))
    assert told(graph, log(right, moved))[-1] == ("end", "a", None, -1.0, 7.0, -1.0, -1.0)
    assert [e.kind for e in log(moved, moved)] == [e.kind for e in log(right, right)]  # as it should be


def test_a_gradient_that_no_message_reached_and_somebody_wrote_to():
    graph = parse("a = 3; b = -a; L = b*2")
    right = trace(graph)
    silent = trace(graph, pieces=Suspect(FAULTS["op-without-rule"], "neg").pieces())
    written = replace(silent, grads=(7.0, *silent.grads[1:]))
    assert told(graph, log(right, written))[-1] == ("end", "a", None, 0.0, 7.0, -2.0, -2.0)


def test_messages_are_held_against_a_right_pass_in_the_same_order():
    """c before b, or b before c: what a has in between is another number, and as it should be."""
    graph = parse("a = 3; b = a*2; c = a*5; L = b + c")
    for order in graph.orders():
        assert [e.kind for e in log(trace(graph), trace(graph, order=order))] == [""] * 5


@pytest.mark.parametrize("own_way", [False, True])
def test_a_message_that_nobody_is_owed(own_way):
    """No fault of the catalogue sends one; a pass that is put together by hand does."""
    graph = parse("a = 3; b = 2; L = a*b")
    right = trace(graph)
    output = graph.output
    stray = Flow(output, 7, 0, 1.0, 4.0, 4.0, 2.0, 6.0)
    order = (output, output) if own_way else right.order
    grads = (6.0, *right.grads[1:])
    broken = replace(right, events=(*right.events, stray), order=order, grads=grads)
    assert told(graph, log(right, broken)) == [
        seed(),
        ("", "a", "L", 0.0, 2.0, 0.0, 2.0, 1.0, "a"),
        ("", "b", "L", 0.0, 3.0, 0.0, 3.0, 1.0, "b"),
        ("extra", "a", "L", 2.0, 6.0, 2.0, 2.0, 1.0, "a"),
    ]


def test_a_message_from_another_slot_is_held_against_what_its_node_is_owed():
    """2 - a computed as a - 2: a is sent 1 from the first slot, for -1 from the second."""
    assert logged("a = 3; L = 2 - a", "reflected-sub")[-1] == (
        "total",
        "a",
        "L",
        0.0,
        1.0,
        0.0,
        -1.0,
        1.0,
        "a",
    )


def test_a_message_to_another_node_says_where_it_was_due():
    graph = parse("a = 3; b = 2; L = a*b")
    right = trace(graph)
    strayed = tuple(
        replace(event, target=0) if isinstance(event, Flow) and event.slot == 1 else event
        for event in right.events
    )
    assert told(graph, log(right, replace(right, events=strayed)))[2] == (
        "total", "a", "L", 0.0, 3.0, 0.0, 3.0, 1.0, "b",
    )  # fmt: skip


def test_roundings_are_no_departure():
    """0.1 + 0.2 - 0.3 is 0 but for a rounding, which the size of what was added excuses; and then comes 1."""
    graph = parse("a = 1; o = a*1; p = a*0.1; q = a*0.2; r = a*-0.3; t = p + q; u = t + r; L = u + o")
    right = trace(graph)
    exact = []
    for event in right.events:
        if isinstance(event, Flow) and event.target == 0:
            before, after = (round(x, 10) for x in (event.before, event.after))
            exact.append(replace(event, before=before, after=after))
        else:
            exact.append(event)
    rounded = replace(right, events=tuple(exact), grads=(1.0, *right.grads[1:]))
    assert rounded.events != right.events
    assert [e.kind for e in log(right, rounded)] == [""] * 11


def test_a_message_that_is_missing_is_no_other():
    """L sends nothing to a; what it sends to b is due to b."""
    graph = parse("a = 3; b = 2; L = a*b")
    broken = trace(graph, rule=lambda graph, node, values: (None, 3.0))
    assert told(graph, log(trace(graph), broken))[1:] == [
        ("missing", "a", "L", 0.0, 0.0, 0.0, 2.0),
        ("", "b", "L", 0.0, 3.0, 0.0, 3.0, 1.0, "b"),
    ]
