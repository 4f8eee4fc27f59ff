"""gradcheck: silent on right functions, and on wrong ones it names the entry, the numbers, the reason."""

from __future__ import annotations

import math
import random
import re

import pytest

from minigrad import Value, gradcheck
from minigrad import functions as F  # noqa: N812
from minigrad.functional import GradcheckError
from minigrad.ops import MANY, OPS
from minigrad.text.translation import speaking
from minigrad.values import ieee
from minigrad.values.differences import slope
from sentences import sentence

# ---- right functions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "inputs"),
    [
        (lambda x: x**3, (2.0,)),
        (lambda x: x**3, 2.0),
        (lambda x, y: (x * y).sin() / (1 + y.exp()), (0.7, -1.3)),
        (lambda p: F.softmax(p), ([1.0, -2.0, 0.5],)),
        (lambda p: F.cross_entropy(p, 1), ([1.0, -2.0, 0.5],)),
        (lambda m: m["w"][0] * m["x"] + m["w"][1], ({"w": [0.5, 2.0], "x": -3.0},)),
        (lambda x: [x, x * x, 3.0], (1e6,)),
        (lambda x: x * 1e-9, (1e-9,)),
        (lambda x: x.exp(), (40.0,)),
        (lambda x: x**-3, (1e-4,)),
        (lambda x: x.log(), (1e-12,)),
        (lambda x: (x * 1e4).sin(), (0.3,)),
        (lambda x: 5.0, (1.0,)),
        (lambda x: x.abs(), (1e-3,)),
    ],
)
def test_right_functions_pass(f, inputs):
    assert gradcheck(f, inputs) is True


def test_every_op_passes_at_its_smooth_points():
    for op in OPS.values():
        for xs in op.samples:
            if op.name == "dot":
                half = len(xs) // 2
                assert gradcheck(lambda *v, h=half: F.dot(v[:h], v[h:]), xs)
            elif op.arity[1] == MANY:
                assert gradcheck(lambda *v, op=op: getattr(F, op.name)(v), xs), (op.name, xs)
            elif op.name == "where":  # a condition that is false stands exactly on its jump
                assert gradcheck(lambda a, b, c=xs[0]: F.where(c, a, b), xs[1:])
            else:
                assert gradcheck(getattr(F, op.name), xs), (op.name, xs)


def test_inputs_may_be_values():
    assert gradcheck(lambda a, b: a * b, (Value(2.0), Value(3.0))) is True


# ---- planted mistakes ---------------------------------------------------------------------------


def with_slope(wrong):
    """The square, with something else for its local gradient 2x."""
    return lambda x: Value(x.data * x.data, (x,), (wrong(x.data),))


# At x = 3 the slope of the square is 6.
PLANTED = {
    "sign": (with_slope(lambda x: -2 * x), "-6", "the sign is wrong"),
    "factor 2": (with_slope(lambda x: 4 * x), "12", "off by a factor of 2;"),
    "half": (with_slope(lambda x: x), "3", "off by a factor of 0.5;"),
    "minus three times": (with_slope(lambda x: -6 * x), "-18", "off by a factor of -3;"),
    "cut by .data": (lambda x: Value(x.data) * x.data, "0", "no gradient arrives: the graph is cut"),
    "cut by detach": (lambda x: x.detach() * x.detach(), "0", "the graph is cut"),
    "wrong by 0.05%": (with_slope(lambda x: 2 * x * 1.0005), "6.003", "a local rule .* does not match"),
    "wrong by 1e-6": (with_slope(lambda x: 2 * x * 1.000001), "6.000006", "a local rule"),
    "another rule": (with_slope(lambda x: x * x + 2), "11", "a local rule"),
    "NaN": (with_slope(lambda x: math.nan), "nan", "not a finite number"),
    "infinite": (with_slope(lambda x: math.inf), "inf", "not a finite number"),
}


@pytest.mark.parametrize("mistake", PLANTED)
def test_a_planted_mistake_is_named_with_its_two_numbers(mistake):
    f, analytic, reason = PLANTED[mistake]
    with speaking("en"), pytest.raises(GradcheckError) as caught:
        gradcheck(f, (3.0,))
    message = str(caught.value)
    assert "the gradient of input 0 is wrong" in message
    assert re.search(rf"backward gives +{re.escape(analytic)}$", message, re.MULTILINE), message
    numeric = float(re.search(r"differences give +(\S+)", message)[1])
    assert numeric == pytest.approx(6.0, rel=1e-9)
    assert re.search(f"likely reason: .*{reason}", message), message
    assert isinstance(caught.value, AssertionError)


def test_the_message_is_spoken_in_spanish_too():
    with speaking("es"), pytest.raises(GradcheckError) as caught:
        gradcheck(PLANTED["sign"][0], (3.0,))
    message = str(caught.value)
    assert re.fullmatch(sentence("gradcheck.failed", "es", analytic=-6), message)
    assert re.search(sentence("gradcheck.sign", "es"), message)


def test_only_the_one_worst_entry_is_reported():
    def f(x, y, z):
        slightly = Value(x.data * 2, (x,), (2.001,))
        badly = Value(y.data * 2, (y,), (5.0,))
        return slightly + badly + z * 2

    with speaking("en"), pytest.raises(GradcheckError) as caught:
        gradcheck(f, (1.0, 1.0, 1.0))
    message = str(caught.value)
    assert "the gradient of input 1 is wrong" in message
    assert message.count("backward gives") == 1
    assert "input 0" not in message


def test_with_several_outputs_the_output_is_named():
    def f(x, y):
        return {"right": x * y, "wrong": Value(x.data + y.data, (x, y), (1.0, -1.0))}

    with speaking("en"), pytest.raises(GradcheckError, match=r"input 1 \(output 1\)"):
        gradcheck(f, (2.0, 3.0))


@pytest.mark.parametrize(
    ("f", "x", "left", "right"),
    [
        (lambda x: x.relu(), 0.0, "0", "1"),
        (lambda x: (x - 1).relu() * 3 + x, 1.0, "1", "4"),
        (lambda x: x.leaky_relu(0.25) * 2, 0.0, "0.5", "2"),
    ],
)
def test_a_kink_is_told_apart_from_a_mistake(f, x, left, right):
    with speaking("en"), pytest.raises(GradcheckError) as caught:
        gradcheck(f, (x,))
    message = str(caught.value)
    assert f"kink or a jump here: the slopes on the two sides differ, {left} and {right};" in message


def test_a_kink_is_not_confirmed_even_where_the_convention_is_the_middle():
    for f in (lambda x: abs(x), lambda x: F.maximum(x, 2 * x)):
        with speaking("en"), pytest.raises(GradcheckError, match="cannot be confirmed"):
            gradcheck(f, (0.0,))


@pytest.mark.parametrize("local", [0.0, 1.0, -3.0, 20.0])
def test_what_drowns_in_rounding_is_not_confirmed(local):
    with speaking("en"), pytest.raises(GradcheckError, match="cannot be confirmed"):
        gradcheck(lambda x: Value(x.data + 1e15, (x,), (local,)), (1.0,))


def test_an_op_with_a_closure_of_its_own_is_checked():
    def cube(x, factor):
        out = Value(x.data**3, (x,), "cube")

        def rule():
            x.grad += factor * x.data**2 * out.grad

        out._backward = rule
        return out

    assert gradcheck(lambda x, y: cube(x, 3.0) * y, (1.5, 2.0)) is True
    with speaking("en"), pytest.raises(GradcheckError, match="is wrong"):
        gradcheck(lambda x, y: cube(x, 2.0) * y, (1.5, 2.0))


def test_a_jump_is_told_apart_too():
    with speaking("en"), pytest.raises(GradcheckError, match="jumps here"):
        gradcheck(lambda x: x * 0 + (1.0 if x.data >= 0 else 0.0), (0.0,))


def test_a_function_of_chance_is_refused_before_anything_is_compared():
    rng = random.Random(0)
    with speaking("en"), pytest.raises(GradcheckError, match="must not depend on chance"):
        gradcheck(lambda x: x * rng.random(), (2.0,))


def test_a_function_with_a_memory_is_refused():
    calls = []

    def f(x):
        calls.append(x)
        return x * len(calls)

    with speaking("es"), pytest.raises(GradcheckError, match=sentence("gradcheck.not_repeatable", "es")):
        gradcheck(f, (2.0,))


def test_a_function_that_leaves_its_domain_next_door_says_so():
    with speaking("en"), pytest.raises(GradcheckError, match="leaves its domain or overflows near here"):
        gradcheck(lambda x: x.sqrt(), (0.0,))


def test_missing_paths_are_found():
    """The graph of x*x*x with one of its uses cut: two thirds of the gradient arrive."""
    with speaking("en"), pytest.raises(GradcheckError) as caught:
        gradcheck(lambda x: x * x * x.data, (2.0,))
    assert re.search(r"backward gives +8\n", str(caught.value))
    assert re.search(r"differences give +(12|11\.99999\d+|12\.00000\d+) ", str(caught.value))


# ---- the differences that it stands on ----------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "x", "exact"),
    [
        (math.sin, 1.0, math.cos(1.0)),
        (math.exp, 10.0, math.exp(10.0)),
        (math.exp, -30.0, math.exp(-30.0)),
        (lambda x: x**3, 1e-5, 3e-10),
        (lambda x: 1 / x, 1e-6, -1e12),
        (ieee.log, 1e-9, 1e9),
        (ieee.log, 2e-9, 5e8),
        (lambda x: max(x, 0.0), 1e-9, 1.0),
        (lambda x: max(x, 0.0), -1e-9, 0.0),
        (lambda x: abs(x - 1.0), 1.001, 1.0),
        (lambda x: abs(x - 1.0), 1.002, 1.0),
        (lambda x: math.sin(1000 * x), 0.2, 1000 * math.cos(200.0)),
        (math.tanh, 20.0, 1 / math.cosh(20.0) ** 2),
        (lambda x: 1e8 + x, 3.0, 1.0),
        (lambda x: 1e8 + x, 1e-9, 1.0),
        (lambda x: 1e300 * x, 1.0, 1e300),
        (lambda x: x * x, 0.0, 0.0),
        (lambda x: x, 1e300, 1.0),
    ],
)
def test_the_error_bar_of_a_slope_covers_its_error(function, x, exact):
    found = slope(function, x)
    assert abs(found.value - exact) <= 4 * found.error + 1e-15 * abs(exact)
    assert found.agrees(exact)
    assert found.sharp
    assert not found.kink
    assert not found.agrees(exact * 1.0005 + 1e-4)


def test_a_tiny_slope_at_a_tiny_point_is_still_told_from_its_double():
    found = slope(lambda x: 1.0 + 1e-5 * x, 1e-9)
    assert found.agrees(1e-5)
    assert not found.agrees(2e-5)


def test_a_slope_where_there_is_none_is_not_sharp():
    for function, x in ((lambda x: math.sqrt(x) if x >= 0 else math.nan, 0.0), (math.exp, math.inf)):
        found = slope(function, x)
        assert math.isnan(found.value)
        assert not found.sharp
        assert not found.agrees(0.0)


def test_the_two_sides_of_a_kink_are_told():
    found = slope(abs, 0.0)
    assert found.kink
    assert (found.left, found.right) == (-1.0, 1.0)
    assert slope(lambda x: 1e7 + max(x, 0.0), 0.0).kink  # rounding hides it at short steps only
    assert not slope(abs, 1e-3).kink
    assert not slope(lambda x: 1e7 + abs(x), 0.1).kink
    assert not slope(lambda x: x * abs(x), 0.0).kink  # it has a slope there: 0


def test_small_gradients_are_judged_in_proportion():
    for wrong in (lambda x: Value(x.data * 1e-9, (x,), (-9e-8,)), lambda x: x.detach() * 5e-8):
        with speaking("en"), pytest.raises(GradcheckError, match="is wrong"):
            gradcheck(wrong, (1.0,))
    assert gradcheck(lambda x: x * 1e-9, (1.0,))


@pytest.mark.parametrize(
    ("f", "x"), [(lambda x: ((x + 1e12) - 1e12) * 3 + x, 0.3), (lambda x: x + 1e-5 * x.sign(), 0.0)]
)
def test_roundings_inside_and_jumps_are_no_mistakes_of_the_rule(f, x):
    with speaking("en"), pytest.raises(GradcheckError, match="cannot be confirmed"):
        gradcheck(f, (x,))
