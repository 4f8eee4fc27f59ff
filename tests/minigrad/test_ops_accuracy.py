"""Every op is as accurate as its row in the table says, and nowhere worse than PyTorch.

Each op is run on a grid of hundreds of points that holds the ends of the range of floats,
the places where its formula changes hands, and random points between them.  The referee
(mpmath, independent definitions, derivatives by differences) says what is right.  Where
there is nothing to measure, because the input or the answer is not finite or a convention
decides, the answer has to be PyTorch's, or be one of the deviations named here.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import inf, isfinite, nan, nextafter
from typing import NamedTuple

import pytest
import torch

from minigrad.ops import MANY, OPS, Bounds, Op
from minigrad.values import ieee
from referee import exact, slope, ulps
from source_trees import ROOT

pytestmark = pytest.mark.one_engine

Point = tuple[float, ...]

TINY, SUBNORMAL, NORMAL = 5e-324, 2.225073858507201e-308, 2.2250738585072014e-308
LARGEST = 1.7976931348623157e308


# ---- the grid -------------------------------------------------------------------------------

# Thresholds of the C library, of our formulas, and ends of the range of answers.
BREAKPOINTS = {
    "exp": (709.782712893384, -708.3964185322641, -745.1332191019411),
    "exp2": (1024.0, 1024.25, 1024.5287663729448, -1022.0, -1074.0, -1075.0),
    "expm1": (709.782712893384, -37.0, -36.7368005696771, 1e-17),
    "log2": (4.0, 0.25),
    "log10": (10.0, 1e22, 0.1),
    "log1p": (-0.9999999999999999, 1e-17, 1e16),
    "sin": (math.pi / 2, math.pi, 3 * math.pi / 2, math.tau, 1e22, 1e5 * math.pi),
    "cos": (math.pi / 2, math.pi, 3 * math.pi / 2, math.tau, 1e22, 1e5 * math.pi),
    "tan": (math.pi / 4, math.pi / 2, math.pi, 3 * math.pi / 2, 1e22, 1e5 * math.pi),
    "sinh": (709.782712893384, 710.4758600739439, 22.0, 1e-9),
    "cosh": (709.782712893384, 710.4758600739439, 22.0, 1e-9),
    "tanh": (1e-9, 19.06154746539849, 20.0, 22.0, 350.0, 354.2, 372.0, 373.0, 400.0, 0.5493061443340549),
    "arcsinh": (2.0**-28, 2.0**28),
    "arccosh": (2.0**28, 1.0000001),
    "arctanh": (0.9999999999999998, 1e-9),
    "arctan": (0.4375, 0.6875, 1.1875, 2.4375, 2.0**66, 1e154, 1e160),
    "sigmoid": (36.7368005696771, 37.0, 40.0, 708.3964185322641, 709.78, 745.1332191019411),
    "softplus": (20.0, 36.7368005696771, 37.0, 40.0, 708.3964185322641, 745.1332191019411),
    "gelu": (-0.7517915245420547, 10.0, 40.0, 8.3, 5.0, 20.0, -37.5193, -38.4674, -38.5675),
    "silu": (-1.2784645427610738, 36.7368005696771, 40.0, 708.3964185322641, 745.1332191019411, 751.9, 800.0),
    "erf": (0.84375, 1.25, 2.857142857142857, 5.921587195794507, 6.0, 26.615717509251258, 27.226, 64.0),
    "cbrt": (8.0, 27.0, 0.125),
    "reciprocal": (1e154, 1e-154, 1.3407807929942597e154, 5.562684646268003e-309),
    "square": (1.3407807929942597e154, 1.4916681462400413e-154),
}
RANGES = {
    "erf": (-8.0, 8.0),  # the referee is slow where erf is 1 for hundreds of digits
    "arccosh": (1.0, 40.0),
}
SIZES = (
    TINY,
    SUBNORMAL,
    1e-200,
    1e-140,
    1e-17,
    0.1,
    1.0,
    nextafter(1.0, 2.0),
    3.0,
    1e17,
    1e140,
    1e200,
    LARGEST,
)
SIGNED = (0.0, -0.0, inf, -inf, nan, *SIZES, -TINY, -1e-200, -0.5, -2.0, -3.0, -LARGEST)
FEW = (0.0, -0.0, 1.0, -2.5, inf, -inf, nan, 1e308, TINY)


def either_sign(draw: random.Random, low: float, high: float) -> float:
    """Plus or minus a power of two with an exponent between low and high."""
    return draw.choice((1.0, -1.0)) * 2.0 ** draw.uniform(low, high)


def single(op: Op, draw: random.Random) -> Iterator[float]:
    yield from (0.0, -0.0, inf, -inf, nan)
    for x in (TINY, SUBNORMAL, NORMAL, LARGEST, 0.5, 1.0, 2.0, *BREAKPOINTS.get(op.name, ())):
        for near in (nextafter(x, 0.0), x, nextafter(x, inf)):
            yield from (near, -near)
    for exponent in range(-320, 309, 10):
        yield from (float(f"1e{exponent}"), -float(f"1e{exponent}"))
    low, high = RANGES.get(op.name, (-40.0, 40.0))
    for _ in range(50):
        yield draw.uniform(-1.0, 1.0)
        yield draw.uniform(low, high)
    for _ in range(20):
        yield either_sign(draw, -1074.0, min(1024.0, high))
        yield either_sign(draw, -20.0, min(10.0, high))


def some(draw: random.Random) -> float:
    kind = draw.random()
    if kind < 0.4:
        return draw.uniform(-3.0, 3.0)
    if kind < 0.6:
        return draw.uniform(-40.0, 40.0)
    return either_sign(draw, -30.0, 30.0) if kind < 0.8 else either_sign(draw, -1074.0, 1024.0)


def pairs(op: Op, draw: random.Random) -> Iterator[Point]:
    yield from product(SIGNED, SIGNED)
    for _ in range(75):
        yield some(draw), some(draw)
    for _ in range(30):  # where a quotient, or a product with a scale, is subnormal on the way
        yield either_sign(draw, -1074.0, -1022.0), either_sign(draw, -600.0, 20.0)
        yield draw.uniform(-745.0, -700.0), either_sign(draw, -20.0, 1000.0)
    for x in (1e-140, 1e140):  # where lengths are scaled
        yield from product((nextafter(x, 0.0), x, nextafter(x, inf)), (0.0, -0.6 * x, x))
    if op.name == "pow":
        yield from powers(draw)


def powers(draw: random.Random) -> Iterator[Point]:
    for x in (0.5, 1.5, 10.0, 1e-300, 1e300, 1 + 2**-52, 1 - 2**-53, 1 + 1e-10):
        for size in (-745.2, -700.0, -1.0, -0.1, 1e-17, 0.1, 0.3, 1.0, 1.3, 700.0, 709.9, 710.5, 711.0):
            yield x, size / math.log(x)
    for _ in range(50):
        yield (
            draw.uniform(0.0, 5.0),
            draw.choice((-2.0, -1.0, -0.5, 0.5, 1.0, 2.0, 3.0, 4.0, 10.0, 0.1, 0.3, 1.7)),
        )
        yield abs(some(draw)), some(draw)
    for _ in range(20):
        yield -draw.uniform(0.0, 5.0), draw.choice((-2.0, -1.0, 1.0, 2.0, 3.0, 4.0, 10.0, 31.0))


def many(op: Op, draw: random.Random) -> Iterator[Point]:
    counts = (2, 4, 6) if op.name == "dot" else (1, 2, 3, 5)
    yield from product(FEW, FEW)
    for _ in range(100):
        yield tuple(some(draw) for _ in range(draw.choice(counts[:3])))
        yield tuple(draw.uniform(-3.0, 3.0) for _ in range(draw.choice(counts)))
    for _ in range(50):  # logsumexp is near zero here, sums cancel, products stay in range
        near = draw.uniform(-2.0, 0.0)
        yield tuple(near + draw.choice((0.0, 1e-9, -0.1, -40.0)) for _ in range(draw.choice(counts)))
    for _ in range(50):
        yield tuple(either_sign(draw, -300.0, 300.0) for _ in range(draw.choice(counts)))


@cache
def grid(name: str) -> tuple[Point, ...]:
    op, draw = OPS[name], random.Random(f"grid of {name}")
    if op.arity[1] == 1:
        points = [(x,) for x in single(op, draw)]
    elif op.arity[1] == MANY:
        points = list(many(op, draw))
    elif op.arity[1] == 2:
        points = list(pairs(op, draw))
    else:
        points = list(product(FEW, FEW, FEW)) + [(some(draw), some(draw), some(draw)) for _ in range(75)]
    return tuple({repr(point): point for point in (*points, *op.samples, *op.kinks)}.values())


# ---- three answers at each point ------------------------------------------------------------


class Answer(NamedTuple):
    value: float
    partials: tuple[float | None, ...]


def ours(op: Op, xs: Point) -> Answer:
    value = op.forward(ieee, *xs)
    return Answer(value, tuple(op.partials(ieee, value, *xs)))


@cache
def from_torch(name: str) -> tuple[Answer, ...] | None:
    """PyTorch's answers on the grid; a partial is None where it gives no gradient."""
    op = OPS[name]
    if "torch" not in op.foreign:
        return None
    function: Callable[..., torch.Tensor] = torch  # type: ignore[assignment]
    for part in op.foreign["torch"].split("."):
        function = getattr(function, part)
    if op.arity[1] == MANY or op.defaults:
        return tuple(_torch_point(op, function, xs) for xs in grid(name))
    columns = [
        torch.tensor(c, dtype=torch.float64, requires_grad=True) for c in zip(*grid(name), strict=True)
    ]
    condition = [columns[0] != 0] if name == "where" else [columns[0]]
    values = function(*condition, *columns[1:])
    if values.dtype == torch.bool:
        return tuple(Answer(float(value), (None,) * len(columns)) for value in values.tolist())
    values.sum().backward()
    nothing = [None] * len(values)
    grads = [nothing if column.grad is None else column.grad.tolist() for column in columns]
    return tuple(map(Answer, values.tolist(), zip(*grads, strict=True)))


def _torch_point(op: Op, function: Callable[..., torch.Tensor], xs: Point) -> Answer:
    if op.defaults:  # leaky_relu and elu take their second argument as a plain number
        x = torch.tensor(xs[0], dtype=torch.float64, requires_grad=True)
        value = function(x, *xs[1:])
        value.backward()
        return Answer(value.item(), (x.grad.item(), *[None] * (len(xs) - 1)))
    x = torch.tensor(xs, dtype=torch.float64, requires_grad=True)
    if op.name == "dot":
        value = function(x[: len(xs) // 2], x[len(xs) // 2 :])
    else:
        value = function(x, -1) if op.name == "logsumexp" else function(x)
    value.backward()
    return Answer(value.item(), tuple(x.grad.tolist()))


def true_value(op: Op, xs: Point):
    return exact(op.name, *xs) if all(map(isfinite, xs)) else None


def true_partial(op: Op, slot: int, xs: Point):
    """The derivative where there is one; None where a convention has to decide."""
    if true_value(op, xs) is None:
        return None
    return None if op.kink(*xs) else slope(op.name, slot, *xs)


def sizes(op: Op, xs: Point) -> tuple[float, ...]:
    terms = op.bounds.terms
    return (0.0,) * (1 + len(xs)) if terms is None or not all(map(isfinite, xs)) else terms(*xs)


class Measured(NamedTuple):
    slot: int  # -1 is the value
    xs: Point
    got: float
    theirs: float | None
    error: float
    their_error: float

    def __str__(self) -> str:
        what = "value" if self.slot < 0 else f"partial {self.slot}"
        theirs = f"torch: {self.theirs!r}, {self.their_error:.3g} ulp"
        return f"{what} at {self.xs}: {self.got!r} is {self.error:.3g} ulp off ({theirs})"


@cache
def measured(name: str) -> tuple[Measured, ...]:
    """All errors on the grid that can be measured in ulp."""
    op = OPS[name]
    theirs = from_torch(name) or [Answer(nan, (None,) * len(xs)) for xs in grid(name)]
    found = []
    for xs, their in zip(grid(name), theirs, strict=True):
        our, size = ours(op, xs), sizes(op, xs)
        for slot in range(-1, len(xs)):
            truth = true_value(op, xs) if slot < 0 else true_partial(op, slot, xs)
            got = our.value if slot < 0 else our.partials[slot]
            other = their.value if slot < 0 else their.partials[slot]
            if truth is None or got is None or size[slot + 1] == inf:
                continue
            their_error = inf if other is None or not isfinite(other) else ulps(other, truth, size[slot + 1])
            found.append(Measured(slot, xs, got, other, ulps(got, truth, size[slot + 1]), their_error))
    return tuple(found)


def beyond(found: Sequence[Measured], bounds: Bounds) -> list[str]:
    return [str(m) for m in found if m.error > (bounds.value if m.slot < 0 else bounds.partial)]


# ---- the statements -------------------------------------------------------------------------


def by_name(names: Iterable[str]) -> list[object]:
    """For parametrize: pow has a grid of its own besides that of pairs, and takes long to measure."""
    return [pytest.param(name, marks=pytest.mark.slow) if name == "pow" else name for name in names]


@pytest.mark.parametrize("name", by_name(OPS))
def test_value_and_partials_are_as_accurate_as_the_row_says(name):
    assert beyond(measured(name), OPS[name].bounds) == []


@pytest.mark.parametrize("name", by_name(name for name in OPS if "torch" in OPS[name].foreign))
def test_nowhere_worse_than_torch(name):
    usual = Bounds()
    worse = [
        str(m)
        for m in measured(name)
        if m.error > m.their_error and m.error > (usual.value if m.slot < 0 else usual.partial)
    ]
    assert worse == []


OF_TWO = [name for name, op in OPS.items() if op.takes(2) and not op.selective]
EXPONENTS = (*range(-1074, 1024, 80), -485, -470, 470, 485, 1023)


@pytest.mark.parametrize("name", by_name(OF_TWO))
def test_partials_keep_their_bound_for_every_pair_of_exponents(name):
    """A quotient of numbers that lie far apart is a float more often than what a formula makes on the way."""
    op, draw = OPS[name], random.Random(f"exponents of {name}")
    found = []
    for exponents in product(EXPONENTS, EXPONENTS):
        xs = tuple(
            draw.choice((1.0, -1.0)) * math.ldexp(draw.uniform(1.0, 2.0), exponent) for exponent in exponents
        )
        our, size = ours(op, xs), sizes(op, xs)
        for slot, got in enumerate(our.partials):
            truth = true_partial(op, slot, xs)
            if truth is not None and got is not None and size[slot + 1] < inf:
                error = ulps(got, truth, size[slot + 1])
                found.append(Measured(slot, xs, got, None, error, inf))
    assert len(found) > len(EXPONENTS) ** 2 / 2
    assert beyond(found, op.bounds) == []


def test_the_shorter_side_of_a_long_hypotenuse_has_a_slope():
    slopes = ours(OPS["hypot"], (-4.57e141, 1.764e-146)).partials
    assert slopes == (-1.0, 1.764e-146 / 4.57e141)  # 3.86e-288: the hypotenuse is the longer side itself


def test_the_referee_is_not_deceived_by_a_difference_of_few_bits():
    assert slope("sub", 0, -1.6723510284657435e-197, 4.8089326126450523e141) == 1


HALF_LINE = ("log", "log2", "log10", "log1p", "sqrt", "arcsin", "arccos", "arccosh", "arctanh")


@pytest.mark.parametrize("name", OPS)
def test_the_grid_is_wide(name):
    points = grid(name)
    numbers = {abs(x) for xs in points for x in xs}
    assert len(points) >= 200
    assert {0.0, inf, TINY} <= numbers
    assert any(x != x for x in numbers)
    assert max(x for x in numbers if isfinite(x)) >= 1e308
    assert len({m.xs for m in measured(name)}) >= (100 if name in HALF_LINE else 200)


# Where nothing can be measured, ours is PyTorch's answer, but for these:

DEVIATIONS: dict[str, Callable[[Op, int, Point, Answer], bool]] = {
    "an undefined value has an undefined gradient": lambda op, slot, xs, our: (
        slot >= 0
        and our.value != our.value
        and our.partials[slot] != our.partials[slot]
        and op.name not in ARITHMETIC
    ),
    "the sign of NaN is NaN": lambda op, slot, xs, our: op.name == "sign" and xs[0] != xs[0],
    "gelu and silu have limits at the infinities": lambda op, slot, xs, our: (
        op.name in ("gelu", "silu") and abs(xs[0]) == inf and our in LIMITS
    ),
    "arctan2 is scaled before squares underflow or overflow": lambda op, slot, xs, our: (
        op.name == "arctan2" and xs[0] == 0.0 and our.partials[slot] == ieee.div(1.0, xs[1])
    ),
    "zero times a scale that is not finite is NaN, as in a product": lambda op, slot, xs, our: (
        op.name == "elu" and xs[0] == 0.0 and not isfinite(xs[1]) and our.value != our.value
    ),
    "prod multiplies the other factors, where PyTorch divides by the one": lambda op, slot, xs, our: (
        op.name == "prod" and same(our.partials[slot], math.prod(xs[:slot] + xs[slot + 1 :]))
    ),
}
ARITHMETIC = ("add", "sub", "mul", "div", "neg", "square", "where", "sum", "mean", "prod", "dot")
LIMITS = (Answer(inf, (1.0,)), Answer(0.0, (0.0,)))
NOT_IN_TORCH = {
    "cbrt": {
        "inf": (inf, 0.0),
        "-inf": (-inf, 0.0),
        "nan": (nan, nan),
        "0.0": (0.0, inf),
        "-0.0": (0.0, inf),
    },
}


def same(a: float, b: float) -> bool:
    """Equal numbers; NaN is equal to NaN, and the sign of a zero is left open."""
    return a == b or (a != a and b != b)


def conventions(name: str) -> Iterator[tuple[int, Point, Answer, Answer]]:
    """The places where a convention decides: the slot, the point, our answer and PyTorch's."""
    op = OPS[name]
    theirs = from_torch(name) or [Answer(*_by_hand(name, xs)) for xs in grid(name)]
    for xs, their in zip(grid(name), theirs, strict=True):
        our = ours(op, xs)
        overflow = inf in sizes(op, xs)
        for slot in range(-1, len(xs)):
            truth = true_value(op, xs) if slot < 0 else true_partial(op, slot, xs)
            if truth is None or overflow:
                yield slot, xs, our, their


def _by_hand(name: str, xs: Point) -> tuple[float, tuple[float | None, ...]]:
    value, partial = NOT_IN_TORCH[name].get(repr(xs[0]), (nan, nan))
    return value, (partial,)


def explain(op: Op, slot: int, xs: Point, our: Answer, their: Answer) -> list[str]:
    """[] where ours is theirs, or else the reasons why it is not."""
    got, other = (our.value, their.value) if slot < 0 else (our.partials[slot], their.partials[slot])
    if got is None or other is None or same(got, other):
        return []
    return [why for why, applies in DEVIATIONS.items() if applies(op, slot, xs, our)] or ["NO REASON"]


@pytest.mark.parametrize("name", OPS)
def test_where_nothing_can_be_measured_ours_is_the_convention(name):
    unexplained = [
        (slot, xs, our, their)
        for slot, xs, our, their in conventions(name)
        if explain(OPS[name], slot, xs, our, their) == ["NO REASON"]
    ]
    assert unexplained == []


def test_every_deviation_happens():
    names = ("log", "sign", "gelu", "silu", "arctan2", "elu", "prod")
    happened = {why for name in names for case in conventions(name) for why in explain(OPS[name], *case)}
    assert happened == set(DEVIATIONS)


# ---- bounds are stated, finite, and in the docs ---------------------------------------------


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_bounds_are_finite_and_have_a_reason_if_wider_than_usual(op):
    bounds = op.bounds
    assert isfinite(bounds.value)
    assert isfinite(bounds.partial)
    wider = bounds.value > 2.0 or bounds.partial > 4.0 or bounds.terms is not None
    assert bool(bounds.why) == wider


def test_the_docs_list_exactly_the_rows_with_a_reason():
    text = (ROOT / "docs" / "en" / "numerics.md").read_text(encoding="utf-8")
    section = text.split("## Accuracy")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+) \| (.*) \|$", section, flags=re.MULTILINE)
    stated = [
        (op.name, f"{op.bounds.value:g}", f"{op.bounds.partial:g}", op.bounds.why)
        for op in OPS.values()
        if op.bounds.why
    ]
    assert listed == stated


# ---- the checks can fail --------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in OPS if name not in ("greater", "less")])
def test_an_error_of_one_part_in_ten_to_the_fourteen_is_seen(name):
    """50 to 100 ulp, in the value and in the partials of every op."""
    op = OPS[name]
    point = op.samples[0]
    value, partials = ours(op, point)
    size = sizes(op, point)
    assert ulps(value * (1 + 1e-14) or 1e-300, exact(name, *point), size[0]) > op.bounds.value
    for slot, partial in enumerate(partials):
        if partial is not None:
            wrong = partial * (1 + 1e-14) or 1e-300
            assert ulps(wrong, slope(name, slot, *point), size[slot + 1]) > op.bounds.partial


def test_an_answer_that_overflows_too_soon_is_seen():
    assert ulps(inf, exact("exp", 709.7)) > 1e12
    assert ulps(0.0, exact("exp", -700.0)) > 1e12
    assert ulps(nan, exact("exp", 1.0)) == inf
