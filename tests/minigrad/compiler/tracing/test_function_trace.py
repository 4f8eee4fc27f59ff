"""Tracing: what a function computes is written down as it is, and what cannot be is refused."""

from __future__ import annotations

import copy
import math
import random
import weakref
from collections import namedtuple
from types import SimpleNamespace

import pytest

from minigrad import Value, functions, no_grad, take
from minigrad.compiler.tracing import TracingError, trace_function, trace_graph
from minigrad.ops import MANY, OPS
from source_trees import ROOT
from tracing_cases import computed, holds, values_of


def ops_of(traced):
    return [op for op in traced.scalars.ops if op not in ("input", "constant")]


# ---- what is written down -------------------------------------------------------------------------


def test_operators_have_the_names_of_the_table():
    traced = trace_function(lambda a, b: -(a + b) * a / b - a**b, (2.0, 3.0))
    assert ops_of(traced) == ["add", "neg", "mul", "div", "pow", "sub"]
    assert computed(traced, (5.0, 2.0)) == -(5.0 + 2.0) * 5.0 / 2.0 - 25.0


@pytest.mark.parametrize("op", OPS.values(), ids=lambda op: op.name)
def test_every_op_of_the_table_is_one_node_of_its_name(op):
    point = op.samples[0]
    function = getattr(functions, op.name)
    if op.name == "dot":
        traced = trace_function(
            lambda xs: functions.dot(xs[: len(xs) // 2], xs[len(xs) // 2 :]), (list(point),)
        )
    elif op.arity[1] == MANY:
        traced = trace_function(lambda xs: function(xs), (list(point),))
    else:
        traced = trace_function(lambda xs: function(*xs), (list(point),))
    assert ops_of(traced) == [op.name]
    assert len(traced.scalars.args[-1]) == len(point)


def test_nodes_stand_in_the_order_in_which_they_were_made():
    traced = trace_function(lambda x: (lambda late, early: early * late)(x.exp(), x.sin()), (2.0,))
    assert ops_of(traced) == ["exp", "sin", "mul"]
    assert traced.scalars.args[-1] == (2, 1)


def test_numbers_on_either_side_are_constants():
    traced = trace_function(lambda x: 2 * x - x / 4 + (3 - x) ** 2, (1.5,))
    assert computed(traced, (0.5,)) == 2 * 0.5 - 0.5 / 4 + 2.5**2
    assert sorted(traced.scalars.data.values()) == [2.0, 2.0, 3.0, 4.0]


def test_a_result_has_its_structure_and_numbers_in_it_are_constants():
    point = namedtuple("point", "x y")
    traced = trace_function(
        lambda a, b: {"sum": a + b, "all": [a, (b, 2)], "at": point(a * b, 0.5)}, (2.0, 3.0)
    )
    assert computed(traced, (5.0, 7.0)) == {"sum": 12.0, "all": [5.0, (7.0, 2.0)], "at": (35.0, 0.5)}


def test_arguments_are_nested_and_some_are_never_used():
    def f(weights, flag, name, scale=None):
        return weights["w"][1] * 2 if flag and name == "two" and scale is None else weights["w"][0]

    args = ({"w": [1.0, 3.0, 9.0], "b": 0.5}, True, "two", None)
    traced = trace_function(f, args)
    assert traced.kinds == "ffff"
    assert len(traced.scalars.inputs) == 4
    assert computed(traced, args) == 6.0


def test_what_is_computed_but_not_returned_is_left_out():
    traced = trace_function(lambda x: [x.exp(), x.sin(), x.exp()][1], (2.0,))
    assert ops_of(traced) == ["sin"]


def test_leaves_that_f_makes_are_constants():
    traced = trace_function(lambda x: x * Value(3.0) + Value(1.0, label="one", requires_grad=False), (2.0,))
    assert computed(traced, (5.0,)) == 16.0
    assert traced.captured == []


def test_values_that_are_given_stay_as_they_are():
    w, xs = Value(2.0, label="w"), [Value(1.0), Value(3.0)]
    trace_function(lambda w, xs: w * xs[0] * xs[1], (w, xs))
    assert (w.data, w.grad, w.label, w._children) == (2.0, 0.0, "w", ())
    assert [x.data for x in xs] == [1.0, 3.0]


def test_a_chain_of_a_hundred_thousand_nodes_needs_no_stack():
    def f(x):
        for _ in range(100_000):
            x = x + 1.0
        return x

    traced = trace_function(f, (0.0,))
    assert traced.nodes == 200_001
    assert computed(traced, (0.5,)) == 100_000.5


def test_no_grad_around_a_trace_is_not_in_it():
    with no_grad():
        traced = trace_function(lambda x: x * x, (2.0,))
    assert ops_of(traced) == ["mul"]


# ---- numbers without a gradient -------------------------------------------------------------------


@pytest.mark.parametrize("read", [lambda x: x.data, lambda x: x.item(), lambda x: x.detach()])
def test_a_number_that_is_read_out_is_followed_and_its_gradient_stops(read):
    traced = trace_function(lambda x: x * read(x), (3.0,))
    assert ops_of(traced) == ["stop", "mul"]
    assert traced.scalars.args[1] == (0,)
    assert computed(traced, (5.0,)) == 25.0


def test_reading_twice_is_one_node():
    traced = trace_function(lambda x: x.data * x.data + x, (3.0,))
    assert ops_of(traced) == ["stop", "mul", "add"]


def test_floats_compute_on_as_floats():
    def f(x, y):
        scale = (2 - x.data) / abs(y.item()) ** 2 + -x.data
        return y * scale + scale * y + Value(scale) * x

    traced = trace_function(f, (3.0, 2.0))
    x, y = 7.0, 0.5
    scale = (2 - x) / abs(y) ** 2 + -x
    assert computed(traced, (x, y)) == y * scale + scale * y + scale * x


def test_a_float_and_a_value_make_a_value():
    def f(x):
        kinds.append([type(y).__name__ for y in (x.data + 1, 1 + x.data, x.data * x, x * x.data, -x.data)])
        return x

    kinds = SimpleNamespace(append=lambda found: seen.update(found=found))
    seen = {}
    with pytest.raises(TracingError, match="seen"):
        trace_function(f, (2.0,))
    assert seen["found"] == ["TracedNumber", "TracedNumber", "Value", "Value", "TracedNumber"]


def test_constants_are_floats_as_ever():
    def f(x):
        assert type((Value(2.0, requires_grad=False) * 3).data) is float
        return x

    trace_function(f, (1.0,))


@pytest.mark.parametrize(
    "ask",
    [float, int, round, math.exp, math.floor, math.ceil, math.trunc, lambda x: x % 2, lambda x: x // 2,
     lambda x: divmod(x, 2), lambda x: 7 % x, complex, lambda x: x.is_integer(), lambda x: {x: 1},
     lambda x: {1.0: 2}.get(x), lambda x: math.fsum([x, x])],
)  # fmt: skip
def test_a_float_that_would_leave_the_program_is_refused_with_its_line(ask):
    with pytest.raises(TracingError, match=r"test_function_trace\.py:\d+"):
        trace_function(lambda x: x * ask(x.data), (2.5,))


def test_a_refusal_that_f_catches_is_one_all_the_same():
    def f(x):
        try:
            return x * float(x.data)
        except TypeError:
            return x

    with pytest.raises(TracingError, match="float"):
        trace_function(f, (2.0,))


@pytest.mark.parametrize("ask", [float, int, math.exp, math.floor, round])
def test_a_value_is_no_number_and_the_error_says_what_to_write(ask):
    with pytest.raises(TypeError):
        ask(Value(2.0))
    with pytest.raises(TypeError, match=r"x\.exp\(\)"):
        trace_function(lambda x: ask(x), (2.0,))

    def careful(x):
        try:
            return ask(x)
        except TypeError:
            return x.exp()

    assert ops_of(trace_function(careful, (2.0,))) == ["exp"]


def test_a_line_that_the_third_run_does_not_reach_is_not_guessed(tmp_path):
    """With each run the function does less: seven products, four, and one."""
    file = tmp_path / "runs"
    file.write_text("")

    def less(x):
        file.write_text(file.read_text() + "x")
        for _ in range(10 - 3 * len(file.read_text())):
            x = x * 2.0
        return x

    with pytest.raises(TracingError, match=r"^\?: the function did something else"):
        trace_function(less, (1.0,))


def test_a_division_by_zero_is_one():
    with pytest.raises(ZeroDivisionError):
        trace_function(lambda x: x / (x.data / (x.data - 2.0)), (2.0,))
    traced = trace_function(lambda x: x / (x.data / (x.data - 2.0)), (3.0,))
    assert holds(traced, (4.0,))
    assert not holds(traced, (2.0,))
    with pytest.raises(ZeroDivisionError):
        trace_function(lambda x: x * x.data**-1, (0.0,))
    with pytest.raises(ZeroDivisionError):
        trace_function(lambda x: x * (1.0 / x.data), (0.0,))
    with pytest.raises(ZeroDivisionError):
        trace_function(lambda x: x * 0.0**x.data, (-1.0,))
    with pytest.raises(TracingError, match="complex"):
        trace_function(lambda x: x * x.data**0.5, (-1.0,))
    assert not holds(trace_function(lambda x: x * x.data**0.5, (4.0,)), (-4.0,))


def test_formatting_shows_the_number_of_this_trace():
    texts = []

    def f(x):
        told(f"{x.data:.2f} {x.data} {x:.1f} {x!r}")
        return x

    told = SimpleNamespace(tell=texts.append).tell
    with pytest.raises(TracingError):  # it is kept in a list outside
        trace_function(f, (2.5,))
    assert texts[0] == "2.50 2.5 2.5 Value(data=2.5)"


# ---- captured Values ------------------------------------------------------------------------------


def test_captured_values_are_inputs_after_the_arguments():
    w, unused = Value(3.0), Value(5.0)
    traced = trace_function(lambda x: x * w if w.data > 0 else unused, (2.0,))
    assert [value is w for value in traced.captured] == [True]
    assert computed(traced, (2.0,)) == 6.0
    w.data = 4.0
    assert computed(traced, (2.0,)) == 8.0
    assert holds(traced, (2.0,))
    w.data = -4.0
    assert not holds(traced, (2.0,))


def test_a_captured_value_is_followed_wherever_it_comes_from():
    hidden = Value(2.0)
    reach = weakref.ref(hidden)  # no look at f finds it
    traced = trace_function(lambda x: x * reach().data, (3.0,))
    assert [value is hidden for value in traced.captured] == [True]
    hidden.data = 5.0
    assert computed(traced, (3.0,)) == 15.0


def test_what_a_captured_node_was_made_from_is_not_computed_again():
    w = Value(3.0)
    square = w * w
    traced = trace_function(lambda x: x + square, (1.0,))
    assert [value is square for value in traced.captured] == [True]


def test_a_captured_constant_may_change_too():
    k = Value(3.0, requires_grad=False)
    traced = trace_function(lambda x: x * k, (2.0,))
    k.data = 5.0
    assert computed(traced, (2.0,)) == 10.0
    traced = trace_function(lambda x: x * (k * 2), (2.0,))  # k * 2 is a number, which forgets k
    assert traced.changed() == ""
    k.data = 6.0
    assert traced.changed() == "k"


# ---- integers and look-ups ------------------------------------------------------------------------


ROWS = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]


def test_take_is_indexing_with_a_check():
    assert take(ROWS, 1) is ROWS[1]
    assert take(ROWS, -1) is ROWS[-1]
    assert take((1.0, 2.0), True + 0) == 2.0
    for wrong in (3, -4):
        with pytest.raises(IndexError, match=r"0 to 2|0 .* 2"):
            take(ROWS, wrong)
    for wrong in (True, 1.0, "1", None, Value(1.0)):
        with pytest.raises(TypeError, match="int"):
            take(ROWS, wrong)
    for wrong in ("abc", {0: 1.0}, {1.0}, 3.0):
        with pytest.raises(TypeError, match="list"):
            take(wrong, 0)
    with pytest.raises(IndexError):
        take([], 0)


def test_take_of_an_argument_is_part_of_the_program():
    def f(table, n):
        row = take(table, n)
        return row[0] * row[1]

    traced = trace_function(f, (ROWS, 0))
    assert ops_of(traced) == ["take", "take", "mul"]
    assert traced.kinds == "ffffffi"
    assert traced.rows == {6: 3}
    for n, row in enumerate(ROWS):
        assert holds(traced, (ROWS, n))
        assert computed(traced, (ROWS, n)) == row[0] * row[1]
    assert not holds(traced, (ROWS, 3))
    with pytest.raises(IndexError):
        trace_function(f, (ROWS, 3))


def test_take_of_numbers_tuples_and_dicts():
    point = namedtuple("point", "x y")
    table = [{"p": point(1.0, 2.0), "k": 3}, {"p": point(4.0, 5.0), "k": 6}]

    def f(x, n):
        row = take(table, n)
        return take([x, 10.0], n) * row["p"].x + row["p"].y + take([0.5, 1.5], n) * x

    traced = trace_function(f, (2.0, 1))
    assert computed(traced, (2.0, 1)) == 10.0 * 4.0 + 5.0 + 1.5 * 2.0
    assert computed(traced, (2.0, 0)) == 2.0 * 1.0 + 2.0 + 0.5 * 2.0


def test_take_of_ints_or_texts_depends_on_which():
    traced = trace_function(lambda x, n: x * take([2, 3], n) + take([1.0, 2.0], take([1, 0], n)), (2.0, 1))
    assert computed(traced, (5.0, 1)) == 16.0
    assert not holds(traced, (5.0, 0))


def test_one_index_into_lists_of_several_lengths():
    traced = trace_function(lambda xs, n: take(xs, n) + take(xs[:2], n), ([1.0, 2.0, 4.0], 1))
    assert traced.rows == {3: 2}


def test_a_negative_index_counts_from_the_end_and_is_another_program():
    traced = trace_function(lambda xs, n: take(xs, n) * 2, ([1.0, 2.0, 4.0], -1))
    assert computed(traced, ([1.0, 2.0, 5.0], -1)) == 10.0
    assert not holds(traced, ([1.0, 2.0, 5.0], -2))


def test_rows_must_be_alike():
    for rows in ([[1.0], [1.0, 2.0]], [{"a": 1.0}, {"b": 1.0}], [1.0, [2.0]], [[2.0], 1.0]):
        with pytest.raises(ValueError, match="alike"):
            trace_function(lambda x, n, rows=rows: (take(rows, n), x)[1], (1.0, 1))


@pytest.mark.parametrize(
    "use",
    [lambda n: [5.0, 6.0, 7.0][n], lambda n: sum(range(n)), lambda n: n + 1, lambda n: 1 - n,
     lambda n: n == 2, lambda n: n != 5, lambda n: n > 1, lambda n: {2: 5.0}[n], lambda n: -n,
     lambda n: 1.0 if n else 2.0,
     float, lambda n: int(f"{n}"), lambda n: n.bit_length(), lambda n: n % 2, lambda n: 7 // n,
     lambda n: math.sqrt(n), lambda n: n**2, lambda n: len([0] * n), lambda n: abs(n),
     lambda n: divmod(n, 2)[0],
     lambda n: copy.deepcopy([n])[0] + 1, lambda n: int(str(n)), lambda n: round(n), lambda n: n << 1,
     lambda n: max(n, 1) + 0],
)  # fmt: skip
def test_an_int_that_is_looked_at_holds_for_its_number_alone(use):
    traced = trace_function(lambda x, n: x * use(n), (3.0, 2))
    assert computed(traced, (3.0, 2)) == 3.0 * use(2)
    assert holds(traced, (3.0, 2))
    assert not holds(traced, (3.0, 3))


def test_an_int_beside_a_value_is_a_number():
    def f(x, n):
        return x * n + n - x / n + x**n + n.exp() - n * x.data

    traced = trace_function(f, (3.0, 2))
    assert traced.scalars.guards == []
    for x, n in ((3.0, 2), (0.5, 4)):
        assert computed(traced, (x, n)) == x * n + n - x / n + x**n + math.exp(n) - n * x
    assert holds(trace_function(lambda x, n: x if x > n else -x, (3.0, 2)), (5.0, 4))
    assert not holds(trace_function(lambda x, n: x if n < x else -x, (3.0, 2)), (5.0, 6))


def test_an_int_that_is_returned_is_the_input():
    assert computed(trace_function(lambda x, n: (n, Value(n) * x), (3.0, 2)), (3.0, 7)) == (7.0, 21.0)


# ---- graphs that are there already ------------------------------------------------------------------


def test_a_graph_that_is_there_is_read():
    a, b, w = Value(2.0), Value(3.0), Value(4.0)
    loss = (a * b + w) * 2.0
    traced = trace_graph(loss, [b, a])
    assert ops_of(traced) == ["mul", "add", "mul"]
    assert [value is w for value in traced.captured] == [True]
    assert traced.kinds == "ff"
    assert computed(traced, (5.0, 7.0)) == (5.0 * 7.0 + 4.0) * 2.0
    loss.backward()  # and once more, when there are gradients
    assert computed(trace_graph([loss, {"a": a}], [a]), (7.0,)) == [(7.0 * 3.0 + 4.0) * 2.0, {"a": 7.0}]
    assert trace_graph(loss, []).kinds == ""


def test_what_is_below_an_output_is_captured_though_an_input_is_an_output_too():
    a, w = Value(2.0), Value(3.0)
    traced = trace_graph({"a": a, "loss": a * w}, [a])
    assert traced.captured == [w]
    assert computed(traced, (5.0,)) == {"a": 5.0, "loss": 15.0}


def test_a_graph_can_be_cut_at_an_input_within_it():
    a = Value(2.0)
    inner = a * a
    traced = trace_graph(inner.exp() + 1, [inner])
    assert traced.captured == []
    assert computed(traced, (0.0,)) == 2.0


def test_a_graph_with_a_node_made_by_hand_is_refused():
    a = Value(2.0)
    with pytest.raises(TracingError, match="by hand"):
        trace_graph(Value(6.0, (a,), (3.0,)) * 2, [a])
    hooked = a * 2
    hooked.register_hook(lambda grad: grad)
    with pytest.raises(TracingError, match="hook"):
        trace_graph(hooked * 2, [a])


def test_inputs_of_a_graph_are_distinct_values():
    a = Value(2.0)
    with pytest.raises(TypeError, match="Values"):
        trace_graph(a * 2, [2.0])
    with pytest.raises(ValueError, match="twice"):
        trace_graph(a * 2, [a, a])


def test_the_numbers_of_a_trace_are_those_of_the_engine():
    """Every node of the small GPT, bit for bit."""
    import sys

    sys.path.insert(0, str(ROOT / "examples"))
    try:
        import microgpt
    finally:
        sys.path.pop(0)
    weights = microgpt.make_weights(5, random.Random(1))
    tokens = [4, 0, 1, 4]
    traced = trace_function(microgpt.loss_of, (weights, tokens))
    assert (
        values_of(traced, (weights, tokens))[traced.scalars.outputs[0]]
        == microgpt.loss_of(weights, tokens).data
    )
    assert holds(traced, (weights, tokens))
    assert traced.changed() == ""
