"""Views: the numbers of an operand, cut out of one array without an index table.

Positions come as an integer array, one for each number that is wanted.  `rule_of` finds the rule behind them
(position = base + i*strides[0] + j*strides[1] + ...), `cut` turns a rule into steps that every array library
has: reshape, slice, flip, permute.  `segments` cuts positions without a rule into pieces that have one each.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Cut", "StrideRule", "cut", "nested", "rule_of", "segments"]

MOST_SEGMENTS = 24  # more pieces than this are better read through an index table


@dataclass(frozen=True, slots=True)
class StrideRule:
    base: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cut:
    """An array, flat from `start` to `stop`, as `grid`; of each axis of that a part; some of them flipped.

    `grid` None is: as the array is stored.  A part is (first, past the last), or one number, which drops the
    axis.  `order` permutes the axes that are left; they are those of the rule that do not stand still.
    """

    start: int
    stop: int
    grid: tuple[int, ...] | None
    parts: tuple[tuple[int, int] | int, ...]
    flipped: tuple[int, ...]
    order: tuple[int, ...]


def rule_of(positions: np.ndarray) -> StrideRule | None:
    """The rule of positions in an array of any shape; None where there is none."""
    import numpy as np

    base = int(positions[(0,) * positions.ndim])
    strides = []
    for axis, size in enumerate(positions.shape):
        one = [0] * positions.ndim
        one[axis] = 1
        strides.append(int(positions[tuple(one)]) - base if size > 1 else 0)
    guess = np.full(positions.shape, base, dtype=np.int64)
    for axis, (size, stride) in enumerate(zip(positions.shape, strides, strict=True)):
        shape = [1] * positions.ndim
        shape[axis] = size
        guess += (np.arange(size, dtype=np.int64) * stride).reshape(shape)
    return StrideRule(base, positions.shape, tuple(strides)) if np.array_equal(guess, positions) else None


def nested(flat: np.ndarray) -> StrideRule | None:
    """The rule of a flat list of positions as loops within loops: 0 1 8 9 16 17 is 3 times 2."""
    import numpy as np

    sizes: list[int] = []
    strides: list[int] = []
    rest = flat
    while len(rest) > 1:
        differences = np.diff(rest)
        breaks = np.flatnonzero(differences != differences[0])
        run = int(breaks[0]) + 1 if len(breaks) else len(rest)
        if len(rest) % run:
            return None
        rows = rest.reshape(-1, run)
        if (np.diff(rows, axis=1) != differences[0]).any():
            return None
        sizes.insert(0, run)
        strides.insert(0, int(differences[0]))
        rest = rows[:, 0]
    return StrideRule(int(flat[0]), tuple(sizes), tuple(strides))


def segments(flat: np.ndarray) -> list[StrideRule] | None:
    """Pieces one after the other that have a rule each; None where there would be too many."""
    found: list[StrideRule] = []
    start = 0
    while start < len(flat):
        if len(found) == MOST_SEGMENTS:
            return None
        rule = _first(flat[start:])
        found.append(rule)
        start += math.prod(rule.sizes)
    return found


def _first(flat: np.ndarray) -> StrideRule:
    """The longest beginning of the list that is a loop, or a loop of loops."""
    import numpy as np

    if len(flat) == 1:
        return StrideRule(int(flat[0]), (1,), (0,))
    differences = np.diff(flat)
    breaks = np.flatnonzero(differences != differences[0])
    run = int(breaks[0]) + 1 if len(breaks) else len(flat)
    best = StrideRule(int(flat[0]), (run,), (int(differences[0]),))
    for inner in {run, run - 1} - {0, 1}:  # the break may come one late: 0 0 1 1 1 is not 0, 0 1 1 1
        count = len(flat) // inner
        rows = flat[: count * inner].reshape(count, inner)
        if count < 2:
            continue
        step = int(rows[1, 0] - rows[0, 0])
        good = (rows == rows[0] + step * np.arange(count)[:, None]).all(axis=1)
        times = count if good.all() else int(np.flatnonzero(~good)[0])
        if times > 1 and times * inner > math.prod(best.sizes):
            best = StrideRule(int(flat[0]), (times, inner), (step, int(differences[0])))
    return best


def cut(rule: StrideRule, shape: tuple[int, ...]) -> Cut | None:
    """The rule as steps on an array of this shape; None where its loops overlap (a window that slides)."""
    axes = [axis for axis, stride in enumerate(rule.strides) if stride]
    sizes = {axis: rule.sizes[axis] for axis in axes}
    steps = {axis: abs(rule.strides[axis]) for axis in axes}
    base = rule.base + sum(rule.strides[a] * (sizes[a] - 1) for a in axes if rule.strides[a] < 0)
    outer = sorted(axes, key=lambda axis: -steps[axis])
    flipped = [rule.strides[axis] < 0 for axis in outer]
    order = tuple(outer.index(axis) for axis in axes)
    turned = tuple(place for place, is_flipped in enumerate(flipped) if is_flipped)
    parts = _parts(base, [(sizes[a], steps[a]) for a in outer], shape)
    total = math.prod(shape)
    if parts is not None:
        return Cut(0, total, None, parts, turned, order)
    inner = [steps[axis] for axis in outer]
    finer = _finer(shape, inner)
    if finer is not None:
        parts = _parts(base, [(sizes[a], steps[a]) for a in outer], finer)
        if parts is not None:
            return Cut(0, total, finer, parts, turned, order)
    for above, below, axis in zip(inner, inner[1:], outer[1:], strict=False):
        if above % below or sizes[axis] * below > above:
            return None
    if not outer:
        return Cut(0, total, (total,), (base,), (), ())
    first = inner[0]
    grid = tuple(a // b for a, b in itertools.pairwise(inner))
    grid += (first,) if len(inner) == 1 and first > 1 else (inner[-1],) if inner[-1] > 1 else ()
    rows = sizes[outer[0]]
    loops = [(sizes[a], steps[a]) for a in outer]
    choices = []
    if total % first == 0:
        choices.append((0, total))
    choices.append((base, base + rows * first))
    low = base - base % first
    choices.append((low, low + rows * first))
    span = base + sum((size - 1) * step for size, step in loops) + 1
    for start, stop in choices:
        if stop > total:  # the last row need not be whole where nothing follows
            continue
        whole = ((stop - start) // first, *grid)
        found = _parts(base - start, loops, whole)
        if found is not None and span <= stop:
            return Cut(start, stop, whole, found, turned, order)
    return None


def _finer(shape: tuple[int, ...], steps: list[int]) -> tuple[int, ...] | None:
    """The shape with axes cut in two, so that each step is the stride of one; None if that cannot be."""
    total = math.prod(shape)
    strides, stride = {1, *steps}, total
    for size in shape:
        stride //= size
        strides.add(stride)
    ordered = [total, *sorted(strides, reverse=True)]
    if any(above % below for above, below in itertools.pairwise(ordered)):
        return None
    return tuple(above // below for above, below in itertools.pairwise(ordered) if above > below)


def _parts(
    base: int, loops: list[tuple[int, int]], shape: tuple[int, ...]
) -> tuple[tuple[int, int] | int, ...] | None:
    """For each axis of an array the part that the loops run over: each loop must be an axis of its own."""
    wanted = list(loops)
    rest = base
    parts: list[tuple[int, int] | int] = []
    stride = math.prod(shape)
    for size in shape:
        stride //= size
        digit, rest = divmod(rest, stride)
        if wanted and wanted[0][1] == stride and size > 1:
            count = wanted.pop(0)[0]
            if digit + count > size:
                return None
            parts.append((digit, digit + count))
        elif digit < size:
            parts.append(digit)
        else:
            return None
    return None if wanted or rest else tuple(parts)
