"""Modules among the arguments of a call, with their parameters beside them: checkpoints, reversible nets."""

from __future__ import annotations

from functools import partial

import pytest
import torch
from torch.autograd import Function

from minigrad.doctor import record
from minigrad.doctor.rules import examine_function
from minigrad.doctor.rules.module_copies import ModuleCopies, runs_others


class Residual(Function):
    """x + block(x); the gradients of the weights are `scale` times what they are."""

    scale = 1.0

    @staticmethod
    def forward(ctx, x, block, *weights):
        ctx.block, ctx.weights = block, weights
        ctx.save_for_backward(x)
        with torch.no_grad():
            return x + block(x)

    @classmethod
    def again(cls, ctx, upstream, scale):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = x + ctx.block(x)
        of_x, *of_weights = torch.autograd.grad(y, (x, *ctx.weights), upstream)
        return (of_x, None, *(scale * g for g in of_weights))

    @staticmethod
    def backward(ctx, upstream):
        return Residual.again(ctx, upstream, 1.0)


class Doubled(Residual):
    @staticmethod
    def backward(ctx, upstream):
        return Residual.again(ctx, upstream, 2.0)


class Unseen(Residual):
    """Its function holds the weights where nobody can see them; what it returns for them is arbitrary."""

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = x + ctx.block(x)
        (of_x,) = torch.autograd.grad(y, x, upstream)
        return (of_x, None, *map(torch.ones_like, ctx.weights))


class Checkpoint(Function):
    """It refuses torch.autograd.grad, as a reentrant checkpoint does."""

    @staticmethod
    def forward(ctx, function, x):
        ctx.function = function
        ctx.save_for_backward(x)
        with torch.no_grad():
            return function(x)

    @staticmethod
    def backward(ctx, upstream):
        if not torch.autograd._is_checkpoint_valid():
            raise RuntimeError("not compatible with .grad(), please use .backward()")
        (x,) = ctx.saved_tensors
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = ctx.function(x)
        torch.autograd.backward(y, upstream)
        return None, x.grad


def block():
    torch.manual_seed(3)
    return torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh())


def inputs(of):
    return torch.randn(2, 3, generator=torch.Generator().manual_seed(1)), of, *of.parameters()


def test_weights_that_are_handed_over_beside_their_module_are_those_of_the_module():
    module = block()
    before = [p.detach().clone() for p in module.parameters()]
    assert examine_function(Residual, inputs(module)).verdict == "correct"
    report = examine_function(Doubled, inputs(module))
    assert {(each.fault, each.input) for each in report.findings} == {
        ("factor", "weights[0]"),
        ("factor", "weights[1]"),
    }
    assert (report.verdict, report.conduct, report.second) == ("wrong", "not examined", "not examined")
    assert all(map(torch.equal, before, module.parameters()))
    assert all(p.dtype == torch.float32 and p.grad is None for p in module.parameters())


def test_a_recorded_call_keeps_them_together():
    module = block()
    with record() as seen:
        Residual.apply(*inputs(module))
        Doubled.apply(*inputs(module))
    assert {report.name: report.verdict for report in seen.examine()} == {
        "Residual": "correct",
        "Doubled": "wrong",
    }


class Inflated(Unseen):
    @staticmethod
    def backward(ctx, upstream):
        of_x, *others = Unseen.backward(ctx, upstream)
        return (1.3 * of_x, *others)


@pytest.mark.parametrize("function", [lambda module: lambda x: module(x), lambda module: partial(module)])
@pytest.mark.parametrize(
    ("rule", "needed", "verdict"),
    [
        (Unseen, True, "correct"),
        (Inflated, True, "wrong"),
        # Without a gradient of x only the weights are left, and of these nothing can be said.
        (Unseen, False, "not examined"),
        (Inflated, False, "not examined"),
    ],
)
def test_nobody_is_accused_for_weights_that_a_function_holds_out_of_sight(function, rule, needed, verdict):
    module = block()
    x, _, *weights = inputs(module)
    hidden = function(module)
    report = examine_function(rule, (x.requires_grad_(needed), lambda value: hidden(value), *weights))
    assert report.verdict == verdict
    assert {each.input for each in report.findings if each.about == "gradient"} <= {"x"}
    assert [each.about for each in report.not_examined if each.code == "tied"] == ["weights[0]", "weights[1]"]
    assert (report.comparisons == 0) == (verdict == "not examined")
    if verdict == "not examined":
        assert f"{rule.__name__} could not be examined." in report.text("en")


def test_a_rule_that_takes_backward_alone_is_asked_by_backward():
    module = block()
    report = examine_function(Checkpoint, (module, inputs(module)[0]))
    assert report.verdict == "correct"
    assert all(p.grad is None for p in module.parameters())


def test_methods_and_partial_functions_of_a_module_are_those_of_its_copy():
    module = block()
    weight = module[0].weight
    copies = ModuleCopies([[module.forward], partial(module, 1.0), weight])
    assert copies.of(module.forward).__self__ is copies.modules[0]
    assert copies.of(partial(module, 1.0)).func is copies.modules[0]
    assert copies.of(weight) is copies.modules[0][0].weight
    assert copies.ties(copies.modules[0][0].weight)
    assert not copies.ties(weight)
    assert copies.of(3) is None


def test_large_modules_and_those_that_cannot_be_copied_stay_what_they_are():
    class Kept(torch.nn.Module):
        def __deepcopy__(self, memo):
            raise RuntimeError("not today")

    for module in (Kept(), torch.nn.Linear(2000, 2000)):
        copies = ModuleCopies([module])
        assert copies.modules == []
        assert copies.of(module) is None
        assert runs_others([module])
    assert not runs_others([torch.ones(2), 3, "x", [1, 2]])
    assert runs_others([[print, lambda x: x]])
