"""Pictures of training in a terminal: dots of braille, characters, and what is left of them in ASCII."""

from __future__ import annotations

import re
from math import inf, nan

import pytest

from minigrad.drawing.braille import ASCII, Canvas
from minigrad.text.page import Ink, Page
from minigrad.text.translation import LANGUAGES, speaking
from minigrad.training import boundary, loss_curve
from minigrad.training.loss_curve import Series, SeriesMark
from sentences import sentence

PLAIN = Ink()


def dots(lines: list[str]) -> set[tuple[int, int]]:
    """The places of all dots, read from the numbers that Unicode gives to braille: dots 1 to 8."""
    order = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]  # column and row of dot 1, 2 ...
    return {
        (2 * column + x, 4 * row + y)
        for row, line in enumerate(lines)
        for column, character in enumerate(line)
        if 0x2800 <= ord(character) < 0x2900
        for bit, (x, y) in enumerate(order)
        if ord(character) - 0x2800 >> bit & 1
    }


def test_each_dot_stands_where_unicode_puts_it():
    for x in range(4):
        for y in range(8):
            canvas = Canvas(2, 2)
            canvas.dot(x, y, "data")
            assert dots(canvas.lines(PLAIN)) == {(x, y)}
    canvas = Canvas(1, 1)
    canvas.dot(0, 0, "data")
    assert canvas.lines(PLAIN) == ["⠁"]


def test_a_line_has_no_gaps_and_a_dotted_one_has():
    canvas = Canvas(10, 5)
    canvas.line([(0, 19), (19, 0)], "data")
    assert dots(canvas.lines(PLAIN)) == {(i, 19 - i) for i in range(20)}
    canvas = Canvas(10, 5)
    canvas.line([(0, 3), (19, 3)], "wrong", dotted=True)
    assert dots(canvas.lines(PLAIN)) == {(i, 3) for i in range(20) if i % 4 < 2}


def test_what_is_outside_is_left_out():
    canvas = Canvas(2, 1)
    canvas.dot(-1, 0, "data")
    canvas.dot(4, 0, "data")
    canvas.dot(0, 4, "data")
    assert canvas.lines(PLAIN) == [""]


def test_a_character_has_the_ink_of_most_of_its_dots():
    canvas = Canvas(1, 1)
    canvas.dot(0, 0, "wrong")
    canvas.dot(0, 1, "right")
    canvas.dot(0, 2, "right")
    assert canvas.lines(Ink(True)) == ["\x1b[32m⠇\x1b[0m"]


# ---- curves -------------------------------------------------------------------------------------


def body(lines: list[str]) -> list[str]:
    """What stands to the right of the axis."""
    return [re.split("[┤│]", line, maxsplit=1)[1] for line in lines if re.search("[┤│]", line)]


def test_a_falling_series_falls_from_the_left_to_the_right():
    lines = loss_curve.lines([Series("loss", [4.0, 3.0, 2.0, 1.0, 0.0])], Page())
    found = dots(body(lines))
    left, right = min(found), max(found)
    heights = [max(y for x, y in found if x == column) for column in range(left[0], right[0] + 1)]
    assert heights == sorted(heights)
    assert left[1] < 8  # near the top, which has a little air
    assert right[1] == 39
    assert right[0] > 130  # of the 2 * 71 columns of dots


def test_a_picture_is_as_wide_as_the_page_and_as_high_as_its_rows():
    lines = loss_curve.lines([Series("angle", [180.0, 0.0])], Page(width=60), unit="angle", rows=6)
    assert [len(line) for line in lines if "└" in line] == [60]
    heights = {y for _, y in dots(body(lines))}
    assert (min(heights), max(heights)) == (0, 4 * 6 - 1)


def test_the_axes_have_their_numbers():
    lines = loss_curve.lines([Series("loss", [4.0, 3.0, 2.0, 1.0, 0.0])], Page())
    labels = [line.split("┤")[0].strip() for line in lines if "┤" in line]
    assert labels == ["4", "2", "0"]
    assert lines[-1].split() == ["1", "2", "3", "4", "5"]
    assert [line for line in lines if "└" in line]


@pytest.mark.parametrize("width", [40, 60, 78, 100])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_nothing_is_wider_than_the_page(width, lang):
    page = Page(width=width)
    points = [([i / 10, (i % 7) / 3], 1.0 if i % 2 else -1.0) for i in range(40)]
    with speaking(lang):
        shown = [
            *loss_curve.lines(loss_curve.of_losses([1e-9 * 1.1**i for i in range(300)]), page, steps=100_000),
            *loss_curve.lines(
                [Series("right", [1.0, 2.0], "right"), Series("w", [2.0, inf], "wrong")],
                page,
                marks=[SeriesMark(2, "noticed at step 2")],
                band=([1.0, 1.0], [3.0, 3.0]),
                band_name="seeds",
            ),
            *loss_curve.lines([Series("angle", [1.0, 170.0])], page, unit="angle"),
            *boundary.lines(points, lambda x, y: x - y, page),
            *boundary.lines([([x], y) for (x, y), _ in points], lambda x: x, page, kind="regression"),
        ]
    assert [line for line in shown if len(line) > width] == []


def test_all_of_it_can_be_said_in_ascii():
    points = [([i / 10, (i % 7) / 3], 1.0 if i % 2 else -1.0) for i in range(40)]
    shown = [
        *loss_curve.lines(
            loss_curve.of_losses([1.0 / i for i in range(1, 300)]), Page(), marks=[SeriesMark(2, "here")]
        ),
        *loss_curve.lines([Series("angle", [1.0, 170.0])], Page(), unit="angle"),
        *boundary.lines(points, lambda x, y: x - y, Page()),
    ]
    plain = [line.translate(ASCII).replace("━", "=") for line in shown]
    assert all(line.isascii() for line in plain)
    assert [len(line) for line in plain] == [len(line) for line in shown]
    assert sum(len(line.strip()) for line in plain) > 0.9 * sum(len(line.strip()) for line in shown)


def test_a_line_that_meets_no_number_says_so():
    lines = loss_curve.lines([Series("loss", [1.0, nan], "data")], Page())
    assert any(re.search(sentence("chart.nan", name="loss", step=2), line) for line in lines)
    assert dots(body(loss_curve.lines([Series("loss", [nan, nan])], Page()))) == set()


def test_two_series_are_told_apart_without_colours():
    right = dots(body(loss_curve.lines([Series("r", [1.0, 1.0], "right")], Page())))
    wrong = dots(body(loss_curve.lines([Series("w", [1.0, 1.0], "wrong")], Page())))
    assert abs(len({x for x, _ in right}) - 2 * len({x for x, _ in wrong})) <= 2  # two of four columns
    key = loss_curve.lines([Series("right", [1.0], "right"), Series("broken", [2.0], "wrong")], Page())[-1]
    assert "right" in key
    assert "broken" in key


# ---- regions ------------------------------------------------------------------------------------


def test_the_region_above_0_is_shaded_and_points_stand_on_it():
    points = [([-1.0, 0.0], -1.0), ([1.0, 0.0], 1.0), ([0.9, 1.0], -1.0), ([-1.0, 1.0], -1.0)]
    lines = boundary.lines(points, lambda x, y: x, Page(), rows=11)
    rows = body(lines)
    assert [line.count("●") for line in lines if "●" in line] == [1, 1]  # on the plane and in the key
    assert sum(line.count("○") for line in rows) == 2
    assert sum(line.count("✗") for line in rows) == 1
    for row in rows:
        left, right = row[: len(row) // 2 - 1], row[len(row) // 2 + 1 :]
        assert "░" not in left
        assert not right.strip("░●✗")
    assert any(re.search(sentence("boundary.accuracy", right=3, count=4, percent=75), line) for line in lines)


def test_the_rows_of_a_region_are_spread_evenly_over_its_height():
    """From -1.24 to 1.24: of eleven rows the sixth stands at 0, which is not above 0."""
    points = [([-1.0, -1.0], -1.0), ([1.0, 1.0], 1.0)]
    rows = body(boundary.lines(points, lambda x, y: y, Page(), rows=11))
    assert ["░" in row for row in rows] == [True] * 5 + [False] * 6
