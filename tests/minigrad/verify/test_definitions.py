"""The textbook's definitions: where they have no value."""

from __future__ import annotations

from math import pi

import pytest

from minigrad.verify.definitions import define
from minigrad.verify.witnesses.high_precision import nearest, numbers
from minigrad.verify.witnesses.rationals import Exact, Rationals

pytestmark = pytest.mark.one_engine


def test_what_a_choice_does_not_take_may_have_no_value():
    n = Rationals()
    yes, no, five = n.number(1.0), n.number(0.0), n.number(5.0)
    assert define(n, "where", yes, five, None) is five
    assert define(n, "where", no, None, five) is five
    assert define(n, "where", yes, None, five) is None
    assert define(n, "where", None, five, five) is None


def test_no_other_op_has_a_value_without_all_of_its_arguments():
    n = Rationals()
    assert define(n, "maximum", n.number(5.0), None) is None
    both = define(n, "maximum", n.number(5.0), n.number(2.0))
    assert isinstance(both, Exact)
    assert both.parts() == (5, 0)


@pytest.mark.parametrize(
    ("op", "xs", "value"),
    [
        ("sqrt", (0.0,), 0.0),
        ("arcsin", (-1.0,), -pi / 2),
        ("arcsin", (1.0,), pi / 2),
        ("arccos", (-1.0,), pi),
        ("arccos", (1.0,), 0.0),
        ("arccosh", (1.0,), 0.0),
        ("arctan2", (0.0, 1.0), 0.0),
        ("arctan2", (-1.0, 0.0), -pi / 2),
        ("abs", (0.0,), 0.0),
        ("log", (0.0,), None),
        ("log2", (0.0,), None),
        ("log10", (0.0,), None),
        ("log1p", (-1.0,), None),
        ("arctanh", (-1.0,), None),
        ("arctanh", (1.0,), None),
        ("div", (1.0, 0.0), None),
        ("reciprocal", (0.0,), None),
        ("arctan2", (0.0, 0.0), None),
        ("arctan2", (0.0, -1.0), None),  # the cut: pi from one side, -pi from the other
    ],
)
def test_at_the_end_of_its_domain_an_op_has_a_value_or_none(op, xs, value):
    n = numbers()
    found = define(n, op, *map(n.number, xs))
    assert (None if found is None else nearest(found)) == value


@pytest.mark.parametrize(
    ("op", "x"),
    [("sqrt", -1e-9), ("arccosh", 1.0 - 1e-9)]
    + [(op, x) for op in ("arcsin", "arccos") for x in (-1.0 - 1e-9, 1.0 + 1e-9)],
)
def test_beyond_it_there_is_none(op, x):
    n = numbers()
    assert define(n, op, n.number(x)) is None
