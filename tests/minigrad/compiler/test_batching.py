"""A batch gives for each sample what the function gives for it alone, and sums gradients over all."""

from __future__ import annotations

from collections import namedtuple
from functools import partial
from random import Random

import numpy as np
import pytest

import minigrad
from minigrad import Value, compile, take  # noqa: A004 its own name
from minigrad.compiler import batching as batching_room
from minigrad.compiler import trace_cache as traces_room


def loss(w, x, y):
    out = 0.0
    for a, b in zip(w, x, strict=True):
        out = out + a * b
    return (out - y) * (out - y)


W = [0.5, -1.25, 2.0]


def samples(count, seed=3, width=3):
    random = Random(seed)
    x = np.array([[random.gauss(0, 1) for _ in range(width)] for _ in range(count)]).reshape(count, width)
    return x, np.array([random.gauss(0, 1) for _ in range(count)])


def one_by_one(f, w, x, y, argnums):
    """Value and gradient of each sample by the engine, node by node."""
    return [minigrad.value_and_grad(f, argnums)(w, a.tolist(), float(b)) for a, b in zip(x, y, strict=True)]


@pytest.mark.parametrize("count", [1, 2, 7, 8, 9, 64, 257])
def test_each_sample_has_the_bits_that_it_has_alone(count):
    x, y = samples(count)
    many = compile(loss).batched("x", "y")
    each = one_by_one(loss, W, x, y, (0, 1, 2))
    assert many(W, x, y).tolist() == [value for value, _ in each]
    value, (by_w, by_x, by_y) = many.value_and_grad(W, x, y, argnums=(0, 1, 2))
    assert value.tolist() == [one for one, _ in each]
    assert by_x.tolist() == [gradient[1] for _, gradient in each]
    assert by_y.tolist() == [gradient[2] for _, gradient in each]
    assert isinstance(by_w, list)
    total = np.sum([gradient[0] for _, gradient in each], axis=0)
    assert np.allclose(by_w, total, rtol=1e-13, atol=1e-13)


def test_threads_change_no_bit():
    x, y = samples(1000)
    wanted = compile(loss).batched(1, 2).value_and_grad(W, x, y)
    for threads in (2, 3):
        found = compile(loss, threads=threads).batched(1, 2).value_and_grad(W, x, y)
        assert found[1] == wanted[1]
        assert found[0].tolist() == wanted[0].tolist()


def test_by_default_every_argument_has_the_added_axis():
    x, y = samples(5)
    weights = np.array([W] * 5)
    value, gradient = compile(loss).batched().value_and_grad(weights, x, y)
    assert value.tolist() == compile(loss).batched(1, 2)(W, x, y).tolist()
    assert gradient.shape == (5, 3)


def test_lists_of_samples_tuples_and_dicts_of_arrays():
    f = compile(lambda p, scale: (p["a"] * p["b"][1] + p["b"][0]) * scale)
    many = f.batched(0)
    a, b = np.array([1.0, 2.0, 3.0]), np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    wanted = (a * b[:, 1] + b[:, 0]) * 2.0
    assert many({"a": a, "b": b}, 2.0).tolist() == wanted.tolist()
    rows = [{"a": p, "b": list(q)} for p, q in zip(a.tolist(), b.tolist(), strict=True)]
    assert many(rows, 2.0).tolist() == wanted.tolist()
    gradient = many.grad({"a": a, "b": b}, 2.0)
    assert gradient["a"].tolist() == (2.0 * b[:, 1]).tolist()
    assert gradient["b"].shape == (3, 2)
    pair = namedtuple("Pair", "x y")
    product = compile(lambda p: p.x * p.y).batched()
    assert product(pair(a, [4.0, 5.0, 6.0])).tolist() == [4.0, 10.0, 18.0]
    assert compile(lambda x, how: x * 2.0 if how == "double" else x).batched("x")(a, "double").tolist() == [
        2,
        4,
        6,
    ]
    assert compile(lambda x: x * 2.0).batched()([Value(1.0), Value(2.0)]).tolist() == [2.0, 4.0]


def test_results_are_arrays_in_the_structure_of_what_f_returns():
    x = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    matrix = compile(lambda v: [[v[0], v[1]], [v[1], v[0] * 2.0]]).batched()(x)
    assert matrix.shape == (3, 2, 2)
    assert matrix[1].tolist() == [[3.0, 4.0], [4.0, 6.0]]
    mixed = compile(lambda v: (v[0], {"sum": v[0] + v[1], "ragged": [v[0], [v[1]]]})).batched()(x)
    assert mixed[0].tolist() == [1.0, 3.0, 5.0]
    assert mixed[1]["sum"].tolist() == [3.0, 7.0, 11.0]
    assert mixed[1]["ragged"][1].tolist() == [[2.0], [4.0], [6.0]]
    assert compile(lambda v: []).batched()(x).shape == (3, 0)


def test_what_does_not_depend_on_the_samples_counts_once_for_each():
    x = np.array([1.0, 2.0, 3.0])
    many = compile(lambda w, x: w * w).batched(1)
    value, (by_w, by_x) = many.value_and_grad(3.0, x, argnums=(0, 1))
    assert value.tolist() == [9.0, 9.0, 9.0]
    assert (by_w, by_x.tolist()) == (18.0, [0.0, 0.0, 0.0])
    assert compile(lambda x: 2.5).batched()(x).tolist() == [2.5] * 3
    value, (by_w, by_x) = compile(lambda w, x: w + x).batched(1).value_and_grad(3.0, x, argnums=(0, 1))
    assert (by_w, by_x.tolist()) == (3.0, [1.0, 1.0, 1.0])
    assert compile(lambda x: x).batched()(x).tolist() == x.tolist()


def test_results_do_not_share_memory_with_the_arguments():
    x = np.array([1.0, 2.0, 3.0])
    out = compile(lambda x: x).batched()(x)
    out[:] = 0.0
    assert x.tolist() == [1.0, 2.0, 3.0]


# ---- samples that go different ways -------------------------------------------------------------


def crooked(w, x):
    total = w * x
    if x > 0.5:
        total = total * w
    while total > 2.0:
        total = total / 2.0
    return total


def test_each_sample_is_computed_by_the_way_that_it_takes():
    x = np.array([Random(k).uniform(-3, 9) for k in range(60)])
    program = compile(crooked)
    many = program.batched(1)
    each = [minigrad.value_and_grad(crooked, (0, 1))(1.5, float(a)) for a in x]
    for _ in range(2):
        assert many(1.5, x).tolist() == [value for value, _ in each]
        value, (by_w, by_x) = many.value_and_grad(1.5, x, argnums=(0, 1))
        assert value.tolist() == [one for one, _ in each]
        assert by_x.tolist() == [gradient[1] for _, gradient in each]
        assert np.isclose(by_w, sum(gradient[0] for _, gradient in each), rtol=1e-13)
    assert 3 < len(program.variants) < 20


def test_sums_over_groups_do_not_depend_on_what_was_traced_before():
    x = np.array([Random(k).uniform(-3, 9) for k in range(60)])
    wanted = compile(crooked).batched(1).grad(1.5, x)
    for seed in range(3):
        program = compile(crooked)
        for a in Random(seed).sample(x.tolist(), 20):
            program(1.5, a)
        assert program.batched(1).grad(1.5, x) == wanted


def test_too_many_ways_are_run_as_they_stand(monkeypatch):
    monkeypatch.setattr(batching_room, "MOST", 3)
    monkeypatch.setattr(traces_room, "MOST", 3)
    x = np.array([0.1, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0, 0.2])
    program = compile(crooked)
    with pytest.warns(RuntimeWarning, match="crooked"):
        found = program.batched(1)(1.5, x)
    assert found.tolist() == [crooked(1.5, float(a)) for a in x]
    value, (by_w, by_x) = program.batched(1).value_and_grad(1.5, x, argnums=(0, 1))
    each = [minigrad.value_and_grad(crooked, (0, 1))(1.5, float(a)) for a in x]
    assert value.tolist() == found.tolist()
    assert by_x.tolist() == [gradient[1] for _, gradient in each]
    assert np.isclose(by_w, sum(gradient[0] for _, gradient in each), rtol=1e-13)


def test_a_sample_that_guards_left_out_is_not_in_the_sum():
    """The planted lapse: sums over all samples where only some hold are seen by this test."""

    def f(w, x):
        return w * x if x > 0.0 else w * w

    x = np.array([1.0, -1.0, 2.0, -2.0])
    value, gradient = compile(f).batched(1).value_and_grad(3.0, x)
    assert value.tolist() == [3.0, 9.0, 6.0, 9.0]
    assert gradient == 1.0 + 6.0 + 2.0 + 6.0


def test_a_guard_on_a_shared_number_decides_for_all():
    program = compile(lambda w, x: w * x if w > 0.0 else x)
    many = program.batched(1)
    x = np.array([1.0, 2.0])
    assert many(2.0, x).tolist() == [2.0, 4.0]
    assert many(-2.0, x).tolist() == [1.0, 2.0]
    assert many(2.0, x).tolist() == [2.0, 4.0]
    assert len(program.variants) == 2


def test_structures_that_differ_between_samples_are_refused():
    program = compile(lambda x: x if x > 0.0 else [x, x])
    with pytest.raises(ValueError, match="different structures"):
        program.batched()(np.array([1.0, -1.0]))


# ---- looking up ---------------------------------------------------------------------------------


def test_indices_look_up_for_each_sample_and_are_held_to_their_range():
    rows = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    program = compile(lambda rows, i, x: take(rows, i)[0] * x + take(rows, i)[1])
    many = program.batched(1, 2)
    i, x = np.array([2, 0, 2, 1]), np.array([1.0, 10.0, 100.0, 1000.0])
    value, gradient = many.value_and_grad(rows, i, x)
    assert value.tolist() == [11.0, 12.0, 506.0, 3004.0]
    assert gradient == [[10.0, 1.0], [1000.0, 1.0], [101.0, 2.0]]
    assert many(rows, np.array([-1, 0]), x[:2]).tolist() == [11.0, 12.0]
    with pytest.raises(IndexError):
        many(rows, np.array([0, 3, 1, 1]), x)
    assert program.batched(2)(rows, 1, x).tolist() == [3.0 * a + 4.0 for a in x]
    with pytest.raises(IndexError):
        program.batched(2)(rows, 5, x)


# ---- edges --------------------------------------------------------------------------------------


def test_arrays_of_a_kind_that_was_seen_are_not_taken_apart_again(monkeypatch):
    many, x = compile(lambda x, s: sum(a * s for a in x)).batched("x"), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert many(x, 2.0).tolist() == [6.0, 14.0]
    monkeypatch.setattr("minigrad.compiler.batching.lanes_of", lambda *given: pytest.fail("they were"))
    assert many(x[:1] + 1.0, 3.0).tolist() == [15.0]


def test_a_batch_of_none():
    program = compile(loss)
    many = program.batched(1, 2)
    with pytest.raises(ValueError, match="not called with such a sample"):
        many(W, np.zeros((0, 3)), np.zeros(0))
    program(W, [1.0, 2.0, 3.0], 0.5)
    assert many(W, np.zeros((0, 3)), np.zeros(0)).shape == (0,)
    value, (by_w, by_x) = many.value_and_grad(W, np.zeros((0, 3)), np.zeros(0), argnums=(0, 1))
    assert (value.shape, by_w, by_x.shape) == ((0,), [0.0] * 3, (0, 3))


def test_refusals_name_what_is_wrong():
    program = compile(loss)
    x, y = samples(4)
    with pytest.raises(ValueError, match="different numbers of samples: 3, 4"):
        program.batched(1, 2)(W, x, y[:3])
    with pytest.raises(ValueError, match="added leading axis"):
        program.batched(1, 2)(W, x, 3.0)
    with pytest.raises(ValueError, match="sample 1 has another structure"):
        program.batched(1, 2)(W, [[1.0, 2.0, 3.0], [1.0, 2.0]], [1.0, 2.0])
    with pytest.raises(ValueError, match="no argument of that name"):
        program.batched("z")
    with pytest.raises(ValueError, match="called with 3"):
        program.batched(3)(W, x, y)
    with pytest.raises(ValueError, match="how many samples"):
        compile(lambda p: 1.0).batched()({})
    with pytest.raises(ValueError, match="structure of 2"):
        compile(lambda x: [x, x]).batched().grad(y)


def test_a_batch_inside_a_derivative_or_a_trace_is_refused():
    """Arrays carry no gradient: an answer of zero would be wrong without a word."""
    many = compile(lambda w, x: w * x).batched(1)
    x = np.array([1.0, 2.0])
    with pytest.raises(TypeError, match="no derivative"):
        minigrad.grad(lambda w: float(many(w, x).sum()))(2.0)
    with pytest.raises(TypeError):
        compile(lambda w: many(w, x)[0])(2.0)

    def captured(w):
        return float(compile(lambda x: w * x).batched()(x).sum())

    with pytest.raises(TypeError, match="no derivative"):
        minigrad.grad(captured)(2.0)


@pytest.mark.parametrize(
    "make", [partial(np.asarray, dtype="float32"), np.asfortranarray, lambda x: x[::-1][::-1]]
)
def test_arrays_of_any_layout(make):
    x = np.array([[1.0, 2.0, 3.0], [0.5, 0.25, 4.0]])
    y = np.array([1.0, 2.0])
    many = compile(loss).batched(1, 2)
    assert many(W, make(x), make(y)).tolist() == many(W, x, y).tolist()
    many_columns = np.zeros((2, 6))
    many_columns[:, ::2] = x
    assert many(W, many_columns[:, ::2], y).tolist() == many(W, x, y).tolist()


def test_float32_in_and_out():
    x, y = samples(20)
    many = compile(loss, dtype="float32").batched(1, 2)
    wanted = compile(loss).batched(1, 2)
    value, (by_w, by_x) = many.value_and_grad(np.array(W), x.astype("float32"), y, argnums=(0, 1))
    assert value.dtype == by_x.dtype == by_w.dtype == np.float32
    exact, (exact_w, exact_x) = wanted.value_and_grad(np.array(W), x, y, argnums=(0, 1))
    assert np.allclose(value, exact, rtol=1e-4, atol=1e-5)
    assert np.allclose(by_x, exact_x, rtol=1e-4, atol=1e-4)
    assert np.allclose(by_w, exact_w, rtol=1e-4, atol=1e-4)
    assert exact_w.dtype == np.float64


def test_float32_of_a_single_call():
    program = compile(lambda x: x[0] * x[1] / 3.0, dtype="float32")
    for _ in range(2):
        value, gradient = program.value_and_grad(np.array([1.0, 2.0]))
        assert value == float(np.float32(2.0) / np.float32(3.0))
        assert gradient.dtype == np.float32
    assert program([1.0, 2.0]) == value


def test_captured_values_are_shared():
    weight = Value(2.0)
    many = compile(lambda x: weight * x).batched()
    assert many(np.array([1.0, 2.0])).tolist() == [2.0, 4.0]
    weight.data = 3.0
    assert many(np.array([1.0, 2.0])).tolist() == [3.0, 6.0]


def test_a_total_is_the_sum_of_the_values_and_has_their_gradient():
    many = minigrad.compile(lambda w, x: (w * x).relu() + 0.1 * (w * w)).batched(1)
    xs = np.linspace(-1.0, 2.0, 700)
    values, gradient = many.value_and_grad(3.0, xs)
    total, of_total = many.total_and_grad(3.0, xs)
    assert total == pytest.approx(values.sum(), rel=1e-14)
    assert (of_total, many.grad(3.0, xs)) == (gradient, gradient)


def test_a_total_counts_what_all_samples_share_once_for_each():
    many = minigrad.compile(lambda w, x: w * w).batched(1)
    assert many.total_and_grad(3.0, np.zeros(5)) == (45.0, 30.0)
    assert many.total_and_grad(3.0, np.zeros(5), argnums=()) == (45.0, ())


def test_a_total_over_samples_that_go_different_ways():
    many = minigrad.compile(lambda w, x: w * x if x > 0 else w - x).batched(1)
    xs = np.array([1.0, -1.0, 2.0])
    assert many.total_and_grad(3.0, xs) == (3.0 + 4.0 + 6.0, 1.0 + 1.0 + 2.0)
    assert many.total_and_grad(3.0, xs, argnums=()) == (13.0, ())
