"""The reference executor: instructions with numbers worked out by hand, kernels with the bits of the table.

What it gives for whole programs is compared with the engine in test_program_random.py.
"""

from __future__ import annotations

import math
import random
from itertools import product
from math import inf, nan

import numpy as np
import pytest

from edge_cases import CASES
from minigrad.compiler.plan import LANES, SHARED, Access, Chain, LaneSum, Map, Most, OpRun, Plan, Put, Take
from minigrad.compiler.reference import Reference
from minigrad.compiler.scalars import Scalars
from minigrad.ops import MANY, OPS
from minigrad.text.translation import speaking
from minigrad.values import ieee
from plan_checks import check_plan, in_eights
from scalar_meaning import evaluate, formula
from scalar_programs import WILD, bits

pytestmark = pytest.mark.one_engine

ONE = Access(SHARED, 0, (0,))


def same(found, wanted) -> None:
    assert [bits(x) for x in found] == [bits(x) for x in wanted]


def shared_plan(inputs: int, *instructions, members: int = 1, constants=()) -> Plan:
    """The instructions write from cell `inputs + constants` on; the last one is the output."""
    first = inputs + len(constants)
    total = max(one.out + int(np.prod(one.dims)) for one in instructions)
    plan = Plan(
        cells=(total, 0),
        constants=np.array(constants, np.float64),
        first_constant=inputs,
        inputs=[(SHARED, j) for j in range(inputs)],
        outputs=[(SHARED, total - members + m) for m in range(members)],
        parts=(members, 0, 0),
        before=list(instructions),
    )
    assert all(one.out >= first for one in instructions)
    check_plan(plan)
    return plan


def lane_plan(shared: int, lanes: int, *body, outputs, after=()) -> Plan:
    tops = [lanes, shared]
    for one in (*body, *after):
        place = 1 if isinstance(one, LaneSum) or one.space == SHARED else 0
        tops[place] = max(tops[place], one.out + int(np.prod(one.dims)))
    plan = Plan(
        cells=(tops[1], tops[0]),
        constants=np.zeros(0),
        first_constant=shared,
        inputs=[(SHARED, j) for j in range(shared)] + [(LANES, j) for j in range(lanes)],
        outputs=outputs,
        parts=(len(outputs), 0, 0),
        body=list(body),
        after=list(after),
    )
    check_plan(plan)
    return plan


# ---- kernels --------------------------------------------------------------------------------------

FIXED = [op for op in OPS.values() if op.arity[1] != MANY]


def arguments(op) -> list[tuple[float, ...]]:
    """Where an op is smooth, where it is not, the edge points of other tests, and odd numbers."""
    arity = op.arity[1]
    edges = [case.xs for case in CASES if case.name == op.name and len(case.xs) == arity]
    wild = [(x,) for x in WILD] if arity == 1 else list(product(WILD, repeat=2)) if arity == 2 else []
    draw = random.Random(op.name)
    spread = [
        tuple(draw.choice((draw.gauss(0.0, 3.0), draw.choice(WILD))) for _ in range(arity)) for _ in range(60)
    ]
    return [*op.samples, *op.kinks, *edges, *wild, *spread]


def one_kernel(kernel: str, rows: list[tuple[float, ...]]) -> np.ndarray:
    """A kernel on many arguments at once, as one instruction."""
    count, width = len(rows), len(rows[0])
    operands = tuple(Access(SHARED, column, (width,)) for column in range(width))
    plan = shared_plan(count * width, Map(kernel, SHARED, count * width, (count,), operands), members=count)
    return Reference(plan).run(np.array(rows).ravel())[0]


@pytest.mark.parametrize("op", FIXED, ids=lambda op: op.name)
def test_kernels_have_the_bits_of_the_table(op):
    points = arguments(op)
    values = [op.forward(ieee, *xs) for xs in points]
    same(one_kernel(op.name, points), values)
    partials = [op.partials(ieee, y, *xs) for y, xs in zip(values, points, strict=True)]
    for slot in range(op.arity[1]):
        if not op.selective:  # a branch not taken has no number; the passes use a gate
            rows = [(y, *xs) for y, xs in zip(values, points, strict=True)]
            same(one_kernel(f"{op.name}'{slot}", rows), [float(locals_[slot]) for locals_ in partials])


def test_the_other_kernels():
    same(
        one_kernel("equal", [(1.0, 1.0), (0.0, -0.0), (nan, nan), (inf, inf), (1.0, 2.0)]),
        [1.0, 1.0, 0.0, 1.0, 0.0],
    )
    same(
        one_kernel("gate", [(1.0, inf), (0.0, inf), (-0.0, nan), (nan, 2.0), (0.5, -0.0)]),
        [inf, 0.0, 0.0, 2.0, -0.0],
    )
    same(one_kernel("match", [(2.0, 2.0, 5.0), (2.0, 1.0, inf), (0.0, -0.0, -0.0)]), [5.0, 0.0, -0.0])


# ---- chains ---------------------------------------------------------------------------------------


def chain(kinds: list[tuple[str, int]], zero: bool = False, exact: bool = False) -> Plan:
    """One sum whose terms take their operands from the inputs, one after the other."""
    runs, at = [], 0
    for kind, terms in kinds:
        width = 2 if kind in "*~" else 1
        a = Access(SHARED, at, (0,), width)
        runs.append(OpRun(kind, terms, a, Access(SHARED, at + 1, (0,), width) if width == 2 else None))
        at += width * terms
    return shared_plan(at, Chain(SHARED, at, (1,), tuple(runs), zero, exact))


@pytest.mark.parametrize(
    ("kinds", "given", "zero", "exact", "result"),
    [
        ([("+", 3)], [1e16, 1.0, -1e16], False, False, 0.0),  # 1e16 + 1 is 1e16
        ([("+", 3)], [1e16, -1e16, 1.0], False, False, 1.0),  # from left to right
        ([("+", 3)], [1e16, 1.0, -1e16], False, True, 1.0),  # rounded once
        ([("-", 2)], [2.0, 3.0], False, False, -5.0),
        ([("+", 1), ("-", 1)], [2.0, 3.0], False, False, -1.0),
        ([("*", 2)], [2.0, 3.0, 4.0, 5.0], True, False, 26.0),
        ([("*", 1), ("~", 1)], [2.0, 3.0, 4.0, 5.0], False, False, -14.0),
        ([("~", 1)], [2.0, 3.0], True, False, -6.0),
        (
            [("*", 1), ("+", 1)],
            [1 + 2.0**-30, 1 - 2.0**-30, -1.0],
            False,
            False,
            0.0,
        ),  # the product is rounded
        ([("+", 1)], [-0.0], False, False, -0.0),
        ([("+", 1)], [-0.0], True, False, 0.0),
        ([("-", 1)], [0.0], False, False, -0.0),
        ([("+", 2)], [inf, -inf], False, True, nan),
        ([("+", 4)], [1e308, 1e308, -1e308, -1e308], False, True, 0.0),
        ([("+", 4)], [1e308, 1e308, -1e308, -1e308], False, False, inf),
        ([("*", 1), ("-", 1)], [3.0, 5.0, 1.0], False, True, 14.0),
    ],
)
def test_sums_are_added_in_order(kinds, given, zero, exact, result):
    same(Reference(chain(kinds, zero, exact)).run(given)[0], [result])
    text = (
        ("exact:" if exact else "chain:")
        + ("0" if zero else "")
        + "".join(kind * count for kind, count in kinds)
    )
    same([formula(text)(*given)], [result])


def test_rows_of_a_matrix_and_a_transposed_one():
    """A matrix of two rows times a vector; then its transpose, by other strides, terms from right to left."""
    matrix = Access(SHARED, 0, (3,), 1), Access(SHARED, 6, (0,), 1)
    turned = Access(SHARED, 3, (1,), -3), Access(SHARED, 1, (0,), -1)
    numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 10.0, 100.0, 1000.0]
    plan = shared_plan(9, Chain(SHARED, 9, (2,), (OpRun("*", 3, *matrix),), zero=False), members=2)
    same(Reference(plan).run(numbers)[0], [3210.0, 6540.0])
    plan = shared_plan(9, Chain(SHARED, 9, (3,), (OpRun("*", 2, *turned),), zero=False), members=3)
    same(Reference(plan).run(numbers)[0], [4.0 * 2 + 1, 5.0 * 2 + 2, 6.0 * 2 + 3])


def test_members_of_several_dims_and_gathered_ones():
    """Member (i, j) lies at 2*i + j, and reads by i and j what the strides say."""
    sums = Map("sub", SHARED, 6, (3, 2), (Access(SHARED, 0, (1, 0)), Access(SHARED, 3, (0, 2))))
    numbers = [1.0, 2.0, 3.0, 10.0, 0.0, 20.0]
    wanted = [-9.0, -19.0, -8.0, -18.0, -7.0, -17.0]
    same(Reference(shared_plan(6, sums, members=6)).run(numbers)[0], wanted)
    index = np.array([[0], [0], [1], [1], [2], [2]])
    gathered = Map("sub", SHARED, 6, (6,), (Access(SHARED, 0, (0,), index=index), Access(SHARED, 3, (0,))))
    same(Reference(shared_plan(6, gathered, members=6)).run(numbers)[0], [-9.0, -9.0, -8.0, -8.0, -7.0, -7.0])


# ---- the largest, and a row -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "result"),
    [
        ([1.0, 3.0, 2.0], 3.0),
        ([0.0, -0.0], 0.0),
        ([-0.0, 0.0], -0.0),  # the first of two that are equal, as Python's max
        ([1.0, nan, 2.0], nan),
        ([nan, inf], nan),
        ([-inf], -inf),
    ],
)
def test_the_largest(given, result):
    plan = shared_plan(len(given), Most(SHARED, len(given), (1,), len(given), Access(SHARED, 0, (0,), 1)))
    same(Reference(plan).run(given)[0], [result])
    same([formula("max")(*given)], [result])


def test_an_index_chooses_a_row_for_each_sample():
    """From shared rows and from rows of the samples, by an index of the samples and by a shared one."""
    take = {"dims": (2,), "terms": 3}
    plan = lane_plan(
        7, 7,
        Take(LANES, 7, which=Access(LANES, 0, (0,)), table=Access(SHARED, 1, (1,), 2), **take),
        Take(LANES, 9, which=Access(SHARED, 0, (0,)), table=Access(LANES, 1, (1,), 2), **take),
        Take(LANES, 11, which=Access(LANES, 0, (0,)), table=Access(LANES, 1, (1,), 2), **take),
        outputs=[(LANES, 7 + k) for k in range(6)],
    )  # fmt: skip
    shared = [1.0, 10.0, 11.0, 20.0, 21.0, 30.0, 31.0]
    lanes = np.array([[k, *(100.0 * k + j for j in range(6))] for k in (2.0, 0.0, 1.0)])
    _, found = Reference(plan).run(shared, lanes)
    same(found[0], [30.0, 31.0, 202.0, 203.0, 204.0, 205.0])
    same(found[1], [10.0, 11.0, 2.0, 3.0, 0.0, 1.0])
    same(found[2], [20.0, 21.0, 102.0, 103.0, 102.0, 103.0])


def test_messages_are_added_to_the_rows_that_were_taken():
    """Three look-ups of rows 1, 0, 1 in a table of two rows of two: what each row gets, in their order."""
    put = Put(
        SHARED,
        11,
        (2, 2),
        3,
        Access(SHARED, 0, (0, 0), 1),
        Access(SHARED, 9, (1, 0)),
        Access(SHARED, 3, (0, 3), 1),
    )
    plan = shared_plan(9, put, members=4, constants=(0.0, 1.0))
    found, _ = Reference(plan).run([1.0, 0.0, 1.0, 1e16, 5.0, 1.0, 2.0, inf, -0.0])
    same(found, [5.0, inf, 1e16 + 1.0, 2.0])
    same([formula("put:2")(1.0, 0.0, 0.0, inf, -0.0), formula("put:2")(nan, 0.0, 0.0, inf, 3.0)], [0.0, 3.0])


# ---- batches --------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [0, 1, 2, 7, 8, 9, 64, 255, 256, 257, 1000])
def test_sums_over_samples_are_added_in_eights_and_chunks(batch):
    draw = random.Random(batch)
    columns = [[draw.gauss(0.0, 1.0) * 10.0 ** draw.randint(-2, 2) for _ in range(batch)] for _ in range(2)]
    total = LaneSum(0, (2,), Access(LANES, 0, (1,)))
    plan = lane_plan(0, 2, total, outputs=[(SHARED, 0), (SHARED, 1)])
    found, _ = Reference(plan).run([], [np.array(column) for column in columns])
    same(found, [in_eights(column) for column in columns])
    if batch == 1000:  # the order shows in the last bits, or this test says nothing
        assert any(in_eights(column) not in (sum(column), math.fsum(column)) for column in columns)


def test_what_is_shared_counts_once_for_each_sample():
    plan = lane_plan(1, 1, LaneSum(1, (1,), Access(SHARED, 0, (0,))), outputs=[(SHARED, 1)])
    for batch in (1, 3, 300):
        same(Reference(plan).run([0.1], np.zeros((batch, 1)))[0], [in_eights([0.1] * batch)])


def squares() -> Plan:
    """Per sample w*x and its square; after all samples, twice the sum of x."""
    x, w = Access(LANES, 0, (0,)), Access(SHARED, 0, (0,))
    return lane_plan(
        1, 1,
        Map("mul", LANES, 1, (1,), (w, x)),
        Map("square", LANES, 2, (1,), (Access(LANES, 1, (0,)),)),
        LaneSum(1, (1,), x),
        after=[Map("add", SHARED, 2, (1,), (Access(SHARED, 1, (0,)), Access(SHARED, 1, (0,))))],
        outputs=[(LANES, 2), (SHARED, 2), (LANES, 1)],
    )  # fmt: skip


def test_lanes_and_what_they_share():
    shared, lanes = Reference(squares()).run([3.0], np.array([[1.0], [2.0], [-1.0]]), threads=3)
    same(shared, [4.0])
    assert lanes.tolist() == [[9.0, 3.0], [36.0, 6.0], [9.0, -3.0]]


def test_columns_may_have_any_strides_and_be_given_one_by_one():
    matrix = np.arange(12.0).reshape(4, 3)
    wanted = Reference(squares()).run([1.5], matrix[:, 1:2].copy())
    for given in (matrix[:, 1:2], [matrix[:, 1]], matrix[::-1][::-1][:, 1:2], (matrix[:, 1:2],)):
        found = Reference(squares()).run([1.5], given)
        assert all(np.array_equal(x, y) for x, y in zip(found, wanted, strict=True))


def test_results_may_be_written_over_what_was_read():
    shared, columns = np.array([3.0]), np.array([[1.0, 0.0], [2.0, 0.0]])
    Reference(squares()).run_into(shared, columns[:, :1], shared, columns)
    assert shared.tolist() == [6.0]
    assert columns.tolist() == [[9.0, 3.0], [36.0, 6.0]]


# ---- float32 --------------------------------------------------------------------------------------


def test_float32_rounds_every_term():
    plan = chain([("*", 2)], zero=True)
    square, rest = 1.0 + 2.0**-13, -(1.0 + 2.0**-12)  # the square is 1 + 2**-12 + 2**-26, which is too long
    assert Reference(plan).run([square, square, rest, 1.0])[0][0] == 2.0**-26
    found, _ = Reference(plan, dtype="float32").run([square, square, rest, 1.0])
    assert found.dtype == np.float32
    same(found, [0.0])
    same(Reference(plan, dtype="float32").run([0.1, 1.0, 0.0, 0.0])[0], [np.float32(0.1)])
    found, _ = Reference(shared_plan(1, Map("exp", SHARED, 1, (1,), (ONE,))), dtype="float32").run([1.0])
    assert found[0] == np.float32(math.e)
    assert Reference(chain([("+", 1)]), dtype="float32").run([1e300])[0][0] == inf


# ---- what cannot be run ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shared", "lanes", "words"),
    [
        ([], np.zeros((2, 1)), r"1 shared numbers in one row, and was given an array of shape \(0,\)"),
        ([[1.0]], np.zeros((2, 1)), r"shape \(1, 1\)"),
        ([1.0], None, "1 columns of one length"),
        ([1.0], np.zeros((2, 2)), "1 columns of one length, and was given columns of lengths 2, 2"),
    ],
)
def test_what_does_not_fit_is_refused(shared, lanes, words):
    with speaking("en"), pytest.raises(ValueError, match=words):
        Reference(squares()).run(shared, lanes)


def test_an_unknown_dtype_is_refused():
    with speaking("en"), pytest.raises(ValueError, match="dtype 'float16' is none of float64, float32"):
        Reference(squares(), dtype="float16")


# ---- the meaning of scalars -----------------------------------------------------------------------


def test_nodes_are_computed_one_after_the_other():
    program = Scalars()
    x, y = program.add("input"), program.add("input")
    program.inputs = [y, x]  # by their number, not by their place
    two = program.constant(2.0)
    power = program.add("pow", x, two)
    slope = program.add("pow'0", power, x, two)
    still = program.add("stop", slope)
    chosen = program.add("take", y, power, still, two)
    total = program.add("lanesum", program.add("mean", chosen, power))
    assert evaluate(program, [1.0, 3.0])[chosen] == 6.0
    assert evaluate(program, [0.0, 3.0])[chosen] == 9.0
    assert evaluate(program, [2.0, 3.0])[total] == 5.5
