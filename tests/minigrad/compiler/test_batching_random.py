"""Random programs in a batch: each sample has the bits that it has alone, in any batch, by any threads.

With any inputs in the lanes.  What is shared gets the sum over the samples, in one fixed order.  And what
need not be exact is near, and has the same bits in any batch as well.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import fsum, isfinite

import numpy as np
import pytest

from compile_cases import FEW, all_bits, executors, pytest_generate_tests  # noqa: F401 a hook
from compile_passes import Watched, watched
from minigrad.compiler import executors as running
from minigrad.compiler.plan import LANES, SHARED, Chain, LaneSum, Map, Most, Plan, Put, Take
from minigrad.compiler.scalars import CONSTANT, INPUT, Scalars
from plan_checks import in_eights
from scalar_meaning import formula
from scalar_programs import bits, eagerly, indices_of, points_of, random_program, smooth_program

pytestmark = pytest.mark.one_engine

BATCHES = (1, 2, 7, 8, 9, 64, 257)


# ---- batches ------------------------------------------------------------------------------------


def batch_meaning(program: Scalars, samples: Sequence[Sequence[float]]) -> list[list[float]]:
    """All nodes for all samples, by the ops' own functions of floats; a sum over samples as LaneSum says."""
    rows: list[list[float]] = []
    place = {node: j for j, node in enumerate(program.inputs)}
    for node, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        if op == INPUT:
            rows.append([sample[place[node]] for sample in samples])
        elif op == CONSTANT:
            rows.append([program.data[node]] * len(samples))
        elif op == "lanesum":
            rows.append([in_eights(rows[args[0]])] * len(samples))
        else:
            rows.append([formula(op)(*xs) for xs in zip(*(rows[arg] for arg in args), strict=True)])
    return rows


def batch_of(
    number: int, program: Scalars, point: Sequence[float], lanes: set[int], size: int
) -> list[list[float]]:
    """Samples that differ in the lanes alone."""
    points = points_of(number, program, point, size)
    return [[x if j in lanes else point[j] for j, x in enumerate(sample)] for sample in points]


def chosen_lanes(number: int, count: int) -> set[int]:
    draw = random.Random(f"lanes {number}")
    return set(draw.sample(range(count), draw.randint(1, count)))


def run_batch(
    executor, plan: Plan, samples: Sequence[Sequence[float]], threads: int = 1
) -> list[list[float]]:
    """Per output the numbers of all samples, or the one number that they share."""
    matrix = np.array(samples, np.float64)
    spaces = [space for space, _ in plan.inputs]
    shared = matrix[0, [j for j, space in enumerate(spaces) if space == SHARED]]
    lanes = matrix[:, [j for j, space in enumerate(spaces) if space == LANES]]
    shared_out, lane_out = executor.run(shared, lanes, threads=threads)
    places = {SHARED: iter(shared_out.tolist()), LANES: iter(lane_out.T.tolist())}
    return [[next(places[SHARED])] if space == SHARED else next(places[LANES]) for space, _ in plan.outputs]


def wrong_in_batch(
    number: int, program: Scalars, point: Sequence[float], size: int, gradient: bool = True
) -> str:
    lanes = chosen_lanes(number, len(program.inputs))
    samples = batch_of(number, program, point, lanes, size)
    made: Watched = watched(program, lanes=lanes, gradients=range(len(program.inputs)) if gradient else ())
    plan, meaning = made.plan, batch_meaning(made.scalars, samples)
    wanted = [*made.scalars.outputs, *(guard.node for guard in made.scalars.guards), *made.kept]
    alone = [eagerly(program, sample) for sample in samples]
    gradients = plan.parts[0] + plan.parts[1]
    for executor in executors(plan):
        found = run_batch(executor, plan, samples)
        for threads in (2, 3):
            again = run_batch(executor, plan, samples, threads)
            if list(map(all_bits, again)) != list(map(all_bits, found)):
                return f"{threads} threads change bits"
        for place, (numbers, node) in enumerate(zip(found, wanted, strict=True)):
            if all_bits(numbers) != all_bits(meaning[node][: len(numbers)]):
                return f"output {place} is not what the program means"
        for j in sorted(lanes) if gradient else ():
            one = found[gradients + j]
            if len(one) == size and all_bits(one) != all_bits([grads[j] for _, grads in alone]):
                return f"the gradient of input {j} has not the bits that each sample has alone"
        for place in range(plan.parts[0]):
            one = found[place]
            if len(one) == size and all_bits(one) != all_bits([value[place] for value, _ in alone]):
                return f"value {place} has not the bits that the sample has alone"
        if len(found[0]) == size and gradient:
            for j in set(range(len(program.inputs))) - lanes:
                terms = [grads[j] for _, grads in alone]
                if all(map(isfinite, terms)) and not nearly(found[gradients + j][0], terms):
                    return f"the gradient of the shared input {j} is not the sum over the samples"
    return ""


def nearly(found: float, terms: Sequence[float]) -> bool:
    """What is shared gets the sum over the samples, within roundings: how they add up is another order.

    Where the parts of each term cancel to nothing, their roundings are left: they are counted as of 0.01.
    """
    size = max(fsum(map(abs, terms)), 0.01)
    return abs(found - fsum(terms)) <= 1e-12 * size + 1e-300 or size > 1e290


def test_samples_have_the_bits_that_they_have_alone(some):
    for number in some[::4]:
        program, point = random_program(number)
        size = BATCHES[number // 4 % len(BATCHES)]
        mistake = wrong_in_batch(number, program, point, size, gradient=number // 4 % 5 > 0)
        assert not mistake, (number, mistake)


def test_samples_of_graphs_over_all_ops_have_the_bits_that_they_have_alone(some):
    for number in some[::8]:
        program, point = smooth_program(number)
        mistake = wrong_in_batch(number, program, point, BATCHES[number // 8 % 5])
        assert not mistake, (number, mistake)


def test_batches_are_varied():
    """Indices that differ between samples; each kind of instruction for every sample; sums of both spaces."""
    seen, spaces, indices = set(), set(), 0
    for number in range(0, FEW, 4):
        program, point = random_program(number)
        lanes = chosen_lanes(number, len(program.inputs))
        plan = watched(program, lanes=lanes, gradients=range(len(program.inputs))).plan
        samples = batch_of(number, program, point, lanes, 9)
        indices += any(len({sample[j] for sample in samples}) > 1 for j in indices_of(program))
        seen |= {(type(one), one.space) for one in plan.instructions}
        seen |= {one.kernel for one in plan.body if isinstance(one, Map)}
        spaces |= {one.source.space for one in plan.body if isinstance(one, LaneSum)}
    kinds = {(kind, space) for kind in (Map, Chain, Most, Take, Put) for space in (SHARED, LANES)}
    assert seen >= {*kinds - {(Put, SHARED)}, (LaneSum, SHARED), "gate"}  # a shared table alone is no batch
    assert spaces == {SHARED, LANES}
    assert indices > 5


def test_a_shared_number_behind_two_look_ups():
    """Only the outer index differs between samples: who was reached is a sum over them, too."""
    program = Scalars()
    program.inputs = [program.add(INPUT) for _ in range(5)]
    inner = program.add("take", 1, 2, program.add("sqrt", 3), 2)
    outer = program.add("take", 0, 2, inner)
    program.outputs = [program.add("sub", 4, outer)]
    samples = [[which, 1.0, 2.0, 9.0, 3.0] for which in (0.0, 1.0, 1.0)]
    made = watched(program, lanes=[0, 4], gradients=[2, 3])
    for executor in executors(made.plan):
        value, rows, root = run_batch(executor, made.plan, samples)
        assert value == [1.0, 0.0, 0.0]
        assert (rows, root) == ([-1.0], [-2.0 / 6.0])


def test_values_may_be_asked_for_in_total():
    """The sum over the samples in place of each of them, in the order of all such sums."""
    for number in range(20):
        program, point = smooth_program(number)
        lanes = set(range(len(point)))
        samples = batch_of(number, program, point, lanes, 9)
        plan = watched(program, lanes=lanes, totals=True).plan
        for executor in executors(plan):
            (found,) = run_batch(executor, plan, samples)
            assert all_bits(found) == [bits(in_eights([eagerly(program, one)[0][0] for one in samples]))], (
                number
            )


# ---- not exact ----------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_what_need_not_be_exact_is_near_and_has_the_same_bits_in_any_batch(dtype):
    """Vector functions and float32: in a batch of 21, by any number of threads, as alone."""
    tolerance = 1e-13 if dtype == "float64" else 2e-6
    for number in range(40):
        program, point = smooth_program(number)
        every = set(range(len(point)))
        plan = watched(program, lanes=every, gradients=sorted(every)).plan
        executor = running.executor(plan, exact=False, dtype=dtype)
        samples = [[x * (1.0 + 1e-4 * i) for x in point] for i in range(21)]
        together = run_batch(executor, plan, samples)
        for threads in (2, 3):
            assert list(map(all_bits, run_batch(executor, plan, samples, threads))) == list(
                map(all_bits, together)
            )
        for i in (0, 7, 20):
            alone = run_batch(executor, plan, samples[i : i + 1])
            for one, many in zip(alone, together, strict=True):
                assert bits(one[0]) == bits(many[i] if len(many) > 1 else many[0]), number
        value, grads = eagerly(program, point)
        found = [together[0][0], *(row[0] for row in together[sum(plan.parts[:2]) :])]
        assert all(near(x, y, tolerance) for x, y in zip(found, [value[0], *grads], strict=True)), number


def near(x: float, y: float, tolerance: float) -> bool:
    return abs(x - y) <= tolerance * max(1.0, abs(x) + abs(y))
