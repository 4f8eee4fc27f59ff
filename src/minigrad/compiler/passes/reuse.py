"""reuse: numbers that are not needed at the same time lie in the same cells.

The cells of one group are a block that lives from its first instruction to the last one that reads it.
An access that walks by one rule over several blocks ties them together: they move as one. Inputs,
constants and outputs stay where they are to be found. Blocks are placed in the order of their birth,
each in the first gap that is large enough.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from math import prod
from typing import TYPE_CHECKING

from ..numpy_loader import numpy
from ..plan import (
    LANES,
    SHARED,
    Access,
    Chain,
    Instruction,
    LaneSum,
    Map,
    Most,
    OpRun,
    Plan,
    Put,
    Take,
    accesses_of,
)

if TYPE_CHECKING:
    import numpy as np
else:
    np = numpy()

__all__ = ["reuse"]

_GAPS = 64  # so many are looked at before a block is put at the end: the work stays linear


@dataclass(slots=True)
class _CellBlock:
    start: int
    end: int
    birth: int
    death: int
    fixed: bool = False
    shift: int = 0


def reuse(plan: Plan) -> Plan:
    """The same plan in fewer cells."""
    timeline = _timeline(plan)
    spaces = [_Space(plan, space, timeline) for space in (SHARED, LANES)]
    for space in spaces:
        space.place()
    moved = replace(plan, cells=(spaces[SHARED].size, spaces[LANES].size))
    moved.outputs = [(space, spaces[space].moved(cell)) for space, cell in plan.outputs]
    for name in ("before", "body", "after"):
        setattr(moved, name, [_moved(instruction, spaces) for instruction in getattr(plan, name)])
    return moved


def _timeline(plan: Plan) -> list[tuple[int, int, Instruction]]:
    """Each instruction with the first and the last moment of its work: the body is run again and again."""
    first, last = len(plan.before), len(plan.before) + len(plan.body)
    found = [(t, t, instruction) for t, instruction in enumerate(plan.before)]
    found += [(first, last, instruction) for instruction in plan.body]
    return found + [(last + 1 + t, last + 1 + t, instruction) for t, instruction in enumerate(plan.after)]


class _Space:
    """The blocks of one space."""

    def __init__(self, plan: Plan, space: int, timeline: list[tuple[int, int, Instruction]]) -> None:
        self.space = space
        fixed = sum(1 for s, _ in plan.inputs if s == space) + (len(plan.constants) if space == SHARED else 0)
        self.blocks: list[_CellBlock] = [_CellBlock(0, fixed, -1, 1 << 60, fixed=True)]
        for t, (begin, end, instruction) in enumerate(timeline):
            if instruction.space == space:
                when = t if space == LANES else begin
                size = prod(instruction.dims)
                self.blocks.append(_CellBlock(instruction.out, instruction.out + size, when, when))
                if space == SHARED and end > begin:  # LaneSum: its cells fill up while the body is run
                    self.blocks[-1].death = end
        self.blocks.sort(key=lambda block: block.start)
        self.starts = [block.start for block in self.blocks]
        ties: list[tuple[int, int]] = []
        for t, (_, end, instruction) in enumerate(timeline):
            for access, terms in accesses_of(instruction):
                if access.space == space:
                    self._read(access, instruction.dims, terms, t if space == LANES else end, ties)
        for s, cell in plan.outputs:
            if s == space:
                self._block(cell).death = 1 << 60
        self._tie(ties)

    def _block(self, cell: int) -> _CellBlock:
        return self.blocks[bisect_right(self.starts, cell) - 1]

    def _read(
        self, access: Access, dims: Sequence[int], terms: int, when: int, ties: list[tuple[int, int]]
    ) -> None:
        if access.index is not None:
            for i in np.unique(np.searchsorted(self.starts, access.index.ravel(), side="right") - 1):
                self.blocks[i].death = max(self.blocks[i].death, when)
            return
        moves = [(n - 1) * stride for n, stride in zip(dims, access.strides, strict=True)]
        moves.append((terms - 1) * access.step)
        low = bisect_right(self.starts, access.base + sum(move for move in moves if move < 0)) - 1
        high = bisect_right(self.starts, access.base + sum(move for move in moves if move > 0)) - 1
        self.blocks[low].death = max(self.blocks[low].death, when)
        if high > low:  # all that is between them becomes one block with the first
            ties.append((low, high))

    def _tie(self, ties: list[tuple[int, int]]) -> None:
        """Blocks that one access walks over become one."""
        joined: list[_CellBlock] = []
        tied = 0  # blocks up to here belong to the last joined one
        ends = dict[int, int]()
        for low, high in ties:
            ends[low] = max(ends.get(low, 0), high)
        for i, block in enumerate(self.blocks):
            if joined and i <= tied:
                last = joined[-1]
                last.end = max(last.end, block.end)
                last.birth, last.death = min(last.birth, block.birth), max(last.death, block.death)
                last.fixed = last.fixed or block.fixed
            else:
                joined.append(block)
            tied = max(tied, ends.get(i, i))
        self.blocks = joined
        self.starts = [block.start for block in joined]

    def place(self) -> None:
        """Give every block its place, in the order of birth."""
        gaps: list[tuple[int, int]] = []  # free cells below `size`: start and end, by start
        living: list[tuple[int, int, int]] = []  # a heap: death, start and end of what lies there
        self.size = 0
        for block in sorted(self.blocks, key=lambda block: (not block.fixed, block.birth, block.start)):
            while living and living[0][0] < block.birth:
                _, start, end = heappop(living)
                _free(gaps, start, end)
            length = block.end - block.start
            at = self.size
            for i, (start, end) in enumerate(gaps[:_GAPS]):
                if end - start >= length:
                    at = start
                    gaps[i : i + 1] = [(start + length, end)] if end - start > length else []
                    break
            heappush(living, (block.death, at, at + length))
            block.shift = at - block.start
            self.size = max(self.size, at + length)

    def moved(self, cell: int) -> int:
        return cell + self._block(cell).shift


def _free(gaps: list[tuple[int, int]], start: int, end: int) -> None:
    """Add a gap, joined to those that it touches."""
    i = bisect_right(gaps, (start, end))
    if i < len(gaps) and gaps[i][0] == end:
        end = gaps.pop(i)[1]
    if i and gaps[i - 1][1] == start:
        i -= 1
        start = gaps.pop(i)[0]
    gaps.insert(i, (start, end))


def _moved(instruction: Instruction, spaces: list[_Space]) -> Instruction:
    def access(old: Access) -> Access:
        space = spaces[old.space]
        if old.index is None:
            return Access(old.space, space.moved(old.base), old.strides, old.step)
        shifts = np.array([block.shift for block in space.blocks])
        index = old.index + shifts[np.searchsorted(space.starts, old.index, side="right") - 1]
        return Access(old.space, 0, old.strides, 0, index)

    if isinstance(instruction, LaneSum):
        out = spaces[SHARED].moved(instruction.out)
        return LaneSum(out, instruction.dims, access(instruction.source))
    space, dims = instruction.space, instruction.dims
    out = spaces[space].moved(instruction.out)
    if isinstance(instruction, Map):
        return Map(instruction.kernel, space, out, dims, tuple(map(access, instruction.operands)))
    if isinstance(instruction, Chain):
        runs = tuple(
            OpRun(run.kind, run.terms, access(run.a), None if run.b is None else access(run.b))
            for run in instruction.runs
        )
        return Chain(space, out, dims, runs, instruction.zero, instruction.exact)
    if isinstance(instruction, Most):
        return Most(space, out, dims, instruction.terms, access(instruction.a))
    which = access(instruction.which)
    if isinstance(instruction, Put):
        row, source = access(instruction.row), access(instruction.source)
        return Put(space, out, dims, instruction.terms, which, row, source)
    return Take(space, out, dims, instruction.terms, which, access(instruction.table))
