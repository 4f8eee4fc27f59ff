"""NumPy: its functions and its object arrays work on Values, and no array cuts a graph in silence."""

from __future__ import annotations

import math

import numpy as np
import pytest

from minigrad import Value

UNARY = (
    "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "sin", "cos", "tan",
    "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arctanh", "square",
    "reciprocal", "negative", "absolute", "positive",
)  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_a_ufunc_of_one_argument_makes_a_node(name):
    v = Value(0.5)
    y = getattr(np, name)(v)
    assert isinstance(y, Value)
    assert y.data == pytest.approx(float(getattr(np, name)(0.5)), rel=1e-14)
    y.backward()
    h = 1e-6
    slope = (float(getattr(np, name)(0.5 + h)) - float(getattr(np, name)(0.5 - h))) / (2 * h)
    assert v.grad == pytest.approx(slope, rel=1e-8)


def test_arccosh_has_a_domain_of_its_own():
    v = Value(2.0)
    np.arccosh(v).backward()
    assert v.grad == pytest.approx(1 / math.sqrt(3), rel=1e-15)


@pytest.mark.parametrize(
    ("name", "slopes"),
    [
        # at x = 3, y = 4, by hand
        ("add", (1.0, 1.0)),
        ("subtract", (1.0, -1.0)),
        ("multiply", (4.0, 3.0)),
        ("divide", (0.25, -3 / 16)),
        ("power", (4 * 27.0, 81 * math.log(3))),
        ("arctan2", (4 / 25, -3 / 25)),
        ("hypot", (0.6, 0.8)),
        ("maximum", (0.0, 1.0)),
        ("minimum", (1.0, 0.0)),
    ],
)
def test_a_ufunc_of_two_arguments_sends_each_its_gradient(name, slopes):
    x, y = Value(3.0), Value(4.0)
    z = getattr(np, name)(x, y)
    assert z.data == pytest.approx(float(getattr(np, name)(3.0, 4.0)), rel=1e-15)
    z.backward()
    assert (x.grad, y.grad) == pytest.approx(slopes, rel=1e-14)


def test_the_methods_that_ufuncs_look_for_make_the_ops_of_the_table():
    v, w = Value(0.5), Value(2.0)
    assert np.exp(v)._op == "exp"
    assert np.arctan2(v, w)._op == "arctan2"
    assert np.hypot(v, w)._op == "hypot"


NUMBERS = (np.float64(2.0), np.float32(2.0), np.int64(2), np.int8(2), np.array(2.0))


@pytest.mark.parametrize("two", NUMBERS, ids=[type(x).__name__ for x in NUMBERS])
def test_a_numpy_number_stands_on_either_side(two):
    for compute, value, slope in (
        (lambda a: two + a, 6.0, 1.0),
        (lambda a: a + two, 6.0, 1.0),
        (lambda a: two - a, -2.0, -1.0),
        (lambda a: a - two, 2.0, 1.0),
        (lambda a: two * a, 8.0, 2.0),
        (lambda a: a * two, 8.0, 2.0),
        (lambda a: two / a, 0.5, -0.125),
        (lambda a: a / two, 2.0, 0.5),
        (lambda a: two**a, 16.0, 16 * math.log(2)),
        (lambda a: a**two, 16.0, 8.0),
    ):
        a = Value(4.0)
        y = compute(a)
        assert isinstance(y, Value)
        y.backward()
        assert y.data == value
        assert type(y.data) is float
        assert a.grad == pytest.approx(slope, rel=1e-15)
    assert (two < Value(4.0)) == (Value(4.0) > two) == True  # noqa: E712


def test_a_value_takes_numpy_numbers_and_keeps_plain_floats():
    for number in (np.float64(0.5), np.float32(0.5), np.float16(0.5)):
        assert Value(number).data == 0.5
        assert type(Value(number).data) is float
    y = Value(2.0) * 3
    y.backward(np.float64(2.0))
    assert type(y.grad) is float


def test_an_array_of_floats_times_a_value_is_an_array_of_values():
    v = Value(3.0)
    row = np.array([1.0, 2.0, -4.0])
    for products in (row * v, v * row):
        assert products.dtype == object
        assert [p.data for p in products] == [3.0, 6.0, -12.0]
    products.sum().backward()
    assert v.grad == -1.0
    assert [p.data for p in 1 - row * v] == [-2.0, -5.0, 13.0]
    assert [p.data for p in v - row] == [2.0, 1.0, 7.0]
    assert [p.data for p in row / v] == pytest.approx([1 / 3, 2 / 3, -4 / 3])
    assert [p.data for p in v ** np.array([0.0, 1.0, 2.0])] == [1.0, 3.0, 9.0]
    assert (row < v).tolist() == [True, True, True]
    assert (v < np.array([1.0, 5.0])).tolist() == [False, True]


def test_matrix_products_of_object_arrays_have_numpy_s_gradients():
    rng = np.random.default_rng(0)
    left, right = rng.normal(size=(2, 3)), rng.normal(size=(3, 4))
    A, B = (np.vectorize(Value, otypes=[object])(m) for m in (left, right))  # noqa: N806
    C = A @ B  # noqa: N806
    assert np.array([[v.data for v in row] for row in C]) == pytest.approx(left @ right)
    upstream = rng.normal(size=(2, 4))
    (C * upstream).sum().backward()
    assert np.array([[v.grad for v in row] for row in A]) == pytest.approx(upstream @ right.T)
    assert np.array([[v.grad for v in row] for row in B]) == pytest.approx(left.T @ upstream)


def test_reductions_of_object_arrays_stay_in_the_graph():
    values = [Value(x) for x in (1.0, 2.0, 6.0)]
    row = np.array(values)
    assert row.dtype == object
    (np.mean(row) + np.dot(row, row) + np.max(row)).backward()
    assert [v.grad for v in values] == pytest.approx([1 / 3 + 2, 1 / 3 + 4, 1 / 3 + 12 + 1])
    assert np.tanh(row)[0].data == math.tanh(1.0)


def test_the_in_place_operator_of_an_array_leaves_the_values_alone():
    a, b = Value(1.0), Value(2.0)
    row = np.array([a, b])
    row += 10
    assert (a.data, b.data) == (1.0, 2.0)
    assert [v.data for v in row] == [11.0, 12.0]
    assert a in row[0]._prev


def test_an_array_of_values_does_not_become_floats_in_silence():
    with pytest.raises(TypeError):
        np.array([Value(1.0)], dtype=float)
    with pytest.raises(TypeError):
        np.zeros(1)[0:1] += np.array([Value(1.0)])
    row = np.zeros(1)
    with pytest.raises(TypeError):
        row[0] = Value(1.0)


def test_a_whole_array_is_not_one_number():
    for array in (np.array([1.0, 2.0]), np.array(2.0)):
        with pytest.raises(TypeError, match="ndarray"):
            Value(array)
