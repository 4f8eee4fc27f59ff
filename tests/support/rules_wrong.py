"""Functions of PyTorch with one planted mistake each, and the name that the mistake must be given."""

from __future__ import annotations

from inspect import Parameter, Signature, signature

import torch
from torch.autograd import Function


def rule(forward, backward, name):
    """A Function of a forward and a backward that get what was saved: (inputs, output)."""

    def run(ctx, *inputs):
        output = forward(*inputs)
        ctx.save_for_backward(*[x for x in inputs if isinstance(x, torch.Tensor)])
        ctx.constants = [x for x in inputs if not isinstance(x, torch.Tensor)]
        return output

    names = [Parameter("ctx", Parameter.POSITIONAL_ONLY), *signature(forward).parameters.values()]
    run.__signature__ = Signature([each.replace(kind=Parameter.POSITIONAL_ONLY) for each in names])

    def pull(ctx, *upstream):
        return backward(*ctx.saved_tensors, *ctx.constants, *upstream)

    return type(name, (Function,), {"forward": staticmethod(run), "backward": staticmethod(pull)})


def signed(*shape):
    return torch.randn(*shape)


def positive(*shape):
    return torch.rand(*shape) + 0.3


def sigmoid(x):
    return torch.sigmoid(x)


def in_place_on_upstream(x, g):
    g *= 2
    return g * x


def softmax(x):
    return torch.softmax(x, dim=-1)


def normal(x):
    """A layer norm without weights."""
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True, unbiased=False)


def mse(x, y):
    return ((x - y) ** 2).mean()


WRONG = [
    # name, forward, backward, inputs, fault, input
    ("double", lambda x: x.sin(), lambda x, g: 2 * g * x.cos(), lambda: (signed(3, 2),), "factor", "x"),
    ("half", lambda x: x * x, lambda x, g: g * x, lambda: (signed(3, 2),), "factor", "x"),
    (
        "by_0_05_percent",
        lambda x: x.tanh(),
        lambda x, g: 1.0005 * g * (1 - x.tanh() ** 2),
        lambda: (signed(5),),
        "factor",
        "x",
    ),
    (
        "loss_without_mean",
        mse,
        lambda x, y, g: (2 * g * (x - y), -2 * g * (x - y)),
        lambda: (signed(3, 4), signed(3, 4)),
        "factor",
        "x",
    ),
    ("minus", lambda x: x.cos(), lambda x, g: g * x.sin(), lambda: (signed(3, 2),), "sign", "x"),
    ("subtraction", lambda a, b: a - b, lambda a, b, g: (g, g), lambda: (signed(3), signed(3)), "sign", "b"),
    (
        "matmul_no_transpose",
        lambda a, b: a @ b,
        lambda a, b, g: (g @ b, a.t() @ g),
        lambda: (signed(3, 3), signed(3, 3)),
        "transposed",
        "a",
    ),
    (
        "result_transposed",
        lambda a, b: a @ b,
        lambda a, b, g: (g @ b.t(), g.t() @ a),
        lambda: (signed(3, 3), signed(3, 3)),
        "transposed",
        "b",
    ),
    (
        "reshaped_for_transposed",
        lambda x: 3 * x.t() ** 2,
        lambda x, g: 6 * g.reshape(x.shape) * x,
        lambda: (torch.ones(3, 4),),
        "transposed",
        "x",
    ),
    (
        "summed_wrong_axis",
        lambda a, b: a * b,
        lambda a, b, g: (g * b, (g * a).sum(1)),
        lambda: (signed(4, 4), signed(4)),
        "broadcast-wrong-axis",
        "b",
    ),
    (
        "mean_for_sum",
        lambda a, b: a + b,
        lambda a, b, g: (g, g.mean(0)),
        lambda: (signed(5, 3), signed(3)),
        "broadcast-mean",
        "b",
    ),
    (
        "first_row_only",
        lambda a, b: a + b,
        lambda a, b, g: (g, g[0]),
        lambda: (signed(5, 3), signed(3)),
        "broadcast-one-slice",
        "b",
    ),
    (
        "not_summed",
        lambda a, b: a + b.sum(),
        lambda a, b, g: (g, g),
        lambda: (signed(3, 4), signed(2)),
        "wrong-shape",
        "b",
    ),
    (
        "ignores_upstream",
        lambda x: x.sin(),
        lambda x, g: x.cos(),
        lambda: (signed(3, 2),),
        "upstream-ignored",
        "x",
    ),
    (
        "upstream_squared",
        lambda x: x.sin(),
        lambda x, g: g * g * x.cos(),
        lambda: (signed(3, 2),),
        "upstream-twice",
        "x",
    ),
    (
        "upstream_divides",
        lambda x: x.sin(),
        lambda x, g: x.cos() / g.where(g != 0, torch.inf),
        lambda: (signed(3, 2),),
        "upstream-divided",
        "x",
    ),
    (
        "upstream_absolute",
        lambda x: x.sin(),
        lambda x, g: x.cos() * g.abs(),
        lambda: (signed(3, 2),),
        "upstream-absolute",
        "x",
    ),
    (
        "swapped",
        lambda a, b: a * b,
        lambda a, b, g: (g * a, g * b),
        lambda: (signed(3, 2), signed(3, 2)),
        "swapped-inputs",
        "a",
    ),
    (
        "saved_the_input",
        sigmoid,
        lambda x, g: g * x * (1 - x),
        lambda: (signed(3, 2),),
        "input-for-output",
        "x",
    ),
    (
        "saved_the_output",
        lambda x: x.exp().log1p(),
        lambda x, g: g * sigmoid(x.exp().log1p()),
        lambda: (signed(3, 2),),
        "output-for-input",
        "x",
    ),
    (
        "product_rule_first",
        lambda x: x * x.sin(),
        lambda x, g: g * x.sin(),
        lambda: (signed(6),),
        "term-missing",
        "x",
    ),
    (
        "product_rule_second",
        lambda x: x * x.sin(),
        lambda x, g: g * x * x.cos(),
        lambda: (signed(6),),
        "term-missing",
        "x",
    ),
    (
        "forgets_the_other_use",
        lambda a, b: a.sin() * b + a.exp(),
        lambda a, b, g: (g * a.exp(), g * a.sin()),
        lambda: (signed(6), signed(6)),
        "term-missing",
        "a",
    ),
    (
        "skip_connection",
        lambda x: x + x.tanh(),
        lambda x, g: g * (1 - x.tanh() ** 2),
        lambda: (signed(6),),
        "term-missing",
        "x",
    ),
    ("sigmoid_half", sigmoid, lambda x, g: g * sigmoid(x), lambda: (signed(6),), "factor-missing", "x"),
    (
        "forgets_inner",
        lambda a, b: (a * b).sin(),
        lambda a, b, g: (g * (a * b).cos(), g * a * (a * b).cos()),
        lambda: (signed(6), signed(6)),
        "factor-missing",
        "a",
    ),
    (
        "softmax_diagonal",
        softmax,
        lambda x, g: g * softmax(x) * (1 - softmax(x)),
        lambda: (signed(3, 4),),
        "diagonal-only",
        "x",
    ),
    (
        "softmax_no_sum",
        softmax,
        lambda x, g: g * softmax(x),
        lambda: (signed(3, 4),),
        "coupling-missing",
        "x",
    ),
    (
        "norm_constant_statistics",
        normal,
        lambda x, g: g / x.std(-1, keepdim=True, unbiased=False),
        lambda: (signed(3, 5),),
        "coupling-missing",
        "x",
    ),
    ("offset", lambda x: x.sin(), lambda x, g: g * x.cos() + 0.1, lambda: (signed(3, 2),), "offset", "x"),
    (
        "zero",
        lambda a, b: a * b,
        lambda a, b, g: (g * b, torch.zeros_like(b)),
        lambda: (signed(3), signed(3)),
        "gradient-zero",
        "b",
    ),
    (
        "second_output_ignored",
        lambda x: (x.sin(), x.exp()),
        lambda x, g, h: g * x.cos(),
        lambda: (signed(4),),
        "output-ignored",
        "x",
    ),
    (
        "abs_of_positives",
        lambda x: x.abs(),
        lambda x, g: g.clone(),
        lambda: (signed(3, 4),),
        "wrong-in-region",
        "x",
    ),
    (
        "right_for_positives",
        lambda x: x * x.abs(),
        lambda x, g: 2 * g * x,
        lambda: (positive(3, 4),),
        "wrong-in-region",
        "x",
    ),
    (
        "clipped_when_large",
        lambda x: x * x,
        lambda x, g: 2 * g * x.clamp(-4, 4),
        lambda: (positive(3, 4),),
        "wrong-in-region",
        "x",
    ),
    (
        "nan_at_kink",
        lambda x: x.abs(),
        lambda x, g: g * x / x.abs(),
        lambda: (signed(3, 4),),
        "wrong-at-kink",
        "x",
    ),
    (
        "two_at_kink",
        lambda x: x.clamp(min=0),
        lambda x, g: g * ((x > 0) + 2.0 * (x == 0)),
        lambda: (signed(3, 4),),
        "wrong-at-kink",
        "x",
    ),
    (
        "upstream_changed",
        lambda x: x * x,
        in_place_on_upstream,
        lambda: (signed(3, 4),),
        "upstream-changed",
        "",
    ),
    (
        "single_inside",
        lambda x: x.sin(),
        lambda x, g: (g.float() * x.float().cos()).to(g.dtype),
        lambda: (signed(3, 4).double(),),
        "single-precision",
        "x",
    ),
    ("raises", lambda x: x.sin(), lambda x, g: g @ x.cos(), lambda: (signed(3, 4),), "error-in-backward", ""),
]
