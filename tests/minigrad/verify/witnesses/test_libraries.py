"""Shared parts of the witnesses of other libraries, and HIPS autograd by itself."""

from __future__ import annotations

from math import inf

import pytest

from minigrad.verify.case import case_of
from minigrad.verify.testimony import CANNOT, Estimate, Statement
from minigrad.verify.witnesses import ask, hips_autograd
from minigrad.verify.witnesses.libraries import estimate, of_a_library

AT = {"a": 2.0, "b": 3.0}


def test_a_library_gives_no_error_bar():
    assert estimate(2.5) == Estimate(2.5, 0.0, "")
    assert estimate(-inf) == Estimate(-inf, 0.0, "infinite")


def test_a_graph_that_is_too_large_for_a_library_is_counted():
    agrees = Statement("mine", Estimate(6.0))
    for largest, said in ((3, agrees), (2, Statement("mine", status=CANNOT, why="size", about="3"))):
        asked = of_a_library("mine", extra="court", largest=largest)(lambda case: agrees)
        assert asked(case_of("a*b", AT)) == said


@pytest.mark.parametrize(("c", "slopes"), [(1.0, {"a": 1.0, "b": 0.0}), (0.0, {"a": 0.0, "b": 1.0})])
def test_autograd_follows_what_was_chosen(c, slopes):
    statement = ask("autograd", case_of("where(c, a, b)", {"c": c, **AT}, claimed={"a": 0.0, "b": 0.0}))
    assert {name: each.number for name, each in statement.slopes.items()} == slopes
    assert statement.value == Estimate(2.0 if c else 3.0)


@pytest.mark.parametrize(
    ("complaint", "op"),
    [
        ("VJP of multiply wrt argnums 0 not defined", "mul"),
        ("VJP of frobnicate wrt argnums 0 not defined", "frobnicate"),
        ("not today", "add"),  # the op that was being called
    ],
)
def test_an_op_that_autograd_cannot_do_is_named(monkeypatch, complaint, op):
    def refuse(root, op, xs):
        raise NotImplementedError(complaint)

    monkeypatch.setattr(hips_autograd, "_op", refuse)
    statement = ask("autograd", case_of("a + b", AT))
    assert (statement.status, statement.why, statement.about) == (CANNOT, "op", op)
