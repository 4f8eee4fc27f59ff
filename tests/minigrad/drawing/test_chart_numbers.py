"""The numbers of charts: ticks, scales, thinned lines, stretches and running means."""

from __future__ import annotations

from math import inf, isclose, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from drawings import tree, words_in
from minigrad.drawing.chart import (
    Scale,
    distinct,
    round_ticks,
    scale_of,
    stretches,
    thin_out,
)
from minigrad.training import loss_curve
from minigrad.training.loss_curve import Series


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0.0, 1.0, 5, [0.0, 0.5, 1.0]),
        (0.0, 1.0, 6, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (-3.0, 7.0, 4, [0.0, 5.0]),
        (-3.0, 7.0, 5, [-2.0, 0.0, 2.0, 4.0, 6.0]),
        (1.0, 500.0, 6, [100.0, 200.0, 300.0, 400.0, 500.0]),
        (0.1, 0.3, 5, [0.1, 0.15, 0.2, 0.25, 0.3]),
        (4.0, 4.0, 5, [4.0]),
    ],
)
def test_ticks_are_the_round_numbers_that_a_person_would_write(low, high, most, expected):
    assert round_ticks(low, high, most) == expected


@given(
    st.floats(-1e12, 1e12),
    st.floats(1e-6, 1e12),
    st.integers(3, 8),
)
def test_ticks_are_few_even_inside_and_multiples_of_one_two_or_five(low, span, most):
    assume(span > 1e-6 * abs(low))  # less cannot be read off an axis
    high = low + span
    ticks = round_ticks(low, high, most)
    assert 1 <= len(ticks) <= most
    assert all(low - 1e-8 * span <= tick <= high + 1e-8 * span for tick in ticks)
    if len(ticks) > 2:
        step = (ticks[-1] - ticks[0]) / (len(ticks) - 1)
        assert f"{step:.0e}"[0] in "125"
        assert all(abs(tick - ticks[0] - i * step) <= 1e-6 * step for i, tick in enumerate(ticks))


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 5e-324), (-1.7e308, 1.7e308), (1e308, 1.7e308), (0.0, 1e-300)]
)
def test_ticks_of_the_smallest_and_the_largest_numbers_are_inside(low, high):
    ticks = round_ticks(low, high)
    assert ticks
    assert all(low <= tick <= high for tick in ticks)


def test_steps_have_no_ticks_between_whole_numbers():
    assert round_ticks(1, 3, 6, whole=True) == [1.0, 2.0, 3.0]


def test_a_scale_places_by_parts_or_by_powers_of_ten():
    assert Scale(0.0, 10.0, 100.0, 200.0)(2.5) == 125.0
    assert isclose(Scale(1e-4, 1.0, 0.0, 8.0, True)(0.01), 4.0)
    assert Scale(-1.7e308, 1.7e308, 0.0, 1.0)(0.0) == 0.5
    assert Scale(0.0, 10.0, 0.0, 1.0)(99.0) == 1.0  # what is outside stands at the end
    assert Scale(1e-4, 1.0, 0.0, 1.0, True).ticks() == [1e-4, 1e-3, 1e-2, 0.1, 1.0]
    assert Scale(1e-12, 1.0, 0.0, 1.0, True).ticks() == [1e-12, 1e-9, 1e-6, 1e-3, 1.0]


def test_numbers_choose_their_axis():
    assert not scale_of([1.0, 0.5, 0.1]).log
    assert scale_of([1.0, 0.01]).log
    assert not scale_of([1.0, 0.01, 0.0]).log  # 0 is on no axis by powers of ten
    assert not scale_of([-1.0, 100.0]).log
    assert scale_of([2.0, 1.0]).low < 1.0
    assert scale_of([1.0, 0.1]).low == 0.0  # what comes near 0 is seen from 0
    assert scale_of([]).low < scale_of([]).high
    assert scale_of([nan, inf]).low < scale_of([nan, inf]).high
    assert scale_of([3.0, 3.0]).low < 3.0 < scale_of([3.0, 3.0]).high


def test_ticks_that_lie_close_together_get_the_digits_that_tell_them_apart():
    assert [distinct([1.0, 0.25])(x) for x in (1.0, 0.25)] == ["1", "0.25"]
    close = [1.00851, 1.00852, 1.00853]
    assert [distinct(close, 4)(x) for x in close] == ["1.00851", "1.00852", "1.00853"]
    drawing = loss_curve.draw([Series("loss", [1234567.1, 1234567.2, 1234567.3])])
    labels = [words for words in words_in(tree(drawing)) if words.startswith("1234567")]
    assert len(labels) == len(set(labels)) >= 2


def test_thinning_keeps_every_peak():
    points = [(float(i), 0.0) for i in range(100_000)]
    points[77_777] = (77_777.0, 5.0)
    points[33_333] = (33_333.0, -5.0)
    kept = thin_out(points, 400)
    assert len(kept) <= 404
    assert {(77_777.0, 5.0), (33_333.0, -5.0), points[0], points[-1]} <= set(kept)
    assert kept == sorted(kept)


def test_stretches_are_what_lies_between_the_breaks():
    assert list(stretches([nan, 1, 2, inf, nan, 3])) == [range(1, 3), range(5, 6)]
    assert list(stretches([])) == []


def test_a_running_mean_is_of_the_last_and_forgets():
    assert loss_curve.smoothed([1.0, 2.0, 3.0, 7.0], 2) == [1.0, 1.5, 2.5, 5.0]
    means = loss_curve.smoothed([1e9] * 300 + [0.25] * 900, 10)
    assert means[-1] == 0.25
    assert loss_curve.smoothed([1.0, nan, 3.0], 2)[2] == 2.0
