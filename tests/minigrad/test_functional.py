"""grad and its relatives: structures, nesting, every order of derivative, and PyTorch's answers."""

from __future__ import annotations

import math
from collections import namedtuple
from typing import NamedTuple

import mpmath
import numpy as np
import pytest
import torch
from torch.autograd import functional as torch_functional

from minigrad import Value, grad, hessian, jacobian, jvp, no_grad, value_and_grad, vjp
from minigrad import functions as F  # noqa: N812
from minigrad.ops import MANY, OPS
from minigrad.text.translation import speaking
from sentences import sentence

bits = float.hex


def tensor(x):
    return torch.tensor(x, dtype=torch.float64)


# ---- one number ---------------------------------------------------------------------------------


def test_the_gradient_of_a_function_is_a_function():
    cube = grad(lambda x: x**3)
    assert cube(2.0) == 12.0
    assert type(cube(2)) is float
    assert cube(-1.0) == 3.0


def test_a_constant_function_has_gradient_zero():
    assert grad(lambda x: 5.0)(2.0) == 0.0
    assert grad(lambda x: Value(5.0))(2.0) == 0.0
    assert value_and_grad(lambda x: 5)(2.0) == (5.0, 0.0)


def test_the_identity_has_gradient_one():
    assert value_and_grad(lambda x: x)(3.0) == (3.0, 1.0)
    assert vjp(lambda x: x, 3.0)[1](2) == (2.0,)
    assert type(vjp(lambda x: x, 3.0)[1](2)[0]) is float
    assert jvp(lambda x: x, (3.0,), (2,)) == (3.0, 2.0)


def test_argnums_chooses_the_arguments():
    def f(x, y, z):
        return x * y + z**2

    assert grad(f)(2.0, 3.0, 4.0) == 3.0
    assert grad(f, 1)(2.0, 3.0, 4.0) == 2.0
    assert grad(f, -1)(2.0, 3.0, 4.0) == 8.0
    assert grad(f, (0, 2))(2.0, 3.0, 4.0) == (3.0, 8.0)
    assert grad(f, [2, 0])(2.0, 3.0, 4.0) == (8.0, 3.0)
    assert grad(lambda x, name: x * len(name))(2.0, "abc") == 3.0  # the others may be anything


def test_value_and_grad_calls_the_function_once():
    calls = []

    def f(x):
        calls.append(x)
        return x * x

    assert value_and_grad(f)(3.0) == (9.0, 6.0)
    assert len(calls) == 1


def test_no_grad_field_is_touched():
    a = Value(3.0)
    y = a * a
    y.backward()
    assert grad(y, a) == 6.0
    assert (a.grad, y.grad) == (6.0, 1.0)
    assert grad(lambda x: x * a)(2.0) == 3.0
    assert a.grad == 6.0


# ---- structures ---------------------------------------------------------------------------------

Point = namedtuple("Point", "x y")


class Layer(NamedTuple):
    weights: list
    bias: float


def test_the_gradient_has_the_structure_of_the_argument():
    def loss(model):
        hidden = [model["layer"].weights[i] * model["inputs"][i] for i in range(2)]
        return (sum(hidden) + model["layer"].bias) * model["point"].y + 0 * model["unused"]

    model = {
        "layer": Layer([2.0, 3.0], 1.0),
        "inputs": (5.0, 7.0),
        "point": Point(x=1.0, y=10.0),
        "unused": 4,
    }
    gradient = grad(loss)(model)
    assert gradient == {
        "layer": Layer([50.0, 70.0], 10.0),
        "inputs": (20.0, 30.0),
        "point": Point(x=0.0, y=32.0),
        "unused": 0.0,
    }
    assert type(gradient["layer"]) is Layer
    assert type(gradient["point"]) is Point
    assert type(gradient["inputs"]) is tuple
    assert list(gradient) == list(model)
    assert model["layer"] == Layer([2.0, 3.0], 1.0)  # the argument is left alone


def test_empty_containers_are_structures_too():
    assert grad(lambda t: t[0] * 2)([3.0, [], {}, ()]) == [2.0, [], {}, ()]


def test_the_jacobian_has_the_structure_of_the_result_and_then_of_the_argument():
    def f(p):
        return {"sum": p[0] + p[1], "pair": (p[0] * p[1], p[0] ** 2)}

    assert jacobian(f)([3.0, 4.0]) == {"sum": [1.0, 1.0], "pair": ([4.0, 3.0], [6.0, 0.0])}


def test_the_hessian_of_a_dict_is_a_dict_of_dicts():
    def f(p):
        return p["a"] ** 2 * p["b"]

    assert hessian(f)({"a": 3.0, "b": 5.0}) == {"a": {"a": 10.0, "b": 6.0}, "b": {"a": 6.0, "b": 0.0}}


def test_a_value_s_gradient_comes_in_the_structure_of_what_is_asked_for():
    a, b = Value(2.0), Value(5.0)
    y = a * b + a
    assert grad(y, [a, b]) == [6.0, 2.0]
    assert grad(y, {"a": a, "pair": (b, Value(1.0))}) == {"a": 6.0, "pair": (2.0, 0.0)}
    assert grad(y, a) == 6.0
    assert grad(y, y) == 1.0
    assert grad(y, a, seed=-0.5) == -3.0


def test_numpy_numbers_are_numbers_and_arrays_are_lists_first():
    assert grad(lambda p: p[0] * p[1])([np.float64(2.0), np.int64(3)]) == [3.0, 2.0]
    assert grad(lambda p: p[0] * p[1])(np.array([2.0, 3.0]).tolist()) == [3.0, 2.0]


# ---- against PyTorch ----------------------------------------------------------------------------


def rosenbrock(p):
    return sum(100 * (p[i + 1] - p[i] ** 2) ** 2 + (1 - p[i]) ** 2 for i in range(len(p) - 1))


def wavy(p):
    return (p[0] * p[1]).sin() * p[2].exp() + p[0] / (1 + p[2] ** 2) + p[1].tanh() * p[0] ** 3


def mapping(p):
    return [p[0] * p[1].exp(), (p[2] * p[0]).sin(), p[1] ** 2 / p[2], p[0] + 0 * p[1]]


POINT = [0.7, -1.2, 1.9]


@pytest.mark.parametrize("f", [rosenbrock, wavy])
def test_gradients_and_hessians_are_pytorch_s(f):
    leaf = tensor(POINT).requires_grad_()
    expected = torch.autograd.grad(f(leaf), leaf)[0].tolist()
    value, gradient = value_and_grad(f)(POINT)
    assert value == pytest.approx(f(tensor(POINT)).item(), rel=1e-14)
    assert gradient == pytest.approx(expected, rel=1e-13)
    second = torch_functional.hessian(f, tensor(POINT)).tolist()
    assert np.array(hessian(f)(POINT)) == pytest.approx(np.array(second), rel=1e-12)


def test_jacobians_and_their_two_products_are_pytorch_s():
    def stacked(p):
        return torch.stack(mapping(p))

    expected = np.array(torch_functional.jacobian(stacked, tensor(POINT)).tolist())
    assert np.array(jacobian(mapping)(POINT)) == pytest.approx(expected, rel=1e-14)
    tangent, cotangent = [0.3, -2.0, 1.1], [1.5, -0.5, 2.0, 0.25]
    value, move = jvp(mapping, (POINT,), (tangent,))
    assert value == pytest.approx(stacked(tensor(POINT)).tolist())
    assert move == pytest.approx(torch_functional.jvp(stacked, tensor(POINT), tensor(tangent))[1].tolist())
    value, pull = vjp(mapping, POINT)
    (gradient,) = pull(cotangent)
    assert gradient == pytest.approx(
        torch_functional.vjp(stacked, tensor(POINT), tensor(cotangent))[1].tolist(), rel=1e-14
    )
    assert pull(cotangent) == pull(cotangent)  # as often as one likes


def test_forward_and_reverse_mode_agree_on_several_arguments():
    def f(x, y):
        return [x["a"] * y, (y / x["a"]).exp()]

    x, y = {"a": 1.5}, -0.75
    value, pull = vjp(f, x, y)
    pushed = jvp(f, (x, y), ({"a": 2.0}, 3.0))[1]
    pulled = pull([5.0, 7.0])
    assert value == [1.5 * -0.75, math.exp(-0.5)]
    left = 5.0 * pushed[0] + 7.0 * pushed[1]
    right = 2.0 * pulled[0]["a"] + 3.0 * pulled[1]
    assert left == pytest.approx(right, rel=1e-14)


# ---- nesting ------------------------------------------------------------------------------------


def test_derivatives_nest():
    f = grad(grad(grad(lambda x: x**5)))
    assert f(2.0) == 60 * 2.0**2


def test_inner_and_outer_variables_are_not_confused():
    """The classic of perturbation confusion: d/dx (x * d/dy (x + y)) is 1, and a mix-up says 2."""
    assert grad(lambda x: x * grad(lambda y: x + y)(1.0))(1.0) == 1.0
    assert grad(lambda x: x * grad(lambda y: x * y)(x))(3.0) == 6.0  # x * x
    assert grad(lambda x: grad(lambda y: y * y * x)(x))(3.0) == 12.0  # 2x * x
    assert grad(lambda x: x * grad(lambda x: x * x)(x))(3.0) == 12.0  # x * 2x, one name for both


def test_an_inner_derivative_may_use_the_outer_variable_from_outside():
    assert grad(lambda x: grad(lambda y: x * x * y)(1.0))(3.0) == 6.0
    assert grad(lambda x: jvp(lambda y: x * x * y, (1.0,), (1.0,))[1])(3.0) == 6.0
    assert grad(lambda x: vjp(lambda y: x * x * y, 1.0)[1](1.0)[0])(3.0) == 6.0
    assert grad(lambda x: value_and_grad(lambda y: x * y)(5.0)[0])(3.0) == 5.0
    assert grad(lambda x: jacobian(lambda y: [x * y, y])(1.0)[0])(3.0) == 1.0
    assert grad(lambda x: grad(lambda y: grad(lambda z: x * x * y * z)(1.0))(1.0))(3.0) == 6.0


def test_tangents_and_cotangents_may_be_variables():
    assert grad(lambda t: jvp(lambda x: x**3, (2.0,), (t,))[1])(1.0) == 12.0
    assert grad(lambda t: vjp(lambda x: x**3, 2.0)[1](t)[0])(1.0) == 12.0


def test_forward_over_reverse_and_reverse_over_forward_are_the_hessian():
    def slope(p):
        return grad(rosenbrock)(p)

    direction = [1.0, -2.0, 0.5]
    expected = np.array(torch_functional.hessian(rosenbrock, tensor(POINT)).tolist()) @ np.array(direction)
    assert jvp(slope, (POINT,), (direction,))[1] == pytest.approx(expected.tolist(), rel=1e-12)
    reverse = grad(lambda p: jvp(rosenbrock, (p,), (direction,))[1])(POINT)
    assert reverse == pytest.approx(expected.tolist(), rel=1e-12)


def test_a_transform_on_values_gives_values_that_stay_in_the_graph():
    x = Value(3.0)
    slope = grad(lambda t: t**3)(x)
    assert isinstance(slope, Value)
    assert slope.data == 27.0
    slope.backward()
    assert x.grad == 18.0


def test_a_constant_value_is_a_number_to_differentiate_by():
    constant = Value(3.0, requires_grad=False)
    assert grad(lambda t: t * t)(constant).data == 6.0
    assert grad(lambda x: x * grad(lambda y: y * y)(x.detach()))(3.0) == 6.0


def test_no_grad_around_a_transform_is_not_inside_it():
    with no_grad():
        assert grad(lambda x: x * x)(3.0) == 6.0
        assert hessian(lambda p: p[0] ** 3)([2.0]) == [[12.0]]
        assert not (Value(1.0) * 2).requires_grad
        inner = grad(lambda x: x * x)(Value(3.0))
        assert (inner.data, inner.requires_grad) == (6.0, False)

    def half_cut(x):
        with no_grad():
            square = x * x
        return square * x

    assert grad(half_cut)(3.0) == 9.0  # inside, it cuts as ever


def test_an_exception_in_the_function_leaves_nothing_switched():
    def fail(x):
        raise KeyError("x")

    with no_grad(), pytest.raises(KeyError):
        grad(fail)(1.0)
    assert (Value(1.0) * 2).requires_grad
    assert grad(lambda x: grad(lambda y: y * 2)(1.0) * x)(1.0) == 2.0


# ---- create_graph: derivatives of any order -----------------------------------------------------


def derivatives(f, x, order):
    """The derivatives of f at x up to an order, by differentiating Values again and again."""
    leaf = Value(x)
    y, found = f(leaf), []
    for _ in range(order):
        y = grad(y, leaf, create_graph=True)
        found.append(y.data)
    return found


SMOOTH = {
    "sin": (lambda v: v.sin(), mpmath.sin),
    "cos": (lambda v: v.cos(), mpmath.cos),
    "exp": (lambda v: v.exp(), mpmath.exp),
    "log": (lambda v: v.log(), mpmath.log),
    "tanh": (lambda v: v.tanh(), mpmath.tanh),
    "x**5": (lambda v: v**5, lambda x: x**5),
    "x**2.5": (lambda v: v**2.5, lambda x: x ** mpmath.mpf("2.5")),
    "1/x": (lambda v: 1 / v, lambda x: 1 / x),
    "sqrt": (lambda v: v.sqrt(), mpmath.sqrt),
    "sigmoid": (lambda v: v.sigmoid(), lambda x: 1 / (1 + mpmath.exp(-x))),
    "softplus": (lambda v: v.softplus(), lambda x: mpmath.log(1 + mpmath.exp(x))),
    "erf": (lambda v: v.erf(), mpmath.erf),
    "gelu": (lambda v: v.gelu(), lambda x: x * mpmath.ncdf(x)),
    "silu": (lambda v: v.silu(), lambda x: x / (1 + mpmath.exp(-x))),
    "arctan": (lambda v: v.arctan(), mpmath.atan),
    "arcsin": (lambda v: v.arcsin(), mpmath.asin),
    "cbrt": (lambda v: v.cbrt(), mpmath.cbrt),
    "x**x": (lambda v: v**v, lambda x: x**x),
    "sinh(x) * log1p(x)": (lambda v: v.sinh() * v.log1p(), lambda x: mpmath.sinh(x) * mpmath.log1p(x)),
    "logsumexp": (
        lambda v: F.logsumexp([v, 2 * v, 0]),
        lambda x: mpmath.log(1 + mpmath.exp(x) + mpmath.exp(2 * x)),
    ),
    "prod": (lambda v: F.prod([v, v.exp(), v]), lambda x: x * x * mpmath.exp(x)),
    "dot": (lambda v: F.dot([v, v * v], [v, v]), lambda x: x * x + x**3),
    "hypot": (lambda v: F.hypot(v, v * v), lambda x: mpmath.hypot(x, x * x)),
    "arctan2": (lambda v: F.arctan2(v, 1 + v), lambda x: mpmath.atan2(x, 1 + x)),
}  # fmt: skip


@pytest.mark.parametrize("name", SMOOTH)
def test_the_first_four_derivatives_are_mpmath_s(name):
    ours, theirs = SMOOTH[name]
    with mpmath.workdps(60):
        for x in (0.3, 0.875):
            found = derivatives(ours, x, 4)
            expected = [float(mpmath.diff(theirs, mpmath.mpf(x), n)) for n in range(1, 5)]
            assert found == pytest.approx(expected, rel=1e-10, abs=1e-11), x


def test_derivatives_cycle_and_end_where_they_should():
    x = 0.7
    s, c = math.sin(x), math.cos(x)
    assert derivatives(lambda v: v.sin(), x, 4) == [c, -s, -c, s]
    assert derivatives(lambda v: v.exp(), x, 4) == [math.exp(x)] * 4
    assert derivatives(lambda v: v**5, 2.0, 6) == [80.0, 160.0, 240.0, 240.0, 120.0, 0.0]
    assert derivatives(lambda v: v**3, -2.0, 4) == [12.0, -12.0, 6.0, 0.0]
    assert derivatives(lambda v: v**2, 0.0, 3) == [0.0, 2.0, 0.0]
    assert derivatives(lambda v: v * v, 0.0, 3) == [0.0, 2.0, 0.0]
    t = math.tanh(x)
    sech2 = 1 - t * t
    assert derivatives(lambda v: v.tanh(), x, 2) == pytest.approx([sech2, -2 * t * sech2], rel=1e-14)


def test_a_gradient_with_a_graph_has_the_bits_of_one_without():
    for op in OPS.values():
        for xs in (*op.samples, *op.kinks):
            values = [Value(x) for x in xs]
            if op.name == "dot":
                y = F.dot(values[: len(xs) // 2], values[len(xs) // 2 :])
            else:
                y = getattr(F, op.name)(values) if op.arity[1] == MANY else getattr(F, op.name)(*values)
            plain = grad(y, values)
            graphs = grad(y, values, create_graph=True)
            assert [bits(float(g.data)) for g in graphs] == [bits(float(g)) for g in plain], (op.name, xs)


def test_mixed_derivatives_do_not_care_for_their_order():
    a, b = Value(0.4), Value(1.3)
    y = (a * b).sin() * b.exp()
    da, db = grad(y, [a, b], create_graph=True)
    assert grad(da, b) == pytest.approx(grad(db, a), rel=1e-14)


def test_a_gradient_can_be_part_of_a_loss():
    """A penalty on the slope: d/dx (y + (dy/dx)**2) for y = x**3."""
    x = Value(2.0)
    y = x**3
    slope = grad(y, x, create_graph=True)
    (y + slope * slope).backward()
    assert x.grad == 12.0 + 2 * 12.0 * 12.0  # 3x**2 + 2 * 3x**2 * 6x


def test_second_order_accumulation_over_shared_nodes():
    x = Value(1.5)
    shared = x * x
    y = shared * shared + shared  # x**4 + x**2
    assert grad(grad(y, x, create_graph=True), x) == 12 * 1.5**2 + 2


def test_create_graph_refuses_data_that_was_changed_since():
    for build, slope in ((lambda a, b: a * b, 2.0), (lambda a, b: a.sin() + b, 1.0)):
        a, b = Value(2.0), Value(3.0)
        y = build(a, b)
        a.data = 50.0
        with speaking("en"), pytest.raises(ValueError, match="was changed since the forward pass"):
            grad(y, [a, b], create_graph=True)
        assert grad(y, b) == slope  # the frozen local gradients still tell the truth


def test_create_graph_refuses_a_node_made_by_hand():
    a = Value(2.0)
    y = Value(6.0, (a,), (3.0,))
    assert grad(y, a) == 3.0
    with speaking("en"), pytest.raises(ValueError, match="only ops of the table can be differentiated again"):
        grad(y, a, create_graph=True)


def test_a_rule_that_is_a_closure_is_learnt_in_both_directions():
    def triple(a):
        y = Value(3 * a.data, (a,), "triple")

        def send():
            a.grad += 3 * y.grad

        y._backward = send
        return y

    assert grad(lambda x: triple(x) * x)(2.0) == 12.0  # (3 x*x)' = 6x
    assert jvp(triple, (2.0,), (0.5,)) == (6.0, 1.5)
    assert vjp(triple, 2.0)[1](7.0) == (21.0,)
    with speaking("en"), pytest.raises(ValueError, match="only ops of the table can be differentiated again"):
        grad(grad(triple))(2.0)


# ---- errors -------------------------------------------------------------------------------------


def test_several_results_are_refused_where_one_is_wanted():
    for transform in (grad, value_and_grad, hessian):
        with speaking("en"), pytest.raises(ValueError, match="gave a list; use jacobian for several"):
            transform(lambda x: [x, x])(2.0)
    with speaking("es"), pytest.raises(ValueError, match=sentence("functional.scalar", "es", name="grad")):
        grad(lambda x: {"y": x})(2.0)


@pytest.mark.parametrize("result", [None, "x", 1j, np.zeros(2), np.array(2.0), {1.0}], ids=repr)
def test_a_result_that_is_no_number_is_refused(result):
    with speaking("en"), pytest.raises(TypeError, match="differentiates numbers in lists, tuples and dicts"):
        grad(lambda x: result)(2.0)


@pytest.mark.parametrize("argument", [None, "2", 1j, np.zeros(2), [1.0, "x"], {"a": {2.0}}], ids=repr)
def test_an_argument_that_is_no_number_is_refused(argument):
    with speaking("en"), pytest.raises(TypeError, match="grad differentiates numbers"):
        grad(lambda x: 1.0)(argument)
    with speaking("es"), pytest.raises(TypeError, match=sentence("functional.leaf", "es", name="grad")):
        grad(lambda x: 1.0)(argument)


def test_an_argument_that_is_not_there_is_refused():
    for argnums in (1, -2, (0, 1)):
        with speaking("en"), pytest.raises(ValueError, match="out of range: the function was called with 1"):
            grad(lambda x: x, argnums)(2.0)


def test_something_that_is_no_function_is_refused():
    for transform in (grad, value_and_grad, jacobian, hessian):
        with speaking("en"), pytest.raises(TypeError, match="takes a function or a Value first"):
            transform(3.0)(2.0)


def test_tangents_and_cotangents_must_have_the_right_structure():
    with speaking("en"), pytest.raises(ValueError, match="tangents must have the structure of the arguments"):
        jvp(lambda x: x[0], ([1.0, 2.0],), ([1.0],))
    with speaking("en"), pytest.raises(ValueError, match="cotangents must have the structure of the result"):
        vjp(lambda x: [x, x], 1.0)[1]([1.0])
    with speaking("es"), pytest.raises(ValueError, match=sentence("functional.structure", "es", name="vjp")):
        vjp(lambda x: [x, x], 1.0)[1](1.0)


def test_a_gradient_by_something_that_is_no_value_is_refused():
    a = Value(2.0)
    with speaking("en"), pytest.raises(TypeError, match="backward starts from Values"):
        grad(a * 2, [a, 3.0])
