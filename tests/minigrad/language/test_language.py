"""The language: what a text means."""

from __future__ import annotations

import ast
import math
import random
import re

import pytest

from language_texts import AB, ABC, bits, ops, random_expression, result
from minigrad import functions
from minigrad.graph import CONSTANT, INPUT, Graph, Node
from minigrad.language import parse
from minigrad.ops import OPS
from minigrad.scalar import Value
from minigrad.values import ieee

pytestmark = pytest.mark.usefixtures("english")

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
