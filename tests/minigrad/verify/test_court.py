"""The court: it convicts what is wrong, acquits what is right, and knows whom not to believe."""

from __future__ import annotations

import math

import pytest

import minigrad.ops
from minigrad import Graph, Value, parse, trace
from minigrad.ops import OPS
from minigrad.verify import WITNESSES, court
from minigrad.verify.decision import VALUE
from minigrad.verify.testimony import AGREES, DISAGREES, UNRELIABLE
from op_graphs import statuses

CLASSIC = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2.0, "b": 3.0, "c": 4.0})


OUTSIDE = Value(1.0, label="w")


# ---- convictions --------------------------------------------------------------------------------


def test_a_wrong_row_of_the_table_is_convicted_and_dual_numbers_believe_it(monkeypatch):
    row = OPS["tanh"]
    wrong = row._replace(partials=lambda m, y, x: (1.0005 * row.partials(m, y, x)[0],))
    monkeypatch.setitem(minigrad.ops._rows, "tanh", wrong)
    verdict = court("tanh(a)*b", {"a": 0.5, "b": 2.0}, ask="quick,torch")
    assert verdict.verdict == "wrong"
    assert (verdict.why.code, verdict.why.suspect.op) == ("rule", "tanh")
    said = statuses(verdict)
    assert said.pop("dual") == AGREES
    assert said.pop("exact") == "cannot"
    assert set(said.values()) == {DISAGREES}


def test_a_broken_pass_over_right_rules_is_bookkeeping():
    graph = parse(*CLASSIC)
    for order in graph.orders():
        record = trace(graph, order=order, accumulate=lambda before, amount: amount)
        verdict = court(record, ask="quick")
        assert (verdict.verdict, verdict.why.code) == ("wrong", "bookkeeping")
        assert set(verdict.why.inputs) == {"a", "c"}
        assert "bookkeeping" in verdict.reason
        assert statuses(verdict)["dual"] == DISAGREES


def test_a_wrong_start_is_seen_when_the_right_one_is_known():
    record = trace(parse(*CLASSIC), seed=3.0)
    assert court(record, ask="quick").verdict == "right"
    assert court(record, ask="quick", seed=1.0).verdict == "wrong"


def test_a_wrong_forward_value_is_noticed_though_all_derivatives_agree(monkeypatch):
    """tanh computed as 1 + tanh: every slope is right, and only a recomputation tells."""
    row = OPS["tanh"]
    monkeypatch.setitem(
        minigrad.ops._rows, "tanh", row._replace(forward=lambda m, x: 1.0 + row.forward(m, x))
    )
    for ask in ("mpmath", "quick", "torch", "sympy", "complex"):
        verdict = court("y = tanh(a)", {"a": 0.5}, ask=ask)
        assert (verdict.verdict, verdict.why.code) == ("wrong", "value"), ask
        assert [d.verdict for d in verdict.decisions if d.what != VALUE] == ["right"]
    verdict = court("y = tanh(a)", {"a": 0.5}, ask="quick")
    assert "The forward value of tanh is wrong" in verdict.reason
    assert statuses(verdict)["central"] == AGREES


def test_a_claimed_value_is_tried():
    assert court("a*b", {"a": 2, "b": 3}, claimed={"a": 3, "b": 2}, value=6.0, ask="quick").verdict == "right"
    verdict = court("a*b", {"a": 2, "b": 3}, claimed={"a": 3, "b": 2}, value=6.001, ask="quick")
    assert (verdict.verdict, verdict.why.code) == ("wrong", "value")


# ---- claims -------------------------------------------------------------------------------------


def test_somebody_elses_gradients_are_tried():
    verdict = court(*CLASSIC, claimed={"a": 10.0, "b": -4.0}, ask="quick")
    assert (verdict.verdict, verdict.why.code, verdict.why.inputs) == ("wrong", "claim", ("a",))
    assert "dL/da is 4" in verdict.reason
    assert court(*CLASSIC, claimed={"a": 4.0}, ask="quick").verdict == "right"


def test_a_number_that_was_written_down_is_taken_as_rounded():
    at = {"a": 3.0}
    rounded = (("-0.1111", True), ("-0.111111", True), ("-0.11", True), ("-0.1112", False), ("-0.12", False))
    for text, right in rounded:
        verdict = court("1/a", at, claimed={"a": text}, ask="quick")
        assert (verdict.verdict == "right") is right, text
    assert court("1/a", at, claimed={"a": -0.1111}, ask="quick").verdict == "wrong"


@pytest.mark.parametrize(
    ("text", "at", "gradients"),
    [
        ("c = a*b; d = a+b; e = c+d", {"a": 2, "b": -3}, {"a": -2, "b": 3}),
        (CLASSIC[0], CLASSIC[1], {"a": 4, "b": -4, "c": -12}),
        ("a + a", {"a": 1.5}, {"a": 2}),
        ("f = relu(a*b + d)", {"a": 2, "b": -3, "d": 10}, {"a": -3, "b": 2, "d": 1}),
        ("z = x*y", {"x": 3, "y": 5}, {"x": 5, "y": 3}),
    ],
)
def test_the_facts_of_the_documents(text, at, gradients):
    verdict = court(text, at)
    assert verdict.verdict == "right"
    assert dict(verdict.case.gradients) == gradients
    assert court(text, at, claimed=gradients, ask="quick").verdict == "right"


@pytest.mark.parametrize("got", [(-6, -4, -2), (10, -4, -10), (-6, -4, -10)])
def test_the_broken_numbers_of_the_documents_are_convicted(got):
    verdict = court(*CLASSIC, claimed=dict(zip("abc", got, strict=True)), ask="quick")
    assert verdict.verdict == "wrong"
    assert set(verdict.why.inputs) == {"a", "c"}


# ---- acquittals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "at", "who", "why"),
    [
        ("abs(a)", {"a": 0.0}, "jax", "kink"),
        ("abs(a)", {"a": 0.0}, "central", "kink"),
        ("clamp(a, 0, 1)", {"a": 0.0}, "jax", "kink"),
        ("tanh(a)", {"a": 20.0}, "torch", "cancellation"),
        ("sigmoid(a)", {"a": 40.0}, "jax", "cancellation"),
        ("exp(a)", {"a": -720.0}, "jax", "flushed"),
        ("a/b", {"a": 1e-200, "b": 1e-200}, "jax", "overflow"),
        ("where(a > 0, log(a), 0)", {"a": -1.0}, "central", ""),
        ("where(a > 0, sqrt(a), 0)", {"a": -1.0}, "torch", "branch"),
        ("where(a < 100, exp(a), a)", {"a": 1000.0}, "torch", "branch"),
        ("exp(a)", {"a": 710.0}, "central", "range"),
        ("gelu(a)", {"a": -30.0}, "torch", "cancellation"),
        ("(a + 1e17) - 1e17", {"a": 1.0}, "central", "rounding"),
        ("sin(a)", {"a": 1e22}, "central", "rough"),
    ],
)
def test_who_is_unreliable_where_and_why(text, at, who, why):
    verdict = court(text, at)
    assert verdict.verdict == "right"
    testimony = next(t for t in verdict.witnesses if t.witness == who)
    assert (testimony.status, testimony.why) == ((UNRELIABLE, why) if why else (AGREES, ""))


def test_at_a_kink_a_fair_choice_is_acquitted_and_others_are_not():
    for claim, verdict in (
        (-1.0, "right"),
        (0.5, "right"),
        (1.0, "right"),
        (1.5, "wrong"),
        (math.nan, "wrong"),
    ):
        assert court("abs(a)", {"a": 0.0}, claimed={"a": claim}, ask="quick").verdict == verdict
    verdict = court("abs(a)", {"a": 0.0}, ask="quick")
    assert verdict.why.code == "convention"
    assert "-1 to the left and 1 to the right" in verdict.reason


def test_infinite_slopes_are_judged():
    for claim, verdict in ((math.inf, "right"), (7.0, "wrong")):
        assert court("sqrt(a)", {"a": 0.0}, claimed={"a": claim}, ask="quick").verdict == verdict
        assert court("cbrt(a)", {"a": 0.0}, claimed={"a": claim}, ask="quick").verdict == verdict


def test_where_nobody_can_judge_the_verdict_is_open():
    verdict = court("erf(a)", {"a": 0.5}, ask="complex")
    assert (verdict.verdict, verdict.why.code) == ("undecided", "nobody")
    x = Value(2.0, label="x")
    assert court(Value(6.0, (x,), (3.0,)), ask="quick").verdict == "undecided"


def test_what_is_lost_in_rounding_is_not_called_wrong():
    """The float next to pi/2 decides what tan is there; no pass can know better."""
    at = {"a": 1.5707963267948, "b": 9.66e-14}
    assert court("tan(a + b)", at, ask="quick").verdict != "wrong"


# ---- subjects -----------------------------------------------------------------------------------


def test_a_function_of_scalars_is_tried():
    verdict = court(lambda a, b: a * b + a, (2.0, 3.0), ask="quick")
    assert verdict.verdict == "right"
    assert dict(verdict.case.gradients) == {"a": 4.0, "b": 2.0}
    assert court(lambda a, b: a * b + a, {"b": 3.0, "a": 2.0}, ask="quick").verdict == "right"
    assert court(lambda x: x.exp(), 0.5, ask="quick").verdict == "right"
    assert dict(court(lambda a, b: a * 2, (1.0, 5.0), ask="quick").case.gradients) == {"a": 2.0, "b": 0.0}
    assert dict(court(lambda *xs: xs[0] * xs[1], (2.0, 3.0), ask="quick").case.gradients) == {
        "x1": 3.0,
        "x2": 2.0,
    }


def cube(x, factor=3.0):
    """A custom op with a rule written by hand."""
    x = x if isinstance(x, Value) else Value(x)
    return Value(x.data**3, (x,), (factor * x.data**2,))


def test_an_op_with_a_wrong_rule_of_its_own_is_convicted_through_the_function():
    assert court(lambda a: cube(a) * 2.0 + a, (1.5,), ask="quick").verdict == "right"
    verdict = court(lambda a: cube(a, 3.0015) * 2.0 + a, (1.5,), ask="quick")
    assert (verdict.verdict, verdict.why.code) == ("wrong", "rule")
    assert "made by hand" in verdict.reason


def test_a_function_that_computes_something_else_on_floats_is_seen():
    def two_faced(a):
        return a * a if isinstance(a, Value) else a * a + 1.0

    verdict = court(two_faced, (1.5,), ask="central")
    assert (verdict.verdict, verdict.why.code) == ("wrong", "value")


def test_values_graphs_and_traces_are_tried():
    a, b = Value(2.0, label="a"), Value(3.0, label="b")
    y = a * b + a
    assert court(y, ask="quick").verdict == "right"
    assert court(Graph.of(y), {"a": 5.0}, ask="quick").case.gradients == {"a": 4.0, "b": 5.0}
    assert court(Graph.of(y), (5.0, 1.0), ask="quick").case.gradients == {"a": 2.0, "b": 5.0}
    assert court(trace(y, seed=-2.0), ask="quick").verdict == "right"


def test_a_claim_off_by_a_hundredth_of_a_per_cent_is_wrong_however_much_cancels():
    """Large contributions leave room for roundings, but never a millionth of the slope."""
    graph, at = "a*1e13 - a*(1e13 - 1)", {"a": 1.0}
    assert court(graph, at, claimed={"a": 1.0}, ask="quick").verdict == "right"
    assert court(graph, at, claimed={"a": 1.0001}, ask="quick").verdict == "wrong"
    assert court(graph, at, claimed={"a": 1.000004}, ask="quick").verdict == "wrong"


def test_at_a_kink_the_slopes_of_both_sides_are_in_the_unit_of_the_seed():
    def verdict(claim, seed):
        return court("relu(a)", {"a": 0.0}, claimed={"a": claim}, seed=seed, ask="quick").verdict

    assert [verdict(claim, 3.0) for claim in (0.0, 2.5, 3.0)] == ["right"] * 3
    assert [verdict(claim, 3.0) for claim in (-0.5, 3.5)] == ["wrong"] * 2
    assert [verdict(claim, 1.0) for claim in (2.5, 0.5)] == ["wrong", "right"]
    assert [verdict(claim, -2.0) for claim in (-1.5, 0.5)] == ["right", "wrong"]


@pytest.mark.parametrize("lang", ["en", "es"])
@pytest.mark.parametrize(
    "call",
    [
        lambda: court(3),
        lambda: court("2 + 3"),
        lambda: court("a +", {"a": 1}),
        lambda: court("a*2", {"a": "x"}),
        lambda: court("a*2", [1.0]),
        lambda: court("a*2"),
        lambda: court("a*2", {"a": 1.0}, claimed={"b": 1.0}),
        lambda: court("a*2", {"a": 1.0}, claimed={}),
        lambda: court("a*2", {"a": 1.0}, claimed={"a": "two"}),
        lambda: court("a*2", {"a": 1.0}, ask="numpy"),
        lambda: court("a*2", {"a": 1.0}, seed=0.0),
        lambda: court(lambda a: a * 2),
        lambda: court(lambda a: a * 2, (1.0, 2.0)),
        lambda: court(lambda a: 2.0, (1.0,)),
        lambda: court(Graph.of(Value(2.0, label="a") * 2), (1.0, 2.0)),
        lambda: court(Graph.of(Value(2.0, label="a") * 2), {"b": 2.0}),
        lambda: court(lambda a: a * OUTSIDE, (1.0,)),
    ],
)
def test_bad_input_gets_a_sentence(call, lang):
    from minigrad.text.translation import speaking

    with speaking(lang), pytest.raises((ValueError, TypeError, KeyError)) as caught:
        call()
    assert len(str(caught.value).split()) > 3


def test_every_witness_is_heard():
    assert [t.witness for t in court(*CLASSIC).witnesses] == list(WITNESSES)
    assert set(statuses(court(*CLASSIC)).values()) == {AGREES}
