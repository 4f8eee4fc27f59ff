"""Bad input to Value and the functions on it: a TypeError says what was given and what is accepted."""

from __future__ import annotations

import decimal
import re
from math import inf, isnan, nan

import numpy as np
import pytest
import torch

from minigrad import Value, backward
from minigrad import functions as F  # noqa: N812
from minigrad.text.translation import LANGUAGES, speaking
from sentences import sentence

NOT_NUMBERS = {
    '"2"': ("2", "'2' (str)"),
    '"two"': ("two", "'two' (str)"),
    "None": (None, "None (NoneType)"),
    "1j": (1j, "1j (complex)"),
    "b'2'": (b"2", "b'2' (bytes)"),
    "[2.0]": ([2.0], "list"),
    "(2.0,)": ((2.0,), "tuple"),
    "{}": ({}, "dict"),
    "a long string": ("x" * 1000, "str"),
    "a function": (len, "builtin_function_or_method"),
    "Decimal(2)": (decimal.Decimal(2), "Decimal"),
    "an array": (np.zeros(2), "ndarray"),
    "a tensor": (torch.tensor(2.0), "Tensor"),
}


@pytest.mark.parametrize("written", NOT_NUMBERS)
def test_a_value_of_something_else_says_what_was_given_and_what_is_accepted(written):
    given, shown = NOT_NUMBERS[written]
    with speaking("en"), pytest.raises(TypeError) as refusal:
        Value(given)
    assert shown in str(refusal.value)
    assert "a Value holds one real number" in str(refusal.value)
    assert "write a float or an int, such as Value(2" in str(refusal.value)
    with speaking("es"), pytest.raises(TypeError) as refusal:
        Value(given)
    assert shown in str(refusal.value)
    assert re.fullmatch(sentence("value.type", "es"), str(refusal.value))
    assert len(str(refusal.value)) < 200


def test_a_number_in_quotes_is_shown_without_them():
    with speaking("en"), pytest.raises(TypeError, match=r"such as Value\(-0\.5\)"):
        Value("-0.5")


def test_a_value_of_a_value_names_the_two_things_that_may_be_meant():
    with speaking("en"), pytest.raises(TypeError, match=r"is a Value already; write v\.detach\(\)"):
        Value(Value(2.0))
    with speaking("es"), pytest.raises(TypeError, match=sentence("value.wrapped", "es")):
        Value(Value(2.0))


OPERATORS = {
    "a ** x": lambda a, x: a**x,
    "x ** a": lambda a, x: x**a,
    "a + x": lambda a, x: a + x,
    "x + a": lambda a, x: x + a,
    "a - x": lambda a, x: a - x,
    "x - a": lambda a, x: x - a,
    "a * x": lambda a, x: a * x,
    "x * a": lambda a, x: x * a,
    "a / x": lambda a, x: a / x,
    "x / a": lambda a, x: x / a,
    "a.maximum(x)": lambda a, x: a.maximum(x),
    "F.hypot(x, a)": lambda a, x: F.hypot(x, a),
}


@pytest.mark.parametrize("written", OPERATORS)
@pytest.mark.parametrize("given", ["x", None, 1j, [1.0], (1.0,), {1: 2}], ids=repr)
def test_an_operand_of_another_kind_is_refused_on_either_side(written, given):
    a = Value(2.0)
    for lang in LANGUAGES:
        with speaking(lang), pytest.raises(TypeError, match=sentence("value.operand", lang)) as refusal:
            OPERATORS[written](a, given)
        message = str(refusal.value)
        assert type(given).__name__ in message
        assert re.search("Value, .*int .*float", message), message  # what is accepted


def test_an_operand_that_nobody_knows_is_refused_by_python():
    a = Value(2.0)
    for compute in (lambda: a + object(), lambda: object() * a, lambda: a % 2, lambda: a // 2, lambda: a @ a):
        with pytest.raises(TypeError, match="unsupported operand"):
            compute()
    for written in ("object() + a", "object() - a", "object() * a", "object() / a", "object() ** a"):
        with pytest.raises(TypeError, match=r"unsupported operand .*'object' and 'Value'"):
            eval(written)
    for compute in (lambda: a.arctan2(object()), lambda: F.hypot(object(), a)):
        with speaking("en"), pytest.raises(TypeError, match=r"a Value and an? object"):
            compute()


def test_power_takes_no_modulus():
    with speaking("en"), pytest.raises(TypeError, match=r"takes no modulus; write a \*\* b"):
        pow(Value(2.0), 3, 5)


def test_an_integer_beyond_the_floats_is_refused_with_its_length():
    for build in (lambda: Value(10**400), lambda: Value(1.0) + 10**400, lambda: 10**400 * Value(1.0)):
        with speaking("en"), pytest.raises(OverflowError, match="this integer of 401 digits is beyond"):
            build()
    with speaking("es"), pytest.raises(OverflowError, match=sentence("value.huge", "es", digits=401)):
        Value(-(10**400))
    with pytest.raises(OverflowError, match="4000"):
        Value(10**100_000)  # at once, although it cannot even be printed


def test_nan_and_the_infinities_are_numbers():
    assert Value(inf).data == inf
    assert isnan(Value(nan).data)
    assert (Value(1.0) / 0).data == inf
    assert (Value(-1.0) / 0.0).data == -inf
    assert isnan((Value(0.0) / 0.0).data)
    assert (Value(9.0) ** Value(9.0) ** Value(9.0)).data == inf
    assert Value(1000.0).exp().data == inf
    assert Value(0.0).log().data == -inf
    assert isnan(Value(-1.0).log().data)
    assert isnan((Value(-8.0) ** (1 / 3)).data)


# ---- nodes made by hand -------------------------------------------------------------------------


def test_a_label_in_the_place_of_the_children_is_explained():
    for given, told in (("a", "'a'"), ([1.0], "1.0"), (3, "3")):
        with speaking("en"), pytest.raises(TypeError, match=r"write Value\(2\.0, label='a'\)") as refused:
            Value(2.0, given)
        assert f"and {told} (" in str(refused.value)
    with speaking("es"), pytest.raises(TypeError, match=sentence("value.children", "es")):
        Value(2.0, "a")


def test_a_single_child_needs_its_comma():
    a = Value(1.0)
    with speaking("en"), pytest.raises(TypeError, match=r"write \(v,\), with a comma"):
        Value(2.0, (a), (1.0,))


def test_local_gradients_are_counted_and_never_cut_short():
    a, b = Value(1.0), Value(2.0)
    for locals_ in ((1.0,), (1.0, 2.0, 3.0), ()):
        with speaking("en"), pytest.raises(ValueError, match=f"2 local gradients, and {len(locals_)} were"):
            Value(3.0, (a, b), locals_)
    with speaking("en"), pytest.raises(TypeError, match=r"1 local gradients, and 2\.0 \(float\) were"):
        Value(3.0, (a,), 2.0)
    with pytest.raises(TypeError, match="'1'"):
        Value(3.0, (a,), ("1",))


def test_a_node_with_children_and_no_rule_says_so_when_its_turn_comes():
    a = Value(1.0)
    y = Value(1.0, (a,), "mystery")
    assert (y._op, y._children, [isnan(local) for local in y._local_grads]) == ("mystery", (a,), [True])
    with speaking("en"), pytest.raises(RuntimeError, match="made by hand with children and no rule"):
        y.backward()
    assert a.grad == 0.0
    with pytest.raises(RuntimeError):
        y._backward()


# ---- backward and the functions -----------------------------------------------------------------


def test_backward_refuses_what_is_not_a_value_and_what_is_not_a_seed():
    a = Value(1.0)
    for given in ([a, 3], 3):
        with speaking("en"), pytest.raises(TypeError, match=r"backward starts from .*3 \(int\)"):
            backward(given)
    for seed in ("1", None, 1j, a):
        if seed is not None:
            with pytest.raises(TypeError):
                (a * 2).backward(seed)
    with speaking("en"), pytest.raises(ValueError, match="2 outputs need 2 seeds, and 1 were"):
        backward([a, a * 2], [1.0])
    with speaking("es"), pytest.raises(ValueError, match=sentence("backward.seeds", "es", roots=2)):
        backward([a, a * 2], 1.0)
    assert a.grad == 0.0


def test_a_wrong_count_of_arguments_is_named():
    a = Value(1.0)
    with speaking("en"), pytest.raises(TypeError, match=r"arctan2 takes 2 arguments, not 1$"):
        a.arctan2()
    with speaking("en"), pytest.raises(TypeError, match="exp takes 1 argument"):
        F.exp(a, a)
    with speaking("en"), pytest.raises(TypeError, match="leaky_relu takes 1 to 2 arguments"):
        F.leaky_relu(a, a, a)
    with speaking("es"), pytest.raises(TypeError, match=sentence("op.arity", "es", op="clamp")):
        a.clamp(0)


def test_a_reduction_takes_one_list():
    a = Value(1.0)
    for given in (a, "ab", 3):
        for reduction in (F.sum, F.max, F.logsumexp, F.softmax):
            with speaking("en"), pytest.raises(TypeError, match="takes one list of Values or numbers"):
                reduction(given)
        with speaking("en"), pytest.raises(TypeError, match="takes one list of Values or numbers"):
            F.cross_entropy(given, 0)
    with speaking("es"), pytest.raises(TypeError, match=sentence("op.list", "es", op="mean")):
        F.mean(a)
    with speaking("en"), pytest.raises(TypeError, match="cannot compute with a Value and 'x'"):
        F.sum([a, "x"])


def test_a_reduction_of_nothing_is_a_number_only_where_it_has_one():
    assert F.sum([]).data == 0.0
    assert F.prod([]).data == 1.0
    assert F.dot([], []).data == 0.0
    for reduction in (F.mean, F.max, F.min, F.logsumexp, F.softmax):
        with speaking("en"), pytest.raises(ValueError, match="of nothing is not a number"):
            reduction([])
    with speaking("es"), pytest.raises(ValueError, match=sentence("op.empty", "es", op="cross_entropy")):
        F.cross_entropy([], 0)


def test_dot_never_cuts_the_longer_list():
    with speaking("en"), pytest.raises(ValueError, match="these have 2 and 3"):
        F.dot([1.0, 2.0], [1.0, 2.0, 3.0])


@pytest.mark.parametrize("target", [-1, 3, True, 1.0, "1", None, Value(1.0)], ids=repr)
def test_the_target_of_a_cross_entropy_is_an_index(target):
    with speaking("en"), pytest.raises(ValueError, match="the index of the right class, from 0 to 2"):
        F.cross_entropy([1.0, 2.0, 3.0], target)


def test_an_unknown_language_is_refused():
    with speaking("en"), pytest.raises(ValueError, match="there is no language 'fr'"), speaking("fr"):
        pass
