"""The catalogue of faults: what a row says, that it shows, and that its pass is its change of the specimen.

The passes are held against a program: the text of `specimen.py` with the row's change made to it is run,
and must give the numbers that the pass with the piece swapped gives, on the row's own graph and on
random ones.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from minigrad import Graph
from minigrad.faults import FAULTS, Fault, Suspect
from minigrad.faults.catalogue.row_builders import evaluated, forward_change, local_change
from minigrad.graph import CONSTANT, CUSTOM, INPUT, Node
from minigrad.graph.trace import Flow, Pieces, Trace, trace
from minigrad.language import parse
from minigrad.ops import OPS
from random_graphs import random_graph
from specimens import SOURCE, Specimen

WHOLE = Specimen()
ARITHMETIC = ("add", "sub", "mul", "div", "neg", "pow")
LINEAR = ("add", "sub", "mul", "neg", "sum")

# Ops whose formula reads the output in the table and the inputs in the specimen, that say NaN outside their
# domain in one alone, or that leave out an argument, and the faults that can tell: they give a rule numbers
# that are not its own.
READS_OTHERWISE = (
    "div", "tanh", "sigmoid", "silu", "reciprocal", "logsumexp", "log", "log2", "log10", "log1p",
    "clamp", "leaky_relu", "dot",
)  # fmt: skip
READING = ("stale-data", "op-on-operand")

GRAPHS = 24  # random graphs for each fault, and more, up to
MOST = 400  # so many, until
ENOUGH = 5  # of its comparisons have come about
VARIANTS = 6  # of a fault that are compared on one graph
CLOSE = 1e-9
CLOSE_IN = {"float32": 2e-5}  # its roundings are those of the formula, and the specimen has other formulas
OF_ONE_OP = ("rule", "reflected", "forward")  # families
RAISED = (ZeroDivisionError, OverflowError, ValueError)  # where Python stops and IEEE arithmetic goes on

faults = pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())


# ---- numbers that are compared --------------------------------------------------------------------


def same(x: float, y: float, scale: float = 0.0, close: float = CLOSE) -> bool:
    """Equal but for roundings of numbers of this size; NaN equals NaN."""
    if math.isnan(x) or math.isnan(y):
        return math.isnan(x) and math.isnan(y)
    return x == y or abs(x - y) <= close * max(abs(x), abs(y), scale)


def size(passed: Trace) -> float:
    """The largest number that is added up on the way: what cancels is known only so well."""
    sizes = [abs(event.amount) for event in passed.events if hasattr(event, "amount")]
    return max((x for x in sizes if math.isfinite(x)), default=0.0)


def ran(specimen: Specimen, graph: Graph):
    """What the specimen says; None where Python raises, or goes on with complex numbers."""
    try:
        run = specimen.run(graph)
    except RAISED:
        return None
    except TypeError as refusal:
        if "complex" in str(refusal):
            return None
        raise
    return None if any(isinstance(x, complex) for x in (run.value, *run.gradients.values())) else run


def differences(suspect: Suspect, graph: Graph, specimen: Specimen | None = None) -> list[str] | None:
    """Where the pass and the text disagree; None where they cannot be compared."""
    run = ran(specimen or Specimen.with_fault(suspect, graph), graph)
    if run is None:
        return None
    passed = trace(graph, pieces=suspect.pieces(), order=WHOLE.order(graph))
    close = CLOSE_IN.get(suspect.fault.slug, CLOSE)
    return [
        f"{suspect.fault.slug} ({suspect.what(graph)}), {name}: "
        f"the text gives {run.gradients[name]!r}, the pass {grad!r}"
        for name, grad in passed.gradients.items()
        if not same(run.gradients[name], grad, size(passed), close)
    ]


@cache
def graph_over(number: int, ops: tuple[str, ...]) -> Graph:
    return random_graph(number, ops)


def with_equal_leaves(graph: Graph) -> Graph:
    """The same graph at few numbers, so that some are met more than once."""
    nodes = [
        node if node.args else node._replace(data=float((i + 1) % 3 - 1 or 2))
        for i, node in enumerate(graph.nodes)
    ]
    return Graph(nodes, graph.output)


def graphs_for(fault: Fault) -> Iterator[Graph]:
    """Its own graph, the same at other numbers, and random ones, on most of which it can break something."""
    yield fault.graph
    for factor in (-1.0, 0.25, 1.5, 100.0):
        yield Graph([n if n.data is None else n._replace(data=n.data * factor) for n in fault.graph.nodes])
    yield Graph([n if n.op != INPUT else n._replace(data=2.0) for n in fault.graph.nodes])  # a tie
    own = tuple(dict.fromkeys(node.op for node in fault.graph.nodes if node.op in OPS))
    mixtures = ((*ARITHMETIC, *own), tuple(sorted(WHOLE.ops)), (*own, "add", "mul"), LINEAR)
    unfit = READS_OTHERWISE if fault.slug in READING else ()
    for number in range(MOST):
        ops = mixtures[number % len(mixtures)]
        graph = graph_over(number, tuple(op for op in ops if op not in unfit))
        yield with_equal_leaves(graph) if ops is LINEAR else graph


def comparable(suspect: Suspect, graph: Graph) -> bool:
    """A closure that hangs on a constant is run where the constant stands, and a pass has no such place."""
    if suspect.fault.slug != "closure-on-input":
        return True
    return not any(
        node.op == suspect.variant and graph.nodes[node.args[0]].op == CONSTANT for node in graph.nodes
    )


# ---- the specimen ---------------------------------------------------------------------------------


def test_the_specimen_as_it_stands_is_right():
    for number in range(200):
        graph = random_graph(number, sorted(WHOLE.ops))
        run, right = WHOLE.run(graph), trace(graph)
        assert same(run.value, right.values[graph.output])
        for name, grad in right.gradients.items():
            assert same(run.gradients[name], grad, size(right)), (number, name)


def test_the_specimen_walks_a_valid_order():
    for number in range(20):
        graph = random_graph(number, sorted(WHOLE.ops))
        order = [i for i in WHOLE.order(graph) if graph.active[i]]
        graph.refuse_invalid(order)


def test_every_op_of_the_specimen_has_a_rule_and_is_in_the_table():
    assert WHOLE.ops == frozenset(WHOLE.names["LOCALS"])
    assert WHOLE.ops <= OPS.keys()


# ---- what a row says ------------------------------------------------------------------------------


def test_there_are_at_least_sixty_faults():
    assert len(FAULTS) >= 60


@faults
def test_a_row_says_what_it_must(fault):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault.slug)
    assert fault.piece in Pieces._fields
    for texts in (fault.name, fault.story):
        english, spanish = texts
        assert english != spanish
        assert english == english.strip()
        assert spanish == spanish.strip()
        assert "\n" not in english + spanish
        assert english.count("{what}") == spanish.count("{what}")
    assert "{" not in fault.name[0].replace("{what}", "")
    assert not fault.case or re.fullmatch(r"[\w.-]+(/[\w.-]+)?#\d+", fault.case)
    assert 0 <= fault.seen <= 191


def test_no_two_rows_have_the_same_name_or_story():
    for field in ("name", "story"):
        for language in (0, 1):
            texts = [getattr(fault, field)[language] for fault in FAULTS.values()]
            assert len(set(texts)) == len(texts)


# ---- the pass and the text ------------------------------------------------------------------------


def shows(suspect: Suspect, graph: Graph) -> bool:
    right, broken = trace(graph), trace(graph, pieces=suspect.pieces())
    if not same(right.values[graph.output], broken.values[graph.output]):
        return True
    return any(not same(grad, broken.gradients[name]) for name, grad in right.gradients.items())


@faults
def test_a_fault_shows_on_its_smallest_graph(fault):
    assert len(fault.graph) <= 6
    assert fault.sample, "it has no variant on its own graph"
    assert any(shows(Suspect(fault, variant), fault.graph) for variant in fault.sample)


@faults
def test_the_pass_is_the_change_of_the_specimen(fault):
    compared = 0
    for count, graph in enumerate(graphs_for(fault)):
        if count > GRAPHS and compared >= ENOUGH:
            break
        for suspect in fault.suspects(graph)[:VARIANTS]:
            found = differences(suspect, graph) if comparable(suspect, graph) else None
            if found is not None:
                assert found == []
                compared += 1
    assert compared >= ENOUGH


def test_a_change_that_says_something_else_is_seen():
    """The test above must fail where the text and the pass are two different mistakes."""
    fault = FAULTS["sub-sign"]
    line = '    "sub": lambda y, a, b: ({}),\n'
    liar = replace(fault, change=((line.format("1, -1"), line.format("-1, 1")),))
    assert differences(Suspect(fault), fault.graph) == []
    assert differences(Suspect(liar), fault.graph) == ["sub-sign (), a: the text gives -1.0, the pass 1.0"]


def test_a_passage_that_is_not_in_the_specimen_is_refused():
    absent = replace(FAULTS["sub-sign"], change=(("no such passage", ""),))
    with pytest.raises(RuntimeError, match="has 0 passages"):
        absent.broken(SOURCE, "")


def test_an_op_that_is_not_in_the_specimen_is_refused():
    for change in (local_change, forward_change):
        with pytest.raises(RuntimeError, match=r"^the specimen has no line like '.*arcsinh"):
            change("arcsinh", "(1,)")


def test_a_forward_pass_goes_by_what_it_is_not_about():
    """An op of somebody's own has the value that was recorded; leaves are stored as the fault stores them."""
    graph = Graph([Node(INPUT, (), "a", 3.0), Node(CUSTOM, (0,), "", 7.0, (2.0,)), Node("mul", (1, 0))])
    assert evaluated(graph, {"a": 4.5}, {"mul": lambda x, y: x - y}, store=math.floor) == [4, 7.0, 3.0]
    assert evaluated(graph, {}, {}) == [3.0, 7.0, 21.0]
    unknown = Graph([Node(INPUT, (), "a", 3.0), Node(CUSTOM, (0,), "", None, (2.0,))])
    assert evaluated(unknown, {}, {}) == [3.0, 0.0]


def test_every_number_of_a_pass_in_float32_is_one():
    """Values, local derivatives, messages and sums; what is too large for one is infinite, as in C."""
    graph = parse("a = 0.1; b = 0.3; c = tanh(a*b); d = c + a; L = d*b + d/b")
    passed = trace(graph, pieces=Suspect(FAULTS["float32"]).pieces())
    numbers = [*passed.values, *passed.grads]
    for event in passed.events:
        numbers += [event.local, event.amount, event.after] if isinstance(event, Flow) else [event.grad]
    assert [x for x in numbers if x != struct.unpack("f", struct.pack("f", x))[0]] == []
    for data in (1e39, -1e39):
        large = trace(parse("-a", {"a": data}), pieces=Suspect(FAULTS["float32"]).pieces())
        assert large.values == (math.copysign(math.inf, data), math.copysign(math.inf, -data))


@faults
def test_the_change_can_be_seen_in_the_text(fault):
    for variant in fault.sample:
        text = fault.broken(SOURCE, Suspect(fault, variant).what(fault.graph))
        assert text != SOURCE
        assert "{what}" not in text


# ---- in a search ----------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [f for f in FAULTS.values() if f.family in OF_ONE_OP], ids=lambda f: f.slug)
def test_a_fault_of_one_op_is_no_suspect_where_the_op_is_not(fault):
    """That is what keeps a search short."""
    other = next(op for op in ("arcsinh", "cbrt") if op not in (node.op for node in fault.graph.nodes))
    assert fault.suspects(fault.graph)
    assert fault.suspects(parse(f"a = 2; {other}(a)")) == []


@faults
def test_no_number_stops_a_broken_pass(fault):
    """IEEE arithmetic goes on where Python raises, and a search must not end at a zero."""
    for data in (0.0, -0.0, -1.0, 1e-200, 1e200, math.inf, -math.inf, math.nan):
        nodes = [n if n.op != INPUT else n._replace(data=data) for n in fault.graph.nodes]
        graph = Graph(nodes, fault.graph.output)
        for suspect in fault.suspects(graph):
            passed = trace(graph, pieces=suspect.pieces())
            assert all(isinstance(grad, float) for grad in passed.gradients.values())


def test_two_faults_can_be_in_one_pass():
    """Each is swapped into the pass that has the other; what neither touches stays as it was."""
    graph = parse("a = 3; b = 2; c = a - b; c*c + -a")
    assert trace(graph).gradients == {"a": 1.0, "b": -2.0}
    both = Suspect(FAULTS["sub-sign"]).pieces(Suspect(FAULTS["neg-sign"]).pieces())
    assert trace(graph, pieces=both).gradients == {"a": 3.0, "b": 2.0}
    for slug in ("mul-as-add", "reflected-sub", "tanh-overflow", "float32", "relu-by-upstream"):
        one = Suspect(FAULTS[slug]).pieces()
        assert trace(graph, pieces=Suspect(FAULTS["sub-sign"]).pieces(one)) != trace(graph, pieces=one)


# ---- numbers by hand ------------------------------------------------------------------------------

BY_HAND = {  # what a person gets with pencil and paper on the smallest graph: right, and with the mistake
    "sub-sign": ({"a": 1, "b": -1}, {"a": 1, "b": 1}),
    "neg-sign": ({"a": -1}, {"a": 1}),
    "mul-own-factor": ({"a": 2, "b": 3}, {"a": 3, "b": 2}),
    "mul-as-add": ({"a": 2, "b": 3}, {"a": 1, "b": 1}),
    "div-sign": ({"a": 0.5, "b": -0.75}, {"a": 0.5, "b": 0.75}),
    "div-by-b": ({"a": 0.5, "b": -0.75}, {"a": 0.5, "b": -1.5}),
    "div-swapped": ({"a": 0.5, "b": -0.75}, {"a": -0.75, "b": 0.5}),
    "pow-two": ({"a": 12}, {"a": 4}),
    "pow-exponent-kept": ({"a": 12}, {"a": 24}),
    "pow-no-factor": ({"a": 6}, {"a": 3}),
    "pow-integer-exponent": ({"a": 3}, {"a": 1}),
    "pow-as-relu": ({"a": 12}, {"a": 1}),
    "pow-exponent-missing": ({"a": 12, "b": 8 * math.log(2)}, {"a": 12, "b": 0}),
    "pow-exponent-no-log": ({"a": 12, "b": 8 * math.log(2)}, {"a": 12, "b": 8}),
    "pow-exponent-as-base": ({"a": 12, "b": 8 * math.log(2)}, {"a": 12, "b": 6}),
    "exp-without-itself": ({"a": math.e**2}, {"a": 1}),
    "exp-as-power": ({"a": math.e**2}, {"a": 2 * math.e}),
    "log-no-reciprocal": ({"a": 0.5}, {"a": 2}),
    "sqrt-no-half": ({"a": 0.25}, {"a": 0.5}),
    "sqrt-by-input": ({"a": 0.25}, {"a": 0.125}),
    "cos-sign": ({"a": -math.sin(1)}, {"a": math.sin(1)}),
    "cosh-sign": ({"a": math.sinh(1)}, {"a": -math.sinh(1)}),
    "tanh-from-input": ({"a": 1 - math.tanh(2) ** 2}, {"a": -3}),
    "sigmoid-from-input": ({"a": 1 / (2 + math.exp(2) + math.exp(-2))}, {"a": -2}),
    "relu-open": ({"a": 0}, {"a": 1}),
    "relu-by-sign": ({"a": 0}, {"a": -1}),
    "relu-at-zero": ({"a": 0}, {"a": -1}),
    "relu-leaks": ({"a": 0}, {"a": 0.01}),
    "relu-by-upstream": ({"a": -1}, {"a": 0}),
    "max-wrong-side": ({"a": 1, "b": 0}, {"a": 0, "b": 1}),
    "max-tie-to-both": ({"a": 1}, {"a": 2}),
    "mean-no-count": ({"a": 0.5, "b": 0.5}, {"a": 1, "b": 1}),
    "prod-includes-itself": ({"a": 2, "b": 3}, {"a": 6, "b": 6}),
    "softplus-at-zero": ({"a": 0.5}, {"a": 0}),
    "reflected-sub": ({"a": -1}, {"a": 1}),
    "reflected-div": ({"a": -0.125}, {"a": 0.5}),
    "reflected-div-rule": ({"a": -0.125}, {"a": 0.5}),
    "reflected-pow": ({"a": 8 * math.log(2)}, {"a": 6}),
    "reflected-pow-rule": ({"a": 8 * math.log(2)}, {"a": 6}),
    "tanh-overflow": ({"a": 4 * math.exp(-400) * math.exp(-400)}, {"a": math.nan}),
    "softplus-overflow": ({"a": 1}, {"a": math.nan}),
    "logsumexp-overflow": ({"a": 1, "b": 0}, {"a": 0, "b": 0}),
    "expm1-from-output": ({"a": math.exp(-40)}, {"a": 0}),
    "integer-truncation": ({"a": 5}, {"a": 4}),
    "floor-division": ({"a": 3.5, "b": -12.25}, {"a": 3, "b": -10.5}),
    "tanh-is-sigmoid": ({"a": 1 - math.tanh(1) ** 2}, {"a": 1 / (2 + math.e + 1 / math.e)}),
    "sqrt-is-half": ({"a": 0.125}, {"a": 0.5}),
}


@pytest.mark.parametrize(
    ("slug", "text", "grad"),
    [
        ("pow-as-relu", "a = 0; a**3", 0.0),
        ("relu-leaks", "a = 0; relu(a)", 0.01),
        ("relu-inverted", "a = 0; relu(a)", 0.0),
        ("leaky-relu-closed", "a = 0; leaky_relu(a, 0.1)", 0.0),
        ("exp-clamped", "a = 10.5; exp(a)", math.exp(10)),
    ],
)
def test_what_a_rule_gives_at_its_kink(slug, text, grad):
    passed = trace(parse(text), pieces=Suspect(FAULTS[slug]).pieces())
    assert passed.gradients == {"a": pytest.approx(grad)}


@pytest.mark.parametrize("slug", BY_HAND)
def test_the_numbers_are_those_that_a_person_gets(slug):
    fault = FAULTS[slug]
    (right, wrong), pieces = BY_HAND[slug], Suspect(fault).pieces()
    for expected, passed in ((right, trace(fault.graph)), (wrong, trace(fault.graph, pieces=pieces))):
        assert passed.gradients.keys() == expected.keys()
        for name, grad in passed.gradients.items():
            assert same(grad, expected[name]), (name, grad, expected[name])


# ---- what the catalogue has to hold ---------------------------------------------------------------

KINDS = {  # the mistakes that the plan names, and the row of each
    "overwrite": ("overwrite",),
    "overwrite on one op only": ("overwrite-one-op",),
    "accumulate twice": ("accumulate-twice",),
    "a shared node visited again": ("recursion", "stack-revisits", "queue-revisits"),
    "breadth-first, pre-order, forward order": ("breadth-first", "pre-order", "not-reversed"),
    "each branch dropped": ("branch-dropped",),
    "a repeated argument counted once": ("repeated-once",),
    "children in a set": ("children-in-a-set",),
    "no seed, a seed of 0, a seed times n": ("no-seed", "zero-seed", "seed-scaled"),
    "upstream ignored, divided, added": ("upstream-ignored", "upstream-divided", "upstream-added"),
    "data for grad, grad for data": ("data-for-grad", "grad-for-data"),
    "stale intermediates": ("stale-intermediates",),
    "no zero_grad, too much of it": ("no-zero-grad", "zero-grad-too-late", "zero-grad-in-the-loop"),
    "stale data": ("stale-data",),
    "equal leaves merged": ("equal-leaves-merged",),
    "a limit of the fan-out": ("fan-out-limit",),
    "closures": ("closure-on-input", "closure-never-attached"),
    "an op without a rule, or cut": ("op-without-rule", "op-cut-from-graph"),
    "the visited guard": ("guard-misplaced", "visited-flags-outlive", "default-arguments-outlive"),
    "one parent, locals by operand": ("one-parent", "locals-by-operand"),
    "aliasing": ("aliased-upstream",),
    "relu that zeroes what is there": ("relu-zeroes",),
    "signs": ("sub-sign", "neg-sign", "div-sign", "cos-sign", "cosh-sign"),
    "mul": ("mul-own-factor", "mul-as-add"),
    "div": ("div-by-b", "div-swapped"),
    "pow": ("pow-two", "pow-exponent-kept", "pow-exponent-missing", "pow-integer-exponent"),
    "exp": ("exp-without-itself",),
    "input for output": ("tanh-from-input", "sigmoid-from-input"),
    "log": ("log-no-reciprocal",),
    "relu": ("relu-by-sign", "relu-at-zero", "relu-leaks"),
    "max": ("max-wrong-side", "min-wrong-side"),
    "reflected operators": ("reflected-sub", "reflected-div", "reflected-pow"),
    "constants without a slot": ("constants-shift-slots",),
    "overflow": ("tanh-overflow", "sigmoid-overflow", "softplus-overflow", "logsumexp-overflow"),
    "other numbers": ("integer-truncation", "float32"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mistake_has_its_row(kind):
    assert [slug for slug in KINDS[kind] if slug not in FAULTS] == []
