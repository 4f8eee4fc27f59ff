"""Labels from Python's names: `name(locals())` and `with naming():`, on whichever engine is in use."""

from __future__ import annotations

import weakref
from contextlib import ExitStack

import numpy as np
import pytest

from minigrad import Value, explain
from minigrad.graph.variable_names import name, naming
from minigrad.text.translation import LANGUAGES, speaking
from sentences import sentence


def classic() -> tuple[Value, Value, Value]:
    return Value(2.0), Value(3.0), Value(4.0)


def test_variables_become_labels():
    a, b, c = classic()
    ab = a * b
    e = ab + c
    f = a - c
    out = e * f
    assert name(locals()) is None
    assert [value.label for value in (a, b, c, ab, e, f, out)] == ["a", "b", "c", "ab", "e", "f", "out"]
    assert explain(out).gradients == {"a": 4.0, "b": -4.0, "c": -12.0}


def test_a_label_that_is_there_stays():
    a = Value(2.0, label="alpha")
    name({"a": a})
    assert a.label == "alpha"


def test_the_first_name_wins():
    a = Value(2.0)
    name({"a": a, "alias": a})
    name({"later": a})
    assert a.label == "a"


def test_a_variable_comes_before_a_place_in_a_list():
    a = Value(2.0)
    name({"both": [a, a], "a": a})
    assert a.label == "a"


def test_private_names_are_left_alone():
    a, hidden = Value(2.0), Value(3.0)
    name({"_a": hidden, "a": a, "__": a})
    assert (a.label, hidden.label) == ("a", "")


def test_places_in_lists_tuples_dicts_and_arrays():
    w = [Value(1.0), (Value(2.0), 5, Value(3.0))]
    layer = {"bias": Value(4.0), 7: [Value(5.0)]}
    array = np.array([[Value(6.0), Value(7.0)]], dtype=object)
    name(locals())
    assert [w[0].label, w[1][0].label, w[1][2].label] == ["w[0]", "w[1][0]", "w[1][2]"]
    assert [layer["bias"].label, layer[7][0].label] == ["layer['bias']", "layer[7][0]"]
    assert [value.label for value in array[0]] == ["array[0][0]", "array[0][1]"]


def test_a_list_that_holds_itself_ends():
    w: list = [Value(1.0)]
    w.append(w)
    deep: list = [Value(2.0)]
    for _ in range(100_000):
        deep = [deep]
    name({"w": w, "deep": deep})
    assert w[0].label == "w[0]"
    while not isinstance(deep, Value):
        deep = deep[0]
    assert deep.label == ""  # too deep for a name that anybody would read


def test_what_a_notebook_keeps_of_its_results_gives_no_names():
    shown, kept = Value(2.0), Value(3.0)
    results = {1: shown, 2: kept}
    name({"Out": results, "_oh": results, "_": shown, "kept": kept})
    assert (shown.label, kept.label) == ("", "kept")


def test_nothing_of_another_kind_is_asked_anything():
    class Touchy:
        def __getattr__(self, attribute):
            raise AssertionError(attribute)

    name({"touchy": Touchy(), "numbers": np.ones(3), "words": "abc", "a": Value(1.0), 5: Value(2.0)})


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("given", [5, [], None, Value(2.0)])
def test_what_is_no_mapping_is_refused_in_words(given, lang):
    with speaking(lang), pytest.raises(TypeError, match=sentence("naming.type", lang)):
        name(given)


def test_a_block_names_what_it_binds_in_a_function():
    before = Value(1.0)
    with naming():
        a = Value(2.0)
        w = [Value(3.0)]
        y = a * w[0] + before
    after = Value(4.0)
    assert [a.label, w[0].label, y.label] == ["a", "w[0]", "y"]
    assert (before.label, after.label) == ("", "")


def test_a_block_names_what_it_binds_anew():
    x = Value(1.0)
    with naming():
        x = x * 2.0
    assert x.label == "x"
    assert x._children[0].label == ""


def test_a_block_at_top_level_and_in_a_class():
    program = "with naming():\n    a = Value(2.0)\n    L = a * a\n"
    module: dict = {"naming": naming, "Value": Value}
    exec(program, module)
    assert (module["a"].label, module["L"].label) == ("a", "L")

    class Body:
        with naming():
            a = Value(2.0)

    assert Body.a.label == "a"


def test_cells_of_a_notebook_share_their_names():
    cells: dict = {"naming": naming, "Value": Value, "Out": {}}
    cells["_oh"] = cells["Out"]
    exec("with naming():\n    a = Value(2.0)", cells)
    cells["Out"][1] = cells["a"]
    exec("with naming():\n    b = a * 3.0", cells)
    assert (cells["a"].label, cells["b"].label) == ("a", "b")


def test_a_block_that_fails_still_fails_and_has_named():
    made = []

    def fail() -> None:
        with naming():
            a = Value(2.0)
            made.append(a)
            raise ArithmeticError

    with pytest.raises(ArithmeticError):
        fail()
    assert made[0].label == "a"


def test_a_block_inside_a_block_and_in_an_exit_stack():
    with naming():
        a = Value(1.0)
        with naming():
            b = Value(2.0)
        assert (a.label, b.label) == ("", "b")
    with ExitStack() as stack:
        stack.enter_context(naming())
        c = Value(3.0)
    assert (a.label, b.label, c.label) == ("a", "b", "c")


def test_one_and_the_same_block_inside_itself():
    block = naming()
    with block:
        a = Value(1.0)
        with block:
            b = Value(2.0)
        c = Value(3.0)
    assert [a.label, b.label, c.label] == ["a", "b", "c"]


def test_a_block_keeps_nothing_when_it_is_over():
    def run(block: naming) -> weakref.ref[Value]:
        with block:
            a = Value(2.0)
        return weakref.ref(a)

    block = naming()
    assert run(block)() is None
