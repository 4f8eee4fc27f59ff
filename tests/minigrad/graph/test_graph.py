"""Graph: the snapshot, its names, evaluation in any number system, and exactly the valid orders."""

from __future__ import annotations

import math
import random
import time
from fractions import Fraction
from itertools import islice, permutations

import pytest
import torch

from minigrad import Graph, Value, trace
from minigrad.functions import VALUES, where
from minigrad.graph import CONSTANT, CUSTOM, INPUT, Node
from minigrad.ops import OPS
from minigrad.text.translation import speaking
from minigrad.values import ieee
from small_graphs import classic, random_value, small_graphs

# ---- snapshot and names -------------------------------------------------------------------------


def test_a_graph_lists_its_nodes_in_the_order_of_creation():
    graph = Graph.of(classic())
    assert graph.names == ("a", "b", "c", "ab", "e", "f", "L")
    assert [node.op for node in graph.nodes] == [INPUT, INPUT, INPUT, "mul", "add", "sub", "mul"]
    assert [node.args for node in graph.nodes] == [(), (), (), (0, 1), (3, 2), (0, 2), (4, 5)]
    assert graph.output == 6
    assert graph.inputs == (0, 1, 2)
    assert [node.data for node in graph.nodes] == [2.0, 3.0, 4.0, None, None, None, None]
    assert repr(graph) == "<Graph of L: 7 nodes, 3 inputs>"
    assert repr(Graph.of(Value(1.0, label="two\nlines"))) == "<Graph of 'two\\nlines': 1 nodes, 1 inputs>"
    assert len(graph) == 7


def test_what_has_no_label_is_named_by_its_kind_and_its_turn():
    x, y = Value(2.0), Value(3.0)
    graph = Graph.of((x * 5 + y) * (x - 7))
    assert graph.names == ("x1", "x2", "k1", "v1", "v2", "k2", "v3", "out")


def test_names_are_distinct_whatever_the_labels():
    labels = ["w", "w", "w_2", "x1", "out", "w", "v1", "out_2", "", "", "k1"]
    leaves = [Value(float(i), label=label) for i, label in enumerate(labels)]
    total = leaves[0]
    for leaf in leaves[1:]:
        total = total * 1.5 + leaf
    graph = Graph.of(total)
    assert len(set(graph.names)) == len(graph.nodes)
    for name, node in zip(graph.names, graph.nodes, strict=True):
        if node.label and [n.label for n in graph.nodes].count(node.label) == 1:
            assert name == node.label
    assert graph.names[0] == "w"
    assert graph.names[graph.output] == "out_3"
    assert all(graph.index(name) == i for i, name in enumerate(graph.names))


def test_repeats_are_counted_label_by_label():
    a, b, c, d = (Value(1.0, label=label) for label in "wwuu")
    assert Graph.of((a + b) + (c + d)).names == ("w", "w_2", "u", "u_2", "v1", "v2", "out")
    one, two = Value(1.0, label="out"), Value(2.0, label="out")
    assert Graph.of(one.exp()).names == ("out", "out_2")
    assert Graph.of(one + two).names == ("out", "out_2", "out_3")


def test_names_do_not_depend_on_what_was_built_before():
    first = Graph.of(random_value(5)[1])
    for _ in range(10):
        Value(1.0) * 2
    assert Graph.of(random_value(5)[1]) == first


def test_ten_thousand_nodes_with_one_label_are_named_at_once():
    start = time.process_time()
    total = Value(0.0)
    for _ in range(10_000):
        total = total + Value(1.0, label="w")
    names = Graph.of(total).names
    assert len(set(names)) == 20_001
    assert time.process_time() - start < 6.0


def test_a_snapshot_does_not_change_with_the_values():
    L = classic()  # noqa: N806
    graph = Graph.of(L)
    before = graph.to_json()
    L._children[0]._children[1].data = 1e9
    L._children[0]._children[1].label = "renamed"
    L.backward()
    assert graph.to_json() == before
    assert graph.evaluate()[graph.output] == -20.0


def test_a_leaf_alone_is_a_graph():
    graph = Graph.of(Value(3.0))
    assert (graph.names, graph.output, list(graph.orders())) == (("x1",), 0, [()])
    constant = Graph.of(Value(3.0, requires_grad=False))
    assert constant.nodes == (Node(CONSTANT, (), "", 3.0),)
    assert constant.active == (False,)


def test_a_graph_of_something_else_is_refused():
    for given in (3.0, None, "a*b"):
        with speaking("en"), pytest.raises(TypeError, match="a graph is taken from a Value") as refused:
            Graph.of(given)
        assert repr(given) in str(refused.value)


def test_data_that_was_changed_after_the_forward_pass_is_refused():
    """The graph would explain a computation that never happened."""
    L = classic()  # noqa: N806
    a = L._children[1]._children[0]
    a.data = 5.0
    with speaking("en"), pytest.raises(ValueError, match=r"ab holds 6\.0, but its arguments now give 15\.0"):
        Graph.of(L)
    a.data = 2.0
    Graph.of(L)
    L.data = 0.0
    with speaking("en"), pytest.raises(ValueError, match=r"L holds 0\.0, but its arguments now give -20\.0"):
        Graph.of(L)


def test_nan_is_not_taken_for_changed_data():
    y = Value(-1.0).log() * 2
    assert math.isnan(Graph.of(y).evaluate()[-1])
    for data in (1.0, math.nan):
        y = Value(-1.0 if data == 1.0 else 1.0).log()  # nan, and then a number; and the other way round
        y.data = data
        with pytest.raises(ValueError, match=r"nan"):
            Graph.of(y)


def test_a_node_made_by_hand_keeps_what_its_maker_said():
    a = Value(2.0, label="a")
    y = Value(8.0, (a, a, a), (5.0, -1.0, 0.0)) * 3
    graph = Graph.of(y)
    custom = next(node for node in graph.nodes if node.op == CUSTOM)
    assert (custom.args, custom.data, custom.locals) == ((0, 0, 0), 8.0, (5.0, -1.0, 0.0))
    assert trace(graph).gradients == {"a": 12.0}
    with speaking("en"), pytest.raises(ValueError, match="made by hand, so it cannot be computed again"):
        graph.evaluate(inputs={"a": 3.0})


def by_closure(a, b, send):
    """A node in micrograd's style: data, children, and a closure that sends the messages."""
    out = Value(a.data**2 * b.data, (a, b, a), "square times", label="y")
    out._backward = lambda: send(out)
    return out


def test_the_local_gradients_of_a_closure_are_learnt_by_calling_it():
    a, b = Value(3.0, label="a"), Value(5.0, label="b")
    a.grad, b.grad = 7.0, -7.0

    def send(out):
        a.grad += 2 * a.data * b.data * out.grad
        b.grad += a.data**2 * out.grad

    y = by_closure(a, b, send)
    loss = y * 2
    record = trace(Graph.of(loss))
    assert record.gradients == {"a": 60.0, "b": 18.0}
    assert record.graph.names == ("a", "b", "y", "k1", "out")
    assert (a.grad, b.grad, y.grad) == (7.0, -7.0, 0.0)  # as they were
    loss.backward()
    assert (a.grad - 7.0, b.grad + 7.0) == (60.0, 18.0)


def test_a_closure_that_ignores_its_upstream_is_refused():
    a, b = Value(3.0, label="a"), Value(5.0, label="b")

    def send(out):
        a.grad += 2 * a.data * b.data  # times out.grad, it should be

    with speaking("en"), pytest.raises(ValueError, match="does not send twice as much"):
        Graph.of(by_closure(a, b, send) * 2)


def test_a_node_that_was_declared_constant_later_is_a_leaf():
    a = Value(3.0, label="a")
    square = a * a
    y = square * a
    square.requires_grad = False
    graph = Graph.of(y)
    y.backward()
    assert trace(graph).gradients["a"] == a.grad == 9.0


def test_equality_is_of_content_and_sees_the_sign_of_zero():
    assert Graph.of(classic()) == Graph.of(classic())
    assert hash(Graph.of(classic())) == hash(Graph.of(classic())) != hash(Graph.of(Value(0.0)))
    assert Graph.of(Value(0.0)) != Graph.of(Value(-0.0))
    assert Graph.of(Value(math.nan)) == Graph.of(Value(math.nan))
    assert Graph.of(Value(1.0)) != Graph.of(Value(1.0, requires_grad=False))
    assert Graph.of(Value(1.0)) != "x1"
    a, b = Value(1.0, label="a"), Value(1.0, label="b")
    assert Graph.of(a - b) != Graph.of(b - a)


def test_an_unknown_name_is_refused_with_the_known_ones():
    graph = Graph.of(classic())
    with speaking("en"), pytest.raises(KeyError, match="no node z; its nodes are a, b, c, ab, e, f, L"):
        graph.index("z")
    with speaking("en"), pytest.raises(KeyError, match="no input ab; its inputs are a, b, c'"):
        graph.evaluate(inputs={"ab": 1.0})
    with speaking("en"), pytest.raises(KeyError, match="no input L; its inputs are a, b, c'"):
        graph.at({"a": 1.0, "L": 1.0})


@pytest.mark.parametrize(("count", "end"), [(12, "x11, x12'"), (13, "x11, x12, ...'")])
def test_of_many_names_a_dozen_is_shown(count, end):
    graph = Graph([Node(INPUT, (), "", 1.0) for _ in range(count)])
    with pytest.raises(KeyError) as refused:
        graph.index("z")
    assert str(refused.value).endswith(end)


# ---- evaluation ---------------------------------------------------------------------------------


def test_a_graph_can_be_evaluated_at_other_inputs():
    graph = Graph.of(classic())
    assert graph.evaluate()[3:] == [6.0, 10.0, -2.0, -20.0]
    assert graph.evaluate(inputs={"a": 5.0})[3:] == graph.evaluate({"a": 5.0})[3:] == [15.0, 19.0, 1.0, 19.0]
    assert graph.evaluate(inputs={"a": 0.0, "b": 0.0, "c": -1.0})[-1] == -1.0
    assert graph.evaluate()[-1] == -20.0


def test_a_graph_at_other_inputs_is_the_same_graph_with_other_numbers():
    graph = Graph.of(classic())
    moved = graph.at({"a": 5.0, "c": 1.0})
    assert [node.data for node in moved.nodes] == [5.0, 3.0, 1.0, None, None, None, None]
    assert [node._replace(data=None) for node in moved.nodes] == [n._replace(data=None) for n in graph.nodes]
    assert moved.output == 6
    assert Graph(graph.nodes, 4).at({"a": 5.0}).output == 4
    assert graph.at({}) is graph
    assert graph.evaluate()[-1] == -20.0


def test_a_graph_with_a_node_made_by_hand_stays_where_it_is():
    a = Value(2.0, label="a")
    graph = Graph.of(Value(8.0, (a,), (12.0,), label="cube") * 2)
    assert graph.at({}) is graph
    for elsewhere in (graph.at, graph.evaluate):
        with speaking("en"), pytest.raises(ValueError, match="the node cube was made by hand"):
            elsewhere({"a": 3.0})


def test_evaluation_at_other_inputs_is_what_the_expression_gives_there():
    rng = random.Random(3)
    for seed in range(40):
        _, y = random_value(seed)
        graph = Graph.of(y)
        assert graph.evaluate()[graph.output] == y.data
        point = {graph.names[i]: rng.uniform(-2, 2) for i in graph.inputs}
        values = graph.evaluate(inputs=point)
        rebuilt = graph.evaluate(VALUES, {name: Value(x) for name, x in point.items()})
        assert values[graph.output] == (
            rebuilt[graph.output].data if isinstance(rebuilt[graph.output], Value) else rebuilt[graph.output]
        )


class Rationals:
    """Exact numbers: all that the four operations need."""

    number = Fraction

    @staticmethod
    def div(x, y):
        return x / y

    @staticmethod
    def where(condition, yes, no):
        return yes if condition else no

    @staticmethod
    def equal(x, y):
        return x == y


def test_a_graph_can_be_evaluated_in_exact_rationals():
    a, b = Value(0.1, label="a"), Value(0.3, label="b")
    y = (a * b + a / b).relu() - a
    graph = Graph.of(y)
    exact = graph.evaluate(Rationals, {"a": Fraction(1, 10), "b": Fraction(3, 10)})
    assert exact[graph.output] == Fraction(3, 100) + Fraction(1, 3) - Fraction(1, 10)
    assert all(isinstance(value, (Fraction, float)) for value in exact)
    as_stored = graph.evaluate(Rationals)[graph.output]
    assert isinstance(as_stored, Fraction)
    assert float(as_stored) == pytest.approx(y.data, rel=1e-15)


class Dual:
    """Forward mode in a few lines: a number and how fast it moves."""

    def __init__(self, value, move=0.0):
        self.value, self.move = value, move

    def __add__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value + other.value, self.move + other.move)

    def __mul__(self, other):
        other = other if isinstance(other, Dual) else Dual(other)
        return Dual(self.value * other.value, self.move * other.value + self.value * other.move)

    def __neg__(self):
        return Dual(-self.value, -self.move)

    def __sub__(self, other):
        return self + (-other)

    def __rsub__(self, other):
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def _of(self, other):
        return other.value if isinstance(other, Dual) else other

    def __lt__(self, other):
        return self.value < self._of(other)

    def __le__(self, other):
        return self.value <= self._of(other)

    def __gt__(self, other):
        return self.value > self._of(other)

    def __ge__(self, other):
        return self.value >= self._of(other)


class Duals:
    """The vocabulary of `ieee` for Dual, as far as these tests need it."""

    number = Dual

    @staticmethod
    def where(condition, yes, no):
        return yes if condition else no

    @staticmethod
    def equal(x, y):
        x, y = (v.value if isinstance(v, Dual) else v for v in (x, y))
        return x == y

    @staticmethod
    def abs(x):
        return -x if x < 0 else x

    @staticmethod
    def div(x, y):
        x, y = (v if isinstance(v, Dual) else Dual(v) for v in (x, y))
        return Dual(x.value / y.value, (x.move * y.value - x.value * y.move) / y.value**2)

    @staticmethod
    def exp(x):
        return Dual(math.exp(x.value), math.exp(x.value) * x.move)

    @staticmethod
    def sin(x):
        return Dual(math.sin(x.value), math.cos(x.value) * x.move)

    @staticmethod
    def tanh(x):
        return Dual(math.tanh(x.value), x.move * (1 - math.tanh(x.value) ** 2))


def test_dual_numbers_make_evaluation_forward_mode():
    """Written without one of our derivative formulas, they agree with the backward pass."""
    for seed in range(60):
        inputs, y = random_value(seed, ops=8)
        if not y.requires_grad:
            continue
        y.backward()
        graph = Graph.of(y)
        for leaf in inputs:
            if leaf.label in graph.names:
                at = {
                    name: Dual(graph.nodes[graph.index(name)].data)
                    for name in map(graph.names.__getitem__, graph.inputs)
                }
                at[leaf.label].move = 1.0
                answer = graph.evaluate(Duals, at)[graph.output]
                move = answer.move if isinstance(answer, Dual) else 0.0
                assert move == pytest.approx(leaf.grad, rel=1e-10, abs=1e-12), (seed, leaf.label)


class Tensors:
    """PyTorch as a number system: the same formulas, somebody else's arithmetic."""

    exp, sin, tanh, abs, div = torch.exp, torch.sin, torch.tanh, torch.abs, staticmethod(lambda x, y: x / y)

    @staticmethod
    def number(x):
        return torch.tensor(x, dtype=torch.float64)

    @staticmethod
    def where(condition, yes, no):
        return torch.where(condition, torch.as_tensor(yes, dtype=torch.float64), no)

    @staticmethod
    def equal(x, y):
        return x == y


def test_pytorch_can_run_a_graph_and_differentiate_it():
    a, b = Value(0.5, label="a"), Value(-1.25, label="b")
    y = (a * b).tanh() + (a - b).exp() / b.sin()
    y.backward()
    graph = Graph.of(y)
    at = {
        name: torch.tensor(x, dtype=torch.float64, requires_grad=True)
        for name, x in (("a", 0.5), ("b", -1.25))
    }
    graph.evaluate(Tensors, at)[graph.output].backward()
    assert (a.grad, b.grad) == pytest.approx((at["a"].grad.item(), at["b"].grad.item()), rel=1e-14)


def test_values_as_number_system_rebuild_a_graph_that_can_be_differentiated():
    graph = Graph.of(classic())
    at = {"a": Value(2.0), "b": Value(3.0), "c": Value(4.0)}
    graph.evaluate(VALUES, at)[graph.output].backward()
    assert [at[name].grad for name in "abc"] == [4.0, -4.0, -12.0]


def test_local_derivatives_of_a_node():
    graph = Graph.of(classic())
    values = graph.evaluate()
    assert [graph.locals(i, values) for i in (0, 3, 4, 5, 6)] == [
        (),
        (3.0, 2.0),
        (1.0, 1.0),
        (1.0, -1.0),
        (-2.0, 10.0),
    ]


# ---- what a gradient can reach ------------------------------------------------------------------


def test_active_is_what_an_input_is_below_and_the_output_above():
    a, k = Value(2.0, label="a"), Value(3.0, requires_grad=False, label="k")
    y = a * k
    graph = Graph.of(y)
    assert dict(zip(graph.names, graph.active, strict=True)) == {"a": True, "k": False, "out": True}
    # nodes that the output does not need
    loose = Graph(
        [Node(INPUT, (), "a", 1.0), Node(INPUT, (), "b", 1.0), Node("neg", (0,)), Node("exp", (1,))], 2
    )
    assert loose.active == (True, False, True, False)
    assert loose.order == (2, 0)


def test_consumers_are_listed_once_and_oldest_first():
    graph = Graph([*map(Node, [INPUT] * 2), *[Node("mul", args) for args in [(0, 0), (1, 0), (3, 2)]]])
    assert graph.consumers == ((2, 3), (3,), (4,), (4,), ())


def live_at(graph, inputs=None):
    values = graph.evaluate(inputs=inputs)
    return graph.live({i: graph.locals(i, values) for i in graph.order})


def test_live_wants_a_local_derivative_for_every_slot():
    with pytest.raises(ValueError, match="zip"):
        Graph.of(Value(2.0) * Value(3.0)).live({2: (3.0,), 1: (), 0: ()})


def test_live_leaves_out_a_branch_that_is_not_taken_at_these_values():
    x = Value(2.0, label="x")
    c = Value(1.0, label="c")
    y = where(c, x * 3, x.log())
    graph = Graph.of(y)
    taken = [graph.names[i] for i, live in enumerate(live_at(graph)) if live]
    assert taken == ["x", "v1", "out"]
    other = [graph.names[i] for i, live in enumerate(live_at(graph, {"c": 0.0})) if live]
    assert other == ["x", "v2", "out"]
    assert graph.active[graph.index("v2")]  # it could be reached at other values


# ---- orders -------------------------------------------------------------------------------------


def orders_by_brute_force(graph):
    """Every permutation of the active op nodes in which each comes after all that consume it."""
    steps = [i for i in range(len(graph)) if graph.active[i] and graph.nodes[i].args]
    return {
        order
        for order in permutations(steps)
        if all(
            order.index(arg) > order.index(node)
            for node in order
            for arg in graph.nodes[node].args
            if arg in order
        )
    }


def test_the_orders_of_a_graph_are_exactly_the_valid_ones():
    sizes = set()
    for graph in small_graphs(150, ops=7):
        found = list(graph.orders())
        assert len(set(found)) == len(found)
        assert set(found) == orders_by_brute_force(graph)
        assert found[0] == tuple(i for i in graph.order if graph.nodes[i].args)
        sizes.add(len(found))
        for order in found:
            graph.refuse_invalid(order)
    assert len(sizes) > 3  # the comparison saw graphs with several orders


def test_the_brute_force_would_notice_a_missing_order():
    graph = Graph.of(classic())
    assert len(orders_by_brute_force(graph)) == 3
    assert set(islice(graph.orders(), 2)) < orders_by_brute_force(graph)


def test_the_orders_of_the_classic_graph():
    graph = Graph.of(classic())
    named = [[graph.names[i] for i in order] for order in graph.orders()]
    assert named == [["L", "f", "e", "ab"], ["L", "e", "f", "ab"], ["L", "e", "ab", "f"]]


def test_there_is_a_factorial_of_orders_where_nodes_are_independent():
    leaves = [Value(float(i)) for i in range(5)]
    graph = Graph.of(VALUES.sum([leaf.exp() for leaf in leaves]))
    assert sum(1 for _ in graph.orders()) == math.factorial(5)


def test_the_first_orders_of_a_large_graph_come_at_once():
    x = Value(0.5)
    rng = random.Random(0)
    values = [x]
    for _ in range(10_000):
        values.append(rng.choice(values[-50:]).tanh() + rng.choice(values[-50:]))
    graph = Graph.of(VALUES.sum(values))
    start = time.process_time()
    first = list(islice(graph.orders(), 5))
    assert time.process_time() - start < 6.0
    assert len(set(first)) == 5
    for order in first:
        graph.refuse_invalid(order)


def test_an_invalid_order_is_refused_with_the_reason():
    graph = Graph.of(classic())
    a, ab, e, f, L = (graph.index(name) for name in ("a", "ab", "e", "f", "L"))  # noqa: N806
    graph.refuse_invalid([L, f, e, ab])
    graph.refuse_invalid(graph.order)  # leaves may have their turn, too
    for order, why in (
        ([L, f, ab, e], "ab comes before e, which still has a message for it"),
        ([f, L, e, ab], "f comes before L"),
        ([L, f, e], "ab is missing"),
        ([], "L is missing"),
        ([L, f, e, ab, f], "f stands there twice"),
        ([a, L, f, e, ab], "a comes before"),
        ([L, f, e, ab, 99], "no node 99; its nodes are 0 ... 6$"),
        ([L, f, e, ab, -1], "no node -1"),
        ([L, f, e, ab, 7], "no node 7"),
    ):
        with speaking("en"), pytest.raises(ValueError, match=f"not a valid backward order: .*{why}"):
            graph.refuse_invalid(order)


def test_an_op_that_is_older_than_a_leaf_is_missed_too():
    square = Value(3.0).square()
    graph = Graph.of(square + Value(1.0))
    with pytest.raises(ValueError, match="v1"):
        graph.refuse_invalid([graph.output])


def test_every_order_that_is_not_valid_is_refused():
    for graph in small_graphs(25, ops=5):
        valid = set(graph.orders())
        steps = next(iter(valid))
        for order in permutations(steps):
            if order in valid:
                graph.refuse_invalid(order)
            else:
                with pytest.raises(ValueError, match=r"orde[rn]"):
                    graph.refuse_invalid(order)


def test_a_graph_knows_every_op_of_the_table():
    for op in OPS.values():
        xs = op.samples[0]
        nodes = [Node(INPUT, (), "", x) for x in xs]
        graph = Graph([*nodes, Node(op.name, tuple(range(len(xs))))])
        values = graph.evaluate()
        assert values[-1] == op.forward(ieee, *xs)
        assert len(graph.locals(len(xs), values)) == len(xs)


@pytest.mark.parametrize(
    ("nodes", "output", "why"),
    [
        ([], -1, "a graph of 0 nodes has no node -1"),
        ([Node("input", (), "a", 1.0)], 1, "a graph of 1 nodes has no node 1"),
        ([Node("input", (), "a", 1.0)], -2, "a graph of 1 nodes has no node -2"),
        ([Node("neg", (0,))], 0, r"the arguments of node 0 are \(0,\)"),
        ([Node("neg", (1,))], 0, r"the arguments of node 0 are \(1,\)"),
    ],
)
def test_a_graph_that_is_none_is_refused(nodes, output, why):
    with speaking("en"), pytest.raises(ValueError, match=why):
        Graph(nodes, output)


def test_an_output_may_be_counted_from_the_end():
    nodes = [Node(INPUT, (), "a", 1.0), Node("neg", (0,))]
    assert [Graph(nodes, output).output for output in (-2, -1, 0, 1)] == [0, 1, 0, 1]
