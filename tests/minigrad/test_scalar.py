"""Value: what its operators compute, which nodes they make, and what kind of object a Value is."""

from __future__ import annotations

import gc
import math
import weakref
from fractions import Fraction
from itertools import product
from math import inf, log, nan

import pytest

from minigrad import Value
from minigrad import functions as F  # noqa: N812
from minigrad.ops import MANY, OPS
from minigrad.scalar import _method, reach
from minigrad.values import ieee
from threads import in_threads

bits = float.hex  # tells 0.0 from -0.0, and takes NaN for NaN

# What a gradient has to survive: signed zeros, subnormals, both ends of the range, infinities, NaN.
AWKWARD = (0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, 1e-310, -1e-310, 1e-200, 1e200, -1e308, inf, -inf, nan)


def nodes_below(root: Value) -> list[Value]:
    """Every node of a graph once, constants included."""
    found = [root]
    for node in found:
        found += [child for child in dict.fromkeys(node._children) if child not in found]
    return found


# ---- operators ----------------------------------------------------------------------------------

# At a = 4.  Value and slope are worked out by hand.
ONE_OPERAND = {
    "a + 2": (lambda a: a + 2, 6.0, 1.0),
    "2 + a": (lambda a: 2 + a, 6.0, 1.0),
    "a - 2": (lambda a: a - 2, 2.0, 1.0),
    "2 - a": (lambda a: 2 - a, -2.0, -1.0),
    "a * 2": (lambda a: a * 2, 8.0, 2.0),
    "2 * a": (lambda a: 2 * a, 8.0, 2.0),
    "a / 2": (lambda a: a / 2, 2.0, 0.5),
    "2 / a": (lambda a: 2 / a, 0.5, -0.125),
    "a ** 2": (lambda a: a**2, 16.0, 8.0),
    "a ** 0.5": (lambda a: a**0.5, 2.0, 0.25),
    "a ** -1": (lambda a: a**-1, 0.25, -0.0625),
    "a ** 0": (lambda a: a**0, 1.0, 0.0),
    "2 ** a": (lambda a: 2**a, 16.0, 16.0 * log(2.0)),
    "pow(a, 2)": (lambda a: pow(a, 2), 16.0, 8.0),
    "-a": (lambda a: -a, -4.0, -1.0),
    "+a": (lambda a: +a, 4.0, 1.0),
    "abs(a)": (lambda a: abs(a), 4.0, 1.0),
    "abs(-a)": (lambda a: abs(-a), 4.0, 1.0),
    "a * True": (lambda a: a * True, 4.0, 1.0),
    "a * Fraction(1, 4)": (lambda a: a * Fraction(1, 4), 1.0, 0.25),
    "Fraction(1, 4) - a": (lambda a: Fraction(1, 4) - a, -3.75, -1.0),
    "a + a": (lambda a: a + a, 8.0, 2.0),
    "a * a": (lambda a: a * a, 16.0, 8.0),
    "a - a": (lambda a: a - a, 0.0, 0.0),
    "a / a": (lambda a: a / a, 1.0, 0.0),
    "a ** a": (lambda a: a**a, 256.0, 256.0 * (log(4.0) + 1.0)),
}


@pytest.mark.parametrize("written", ONE_OPERAND)
def test_an_operator_works_with_a_number_on_either_side(written):
    compute, value, slope = ONE_OPERAND[written]
    a = Value(4.0)
    y = compute(a)
    y.backward()
    assert y.data == value
    assert a.grad == pytest.approx(slope, rel=1e-15, abs=0.0)


# At a = 3, b = -2: value, slope in a, slope in b.
TWO_OPERANDS = {
    "a + b": (lambda a, b: a + b, 1.0, 1.0, 1.0),
    "a - b": (lambda a, b: a - b, 5.0, 1.0, -1.0),
    "a * b": (lambda a, b: a * b, -6.0, -2.0, 3.0),
    "a / b": (lambda a, b: a / b, -1.5, -0.5, -0.75),
    "b / a": (lambda a, b: b / a, -2.0 / 3.0, 2.0 / 9.0, 1.0 / 3.0),
    "a ** b": (lambda a, b: a**b, 1.0 / 9.0, -2.0 / 27.0, log(3.0) / 9.0),
}


@pytest.mark.parametrize("written", TWO_OPERANDS)
def test_an_operator_sends_each_operand_its_own_gradient(written):
    compute, value, slope_a, slope_b = TWO_OPERANDS[written]
    a, b = Value(3.0), Value(-2.0)
    y = compute(a, b)
    y.backward()
    assert y.data == pytest.approx(value, rel=1e-15)
    assert (a.grad, b.grad) == pytest.approx((slope_a, slope_b), rel=1e-15)


def test_a_negative_base_with_a_constant_exponent_never_takes_the_logarithm():
    a = Value(-2.0)
    y = a**3
    y.backward()
    assert (y.data, a.grad) == (-8.0, 12.0)
    exponent = Value(3.0)
    (a**exponent).backward()
    assert math.isnan(exponent.grad)  # where the exponent does want a gradient, log(-2) has none to give


def test_in_place_operators_bind_a_new_value_and_change_none():
    a = Value(3.0)
    for change, expected in ((0, 5.0), (1, 1.0), (2, 6.0), (3, 1.5), (4, 9.0)):
        b = a
        if change == 0:
            b += 2
        elif change == 1:
            b -= 2
        elif change == 2:
            b *= 2
        elif change == 3:
            b /= 2
        else:
            b **= 2
        assert b is not a
        assert (a.data, b.data) == (3.0, expected)
        assert a in b._prev


def test_an_accumulator_that_grows_in_place_keeps_every_step():
    a = Value(3.0)
    total = a
    total += a  # 2a
    total *= a  # 2a**2
    total -= 1
    total.backward()
    assert (total.data, a.data, a.grad) == (17.0, 3.0, 12.0)


def test_sum_over_a_list_starts_from_a_constant_zero():
    a, b, c = Value(1.0), Value(2.0), Value(4.0)
    total = sum([a, b, c])
    assert total.data == 7.0
    first = total._children[0]._children[0]
    zero, second = first._children
    assert second is a
    assert (zero.data, zero.requires_grad, zero._children) == (0.0, False, ())
    assert len(nodes_below(total)) == 7  # three inputs, three additions and the zero
    total.backward()
    assert (a.grad, b.grad, c.grad, zero.grad) == (1.0, 1.0, 1.0, 0.0)


def test_every_op_of_the_table_with_a_fixed_number_of_arguments_is_a_method():
    for op in OPS.values():
        assert hasattr(Value, op.name) == (op.arity[1] != MANY), op.name
    v = Value(-2.0)
    assert v.relu().data == 0.0
    assert v.leaky_relu().data == -0.02
    assert v.leaky_relu(0.5).data == -1.0
    assert v.clamp(-1, 1).data == -1.0
    assert Value.exp.__doc__.startswith("exp(a): ")


# ---- which nodes there are ----------------------------------------------------------------------


def test_the_classic_expression_has_exactly_seven_nodes():
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    L = (a * b + c) * (a - c)  # noqa: N806
    assert sorted(node._op for node in nodes_below(L)) == ["", "", "", "*", "*", "+", "-"]
    assert len(nodes_below(L)) == 7


def test_subtraction_negation_and_division_are_one_node_each():
    a, b = Value(6.0), Value(3.0)
    for y, op, children in ((a - b, "-", (a, b)), (-a, "neg", (a,)), (a / b, "/", (a, b))):
        assert y._op == op
        assert y._children == children


def test_a_number_on_the_left_stays_on_the_left():
    a = Value(4.0)
    for y in (2 - a, 2 / a, 2**a, 2 + a, 2 * a):
        left, right = y._children
        assert (left.data, left.requires_grad) == (2.0, False)
        assert right is a


def test_a_repeated_argument_keeps_both_its_slots():
    a = Value(3.0)
    y = a * a
    assert y._children == (a, a)
    assert y._local_grads == (3.0, 3.0)
    assert list(y._prev) == [a]


def test_local_gradients_are_the_facts_of_the_forward_pass():
    a, b = Value(2.0), Value(5.0)
    y = a * b
    assert y._local_grads == (5.0, 2.0)
    a.data, b.data = 100.0, 1000.0
    y.backward()
    assert (a.grad, b.grad) == (5.0, 2.0)


def test_an_op_on_constants_makes_a_constant_without_history():
    two, three = Value(2.0, requires_grad=False), Value(3.0, requires_grad=False)
    y = two * three + 1
    assert (y.data, y.requires_grad, y._children, y._op) == (7.0, False, (), "")


def test_a_number_in_an_expression_is_a_constant_leaf():
    number = (Value(2.0) * 3)._children[1]
    one = Value(1.0, requires_grad=False)
    for constant in (number, one + 2, one * 3, (one * -3).abs()):
        assert (constant.data, constant.grad, constant.requires_grad, constant.label) == (3.0, 0.0, False, "")
        assert (constant._op, constant._children, constant._local_grads) == ("", (), ())


def test_a_power_with_a_constant_exponent_is_one_node():
    cube = Value(2.0) ** 3
    assert (cube.data, cube._op, cube._local_grads) == (8.0, "**", (12.0, 0.0))


def test_the_slope_of_a_power_is_finite_where_a_factor_of_it_is_not():
    x, p = Value(1e-310), 2.0**-30
    (x**p).backward()  # p * x**(p-1), where x**(p-1) is beyond the floats
    assert math.isclose(log(x.grad), log(p) + (p - 1) * log(1e-310), rel_tol=1e-12)


def test_nodes_are_numbered_in_the_order_of_creation():
    a = Value(1.0)
    y = (a + 1) * (a + 2)
    assert [node._op for node in reach([y])[0]] == ["*", "+", "+"]
    late = Value(1.0)
    assert late._index > y._index > a._index


def test_a_value_holds_a_float_whatever_number_it_was_given():
    for given in (2, 2.0, True + 1, Fraction(4, 2)):
        assert type(Value(given).data) is float
        assert Value(given).data == 2.0


# ---- the six hand-written ops and the table -----------------------------------------------------

BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
}


@pytest.mark.parametrize("name", BINARY)
def test_a_hand_written_op_is_its_row_of_the_table_bit_for_bit(name):
    op = OPS[name]
    for x, z in product(AWKWARD, repeat=2):
        node = BINARY[name](Value(x), Value(z))
        y = op.forward(ieee, x, z)
        assert bits(node.data) == bits(y), (x, z)
        assert [bits(g) for g in node._local_grads] == [bits(g) for g in op.partials(ieee, y, x, z)], (x, z)
        method = getattr(Value(x), name)(Value(z))
        function = getattr(F, name)(Value(x), Value(z))
        for other in (method, function):
            assert bits(other.data) == bits(node.data)
            assert [bits(g) for g in other._local_grads] == [bits(g) for g in node._local_grads]
            assert other._op == node._op


def test_negation_is_its_row_of_the_table_bit_for_bit():
    for x in AWKWARD:
        node = -Value(x)
        assert bits(node.data) == bits(OPS["neg"].forward(ieee, x))
        assert node._local_grads == OPS["neg"].partials(ieee, -x, x)
        assert node._op == OPS["neg"].symbol


@pytest.mark.parametrize("name", BINARY)
def test_a_constant_on_either_side_changes_no_bit_of_the_other_gradient(name):
    for x, z in product(AWKWARD, repeat=2):
        a, b = Value(x), Value(z)
        both = BINARY[name](a, b)._local_grads
        left, right = BINARY[name](a, z), BINARY[name](x, b)
        assert bits(left._local_grads[0]) == bits(both[0]), (x, z)
        assert bits(right._local_grads[1]) == bits(both[1]), (x, z)
        assert bits(left.data) == bits(right.data) == bits(BINARY[name](a, b).data)


def test_every_method_is_its_row_of_the_table_bit_for_bit():
    for op in OPS.values():
        if op.arity[1] == MANY:
            continue
        points = product(AWKWARD, repeat=op.arity[1]) if op.arity[1] < 3 else [*op.samples, *op.kinks]
        for xs in points:
            y = op.forward(ieee, *xs)
            node = getattr(Value(xs[0]), op.name)(*map(Value, xs[1:]))
            assert bits(float(node.data)) == bits(float(y)), (op.name, xs)
            assert repr(node._local_grads) == repr(op.partials(ieee, y, *xs)), (op.name, xs)
            assert node._op == op.symbol


def test_that_comparison_would_see_a_wrong_last_bit():
    x = 0.1 + 0.2
    assert bits(x) != bits(0.3)
    assert bits(0.0) != bits(-0.0)
    assert bits(nan) == bits(-nan)


# ---- what kind of object it is ------------------------------------------------------------------


def test_equality_and_hash_are_identity():
    a, same = Value(2.0), Value(2.0)
    assert a == a
    assert a != same
    assert a != 2.0
    assert len({a, same, a}) == 2
    assert {a: "first", same: "second"}[a] == "first"
    assert [same, a].index(a) == 1


def test_order_comparisons_compare_data():
    small, large = Value(1.0), Value(2.0)
    assert small < large <= large
    assert large > small >= small
    assert not large < small
    assert not small < small
    assert not small > small
    assert small < 2
    assert (2 > small) is True  # noqa: SIM300
    assert small <= 1.0 <= small
    assert small < Fraction(3, 2) < large
    assert max(small, large) is large
    assert sorted([large, small]) == [small, large]
    assert not Value(nan) < small
    assert not Value(nan) >= small
    with pytest.raises(TypeError, match="'<' not supported"):
        small < "2"  # noqa: B015


class Other:
    """A number of somebody else's, who knows what to do with a Value."""

    def answer(self, value):
        return value

    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __mul__ = __sub__ = __truediv__ = __pow__ = answer
    __radd__ = __rmul__ = __rsub__ = __rtruediv__ = __rpow__ = answer


def test_another_kind_of_number_is_asked_itself_and_gets_the_value():
    v, other = Value(2.0), Other()
    assert all(x is v for x in (v < other, v <= other, v > other, v >= other))
    assert all(x is v for x in (v + other, v * other, v - other, v / other, v**other))


def test_data_that_is_written_is_a_float():
    v = Value(1.0)
    v.data = 3
    assert (v.data, type(v.data)) == (3.0, float)
    v.data = 2.5
    assert v.data == 2.5
    with pytest.raises(TypeError):
        v.data = "4"
    assert v.data == 2.5


def test_a_method_is_called_and_described_by_its_row():
    describe = {name: (_method(OPS[name]).__qualname__, _method(OPS[name]).__doc__) for name in OPS}
    assert describe["sin"] == ("Value.sin", "sin(a): upstream times cos(a).")
    assert describe["leaky_relu"][1].startswith("leaky_relu(a, b): the upstream gradient passes where a > 0")
    assert describe["clamp"][1].startswith("clamp(a, b, c): the upstream gradient passes between")
    assert describe["div"] == (
        "Value.div",
        "a / b: the numerator gets upstream / b; the denominator gets upstream times -(a / b) / b.",
    )
    assert _method(OPS["arctan2"]).__name__ == "arctan2"


def test_there_is_no_silent_way_to_a_float():
    v = Value(2.0)
    for cut in (float, int, complex, round, math.exp, math.sqrt, math.floor):
        with pytest.raises(TypeError):
            cut(v)
    for name in ("__float__", "__int__", "__index__", "__complex__", "__round__"):
        assert not hasattr(v, name)
    assert v.item() == 2.0
    assert type(v.item()) is float


def test_repr_is_short_and_says_what_matters():
    a = Value(2.0, label="a")
    assert repr(a) == "Value(data=2.0, grad=0.0, label='a')"
    y = a * 3
    y.backward()
    assert repr(y) == "Value(data=6.0, grad=1.0)"
    assert repr(a) == "Value(data=2.0, grad=3.0, label='a')"
    assert repr(Value(1.0, label="x" * 40)) == f"Value(data=1.0, grad=0.0, label='{'x' * 40}')"
    assert repr(Value(1.0, label="x" * 41)) == f"Value(data=1.0, grad=0.0, label='{'x' * 37}...')"
    assert repr(Value(1.0, label="a\nb\x1b")) == "Value(data=1.0, grad=0.0, label='a\\nb\\x1b')"
    assert repr(Value(-nan)) == "Value(data=nan, grad=0.0)"


def test_format_formats_the_number():
    v = Value(3.14159)
    assert f"{v:.2f}" == "3.14"
    assert f"{v:>8.1f}" == "     3.1"
    assert f"{v}" == repr(v)
    assert str(v) == repr(v)


def test_a_label_can_be_given_read_and_changed():
    a = Value(2.0, label="a")
    assert a.label == "a"
    assert (a * a).label == ""
    a.label = "x"
    assert a.label == "x"
    y = a + 1
    y.label = "y"
    assert (y.label, y.data) == ("y", 3.0)


def test_detach_gives_a_constant_with_the_same_data():
    a = Value(3.0, label="a")
    y = a * a.detach()
    y.backward()
    assert (y.data, a.grad) == (9.0, 3.0)
    constant = (a * 2).detach()
    assert (constant.data, constant.requires_grad, constant._children) == (6.0, False, ())


def test_a_value_can_be_referred_to_weakly():
    v = Value(2.0)
    watched = weakref.ref(v)
    assert watched() is v
    del v
    gc.collect()
    assert watched() is None


def test_a_graph_is_freed_without_the_cyclic_collector():
    """Nodes point at what they were made from and nothing points back, so counting references is enough."""
    gc.disable()
    try:
        y = (Value(2.0) * 3 + 1).tanh()
        watched = [weakref.ref(node) for node in nodes_below(y)]
        y.backward()
        del y
        assert [node() for node in watched] == [None] * len(watched)
    finally:
        gc.enable()


def test_a_value_has_no_place_for_misspelled_attributes():
    with pytest.raises(AttributeError):
        Value(2.0).gard = 1.0


class Money(Value):
    """A subclass with an attribute and a method of its own."""

    def __init__(self, data, currency="EUR"):
        super().__init__(data)
        self.currency = currency

    def doubled(self):
        return self * 2


def test_ops_on_a_subclass_give_the_subclass():
    m = Money(4.0, "CHF")
    for y in (m + 1, 1 + m, 2 - m, 2 * m, 2 / m, 2**m, -m, abs(m), m.exp(), m * m, m.doubled(), m.maximum(3)):
        assert type(y) is Money
    assert m.currency == "CHF"
    y = m.doubled() * Value(3.0)
    y.backward()
    assert (type(y), y.data, m.grad) == (Money, 24.0, 6.0)
    assert type(m.detach()) is Value


# ---- threads ------------------------------------------------------------------------------------


def test_threads_that_build_graphs_at_once_each_get_the_right_gradient():
    failures = []

    def work(who):
        number = who + 1
        for _ in range(100):
            x = Value(float(number))
            y = x
            for _ in range(20):
                y = y * x + x
            y.backward()
            # y = x + x**2 + ... + x**20 + x**21 with y_0 = x: y_n = y_{n-1} * x + x
            slope = sum(k * float(number) ** (k - 1) for k in range(1, 22))
            if not math.isclose(x.grad, slope, rel_tol=1e-12):
                failures.append((number, x.grad, slope))

    in_threads(work, 4)
    assert failures == []


def test_nodes_made_in_different_threads_never_share_a_number():
    made = []

    def work(_who):
        made.extend(Value(1.0) for _ in range(2000))

    in_threads(work, 4)
    assert len({v._index for v in made}) == len(made) == 8000
