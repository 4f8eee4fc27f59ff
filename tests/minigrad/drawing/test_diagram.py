"""The drawing of the computation graph, and the colour grammar that all drawings share."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import combinations
from xml.etree import ElementTree

import pytest

from minigrad import Value, explain
from minigrad.drawing import DRAWINGS, draw
from minigrad.drawing.kinks import conventional_nodes
from minigrad.drawing.svg import (
    THEMES,
    Drawing,
    colours,
    element,
    esc,
    short,
    stacked,
    stylesheet,
    text,
)
from minigrad.drawing.timeline import steps
from minigrad.graph.trace import trace
from minigrad.text.translation import speaking

SVG = "{http://www.w3.org/2000/svg}"
SECOND = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2, "b": 3, "c": 4})


def parsed(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(drawing.svg())


def words(element: ElementTree.Element) -> str:
    return "".join(element.itertext())


# ---- the graph ------------------------------------------------------------------------------------


def nodes(root: ElementTree.Element) -> dict[int, str]:
    return {int(g.get("data-node", "")): words(g) for g in root.iter(f"{SVG}g") if g.get("class") == "node"}


def edges(root: ElementTree.Element) -> dict[str, str]:
    return {g.get("data-edge", ""): words(g) for g in root.iter(f"{SVG}g") if g.get("data-edge")}


def test_each_node_shows_its_data_and_its_gradient():
    shown = nodes(parsed(draw("graph", explain(*SECOND).trace)))
    assert shown == {
        0: "adata 2grad 410 - 6",
        1: "bdata 3grad -4",
        2: "cdata 4grad -12-10 - 2",
        3: "ab = a * bdata 6grad -2",
        4: "e = ab + cdata 10grad -2",
        5: "f = a - cdata -2grad 10",
        6: "L = e * fdata -20grad 1",
    }


def test_each_edge_shows_local_upstream_and_contribution():
    shown = edges(parsed(draw("graph", explain(*SECOND).trace)))
    assert shown == {
        "6.0": "-2 * 1 = -2", "6.1": "10 * 1 = 10",
        "5.0": "1 * 10 = 10", "5.1": "-1 * 10 = -10",
        "4.0": "1 * (-2) = -2", "4.1": "1 * (-2) = -2",
        "3.0": "3 * (-2) = -6", "3.1": "2 * (-2) = -4",
    }  # fmt: skip


def test_the_foot_of_a_diamond_is_marked_and_so_are_the_edges_that_meet_there():
    root = parsed(draw("graph", explain(*SECOND).trace))
    heavy = {g.get("data-edge") for g in root.iter(f"{SVG}g") if g.get("class") == "edge shared"}
    assert heavy == {"5.0", "3.0", "5.1", "4.1"}  # into a and into c
    borders = [g for g in root.iter(f"{SVG}g") if g.get("class") == "node"]
    shared = {g.get("data-node") for g in borders if "shared" in (g[0].get("class") or "")}
    assert shared == {"0", "2"}


def test_both_slots_of_a_square_are_drawn():
    root = parsed(draw("graph", explain("a*a", a=3).trace))
    assert edges(root) == {"1.0": "3 * 1 = 3", "1.1": "3 * 1 = 3"}
    wires = [path.get("d") for path in root.iter(f"{SVG}path") if path.get("class") == "wire"]
    assert len(wires) == len(set(wires)) == 2


def test_a_constant_and_a_branch_not_taken_have_no_numbers_of_a_gradient():
    root = parsed(draw("graph", explain("where(a > 0, a*2, b)", a=1, b=5).trace))
    silent = [edge for edge, label in edges(root).items() if not label]
    assert silent  # the condition, the constants and b get no message
    assert "grad" not in nodes(root)[2]


def test_a_broken_pass_is_drawn_as_it_went():
    overwritten = trace(explain(*SECOND).trace.graph, accumulate=lambda before, amount: amount)
    assert nodes(parsed(draw("graph", overwritten)))[0] == "adata 2grad -6≠ 10 - 6"
    assert nodes(parsed(draw("graph", explain(*SECOND).trace)))[0] == "adata 2grad 410 - 6"


def test_the_words_for_who_cannot_see_it_hold_the_gradients():
    drawing = draw("graph", explain(*SECOND).trace)
    assert drawing.words == "L = -20. Gradients: a = 4, b = -4, c = -12."
    with speaking("es"):
        assert draw("graph", explain(*SECOND).trace).title == "El grafo de cómputo de L"


@pytest.mark.parametrize("view", DRAWINGS)
def test_every_drawing_is_the_same_bytes_in_every_process(view):
    program = (
        "from minigrad import explain; from minigrad.drawing import draw; import sys; "
        f"sys.stdout.write(draw({view!r}, explain({SECOND[0]!r}, {SECOND[1]!r}).trace, node=0).svg())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", program], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(made) == 1


@pytest.mark.parametrize("view", DRAWINGS)
def test_every_drawing_carries_what_the_player_needs(view):
    """Each node index, edge and step that a drawing speaks of is one of the trace."""
    found = explain(*SECOND).trace
    root = parsed(draw(view, found, node=0))
    clock = steps(found)
    flows = {f"{e.source}.{e.slot}" for e in found.events if hasattr(e, "slot")}
    kinds = {name for e in root.iter() for name in e.attrib if name.startswith("data-")}
    assert kinds & {"data-node", "data-step", "data-bar", "data-edge"}
    for e in root.iter():
        assert int(e.get("data-node", 0)) < len(found.graph)
        assert int(e.get("data-step", 0)) < len(clock)
        assert e.get("data-edge", next(iter(flows))) in flows


def test_the_clock_runs_forward_and_then_backward():
    kinds = [step.kind for step in steps(explain(*SECOND).trace)]
    assert kinds == ["inputs", *["forward"] * 4, "seed", *["flow"] * 8]
    assert [step.kind for step in steps(explain("2*3").trace)] == ["inputs", "forward"]


# ---- a text is a text -----------------------------------------------------------------------------


def test_a_label_is_text_wherever_it_stands():
    a = Value(2.0, label='<script>"x"&amp;\x1b[31m')
    root = parsed(draw("graph", trace(a * a)))
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg", "title", "desc", "style", "rect", "g", "path", "text", "tspan",
    }  # fmt: skip
    assert any('<script>"x"&amp;\\x1b[31m' in words(e) for e in root.iter(f"{SVG}text"))


def test_esc_writes_what_xml_can_hold():
    strange = "".join(map(chr, range(0x20))) + "\x7f\x85\u2028\ud800\ufffe<&>'\""
    assert words(ElementTree.fromstring(f"<p>{esc(strange)}</p>")).endswith("<&>'\"")
    assert element("a", title='"><b') == '<a title="&quot;&gt;&lt;b"/>'


def test_coordinates_are_short_and_have_no_negative_zero():
    assert [short(x) for x in (-0.0, -0.04, 1.0, 2.25, 1e6)] == ["0", "0", "1", "2.2", "1000000"]


def test_stacked_drawings_stand_one_below_the_other():
    one = Drawing(100.0, 50.0, "one", "One.", text("one", 50, 25))
    two = Drawing(60.0, 30.0, "two", "Two.", text("two", 30, 15))
    both = stacked([one, two])
    assert (both.width, both.height, both.words) == (100.0, 104.0, "One. Two.")
    assert "translate(20 74)" in both.body
    assert stacked([one]) is one


# ---- colours ----------------------------------------------------------------------------------------


def rgb(colour: str) -> tuple[float, float, float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return linear[0], linear[1], linear[2]


def contrast(one: str, other: str) -> float:
    """As WCAG 2 defines it."""
    lights = sorted(0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in (rgb(one), rgb(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


# What three kinds of eyes see of red, green and blue: Machado, Oliveira and Fernandes (2009), severity 1.
EYES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900),
    ),
}  # fmt: skip


def lab(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """CIE L*a*b* of a linear colour, in which distances are those that people see."""
    r, g, b = (min(1.0, max(0.0, c)) for c in colour)
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def distance(one: str, other: str, eye: str) -> float:
    def seen(colour: str) -> tuple[float, float, float]:
        linear = rgb(colour)
        r, g, b = (sum(m * c for m, c in zip(row, linear, strict=True)) for row in EYES[eye])
        return lab((r, g, b))

    return sum((p - q) ** 2 for p, q in zip(seen(one), seen(other), strict=True)) ** 0.5


@pytest.mark.parametrize("theme", [0, 1, 2], ids=THEMES[1:])
def test_words_can_be_read_on_every_ground(theme):
    table = colours(theme)
    for ink in ("ink", "faint", "data", "grad", "local", "wrong", "right"):
        for ground in ("page", "card"):
            assert contrast(table[ink], table[ground]) >= 4.5, (ink, ground)
    for ink in ("ink", "data", "grad", "local"):
        assert contrast(table[ink], table["active"]) >= 4.5, f"{ink} on what is active"


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_data_gradient_and_local_stay_apart_for_the_colour_blind(theme, eye):
    table = colours(theme)
    for one, other in combinations(("data", "grad", "local"), 2):
        assert distance(table[one], table[other], eye) > 20, (one, other)


def test_the_colour_checks_notice_colours_that_do_not_do():
    assert contrast("#999999", "#ffffff") < 4.5
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert distance("#c05000", "#608000", "protanopia") < 20  # a red and a green of one brightness


@pytest.mark.parametrize("theme", THEMES)
def test_a_style_sheet_has_a_colour_for_every_name(theme):
    css = stylesheet(theme)
    assert not re.search(r"(fill|stroke):(?!none|#[0-9a-f]{6}\b)", css)
    assert css.count("{") == css.count("}")


# ---- kinks ----------------------------------------------------------------------------------------


def test_a_gradient_that_is_a_convention_is_not_told_as_a_slope():
    at_kink = explain("abs(a)*b + c", a=0, b=2, c=1).trace
    assert conventional_nodes(at_kink) == {0}  # a alone: abs(a), b and c have slopes
    words = draw("thermometer", at_kink).words
    assert "out has a kink here: its gradient by a is a convention" in words
    assert "raising c raises out" in words
    beside = explain("abs(a)*b + c", a=1e-9, b=2, c=1).trace
    assert conventional_nodes(beside) == frozenset()
