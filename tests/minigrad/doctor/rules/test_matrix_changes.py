"""Repairs of matrix algebra: the one that makes every number right is found, and nothing else is one."""

from __future__ import annotations

import torch
from torch.autograd import Function

from minigrad.doctor import examine_function

torch.manual_seed(3)


def numbers(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def positive(*shape):
    a = numbers(*shape)
    return a @ a.mT + 2 * torch.eye(shape[-1], dtype=torch.float64)


def repair(fn, *inputs, of=0):
    """The lines put in, of a conviction of one input."""
    report = examine_function(fn, inputs)
    assert report.verdict == "wrong"
    found = [each for each in report.findings if each.about == "gradient"]
    return found[of].diff


class Inverse(Function):
    """y = inverse(a), without the two transposes."""

    @staticmethod
    def forward(ctx, a):
        y = a.inverse()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return -(y @ g @ y)


def test_two_factors_of_a_product_that_should_be_transposed():
    assert repair(Inverse, positive(3, 3) + numbers(3, 3)).splitlines() == [
        "-    return -(y @ g @ y)",
        "+    return -(y.transpose(-1, -2) @ g @ y.transpose(-1, -2))",
    ]


class Fill(Function):
    """A symmetric matrix of its upper triangle; each number off the diagonal stands in two places."""

    @staticmethod
    def forward(ctx, x):
        row, column = torch.triu_indices(3, 3)
        out = x.new_zeros(3, 3)
        out[row, column] = x
        out[column, row] = x
        return out

    @staticmethod
    def backward(ctx, g):
        row, column = torch.triu_indices(3, 3)
        return g[row, column]


def test_a_number_that_stands_in_two_places():
    assert "(g + g.tril(-1).transpose(-1, -2))[row, column]" in repair(Fill, numbers(6))


class Solve(Function):
    """x = inverse(a) b for a symmetric a; the solve stands at the wrong factor of the product."""

    @staticmethod
    def forward(ctx, a, b):
        factor = torch.linalg.cholesky(a)
        x = torch.cholesky_solve(b, factor)
        ctx.save_for_backward(factor, x)
        return x

    @staticmethod
    def backward(ctx, g):
        factor, x = ctx.saved_tensors
        x = torch.cholesky_solve(x, factor)
        return -torch.mm(g, x.t()), torch.cholesky_solve(g, factor)


def test_a_solve_at_the_wrong_operand_of_a_symmetric_matrix():
    lines = repair(Solve, positive(3, 3), numbers(3, 2)).splitlines()
    assert "-    x = torch.cholesky_solve(x, factor)" in lines
    assert (
        "+    return torch.cholesky_solve(-torch.mm(g, x.t()), factor), torch.cholesky_solve(g, factor)"
        in lines
    )


class Power(Function):
    """a ** p of symmetric matrices; the gradient of p has its factors in the wrong order, and is averaged."""

    @staticmethod
    def forward(ctx, a, p):
        s, u = torch.linalg.eigh(a)
        ctx.save_for_backward(s, u, p)
        return u @ torch.diag_embed(s**p) @ u.mT

    @staticmethod
    def backward(ctx, g):
        s, u, p = ctx.saved_tensors
        power = torch.diag_embed(s.log() * s**p)
        local = u.mT @ power @ u @ g
        return None, local.diagonal(0, -1, -2).mean(0)


def test_two_mistakes_in_one_gradient():
    p = torch.tensor([0.7, 1.2], dtype=torch.float64)
    lines = repair(Power, positive(3, 2, 2), p).splitlines()
    assert "+    local = u.mT @ g @ u @ power" in lines
    assert any(line.startswith("+") and ".diagonal(0, -1, -2).sum(0)" in line for line in lines)


class Cubed(Function):
    """Wrong by a term that no small change of matrices gives."""

    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return a @ a @ a

    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return (g * a.sin()) @ a.mT @ a.mT


def test_what_no_change_makes_right_has_no_repair():
    assert repair(Cubed, numbers(3, 3)) == ""


class Doubled(Function):
    """The gradient of a is three times one half of it; twice that half has the right symmetric part."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(b)
        return (a + a.mT) @ b

    @staticmethod
    def backward(ctx, g):
        (b,) = ctx.saved_tensors
        return 3 * g @ b.mT, None


def test_a_change_that_is_right_on_symmetric_matrices_alone_counts_for_these_alone():
    assert "+    return 2 * g @ b.mT, None" in repair(Doubled, positive(3, 3), numbers(3, 2))
    assert repair(Doubled, numbers(3, 3), numbers(3, 2)) == ""
