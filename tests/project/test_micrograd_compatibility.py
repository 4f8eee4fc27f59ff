"""Code in the styles of micrograd and microgpt runs with only its import changed.

Everything here is written as their users write: private names, closures, drawing code,
training loops.  The numbers are PyTorch's.
"""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
import torch

from minigrad import Value

pytestmark = pytest.mark.both_engines

# ---- a library of neurons, micrograd's way ------------------------------------------------------


class Module:
    def parameters(self):
        return []

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0


class Neuron(Module):
    def __init__(self, weights, bias, nonlinear=True):
        self.w = [Value(w) for w in weights]
        self.b = Value(bias)
        self.nonlinear = nonlinear

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x, strict=True)), self.b)
        return act.tanh() if self.nonlinear else act

    def parameters(self):
        return [*self.w, self.b]


class Layer(Module):
    def __init__(self, matrix, biases, **kwargs):
        self.neurons = [Neuron(row, bias, **kwargs) for row, bias in zip(matrix, biases, strict=True)]

    def __call__(self, x):
        out = [n(x) for n in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        return [p for n in self.neurons for p in n.parameters()]


class MLP(Module):
    def __init__(self, layers):
        last = len(layers) - 1
        self.layers = [Layer(m, b, nonlinear=i != last) for i, (m, b) in enumerate(layers)]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]


SIZES = (3, 4, 4, 1)
INPUTS = ([2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0])
TARGETS = (1.0, -1.0, -1.0, 1.0)


def initial_layers():
    rng = random.Random(1337)
    return [
        (
            [[rng.uniform(-1, 1) for _ in range(n)] for _ in range(m)],
            [rng.uniform(-0.1, 0.1) for _ in range(m)],
        )
        for n, m in pairwise(SIZES)
    ]


def trained_by_torch(steps, rate):
    """The same network in tensors: the losses, and the weights after the last step."""
    layers = [
        [torch.tensor(part, dtype=torch.float64, requires_grad=True) for part in layer]
        for layer in initial_layers()
    ]
    losses = []
    for _ in range(steps):
        x = torch.tensor(INPUTS, dtype=torch.float64)
        for i, (matrix, bias) in enumerate(layers):
            x = x @ matrix.T + bias
            x = x.tanh() if i < len(layers) - 1 else x
        loss = ((x[:, 0] - torch.tensor(TARGETS, dtype=torch.float64)) ** 2).sum()
        loss.backward()
        losses.append(loss.item())
        with torch.no_grad():
            for part in (p for layer in layers for p in layer):
                part -= rate * part.grad
                part.grad = None
    weights = []
    for matrix, bias in layers:
        for row, b in zip(matrix.tolist(), bias.tolist(), strict=True):
            weights += [*row, b]
    return losses, weights


def test_a_micrograd_style_network_trains_to_pytorch_s_numbers():
    steps, rate = 20, 0.05
    model = MLP(initial_layers())
    losses = []
    for _ in range(steps):
        predictions = [model(x) for x in INPUTS]
        loss = sum((yp - yt) ** 2 for yt, yp in zip(TARGETS, predictions, strict=True))
        model.zero_grad()
        loss.backward()
        for p in model.parameters():
            p.data += -rate * p.grad
        losses.append(loss.data)
    expected_losses, expected_weights = trained_by_torch(steps, rate)
    assert losses == pytest.approx(expected_losses, rel=1e-10)
    assert [p.data for p in model.parameters()] == pytest.approx(expected_weights, rel=1e-10)
    assert losses[-1] < 0.1 * losses[0]


def test_without_zero_grad_the_same_loop_does_not_give_those_numbers():
    """The comparison above can fail: here it must."""
    model = MLP(initial_layers())
    losses = []
    for _ in range(5):
        loss = sum((model(x) - t) ** 2 for x, t in zip(INPUTS, TARGETS, strict=True))
        loss.backward()
        for p in model.parameters():
            p.data -= 0.05 * p.grad
        losses.append(loss.data)
    assert losses != pytest.approx(trained_by_torch(5, 0.05)[0], rel=1e-10)


def test_a_hinge_loss_with_accuracy_and_regularisation_is_written_as_ever():
    w = [Value(0.5), Value(-0.25)]
    rows, labels = [(1.0, 2.0), (-1.5, 0.5)], [1, -1]
    scores = [w[0] * x + w[1] * y for x, y in rows]
    losses = [(1 + -yi * score).relu() for yi, score in zip(labels, scores, strict=True)]
    data_loss = sum(losses) * (1.0 / len(losses))
    total = data_loss + 1e-4 * sum(p * p for p in w)
    accuracy = [(yi > 0) == (score.data > 0) for yi, score in zip(labels, scores, strict=True)]
    total.backward()
    # scores 0 and -0.875: losses 1 and 0.125; d/dw of (1 - s0 + 1 + s1)/2 is ((-1 - 1.5)/2, (-2 + 0.5)/2)
    assert total.data == pytest.approx(0.5625 + 1e-4 * 0.3125)
    assert [p.grad for p in w] == pytest.approx([-1.25 + 1e-4, -0.75 - 5e-5])
    assert accuracy == [False, True]


# ---- drawing code -------------------------------------------------------------------------------


def nodes_and_edges(root):
    """The helper of every notebook that draws a graph."""
    nodes, edges = set(), set()

    def build(v):
        if v not in nodes:
            nodes.add(v)
            for child in v._prev:
                edges.add((child, v))
                build(child)

    build(root)
    return nodes, edges


def test_drawing_code_that_walks_prev_and_op_sees_the_whole_graph():
    a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="c")
    e = a * b
    e.label = "e"
    d = e + c
    d.label = "d"
    L = d * d  # noqa: N806
    L.label = "L"
    nodes, edges = nodes_and_edges(L)
    assert {n.label for n in nodes} == {"a", "b", "c", "d", "e", "L"}
    named = {(u.label, v.label) for u, v in edges}
    assert named == {("a", "e"), ("b", "e"), ("e", "d"), ("c", "d"), ("d", "L")}
    assert {n.label: n._op for n in nodes} == {"a": "", "b": "", "c": "", "e": "*", "d": "+", "L": "*"}
    lines = [f"{{ {n.label} | data {n.data:.4f} | grad {n.grad:.4f} }}" for n in nodes]
    assert "{ a | data 2.0000 | grad 0.0000 }" in lines


def test_prev_is_like_a_set_but_always_in_the_same_order():
    a, b = Value(1.0), Value(2.0)
    assert (a + b)._prev == {a, b}
    assert (a + a)._prev == {a}
    assert a in (a + b)._prev
    assert list((b * a)._prev) == [b, a]
    assert a._prev == set()
    assert (a + b)._prev | {a} == {a, b}


def test_a_topological_sort_in_user_code_and_its_own_walk_give_the_same_gradients():
    a, b = Value(0.5), Value(-1.5)
    shared = a * b
    y = shared * shared + (shared + a).tanh()
    y.backward()
    expected = (a.grad, b.grad)
    y.zero_grad()
    order, visited = [], set()

    def build(v):
        if v not in visited:
            visited.add(v)
            for child in v._prev:
                build(child)
            order.append(v)

    build(y)
    y.grad = 1.0
    for node in reversed(order):
        node._backward()
    assert (a.grad, b.grad) == pytest.approx(expected, rel=1e-14)


# ---- the constructor of the lecture -------------------------------------------------------------


def lecture_tanh(self):
    """An op added from outside: data, children and op by position, and a closure for the rule."""
    t = (math.exp(2 * self.data) - 1) / (math.exp(2 * self.data) + 1)
    out = Value(t, (self,), "tanh")

    def _backward():
        self.grad += (1 - t**2) * out.grad

    out._backward = _backward
    return out


def lecture_add(self, other):
    out = Value(self.data + other.data, (self, other), "+")

    def _backward():
        self.grad += 1.0 * out.grad
        other.grad += 1.0 * out.grad

    out._backward = _backward
    return out


def test_a_node_with_a_closure_takes_part_in_the_pass():
    x1, x2, w1, w2, bias = (Value(v) for v in (2.0, 0.0, -3.0, 1.0, 6.8813735870195432))
    n = lecture_add(lecture_add(x1 * w1, x2 * w2), bias)
    o = lecture_tanh(n)
    assert (o._op, list(o._prev)) == ("tanh", [n])
    o.backward()
    # the lecture's neuron: tanh(0.88137...) is sqrt(1/2), so 1 - o**2 is one half
    assert o.data == pytest.approx(math.sqrt(0.5), rel=1e-12)
    assert [v.grad for v in (x1, x2, w1, w2)] == pytest.approx([-1.5, 0.5, 1.0, 0.0], rel=1e-12)
    o.backward()
    assert x1.grad == pytest.approx(-3.0, rel=1e-12)


def test_a_closure_on_a_shared_node_runs_once_after_all_its_messages():
    a = Value(3.0)
    calls = []
    shared = lecture_add(a, a)
    rule = shared._backward
    shared._backward = lambda: (calls.append(shared.grad), rule())
    y = shared * shared
    y.backward()
    assert calls == [12.0]
    assert a.grad == 24.0


def test_a_closure_can_replace_the_rule_of_any_node():
    """Which is how a straight-through estimator or a clipped gradient is written."""
    a = Value(2.7)
    rounded = a * 1.0
    rounded.data = round(a.data)

    def straight_through():
        a.grad += rounded.grad

    rounded._backward = straight_through
    (rounded * 5.0).backward()
    assert a.grad == 5.0


# ---- microgpt's constructor and loop ------------------------------------------------------------


def gpt_mul(a, b):
    return Value(a.data * b.data, (a, b), (b.data, a.data))


def gpt_pow(a, n):
    return Value(a.data**n, (a,), (n * a.data ** (n - 1),))


def gpt_backward(root):
    topo, visited = [], set()

    def build(v):
        if v not in visited:
            visited.add(v)
            for child in v._children:
                build(child)
            topo.append(v)

    build(root)
    root.grad = 1
    for v in reversed(topo):
        for child, local in zip(v._children, v._local_grads):  # noqa: B905 as it is written there
            child.grad += local * v.grad


def test_nodes_made_from_children_and_local_gradients_differentiate():
    a, b = Value(3.0), Value(-2.0)
    y = gpt_pow(gpt_mul(a, b), 2) + gpt_mul(a, a)
    assert y.data == 45.0
    y.backward()
    # 2ab * b + 2a and 2ab * a
    assert (a.grad, b.grad) == (30.0, -36.0)
    inner = gpt_mul(a, b)
    assert (inner._children, inner._local_grads) == ((a, b), (-2.0, 3.0))


def test_microgpt_s_own_loop_over_our_nodes_gives_our_gradients():
    a, b = Value(0.5), Value(-1.5)

    def compute():
        shared = a * b
        return (shared * shared + shared.exp() - a / b).log() + (a + 2) ** 0.5 - b

    compute().backward()
    expected = (a.grad, b.grad)
    a.grad = b.grad = 0
    gpt_backward(compute())
    assert (a.grad, b.grad) == pytest.approx(expected, rel=1e-14)


def softmax(logits):
    top = max(v.data for v in logits)
    exps = [(v - top).exp() for v in logits]
    total = sum(exps)
    return [e / total for e in exps]


def linear(x, w):
    return [sum(wi * xi for wi, xi in zip(row, x, strict=True)) for row in w]


def rmsnorm(x):
    ms = sum(xi * xi for xi in x) / len(x)
    scale = (ms + 1e-5) ** -0.5
    return [xi * scale for xi in x]


def test_a_microgpt_style_step_gives_pytorch_s_loss_and_gradients():
    rng = random.Random(42)
    vocabulary, width = 5, 4

    def matrix(rows, columns):
        return [[rng.gauss(0, 0.3) for _ in range(columns)] for _ in range(rows)]

    start = {"wte": matrix(vocabulary, width), "wo": matrix(width, width), "head": matrix(vocabulary, width)}
    tokens = [0, 3, 1, 4, 0]

    state = {name: [[Value(x) for x in row] for row in m] for name, m in start.items()}
    losses = []
    for position, token in enumerate(tokens[:-1]):
        x = rmsnorm(state["wte"][token])
        residual = x
        x = [xi.relu() ** 2 for xi in linear(x, state["wo"])]
        x = [a + b for a, b in zip(x, residual, strict=True)]
        probabilities = softmax(linear(x, state["head"]))
        losses.append(-probabilities[tokens[position + 1]].log())
    loss = (1 / len(losses)) * sum(losses)
    loss.backward()

    tensors = {n: torch.tensor(m, dtype=torch.float64, requires_grad=True) for n, m in start.items()}
    x = tensors["wte"][torch.tensor(tokens[:-1])]
    x = x * (x.pow(2).mean(-1, keepdim=True) + 1e-5).rsqrt()
    x = torch.relu(x @ tensors["wo"].T) ** 2 + x
    expected = torch.nn.functional.cross_entropy(x @ tensors["head"].T, torch.tensor(tokens[1:]))
    expected.backward()
    assert loss.data == pytest.approx(expected.item(), rel=1e-13)
    for name, m in state.items():
        flat = [p.grad for row in m for p in row]
        assert flat == pytest.approx(tensors[name].grad.flatten().tolist(), rel=1e-10, abs=1e-15), name

    # Adam's first step: the corrected moments are g and g**2, so every parameter moves by the rate
    parameters = [p for m in state.values() for row in m for p in row]
    before = [(p.data, p.grad) for p in parameters]
    rate, beta1, beta2, eps = 0.01, 0.85, 0.99, 1e-8
    first, second = [0.0] * len(parameters), [0.0] * len(parameters)
    for i, p in enumerate(parameters):
        first[i] = beta1 * first[i] + (1 - beta1) * p.grad
        second[i] = beta2 * second[i] + (1 - beta2) * p.grad**2
        p.data -= rate * (first[i] / (1 - beta1)) / ((second[i] / (1 - beta2)) ** 0.5 + eps)
        p.grad = 0
    stepped = [x - rate * g / (abs(g) + eps) for x, g in before]
    assert [p.data for p in parameters] == pytest.approx(stepped, rel=1e-9)
