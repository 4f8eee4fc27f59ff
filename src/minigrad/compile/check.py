"""The checker: what must hold in a program between any two passes, and what is wrong where it does not.

    check_scalars(scalars)      # raises ProgramError with the first thing that is wrong
    check_plan(plan)

A pass is a small function with one idea; that what it returns is a program at all is said here, once for all
of them.  `check_plan` follows the cells: what is read must have been written, by an input, a constant or an
earlier instruction.  That the right number is read is another question: `same.py` answers it.
"""

from __future__ import annotations

import re
from math import prod
from typing import TYPE_CHECKING, NoReturn

from ..messages import say
from ..ops import MANY, OPS
from .arrays import numpy
from .reference import cells_of
from .scalars import CONSTANT, INPUT, Scalars, arguments_of
from .vectors import (
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

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Cells = NDArray[np.int64]
    Written = tuple[NDArray[np.bool_], NDArray[np.bool_]]
else:
    np = numpy()

__all__ = ["ProgramError", "check_plan", "check_scalars", "takes"]

CHAINS = re.compile("(chain|exact):0?[-+*~]+")
PUTS = re.compile("put:([1-9][0-9]{0,8})")
PARTIALS = re.compile("([a-z0-9_]+)'([0-9])")
FIXED = {INPUT: 0, CONSTANT: 0, "stop": 1, "lanesum": 1, "equal": 2, "gate": 2, "match": 3}
RECORDED = (INPUT, CONSTANT, "stop", "take", "equal")  # what tracing writes, beside the rows of the table
KERNELS = ("equal", "gate", "match", "stop")  # of a Map, beside the rows of the table


class ProgramError(ValueError):
    """A program that breaks a rule of scalars.py or vectors.py."""


def _broken(key: str, **fields: object) -> NoReturn:
    raise ProgramError(say(key, **fields))


# ---- scalars ------------------------------------------------------------------------------------


def takes(op: str, count: int) -> bool | None:
    """Whether an op can have so many arguments; None for what is no op."""
    if op in FIXED:
        return count == FIXED[op]
    if op == "take":
        return count >= 2
    if op in OPS:
        return OPS[op].takes(count)
    if CHAINS.fullmatch(op):
        kind, place = arguments_of(op)[-1]
        return count == place + (2 if kind in "*~" else 1)
    if put := PUTS.fullmatch(op):
        return count == 2 * int(put[1]) + 1
    partial = PARTIALS.fullmatch(op)
    row = OPS.get(partial[1]) if partial else None
    if partial is None or row is None or row.arity[1] == MANY or int(partial[2]) >= row.arity[1]:
        return None
    return count == 1 + row.arity[1]  # the output, then the inputs


def check_scalars(scalars: Scalars, recorded: bool = False) -> None:
    """Raise ProgramError unless these are scalars as scalars.py describes them.

    `recorded` ones, such as a file has, are those that tracing writes: no pass has been at them.
    """
    ops, args = scalars.ops, scalars.args
    if len(ops) != len(args):
        _broken("compile.check.lengths", ops=len(ops), args=len(args))
    seen: dict[tuple[str, int], bool | None] = {}
    for node, (op, arguments) in enumerate(zip(ops, args, strict=True)):
        shape = (op, len(arguments))
        if shape not in seen:
            seen[shape] = None if recorded and op not in RECORDED and op not in OPS else takes(*shape)
        fits = seen[shape]
        if not fits:
            if fits is None:
                _broken("compile.check.op", node=node, op=repr(op)[:60])
            _broken("compile.check.arity", node=node, op=op, given=len(arguments))
        for arg in arguments:
            if not 0 <= arg < node:
                _broken("compile.check.older", node=node, arg=arg)
    _check_leaves(scalars)
    _check_ends(scalars)
    for node, times in scalars.when.items():
        slots = len(args[node]) if 0 <= node < len(ops) else 0
        if len(times) != slots:
            _broken("compile.check.when", node=node, times=len(times), slots=slots)
    if len(scalars.born) > len(ops):
        _broken("compile.check.lengths", ops=len(ops), args=len(scalars.born))


def _check_leaves(scalars: Scalars) -> None:
    constants = {node for node, op in enumerate(scalars.ops) if op == CONSTANT}
    for node in constants ^ scalars.data.keys():
        _broken("compile.check.data", node=node)
    for node, number in scalars.data.items():
        if type(number) is not float:
            _broken("compile.check.data", node=node)
    inputs = {node for node, op in enumerate(scalars.ops) if op == INPUT}
    for node in inputs ^ set(scalars.inputs):
        _broken("compile.check.inputs", node=node)
    if len(inputs) != len(scalars.inputs):
        twice = next(node for node in scalars.inputs if scalars.inputs.count(node) > 1)
        _broken("compile.check.inputs", node=twice)


def _check_ends(scalars: Scalars) -> None:
    last = len(scalars) - 1
    for node in scalars.outputs:
        if not 0 <= node <= last:
            _broken("compile.check.node", what=say("compile.check.word.output"), node=node, last=last)
    for guard in scalars.guards:
        if not 0 <= guard.node <= last:
            _broken("compile.check.node", what=say("compile.check.word.guard"), node=guard.node, last=last)
        if guard.expected != guard.expected:
            _broken("compile.check.guard", node=guard.node)


# ---- plans --------------------------------------------------------------------------------------


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
                _broken("compile.check.at", part=part, number=number, wrong=wrong)
            number += 1
    for place, (space, cell) in enumerate(plan.outputs):
        if space not in (SHARED, LANES) or not 0 <= cell < plan.cells[space] or not written[space][cell]:
            _broken("compile.check.plan.output", number=place, cell=cell)


def _check_frame(plan: Plan) -> Written:
    """The inputs, constants and outputs; which cells have a number before the first instruction."""
    counts = [0, 0]
    for number, (space, cell) in enumerate(plan.inputs):
        if space not in (SHARED, LANES) or cell != counts[space] or cell >= plan.cells[space]:
            _broken("compile.check.plan.inputs", number=number, cell=cell)
        counts[space] += 1
    count, first = len(plan.constants), plan.first_constant
    if first != counts[SHARED] or first + count > plan.cells[SHARED]:
        _broken("compile.check.plan.constants", count=count, first=first, inputs=counts[SHARED])
    if sum(plan.parts) != len(plan.outputs) or plan.parts[2] != len(plan.gradients) or min(plan.parts) < 0:
        fields = {"outputs": len(plan.outputs), "gradients": len(plan.gradients), "parts": plan.parts}
        _broken("compile.check.plan.parts", **fields)
    for number in plan.gradients:
        if not 0 <= number < len(plan.inputs):
            _broken("compile.check.plan.gradient", number=number, count=len(plan.inputs))
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
                _broken("compile.check.plan.sum_twice", cell=min(cells & found))
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
        _broken("compile.check.plan.space", space=space)
    first, last = instruction.out, instruction.out + prod(instruction.dims) - 1
    if first < 0 or last >= plan.cells[space]:
        _outside(plan, space, first, last)
    for access, terms in accesses_of(instruction):
        if access.space not in ((SHARED, LANES) if part == "body" else (SHARED,)):
            _broken("compile.check.plan.space", space=access.space)
        cells = _checked_cells(plan, access, instruction.dims, terms)
        unwritten = cells[~written[access.space][cells]]
        if unwritten.size:
            _broken("compile.check.plan.unwritten", cell=unwritten[0], space=access.space)
        early = summed.intersection(cells.ravel().tolist()) if summed and access.space == SHARED else None
        if early and part == "body":
            _broken("compile.check.plan.sum_read", cell=min(early))
    constants = range(plan.first_constant, plan.first_constant + len(plan.constants))
    if space == SHARED and first < constants.stop and last >= constants.start:
        _broken("compile.check.plan.constant", cell=max(first, constants.start))
    written[space][first : last + 1] = True


def _check_shape(instruction: Instruction) -> None:
    dims = instruction.dims
    if not isinstance(dims, tuple) or not all(isinstance(size, int) and size > 0 for size in dims):
        _broken("compile.check.plan.dims", dims=dims)
    if isinstance(instruction, Map):
        kernel, count = instruction.kernel, len(instruction.operands)
        row = OPS.get(kernel.partition("'")[0])
        known = kernel in KERNELS or (row is not None and row.arity[1] != MANY)
        if not known or not takes(kernel, count):
            _broken("compile.check.plan.kernel", kernel=repr(kernel), given=count)
    if isinstance(instruction, (Most, Put, Take)) and instruction.terms < 1:
        _broken("compile.check.plan.terms", terms=instruction.terms)
    if isinstance(instruction, Chain):
        if not instruction.runs:
            _broken("compile.check.plan.terms", terms=0)
        for run in instruction.runs:
            wanted = {"+": 1, "-": 1, "*": 2, "~": 2}.get(run.kind)
            given = 1 if run.b is None else 2
            if wanted != given or run.terms < 1:
                _broken("compile.check.plan.run", terms=run.terms, kind=repr(run.kind), given=given)


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
            _broken("compile.check.plan.index", given=index.shape, type=index.dtype, wanted=wanted)
        first, last = int(index.min()), int(index.max())
    else:
        if len(access.strides) != len(dims):
            _broken("compile.check.plan.strides", strides=len(access.strides), dims=len(dims))
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
    _broken("compile.check.plan.outside", first=first, last=last, space=space, count=plan.cells[space])
