"""Guards of what a function reads besides its arguments: a program is used only where that is as it was."""

from __future__ import annotations

import array
import functools
import math
import sys
import types
from collections import UserDict, UserList, deque
from dataclasses import dataclass

import numpy
import pytest

import minigrad
from minigrad import Value, nn
from minigrad.compiler.tracing import TracingError, trace_function
from tracing_cases import computed

SCALE = 2.0
TABLE = [1.0, [2.0, 3.0]]
SETTINGS = {"rate": 0.5, "layers": [1, 2]}
here = types.ModuleType("settings_of_mine")
here.scale = 2.0
COUNT = 0
PROXIED = {1.0: 1.0}


def helper(x):
    return x * SCALE + inner(x)


def inner(x, shift=SETTINGS["rate"], *, bend=1.0):
    return x + shift * bend


class Model:
    bias = 1.0

    def __init__(self):
        self.weights, self.rate, self.history = [Value(1.0), Value(2.0)], 0.5, []

    def loss(self, x):
        return self.weights[0] * x * self.rate + self.weights[1] + self.bias + self.extra()

    def extra(self):
        return SCALE

    def unrelated(self):
        return TABLE


@dataclass(slots=True)
class Slotted:
    scale: float


def changed(f, change, args=(2.0,)):
    """What a traced function says has changed after a change."""
    traced = trace_function(f, args)
    assert traced.changed() == ""
    change()
    return traced.changed()


def test_globals_of_functions_that_are_called(monkeypatch):
    assert changed(lambda x: helper(x), lambda: monkeypatch.setitem(globals(), "SCALE", 3.0)) == "SCALE"
    assert changed(lambda x: helper(x), lambda: monkeypatch.setitem(globals(), "inner", math.exp)) == "inner"
    monkeypatch.undo()
    assert (
        changed(lambda x: helper(x), lambda: monkeypatch.setattr(helper, "__code__", inner.__code__))
        == "helper"
    )


def test_a_global_that_takes_the_place_of_a_builtin(monkeypatch):
    assert changed(lambda x: x * len([1]), lambda: monkeypatch.setitem(globals(), "len", max)) == "len"


def test_a_number_that_is_written_again_is_the_same(monkeypatch):
    assert changed(lambda x: x * SCALE, lambda: monkeypatch.setitem(globals(), "SCALE", float("2.0"))) == ""
    assert changed(lambda x: x * SCALE, lambda: monkeypatch.setitem(globals(), "SCALE", 2)) == "SCALE"


def test_the_sign_of_zero_counts():
    zero, zeros = 0.0, [0.0, 1.0]

    def write():
        nonlocal zero
        zero = -0.0

    assert changed(lambda x: x / zero, write) == "zero"
    assert changed(lambda x: x / zeros[0], lambda: zeros.__setitem__(0, -0.0)) == "zeros"


def test_closures_and_what_is_in_them():
    numbers, nested = [1.0, 2.0], {"a": [{"b": [3.0]}]}
    assert changed(lambda x: x * numbers[0], lambda: numbers.append(1.0)) == "numbers"
    assert changed(lambda x: x * nested["a"][0]["b"][0], lambda: nested["a"][0]["b"].append(1.0)) == "nested"
    scale = 2.0

    def rescale():
        nonlocal scale
        scale = 3.0

    assert changed(lambda x: x * scale, rescale) == "scale"


@pytest.mark.parametrize(
    ("thing", "change"),
    [
        ({1.0, 2.0}, lambda s: s.add(3.0)),
        (deque([1.0]), lambda d: d.append(2.0)),
        (numpy.array([1.0, 2.0]), lambda a: a.__setitem__(0, 5.0)),
        (array.array("d", [1.0]), lambda a: a.append(1.0)),
        (bytearray(b"ab"), lambda b: b.append(3)),
        (types.SimpleNamespace(scale=2.0), lambda n: setattr(n, "scale", 3.0)),
        (Slotted(2.0), lambda s: setattr(s, "scale", 3.0)),
        ([Slotted(2.0)], lambda s: setattr(s[0], "scale", 3.0)),
        (UserDict({1.0: 1.0}), lambda d: d.update({2.0: 2.0})),
        (types.MappingProxyType(PROXIED), lambda d: PROXIED.update({2.0: 2.0})),
        (UserList([[1.0]]), lambda xs: xs[0].append(1.0)),
        (([1.0], 2.0), lambda t: t[0].append(2.0)),
        ([numpy.array([1.0, 2.0])], lambda a: a[0].__setitem__(0, 5.0)),
        ([numpy.array([1.0, 2.0])], lambda a: a.__setitem__(0, numpy.array([1.0, 2.0]))),
    ],
    ids=lambda x: type(x).__name__,
)
def test_containers_and_objects_of_all_kinds(thing, change):
    def f(x):
        for part in [thing] if hasattr(thing, "scale") else thing:
            x = x * (part.scale if hasattr(part, "scale") else 1.0)
        return x

    assert "thing" in changed(f, lambda: change(thing))


def test_a_constant_that_is_no_number_or_that_begins_to_want_a_gradient():
    k = Value(math.nan, requires_grad=False)
    traced = trace_function(lambda x: x * (k * 2), (2.0,))
    assert traced.changed() == ""
    assert traced.changed() == ""
    k.requires_grad = True  # and 2 * k is a node then
    assert traced.changed() == "k"


def test_properties_and_methods_of_all_kinds(monkeypatch):
    class Kinds:
        scale = 2.0

        @property
        def twice(self):
            return self.scale * 2 + TABLE[0]

        @functools.cached_property
        def once(self):
            return SETTINGS["rate"]

        @classmethod
        def made(cls, x):
            return x * cls.scale

        @staticmethod
        def plain(x):
            return x * SCALE

        def loss(self, x):
            return self.made(x) + self.plain(x) + self.twice * x + self.once

    kinds = Kinds()
    assert changed(kinds.loss, lambda: None) == ""
    assert changed(kinds.loss, lambda: TABLE.append(5.0)) == "TABLE"
    assert changed(kinds.loss, lambda: monkeypatch.setitem(globals(), "SCALE", 9.0)) == "SCALE"
    assert changed(kinds.loss, lambda: setattr(kinds, "once", 7.0)) == "self.once"
    assert changed(kinds.loss, lambda: setattr(Kinds, "scale", 4.0)) == "self.scale"
    assert changed(kinds.loss, lambda: setattr(Kinds, "made", classmethod(lambda cls, x: x))) == "self.made"


def test_a_descriptor_that_answers_to_instances_alone():
    class Strict:
        def __get__(self, instance, owner=None):
            if instance is None:
                raise RuntimeError("ask an instance")
            return 3.0

    class Holder:
        strict = Strict()

        def loss(self, x):
            return x * self.strict

    assert computed(trace_function(Holder().loss, (2.0,)), (4.0,)) == 12.0


def test_what_super_finds(monkeypatch):
    class Child(Model):
        def loss(self, x):
            return super().loss(x) * 2

    child = Child()
    assert changed(child.loss, lambda: setattr(child, "rate", 0.25)) == "self.rate"
    assert changed(child.loss, lambda: monkeypatch.setattr(Model, "loss", Model.extra)) == "self.loss"


def test_default_arguments(monkeypatch):
    held = [1.0]

    def f(x, scales=held, *, shift=2.0):
        return x * scales[0] + shift

    assert changed(f, lambda: held.append(2.0)) == "scales"
    assert changed(f, lambda: f.__kwdefaults__.update(shift=3.0)) == "shift"
    assert changed(f, lambda: setattr(f, "__defaults__", ([5.0],))) == "f"


def test_partial_functions_and_callable_objects():
    factors = [2.0]

    def scaled(factors, x):
        return x * factors[0]

    assert changed(functools.partial(scaled, factors), lambda: factors.append(1.0))
    held = {"factors": [2.0]}
    by_name = functools.partial(lambda x, factors: x * factors[0], **held)
    assert changed(by_name, lambda: held["factors"].append(1.0))
    assert changed(by_name, lambda: by_name.keywords.update(factors=[5.0]))

    class Scaled:
        def __init__(self):
            self.factor = 2.0

        def __call__(self, x):
            return x * self.factor

    called = Scaled()
    assert changed(called, lambda: setattr(called, "factor", 3.0)).endswith(".factor")


def test_a_compiled_partial_function_follows_its_keywords():
    factors = [2.0]
    program = minigrad.compile(functools.partial(lambda x, factors: x * factors[0], factors=factors))
    assert program(3.0) == 6.0
    factors[0] = 5.0
    assert program(3.0) == 15.0
    assert program.value_and_grad(3.0) == (15.0, 5.0)


def test_self_of_a_method_as_far_as_it_is_read(monkeypatch):
    model = Model()
    assert changed(model.loss, lambda: model.history.append(1.0)) == ""
    assert changed(model.loss, lambda: setattr(model.weights[0], "data", 7.0)) == ""
    assert changed(model.loss, lambda: TABLE.append(model)) == ""
    assert changed(model.loss, lambda: setattr(model, "rate", 0.25)) == "self.rate"
    assert changed(model.loss, lambda: model.weights.append(Value(1.0))) == "self.weights"
    assert changed(model.loss, lambda: monkeypatch.setattr(Model, "bias", 2.0)) == "self.bias"
    assert changed(model.loss, lambda: setattr(model, "bias", 3.0)) == "self.bias"
    assert changed(Model().loss, lambda: setattr(Model, "unrelated", None)) == ""
    again = Model()
    assert changed(again.loss, lambda: setattr(again, "extra", lambda: 7.0)) == "self.extra"
    again = Model()
    assert changed(again.loss, lambda: setattr(again, "weights", list(again.weights))) == "self.weights"
    assert changed(model.loss, lambda: monkeypatch.setitem(globals(), "SCALE", 9.0)) == "SCALE"
    assert changed(model.loss, lambda: monkeypatch.setattr(Model, "extra", lambda self: 0.0)) == "self.extra"


def test_attributes_of_modules_of_ones_own():
    assert changed(lambda x: x * here.scale, lambda: setattr(here, "scale", 3.0)) == "here.scale"


def test_modules_of_nn_are_captured_whole():
    model = nn.MLP(2, [3, 1])
    traced = trace_function(lambda xs: model(xs), ([1.0, 2.0],))
    assert len(traced.captured) == 13
    assert {id(p) for p in traced.captured} == {id(p) for p in model.parameters()}
    assert traced.changed() == ""
    for p in model.parameters():
        p.data += 0.5
    assert traced.changed() == ""
    assert computed(traced, ([1.0, 2.0],)) == model([1.0, 2.0]).data
    model.layers[0].neurons[1].w[0] = Value(3.0)
    assert "model" in traced.changed()
    assert changed(lambda xs: model(xs), lambda: model.eval(), ([1.0, 2.0],))


def test_modules_of_ones_own_that_are_made_of_those_of_nn():
    class Net(nn.Sequential):
        pass

    net = Net(nn.Linear(2, 3), nn.Tanh(), nn.Dropout(0.5))
    net.eval()
    net.history = []
    net.steps = 0

    def f(xs):
        return minigrad.functions.sum(net(xs))

    def keep():
        net.history.append(1.0)
        net.steps += 1

    assert changed(f, keep, ([1.0, 2.0],)) == ""
    assert changed(f, lambda: net.train(), ([1.0, 2.0],))
    net.eval()
    assert changed(f, lambda: setattr(net, "1", nn.ReLU()), ([1.0, 2.0],)) == "net.1"


def test_a_function_that_changes_what_it_captures_is_refused():
    seen = []

    def keeps(x):
        seen.append(x)
        return x * 2

    with pytest.raises(TracingError, match="changes seen"):
        trace_function(keeps, (1.0,))

    def counts(x):
        global COUNT
        COUNT += 1
        return x * 2

    with pytest.raises(TracingError, match="changes COUNT"):
        trace_function(counts, (1.0,))

    def marks(x):
        marks.calls += 1
        return x * 2

    marks.calls = 0
    with pytest.raises(TracingError, match=r"changes marks\.calls"):
        trace_function(marks, (1.0,))

    def caches(x, known={}):  # noqa: B006 the mistake itself
        known[len(known)] = 1.0
        return x

    with pytest.raises(TracingError, match="changes known"):
        trace_function(caches, (1.0,))


def test_too_much_to_look_at_is_refused(monkeypatch):
    import minigrad.compiler.tracing.captures as captures

    monkeypatch.setattr(captures, "MOST", 1000)
    many = [1.0] * 2000
    with pytest.raises(TracingError, match="many"):
        trace_function(lambda x: x * many[0], (1.0,))


def test_things_that_hold_themselves():
    ring = [1.0]
    ring.append(ring)
    ring.append({"ring": ring})
    traced = trace_function(lambda x: x * ring[0], (1.0,))
    assert traced.changed() == ""
    ring[0] = 2.0
    assert traced.changed() == "ring"


def test_looking_again_is_quick():
    a, b, names = 2.0, [1.0, 2.0], {"k": 3.0}
    traced = trace_function(lambda x: helper(x) * a * b[0] * names["k"], (2.0,))
    calls = []
    sys.setprofile(lambda frame, event, given: calls.append(event))
    traced.changed()
    sys.setprofile(None)
    assert sum("call" in event for event in calls) < 20  # as few on any machine, however busy
