"""The witness of symbols: an expression and its number go together."""

from __future__ import annotations

import sympy

from minigrad.verify.case import case_of
from minigrad.verify.testimony import Estimate
from minigrad.verify.witnesses.symbolic import SymbolicPiece, witness


def test_the_negative_of_an_expression_is_compared_by_its_own_number():
    x = SymbolicPiece(sympy.Symbol("x"), 2.0)
    assert (-x).expression == -sympy.Symbol("x")
    assert (-x).number == -2.0
    assert -x < 0 < x
    assert -x < x


def test_the_hypotenuse():
    statement = witness(case_of("hypot(a, b)", {"a": 3.0, "b": 4.0}))
    assert statement.value == Estimate(5.0)
    assert statement.slopes == {"a": Estimate(0.6), "b": Estimate(0.8)}


def test_at_its_kink_abs_is_what_the_textbook_says():
    """It is x for x >= 0, whose slope is 1."""
    assert witness(case_of("abs(a)", {"a": 0.0})).slopes == {"a": Estimate(1.0)}
    assert witness(case_of("abs(a)", {"a": -2.0})).slopes == {"a": Estimate(-1.0)}
