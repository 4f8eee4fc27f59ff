"""Copies and pickles: what they keep, what stays shared, what is left behind and what is refused."""

from __future__ import annotations

import copy
import gc
import io
import itertools
import pickle
import random
import subprocess
import sys
from operator import add, mul, sub

import pytest

from minigrad import Graph, Value
from minigrad.text.translation import LANGUAGES, speaking
from sentences import sentence
from threads import in_threads

bits = float.hex
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


def through_pickle(thing, protocol=None):
    return pickle.loads(pickle.dumps(thing, protocol))


def through_python_pickle(thing):
    """The pickler and unpickler that are written in Python."""
    file = io.BytesIO()
    pickle._Pickler(file).dump(thing)
    return pickle._Unpickler(io.BytesIO(file.getvalue())).load()


WAYS = {"deepcopy": copy.deepcopy, "pickle": through_pickle, "pickle in Python": through_python_pickle}
WAYS |= {f"protocol {n}": lambda thing, n=n: through_pickle(thing, n) for n in PROTOCOLS}


@pytest.fixture(params=WAYS)
def way(request):
    return WAYS[request.param]


def classic():
    a, b, c = Value(2.0, label="a"), Value(3.0, label="b"), Value(4.0, label="c")
    L = (a * b + c) * (a - c)  # noqa: N806
    L.label = "L"
    return a, b, c, L


def tangled(seed):
    """A random graph in which additions in another order would give other bits."""
    rng = random.Random(seed)
    leaves = [Value(rng.uniform(-2, 2)) for _ in range(3)]
    values = list(leaves)
    for _ in range(30):
        operator = rng.choice((add, sub, mul))
        values.append(operator(rng.choice(values), rng.choice(values)))
    total = values[0]
    for value in values[1:]:
        total = total + value.tanh() * rng.uniform(-1e3, 1e3)
    return leaves, values, total


# ---- one Value ----------------------------------------------------------------------------------


def test_a_copy_has_all_facts_and_is_another_graph(way):
    a, b, c, L = classic()  # noqa: N806
    L.backward()
    other = way(L)
    assert other is not L
    assert (other.data, other.grad, other.label, other._op) == (-20.0, 1.0, "L", "*")
    assert other._local_grads == L._local_grads
    assert Graph.of(other) == Graph.of(L)
    other.backward()
    assert (a.grad, b.grad, c.grad) == (4.0, -4.0, -12.0)  # the original is not touched
    leaves = {v.label: v.grad for v in leaves_of(other)}
    assert leaves == {"a": 8.0, "b": -8.0, "c": -24.0}  # gradients came along, and one more copy


def leaves_of(root):
    found = [root]
    for node in found:
        found += [child for child in node._prev if child not in found]
    return [node for node in found if not node._children]


def test_a_constant_stays_a_constant(way):
    y = Value(3.0) * 5 + Value(1.0, requires_grad=False)
    other = way(y)
    assert sorted((leaf.data, leaf.requires_grad) for leaf in leaves_of(other)) == [
        (1.0, False),
        (3.0, True),
        (5.0, False),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_a_copied_graph_runs_backward_to_the_same_bits(way, seed):
    leaves, _, y = tangled(seed)
    mine, other = way((leaves, y))
    y.backward(1.25)
    other.backward(1.25)
    assert [bits(leaf.grad) for leaf in leaves] == [bits(leaf.grad) for leaf in mine]


@pytest.mark.parametrize("seed", range(5))
def test_also_when_some_of_its_nodes_were_copied_first(way, seed):
    """The order of creation survives, in whatever order a container lists its nodes."""
    leaves, values, y = tangled(seed)
    some = random.Random(seed).sample(values, 12)
    _, mine, other = way((some, leaves, y))
    y.backward(1.25)
    other.backward(1.25)
    assert [bits(leaf.grad) for leaf in leaves] == [bits(leaf.grad) for leaf in mine]


def test_copy_makes_a_second_node_with_the_same_children():
    a, _, _, L = classic()  # noqa: N806
    other = copy.copy(L)
    assert other is not L
    assert other._children == L._children
    assert (other.data, other.label) == (L.data, L.label)
    other.backward()
    assert a.grad == 4.0
    (L + other).backward()
    assert a.grad == 12.0
    leaf = copy.copy(a)
    leaf.data = 100.0
    assert a.data == 2.0


def test_new_nodes_can_be_built_on_a_copy(way):
    a, _, _, L = classic()  # noqa: N806
    other = way(L)
    y = other * other + other
    y.backward()
    leaf = next(v for v in leaves_of(other) if v.label == "a")
    assert leaf.grad == (2 * -20.0 + 1) * 4.0
    mixed = other * L
    mixed.backward()
    assert a.grad == -20.0 * 4.0


def test_a_repeated_argument_stays_repeated(way):
    a = Value(3.0)
    other = way(a * a)
    assert other._children[0] is other._children[1]
    assert len(other._children) == 2


def test_a_branch_not_taken_stays_not_taken(way):
    x = Value(0.0)
    y = Value(0.0, requires_grad=False).where(x.log(), x * 3)
    mine, other = way((x, y))
    other.backward()
    assert mine.grad == 3.0


# ---- several Values in one container ------------------------------------------------------------


def test_a_leaf_that_two_losses_share_is_still_one_leaf(way):
    a = Value(2.0)
    first, second = a * 3, a * a
    for container in ([first, second], [second, first], [first, a, second], [a, first, second]):
        copies = way(container)
        shared = {v for root in copies for v in leaves_of(root) if v.requires_grad}
        assert len(shared) == 1
        for root, original in zip(copies, container, strict=True):
            assert root.data == original.data


def test_identity_survives_in_any_order_of_any_nodes(way):
    a, b = Value(2.0), Value(3.0)
    c = a * b
    d = c + a
    e = c * d
    everything = (a, b, c, d, e)
    for order in itertools.permutations(range(5)):
        copies = dict(zip(order, way([everything[i] for i in order]), strict=True))
        a2, b2, c2, d2, e2 = (copies[i] for i in range(5))
        assert c2._children == (a2, b2)
        assert d2._children == (c2, a2)
        assert e2._children == (c2, d2)


def test_dicts_tuples_and_objects_keep_what_they_share(way):
    w = Value(0.5, label="w")
    model = {"weights": [w, w], "loss": (w * 2, {"again": w})}
    other = way(model)
    first, second = other["weights"]
    assert first is second is other["loss"][1]["again"]
    assert other["loss"][0]._children[0] is first


def test_one_pickler_that_writes_twice_keeps_what_it_has_written():
    a = Value(2.0)
    file = io.BytesIO()
    pickler = pickle.Pickler(file)
    pickler.dump(a * 3)
    pickler.dump([a, a * a])
    unpickler = pickle.Unpickler(io.BytesIO(file.getvalue()))
    first, (leaf, square) = unpickler.load(), unpickler.load()
    assert first._children[0] is leaf
    assert square._children == (leaf, leaf)


def test_a_second_pickle_is_whole_while_another_pickler_still_remembers():
    a = Value(2.0)
    other = pickle.Pickler(io.BytesIO())
    y = a * 3
    other.dump(y)  # its memo keeps a
    z = a + 1
    alone = through_pickle(z)
    assert alone.data == 3.0
    assert alone._children[0].data == 2.0
    del other
    gc.collect()
    assert through_pickle([z, y])[0]._children[0].data == 2.0


def test_a_pickle_holds_the_facts_of_the_moment_it_is_written():
    a = Value(2.0)
    pickler = pickle.Pickler(io.BytesIO())
    pickler.dump(a)
    a.data, a.grad = 5.0, 7.0
    later = through_pickle(a)
    assert (later.data, later.grad) == (5.0, 7.0)


def test_threads_that_pickle_graphs_with_common_leaves_do_not_mix_them_up():
    a = Value(2.0)
    problems = []

    def work(who):
        number = who + 1
        for _ in range(150):
            y, z = a * number, a + number
            leaf, y2, z2 = through_pickle([a, y, z])
            if not (y2._children[0] is leaf is z2._children[0]):
                problems.append("the shared leaf was split")
            if (y2.data, z2.data) != (2.0 * number, 2.0 + number):
                problems.append((y2.data, z2.data))

    in_threads(work, 4)
    assert problems == []


def test_pickling_leaves_nothing_behind():
    from minigrad.values import copies as copying

    before = len(copying._places.of)
    _, _, _, L = classic()  # noqa: N806
    for _ in range(3):
        pickle.dumps([L, L * 2])
    gc.collect()
    assert len(copying._places.of) == before


# ---- subclasses ---------------------------------------------------------------------------------


class Tagged(Value):
    """A subclass with attributes."""

    def __init__(self, data, tags=()):
        super().__init__(data)
        self.tags = list(tags)


class Slotted(Value):
    """A subclass with a slot, and so without a __dict__."""

    __slots__ = ("unit",)

    def __init__(self, data, unit):
        super().__init__(data)
        self.unit = unit


def test_a_subclass_keeps_its_class_and_its_attributes(way):
    t = Tagged(2.0, ["speed"])
    y = t * 3
    y.tags = ["derived"]
    other = way(y)
    assert type(other) is Tagged
    assert other.tags == ["derived"]
    assert other._children[0].tags == ["speed"]
    other._children[0].tags.append("changed")
    assert t.tags == ["speed"]  # not shared with the original


def test_a_shallow_copy_shares_the_attributes():
    t = Tagged(2.0, ["speed"])
    other = copy.copy(t)
    assert type(other) is Tagged
    assert other.tags is t.tags
    assert other.__dict__ is not t.__dict__


def test_slots_of_a_subclass_come_along(way):
    s = Slotted(2.0, "m/s")
    other = way(s)
    assert (type(other), other.unit, other.data) == (Slotted, "m/s", 2.0)
    assert copy.copy(s).unit == "m/s"
    assert not hasattr(way(s * 2), "unit")


def test_classes_may_be_mixed_in_one_graph(way):
    t, s, v = Tagged(2.0, ["t"]), Slotted(3.0, "s"), Value(4.0)
    y = v + t * s
    other = way(y)
    assert [type(node) for node in (other, *other._children)] == [Value, Value, Tagged]
    assert [type(node) for node in other._children[1]._children] == [Tagged, Slotted]


def test_an_attribute_may_hold_nodes_of_the_same_graph(way):
    t = Tagged(2.0)
    y = t * 3
    t.tags, y.tags = [y], [t, y]
    other = way(y)
    leaf = other._children[0]
    assert leaf.tags == [other]
    assert other.tags == [leaf, other]
    assert other.data == 6.0


# ---- what stays behind, and what is refused -----------------------------------------------------


def test_hooks_stay_behind(way):
    a = Value(2.0)
    y = a * 3
    for node in (a, y):
        node.register_hook(lambda grad: 1 / 0)
    mine, other = way((a, y))
    other.backward()
    assert mine.grad == 3.0
    alone = copy.copy(a)
    (alone * 2).backward()
    assert alone.grad == 2.0


def closure_node():
    a = Value(2.0)
    y = Value(6.0, (a,), "triple", label="y")

    def rule():
        a.grad += 3 * y.grad

    y._backward = rule
    return a, y


def test_a_rule_that_is_a_closure_is_refused_with_the_way_out(way):
    _, y = closure_node()
    for lang in LANGUAGES:
        with speaking(lang), pytest.raises(TypeError, match=sentence("copy.rule", lang, name="y")) as refusal:
            way([y * 2])
        assert "Value(data, " in str(refusal.value)


def test_a_refused_copy_can_be_tried_again_after_the_fix(way):
    a, y = closure_node()
    with pytest.raises(TypeError):
        way(y)
    fixed = Value(6.0, (a,), (3.0,))
    leaf, other = way((a, fixed))
    other.backward()
    assert leaf.grad == 3.0


def test_a_shallow_copy_refuses_a_closure_too():
    """It would go on reading the gradient of the original: a wrong number without a word."""
    _, y = closure_node()
    with speaking("en"), pytest.raises(TypeError, match="a _backward of its own, which cannot be copied"):
        copy.copy(y)


# ---- another process ----------------------------------------------------------------------------


def test_a_graph_goes_to_another_process_and_its_gradients_come_back():
    leaves, _, y = tangled(11)
    program = (
        "import pickle, sys\n"
        "leaves, y = pickle.load(sys.stdin.buffer)\n"
        "z = y * 2 - y\n"
        "z.backward()\n"
        "sys.stdout.buffer.write(pickle.dumps((leaves, z)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], input=pickle.dumps((leaves, y)), capture_output=True, check=True
    )
    theirs, z = pickle.loads(done.stdout)
    w = y * 2 - y
    w.backward()
    assert [bits(leaf.grad) for leaf in leaves] == [bits(leaf.grad) for leaf in theirs]
    z.backward()
    w.backward()
    assert [bits(leaf.grad) for leaf in leaves] == [bits(leaf.grad) for leaf in theirs]


def test_the_same_graph_pickles_to_the_same_size_however_it_was_reached():
    """A pickle of one Value holds its graph once, not once per path."""
    a = Value(1.01)
    y = a
    for _ in range(60):
        y = y + y  # 2**60 paths, 61 nodes
    assert len(pickle.dumps(y)) < 10_000
