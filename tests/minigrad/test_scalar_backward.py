"""The backward pass: its order, what it adds to and what it clears, hooks, and walking it by hand."""

from __future__ import annotations

import itertools
import random

import pytest
import torch

from minigrad import Value, backward, no_grad
from minigrad.functions import where
from minigrad.scalar import reach
from minigrad.text.translation import speaking

bits = float.hex


def torch_gradients(compute, *numbers, seed=1.0):
    leaves = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in numbers]
    compute(*leaves).backward(torch.tensor(seed, dtype=torch.float64))
    return [leaf.grad.item() for leaf in leaves]


# ---- order traps: the graphs on which public engines went silently wrong ------------------------


def deep_and_shallow(a):
    """An early consumer at the end of a long way, a late one right below the output."""
    early = a * a
    deep = early
    for _ in range(6):
        deep = deep * 1.5 + 0.25
    late = early * 3.0
    return deep * late


def shallow_and_deep(a):
    late_user = a * a
    shallow = late_user + 1.0
    deep = late_user
    for _ in range(6):
        deep = deep * 0.5 + a
    return shallow * deep


TRAPS = {
    "b = a + a; c = b + b": lambda a: (lambda b: b + b)(a + a),
    "b = a * a; c = b * b": lambda a: (lambda b: b * b)(a * a),
    "x*x*x": lambda a: a * a * a,
    "x*(x*x)": lambda a: a * (a * a),
    "a - a": lambda a: a - a,
    "a / a": lambda a: a / a,
    "exp(a) * a": lambda a: a.exp() * a,
    "a * exp(a)": lambda a: a * a.exp(),
    "tanh(a) + a": lambda a: a.tanh() + a,
    "a**3 + a**2": lambda a: a**3 + a**2,
    "2 - a, 2 / a, 2 ** a together": lambda a: (2 - a) * (2 / a) + 2**a,
    "early consumer deep, late one shallow": deep_and_shallow,
    "early consumer shallow, late one deep": shallow_and_deep,
    "a diamond of diamonds": lambda a: (lambda b: (b * 2 + b) * (b - 1))((a + 1) * (a - 2)),
    "a shared node under both operands": lambda a: (lambda s: s * 2 + s * s)(a * 3 + a),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_for_the_order_gives_pytorch_s_gradient(name):
    for x, seed in ((0.75, 1.0), (-1.5, 1.0), (2.5, -3.25)):
        a = Value(x)
        TRAPS[name](a).backward(seed)
        assert a.grad == pytest.approx(torch_gradients(TRAPS[name], x, seed=seed)[0], rel=1e-13), (x, seed)


def test_a_reused_sum_counts_every_way_up():
    a = Value(3.0)
    b = a + a
    c = b + b
    c.backward()
    assert (a.grad, b.grad, c.grad) == (4.0, 2.0, 1.0)


@pytest.mark.parametrize("uses", range(1, 11))
def test_a_fan_out_of_any_width_adds_up(uses):
    """One engine was wrong only at a fan-out of 5 to 7."""
    a = Value(1.5)
    shared = a * a
    total = shared * 1.0
    for k in range(2, uses + 1):
        total = total + shared * float(k)
    total.backward()
    weights = uses * (uses + 1) / 2  # 1 + 2 + ... + uses
    assert shared.grad == weights
    assert a.grad == 2 * 1.5 * weights


def test_two_losses_that_share_a_subgraph_do_not_disturb_each_other():
    a = Value(2.0)
    shared = a * a
    first, second = shared * 3, shared + a
    first.backward()
    assert a.grad == 12.0  # 3 * 2a
    second.backward()
    assert a.grad == 12.0 + 5.0  # and 2a + 1


def test_the_order_is_reverse_creation_order():
    a, b = Value(2.0, label="a"), Value(-3.0, label="b")
    c = a * b
    d = a + b
    e = c + d
    senders, leaves = reach([e])
    assert senders == [e, d, c]
    assert {*leaves} == {a, b}
    visited = []
    for node in (a, b, c, d, e):
        node.register_hook(lambda grad, node=node: visited.append(node))
    e.backward()
    assert visited == [e, d, c, b, a]


def test_additions_happen_in_pytorch_s_order_to_the_last_bit():
    """A sum of floats depends on its order, so equal bits mean equal order."""
    rng = random.Random(7)
    for _ in range(50):
        numbers = [rng.uniform(-3, 3) for _ in range(3)]
        steps = [(rng.choice("+-*"), rng.random(), rng.random()) for _ in range(25)]

        def compute(*leaves, steps=steps):
            values = list(leaves)
            for op, left, right in steps:
                x, y = values[int(left * len(values))], values[int(right * len(values))]
                values.append(x + y if op == "+" else x - y if op == "-" else x * y)
            total = values[0]
            for value in values[1:]:
                total = total + value
            return total

        leaves = [Value(x) for x in numbers]
        compute(*leaves).backward(1.25)
        expected = torch_gradients(compute, *numbers, seed=1.25)
        assert [bits(leaf.grad) for leaf in leaves] == [bits(x) for x in expected]


def test_another_order_of_additions_would_show():
    terms = (1.0, 1e16, -1e16)
    sums = {sum(order) for order in itertools.permutations(terms)}
    assert sums == {0.0, 1.0}


# ---- what is added to, and what is cleared ------------------------------------------------------


def test_a_second_pass_adds_exactly_one_more_copy():
    a, b = Value(0.1), Value(0.7)
    shared = a * b
    y = shared * shared + shared.exp() * a
    y.backward()
    first = (a.grad, b.grad, shared.grad, y.grad)
    y.backward()
    assert [bits(leaf.grad) for leaf in (a, b)] == [bits(2 * g) for g in first[:2]]
    assert (shared.grad, y.grad) == first[2:]  # the nodes between start again
    y.backward()
    assert [bits(leaf.grad) for leaf in (a, b)] == [bits(2 * g + g) for g in first[:2]]


def test_pytorch_agrees_on_the_second_pass():
    a = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
    mine = Value(0.1)
    for leaf in (a, mine):
        b = leaf * leaf
        y = b * b + b
        if leaf is a:
            y.backward(retain_graph=True)
        else:
            y.backward()
        y.backward()
    assert bits(mine.grad) == bits(a.grad.item())


def test_a_leaf_as_root_receives_the_seed():
    a = Value(3.0)
    a.backward()
    a.backward(0.5)
    assert a.grad == 1.5


def test_the_seed_scales_every_gradient():
    a, b = Value(2.0), Value(-3.0)
    y = a * b + a
    y.backward(-0.5)
    assert (a.grad, b.grad, y.grad) == (1.0, -1.0, -0.5)


def test_a_seed_reaches_through_every_kind_of_op():
    """An op that forgets its upstream factor is right for a seed of 1 and for no other."""
    for method in ("exp", "tanh", "sigmoid", "relu", "sqrt", "log", "arctan", "square"):
        one, seeded = Value(0.5), Value(0.5)
        getattr(one, method)().backward()
        getattr(seeded, method)().backward(4.0)
        assert seeded.grad == 4.0 * one.grad, method


def test_several_roots_share_one_pass():
    a, b = Value(2.0), Value(5.0)
    product, total = a * b, a + b
    backward([product, total])
    assert (a.grad, b.grad) == (6.0, 3.0)
    a.zero_grad()
    b.zero_grad()
    backward([product, total], [10.0, -1.0])
    assert (a.grad, b.grad) == (49.0, 19.0)


def test_a_root_may_lie_below_another_root():
    a = Value(3.0)
    inner = a * a
    outer = inner * 2
    backward([outer, inner], [1.0, 100.0])
    assert inner.grad == 102.0
    assert a.grad == 102.0 * 6.0


def test_the_same_root_twice_is_seeded_twice():
    a = Value(3.0)
    y = a * 2
    backward([y, y])
    assert (y.grad, a.grad) == (2.0, 4.0)


def test_a_constant_among_the_roots_gets_no_gradient():
    a, constant = Value(3.0), Value(1.0, requires_grad=False)
    backward([constant, a * 2])
    assert (constant.grad, a.grad) == (0.0, 2.0)


def test_zero_grad_clears_everything_below_a_root_and_nothing_else():
    a, b, other = Value(2.0), Value(3.0), Value(4.0)
    inner = a * b
    y = inner + a
    z = other * a
    y.backward()
    z.backward()
    y.zero_grad()
    assert [v.grad for v in (a, b, inner, y)] == [0.0] * 4
    assert other.grad == 2.0
    assert z.grad == 1.0


def test_zero_grad_visits_a_node_once_however_many_ways_lead_to_it():
    total = leaf = Value(1.0)
    for _ in range(200):
        total = total + total
    total.backward()
    assert leaf.grad == 2.0**200
    total.zero_grad()
    assert (leaf.grad, total.grad) == (0.0, 0.0)


def test_one_output_needs_no_list():
    a = Value(3.0)
    y = a * a
    backward(y)
    backward(y, 2.0)
    assert a.grad == 6.0 + 12.0


def test_a_node_made_by_hand_wants_a_gradient_only_where_something_below_it_does():
    a, k = Value(1.0), Value(1.0, requires_grad=False)
    assert Value(2.0, (a, k), (1.0, 1.0)).requires_grad
    assert not Value(2.0, (k,), (1.0,)).requires_grad
    assert not Value(2.0, (a,), (1.0,), requires_grad=False).requires_grad
    with no_grad():
        assert not Value(2.0, (a,), (1.0,)).requires_grad


def test_a_hook_gives_a_value_no_label():
    a = Value(1.0)
    a.register_hook(print)
    assert a.label == ""


def test_zero_grad_reaches_into_a_branch_that_was_not_taken():
    a, b = Value(2.0), Value(3.0)
    y = where(1.0, a, b * 2)
    b.grad = 7.0
    y.zero_grad()
    assert b.grad == 0.0


def test_forgetting_zero_grad_is_the_other_failure_of_the_same_operator():
    w = Value(1.0)
    for expected in (2.0, 4.0, 6.0):
        (w * 2).backward()
        assert w.grad == expected
    w.zero_grad()
    (w * 2).backward()
    assert w.grad == 2.0


def test_constants_get_no_gradient():
    a, k = Value(2.0), Value(5.0, requires_grad=False)
    y = a * k + k
    y.backward()
    assert (a.grad, k.grad) == (5.0, 0.0)
    plain_number = y._children[0]._children[1]
    assert plain_number is k


def test_a_leaf_can_be_frozen_and_thawed():
    a, b = Value(2.0), Value(3.0)
    a.requires_grad = False
    y = a * b
    y.backward()
    assert (a.grad, b.grad) == (0.0, 2.0)
    a.requires_grad = True
    (a * b).backward()
    assert (a.grad, b.grad) == (3.0, 4.0)


def test_backward_without_anything_to_differentiate_says_so():
    constant = Value(2.0, requires_grad=False)
    for start in (constant.backward, lambda: backward([]), lambda: backward([constant, constant])):
        with (
            speaking("en"),
            pytest.raises(RuntimeError, match="nothing below this Value requires a gradient"),
        ):
            start()


def test_a_gradient_may_have_been_set_to_none_or_to_an_int():
    """Training loops in other styles do that."""
    a = Value(2.0)
    for cleared in (None, 0):
        a.grad = cleared
        (a * 3).backward()
        assert a.grad == 3.0


def test_a_branch_not_taken_receives_no_message():
    x = Value(0.0)
    y = where(x > 0, x.log(), 0.0)
    assert (y.data, y.requires_grad) == (0.0, True)
    y.backward()
    assert x.grad == 0.0  # PyTorch and JAX say NaN: 0 * inf
    other = Value(2.0)
    both = where(x > 0, x.log(), other * 3)
    both.backward()
    assert (x.grad, other.grad) == (0.0, 3.0)


# ---- walking by hand ----------------------------------------------------------------------------


def test_a_pass_can_be_walked_by_hand_from_right_to_left():
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    ab = a * b
    e = ab + c
    f = a - c
    L = e * f  # noqa: N806
    L.grad = 1.0
    L._backward()
    assert (e.grad, f.grad) == (-2.0, 10.0)
    f._backward()
    assert (a.grad, c.grad) == (10.0, -10.0)
    e._backward()
    assert (ab.grad, c.grad) == (-2.0, -12.0)
    ab._backward()
    assert (a.grad, b.grad) == (4.0, -4.0)
    a._backward()  # a leaf has nothing to pass on
    assert (a.grad, b.grad, c.grad) == (4.0, -4.0, -12.0)


def test_the_wrong_order_by_hand_gives_the_wrong_number():
    """Which is what the order is for: ab is walked before its message from e has arrived."""
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    ab = a * b
    e = ab + c
    f = a - c
    L = e * f  # noqa: N806
    L.grad = 1.0
    for node in (L, f, ab, e):
        node._backward()
    assert (a.grad, b.grad, c.grad) == (10.0, 0.0, -12.0)


# ---- hooks --------------------------------------------------------------------------------------


def test_a_hook_sees_the_complete_gradient_of_this_pass_once():
    a = Value(2.0)
    seen = []
    a.register_hook(seen.append)
    inner = a * a
    inner.register_hook(seen.append)
    y = inner + inner * 3
    y.backward()
    y.backward()
    assert seen == [4.0, 16.0, 4.0, 16.0]
    assert a.grad == 32.0


def test_what_a_hook_returns_takes_the_gradient_s_place():
    a = Value(2.0)
    inner = a * 3
    inner.register_hook(lambda grad: grad * 10)
    (inner * 1.0).backward()
    assert (inner.grad, a.grad) == (10.0, 30.0)
    a.zero_grad()
    a.register_hook(lambda grad: -1)
    (inner * 1.0).backward()
    assert a.grad == -1.0
    assert type(a.grad) is float


def test_hooks_run_in_the_order_of_registration_each_on_the_result_of_the_last():
    a = Value(1.0)
    seen = []
    a.register_hook(lambda grad: seen.append(grad))  # returns None: no change
    a.register_hook(lambda grad: grad + 1)
    a.register_hook(lambda grad: seen.append(grad) or grad * 10)
    (a * 5).backward()
    assert seen == [5.0, 6.0]
    assert a.grad == 60.0


def test_a_removed_hook_is_gone_and_can_be_removed_again():
    a = Value(1.0)
    kept, gone = [], []
    a.register_hook(kept.append)
    handle = a.register_hook(gone.append)
    (a * 2).backward()
    handle.remove()
    handle.remove()
    (a * 2).backward()
    assert (kept, gone) == ([2.0, 2.0], [2.0])


def test_a_hook_may_remove_itself():
    a = Value(1.0)
    seen = []

    def once(grad):
        seen.append(grad)
        handle.remove()

    handle = a.register_hook(once)
    (a * 2).backward()
    (a * 2).backward()
    assert seen == [2.0]


@pytest.mark.parametrize("earlier", [0.0, 7.0])
def test_an_exception_in_a_hook_leaves_the_leaves_as_they_were(earlier):
    a, b = Value(2.0), Value(3.0)
    a.grad = b.grad = earlier
    inner = a * b
    y = inner * a + b

    def fail(grad):
        raise KeyboardInterrupt

    handle = inner.register_hook(fail)
    with pytest.raises(KeyboardInterrupt):
        y.backward()  # a has had its message from y by now
    assert (a.grad, b.grad) == (earlier, earlier)
    assert (y.grad, inner.grad) == (0.0, 0.0)
    handle.remove()
    y.backward()
    assert (a.grad, b.grad) == (earlier + 12.0, earlier + 5.0)


def test_hooks_agree_with_pytorch():
    def run(leaf):
        inner = leaf * leaf
        inner.register_hook(lambda grad: grad * 0.5)
        leaf.register_hook(lambda grad: grad + 1)
        (inner * 3 + leaf).backward()

    mine, theirs = Value(1.5), torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
    run(mine)
    run(theirs)
    assert mine.grad == theirs.grad.item() == 1.5 * 2 * 1.5 + 1 + 1


@pytest.mark.parametrize("returned", ["1", Value(1.0), [1.0], 1j], ids=["str", "Value", "list", "complex"])
def test_a_hook_that_returns_something_else_is_refused(returned):
    a = Value(2.0)
    a.register_hook(lambda grad: returned)
    with speaking("en"), pytest.raises(TypeError, match="must return a number or None") as refused:
        (a * 2).backward()
    assert type(returned).__name__ in str(refused.value)
    assert a.grad == 0.0


def test_a_hook_must_be_callable():
    with speaking("en"), pytest.raises(TypeError, match=r"a hook must be callable, and 3 \(int\) is not"):
        Value(1.0).register_hook(3)


def test_a_pass_that_a_hook_starts_leaves_the_pass_around_it_alone():
    a = Value(2.0)
    b = a * a
    c = b * 3
    seen = []

    def start_another(grad):
        if not seen:
            seen.append(grad)
            b.backward()

    c.register_hook(start_another)
    c.backward()
    assert a.grad == 12 + 4  # dc/da and db/da


def test_a_gradient_that_is_no_number_fails_before_anything_changes():
    a, b = Value(2.0), Value(3.0)
    a.grad, b.grad = "x", 5.0
    with pytest.raises(TypeError):
        (a * b).backward()
    assert (a.grad, b.grad) == ("x", 5.0)
