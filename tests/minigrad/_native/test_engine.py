"""The compiled engine is the textbook: the same bits, nodes, order, events and errors for every program.

Random programs run on both engines in one process (`engine_pair.py`); everything that can be seen of every
node is compared, inner ones too.  Below them stand the corners that no dice finds, one statement each.

`pytest --graphs=100000` runs more programs.
"""

from __future__ import annotations

import copy
import gc
import math
import os
import pickle
import random
import subprocess
import sys
import weakref
from collections.abc import Callable
from math import inf, nan, nextafter
from typing import Any

import pytest

import engine_pair
import minigrad
from engine_pair import ENGINES, NATIVE, PLAIN, Engine, Program, Record, bits, difference, facts, outcome
from minigrad.graph import CONSTANT, INPUT
from minigrad.ops import MANY, OPS


def unlike(number: int | str) -> str | None:
    """Where the engines part in a program, if they do."""
    found = difference(Program(NATIVE, number).run(), Program(PLAIN, number).run())
    return found and f"program {number!r}, native against plain: {found}"


# ---- which engine is which ------------------------------------------------------------------------


def test_the_engine_in_use_is_the_one_that_was_asked_for():
    """A compiler that is missing must not hide behind the plain engine, which does the same."""
    wanted = "native" if os.environ.get("MINIGRAD_PURE", "0") in ("", "0") else "plain"
    assert wanted == minigrad.ENGINE


def test_both_engines_are_here_and_each_is_what_it_says():
    assert (NATIVE.name, NATIVE.package.ENGINE) == ("native", "native")
    assert (PLAIN.name, PLAIN.package.ENGINE) == ("plain", "plain")
    assert NATIVE.Value.__add__ is not PLAIN.Value.__add__
    assert not isinstance(NATIVE.Value(1.0), PLAIN.Value)
    assert type(PLAIN.Value(1.0) + 1.0) is PLAIN.Value
    assert type(NATIVE.Value(1.0) + 1.0) is NATIVE.Value


# ---- random programs ------------------------------------------------------------------------------


def test_random_programs_do_the_same_on_both_engines(numbers):
    for number in numbers:
        assert unlike(number) is None


def as_values(engine, graph):
    """A graph of generator.py on one engine, the nodes in their order."""
    made, nodes = [], []
    for node in graph.nodes:
        args = [made[arg] for arg in node.args]
        if node.op == CONSTANT:
            made.append(node.data)
            continue
        if node.op == INPUT:
            made.append(engine.Value(node.data))
        elif node.op in ("add", "sub", "mul", "div"):
            made.append(engine_pair.OPERATORS[("add", "sub", "mul", "div").index(node.op)](*args))
        elif node.op == "dot":
            made.append(engine.F.dot(args[: len(args) // 2], args[len(args) // 2 :]))
        else:
            made.append(getattr(engine.F, node.op)(*([args] if OPS[node.op].arity[1] == MANY else args)))
        nodes.append(made[-1])
    return made[graph.output], nodes


def test_the_graphs_of_the_generator_have_the_same_bits_on_both_engines(numbers):
    from random_graphs import (  # PyTorch comes with it, and not every test needs that
        random_graph,
        random_seed,
    )

    for number in numbers:
        graph, seed, records = random_graph(number), random_seed(number), []
        for engine in ENGINES:
            output, nodes = as_values(engine, graph)
            output.backward(seed)
            output.backward()
            records.append(Record([], facts(nodes)))
        assert difference(*records) is None, f"graph {number}"


def test_programs_do_the_same_while_the_collector_is_off(request):
    gc.disable()
    try:
        for number in range(100_000 if request.config.getoption("graphs") >= 100_000 else 300):
            assert unlike(f"{number} without collection") is None
            if number % 1000 == 999:
                gc.collect()  # between two programs, so that memory suffices
    finally:
        gc.enable()


def test_programs_do_the_same_while_the_collector_runs_at_every_chance():
    before = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for number in range(60):
            assert unlike(f"{number} with constant collection") is None
    finally:
        gc.set_threshold(*before)


def test_programs_use_every_op_and_every_step():
    """A generator that never gets somewhere proves nothing about it."""
    ops, events = set(), []
    for number in range(1500):
        record = Program(PLAIN, f"{number} to see what there is").run()
        ops |= {node[engine_pair.FIELDS.index("op")] for node in record.nodes}
        events += [event for event in record.events if isinstance(event, str)]
    assert {op.symbol for op in OPS.values()} <= ops
    assert any(event.startswith("StoppedError") for event in events)
    assert len({event.split(":")[0] for event in events}) >= 4


# ---- the comparison catches something -------------------------------------------------------------


def example():
    """A small graph with every kind of fact: its root first, then a numerator, a leaf."""
    value = PLAIN.Value
    x, y = value(2.0, label="x"), value(3.0)
    root = PLAIN.F.sum([x / y, x * y, PLAIN.F.where(1.0, y, x)])
    root.backward()
    return [root, x * 1.0, x, y, root._children[0]]


def one_bit_up(x):
    return nextafter(x, 1e9)


PLANTED = {
    "data": lambda nodes: setattr(nodes[2], "data", one_bit_up(nodes[2].data)),
    "grad of a leaf": lambda nodes: setattr(nodes[2], "grad", one_bit_up(nodes[2].grad)),
    "grad of an inner node": lambda nodes: setattr(nodes[4], "grad", one_bit_up(nodes[4].grad)),
    "type of grad": lambda nodes: setattr(nodes[0], "grad", 1),
    "sign of zero": lambda nodes: setattr(nodes[1], "grad", -0.0),
    "local": lambda nodes: setattr(nodes[1], "_local_grads", (one_bit_up(1.0), 2.0)),
    "divisor of a local": lambda nodes: setattr(
        nodes[4], "_local_grads", (type(nodes[4]._local_grads[0])(one_bit_up(3.0)), nodes[4]._local_grads[1])
    ),
    "requires_grad": lambda nodes: setattr(nodes[3], "requires_grad", False),
    "op": lambda nodes: setattr(nodes[1], "_op", "+"),
    "label": lambda nodes: setattr(nodes[2], "label", "X"),
    "order of children": lambda nodes: setattr(nodes[1], "_children", nodes[1]._children[::-1]),
    "order of creation": lambda nodes: setattr(nodes[2], "_index", nodes[3]._index + 1),
    "a rule": lambda nodes: setattr(nodes[4], "_backward", lambda: None),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_difference_is_found(planted):
    one, other = example(), example()
    assert difference(Record([], facts(one)), Record([], facts(other))) is None
    PLANTED[planted](other)
    assert difference(Record([], facts(one)), Record([], facts(other))) is not None


def test_a_planted_event_is_found_and_so_is_one_that_is_missing():
    one = Record(["x", [bits(1.0)]], [])
    assert difference(one, Record(["x", [bits(one_bit_up(1.0))]], [])) is not None
    assert difference(one, Record(["x"], [])) is not None


@pytest.mark.parametrize("op", ["__mul__", "__truediv__", "exp", "where", "_propagate"])
def test_an_engine_that_is_one_bit_off_in_one_rule_is_found(op, monkeypatch):
    right = getattr(PLAIN.Value, op)

    def off_by_one_bit(self, *others):
        result = right(self, *others)
        if result is None:  # a pass
            for child in self._children[:1]:
                child.grad = one_bit_up(child.grad)
        elif result is not NotImplemented and result._local_grads:
            first, *rest = result._local_grads
            result._local_grads = (*(one_bit_up(x or 0.0) for x in (first,)), *rest)
        return result

    monkeypatch.setattr(PLAIN.Value, op, off_by_one_bit)
    assert any(unlike(number) for number in range(300))


# ---- sizes that random programs do not reach ------------------------------------------------------


def large(engine, number, size, *, copies=False):
    """A graph whose edges are short and long, beyond any window that a walk may keep."""
    draw = random.Random(number)
    nodes = [engine.Value(draw.uniform(-1, 1)) for _ in range(50)]
    while len(nodes) < size:
        a = nodes[-1 - int(draw.random() ** 4 * len(nodes))]
        b = nodes[int(draw.random() * len(nodes))]
        chance = draw.random()
        if copies and chance < 0.1:
            nodes.append(copy.copy(a))
        elif chance < 0.6:
            nodes.append(a * 0.5 + b * 0.25)
        elif chance < 0.8:
            nodes.append(engine.F.sum([a, b, nodes[-1]]) * 0.5)
        else:
            nodes.append(engine.F.where(draw.random() < 0.5, a, b))
    return nodes


@pytest.mark.parametrize("copies", [False, True], ids=["", "with copies, which share their places"])
def test_a_graph_of_many_thousand_nodes_has_the_same_gradients(copies):
    found = []
    for engine in ENGINES:
        nodes = large(engine, 7, 60_000, copies=copies)
        nodes[-1].backward(1.5)
        engine.backward([nodes[-1], nodes[-7], nodes[30_000], nodes[-7]], [0.5, -1.0, 2.0, 3.0])
        found.append([bits(node.grad) for node in nodes])
    assert found[0] == found[1]
    assert len(set(found[0])) > 1000


def spread(engine, number):
    """A tangle whose places in the order of creation are pulled apart, by more than any walk's window, or
    just as much; copies share a place.  Additions in another order would give other bits."""
    draw = random.Random(f"spread {number}")
    nodes = [engine.Value(draw.uniform(-1, 1)) for _ in range(3)]
    for _ in range(draw.randint(5, 60)):
        a, b = (nodes[-1 - int(draw.random() ** 2 * len(nodes))] for _ in "ab")
        chance = draw.random()
        if chance < 0.25:
            nodes.append(copy.copy(a))
        elif chance < 0.3:
            nodes += pickle.loads(pickle.dumps([a, b]))
        else:
            nodes.append(engine.F.dot([a, b, a], [draw.uniform(-1, 1) for _ in "abc"]))
    roots = draw.sample(nodes, 2)
    ends = draw.sample(nodes, draw.randint(1, len(nodes)))
    total = engine.F.dot(ends, [draw.uniform(-1e3, 1e3) for _ in ends])
    below = [node for part in engine.reach([total]) for node in part]
    strides = (1, 2, 63, 64, 65, 1000, 32768, 65534, 65535, 65536, 65537, 10**6, 2**32)
    place, old = -draw.randrange(10**9), None
    for node in sorted(below, key=lambda node: node._index):
        if node._index != old:
            place, old = place + draw.choice(strides[: draw.randint(1, len(strides))]), node._index
        node._index = place
    for node in draw.sample(below, min(len(below), draw.choice((0, 0, 0, 1, 3)))):
        node._index = draw.choice(below)._index + draw.choice((-1, 0, 1))  # not even after its children
    total.backward(1.25)
    first = [bits(node.grad) for node in below]
    engine.backward([*roots, total], [0.1, 0.7, -1.3])
    return first, [bits(node.grad) for node in below]


def test_the_order_of_a_pass_is_that_of_creation_however_far_apart(numbers):
    for number in numbers[::10]:
        native, plain = (spread(engine, number) for engine in ENGINES)
        assert native == plain, f"tangle {number}"


@pytest.mark.parametrize("name", [name for name, op in OPS.items() if op.arity[1] == MANY and name != "dot"])
@pytest.mark.parametrize("count", [1, 2, 3, 63, 64, 65, 1000, 20_001])
def test_reductions_of_any_length_have_the_same_bits(name, count):
    records = []
    for engine in ENGINES:
        draw = random.Random(count)
        xs = [engine.Value(draw.uniform(-2, 2)) if draw.random() < 0.8 else draw.uniform(-2, 2)]
        xs += [
            engine.Value(draw.uniform(-2, 2)) if draw.random() < 0.8 else draw.uniform(-2, 2)
            for _ in range(count - 1)
        ]
        y = getattr(engine.F, name)([*xs[:-1], engine.Value(0.5)])
        y.backward(3.0)
        records.append(Record([], facts([y])))
    assert difference(*records) is None


@pytest.mark.parametrize("count", [1, 2, 16, 17, 100])
def test_any_number_of_roots_is_walked_alike(count):
    records = []
    for engine in ENGINES:
        x, y = engine.Value(0.3), engine.Value(-1.7)
        roots = [(x * float(i) + y).tanh() for i in range(count)]
        engine.backward(roots)
        engine.backward(tuple(roots), [0.1 * i for i in range(count)])
        engine.backward(root for root in roots)
        records.append(Record([], facts([x, y, *roots])))
    assert difference(*records) is None


# ---- corners: what one engine does, the other does ------------------------------------------------
# Each is run on both engines; what it returns is compared.


def attempt(action):
    made, error = outcome(action)
    return error or made


CORNERS: dict[str, Callable[[Engine], Any]] = {}


def corner(check):
    CORNERS[check.__name__] = check
    return check


@corner
def a_subclass_that_refuses_is_heard(engine):
    class Metres(engine.Value):
        def __add__(self, other):
            return super().__add__(other) if isinstance(other, Metres) else NotImplemented

        def __mul__(self, other):
            return NotImplemented

        def __pow__(self, other):
            return NotImplemented

    metres, value = Metres(2.0), engine.Value(3.0)
    return [
        attempt(lambda: (metres + value).data),
        attempt(lambda: (metres + metres).data),
        attempt(lambda: (value + metres).data),
        attempt(lambda: (metres * value).data),
        attempt(lambda: (value * metres).data),
        attempt(lambda: (metres * 2.0).data),
        attempt(lambda: (metres * metres).data),
        attempt(lambda: (metres**value).data),
        attempt(lambda: (2.0**metres).data),
    ]


@corner
def methods_of_operators_can_be_called_by_name(engine):
    a, b = engine.Value(2.0), engine.Value(3.0)
    operations = ("add", "sub", "mul", "truediv", "pow")
    results = []
    for name in (*operations, *(f"r{name}" for name in operations), "lt", "le", "gt", "ge", "eq", "ne"):
        for other in (b, a, 4.0, 4, "x", None):
            result = attempt(lambda: getattr(a, f"__{name}__")(other))  # noqa: B023
            results.append((name, result.data if isinstance(result, engine.Value) else result))
    return results


@corner
def what_is_written_to_requires_grad_counts_by_its_truth(engine):
    v = engine.Value(1.0)
    seen = []
    for written in (5, 0, None, "yes", [], True):
        v.requires_grad = written
        seen += [bool(v.requires_grad), bool((v * 2.0).requires_grad)]
    return seen


@corner
def what_is_computed_cannot_be_deleted(engine):
    names = ("data", "label", "_backward", "_prev", "nothing", "exp", "item")
    return [attempt(lambda: delattr(engine.Value(1.0), name)).split(":")[0] for name in names]  # noqa: B023


@corner
def the_order_of_creation_is_that_of_init(engine):
    class Late(engine.Value):
        def __init__(self, data):
            self.before = engine.Value(1.0)
            super().__init__(data)

    late = Late(2.0)
    v, w = engine.Value(1.0), engine.Value(2.0)
    v.__init__(3.0)
    return [late._index > late.before._index, v._index > w._index]


@corner
def a_subclass_with_a_grad_of_its_own_is_asked_for_it(engine):
    class Clipped(engine.Value):
        @property
        def grad(self):
            return self.__dict__.get("clipped", 0.0)

        @grad.setter
        def grad(self, grad):
            self.__dict__["clipped"] = max(-1.0, min(1.0, grad))

    x, y = Clipped(2.0), engine.Value(3.0)
    root = y * (x * 30.0)
    root.backward()
    return [x.grad, y.grad, root.grad]


@corner
def a_subclass_with_a_message_of_its_own_sends_it(engine):
    sent = []

    class Counting(engine.Value):
        def _propagate(self):
            sent.append(self.grad)
            super()._propagate()

    x = Counting(2.0)
    (x * 3.0 + 1.0).backward()
    return [sent, x.grad]


@corner
def functions_can_be_pickled(engine):
    functions = [getattr(engine.F, name) for name in OPS]
    return [attempt(lambda: pickle.loads(pickle.dumps(f)) is f) for f in functions]  # noqa: B023


@corner
def everything_is_documented_alike(engine):
    names = sorted(name for name in vars(PLAIN.Value) if not name.startswith("__"))
    return {
        "Value": engine.Value.__doc__,
        "backward": engine.backward.__doc__,
        "reach": engine.reach.__doc__,
        **{f"F.{name}": getattr(engine.F, name).__doc__ for name in OPS},
        **{
            name: getattr(engine.Value, name).__doc__
            for name in names
            if callable(getattr(PLAIN.Value, name))
        },
        **{name: getattr(engine.Value, name).__doc__ for name in ("data", "label", "_prev", "_backward")},
    }


@corner
def public_names_of_the_class_are_the_same(engine):
    return sorted(name for name in dir(engine.Value) if not name.startswith("__"))


@corner
def names_and_modules_are_those_of_the_package(engine):
    package = engine.package.__name__
    return [
        engine.Value.__name__,
        engine.Value.__qualname__,
        engine.Value.__module__.removeprefix(package),
        *[getattr(engine.F, name).__name__ for name in OPS],
        *[getattr(engine.F, name).__module__.removeprefix(package) for name in OPS],
        *[getattr(engine.Value, name).__qualname__ for name in ("exp", "backward", "zero_grad")],
    ]


@corner
def a_hook_that_removes_itself_and_starts_a_pass_is_inside_that_pass(engine):
    x = engine.Value(2.0)
    y = x * 3.0
    other = x * 5.0
    z = y * y
    seen = []

    def hook(grad):
        handle.remove()
        other.backward()
        seen.append((grad, x.grad, other.grad))

    handle = y.register_hook(hook)
    z.backward()
    return [seen, x.grad, y.grad, other.grad]


@corner
def a_node_may_lose_and_regain_its_gradient_between_passes(engine):
    x, c = engine.Value(2.0), engine.Value(3.0, requires_grad=False)
    y = x * c
    z = y * x
    seen = []
    for node, wanted in ((c, True), (x, False), (y, False), (x, True), (y, True)):
        node.requires_grad = wanted
        z.backward()
        seen.append([n.grad for n in (x, c, y, z)])
    return seen


@corner
def a_grad_that_is_no_float_is_kept_until_a_pass(engine):
    seen = []
    for written in (None, 0, 1, True, "text", [1.0], 10**400, float("nan")):
        x = engine.Value(2.0)
        y = x * x
        x.grad = written
        seen.append(repr(x.grad))
        seen.append(attempt(y.backward))
        seen.append(repr(x.grad))
        y.grad = written
        seen += [attempt(y.backward), repr(y.grad), repr(x.grad)]
        x.grad = written
        y.grad = 1.0
        seen += [attempt(y._propagate), repr(x.grad)]
        x.grad = written
        y.grad = written
        seen += [attempt(y._backward), repr(x.grad), attempt(y.zero_grad), repr(x.grad), repr(y.grad)]
    return seen


@corner
def large_integers_are_not_rounded(engine):
    seen = []
    for number in (
        2**53 - 1,
        2**53,
        2**53 + 1,
        -(2**53) - 1,
        2**54 + 1,
        2**62 + 1,
        2**63,
        10**308,
        -(10**400),
    ):
        v = engine.Value(2.0**53)
        v.grad = number
        seen += [v.grad == number, type(v.grad).__name__]
        seen += [v < number, v <= number, v > number, v >= number, number < v, number >= v]
        y = v * 3.0
        seen += [attempt(y.backward), repr(v.grad)]
    return seen


@corner
def no_function_depends_on_what_failed_before(engine):
    """The C library's errno is left behind by an overflow, and CPython's abs of a complex number reads it."""
    seen = []
    for x, y in ((nan, nan), (nan, 1.0), (1.0, nan), (nan, inf), (3.0, 4.0)):
        for _ in range(2):
            attempt(lambda: math.exp(1000.0))
            seen.append(bits(engine.F.hypot(x, y).data))
            abs(complex(3.0, 4.0))
    return seen


@corner
def a_value_that_was_never_initialized_has_no_facts(engine):
    class Forgetful(engine.Value):
        def __init__(self, data):
            """And no super().__init__(data)."""

    x = Forgetful(2.0)
    uses = {
        "data": lambda: x.data,
        "grad": lambda: x.grad,
        "on the left": lambda: x + 1.0,
        "on the right": lambda: 1.0 - x,
        "of a Value": lambda: engine.Value(1.0) * x,
        "a method": lambda: x.exp(),
        "a sign": lambda: -x,
        "a function": lambda: engine.F.sum([x, 1.0]),
        "a comparison": lambda: x < 1.0,
        "a pass": lambda: x.backward(),
        "repr": lambda: repr(x),
    }
    return {name: (outcome(use)[1] or "no error").split(":")[0] for name, use in uses.items()}


@corner
def dead_nodes_are_told_to_their_weak_references_in_the_same_order(engine):
    told = []
    x = engine.Value(1.0)
    nodes = [x * float(i) for i in range(5)]
    watch = [weakref.ref(node, lambda _, i=i: told.append(i)) for i, node in enumerate(nodes)]
    root = engine.F.sum(nodes)
    del nodes
    before = list(told)
    del root
    return [before, sorted(told), [ref() for ref in watch]]


@pytest.mark.parametrize("name", CORNERS)
def test_corner(name):
    native, plain = (CORNERS[name](engine) for engine in ENGINES)
    assert native == plain


def test_an_object_may_become_one_of_a_subclass_and_back():
    """In a process of its own: memory that goes back to the wrong place ends it."""
    program = """
from minigrad import Value, ENGINE
assert ENGINE == "native"
class Sub(Value):
    __slots__ = ()
for turn in range(3):
    values = [Value(float(i)) for i in range(1000)]
    subs = [Sub(float(i)) for i in range(1000)]
    def assign(v, cls):
        try:
            v.__class__ = cls
        except TypeError:
            pass  # to refuse it is an answer as well
    for v in values:
        assign(v, Sub)
    for v in subs:
        assign(v, Value)
    total = sum((v * 2.0 for v in values + subs), Value(0.0))
    total.backward()
    del values, subs, total, v
print(sum(Value(1.0).data for _ in range(50000)))
"""
    environment = {name: x for name, x in os.environ.items() if name != "MINIGRAD_PURE"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout.strip()) == (0, "50000.0"), done.stderr[-500:]


# ---- what differs, and is meant to ----------------------------------------------------------------
# The reason stands in the docstring of each.  That it still is a difference is tested: what has gone
# leaves the list.

ACCEPTED: dict[str, Callable[[Engine], Any]] = {}


def accepted(check):
    ACCEPTED[check.__name__] = check
    return check


@accepted
def a_fact_that_is_deleted(engine):
    """The textbook's node then has no grad, and fails later.  In C no fact can be missing: it refuses."""
    return attempt(lambda: delattr(engine.Value(1.0), "grad"))


@accepted
def a_requires_grad_that_is_no_bool(engine):
    """The textbook reads back what was written; in C it is one bit, and reads as True or False."""
    v = engine.Value(1.0)
    v.requires_grad = 5
    return v.requires_grad


@accepted
def a_rule_that_is_written_over_the_class(engine):
    """Value._propagate replaced for all: the compiled pass calls no method that it knows to be its own."""
    original, called = engine.Value._propagate, []
    engine.Value._propagate = lambda self: (called.append(1), original(self))[1]
    try:
        (engine.Value(2.0) * 3.0).backward()
    finally:
        engine.Value._propagate = original
    return called


@accepted
def a_method_on_what_is_no_value(engine):
    """CPython itself checks the self of a compiled method, and has a TypeError for it."""
    return attempt(lambda: engine.Value.exp(3.0)).split(":")[0]


@accepted
def a_subclass_that_cannot_be_hashed(engine):
    """The textbook keeps nodes in sets; the compiled walks mark them, so they need no hash."""

    class Unhashable(engine.Value):
        def __eq__(self, other):
            return self is other

    x = Unhashable(2.0)
    return attempt((x * x).backward)


@accepted
def a_weak_proxy_as_an_operand(engine):
    """isinstance says that a proxy is a Value, but no pass can walk it: the textbook fails later."""
    v = engine.Value(2.0)
    return attempt((engine.Value(1.0) + weakref.proxy(v)).backward)


@pytest.mark.parametrize("name", ACCEPTED)
def test_an_accepted_difference_is_one_and_has_its_reason(name):
    native, plain = (ACCEPTED[name](engine) for engine in ENGINES)
    assert native != plain
    assert ACCEPTED[name].__doc__
