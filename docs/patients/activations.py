"""Custom torch functions, for docs/en/guides/debug-custom-backward.md."""

import torch
from torch.autograd import Function


class Round(Function):
    """Nearest whole number; the gradient passes as if it were the identity."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class Softplus(Function):
    """log(1 + exp(x)); its slope is saved as a number, so a second derivative does not see x."""

    @staticmethod
    def forward(ctx, x):
        ctx.slope = torch.sigmoid(x)
        return torch.log1p(torch.exp(x))

    @staticmethod
    def backward(ctx, g):
        return g * ctx.slope


class Cube(Function):
    """x ** 3, with nothing wrong."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * g * x**2
