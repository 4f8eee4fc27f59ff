"""Structure of inputs: symmetric matrices, points on a simplex or a sphere, triangular matrices.

A rule for symmetric matrices owes nothing for a perturbation that is not symmetric.  A structure gives
directions that keep it, and along these the rule is compared with differences of its forward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import frexp, fsum, isfinite, prod, sqrt
from random import Random
from time import process_time

from ...values.differences import slope
from .expected import noise_around
from .grids import Grid
from .subject import Point, RuleRefusedError, RuleSubject

__all__ = [
    "InputStructure",
    "doubtful_places",
    "follows",
    "is_plain",
    "moved_back",
    "near_enough",
    "right_along",
    "structures_of",
]

NEAR = 1e-6  # relative; inputs may have come from float32
DIRECTIONS = 6
COARSE = 0.02  # an error bar, beside a slope that is measured in single precision
SECONDS = 1.0  # of processor time for the groups of one run
LARGE = 1024
GROUP = 32  # numbers whose slopes are measured as one: one that is off by 1% still shows
MOST = 12  # numbers that are looked at again
LEAST = -10_000  # the group of the zeros


@dataclass(frozen=True)
class InputStructure:
    code: str  # symmetric, orthogonal, triangular, simplex, sphere
    project: Callable[[Grid, Grid], Grid]  # a direction at a point, made to keep the structure


def is_plain(grid: Grid) -> bool:
    """Are its numbers zeros and one other, as of a unit matrix, of ones, or of marks?"""
    return len(set(map(abs, grid.numbers)) | {0.0}) <= 2


def structures_of(grid: Grid) -> list[InputStructure]:
    """What a grid of numbers is, beyond its shape; a unit matrix, ones and marks are nothing more."""
    if is_plain(grid):
        return []
    found = []
    if grid.square and _symmetric(grid):
        found.append(InputStructure("symmetric", lambda _, d: _mean_of(d, d.transposed())))
    if grid.square and _orthogonal(grid):
        found.append(InputStructure("orthogonal", _turning))
    if grid.square and (side := _triangle(grid)):
        found.append(InputStructure("triangular", lambda _, d: _kept(d, side)))
    if grid.shape and grid.shape[-1] > 1 and min(grid.numbers, default=-1.0) >= 0.0:
        for axis in range(len(grid.shape)):
            if grid.shape[axis] > 1 and all(abs(s - 1.0) < NEAR for s in _sums(grid, axis)):
                found.append(InputStructure("simplex", lambda _, d, axis=axis: _centred(d, axis)))  # type: ignore[misc]
                break
        if abs(fsum(grid.numbers) - 1.0) < NEAR and len(grid.shape) > 1:
            found.append(InputStructure("simplex", lambda _, d: _centred(d, None)))
    if grid.shape and grid.shape[-1] > 1 and all(abs(n - 1.0) < NEAR for n in _squares(grid)):
        found.append(InputStructure("sphere", _tangent))
    return found


def right_along(
    subject: RuleSubject,
    points: Sequence[Point],
    upstreams: Sequence[tuple[Grid, ...]],
    i: int,
    kept: InputStructure,
    slack: float,
    seed: int = 0,
) -> bool | None:
    """Is the gradient of input i right for every change of it that keeps its structure?

    None where too little could be measured.
    """
    random = Random(seed)
    measured = 0
    for point in points:
        for upstream in upstreams:
            try:
                grads = subject.pull(point, upstream).grads
            except RuleRefusedError:
                return None
            for _ in range(DIRECTIONS):
                direction = tuple(
                    kept.project(grid, _random_like(grid, random)) if k == i else grid.map(lambda _: 0.0)
                    for k, grid in enumerate(point)
                )
                answer = _along(subject, point, upstream, grads, direction, slack)
                if answer is False:
                    return False
                measured += answer is True
    return True if measured >= 3 else None


def follows(
    subject: RuleSubject,
    point: Point,
    upstream: tuple[Grid, ...],
    grads: Sequence[Grid | None],
    slack: float,
    random: Random,
) -> bool:
    """Do these gradients give the slope of the forward along a random direction?"""
    direction = tuple(_random_like(grid, random) for grid in point)
    return _along(subject, point, upstream, grads, direction, slack) is True


@dataclass(frozen=True)
class DoubtfulPlaces:
    """Numbers (input, position) of gradients that do not give the slopes of the forward."""

    doubtful: list[tuple[int, int]]  # at most MOST of them
    whole: bool  # were all compared, or was there time for some?


def doubtful_places(
    subject: RuleSubject,
    point: Point,
    upstream: tuple[Grid, ...],
    grads: Sequence[Grid | None],
    slack: float,
    random: Random,
) -> DoubtfulPlaces | None:
    """Compare numbers of a similar size together, with one slope for all; None where there is no gradient.

    A group that does not fit is halved until few are left.
    """
    sizes: dict[int, list[tuple[int, int]]] = {}
    for i, grad in enumerate(grads):
        if grad is None or grad.shape != point[i].shape or not grad.finite:
            return None
        for e, x in enumerate(grad.numbers):
            sizes.setdefault(frexp(x)[1] // 4 if x else LEAST, []).append((i, e))

    def fits(places: Sequence[tuple[int, int]]) -> bool:
        numbers = [[0.0] * len(grid) for grid in point]
        for i, e in places:
            numbers[i][e] = random.uniform(0.5, 1.0) * random.choice((-1.0, 1.0))
        direction = tuple(grid.like(row) for grid, row in zip(point, numbers, strict=True))
        return _along(subject, point, upstream, grads, direction, slack) is True

    deadline = process_time() + SECONDS
    waiting: list[list[tuple[int, int]]] = []
    whole = True
    for length in (len(subject.start) * LARGE, LARGE, GROUP):  # what is far off shows at once
        groups = [found[k : k + length] for found in sizes.values() for k in range(0, len(found), length)]
        random.shuffle(groups)
        for places in groups:
            whole = process_time() <= deadline
            if not whole or len(waiting) > MOST:
                break
            if not fits(places):
                waiting.append(places)
        if waiting or not whole:
            break
    doubtful: list[tuple[int, int]] = []
    while waiting and len(doubtful) < MOST:
        places = waiting.pop()
        halves = [places[: len(places) // 2], places[len(places) // 2 :]]
        late = process_time() > deadline + SECONDS
        failing = [half for half in halves if half and not fits(half)] if len(places) > 2 and not late else []
        if failing:
            waiting += failing
        else:
            doubtful += places[:2]
    return DoubtfulPlaces(doubtful, whole)


def near_enough(ours: Grid, theirs: Grid) -> bool:
    """Two gradients that differ by no more than sums in another order, or short constants, leave."""
    size = max((abs(x) for x in theirs.numbers), default=0.0)
    return ours.shape == theirs.shape and all(
        abs(a - b) <= 4e-9 * abs(b) + 1e-10 * size + 1e-14
        for a, b in zip(ours.numbers, theirs.numbers, strict=True)
    )


def moved_back(before: Grid, moved: Grid, codes: set[str]) -> Grid:
    """A grid that was moved a little, put back on its simplex or sphere."""
    n = before.shape[-1]
    if "orthogonal" in codes:
        return orthonormal(moved)
    if "sphere" in codes:
        numbers = list(moved.numbers)
        for k, size in zip(range(0, len(numbers), n), _squares(moved), strict=True):
            numbers[k : k + n] = [x / size for x in numbers[k : k + n]]
        return moved.like(numbers)
    for axis in range(len(before.shape)):
        if all(abs(s - 1.0) < NEAR for s in _sums(before, axis)):
            places = [before.position(k) for k in range(len(before))]
            rows = [(*place[:axis], *place[axis + 1 :]) for place in places]
            totals = dict.fromkeys(rows, 0.0)
            for row, x in zip(rows, moved.numbers, strict=True):
                totals[row] += x
            return moved.like([x / totals[row] for row, x in zip(rows, moved.numbers, strict=True)])
    total = fsum(moved.numbers)
    return moved.map(lambda x: x / total)


def _pairs(grids: Iterable[tuple[Grid, Grid]]) -> Iterator[tuple[float, float]]:
    for a, b in grids:
        yield from zip(a.numbers, b.numbers, strict=True)


def _along(
    subject: RuleSubject,
    point: Point,
    upstream: tuple[Grid, ...],
    grads: Sequence[Grid | None],
    direction: Point,
    slack: float,
) -> bool | None:
    """One direction: what the rule gives, beside the slope of the weighted outputs."""

    def height(step: float) -> float:
        moved = tuple(
            g.like([x + step * d for x, d in zip(g.numbers, way.numbers, strict=True)])
            for g, way in zip(point, direction, strict=True)
        )
        try:
            outputs = subject.forward(moved)
        except RuleRefusedError:
            return float("nan")
        return fsum(
            u * y
            for ups, out in zip(upstream, outputs, strict=True)
            for u, y in zip(ups.numbers, out.numbers, strict=True)
        )

    scale = max((abs(x) for g in point for x in g.numbers), default=1.0)
    noise = 2.0 * noise_around(height, 0.0)
    if subject.rounding > 1e-12:  # short steps would not move numbers of single precision at all
        terms = zip(upstream, subject.forward(point), strict=True)
        noise = max(noise, 2.0 * subject.rounding * fsum(abs(u) * abs(y) for u, y in _pairs(terms)))
    due = slope(lambda t: height(0.05 * t * min(1.0, max(scale, 0.05))), 0.0, noise)
    unit = 0.05 * min(1.0, max(scale, 0.05))
    sharp = due.sharp or (subject.rounding > 1e-12 and due.error <= COARSE * abs(due.value))
    if not isfinite(due.value) or not sharp or due.kink or due.rough:
        return None
    got = fsum(
        x * d
        for grad, way in zip(grads, direction, strict=True)
        if grad is not None
        for x, d in zip(grad.numbers, way.numbers, strict=True)
    )
    if not isfinite(got):
        return False
    size = fsum(
        abs(x * d)
        for grad, way in zip(grads, direction, strict=True)
        if grad is not None
        for x, d in zip(grad.numbers, way.numbers, strict=True)
    )
    return abs(got - due.value / unit) <= max(
        20.0 * slack * max(abs(got), 0.05 * size), 8.0 * due.error / unit, 1e-9
    )


# ---- which structure ----------------------------------------------------------------------------


def _symmetric(grid: Grid) -> bool:
    size = max(map(abs, grid.numbers), default=0.0)
    pairs = zip(grid.numbers, grid.transposed().numbers, strict=True)
    return size > 0.0 and all(abs(a - b) <= NEAR * size for a, b in pairs)


def _matrices(grid: Grid) -> list[list[tuple[float, ...]]]:
    """The rows of each matrix in the last two axes."""
    n = grid.shape[-1]
    rows = [grid.numbers[k : k + n] for k in range(0, len(grid), n)]
    return [rows[k : k + n] for k in range(0, len(rows), n)]


def _orthogonal(grid: Grid) -> bool:
    """Are the rows of each matrix of length one, and at right angles?  The unit matrix alone says nothing."""
    plain = all(x in (0.0, 1.0) for x in grid.numbers)
    return not plain and all(
        abs(fsum(a * b for a, b in zip(one, other, strict=True)) - float(k == j)) < NEAR
        for rows in _matrices(grid)
        for k, one in enumerate(rows)
        for j, other in enumerate(rows)
    )


def _turning(point: Grid, direction: Grid) -> Grid:
    """The part of a direction that turns a matrix R: R S with a skew S."""
    numbers: list[float] = []
    for rows, ways in zip(_matrices(point), _matrices(direction), strict=True):
        n = range(len(rows))
        inner = [[fsum(rows[k][a] * ways[k][b] for k in n) for b in n] for a in n]
        skew = [[(inner[a][b] - inner[b][a]) / 2.0 for b in n] for a in n]
        numbers += [fsum(rows[a][k] * skew[k][b] for k in n) for a in n for b in n]
    return direction.like(numbers)


def orthonormal(grid: Grid) -> Grid:
    """The rows of each matrix, made orthonormal one after the other."""
    numbers: list[float] = []
    for rows in _matrices(grid):
        done: list[list[float]] = []
        for row in rows:
            rest = list(row)
            for other in done:
                along = fsum(a * b for a, b in zip(other, rest, strict=True))
                rest = [x - along * y for x, y in zip(rest, other, strict=True)]
            size = sqrt(fsum(x * x for x in rest))
            done.append([x / size for x in rest])
        numbers += [x for row in done for x in row]
    return grid.like(numbers)


def _triangle(grid: Grid) -> str:
    """lower or upper where the other half is exactly zero; "" for a full or a diagonal matrix."""
    n = grid.shape[-1]
    places = [(k // n % n, k % n, x) for k, x in enumerate(grid.numbers)]
    above, below = any(x for r, c, x in places if c > r), any(x for r, c, x in places if c < r)
    return "upper" if above and not below else "lower" if below and not above else ""


def _sums(grid: Grid, axis: int) -> list[float]:
    totals: dict[tuple[int, ...], list[float]] = {}
    for k, x in enumerate(grid.numbers):
        place = grid.position(k)
        totals.setdefault((*place[:axis], *place[axis + 1 :]), []).append(x)
    return [fsum(each) for each in totals.values()]


def _squares(grid: Grid) -> list[float]:
    n = grid.shape[-1]
    rows = [grid.numbers[k : k + n] for k in range(0, len(grid.numbers), n)]
    return [sqrt(fsum(x * x for x in row)) for row in rows]


# ---- directions that keep it --------------------------------------------------------------------


def _random_like(grid: Grid, random: Random) -> Grid:
    return grid.map(lambda _: random.uniform(-1.0, 1.0))


def _mean_of(a: Grid, b: Grid) -> Grid:
    return a.like([(x + y) / 2.0 for x, y in zip(a.numbers, b.numbers, strict=True)])


def _kept(direction: Grid, side: str) -> Grid:
    n = direction.shape[-1]

    def inside(k: int) -> bool:
        row, column = k // n % n, k % n
        return column >= row if side == "upper" else column <= row

    return direction.like([x if inside(k) else 0.0 for k, x in enumerate(direction.numbers)])


def _centred(direction: Grid, axis: int | None) -> Grid:
    if axis is None:
        mean = fsum(direction.numbers) / max(1, prod(direction.shape))
        return direction.map(lambda x: x - mean)
    groups: dict[tuple[int, ...], list[int]] = {}
    for k in range(len(direction.numbers)):
        place = direction.position(k)
        groups.setdefault((*place[:axis], *place[axis + 1 :]), []).append(k)
    numbers = list(direction.numbers)
    for members in groups.values():
        mean = fsum(numbers[k] for k in members) / len(members)
        for k in members:
            numbers[k] -= mean
    return direction.like(numbers)


def _tangent(point: Grid, direction: Grid) -> Grid:
    n = point.shape[-1]
    numbers = list(direction.numbers)
    for k in range(0, len(numbers), n):
        along = fsum(a * b for a, b in zip(point.numbers[k : k + n], numbers[k : k + n], strict=True))
        for j in range(k, k + n):
            numbers[j] -= along * point.numbers[j]
    return direction.like(numbers)
