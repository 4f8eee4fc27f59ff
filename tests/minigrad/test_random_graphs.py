"""Thousands of random graphs: the gradients are right, and right in the same bits everywhere.

* Over + - * / neg relu abs maximum minimum, values and gradients are PyTorch's, bit for bit;
  but for the gradient of a numerator, which is one rounding off.
* Over all ops they are mpmath's: differences at 60 digits of the referee's definitions,
  which know no derivative formula.  Second derivatives likewise.
* The trace of a graph has the same bits as `backward` on Values.
* A local rule that is wrong by 0.05 %, in any one op, is caught.

`pytest --graphs=100000` runs more of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import pytest
from mpmath import mp, mpf

from minigrad import Graph, trace
from minigrad.functional import grad
from minigrad.graph import CONSTANT, INPUT
from minigrad.ops import OPS
from random_graphs import EXACT, as_tensors, as_values, random_graph, random_seed
from referee import DEFINITIONS

BITS = 200
STEP = mpf(2) ** -66
TOLERANCE = 1e-12
SECOND_TOLERANCE = 1e-11


def distance(x: float, y: mpf) -> float:
    """Relative for large numbers and absolute for small ones."""
    return float(abs(x - y) / max(1, abs(x) + abs(y)))


# ---- the referee, on graphs -----------------------------------------------------------------


class Refereed:
    """A graph whose nodes are the referee's definitions."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.start = [mpf(graph.nodes[i].data) for i in graph.inputs]
        self.middle = self._values(self.start, None)

    def _values(self, point: Sequence[mpf], moved: set[int] | None) -> list[mpf]:
        """All values; with `moved` given, only what is above those inputs is computed again."""
        values: list[mpf] = []
        changed = set()
        inputs = iter(range(len(point)))
        for i, node in enumerate(self.graph.nodes):
            if node.op == INPUT:
                slot = next(inputs)
                values.append(point[slot])
                if moved is not None and slot in moved:
                    changed.add(i)
            elif node.op == CONSTANT:
                values.append(mpf(node.data))
            elif moved is not None and changed.isdisjoint(node.args):
                values.append(self.middle[i])
            else:
                values.append(DEFINITIONS[node.op](*[values[arg] for arg in node.args]))
                changed.add(i)
        return values

    def at(self, move: Sequence[mpf]) -> mpf:
        """The output with the inputs moved by so much."""
        moved = {slot for slot, amount in enumerate(move) if amount}
        point = [x + amount for x, amount in zip(self.start, move, strict=True)]
        return self._values(point, moved)[self.graph.output]

    def gradient(self) -> list[mpf]:
        slopes = []
        for slot in range(len(self.start)):
            move = [STEP if slot == other else mpf(0) for other in range(len(self.start))]
            slopes.append((self.at(move) - self.at([-amount for amount in move])) / (2 * STEP))
        return slopes

    def second(self, along: Sequence[float]) -> list[mpf]:
        """The gradient of the slope along a direction."""
        rows = []
        for slot in range(len(self.start)):

            def corner(a: int, b: int, slot: int = slot) -> mpf:
                move = [a * STEP * mpf(v) for v in along]
                move[slot] += b * STEP
                return self.at(move)

            mixed = corner(1, 1) - corner(1, -1) - corner(-1, 1) + corner(-1, -1)
            rows.append(mixed / (4 * STEP * STEP))
        return rows


def verdict(graph: Graph) -> tuple[mpf, list[mpf]]:
    """The value and the gradient."""
    with mp.workprec(BITS):
        refereed = Refereed(graph)
        return refereed.middle[graph.output], refereed.gradient()


def wrong(truth: mpf, slopes: Sequence[mpf], seed: float, value: float, grads: Sequence[float]) -> list[str]:
    """What the referee has against a value and gradients."""
    answers = [("value", value, truth)]
    for i, (mine, slope) in enumerate(zip(grads, slopes, strict=True)):
        answers.append((f"gradient {i}", mine, seed * slope))
    return [f"{what}: {x!r} for {y}" for what, x, y in answers if not distance(x, y) <= TOLERANCE]


# ---- the statements -------------------------------------------------------------------------


def same_bits(x: float, y: float) -> bool:
    """Equal numbers.  A gradient starts at +0.0, PyTorch's at its first message: zeros may differ in sign."""
    return x == y


def against_torch(graph: Graph, seed: float) -> list[tuple[float, float]]:
    """The value and the gradients, ours and PyTorch's."""
    y, leaves = as_values(graph)
    y.backward(seed)
    tensor, inputs = as_tensors(graph)
    tensor.backward(tensor.new_tensor(seed))
    theirs = [0.0 if there.grad is None else there.grad.item() for there in inputs]
    return [(y.data, tensor.item()), *zip([leaf.grad for leaf in leaves], theirs, strict=True)]


def test_bits_are_those_of_torch(numbers):
    for number in numbers:
        graph = random_graph(number, EXACT)
        assert all(same_bits(x, y) for x, y in against_torch(graph, random_seed(number))), number


def test_gradients_are_those_of_the_referee(numbers):
    for number in numbers:
        graph, seed = random_graph(number), random_seed(number)
        y, leaves = as_values(graph)
        y.backward(seed)
        mistakes = wrong(*verdict(graph), seed, y.data, [leaf.grad for leaf in leaves])
        assert not mistakes, (number, graph.to_json(), mistakes)


def test_a_trace_has_the_bits_of_backward(numbers):
    for number in numbers:
        for ops in (EXACT, tuple(OPS)):
            graph, seed = random_graph(number, ops), random_seed(number)
            y, leaves = as_values(graph)
            y.backward(seed)
            walked = trace(graph, seed=seed)
            assert walked.values[graph.output] == y.data
            assert [walked.grads[i] for i in graph.inputs] == [leaf.grad for leaf in leaves], number


@pytest.mark.parametrize("start", range(0, 500, 100))
def test_second_derivatives_are_those_of_the_referee(start):
    """The gradient of the slope along a direction: a row of the Hessian, for each input."""
    for number in range(start, start + 100):
        graph, seed = random_graph(number), random_seed(number)
        y, leaves = as_values(graph)
        along = [random_seed(1000 * number + i) for i in range(len(leaves))]
        first = grad(y, leaves, create_graph=True, seed=seed)
        slope = sum((g * a for g, a in zip(first, along, strict=True)), start=0.0)
        second = grad(slope, leaves) if slope.requires_grad else [0.0] * len(leaves)
        with mp.workprec(2 * BITS):
            truth = Refereed(graph).second(along)
            for got, right in zip(second, truth, strict=True):
                assert distance(got, seed * right) <= SECOND_TOLERANCE, (number, graph.to_json())


# ---- the generator is not blind -------------------------------------------------------------


@cache
def refereed(number: int) -> tuple[Graph, tuple[mpf, list[mpf]]]:
    graph = random_graph(number)
    return graph, verdict(graph)


def rule_with_a_mistake(op: str):
    """The table's partials, but those of one op are 0.05 % too large, or 0.0005 for 0."""

    def rule(graph: Graph, node: int, values: Sequence[float]) -> list[float | None]:
        right = graph.locals(node, values)
        if graph.nodes[node].op != op:
            return list(right)
        return [local if local is None else local * 1.0005 or 0.0005 for local in right]

    return rule


def caught(rule, count: int = 300) -> bool:
    for number in range(count):
        graph, truth = refereed(number)
        seed = random_seed(number)
        walked = trace(graph, seed=seed, rule=rule)
        if wrong(*truth, seed, walked.values[graph.output], [walked.grads[i] for i in graph.inputs]):
            return True
    return False


@pytest.mark.parametrize("op", OPS)
def test_a_rule_that_is_wrong_by_a_twentieth_of_a_percent_is_caught(op):
    assert caught(rule_with_a_mistake(op))


def test_the_right_rule_is_not_caught():
    assert not caught(lambda graph, node, values: graph.locals(node, values))


def test_graphs_are_varied():
    """All ops, fan-out, repeated arguments, constants on both sides, depth, and inputs without a path."""
    graphs = [random_graph(number) for number in range(500)]
    nodes = [node for graph in graphs for node in graph.nodes]
    assert {node.op for node in nodes} == {*OPS, INPUT, CONSTANT}
    assert any(len(set(node.args)) < len(node.args) for node in nodes)
    for slot in (0, 1):
        beside = [g.nodes[node.args[slot]] for g in graphs for node in g.nodes if len(node.args) == 2]
        assert any(node.op == CONSTANT for node in beside)
    assert {len(graph.inputs) for graph in graphs} == {3, 4, 5, 6}
    counts = [sum(bool(node.args) for node in graph.nodes) for graph in graphs]
    assert (min(counts), max(counts)) == (5, 25)
    consumers = [[arg for node in graph.nodes for arg in node.args] for graph in graphs]
    fan_out = [
        max(used.count(i) for i, node in enumerate(graph.nodes) if node.args)
        for graph, used in zip(graphs, consumers, strict=True)
    ]
    assert max(fan_out) >= 8
    assert all(abs(random_seed(number)) != 1.0 for number in range(500))
