"""Conduct under transforms, on other devices, and of memory: planted faults are named, right rules pass."""

from __future__ import annotations

import gc

import pytest
import torch
from torch.autograd import Function

import rules_right
from minigrad.doctor.rules import examine_function
from minigrad.doctor.rules.device_probes import device_findings, devices
from minigrad.doctor.rules.torch_rules import torch_subject

A, B = torch.tensor([0.5, -1.2, 0.8]), torch.tensor([1.3, 0.4, -0.6])


def product(factor=1.0, batch=None, generated=False, raises=False, **more):
    """a * b with a jvp that is wrong by a factor, or a vmap that adds to its values."""

    class Product(Function):
        generate_vmap_rule = generated

        @staticmethod
        def forward(a, b):
            return a * b

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs)
            ctx.save_for_forward(*inputs)

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * b, g * a

        if not generated or more.get("jvp"):

            @staticmethod
            def jvp(ctx, ta, tb):
                if raises:
                    raise ValueError("not forward")
                a, b = ctx.saved_tensors
                return factor * ta * b + a * tb

    if batch is not None:

        def vmap(info, in_dims, a, b):
            a = a if in_dims[0] is None else a.movedim(in_dims[0], 0)
            b = b if in_dims[1] is None else b.movedim(in_dims[1], 0)
            return Product.apply(a, b) + batch * (in_dims[0] is None), 0

        Product.vmap = staticmethod(vmap)
    return Product


def conduct(function, *inputs):
    report = examine_function(function, inputs or (A, B))
    assert report.verdict == "correct"
    for lang in ("en", "es"):
        assert "{" not in report.text(lang)
    return report.conduct, [each for each in report.findings if each.about == "conduct"]


# ---- jvp and vmap -------------------------------------------------------------------------------


def test_a_wrong_jvp_is_named_with_numbers_and_a_right_one_passes():
    verdict, (finding,) = conduct(product(1.01))
    assert (verdict, finding.fault) == ("wrong", "jvp-wrong")
    assert abs(finding.got - finding.expected) > 1e-4
    assert conduct(product(1.0)) == ("correct", [])


def test_a_jvp_that_raises_limits_the_conduct():
    verdict, (finding,) = conduct(product(raises=True))
    assert (verdict, finding.fault) == ("limited", "jvp-wrong")
    assert "not forward" in finding.story()


class RoundThrough(Function):
    """A straight-through estimator whose jvp goes with its backward."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, g):
        return g

    @staticmethod
    def jvp(ctx, t):
        return t


def test_a_jvp_that_goes_with_a_deliberate_backward_passes():
    report = examine_function(RoundThrough, (A,))
    assert (report.verdict, report.conduct) == ("limited", "correct")


def test_a_wrong_vmap_is_named_and_right_ones_pass():
    verdict, (finding,) = conduct(product(batch=0.5))
    assert (verdict, finding.fault, finding.fields["what"]) == ("wrong", "vmap-wrong", "values")
    assert finding.got - finding.expected == pytest.approx(0.5)
    assert conduct(product(batch=0.0)) == ("correct", [])
    assert conduct(product(generated=True)) == ("correct", [])


class LooksAtItsNumbers(Function):
    """It promises a vmap rule, and has none where it looks at a number."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return x * 2 if x.sum().item() > -100 else x * 3

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, g):
        return g * 2


def test_a_vmap_that_raises_limits_the_conduct():
    verdict, (finding,) = conduct(LooksAtItsNumbers, A)
    assert (verdict, finding.fault) == ("limited", "vmap-wrong")


# ---- devices ------------------------------------------------------------------------------------


class DependsOnItsPlace(Function):
    factor = 1.0

    @staticmethod
    def forward(ctx, x):
        return x * 3

    @staticmethod
    def backward(ctx, g):
        if DependsOnItsPlace.factor == 0.0:
            raise RuntimeError("Expected all tensors to be on the same device")
        return g * 3 * DependsOnItsPlace.factor


@pytest.mark.parametrize(("factor", "grades"), [(1.0, []), (1.5, ["wrong"]), (0.0, ["limited"])])
def test_another_device_is_compared_with_the_cpu(factor, grades, monkeypatch):
    subject = torch_subject(DependsOnItsPlace, (A,), None, 0)
    upstream = subject.forward(subject.start)
    pull = type(subject).pull

    def elsewhere(self, point, seeds):
        monkeypatch.setattr(DependsOnItsPlace, "factor", 1.0 if self is subject else factor)
        return pull(self, point, seeds)

    monkeypatch.setattr(type(subject), "pull", elsewhere)
    found = list(device_findings(subject, subject.start, upstream, lambda torch: ("cpu",)))
    assert [(each.fault, each.grade, each.fields["device"]) for each in found] == [
        ("device-differs", grade, "cpu") for grade in grades
    ]
    assert all("cpu" in each.story() for each in found)


def test_without_another_device_nothing_is_asked(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert devices(torch) == ()
    subject = torch_subject(rules_right.Exp, (A,), None, 0)
    assert list(device_findings(subject, subject.start, [])) == []


if torch.cuda.is_available():  # there is such a test only where there is such a device

    def test_a_tensor_made_on_the_cpu_shows_on_cuda():
        class MakesItsOwn(Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return g * torch.full((3,), 2.0, dtype=g.dtype)

        verdict, found = conduct(MakesItsOwn, A)
        assert (verdict, [each.fault for each in found]) == ("limited", ["device-differs"])
        assert conduct(rules_right.Exp, A) == ("correct", [])


# ---- memory -------------------------------------------------------------------------------------


def keeping(keep):
    class Keeps(Function):
        @staticmethod
        def forward(ctx, x):
            out = x.exp()
            keep(ctx, x, out)
            return out

        @staticmethod
        def backward(ctx, g):
            out = ctx.out if hasattr(ctx, "out") else ctx.saved_tensors[0]
            return g * (out[0] if isinstance(out, list) else out)

    return Keeps


@pytest.mark.parametrize(
    "keep",
    [lambda ctx, x, out: setattr(ctx, "out", out), lambda ctx, x, out: setattr(ctx, "out", [out])],
)
def test_an_output_on_its_ctx_is_named(keep):
    verdict, (finding,) = conduct(keeping(keep), A)
    assert (verdict, finding.fault, finding.fields["attribute"]) == ("limited", "memory-held", "ctx.out")


def through(ctx, x, out):
    ctx.save_for_backward(out)
    ctx.x = x  # an input on the ctx leads nowhere back


def test_what_is_saved_is_freed_and_the_collector_is_as_it_was():
    assert conduct(keeping(through), A) == ("correct", [])
    for switch in (gc.disable, gc.enable):
        switch()
        was = gc.isenabled()
        examine_function(rules_right.Exp, (A,))
        assert gc.isenabled() == was


class Correlate(Function):
    """Its gradient is made of `back`, which is to be equal to `ahead`, and both are constants to it."""

    @staticmethod
    def forward(ctx, x, ahead, back):
        ctx.save_for_backward(ahead, back)
        return x * ahead

    @staticmethod
    def backward(ctx, g):
        return CorrelateBack.apply(g, *ctx.saved_tensors), None, None


class CorrelateBack(Function):
    @staticmethod
    def forward(ctx, g, ahead, back):
        ctx.save_for_backward(g, ahead)
        return g * back

    @staticmethod
    def backward(ctx, gg):
        _, ahead = ctx.saved_tensors
        return gg * ahead, None, None


class ScaledWrongly(Correlate):
    """`back` is no constant here, and the second derivative leaves it out."""

    @staticmethod
    def backward(ctx, g):
        grad = CorrelateBack.apply(g, *ctx.saved_tensors)
        return grad, None, torch.zeros_like(grad)


@pytest.mark.parametrize(("rule", "accused"), [(Correlate, False), (ScaledWrongly, True)])
def test_a_constant_to_the_rule_has_no_second_derivative(rule, accused):
    report = examine_function(rule.apply, [A, B, B.clone()])
    found = [each.input for each in report.findings if each.fault == "second-derivative-wrong"]
    assert found == (["args[2]"] if accused else [])
