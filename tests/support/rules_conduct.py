"""Functions of PyTorch whose rule is right, but only under some circumstances."""

from __future__ import annotations

import torch
from torch.autograd import Function


def signed(*shape):
    return torch.randn(*shape)


class Stale(Function):
    """It keeps its input on the class, where the next forward overwrites it."""

    kept = None

    @staticmethod
    def forward(ctx, x):
        Stale.kept = x
        return x * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g * Stale.kept


class ForgetsTheGraph(Function):
    """Right once; what it keeps is detached, so the second derivative is lost."""

    @staticmethod
    def forward(ctx, x):
        ctx.local = 3 * x.detach() ** 2
        return x**3

    @staticmethod
    def backward(ctx, g):
        return g * ctx.local


class LeavesTheGraph(Function):
    """Nothing leads back through it."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return torch.from_numpy(g.detach().numpy() * x.detach().cos().numpy())


class FreshMask(Function):
    """A dropout that draws its mask again on the way back."""

    @staticmethod
    def forward(ctx, x):
        return x * (torch.rand_like(x) > 0.5)

    @staticmethod
    def backward(ctx, g):
        return g * (torch.rand_like(g) > 0.5)


class ChangesItsInput(Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2.0)
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return 2.0 * g


class CountsItsCalls(Function):
    """It spoils what it saved, so that a second backward differs."""

    @staticmethod
    def forward(ctx, x):
        ctx.local = x.cos()
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        found = g * ctx.local
        ctx.local = ctx.local * 2
        return found


class ReadsItsMemory(Function):
    """It takes the numbers as they lie in memory, not as they are read."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        storage = torch.as_strided(x, (x.numel(),), (1,), x.storage_offset())
        return g * 2 * storage.reshape(x.shape)


class ViewsTheUpstream(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return (g.view(-1) * 2).view(3, 4)


class MixesPrecisions(Function):
    """A float64 constant: in float32 the product cannot be formed."""

    @staticmethod
    def forward(ctx, x):
        return x @ torch.eye(4, dtype=x.dtype)

    @staticmethod
    def backward(ctx, g):
        return g @ torch.eye(4, dtype=torch.float64)


class TinyStep(Function):
    """Differences with a step that float32 cannot resolve."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * ((x + 1e-7).sin() - (x - 1e-7).sin()) / 2e-7


class NeedsAll(Function):
    """Right only while every input needs its gradient."""

    @staticmethod
    def forward(ctx, a, b):
        ctx.save_for_backward(a, b)
        return a * b

    @staticmethod
    def backward(ctx, g):
        a, b = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            return None, g
        return g * b, g * a


class NeedsTwo(Function):
    """Right for each input alone and for all three, and not for the first and the last."""

    @staticmethod
    def forward(ctx, a, b, c):
        ctx.save_for_backward(a, b, c)
        return a * b * c

    @staticmethod
    def backward(ctx, g):
        a, b, c = ctx.saved_tensors
        first, middle, last = ctx.needs_input_grad
        shared = g * b if first and last and not middle else g
        return shared * b * c, g * a * c, g * a * b


class NormalisesTheUpstream(Function):
    """It divides by the length of the upstream gradient and multiplies by it again."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        length = g.norm()
        return g / length * x.cos() * length


class TooMany(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 2, g


class SavesNothing(Function):
    @staticmethod
    def forward(ctx, x):
        return x.exp()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.exp()


class Round(Function):
    """A straight-through estimator."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g


class Reverse(Function):
    """A gradient reversal layer."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, g):
        return -g


CLASSES = [
    (Stale, lambda: (signed(3, 2),), "stale-saved", "wrong"),
    (ForgetsTheGraph, lambda: (signed(3, 2),), "second-derivative-wrong", "wrong"),
    (LeavesTheGraph, lambda: (signed(3, 2),), "second-derivative-missing", "limited"),
    (FreshMask, lambda: (signed(4, 4),), "unsteady", "wrong"),
    (ChangesItsInput, lambda: (signed(3, 2),), "input-changed", "wrong"),
    (CountsItsCalls, lambda: (signed(3, 2),), "second-backward", "wrong"),
    (ReadsItsMemory, lambda: (signed(3, 2),), "contiguous-only", "wrong"),
    (ViewsTheUpstream, lambda: (signed(3, 4),), "contiguous-only", "limited"),
    (MixesPrecisions, lambda: (signed(3, 4),), "float64-only", "limited"),
    (TinyStep, lambda: (signed(3, 4),), "float64-only", "limited"),
    (NeedsAll, lambda: (signed(3), signed(3)), "partial-inputs", "wrong"),
    (NeedsTwo, lambda: (signed(3), signed(3), signed(3)), "partial-inputs", "wrong"),
    (NormalisesTheUpstream, lambda: (signed(3),), "zero-upstream", "limited"),
    (TooMany, lambda: (signed(3),), "wrong-count", "wrong"),
    (SavesNothing, lambda: (signed(3),), "error-in-backward", "wrong"),
    (Round, lambda: (signed(6),), "straight-through", "limited"),
    (Reverse, lambda: (signed(6),), "reversal", "limited"),
]
