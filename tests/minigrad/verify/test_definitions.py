"""The textbook's definitions: where they have no value."""

from __future__ import annotations

import pytest

from minigrad.verify.definitions import define
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
