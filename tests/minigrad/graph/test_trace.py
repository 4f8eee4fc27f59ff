"""trace: the events of a pass by hand, the same bits as Value.backward, and the three pieces to swap."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError
from itertools import product

import pytest

from minigrad import Graph, Value, parse, trace
from minigrad.functions import where
from minigrad.graph import CUSTOM, INPUT, Node
from minigrad.graph.trace import RIGHT, Flow, Pieces, Seed, Walk
from minigrad.text.translation import speaking
from small_graphs import random_value

bits = float.hex


def overwrite(before, amount):
    """`=` in place of `+=`."""
    return amount


def first_graph(a=2.0, b=-3.0):
    a, b = Value(a, label="a"), Value(b, label="b")
    c = a * b
    d = a + b
    e = c + d
    c.label, d.label, e.label = "c", "d", "e"
    return Graph.of(e)


def second_graph(a=2.0, b=3.0, c=4.0):
    a, b, c = Value(a, label="a"), Value(b, label="b"), Value(c, label="c")
    ab = a * b
    e = ab + c
    f = a - c
    L = e * f  # noqa: N806
    ab.label, e.label, f.label, L.label = "ab", "e", "f", "L"
    return Graph.of(L)


def told(record):
    """The events with names in place of numbers: (source, target, upstream, local, amount, before, after)."""
    names = record.graph.names
    return [
        (names[e.node], e.grad)
        if isinstance(e, Seed)
        else (names[e.source], names[e.target], e.upstream, e.local, e.amount, e.before, e.after)
        for e in record.events
    ]


# ---- the facts, by hand -------------------------------------------------------------------------


def test_the_events_of_the_first_graph():
    record = trace(first_graph())
    assert told(record) == [
        ("e", 1.0),
        ("e", "c", 1.0, 1.0, 1.0, 0.0, 1.0),
        ("e", "d", 1.0, 1.0, 1.0, 0.0, 1.0),
        ("d", "a", 1.0, 1.0, 1.0, 0.0, 1.0),
        ("d", "b", 1.0, 1.0, 1.0, 0.0, 1.0),
        ("c", "a", 1.0, -3.0, -3.0, 1.0, -2.0),
        ("c", "b", 1.0, 2.0, 2.0, 1.0, 3.0),
    ]
    assert record.gradients == {"a": -2.0, "b": 3.0}
    assert dict(zip(record.graph.names, record.values, strict=True)) == {
        "a": 2.0, "b": -3.0, "c": -6.0, "d": -1.0, "e": -7.0,
    }  # fmt: skip


def test_the_events_of_the_classic_graph_with_their_running_totals():
    record = trace(second_graph())
    assert told(record) == [
        ("L", 1.0),
        ("L", "e", 1.0, -2.0, -2.0, 0.0, -2.0),
        ("L", "f", 1.0, 10.0, 10.0, 0.0, 10.0),
        ("f", "a", 10.0, 1.0, 10.0, 0.0, 10.0),
        ("f", "c", 10.0, -1.0, -10.0, 0.0, -10.0),
        ("e", "ab", -2.0, 1.0, -2.0, 0.0, -2.0),
        ("e", "c", -2.0, 1.0, -2.0, -10.0, -12.0),
        ("ab", "a", -2.0, 3.0, -6.0, 10.0, 4.0),
        ("ab", "b", -2.0, 2.0, -4.0, 0.0, -4.0),
    ]
    assert record.gradients == {"a": 4.0, "b": -4.0, "c": -12.0}
    grads = dict(zip(record.graph.names, record.grads, strict=True))
    assert (grads["e"], grads["f"], grads["ab"], grads["L"]) == (-2.0, 10.0, -2.0, 1.0)
    assert [record.graph.names[i] for i in record.order] == ["L", "f", "e", "ab", "c", "b", "a"]


def test_the_remaining_facts():
    a = Value(7.0, label="a")
    assert trace(Graph.of(a + a)).gradients == {"a": 2.0}
    x, y = Value(3.0, label="x"), Value(5.0, label="y")
    assert trace(Graph.of(x * y)).gradients == {"x": 5.0, "y": 3.0}
    a, b, d = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="d")
    record = trace(Graph.of((a * b + d).relu()))
    assert record.values[-1] == 4.0
    assert record.gradients == {"a": -3.0, "b": 2.0, "d": 1.0}


def test_each_slot_of_a_repeated_argument_is_an_event():
    a = Value(3.0, label="a")
    record = trace(Graph.of(a * a))
    flows = [event for event in record.events if isinstance(event, Flow)]
    assert [(f.slot, f.before, f.after) for f in flows] == [(0, 0.0, 3.0), (1, 3.0, 6.0)]


def test_a_branch_not_taken_has_no_event():
    x = Value(2.0, label="x")
    record = trace(Graph.of(where(x > 5, x.log(), x * 3)))
    assert "log" not in {record.graph.nodes[i].op for i in record.order}
    assert record.gradients == {"x": 3.0}


def test_events_and_traces_cannot_be_changed():
    record = trace(first_graph())
    with pytest.raises(FrozenInstanceError):
        record.events[1].after = 5.0
    with pytest.raises(FrozenInstanceError):
        record.grads = ()


def test_a_trace_touches_no_value():
    a, b = Value(2.0), Value(3.0)
    y = a * b
    trace(Graph.of(y))
    assert (a.grad, b.grad, y.grad) == (0.0, 0.0, 0.0)


# ---- the same pass as Value.backward ------------------------------------------------------------


def test_a_trace_is_backward_bit_for_bit():
    for seed in range(300):
        inputs, y = random_value(seed, ops=20)
        start = random.Random(seed).uniform(-3, 3)
        if not y.requires_grad:
            continue
        y.backward(start)
        record = trace(Graph.of(y), seed=start)
        for leaf in inputs:
            if leaf.label in record.gradients:
                assert bits(record.gradients[leaf.label]) == bits(leaf.grad), seed


def test_every_number_of_an_event_follows_from_the_ones_before():
    for seed in range(50):
        record = trace(Graph.of(random_value(seed, ops=15)[1]), seed=0.75)
        running = [0.0] * len(record.graph)
        for event in record.events:
            if isinstance(event, Seed):
                running[event.node] = event.grad
                continue
            assert event.upstream == running[event.source]
            assert event.amount == event.local * event.upstream
            assert event.before == running[event.target]
            assert event.after == event.before + event.amount
            assert record.graph.nodes[event.source].args[event.slot] == event.target
            running[event.target] = event.after
        assert tuple(running) == record.grads


def test_a_trace_can_be_taken_at_other_inputs():
    record = trace(second_graph(), {"a": 5.0, "b": -1.0})
    # e = -5 + 4 = -1, f = 1: a gets f*b + e = -1 - 1, b gets f*a = 5, c gets f - e = 2
    assert record.gradients == {"a": -2.0, "b": 5.0, "c": 2.0}
    assert record.values[-1] == -1.0


def test_inputs_and_seed_are_floats_whatever_they_were():
    whole = trace(second_graph(), {"a": 5, "b": -1}, seed=2)
    assert all(type(x) is float for x in (*whole.values, *whole.grads))
    assert whole.gradients == {"a": -4.0, "b": 10.0, "c": 4.0}
    for bad in ("5", None, 1j):
        with pytest.raises(TypeError):
            trace(second_graph(), {"a": bad})
        with pytest.raises(TypeError):
            trace(second_graph(), seed=bad)
    with speaking("en"), pytest.raises(KeyError, match="no input z"):
        trace(second_graph(), {"z": 1.0})


def test_an_output_without_inputs_has_an_empty_trace():
    record = trace(Graph.of(Value(3.0, requires_grad=False)))
    assert (record.events, record.order, record.gradients) == ((), (), {})


def test_an_output_that_is_an_input_has_only_its_seed():
    record = trace(Graph.of(Value(3.0, label="a")), seed=2.5)
    assert (told(record), record.gradients) == ([("a", 2.5)], {"a": 2.5})


# ---- broken passes ------------------------------------------------------------------------------


def outcomes(graph, **pieces):
    """The gradients by each valid order, in which the order is written out."""
    found = {}
    for order in graph.orders():
        record = trace(graph, order=order, **pieces)
        found[" ".join(graph.names[i] for i in order)] = tuple(record.gradients.values())
    return found


def test_overwriting_in_the_first_graph_depends_on_the_order():
    assert outcomes(first_graph(), accumulate=overwrite) == {"e d c": (-3.0, 2.0), "e c d": (1.0, 1.0)}


def test_overwriting_in_the_classic_graph_has_three_outcomes_and_never_the_right_one():
    found = outcomes(second_graph(), accumulate=overwrite)
    assert found == {
        "L f e ab": (-6.0, -4.0, -2.0),
        "L e f ab": (-6.0, -4.0, -10.0),
        "L e ab f": (10.0, -4.0, -10.0),
    }
    assert 4.0 not in {a for a, _, _ in found.values()}


def test_the_diagnostic_of_the_break_is_in_the_events():
    record = trace(second_graph(), accumulate=overwrite)
    a = record.graph.index("a")
    assert [(e.before, e.after) for e in record.events if isinstance(e, Flow) and e.target == a] == [
        (0.0, 10.0),
        (10.0, -6.0),
    ]


def test_every_valid_order_gives_the_right_gradients():
    assert set(outcomes(first_graph()).values()) == {(-2.0, 3.0)}
    assert set(outcomes(second_graph()).values()) == {(4.0, -4.0, -12.0)}


def test_an_invalid_order_is_walked_as_it_stands():
    graph = second_graph()
    order = [graph.index(name) for name in ("L", "f", "ab", "e")]
    with pytest.raises(ValueError, match=r"orde[rn]"):
        graph.refuse_invalid(order)
    # ab has its turn before its message from e has arrived
    assert trace(graph, order=order).gradients == {"a": 10.0, "b": 0.0, "c": -12.0}
    twice = [graph.index(name) for name in ("L", "f", "f", "e", "ab")]
    assert trace(graph, order=twice).gradients == {"a": 14.0, "b": -4.0, "c": -22.0}


def test_a_rule_can_be_replaced_alone():
    def no_upstream_sign(graph, node, values):
        """The rule of subtraction with the sign forgotten."""
        return (1.0, 1.0) if graph.nodes[node].op == "sub" else graph.locals(node, values)

    assert trace(second_graph(), rule=no_upstream_sign).gradients == {"a": 4.0, "b": -4.0, "c": 8.0}


def test_a_rule_may_send_no_message():
    def silent(graph, node, values):
        return (
            (None,) * len(graph.nodes[node].args)
            if graph.nodes[node].op == "sub"
            else graph.locals(node, values)
        )

    record = trace(second_graph(), rule=silent)
    assert record.gradients == {"a": -6.0, "b": -4.0, "c": -2.0}


def test_what_is_only_below_a_message_that_is_not_sent_has_no_turn():
    def silent(graph, node, values):
        return (None, 1.0) if graph.names[node] == "e" else graph.locals(node, values)

    record = trace(second_graph(), rule=silent)  # nothing reaches ab, and nothing but ab reaches b
    assert [record.graph.names[i] for i in record.order] == ["L", "f", "e", "c", "a"]
    assert record.gradients == {"a": 10.0, "b": 0.0, "c": -12.0}


def test_a_rule_with_too_few_numbers_is_not_cut_short_in_silence():
    with pytest.raises(ValueError, match="zip"):
        trace(second_graph(), rule=lambda graph, node, values: graph.locals(node, values)[:1])
    leaves = [Node(INPUT, (), "a", 2.0), Node(INPUT, (), "b", 3.0)]
    with pytest.raises(ValueError, match="zip"):
        trace(Graph([*leaves, Node(CUSTOM, (0, 1), "", 6.0, (3.0,))]))


def test_the_three_pieces_swap_independently():
    graph = second_graph()
    order = list(graph.orders())[2]

    def doubled(graph, node, values):
        return tuple(2 * local for local in graph.locals(node, values))

    for use_order, use_rule, use_accumulate in product((False, True), repeat=3):
        pieces = {}
        if use_order:
            pieces["order"] = order
        if use_rule:
            pieces["rule"] = doubled
        if use_accumulate:
            pieces["accumulate"] = overwrite
        record = trace(graph, **pieces)
        # by hand: each edge doubles, so a path of n edges counts 2**n times; via ab there are 3, via f 2
        via_ab, via_f = (-48.0, 40.0) if use_rule else (-6.0, 10.0)
        last = via_f if use_order else via_ab
        assert record.gradients["a"] == (last if use_accumulate else via_ab + via_f), pieces


def test_an_accumulation_gets_what_was_there_and_what_comes():
    half = trace(second_graph(), accumulate=lambda before, amount: 0.5 * before + amount)
    assert half.gradients == {"a": -1.0, "b": -4.0, "c": -7.0}  # 10/2 - 6, -4, -10/2 - 2


def test_every_piece_is_told_whose_turn_it_is():
    heard, walks = [], []

    def listening(name):
        def piece(walk, *told):
            heard.append((name, *told))
            walks.append(walk)
            return getattr(RIGHT, name)(walk, *told)

        return piece

    a, b, c, y = range(4)
    graph = parse("a*b + a", {"a": 2, "b": 3})
    pieces = Pieces(**{name: listening(name) for name in Pieces._fields[2:]})
    assert trace(graph, pieces=pieces).gradients == {"a": 4.0, "b": 2.0}
    assert heard == [
        *[("rule", y), ("rule", c)],  # whom a message can reach at all; a leaf has no rule
        ("start",),
        ("seed", 1.0),
        ("order", [y, c, b, a]),
        *[("closure", y), ("rule", y)],
        *[("message", y, 0, 1.0, 1.0), ("accumulate", y, 0, c, 1.0)],
        *[("message", y, 1, 1.0, 1.0), ("accumulate", y, 1, a, 1.0)],
        *[("closure", c), ("rule", c)],
        *[("message", c, 0, 3.0, 1.0), ("accumulate", c, 0, a, 3.0)],
        *[("message", c, 1, 2.0, 1.0), ("accumulate", c, 1, b, 2.0)],
        *[("closure", b), ("closure", a)],
        ("finish",),
    ]
    assert all(walk is walks[0] for walk in walks)
    assert isinstance(walks[0], Walk)


def test_a_node_may_have_lost_its_rule_or_hold_another_s():
    graph = parse("c = a*b; d = a + b; c + d", {"a": 2, "b": 3})
    c, d = graph.index("c"), graph.index("d")
    lost = RIGHT._replace(closure=lambda walk, node: None if node == c else node)
    assert trace(graph, pieces=lost).gradients == {"a": 1.0, "b": 1.0}
    late = RIGHT._replace(closure=lambda walk, node: d if node == c else node)  # d's messages, twice
    assert trace(graph, pieces=late).gradients == {"a": 2.0, "b": 2.0}


def test_a_walk_goes_on_in_two_orders_after_a_fork():
    graph = second_graph()
    _, _, c, ab, e, f, out = range(7)
    one = RIGHT.begin(graph)
    assert (one.grads[out], one.memory, one.events) == (1.0, {}, None)
    one.turn(out)
    one.memory["seen"] = "L"
    other = one.fork()
    one.turn(f)
    assert one.grads[c] == -10.0
    assert (other.grads[c], other.grads[e], other.grads[f]) == (0.0, -2.0, 10.0)
    assert other.memory == {"seen": "L"}
    other.memory["seen"] = "f"
    assert one.memory == {"seen": "L"}
    for node in (e, ab, f):
        other.turn(node)
    for node in (e, ab):
        one.turn(node)
    assert one.grads[:3] == other.grads[:3] == [4.0, -4.0, -12.0]


def test_local_derivatives_are_asked_for_once():
    walk = RIGHT.begin(parse("a*b", {"a": 2, "b": 3}))
    walk.rows[2] = (5.0, 7.0)  # as if they had been
    RIGHT.run(walk)
    assert walk.grads == [5.0, 7.0, 1.0]


def test_the_walker_knows_graphs_that_nobody_built_from_values():
    graph = Graph([Node(INPUT, (), "x", 3.0), Node("square", (0,)), Node("neg", (1,))])
    assert trace(graph).gradients == {"x": -6.0}
    assert graph.names == ("x", "v1", "out")


def test_a_rule_may_leak_into_the_branch_that_was_not_taken():
    graph = parse("y = where(c, a, b)", {"a": 2, "b": 3, "c": 1})

    def leaking(graph, i, values):
        return (None, 1.0, 1.0) if graph.nodes[i].op == "where" else graph.locals(i, values)

    assert trace(graph).gradients == {"c": 0, "a": 1, "b": 0}
    assert trace(graph, rule=leaking).gradients == {"c": 0, "a": 1, "b": 1}


def test_a_value_is_traced_by_its_graph():
    a = Value(3.0, label="a")
    assert trace(a * a).gradients == {"a": 6.0}
