"""Whether a plan computes what a program of scalars says: each output, followed down to the inputs.

    check_same(scalars, plan, gradients)

Both are run on *names* in place of numbers: an input is its number, a constant its bits, and a result the
name of its op on the names of its arguments.  A name says how a number was computed, all the way down.  So
equal names are equal numbers for all inputs; and a cell that was given away while somebody still needed it, a
stride that is off by one or a term in the wrong place is a different name.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from ..messages import say
from .check import ProgramError
from .reference import cells_of
from .scalars import CHAIN, CONSTANT, EXACT, INPUT, Scalars, arguments_of
from .vectors import LANES, SHARED, Chain, Instruction, LaneSum, Map, Most, Plan, Put, Take

__all__ = ["check_same"]

_EITHER_WAY = ("add", "mul", "equal")  # a op b has the bits of b op a


def check_same(scalars: Scalars, plan: Plan, gradients: Sequence[int] = ()) -> None:
    """Raise ProgramError unless the plan gives the program's outputs, its guards and these nodes."""
    names = _names_of_nodes(scalars)
    wanted = [*scalars.outputs, *(guard.node for guard in scalars.guards), *gradients]
    found = _names_of_outputs(plan)
    if len(wanted) != len(found):
        raise ProgramError(say("compile.check.same.counts", given=len(wanted), wanted=len(found)))
    for number, (node, name) in enumerate(zip(wanted, found, strict=True)):
        if names[node] != name:
            raise ProgramError(say("compile.check.same.output", number=number))


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
