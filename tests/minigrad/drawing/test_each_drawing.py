"""What each drawing shows: bars, arrows along an axis, rows, ribbons; and the waterfall in a terminal."""

import re
from itertools import pairwise
from math import nan

import pytest

from drawings import CLASSIC, classed, classic, deep, marked, tree, words_in
from minigrad import Graph, Value, parse, trace
from minigrad.drawing import ledger, river, thermometer, waterfall
from minigrad.drawing.styled_lines import clip_to_columns
from minigrad.drawing.timeline import steps
from minigrad.explanation import Page, explain
from minigrad.graph import INPUT, Node
from minigrad.graph.paths import paths
from minigrad.text.translation import LANGUAGES, catalogue
from random_graphs import random_graph
from svg_geometry import columns, placed

FIRST = ("c = a*b; d = a + b; e = c + d", {"a": 2.0, "b": -3.0})


# ---- thermometer --------------------------------------------------------------------------------


def bars(drawing):
    """The scale of each bar, by the node that it is about."""
    return {
        int(e.get("data-bar")): float(re.fullmatch(r"scale\((\S+) 1\)", e.get("transform"))[1])
        for e in marked(tree(drawing), "data-bar")
    }


def test_bars_are_proportional_to_the_gradients_and_point_their_way():
    pass_ = classic()
    assert bars(thermometer.draw(pass_)) == pytest.approx({0: 4 / 12, 1: -4 / 12, 2: -12 / 12}, abs=1e-3)
    assert {e.get("data-top") for e in marked(tree(thermometer.draw(pass_)), "data-top")} == {"12.0"}


def test_the_strongest_input_stands_on_top_and_all_is_said_in_words():
    shown = words_in(tree(thermometer.draw(classic())))
    assert [name for name in shown if name in "abc"] == ["c", "a", "b"]
    for sentence in ("raising c lowers L", "raising a raises L", "raising b lowers L"):
        assert sentence in shown


def test_what_is_zero_infinite_or_undefined_has_its_own_bar_and_words():
    pass_ = trace(parse("y = sqrt(a) - b + 0*z + c*w", {"a": 0.0, "b": 2.0, "z": 1.0, "c": nan, "w": 1.0}))
    drawing = thermometer.draw(pass_)
    shown, scales = words_in(tree(drawing)), bars(drawing)
    assert (scales[0], scales[2], scales[4]) == (1.0, 0.0, 0.0)
    assert scales[1] == pytest.approx(-0.8)  # shorter than what is infinite
    for words in ("inf", "-1", "0", "nan", "?", "raising z does not move y"):
        assert words in shown
    assert "y rises infinitely fast with a here" in shown
    assert "how y responds to w is undefined here" in shown


def test_a_tiny_gradient_still_shows():
    scales = bars(thermometer.draw(trace(parse("y = a*1000000 - b/1000000", {"a": 1.0, "b": 1.0}))))
    assert scales[0] == 1.0
    assert -0.02 < scales[1] < 0.0


def test_of_many_inputs_the_strongest_are_drawn_and_the_others_are_counted():
    text = "y = " + " + ".join(f"{i + 1}*x{i}" for i in range(100))
    drawing = thermometer.draw(trace(parse(text, {f"x{i}": 1.0 for i in range(100)})))
    assert len(bars(drawing)) == 24
    assert "76 more inputs move y no more than these" in words_in(tree(drawing))
    drawing = thermometer.draw(trace(parse("y = a + b", {"a": 1.0, "b": 1.0})), most=1)
    assert "one more input moves y no more than these" in words_in(tree(drawing))


def test_nearly_equal_gradients_are_not_called_one_times_as_large():
    drawing = thermometer.draw(trace(parse("y = a*1.0001 + b", {"a": 1.0, "b": 1.0})))
    assert "a moves y about as much as b" in words_in(tree(drawing))


# ---- ledger -------------------------------------------------------------------------------------


def arrows(drawing):
    """Start and end of each block arrow, in order; the last one is the total."""
    _, things = placed(drawing.svg())
    blocks = [thing.points for thing in things if thing.tag == "path" and "bar" in thing.classes]
    return [(points[0][0], points[2][0]) for points in blocks]


def test_each_arrow_starts_where_the_one_before_ended_and_the_last_ends_at_the_gradient():
    first, second, total = arrows(ledger.draw(classic(), 0))
    assert first[1] == second[0]
    assert total == (first[0], second[1])
    ten, six, four = (end - start for start, end in (first, second, total))
    assert (six, four) == pytest.approx((-0.6 * ten, 0.4 * ten), abs=0.2)


@pytest.mark.parametrize("number", range(20))
def test_the_arrows_of_random_nodes_form_one_chain(number):
    pass_ = trace(random_graph(number))
    for node, found in paths(pass_, 6, range(len(pass_.graph))).items():
        *chain, total = arrows(ledger.draw(pass_, node, found)) if found.count else [(0, 0)]
        assert all(one[1] == next_[0] for one, next_ in pairwise(chain))
        if chain:
            assert (chain[0][0], chain[-1][1]) == pytest.approx(total, abs=0.11)


def test_paths_that_are_not_listed_have_one_arrow_together():
    """x goes through ten doublings: 1024 paths of one, of which six are listed."""
    graph = Graph([Node(INPUT, (), "x", 1.0), *(Node("add", (i, i)) for i in range(10))])
    drawing = ledger.draw(trace(graph), 0)
    assert len(arrows(drawing)) == 6 + 1 + 1
    shown = words_in(tree(drawing))
    assert "in 1,018 more paths" in shown
    assert "x grad 1024" in shown


def test_an_arrow_appears_with_the_contribution_that_ends_its_path():
    pass_ = classic()
    clock = steps(pass_)
    found = [clock[int(e.get("data-step"))] for e in marked(tree(ledger.draw(pass_, 0)), "data-step")]
    amounts = [pass_.events[step.event].amount for step in found]
    assert amounts == [10.0, -6.0, -6.0]  # the total is there when the last one is


def test_a_gradient_that_is_not_the_sum_of_its_paths_is_called_so():
    pass_ = classic(accumulate=lambda before, amount: amount)
    drawing = ledger.draw(pass_, 0)
    first, second, total = arrows(drawing)
    assert total[1] < total[0] == first[0] < second[1]  # to -6, where 10 - 6 ends at 4
    assert "this pass left a gradient that is not the sum of the paths" in words_in(tree(drawing))
    assert "!=" in drawing.words
    assert "sum of the paths" not in " ".join(words_in(tree(ledger.draw(pass_, 1))))


def test_the_output_has_one_path_and_a_node_without_a_message_says_so():
    assert "1 = 1" in words_in(tree(ledger.draw(classic(), 6)))
    pass_ = trace(parse("y = where(0, a, c)", {"a": 1.0, "c": 3.0}))
    assert words_in(tree(ledger.draw(pass_, pass_.graph.index("a")))) == [
        "a: the gradient is 0, no message reaches it"
    ]


# ---- waterfall ----------------------------------------------------------------------------------


def cards(drawing):
    """The corner and size of each card: of the forward side, and of the backward side."""
    _, things = placed(drawing.svg())
    boxes = [thing for thing in things if "box" in thing.classes]
    left = min(box.left for box in boxes)
    return [box for box in boxes if box.left == left], [box for box in boxes if box.left != left]


def test_each_backward_step_stands_on_the_row_of_its_forward_step():
    forward, backward = cards(waterfall.draw(classic()))
    assert len(forward) == len(backward) == 5  # the inputs, ab, e, f, L
    assert [(box.top, box.bottom) for box in forward] == [(box.top, box.bottom) for box in backward]
    assert all(one.bottom < next_.top for one, next_ in pairwise(forward))


def test_forward_arrows_lead_down_and_backward_arrows_up():
    root = tree(waterfall.draw(classic()))
    for kind, sign in (("data", 1), ("grad", -1)):
        heads = [arrow[1].get("d") for arrow in classed(root, "arrow") if kind in arrow.get("class")]
        for foot, tip in (re.findall(r"[ML]\S+ (\S+?)(?=L)", head) for head in heads):
            assert sign * (float(tip) - float(foot)) > 0
        assert len(heads) == (4 if kind == "data" else 5)  # the last one turns from forward to backward


def test_a_shared_node_shows_its_running_total():
    root = tree(waterfall.draw(classic()))
    shown = words_in(root)
    for words in (
        "a grad 4",
        "0",
        "→ 10",
        "→ 4",
        "→ -10",
        "→ -12",
        "→ a1 * 10 = 100 → 10",
        "→ a3 * (-2) = -610 → 4",
    ):
        assert words in shown


def test_a_row_belongs_to_its_forward_step_and_a_contribution_to_its_own():
    pass_ = classic()
    clock, root = steps(pass_), tree(waterfall.draw(pass_))
    forward = [e for e in classed(root, "node") if e.get("data-step")]
    assert [clock[int(e.get("data-step"))].node for e in forward] == [3, 4, 5, 6]
    assert {int(e.get("data-step")) for e in classed(root, "edge")} == {
        at for at, step in enumerate(clock) if step.kind == "flow"
    }


def test_another_order_is_numbered_because_it_is_not_the_mirror_image():
    shown = words_in(tree(waterfall.draw(classic(order=(6, 4, 5, 3)))))
    assert "backward: in the order of the turns" in shown
    assert [words for words in shown if words.startswith("turn ")] == ["turn 4", "turn 2", "turn 3", "turn 1"]
    assert not any(words.startswith("turn ") for words in words_in(tree(waterfall.draw(classic()))))


def test_of_very_many_steps_the_first_and_the_last_are_drawn_and_the_others_counted():
    drawing = waterfall.draw(trace(deep(1000)))
    shown = words_in(tree(drawing))
    assert "960 steps are left out here" in shown
    assert any(words.startswith("v1 = tanh(a)") for words in shown)
    assert any(words.startswith("out = ") for words in shown)


# ---- river --------------------------------------------------------------------------------------


def band(path):
    """The width of a ribbon where it starts, from its path."""
    numbers_ = [float(x) for x in re.findall(r"-?\d+\.?\d*", path.get("d"))]
    return abs(numbers_[0] - last_x(path))


def last_x(path):
    """The other corner of its upper end: the last point of the way back."""
    points = re.findall(r"(-?\d+\.?\d*) (-?\d+\.?\d*)", path.get("d"))
    tail = path.get("d")[path.get("d").rindex("L") :]
    inner = re.findall(r"(-?\d+\.?\d*) (-?\d+\.?\d*)", tail)
    return float((inner or points)[-1][0])


def ribbons(drawing, kind):
    """The ribbons of a kind by slot."""
    return {
        edge.get("data-edge"): path
        for edge in classed(tree(drawing), "edge")
        for path in edge
        if {"ribbon", kind} <= set(path.get("class", "").split())
    }


def test_ribbons_are_as_wide_as_their_numbers_are_large():
    pass_ = classic()
    sent = {f"{e.source}.{e.slot}": e.amount for e in pass_.events[1:]}
    for kind, number in (
        ("grad", sent.__getitem__),
        ("data", lambda slot: pass_.values[pass_.graph.nodes[int(slot[0])].args[int(slot[2])]]),
    ):
        widths = {slot: band(path) for slot, path in ribbons(river.draw(pass_), kind).items()}
        assert len(widths) == 8
        for slot, width in widths.items():
            assert width == pytest.approx(22.0 * abs(number(slot)) / 10.0, abs=0.21)


def test_what_is_zero_is_a_hairline_and_what_is_larger_is_never_narrower():
    pass_ = trace(parse("y = 0*a + 0.001*b + 7*c - 3*d", {"a": 5.0, "b": 4.0, "c": 0.0, "d": 1e6}))
    drawn = ribbons(river.draw(pass_), "grad")
    size = {f"{e.source}.{e.slot}": abs(e.amount) for e in pass_.events[1:]}
    ordered = sorted(drawn, key=size.__getitem__)
    widths = [round(band(drawn[slot]), 1) for slot in ordered]
    assert widths == sorted(widths)
    assert widths[0] == pytest.approx(1.0, abs=0.11)
    assert max(widths) == pytest.approx(22.0, abs=0.11)


def ends(path):
    """Where a ribbon begins, from left to right."""
    start = float(re.match(r"M(\S+) ", path.get("d"))[1])
    return tuple(sorted((start, last_x(path))))


@pytest.mark.parametrize("seed", [1.0, -3.0])
def test_contributions_join_side_by_side_and_their_widths_add_up(seed):
    """At a, 10 and 6 lie beside each other; the bar above them is 4 wide, as 10 - 6 is."""
    drawing = river.draw(classic(seed=seed))
    drawn = ribbons(drawing, "grad")
    spans = sorted(ends(drawn[slot]) for slot in ("5.0", "3.0"))
    assert spans[0][1] == pytest.approx(spans[1][0], abs=0.11)
    assert spans[1][1] - spans[0][0] == pytest.approx(22.0 * 1.6, abs=0.31)
    node = next(e for e in classed(tree(drawing), "node") if e.get("data-node") == "0")
    (bar,) = classed(node, "bar")
    assert float(bar.get("width")) == pytest.approx(22.0 * 0.4, abs=0.11)


def test_negative_contributions_are_striped_so_that_cancelling_shows_without_colour():
    pass_ = classic()
    negative = {f"{e.source}.{e.slot}" for e in pass_.events[1:] if e.amount < 0}
    striped = {e.get("data-edge") for e in classed(tree(river.draw(pass_)), "edge") if classed(e, "hatch")}
    assert striped == negative == {"6.0", "5.1", "4.0", "4.1", "3.0", "3.1"}


def test_the_legend_says_what_the_widest_ribbon_is():
    shown = words_in(tree(river.draw(classic())))
    assert "data, down; the widest is 10" in shown
    assert "contributions, up; the widest is 10; striped: negative" in shown


def test_where_groups_are_drawn_a_ribbon_stands_for_its_largest():
    drawing = river.draw(trace(deep(1000)))
    root = tree(drawing)
    assert classed(root, "group")
    assert classed(root, "bundle")
    assert "between groups, a ribbon is as wide as the largest that it stands for" in words_in(root)


# ---- the waterfall in a terminal ----------------------------------------------------------------

TEXT = """\
  forward: read down    backward: read up
  a = 2                 a: 0 -> 10 -> 4
  b = 3                 b: -4
  c = 4                 c: 0 -> -10 -> -12
  ab = a * b = 6        ab: -2
                          -> a: 3 * (-2) = -6
                          -> b: 2 * (-2) = -4
  e = ab + c = 10       e: -2
                          -> ab: 1 * (-2) = -2
                          -> c: 1 * (-2) = -2
  f = a - c = -2        f: 10
                          -> a: 1 * 10 = 10
                          -> c: -1 * 10 = -10
  L = e * f = -20       L: 1
                          -> e: -2 * 1 = -2
                          -> f: 10 * 1 = 10
"""


def test_the_waterfall_of_the_second_graph_of_the_facts():
    assert explain(*CLASSIC).text(["waterfall"], lang="en").partition("\n")[2] == TEXT


def test_the_waterfall_of_the_first_graph_of_the_facts():
    text = explain(*FIRST).text(["waterfall"], lang="en")
    assert re.search(r"a: 0 -> 1 -> -2", text)
    assert re.search(r"b: 0 -> 1 -> 3", text)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 48, 60, 78])
def test_the_waterfall_fits_a_page(width, lang):
    for case in (CLASSIC, FIRST):
        text = explain(*case).text(["waterfall"], lang=lang, page=Page(width=width))
        assert max(map(len, text.splitlines()[1:])) <= width


def test_on_a_narrow_page_backward_stands_below_forward_and_is_turned_around():
    text = explain(*CLASSIC).text(["waterfall"], lang="en", page=Page(width=40))
    lines = [line.strip() for line in text.splitlines()]
    turned = lines.index("backward: the mirror image, read from")
    assert lines[2:9] == ["a = 2", "b = 3", "c = 4", *(x.partition("  ")[0] for x in made())]
    assert [line.partition(":")[0] for line in lines[turned + 2 :] if not line.startswith("->")] == [
        *"Lfe",
        "ab",
        *"cba",
    ]


def made():
    return ["ab = a * b = 6", "e = ab + c = 10", "f = a - c = -2", "L = e * f = -20"]


def test_the_waterfall_of_what_has_no_gradient_has_one_side_only():
    text = explain(Value(2.0, requires_grad=False) * 3.0).text(["waterfall"], lang="en")
    assert "out" in text or "= 6" in text
    assert "->" not in text


# ---- words that are cut -------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "cut"), [("abc", "abc"), ("abcdefgh", "abcde…"), ("勾配勾配", "勾配…")])
def test_words_are_cut_by_columns(words, cut):
    assert clip_to_columns(words, 6) == cut
    assert columns(cut) <= 6


def test_every_row_of_the_drawings_is_in_the_catalogue():
    from minigrad.drawing.messages import ROWS

    assert ROWS.items() <= catalogue().items()
