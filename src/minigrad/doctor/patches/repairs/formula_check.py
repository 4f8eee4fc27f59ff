"""Check of an engine's rules and formulas on paper, by their numbers at a few points.

Nothing is run: `anatomy.Reader` reads the expressions.  The verdict is True, False, or None where the
source is written in a way that cannot be read like that.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from math import isclose, isfinite

from ....ops import OPS
from ....values import ieee
from ..anatomy import Anatomy, ExpressionError, ExpressionReader, LocalRule, OpFunction

__all__ = ["composes_right", "computes_right", "contribution", "points", "right_with", "slot_is_right"]

UPSTREAM = (1.75, -0.625)  # not 1: that would hide a factor that is missing


@cache
def points(op: str) -> tuple[tuple[float, ...], ...]:
    """Points of an op at which it is smooth and tells most formulas apart."""
    row = OPS[op]
    extra: tuple[tuple[float, ...], ...] = ()
    if row.arity[1] == 1:
        extra = ((0.3,), (1.3,), (-0.7,), (2.6,))
    elif row.arity[1] == 2:
        extra = ((0.3, 1.3), (1.9, 0.7), (2.5, -1.5))
    found = []
    for xs in (*row.samples, *extra):
        y = row.forward(ieee, *xs)
        locals_ = row.partials(ieee, y, *xs)
        if (
            isfinite(y)
            and abs(y) < 1e6
            and not row.kink(*xs)
            and max(map(abs, xs)) < 50
            and all(local is not None and isfinite(local) for local in locals_)
        ):
            found.append(xs)
    return tuple(found)


def _numbers(
    anatomy: Anatomy, function: OpFunction, rule: LocalRule | None, xs: tuple[float, ...], upstream: float
) -> dict[str, float]:
    y = OPS[function.op].forward(ieee, *xs)
    numbers: dict[str, float] = {}
    for names in (function.operands, function.values, rule.values if rule else ()):
        for name, x in zip(names, xs, strict=False):
            if not name:
                continue
            numbers[name] = x
            numbers.setdefault(f"{name}.{anatomy.data}", x)
    if rule is not None:
        if rule.owner and rule.slot < len(xs):
            numbers.setdefault(rule.owner, xs[rule.slot])
            numbers.setdefault(f"{rule.owner}.{anatomy.data}", xs[rule.slot])
        if rule.output:
            numbers[rule.output] = y
        if function.output:
            numbers[f"{function.output}.{anatomy.data}"] = numbers[function.output] = y
        if rule.upstream:
            numbers[rule.upstream] = upstream
    return numbers


def _reader(anatomy: Anatomy, function: OpFunction, numbers: dict[str, float]) -> ExpressionReader:
    aliases = {name: value for name, value in function.aliases.items() if name not in numbers}
    return ExpressionReader(numbers, aliases, anatomy.functions, {anatomy.class_name}, anatomy.data)


def _stands(tests: tuple[tuple[ast.expr, bool], ...], reader: ExpressionReader) -> bool:
    for test, wanted in tests:
        try:
            if bool(reader.number(test)) != wanted:
                return False
        except ExpressionError:
            if not wanted and "isinstance" in ast.unparse(test):
                return False
    return True


def contribution(
    anatomy: Anatomy,
    function: OpFunction,
    slot: int,
    xs: tuple[float, ...],
    upstream: float,
    instead: tuple[LocalRule, ast.expr] | None = None,
) -> float:
    """What the rules of a slot send, in all; `instead` puts another expression in the place of one.

    A local gradient that is stored in two places is one and the same: it is the last that differs from
    the first, if one does.
    """
    total, stored = 0.0, []
    for rule in function.rules_of(slot):
        reader = _reader(anatomy, function, _numbers(anatomy, function, rule, xs, upstream))
        if not _stands(rule.tests, reader):
            continue
        expression = instead[1] if instead is not None and instead[0] is rule else rule.expression
        amount = reader.number(expression)
        if rule.sends:
            total += -amount if rule.operator == "-=" else amount
        else:
            stored.append(amount)
    return total + next((amount for amount in stored[:0:-1] if amount != stored[0]), sum(stored[:1]))


def _expected(op: str, slot: int, xs: tuple[float, ...], upstream: float) -> float:
    row = OPS[op]
    local = row.partials(ieee, row.forward(ieee, *xs), *xs)[slot]
    return float(local or 0.0) * upstream


def _padded(function: OpFunction) -> Iterator[tuple[float, ...]]:
    for xs in points(function.op):
        if len(function.operands) <= len(xs):
            yield xs


def right_with(anatomy: Anatomy, function: OpFunction, rule: LocalRule, expression: ast.expr) -> bool | None:
    """Would the slot of a rule be right with another expression there?"""
    return _slot(anatomy, function, rule.slot, (rule, expression))


def slot_is_right(anatomy: Anatomy, function: OpFunction, slot: int) -> bool | None:
    return _slot(anatomy, function, slot, None)


def _slot(
    anatomy: Anatomy, function: OpFunction, slot: int, instead: tuple[LocalRule, ast.expr] | None
) -> bool | None:
    rules = function.rules_of(slot)
    if not rules:
        return None
    seen = 0
    for xs in _padded(function):
        for upstream in UPSTREAM if rules[0].upstream else (1.0,):
            try:
                found = contribution(anatomy, function, slot, xs, upstream, instead)
            except ExpressionError:
                continue
            seen += 1
            if not isclose(found, _expected(function.op, slot, xs, upstream), rel_tol=1e-6, abs_tol=1e-9):
                return False
    return True if seen else None


def computes_right(anatomy: Anatomy, function: OpFunction, expression: ast.expr | None = None) -> bool | None:
    """Is the number that an op computes the right one?"""
    if expression is None:
        if function.others:  # several branches compute it
            return None
        expression = function.construction.value if function.construction else function.formula
    return _value(anatomy, function, expression)


def composes_right(anatomy: Anatomy, function: OpFunction, text: str) -> bool | None:
    """Would a composition of other ops have the right value?"""
    return _value(anatomy, function, ast.parse(text, mode="eval").body)


def _value(anatomy: Anatomy, function: OpFunction, expression: ast.expr | None) -> bool | None:
    if expression is None:
        return None
    seen = 0
    for xs in _padded(function):
        try:
            found = _reader(anatomy, function, _numbers(anatomy, function, None, xs, 1.0)).number(expression)
        except ExpressionError:
            continue
        seen += 1
        expected = OPS[function.op].forward(ieee, *xs)
        if not isclose(found, expected, rel_tol=1e-6, abs_tol=1e-9):
            return False
    return True if seen else None
