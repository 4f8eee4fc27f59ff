"""What must hold of a plan: that it is one, and that it computes what a program of scalars says.

    check_plan(plan)                            # raises ProgramError with the first thing that is wrong
    check_same(scalars, plan, gradients)

`check_plan` follows the cells: what is read must have been written, by an input, a constant or an earlier
instruction.  That the right number is read is another question, and `check_same` answers it.  Both are run on
*names* in place of numbers: an input is its number, a constant its bits, and a result the name of its op on
the names of its arguments.  A name says how a number was computed, all the way down.  So equal names are
equal numbers for all inputs; and a cell that was given away while somebody still needed it, a stride that is
off by one or a term in the wrong place is a different name.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from minigrad.compiler.plan import (
    LANES,
    SHARED,
    Access,
    Chain,
    Instruction,
    LaneSum,
    Map,
    Most,
    Plan,
    Put,
    Take,
    accesses_of,
)
from minigrad.compiler.program_check import ProgramError, takes
from minigrad.compiler.reference import cells_of
from minigrad.compiler.scalars import CHAIN, CONSTANT, EXACT, INPUT, Scalars, arguments_of
from minigrad.ops import MANY, OPS

__all__ = ["check_plan", "check_same", "in_eights"]

Cells = NDArray[np.int64]
Written = tuple[NDArray[np.bool_], NDArray[np.bool_]]

KERNELS = ("equal", "gate", "match", "stop")  # of a Map, beside the rows of the table
WRONG = {
    "inputs": "input {number} lies in cell {cell}; the inputs of a space lie side by side from cell 0 on",
    "constants": "{count} constants from cell {first} on: not behind the {inputs} shared inputs, or no room",
    "parts": "{outputs} outputs and {gradients} gradients do not fit the parts {parts}",
    "output": "output {number} is read from cell {cell}, which nothing has written",
    "gradient": "a gradient is given for input {number}, and there are {count} inputs",
    "dims": "{dims} are no dims",
    "kernel": "there is no kernel {kernel} of {given} operands",
    "run": "a run of {terms} terms of kind {kind} with {given} operands",
    "terms": "{terms} terms",
    "strides": "{strides} strides for {dims} dims",
    "index": "an index of shape {given} and type {type} where {wanted} of int64 is needed",
    "outside": "cells {first} to {last} of space {space} are not all among its {count}",
    "space": "space {space} has no place here",
    "unwritten": "cell {cell} of space {space} is read, and nothing has written it",
    "constant": "cell {cell} holds a constant, and is written to",
    "sum_twice": "two sums over the samples fill cell {cell}",
    "sum_read": "the body reads cell {cell}, which a sum over the samples writes",
    "same.counts": "the program gives {given} outputs and the plan {wanted}",
    "same.output": "output {number} of the plan is not computed as the program computes it",
}


def _broken(what: str, **fields: object) -> NoReturn:
    raise ProgramError(WRONG[what].format(**fields))


# ---- a plan -------------------------------------------------------------------------------------


def check_plan(plan: Plan) -> None:
    """Raise ProgramError unless this is a plan as vectors.py describes it."""
    written = _check_frame(plan)
    summed = _summed_cells(plan)
    number = 0
    for part in ("before", "body", "after"):
        for instruction in getattr(plan, part):
            try:
                _check_instruction(plan, part, instruction, written, summed)
            except ProgramError as wrong:
                raise ProgramError(f"{part}, instruction {number}: {wrong}") from None
            number += 1
    for place, (space, cell) in enumerate(plan.outputs):
        if space not in (SHARED, LANES) or not 0 <= cell < plan.cells[space] or not written[space][cell]:
            _broken("output", number=place, cell=cell)


def _check_frame(plan: Plan) -> Written:
    """The inputs, constants and outputs; which cells have a number before the first instruction."""
    counts = [0, 0]
    for number, (space, cell) in enumerate(plan.inputs):
        if space not in (SHARED, LANES) or cell != counts[space] or cell >= plan.cells[space]:
            _broken("inputs", number=number, cell=cell)
        counts[space] += 1
    count, first = len(plan.constants), plan.first_constant
    if first != counts[SHARED] or first + count > plan.cells[SHARED]:
        _broken("constants", count=count, first=first, inputs=counts[SHARED])
    if sum(plan.parts) != len(plan.outputs) or plan.parts[2] != len(plan.gradients) or min(plan.parts) < 0:
        fields = {"outputs": len(plan.outputs), "gradients": len(plan.gradients), "parts": plan.parts}
        _broken("parts", **fields)
    for number in plan.gradients:
        if not 0 <= number < len(plan.inputs):
            _broken("gradient", number=number, count=len(plan.inputs))
    written = np.zeros(plan.cells[SHARED], np.bool_), np.zeros(plan.cells[LANES], np.bool_)
    written[SHARED][: first + count] = True
    written[LANES][: counts[LANES]] = True
    return written


def _summed_cells(plan: Plan) -> set[int]:
    """The cells that fill up while the body is run, sample by sample: each for one sum."""
    found: set[int] = set()
    for one in plan.body:
        if isinstance(one, LaneSum):
            cells = set(range(one.out, one.out + prod(one.dims)))
            if cells & found:
                _broken("sum_twice", cell=min(cells & found))
            found |= cells
    return found


def _check_instruction(
    plan: Plan,
    part: str,
    instruction: Instruction,
    written: Written,
    summed: set[int],
) -> None:
    _check_shape(instruction)
    sums, space = isinstance(instruction, LaneSum), instruction.space
    if space != (LANES if part == "body" and not sums else SHARED) or (sums and part != "body"):
        _broken("space", space=space)
    first, last = instruction.out, instruction.out + prod(instruction.dims) - 1
    if first < 0 or last >= plan.cells[space]:
        _outside(plan, space, first, last)
    for access, terms in accesses_of(instruction):
        if access.space not in ((SHARED, LANES) if part == "body" else (SHARED,)):
            _broken("space", space=access.space)
        cells = _checked_cells(plan, access, instruction.dims, terms)
        unwritten = cells[~written[access.space][cells]]
        if unwritten.size:
            _broken("unwritten", cell=unwritten[0], space=access.space)
        early = summed.intersection(cells.ravel().tolist()) if summed and access.space == SHARED else None
        if early and part == "body":
            _broken("sum_read", cell=min(early))
    constants = range(plan.first_constant, plan.first_constant + len(plan.constants))
    if space == SHARED and first < constants.stop and last >= constants.start:
        _broken("constant", cell=max(first, constants.start))
    written[space][first : last + 1] = True


def _check_shape(instruction: Instruction) -> None:
    dims = instruction.dims
    if not isinstance(dims, tuple) or not all(isinstance(size, int) and size > 0 for size in dims):
        _broken("dims", dims=dims)
    if isinstance(instruction, Map):
        kernel, count = instruction.kernel, len(instruction.operands)
        row = OPS.get(kernel.partition("'")[0])
        known = kernel in KERNELS or (row is not None and row.arity[1] != MANY)
        if not known or not takes(kernel, count):
            _broken("kernel", kernel=repr(kernel), given=count)
    if isinstance(instruction, (Most, Put, Take)) and instruction.terms < 1:
        _broken("terms", terms=instruction.terms)
    if isinstance(instruction, Chain):
        if not instruction.runs:
            _broken("terms", terms=0)
        for run in instruction.runs:
            wanted = {"+": 1, "-": 1, "*": 2, "~": 2}.get(run.kind)
            given = 1 if run.b is None else 2
            if wanted != given or run.terms < 1:
                _broken("run", terms=run.terms, kind=repr(run.kind), given=given)


def _checked_cells(plan: Plan, access: Access, dims: tuple[int, ...], terms: int) -> Cells:
    """The cells of an operand, all of which exist."""
    wanted = (prod(dims), terms)
    if access.index is not None:
        index = access.index
        if (
            index.shape != wanted
            or index.dtype != np.int64
            or access.base
            or any(access.strides)
            or access.step
        ):
            _broken("index", given=index.shape, type=index.dtype, wanted=wanted)
        first, last = int(index.min()), int(index.max())
    else:
        if len(access.strides) != len(dims):
            _broken("strides", strides=len(access.strides), dims=len(dims))
        ends = [
            (size - 1) * step
            for size, step in zip((*dims, terms), (*access.strides, access.step), strict=True)
        ]
        first = access.base + sum(min(end, 0) for end in ends)
        last = access.base + sum(max(end, 0) for end in ends)
    if first < 0 or last >= plan.cells[access.space]:
        _outside(plan, access.space, first, last)
    return cells_of(access, dims, terms)


def _outside(plan: Plan, space: int, first: int, last: int) -> NoReturn:
    _broken("outside", first=first, last=last, space=space, count=plan.cells[space])


# ---- the same numbers ---------------------------------------------------------------------------

_EITHER_WAY = ("add", "mul", "equal")  # a op b has the bits of b op a


def check_same(scalars: Scalars, plan: Plan, gradients: Sequence[int] = ()) -> None:
    """Raise ProgramError unless the plan gives the program's outputs, its guards and these nodes."""
    names = _names_of_nodes(scalars)
    wanted = [*scalars.outputs, *(guard.node for guard in scalars.guards), *gradients]
    found = _names_of_outputs(plan)
    if len(wanted) != len(found):
        _broken("same.counts", given=len(wanted), wanted=len(found))
    for number, (node, name) in enumerate(zip(wanted, found, strict=True)):
        if names[node] != name:
            _broken("same.output", number=number)


def _name(op: str, arguments: Sequence[int]) -> int:
    """A name is a number of 64 bits; that two are equal by chance is not to be expected."""
    return hash((op, *(sorted(arguments) if op in _EITHER_WAY else arguments)))


def _constant(number: float) -> int:
    return hash(("constant", number.hex()))


def _sum_name(op: str, terms: Sequence[tuple[str, Sequence[int]]]) -> int:
    """A chain's: the factors of a product may stand in either order, its terms may not."""
    return hash((op, *(hash((kind, *sorted(factors))) for kind, factors in terms)))


def _names_of_nodes(scalars: Scalars) -> list[int]:
    numbers = {node: j for j, node in enumerate(scalars.inputs)}
    names: list[int] = []
    for node, (op, args) in enumerate(zip(scalars.ops, scalars.args, strict=True)):
        below = [names[arg] for arg in args]
        if op == INPUT:
            names.append(hash(("input", numbers[node])))
        elif op == CONSTANT:
            names.append(_constant(scalars.data[node]))
        elif op.startswith((CHAIN, EXACT)):
            head = op[: len(CHAIN)] + ("0" if op[len(CHAIN) :].startswith("0") else "")
            terms = [(kind, below[at : at + (2 if kind in "*~" else 1)]) for kind, at in arguments_of(op)]
            names.append(_sum_name(head, terms))
        else:
            names.append(_name(op, below))
    return names


def _names_of_outputs(plan: Plan) -> list[int]:
    cells: tuple[list[int], list[int]] = ([0] * plan.cells[SHARED], [0] * plan.cells[LANES])
    for number, (space, cell) in enumerate(plan.inputs):
        cells[space][cell] = hash(("input", number))
    for place, number in enumerate(plan.constants.tolist()):
        cells[SHARED][plan.first_constant + place] = _constant(number)
    for instruction in plan.instructions:
        results = _names_of_members(instruction, cells)
        cells[instruction.space][instruction.out : instruction.out + len(results)] = results
    return [cells[space][cell] for space, cell in plan.outputs]


def _names_of_members(one: Instruction, cells: tuple[list[int], list[int]]) -> list[int]:
    members = range(prod(one.dims))
    if isinstance(one, Map):
        operands = [(cells[a.space], cells_of(a, one.dims)[:, 0].tolist()) for a in one.operands]
        return [_name(one.kernel, [space[where[m]] for space, where in operands]) for m in members]
    if isinstance(one, LaneSum):
        where = cells_of(one.source, one.dims)[:, 0].tolist()
        return [_name("lanesum", [cells[one.source.space][cell]]) for cell in where]
    if isinstance(one, Most):
        rows = cells_of(one.a, one.dims, one.terms).tolist()
        return [_name("max", [cells[one.a.space][cell] for cell in row]) for row in rows]
    if isinstance(one, Put):
        row = cells_of(one.row, one.dims)[:, 0].tolist()
        which, source = (
            [
                [cells[access.space][cell] for cell in cells_]
                for cells_ in cells_of(access, one.dims, one.terms).tolist()
            ]
            for access in (one.which, one.source)
        )
        op = f"put:{one.terms}"
        return [_name(op, [*which[m], cells[one.row.space][row[m]], *source[m]]) for m in members]
    if isinstance(one, Take):
        rows = cells_of(one.table, one.dims, one.terms).tolist()
        which = cells_of(one.which, one.dims)[:, 0].tolist()
        return [
            _name("take", [cells[one.which.space][which[m]], *(cells[one.table.space][c] for c in rows[m])])
            for m in members
        ]
    return _names_of_sums(one, cells)


def _names_of_sums(chain: Chain, cells: tuple[list[int], list[int]]) -> list[int]:
    head = (EXACT if chain.exact else CHAIN) + ("0" if chain.zero else "")
    terms: list[list[tuple[str, list[int]]]] = [[] for _ in range(prod(chain.dims))]
    for run in chain.runs:
        factors = [
            (cells[access.space], cells_of(access, chain.dims, run.terms).tolist())
            for access in (run.a, run.b)
            if access is not None
        ]
        for member, found in enumerate(terms):
            for k in range(run.terms):
                found.append((run.kind, [space[where[member][k]] for space, where in factors]))
    return [_sum_name(head, found) for found in terms]


def in_eights(numbers: list[float]) -> float:
    """The sum as LaneSum describes it, written out once more."""
    total = 0.0
    for start in range(0, len(numbers), 256):
        sums = [0.0] * 8
        for place, x in enumerate(numbers[start : start + 256]):
            sums[place % 8] += x
        a, b, c, d, e, f, g, h = sums
        total += ((a + b) + (c + d)) + ((e + f) + (g + h))
    return total
