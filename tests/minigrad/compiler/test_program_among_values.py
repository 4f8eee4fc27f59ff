"""A compiled function among Values: backward goes through it, it nests, and its graph can be explained."""

from __future__ import annotations

import pytest

import minigrad
from minigrad import Graph, Value, compile, no_grad  # noqa: A004 its own name
from minigrad.functions import softmax
from network_program import MODEL, X, loss

# ---- Values -------------------------------------------------------------------------------------


def test_values_in_values_out_and_backward_goes_through():
    a, b = Value(2.0), Value(3.0)
    program = compile(lambda x, y: x * y + x)
    out = program(a, b) * 10.0
    out.backward()
    assert (out.data, a.grad, b.grad) == (80.0, 40.0, 20.0)
    with no_grad():
        assert not program(a, b).requires_grad
    constant = Value(3.0, requires_grad=False)
    mixed = program(a, constant)
    a.grad = 0.0
    mixed.backward()
    assert (a.grad, constant.grad) == (4.0, 0.0)


def test_values_that_f_captures_learn_too():
    weight = Value(3.0)
    program = compile(lambda x: weight * x * x)
    for data in (3.0, 5.0):
        weight.data, weight.grad = data, 0.0
        out = program(2.0)
        out.backward()
        assert (out.data, weight.grad) == (4.0 * data, 4.0)
    assert program.value_and_grad(2.0) == (20.0, 20.0)


def test_several_results_as_values():
    a, b = Value(2.0), Value(3.0)
    program = compile(lambda x, y: {"product": x * y, "sum": x + y})
    out = program(a, b)
    a.data = 99.0  # a pass is that of the call, whatever is written later
    (out["product"] * 2.0 + out["sum"]).backward()
    assert (a.grad, b.grad) == (7.0, 5.0)
    assert Graph.of(out["product"]).inputs


def test_compiled_functions_nest_and_transforms_see_through_them():
    inner = compile(lambda x: x * x * x)
    outer = compile(lambda x: inner(x) + x)
    assert outer.value_and_grad(2.0) == (10.0, 13.0)
    with pytest.raises(TypeError, match="outside"):
        compile(lambda x: inner.grad(x) * 2.0)(2.0)
    assert minigrad.grad(inner)(2.0) == 12.0
    assert minigrad.hessian(inner)(2.0) == 12.0
    assert minigrad.grad(lambda x: inner.grad(x))(2.0) == 12.0

    def by_weight(w):
        inside = compile(lambda x: w * x * x)
        return inside.grad(2.0)

    assert minigrad.grad(by_weight)(3.0) == 4.0  # not 0: w is a variable of the outer derivative
    assert minigrad.grad(lambda w: compile(lambda x: w * x)(2.0))(3.0) == 2.0

    @compile
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    assert power(2.0, 5) == 32.0
    assert power.grad(2.0, 3) == 12.0


# ---- graphs -------------------------------------------------------------------------------------


def test_a_graph_that_is_there_is_compiled_with_its_inputs():
    a, b, c = Value(2.0, label="a"), Value(3.0, label="b"), Value(4.0, label="c")
    out = (a * b + c) * (a - c)
    program = compile(out, inputs=[a, b])
    assert program(2.0, 3.0).data == -20.0  # c is a Value that is captured
    assert program.value_and_grad(2, 3.0, argnums=(0, 1)) == (-20.0, (4.0, -4.0))
    c.data = 1.0
    assert program.value_and_grad(2.0, 3.0)[0] == 7.0
    whole = compile(out, inputs=[a, [b, c]])
    assert whole(1.0, [2.0, 3.0]) == -10.0
    assert whole.grad(2, [3, 4]) == 4.0
    c.data = 4.0  # a graph is read as it was computed
    graph = whole.graph(1.0, [2.0, 3.0])
    assert graph.evaluate()[graph.output] == -10.0
    with pytest.raises(ValueError, match="2 inputs"):
        whole(1.0, 2.0)


def test_the_graph_of_a_function_is_there_for_explaining():
    program = compile(loss)
    graph = program.graph(MODEL, X)
    assert "model.w[0][1]" in graph.names
    assert graph.evaluate()[graph.output] == program(MODEL, X)
    assert minigrad.explain(graph).gradients["model.b[2]"] == program.grad(MODEL, X)["b"][2]
    with pytest.raises(ValueError, match="one Value"):
        compile(lambda x: [x, x]).graph(2.0)


# ---- explain ------------------------------------------------------------------------------------


def test_an_explanation_counts_what_became_of_the_nodes():
    program = compile(lambda w, x: [softmax([minigrad.functions.dot(row, x) for row in w])[0], x[0]])
    weights, x = [[0.5] * 4] * 6, [1.0] * 4
    explained = program.explain(weights, x)
    assert explained.instructions == len(program.plan(weights, x).before)
    assert explained.nodes > explained.instructions
    for lang, word in (("en", "vector instructions"), ("es", "instrucciones vectoriales")):
        text = explained.text(lang=lang)
        assert word in text
        assert str(explained.instructions) in text
    assert explained.markdown(lang="en").startswith("# ")
    names = [name for name, _, _ in explained.passes]
    assert names[0] == "trace"
    assert names.index("fold") < names.index("layout")
    assert explained.to_json()["nodes"] == explained.nodes
    assert "text/markdown" in explained._repr_mimebundle_()
    assert str(program.explain()) == str(explained)


def test_an_explanation_of_a_gradient_has_more_instructions_and_shows_the_guards():
    program = compile(lambda xs: sum(x * x if x > 0.0 else x for x in xs))
    xs = [1.0, 2.0, -1.0]
    forward, both = program.explain(xs), program.explain(xs, argnums=0)
    assert "backward" in [name for name, _, _ in both.passes]
    assert "backward" not in [name for name, _, _ in forward.passes]
    assert "test_program_among_values.py" in str(forward)
    with pytest.raises(ValueError, match="structure"):
        compile(lambda x: [x, x]).explain(2.0, argnums=0)


def test_a_long_explanation_is_clipped_and_every_pass_is_told(monkeypatch):
    def chain(x):
        for k in range(100):
            x = (x * 1.01 + k).tanh()
        return x

    text = str(compile(chain).explain(0.5))
    assert len(text.splitlines()) < 120
    assert all(line.strip() for line in text.splitlines() if line.startswith("  fold"))
