"""Trouble is called out in words when it is first seen, with layer and numbers; a good run is left alone."""

import math
from dataclasses import replace

import pytest

from minigrad.text.numerals import show
from minigrad.text.page import Page
from minigrad.text.translation import LANGUAGES, speaking
from minigrad.training import Run, defaults
from minigrad.training.health import Health, HealthFinding, dead_units, units_of
from minigrad.training.report_text import TrainingReport
from minigrad.training.run import StepRecord

KINDS = ["vanishing", "tiny", "exploding", "diverging", "dead", "saturated", "number", "flat"]


def watched(run, change=None):
    """The findings of a whole run; `change` is made to it first."""
    health = Health(run)
    if change:
        change(run)
    while not run.finished:
        record = run.advance()
        health.watch(record)
        if not record.taken:
            return health.findings
    health.finish()
    return health.findings


def kinds(findings):
    return [finding.kind for finding in findings]


# ---- good runs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 2])
def test_a_healthy_run_is_told_nothing(seed):
    assert watched(Run(defaults("moons", seed=seed))) == []


@pytest.mark.parametrize("activation", ["tanh", "sigmoid", "gelu"])
def test_nor_is_one_with_another_activation(activation):
    settings = defaults("moons", points=30, hidden=(8, 8), activation=activation, steps=60, lr=0.5)
    assert watched(Run(settings)) == []


def test_nor_is_one_that_sees_few_examples_at_a_time():
    assert watched(Run(defaults("moons", hidden=(8,), batch=2, lr=0.1))) == []


def test_nor_is_a_gpt_whose_queries_hardly_matter_at_first(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("\n".join(["anna", "bob", "cecilia", "dora", "emil", "frida", "gustav", "hedda"] * 3))
    assert watched(Run(defaults("text", data=str(path), steps=60))) == []


# ---- planted trouble ----------------------------------------------------------------------------


def test_a_deep_net_of_sigmoids_vanishes():
    settings = defaults("moons", points=21, hidden=(4,) * 10, activation="sigmoid", steps=30)
    run = Run(settings)
    findings = watched(run)
    first = findings[0]
    assert first.kind == "vanishing"
    assert first.step == 10  # it is given ten steps
    assert first.layer.startswith("layers.")
    assert first.last == "layers.10"
    assert first.numbers["times"] > 1e3
    assert first.numbers["times"] == pytest.approx(first.numbers["reached"] / first.numbers["size"])
    assert first.layer in first.words()
    assert show(first.numbers["times"], 3) in first.words()


def test_a_net_whose_last_gradients_cancel_too_is_found_by_its_weights():
    """With as many points on each side, a score that is the same for all gives no gradient at all."""
    settings = defaults("moons", points=20, hidden=(4,) * 10, activation="sigmoid", steps=30)
    findings = watched(Run(settings))
    assert kinds(findings) == ["tiny", "flat"]
    assert findings[0].numbers["size"] < 1e-5 * findings[0].numbers["weights"]


def test_a_rate_of_a_thousand_explodes_at_once():
    findings = watched(Run(defaults("moons", points=20, lr=1e3, steps=20)))
    assert findings[0].kind == "exploding"
    assert findings[0].step <= 3
    assert findings[0].numbers["norm"] > 1e3 * findings[0].numbers["usual"]
    assert kinds(findings).count("exploding") == 1


def explode(norm, loss):
    """What is found in a step after one with the norm 1 and the loss 1."""
    run = Run(defaults("moons", points=4, hidden=(2,), steps=100))
    health = Health(run)
    run.losses = [1.0]
    assert health.watch(StepRecord(1, 1.0, 0.1, {"layers.0": (0.5, 1.0), "layers.1": (0.8, 1.0)}, 1.0)) == []
    return health.watch(StepRecord(2, loss, 0.1, {"layers.0": (9.0, 1.0), "layers.1": (2.0, 1.0)}, norm))


@pytest.mark.parametrize(
    ("norm", "loss", "found"),
    [
        (1001.0, 11.0, ["exploding"]),  # more than a thousand times the first, and the loss has grown
        (1001.0, 9.0, []),
        (999.0, 11.0, []),
        (1.1e6, 1.0, ["exploding"]),  # no step survives it, whatever the loss
        (10.0, 101.0, ["diverging"]),
    ],
)
def test_a_norm_explodes_that_has_grown_with_the_loss_or_that_no_step_survives(norm, loss, found):
    findings = explode(norm, loss)
    assert kinds(findings) == found
    if found == ["exploding"]:
        (finding,) = findings
        assert (finding.step, finding.layer) == (2, "layers.0")  # the layer with the largest gradient
        assert finding.numbers == {"norm": norm, "usual": 1.0, "loss": loss}


def test_a_loss_that_runs_away_with_small_gradients_is_found_too():
    findings = watched(Run(defaults("moons", points=20, lr=50.0, activation="tanh", steps=20)))
    assert "diverging" in kinds(findings)
    assert "exploding" not in kinds(findings)


def test_a_loss_that_is_no_number_ends_the_run_and_is_told_with_its_step():
    settings = defaults("regression", points=20, lr=1.0, optimiser="sgd", activation="relu", steps=30)
    run = Run(settings)
    last = watched(run)[-1]
    assert last.kind == "number"
    assert last.step == run.step + 1 < 30
    assert not math.isfinite(last.numbers["norm"])
    assert all(math.isfinite(p.data) for p in run.parameters)


def bury(run):
    for neuron in run.model.layers[0].neurons:
        neuron.b.data = -100.0


def test_relu_units_far_below_zero_are_dead():
    findings = watched(Run(defaults("moons", points=20, hidden=(6, 5), steps=20)), bury)
    dead = {finding.layer: finding for finding in findings if finding.kind == "dead"}
    assert dead["layers.0"].numbers == {"units": 6, "all": 6, "examples": 20}
    assert dead["layers.0"].step == 2  # a tenth of the steps
    assert "6" in dead["layers.0"].words()


def test_a_few_dead_units_are_told_where_the_run_is_called_healthy():
    run = Run(defaults("moons", points=20, hidden=(4, 3), steps=3))
    run.advance()
    for neuron in run.model.layers[0].neurons[:2]:
        neuron.b.data = -100.0
    dead, units, examples = dead_units(run)
    assert (units, examples) == (7, 20)
    assert 2 <= dead < 7
    told = " ".join(TrainingReport(run).text(Page()).split())
    assert f"{dead} of 7 hidden units are dead: 0 on each of 20 examples" in told
    assert "or is dead" not in told


def test_a_few_dead_units_are_left_alone():
    def bury_one(run):
        run.model.layers[0].neurons[0].b.data = -100.0

    assert watched(Run(defaults("moons", points=20, hidden=(6, 5), steps=20, lr=0.2)), bury_one) == []


@pytest.mark.parametrize("activation", ["tanh", "sigmoid"])
def test_units_at_an_end_of_their_range_are_saturated(activation):
    settings = defaults("moons", points=20, hidden=(6, 5), steps=20, lr=0.01, activation=activation)
    findings = watched(Run(settings), bury)
    found = [finding for finding in findings if finding.kind == "saturated"]
    assert [finding.layer for finding in found] == ["layers.0"]


def test_dead_units_of_a_gpt_are_found_without_disturbing_it(tmp_path):
    path = tmp_path / "names.txt"
    path.write_text("anna\nbob\ncecilia\n")
    settings = defaults("text", data=str(path), steps=10, width=4, heads=2, dropout=0.1)
    run, plain = Run(settings), Run(settings)
    (activation, answers), *rest = units_of(run).values()
    assert (activation, len(answers), len(answers[0]), rest) == ("relu", 5 + 4 + 8, 16, [])
    assert "forward" not in vars(run.model.blocks[0].down)
    assert [run.advance().loss for _ in range(5)] == [plain.advance().loss for _ in range(5)]

    def bury_block(run):
        for row in run.model.blocks[0].up.weight:
            for weight in row:
                weight.data = 0.0

    assert "dead" in kinds(watched(Run(settings), bury_block))


def test_a_run_that_learns_nothing_is_told_so():
    findings = watched(Run(defaults("moons", points=20, steps=20, lr=1e-9)))
    assert kinds(findings) == ["flat"]


def test_only_of_twenty_steps_and_more_is_it_told_that_they_learned_nothing():
    run = Run(defaults("moons", points=4, hidden=(2,), steps=100))
    run.losses = [0.5] * 19
    assert Health(run).finish() == []
    run.losses = [0.5] * 20
    assert kinds(Health(run).finish()) == ["flat"]
    exploded = Health(run)
    exploded.findings.append(HealthFinding("exploding", 3))
    assert exploded.finish() == []


def test_the_units_of_a_model_are_those_of_its_hidden_layers():
    run = Run(defaults("moons", points=5, hidden=(4, 3), activation="tanh"))
    found = units_of(run)
    assert {layer: activation for layer, (activation, _) in found.items()} == {
        "layers.0": "tanh", "layers.1": "tanh"
    }  # fmt: skip
    assert [(len(answers), len(answers[0])) for _, answers in found.values()] == [(5, 4), (5, 3)]


def test_what_was_found_once_is_not_found_again():
    run = Run(defaults("moons", points=20, hidden=(6, 5), steps=20))
    bury(run)
    health = Health(run)
    fresh = [health.watch(run.advance()) for _ in range(20)]
    assert sum(map(len, fresh)) == len(health.findings) == len({(f.kind, f.layer) for f in health.findings})


# ---- words --------------------------------------------------------------------------------------


def test_every_kind_has_words_and_advice_in_each_language():
    numbers = dict.fromkeys(("size", "reached", "times", "weights", "norm", "usual", "loss", "first"), 4.5)
    numbers |= dict.fromkeys(("lr", "units", "all", "examples", "start", "end"), 4.5)
    for kind in KINDS:
        finding = HealthFinding(kind, 3, "layers.1", numbers, "layers.2")
        texts = []
        for language in LANGUAGES:
            with speaking(language):
                texts.append(finding.words() + finding.advice())
        assert texts[0] != texts[1]
        assert all("{" not in text for text in texts)


def test_a_finding_in_json_is_strict():
    finding = HealthFinding("number", 3, "layers.0", {"loss": math.nan, "norm": math.inf, "lr": 0.5})
    assert finding.to_json() == {
        "kind": "number", "step": 3, "layer": "layers.0", "loss": "nan", "norm": "inf", "lr": 0.5
    }  # fmt: skip
    assert replace(finding, layer="x").layer == "x"
