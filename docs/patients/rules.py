"""Custom torch functions, for docs/en/guides/debug-custom-backward.md: Scale is wrong, Square is right."""

import torch


class Scale(torch.autograd.Function):
    """x * w, with one w for each column."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return g * w, (g * x).mean(0)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 2 * x * g


example_inputs = {
    "Scale": (torch.linspace(-1, 2, 12).reshape(3, 4), torch.tensor([0.5, -1.0, 2.0, 3.0])),
    "Square": (torch.linspace(-1, 2, 5),),
}
