"""Each witness of the court by itself: what it says, what it cannot say, and that it can contradict."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

import mpmath
import pytest

from minigrad import Graph, Value, functions, parse, trace
from minigrad.graph import INPUT, Node
from minigrad.language import parse as read
from minigrad.ops import MANY, OPS
from minigrad.text.page import Page
from minigrad.verify import WITNESSES, court
from minigrad.verify.case import case_of
from minigrad.verify.definitions import DEFINITIONS
from minigrad.verify.testimony import ABSENT, AGREES, CANNOT, DISAGREES, UNRELIABLE
from minigrad.verify.tolerance import doubts
from minigrad.verify.witnesses import LIBRARIES, QUICK, ask, chosen
from minigrad.verify.witnesses.by_hand import local_on_paper
from minigrad.verify.witnesses.complex_step import step_at
from referee import DEFINITIONS as REFEREED

CLASSIC = "ab = a*b; e = ab + c; f = a - c; L = e*f"
AT = {"a": 2.0, "b": 3.0, "c": 4.0}
SMOOTH = ("tanh(a*b) + exp(a - b)/c", {"a": 0.5, "b": -0.25, "c": 1.5})
MODULES = {
    "mpmath": "mpmath",
    "sympy": "sympy",
    "torch": "torch",
    "jax": "jax",
    "autograd": "autograd",
}


def one_op(op, xs):
    leaves = [Node(INPUT, (), f"i{i}", x) for i, x in enumerate(xs)]
    return Graph([*leaves, Node(op, tuple(range(len(xs))))])


def slopes(key, text, at):
    statement = ask(key, case_of(text, at))
    assert not statement.status, statement
    return {name: estimate.number for name, estimate in statement.slopes.items()}


# ---- everybody ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", WITNESSES)
def test_every_witness_knows_the_classic_gradients(key):
    assert slopes(key, CLASSIC, AT) == pytest.approx({"a": 4.0, "b": -4.0, "c": -12.0}, rel=1e-9)


@pytest.mark.parametrize("key", [key for key in WITNESSES if key != "exact"])
def test_every_witness_knows_the_gradients_of_a_smooth_expression(key):
    text, at = SMOOTH
    a, b, c = at["a"], at["b"], at["c"]
    sech = 1.0 / math.cosh(a * b) ** 2
    right = {
        "a": b * sech + math.exp(a - b) / c,
        "b": a * sech - math.exp(a - b) / c,
        "c": -math.exp(a - b) / c**2,
    }
    assert slopes(key, text, at) == pytest.approx(right, rel=1e-8)


@pytest.mark.parametrize("key", WITNESSES)
def test_every_witness_contradicts_a_planted_wrong_gradient(key):
    verdict = court(CLASSIC, AT, claimed={"a": 4.002, "b": -4.0}, ask=key)
    (testimony,) = verdict.witnesses
    assert testimony.status == DISAGREES
    assert {f.name: f.status for f in testimony.findings} == {"a": DISAGREES, "b": AGREES}
    assert verdict.verdict == "wrong"


@pytest.mark.parametrize("key", MODULES)
def test_a_witness_that_is_not_installed_says_so_and_names_the_extra(key, monkeypatch):
    monkeypatch.setitem(sys.modules, MODULES[key], None)
    verdict = court(CLASSIC, AT, ask=f"quick,{key}")
    testimony = next(t for t in verdict.witnesses if t.witness == key)
    assert testimony.status == ABSENT
    extra = {"torch": "torch", "jax": "jax"}.get(key, "court")
    assert f"pip install 'minigrad-lab[{extra}]'" in verdict.text()
    assert verdict.verdict == "right"


@pytest.mark.parametrize("key", [key for key in WITNESSES if key not in ("paper", "dual", "central")])
def test_a_node_that_was_made_by_hand_cannot_be_run_again(key):
    x = Value(2.0, label="x")
    testimony = court(Value(6.0, (x,), (3.0,)), ask=key).witnesses[0]
    assert (testimony.status, testimony.why) == (CANNOT, "custom")


@pytest.mark.parametrize("key", ["mpmath", "exact", "complex", "sympy"])
def test_an_input_that_is_not_finite_is_outside_their_numbers(key):
    testimony = court("a*2", {"a": math.inf}, ask=key).witnesses[0]
    assert (testimony.status, testimony.why) == (CANNOT, "infinite")


def test_what_quick_and_lists_stand_for():
    assert set(QUICK) == set(WITNESSES) - {*LIBRARIES, "sympy"}
    assert chosen("all") == tuple(WITNESSES)
    assert chosen("torch, mpmath") == ("mpmath", "torch")
    assert chosen(["dual"]) == ("dual",)
    for wrong in ("", "numpy", "torch;jax", []):
        with pytest.raises(ValueError, match="there is no witness"):
            chosen(wrong)


def test_a_library_that_fails_does_not_end_the_trial(monkeypatch):
    import torch

    monkeypatch.setattr(torch.autograd, "grad", lambda *_, **__: 1 / 0)
    verdict = court(CLASSIC, AT, ask="quick,torch")
    assert {t.witness: t.why for t in verdict.witnesses}["torch"] == "failed"
    assert verdict.verdict == "right"


# ---- definitions --------------------------------------------------------------------------------


def test_every_op_has_a_definition_and_none_is_without_an_op():
    assert set(DEFINITIONS) == set(OPS), "write what it is in src/minigrad/verify/definitions.py"


@pytest.mark.parametrize("op", OPS.values(), ids=lambda op: op.name)
def test_definitions_give_the_value_that_the_table_gives(op):
    from minigrad.values import ieee

    for xs in op.samples:
        with mpmath.workdps(60):
            assert math.isclose(REFEREED[op.name](*map(mpmath.mpf, xs)), op.forward(ieee, *xs), rel_tol=1e-15)


# ---- the column of paper formulas ---------------------------------------------------------------


@pytest.mark.parametrize("op", OPS.values(), ids=lambda op: op.name)
def test_the_formulas_on_paper_are_the_derivatives(op):
    """At fifty digits, so that a formula that cancels in floats is still seen to be right."""
    from minigrad.verify.witnesses.high_precision import numbers

    assert len(op.paper) == (1 if op.arity[1] == MANY else op.arity[1])
    n = numbers()
    for xs in op.samples:
        right = ask("mpmath", case_of(one_op(op.name, xs))).slopes
        for slot in range(len(xs)):
            if right[f"i{slot}"].why:  # the condition of where stands on its jump
                continue
            with mpmath.workdps(60):
                points = [mpmath.mpf(x) for x in xs]
                fields = dict(zip("abc", points, strict=False))
                fields |= {"y": REFEREED[op.name](*points), "pi": mpmath.pi(), "n": mpmath.mpf(len(xs))}
                fields |= {"x": points[slot], "partner": points[(slot + len(xs) // 2) % len(xs)]}
                fields["others"] = mpmath.fprod(points[:slot] + points[slot + 1 :])
                text = op.paper[slot if op.arity[1] != MANY else 0]
                used = {name: name for name in fields if "{" + name + "}" in text}
                graph = read(text.format(**used), dict.fromkeys(used, 1.0))
                values = []
                for node, name in zip(graph.nodes, graph.names, strict=True):
                    if node.args:
                        values.append(REFEREED[node.op](*[values[arg] for arg in node.args]))
                    else:
                        values.append(fields[name] if node.op == INPUT else n.number(node.data))
                got = float(values[graph.output])
            assert math.isclose(got, right[f"i{slot}"].number, rel_tol=1e-14), (text, xs)


def test_the_formulas_on_paper_are_evaluated_in_floats():
    graph = parse("y = a / b", {"a": 3.0, "b": 2.0})
    assert local_on_paper(graph, 2, 1, graph.evaluate()) == -0.75


# ---- each one's own way -------------------------------------------------------------------------


def test_the_complex_step_is_accurate_where_differences_cancel():
    at = {"a": 1e-9}
    assert slopes("complex", "sin(a)*exp(a)", at)["a"] == pytest.approx(1.0 + 2e-9, rel=1e-15)
    assert slopes("complex", "tanh(a)", {"a": 20.0})["a"] == pytest.approx(1.6993417021166355e-17, rel=1e-13)


@pytest.mark.parametrize("x", [0.0, 1.0, -3.5, 1e-60, 1e-200, 1e300, 1e-12])
def test_the_complex_step_neither_under_nor_overflows(x):
    assert 0.0 < step_at(x) <= (abs(x) or 1.0) * 2.0**-99
    assert slopes("complex", "3*a*a - a", {"a": x})["a"] == pytest.approx(6.0 * x - 1.0, rel=1e-13)


@pytest.mark.parametrize(("text", "op"), [("erf(a)", "erf"), ("gelu(a)*2", "gelu")])
def test_what_has_no_complex_version_it_cannot_do(text, op):
    testimony = court(text, {"a": 0.5}, ask="complex").witnesses[0]
    assert (testimony.status, testimony.why, testimony.kept_from[2]) == (CANNOT, "op", op)


@pytest.mark.parametrize("key", ["mpmath", "exact", "complex"])
def test_they_see_the_slopes_to_either_side_of_a_kink(key):
    for text, sides in (
        ("3*abs(a) + a", (-2.0, 4.0)),
        ("relu(a)", (0.0, 1.0)),
        ("maximum(a, 2*a)", (1.0, 2.0)),
    ):
        (estimate,) = ask(key, case_of(text, {"a": 0.0})).slopes.values()
        assert (estimate.why, estimate.sides) == ("kink", sides)
        near = ask(key, case_of(text, {"a": 1e-200})).slopes["a"]
        assert (near.why, near.number) == ("", sides[1])


@pytest.mark.parametrize("key", ["mpmath", "exact", "complex"])
def test_they_see_a_jump(key):
    for text in ("sign(a)", "a > 0", "where(a, 2, 3)"):
        assert ask(key, case_of(text, {"a": 0.0})).slopes["a"].why == "jump"


def test_a_stationary_point_is_no_kink():
    for key in ("mpmath", "exact", "complex"):
        for text in ("a*a", "a**4", "(a*a - a*a)*3"):
            estimate = ask(key, case_of(text, {"a": 0.0})).slopes["a"]
            assert (estimate.why, estimate.number) == ("", 0.0)


def test_exact_rationals_round_once():
    a, b = Fraction(0.1), Fraction(0.3)
    estimates = ask("exact", case_of("(a*b - a/b)**3", {"a": 0.1, "b": 0.3}))
    assert estimates.value.number == float((a * b - a / b) ** 3)
    assert estimates.slopes["a"].number == float(3 * (a * b - a / b) ** 2 * (b - 1 / b))


@pytest.mark.parametrize(
    ("text", "why"), [("exp(a)", "op"), ("a**0.5", "op"), ("2**a", "op"), ("a**1e6 * a", "digits")]
)
def test_what_is_no_fraction_it_cannot_do(text, why):
    testimony = court(text, {"a": 1.25}, ask="exact").witnesses[0]
    assert (testimony.status, testimony.why) == (CANNOT, why)


def test_mpmath_knows_infinite_slopes_and_edges():
    for text, x, number, why in (
        ("cbrt(a)", 0.0, math.inf, "steep"),
        ("sqrt(a)", 0.0, math.inf, "edge"),
        ("arccos(a)", 1.0, -math.inf, "edge"),
        ("log(a)", 0.0, math.nan, "domain"),
    ):
        estimate = ask("mpmath", case_of(text, {"a": x})).slopes["a"]
        assert estimate.why == why
        assert estimate.number == number or number != number


def test_mpmath_is_right_where_the_slope_is_far_below_its_first_precision():
    at = {"a": 1.0}
    assert slopes("mpmath", "a*1e-300 + 1e300", at)["a"] == 1e-300
    assert slopes("mpmath", "exp(-700*a)", at)["a"] == pytest.approx(-700.0 * math.exp(-700.0), rel=1e-13)


def test_towers_of_exponentials_are_refused_and_not_waited_for():
    text = "exp(exp(exp(exp(exp(a)))))"
    assert ask("mpmath", case_of(text, {"a": 3.0})).why == "overflow"
    assert ask("mpmath", case_of(f"sin({text})", {"a": 3.0})).why == "overflow"


def test_jax_leaves_the_precision_of_the_program_as_it_was():
    import jax

    before = jax.numpy.asarray(1.0).dtype
    court(CLASSIC, AT, ask="jax")
    assert jax.numpy.asarray(1.0).dtype == before


def test_a_library_without_the_op_says_which():
    for key, text, op in (("torch", "cbrt(a)", "cbrt"), ("autograd", "relu(a)", "relu")):
        testimony = court(text, {"a": 0.5}, ask=key).witnesses[0]
        assert (testimony.status, testimony.why, testimony.kept_from[2]) == (CANNOT, "op", op)
    testimony = court("elu(a, b)", {"a": -0.5, "b": 2.0}, ask="torch").witnesses[0]
    assert (testimony.status, testimony.why) == (CANNOT, "argument")


@pytest.mark.parametrize("key", ["torch", "jax"])
@pytest.mark.parametrize("op", OPS.values(), ids=lambda op: op.name)
def test_the_foreign_names_of_the_table_are_the_same_functions(op, key):
    if key not in op.foreign:
        assert ask(key, case_of(one_op(op.name, op.samples[0]))).why == "op"
        return
    for xs in op.samples:
        x, *rest = [Value(x, label=f"i{i}") for i, x in enumerate(xs)]
        if op.defaults:  # plain numbers there
            graph = Graph.of(getattr(functions, op.name)(x, *[v.data for v in rest]))
        else:
            graph = one_op(op.name, xs)
        verdict = court(graph, ask=f"mpmath,{key}")
        assert verdict.witnesses[1].status in (AGREES, UNRELIABLE), (xs, verdict.witnesses[1])
        assert "unexplained" not in {f.why for f in verdict.witnesses[1].all_findings}


def test_dual_numbers_believe_a_wrong_rule_and_say_whose_it_is():
    testimony = court(CLASSIC, AT, ask="dual").witnesses[0]
    assert testimony.note == "our_rules"
    assert court(CLASSIC, AT, ask="dual").verdict == "undecided"  # it cannot vouch for the rules


# ---- budgets ------------------------------------------------------------------------------------


def test_many_paths_are_not_walked():
    y = Value(1.01, label="x")
    for _ in range(200):
        y = (y + y) * 0.5
    statement = ask("paper", case_of(Graph.of(y)))
    assert (statement.status, statement.why) == (CANNOT, "paths")


def test_a_large_graph_is_judged_along_one_direction():
    xs = [Value(0.01 * i - 0.7, label=f"w{i}") for i in range(700)]
    graph = Graph.of(functions.sum([(x * 0.5).tanh() * x for x in xs]))
    for key in ("mpmath", "central"):
        assert set(ask(key, case_of(graph)).slopes) == {""}

    def rule(graph, node, values):
        factor = 1.0005 if graph.nodes[node].op == "tanh" and node > 3000 else 1.0
        return [factor * local for local in graph.locals(node, values)]

    verdict = court(graph, ask="quick,torch")
    assert (verdict.verdict, verdict.why.code) == ("right", "direction")
    assert "along one direction" in verdict.text(page=Page(rows=30))
    assert court(trace(graph, rule=rule), ask="mpmath").verdict == "wrong"
    for key in ("sympy", "jax", "exact"):
        assert ask(key, case_of(graph)).why in ("size", "op")


# ---- roundings ----------------------------------------------------------------------------------


def test_doubts_are_small_where_nothing_cancels_and_large_where_everything_does():
    graph = parse(*SMOOTH)
    found = doubts(graph, graph.evaluate())
    assert all(found.grads[i] < 1e-13 for i in graph.inputs)
    graph = parse("tan(a + b)", {"a": 1.5707963267948, "b": 9.66e-14})
    found = doubts(graph, graph.evaluate())
    assert found.grads[0] > 1e-4 * found.gross[0]
