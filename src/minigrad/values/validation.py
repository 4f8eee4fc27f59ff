"""Validation of numbers that a caller gives, and the number of arguments of an op in words."""

from __future__ import annotations

from numbers import Real

from ..ops import MANY, Op
from ..text.excerpts import describe
from ..text.translation import say

__all__ = ["arity", "number"]


def number(x: object) -> float:
    """x as a float; an error for what is not one real number."""
    if not isinstance(x, (int, float)):  # asked first: Real is an abstract class, which is slow to ask for
        if hasattr(x, "_local_grads"):
            raise TypeError(say("value.wrapped", given=repr(x)))
        if not isinstance(x, Real):
            raise TypeError(say("value.type", given=describe(x), example=_example(x)))
    try:
        return float(x)
    except OverflowError:
        digits = len(str(abs(x)).lstrip("0")) if abs(x) < 10**4000 else "> 4000"  # type: ignore[operator]
        raise OverflowError(say("value.huge", digits=digits)) from None


def arity(op: Op) -> str:
    """How many arguments an op takes, in words."""
    least, most = op.arity
    if most == MANY:
        return say("op.count.least_one") if least == 1 else say("op.count.least", least=least)
    if least != most:
        return say("op.count.range", least=least, most=most)
    return say("op.count.one") if least == 1 else say("op.count.exact", least=least)


def _example(x: object) -> str:
    """What to write instead, when that can be guessed from what was given."""
    try:
        return f"Value({float(x):g})" if isinstance(x, str) else "Value(2.0)"
    except ValueError:
        return "Value(2.0)"
