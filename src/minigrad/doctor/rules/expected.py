"""Expected gradients of a rule, by differences of the forward alone.

Each input number is nudged in a sweep of steps in float64; every output number gets its slope, with an
error bar, from the same runs.  For large inputs a few positions are nudged, and the slopes are those of
the weighted sum of the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import fsum, isfinite, nan
from random import Random
from time import process_time

from ...values.differences import Slope, slope
from .grids import Grid
from .subject import Point, RuleRefusedError, RuleSubject

__all__ = ["ExpectedRule", "Truth", "apart_from_wider_steps", "measure", "noise_around"]

AFFORDABLE = 4_000  # slopes of one point: output numbers times input numbers
SECONDS = 3.0  # of processor time for one point
RUNS = 30  # of the forward, for the slopes along one number
SAMPLED = 24  # positions of each input beyond that
LEAST = 6  # of them, where the forward takes long
# Some for noise in every digit, some for plateaus; a curve of usual size is straight over all of them.
JOLTS = (0.0, -7.3e-11, 5.9e-11, 1.79e-10, -9.7e-10, 2.3e-9, -5.3e-9, 8.9e-9, 1.13e-8)


@dataclass(frozen=True)
class ExpectedRule:
    """One number of a gradient: what it must be, how far off that may be, and its range at a kink."""

    value: float  # NaN where it is not known
    error: float
    low: float = nan
    high: float = nan

    @property
    def known(self) -> bool:
        return isfinite(self.value) or isfinite(self.low)

    def allows(self, got: float, slack: float = 1e-5, floor: float = 0.0) -> bool:
        """Is `got` within the error bar, within `slack` of it, or between the two slopes of a kink?"""
        if not isfinite(self.value):
            if not isfinite(self.low):
                return True
            margin = slack * max(abs(self.low), abs(self.high), 1e-3)
            return self.low - margin <= got <= self.high + margin
        if not isfinite(got):
            return False
        return abs(got - self.value) <= max(
            slack * max(abs(self.value), abs(got)), 4.0 * self.error, floor, 1e-12
        )


UNKNOWN = ExpectedRule(nan, nan)


@dataclass(frozen=True, eq=False)
class Truth:
    """The slopes at one point.  `rows` are the weights whose sums were measured: one per output number
    where all were (`whole`), else one per upstream gradient."""

    point: Point
    outputs: tuple[Grid, ...]
    rows: tuple[tuple[float, ...], ...]
    slopes: tuple[dict[int, tuple[Slope, ...]], ...]  # per input: position -> a slope for each row
    whole: bool
    _sums: dict[tuple[int, tuple[float, ...]], tuple[ExpectedRule, ...]] = field(default_factory=dict)

    @property
    def anything(self) -> bool:
        """Was any slope found?"""
        return any(isfinite(s.value) for by in self.slopes for row in by.values() for s in row)

    def slope_at(self, input_: int, position: int, output: int) -> float:
        """One number of the Jacobian; NaN where it is not known."""
        row = self.slopes[input_].get(position)
        return row[output].value if row is not None and self.whole else nan

    def expected(self, upstream: Sequence[Grid], input_: int) -> tuple[ExpectedRule, ...]:
        """The gradient of one input for an upstream gradient; every pattern asks for it again."""
        weights = tuple(x for grid in upstream for x in grid.numbers)
        key = (input_, weights)
        if key not in self._sums:
            self._sums[key] = tuple(self._expected(weights, input_))
        return self._sums[key]

    def _expected(self, weights: tuple[float, ...], input_: int) -> list[ExpectedRule]:
        size = len(self.point[input_])
        found = self.slopes[input_]
        if self.whole:
            return [self._sum(weights, found[e]) if e in found else UNKNOWN for e in range(size)]
        if weights not in self.rows:
            return [UNKNOWN] * size
        row = self.rows.index(weights)
        return [self._sum((1.0,), (found[e][row],)) if e in found else UNKNOWN for e in range(size)]

    @staticmethod
    def _sum(weights: Sequence[float], slopes: Sequence[Slope]) -> ExpectedRule:
        parts = [(w, s) for w, s in zip(weights, slopes, strict=True) if w]
        kinks = [(w, s) for w, s in parts if s.kink]
        smooth = [(w, s) for w, s in parts if not s.kink]
        if not all(isfinite(s.value) and s.sharp for _, s in smooth):
            return UNKNOWN
        total = fsum(w * s.value for w, s in smooth)
        error = fsum(abs(w) * s.error for w, s in smooth)
        if not kinks:
            return ExpectedRule(total, error)
        if not all(isfinite(s.left + s.right) for _, s in kinks):
            return UNKNOWN
        sides = [(w * s.left, w * s.right) for w, s in kinks]
        low, high = total + fsum(map(min, sides)), total + fsum(map(max, sides))
        return ExpectedRule(nan, nan, low - 4.0 * error, high + 4.0 * error)


def measure(
    subject: RuleSubject,
    point: Point,
    upstreams: Sequence[Sequence[Grid]],
    seed: int = 0,
    also: Sequence[tuple[int, int]] = (),
) -> Truth:
    """The slopes at a point; RuleRefusedError where not even the forward runs there.

    Of large inputs some numbers are drawn; those in `also` (input, position) are measured in any case.
    """
    outputs = tuple(subject.forward(point))
    total, size = sum(map(len, outputs)), sum(map(len, point))
    began = process_time()
    subject.forward(point)
    cost = process_time() - began
    whole = total * size <= AFFORDABLE and RUNS * size * cost <= SECONDS
    if whole:
        rows = tuple(tuple(float(k == o) for k in range(total)) for o in range(total))
    else:
        rows = tuple(tuple(x for grid in each for x in grid.numbers) for each in upstreams)
    random = Random(seed)
    sampled = max(LEAST, min(SAMPLED, int(SECONDS / (RUNS * cost * len(point))))) if cost else SAMPLED
    slopes = []
    for i, grid in enumerate(point):
        places: Sequence[int] = range(len(grid))
        if not whole:
            drawn = random.sample(places, min(sampled, len(grid)))
            places = sorted({*drawn, *(e for k, e in also if k == i)})
        slopes.append({e: _slopes(subject, point, i, e, rows, whole) for e in places})
    return Truth(point, outputs, rows, tuple(slopes), whole)


def _slopes(
    subject: RuleSubject, point: Point, i: int, e: int, rows: Sequence[Sequence[float]], whole: bool
) -> tuple[Slope, ...]:
    """The slopes of all rows along one input number; each step is run once and serves them all."""
    runs: dict[float, tuple[float, ...]] = {}
    grid = point[i]

    def run(x: float) -> tuple[float, ...]:
        if x not in runs:
            moved = grid.like([*grid.numbers[:e], x, *grid.numbers[e + 1 :]])
            try:
                numbers = [
                    n for out in subject.forward((*point[:i], moved, *point[i + 1 :])) for n in out.numbers
                ]
            except RuleRefusedError:  # a nudge out of the domain of a forward that checks it
                numbers = []
            if whole:
                runs[x] = tuple(numbers) if len(numbers) == len(rows) else (nan,) * len(rows)
            elif numbers and len(numbers) == len(rows[0]):
                runs[x] = tuple(fsum(w * n for w, n in zip(row, numbers, strict=True)) for row in rows)
            else:
                runs[x] = (nan,) * len(rows)
        return runs[x]

    x = grid.numbers[e]
    found = []
    for r, start in enumerate(run(x)):

        def along(at: float, r: int = r) -> float:
            return run(at)[r]

        noise = subject.rounding * (abs(start) + abs(x) + 1e-30) if subject.rounding > 1e-12 else 0.0
        found.append(slope(along, x, max(noise, 2.0 * noise_around(along, x))))
    return tuple(found)


def noise_around(function: Callable[[float], float], x: float) -> float:
    """The size of the noise around x; 0 where the function gives no numbers there.

    It is what is left of a few short steps when the straight line is taken away.  A forward that iterates
    to a tolerance, or a rule that takes differences itself, is not smooth in its last digits; a slope that
    is measured with too short a step would be one of the noise.
    """
    steps = [jolt * max(1.0, abs(x)) for jolt in JOLTS]
    heights = [function(x + step) for step in steps]
    if not all(map(isfinite, heights)):
        return 0.0
    middle, level = fsum(steps) / len(steps), fsum(heights) / len(heights)
    spread = fsum((s - middle) ** 2 for s in steps)
    tilt = fsum((s - middle) * (h - level) for s, h in zip(steps, heights, strict=True)) / spread
    return max(abs(h - level - tilt * (s - middle)) for s, h in zip(steps, heights, strict=True))


WIDE = (0.05, 0.02)  # relative steps, far above the tolerance of an iteration
WAYS = 5
FITS, APART = 0.01, 0.03  # of the sum of the sizes of all terms


def apart_from_wider_steps(
    subject: RuleSubject, truth: Truth, upstream: tuple[Grid, ...], i: int, got: Sequence[float]
) -> bool | None:
    """Is a gradient the slope of the forward over wide steps, and the slope of short ones another?

    None where it is not the slope over wide steps.

    An iteration that stops at a tolerance is a staircase, and what it is meant to compute shows from afar
    alone.  Of a smooth forward all steps give the same slope, so that nothing wrong can fit here.
    """
    random = Random(5)
    due = [each.value for each in truth.expected(upstream, i)]
    grid = truth.point[i]
    if not all(map(isfinite, got)):
        return None
    known = [
        (max(abs(x), 0.1), d) if isfinite(d) else (0.0, 0.0) for x, d in zip(grid.numbers, due, strict=True)
    ]
    apart = 0
    for _ in range(WAYS):
        way = [random.uniform(0.5, 1.0) * random.choice((-1.0, 1.0)) * x for x, _ in known]
        size = fsum(abs(w * g) for w, g in zip(way, got, strict=True))
        here = fsum(w * g for w, g in zip(way, got, strict=True))
        near = fsum(w * d for w, (_, d) in zip(way, known, strict=True))
        least = size
        for step in WIDE:
            totals = []
            for sign in (step, -step):
                moved = grid.like([x + sign * w for x, w in zip(grid.numbers, way, strict=True)])
                try:
                    outputs = subject.forward((*truth.point[:i], moved, *truth.point[i + 1 :]))
                except RuleRefusedError:
                    return None
                totals.append(
                    fsum(
                        a * b
                        for x, u in zip(outputs, upstream, strict=True)
                        for a, b in zip(x.numbers, u.numbers, strict=True)
                    )
                )
            far = (totals[0] - totals[1]) / (2.0 * step)
            if not abs(here - far) <= FITS * size:
                return None
            least = min(least, abs(near - far))
        apart += least > APART * size
    return 2 * apart > WAYS
