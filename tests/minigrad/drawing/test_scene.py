"""What is drawn of a graph: every node and every slot once, groups without circles, titles that say it."""

from __future__ import annotations

import random
import time
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest

from large_graphs import LARGE, chain, network
from layouts import flaws, printed_by
from minigrad import Graph, Value
from minigrad.drawing.division import cheapest, heaviest, words_of
from minigrad.drawing.layout import Box, Wire, layout
from minigrad.drawing.scene import Scene, SceneItem, SceneLink, groups, scene
from minigrad.graph import CONSTANT, INPUT, Node
from minigrad.language import parse
from minigrad.text.translation import speaking
from random_graphs import random_graph

CROWD = 62  # items of one picture, at the very most


@pytest.fixture(params=LARGE)
def graph(request):
    return LARGE[request.param]


# ---- small graphs -------------------------------------------------------------------------------


def test_a_small_graph_is_drawn_node_by_node():
    for number in range(30):
        small = random_graph(number)
        found = scene(small)
        assert not groups(small)
        assert found.parent is None
        assert found.items == tuple(SceneItem(i, "", (i,)) for i in range(len(small)))
        slots = [slot for link in found.links for slot in link.slots]
        assert sorted(slots) == [(i, k) for i, node in enumerate(small.nodes) for k in range(len(node.args))]
        for link in found.links:
            assert {small.nodes[i].args[slot] for i, slot in link.slots} == {link.tail}
            assert {i for i, _ in link.slots} == {link.head}


def test_two_slots_of_one_argument_are_one_link():
    assert scene(parse("a = 3\nL = a*a")).links == (SceneLink(0, 1, ((1, 0), (1, 1))),)


def test_sixty_nodes_are_drawn_whole_and_sixty_one_in_groups():
    assert not groups(chain(59))
    assert groups(chain(60))


# ---- what must hold of groups -------------------------------------------------------------------


def circle(found):
    """Do the links of a scene run in a circle?"""
    waiting = Counter(link.head for link in found.links)
    ready = [k for k in range(len(found.items)) if not waiting[k]]
    for k in ready:
        for link in found.links:
            if link.tail == k:
                waiting[link.head] -= 1
                if not waiting[link.head]:
                    ready.append(link.head)
    return len(ready) < len(found.items)


def lapses(graph, found):
    """What is wrong with the links of a scene: each slot that it shows belongs to exactly one of them."""
    place = {i: k for k, item in enumerate(found.items) if not item.outside for i in item.members}
    wanted = Counter(
        (i, slot)
        for i, node in enumerate(graph.nodes)
        for slot, arg in enumerate(node.args)
        if (i in place or arg in place) and place.get(i) != place.get(arg)
    )
    shown = Counter(slot for link in found.links for slot in link.slots)
    words = ["missing" for _ in wanted - shown] + ["too many" for _ in shown - wanted]
    for link in found.links:
        for i, slot in link.slots:
            if i not in found.items[link.head].members:
                words.append("wrong head")
            if graph.nodes[i].args[slot] not in found.items[link.tail].members:
                words.append("wrong tail")
    return sorted(set(words))


def test_every_node_is_shown_in_exactly_one_place(graph):
    found = groups(graph)
    shown = Counter(
        item.node
        for key in found.inside
        for item in scene(graph, key).items
        if item.node is not None and not item.outside
    )
    assert shown == Counter(range(len(graph)))
    assert all(i in found[key].members for i, key in enumerate(found.home) if key)


def test_a_group_holds_what_it_shows(graph):
    found = groups(graph)
    for key, group in found.items():
        inside = scene(graph, key)
        members = [i for item in inside.items if not item.outside for i in item.members]
        assert tuple(sorted(members)) == group.members
        assert (inside.group, inside.parent) == (key, group.parent)
        assert key in found.inside[group.parent]
        assert len(group.members) > 1


def test_no_scene_runs_in_a_circle_and_each_shows_its_slots_once(graph):
    keys = groups(graph).inside
    assert keys
    for key in keys:
        found = scene(graph, key)
        assert not circle(found), key
        assert lapses(graph, found) == [], key


def test_no_scene_is_crowded(graph):
    keys = groups(graph).inside
    assert keys
    for key in keys:
        assert 1 < len(scene(graph, key).items) <= CROWD, key


def test_stand_ins_are_before_or_behind(graph):
    keys = groups(graph).inside
    assert keys
    for key in keys:
        found = scene(graph, key)
        for k, item in enumerate(found.items):
            uses = any(link.tail == k for link in found.links)
            used = any(link.head == k for link in found.links)
            assert not item.outside or uses != used
            assert item.members
            assert item.outside or not item.group or item.node is None


def test_scenes_are_laid_out_without_a_flaw():
    for name in ("samples", "tangle", "wide"):
        large = LARGE[name]
        for key in list(groups(large).inside)[:12]:
            found = scene(large, key)
            boxes = [Box(60.0 + 8 * (k % 5), 40.0) for k in range(len(found.items))]
            wires = [Wire(link.tail, link.head) for link in found.links]
            assert flaws(boxes, wires, layout(boxes, wires)) == [], (name, key)


def test_planted_lapses_are_seen():
    large = LARGE["layers"]
    good = scene(large)
    assert not circle(good)
    link = good.links[0]
    assert circle(replace(good, links=(*good.links, SceneLink(link.head, link.tail, link.slots))))
    assert circle(Scene((SceneItem(0), SceneItem(1)), (SceneLink(0, 1, ()), SceneLink(1, 0, ()))))
    assert lapses(large, replace(good, links=good.links[1:])) == ["missing"]
    assert lapses(large, replace(good, links=(*good.links, link))) == ["too many"]
    turned = replace(link, tail=link.head, head=link.tail)
    assert lapses(large, replace(good, links=(turned, *good.links[1:]))) == ["wrong head", "wrong tail"]


# ---- where the groups are ----------------------------------------------------------------------


def titles(graph, key=""):
    return [item.title[0] for item in scene(graph, key).items if item.title[0]]


def test_labels_say_where_a_group_ends():
    assert titles(LARGE["layers"]) == [
        "h1.0 … h1.15|256 mul, 256 add, 16 more|288 inputs",
        "h2.0 … h2.15|256 mul, 256 add, 16 more|272 inputs",
        "h3.0 … h3.7|128 mul, 128 add, 8 more|136 inputs",
        "v1281 … out|8 sub, 8 pow, 8 more|17 constants",
    ]
    assert titles(LARGE["layers"], "1")[:3] == [
        "x0.0 … x0.15|16 inputs",
        "h1.0|16 mul, 16 add, 1 more|17 inputs",
        "h1.1|16 mul, 16 add, 1 more|17 inputs",
    ]


def test_samples_are_groups_since_one_value_leaves_each():
    """Nothing is labelled, and the samples share all weights: only the sum goes from one to the next."""
    large = LARGE["without labels"]
    found = scene(large)
    values = {k: Counter() for k in range(len(found.items))}
    for link in found.links:
        for i, slot in link.slots:
            values[link.tail][large.nodes[i].args[slot]] += 1
    ops = [k for k, item in enumerate(found.items) if any(large.nodes[i].args for i in item.members)]
    assert len(ops) > 3
    assert {len(values[k]) for k in ops[:-1]} == {1}


def test_what_several_groups_use_stands_beside_them_by_its_stem():
    found = scene(LARGE["samples"])
    shelves = [
        item.title for item in found.items if item.group and not LARGE["samples"].nodes[item.members[-1]].args
    ]
    assert shelves
    assert all("input" in english and "entrada" in spanish for english, spanish in shelves)
    wide = LARGE["wide"]
    assert titles(wide) == ["w0 … w399|400 inputs", "x0 … x399|400 inputs"]
    assert titles(wide, "1")[0].startswith("w0 … w")
    assert scene(wide).items[-1] == SceneItem(800, "", (800,))


def test_inputs_without_labels_are_counted_off():
    flat = LARGE["flat"]
    assert titles(flat) == ["x1 … x300|300 inputs"]
    assert sum(len(item.members) for item in scene(flat, "1").items if not item.outside) == 300


def test_constants_are_not_called_by_their_numbers():
    nodes = [Node(CONSTANT, (), "", 0.5) for _ in range(200)]
    graph = Graph([Node(INPUT, (), "a", 1.0), *nodes, Node("sum", tuple(range(201)))])
    assert titles(graph) == ["200 constants"]
    assert [item.title[1] for item in scene(graph).items if item.group] == ["200 constantes"]


def test_a_title_is_in_both_languages_whatever_language_is_in_use():
    with speaking("es"):
        english, spanish = groups(network())["1"].title
    assert english.endswith("|288 inputs")
    assert spanish == "h1.0 … h1.15|256 mul, 256 add, 16 más|288 entradas"


def test_a_title_keeps_its_lines_and_its_width_whatever_the_labels():
    strange = ["a|b", "\x1b[31m", "x" * 100, "<b>"]
    y = Value(1.0, label="a")
    for i in range(100):
        y = y.sin()
        y.label = strange[i % 4]
    found = groups(Graph.of(y)).values()
    assert found
    for group in found:
        for language in group.title:
            name, *contents = language.split("|")
            assert len(name) <= 2 * 18 + 3
            assert name.isprintable()
            assert 1 <= len(contents) <= 2


def test_one_node_outside_stands_for_itself():
    large = LARGE["chain"]
    first = scene(large, next(iter(groups(large))))
    stand_ins = [item for item in first.items if item.outside]
    assert stand_ins[0].node == 0  # x
    assert all(item.members == (item.node,) for item in stand_ins if item.node is not None)


def test_an_unknown_group_is_named():
    with pytest.raises(KeyError, match=r"no group '7.7' in this graph; its groups are 1, 2"):
        scene(LARGE["layers"], "7.7")
    with speaking("es"), pytest.raises(KeyError, match="se dibuja sin grupos"):
        scene(parse("a = 1\nb = a*a"), "1")


# ---- the pieces ---------------------------------------------------------------------------------


def test_words_of_labels():
    assert words_of("layer2.w[5]") == ("layer", "2", "w", "5")
    assert words_of("h1.3") == ("h", "1", "3")
    assert words_of("peso_10ñ") == ("peso", "10", "ñ")
    assert words_of("+") == words_of("") == ()


def every_cut(weights, costs, most):
    """The least cost of cuts that leave no stretch too heavy, by trying all."""
    best = None
    for mask in range(2 ** (len(weights) - 1)):
        cuts = [p for p in range(1, len(weights)) if mask >> (p - 1) & 1]
        edges = [0, *cuts, len(weights)]
        parts = [weights[low:high] for low, high in pairwise(edges)]
        if all(len(part) == 1 or sum(part) <= most for part in parts):
            cost = sum(costs[p] for p in cuts)
            best = cost if best is None else min(best, cost)
    return best


def test_the_cheapest_cuts_are_the_cheapest():
    for seed in range(60):
        draw = random.Random(seed)
        count = draw.randint(1, 10)
        weights = [draw.randint(1, 5) for _ in range(count)]
        costs = [float(draw.randint(1, 9)) for _ in range(count)]
        most = draw.randint(3, 12)
        cuts = cheapest(weights, costs, most)
        edges = [0, *cuts, count]
        for low, high in pairwise(edges):
            assert high - low == 1 or sum(weights[low:high]) <= most
        assert sum(costs[p] for p in cuts) == every_cut(weights, costs, most)


def test_a_part_is_always_divided_into_lighter_ones():
    assert all(heaviest(total) < total for total in range(53, 5000))


# ---- the same each time, and soon ---------------------------------------------------------------

PROGRAM = """
import sys
sys.path[:0] = ["tests/support", "src"]
from hashlib import sha256
from large_graphs import LARGE
from minigrad.drawing.scene import groups, scene
seen = [scene(graph, key) for graph in LARGE.values() for key in groups(graph).inside]
print(sha256(repr((seen, [list(groups(graph).items()) for graph in LARGE.values()])).encode()).hexdigest())
"""


def test_two_processes_see_the_same_scenes():
    assert len(printed_by(PROGRAM, ("1", "2"))) == 1


def test_ten_thousand_nodes_take_little_time():
    """About 1.5 s on a quiet machine, for every group opened; the limit is for busy ones."""
    large = network((8, 12, 12, 4), samples=15)
    assert 9_500 < len(large) < 10_500
    start = time.process_time()
    seen = [scene(large, key) for key in groups(large).inside]
    for found in seen:
        layout([Box(150.0, 60.0)] * len(found.items), [Wire(link.tail, link.head) for link in found.links])
    assert time.process_time() - start < 8.0
    assert len(seen) > 200
