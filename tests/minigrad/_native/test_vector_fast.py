"""The fast vector kernels are as accurate as the bounds below say, and right at the ends of the range.

The referee (mpmath, independent definitions, derivatives by differences) says what is right.  At zeros,
infinities, NaNs, subnormals and where answers overflow, fast kernels have to agree with the exact ones.
"""

from __future__ import annotations

import math
import random
from math import inf

import numpy as np
import pytest

from map_kernels import (
    EXACT,
    FAST,
    FIXED,
    Kernels,
    columns,
    constant_exponents,
    disagreements,
    doubles,
    expected,
    fixed_exponents,
    floats,
    planted,
    ways,
)
from minigrad.ops import OPS, Op
from referee import exact, slope, ulps

# ---- fast kernels -------------------------------------------------------------------------------

# How many ulp a fast kernel may be off: the value, then the partials.  What is not named keeps to USUAL.
USUAL = (2.0, 4.0)
BOUNDS = {
    "exp": (1.0, 1.0), "log": (1.0, 1.0), "tanh": (1.5, 4.0), "sigmoid": (2.0, 4.0),
    "sin": (1.0, 1.0), "cos": (1.0, 1.0), "pow": (1.0, 4.0),
    "gelu": (5.0, 5.0), "silu": (3.0, 4.0), "arccosh": (3.0, 4.0),
}  # fmt: skip
SAMPLES = 150
RANGES = {"arccosh": (1.0, 40.0), "erf": (-6.0, 6.0), "gelu": (-37.0, 9.0), "arcsin": (-1.0, 1.0)}
RANGES |= {"arccos": (-1.0, 1.0), "arctanh": (-1.0, 1.0), "log": (0.0, 9.0), "log2": (0.0, 9.0)}
RANGES |= {"log10": (0.0, 9.0), "log1p": (-1.0, 9.0), "sqrt": (0.0, 9.0)}


def places_of(op: Op, count: int, single: bool) -> list[tuple[float, ...]]:
    draw = random.Random(f"fast {op.name}")
    low, high = RANGES.get(op.name, (-30.0, 30.0))
    found = [tuple(draw.uniform(low, high) for _ in range(op.arity[1])) for _ in range(count)]
    found += [tuple(draw.uniform(max(low, -1.0), 1.5) for _ in range(op.arity[1])) for _ in range(count)]
    found += [tuple(abs(x) for x in xs) for xs in found[: count // 4]]
    found += op.samples
    rounded = [tuple(float(np.float32(x)) for x in xs) if single else xs for xs in found]
    answers = [exact(op.name, *xs) for xs in rounded]
    least, most = (1e-37, 1e38) if single else (0.0, inf)  # an output of the range of floats, or zero
    return [
        xs
        for xs, y in zip(rounded, answers, strict=True)
        if y is not None and (y == 0 or least <= abs(y) <= most)
    ]


def errors(kernels: Kernels, name: str, count: int) -> list[float]:
    """The largest error in ulp of the fast value, and of each fast partial."""
    op, single = OPS[name], kernels.dtype == np.float32
    places = places_of(op, count, single)
    xs = [x.astype(kernels.dtype) for x in columns(places)]
    truth = [exact(name, *xs) for xs in places]
    ys = np.array([float(y) for y in truth]).astype(kernels.dtype)
    terms = op.bounds.terms or (lambda *xs: (0.0,) * (len(xs) + 1))
    unit = 2.0**29 if single else 1.0  # an ulp of a float is so many of a double
    worst = []
    for part in range(len(xs) + 1):
        kernel = f"{name}'{part - 1}" if part else name
        if kernel not in kernels.ids:
            continue
        got = kernels(FAST, kernel, [ys, *xs] if part else xs).tolist()
        answers = [slope(name, part - 1, *at) for at in places] if part else truth
        sizes = [max(terms(*at)[part], 2.0**-126 if single else 0.0) for at in places]
        worst.append(
            max(
                (
                    ulps(mine, true, size) / unit
                    for mine, true, size, at in zip(got, answers, sizes, places, strict=True)
                    if true is not None and not op.kink(*at)
                    if not (single and abs(true) > 3.4e38)
                ),
                default=0.0,
            )
        )
    return worst


@pytest.mark.parametrize("name", FIXED)
def test_a_fast_kernel_keeps_to_its_bounds(request, name):
    count = SAMPLES * request.config.getoption("graphs") // 2500
    value, partial = BOUNDS.get(name, USUAL)
    found = errors(doubles(), name, count)
    assert found[0] <= value
    assert max(found[1:], default=0.0) <= partial


@pytest.mark.parametrize("name", FIXED)
def test_so_it_does_in_single_precision(request, name):
    """Most are computed in double precision and rounded, the others are as good as in double."""
    count = SAMPLES // 2 * request.config.getoption("graphs") // 2500
    value, partial = BOUNDS.get(name, USUAL)
    found = errors(floats(), name, count)
    assert found[0] <= value
    assert max(found[1:], default=0.0) <= partial


def apart(one: np.ndarray, other: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """How many ulp lie between answers; infinitely many if one is no number, or a zero of another sign."""
    with np.errstate(all="ignore"):
        same = (one == other) & (np.signbit(one) == np.signbit(other)) | np.isnan(one) & np.isnan(other)
        distance = np.abs(one - other) / np.spacing(np.minimum(np.maximum(np.abs(one), sizes), 1e308))
    never = np.isnan(distance) | (one == 0.0) & (other == 0.0)
    return np.where(same, 0.0, np.where(never, inf, distance))


def distances(kernels: Kernels, name: str) -> list[float]:
    """The most that lies between exact and fast answers of a row, value and partials, at all points."""
    op, (places, values, _) = OPS[name], expected(name)
    xs, ys = columns(places), np.array(values)
    terms = [
        op.bounds.terms(*at) if op.bounds.terms and all(map(math.isfinite, at)) else None for at in places
    ]
    found = []
    for part in range(len(xs) + 1):
        kernel = f"{name}'{part - 1}" if part else name
        if kernel in kernels.ids:
            given = [ys, *xs] if part else xs
            sizes = np.array([0.0 if sized is None else sized[part] for sized in terms])
            answers = (kernels(table, kernel, given) for table in (EXACT, FAST))
            found.append(float(apart(*answers, sizes).max()))
    return found


@pytest.mark.parametrize("name", FIXED)
def test_fast_and_exact_are_near_each_other_at_the_ends_of_the_range_too(name):
    """Zeros, infinities, NaNs, subnormals, overflow, kinks, and thousands of random points."""
    assert max(distances(doubles(), name)) <= (8.0 if name == "gelu" else 4.0)


# ---- the checkers check -------------------------------------------------------------------------

# One mistake to a line: the file, the text, what takes its place, and who has to see it.
MISTAKES = (
    ("maps.h", "v0 <= R(0.0) ? R(0.0) : v0", "v0 < R(0.0) ? R(0.0) : v0", "bits of relu"),
    ("maps.h", "v0 < -800.0 ? -0.0 :", "v0 < -800.0 ? 0.0 :", "bits of silu"),
    ("maps.h", "PLAIN_2(loop_div_1, one_div_1, 0, 2)", "PLAIN_2(loop_div_1, one_div_1, 1, 2)", "bits of div"),
    ("powers.h", "EACH(n, out, R(1.0) / a[i])", "EACH(n, out, R(-1.0) / a[i])", "constant exponents"),
    ("powers.h", "if (is_short_in_fast(p[i] - less) || !fast", "if (!fast", "fixed exponents"),
    ("loops.h", "to[i] = (REAL)g(a[i])", "to[i] = (REAL)f(a[i])", "distance of sin"),
    ("loops.h", "step ? count : 0; i < PADDED(count)", "step ? count : 0; i < count / 2", "ways of clamp"),
    ("fast.h", "0x1.c71c72017a15cp-3", "0x1.c71c72117a15cp-3", "error of log"),
    ("fast.h", "return x == 0.0 ? x : y;", "return y;", "distance of expm1"),
    ("fast.h", "? x * 0x1p54 : x", "? x * 0x1p53 : x", "distance of log2"),
    ("fast.h", "-748.0, 712.0", "-748.0, 709.0", "distance of exp"),
    ("fast_angles.h", "(turns + 1) & 2", "(turns + 2) & 2", "distance of cos"),
    ("fast_angles.h", "? tail : 1.0 - tail", "? tail : 1.0 + tail", "distance of gelu"),
)


def seen(kernels: Kernels, check: str) -> bool:
    """Does a check find something wrong?"""
    check, _, name = check.partition(" of ")
    checks = {
        "bits": lambda: disagreements(kernels, name),
        "constant exponents": lambda: constant_exponents(kernels),
        "fixed exponents": lambda: fixed_exponents(kernels, FAST),
        "distance": lambda: max(distances(kernels, name)) > 8.0,
        "error": lambda: errors(kernels, name, SAMPLES)[0] > BOUNDS[name][0],
        "ways": lambda: ways(kernels, kernels, FAST, name),
    }
    return bool(checks[check]())


def test_a_mistake_is_seen_by_whom_it_concerns(tmp_path):
    broken = planted(tmp_path, [mistake[:3] for mistake in MISTAKES])
    checks = [check for *_, check in MISTAKES]
    assert [check for check in checks if seen(broken, check)] == checks
    assert not any(seen(doubles(), check) for check in checks)
