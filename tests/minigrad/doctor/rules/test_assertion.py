"""assert_right: silent for a right rule, and the report for a wrong one."""

from __future__ import annotations

import jax
import pytest
import torch
from torch.autograd import Function

from minigrad.doctor import assert_right


class Right(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


class Wrong(Right):
    @staticmethod
    def backward(ctx, g):
        return g


class Raising(Right):
    @staticmethod
    def forward(ctx, x):
        raise ValueError("planted")


class Rounded(Right):
    """A gradient of another function on purpose, which the report calls limited."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


def test_a_right_rule_passes():
    assert_right(Right, torch.randn(3))
    assert_right(Right)
    assert_right(Right.apply, torch.randn(3), seed=4)
    assert_right(Rounded, torch.tensor([0.3, 1.2]))


@pytest.mark.parametrize("rule", [Wrong, Wrong.apply])
def test_a_wrong_rule_fails_with_its_report(rule):
    with pytest.raises(AssertionError, match=r"(?s)WRONG.*factor"):
        assert_right(rule, torch.randn(3))


def test_what_could_not_be_examined_fails_too():
    with pytest.raises(AssertionError, match=r"(?s)NOT EXAMINED.*ValueError: planted"):
        assert_right(Raising, torch.randn(3))


def test_a_rule_of_jax_is_told_by_itself():
    @jax.custom_vjp
    def square(x):
        return x * x

    square.defvjp(lambda x: (x * x, x), lambda x, g: (g * x,))
    with pytest.raises(AssertionError, match="factor"):
        assert_right(square, jax.numpy.array([1.0, 2.0]))
