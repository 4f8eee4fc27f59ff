"""The op table: what a row says about its op beside the formula of a smooth point."""

from __future__ import annotations

import operator
from math import inf, log

import pytest

from minigrad.ops import OPS
from minigrad.values import ieee
from minigrad.values.formulas import SMALLEST


def partials(name, *xs):
    op = OPS[name]
    return op.partials(ieee, op.forward(ieee, *xs), *xs)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("exp", (1,), (0, 2)),
        ("clamp", (3,), (2, 4)),
        ("leaky_relu", (2,), (1, 3)),  # the default is among them
        ("sum", (1, 2, 999), (0,)),
        ("dot", (2, 4, 6), (0, 1, 3, 5)),  # two lists of one length
    ],
)
def test_an_op_knows_how_many_arguments_it_takes(name, right, wrong):
    assert [count for count in (*right, *wrong) if OPS[name].takes(count)] == [*right]


@pytest.mark.parametrize("compare", [operator.gt, operator.ge, operator.lt, operator.le])
def test_a_comparison_is_1_where_it_holds_and_0_elsewhere(compare):
    name = {"gt": "greater", "ge": "greater_equal", "lt": "less", "le": "less_equal"}[compare.__name__]
    for x, y in ((1.0, 2.0), (2.0, 1.0), (2.0, 2.0)):
        assert str(OPS[name].forward(ieee, x, y)) == (
            "1.0" if compare(x, y) else "0.0"
        )  # a float, not a bool


def test_samples_are_smooth_and_kinks_are_not():
    for op in OPS.values():
        assert not any(op.kink(*xs) for xs in op.samples), op.name
        assert all(op.kink(*xs) for xs in op.kinks), op.name


@pytest.mark.parametrize(
    ("name", "kinks", "smooth"),
    [
        ("arctan2", [(0.0, -1.0), (0.0, 0.0)], [(0.0, 0.5), (1.0, -1.0)]),
        ("hypot", [(0.0, 0.0)], [(0.0, 1.0), (1.0, 0.0)]),
        ("pow", [(0.0, 0.5)], [(0.0, 1.0), (0.0, 1.5), (1.0, 0.5)]),
        ("clamp", [(-1.0, -1.0, 1.0), (1.0, -1.0, 1.0), (5.0, 2.0, 2.0)], [(0.0, -1.0, 1.0)]),
    ],
)
def test_a_kink_is_where_a_convention_decides_and_nowhere_else(name, kinks, smooth):
    assert [xs for xs in (*kinks, *smooth) if OPS[name].kink(*xs)] == kinks


def test_the_local_derivatives_on_both_sides_of_a_joint():
    assert OPS["elu"].forward(ieee, 0.5, 2.0) == 0.5
    assert str(OPS["elu"].forward(ieee, 0.0, -1.0)) == "-0.0"  # the lower branch: -1 * 0
    assert partials("elu", 0.5, 2.0) == (1.0, 0.0)
    assert partials("elu", 0.0, 2.0) == (2.0, 0.0)
    assert partials("leaky_relu", 0.5, 0.1) == (1.0, 0.0)
    assert partials("leaky_relu", -2.0, 0.1) == (0.1, -2.0)
    assert partials("relu", -2.0) == (0.0,)
    assert partials("sign", -2.0) == (0.0,)
    assert partials("log2", 0.0) == partials("log10", 0.0) == (inf,)


def test_the_sizes_at_which_errors_are_counted():
    assert OPS["div"].bounds.terms(1.0, -2.0) == (0.0, 0.0, SMALLEST / 2)
    assert OPS["div"].bounds.terms(1.0, 0.0) == (0.0, 0.0, 0.0)
    assert OPS["elu"].bounds.terms(1.0, -3.0) == (0.0, SMALLEST * 3, 0.0)
    assert OPS["logsumexp"].bounds.terms(-5.0, -7.0) == (5.0 + log(2.0), 0.0, 0.0)


def test_names_in_other_libraries_are_those_of_the_row_or_the_op_s_own():
    assert dict(OPS["sub"].foreign) == {
        "torch": "sub",
        "numpy": "subtract",
        "mpmath": "fsub",
        "jax": "numpy.subtract",  # JAX and autograd have NumPy's names, unless a row says otherwise
        "autograd": "numpy.subtract",
    }
    assert dict(OPS["sigmoid"].foreign) == {
        "torch": "sigmoid",
        "jax": "nn.sigmoid",
        "autograd": "scipy.special.expit",
    }
    assert dict(OPS["silu"].foreign) == {"torch": "nn.functional.silu", "jax": "nn.silu"}


def test_only_where_has_slots_that_send_nothing():
    assert [op.name for op in OPS.values() if op.selective] == ["where"]


def test_every_row_has_its_derivatives_on_paper():
    assert OPS["div"].paper == ("1 / {b}", "-{a} / {b}**2")
    assert all(len(op.paper) == (op.arity[1] if op.arity[1] < 4 else 1) for op in OPS.values())
