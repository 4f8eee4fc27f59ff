"""Random plans for the executors of compiled programs: any dims, strides of any sign, gathered operands."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import prod

import numpy as np

from minigrad.compiler.plan import (
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
)

KERNELS = {
    "add": 2,
    "sub": 2,
    "mul": 2,
    "div": 2,
    "neg": 1,
    "exp": 1,
    "relu": 1,
    "relu'0": 2,
    "gate": 2,
    "where": 3,
}
EDGES = (0.0, -0.0, 1.0, -1.0, 1e-320, 5e-324, 1e308, -1e308, float("inf"), float("-inf"), float("nan"))


def numbers(chance: random.Random, count: int, edges: bool = False) -> np.ndarray:
    """Numbers of many sizes; with edges, those among them that are not ordinary."""
    found = [chance.gauss(0.0, 1.0) * 10.0 ** chance.choice((0, 0, 0, -3, 3, -9)) for _ in range(count)]
    if edges:
        found = [chance.choice(EDGES) if chance.random() < 0.2 else x for x in found]
    return np.array(found, dtype=np.float64).reshape(count)


def access(
    chance: random.Random, space: int, dims: tuple[int, ...], cells: int, terms: int = 1, low: int = 0
) -> Access:
    """An operand somewhere within cells low, low + 1, ..., cells - 1."""
    if chance.random() < 0.15:
        return Access(space, 0, (0,) * len(dims), 0, np.array(
            [[chance.randrange(low, cells) for _ in range(terms)] for _ in range(prod(dims))], dtype=np.int64
        ))  # fmt: skip
    room, strides = cells - low - 1, []
    for count in (*dims, terms):
        most = room // (count - 1) if count > 1 else 5
        natural = [s for s in (0, 1, -1, 2, -3, count, terms, prod(dims)) if abs(s) <= most]
        stride = chance.choice([*natural, chance.randint(-most, most)] if chance.random() < 0.3 else natural)
        strides.append(stride)
        room -= abs(stride) * (count - 1)
    below = sum(-s * (count - 1) for s, count in zip(strides, (*dims, terms), strict=True) if s < 0)
    return Access(space, low + below + chance.randint(0, room), tuple(strides[:-1]), strides[-1])


def shape(chance: random.Random, most: int) -> tuple[int, ...]:
    dims: list[int] = []
    for _ in range(chance.choice((1, 1, 2, 2, 3))):
        left = most // prod(dims)
        dims.append(chance.randint(1, max(1, min(left, chance.choice((2, 5, 9, 20, 70))))))
    chance.shuffle(dims)
    return tuple(dims)


class Maker:
    """Writes a plan whose results go to the upper half of each space; operands lie anywhere."""

    def __init__(self, chance: random.Random, lanes: bool) -> None:
        self.chance = chance
        self.cells = (200, 200 if lanes else 0)
        self.ends = (140, 150)  # of the cells that any instruction may read or write

    def operand(self, space: int, dims: tuple[int, ...], terms: int = 1) -> Access:
        chosen = SHARED if space == SHARED or self.chance.random() < 0.4 else LANES
        return access(self.chance, chosen, dims, self.ends[chosen], terms)

    def instruction(self, space: int) -> Instruction:
        chance = self.chance
        dims = shape(chance, 40)
        out = chance.randint(20, self.ends[space] - prod(dims))
        kind = chance.random()
        if kind < 0.35:
            kernel = chance.choice(list(KERNELS))
            return Map(
                kernel, space, out, dims, tuple(self.operand(space, dims) for _ in range(KERNELS[kernel]))
            )
        if kind < 0.8:
            runs = tuple(self.run(space, dims) for _ in range(chance.choice((1, 1, 2, 3))))
            return Chain(space, out, dims, runs, chance.random() < 0.5, chance.random() < 0.3)
        terms = chance.randint(1, 6)
        if kind < 0.9:
            return Most(space, out, dims, terms, self.operand(space, dims, terms))
        if kind < 0.95:
            return Take(space, out, dims, terms, self.operand(space, dims), self.operand(space, dims, terms))
        return self.put(space, out, dims, terms)

    def put(self, space: int, out: int, dims: tuple[int, ...], terms: int) -> Put:
        """As a table gets it: rows with numbers of their own, or any operands at all."""
        row = Access(SHARED, 13, (1, *(0 for _ in dims[1:])))
        which, source = self.operand(space, dims, terms), self.operand(space, dims, terms)
        if self.chance.random() < 0.3 or dims[0] > 3:
            return Put(space, out, dims, terms, which, self.operand(space, dims), source)
        which = Access(SHARED, 13, (0,) * len(dims), 1 if terms <= 3 else 0)
        if source.index is None:
            source = Access(source.space, 20, (0, *(1 for _ in dims[1:])), 1)
        return Put(space, out, dims, terms, which, row, source)

    def run(self, space: int, dims: tuple[int, ...]) -> OpRun:
        kind, terms = self.chance.choice("+-*~**"), self.chance.choice((1, 1, 2, 3, 7, 20))
        other = self.operand(space, dims, terms) if kind in "*~" else None
        return OpRun(kind, terms, self.operand(space, dims, terms), other)

    def sums(self) -> list[Instruction]:
        """What is added up over the samples: a chain that is for nothing else, and cells of any kind."""
        chance, low = self.chance, self.ends[LANES]
        dims = chance.choice(((50,), (5, 10), (2, 5, 5), (25, 2), (9,), (1,)))
        runs = tuple(self.run(LANES, dims) for _ in range(chance.choice((1, 1, 2, 3))))
        chain = Chain(LANES, low, dims, runs, chance.random() < 0.7)
        count, other = prod(dims), chance.choice(((5,), (2, 3), (1,)))
        source = chance.choice([
            Access(LANES, low, (1,)), Access(LANES, low + count - 1, (-1,)),
            Access(LANES, 0, (0,), 0, np.array([[low + i] for i in chance.sample(range(count), count)])),
        ])  # fmt: skip
        found: list[Instruction] = [chain, LaneSum(self.ends[SHARED], (count,), source)]
        if chance.random() < 0.2:  # one of them twice
            found.append(LaneSum(self.ends[SHARED] + 50, (1,), Access(LANES, low, (0,))))
        if chance.random() < 0.5:
            found.append(LaneSum(self.ends[SHARED] + 51, other, self.operand(LANES, other)))
        return found

    def plan(self) -> Plan:
        chance, lanes = self.chance, self.cells[LANES] > 0
        constants = np.array([*numbers(chance, 1, edges=True), 0.0, 1.0, 2.0])
        inputs = [(SHARED, cell) for cell in range(12)] + (
            [(LANES, cell) for cell in range(9)] if lanes else []
        )
        # No cell is read that was not written: the first instruction writes them all.
        before: list[Instruction] = [
            Map("neg", SHARED, 16, (self.cells[SHARED] - 16,), (Access(SHARED, 3, (0,)),))
        ]
        before += [self.instruction(SHARED) for _ in range(chance.randint(1, 6))]
        body: list[Instruction] = []
        after: list[Instruction] = []
        if lanes:
            body = [Map("exp", LANES, 9, (self.cells[LANES] - 9,), (Access(LANES, 3, (0,)),))]
            body += [self.instruction(LANES) for _ in range(chance.randint(1, 6))]
            place = chance.randint(1, len(body))
            body[place:place] = self.sums()
            after = [self.instruction(SHARED) for _ in range(chance.randint(0, 3))]
        outputs = [(SHARED, cell) for cell in range(self.cells[SHARED])]
        shown = self.ends[LANES] if chance.random() < 0.8 else self.cells[LANES]
        outputs += [(LANES, cell) for cell in range(shown if lanes else 0)]
        chance.shuffle(outputs)
        return Plan(self.cells, constants, 12, inputs, outputs, (len(outputs), 0, 0), before, body, after)


def random_plan(seed: int, lanes: bool = False) -> Plan:
    return Maker(random.Random(seed), lanes).plan()


def same(found: Sequence[np.ndarray], expected: Sequence[np.ndarray]) -> bool:
    """Bit for bit; a NaN is a NaN."""
    return all(
        x.shape == y.shape
        and bool(np.all((x == y) & (np.signbit(x) == np.signbit(y)) | np.isnan(x) & np.isnan(y)))
        for x, y in zip(found, expected, strict=True)
    )
