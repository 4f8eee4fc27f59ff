"""The numbers that the project's source documents state, through the API and the command line.

Every expected number here was worked out by hand in those documents.
"""

import json
import subprocess
import sys

import pytest

import minigrad
from minigrad import Graph, Value, parse, trace
from minigrad.cli import main
from source_trees import ROOT

pytestmark = pytest.mark.both_engines

# text, inputs, every node's data, every node's gradient
FACTS = {
    "the two-branch graph": (
        "c = a*b; d = a + b; e = c + d",
        {"a": 2, "b": -3},
        {"c": -6, "d": -1, "e": -7},
        {"a": -2, "b": 3, "c": 1, "d": 1, "e": 1},
    ),
    "the diamond": (
        "ab = a*b; e = ab + c; f = a - c; L = e*f",
        {"a": 2, "b": 3, "c": 4},
        {"ab": 6, "e": 10, "f": -2, "L": -20},
        {"a": 4, "b": -4, "c": -12, "e": -2, "f": 10, "ab": -2, "L": 1},
    ),
    "a + a": ("L = a + a", {"a": 7}, {"L": 14}, {"a": 2}),
    "the relu walk": (
        "c = a*b; e = c + d; f = relu(e)",
        {"a": 2, "b": -3, "d": 10},
        {"c": -6, "e": 4, "f": 4},
        {"a": -3, "b": 2, "c": 1, "d": 1, "e": 1, "f": 1},
    ),
    "the linear one": ("z = x*y", {"x": 3, "y": 5}, {"z": 15}, {"x": 5, "y": 3}),
}  # fmt: skip
each_fact = pytest.mark.parametrize("fact", FACTS.values(), ids=FACTS)


@each_fact
def test_a_trace_of_the_text_gives_the_documented_numbers(fact):
    text, inputs, data, grads = fact
    graph = parse(text, inputs)
    pass_ = trace(graph)
    assert {name: pass_.values[graph.index(name)] for name in data} == data
    assert {name: pass_.grads[graph.index(name)] for name in grads} == grads


@each_fact
def test_values_in_python_give_the_documented_numbers(fact):
    text, inputs, data, grads = fact
    names = {name: Value(x, label=name) for name, x in inputs.items()}
    for statement in text.split("; "):
        name, expression = statement.split(" = ")
        names[name] = eval(expression, {"relu": lambda v: v.relu()}, names)
    names[name].backward()
    assert {name: names[name].data for name in data} == data
    assert {name: names[name].grad for name in grads} == grads


@each_fact
@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_command_gives_the_documented_numbers(fact, lang, capsys):
    text, inputs, data, grads = fact
    words = [f"{name}={x}" for name, x in inputs.items()]
    assert main(["explain", text, *words, "--json", "--lang", lang]) == 0
    document = json.loads(capsys.readouterr().out)
    nodes = {node["name"]: node for node in document["nodes"]}
    assert {name: nodes[name]["data"] for name in data} == data
    assert {name: nodes[name]["grad"] for name in grads} == grads
    assert document["gradients"] == {name: grads[name] for name in inputs}
    assert document["check"]["right"]


def test_the_ledgers_of_the_documents(capsys):
    """a = 10 via f and -6 via ab; c = -10 via f and -2 via e; and the two-branch graph's."""
    main(["explain", FACTS["the diamond"][0], "a=2", "b=3", "c=4", "--view", "ledger"])
    out = capsys.readouterr().out
    assert "a: 4 = 10 via f - 6 via ab" in out
    assert "c: -12 = -10 via f - 2 via e" in out
    main(["explain", FACTS["the two-branch graph"][0], "a=2", "b=-3", "--view", "ledger"])
    out = capsys.readouterr().out
    assert "a: -2 = -3 via c + 1 via d" in out
    assert "b: 3 = 2 via c + 1 via d" in out


def test_the_walk_shows_each_running_total_of_the_documents(capsys):
    main(["explain", FACTS["the diamond"][0], "a=2", "b=3", "c=4", "--view", "order,walk"])
    out = capsys.readouterr().out
    assert "L, f, e, ab, c, b, a" in out
    for total in ("e: 0 -> -2", "f: 0 -> 10", "a: 0 -> 10", "c: 0 -> -10"):
        assert total in out
    for total in ("ab: 0 -> -2", "c: -10 -> -12", "a: 10 -> 4", "b: 0 -> -4"):
        assert total in out


def test_the_central_difference_for_a_is_four():
    finding, *_ = minigrad.explain(FACTS["the diamond"][0], a=2, b=3, c=4).testimony.findings
    assert finding.name == "a"
    assert finding.witness == pytest.approx(4, abs=1e-9)


@pytest.mark.parametrize("point", [(2, 3, 4), (-1.5, 0.25, 3), (0, 0, 0), (1e3, -7, 0.1)])
def test_the_challenge_expression_agrees_with_pytorch(point):
    import torch

    def expression(a, b, c):
        return (a * b + c) * (a + b)

    ours = [Value(x) for x in point]
    expression(*ours).backward()
    theirs = [torch.tensor(float(x), dtype=torch.float64, requires_grad=True) for x in point]
    expression(*theirs).backward()
    assert [v.grad for v in ours] == [t.grad.item() for t in theirs]


@pytest.mark.parametrize("lang", ["en", "es"])
def test_the_command_gives_pytorchs_numbers_for_the_challenge_expression(lang, capsys):
    import torch

    theirs = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in (2.0, 3.0, 4.0)]
    a, b, c = theirs
    ((a * b + c) * (a + b)).backward()
    assert main(["explain", "(a*b + c) * (a + b)", "a=2", "b=3", "c=4", "--json", "--lang", lang]) == 0
    gradients = json.loads(capsys.readouterr().out)["gradients"]
    assert list(gradients.values()) == [t.grad.item() for t in theirs]


def overwrite(before, amount):
    return amount


def outcomes(text, **inputs):
    """What `=` in place of `+=` gives, for each valid order."""
    graph = parse(text, inputs)
    found = {}
    for order in graph.orders():
        gradients = trace(graph, order=order, accumulate=overwrite).gradients
        found[" ".join(graph.names[i] for i in order)] = tuple(gradients.values())
    return found


def test_overwriting_gives_another_wrong_answer_for_each_order_of_the_diamond():
    assert outcomes(FACTS["the diamond"][0], a=2, b=3, c=4) == {
        "L f e ab": (-6, -4, -2),
        "L e f ab": (-6, -4, -10),
        "L e ab f": (10, -4, -10),
    }


def test_overwriting_loses_one_branch_of_the_two_branch_graph():
    assert outcomes(FACTS["the two-branch graph"][0], a=2, b=-3) == {"e d c": (-3, 2), "e c d": (1, 1)}


def test_a_pass_walked_by_hand_gives_the_documented_numbers():
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    ab = a * b
    e = ab + c
    f = a - c
    L = e * f  # noqa: N806 the documents' name
    L.grad = 1.0
    for node in (L, f, e, ab):
        node._backward()
    assert (a.grad, b.grad, c.grad) == (4, -4, -12)


SEED_COMMANDS = {
    "the diamond": """
from src.minigrad.scalar import Value
a = Value(2.0, label='a')
b = Value(3.0, label='b')
c = Value(4.0, label='c')
L = (a * b + c) * (a - c)
L.backward()
print(f'a.grad = {a.grad}', f'b.grad = {b.grad}', f'c.grad = {c.grad}')
""",
    "the linear chain": """
from src.minigrad.scalar import Value
x = Value(3.0)
y = Value(5.0)
z = x * y
z.backward()
print(f'x.grad = {x.grad}', f'y.grad = {y.grad}')
""",
}
SEED_OUTPUT = {
    "the diamond": "a.grad = 4.0 b.grad = -4.0 c.grad = -12.0",
    "the linear chain": "x.grad = 5.0 y.grad = 3.0",
}


@pytest.mark.parametrize("which", SEED_COMMANDS)
def test_the_documents_own_commands_run_from_the_root(which):
    run = subprocess.run(
        [sys.executable, "-c", SEED_COMMANDS[which]], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == SEED_OUTPUT[which]


def test_the_classic_expression_has_seven_nodes_however_it_is_written():
    assert len(parse("(a*b + c) * (a - c)", {"a": 2, "b": 3, "c": 4})) == 7
    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    assert len(Graph.of((a * b + c) * (a - c))) == 7
