"""Charts of training: lines, regions, bars and networks, measured in their markup.

Where something should be is worked out by hand, or by another way of computing it (the area of a disc, the
root of a score); every drawing is parsed as XML, and nothing in it stands outside its edges.
"""

from __future__ import annotations

import re
from itertools import pairwise
from math import inf, isclose, nan, pi

import pytest

from drawings import SVG, classed, tree, words_in
from minigrad.drawing.chart import (
    chart_rules,
    stack_charts,
)
from minigrad.drawing.styled_lines import size_of
from minigrad.drawing.svg import THEMES, width_of
from minigrad.nn import MLP
from minigrad.text.translation import LANGUAGES, speaking
from minigrad.training import boundary, layer_gradients, loss_curve, network_drawing
from minigrad.training.loss_curve import Series, SeriesMark
from minigrad.training.network_drawing import ModuleBox, NetworkUnit
from sentences import sentence

# ---- every drawing ------------------------------------------------------------------------------


def disc(x: float, y: float) -> float:
    return 1.0 - x * x - y * y


POINTS = [
    ([x / 4, y / 4], 1.0 if disc(x / 4, y / 4) > 0 else -1.0) for x in range(-7, 8) for y in range(-7, 8)
]
UNITS = [
    [NetworkUnit((0.5, -1.0), 0.2), NetworkUnit((0.0, 2.0), 0.0, dead=True)],
    [NetworkUnit((1.0, -1.0), 0.4)],
]
SOME = {
    "curve": lambda: loss_curve.draw([Series("loss", [3.0, 1.0, 2.0])]),
    "long": lambda: loss_curve.draw(loss_curve.of_losses([2.0 + (i % 7) / 9 for i in range(100_000)])),
    "two": lambda: loss_curve.draw(
        [Series("right", [1.0, 0.01], "right"), Series("wrong", [1.0, nan], "wrong")],
        marks=[SeriesMark(2, "noticed at step 2")],
        band=([0.5, 0.005], [1.5, 0.02]),
        band_name="seeds",
    ),
    "angle": lambda: loss_curve.draw([Series("angle", [0.0, 90.0, 180.0], "grad")], unit="angle"),
    "nothing": lambda: loss_curve.draw([Series("loss", [])]),
    "one": lambda: loss_curve.draw([Series("loss", [1.0])]),
    "boundary": lambda: boundary.draw(POINTS, disc),
    "holes": lambda: boundary.draw(POINTS, lambda x, y: nan if abs(x) > 1.0 else disc(x, y)),
    "fit": lambda: boundary.draw([([x], x) for x in (-1.0, 0.0, 2.0)], lambda x: x * x, kind="regression"),
    "layers": lambda: layer_gradients.draw(
        {"first": (1e-9, 0.5), "second": (nan, inf)}, {"first": "vanishing"}
    ),
    "no layers": lambda: layer_gradients.draw({}),
    "network": lambda: network_drawing.draw(UNITS),
    "large": lambda: network_drawing.draw(
        [[NetworkUnit((0.1,) * 70, 0.1)] * 90, [NetworkUnit((0.2,) * 90, 1.0)]]
    ),
    "deep": lambda: network_drawing.draw([[NetworkUnit((0.1,) * 9, 0.1)] * 9 for _ in range(9)]),
    "chain": lambda: network_drawing.draw(
        [ModuleBox("tokens", 432, 0.1), ModuleBox("blocks.0.attention.query", 256, 0.0)]
    ),
    "pile": lambda: stack_charts(
        [boundary.draw(POINTS, disc), loss_curve.draw([Series("loss", [1.0, 2.0])])]
    ),
}  # fmt: skip


def outside(drawing) -> list[str]:
    """Words that leave the drawing at a side; groups that are moved move downwards only."""
    found = []
    for text in tree(drawing).iter(f"{SVG}text"):
        wide = width_of("".join(text.itertext()), size_of(text.get("class", "")))
        left = float(text.get("x")) - {"middle": wide / 2, "end": wide}.get(text.get("text-anchor"), 0.0)
        if left < -0.5 or left + wide > drawing.width + 0.5:
            found.append("".join(text.itertext()))
    return found


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_chart_is_xml_with_a_title_a_sentence_and_words_inside_its_edges(name, lang):
    with speaking(lang):
        drawing = SOME[name]()
        again = SOME[name]()
    assert drawing == again
    root = tree(drawing)
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    assert outside(drawing) == []
    assert len(drawing.svg("light").encode()) < 100_000
    assert "nan" not in "".join(e.get("d", "") + e.get("x", "") for e in root.iter())
    assert all(re.fullmatch(r"[-MLHVZhlmvz\d. ]*", element.get("d", "")) for element in root.iter())


def test_words_outside_are_seen():
    drawing = loss_curve.draw([Series("x" * 40, [1.0]), Series("y", [2.0])], width=120.0)
    assert outside(drawing)


@pytest.mark.parametrize("theme", THEMES[1:])
def test_the_rules_of_charts_have_a_colour_for_everything(theme):
    for where, value in re.findall(r"(fill|stroke):([^;}]+)", chart_rules(theme)):
        assert re.fullmatch(r"#[0-9a-f]{6}|none", value), (where, value)
    assert "var(--wrong)" in chart_rules("page")


def test_every_class_of_a_chart_has_its_rule():
    styles = chart_rules("light") + SOME["curve"]().svg("light")
    for name, make in SOME.items():
        for element in tree(make()).iter():
            classes = set(element.get("class", "").split())
            known = {word for word in classes if re.search(rf"\.{re.escape(word)}\b", styles)}
            assert classes == known, name


def test_what_a_user_wrote_is_text():
    hostile = "</text><script>alert(1)</script>\x1b"
    drawings = [
        loss_curve.draw(
            [Series(hostile, [1.0]), Series("b", [1.0])], marks=[SeriesMark(1, hostile)], title="t"
        ),
        layer_gradients.draw({hostile: (1.0, 1.0)}, {hostile: hostile}),
        network_drawing.draw([ModuleBox(hostile, 3, 1.0)]),
    ]
    for drawing in drawings:
        assert "<script" not in drawing.svg()
        assert "\x1b" not in drawing.svg()
        assert tree(drawing) is not None


# ---- curves -------------------------------------------------------------------------------------


def lines_of(drawing, kind):
    """The places of each unbroken piece of the lines of a kind; samples in the key are left out."""
    return [
        [tuple(map(float, place.split())) for place in piece.split("L")]
        for element in classed(tree(drawing), kind)
        if "plot" in element.get("class") and "h22" not in element.get("d")
        for piece in element.get("d").removeprefix("M").split("M")
    ]


def test_a_line_goes_through_its_numbers():
    ((first, second, third),) = lines_of(loss_curve.draw([Series("loss", [3.0, 1.0, 2.0])]), "data")
    assert isclose(second[0] - first[0], third[0] - second[0], abs_tol=0.11)
    assert first[1] < third[1] < second[1]  # upwards is a smaller y
    assert isclose(third[1] - first[1], second[1] - third[1], abs_tol=0.11)


def test_on_an_axis_by_powers_of_ten_a_tenth_is_the_same_step_everywhere():
    drawing = loss_curve.draw([Series("loss", [1.0, 0.1, 0.01, 0.001])])
    (places,) = lines_of(drawing, "data")
    steps = [b[1] - a[1] for a, b in pairwise(places)]
    assert max(steps) - min(steps) < 0.25
    assert any(re.search(sentence("chart.log"), words) for words in words_in(tree(drawing)))


def test_angles_go_from_0_to_180_whatever_the_numbers_are():
    drawing = loss_curve.draw([Series("angle", [10.0, 90.0], "grad")], unit="angle")
    shown = words_in(tree(drawing))
    assert {"0°", "45°", "90°", "135°", "180°"} <= set(shown)
    ys = {
        words: float(t.get("y")) - 4.5
        for words, t in zip(shown, tree(drawing).iter(f"{SVG}text"), strict=True)
    }
    ((_, (_, y)),) = lines_of(drawing, "grad")
    assert isclose(y, ys["90°"], abs_tol=0.11)
    assert isclose(y, (ys["0°"] + ys["180°"]) / 2, abs_tol=0.11)


@pytest.mark.parametrize(
    ("found", "key", "step", "pieces"),
    [
        ([1.0, 2.0, nan, nan], "chart.nan", 3, 1),
        ([1.0, inf], "chart.infinite", 2, 1),
        ([nan, nan], "chart.nan", 1, 0),
        ([1.0, nan, 3.0], "chart.nan", 2, 2),
    ],
)
def test_a_line_that_meets_no_number_ends_with_a_cross_and_says_where(found, key, step, pieces):
    drawing = loss_curve.draw([Series("loss", found, "wrong")])
    assert len(classed(tree(drawing), "cross")) == 1
    expected = sentence(key, name="loss", step=step)
    assert any(re.search(expected, words) for words in words_in(tree(drawing)))
    assert len(lines_of(drawing, "wrong")) == pieces
    if pieces:
        assert re.search(expected, drawing.words)


def test_a_line_of_numbers_has_no_cross():
    assert classed(tree(loss_curve.draw([Series("loss", [1.0, 2.0])])), "cross") == []


def test_a_mark_stands_at_its_step_with_its_words():
    drawing = loss_curve.draw(
        [Series("loss", [5.0, 4.0, 3.0, 2.0])], marks=[SeriesMark(3, "noticed at step 3")]
    )
    (places,) = lines_of(drawing, "data")
    (sign,) = classed(tree(drawing), "sign")
    assert float(sign.get("d")[1:].split()[0]) == places[2][0]
    assert "noticed at step 3" in words_in(tree(drawing))
    assert "noticed at step 3" in drawing.words


def test_the_words_of_a_mark_stay_inside_wherever_it_is():
    falling = [Series("loss", [1.0 / step for step in range(1, 121)])]
    for step in range(60, 121, 2):
        assert outside(loss_curve.draw(falling, marks=[SeriesMark(step, f"noticed at step {step}")])) == []


def test_a_line_alone_needs_no_key():
    alone, beside = Series("alone", [1.0, 2.0]), Series("beside", [2.0, 1.0])
    assert "alone" not in words_in(tree(loss_curve.draw([alone])))
    assert {"alone", "beside"} <= set(words_in(tree(loss_curve.draw([alone, beside]))))


def test_the_words_tell_the_first_the_last_and_the_lowest():
    drawing = loss_curve.draw([Series("loss", [0.9, 0.25, 0.5], first=11)])
    told = sentence("chart.told", name="loss", first="0.9", start=11, last="0.5", end=13, low="0.25", best=12)
    assert re.fullmatch(told, drawing.words)


def test_right_and_wrong_differ_by_more_than_colour():
    rules = chart_rules("print")
    assert re.search(r"\.plot\.wrong\{[^}]*dasharray", rules)
    assert not re.search(r"\.plot\.right\{[^}]*dasharray", rules)
    drawing = loss_curve.draw([Series("right", [1.0, 2.0], "right"), Series("broken", [2.0, 1.0], "wrong")])
    assert {"right", "broken"} <= set(words_in(tree(drawing)))


def test_many_losses_get_their_mean_and_few_do_not():
    assert [series.kind for series in loss_curve.of_losses([1.0] * 20)] == ["data"]
    assert [series.kind for series in loss_curve.of_losses([1.0] * 200)] == ["faint", "data"]


def test_a_loss_that_is_no_number_does_not_count_in_the_mean():
    first, second, third = loss_curve.smoothed([inf, 2.0, 4.0], 2)
    assert (first, second, third) == (inf, 2.0, 3.0)


# ---- regions ------------------------------------------------------------------------------------


def area(d: str) -> float:
    """Of the polygons of a path, by the shoelace formula."""
    total = 0.0
    for piece in d.split("M")[1:]:
        tokens = re.findall(r"[LHVZ]|-?[\d.]+", "L" + piece)
        places: list[tuple[float, float]] = []
        while tokens and tokens[0] != "Z":
            kind = tokens.pop(0)
            if kind == "L":
                places.append((float(tokens.pop(0)), float(tokens.pop(0))))
            elif kind == "H":
                places.append((float(tokens.pop(0)), places[-1][1]))
            else:
                places.append((places[-1][0], float(tokens.pop(0))))
        ends = zip(places, [*places[1:], places[0]], strict=True)
        total += abs(sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in ends)) / 2
    return total


def plane(drawing):
    """How many units of the drawing are one of the plane, across and up: from its whole and its extent."""
    (rect,) = [e for e in classed(tree(drawing), "down") if e.tag == f"{SVG}rect"]
    extent = 3.5 * 1.24  # of POINTS, with a margin of 12% at each side
    return float(rect.get("width")) / extent, float(rect.get("height")) / extent


def test_the_region_of_a_disc_has_the_area_of_a_disc():
    drawing = boundary.draw(POINTS, disc)
    (region,) = [e for e in classed(tree(drawing), "up") if e.tag == f"{SVG}path"]
    across, up = plane(drawing)
    assert isclose(area(region.get("d")) / (across * up), pi, rel_tol=0.01)


def test_the_contour_lies_where_the_score_is_0():
    drawing = boundary.draw(POINTS, disc)
    (contour,) = classed(tree(drawing), "contour")
    (rect,) = [e for e in classed(tree(drawing), "down") if e.tag == f"{SVG}rect"]
    across, up = plane(drawing)
    centre = (
        float(rect.get("x")) + float(rect.get("width")) / 2,
        float(rect.get("y")) + float(rect.get("height")) / 2,
    )
    places = [tuple(map(float, place.split())) for place in re.split("[ML]", contour.get("d"))[1:]]
    assert len(places) > 60
    for x, y in places:
        radius = ((x - centre[0]) / across) ** 2 + ((y - centre[1]) / up) ** 2
        assert isclose(radius, 1.0, abs_tol=0.03)


def test_points_on_the_wrong_side_have_a_ring_and_the_words_count_them():
    points = [([0.0, 0.0], 1.0), ([1.0, 1.0], -1.0), ([0.1, 0.0], -1.0), ([1.0, 0.9], 1.0)]
    drawing = boundary.draw(points, lambda x, y: 1.0 - x - y)
    root = tree(drawing)
    assert len(classed(root, "missed")) == 2 + 1  # and one in the key
    assert len([e for e in classed(root, "dot") if e.tag == f"{SVG}circle"]) == 2 + 1
    assert len([e for e in classed(root, "dot") if e.tag == f"{SVG}path"]) == 2 + 1
    assert re.search(sentence("boundary.accuracy", right=2, count=4, percent=50), drawing.words)


def centres(root, name):
    """Of the circles of a class, but for the one in the key, which comes first."""
    circles = [e for e in classed(root, name) if e.tag == f"{SVG}circle"]
    return [(float(e.get("cx")), float(e.get("cy"))) for e in circles[1:]]


def test_a_ring_lies_around_its_point():
    points = [([0.0, 0.0], 1.0), ([1.0, 3.0], 1.0), ([2.0, 1.0], 1.0)]
    root = tree(boundary.draw(points, lambda x, y: y - 2.0))
    first, second, third = centres(root, "up")
    assert centres(root, "missed") == [first, third]
    assert second[1] < third[1] < first[1]  # upwards is a smaller y


def test_in_the_key_of_regions_each_sign_stands_before_its_words_at_one_distance():
    root = tree(boundary.draw([([0.0, 0.0], 1.0), ([1.0, 1.0], -1.0)], lambda x, y: -1.0))
    circle, ring = (float(classed(root, kind)[at].get("cx")) for kind, at in (("dot", 0), ("missed", 0)))
    triangle = float(classed(root, "dot")[1].get("d")[1:].split()[0])
    starts, ends = [], []
    for text in root.iter(f"{SVG}text"):
        words = "".join(text.itertext())
        if any(re.fullmatch(sentence(key), words) for key in ("boundary.up", "boundary.down")):
            starts.append(float(text.get("x")))
            ends.append(starts[-1] + width_of(words, size_of("note")))
    assert [start - sign for start, sign in zip(starts, (circle, triangle), strict=True)] == [10.0, 10.0]
    assert isclose(triangle - ends[0], ring - ends[1], abs_tol=0.11)


def test_a_plane_goes_as_far_as_its_points_in_each_direction():
    field = boundary.field_of([([0.0, 7.0], 1.0), ([50.0, 8.0], -1.0)], lambda x, y: x + 1000.0 * y, 2, 1)
    assert (field.x.low, field.x.high) == (-6.0, 56.0)  # 12% of 50 more at each side
    assert (field.y.low, field.y.high) == pytest.approx((6.88, 8.12))
    lowest, highest = field.scores
    assert lowest == pytest.approx((6874.0, 6905.0, 6936.0))
    assert highest == pytest.approx((8114.0, 8145.0, 8176.0))


def test_all_on_the_right_side_needs_no_ring_and_one_region_no_contour():
    drawing = boundary.draw([([0.0, 0.0], 1.0), ([1.0, 1.0], 1.0)], lambda x, y: 1.0)
    assert classed(tree(drawing), "missed") == []
    assert classed(tree(drawing), "contour") == []


def test_a_score_that_is_no_number_leaves_a_hole():
    drawing = boundary.draw(POINTS, lambda x, y: nan if x > 1.0 else disc(x, y))
    holes = [e for e in classed(tree(drawing), "page") if e.tag == f"{SVG}path"]
    assert len(holes) == 1
    assert classed(tree(boundary.draw(POINTS, disc)), "page")[1:] == []  # but for the ground


SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


@pytest.mark.parametrize(
    ("corners", "inside", "crossings"),
    [
        ((1, -1, -1, -1), [(0, 0), (0.5, 0), (0, 0.5)], [(0.5, 0), (0, 0.5)]),
        ((1, 1, -3, -3), [(0, 0), (1, 0), (1, 0.25), (0, 0.25)], [(1, 0.25), (0, 0.25)]),
        # two opposite corners: joined, and each of the others cut off by its own line
        ((1, -1, 1, -1), [(0, 0), (0.5, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 0.5)],
         [(0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)]),
        ((-1, 1, -1, 1), [(0.5, 0), (1, 0), (1, 0.5), (0.5, 1), (0, 1), (0, 0.5)],
         [(0, 0.5), (0.5, 0), (1, 0.5), (0.5, 1)]),
        ((1, -inf, -1, -1), [(0, 0), (0.5, 0), (0, 0.5)], [(0.5, 0), (0, 0.5)]),
        # 0 is not above: its corner is cut off by a line of no length
        ((0, 1, -1, 1), [(0, 0), (1, 0), (1, 0.5), (0.5, 1), (0, 1), (0, 0)],
         [(0, 0), (0, 0), (1, 0.5), (0.5, 1)]),
    ],
)  # fmt: skip
def test_a_cell_is_cut_where_the_score_changes_sign(corners, inside, crossings):
    assert boundary.cut(corners, SQUARE) == (inside, crossings)


def test_a_fitted_curve_goes_through_points_that_it_fits():
    drawing = boundary.draw([([x], 2 * x) for x in (-1.0, 0.0, 1.0)], lambda x: 2 * x, kind="regression")
    (places,) = lines_of(drawing, "grad")
    (x0, y0), (x1, y1) = places[0], places[-1]
    for dot in classed(tree(drawing), "dot"):
        x, y = float(dot.get("cx")), float(dot.get("cy"))
        assert isclose(y, y0 + (x - x0) * (y1 - y0) / (x1 - x0), abs_tol=0.2)
    assert re.search(sentence("boundary.error", error=0), drawing.words)


@pytest.mark.parametrize(("last", "shown"), [(5, "012345"), (6, "0246")])
def test_there_are_at_most_six_numbers_below_a_fitted_curve(last, shown):
    points = [([float(x)], 0.0) for x in range(last + 1)]
    root = tree(boundary.draw(points, lambda x: 0.0, kind="regression"))
    rows = [(float(t.get("y")), "".join(t.itertext())) for t in root.iter(f"{SVG}text")]
    below = max(y for y, _ in rows)
    assert [words for y, words in rows if y == below] == list(shown)


# ---- gradients by layer -------------------------------------------------------------------------


def bars(drawing, kind):
    """The lengths of the bars of a kind; those of the key are 22 long."""
    found = []
    for bar in classed(tree(drawing), kind):
        if "bar" in bar.get("class").split():
            left, right = re.match(r"M([\d.]+) [\d.]+H([\d.]+)", bar.get("d")).groups()
            found.append(round(float(right) - float(left), 1))
    return found[1:]


def test_bars_go_by_powers_of_ten():
    drawing = layer_gradients.draw({"a": (1e-1, 1.0), "b": (1e-2, 1.0), "c": (1e-3, 1.0)})
    a, b, c = bars(drawing, "grad")
    assert isclose(a - b, b - c, abs_tol=0.21)
    assert bars(drawing, "data") == [a + (a - b)] * 3  # a weight of 1 is one more power of ten


def test_a_gradient_of_0_has_no_bar_and_one_that_is_no_number_is_crossed():
    drawing = layer_gradients.draw({"a": (0.0, 1.0), "b": (nan, 1.0), "c": (0.5, 1.0)})
    assert len(bars(drawing, "grad")) == 1
    assert len(classed(tree(drawing), "cross")) == 1
    assert {"0", "nan", "0.5"} <= set(words_in(tree(drawing)))


def test_of_no_sizes_the_scale_ends_at_one():
    scale = layer_gradients.scale_by_tens([(0.0, nan)])
    assert (scale.low, scale.high) == (1e-4, 1.0)


def test_the_words_tell_three_digits_of_each_size():
    drawing = layer_gradients.draw({"a": (0.123456, 0.654321)})
    assert re.search(sentence("layers.told", layer="a", grad="0.123", weight="0.654") + r"\.", drawing.words)


def test_words_about_a_layer_stand_below_it():
    drawing = layer_gradients.draw({"a": (1.0, 1.0), "b": (1e-9, 1.0)}, {"b": "vanishing"})
    shown = words_in(tree(drawing))
    assert shown.index("b") < shown.index("▲ vanishing")
    assert "vanishing" in drawing.words


# ---- networks -----------------------------------------------------------------------------------


def test_lines_are_weights_and_dashes_are_below_0():
    root = tree(network_drawing.draw(UNITS))
    lines = {e.get("class"): e.get("d").count("M") for e in classed(root, "link") if "h22" not in e.get("d")}
    # 2.0 is the widest; 1.0 is half of it, 0.5 a quarter, 0 a hair; one of -1 in each layer
    assert lines == {"link w4": 1, "link w2": 1, "link w1": 1, "link w0": 1, "link minus w2": 2}


def test_dead_units_are_crossed_and_rings_are_gradients():
    root = tree(network_drawing.draw(UNITS))
    assert len(classed(root, "unit")) == 2 + 2 + 1
    assert len(classed(root, "dead")) == 1
    assert len(classed(root, "cross")) == 1
    rings = [float(e.get("stroke-width")) for e in classed(root, "pull") if e.get("stroke-width")]
    assert len(rings) == 2  # the dead one has no gradient
    assert rings[1] > rings[0]


def test_of_a_large_layer_the_first_units_are_drawn_and_the_rest_is_counted():
    drawing = SOME["large"]()
    assert len(classed(tree(drawing), "unit")) == 16 + 16 + 1
    assert any(
        re.search(sentence("network.part", shown=16, size=90), words) for words in words_in(tree(drawing))
    )


def test_units_stand_where_the_lines_begin_and_end():
    root = tree(network_drawing.draw(UNITS))
    units = {(float(e.get("cx")), float(e.get("cy"))) for e in classed(root, "unit")}
    ends = {
        tuple(map(float, end.split()))
        for e in classed(root, "link")
        if "h22" not in e.get("d")
        for line in e.get("d").split("M")[1:]
        for end in line.split("L")
    }
    assert ends == units
    assert len(units) == 2 + 2 + 1


def test_an_mlp_is_read_as_it_is():
    model = MLP(2, [3, 1], seed=1)
    loss = model([1.0, 2.0])
    loss.backward()
    found = network_drawing.units_of_mlp(model, {0: {1}})
    assert [[unit.weights for unit in layer] for layer in found] == [
        [tuple(w.data for w in neuron.w) for neuron in layer.neurons] for layer in model.layers
    ]
    assert [unit.dead for unit in found[0]] == [False, True, False]
    output = model.layers[1].neurons[0]
    squares = [p.grad**2 for p in (*output.w, output.b)]
    assert isclose(found[1][0].grad, (sum(squares) / 4) ** 0.5)


def test_modules_that_read_the_same_stand_side_by_side():
    boxes = [ModuleBox(f"blocks.0.{name}", 4, 0.1) for name in ("query", "key", "value", "output")]
    places = [(e.get("x"), e.get("y")) for e in classed(tree(network_drawing.draw(boxes)), "box")]
    assert len({y for _, y in places[:3]}) == 1
    assert len({x for x, _ in places[:3]}) == 3
    assert float(places[3][1]) > float(places[0][1])


def test_a_chain_ends_below_its_last_box_and_the_rim_of_a_box_is_its_gradient():
    drawing = network_drawing.draw([ModuleBox("first", 4, 0.1), ModuleBox("last", 4, 0.05)])
    root = tree(drawing)
    low = classed(root, "box")[-1]
    assert drawing.height == float(low.get("y")) + float(low.get("height")) + 12.0
    assert [float(e.get("stroke-width")) for e in classed(root, "pull")] == [1.2 + 4.0, 1.2 + 2.0]
