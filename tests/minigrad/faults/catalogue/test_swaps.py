"""A fault is swapped into any pass, broken ones among them: what it does not break, it leaves as it was."""

from __future__ import annotations

from math import inf

import pytest

from minigrad import Graph, parse, trace
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.catalogue import traversal
from minigrad.faults.catalogue.traversal import WalkTooLongError
from minigrad.graph import CONSTANT, CUSTOM, INPUT, Node
from minigrad.graph.trace import RIGHT, Flow, Pieces, Walk
from specimens import SOURCE, Specimen

A, B = Node(INPUT, (), "a", 3.0), Node(INPUT, (), "b", 2.0)


def pieces_of(*named: str) -> Pieces:
    """The right pass with these faults in it, each swapped into what the ones before have made of it."""
    pieces = RIGHT
    for slug, _, variant in (text.partition(" ") for text in named):
        pieces = Suspect(FAULTS[slug], variant).pieces(pieces)
    return pieces


def gradients(graph: Graph | str, *named: str) -> dict[str, float]:
    graph = parse(graph) if isinstance(graph, str) else graph
    return trace(graph, pieces=pieces_of(*named)).gradients


# ---- what a piece is handed -------------------------------------------------------------------------


def whole(walk: Walk) -> None:
    assert isinstance(walk.pieces, Pieces)
    assert len(walk.values) == len(walk.live) == len(walk.grads) == len(walk.graph)


class WatchedError(Exception):
    """A piece of the right pass was handed what no pass hands it."""


def watched(asked: set[str]) -> Pieces:
    """The right pass, whose pieces look at everything that they are handed."""

    def of(name: str, look):
        def piece(*handed):
            asked.add(name)
            try:
                look(*handed)
            except (AssertionError, AttributeError, TypeError) as error:
                raise WatchedError(name, handed) from error
            return getattr(RIGHT, name)(*handed)

        return piece

    def edge(walk, source, slot, *_numbers):
        whole(walk)
        assert walk.live[walk.graph.nodes[source].args[slot]]

    def arrival(walk, source, slot, target, amount):
        edge(walk, source, slot)
        assert walk.graph.nodes[source].args[slot] == target
        assert isinstance(amount, float)

    def node(walk, i):
        whole(walk)
        assert walk.graph.nodes[i]

    return Pieces(
        record=of("record", len),
        forward=of("forward", lambda graph, inputs: [inputs.get(name) for name in graph.names]),
        start=of("start", whole),
        seed=of("seed", lambda walk, seed: whole(walk) or seed + 1.0),
        order=of("order", lambda walk, asked: [walk.live[i] for i in asked]),
        closure=of("closure", node),
        rule=of("rule", node),
        message=of("message", lambda walk, source, slot, local, up: edge(walk, source, slot) or local + up),
        accumulate=of("accumulate", arrival),
        finish=of("finish", whole),
    )


@pytest.mark.parametrize("slug", FAULTS)
def test_a_fault_hands_on_what_it_is_handed(slug):
    fault = FAULTS[slug]
    texts = (fault.smallest, "a = -3; b = a*a; c = b + a; d = relu(c); e = d - a; f = b*e; g = exp(a); f + g")
    for graph in map(parse, texts):
        for suspect in fault.suspects(graph):
            asked: set[str] = set()
            passed = trace(graph, pieces=suspect.pieces(watched(asked)))
            alone = trace(graph, pieces=suspect.pieces())
            assert str((passed.grads, passed.events)) == str((alone.grads, alone.events))  # NaN is NaN
            assert len(asked) >= 5


def test_what_no_pass_hands_on_is_seen():
    pieces = watched(set())
    forgetful = pieces._replace(finish=lambda walk: pieces.finish(None))
    with pytest.raises(WatchedError, match="finish"):
        trace(parse("a = 3; -a"), pieces=forgetful)


# ---- two at once, by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        # all gradients start at 1, the inputs' too: 1 - 1, and 1 + 0 - 1 in a second step
        ("a = 3; -a", ["grads-start-at-one"], 0.0),
        (
            "a = 3; -a",
            ["grads-start-at-one", "default-arguments-outlive"],
            -1.0,
        ),  # the old graph's -1 as well
        # the inputs are doubled before the pass, the constant is not, nor what was computed from them
        ("a = 3; 2*a", ["stale-data"], 2.0),
        ("a = 3; b = 2*a; a*b", ["stale-data"], 18.0),  # 6 + 2*6
        # its rule reads gradients, and they are those of the pass: 1 * 0 and 1 * 1
        ("a = 3; a*a", ["grad-for-data", "stale-data"], 0.0),
        ("a = 3; b = 3; a*b", ["zero-grad-too-late", "equal-leaves-merged"], 0.0),
    ],
)
def test_what_is_left_of_a_pass(text, named, expected):
    assert gradients(text, *named)["a"] == expected


def test_what_starts_at_one_is_kept_in_every_step():
    """1 - 1 is left by the first step; the second begins with 1 and that 0, and takes 1 away."""
    pieces = Suspect(FAULTS["no-zero-grad"], 2).pieces(pieces_of("grads-start-at-one"))
    assert trace(parse("a = 3; -a"), pieces=pieces).gradients == {"a": 0.0}


@pytest.mark.parametrize(
    "text",
    [
        "a = 3; b = a*a; c = exp(a); b + c",
        "a = 3; c = exp(a); b = a*a; b + c",
        "a = 0.5; b = a*a; c = exp(b); d = b*a; c - d",
        "a = 0.5; b = exp(a); c = b*a; d = exp(c); d*c",
    ],
)
def test_closures_of_two_ops_hang_on_their_inputs(text):
    """The one that was made last is the one that hangs there, whichever mistake was swapped in first."""
    usual = "    out.closure = lambda: send(out)\n"
    both = '    (operands[0] if op in ("mul", "exp") else out).closure = lambda: send(out)\n'
    graph, specimen = parse(text), Specimen(SOURCE.replace(usual, both))
    for named in (["mul", "exp"], ["exp", "mul"]):
        pieces = pieces_of(*(f"closure-on-input {op}" for op in named))
        passed = trace(graph, pieces=pieces, order=Specimen().order(graph))
        assert passed.gradients == pytest.approx(specimen.run(graph).gradients)


# ---- graphs that a text has not ---------------------------------------------------------------------


def test_a_closure_that_no_gradient_reaches_sends_nothing():
    """It hangs on a, over that of the product, and belongs to a node that the output does not depend on."""
    graph = Graph([A, Node("mul", (0, 0)), Node("neg", (1,)), Node("mul", (0, 0))], output=2)
    passed = trace(graph, pieces=pieces_of("closure-on-input mul"))
    assert [event.source for event in passed.events if isinstance(event, Flow)] == [2]
    assert passed.gradients == {"a": 0.0}


def test_an_op_of_somebodys_own_has_no_other_ops_rule():
    nodes = [A, Node("neg", (0,)), Node(CUSTOM, (0,), "", 7.0, (2.0,)), Node("add", (1, 2))]
    assert gradients(Graph(nodes), "op-on-operand") == {"a": 1.0}  # -1 and 2, as without the mistake
    nodes[1:3] = nodes[2:0:-1]
    assert gradients(Graph(nodes), "op-on-operand") == {"a": 1.0}


def test_a_leaf_that_comes_later_is_not_there_to_be_merged():
    """3*b is computed before there is an a of 3; a*b, behind it, is not the output."""
    nodes = [Node(CONSTANT, (), "", 3.0), B, Node("mul", (0, 1)), A, Node("add", (2, 3)), Node("mul", (3, 1))]
    assert gradients(Graph(nodes, output=4), "equal-leaves-merged") == {"b": 3.0, "a": 1.0}


def test_a_walk_by_content_has_the_turns_of_the_right_one():
    """Leaves have no turn, nor has what is computed from constants."""
    graph = parse("a = 5; k = 2*3; L = a*k")
    assert trace(graph, pieces=pieces_of("hash-by-content")).order == (graph.output,)


def test_an_array_that_is_replaced_is_no_longer_shared():
    """s hands its array, which holds 0, to a and b; t hands another one to a; what b gets, a does not."""
    graph = parse("a=3; b=5; c=1; z=0; m=b*b; t=a+c; s=a+b; k=s*z; u=k+t; L=u+m")
    assert gradients(graph, "aliased-upstream") == {"a": 1.0, "b": 10.0, "c": 1.0, "z": 8.0}


def test_what_is_no_number_is_rounded_to_none():
    """A choice sends nothing to what was not chosen, in float32 as well."""
    passed = trace(parse("a = 3; b = 2; c = 1; where(c, a, b)"), pieces=pieces_of("float32"))
    assert passed.gradients == {"a": 1.0, "b": 0.0, "c": 0.0}


def test_an_exponent_without_end_is_no_integer():
    assert gradients("a = inf; b = 2; b**a", "pow-integer-exponent") == {"a": inf, "b": inf}


# ---- walks that do not end --------------------------------------------------------------------------


@pytest.mark.parametrize(("longest", "turns"), [(1, 88), (88, 88), (100, 100)])
def test_a_walk_is_given_up_after_four_turns_for_each_node(monkeypatch, longest, turns):
    """Or after more, where the graph is small: here it has 22 nodes."""
    monkeypatch.setattr(traversal, "LONGEST", longest)
    text = "a = 1; b0 = a + a; " + "; ".join(f"b{i + 1} = b{i} + b{i}" for i in range(20))
    walk = pieces_of("recursion").begin(parse(text))
    walked = walk.pieces.order(walk, ())
    taken: list[int] = []
    with pytest.raises(WalkTooLongError):
        taken.extend(walked)
    assert len(taken) == turns
