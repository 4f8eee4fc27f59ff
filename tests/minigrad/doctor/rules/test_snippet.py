"""The program that shows a wrong gradient: run as it is printed, it prints what the report says."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from importlib import import_module, invalidate_caches
from textwrap import dedent

import pytest
import torch
from torch.autograd import Function

from minigrad.doctor.rules import examine_function

RULES = """
    import torch
    from torch.autograd import Function

    class Half(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x
        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    class Both(Function):
        @staticmethod
        def forward(ctx, lambda_, w, count, name):
            ctx.save_for_backward(lambda_, w)
            return lambda_ * w, count, (lambda_ + w).sum()
        @staticmethod
        def backward(ctx, product, none, total):
            a, w = ctx.saved_tensors
            return product * w + total, -product * a + total, None, None

    class Missing(Function):
        @staticmethod
        def forward(ctx, x, scale):
            return 3 * x + scale
        @staticmethod
        def backward(ctx, g):
            return None, g.sum()

    class InPlace(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)
        @staticmethod
        def backward(ctx, g):
            return g

    class Masked(Function):
        @staticmethod
        def forward(ctx, x):
            mask = torch.rand_like(x).gt(0.5).to(x)
            ctx.save_for_backward(mask)
            return x * mask
        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rules")
    (folder / "rules_to_show.py").write_text(dedent(RULES))
    sys.path.insert(0, str(folder))
    invalidate_caches()
    yield import_module("rules_to_show")
    sys.path.remove(str(folder))
    del sys.modules["rules_to_show"]


def printed(program):
    """What it prints: the number that is returned, and the slope."""
    before, seen = list(sys.path), io.StringIO()
    state = torch.get_rng_state()
    try:
        with contextlib.redirect_stdout(seen):
            exec(compile(program, "<program>", "exec"), {})
    finally:
        sys.path[:] = before
        torch.set_rng_state(state)
    first, second = seen.getvalue().splitlines()
    return first.partition(": ")[2], float(second.partition(": ")[2])


A = torch.tensor([[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]], dtype=torch.float64)
INPUTS = {
    "Half": (A,),
    "Both": (A, A + 1, 3, "sum"),
    "InPlace": (A,),
    "Masked": (A,),
}


@pytest.mark.parametrize(
    ("name", "ratio"), [("Half", 0.5), ("Both", -1.0), ("InPlace", 0.5), ("Masked", 2.0)]
)
def test_it_prints_a_gradient_and_the_slope_of_the_forward(rules, name, ratio):
    report = examine_function(getattr(rules, name), INPUTS[name])
    assert report.verdict == "wrong"
    got, slope = printed(report.snippet)
    assert slope != 0.0
    assert float(got) / slope == pytest.approx(ratio, rel=1e-6)
    assert max(map(len, report.snippet.splitlines())) <= 120


def test_a_gradient_that_is_missing_is_shown_as_none(rules):
    x = A.clone().requires_grad_()
    report = examine_function(rules.Missing, (x, torch.tensor(2.0, dtype=torch.float64)))
    assert printed(report.snippet) == ("None", pytest.approx(3 * 1.7, rel=1e-6))


def test_numbers_that_are_invented_are_short(rules):
    program = examine_function(rules.Half).snippet
    decimals = [len(digits) for digits in re.findall(r"\d\.(\d+)", program)]
    assert decimals
    assert max(decimals) <= 4


def test_there_is_none_where_nothing_could_be_pasted(rules):
    class Local(rules.Half):
        pass

    assert examine_function(Local, (A,)).snippet == ""  # no import finds it
    assert examine_function(rules.Half, (torch.randn(30, 30, dtype=torch.float64),)).snippet == ""  # large
    assert examine_function(Function, (A,)).snippet == ""
    assert examine_function(rules.Half, (A.float(),)).snippet  # examined in float64 all the same
