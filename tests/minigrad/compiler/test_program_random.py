"""Random programs, compiled: values and gradients have the bits of the engine, whatever the numbers.

* Programs of loops over vectors, at tame and at wild numbers (zeros of both signs, kinks, infinities, NaN in
  a branch that is not taken), and the graphs over all ops of the table that other tests use.
* Each by the reference executor, and by the compiled one where it is built.
* Between all passes the checker looks at the program, and at the end whether the plan is still the program.

`pytest --graphs=20000` runs that many of them.  What they do in a batch: test_batching_random.py.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from copy import deepcopy
from importlib import import_module
from math import prod

import numpy as np
import pytest

import minigrad
from compile_cases import FEW, all_bits, executors, pytest_generate_tests  # noqa: F401 a hook
from compile_passes import watched
from edge_cases import EDGES, graph_of
from minigrad.compiler.plan import Chain, Map, Most, Put, Take, accesses_of
from minigrad.compiler.reference import Reference
from minigrad.compiler.scalars import CONSTANT, INPUT, Scalars
from minigrad.ops import MANY, OPS
from scalar_programs import (
    as_python,
    bits,
    eagerly,
    indices_of,
    of_graph,
    points_of,
    random_program,
    smooth_program,
)
from source_trees import ROOT

pytestmark = pytest.mark.one_engine

# ---- one call -----------------------------------------------------------------------------------


def wrong(program: Scalars, points: Sequence[Sequence[float]], reuse: bool = True, few: bool = False) -> str:
    """What a compiled program has other than the engine, if anything; `few`: some gradients, in any order."""
    inputs = list(range(len(program.inputs)))
    wanted = random.Random(len(program)).sample(inputs, len(inputs) // 2) if few else inputs
    plan = watched(program, gradients=wanted, reuse=reuse).plan
    values, guards, _ = plan.parts
    for executor in executors(plan):
        for point in points:
            found, _ = executor.run(np.array(point, np.float64))
            value, grads = eagerly(program, point)
            if all_bits(found[:values]) != all_bits(value):
                return f"value {found[:values]} for {value} at {point}"
            grads = [grads[j] for j in wanted]
            if all_bits(found[values + guards :]) != all_bits(grads):
                return f"gradients {found[values + guards :]} for {grads} at {point}"
    return ""


def test_programs_of_loops_have_the_bits_of_the_engine(some):
    for number in some:
        program, point = random_program(number)
        points = points_of(number, program, point, 3)
        mistake = wrong(program, points, reuse=number % 4 > 0, few=number % 5 == 0)
        assert not mistake, (number, mistake)


def test_functions_have_the_bits_that_they_have_as_they_stand(some):
    """From Python to numbers: the function is traced, compiled and run."""
    for number in some[::8]:
        program, point = random_program(number)
        indices = sorted(indices_of(program))

        def function(xs, which, program=program, indices=indices):
            inputs, places = list(xs), iter(which)
            for j in indices:
                inputs.insert(j, next(places))
            return as_python(program, inputs)[0]

        compiled = minigrad.compile(function)
        for at in points_of(number, program, point, 2):
            xs, which = [x for j, x in enumerate(at) if j not in indices], [int(at[j]) for j in indices]
            value, grads = compiled.value_and_grad(xs, which)
            wanted, slopes = eagerly(program, at)
            assert bits(float(value)) == bits(wanted[0]), number
            right = [slope for j, slope in enumerate(slopes) if j not in indices]
            assert all_bits(grads) == all_bits(right), number


def test_graphs_over_all_ops_have_the_bits_of_the_engine(some):
    for number in some:
        program, point = smooth_program(number)
        mistake = wrong(program, points_of(number, program, point, 2))
        assert not mistake, (number, mistake)


def test_edge_points_of_all_ops_have_the_bits_of_the_engine():
    for name, xs in EDGES:
        program, point = of_graph(graph_of(name, xs))
        assert not wrong(program, [point]), (name, xs)


def test_deep_and_wide_sums():
    """A spine of three thousand sums; a sum of three thousand products; a tree that is no spine."""
    draw = random.Random(7)
    for shape in ("spine", "products", "tree"):
        program = Scalars()
        program.inputs = [program.add(INPUT) for _ in range(3000)]
        if shape == "tree":
            row = program.inputs
            while len(row) > 1:
                odd = [row[-1]] if len(row) % 2 else []
                row = [program.add("add", a, b) for a, b in zip(row[0:-1:2], row[1::2], strict=True)] + odd
            program.outputs = row
        else:
            total = program.constant(0.0)
            for i, node in enumerate(program.inputs):
                term = program.add("mul", node, program.inputs[i - 1]) if shape == "products" else node
                total = program.add("sub" if i % 7 == 3 else "add", total, term)
            program.outputs = [total]
        assert not wrong(program, [[draw.gauss(0.0, 1.0) for _ in program.inputs]]), shape


@pytest.mark.parametrize("shape", ["where", "take", "fan"])
def test_depth(shape):
    """Choices inside choices, deeper than Python's own stack: 1,200 of them."""
    program = Scalars()
    program.inputs = [program.add(INPUT) for _ in range(3)]
    node = program.add("log", 0)
    for _ in range(1200):
        if shape == "fan":
            node = program.add("add", node, program.add("where", 1, program.add("sin", node), 2))
        else:
            node = program.add(shape, 1, *((node, 2) if shape == "where" else (2, node)))
    program.outputs = [node]
    assert not wrong(program, [[2.0, 1.0, 0.5], [-1.0, 0.0, 0.5]])


def test_a_small_gpt_has_the_bits_of_the_engine(monkeypatch):
    """The example's own loss: look-ups, attention, sums of sums; on a text with a letter twice."""
    monkeypatch.syspath_prepend(ROOT / "examples")
    gpt = import_module("microgpt")
    for name, size in (("WIDTH", 8), ("HEADS", 2), ("SHARE", 4), ("BLOCK", 6)):
        monkeypatch.setattr(gpt, name, size)
    weights, tokens = gpt.make_weights(5, random.Random(3)), [4, 1, 2, 1, 0, 4]
    value, grads = minigrad.compile(gpt.loss_of).value_and_grad(weights, tokens)
    loss = gpt.loss_of(weights, tokens)
    loss.backward()
    assert bits(float(value)) == bits(loss.data)
    for name, rows in weights.items():
        for row, found in zip(rows, grads[name], strict=True):
            assert all_bits(found) == all_bits([w.grad for w in row]), name


# ---- the tests are not blind --------------------------------------------------------------------


def test_programs_are_varied():
    """All ops of the table, repeats, constants, guards, look-ups, and groups of many members."""
    programs = [random_program(number)[0] for number in range(FEW)]
    ops = {op for program in programs for op in program.ops}
    assert ops >= {*OPS, "take", "stop", INPUT, CONSTANT}
    assert any(len(set(args)) < len(args) for program in programs for args in program.args)
    assert any(program.guards for program in programs)
    plans = [watched(program, gradients=range(len(program.inputs))).plan for program in programs[:60]]
    assert max(prod(one.dims) for plan in plans for one in plan.before) >= 8
    assert any(len(one.dims) > 1 and min(one.dims) > 1 for plan in plans for one in plan.before)
    every = [one for plan in plans for one in plan.before]
    assert {type(one) for one in every} == {Map, Chain, Most, Take, Put}
    assert any(isinstance(one, Chain) and one.exact for one in every)
    assert any(isinstance(one, Map) and one.kernel == "gate" for one in every)
    assert {type(one) for one in every for access, _ in accesses_of(one) if access.index is not None} >= {
        Map, Most, Take,
    }  # fmt: skip
    assert any(isinstance(one, Put) and min(one.dims) > 1 and one.row.index is None for one in every)


# Sums and what takes a list have no kernel of their own: they are chains, or made of others.
KERNELS = [op.name for op in OPS.values() if op.arity[1] != MANY and op.name not in ("add", "sub")]


@pytest.mark.parametrize("op", KERNELS)
def test_a_row_that_is_off_by_one_bit_is_caught(op, monkeypatch):
    """The compiled value of one op moved by one unit in the last place: some program must show it."""
    right = Reference._results

    def moved(self, instruction, cells):
        numbers = right(self, instruction, cells)
        return (
            np.nextafter(numbers, np.inf)
            if getattr(instruction, "kernel", "") in (op, f"{op}'0")
            else numbers
        )

    monkeypatch.setattr(Reference, "_results", moved)
    monkeypatch.setattr("compile_cases.NATIVE", False)
    for number in range(FEW):
        program, point = smooth_program(number)
        if op in program.ops and wrong(program, [point]):
            return
    pytest.fail(f"nobody saw that {op} is off")


def test_a_term_in_the_wrong_place_is_caught(monkeypatch):
    """Sums from right to left."""
    from minigrad.compiler import reference

    right = reference._chained

    def backwards(chain, cells):
        turned = deepcopy(chain)
        object.__setattr__(turned, "runs", chain.runs[::-1])
        return right(turned, cells)

    monkeypatch.setattr(reference, "_chained", backwards)
    monkeypatch.setattr("compile_cases.NATIVE", False)
    assert any(wrong(*_tame(number)) for number in range(60))


def _tame(number: int) -> tuple[Scalars, list[list[float]]]:
    program, point = smooth_program(number)
    return program, [point]
