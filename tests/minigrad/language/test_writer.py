"""A graph as text: as short as it can be, and the same graph when it is read."""

from __future__ import annotations

import math
import random
import re

import pytest

from language_texts import AB, ABC, essence, ops, random_expression, within
from minigrad import functions
from minigrad.graph import CONSTANT, CUSTOM, INPUT, Graph, Node
from minigrad.language import FUNCTIONS, parse, write
from minigrad.ops import OPS
from minigrad.scalar import Value

pytestmark = pytest.mark.usefixtures("english")


@pytest.mark.parametrize(
    "text",
    [
        "(a * b + c) * (a - c)",
        "a - (b - c)",
        "a - b - c",
        "a / (b * c)",
        "a * b / c",
        "(a ** b) ** c",
        "a ** b ** c",
        "a ** -b",
        "a ** -b ** c",
        "(-a) ** b",
        "-a ** b",
        "-(a + b)",
        "-(a * b)",
        "-a * b",
        "a * -b",
        "a - -b",
        "--a",
        "-(2.0)",
        "--2.0",
        "-2.0",
        "(-2.0) ** a",
        "-2.0 ** a",
        "a ** -2.0",
        "-2.0 * a",
        "a - -2.0",
        "-exp(a)",
        "exp(a + b) * max(a, -b, c < a)",
        "(a < b) * (b < c)",
        "(a < b) < c",
        "a + b < c",
        "a + (b < c)",
        "softplus(-inf) + nan",
        "1e-07 + 1e+16",
        "leaky_relu(a, 0.01)",
        "dot(a, b, b, c)",
    ],
)
def test_text_with_no_parenthesis_too_many_is_written_as_it_was_read(text: str) -> None:
    used = {name: x for name, x in ABC.items() if re.search(rf"\b{name}\b", text)}
    graph = parse(text, used)
    order = [graph.names[i] for i in graph.inputs]
    assert write(graph) == "\n".join([*(f"{name} = {ABC[name]}" for name in order), text])


def test_parentheses_that_change_nothing_are_not_written() -> None:
    assert write(parse("((a*(b))) + (((2))*(a**(b)))", AB)) == ("a = 2.0\nb = 3.0\na * b + 2.0 * a ** b")


def test_labelled_and_shared_nodes_have_a_line_each() -> None:
    a = Value(2.0, label="a")
    shared = a * a
    total = shared + shared.exp()
    total.label = "L"
    assert write(Graph.of(total)) == "a = 2.0\nv1 = a * a\nL = v1 + exp(v1)"


def test_a_node_that_was_created_earlier_than_it_is_used_keeps_its_turn() -> None:
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    first = a * b
    second = a / b
    graph = Graph.of(second - first)  # written inline, second would be created before first
    assert write(graph) == "a = 2.0\nb = 3.0\nv1 = a * b\na / b - v1"
    assert ops(parse(write(graph))) == ops(graph)


def test_an_output_that_is_not_the_last_node_stands_on_the_last_line() -> None:
    graph = parse("p = a*b; q = p + 1; p", AB)
    assert write(graph) == "a = 2.0\nb = 3.0\np = a * b\nq = p + 1.0\np"
    assert parse(write(graph)) == graph
    assert write(parse("a = 2; b = 3; a")) == "a = 2.0\nb = 3.0\na"
    assert write(parse("a = 2; b = 3")) == "a = 2.0\nb = 3.0"


def test_a_labelled_constant_is_not_taken_for_an_input() -> None:
    graph = parse("k = (2); k * a", {"a": 3.0})
    assert write(graph) == "a = 3.0\nk = (2.0)\nk * a"
    assert parse(write(graph)) == graph


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("hidden[0]", "hidden_0"),
        ("p\u00e9rdida", "perdida"),
        ("exp", "exp_2"),
        ("inf", "inf_2"),
        ("2nd", "v_2nd"),
        ("\u03b1", "v"),
        (" ", "v"),
        ("x = 1; y", "x_1_y"),
        ("n" * 101, "n" * 80),
        ("_private", "_private"),
    ],
)
def test_a_label_that_is_no_name_is_written_as_one(label: str, written: str) -> None:
    assert write(Graph.of(Value(2.0, label=label))) == f"{written} = 2.0"


def test_labels_that_look_alike_as_names_stay_apart() -> None:
    leaves = [Value(float(i), label=label) for i, label in enumerate(["w[0]", "w_0", "w(0)", "w_0", "w_0_2"])]
    graph = Graph.of(functions.sum(leaves))
    again = parse(write(graph))
    assert len({again.names[i] for i in again.inputs}) == 5
    assert again.evaluate() == [0.0, 1.0, 2.0, 3.0, 4.0, 10.0]


def test_a_node_made_by_hand_has_no_text() -> None:
    a = Value(2.0, label="a")
    with pytest.raises(ValueError, match="the node mine was made by hand"):
        write(Graph.of(Value(8.0, (a,), (12.0,), label="mine")))
    assert CUSTOM not in FUNCTIONS


def random_graph(rng: random.Random) -> Graph:
    """Any ops on any earlier nodes, leaves anywhere between them, and labels of every kind."""
    labels = [
        "",
        "",
        "",
        "",
        "a",
        "b",
        "v1",
        "k1",
        "x1",
        "out",
        "exp",
        "nan",
        "p q",
        "2",
        "\u00f1",
        "#",
        "a_2",
    ]
    nodes = [Node(INPUT, (), rng.choice(labels), 1.5)]
    for _ in range(rng.randrange(30)):
        label = rng.choice(labels)
        if rng.random() < 0.25:
            kind = rng.choice([INPUT, CONSTANT, CONSTANT])
            data = rng.choice([0.0, -0.0, 2.0, -2.5, 1e300, 1e-9, math.inf, -math.inf, math.nan])
            nodes.append(Node(kind, (), label, data))
            continue
        name = rng.choice(["add", "sub", "mul", "div", "pow", "neg", "less", *OPS])
        least, most = OPS[name].arity[0] + len(OPS[name].defaults), OPS[name].arity[1]
        size = rng.choice([2, 4]) if name == "dot" else rng.randrange(least, min(most, 4) + 1)
        recent = [max(0, len(nodes) - 1 - int(rng.expovariate(0.7))) for _ in range(size)]
        nodes.append(Node(name, tuple(recent), label))
    return Graph(nodes, rng.choice([-1, -1, rng.randrange(len(nodes))]))


def test_every_graph_is_read_back_as_it_was_written() -> None:
    rng = random.Random(7)
    for _ in range(2000):
        graph = random_graph(rng)
        text = write(graph)
        again = parse(text)
        assert essence(again) == essence(graph), text
        assert write(again) == text
        labels = [node.label for node in graph.nodes]
        again_labels = {node.label for node in again.nodes}
        for label in labels:
            if labels.count(label) == 1 and label in ("a", "b", "v1", "k1", "x1", "out", "a_2"):
                assert label in again_labels, text


def test_a_text_is_the_same_graph_after_being_written() -> None:
    rng = random.Random(8)
    for _ in range(500):
        pieces = [f"p{i} = {random_expression(rng, 3)}" for i in range(rng.randrange(3))]
        text = "; ".join([*pieces, random_expression(rng, 4)])
        graph = parse(text, {name: x for name, x in ABC.items() if name in text})
        assert parse(write(graph)) == graph, text


def test_depth_is_no_obstacle_to_writing() -> None:
    chain = Value(1.0, label="a")
    start = chain
    for i in range(50_000):
        chain = chain.sin() if i % 3 == 0 else start - chain if i % 3 == 1 else -chain
    graph = Graph.of(chain)
    with within(10.0):
        again = parse(write(graph))
    assert ops(again) == ops(graph)
    assert [node.args for node in again.nodes] == [node.args for node in graph.nodes]
