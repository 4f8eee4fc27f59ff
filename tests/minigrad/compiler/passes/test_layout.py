"""From scalars to vectors: levels, groups, the rules by which cells lie, and cells that are used again.

And that nothing escapes the checkers here: a plan with a mistake in any one place is refused.
"""

from __future__ import annotations

import random
from dataclasses import fields, replace
from math import prod

import numpy as np
import pytest

from compile_passes import Watched, program, shows, watched
from minigrad.compiler.passes.affine import pieces_of
from minigrad.compiler.passes.groups import levels_of
from minigrad.compiler.pipeline import plan_of
from minigrad.compiler.plan import Access, Plan, accesses_of
from minigrad.compiler.program_check import ProgramError
from minigrad.compiler.program_text import show
from minigrad.compiler.reference import cells_of
from minigrad.compiler.scalars import Scalars
from plan_checks import check_plan, check_same
from scalar_programs import indices_of, random_program, smooth_program

# ---- levels, groups, rules ------------------------------------------------------------------------


def test_levels_count_what_must_run_before():
    """exp(0 + x0*x2 + x1*x3)"""
    exponential = program(4, 0.0, ("mul", 0, 2), ("add", 4, 5), ("mul", 1, 3), ("add", 6, 7), ("exp", 8))
    assert levels_of(exponential) == [0, 0, 0, 0, 0, 1, 2, 1, 3, 4]


def layer() -> Scalars:
    """tanh of two dot products of three: weights x0..x5, inputs x6..x8; then their product."""
    made = program(9)
    rows = []
    for row in range(2):
        total = made.constant(0.0)
        for k in range(3):
            total = made.add("add", total, made.add("mul", 3 * row + k, 6 + k))
        rows.append(made.add("tanh", total))
    made.outputs = [made.add("mul", *rows)]
    return made


def test_layout_finds_a_matrix_times_a_vector():
    made = watched(layer(), reuse=False)
    shows(made.plan, """
        14 cells, 0 of them constants
          S[9..10] i:2 = 0 + S[3*i+k]*S[6+k] k:3
          S[11..12] i:2 = tanh(S[9+i])
          S[13] = S[11] * S[12]
        out: S[13]
    """)  # fmt: skip


def test_layout_of_a_batch_has_three_parts():
    """exp(w) once; per sample its product with x; the gradient of w when all samples have been added up."""
    made = watched(program(2, ("exp", 0), ("mul", 2, 1), ("square", 3)), [1], [0], reuse=False)
    shows(made.plan, """
        4 shared cells, 0 of them constants; 5 cells for each sample
        before the batch:
          S[1] = exp(S[0])
        for every sample:
          L[1] = S[1] * L[0]
          L[2] = square(L[1])
          L[3] = square'0(L[2], L[1])
          L[4] = 0 + L[0]*L[3]
          S[2] = lanesum(L[4])
        after the batch:
          S[3] = 0 + S[1]*S[2]
        out: L[2], S[3]
    """)  # fmt: skip


def test_reuse_gives_cells_to_the_next():
    before = program(1, ("exp", 0), ("sin", 1), ("cos", 2), ("tanh", 3))
    assert watched(before, reuse=False).plan.cells == (5, 0)
    shows(watched(before).plan, """
        3 cells, 0 of them constants
          S[1] = exp(S[0])
          S[2] = sin(S[1])
          S[1] = cos(S[2])
          S[2] = tanh(S[1])
        out: S[2]
    """)  # fmt: skip


def test_after_the_batch_a_cell_is_free_for_the_instruction_after_its_last_reader():
    """While the batch runs there are w, exp, cos, two slopes and the sum: 6; what comes after needs no more,
    as the sum and what is made of it take turns."""
    made = watched(program(2, ("exp", 0), ("sin", 2), ("cos", 3), ("mul", 4, 1)), [1], [0])
    assert len(made.plan.after) == 3
    assert made.plan.cells == (6, 2)


def test_no_instruction_writes_where_it_reads():
    """An export to C relies on it: members are written one by one, while others are still to be read."""
    for seed in range(20):
        scalars, _ = (smooth_program if seed % 2 else random_program)(seed)
        plan = plan_of(
            scalars, gradients=[j for j in range(len(scalars.inputs)) if j not in indices_of(scalars)]
        )
        for one in plan.instructions:
            written = set(range(one.out, one.out + prod(one.dims)))
            for access, terms in accesses_of(one):
                read = cells_of(access, one.dims, terms).ravel().tolist()
                assert access.space != one.space or written.isdisjoint(read), seed


def rows_of(base: int, *dims: tuple[int, int]) -> list[int]:
    cells = [base]
    for size, stride in dims:
        cells = [cell + i * stride for cell in cells for i in range(size)]
    return cells


@pytest.mark.parametrize(
    ("cells", "dims"),
    [
        (rows_of(3, (5, 1)), [(5,)]),
        (rows_of(3, (5, -2)), [(5,)]),
        (rows_of(3, (5, 0)), [(5,)]),
        (rows_of(0, (3, 10), (4, 1)), [(3, 4)]),
        (rows_of(50, (2, 100), (3, -10), (4, 1)), [(2, 3, 4)]),
        (rows_of(0, (4, 1)) + rows_of(20, (4, 1)), [(2, 4)]),
        ([0, 1, 2, 3, 9], [(4,), (1,)]),
        ([7], [(1,)]),
    ],
)  # fmt: skip
def test_rules_are_found_in_rows_of_cells(cells, dims):
    table = np.array(cells).reshape(-1, 1)
    pieces = pieces_of(table, np.zeros_like(table), 10)
    assert [tuple(size for size in piece.dims if size > 1) or (1,) for piece in pieces] == dims


def test_cells_without_a_rule_are_gathered():
    draw = random.Random(3)
    made = program(64)
    picked = [made.add("exp", node) for node in draw.sample(made.inputs, 40)]
    made.outputs = [made.add("mul", a, b) for a, b in zip(picked, draw.sample(picked, 40), strict=True)]
    plan = watched(made).plan
    assert any("@" in line for line in show(plan).splitlines())
    assert len(plan.before) < 12


# ---- the tests are not blind ----------------------------------------------------------------------


def accesses(instruction) -> list[tuple[str, object]]:
    """The fields of an instruction that hold operands."""
    return [
        (item.name, getattr(instruction, item.name))
        for item in fields(instruction)
        if isinstance(getattr(instruction, item.name), Access)
        or (item.name in ("operands", "runs") and getattr(instruction, item.name))
    ]


def nudged(held):
    """The same operands with each access, one at a time, one cell further."""
    if isinstance(held, Access):
        if held.index is None:
            yield replace(held, base=held.base + 1)
        else:
            yield replace(held, index=held.index + 1)
    elif isinstance(held, tuple):
        for i, one in enumerate(held):
            for other in nudged(one):
                yield (*held[:i], other, *held[i + 1 :])
    elif held is not None:  # a run
        for name in ("a", "b"):
            for other in nudged(getattr(held, name)):
                yield replace(held, **{name: other})


def changed_plans(plan: Plan):
    """Plans with one small mistake: an operand or a result one cell further, an instruction that is lost."""
    for part in ("before", "body", "after"):
        row = getattr(plan, part)
        for at, instruction in enumerate(row):
            others = [replace(instruction, out=instruction.out + 1)]
            for name, held in accesses(instruction):
                others += [replace(instruction, **{name: other}) for other in nudged(held)]
            for other in others:
                yield replace(plan, **{part: [*row[:at], other, *row[at + 1 :]]})
            yield replace(plan, **{part: [*row[:at], *row[at + 1 :]]})


@pytest.mark.parametrize("lanes", [(), (6, 7, 8)], ids=["single", "batch"])
def test_a_mistake_in_any_place_of_a_plan_is_caught(lanes):
    made = watched(layer(), lanes, gradients=range(9))
    plans = list(changed_plans(made.plan))
    assert len(plans) >= 25
    for plan in plans:
        with pytest.raises(ProgramError):
            check_all(plan, made)


def check_all(plan: Plan, made: Watched) -> None:
    check_plan(plan)
    check_same(made.scalars, plan, made.kept)
