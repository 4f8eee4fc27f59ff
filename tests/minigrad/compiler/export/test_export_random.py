"""Random programs in NumPy and in C, beside the engine: `--graphs=25000` takes ten times as many."""

from __future__ import annotations

import ctypes
import random
import subprocess
from math import isfinite

import numpy as np
import pytest

from minigrad.compiler.export import to_c, to_numpy, to_torch
from minigrad.compiler.export.c_check import FLAGS
from minigrad.compiler.traced_function import TracedFunction
from scalar_programs import bits, eagerly, indices_of, random_program, smooth_program


def programs(first, count):
    """Programs of loops and graphs over all ops, in turn, at points without infinities."""
    for number in range(first, first + count):
        program, point = (smooth_program if number % 2 else random_program)(number)
        draw, indices = random.Random(number), indices_of(program)
        point = [x if j in indices or number % 2 else draw.gauss(0.0, 1.0) for j, x in enumerate(point)]
        program.outputs, program.guards = program.outputs[:1], []
        kinds = "".join("i" if j in indices else "f" for j in range(len(point)))
        tree = (tuple, None, ((list, None, (None,) * len(point)),))
        yield number, TracedFunction(program, tree, kinds, None), point


@pytest.fixture
def count(request):
    return request.config.getoption("graphs") // 40


def near(found, wanted):
    scale = max(1.0, np.abs(wanted).max())
    return found.shape == wanted.shape and (np.abs(found - wanted) <= 1e-8 * scale).all()


def test_numpy_agrees_with_the_engine(count):
    looked_at = 0
    for number, traced, point in programs(0, count):
        values, slopes = eagerly(traced.scalars, point)
        if not all(map(isfinite, [*values, *slopes])):
            continue
        looked_at += 1
        source = to_numpy(traced, (point,), names=("x",), check=False)
        value, (slope,) = source.value_and_grad(np.array(point, float))
        found = np.array([float(value), *slope])
        assert near(found, np.array([*values, *slopes])), number
    assert looked_at > count // 2


def test_torch_over_a_batch_agrees_with_the_program(count):
    for _, traced, point in programs(5000, count // 4):
        values, slopes = eagerly(traced.scalars, point)
        if all(map(isfinite, [*values, *slopes])):
            to_torch(traced, (point,), names=("x",), parameters=())  # which compares


def test_c_has_the_bits_of_the_engine(count, tmp_path):
    for number, traced, point in programs(9000, max(6, count // 10)):
        values, slopes = eagerly(traced.scalars, point)
        text = to_c(traced, (point,), names=("x",), check=False).save(tmp_path / f"p{number}.c")
        built = tmp_path / f"p{number}.so"
        subprocess.run(["gcc", *FLAGS, str(text), "-o", str(built), "-lm"], check=True)
        arrays = [np.array(point, float), np.zeros(1), np.zeros(len(point))]
        broken = ctypes.CDLL(str(built)).program_gradient(
            *(a.ctypes.data_as(ctypes.c_void_p) for a in arrays)
        )
        assert broken == 0
        assert bits(arrays[1][0]) == bits(values[0]), number
        for j, kind in enumerate(traced.kinds):
            assert kind == "i" or bits(arrays[2][j]) == bits(slopes[j]), (number, j)
