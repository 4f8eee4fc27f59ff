"""Functions of PyTorch with a backward rule that is right: none of them may be accused."""

from __future__ import annotations

import torch
from torch.autograd import Function
from torch.autograd.function import once_differentiable


def summed_to(grad, shape):
    """The sum over the axes that a tensor of this shape was stretched along."""
    lead = grad.dim() - len(shape)
    grad = grad.sum(dim=tuple(range(lead))) if lead else grad
    stretched = tuple(k for k, length in enumerate(shape) if length == 1 and grad.shape[k] != 1)
    return grad.sum(dim=stretched, keepdim=True) if stretched else grad


class Matmul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a @ b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g @ b.t(), a.t() @ g


class BroadcastMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return summed_to(g * b, a.shape), summed_to(g * a, b.shape)


class BroadcastAdd(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.shapes = a.shape, b.shape
        return a + b

    @staticmethod
    def backward(ctx, g):
        return summed_to(g, ctx.shapes[0]), summed_to(g, ctx.shapes[1])


class LeftToTheLibrary(Function):
    """PyTorch sums what is too large, so this is right without a sum of its own."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        return g * b, g * a


class Softmax(Function):
    """It saves its output."""

    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, dim=-1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return y * (g - (g * y).sum(dim=-1, keepdim=True))


class LayerNorm(Function):
    """Arguments that are no tensors, and gradients only for what needs them."""

    @staticmethod
    def forward(ctx, x, weight, bias, eps=1e-5):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        mean = x.mean(dim=-1, keepdim=True)
        return (x - mean) / torch.sqrt(x.var(dim=-1, keepdim=True, unbiased=False) + eps) * weight + bias

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        scale = torch.rsqrt(x.var(dim=-1, keepdim=True, unbiased=False) + ctx.eps)
        normal = (x - x.mean(dim=-1, keepdim=True)) * scale
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            h = g * weight
            mean = h.mean(dim=-1, keepdim=True)
            dx = scale * (h - mean - normal * (h * normal).mean(dim=-1, keepdim=True))
        if ctx.needs_input_grad[1]:
            dw = (g * normal).sum(dim=0)
        if ctx.needs_input_grad[2]:
            db = g.sum(dim=0)
        return dx, dw, db, None


class Relu(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (x > 0)


class Abs(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.sign()


class Power(Function):
    """An exponent that is a plain number."""

    @staticmethod
    def forward(ctx, x, exponent: int):
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        return x**exponent

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ctx.exponent * x ** (ctx.exponent - 1), None


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * y


class SinOnce(Function):
    """It says itself that it cannot be differentiated twice."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.cos()


class Log(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.log()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / x


class SinCos(Function):
    """Two outputs; one may be left unused."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin(), x.cos()

    @staticmethod
    def backward(ctx, g, h):
        (x,) = ctx.saved_tensors
        return g * x.cos() - h * x.sin()


class Scaled(Function):
    """The new way: forward without ctx, and setup_context."""

    @staticmethod
    def forward(x, scale):
        return x * scale

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        return g * scale, (g * x).sum()


class InPlaceRelu(Function):
    """It works in place, and says so."""

    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.clamp_(min=0)
        ctx.save_for_backward(x)
        return x

    @staticmethod
    def backward(ctx, g):
        (y,) = ctx.saved_tensors
        return g * (y > 0)


class Dropout(Function):
    """Random, but it keeps what it drew."""

    @staticmethod
    def forward(ctx, x):
        mask = (torch.rand_like(x) > 0.4).to(x)
        ctx.save_for_backward(mask)
        return x * mask

    @staticmethod
    def backward(ctx, g):
        (mask,) = ctx.saved_tensors
        return g * mask


class LogSumExp(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.logsumexp(x, dim=-1, keepdim=True)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return g * (x - y).exp()


def uses_one(x, y):
    """A function that uses a custom rule on its way."""
    return Exp.apply(x * y).sum(dim=0)


def signed(*shape):
    return torch.randn(*shape)


def positive(*shape):
    return torch.rand(*shape) + 0.3


RIGHT = {
    Matmul: lambda: (signed(2, 3), signed(3, 2)),
    BroadcastMul: lambda: (signed(3, 2), signed(2)),
    BroadcastAdd: lambda: (signed(3, 1), signed(4)),
    LeftToTheLibrary: lambda: (signed(3, 2), signed(1, 2)),
    Softmax: lambda: (signed(2, 4),),
    LayerNorm: lambda: (signed(2, 4), signed(4), signed(4), 1e-5),
    Relu: lambda: (signed(3, 4),),
    Abs: lambda: (signed(5),),
    Power: lambda: (signed(3, 2), 3),
    Exp: lambda: (signed(3, 2),),
    SinOnce: lambda: (signed(4),),
    Log: lambda: (positive(3, 2),),
    SinCos: lambda: (signed(3),),
    Scaled: lambda: (signed(3, 2), signed(())),
    InPlaceRelu: lambda: (signed(3, 2),),
    Dropout: lambda: (signed(3, 2),),
    LogSumExp: lambda: (signed(2, 3),),
    uses_one: lambda: (signed(3, 2), signed(3, 2)),
}
