"""Plan: a program of vector instructions, as the last passes leave it and as an executor runs it.

Numbers lie in cells. There are two spaces of them: SHARED has one number per cell; LANES has one number
per cell *and sample of the batch*. A plan for a single call has SHARED cells alone. One for a batch has
three parts: `before` (on shared numbers, once), `body` (on lanes, for every sample) and `after` (on
shared numbers again, when the gradients of all samples have been added up by `LaneSum`).

An instruction computes `members`, numbers of one shape, into that many cells side by side. The members
are counted by `dims`, the last one fastest: member (i, j) of dims (7, 16) is number 16*i + j, and lies
in cell `out + 16*i + j`. An operand is an Access: for member (i, j) and term k it is the number in cell
`base + i*strides[0] + j*strides[1] + k*step`; or, where no such rule was found, in cell `index[member,
k]`.

No one changes an instruction; the classes are not frozen because there may be millions of them to make.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import numpy as np

__all__ = [
    "LANES",
    "SHARED",
    "Access",
    "Chain",
    "Instruction",
    "LaneSum",
    "Map",
    "Most",
    "OpRun",
    "Plan",
    "Put",
    "Take",
    "accesses_of",
]

SHARED, LANES = 0, 1


@dataclass(slots=True, eq=False)
class Access:
    """Where an operand lies, member by member (and term by term)."""

    space: int
    base: int
    strides: tuple[int, ...] = ()  # one per dim of the instruction
    step: int = 0  # from term to term
    index: np.ndarray | None = None  # int64 [members, terms]; then base, strides and step are 0


@dataclass(slots=True, eq=False)
class Map:
    """out[m] = kernel(operands[0][m], ...), an op of scalars.py with a fixed number of arguments."""

    kernel: str
    space: int  # where the results go
    out: int
    dims: tuple[int, ...]
    operands: tuple[Access, ...]


@dataclass(slots=True, eq=False)
class OpRun:
    """`terms` terms of one kind and one rule: a product of two operands, or one operand alone."""

    kind: str  # "+", "-", "*", "~" as in scalars.py
    terms: int
    a: Access
    b: Access | None = None


@dataclass(slots=True, eq=False)
class Chain:
    """out[m] = the terms of all runs, added one after the other, each rounded; no term is moved.

    `zero`: the sum begins with 0.0; else it begins with the first term (negated where that is subtracted).
    `exact`: the rounded terms are added without rounding, and the sum is rounded once, as math.fsum does.
    """

    space: int
    out: int
    dims: tuple[int, ...]
    runs: tuple[OpRun, ...]
    zero: bool
    exact: bool = False


@dataclass(slots=True, eq=False)
class Most:
    """out[m] = the largest of `terms` numbers; NaN where one of them is (op "max" of the table)."""

    space: int
    out: int
    dims: tuple[int, ...]
    terms: int
    a: Access


@dataclass(slots=True, eq=False)
class Take:
    """out[m] = the number at term k of `table`, where k is the number at `which`: 0 <= k < terms."""

    space: int
    out: int
    dims: tuple[int, ...]
    terms: int
    which: Access
    table: Access


@dataclass(slots=True, eq=False)
class Put:
    """out[m] = 0.0, and added to it, term by term, source[m, k] where which[m, k] equals row[m].

    What a table gets from the look-ups in it: usually `row` counts the rows, 0, 1, 2, ... along the first
    dim, `which` depends on k alone and `source` on the other dims and k, so that each k is one row to add to.
    """

    space: int
    out: int
    dims: tuple[int, ...]
    terms: int
    which: Access
    row: Access
    source: Access


@dataclass(slots=True, eq=False)
class LaneSum:
    """Shared out[m] = the sum over all samples of source[m].

    The source may be a shared cell, which counts once for each sample.  The order of the sum is fixed: within
    a chunk of 256 samples, sample s is added to number s mod 8 of eight, each begun at 0.0; the eight are
    added as ((0+1)+(2+3)) + ((4+5)+(6+7)); the chunks one after the other, from 0.0.
    """

    space: ClassVar[int] = SHARED  # it stands in the body, and is the one there that writes shared cells
    out: int
    dims: tuple[int, ...]
    source: Access


Instruction = Map | Chain | Most | Take | Put | LaneSum


def accesses_of(instruction: Instruction) -> list[tuple[Access, int]]:
    """The operands of an instruction, each with its number of terms."""
    if isinstance(instruction, Map):
        return [(access, 1) for access in instruction.operands]
    if isinstance(instruction, Chain):
        pairs = [(run, access) for run in instruction.runs for access in (run.a, run.b)]
        return [(access, run.terms) for run, access in pairs if access is not None]
    if isinstance(instruction, Most):
        return [(instruction.a, instruction.terms)]
    if isinstance(instruction, Take):
        return [(instruction.which, 1), (instruction.table, instruction.terms)]
    if isinstance(instruction, Put):
        return [
            (instruction.which, instruction.terms),
            (instruction.row, 1),
            (instruction.source, instruction.terms),
        ]
    return [(instruction.source, 1)]


@dataclass(slots=True)
class Plan:
    cells: tuple[int, int]  # how many SHARED and LANES cells there are
    constants: np.ndarray  # float64, in SHARED cells from `first_constant` on
    first_constant: int
    inputs: list[tuple[int, int]]  # of input j of the scalar program: (space, cell)
    outputs: list[tuple[int, int]]  # of output j: values, then guards, then gradients; see `parts`
    parts: tuple[int, int, int]  # how many outputs are values, guards, gradients
    before: list[Instruction] = field(default_factory=list)
    body: list[Instruction] = field(default_factory=list)
    after: list[Instruction] = field(default_factory=list)
    # The inputs of a space lie side by side in their order, from cell 0 on: shared ones in 0, 1, 2, ... of
    # SHARED, those of a batch in 0, 1, 2, ... of LANES.  Constants follow the shared inputs.
    gradients: list[int] = field(default_factory=list)  # the inputs whose gradients are the last outputs

    @property
    def instructions(self) -> list[Instruction]:
        """Those of all three parts, in the order in which they run."""
        return [*self.before, *self.body, *self.after]
