"""Exact rationals: powers, and inputs in exponents, for which there is no fraction."""

from __future__ import annotations

from fractions import Fraction

from minigrad.verify.case import case_of
from minigrad.verify.testimony import CANNOT, Estimate
from minigrad.verify.witnesses import ask
from minigrad.verify.witnesses.rationals import Exact, Rationals


def power(base, exponent):
    moved = Exact(Fraction(base), Fraction(1))
    found = Rationals.power(moved, Rationals.number(exponent))
    return None if found is None else found.parts()


def test_a_power_has_its_value_and_its_slope():
    assert power(2, 3.0) == (8, 12)
    assert power(2, 0.0) == (1, 0)
    assert power(2, -1.0) == (Fraction(1, 2), Fraction(-1, 4))
    assert power(0, 2.0) == (0, 0)
    assert power(0, 1.0) == (0, 1)


def test_zero_has_no_negative_power():
    assert power(0, -1.0) is None
    assert power(0, -2.0) is None


def test_an_exponent_on_trial_has_no_fraction():
    at = {"a": 2.0, "b": 3.0}
    alone = ask("exact", case_of("a**b", at, claimed={"b": 5.5}))
    assert (alone.status, alone.why, alone.about) == (CANNOT, "op", "pow")
    assert ask("exact", case_of("a**b", at)).slopes == {"a": Estimate(12.0)}  # 3 * 2**2; b has none
