"""Rules over complex numbers, by PyTorch's convention: a missing conjugate is named, right rules pass."""

from __future__ import annotations

import pytest
import torch
from torch.autograd import Function

import rules_wrong
from minigrad.doctor.rules import examine_function

Z = torch.tensor([0.5 - 1.2j, 0.8 + 0.3j, -0.4 + 0.9j], dtype=torch.complex128)
W = torch.tensor([1.1 + 0.4j, -0.6 + 0.7j, 0.3 - 1.3j], dtype=torch.complex128)
M = torch.stack((Z, W)) * (1 - 0.2j)


def examined(forward, backward, *inputs):
    report = examine_function(rules_wrong.rule(forward, backward, "planted"), inputs)
    for lang in ("en", "es"):
        assert "{" not in report.text(lang)
    assert report.snippet == ""
    return report


RIGHT = {
    "product": (lambda a, b: a * b, lambda a, b, g: (g * b.conj(), g * a.conj()), (Z, W)),
    "exp": (lambda a: a.exp(), lambda a, g: g * a.exp().conj(), (Z,)),
    "abs": (lambda a: a.abs(), lambda a, g: g * a / a.abs(), (Z,)),
    "conj": (lambda a: a.conj(), lambda a, g: g.conj(), (Z,)),
    "matmul": (
        lambda a, b: a @ b,
        lambda a, b, g: (g @ b.mH, a.mH @ g),
        (M, M.T.resolve_conj().clone()),
    ),
    "real": (lambda a: a.real, lambda a, g: torch.complex(g, torch.zeros_like(g)), (Z,)),
    "of_real": (
        lambda a: torch.polar(torch.ones_like(a), a),
        lambda a, g: (g * torch.polar(torch.ones_like(a), a).conj() * -1j).real,
        (Z.real.clone(),),
    ),
    "mixed": (lambda a, b: a * b, lambda a, b, g: (g * b.conj(), (g * a.conj()).real), (Z, W.real.clone())),
    "single": (lambda a: a.sin(), lambda a, g: g * a.cos().conj(), (Z.to(torch.complex64),)),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_rule_over_complex_numbers_passes(name):
    forward, backward, inputs = RIGHT[name]
    report = examined(forward, backward, *inputs)
    assert (report.verdict, report.conduct, report.second) == ("correct", "correct", "correct")
    assert report.faults == ()
    assert report.inputs[0].shape == tuple(inputs[0].shape)
    assert ("complex" in [each.code for each in report.not_examined]) == inputs[0].is_complex()


@pytest.mark.parametrize(
    ("forward", "backward", "inputs", "what"),
    [
        (lambda a, b: a * b, lambda a, b, g: (g * b, g * a.conj()), (Z, W), "factor"),
        (lambda a: a.exp(), lambda a, g: g * a.exp(), (Z,), "factor"),
        (lambda a: a * a, lambda a, g: g.conj() * 2 * a, (Z,), "result"),
        (lambda a: a.abs(), lambda a, g: g * a.conj() / a.abs(), (Z,), "factor"),
        (lambda a: a * a, lambda a, g: g.conj() * 2 * a.conj(), (Z,), "upstream"),
        (lambda a: a.conj(), lambda a, g: g, (Z,), None),
        (lambda a, b: a @ b, lambda a, b, g: (g @ b.mT, a.mH @ g), (M, M.mT.clone()), "factor"),
    ],
)
def test_a_missing_conjugate_is_named(forward, backward, inputs, what):
    report = examined(forward, backward, *inputs)
    assert (report.verdict, report.faults) == ("wrong", ("conjugate-missing",))
    (finding,) = report.findings
    assert finding.input == "a"
    assert finding.got != pytest.approx(finding.expected, rel=1e-3)
    if what:
        assert finding.fields["what"] == what
    assert "but for a conjugate" in finding.story()


def test_a_complex_output_of_a_real_input_is_examined():
    def turned(a):
        return torch.polar(torch.ones_like(a), a)

    report = examined(turned, lambda a, g: (g * turned(a) * -1j).real, Z.real.clone())
    assert (report.verdict, report.conduct) == ("wrong", "correct")
    again = examined(turned, lambda a, g: (g.conj() * (turned(a) * 1j).conj()).real, Z.real.clone())
    assert (again.faults, again.findings[0].fields["what"]) == (("conjugate-missing",), "upstream")


def test_another_mistake_over_complex_numbers_is_wrong_too():
    report = examined(lambda a: a.exp(), lambda a, g: 2 * g * a.exp().conj(), Z)
    assert (report.verdict, report.faults) == ("wrong", ("factor",))


class Phase(Function):
    @staticmethod
    def forward(ctx, complex_signal):
        ctx.save_for_backward(complex_signal)
        return complex_signal.angle()

    @staticmethod
    def backward(ctx, g):
        (z,) = ctx.saved_tensors
        return g * 1j * z / (z.real**2 + z.imag**2)


def test_a_name_that_says_complex_gets_complex_inputs():
    report = examine_function(Phase)
    assert (report.verdict, report.origin) == ("correct", "invented")
    assert "complex" in [each.code for each in report.not_examined]
