"""What holds for the river, the waterfall, the thermometer and the ledger alike: numbers, words, places."""

import json
import os
import re
import subprocess
import sys
from math import inf, nan
from time import process_time
from xml.etree import ElementTree

import pytest

from drawings import SVG, classic, deep, marked, tree, words_in
from minigrad import Graph, Value, parse, trace
from minigrad.drawing import ledger, river, thermometer, waterfall
from minigrad.drawing.ribbons import outline
from minigrad.drawing.timeline import steps
from minigrad.faults import FAULTS
from minigrad.faults.catalogue.traversal import WalkTooLongError
from minigrad.graph import CONSTANT, INPUT, Node
from minigrad.graph.paths import paths
from minigrad.text.translation import LANGUAGES, say, speaking
from random_graphs import random_graph, random_seed
from svg_geometry import crossed, outside, overlaps, placed

VIEWS = {
    "river": river.draw,
    "waterfall": waterfall.draw,
    "thermometer": thermometer.draw,
    "ledger": lambda pass_: ledger.draw(pass_, (pass_.graph.inputs or (pass_.graph.output,))[0]),
}


# ---- all of them --------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
def test_the_numbers_of_the_facts_are_in_every_drawing(view):
    shown = " ".join(words_in(tree(VIEWS[view](classic()))))
    expected = {
        "river": ["data -20", "grad 4", "grad -4", "grad -12", "grad 10", "* 3", "-6", "-10"],
        "waterfall": ["= 10 * (-2) = -20", "a grad 4", "b grad -4", "c grad -12", "e grad -2", "f grad 10"],
        "thermometer": ["-12", "4", "-4", "c moves L 3 times as much as a", "a moves L just as much as b"],
        "ledger": ["10 = 1 * 10", "a > f > L", "-6 = 3 * 1 * (-2)", "a > ab > e > L", "a grad 4"],
    }
    for fact in expected[view]:
        assert fact in shown


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("view", VIEWS)
def test_every_sentence_can_be_said_again_in_the_other_language(view, lang):
    """A page holds the key and the fields of each sentence, and they are what is written."""
    with speaking(lang):
        drawing = VIEWS[view](classic())
    root, other = tree(drawing), next(each for each in LANGUAGES if each != lang)
    for text in marked(root, "data-say"):
        key, fields = text.get("data-say"), json.loads(text.get("data-fields", "{}"))
        with speaking(lang):
            assert say(key, **fields) == "".join(text.itertext())
        with speaking(other):
            assert say(key, **fields) != "".join(text.itertext())
    with speaking(other):
        assert VIEWS[view](classic()).title != drawing.title


@pytest.mark.parametrize("view", VIEWS)
def test_a_drawing_is_the_same_bytes_in_every_process(view):
    drawn = set()
    for seed in ("0", "1", "77"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "MINIGRAD_LANG": "en"}
        command = [sys.executable, "-W", "error", "-m", f"minigrad.drawing.{view}"]
        drawn.add(subprocess.run(command, capture_output=True, env=environment, check=True).stdout)
    with speaking("en"):
        assert drawn == {VIEWS[view](classic()).svg().encode()}


@pytest.mark.parametrize("view", VIEWS)
def test_every_step_is_a_step_of_the_one_clock_and_about_the_right_thing(view):
    pass_ = classic()
    clock = steps(pass_)
    root = tree(VIEWS[view](pass_))
    for element in marked(root, "data-step"):
        step = clock[int(element.get("data-step"))]
        if "data-edge" in element.attrib:
            flow = pass_.events[step.event]
            assert element.get("data-edge") == f"{flow.source}.{flow.slot}"
            assert element.get("data-target") == str(flow.target)
            assert "".join(element.itertext()).count(f"{flow.amount:g}")
        elif element.get("data-node") and step.kind == "forward":
            assert element.get("data-node") == str(step.node)
    assert marked(root, "data-step") or view == "river"


def numbers(words):
    return [float(x) for x in re.findall(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?(?![\w.])", words)]


@pytest.mark.parametrize("view", VIEWS)
def test_every_number_is_of_the_trace_or_of_its_paths(view):
    """Counts and ratios are marked as such; all else is in the JSON that the page plays."""
    pass_ = trace(parse("p = a*b; q = p - c; L = q*a/4", {"a": 3, "b": 5, "c": 7}))
    names = pass_.graph.names
    document = [pass_.to_json(), [found.to_json(names) for found in paths(pass_, 6).values()]]
    known = {float(x) for x in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", json.dumps(document))}
    known |= {-x for x in known}
    for element in tree(VIEWS[view](pass_)).iter(f"{SVG}text"):
        if "counter" not in element.get("class", "").split():
            shown = [x for words in element.itertext() for x in numbers(words)]
            assert set(shown) <= known, "".join(element.itertext())


HOSTILE = "</text><script>alert(1)</script>\"'&]]>\x1b[31m\u202e"


@pytest.mark.parametrize("view", VIEWS)
def test_a_label_is_text_whatever_is_in_it(view):
    a, b = Value(2.0, label=HOSTILE), Value(3.0, label="{0}")
    loss = a * b + a
    loss.label = "<b>&amp;"
    svg = VIEWS[view](trace(loss)).svg()
    root = ElementTree.fromstring(svg)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= {
        "svg", "title", "desc", "style", "g", "rect", "circle", "path", "text", "tspan",
    }  # fmt: skip
    assert "\x1b" not in svg
    assert "\u202e" not in svg
    assert "<b>&amp;" in " ".join(root.itertext())
    for attribute in {name for e in root.iter() for name in e.attrib}:
        assert not attribute.startswith("on")


AWKWARD = {
    "no gradient": lambda: trace(Value(2.0, requires_grad=False) * 3.0),
    "an input alone": lambda: trace(Value(2.0, label="a")),
    "a constant alone": lambda: trace(Graph([Node(CONSTANT, (), "", 2.0)])),
    "one input": lambda: trace(parse("y = -a", {"a": 1.0})),
    "infinite": lambda: trace(parse("y = log(a) + sqrt(b)*c - d", {"a": 0.0, "b": 0.0, "c": -1.0, "d": 1.0})),
    "undefined": lambda: trace(parse("y = a*b + c", {"a": nan, "b": 1.0, "c": inf})),
    "all zero": lambda: trace(parse("y = a*b*0", {"a": 0.0, "b": 0.0})),
    "cancelled": lambda: trace(parse("y = a - a", {"a": 5.0})),
    "huge": lambda: trace(parse("y = a*b + a*c", {"a": 1e308, "b": 1e308, "c": -1e308})),
    "tiny": lambda: trace(parse("y = a*b", {"a": 5e-324, "b": 1.0})),
    "not reached": lambda: trace(parse("y = where(0, a*b, c)", {"a": 1.0, "b": 2.0, "c": 3.0})),
    "unused": lambda: trace(Graph([Node(INPUT, (), "a", 1.0), Node(INPUT, (), "b", 2.0), Node("neg", (0,))])),
    "one node twice": lambda: trace(parse("y = a*a", {"a": 3.0})),
    "overwritten": lambda: classic(accumulate=lambda before, amount: amount),
    "walked otherwise": lambda: classic(order=(6, 4, 5, 3)),
    "seeded": lambda: classic(seed=-0.5),
    "long names": lambda: trace(long_names()),
    "wide letters": lambda: trace(Value(2.0, label="勾配" * 12) * Value(3.0, label="データ")),
}


def long_names():
    a, b = (Value(x, label=letter * 60) for letter, x in (("a", 2.0), ("b", 3.0)))
    loss = (a * b) * a
    loss.label = "L" * 60
    return loss


def flaws(drawing):
    size, things = placed(drawing.svg())
    return overlaps(things) + outside(size, things) + crossed(things)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("case", AWKWARD)
@pytest.mark.parametrize("view", VIEWS)
def test_awkward_passes_are_drawn_without_a_flaw(view, case, lang):
    with speaking(lang):
        drawing = VIEWS[view](AWKWARD[case]())
    assert flaws(drawing) == []
    assert drawing.title
    assert drawing.words


@pytest.mark.parametrize("start", range(0, 100, 25))
def test_random_graphs_are_drawn_without_a_flaw(start):
    for number in range(start, start + 25):
        pass_ = trace(random_graph(number), seed=random_seed(number))
        for view, draw in VIEWS.items():
            assert flaws(draw(pass_)) == [], (number, view)


def test_every_broken_pass_of_the_catalogue_is_drawn_without_a_flaw():
    """On the graph that shows it best: some walk a node twice, some lose the output, some never end."""
    for fault in FAULTS.values():
        for suspect in fault.suspects(fault.graph):
            try:
                pass_ = trace(fault.graph, pieces=suspect.pieces())
            except WalkTooLongError:
                continue
            for view, draw in VIEWS.items():
                assert flaws(draw(pass_)) == [], (suspect, view)


def moved(svg, words, dx, dy):
    """The same drawing with one text moved."""
    root = ElementTree.fromstring(svg)
    text = next(e for e in root.iter(f"{SVG}text") if "".join(e.itertext()) == words)
    text.set("x", str(float(text.get("x")) + dx))
    text.set("y", str(float(text.get("y")) + dy))
    return ElementTree.tostring(root, encoding="unicode")


def test_a_planted_overlap_is_seen():
    svg = thermometer.draw(classic()).svg()
    size, things = placed(moved(svg, "raising c lowers L", 8, 20))
    assert overlaps(things) == ["'raising c lowers L' and 'c moves L 3 times as much as a' overlap"]
    size, things = placed(moved(svg, "raising c lowers L", -200, 0))
    assert any("is on a bar" in flaw for flaw in overlaps(things))
    size, things = placed(moved(svg, "raising c lowers L", 200, 0))
    assert outside(size, things) == ["'raising c lowers L' is outside"]


def test_a_planted_ribbon_across_a_box_is_seen():
    drawing = river.draw(classic())
    size, things = placed(drawing.svg())
    assert crossed(things) == []
    band = f'<path class="ribbon data" d="{outline([(10, 0), (size[0] - 10, size[1])], 5)}"/>'
    _, things = placed(drawing.svg().replace("</svg>", band + "</svg>"))
    assert crossed(things) != []


# ---- large graphs -------------------------------------------------------------------------------


def wide(count):
    nodes = [Node(INPUT, (), f"w{i}", 0.5 + i) for i in range(count // 2)]
    nodes += [Node("mul", (i, 0)) for i in range(count // 2)]
    return Graph([*nodes, Node("sum", tuple(range(count // 2, len(nodes))))])


@pytest.mark.parametrize("graph", [deep(10_000), wide(10_000)], ids=["deep", "wide"])
@pytest.mark.parametrize("view", VIEWS)
def test_ten_thousand_nodes_are_drawn_within_a_second(view, graph):
    pass_ = trace(graph)
    spent = []
    for _ in range(2):  # seconds of a processor are longer beside other work: the better of two
        start = process_time()
        drawing = VIEWS[view](pass_)
        spent.append(process_time() - start)
        if spent[-1] < 1.0:
            break
    assert min(spent) < 1.0
    assert flaws(drawing) == []
    assert len(drawing.svg()) < 150_000


def test_one_node_thousands_of_times_in_one_op_is_drawn_within_two_seconds():
    pass_ = trace(Graph([Node(INPUT, (), "a", 1.0), Node("sum", (0,) * 3000)]))
    start = process_time()
    drawing = river.draw(pass_)
    assert process_time() - start < 2.0
    assert len(marked(tree(drawing), "data-edge")) == 3000
