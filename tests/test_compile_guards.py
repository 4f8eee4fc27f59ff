"""Guards: a program is used only where the function would go the same way, and read the same things."""

from __future__ import annotations

import array
import functools
import math
import random
import sys
import types
from collections import UserDict, UserList, deque
from dataclasses import dataclass
from operator import add, mul, sub, truediv

import numpy
import pytest

import minigrad
from minigrad import Value, nn, take
from minigrad.compile.tracing import RefusedError, record
from tracing_cases import computed, holds

# ---- branches -------------------------------------------------------------------------------------


def test_a_branch_is_a_guard_with_its_line():
    def f(x):
        if x > 1.0:  # the line
            return x * 2
        return x / 2

    recording = record(f, (3.0,))
    (guard,) = recording.scalars.guards
    assert guard.where == f"test_compile_guards.py:{f.__code__.co_firstlineno + 1}"
    assert (recording.scalars.ops[guard.node], guard.expected) == ("greater", 1.0)
    assert holds(recording, (5.0,))
    assert not holds(recording, (1.0,))
    assert not holds(recording, (math.nan,))
    assert [g.expected for g in record(f, (0.0,)).scalars.guards] == [0.0]
    assert holds(record(f, (math.nan,)), (0.5,))  # neither is greater


@pytest.mark.parametrize(
    ("compare", "op"),
    [
        (lambda a, b: a < b, "less"),
        (lambda a, b: a <= b, "less_equal"),
        (lambda a, b: a > b, "greater"),
        (lambda a, b: a >= b, "greater_equal"),
        (lambda a, b: a.data == b, "equal"),
        (lambda a, b: a.data != b, "equal"),
    ],
)
def test_every_comparison_holds_where_it_comes_out_the_same(compare, op):
    numbers = (-1.0, 0.0, 2.0, math.inf, math.nan)
    for right in (0, 0.0, 2.5, True, *([] if op == "equal" else [Value(0.0)])):
        for at in numbers:
            recording = record(lambda x, right=right: x * (2 if compare(x, right) else 3), (at,))
            assert [recording.scalars.ops[g.node] for g in recording.scalars.guards] == [op]
            for x in numbers:
                assert holds(recording, (x,)) == (
                    bool(compare(Value(x), _number(right))) == bool(compare(Value(at), _number(right)))
                )


def _number(x):
    return x.data if isinstance(x, Value) else x


def test_a_number_on_the_left_is_compared_too():
    one = 1
    assert not holds(record(lambda x: x if one < x else -x, (3.0,)), (0.5,))
    assert not holds(record(lambda x: x if one == x.data else -x, (1.0,)), (0.5,))


def test_truth_is_that_of_a_float_and_a_value_is_always_true():
    recording = record(lambda x: x * 2 if x else x, (1.0,))
    assert holds(recording, (-1.0,))
    assert not holds(recording, (0.0,))  # where a float is false
    with pytest.raises(RefusedError, match=r"x\.data != 0\.0"):
        record(lambda x: x * 2 if x else x, (0.0,))
    captured = Value(0.0)
    assert record(lambda x: x * 2 if captured else x, (1.0,)).scalars.guards == []
    recording = record(lambda x: x * 2 if x.data else x, (3.0,))
    assert holds(recording, (-1.0,))
    assert not holds(recording, (0.0,))


def test_a_data_dependent_loop_is_a_series_of_guards():
    def f(x):
        while x > 1:
            x = x / 2
        return x

    recording = record(f, (5.0,))
    assert len(recording.scalars.guards) == 4
    assert holds(recording, (7.0,))
    assert computed(recording, (7.0,)) == 7.0 / 8
    assert not holds(recording, (9.0,))
    assert not holds(recording, (3.0,))


def test_the_largest_and_the_order_of_numbers_are_guarded():
    def f(xs):
        top = max(x.data for x in xs)
        return minigrad.functions.sum([(x - top).exp() for x in sorted(xs)]) + min(xs)

    recording = record(f, ([1.0, 3.0, 2.0],))
    assert holds(recording, ([1.5, 30.0, 2.0],))
    assert not holds(recording, ([1.0, 3.0, 4.0],))


def test_a_comparison_that_is_made_twice_is_one_guard_and_one_of_constants_none():
    recording = record(
        lambda x: x if x > 1 and x > 1.0 and Value(2.0, requires_grad=False) > 1 else -x, (3.0,)
    )
    assert len(recording.scalars.guards) == 1


def test_a_number_that_is_no_float_is_refused():
    for right in (2**53 + 1, 10**400):
        with pytest.raises((RefusedError, OverflowError)):
            record(lambda x, right=right: x if x < right else -x, (3.0,))
    with pytest.raises(TypeError):
        record(lambda x: x if x < "3" else -x, (3.0,))


def random_function(seed):
    """A function that branches, loops, looks up and reads numbers out: at random, and always the same."""

    def f(xs, n):
        draw = random.Random(seed)
        held = list(xs)
        for _ in range(12):
            a, b = draw.choice(held), draw.choice(held)
            what = draw.randrange(9)
            if what == 0:
                held.append(a * b + 1)
            elif what == 1:
                held.append(a / (b * b + 1.0))
            elif what == 2:
                held.append(a.tanh() if a > b else b.sin())
            elif what == 3:
                held.append(a - max(x.data for x in held))
            elif what == 4:
                held.append(take(held[:3], n) * b)
            elif what == 5:
                while a.data > 2.0:
                    a = a / 2
                held.append(a)
            elif what == 6:
                held.append(a.detach() * b if abs(b.item()) < 1.0 else b)
            elif what == 7:
                held.append(minigrad.functions.logsumexp([a, b, 0.5]))
            else:
                held.append(held[n] + n * a if n > 0 else a)
        return [held[-1], minigrad.functions.sum(held)]

    return f


def test_random_functions_are_right_wherever_their_guards_hold():
    draw = random.Random(7)
    held = broken = 0
    for seed in range(60):
        f = random_function(seed)
        recording = record(f, ([draw.uniform(-2, 2) for _ in range(3)], draw.randrange(3)))
        for _ in range(12):
            args = ([draw.uniform(-2, 2) for _ in range(3)], draw.randrange(3))
            if holds(recording, args):
                held += 1
                eager = [value.data for value in f([Value(x) for x in args[0]], args[1])]
                assert [x.hex() for x in computed(recording, args)] == [x.hex() for x in eager]
            else:
                broken += 1
                assert holds(record(f, args), args)
    assert held > 50
    assert broken > 50


def random_floats(seed):
    """A function that computes with what it reads out of Values, as floats do."""

    def f(xs):
        draw = random.Random(seed)
        held = [x.data for x in xs]
        for _ in range(10):
            a, b = draw.choice(held), draw.choice([*held, 0, 2, -1.5])
            a, b = (a, b) if draw.random() < 0.5 else (b, a)
            what = draw.choice([add, sub, mul, truediv, max, min, "size", "power"])
            if what == "power":  # squares and roots of Values are rounded better than those of floats
                held.append(a ** draw.choice([3, -2, 1.5]))
            elif what == "size":
                held.append(abs(a) if a != b else -b)
            else:
                held.append(what(a, b))
        return [x * y for x, y in zip(xs, held[-3:], strict=True)]

    return f


def test_floats_that_are_read_out_compute_to_the_bit_and_fail_as_floats_do():
    draw = random.Random(3)
    held, failures = 0, []

    def eager(f, numbers):
        try:
            return [value.data.hex() for value in f([Value(x) for x in numbers])]
        except (ArithmeticError, TypeError, ValueError) as error:  # a TypeError: some are complex
            return type(error)

    for seed in range(150):
        f = random_floats(seed)
        numbers = [draw.choice([draw.uniform(-2, 2), 0.0, 1.0]) for _ in range(3)]
        try:
            recording = record(f, (numbers,))
        except (ArithmeticError, RefusedError) as error:
            failures.append((f, numbers, type(error)))
            continue
        for other in (numbers, *([draw.uniform(-2, 2) for _ in range(3)] for _ in range(6))):
            if holds(recording, (other,)):
                held += 1
                assert [x.hex() for x in computed(recording, (other,))] == eager(f, other)
    assert held > 200
    assert len(failures) > 20
    for f, numbers, kind in failures:
        assert kind is RefusedError or eager(f, numbers) is kind


def test_a_guard_that_is_left_out_would_be_seen():
    """The test above must fail where a guard is missing."""
    missed = 0
    for seed in range(20):
        f = random_function(seed)
        recording = record(f, ([0.5, -1.0, 1.5], 1))
        recording.scalars.guards.clear()
        args = ([-1.5, 1.9, 0.3], 2)
        if holds(recording, args):
            eager = [value.data for value in f([Value(x) for x in args[0]], args[1])]
            missed += computed(recording, args) != eager
    assert missed > 5


# ---- what a function reads besides its arguments ----------------------------------------------------

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
    """What a recording says has changed after a change."""
    recording = record(f, args)
    assert recording.still() == ""
    change()
    return recording.still()


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
    recording = record(lambda x: x * (k * 2), (2.0,))
    assert recording.still() == ""
    assert recording.still() == ""
    k.requires_grad = True  # and 2 * k is a node then
    assert recording.still() == "k"


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

    assert computed(record(Holder().loss, (2.0,)), (4.0,)) == 12.0


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

    class Scaled:
        def __init__(self):
            self.factor = 2.0

        def __call__(self, x):
            return x * self.factor

    called = Scaled()
    assert changed(called, lambda: setattr(called, "factor", 3.0)).endswith(".factor")


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
    recording = record(lambda xs: model(xs), ([1.0, 2.0],))
    assert len(recording.captured) == 13
    assert {id(p) for p in recording.captured} == {id(p) for p in model.parameters()}
    assert recording.still() == ""
    for p in model.parameters():
        p.data += 0.5
    assert recording.still() == ""
    assert computed(recording, ([1.0, 2.0],)) == model([1.0, 2.0]).data
    model.layers[0].neurons[1].w[0] = Value(3.0)
    assert "model" in recording.still()
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

    with pytest.raises(RefusedError, match="changes seen"):
        record(keeps, (1.0,))

    def counts(x):
        global COUNT
        COUNT += 1
        return x * 2

    with pytest.raises(RefusedError, match="changes COUNT"):
        record(counts, (1.0,))

    def marks(x):
        marks.calls += 1
        return x * 2

    marks.calls = 0
    with pytest.raises(RefusedError, match=r"changes marks\.calls"):
        record(marks, (1.0,))

    def caches(x, known={}):  # noqa: B006 the mistake itself
        known[len(known)] = 1.0
        return x

    with pytest.raises(RefusedError, match="changes known"):
        record(caches, (1.0,))


def test_too_much_to_look_at_is_refused(monkeypatch):
    import minigrad.compile.tracing.captures as captures

    monkeypatch.setattr(captures, "MOST", 1000)
    many = [1.0] * 2000
    with pytest.raises(RefusedError, match="many"):
        record(lambda x: x * many[0], (1.0,))


def test_things_that_hold_themselves():
    ring = [1.0]
    ring.append(ring)
    ring.append({"ring": ring})
    recording = record(lambda x: x * ring[0], (1.0,))
    assert recording.still() == ""
    ring[0] = 2.0
    assert recording.still() == "ring"


def test_looking_again_is_quick():
    a, b, names = 2.0, [1.0, 2.0], {"k": 3.0}
    recording = record(lambda x: helper(x) * a * b[0] * names["k"], (2.0,))
    calls = []
    sys.setprofile(lambda frame, event, given: calls.append(event))
    recording.still()
    sys.setprofile(None)
    assert sum("call" in event for event in calls) < 20  # as few on any machine, however busy
