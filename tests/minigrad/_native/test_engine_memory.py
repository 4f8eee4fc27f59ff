"""Nothing leaks: a node that nothing refers to is gone at once, by counting."""

from __future__ import annotations

import copy
import gc
import pickle
import sys

import pytest

from engine_pair import Engine
from node_lives import BOTH, collected_when_asked, gone, watch  # noqa: F401 the fixture is for every test


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
