"""The compiled executor against the reference: the same bits on every instruction set, for every batch and
number of threads; and no encoding, however wrong, makes it read or write where it must not."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from array import array
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import Any

import numpy as np
import pytest

from minigrad.compiler import executors
from minigrad.compiler.plan import LANES, SHARED, Access, Chain, LaneSum, Map, OpRun, Plan, Put
from minigrad.compiler.reference import Reference
from random_plans import EDGES, numbers, random_plan, same

vector: Any = executors.vector
pytestmark = [
    pytest.mark.one_engine,
    pytest.mark.skipif(
        vector is None, reason="the compiled executor is not built: python setup.py build_ext --inplace"
    ),
]
SETS: list[str] = [] if vector is None else vector.INSTRUCTION_SETS


def one_space(instructions: list[Any], cells: int, inputs: int, constants: Sequence[float] = ()) -> Plan:
    """A plan without lanes, whose outputs are all its cells."""
    outputs = [(SHARED, cell) for cell in range(cells)]
    places = [(SHARED, cell) for cell in range(inputs)]
    return Plan((cells, 0), np.array(constants), inputs, places, outputs, (cells, 0, 0), instructions)


def disagreements(plan: Plan, shared: Any, lanes: Any = None, **options: Any) -> list[str]:
    """The instruction sets on which a plan does not give the reference's bits."""
    expected = Reference(plan).run(shared, lanes)
    found = {isa: executors.Native(plan, isa=isa).run(shared, lanes, **options) for isa in SETS}
    return [isa for isa, numbers in found.items() if not same(numbers, expected)]


# ---- the same bits ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_random_plans_give_the_bits_of_the_reference(seed):
    chance = random.Random(seed)
    assert disagreements(random_plan(seed), numbers(chance, 12, edges=seed % 2 == 0)) == []


@pytest.mark.parametrize("seed", range(40))
def test_random_plans_for_batches_give_the_bits_of_the_reference(seed):
    chance = random.Random(seed)
    batch = chance.choice((1, 2, 7, 8, 9, 64, 257, 600))
    columns = numbers(chance, 9 * batch, edges=seed % 2 == 0).reshape(batch, 9)
    shared = numbers(chance, 12, edges=seed % 3 == 0)
    assert disagreements(random_plan(seed, lanes=True), shared, columns, threads=2) == []


def test_a_sum_in_another_order_would_be_seen():
    """The comparison itself: the same terms from the other end are another plan."""
    there, back = (
        one_space([Chain(SHARED, 3, (1,), (OpRun("+", 3, Access(SHARED, base, (0,), step)),), True)], 4, 3)
        for base, step in ((0, 1), (2, -1))
    )
    xs = np.array([0.1, 0.2, 0.3])
    assert same(executors.Native(there).run(xs), Reference(there).run(xs))
    assert not same(executors.Native(back).run(xs), Reference(there).run(xs))


@pytest.mark.parametrize("name", sorted(() if vector is None else vector.KERNELS))
def test_every_kernel_gives_the_bits_of_the_table(name):
    chance = random.Random(name)
    arity = vector.KERNELS[name][1]
    xs = np.array([*EDGES, *numbers(chance, 30), *(chance.uniform(-0.99, 0.99) for _ in range(22))])
    operands = tuple(Access(SHARED, chance.randrange(0, 9), (1,)) for _ in range(arity))
    count = len(xs) - 8
    plan = one_space([Map(name, SHARED, len(xs), (count,), operands)], len(xs) + count, len(xs))
    assert disagreements(plan, xs) == []


SUMS: list[list[float]] = [
    [1e100, 1.0, -1e100, 1e-20],
    [1.0, 2.0**-53, 2.0**-120, 0.0],  # a tie, and what decides it
    [1.0, 2.0**-53, -(2.0**-120), 0.0],
    [1e308, 1e308, -1e308, -1e308],
    [math.inf, 1.0, -math.inf, 2.0],
    [math.inf, 1.0, 2.0, 3.0],
    [5e-324, 5e-324, -1e-323, 5e-324],
    [0.1] * 4,
    [-0.0] * 4,
    [1e308, 1e308, 1e308, 1.0],
    [math.nan, 1.0, 2.0, 3.0],
]


def test_exact_chains_are_rounded_once_wherever_that_is_hard():
    members, terms = len(SUMS), 4
    table = np.array(SUMS).reshape(-1)
    runs = (OpRun("+", terms, Access(SHARED, 0, (terms,), 1)),)
    plan = one_space(
        [Chain(SHARED, members * terms, (members,), runs, False, True)], members * (terms + 1), len(table)
    )
    assert disagreements(plan, table) == []
    found = executors.Native(plan).run(table)[0][-members:]
    assert found[0] == 1.0 + 1e-20
    assert found[1] == 1.0 + 2.0**-52
    assert found[2] == 1.0
    assert found[3] == 0.0


def test_one_member_after_the_other_is_as_right_as_many_at_once():
    """A recurrence: thousands of instructions of one number each."""
    chance, cells = random.Random(5), 3
    instructions: list[Any] = []
    for _ in range(2000):
        a, b, c = (Access(SHARED, chance.randrange(max(0, cells - 20), cells), (0,)) for _ in range(3))
        instructions.append(chance.choice((
            Map(chance.choice(("add", "sub", "mul", "maximum")), SHARED, cells, (1,), (a, b)),
            Map(chance.choice(("neg", "tanh", "sin", "cos")), SHARED, cells, (1,), (a,)),
            Chain(
                SHARED, cells, (1,), (OpRun("*", 1, a, b), OpRun("-", 1, c), OpRun("~", 1, b, c)), cells > 99
            ),
        )))  # fmt: skip
        cells += 1
    plan = one_space(instructions, cells, 3)
    assert disagreements(plan, np.array([0.3, -1.2, 0.7])) == []


@pytest.mark.parametrize("seed", range(12))
def test_short_runs_of_one_rule_are_added_in_their_order(seed):
    """Many runs that differ in where they begin: they are run as one, and so they are in either space."""
    chance = random.Random(seed)
    dims = chance.choice(((6, 9), (30,), (2, 3, 8), (17, 2)))
    kind, count = chance.choice("+-*~"), math.prod(dims)
    weights = [chance.choice((0, 1, 1, -1, 3)) for _ in dims]

    def some(space: int) -> Access:
        strides = tuple(weight * chance.choice((1, 1, 1, 2)) for weight in weights)
        low = sum(-min(s, 0) * (n - 1) for s, n in zip(strides, dims, strict=True))
        return Access(space, low + chance.randrange(20), strides, 0)

    for space in (SHARED, LANES):
        a, b = some(space), some(SHARED)
        runs = []
        for _ in range(9):
            terms, shift = chance.choice((1, 1, 2)), chance.randrange(15)
            one = Access(space, a.base + shift, a.strides, chance.randrange(3))
            other = Access(SHARED, b.base + chance.randrange(15), b.strides, 1)
            runs.append(OpRun(kind, terms, one, other if kind in "*~" else None))
        cells = (500, 500 + count if space == LANES else 0)
        if space == SHARED:
            cells = (500 + count, 0)
        chain = Chain(space, 500, dims, tuple(runs), seed % 2 == 0)
        inputs = [(SHARED, i) for i in range(500)] + [(LANES, i) for i in range(500 if space == LANES else 0)]
        outputs = [(space, 500 + i) for i in range(count)]
        before, body = ([chain], []) if space == SHARED else ([], [chain])
        plan = Plan(cells, np.array([]), 500, inputs, outputs, (count, 0, 0), before, body)
        lanes = None if space == SHARED else numbers(chance, 9 * 500).reshape(9, 500)
        assert disagreements(plan, numbers(chance, 500), lanes) == []


def test_a_table_gets_what_was_looked_up_in_it():
    """Rows 0 to 3 of three numbers each; terms go to rows 2, 0, 2, and one that does not exist."""
    which, source = Access(SHARED, 0, (0, 0), 1), Access(SHARED, 4, (0, 1), 3)
    put = Put(SHARED, 20, (4, 3), 4, which, Access(SHARED, 16, (1, 0)), source)
    plan = one_space([put], 32, 16, [0.0, 1.0, 2.0, 3.0])
    shared = np.array([2.0, 0.0, 2.0, 7.0, *range(12)], dtype=float)
    assert disagreements(plan, shared) == []
    table = executors.Native(plan).run(shared)[0][20:].reshape(4, 3).tolist()
    assert table == [[3.0, 4.0, 5.0], [0.0, 0.0, 0.0], [6.0, 8.0, 10.0], [0.0, 0.0, 0.0]]


# ---- batches, threads, types ----------------------------------------------------------------------


def gradient_plan() -> Plan:
    """out = w . x per sample; the gradients of w over the batch, as a program has them."""
    dot = Chain(LANES, 5, (1,), (OpRun("*", 5, Access(LANES, 0, (0,), 1), Access(SHARED, 0, (0,), 1)),), True)
    bend = Map("tanh", LANES, 6, (1,), (Access(LANES, 5, (0,)),))
    slope = Map("tanh'0", LANES, 7, (1,), (Access(LANES, 6, (0,)), Access(LANES, 5, (0,))))
    each = Chain(LANES, 8, (5,), (OpRun("*", 1, Access(LANES, 7, (0,)), Access(LANES, 0, (1,))),), True)
    inputs = [*((SHARED, cell) for cell in range(5)), *((LANES, cell) for cell in range(5))]
    outputs = [(LANES, 6), *((SHARED, 5 + cell) for cell in range(5))]
    total = LaneSum(5, (5,), Access(LANES, 8, (1,)))
    return Plan((10, 13), np.array([]), 5, inputs, outputs, (1, 0, 5), [], [dot, bend, slope, each, total])


def test_a_sample_has_the_same_bits_in_every_batch_and_a_sum_for_every_number_of_threads():
    plan, chance = gradient_plan(), random.Random(1)
    w, xs = numbers(chance, 5), numbers(chance, 5 * 1500).reshape(1500, 5)
    for isa in SETS:
        executor = executors.Native(plan, isa=isa)
        whole = executor.run(w, xs)
        for threads in (2, 3, 16):
            assert same(executor.run(w, xs, threads=threads), whole)
        for batch in (1, 2, 7, 8, 9, 64, 257):
            assert same([executor.run(w, xs[:batch])[1]], [whole[1][:batch]])
        assert same(whole, Reference(plan).run(w, xs))


def test_an_empty_batch_has_sums_of_zero():
    shared, lanes = executors.Native(gradient_plan()).run(np.ones(5), np.zeros((0, 5)))
    assert shared.tolist() == [0.0] * 5
    assert lanes.shape == (0, 1)


def test_columns_may_have_any_strides_and_come_in_parts():
    plan, chance = gradient_plan(), random.Random(2)
    w, xs = numbers(chance, 5), numbers(chance, 500).reshape(100, 5)
    executor = executors.Native(plan)
    whole = executor.run(w, xs)
    backwards = np.ascontiguousarray(xs[::-1, ::-1])[::-1, ::-1]
    assert same(executor.run(w, backwards), whole)
    assert same(executor.run(w, np.asfortranarray(xs)), whole)
    assert same(executor.run(w, list(xs.T)), whole)
    assert same(executor.run(w, [xs[:, :2], xs[:, 2], xs[:, 3:]]), whole)
    single = xs.astype(np.float32)
    assert same(executor.run(w, single), executor.run(w, single.astype(float)))


def test_results_may_be_written_over_the_columns_that_were_read():
    old, rate, slope = Access(LANES, 0, (0,)), Access(SHARED, 0, (0,)), Access(LANES, 1, (0,))
    step = Chain(LANES, 2, (1,), (OpRun("+", 1, old), OpRun("~", 1, rate, slope)), False)
    inputs, outputs = [(SHARED, 0), (LANES, 0), (LANES, 1)], [(LANES, 2)]
    plan = Plan((1, 3), np.array([]), 1, inputs, outputs, (1, 0, 0), [], [step])
    data, grad = numbers(random.Random(3), 1000), numbers(random.Random(4), 1000)
    expected = data - 0.1 * grad
    for threads in (1, 3):
        changed = data.copy()
        executors.Native(plan).run_into(np.array([0.1]), [changed, grad], np.zeros(0), [changed], threads)
        assert same([changed], [expected])


def test_float32_is_what_numpy_makes_of_float32():
    plan, chance = gradient_plan(), random.Random(6)
    w, xs = numbers(chance, 5), numbers(chance, 5 * 300).reshape(300, 5)
    expected = Reference(plan, dtype="float32").run(w, xs)
    found = [executors.Native(plan, dtype="float32", isa=isa).run(w, xs) for isa in SETS]
    assert all(same(found[0], other) for other in found)
    for x, y in zip(found[0], expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=2e-5, atol=1e-30)


def test_without_exact_functions_are_quicker_ones_that_differ_in_the_last_bits():
    count = 1000
    each = Map("tanh", SHARED, count, (count,), (Access(SHARED, 0, (1,)),))
    plan = one_space([each], 2 * count, count)
    given = np.linspace(-3.0, 3.0, count)
    right = np.array([math.tanh(x) for x in given])
    (exact, _), (quick, _) = (executors.Native(plan, exact=exact).run(given) for exact in (True, False))
    assert (exact[count:] == right).all()
    assert 0 < (quick[count:] != right).sum() < count // 2
    assert (np.abs(quick[count:] - right) <= 2 * np.spacing(np.abs(right))).all()


def test_two_threads_of_python_run_one_program():
    plan, chance = gradient_plan(), random.Random(7)
    executor, found = executors.Native(plan), []
    w, xs = numbers(chance, 5), numbers(chance, 5 * 3000).reshape(3000, 5)
    expected = executor.run(w, xs)
    threads = [Thread(target=lambda: found.extend(executor.run(w, xs) for _ in range(20))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 60
    assert all(same(each, expected) for each in found)


# ---- loops ----------------------------------------------------------------------------------------


def counting_plan() -> Plan:
    """(x, y) -> x + y, and a guard: is the sum below 10?"""
    add = Map("add", SHARED, 3, (1,), (Access(SHARED, 0, (0,)), Access(SHARED, 1, (0,))))
    less = Map("less", SHARED, 4, (1,), (Access(SHARED, 3, (0,)), Access(SHARED, 2, (0,))))
    return Plan(
        (5, 0),
        np.array([10.0]),
        2,
        [(SHARED, 0), (SHARED, 1)],
        [(SHARED, 3), (SHARED, 4)],
        (1, 1, 0),
        [add, less],
    )


@pytest.mark.parametrize("native", [True, False])
def test_a_loop_feeds_runs_and_collects_until_a_guard_breaks(native):
    executor = executors.executor(counting_plan(), native=native)
    cells, out = np.zeros(2), np.zeros(2)
    total, seen = cells[:1], np.zeros((8, 1))
    copy = executors.executor(one_space([], 1, 1), native=native)  # the sum becomes the next x
    calls = [(executor, cells, None, out, None, [1.0]), (copy, out[:1], None, total, None, None)]
    feeds, collects = [(cells[1:], np.arange(1.0, 9.0).reshape(8, 1))], [(total, seen)]
    assert executors.loop(calls, feeds, collects, 8) == 3  # 1, 3, 6, and 10 is not below 10
    assert seen[:, 0].tolist() == [1.0, 3.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert total[0] == 6.0
    calls[0] = (executor, cells, None, out, None, [math.nan])  # expects nothing
    cells[0] = 0.0
    assert executors.loop(calls, feeds, collects, 8) == 8
    assert seen[-1, 0] == 36.0


@pytest.mark.parametrize("native", [True, False])
def test_a_guard_of_a_batch_holds_for_every_sample(native):
    less = Map("less", LANES, 1, (1,), (Access(LANES, 0, (0,)), Access(SHARED, 0, (0,))))
    inputs = [(SHARED, 0), (LANES, 0)]
    plan = Plan((1, 2), np.array([]), 1, inputs, [(LANES, 1)], (0, 1, 0), [], [less])
    executor, column, out = executors.executor(plan, native=native), np.arange(20.0), np.zeros((20, 1))
    for limit, done in ((20.0, 4), (19.0, 0)):
        call = (executor, np.array([limit]), [column], np.zeros(0), out, [1.0])
        assert executors.loop([call], [], [], 4) == done


# ---- what is refused ------------------------------------------------------------------------------


def words_of(plan: Plan) -> array[int]:
    words, _ = executors.encoded(plan, vector.KERNELS)
    return array("q", words)


@pytest.mark.parametrize("seed", range(12))
def test_hostile_words_are_refused_or_stay_inside(seed):
    """Thousands of plans with wrong words: each is refused, or runs (on whatever numbers) and ends."""
    chance = random.Random(seed)
    plan = random_plan(seed, lanes=seed % 2 == 1)
    words, constants = words_of(plan), np.ascontiguousarray(plan.constants)
    refused = 0
    for _ in range(400):
        wrong = array("q", words)
        for _ in range(chance.choice((1, 1, 2, 5))):
            place = chance.randrange(len(wrong))
            near = (wrong[place] % 2**40 + chance.choice((-3, -1, 1, 2, 5, 100)), chance.randrange(-5, 200))
            wild = (2**31, -(2**31), 2**62, -(2**63), 2**63 - 1)
            wrong[place] = chance.choice(near if chance.random() < 0.8 else wild)
        if chance.random() < 0.1:
            wrong = wrong[: chance.randrange(len(wrong))]
        try:
            program = vector.Program(wrong, constants, seed % 3 == 0, True, SETS[0])
        except (ValueError, MemoryError):
            refused += 1
            continue
        run_anyhow(program, plan)
    assert refused > 100


def run_anyhow(program: Any, plan: Plan) -> None:
    """With the arrays of the right plan; where the wrong one has other sizes, they are refused."""
    lanes = plan.cells[LANES] > 0
    shared_out = np.zeros(sum(space == SHARED for space, _ in plan.outputs))
    lane_out = np.zeros((20, sum(space == LANES for space, _ in plan.outputs)))
    columns = np.ones((20, 9)) if lanes else None
    with suppress(ValueError, MemoryError):
        program.run_into(np.ones(12), columns, shared_out, lane_out if lanes else None, 1)


def test_a_plan_that_reads_outside_its_cells_is_refused_in_words():
    outside = Chain(SHARED, 3, (1,), (OpRun("+", 3, Access(SHARED, 2, (0,), 1)),), True)
    with pytest.raises(ValueError, match="the plan cannot be run: an operand is outside its cells"):
        executors.Native(one_space([outside], 4, 3))


def test_arrays_of_another_kind_or_size_are_refused():
    executor, w, xs = executors.Native(gradient_plan()), np.ones(5), np.ones((10, 5))
    for shared, columns, problem in (
        (np.ones(4), xs, "4 shared numbers, where the program has 5"),
        (w, xs[:, :4], "4 columns, where the program has 5"),
        (w, np.ones((10, 6)), "more columns than the 5 of the program"),
        (w, [xs[:, :4], np.ones(9)], "a column has 9 numbers, the batch has 10"),
        (w, None, "0 columns, where the program has 5"),
    ):
        with pytest.raises(ValueError, match=problem):
            executor.run_into(shared, columns, np.zeros(5), np.zeros((10, 1)))
    with pytest.raises(TypeError, match="neither float64 nor float32"):
        executor.run_into(np.ones(5, dtype=int), xs, np.zeros(5), np.zeros((10, 1)))
    frozen = np.zeros(5)
    frozen.flags.writeable = False
    with pytest.raises((ValueError, BufferError)):
        executor.run_into(w, xs, frozen, np.zeros((10, 1)))
    unaligned = np.frombuffer(bytearray(41), dtype=np.uint8)[1:].view(np.float64)
    with pytest.raises(ValueError, match="not aligned"):
        executor.run_into(unaligned, xs, np.zeros(5), np.zeros((10, 1)))


def test_the_environment_chooses_the_instruction_set():
    program = "from minigrad.compiler import executors; print(executors.ISA)"

    def said(choice: str) -> subprocess.CompletedProcess[str]:
        changed = {**os.environ, "MINIGRAD_VECTOR": choice, "MINIGRAD_LANG": "en"}
        return subprocess.run([sys.executable, "-c", program], env=changed, text=True, capture_output=True)

    assert said("baseline").stdout.strip() == "baseline"
    assert said("").stdout.strip() == SETS[0]
    assert "MINIGRAD_VECTOR=sse9: this machine has" in said("sse9").stderr
