"""Wrong rules that look right at special numbers, right ones in odd surroundings, and what must stay."""

from __future__ import annotations

import sys

import pytest
import torch
from torch.autograd import Function

from minigrad.doctor import assert_right, record
from minigrad.doctor.rules import backward_repairs, examine_function

GENERATOR = torch.Generator().manual_seed(11)


def numbers(*shape):
    return torch.randn(*shape, generator=GENERATOR, dtype=torch.float64)


def rule(forward, backward):
    """A Function; its backward gets the saved inputs and the upstream gradient."""

    def run(ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return forward(*inputs)

    def pull(ctx, *upstream):
        return backward(*ctx.saved_tensors, *upstream)

    return type("Rule", (Function,), {"forward": staticmethod(run), "backward": staticmethod(pull)})


def judged(found, *inputs):
    report = examine_function(found, inputs)
    return report.verdict, report.faults_about("gradient")


# ---- wrong rules at special numbers -------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "backward"),
    [
        (torch.tensor([0.2, 0.3, 0.5], dtype=torch.float64), lambda x, g: 2 * x * g + 7),
        (torch.softmax(numbers(3, 4), -1), lambda x, g: 2 * x * g + g.sum(-1, keepdim=True)),
        (torch.nn.functional.normalize(numbers(3, 4)), lambda x, g: 2 * x * g + 3 * x),
    ],
    ids=["sums to one", "probabilities", "unit length"],
)
def test_numbers_that_happen_to_have_a_structure_excuse_nothing(x, backward):
    assert judged(rule(lambda x: x**2, backward), x) == ("limited", ("right-along",))
    other = x + 0.1 * torch.arange(x.numel(), dtype=x.dtype).reshape(x.shape)
    assert judged(rule(lambda x: x**2, backward), other)[0] == "wrong"


@pytest.mark.parametrize("w", [torch.eye(3), torch.ones(3, 3), torch.eye(3) * 2], ids=["eye", "ones", "twos"])
@pytest.mark.parametrize(
    "backward",
    [
        lambda x, w, g: (g @ w, x.T @ g),
        lambda x, w, g: (g @ w.T, g.T @ x),
    ],
    ids=["of x", "of w"],
)
def test_a_transpose_that_is_forgotten_shows_at_a_unit_matrix_too(w, backward):
    x = numbers(5, 3)
    assert judged(rule(lambda x, w: x @ w, backward), x, w.double())[0] == "wrong"
    right = rule(lambda x, w: x @ w, lambda x, w, g: (g @ w.T, x.T @ g))
    assert judged(right, x, w.double()) == ("correct", ())


def test_a_small_gradient_beside_a_large_one_is_judged():
    def forward(x, w):
        return 1e5 * x + torch.sin(w)

    assert judged(rule(forward, lambda x, w, g: (1e5 * g, g)), numbers(3), numbers(3))[0] == "wrong"
    zeros = rule(forward, lambda x, w, g: (1e5 * g, torch.zeros_like(w)))
    assert judged(zeros, numbers(3), numbers(3))[0] == "wrong"


def test_whole_numbers_that_were_given_are_moved_too():
    found = rule(lambda x: x**3, lambda x, g: 3 * x * g)  # right at 0 and 1
    assert judged(found, torch.tensor([0.0, 1.0, 1.0, 0.0], dtype=torch.float64))[0] == "wrong"


# ---- right rules in odd surroundings ------------------------------------------------------------


class Masked(Function):
    @staticmethod
    def forward(ctx, x, mask):
        out = torch.softmax(x + mask, -1)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, g):
        (out,) = ctx.saved_tensors
        return out * (g - (g * out).sum(-1, keepdim=True)), None


def test_a_mask_of_infinities_is_a_constant():
    mask = torch.triu(torch.full((4, 4), -torch.inf, dtype=torch.float64), 1)
    assert judged(Masked, numbers(4, 4), mask) == ("correct", ())
    refused = examine_function(
        rule(lambda x: x * x, lambda x, g: 2 * x * g), (torch.tensor([1.0, torch.nan]),)
    )
    assert (refused.verdict, refused.not_examined[0].code) == ("not examined", "no_inputs")


def test_single_precision_inside_is_no_ground_to_accuse():
    def forward(x):
        return (x.float().exp() * 0.5).double() * 1.000001

    found = rule(forward, lambda x, g: g * (x.float().exp() * 0.5).double() * 1.000001)
    report = examine_function(found, (numbers(3, 4),))
    assert (report.verdict, report.faults_about("gradient")) == ("correct", ())
    wrong = rule(forward, lambda x, g: g * x.exp())
    assert judged(wrong, numbers(3, 4))[0] == "wrong"


def test_a_large_call_that_cannot_be_cut_ends_soon():
    def forward(x):
        assert x.shape == (100, 100)
        return torch.from_numpy(x.detach().numpy() ** 2)

    found = rule(forward, lambda x, g: 2 * x * g)
    report = examine_function(found, (numbers(100, 100),))
    assert report.verdict == "correct"
    assert "large" in {each.code for each in report.not_examined}
    one = rule(forward, lambda x, g: 2 * x * g * (torch.arange(100) != 50).double())
    assert judged(one, numbers(100, 100))[0] == "wrong"


@pytest.mark.parametrize("leave", [lambda: sys.exit(3), lambda: pytest.skip("no")])
def test_a_rule_that_leaves_the_program_is_told_in_its_report(leave):
    calls = []

    def forward(x):
        calls.append(1)
        if len(calls) > 2:
            leave()
        return x * 2

    found = rule(forward, lambda x, g: 2 * g)
    with record() as seen:
        found.apply(numbers(3).requires_grad_())
    (report,) = seen.examine()
    assert report.verdict == "not examined"
    calls.clear()
    with pytest.raises(AssertionError):
        assert_right(found, numbers(3))


# ---- what must stay as it was -------------------------------------------------------------------


class Double(Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


def network():
    torch.manual_seed(2)
    return torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.BatchNorm1d(3))


def everything(module, scale):
    state = {name: x.clone() for name, x in module.state_dict().items()}
    return state, [p.grad for p in (*module.parameters(), scale)], module.training, torch.get_num_threads()


def test_modules_and_tensors_that_a_function_closes_over_stay_as_they_were():
    module, scale = network(), torch.ones(3, requires_grad=True)
    module[0].weight.grad = torch.full((3, 4), 5.0)

    def calls(x):
        return Double.apply(module(x)) * scale

    before = everything(module, scale)
    examine_function(calls, (torch.randn(6, 4, generator=GENERATOR),))
    after = everything(module, scale)
    assert all(torch.equal(before[0][name], after[0][name]) for name in before[0])
    assert after[1][0] is before[1][0]
    assert torch.equal(after[1][0], torch.full((3, 4), 5.0))
    assert after[1][1:] == before[1][1:]
    assert after[2:] == before[2:]


def test_another_default_device_is_not_in_the_way():
    before = torch.get_default_device()
    torch.set_default_device("meta")
    try:
        assert judged(Double, torch.ones(3, device="cpu")) == ("correct", ())
    finally:
        torch.set_default_device(before)


# ---- what is nearly right, and what is not touched ----------------------------------------------


def test_a_small_deviation_without_a_cause_is_called_an_approximation():
    def nearly(x, g):
        return g * x.cos() * (1 + 5e-4 * torch.sin(7 * x))

    assert judged(rule(torch.sin, nearly), numbers(3, 4)) == ("limited", ("approximate",))
    factor = rule(torch.sin, lambda x, g: g * x.cos() * 1.0005)
    assert judged(factor, numbers(3, 4)) == ("wrong", ("factor",))


def test_nothing_is_tried_on_a_backward_that_handles_memory(monkeypatch):
    class Handles(Function):
        @staticmethod
        def forward(ctx, x):
            return x * x * x

        @staticmethod
        def backward(ctx, g):
            ctx.bytes = g.untyped_storage().nbytes()
            return -g

    tried = []
    monkeypatch.setattr(backward_repairs._RuleText, "compiled", lambda self: tried.append(1))
    assert examine_function(Handles, (numbers(3),)).verdict == "wrong"
    assert not tried


def test_a_call_with_a_module_is_not_cut():
    class Runs(Function):
        @staticmethod
        def forward(ctx, x, module, *weights):
            ctx.module = module
            ctx.save_for_backward(x, *weights)
            with torch.no_grad():
                return module(x)

        @staticmethod
        def backward(ctx, g):
            x = ctx.saved_tensors[0]
            with torch.enable_grad():
                x = x.detach().requires_grad_()
                y = ctx.module(x)
            of_x, *of_weights = torch.autograd.grad(y, (x, *ctx.module.parameters()), g)
            return of_x, None, *of_weights

    module = torch.nn.Linear(64, 4)
    report = examine_function(Runs, (torch.randn(70, 64, generator=GENERATOR), module, *module.parameters()))
    assert report.verdict == "correct"
    assert "cropped" not in {each.code for each in report.not_examined}
