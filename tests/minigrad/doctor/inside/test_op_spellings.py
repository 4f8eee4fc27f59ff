"""Spellings of ops: what a name has to mean at a point for a method to be that op."""

import math

import mpmath
import pytest

from minigrad.doctor.inside.op_spellings import MEANT
from minigrad.verify.definitions import define
from minigrad.verify.witnesses.high_precision import numbers


@pytest.mark.parametrize("op", MEANT)
def test_what_a_name_means_is_what_the_op_is_by_its_definition(op):
    """At two points, with fifty digits: one number would be that of several formulas."""
    for at in ((0.75, 2.5), (1.5, -0.5)):
        operands = at[: 2 if op in ("add", "sub", "mul", "div", "pow") else 1]
        with mpmath.workdps(50):
            right = float(define(numbers(), op, *map(mpmath.mpf, operands)))
        assert math.isclose(MEANT[op](*operands), right, rel_tol=1e-14)
