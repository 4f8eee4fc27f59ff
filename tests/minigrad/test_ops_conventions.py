"""What a value and a gradient are at the awkward points: kinks, ties, domain ends, inf, NaN.

The table holds PyTorch 2.13's answers, in double precision.  Ours are the same, but for
the lines that say `ours:` with a reason; such a line has to differ from PyTorch's, so the
list of deviations is complete and has nothing in it that is not one.  Numbers of ours that
PyTorch does not have come from mpmath.  The sign of a zero is left open.

Everything is run through Values: what is tested is what a user gets.
"""

from __future__ import annotations

import math
from math import inf, nan

import mpmath
import pytest
from mpmath import mp, mpf

from edge_cases import CASES, EXPRESSIONS, REASONS
from minigrad import Value
from minigrad import functions as F  # noqa: N812 as users write it
from minigrad.functional import grad
from minigrad.functions import VALUES
from minigrad.graph import Graph, Node
from minigrad.graph.trace import Flow, trace
from minigrad.ops import OPS
from minigrad.values import ieee
from referee import DEFINITIONS


def answers(name: str, xs: tuple[float, ...]) -> tuple[float, ...]:
    """The value and the gradients, from a backward pass over Values."""
    leaves = [Value(x) for x in xs]
    if name in EXPRESSIONS:
        y = EXPRESSIONS[name](leaves[0])
    else:
        function = getattr(F, name)
        y = (
            function(leaves)
            if name in ("max", "min", "logsumexp", "sum", "mean", "prod")
            else function(*leaves)
        )
    y.backward()
    return (y.data, *(leaf.grad for leaf in leaves))


def same(a: float, b: float) -> bool:
    """Equal to within a few ulp, but for the sign of a zero; NaN is equal to NaN."""
    if a == 0.0 or b == 0.0:
        return a == b
    return (a != a and b != b) or math.isclose(a, b, rel_tol=4e-15, abs_tol=1e-320)


def agree(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return len(a) == len(b) and all(map(same, a, b))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_answer_is_the_tables(case):
    assert agree(answers(case.name, case.xs), case.ours or case.torch)


@pytest.mark.parametrize("case", [case for case in CASES if case.ours], ids=str)
def test_a_deviation_is_one_and_has_a_reason(case):
    assert not agree(answers(case.name, case.xs), case.torch)
    assert case.reason in REASONS


def test_every_reason_is_needed():
    assert {case.reason for case in CASES if case.reason} == set(REASONS)


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.kinks], ids=lambda op: op.name)
def test_every_kink_is_a_kink_and_every_sample_is_smooth(op):
    assert all(op.kink(*point) for point in op.kinks)
    assert not any(op.kink(*point) for point in op.samples)


# ---- an undefined value ---------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if op.arity == (1, 1)])
def test_nan_in_is_nan_out(name):
    value, grad = answers(name, (nan,))
    assert value != value
    assert grad != grad or name == "neg"  # a slope that is the same everywhere is known even here


@pytest.mark.parametrize(
    ("name", "x"),
    [
        *[
            ("log", -1.0),
            ("log2", -1e-300),
            ("log10", -inf),
            ("log1p", -1.5),
            ("sqrt", -5e-324),
            ("sin", inf),
        ],
        *[("arcsin", 1.5), ("arccos", -2.0), ("arccosh", 0.5), ("arccosh", -3.0)],
        *[("arctanh", 1.5), ("arctanh", -inf), ("sin", inf), ("cos", -inf), ("tan", inf)],
    ],
)
def test_outside_the_domain_value_and_gradient_are_nan(name, x):
    value, grad = answers(name, (x,))
    assert value != value
    assert grad != grad


@pytest.mark.parametrize("bounds", [(nan, 1.0), (0.0, nan), (nan, nan)])
def test_clamp_to_an_undefined_bound_is_undefined(bounds):
    assert all(x != x for x in answers("clamp", (0.5, *bounds)))


SHARED = ("maximum", "minimum", "max", "min")  # at a tie no one branch has the shared gradient


# ---- ties -----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10])
@pytest.mark.parametrize("name", ["max", "min"])
def test_n_equal_extremes_share_the_gradient(name, n):
    away = -1.0 if name == "max" else 9.0
    value, *grads = answers(name, (7.0,) * n + (away,))
    assert value == 7.0
    assert grads == [1.0 / n] * n + [0.0]


# ---- a branch not taken ---------------------------------------------------------------------


def where_graph(x: float) -> Graph:
    """where(x > 0, log(x), 0), node by node."""
    return Graph(
        [
            Node("input", (), "x", x),
            Node("constant", (), "", 0.0),
            Node("greater", (0, 1)),
            Node("log", (0,)),
            Node("where", (2, 3, 1)),
        ]
    )


@pytest.mark.parametrize(
    ("x", "value", "grad"), [(0.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (2.0, math.log(2.0), 0.5)]
)
def test_a_branch_not_taken_sends_no_message(x, value, grad):
    walked = trace(where_graph(x), seed=1.0)
    assert walked.values[-1] == value
    assert walked.gradients == {"x": grad}
    assert any(isinstance(event, Flow) and event.target == 3 for event in walked.events) == (x > 0)


def test_the_slots_of_where_that_send_nothing_hold_none():
    assert OPS["where"].partials(ieee, 2.0, 1.0, 2.0, 3.0) == (None, 1.0, None)
    assert OPS["where"].partials(ieee, 3.0, 0.0, 2.0, 3.0) == (None, None, 1.0)


# ---- powers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("p", [-3.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("x", [-2.0, -0.5, 0.0, 0.5, 2.0, inf, -inf])
def test_a_constant_exponent_never_takes_the_logarithm(x, p):
    """The exponent's own gradient would be NaN at a negative base; a constant has none."""
    base = Value(x)
    (base**p).backward()
    assert same(base.grad, 0.0 if p == 0.0 else p * ieee.pow(x, p - 1.0))


def test_a_power_of_a_value_is_the_same_for_a_constant_and_for_a_value():
    for x in (0.3, 1.7, 9.0, 1e-200, 1e200, 5e-324):
        for p in (0.1, 0.5, -0.3, 2.0, 1.9, 3.0, 1e-17, -1e-17):
            base, other, exponent = Value(x), Value(x), Value(p)
            (base**p).backward()
            (other**exponent).backward()
            assert base.grad == other.grad


# ---- the joints of the formulas -------------------------------------------------------------
# Where two branches of a formula meet, both have to be the same function, to all orders.

JOINTS = (0.0, -0.0, 0.5, 1.0, -1.0, 2.0, -2.0, 10.0, 20.0, -20.0, 37.0, 40.0, -40.0)
PAIRS = {
    "pow": ((2.0, 0.0), (2.0, 1.0), (1.0, 3.0), (3.0, 2.0), (2.5, 0.1), (1e-3, 0.5), (1e3, -2.0)),
    "arctan2": ((0.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (2.0, -3.0)),
    "hypot": ((3.0, 0.0), (0.0, 2.0), (-3.0, 4.0)),
    "div": ((0.0, 2.0), (1.0, -3.0)),
    "elu": ((2.0, 1.5), (-2.0, 1.5)),
    "logsumexp": ((0.0, 0.0), (1.0, -1.0), (-50.0, 0.0)),
    "prod": ((0.0, 2.0), (0.0, 0.0), (3.0, -1.0)),
    "mul": ((0.0, 0.0),),
}
CURVED = [
    (name, (x,))
    for name, op in OPS.items()
    if op.arity == (1, 1)
    for x in JOINTS
    if not op.kink(x) and DEFINITIONS[name](mpf(x)) is not None
] + [(name, pair) for name, pairs in PAIRS.items() for pair in pairs]


def call(name: str, xs: list[Value]) -> Value:
    return getattr(F, name)(xs) if name in ("logsumexp", "prod") else getattr(F, name)(*xs)


@pytest.mark.parametrize(("name", "xs"), CURVED, ids=str)
def test_second_derivatives_are_right_at_the_joints(name, xs):
    leaves = [Value(x) for x in xs]
    for i, slope in enumerate(grad(call(name, leaves), leaves, create_graph=True)):
        for j, got in enumerate(grad(slope, leaves)):
            order = [0] * len(xs)
            order[i] += 1
            order[j] += 1
            with mp.workdps(120):
                right = mpmath.diff(DEFINITIONS[name], tuple(map(mpf, xs)), tuple(order), h=mpf(10) ** -30)
            assert math.isclose(got, right, rel_tol=1e-13, abs_tol=1e-13), (i, j)


THIRD = {"tanh": -2.0, "sigmoid": -0.125, "softplus": 0.0, "gelu": 0.0, "erf": -4.0 / math.sqrt(math.pi)}


@pytest.mark.parametrize("name", THIRD)
def test_third_derivatives_at_zero(name):
    assert grad(grad(grad(getattr(F, name))))(0.0) == pytest.approx(THIRD[name], abs=1e-15)


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.name not in SHARED], ids=lambda op: op.name)
def test_a_formula_that_is_differentiated_gives_the_partials(op):
    """At a kink as well: the formula stands on the side that the convention takes."""
    joints = [(x,) for x in JOINTS] if op.arity == (1, 1) else PAIRS.get(op.name, ())
    for xs in (*op.samples, *op.kinks, *joints):
        leaves = [Value(x) for x in xs]
        value = op.forward(ieee, *xs)
        partials = [partial or 0.0 for partial in op.partials(ieee, value, *xs)]
        y = op.forward(VALUES, *leaves)
        grads = grad(y, leaves) if isinstance(y, Value) and y.requires_grad else [0.0] * len(xs)
        for got, partial in zip(grads, partials, strict=True):
            assert math.isclose(got, partial, rel_tol=1e-14, abs_tol=1e-15) or same(got, partial), xs
