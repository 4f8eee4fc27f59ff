"""A node that refers to itself, by a rule, a hook, an attribute or what was written to its grad, dies with
its cycle when the collector runs; and so does whatever hangs on it."""

from __future__ import annotations

import copy
import gc
import weakref
from collections.abc import Callable

import pytest

from engine_pair import NATIVE, Engine
from node_lives import BOTH, collected_when_asked, gone, watch  # noqa: F401 the fixture is for every test

# Each makes nodes that refer to themselves, and gives references that do not hold them.

CYCLES: dict[str, Callable[[Engine], list[weakref.ref]]] = {}


def cycle(make):
    CYCLES[make.__name__] = make
    return make


@cycle
def a_rule_that_refers_to_its_own_node(engine):
    a = engine.Value(2.0)
    out = engine.Value(4.0, (a,), "custom")

    def rule():
        a.grad += out.grad

    out._backward = rule
    out.backward()
    return watch(a, out)


@cycle
def a_rule_put_on_an_op_later_that_refers_to_what_was_computed_from_it(engine):
    a = engine.Value(2.0)
    y = a * 3.0
    z = (y + 1.0).exp()
    y._backward = lambda: (z, a)
    return watch(a, y, z)


@cycle
def a_hook_on_a_leaf_that_refers_to_a_loss_computed_later(engine):
    x = engine.Value(2.0)
    x.register_hook(lambda grad: (loss, None)[1])
    loss = (x * 3.0).exp()
    loss.backward()
    return watch(x, loss, *loss._children)


@cycle
def a_hook_on_a_leaf_that_refers_to_a_loss_computed_before(engine):
    x = engine.Value(2.0)
    loss = (x * 3.0).exp()
    x.register_hook(lambda grad: (loss, None)[1])
    loss.backward()
    return watch(x, loss, *loss._children)


@cycle
def a_hook_that_will_know_a_loss_of_which_half_was_computed_before(engine):
    x = engine.Value(2.0)
    y = x * 3.0
    x.register_hook(lambda grad: (loss, None)[1])
    loss = y.exp()
    return watch(x, y, loss)


@cycle
def a_hook_that_is_told_later_of_a_loss_computed_before(engine):
    x = engine.Value(2.0)
    loss = (x * 3.0).exp()
    known = []
    x.register_hook(lambda grad: (known, None)[1])
    known.append(loss)
    return watch(x, loss)


@cycle
def a_hook_that_belongs_to_an_object_with_much_to_remember(engine):
    class Trainer:
        def hook(self, grad):
            return None

    trainer = Trainer()
    x = engine.Value(2.0)
    trainer.losses = [float(i) for i in range(5000)]
    trainer.losses.append((x * 3.0).exp())
    x.register_hook(trainer.hook)
    return watch(x, trainer, trainer.losses[-1])


@cycle
def a_hook_in_a_chain_of_objects(engine):
    x = engine.Value(2.0)
    chain = (x * 3.0).exp()
    watched = watch(x, chain)
    for _ in range(30):
        chain = [chain]
    x.register_hook(lambda grad: (chain, None)[1])
    return watched


@cycle
def a_hook_below_another_hook(engine):
    x = engine.Value(2.0)
    below = x * 2.0
    middle = below * 3.0
    middle.register_hook(lambda grad: None)
    loss = middle + 1.0
    x.register_hook(lambda grad: (loss, None)[1])
    return watch(x, below, middle, loss)


@cycle
def a_leaf_whose_consumers_were_made_before_and_after_its_hook(engine):
    x = engine.Value(2.0)
    before = [x * float(i) for i in range(3)]
    x.register_hook(lambda grad: (total, None)[1])
    total = engine.F.sum([*before, x * 7.0])
    return watch(x, total, *before)


@cycle
def an_attribute_of_a_subclass_that_holds_what_was_computed_by_others(engine):
    x = engine.Value(2.0)
    y = x * 3.0
    free = engine.classes["Free"](1.0)
    free.loss = y + 1.0
    x.register_hook(lambda grad: (free, None)[1])
    return watch(x, y, free, free.loss)


@cycle
def a_hook_that_refers_to_a_reduction_of_many_computed_later(engine):
    x = engine.Value(2.0)
    x.register_hook(lambda grad: (many, few, None)[2])
    many, few = engine.F.sum([x, x, 1.0, x]), engine.F.mean([x, x])
    return watch(x, many, few)


@cycle
def a_hook_that_is_older_than_the_last_collection(engine):
    x = engine.Value(2.0)
    known = []
    x.register_hook(lambda grad: (known, None)[1])
    gc.collect()
    known += [
        -x,
        x + 1.0,
        1.0 - x,
        x.exp(),
        x.arctan2(1.0),
        engine.F.sum([x, 1.0, 2.0]),
        engine.F.dot([x], [x]),
    ]
    known += [engine.Value(1.0, (x,), (1.0,)), copy.copy(known[0]), engine.F.where(True, x, 1.0)]
    return watch(x, *known)


@cycle
def a_hook_below_a_long_chain_that_was_computed_before(engine):
    x = y = engine.Value(1.0)
    for _ in range(3000):
        y = y + x
    x.register_hook(lambda grad: (y, None)[1])
    return watch(x, y, y._children[0], y._children[0]._children[0])


@cycle
def a_hook_below_nodes_whose_memory_was_used_before(engine):
    x = engine.Value(1.0)
    for _ in range(3):  # so that newer nodes lie among older ones
        nodes = [x * float(i) for i in range(300)]
        del nodes[::2]
        nodes = [engine.F.sum(nodes[i:]) for i in range(len(nodes))]
        x.register_hook(lambda grad, nodes=nodes: (nodes, None)[1])
        gc.collect(0)
    return watch(x, *nodes[::50])


@cycle
def a_hook_of_an_inner_node_that_refers_to_the_root(engine):
    x = engine.Value(2.0)
    y = x * 3.0
    z = engine.F.sum([y, x, y, x])
    y.register_hook(lambda grad: (z, None)[1])
    return watch(x, y, z)


@cycle
def a_hook_that_was_removed_and_is_held_by_its_handle(engine):
    x = engine.Value(2.0)
    handle = x.register_hook(lambda grad: (handle, x, None)[2])
    return watch(x, handle)


@cycle
def a_subclass_instance_that_holds_a_node_computed_from_itself(engine):
    x = engine.classes["Free"](2.0)
    x.square = x * x
    x.root = engine.Value(1.0) + x.square
    return watch(x, x.square, x.root)


@cycle
def the_same_in_a_slot(engine):
    x = engine.classes["Slotted"](2.0)
    x.note = [x * x]
    return watch(x, x.note[0])


@cycle
def a_constant_of_a_subclass_that_is_computed_from_nothing(engine):
    x = 2.0 + engine.classes["Free"](1.0)
    x._children[0].above = x
    return watch(x, *x._children)


@cycle
def a_grad_that_holds_its_own_node(engine):
    x = engine.Value(2.0)
    x.grad = [x]
    return watch(x)


@cycle
def a_grad_that_holds_what_was_computed_from_its_node(engine):
    x = engine.Value(2.0)
    y = x * 3.0
    x.grad = [y]
    return watch(x, y)


@cycle
def a_node_that_shares_a_rule(engine):
    a = engine.Value(2.0)
    out, twin = engine.Value(4.0, (a,), "custom"), engine.Value(4.0, (a,), "custom")
    out._backward = twin._backward = lambda: (out, twin)
    return watch(a, out, twin)


@cycle
def an_extra_that_is_held_by_its_hook(engine):
    x = engine.Value(2.0)
    x.label = "x"
    extra = x._extra
    x.register_hook(lambda grad: (extra, x, None)[2])
    return watch(x)


@cycle
def children_that_were_written_by_hand(engine):
    x = engine.Value(2.0)
    y = x * 3.0
    x._children, x._local_grads = (y,), (1.0,)
    return watch(x, y)


@cycle
def two_graphs_that_hold_each_other_by_hooks(engine):
    x, y = engine.Value(1.0), engine.Value(2.0)
    p, q = x.exp(), y.exp()
    x.register_hook(lambda grad: (q, None)[1])
    y.register_hook(lambda grad: (p, None)[1])
    return watch(x, y, p, q)


@cycle
def an_exception_that_a_hook_raised_and_its_node_keeps(engine):
    x = engine.Value(1.0)
    y = x * 2.0

    def stop(grad):
        raise ZeroDivisionError

    y.register_hook(stop)
    try:
        (y + 1.0).backward()
    except ZeroDivisionError as error:
        x.grad = error  # its traceback refers to the frames, and they to x and y
    return watch(x, y)


@BOTH
@pytest.mark.parametrize("name", CYCLES)
def test_the_collector_finds(name: str, engine: Engine):
    watched = CYCLES[name](engine)
    places = {id(node()) for node in watched}
    gc.collect()
    assert all(gone(watched))
    # A weak reference to what was found is dead even if it could not be freed.
    assert [
        thing for thing in gc.get_objects() if id(thing) in places and isinstance(thing, engine.Value)
    ] == []


@pytest.mark.parametrize("name", CYCLES)
def test_the_collector_leaves_a_cycle_alone_that_is_in_use(name: str):
    """One reference from outside, to whichever node, keeps all that it needs."""
    found = CYCLES[name](NATIVE)
    for node in [ref() for ref in found]:
        if isinstance(node, NATIVE.Value):
            gc.collect()
            before = [child.data for child in node._children]
            grad, label = node.grad, node.label
            gc.collect()
            assert [child.data for child in node._children] == before
            assert node.grad is grad or node.grad == grad
            assert node.label == label


def test_a_leak_is_found():
    held = []

    def make(engine):
        x = engine.Value(2.0)
        x.register_hook(lambda grad: (x, None)[1])
        held.append(x)
        return watch(x)

    watched = make(NATIVE)
    gc.collect()
    assert not any(gone(watched))


@BOTH
def test_cycles_leave_no_object_behind(engine: Engine):
    for _ in range(2):  # what is made once and kept is there then
        for make in CYCLES.values():
            make(engine)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(20):
        for make in CYCLES.values():
            make(engine)
    gc.collect()
    assert abs(len(gc.get_objects()) - before) < 20
