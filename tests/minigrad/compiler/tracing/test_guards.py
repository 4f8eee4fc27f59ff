"""Guards of branches: a program is used only where the function would go the same way."""

from __future__ import annotations

import math
import random
from operator import add, mul, sub, truediv

import pytest

import minigrad
from minigrad import Value, take
from minigrad.compiler.tracing import TracingError, trace_function
from tracing_cases import computed, holds

# ---- branches -------------------------------------------------------------------------------------


def test_a_branch_is_a_guard_with_its_line():
    def f(x):
        if x > 1.0:  # the line
            return x * 2
        return x / 2

    traced = trace_function(f, (3.0,))
    (guard,) = traced.scalars.guards
    assert guard.where == f"test_guards.py:{f.__code__.co_firstlineno + 1}"
    assert (traced.scalars.ops[guard.node], guard.expected) == ("greater", 1.0)
    assert holds(traced, (5.0,))
    assert not holds(traced, (1.0,))
    assert not holds(traced, (math.nan,))
    assert [g.expected for g in trace_function(f, (0.0,)).scalars.guards] == [0.0]
    assert holds(trace_function(f, (math.nan,)), (0.5,))  # neither is greater


@pytest.mark.parametrize(
    ("compare", "op"),
    [
        (lambda a, b: a < b, "less"),
        (lambda a, b: a <= b, "less_equal"),
        (lambda a, b: a > b, "greater"),
        (lambda a, b: a >= b, "greater_equal"),
        (lambda a, b: a.data == b, "equal"),
        (lambda a, b: a.data != b, "equal"),
    ],
)
def test_every_comparison_holds_where_it_comes_out_the_same(compare, op):
    numbers = (-1.0, 0.0, 2.0, math.inf, math.nan)
    for right in (0, 0.0, 2.5, True, *([] if op == "equal" else [Value(0.0)])):
        for at in numbers:
            traced = trace_function(lambda x, right=right: x * (2 if compare(x, right) else 3), (at,))
            assert [traced.scalars.ops[g.node] for g in traced.scalars.guards] == [op]
            for x in numbers:
                assert holds(traced, (x,)) == (
                    bool(compare(Value(x), _number(right))) == bool(compare(Value(at), _number(right)))
                )


def _number(x):
    return x.data if isinstance(x, Value) else x


def test_a_number_on_the_left_is_compared_too():
    one = 1
    assert not holds(trace_function(lambda x: x if one < x else -x, (3.0,)), (0.5,))
    assert not holds(trace_function(lambda x: x if one == x.data else -x, (1.0,)), (0.5,))


def test_truth_is_that_of_a_float_and_a_value_is_always_true():
    traced = trace_function(lambda x: x * 2 if x else x, (1.0,))
    assert holds(traced, (-1.0,))
    assert not holds(traced, (0.0,))  # where a float is false
    with pytest.raises(TracingError, match=r"x\.data != 0\.0"):
        trace_function(lambda x: x * 2 if x else x, (0.0,))
    captured = Value(0.0)
    assert trace_function(lambda x: x * 2 if captured else x, (1.0,)).scalars.guards == []
    traced = trace_function(lambda x: x * 2 if x.data else x, (3.0,))
    assert holds(traced, (-1.0,))
    assert not holds(traced, (0.0,))


def test_a_data_dependent_loop_is_a_series_of_guards():
    def f(x):
        while x > 1:
            x = x / 2
        return x

    traced = trace_function(f, (5.0,))
    assert len(traced.scalars.guards) == 4
    assert holds(traced, (7.0,))
    assert computed(traced, (7.0,)) == 7.0 / 8
    assert not holds(traced, (9.0,))
    assert not holds(traced, (3.0,))


def test_the_largest_and_the_order_of_numbers_are_guarded():
    def f(xs):
        top = max(x.data for x in xs)
        return minigrad.functions.sum([(x - top).exp() for x in sorted(xs)]) + min(xs)

    traced = trace_function(f, ([1.0, 3.0, 2.0],))
    assert holds(traced, ([1.5, 30.0, 2.0],))
    assert not holds(traced, ([1.0, 3.0, 4.0],))


def test_a_comparison_that_is_made_twice_is_one_guard_and_one_of_constants_none():
    traced = trace_function(
        lambda x: x if x > 1 and x > 1.0 and Value(2.0, requires_grad=False) > 1 else -x, (3.0,)
    )
    assert len(traced.scalars.guards) == 1


def test_a_number_that_is_no_float_is_refused():
    for right in (2**53 + 1, 10**400):
        with pytest.raises((TracingError, OverflowError)):
            trace_function(lambda x, right=right: x if x < right else -x, (3.0,))
    with pytest.raises(TypeError):
        trace_function(lambda x: x if x < "3" else -x, (3.0,))


def random_function(seed):
    """A function that branches, loops, looks up and reads numbers out: at random, and always the same."""

    def f(xs, n):
        draw = random.Random(seed)
        held = list(xs)
        for _ in range(12):
            a, b = draw.choice(held), draw.choice(held)
            what = draw.randrange(9)
            if what == 0:
                held.append(a * b + 1)
            elif what == 1:
                held.append(a / (b * b + 1.0))
            elif what == 2:
                held.append(a.tanh() if a > b else b.sin())
            elif what == 3:
                held.append(a - max(x.data for x in held))
            elif what == 4:
                held.append(take(held[:3], n) * b)
            elif what == 5:
                while a.data > 2.0:
                    a = a / 2
                held.append(a)
            elif what == 6:
                held.append(a.detach() * b if abs(b.item()) < 1.0 else b)
            elif what == 7:
                held.append(minigrad.functions.logsumexp([a, b, 0.5]))
            else:
                held.append(held[n] + n * a if n > 0 else a)
        return [held[-1], minigrad.functions.sum(held)]

    return f


def test_random_functions_are_right_wherever_their_guards_hold():
    draw = random.Random(7)
    held = broken = 0
    for seed in range(60):
        f = random_function(seed)
        traced = trace_function(f, ([draw.uniform(-2, 2) for _ in range(3)], draw.randrange(3)))
        for _ in range(12):
            args = ([draw.uniform(-2, 2) for _ in range(3)], draw.randrange(3))
            if holds(traced, args):
                held += 1
                eager = [value.data for value in f([Value(x) for x in args[0]], args[1])]
                assert [x.hex() for x in computed(traced, args)] == [x.hex() for x in eager]
            else:
                broken += 1
                assert holds(trace_function(f, args), args)
    assert held > 50
    assert broken > 50


def random_floats(seed):
    """A function that computes with what it reads out of Values, as floats do."""

    def f(xs):
        draw = random.Random(seed)
        held = [x.data for x in xs]
        for _ in range(10):
            a, b = draw.choice(held), draw.choice([*held, 0, 2, -1.5])
            a, b = (a, b) if draw.random() < 0.5 else (b, a)
            what = draw.choice([add, sub, mul, truediv, max, min, "size", "power"])
            if what == "power":  # squares and roots of Values are rounded better than those of floats
                held.append(a ** draw.choice([3, -2, 1.5]))
            elif what == "size":
                held.append(abs(a) if a != b else -b)
            else:
                held.append(what(a, b))
        return [x * y for x, y in zip(xs, held[-3:], strict=True)]

    return f


def test_floats_that_are_read_out_compute_to_the_bit_and_fail_as_floats_do():
    draw = random.Random(3)
    held, failures = 0, []

    def eager(f, numbers):
        try:
            return [value.data.hex() for value in f([Value(x) for x in numbers])]
        except (ArithmeticError, TypeError, ValueError) as error:  # a TypeError: some are complex
            return type(error)

    for seed in range(150):
        f = random_floats(seed)
        numbers = [draw.choice([draw.uniform(-2, 2), 0.0, 1.0]) for _ in range(3)]
        try:
            traced = trace_function(f, (numbers,))
        except (ArithmeticError, TracingError) as error:
            failures.append((f, numbers, type(error)))
            continue
        for other in (numbers, *([draw.uniform(-2, 2) for _ in range(3)] for _ in range(6))):
            if holds(traced, (other,)):
                held += 1
                assert [x.hex() for x in computed(traced, (other,))] == eager(f, other)
    assert held > 200
    assert len(failures) > 20
    for f, numbers, kind in failures:
        assert kind is TracingError or eager(f, numbers) is kind


def test_a_guard_that_is_left_out_would_be_seen():
    """The test above must fail where a guard is missing."""
    missed = 0
    for seed in range(20):
        f = random_function(seed)
        traced = trace_function(f, ([0.5, -1.0, 1.5], 1))
        traced.scalars.guards.clear()
        args = ([-1.5, 1.9, 0.3], 2)
        if holds(traced, args):
            eager = [value.data for value in f([Value(x) for x in args[0]], args[1])]
            missed += computed(traced, args) != eager
    assert missed > 5
