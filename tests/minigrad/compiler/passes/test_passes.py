"""Each pass of the compiler from scalars to scalars: a small program before and after it, printed.

A pass is a function from program to program: it changes no number, leaves what it was given as it was, and
what it returns is a program that the checker accepts.
"""

from __future__ import annotations

import random
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import pytest

from compile_passes import program, shows, watched
from minigrad.compiler.passes.backward import backward
from minigrad.compiler.passes.dead import dead
from minigrad.compiler.passes.expand import expand
from minigrad.compiler.passes.flatten import flatten
from minigrad.compiler.passes.fold import fold
from minigrad.compiler.passes.scatter import scatter
from minigrad.compiler.passes.simplify import simplify
from minigrad.compiler.passes.spread import spread
from minigrad.compiler.passes.total import total
from minigrad.compiler.passes.zeros import zeros
from minigrad.compiler.pipeline import PASSES, Build
from minigrad.compiler.program_text import show
from minigrad.compiler.scalars import Guard, Scalars
from scalar_programs import random_program, smooth_program


def neuron() -> Scalars:
    """exp(0 + x0*x2 + x1*x3), as a loop writes it."""
    return program(4, 0.0, ("mul", 0, 2), ("add", 4, 5), ("mul", 1, 3), ("add", 6, 7), ("exp", 8))


# ---- fold ---------------------------------------------------------------------------------------


def test_fold_computes_what_is_known_already():
    before = program(1, 2.0, 3.0, ("mul", 1, 2), ("pow", 0, 3), ("neg", 3), ("mul", 4, 5))
    shows(before, """
        n3 = 2 * 3
        n4 = x0 ** n3
        n5 = -n3
        n6 = n4 * n5
        out: n6
    """)  # fmt: skip
    shows(fold(before), """
        n4 = x0 ** 6
        n6 = n4 * -6
        out: n6
    """)  # fmt: skip


def test_fold_leaves_what_has_a_gradient():
    before = program(1, 1.0, ("mul", 0, 1), 0.0, ("mul", 0, 3), ("add", 2, 4))
    shows(fold(before), show(before))


# ---- flatten ------------------------------------------------------------------------------------


def test_flatten_finds_the_dot_product_in_a_loop():
    shows(neuron(), """
        n5 = x0 * x2
        n6 = 0 + n5
        n7 = x1 * x3
        n8 = n6 + n7
        n9 = exp(n8)
        out: n9
    """)  # fmt: skip
    shows(flatten(neuron()), """
        n5 = 0 + x0*x2 + x1*x3
        n6 = exp(n5)
        out: n6
    """)  # fmt: skip


@pytest.mark.parametrize(
    ("nodes", "after"),
    [
        # a + (b + c) is (b + c) + a, to the bit; it is not (a + b) + c
        ((("add", 1, 2), ("add", 0, 3)), "n3 = x1 + x2 + x0"),
        # a - (b + c) has no such other form: the inner sum stays
        ((("add", 1, 2), ("sub", 0, 3)), "n3 = x1 + x2\nn4 = x0 - n3"),
        ((("sub", 0, 1), ("sub", 3, 2)), "n3 = x0 - x1 - x2"),
        ((("neg", 0), ("sub", 3, 1), ("sub", 4, 2)), "n3 = -x0 - x1 - x2"),
        ((("mul", 0, 1), ("sub", 2, 3)), "n3 = x2 - x0*x1"),
        ((("mul", 0, 1), ("neg", 3), ("add", 2, 4)), "n3 = x0 * x1\nn4 = x2 - n3"),
        # a product that is used twice stays
        ((("mul", 0, 1), ("add", 3, 2), ("add", 4, 3)), "n3 = x0 * x1\nn4 = n3 + x2 + n3"),
        # two bare terms are an addition
        ((("add", 0, 1), ("mul", 3, 2)), "n3 = x0 + x1\nn4 = n3 * x2"),
        # the table's own sums are rounded once
        ((("sum", 0, 1, 2),), "n3 = fsum(x0, x1, x2)"),
        ((("dot", 0, 1, 2, 0),), "n3 = fsum(x0*x2, x1*x0)"),
    ],
)
def test_flatten_keeps_the_order_of_every_sum(nodes, after):
    text = flatten(program(3, *nodes))
    shows(text, f"{after}\nout: n{len(text) - 1}")


def test_flatten_keeps_what_is_wanted():
    """An output, or what a guard looks at, stays a node."""
    before = program(3, ("mul", 0, 1), ("add", 3, 2), ("add", 4, 2), outputs=(5, 4))
    shows(flatten(before), """
        n3 = x0*x1 + x2
        n4 = n3 + x2
        out: n4, n3
    """)  # fmt: skip
    before = program(3, ("mul", 0, 1), ("add", 3, 2))
    before.guards = [Guard(3, 2.0, "here:1")]
    shows(flatten(before), """
        n3 = x0 * x1
        n4 = n3 + x2
        out: n4
        guard: n3 = 2  (here:1)
    """)  # fmt: skip


# ---- backward -----------------------------------------------------------------------------------


def test_backward_writes_the_gradient_down():
    """exp sends its output times 1; the sum hands that on to the factors, the newest term first."""
    after, gradients = backward(flatten(neuron()), [0, 1, 2, 3])
    shows(after, """
        n5 = 0 + x0*x2 + x1*x3
        n6 = exp(n5)
        n8 = 0 + n6*1
        n9 = 0 + x1*n8
        n10 = 0 + x0*n8
        n11 = 0 + x3*n8
        n12 = 0 + x2*n8
        out: n6
    """)  # fmt: skip
    assert gradients == [12, 11, 10, 9]


def test_backward_adds_the_newest_message_first():
    """Each use of x0 is one term of its gradient, from the newest consumer to the oldest, slot by slot."""
    before = program(2, ("mul", 0, 0), ("sin", 0), ("mul", 2, 3))
    after, (gradient, nothing) = backward(before, [0, 1])
    shows(after, """
        n2 = x0 * x0
        n3 = sin(x0)
        n4 = n2 * n3
        n6 = 0 + n2*1
        n7 = sin'0(n3, x0)
        n8 = 0 + n3*1
        n9 = 0 + n7*n6 + x0*n8 + x0*n8
        out: n4
    """)  # fmt: skip
    assert gradient == 9
    assert after.data[nothing] == 0.0  # what nothing uses has the gradient 0


def test_backward_sends_nothing_into_a_branch_that_is_not_taken():
    """log's slope may be infinite; the gate keeps 0 * inf out of the gradient."""
    before = program(2, ("log", 0), ("where", 1, 2, 1))
    after, _ = backward(before, [0])
    shows(after, """
        n2 = log(x0)
        n3 = where(x1, n2, x1)
        n5 = equal(x1, 0)
        n7 = equal(n5, 0)
        n8 = gate(n7, 1)
        n9 = 0 + n8
        n10 = log'0(n2, x0)
        n11 = n10 * n9
        n12 = gate(n7, n11)
        n13 = 0 + n12
        out: n3
    """)  # fmt: skip


def test_backward_sums_what_samples_send_to_what_they_share():
    after, (shared, own) = backward(program(2, ("mul", 0, 1), ("square", 2)), [0, 1], frozenset({1}))
    shows(after, """
        n2 = x0 * x1
        n3 = square(n2)
        n5 = square'0(n3, n2)
        n6 = 0 + n5*1
        n7 = 0 + x0*n6
        n8 = 0 + x1*n6
        n9 = lanesum(n8)
        out: n3
    """)  # fmt: skip
    assert (shared, own) == (9, 7)


# ---- expand -------------------------------------------------------------------------------------


def test_expand_writes_the_formula_of_a_row_over_lists():
    shows(expand(program(2, ("prod", 0, 1), ("min", 0, 2)), [])[0], """
        n3 = 1 * x0
        n4 = n3 * x1
        n5 = -x0
        n6 = -n4
        n7 = max(n5, n6)
        n8 = -n7
        out: n8
    """)  # fmt: skip


def test_expand_ends_what_only_stopped_a_gradient():
    before = program(1, ("stop", 0), ("mul", 0, 1))
    shows(expand(before, [])[0], """
        n1 = x0 * x0
        out: n1
    """)  # fmt: skip


# ---- simplify -----------------------------------------------------------------------------------


def test_simplify_computes_once():
    nodes = ("exp", 0), ("exp", 0), ("exp", 1), ("mul", 2, 4), ("mul", 4, 3), ("add", 5, 6)
    before = program(2, *nodes)
    shows(simplify(before, [])[0], """
        n2 = exp(x0)
        n3 = exp(x1)
        n4 = n2 * n3
        n5 = n4 + n4
        out: n5
    """)  # fmt: skip


def test_simplify_takes_away_what_changes_no_number():
    one = program(1, 1.0, ("mul", 0, 1), ("div", 2, 1), ("mul", 1, 3), 0.0, ("sub", 4, 5), ("sin", 6))
    shows(simplify(one, [])[0], """
        n1 = sin(x0)
        out: n1
    """)  # fmt: skip


def test_simplify_keeps_what_changes_the_sign_of_a_zero():
    """-0 + 0 is 0, so `x + 0` is not x; `x + -0` is."""
    before = program(1, 0.0, ("add", 0, 1), -0.0, ("add", 2, 3))
    shows(simplify(before, [])[0], """
        n2 = x0 + 0
        out: n2
    """)  # fmt: skip


def test_simplify_never_merges_inputs_and_follows_what_is_kept():
    before = program(2, ("sin", 0), ("sin", 1), ("cos", 0), outputs=(2, 3))
    after, kept = simplify(before, [4, 0])
    shows(after, """
        n2 = sin(x0)
        n3 = sin(x1)
        n4 = cos(x0)
        out: n2, n3
    """)  # fmt: skip
    assert kept == [4, 0]


# ---- total --------------------------------------------------------------------------------------


def test_total_sums_what_differs_between_samples():
    before = program(2, ("exp", 0), ("add", 1, 2), outputs=(2, 3))
    shows(total(before, frozenset({1})), """
        n2 = exp(x0)
        n3 = x1 + n2
        n4 = lanesum(n3)
        out: n2, n4
    """)  # fmt: skip


def test_total_multiplies_by_a_shared_factor_once():
    before = program(2, ("exp", 0), ("mul", 1, 2), ("mul", 1, 1), outputs=(3, 4))
    shows(total(before, frozenset({1})), """
        n2 = exp(x0)
        n3 = x1 * n2
        n4 = x1 * x1
        n5 = lanesum(x1)
        n6 = n2 * n5
        n7 = lanesum(n4)
        out: n6, n7
    """)  # fmt: skip


# ---- zeros --------------------------------------------------------------------------------------


def test_zeros_are_not_added_where_the_sign_of_a_zero_is_lost():
    """n1 goes into a sum that begins with 0, n2 into an output: -0 may pass through the first alone."""
    before = program(3, ("chain:0+", 0), ("mul", 3, 1), ("chain:0++", 4, 2), ("chain:0+", 1), ("exp", 5),
                     outputs=(7, 6))  # fmt: skip
    shows(dead(zeros(before, []), [])[0], """
        n4 = x0 * x1
        n5 = 0 + n4 + x2
        n6 = 0 + x1
        n7 = exp(n5)
        out: n7, n6
    """)  # fmt: skip


# ---- scatter, dead ------------------------------------------------------------------------------


def test_scatter_finds_the_gradient_of_a_table():
    """Row 0 gets what was sent to the look-ups that took it."""
    nodes = 0.0, ("equal", 0, 4), ("equal", 1, 4), ("gate", 5, 2), ("gate", 6, 3), ("chain:0++", 7, 8)
    before = program(4, *nodes)
    shows(before, """
        n5 = equal(x0, 0)
        n6 = equal(x1, 0)
        n7 = gate(n5, x2)
        n8 = gate(n6, x3)
        n9 = 0 + n7 + n8
        out: n9
    """)  # fmt: skip
    shows(dead(scatter(before), [])[0], """
        n5 = put:2(x0, x1, 0, x2, x3)
        out: n5
    """)  # fmt: skip


def test_dead_takes_away_what_nothing_needs():
    before = program(2, ("sin", 0), ("cos", 0), ("exp", 2), ("tan", 1), outputs=(2,))
    after, kept = dead(before, [3])
    shows(after, """
        n2 = sin(x0)
        n3 = cos(x0)
        out: n2
    """)  # fmt: skip
    assert kept == [3]
    assert len(after.inputs) == 2


# ---- spread -------------------------------------------------------------------------------------


def test_spread_takes_a_choice_out_of_the_lanes():
    """x0 is shared, x1 differs between samples: x0 is copied to each before the largest is found."""
    after, _ = spread(program(2, ("max", 0, 1)), frozenset({1}), [])
    shows(after, """
        n3 = where(1, x0, x1)
        n4 = max(n3, x1)
        out: n4
    """)  # fmt: skip
    alone = program(3, ("max", 0, 1), ("mul", 3, 2))
    shows(spread(alone, frozenset({2}), [])[0], show(alone))


# ---- all of them --------------------------------------------------------------------------------

SOME = range(60)


@pytest.mark.parametrize("maker", [random_program, smooth_program])
def test_a_pass_changes_no_number_and_nothing_that_it_was_given(maker):
    for number in SOME:
        made, point = maker(number)
        before = deepcopy(made)
        watched(made, gradients=range(len(made.inputs)), pure=True, point=point)
        assert repr(made) == repr(before)


def test_passes_for_a_batch_are_passes_too():
    for number in SOME:
        made, point = random_program(number)
        draw = random.Random(number)
        lanes = draw.sample(range(len(made.inputs)), draw.randint(1, len(made.inputs)))
        watched(made, lanes, range(len(made.inputs)), pure=True, point=point)


def test_all_passes_are_watched():
    made = watched(program(2, ("mul", 0, 1)), [0], [0, 1], totals=True)
    files = {path.stem for path in Path(fold.__code__.co_filename).parent.glob("*.py")} - {"__init__", *PARTS}
    assert set(made.passes) == files
    assert made.passes == [each.name for each in PASSES]


PARTS = ("affine", "groups", "instructions")  # of layout


# ---- the tests are not blind ----------------------------------------------------------------------


def test_a_pass_that_changes_a_number_is_caught():
    def careless(build: Build) -> Scalars:
        after = flatten(build.program)
        return replace(after, ops=[op.replace("chain:0", "chain:") for op in after.ops])

    before = program(2, 0.0, -0.0, ("mul", 0, 3), ("add", 2, 4))
    with pytest.raises(AssertionError, match="flatten has changed a number"):
        watched(before, point=[1.0, 1.0], instead={"flatten": careless})


def test_a_pass_that_changes_what_it_was_given_is_caught():
    def careless(build: Build) -> Scalars:
        build.program.outputs.append(0)
        return build.program

    with pytest.raises(AssertionError, match="fold has changed what it was given"):
        watched(neuron(), pure=True, instead={"fold": careless})
