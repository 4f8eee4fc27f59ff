"""The change that a repair prints is the source as it stands, with nothing but the change in it."""

from __future__ import annotations

import torch
from torch.autograd import Function

from minigrad.doctor import examine_function

X = torch.linspace(0.5, 2.0, 6, dtype=torch.float64)


# fmt: off
class TwoOnALine(Function):
    """y = x**2, without the 2."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors; é = x; return g * é  # noqa: E702


class OnTheHead(Function):
    """The same, on the line of the function's head."""

    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x * x

    @staticmethod
    def backward(ctx, g): return g * ctx.x
# fmt: on


def diff_of(rule):
    """The line before and after, without the indentation."""
    report = examine_function(rule, (X,))
    assert report.verdict == "wrong"
    old, new = report.findings[0].diff.splitlines()
    assert (old[0], new[0]) == ("-", "+")
    return old[1:].strip(), new[1:].strip()


def test_the_other_statements_of_a_line_stay():
    old, new = diff_of(TwoOnALine)
    assert old == "x, = ctx.saved_tensors; é = x; return g * é  # noqa: E702"
    assert new.startswith("x, = ctx.saved_tensors; é = ")
    assert new.endswith("  # noqa: E702")
    assert "2" in new.removesuffix("  # noqa: E702")


def test_the_head_of_a_function_stays():
    old, new = diff_of(OnTheHead)
    assert old == "def backward(ctx, g): return g * ctx.x"
    assert new.startswith("def backward(ctx, g): return ")
    assert "2" in new
