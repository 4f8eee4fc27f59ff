"""Nothing leaks, and every node dies when it should: at once by counting, or with its cycle.

A node that nothing refers to is gone at once.  One that refers to itself, by a rule, a hook, an attribute
or what was written to its grad, goes when the collector runs.
"""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import weakref
from collections.abc import Callable, Iterator

import pytest

from twins import ENGINES, NATIVE, Engine

BOTH = pytest.mark.parametrize("engine", ENGINES, ids=[engine.name for engine in ENGINES])


@pytest.fixture(autouse=True, scope="module")
def _what_was_there_before_is_not_looked_at() -> Iterator[None]:
    """A collection goes through all that lives, which in a suite with PyTorch and JAX takes half a second."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def _no_collection_but_the_one_that_is_asked_for() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


# ---- by counting ----------------------------------------------------------------------------------


def watch(*nodes: object) -> list[weakref.ref]:
    return [weakref.ref(node) for node in nodes]


def gone(watched: list[weakref.ref]) -> list[bool]:
    return [node() is None for node in watched]


@BOTH
def test_a_graph_goes_with_its_last_reference(engine: Engine):
    x = engine.Value(2.0)
    y = x * 3.0
    z = engine.F.sum([y, x, y.exp(), 1.0])
    z.label = "z"
    z.backward()
    inner = watch(y, *z._children)
    root = watch(z)
    del y
    assert not any(gone(inner[:1]))
    del z
    assert gone(root) == [True]
    assert gone(inner) == [True, True, False, True, True]  # but for x
    assert x.grad != 0.0


@BOTH
@pytest.mark.parametrize("name", ["Bare", "Slotted", "Free", "Loud"])
def test_instances_of_subclasses_go_as_soon(engine: Engine, name: str):
    x = engine.classes[name](2.0)
    y = x * 3.0
    z = y + x
    z.backward()
    watched = watch(x, y, z)
    del x, y, z
    assert all(gone(watched))


@BOTH
def test_a_class_goes_after_its_instances(engine: Engine):
    class Passing(engine.Value):
        __slots__ = ()

    x = Passing(1.0)
    y = x * 2.0 + 1.0
    y.backward()
    watched = watch(Passing)
    del x, y, Passing
    gc.collect()
    assert gone(watched) == [True]


@BOTH
def test_what_one_object_is_referred_to_by_is_counted_exactly(engine: Engine):
    x = engine.Value(2.0)
    alone = sys.getrefcount(x)
    y = engine.F.sum([x, x, x, 1.0])
    z = x * x
    assert sys.getrefcount(x) == alone + 5
    assert sys.getrefcount(y) == sys.getrefcount(z) == alone
    y.backward()
    z.backward()
    engine.backward([y, z, x])
    x.zero_grad()
    repr(y), y._children, y._local_grads, y._prev, x < y, abs(x), -x, x + 1, 1 + x, x**2, x.data, x.grad
    copy.deepcopy(y), pickle.loads(pickle.dumps(y)), engine.reach([y, z]), engine.grad(y, [x])
    for attempt in (
        lambda: x + "text",
        lambda: engine.F.exp(),
        lambda: engine.F.dot([x], [x, x]),
        lambda: engine.F.clamp(x, 1.0, None),
        lambda: engine.F.max([x, "text"]),
        lambda: engine.Value(1.0, (x, 1.0)),
        lambda: engine.Value(1.0, (x,), (1.0, 2.0)),
        lambda: engine.backward([x, 1.0]),
        lambda: engine.backward([x, x], [1.0, "text"]),
        lambda: x.backward("text"),
        lambda: x.register_hook(1.0),
        lambda: pow(x, x, 2),
        lambda: setattr(x, "data", "text"),
        lambda: x < "text",
        lambda: x.exp(x),
        lambda: x.nothing,
        lambda: 10**400 * x,
    ):
        with pytest.raises((TypeError, ValueError, AttributeError, OverflowError)):
            attempt()
    gc.collect()
    assert sys.getrefcount(x) == alone + 5
    assert sys.getrefcount(y) == sys.getrefcount(z) == alone
    copied = copy.copy(y)
    del y, z
    assert sys.getrefcount(x) == alone + 3
    del copied
    assert sys.getrefcount(x) == alone


@BOTH
def test_what_is_given_to_a_node_is_let_go_with_it(engine: Engine):
    class Thing:
        def __call__(self, *grad):
            return None

        def __str__(self):
            return "a label"

    things = [Thing() for _ in range(5)]
    watched = watch(*things)
    x = engine.Value(1.0)
    handle = x.register_hook(things[0])
    x.register_hook(things[1])
    x.grad = things[2]
    x._backward = things[3]
    x.label = things[4]
    del things[:]
    assert gone(watched) == [False, False, False, False, True]
    handle.remove()
    assert gone(watched) == [True, False, False, False, True]
    x.grad = 0.0
    assert gone(watched) == [True, False, True, False, True]
    x._backward = print
    assert gone(watched) == [True, False, True, True, True]
    del x, handle
    gc.collect()  # handles and the dict of hooks refer to each other
    assert all(gone(watched))


@BOTH
def test_the_name_of_an_op_made_by_hand_goes_with_its_node(engine: Engine):
    class Name(str):
        pass

    name = Name("custom")
    watched = watch(name)
    a = engine.Value(1.0)
    nodes = [engine.Value(1.0, (a,), name), engine.Value(1.0, (), name)]
    nodes.append(copy.copy(nodes[1]))
    del name
    assert {node._op for node in nodes} == {"custom"}
    nodes[1].__init__(2.0)
    del nodes
    gc.collect()
    assert gone(watched) == [True]


@BOTH
def test_what_a_node_keeps_aside_may_outlive_it(engine: Engine):
    x = engine.Value(1.0, label="x")
    x.register_hook(print)
    extra = x._extra
    watched = watch(x)
    del x
    gc.collect()
    assert gone(watched) == [True]
    extra.rule, extra.label = print, "y"
    extra.rule = extra.hooks = None
    assert (extra.label, extra.rule) == ("y", None)


@BOTH
def test_zero_grad_lets_go_of_what_a_grad_was(engine: Engine):
    class Thing:
        pass

    x = engine.Value(1.0)
    y = x * 2.0
    things = [Thing(), Thing()]
    watched = watch(*things)
    x.grad, y.grad = things
    del things
    y.zero_grad()
    assert all(gone(watched))
    assert (x.grad, y.grad) == (0.0, 0.0)


@BOTH
def test_an_error_in_a_pass_keeps_nothing_alive(engine: Engine):
    def stop(grad):
        raise ZeroDivisionError

    x = engine.Value(1.0)
    y = x * 2.0
    y.register_hook(stop)
    z = y + 1.0
    with pytest.raises(ZeroDivisionError) as caught:
        z.backward()
    del caught
    watched = watch(x, y, z)
    del x, y, z
    gc.collect()
    assert all(gone(watched))


# ---- with a cycle ---------------------------------------------------------------------------------


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
