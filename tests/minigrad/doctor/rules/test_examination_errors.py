"""A backward that raises: where a caller would see that, it is said; a wrong gradient is another thing."""

from __future__ import annotations

import pytest
import torch
from torch.autograd import Function

from minigrad.doctor import assert_right, examine_function, record

torch.manual_seed(0)


def numbers(*shape, needed=False):
    return torch.randn(*shape, dtype=torch.float64).requires_grad_(needed)


class TakesAllArguments(Function):
    """Right wherever both arguments are passed: it asks for the second member of needs_input_grad."""

    @staticmethod
    def forward(ctx, x, weight=None):
        ctx.save_for_backward(x, weight)
        return x.sin() if weight is None else x.sin() * weight

    @staticmethod
    def backward(ctx, g):
        x, weight = ctx.saved_tensors
        needs = ctx.needs_input_grad[1]
        local = x.cos() if weight is None else x.cos() * weight
        return g * local, g * x.sin() if needs else None


class WrongWithAllArguments(TakesAllArguments):
    @staticmethod
    def backward(ctx, g):
        first, second = TakesAllArguments.backward(ctx, g)
        return 2 * first, second


class NeedsTheFirst(Function):
    """Right where x needs a gradient; else torch.autograd.grad has nothing to differentiate."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        if not ctx.needs_input_grad[0]:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
        return g * w, g * x


class Unbound(Function):
    """Right where w needs a gradient; else the name of that is not there to be returned."""

    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        if ctx.needs_input_grad[1]:
            gw = g * x
        return g * w, gw


class UnboundAndWrong(Unbound):
    @staticmethod
    def backward(ctx, g):
        gx, gw = Unbound.backward(ctx, g)
        return 2 * gx, gw


class Raises(Function):
    @staticmethod
    def forward(ctx, x):
        return x * x

    @staticmethod
    def backward(ctx, g):
        raise IndexError("list index out of range")


class RaisesNearby(Function):
    """It holds for whole numbers alone."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        if bool((x != x.round()).any()):
            raise ValueError("no whole numbers")
        return 2 * g * x


def plain(text):
    return " ".join(text.split())


def kinds(report):
    return report.verdict, {each.fault: each.about for each in report.findings if each.about != "second"}


@pytest.mark.parametrize("origin", ["recorded", "example"])
def test_an_error_where_defaults_are_left_out_is_conduct_and_the_gradient_is_examined_with_them(origin):
    report = examine_function(TakesAllArguments, (numbers(3),), origin=origin)
    assert kinds(report) == ("correct", {"defaults-left-out": "conduct"})
    assert report.conduct == "limited"
    assert "IndexError" in report.text("en")
    assert "with weight passed, too" in plain(report.text("en"))
    assert "pasando también weight" in plain(report.text("es"))
    assert examine_function(TakesAllArguments).verdict == "correct"
    wrong = examine_function(WrongWithAllArguments, (numbers(3),), origin=origin)
    assert wrong.verdict == "wrong"
    assert set(wrong.faults) == {"factor", "defaults-left-out"}


@pytest.mark.parametrize("origin", ["recorded", "example"])
def test_an_error_where_some_input_needs_no_gradient_is_conduct(origin):
    report = examine_function(NeedsTheFirst, (numbers(3), numbers(3, needed=True)), origin=origin)
    assert kinds(report) == ("correct", {"partial-inputs": "conduct"})
    (finding,) = [each for each in report.findings if each.fault == "partial-inputs"]
    assert finding.fields["needed"] == "w"
    assert "does not require grad" in finding.story()


@pytest.mark.parametrize(
    ("rule", "inputs", "added"),
    [
        (Unbound, (numbers(3, needed=True), numbers(3)), "w"),
        (NeedsTheFirst, (numbers(3), numbers(3, needed=True)), "x"),
    ],
)
def test_an_error_at_the_call_that_was_given_is_no_correct_rule(rule, inputs, added):
    with pytest.raises((RuntimeError, UnboundLocalError)):
        rule.apply(*inputs).sum().backward()
    report = examine_function(rule, inputs)
    assert kinds(report) == ("wrong", {"error-in-backward": "gradient", "partial-inputs": "conduct"})
    assert (report.conduct, report.second, report.proof) == ("limited", "not examined", None)
    assert f"The backward of {rule.__name__} raises an error" in plain(report.text("en"))
    assert f"with a gradient asked for {added}, too" in plain(report.text("en"))
    assert f"pidiendo también el gradiente de {added}" in plain(report.text("es"))
    assert type(report).from_json(report.to_json()).text("en") == report.text("en")
    with pytest.raises(AssertionError, match=r"(?s)WRONG.*raises an error"):
        assert_right(rule, *inputs)
    assert_right(rule, *(x.detach() for x in inputs))


def test_what_is_wrong_at_the_call_beside_it_is_said_too():
    report = examine_function(UnboundAndWrong, (numbers(3, needed=True), numbers(3)))
    assert report.verdict == "wrong"
    assert report.faults == ("error-in-backward", "factor", "partial-inputs")


def test_an_error_at_a_call_that_was_given_and_marks_no_input_limits_the_rule():
    x = numbers(3)
    report = examine_function(TakesAllArguments, (x,))
    assert kinds(report) == ("limited", {"error-in-backward": "gradient", "defaults-left-out": "conduct"})
    assert "LIMITED. The backward of TakesAllArguments raises an error" in plain(report.text("en"))
    assert examine_function(TakesAllArguments, (numbers(3, needed=True),)).verdict == "wrong"
    with pytest.raises(AssertionError, match=r"(?s)LIMITED.*IndexError"):
        assert_right(TakesAllArguments, x)
    assert_right(TakesAllArguments, x, numbers(3))
    assert examine_function(WrongWithAllArguments, (x,)).verdict == "wrong"


def test_with_inputs_that_were_given_an_error_is_said_as_it_is():
    report = examine_function(Raises, (numbers(3),))
    assert report.verdict == "wrong"
    assert "backward of Raises raises an error" in report.text("en")
    assert "is not the derivative" not in report.text("en")
    assert report.text("es") != report.text("en")


@pytest.mark.parametrize("origin", ["recorded", "example"])
def test_at_a_call_of_which_nobody_asked_a_gradient_an_error_convicts_nobody(origin):
    report = examine_function(Raises, (numbers(3),), origin=origin)
    assert report.verdict == "not examined"
    assert report.faults == ("error-in-backward",)
    assert "IndexError" in report.text("en")


def test_a_program_that_calls_only_the_forward_does_not_convict_its_rule():
    with record() as seen:
        TakesAllArguments.apply(numbers(3))
        Raises.apply(numbers(3))
    assert [each.verdict for each in seen.examine()] == ["correct", "not examined"]
    assert [each.verdict for each in seen.examine(origin="given")] == ["limited", "wrong"]


def test_an_error_that_no_other_inputs_would_avoid_convicts_there_too():
    class Misspelt(Raises):
        @staticmethod
        def backward(ctx, g):
            return g * unknown_name  # noqa: F821

    assert examine_function(Misspelt, (numbers(3),), origin="recorded").verdict == "wrong"


def test_a_point_nearby_at_which_it_raises_is_a_border_and_no_fault():
    assert examine_function(RaisesNearby, (torch.tensor([2.0, 3.0, -1.0]),)).verdict == "correct"
