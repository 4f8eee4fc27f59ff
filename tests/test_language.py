"""The language: what a text means, what a graph looks like as text, and what each mistake is told."""

from __future__ import annotations

import ast
import copy
import math
import pickle
import random
import re
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from minigrad import functions, ieee
from minigrad.graph import CONSTANT, CUSTOM, INPUT, Graph, Node
from minigrad.language import FUNCTIONS, LIMITS, LanguageError, number, parse, write
from minigrad.messages import catalogue, speaking
from minigrad.ops import MANY, OPS
from minigrad.scalar import Value

ABC = {"a": 2.0, "b": 3.0, "c": 4.0}
AB = {"a": 2.0, "b": 3.0}


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with speaking("en"):
        yield


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """No hang: so much of the processor's own time at the most, three times over for a slow machine."""
    started = time.process_time()
    yield
    assert time.process_time() - started < 3 * seconds


def result(text: str, **inputs: float) -> float:
    graph = parse(text, inputs)
    number: float = graph.evaluate()[graph.output]
    return number


def ops(graph: Graph) -> list[str]:
    return [node.op for node in graph.nodes]


def refused(text: str, inputs: dict[str, float] | None = None) -> LanguageError:
    with pytest.raises(LanguageError) as caught:
        parse(text, inputs)
    return caught.value


def bits(x: float | None) -> bytes:
    """A number as its bits; all NaN alike."""
    if x is None:
        return b"none"
    return b"nan" if x != x else struct.pack("<d", x)


# ---- what a text means ------------------------------------------------------------------


def test_the_expression_of_the_documents_has_seven_nodes_inputs_first() -> None:
    graph = parse("(a*b + c) * (a - c)", ABC)
    assert graph.nodes == (
        Node(INPUT, (), "a", 2.0),
        Node(INPUT, (), "b", 3.0),
        Node(INPUT, (), "c", 4.0),
        Node("mul", (0, 1)),
        Node("add", (3, 2)),
        Node("sub", (0, 2)),
        Node("mul", (4, 5)),
    )
    assert graph.evaluate()[graph.output] == -20.0


def test_statements_name_nodes_and_backward_walks_them_newest_first() -> None:
    graph = parse("ab = a*b; e = ab + c; f = a - c; L = e*f", ABC)
    assert [graph.names[i] for i in graph.order] == ["L", "f", "e", "ab", "c", "b", "a"]
    assert graph.names[graph.output] == "L"


def test_creation_order_is_that_of_values_in_python() -> None:
    a, b, c = (Value(x, label=name) for name, x in ABC.items())
    made = Graph.of(-(a**b) * (c - a / b) + a.exp() * (b + c * a) ** c)
    assert parse("-a ** b * (c - a / b) + exp(a) * (b + c * a) ** c", ABC) == made


def test_a_text_can_hold_its_own_inputs() -> None:
    graph = parse("a = 2\nb = -3  # the second one\n\nc = a*b; d = a + b;\r\ne = c + d")
    assert [graph.nodes[i] for i in graph.inputs] == [Node(INPUT, (), "a", 2.0), Node(INPUT, (), "b", -3.0)]
    assert graph.evaluate() == [2.0, -3.0, -6.0, -1.0, -7.0]


def test_inputs_stand_in_the_order_of_their_first_appearance_wherever_their_value_comes_from() -> None:
    graph = parse("z = 1; p = y * z + 5; x = 3; p - x", {"y": 2.0})
    assert [graph.names[i] for i in graph.inputs] == ["z", "y", "x"]
    assert ops(graph) == [INPUT, INPUT, INPUT, "mul", CONSTANT, "add", "sub"]


@pytest.mark.parametrize(
    ("literal", "number"),
    [
        ("2", 2.0),
        ("2.5", 2.5),
        (".5", 0.5),
        ("2.", 2.0),
        ("1e-3", 0.001),
        ("1E+3", 1000.0),
        ("2.e2", 200.0),
        (".5e1", 5.0),
        ("007", 7.0),
        ("inf", math.inf),
        ("nan", math.nan),
        ("1e999", math.inf),
    ],
)
def test_a_number_is_a_constant_in_an_expression_and_an_input_in_a_statement(
    literal: str, number: float
) -> None:
    for sign, signed in (("", number), ("-", -number), ("- ", -number)):
        constant = parse(f"({sign}{literal})")
        assert ops(constant) == [CONSTANT]
        assert bits(constant.nodes[0].data) == bits(signed)
        leaf = parse(f"a = {sign}{literal}")
        assert ops(leaf) == [INPUT]
        assert bits(leaf.evaluate()[0]) == bits(signed)
    assert ops(parse(f"a = +{literal}")) == [INPUT]
    assert ops(parse(f"a = ({literal})")) == [CONSTANT]


def test_minus_zero_is_a_number_of_its_own() -> None:
    assert bits(result("-0")) == bits(-0.0)
    assert bits(result("a = -0.0")) == bits(-0.0)


@pytest.mark.parametrize(
    ("text", "expected", "wanted_ops"),
    [
        ("-3", -3.0, [CONSTANT]),
        ("-2**2", -4.0, [CONSTANT, CONSTANT, "pow", "neg"]),
        ("(-2)**2", 4.0, [CONSTANT, CONSTANT, "pow"]),
        ("-(3)", -3.0, [CONSTANT, "neg"]),
        ("--3", 3.0, [CONSTANT, "neg"]),
        ("-+3", -3.0, [CONSTANT, "neg"]),
        ("+3", 3.0, [CONSTANT]),
        ("2**-1", 0.5, [CONSTANT, CONSTANT, "pow"]),
        ("2**-1**2", 0.5, [CONSTANT, CONSTANT, CONSTANT, "pow", "neg", "pow"]),
        ("2**3**2", 512.0, [CONSTANT, CONSTANT, CONSTANT, "pow", "pow"]),
        ("8/4/2", 1.0, [CONSTANT, CONSTANT, "div", CONSTANT, "div"]),
        ("8-4-2", 2.0, [CONSTANT, CONSTANT, "sub", CONSTANT, "sub"]),
        ("2-3*4", -10.0, [CONSTANT, CONSTANT, CONSTANT, "mul", "sub"]),
        ("2 - -3", 5.0, [CONSTANT, CONSTANT, "sub"]),
        ("1 + 2 < 2 * 2", 1.0, [CONSTANT, CONSTANT, "add", CONSTANT, CONSTANT, "mul", "less"]),
        ("1 < (2 < 1)", 0.0, [CONSTANT, CONSTANT, CONSTANT, "less", "less"]),
        ("9**9**9", math.inf, [CONSTANT, CONSTANT, CONSTANT, "pow", "pow"]),
        ("-inf", -math.inf, [CONSTANT]),
    ],
)
def test_operators_bind_as_in_python(text: str, expected: float, wanted_ops: list[str]) -> None:
    graph = parse(text)
    assert ops(graph) == wanted_ops
    assert graph.evaluate()[graph.output] == expected


def test_a_minus_binds_looser_than_a_power_and_tighter_than_a_product() -> None:
    assert ops(parse("-a**2", {"a": 3.0})) == [INPUT, CONSTANT, "pow", "neg"]
    assert result("-a**2", a=3.0) == -9.0
    assert ops(parse("-a*b", {"a": 3.0, "b": 2.0})) == [INPUT, INPUT, "neg", "mul"]
    assert ops(parse("+a", {"a": 3.0})) == [INPUT]


@pytest.mark.parametrize("sign", ["*", "\u00b7", "\u22c5", "\u00d7"])
def test_a_product_has_four_signs(sign: str) -> None:
    assert parse(f"a {sign} b{sign}c", ABC) == parse("a * b * c", ABC)


@pytest.mark.parametrize(
    ("symbol", "op"), [("<", "less"), ("<=", "less_equal"), (">", "greater"), (">=", "greater_equal")]
)
def test_comparisons_are_ops(symbol: str, op: str) -> None:
    assert parse(f"a{symbol}b", {"a": 1.0, "b": 2.0}).nodes[-1] == Node(op, (0, 1))


@pytest.mark.parametrize("name", OPS)
def test_every_op_of_the_table_is_a_function(name: str) -> None:
    op = OPS[name]
    for sample in op.samples:
        letters = [f"x_{i}" for i in range(len(sample))]
        graph = parse(f"{name}({', '.join(letters)})", dict(zip(letters, sample, strict=True)))
        assert graph.nodes[-1] == Node(name, tuple(range(len(sample))))
        assert bits(graph.evaluate()[-1]) == bits(op.forward(ieee, *sample))


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if op.defaults])
def test_arguments_left_out_become_constants_after_the_others(name: str) -> None:
    graph = parse(f"{name}(a)", {"a": -1.0})
    assert graph.nodes[1:-1] == tuple(Node(CONSTANT, (), "", x) for x in OPS[name].defaults)
    assert graph == Graph.of(getattr(Value(-1.0, label="a"), name)())
    assert len(parse(f"{name}(a, 0.25)", {"a": -1.0})) == 3


def test_dot_multiplies_the_first_half_by_the_second() -> None:
    assert result("dot(1, 2, 10, 100)") == 210.0


def test_softmax_is_the_share_of_one_of_its_numbers() -> None:
    graph = parse("softmax(1, a, b, c)", ABC)
    assert graph.nodes[3:] == (Node("logsumexp", (0, 1, 2)), Node("sub", (1, 3)), Node("exp", (4,)))
    assert [result(f"softmax({k}, 0, 0)") for k in (0, 1)] == [0.5, 0.5]


def test_cross_entropy_is_the_surprise_at_one_of_its_numbers() -> None:
    graph = parse("cross_entropy( 0 , a, b)", {"a": 1.0, "b": 2.0})
    assert graph.nodes[2:] == (Node("logsumexp", (0, 1)), Node("sub", (2, 0)))
    assert result("cross_entropy(0, 0, 0)") == math.log(2.0)


def test_composed_functions_are_the_same_nodes_as_those_of_values() -> None:
    logits = [Value(x, label=name) for name, x in ABC.items()]
    assert parse("cross_entropy(2, a, b, c)", ABC) == Graph.of(functions.cross_entropy(logits, 2))
    first_share = functions.softmax([Value(x, label=name) for name, x in ABC.items()])[0]
    assert parse("softmax(0, a, b, c)", ABC) == Graph.of(first_share)


def test_a_second_name_is_no_second_node() -> None:
    graph = parse("p = a*b; q = p; r = (q); r + q", AB)
    assert graph.nodes[2:] == (Node("mul", (0, 1), "p"), Node("add", (2, 2)))
    assert parse("q = a", {"a": 2.0}).nodes == (Node(INPUT, (), "a", 2.0),)


def test_a_statement_that_nothing_uses_stays_in_the_graph_and_gets_no_gradient() -> None:
    graph = parse("p = a*b; q = a + b; p * 2", AB)
    assert [name for name, on in zip(graph.names, graph.active, strict=True) if not on] == ["q", "k1"]
    assert graph.names[graph.output] == "out"


def test_the_last_statement_is_the_output_even_where_it_only_names_an_earlier_node() -> None:
    graph = parse("p = a*b; q = p + 1; p", AB)
    assert graph.names[graph.output] == "p"
    assert len(graph) == 5


def test_spaces_tabs_comments_and_empty_statements_mean_nothing() -> None:
    assert parse("\n ;; # first\n\ta *\tb # a\u00e9 ( \u2212\r\n;\r", AB) == parse(
        "a*b", {"a": 2.0, "b": 3.0}
    )


def test_the_package_speaks_the_language_at_the_front_door() -> None:
    import minigrad

    assert minigrad.parse is parse


# ---- against Python's own grammar -------------------------------------------------------

PYTHON = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}


def random_expression(rng: random.Random, depth: int) -> str:
    """Operators, minus signs and parentheses that are needed, redundant, or both."""
    if depth == 0 or rng.random() < 0.1:
        text = rng.choice(["a", "b", "c", "2", "0.5", "3.", "1e1"])
    elif rng.random() < 0.25:
        text = rng.choice("-+") + rng.choice(["", " "]) + random_expression(rng, depth - 1)
    else:
        sign = rng.choice(["+", "-", "*", "/", "**"])
        space = rng.choice(["", " "])
        text = random_expression(rng, depth - 1) + space + sign + space + random_expression(rng, depth - 1)
    return f"({text})" if rng.random() < 0.3 else text


def as_python_reads_it(text: str, inputs: dict[str, float]) -> tuple[list[Node], float]:
    """The ops and constants that Python's tree of a text stands for, and its value."""
    made: list[Node] = []
    names = list(dict.fromkeys(re.findall("[abc]", text)))

    def make(op: str, args: tuple[int, ...], data: float | None = None) -> int:
        made.append(Node(op, args, "", data))
        return len(names) + len(made) - 1

    def walk(tree: ast.expr) -> tuple[int, float]:
        if isinstance(tree, ast.Name):
            return names.index(tree.id), inputs[tree.id]
        if isinstance(tree, ast.Constant):
            assert isinstance(tree.value, (int, float))
            return make(CONSTANT, (), float(tree.value)), float(tree.value)
        if isinstance(tree, ast.UnaryOp):
            inner = tree.operand
            between = text[tree.col_offset + 1 : inner.col_offset]
            if isinstance(tree.op, ast.UAdd):
                return walk(inner)
            if isinstance(inner, ast.Constant) and not between.strip():
                assert isinstance(inner.value, (int, float))
                return make(CONSTANT, (), -float(inner.value)), -float(inner.value)
            node, x = walk(inner)
            return make("neg", (node,)), -x
        assert isinstance(tree, ast.BinOp)
        (left, x), (right, y) = walk(tree.left), walk(tree.right)
        op = PYTHON[type(tree.op)]
        by_hand = {"add": x + y, "sub": x - y, "mul": x * y, "div": ieee.div(x, y), "pow": ieee.pow(x, y)}
        return make(op, (left, right)), by_hand[op]

    return made, walk(ast.parse(text, mode="eval").body)[1]


def test_random_expressions_have_the_tree_that_python_gives_them() -> None:
    rng = random.Random(20240613)
    inputs = {"a": 1.75, "b": -3.0, "c": 0.375}
    for _ in range(3000):
        text = random_expression(rng, rng.randrange(1, 6)).strip()
        used = {name: x for name, x in inputs.items() if name in text}
        made, number = as_python_reads_it(text, inputs)
        graph = parse(text, used)
        assert list(graph.nodes[len(used) :]) == made, text
        assert bits(graph.evaluate()[graph.output]) == bits(number), text


# ---- a graph as text --------------------------------------------------------------------


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


def essence(graph: Graph) -> tuple[object, ...]:
    """All of a graph but where its leaves stand and what its nodes are called.

    Ops and inputs are known by their turn among their kind; a constant by its bits, and, where
    several slots share it, by who they are.
    """
    kinds = {INPUT: 0, CONSTANT: 0, "op": 0}
    known: list[object] = []
    users: dict[int, list[tuple[int, int]]] = {}
    for i, node in enumerate(graph.nodes):
        for slot, arg in enumerate(node.args):
            users.setdefault(arg, []).append((sum(bool(n.args) for n in graph.nodes[:i]), slot))
    for i, node in enumerate(graph.nodes):
        kind = node.op if not node.args else "op"
        if kind == CONSTANT:
            known.append((CONSTANT, bits(node.data), tuple(users.get(i, ()))))
        else:
            known.append((kind, kinds[kind], bits(node.data)))
        kinds[kind] += 1
    rows = [(node.op, tuple(known[arg] for arg in node.args)) for node in graph.nodes if node.args]
    leaves = sorted(map(repr, (known[i] for i, node in enumerate(graph.nodes) if not node.args)))
    return rows, leaves, known[graph.output]


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


# ---- mistakes ---------------------------------------------------------------------------

LONG = LIMITS["name"] + 1

# what was written, line, column, words of the reason, words of the hint
MISTAKES: list[tuple[str, int, int, str, str]] = [
    ("a == b", 1, 3, "== is not in the language", "compare with < <= > or >="),
    ("a != b", 1, 3, "!= is not", ">="),
    ("!a", 1, 1, "! is not", ">="),
    ("a <> b", 1, 3, "<> is not", ">="),
    ("a => b", 1, 3, "=> is not", "write >="),
    ("a =< b", 1, 3, "=< is not", "write <="),
    ("a // b", 1, 3, "// is not", "write /"),
    ("a ^ 2", 1, 3, "^ is not", "write **"),
    ("a.exp()", 1, 2, ". is not", "exp(a) rather than a.exp()"),
    (".", 1, 1, ". is not", "inside a number"),
    ("'a'", 1, 1, "' is not", "straight quotes"),
    ('"a"', 1, 1, '" is not', "straight quotes"),
    ("\u201ca", 1, 1, "LEFT DOUBLE QUOTATION MARK", "straight quotes"),
    ("a | b", 1, 3, "| is not", "write abs(...)"),
    ("y = 1 if 2 else 3", 1, 7, "if is a word of Python", "write where("),
    ("pi", 1, 1, "pi has no value", "pi=3.141592653589793"),
    ("tahn(1)", 1, 1, "there is no function tahn", "write tanh(...)"),
    ("a \\ b", 1, 3, "\\ is not", "names, numbers"),
    ("a @ b", 1, 3, "@ is not", "names, numbers"),
    ("a % b", 1, 3, "% is not", "names, numbers"),
    ("a[0]", 1, 2, "[ is not", "write ("),
    ("{a}", 1, 1, "{ is not", "write ("),
    ("a\0", 1, 2, "\\x00 is not", "names, numbers"),
    ("a\x0b", 1, 2, "\\x0b is not", "names, numbers"),
    ("\ud800", 1, 1, "\\ud800 is not", "names, numbers"),
    ("a + \u0430", 1, 5, "\\u0430 (CYRILLIC SMALL LETTER A) is not", "write a;"),
    ("\u03b1 * 2", 1, 1, "\\u03b1 (GREEK SMALL LETTER ALPHA) is not", "write alpha;"),
    ("se\u00f1al = 2", 1, 3, "\\xf1 (LATIN SMALL LETTER N WITH TILDE) is not", "write n;"),
    ("\uff41", 1, 1, "\\uff41 (FULLWIDTH LATIN SMALL LETTER A) is not", "write a;"),
    ("a \uff0b b", 1, 3, "\\uff0b (FULLWIDTH PLUS SIGN) is not", "write +"),
    ("a \u2212 b", 1, 3, "\\u2212 (MINUS SIGN) is not", "write -"),
    ("a \u2013 b", 1, 3, "\\u2013 (EN DASH) is not", "write -"),
    ("a \u00f7 b", 1, 3, "\\xf7 (DIVISION SIGN) is not", "write /"),
    ("a\u00b2", 1, 2, "\\xb2 (SUPERSCRIPT TWO) is not", "write **2"),
    ("\u0663", 1, 1, "\\u0663 (ARABIC-INDIC DIGIT THREE) is not", "write 3"),
    ("a\u00a0+ b", 1, 2, "\\xa0 (NO-BREAK SPACE) is not", "write a plain space"),
    ("\u00bd", 1, 1, "\\xbd (VULGAR FRACTION ONE HALF) is not", "names, numbers"),
    ("\U0001f600", 1, 1, "\\U0001f600 (GRINNING FACE) is not", "names, numbers"),
    ("2a", 1, 2, "an operator is missing", "write 2 * a"),
    ("a b", 1, 3, "an operator is missing", "write a * b"),
    ("a 2", 1, 3, "an operator is missing", "write a * 2"),
    ("a .5", 1, 3, "an operator is missing", "write a * .5"),
    ("(a)(b)", 1, 4, "an operator is missing", "write (...) * (...)"),
    ("(a) b", 1, 5, "an operator is missing", "write (...) * b"),
    ("a exp(b)", 1, 3, "an operator is missing", "write a * exp(...)"),
    ("inf(2)", 1, 4, "an operator is missing", "write inf * (...)"),
    ("2 + b(3)", 1, 5, "there is no function b", "such as exp"),
    ("b + b(3)", 1, 6, "an operator is missing", "write b * (...)"),
    ("1_000.5", 1, 2, "a number is written without _", "write 1000.5"),
    ("1.2.3", 1, 4, "one point at most", "such as 1.25"),
    ("2e", 1, 2, "the exponent of this number has no digits", "write 2e5 for a power of ten"),
    ("a +", 1, 3, "a value is missing after +", "on the same line"),
    ("a +\nb", 1, 3, "a value is missing after +", "on the same line"),
    ("-", 1, 1, "a value is missing after -", "a number, a name"),
    ("(a *)", 1, 4, "a value is missing after *", "a number, a name"),
    ("max(a,)", 1, 6, "a value is missing after ,", "a number, a name"),
    ("softmax(0,)", 1, 10, "a value is missing after ,", "a number, a name"),
    ("y =", 1, 3, "a value is missing after =", "a number, a name"),
    ("a + * b", 1, 5, "a value is missing before *", "a number, a name"),
    ("* a", 1, 1, "a value is missing before *", "a number, a name"),
    ("\u00d7 a", 1, 1, "a value is missing before \\xd7", "a number, a name"),
    ("max(,a)", 1, 5, "a value is missing before ,", "a number, a name"),
    ("2 * ( )", 1, 5, "there is nothing in these parentheses", "leave them out"),
    ("((a)", 1, 1, "this parenthesis is never closed", "write the )"),
    ("exp(a * (b + c)", 1, 4, "this parenthesis is never closed", "write the )"),
    ("x = (1\ny = 2)", 1, 5, "this parenthesis is never closed", "write the )"),
    ("exp(", 1, 4, "this parenthesis is never closed", "write the )"),
    ("(a))", 1, 4, "this parenthesis closes nothing", "write the ("),
    (")", 1, 1, "this parenthesis closes nothing", "write the ("),
    ("(a, b)", 1, 3, "a comma stands only between the arguments", "write a point"),
    ("x = 2,5", 1, 6, "a comma stands only between the arguments", "as in 2.5"),
    ("a < b < c", 1, 7, "comparisons cannot be chained", "write (a < b) * (b < c)"),
    ("a + 1 >= b - 1 <= c", 1, 16, "comparisons cannot be chained", "parentheses"),
    ("2 = a", 1, 3, "only a single name can stand before =", "name = expression"),
    ("= a", 1, 1, "only a single name can stand before =", "name = expression"),
    ("a + b = c", 1, 7, "only a single name can stand before =", "name = expression"),
    ("x = 2 y = 3", 1, 9, "only a single name can stand before =", "a ; between statements"),
    ("exp(x = 2)", 1, 7, "only a single name can stand before =", "name = expression"),
    ("x = y = 2", 1, 7, "a statement has only one =", "y = ...; x = y"),
    ("a * b\n c = 2", 1, 1, "this value has no name", "write name = in front of it"),
    ("x = 2\n  x + 1 ; y = x", 2, 3, "this value has no name", "make it the last statement"),
    ("x = 2\ny = x\n x = y", 3, 2, "x has a value already, from line 1, column 1", "another name"),
    ("exp = 2", 1, 1, "exp is the name of a function", "write exp_ = ..."),
    ("sum = a + b", 1, 1, "sum is the name of a function", "write sum_ = ..."),
    ("softmax = 1", 1, 1, "softmax is the name of a function", "write softmax_ = ..."),
    ("nan = 2", 1, 1, "nan is a number", "write nan_ = ..."),
    ("a = 2; a * b", 1, 12, "b has no value", "write b=2 after the expression, or a statement b = 2 before"),
    ("y = x * 2\r\nx = 3", 1, 5, "x is used before its statement, which is on line 2, column 1", "before"),
    ("x = x + 1", 1, 5, "x is used in its own statement", "another name"),
    ("2 * exp + 1", 1, 5, "exp is a function and needs its arguments", "write exp(...)"),
    ("cross_entropy", 1, 1, "cross_entropy is a function", "write cross_entropy(...)"),
    ("ln(2)", 1, 1, "there is no function ln", "write log(...)"),
    ("asin(1)", 1, 1, "there is no function asin", "write arcsin(...)"),
    ("acos(1)", 1, 1, "there is no function acos", "write arccos(...)"),
    ("atan(1)", 1, 1, "there is no function atan", "write arctan(...)"),
    ("atan2(1, 2)", 1, 1, "there is no function atan2", "write arctan2(...)"),
    ("asinh(1)", 1, 1, "there is no function asinh", "write arcsinh(...)"),
    ("acosh(1)", 1, 1, "there is no function acosh", "write arccosh(...)"),
    ("atanh(1)", 1, 1, "there is no function atanh", "write arctanh(...)"),
    ("logistic(1)", 1, 1, "there is no function logistic", "write sigmoid(...)"),
    ("swish(1)", 1, 1, "there is no function swish", "write silu(...)"),
    ("power(1, 2)", 1, 1, "there is no function power", "write pow(...)"),
    ("sen(1)", 1, 1, "there is no function sen", "write sin(...)"),
    ("sigmiod(1)", 1, 1, "there is no function sigmiod", "write sigmoid(...)"),
    ("Exp(1)", 1, 1, "there is no function Exp", "write exp(...)"),
    ("mod(5, 3)", 1, 1, "there is no function mod", "such as exp, log"),
    ("1 + exp(1, 2)", 1, 5, "exp takes 1 argument, not 2", "write exp(a)"),
    ("exp()", 1, 1, "exp takes 1 argument, not 0", "write exp(a)"),
    ("pow(2)", 1, 1, "pow takes 2 arguments, not 1", "write pow(a, b)"),
    ("leaky_relu(1, 2, 3)", 1, 1, "leaky_relu takes 1 to 2 arguments, not 3", "write leaky_relu(a, b)"),
    ("sum()", 1, 1, "sum takes at least 1 argument, not 0", "write sum(a, b, c)"),
    ("softmax(1)", 1, 1, "softmax takes at least 2 arguments, not 1", "write softmax(0, a, b)"),
    ("dot(1, 2, 3)", 1, 1, "3 cannot be halved", "write dot(a, b, x, y)"),
    ("softmax( 1 + 0, 2, 3)", 1, 10, "it is a whole number", "write softmax(0, a, b)"),
    ("softmax((1), 2, 3)", 1, 9, "it is a whole number", "write softmax(0, a, b)"),
    ("softmax(-1, 2, 3)", 1, 9, "it is a whole number", "write softmax(0, a, b)"),
    ("softmax(1.0, 2, 3)", 1, 9, "it is a whole number", "write softmax(0, a, b)"),
    ("k = 1; cross_entropy(k, 2, 3)", 1, 22, "it is a whole number", "write cross_entropy(0, a, b)"),
    ("cross_entropy(2, 5, 5)", 1, 15, "places 0 to 1, and 2 is not", "from 0 to 1"),
    ("1 + " + "9" * 401, 1, 5, "401 characters long", "e300"),
    ("x = -" + "9" * 401, 1, 6, "401 characters long", "e300"),
    ("1 + " + "n" * LONG, 1, 5, "101 characters long", "a shorter name"),
    ("n" * LONG + " = 2", 1, 1, "101 characters long", "a shorter name"),
    ("n" * LONG + "(2)", 1, 1, "101 characters long", "a shorter name"),
    ("(" * 20_001, 1, 20_001, "nested more than 20000 deep", "in a statement of its own"),
    ("exp(" * 20_001, 1, 80_004, "nested more than 20000 deep", "in a statement of its own"),
    ("#" * 8_000_001, 1, 8_000_001, "8000001 characters", "Values in Python"),
]  # fmt: skip

# The same, for what no place in the text stands for, or with inputs: text, inputs, line, column, ...
OTHER_MISTAKES: list[tuple[str, dict[str, float], int, int, str, str]] = [
    ("", {}, 1, 1, "there is nothing to compute", "write an expression"),
    ("  # only a comment\n;;\n", {}, 1, 1, "there is nothing to compute", "write an expression"),
    ("a", {"a": 1.0, "q": 2.0}, 1, 1, "the input q is given, but the text never uses it", "leave it out"),
    ("exp(a)", {"a": 1.0, "exp": 2.0}, 1, 1, "an input cannot be called exp", "neither a function"),
    ("a", {"a": 1.0, "p\n": 2.0}, 1, 1, "an input cannot be called p\\n", "letters, digits"),
    ("2 * a; a = 3", {"a": 1.5}, 1, 8, "a is given twice: here, and as the input a=1.5", "leave out one"),
    ("a = b", {"a": 1.0, "b": 1.0}, 1, 1, "a is given twice", "another name"),
    ("a(b)", {"a": 1.0, "b": 1.0}, 1, 2, "an operator is missing", "write a * (...)"),
]  # fmt: skip

ALL_MISTAKES = list(OTHER_MISTAKES)
ALL_MISTAKES += [(text, {}, line, column, reason, hint) for text, line, column, reason, hint in MISTAKES]


def short(case: object) -> str:
    return ascii(case)[1:30] if isinstance(case, str) else ""


@pytest.mark.parametrize(("text", "inputs", "line", "column", "reason", "hint"), ALL_MISTAKES, ids=short)
def test_a_mistake_is_told_its_place_its_reason_and_what_to_write(
    text: str, inputs: dict[str, float], line: int, column: int, reason: str, hint: str
) -> None:
    with within(1.0):
        error = refused(text, inputs)
    assert (error.line, error.column) == (line, column)
    assert reason in error.reason
    assert hint in error.hint
    if error.excerpt:
        head, shown, caret, advice = str(error).split("\n")
        assert head == f"line {line}, column {column}: {error.reason}"
        assert advice == error.hint
        assert len(shown) < 90
        assert caret.strip() == "^"
        under = shown[len(caret) - 1 :]
        at = re.split(r"\r\n|\r|\n", text)[line - 1][column - 1 :]
        plain = at[:1] if at[:1].isascii() and at[:1].isprintable() else ascii(at[:1])[1:-1]
        assert under.startswith(plain)
    else:
        assert str(error) == f"{error.reason}; {error.hint}"
    assert str(error).isascii()


@pytest.mark.parametrize(("text", "inputs", "line", "column", "reason", "hint"), ALL_MISTAKES, ids=short)
def test_a_mistake_is_told_in_spanish_too(
    text: str, inputs: dict[str, float], line: int, column: int, reason: str, hint: str
) -> None:
    english = refused(text, inputs)
    with speaking("es"):
        spanish = refused(text, inputs)
    assert (spanish.line, spanish.column) == (line, column)
    assert spanish.reason != english.reason
    assert spanish.hint != english.hint
    assert spanish.excerpt == english.excerpt
    if spanish.excerpt:
        assert str(spanish).startswith(f"línea {line}, columna {column}: ")


def test_every_sentence_about_the_language_is_said_by_some_mistake() -> None:
    said = [error for text, inputs, *_ in ALL_MISTAKES for error in [refused(text, inputs)]]
    spoken = {part for error in said for part in (error.reason, error.hint)}
    for key, (english, _) in catalogue().items():
        if key.startswith("grammar.") and key not in ("grammar.where", "grammar.type", "grammar.custom"):
            pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(english))
            assert any(re.fullmatch(pattern, part) for part in spoken), key


def test_both_languages_of_a_sentence_have_the_same_blanks() -> None:
    for key, words in catalogue().items():
        if key.startswith("grammar."):
            english, spanish = (sorted(set(re.findall(r"\{\w+\}", text))) for text in words)
            assert english == spanish, key


def test_a_message_stays_in_the_language_in_which_it_was_raised() -> None:
    with speaking("es"):
        error = refused("a +")
    assert str(error) == (
        "línea 1, columna 3: falta un valor después de +\n"
        "    a +\n"
        "      ^\n"
        "escriba a continuación un número, un nombre o una expresión entre paréntesis, en la misma línea"
    )


def test_a_long_line_is_clipped_around_the_column_and_its_characters_are_escaped() -> None:
    text = "# \u00e1\n" + "a + " * 50 + "\t\u00d7 * b" + " + c" * 50
    error = refused(text)
    assert (error.line, error.column) == (2, 202)
    shown, caret = error.excerpt.split("\n")
    assert shown[len(caret) - 1 :].startswith("\\xd7 * b")
    assert shown == "    ... " + "a + " * 8 + "\\t\\xd7 * b" + " + c" * 6 + " + ..."


def test_slips_of_the_pen_come_before_names_without_a_value() -> None:
    assert refused("nothing + here +").column == 16
    assert refused("nothing.here").column == 8


def test_an_error_survives_copying_and_pickling() -> None:
    error = refused("a = 2\nb = a $ 3")
    for again in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert str(again) == str(error)
        assert (again.line, again.column, again.reason, again.hint) == (
            2,
            7,
            error.reason,
            error.hint,
        )
    assert isinstance(error, ValueError)


def test_only_a_text_is_read_and_only_numbers_are_inputs() -> None:
    with pytest.raises(TypeError, match="the language reads a text, and 2 \\(int\\) is not one"):
        parse(2)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Value holds one real number"):
        parse("a", {"a": "2"})  # type: ignore[dict-item]
    assert parse("a", {"a": 2}).nodes == (Node(INPUT, (), "a", 2.0),)


# ---- any text, and large ones -----------------------------------------------------------

WORDS = "a b x1 2 .5 1e5 1e 3. inf nan + - * / ** ( ) ( ) , ; = = < <= > >= # . .. ! == ^ _ @ [ ' a= exp= 0,"
CALLS = "exp( max( softmax( cross_entropy(1, dot( pow( leaky_relu( foo("
SCRAPS = [*WORDS.split(), *CALLS.split(), "", "\n", "\r\n", "\r", "\t", "\\", "\0"]
SCRAPS += list("\u00b7\u00d7\u2212\u0430\u00b2\ud800\U0001f600")


def outcome(text: str, inputs: dict[str, float] | None = None) -> Graph | LanguageError:
    try:
        return parse(text, inputs)
    except LanguageError as error:
        return error


def assert_points_into(error: LanguageError, text: str) -> None:
    lines = re.split(r"\r\n|\r|\n", text)
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1
    assert str(error).isascii()


def test_any_text_is_a_graph_or_a_language_error() -> None:
    rng = random.Random(99)
    read = 0
    deadline = time.process_time() + 4.0
    for _ in range(20_000):
        size = rng.randrange(14)
        if rng.random() < 0.2:
            text = "".join(chr(int(rng.expovariate(1 / 200))) for _ in range(size))
        else:
            text = rng.choice(["", " "]).join(rng.choice(SCRAPS) for _ in range(size))
        seen = outcome(text, {name: 2.0 for name in "ab" if re.search(rf"\b{name}\b", text)})
        if isinstance(seen, LanguageError):
            assert_points_into(seen, text)
        else:
            assert essence(parse(write(seen))) == essence(seen), text
            read += 1
        if time.process_time() > deadline:
            break
    assert read > 100


def test_a_valid_text_with_one_character_changed_is_a_graph_or_a_language_error() -> None:
    rng = random.Random(5)
    text = (
        "a = 2; b = -3\nc = tanh(a*b + 1.5e-3) # note\nd = softmax(1, a, b, c) <= 0.5\nL = max(c, d, -a**2)/b"
    )
    for _ in range(5000):
        spot = rng.randrange(len(text))
        changed = (
            text[:spot] + rng.choice(["", rng.choice("()+-*/,;=<>. #e2ab_\n!\u2212")]) + text[spot + 1 :]
        )
        seen = outcome(changed)
        if isinstance(seen, LanguageError):
            assert_points_into(seen, changed)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("1" * 1_000_000, 1),
        ("a = " + "1" * 1_000_000, 5),
        ("a" * 1_000_000, 1),
        ("(" * 100_000, 20_001),
        ("-(" * 100_000, 40_002),
        ("(" * 8_000_000, 20_001),
        ("a" * 8_000_001, 8_000_001),
    ],
    ids=short,
)
def test_what_is_beyond_a_limit_is_refused_at_once(text: str, column: int) -> None:
    with within(0.5):
        error = refused(text)
    assert (error.line, error.column) == (1, column)


def test_what_is_just_within_a_limit_is_read() -> None:
    assert result("9" * 400) == math.inf
    assert result("0." + "3" * 398) == 1 / 3
    assert result("n" * 100 + " * 2", **{"n" * 100: 3.0}) == 6.0
    assert result("(" * 20_000 + "a" + ")" * 20_000, a=2.0) == 2.0


def test_a_sum_of_a_hundred_thousand_terms_is_read_in_about_a_second() -> None:
    with within(3.0):
        graph = parse(" + ".join(["a"] * 100_000), {"a": 0.5})
    assert len(graph) == 100_000
    assert graph.evaluate()[graph.output] == 50_000.0


def test_ten_thousand_nodes_are_read_in_half_a_second() -> None:
    lines = [f"v{i} = tanh(v{i - 1} * b + {i}.5)" for i in range(1, 2500)]
    text = "\n".join(["a = 2", "b = 0.25", "v0 = a * b", *lines])
    with within(0.5):
        graph = parse(text)
    assert len(graph) == 2 + 1 + 4 * 2499


def test_nineteen_thousand_nested_parentheses_are_read() -> None:
    for opening, closing in (("(a + ", ")"), ("a - (", ")"), ("-(", ")"), ("abs(", ")")):
        graph = parse(opening * 19_000 + "a" + closing * 19_000, {"a": 1.0})
        assert len(graph) == 19_001
        assert parse(write(graph)) == graph


def test_many_signs_in_a_row_are_read() -> None:
    assert result("-" * 200_000 + "a", a=2.0) == 2.0
    assert result("2" + "**1" * 50_000) == 2.0


def test_every_op_of_many_arguments_takes_a_thousand() -> None:
    for name, op in OPS.items():
        if op.arity[1] == MANY:
            graph = parse(f"{name}({', '.join(['1'] * 1000)})")
            assert len(graph) == 1001


def test_inside_parentheses_a_line_break_is_just_space():
    apart = parse("L = (a +\n  b  # a comment\n) * sum(\n  a,\n  b\n)\nM = L*2", {"a": 1, "b": 2})
    assert apart == parse("L = (a + b) * sum(a, b); M = L*2", {"a": 1, "b": 2})


def test_a_statement_that_begins_before_the_parenthesis_is_closed_points_at_the_parenthesis():
    with pytest.raises(LanguageError, match="never closed") as error:
        parse("L = (a +\nb = 3", {"a": 1})
    assert (error.value.line, error.value.column) == (1, 5)


def test_a_number_may_be_worked_out_and_a_name_is_none():
    assert number("-2.5") == -2.5
    assert number("1/4 + 2**3") == 8.25
    assert number("a = 2") is None
    assert number("x") is None
    assert number("") is None
