"""The compiled executor's loops of their own: plain chains, outer products, columns that are not copied."""

from __future__ import annotations

import pytest

np = pytest.importorskip("numpy")

from minigrad.compiler import executors  # noqa: E402
from minigrad.compiler.plan import LANES, SHARED, Access, Chain, Instruction, LaneSum, Map, OpRun, Plan  # noqa: E402

pytestmark = [
    pytest.mark.one_engine,
    pytest.mark.skipif(executors.vector is None, reason="the executor is not built"),
]
SETS = list(executors.vector.INSTRUCTION_SETS) if executors.vector is not None else []
BATCHES = (1, 7, 8, 16, 100, 256, 300, 777)


def lane(base: int, *strides: int, step: int = 0) -> Access:
    return Access(LANES, base, strides or (0,), step)


def plain_plan(early: bool) -> Plan:
    """L[2] = L[0] - S[0]*L[1]; L[3] = L[2]*L[0].  With `early`, L[0] is read after L[2] is there."""
    first = Chain(
        LANES, 2, (1,), (OpRun("+", 1, lane(0)), OpRun("~", 1, lane(1), Access(SHARED, 0, (0,)))), False
    )
    second = Map("mul", LANES, 3, (1,), (lane(2), lane(0 if early else 2)))
    sums = LaneSum(1, (1,), lane(3))
    outputs = [(SHARED, 1), (LANES, 2), (LANES, 3)]
    inputs = [(SHARED, 0), (LANES, 0), (LANES, 1)]
    return Plan((2, 4), np.zeros(0), 1, inputs, outputs, (3, 0, 0), [], [first, second, sums], [])


def same(left: object, right: object) -> bool:
    return bytes(np.ascontiguousarray(left)) == bytes(np.ascontiguousarray(right))


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("batch", BATCHES)
def test_columns_may_be_those_that_are_read(isa: str, early: bool, batch: int) -> None:
    plan = plain_plan(early)
    numbers = np.random.default_rng(batch).normal(size=(2, batch))
    wanted, lanes = executors.executor(plan, native=False).run(np.array([0.3]), list(numbers))
    native = executors.executor(plan, native=True, isa=isa)
    for places in ((0, 1), (1, 0)):  # each output over either input
        columns = [row.copy() for row in numbers]
        found = np.empty(1)
        native.run_into(np.array([0.3]), columns, found, [columns[i] for i in places])
        assert same(found, wanted)
        assert all(same(columns[i], lanes[:, k]) for k, i in enumerate(places))


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("shift", [0, 3])
def test_columns_that_overlap_otherwise_are_copied(isa: str, shift: int) -> None:
    plan, batch = plain_plan(True), 512
    memory = np.random.default_rng(1).normal(size=batch + 8)
    numbers = [memory[8:].copy(), np.arange(batch) / 7.0]
    _, lanes = executors.executor(plan, native=False).run(np.array([0.3]), numbers)
    apart = [np.empty(batch), np.empty(batch)]
    executors.executor(plan, native=True, isa=isa).run_into(np.array([0.3]), numbers, np.empty(1), apart)
    assert same(apart[0], lanes[:, 0])
    assert same(apart[1], lanes[:, 1])
    both = np.empty(batch + shift)  # two outputs over each other: the later one is there in the end
    executors.executor(plan, native=True, isa=isa).run_into(
        np.array([0.3]), numbers, np.empty(1), [both[:batch], both[shift:]]
    )
    assert same(both[-3:], lanes[-3:, 1])


@pytest.mark.parametrize("isa", SETS)
@pytest.mark.parametrize("kind", ["*", "~"])
@pytest.mark.parametrize("zero", [False, True])
@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(("rows", "columns"), [(4, 4), (7, 5), (3, 9), (2, 2)])
def test_outer_products(isa: str, kind: str, zero: bool, stored: bool, rows: int, columns: int) -> None:
    terms, members = 3, rows * columns
    a, b = 0, rows * terms
    out = b + columns * terms
    dims = (rows, columns)
    runs = (
        OpRun(kind, terms, lane(a + terms - 1, terms, 0, step=-1), lane(b, 0, 1, step=columns)),
        OpRun(kind, 1, lane(b + columns, 0, 1), lane(a, terms, 0)),  # the sides the other way round
    )
    body: list[Instruction] = [Chain(LANES, out, dims, runs, zero), LaneSum(0, (members,), lane(out, 1))]
    outputs = [(SHARED, i) for i in range(members)] + [(LANES, out + i) for i in range(members) if stored]
    inputs = [(LANES, i) for i in range(out)]
    plan = Plan((members, out + members), np.zeros(0), 0, inputs, outputs, (len(outputs), 0, 0), [], body, [])
    for batch in BATCHES:
        numbers = np.random.default_rng(batch).normal(size=(batch, out))
        wanted = executors.executor(plan, native=False).run(np.zeros(0), numbers)
        found = executors.executor(plan, native=True, isa=isa).run(np.zeros(0), numbers)
        assert same(found[0], wanted[0])
        assert same(found[1], wanted[1])
