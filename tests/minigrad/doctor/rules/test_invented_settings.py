"""Settings, complex numbers, parts of sparse matrices: what wants them is examined without hints."""

from __future__ import annotations

import pytest
import torch
from torch.autograd import Function

from minigrad.doctor import examine_function


class Config:
    """What the module makes of itself for a parameter of this name."""

    def __init__(self):
        self.scale = 1.5


def make_specs(given):
    if given is not None:
        raise TypeError(given)
    return {"scale": 2.5}


class ByKeys(Function):
    """It reads a dictionary, also in the backward alone."""

    factor = 1.0

    @staticmethod
    def forward(ctx, x, table):
        ctx.table, ctx.scale = table, table["scale"]
        ctx.save_for_backward(x)
        return x * table["scale"] + (x * x if table.get("square", True) else 0.0)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return ByKeys.factor * g * ctx.scale + (2 * g * x if ctx.table["square"] else 0.0), None


class ByNames(Function):
    @staticmethod
    def forward(ctx, x, options):
        ctx.options = options
        return x * options.alpha

    @staticmethod
    def backward(ctx, g):
        return g * ctx.options.alpha * (1.0 if ctx.options.training else 2.0), None


class ByClass(Function):
    @staticmethod
    def forward(ctx, x, config):
        assert isinstance(config, Config)
        ctx.scale = config.scale
        return x * config.scale

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None


class ByMaker(Function):
    @staticmethod
    def forward(ctx, x, specs):
        ctx.scale = specs["scale"]
        return x * ctx.scale

    @staticmethod
    def backward(ctx, g):
        return g * ctx.scale, None


class WithDefaults(Function):
    """What it reads has defaults, and a wrong word is refused: nothing is the best guess."""

    @staticmethod
    def forward(ctx, x, table):
        ctx.mode = table.get("mode", "plain")
        if ctx.mode != "plain":
            raise ValueError("no such mode")
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g, None


class Passed(Function):
    @staticmethod
    def forward(ctx, x, extra_kwargs):
        ctx.save_for_backward(x)
        return torch.softmax(x, dim=-1, **extra_kwargs)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        y = torch.softmax(x, dim=-1)
        return y * (g - (g * y).sum(-1, keepdim=True)), None


class Values(Function):
    """Real points and complex values, of which only its errors speak."""

    conjugate = True

    @staticmethod
    def forward(ctx, points, values):
        if points.is_complex() or not values.is_complex():
            raise TypeError("values have to be complex, and points real")
        ctx.save_for_backward(points, values)
        return points * values

    @staticmethod
    def backward(ctx, g):
        points, values = ctx.saved_tensors
        return (g * (values.conj() if Values.conjugate else values)).real, g * points


class Rows(Function):
    """A sparse matrix in compressed rows, times a vector, in batches."""

    @staticmethod
    def forward(ctx, num_cols, row_ptr, col_ind, val, v):
        assert v.shape == (val.shape[0], num_cols)
        assert val.shape[1] == col_ind.numel() == int(row_ptr[-1])
        rows = torch.repeat_interleave(torch.arange(row_ptr.numel() - 1), row_ptr.diff())
        ctx.save_for_backward(val, v, rows, col_ind)
        out = v.new_zeros(len(v), row_ptr.numel() - 1)
        return out.index_add(1, rows, val * v[:, col_ind])

    @staticmethod
    def backward(ctx, g):
        val, v, rows, columns = ctx.saved_tensors
        back = torch.zeros_like(v).index_add(1, columns, g[:, rows] * val)
        return None, None, None, g[:, rows] * v[:, columns], back


@pytest.mark.parametrize("rule", [ByKeys, ByNames, ByClass, ByMaker, WithDefaults, Passed, Values, Rows])
def test_a_right_rule_is_examined_without_hints(rule):
    report = examine_function(rule)
    assert report.verdict == "correct", report.text("en")
    assert report.origin == "invented"


def test_a_wrong_one_is_convicted_with_them(monkeypatch):
    monkeypatch.setattr(ByKeys, "factor", 2.0)
    monkeypatch.setattr(Values, "conjugate", False)
    assert examine_function(ByKeys).verdict in ("wrong", "limited")
    assert examine_function(ByKeys, (torch.ones(3), {"scale": 2.0, "square": False})).verdict == "wrong"
    assert examine_function(Values).verdict == "wrong"


def test_settings_are_told_as_they_can_be_read():
    (given,) = [each for each in examine_function(ByNames).inputs if each.name == "options"]
    assert given.text.startswith("namespace(")
    assert "alpha=0.7" in given.text
