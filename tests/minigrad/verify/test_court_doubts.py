"""The court where it is hard: ties, rounding, overflow, a graph that is not the function, closures, hooks."""

from __future__ import annotations

from math import inf

import pytest

import minigrad.ops
from minigrad import Value
from minigrad.ops import OPS
from minigrad.text.page import Page
from minigrad.verify import court


@pytest.mark.parametrize(
    ("text", "at", "claimed"),
    [
        ("b = -a; v1 = b*b; relu(b)**a + v1", {"a": 3.0}, {"a": -1.0}),  # 0**3 on the way: a slope in doubt
        ("v1 = -a; max(v1, v1) + v1", {"a": 3.0}, {"a": 0.0}),
        ("x = 1e16*a; (x - x) + a", {"a": 1.0}, {"a": 3.0}),
        ("10*maximum(a, b)", {"a": 2.0, "b": 2.0}, {"a": 10.0, "b": 10.0}),  # each is fair, both are not
        ("10*maximum(a, b)", {"a": 2.0, "b": 2.0}, {"a": 0.0, "b": 0.0}),
        ("exp(a)", {"a": 1.0}, {"a": "2.7200"}),
        ("a*b + a", {"a": 2.0, "b": 3.0}, {"a": "1e3"}),
    ],
)
@pytest.mark.parametrize("ask", ["quick", "complex", "central,paper"])
def test_a_wrong_number_in_a_doubtful_place_is_not_acquitted(text, at, claimed, ask):
    verdict = court(text, at, claimed=claimed, ask=ask)
    assert verdict.verdict == "wrong" or (ask != "quick" and verdict.verdict == "undecided"), str(verdict)


def test_choices_at_a_tie_are_one_choice():
    for fair in ({"a": 10.0, "b": 0.0}, {"a": 5.0, "b": 5.0}, {"a": 2.0, "b": 8.0}):
        assert court("10*maximum(a, b)", {"a": 2.0, "b": 2.0}, claimed=fair, ask="quick").verdict == "right"


def test_a_tie_in_a_condition_is_no_excuse():
    at = {"a": -2.83, "b": -1.7}
    for ask in ("torch", "central", "complex", "quick"):
        assert court("where(a > a, b, a) + a + b", at, claimed={"b": 2.0}, ask=ask).verdict != "right"


@pytest.mark.parametrize(
    "function", [lambda a: a * a.data, lambda a: a.data**2 + a, lambda a: a * (a.data if a.data > 1 else 2.0)]
)
def test_a_function_that_leaves_the_graph_is_convicted_by_its_own_slope(function):
    verdict = court(function, (3.0,), ask="quick")
    assert (verdict.verdict, verdict.why.code) == ("wrong", "cut")
    assert "not the function" in verdict.text("en")


def test_a_branch_is_part_of_a_function():
    def f(a):
        return a * 2 if a > 0 else a * 3

    assert court(f, (1.0,), ask="quick").verdict == "right"
    assert court(f, (0.0,), ask="quick").verdict == "undecided"


def test_an_overflow_on_the_way_is_named():
    verdict = court("exp(a) / exp(a)", {"a": 800.0}, ask="quick")
    assert (verdict.verdict, verdict.why.code) == ("undecided", "overflow")
    assert "is 0, and the pass gives nan" in verdict.text("en", Page(400))


def test_a_value_that_is_lost_in_rounding_is_not_confirmed():
    verdict = court("(a + 1e16) - 1e16", {"a": 1.0}, ask="quick")
    assert verdict.verdict == "right"
    assert "Every gradient is confirmed" in verdict.text("en", Page(400))
    assert "The value of out itself is not confirmed" in verdict.text("en", Page(400))


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("a*a", {"a": 1e308}),
        ("prod(a, c, c) + a", {"a": 1.0, "c": 1e308}),
        ("b ** (b*c)", {"b": 2.0, "c": 1e308}),
        ("a ** exp(b)", {"a": -1.1, "b": 1e308}),
        ("dot(a, b, a, b)", {"a": 1e308, "b": 1e308}),
        ("tan(exp2(b))", {"b": 1e8}),
        ("exp(-cosh(a))", {"a": 1e154}),
    ],
)
def test_large_numbers_bring_no_witness_down_and_keep_nobody_waiting(text, at):
    verdict = court(text, at)
    assert verdict.verdict != "wrong"
    assert not [t.witness for t in verdict.witnesses if t.why == "failed"]


def test_a_name_may_be_anything():
    assert court(Value(2.0, label="\n") * Value(3.0), ask="quick").verdict == "right"


def test_pytorch_is_asked_wherever_the_caller_stands():
    import torch

    with torch.no_grad():
        assert court("a*b", {"a": 2.0, "b": 3.0}, ask="torch").witnesses[0].status == "agrees"
    with torch.inference_mode():
        assert court("a*b", {"a": 2.0, "b": 3.0}, ask="torch").witnesses[0].status == "agrees"


def test_a_wrong_rule_at_a_kink_is_no_convention(monkeypatch):
    """relu'(0) = 0 and 1 are choices; 7 is steeper than either side."""
    row = OPS["relu"]
    steep = row._replace(partials=lambda m, y, x: (7.0,) if x == 0.0 else row.partials(m, y, x))
    monkeypatch.setitem(minigrad.ops._rows, "relu", steep)
    assert court("relu(a)", {"a": 0.0}, ask="quick").verdict == "wrong"


def test_what_backward_gives_is_on_trial_for_a_function():
    """A closure that overwrites, and a hook: the local derivatives are right, and .grad is not."""

    def overwriting(x):
        out = Value(x.data**3, (x,), "cube")

        def send():
            x.grad = 3 * x.data**2 * out.grad

        out._backward = send
        return out * x

    def hooked(a, b):
        product = a * b
        product.register_hook(lambda grad: grad * 2)
        return product * a

    for function, at in ((overwriting, (2.0,)), (hooked, (2.0, 3.0))):
        verdict = court(function, at, ask="quick")
        assert (verdict.verdict, verdict.why.code) == ("wrong", "backward")
        assert "overwrites where it should add" in verdict.text("en", Page(400))


def test_infinity_is_not_close_to_a_number():
    """The recorded graph is the identity; the function is infinite right beside it."""

    def steps_off(x):
        return x * (1.0 if x.data <= 1.0 else inf)

    assert court(lambda x: x * 1.0, (1.0,), ask="quick").verdict == "right"
    assert court(steps_off, (1.0,), ask="quick").verdict == "undecided"


def test_the_exit_code_tells_undecided_from_right(capsys):
    from minigrad.cli import main

    assert main(["check", "a*b", "a=2", "b=3", "--ask", "exact"]) == 0
    assert main(["check", "a*b", "a=2", "b=3", "--ask", "exact", "--got", "a=17"]) == 1
    assert main(["check", "exp(a)*b", "a=2", "b=3", "--ask", "exact"]) == 3
