"""The vector kernels of compiled programs give the bits that they promise.

Maps.h has to be what the emitter writes.  Then small libraries are compiled that run every kernel: for
doubles, for floats, and for doubles with SIMD.  "exact" kernels have to give the bits of the table's
formulas over `ieee`.  "exact" and "fast" ones give the same bits whether an element comes alone or with
others, with operands fixed or not, in place or not, with SIMD or without.  (How accurate the fast ones are:
test_vector_fast.py.)
"""

from __future__ import annotations

import ctypes
import random
from itertools import product
from math import inf, nan

import numpy as np
import pytest

from kernel_points import FEW, SIGNED, differences, some
from map_kernels import (
    EXACT,
    FAST,
    FIXED,
    HEADERS,
    TABLE_KERNELS,
    columns,
    constant_exponents,
    disagreements,
    doubles,
    fixed_exponents,
    floats,
    simd,
    ways,
)
from minigrad._native import vector_emitter
from minigrad.ops import MANY, OPS
from minigrad.values import ieee
from minigrad.values.formulas import power_slope
from referee import exact, ulps

# ---- what the emitter writes --------------------------------------------------------------------


def test_maps_h_is_what_the_emitter_writes():
    written = (HEADERS / "maps.h").read_text(encoding="utf-8")
    assert written == vector_emitter.emit(), "run: python -m minigrad._native.vector_emitter"


@pytest.mark.parametrize(
    "change", [{"forward": lambda m, x: m.log1p(m.exp(x))}, {"partials": lambda m, y, x: (1.0 - m.exp(-y),)}]
)
def test_a_changed_row_changes_what_the_emitter_writes(monkeypatch, change):
    written = vector_emitter.emit()
    monkeypatch.setattr(vector_emitter, "OPS", {**OPS, "softplus": OPS["softplus"]._replace(**change)})
    assert vector_emitter.emit() != written


def test_a_kernel_has_only_what_its_own_answer_needs():
    rows = {row.kernel: row.body("exact") for row in vector_emitter.maps()}
    assert (rows["pow'0"].used, rows["pow'0"].calls) == ((1, 2), {"pow"})
    assert (rows["exp'0"].lines, rows["exp'0"].answer) == ((), "v0")
    assert (rows["sigmoid'0"].used, rows["sigmoid'0"].calls) == ((1,), {"exp"})


def test_a_formula_that_cannot_be_guarded_is_refused(monkeypatch):
    row = OPS["hypot"]._replace(forward=lambda m, x, y: m.sin(x) * y)
    monkeypatch.setattr(vector_emitter, "OPS", {"hypot": row})
    with pytest.raises(ValueError, match="must be called with the one operand"):
        vector_emitter.emit()


def test_every_row_has_its_kernels():
    """All but what no program asks for: the upstream is divided by div's slot 0, and where is gated."""
    wanted = {"equal": 2, "match": 3, "gate": 2}
    for op in OPS.values():
        if op.arity[1] != MANY:
            wanted[op.name] = op.arity[1]
            slots = [] if op.selective else range(op.name == "div", op.arity[1])
            wanted |= {f"{op.name}'{slot}": op.arity[1] + 1 for slot in slots}
    assert doubles().operands == wanted


# ---- exact kernels ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIXED)
def test_an_exact_kernel_gives_the_bits_of_its_row(name):
    assert disagreements(doubles(), name)[:5] == []


@pytest.mark.parametrize("name", ["sigmoid", "clamp", "arctan2", "pow", "log1p", "sign"])
def test_so_it_does_with_simd(name):
    assert disagreements(simd(), name)[:5] == []


def test_what_programs_need_beside_the_table():
    few = columns(list(product(FEW, repeat=3)))
    i, r, g = few
    for table in (EXACT, FAST):
        np.testing.assert_array_equal(doubles()(table, "equal", [i, r]), np.where(i == r, 1.0, 0.0))
        np.testing.assert_array_equal(doubles()(table, "match", [i, r, g]), np.where(i == r, g, 0.0))
        np.testing.assert_array_equal(doubles()(table, "gate", [i, g]), np.where(i == 0.0, 0.0, g))


def test_a_constant_exponent_has_the_local_of_the_engine():
    assert constant_exponents(doubles())[:5] == []


@pytest.mark.parametrize("table", [EXACT, FAST], ids=["exact", "fast"])
def test_a_fixed_exponent_gives_the_bits_of_any_other(table):
    assert fixed_exponents(simd(), table) == []


def test_so_it_does_for_floats():
    with np.errstate(over="ignore"):
        assert fixed_exponents(floats(), FAST) == []


# ---- one element or many, in any way ------------------------------------------------------------


@pytest.mark.parametrize("table", [EXACT, FAST], ids=["exact", "fast"])
def test_an_element_has_the_same_bits_in_every_way(table):
    assert [text for kernel in TABLE_KERNELS for text in ways(doubles(), simd(), table, kernel)] == []


def test_so_it_has_in_single_precision():
    assert [text for kernel in TABLE_KERNELS for text in ways(floats(), floats(), FAST, kernel)] == []


def test_nothing_is_done_for_no_elements_and_unused_operands_are_not_read():
    nothing, untouched = np.empty(0), np.array([7.0])
    for (kernel, count), table in product(doubles().operands.items(), (EXACT, FAST)):
        doubles()(table, kernel, [nothing] * count, out=untouched)
    assert untouched[0] == 7.0
    xs = np.array([0.5, -2.0])
    for row in vector_emitter.maps():
        used = row.body("exact").used
        if used:
            doubles()(FAST, row.kernel, [xs if i in used else None for i in range(row.operands)])


# ---- powers -------------------------------------------------------------------------------------


def test_the_commonest_exponents_are_rounded_correctly():
    draw = random.Random("powers")
    for x in (some(draw) for _ in range(1000)):
        for p in (2.0, 1.0, -1.0, 0.5):
            truth = exact("pow", x, p)
            if truth is not None:
                assert ulps(ieee.pow(x, p), truth) <= 0.5, (x, p)


def test_and_are_what_c_says_where_there_is_nothing_to_round():
    c = ctypes.CDLL(None).pow
    c.restype, c.argtypes = ctypes.c_double, [ctypes.c_double] * 2
    places = list(
        product((nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 4.0, -4.0, 2.0**-1074), (2.0, 1.0, -1.0, 0.5))
    )
    got = [(ieee.pow(x, p),) for x, p in places]
    assert differences(places, got, [(c(x, p),) for x, p in places]) == []


def test_the_slope_of_a_square_is_two_x():
    for x in (*SIGNED, 1e-300, 1e-310, 8.9e307):
        assert differences([(x,)], [(power_slope(ieee, x, 2.0),)], [(2.0 * x,)]) == []
        assert power_slope(ieee, x, 1.0) == 1.0
