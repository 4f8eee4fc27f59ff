"""One weight of a saved step, explained: its paths, the exact remainder, what checks it, what comes of it.

Counts and paths are worked out here a second time, from the children and local gradients of the Values
themselves; gradients are PyTorch's.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from math import inf, nan, prod

import pytest

from minigrad import Value, cli, no_grad
from minigrad.graph.trace import trace as right_trace
from minigrad.text.page import Page
from minigrad.text.translation import speaking
from minigrad.training import Run, defaults, weight
from minigrad.training.node_places import whereabouts
from minigrad.training.run_file import load, save
from minigrad.training.step_arrays import find_weight, list_arrays
from minigrad.training.weight import explain_weight
from sentences import sentence

NAMES = ["emma", "olivia", "ava", "mia", "amelia", "anna", "ada"]
QUERY = "blocks.0.attention.query.weight[3][5]"


@pytest.fixture(scope="module")
def small():
    """An MLP that can be worked out by hand, after two of its steps."""
    return _after(Run(defaults("moons", points=3, hidden=(2,), seed=5, steps=10)), 2)


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    path = tmp_path_factory.mktemp("texts") / "names.txt"
    path.write_text("\n".join(NAMES), encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def gpt(texts):
    """The small GPT in its usual size."""
    return _after(Run(defaults("text", data=texts, seed=2, steps=20)), 3)


@pytest.fixture
def saved(gpt, tmp_path):
    path = tmp_path / "run.safetensors"
    save(gpt, path)
    return str(path)


def _after(run: Run, steps: int) -> Run:
    for _ in range(steps):
        assert run.advance().taken
    return run


def _value(run: Run, name: str) -> Value:
    return dict(run.model.named_parameters())[name]


def _below(loss: Value) -> list[Value]:
    """Newest first."""
    found = {loss}
    waiting = [loss]
    while waiting:
        for child in waiting.pop()._children:
            if child not in found:
                found.add(child)
                waiting.append(child)
    return sorted(found, key=lambda value: -value._index)


def _counts(loss: Value, start: Value) -> tuple[int, int]:
    """How many paths there are, and along how many no local gradient is 0, from the Values' own facts."""
    paths, carrying = {loss: 1}, {loss: 1}
    for value in _below(loss):
        for child, local in zip(value._children, value._local_grads, strict=True):
            paths[child] = paths.get(child, 0) + paths.get(value, 0)
            carrying[child] = carrying.get(child, 0) + (carrying.get(value, 0) if local else 0)
    return paths.get(start, 0), carrying.get(start, 0)


def _every_path(loss: Value, start: Value) -> list[float]:
    """The product of every path, one by one."""
    if loss is start:
        return [1.0]
    return [
        local * below
        for child, local in zip(loss._children, loss._local_grads, strict=True)
        for below in _every_path(child, start)
    ]


# ---- the paths ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["layers.0.neurons.0.w[1]", "layers.0.neurons.1.b", "layers.1.neurons.0.w[0]"]
)
def test_all_paths_of_a_small_net_are_listed_and_add_up(small, name):
    found = explain_weight(small, name, keep=1000)
    start, loss = _value(small, name), small.forward()
    wanted = sorted(_every_path(loss, start))
    carrying = [amount for amount in wanted if amount]
    assert found.count == len(wanted) > 3
    assert sorted(route.amount for route in found.listed) == pytest.approx(carrying, rel=1e-14)
    assert sum(Fraction(route.amount) for route in found.listed) + found.rest == Fraction(found.gradient)
    assert abs(found.rest) <= 1e-15  # roundings, nothing else
    for route in found.listed:
        assert prod(hop.local for hop in route.hops) == pytest.approx(route.amount, rel=1e-14)


def test_the_largest_paths_are_listed_first_and_the_others_are_one_exact_remainder(small):
    name = "layers.0.neurons.0.w[0]"
    wanted = sorted(map(abs, _every_path(small.forward(), _value(small, name))), reverse=True)
    found = explain_weight(small, name, keep=2)
    assert [abs(route.amount) for route in found.listed] == pytest.approx(wanted[:2], rel=1e-14)
    assert isinstance(found.rest, Fraction)
    assert sum(Fraction(route.amount) for route in found.listed) + found.rest == Fraction(found.gradient)


@pytest.mark.parametrize(
    "name", [QUERY, "tokens.weight[0][3]", "blocks.0.down.weight[7][20]", "head.weight[1][2]"]
)
def test_a_gpt_weight_has_its_paths_counted_and_a_remainder_that_is_exact(gpt, name):
    found = explain_weight(gpt, name, keep=7)
    assert (found.count, found.carrying) == _counts(gpt.forward(), _value(gpt, name))
    assert sum(Fraction(route.amount) for route in found.listed) + found.rest == Fraction(found.gradient)
    if name == QUERY:
        assert found.count > 10**8
        assert len(found.listed) == 7


def test_a_weight_that_the_example_does_not_use_has_no_path(gpt):
    absent = next(
        row
        for row, letter in enumerate(gpt.task.vocabulary.characters)
        if letter not in gpt.task.documents[gpt.indices()[0]]
    )
    found = explain_weight(gpt, f"tokens.weight[{absent}][0]")
    assert (found.count, found.gradient, found.listed, found.rest) == (0, 0.0, (), 0)
    assert found.right
    assert "No path leads from it" in found.text()


# ---- what it is checked by ------------------------------------------------------------------------


def test_the_gradient_is_pytorchs(small):
    torch = pytest.importorskip("torch")
    tensors = {
        name: torch.tensor(value.data, dtype=torch.float64, requires_grad=True)
        for name, value in small.model.named_parameters()
    }
    losses = []
    for (x, y), side in small.task.points:
        hidden = [
            torch.relu(
                tensors[f"layers.0.neurons.{i}.w[0]"] * x
                + tensors[f"layers.0.neurons.{i}.w[1]"] * y
                + tensors[f"layers.0.neurons.{i}.b"]
            )
            for i in range(2)
        ]
        score = tensors["layers.1.neurons.0.b"] + sum(
            tensors[f"layers.1.neurons.0.w[{i}]"] * hidden[i] for i in range(2)
        )
        losses.append(torch.relu(1 - side * score))
    loss = sum(losses) / len(losses) + small.settings.regularisation * sum(t * t for t in tensors.values())
    loss.backward()
    for name, tensor in tensors.items():
        found = explain_weight(small, name)
        assert found.step.loss == pytest.approx(float(loss.detach()), rel=1e-12)
        assert found.gradient == pytest.approx(float(tensor.grad), rel=1e-12), name


def test_the_engines_pass_is_the_same_to_the_last_bit_and_differences_agree(gpt):
    for name in (QUERY, "positions.weight[1][4]", "blocks.0.up.weight[9][3]"):
        found = explain_weight(gpt, name)
        assert found.native == found.gradient
        assert found.verdict == "agrees"
        start, step = _value(gpt, name), 1e-5
        before, losses = start.data, []
        for moved in (before + step, before - step):
            start.data = moved
            with no_grad():
                losses.append(gpt.forward().data)
        start.data = before
        assert found.gradient == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=1e-8)


def test_a_pass_that_is_wrong_is_caught_twice(gpt, saved, monkeypatch, capsys):
    """A trace whose exp has a slope that is off by 0.05% is no explanation of this gradient."""

    def rule(graph, node, values):
        row = graph.locals(node, values)
        return [1.0005 * row[0]] if graph.nodes[node].op == "exp" else row

    monkeypatch.setattr(weight, "trace", lambda graph: right_trace(graph, rule=rule))
    found = explain_weight(gpt, QUERY)
    assert not found.same
    assert found.verdict == "disagrees"
    assert not found.right
    assert cli.main(["explain", saved, "--weight", QUERY]) == 1
    shown = capsys.readouterr().out
    assert "NOT the same" in shown
    assert "DISAGREES" in shown


def test_at_a_kink_differences_say_that_they_cannot_tell(small):
    run = Run(replace(small.settings, regularisation=0.0))
    for name, value in run.model.named_parameters():
        value.data = 0.5 if name.startswith("layers.1") else 0.0  # every relu at 0
    found = explain_weight(run, "layers.0.neurons.0.b")
    assert found.verdict == "kink"
    assert found.right
    assert "kink" in found.text()


def test_what_drowns_in_rounding_is_not_called_wrong(small):
    """(b + 1e17) - 1e17: the loss does not move with b, and its gradient is right all the same."""
    run = Run(replace(small.settings, regularisation=0.0))
    fixed = {"layers.0.neurons.0.b": 1.0, "layers.0.neurons.1.b": 1.0}
    fixed |= {"layers.1.neurons.0.w[0]": 1e17, "layers.1.neurons.0.w[1]": -1e17}
    for name, value in run.model.named_parameters():
        value.data = fixed.get(name, 0.0)
    found = explain_weight(run, "layers.1.neurons.0.b")
    assert abs(found.gradient) == pytest.approx(1 / 3)  # one point more on one side than on the other
    assert found.verdict == "rounding"
    assert found.right
    assert found.text()


@pytest.mark.parametrize("number", [inf, nan])
def test_numbers_that_are_none_are_told_and_not_added_up(small, number):
    run = Run(small.settings)
    _value(run, "layers.1.neurons.0.w[0]").data = number
    found = explain_weight(run, "layers.0.neurons.0.w[0]")
    assert found.verdict == "range"
    assert found.after is None
    assert "such a step is not taken" in found.text(page=Page(width=200))
    json.dumps(found.to_json(), allow_nan=False)
    list_arrays(run).text()


def test_two_gradients_that_are_no_numbers_are_the_same(small):
    found = explain_weight(small, "layers.1.neurons.0.b")
    assert replace(found, native=nan, gradient=nan).same
    assert not replace(found, native=nan, gradient=1.0).same
    assert not replace(found, native=1.0, gradient=nan).same
    assert replace(found, native=1.0, gradient=1.0).same


def test_a_count_that_python_would_not_write_and_a_weight_that_is_no_number_are_json(small):
    found = explain_weight(small, "layers.1.neurons.0.b")
    deep = replace(found, count=10**5000, carrying=10**4500, value=inf, after=None)
    paths = json.loads(json.dumps(deep.to_json(), allow_nan=False))["paths"]
    assert isinstance(paths["count"], str)
    assert isinstance(paths["carrying"], str)
    deep.text()


# ---- what comes of it -----------------------------------------------------------------------------


def test_the_step_does_what_was_foretold_and_explaining_changed_nothing(texts):
    settings = defaults("text", data=texts, width=4, heads=2, dropout=0.25, clip=0.5, seed=4, steps=9)
    one, other = (_after(Run(settings), 3) for _ in range(2))
    name = "head.weight[2][3]"
    found = explain_weight(one, name)
    list_arrays(one)
    assert one.step == 3
    assert one.generator.getstate() == other.generator.getstate()
    assert one.model.state_dict() == other.model.state_dict()
    assert [p.grad for p in one.parameters] == [p.grad for p in other.parameters]
    assert found.native == found.gradient  # dropout fell alike both times
    assert found.lr == other.lr
    other.advance()
    assert found.after == _value(other, name).data != found.value
    assert one.advance().loss == other.losses[-1] == found.step.loss


def test_a_run_that_is_over_says_so(texts):
    run = _after(Run(defaults("text", data=texts, width=4, heads=2, seed=4, steps=2)), 2)
    text = explain_weight(run, "head.weight[0][0]").text()
    assert "all 2 steps are done; this would be step 3" in text
    assert "at a learning rate of 0, will leave it at" in text


# ---- names ----------------------------------------------------------------------------------------


def test_routes_name_modules_positions_and_arguments(gpt):
    found = explain_weight(gpt, "head.weight[1][2]", keep=100)
    for route in found.listed:
        first, *others = route.hops
        assert (first.op, first.slot) == ("dot", 2)
        assert first.place in [f"head[{position}][1]" for position in range(16)]
        assert {hop.place for hop in others} == {"loss"}
    through = {hop.place.partition("[")[0] for hop in explain_weight(gpt, QUERY, 50).listed[0].hops}
    assert {"blocks.0.attention.query", "blocks.0.attention", "blocks.0.attention.output", "head"} <= through


def test_what_a_module_makes_is_known_by_its_use_and_place(small):
    with whereabouts(small.model) as found:
        loss = small.forward()
        scores = [small.model(point) for point, _ in small.task.points]
    assert "forward" not in vars(small.model)
    assert found.of(loss._index).name == "loss"
    assert [found.of(score._index).name for score in scores] == [
        f"layers.1.neurons.0({n})" for n in (4, 5, 6)
    ]


def test_the_same_op_several_times_on_end_is_told_once_with_how_often(small):
    found = explain_weight(small, "layers.1.neurons.0.b")
    (route, *_) = found.listed
    hop = route.hops[-1]
    for times, words in ((1, "add"), (2, "add x2"), (3, "add x3")):
        again = replace(route, hops=(replace(hop, op="add", call=0),) * times)
        told = replace(found, listed=(again,)).text(page=Page(width=200))
        assert f"({words})" in told


@pytest.mark.parametrize("count", [4, 5, 10])
def test_four_examples_of_a_step_are_named_and_the_others_counted(count):
    run = Run(defaults("moons", points=count, hidden=(2,), steps=10))
    told = explain_weight(run, "layers.1.neurons.0.b").text(page=Page(width=400))
    line = next(line for line in told.splitlines() if line.count("): ") == 4)
    others = re.search(sentence("weight.examples.more", count=count - 4), line)
    assert bool(others) == (count > 4)


@pytest.mark.parametrize(("count", "key"), [(2, "weight.sum.rest.one"), (3, "weight.sum.rest")])
def test_the_others_are_counted_in_the_sum(small, count, key):
    found = explain_weight(small, "layers.1.neurons.0.b")
    told = replace(found, listed=found.listed[:1], count=count).text(page=Page(width=200))
    assert re.search(sentence(key, count=count - 1), told)


def test_routes_that_read_alike_are_told_apart(gpt):
    found = explain_weight(gpt, QUERY, keep=40)
    for page in (Page(), Page(rows=60)):
        lines = found.text(page=page).split("Check")[0]
        start = lines.index("\n    1  ")
        routes, words = [], []
        for line in lines[start:].splitlines():
            if line.startswith("       "):
                words.append(line.strip())
            elif words:
                routes.append(" ".join(words))
                words = []
        assert len(routes) == 40
        assert len({*routes}) == 40


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("head.weight[99][0]", ["head.weight[99][0]", "x 16", "head.weight[0][0]"]),
        ("head.weight[1]", ["head.weight[1]", "x 16"]),
        ("head.weight", ["x 16", "up to head.weight["]),
        ("head.weight[-1][0]", ["head.weight[-1][0]", "x 16"]),
        ("head.weight[1][2]x", ["x 16"]),
        ("heads.weight[1][2]", ["did you mean head.weight[1][2]"]),
        ("blocks.0.attention.querry.weight[3][5]", ["did you mean blocks.0.attention.query.weight[3][5]"]),
        ("", ["''", "tokens.weight[0][0]"]),
        ("\x1b[31m", ["\\x1b[31m", "without --weight"]),
        ("z" * 5000, ["zzz...", "write one such as"]),
    ],
)
def test_a_name_that_is_none_is_answered_with_one_that_is(gpt, given, said):
    with pytest.raises(ValueError, match=r"write|did you mean") as caught:
        find_weight(gpt, given)
    for words in said:
        assert words in str(caught.value)
    assert len(str(caught.value)) < 400
    assert "\x1b" not in str(caught.value)


def test_one_number_has_no_places_and_a_parameter_is_found_under_its_name(small, gpt):
    with pytest.raises(ValueError, match=r"write layers\.1\.neurons\.0\.b$"):
        find_weight(small, "layers.1.neurons.0.b[0]")
    for run in (small, gpt):
        for name, value in list(run.model.named_parameters())[::101]:
            assert find_weight(run, f" {name} ") == (name, value)


@pytest.mark.parametrize("keep", [-1, 10_001, True, 2.0, "5"])
def test_a_number_of_paths_that_is_none_is_refused(small, keep):
    with pytest.raises(ValueError, match="whole number from 0 to 10000"):
        explain_weight(small, "layers.1.neurons.0.b", keep)


# ---- the command ----------------------------------------------------------------------------------


def test_the_command_explains_a_saved_step(saved, gpt, capsys):
    assert cli.main(["explain", saved, "--weight", QUERY, "--paths", "2"]) == 0
    shown = capsys.readouterr().out
    assert "names.txt, seed 2: step 4 of 20 comes next" in shown
    assert f'its example: "{gpt.task.documents[gpt.indices()[0]]}"' in shown
    assert "the same to the last bit" in shown
    assert cli.main(["explain", saved, "--weight", QUERY, "--lang", "es"]) == 0
    assert "caminos llevan de él a la pérdida" in capsys.readouterr().out


def test_its_json_has_everything_exactly(saved, gpt, capsys):
    assert cli.main(["explain", saved, "--weight", QUERY, "--paths", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    wanted = explain_weight(load(saved), QUERY, 3)
    assert found["schema"] == "minigrad.weight/1"
    assert found["weight"] == {"name": QUERY, "value": wanted.value, "gradient": wanted.gradient}
    assert found["paths"]["count"] == wanted.count
    amounts = [Fraction(row["amount"]) for row in found["paths"]["listed"]]
    assert sum(amounts) + Fraction(found["paths"]["rest_exact"]) == Fraction(found["weight"]["gradient"])
    assert found["check"]["verdict"] == "agrees"
    assert found["next"]["after"] == wanted.after


def test_it_is_written_to_files(saved, tmp_path, capsys):
    for ending, words in (
        (".txt", ["--weight", QUERY]),
        (".md", ["--weight", QUERY]),
        (".md", []),
        (".json", []),
    ):
        path = tmp_path / f"why{ending}"
        assert cli.main(["explain", saved, *words, "--out", str(path), "--lang", "es"]) == 0
        assert "blocks.0.attention.query.weight" in path.read_text(encoding="utf-8")
    assert cli.main(["explain", saved, "--weight", QUERY, "--out", str(tmp_path / "why.svg")]) == 2
    assert ".json, .md, .txt" in capsys.readouterr().err


def test_without_a_name_the_arrays_are_listed(saved, gpt, capsys):
    assert cli.main(["explain", saved]) == 0
    shown = capsys.readouterr().out
    assert "blocks.0.up.weight" in shown
    assert "64 x 16" in shown
    assert "--weight '" in shown
    assert cli.main(["explain", saved, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["arrays"]
    loss = gpt.forward()
    gpt.model.zero_grad()
    loss.backward()
    grads = {name: value.grad for name, value in gpt.model.named_parameters()}
    gpt.model.zero_grad()
    assert [row["name"] for row in rows] == list(gpt.model.arrays())
    for row in rows:
        own = [grad for name, grad in grads.items() if name.startswith(row["name"] + "[")]
        assert row["rms"] == pytest.approx((sum(g * g for g in own) / len(own)) ** 0.5, rel=1e-12)
        assert abs(row["gradient"]) == max(map(abs, own)) == abs(grads[row["largest"]])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a=2"], "write no name=value"),
        (["--view", "walk"], "--view does not fit a saved run"),
        (["--order", "a,b"], "--order does not fit"),
        (["--theme", "dark"], "--theme does not fit"),
        (["--paths", "3"], "without --weight"),
        (["--weight", QUERY, "--paths", "many"], "whole number from 0 to 10,000"),
        (["--weight", QUERY, "--paths", "-1"], "whole number from 0 to 10,000"),
        (["--weight", "head.weight"], "up to head.weight["),
        (["--weight"], "--weight"),
    ],
)
def test_what_does_not_fit_a_saved_run_is_refused_in_words(saved, words, said, capsys):
    assert cli.main(["explain", saved, *words]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert not shown.out


def test_an_expression_has_no_weights_of_a_run(capsys):
    for option in ("--weight", "--paths"):
        assert cli.main(["explain", "a*b", "a=2", "b=3", option, "1"]) == 2
        assert "saved run" in capsys.readouterr().err


def test_a_file_that_is_missing_foreign_or_whose_texts_moved(saved, texts, tmp_path, capsys):
    assert cli.main(["explain", str(tmp_path / "no.safetensors")]) == 2
    assert "no.safetensors" in capsys.readouterr().err
    foreign = tmp_path / "foreign.safetensors"
    foreign.write_bytes(b"\x02\0\0\0\0\0\0\0{}")
    assert cli.main(["explain", str(foreign), "--weight", QUERY]) == 2
    assert "not a minigrad checkpoint" in capsys.readouterr().err
    foreign.write_text('{"a": 1}')
    assert cli.main(["explain", str(foreign)]) == 2
    assert "it is a text, and a checkpoint is what minigrad train --save" in capsys.readouterr().err
    elsewhere = tmp_path / "moved.txt"
    elsewhere.write_text("\n".join(NAMES), encoding="utf-8")
    assert cli.main(["explain", saved, "--weight", QUERY, str(elsewhere)]) == 0
    assert "moved.txt, seed 2" in capsys.readouterr().out


def test_points_have_no_texts_that_could_move(small, tmp_path, capsys):
    save(small, tmp_path / "small.safetensors")
    assert cli.main(["explain", str(tmp_path / "small.safetensors"), "x"]) == 2
    assert "about moons, not 'x'" in capsys.readouterr().err


def test_a_path_that_carries_nothing_is_not_listed():
    run = Run(defaults("moons", points=3, hidden=(2,), seed=5, steps=10, regularisation=0.0))
    for neuron in run.model.layers[0].neurons:
        neuron.b.data = -100.0  # every relu is off
    found = explain_weight(run, "layers.0.neurons.0.w[0]")
    assert (found.gradient, found.carrying, found.listed, found.rest) == (0.0, 0, (), 0)
    assert found.count > 0


def test_it_speaks_spanish_of_points_too(small):
    with speaking("es"):
        text = explain_weight(small, "layers.0.neurons.0.w[0]").text()
    assert "El paso guardado" in text
    assert "sus 3 ejemplos" in text
    assert "SGD, con una tasa de aprendizaje de" in text
