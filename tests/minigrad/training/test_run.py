"""Training runs: the same settings give the same losses, and asking about a step changes nothing."""

import math
import os
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from minigrad.training import TASKS, Run, Settings, defaults
from minigrad.training.run import layers_of
from minigrad.training.tasks import TextTask, digest

SMALL = {"hidden": (4, 3), "points": 12, "steps": 6}
WORDS = ["ana", "bea", "cleo", "dan", "eva", "fabio", "gus", "hana"]


@pytest.fixture
def words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\n".join(WORDS) + "\n")
    return path


def tiny(words, **changed):
    sizes = {"width": 4, "heads": 2, "block": 6, "steps": 8, **changed}
    return defaults("text", data=str(words), **sizes)


def trained(settings):
    run = Run(settings)
    while not run.finished:
        run.advance()
    return run


# ---- what was promised --------------------------------------------------------------------------


def test_moons_is_the_well_known_demo_and_all_points_end_on_their_side():
    run = trained(defaults("moons"))
    assert [run.settings.hidden, run.settings.points, run.settings.steps] == [(16, 16), 100, 100]
    assert len(run.parameters) == 2 * 16 + 16 + 16 * 16 + 16 + 16 + 1
    assert run.task.accuracy() == 1.0


@pytest.mark.parametrize("task", ["circles", "spirals"])
def test_the_other_points_are_told_apart_too(task):
    assert trained(defaults(task)).task.accuracy() > 0.97


def test_the_rate_of_moons_falls_in_a_line_from_one_to_a_tenth():
    run = Run(defaults("moons", points=4, batch=1))
    rates = [run.advance().lr for _ in range(100)]
    assert rates == pytest.approx([1.0 - 0.9 * k / 100 for k in range(100)], rel=1e-12)


def test_the_rates_of_a_warm_up_and_of_a_cosine_by_hand():
    """Up in equal parts, the first of them above 0; then half a wave, from the rate to a tenth of it."""
    run = Run(defaults("moons", points=4, batch=1, steps=10, warmup=3, lr=0.8, schedule="cosine"))
    wave = [0.08 + 0.72 * (1 + math.cos(math.pi * k / 7)) / 2 for k in range(7)]
    assert [run.advance().lr for _ in range(10)] == pytest.approx([0.2, 0.4, 0.6, *wave], rel=1e-12)


# ---- a step -------------------------------------------------------------------------------------


def test_a_step_of_sgd_is_the_weights_less_the_rate_times_the_gradient():
    run = Run(defaults("moons", **SMALL, lr=0.25, schedule="constant"))
    loss = run.forward()
    loss.backward()
    expected = [p.data - 0.25 * p.grad for p in run.parameters]
    record = run.advance()
    assert record.loss == loss.data
    assert [p.data for p in run.parameters] == expected


def test_the_loss_is_the_hinge_of_each_point_and_the_square_of_each_weight():
    run = Run(defaults("moons", **SMALL))
    hinges = [max(0.0, 1.0 - label * run.task.score(*point)) for point, label in run.task.points]
    squares = sum(p.data**2 for p in run.parameters)
    assert run.forward().data == pytest.approx(sum(hinges) / 12 + 1e-4 * squares, rel=1e-12)


def test_clipping_bounds_the_step_and_the_record_tells_the_norm_before_it():
    free, bound = (Run(defaults("moons", **SMALL, schedule="constant", clip=clip)) for clip in (0.0, 1e-3))
    before = [p.data for p in bound.parameters]
    assert free.advance().norm == bound.advance().norm > 1e-3
    moved = math.dist(before, [p.data for p in bound.parameters])
    assert moved == pytest.approx(1e-3, rel=1e-4)  # PyTorch divides by the norm + 1e-6


def test_a_record_has_the_root_mean_squares_of_each_layer():
    run = Run(defaults("moons", **SMALL, regularisation=0.0))
    weights = [p.data for p in layers_of(run.model)["layers.1"]]
    record = run.advance()
    assert list(record.gradients) == ["layers.0", "layers.1", "layers.2"]
    assert len(weights) == 4 * 3 + 3
    assert record.gradients["layers.1"][1] == pytest.approx(math.sqrt(sum(w * w for w in weights) / 15))
    assert record.norm == pytest.approx(
        math.sqrt(sum(n * g * g for n, (g, _) in zip((12, 15, 4), record.gradients.values(), strict=True)))
    )


def test_the_pull_of_the_regularisation_is_not_counted_to_a_layers_gradient():
    """It is as large as a vanished gradient is small, and would hide it."""
    plain, pulled = (Run(defaults("moons", **SMALL, regularisation=rate)) for rate in (0.0, 0.5))
    sizes = [[size for size, _ in run.advance().gradients.values()] for run in (plain, pulled)]
    assert sizes[1] == pytest.approx(sizes[0], rel=1e-9)


def test_a_pass_of_ones_own_takes_the_place_of_the_right_one():
    run = Run(defaults("moons", **SMALL, lr=0.5, schedule="constant"))
    before = [p.data for p in run.parameters]

    def backward(loss):
        for p in run.parameters:
            p.grad = 2.0

    run.advance(backward)
    assert [p.data for p in run.parameters] == [data - 1.0 for data in before]


def test_a_step_that_gives_no_number_is_not_taken():
    run = Run(defaults("moons", **SMALL))
    run.advance()
    before = [p.data for p in run.parameters]

    def backward(loss):
        loss.backward()
        run.parameters[3].grad = math.nan

    record = run.advance(backward)
    assert not record.taken
    assert record.step == 2
    assert (run.step, run.cursor, len(run.losses)) == (1, 12, 1)
    assert [p.data for p in run.parameters] == before


# ---- determinism --------------------------------------------------------------------------------


def test_asking_for_the_next_loss_changes_nothing_not_even_dropout(words):
    settings = tiny(words, dropout=0.3)
    asked, plain = Run(settings), Run(settings)
    for _ in range(6):
        first = asked.forward().data
        assert asked.forward().data == first
        assert asked.advance().loss == first
        plain.advance()
    assert asked.losses == plain.losses


def test_a_model_that_was_judged_trains_on_with_dropout(words):
    judged, plain = Run(tiny(words, dropout=0.3)), Run(tiny(words, dropout=0.3))
    judged.model.eval()
    assert [judged.advance().loss for _ in range(3)] == [plain.advance().loss for _ in range(3)]


def test_dropout_draws_anew_in_each_step(words):
    run = Run(tiny(words, dropout=0.5, lr=1e-300, batch=8))
    assert len({run.advance().loss for _ in range(4)}) == 4


def test_the_order_of_the_examples_depends_on_seed_and_epoch_alone():
    settings = defaults("moons", hidden=(2,), points=10, batch=4, steps=10)
    run, again = Run(settings), Run(settings)
    seen = []
    for _ in range(10):
        seen += run.indices()
        run.advance()
    epochs = [seen[i : i + 10] for i in range(0, 40, 10)]
    assert all(sorted(epoch) == list(range(10)) for epoch in epochs)
    assert len(set(map(tuple, epochs))) == 4
    again.cursor = 28
    assert again.indices() == seen[28:32]
    assert Run(replace(settings, seed=1)).indices() != seen[:4]


def test_all_examples_at_once_keep_their_order():
    assert Run(defaults("moons", **SMALL)).indices() == list(range(12))


PROGRAM = """
from minigrad import ENGINE
from minigrad.training import Run, defaults
print(ENGINE)
runs = [
    defaults("moons", hidden=(4, 3), points=12, steps=6),
    defaults("spirals", hidden=(4,), points=10, batch=3, steps=6, warmup=2, schedule="cosine", seed=3),
    defaults("text", data=DATA, width=4, heads=2, block=6, steps=6, dropout=0.2, optimiser="adamw"),
]
for settings in runs:
    run = Run(settings)
    while not run.finished:
        run.advance()
    print(*(loss.hex() for loss in run.losses), *(p.data.hex() for p in run.parameters))
"""


def test_both_engines_give_the_same_bits(words):
    program = PROGRAM.replace("DATA", repr(str(words)))
    told = []
    for pure in ("", "1"):
        environment = {**os.environ, "MINIGRAD_PURE": pure, "PYTHONHASHSEED": pure or "0"}
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env=environment,
            timeout=60,
            check=True,
        )
        told.append(done.stdout.split())
    assert [words.pop(0) for words in told] == ["native", "plain"]
    assert told[0] == told[1]
    assert len(told[0]) > 100


# ---- more steps ---------------------------------------------------------------------------------


def test_an_extended_run_has_the_rates_of_one_that_was_asked_for_so_many_steps_at_first():
    settings = defaults("moons", **SMALL, warmup=2)
    run, long = trained(settings), Run(replace(settings, steps=15))
    for _ in range(6):
        long.advance()
    run.extend(15)
    assert not run.finished
    assert [run.advance().lr for _ in range(9)] == [long.advance().lr for _ in range(9)]


def test_a_run_does_not_go_back():
    run = trained(defaults("moons", **SMALL))
    with pytest.raises(ValueError, match="6 steps are done"):
        run.extend(5)


# ---- texts --------------------------------------------------------------------------------------


def test_a_text_is_learned_and_continued(words):
    run = trained(tiny(words, steps=150))
    assert sum(run.losses[-8:]) < 0.8 * sum(run.losses[:8])
    samples = run.task.sample(random.Random(3), 5)
    assert samples == run.task.sample(random.Random(3), 5)
    assert set("".join(samples)) <= set("".join(WORDS))
    assert run.model.training


def test_a_batch_of_texts_has_the_mean_of_their_losses(words):
    run = Run(tiny(words, batch=3))
    each = [run.task.loss([i]).data for i in run.indices()]
    assert run.forward().data == pytest.approx(sum(each) / 3, rel=1e-12)


def test_data_that_has_changed_is_refused(words):
    settings = Run(tiny(words)).settings
    assert settings.data_digest == digest(WORDS)
    words.write_text(words.read_text() + "ines\n")
    with pytest.raises(ValueError, match="have changed"):
        TextTask(settings)


def test_a_file_of_one_line_is_refused(tmp_path):
    (tmp_path / "one.txt").write_text("only this\n")
    with pytest.raises(ValueError, match="only one document"):
        Run(tiny(tmp_path / "one.txt"))


# ---- settings -----------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_settings_survive_json(task):
    import json

    settings = defaults(task, data_digest="ab" * 32, seed=7)
    assert Settings.from_json(json.loads(json.dumps(settings.to_json()))) == settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"steps": 0},
        {"steps": True},
        {"steps": 1.5},
        {"lr": "fast"},
        {"lr": math.nan},
        {"lr": 10**400},
        {"hidden": [4, "x"]},
        {"hidden": []},
        {"betas": [0.9]},
        {"betas": [0.9, 1.0]},
        {"task": "mnist"},
        {"loss": "mse loss"},
        {"activation": 3},
        {"batch": 101},
        {"momentum": 1.5},
        {"warmup": 100},
        {"colour": "red"},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong):
    with pytest.raises(ValueError):  # noqa: PT011 each has its own words
        Settings.from_json({**defaults("moons").to_json(), **wrong})


@pytest.mark.parametrize(
    "limit",
    [{"hidden": (4096, 1)}, {"betas": (0.0, 0.0)}, {"momentum": 1.0}, {"seed": 2**63 - 1}, {"lr": 1e6}],
)
def test_the_limits_of_settings_are_inside(limit):
    document = defaults("moons", **limit).to_json()
    assert Settings.from_json(document) == defaults("moons", **limit)


def test_settings_that_lack_something_or_are_none_are_refused():
    document = defaults("moons").to_json()
    del document["seed"]
    for wrong in (document, [], None, "moons"):
        with pytest.raises(ValueError, match="settings of a run"):
            Settings.from_json(wrong)


@pytest.mark.parametrize(
    ("task", "changed", "words"),
    [
        ("moons", {"hidden": (4000, 4000)}, "16,020,001 parameters"),
        ("moons", {"points": 100_000}, "33,700,000 products"),
        ("names", {"width": 6, "heads": 4}, "--heads 3"),
        ("names", {"layers": 90}, "parameters"),
        ("moons", {"optimiser": "adam", "momentum": 0.9}, "--momentum"),
        ("moons", {"loss": "cross_entropy"}, "'cross_entropy'; it is one of hinge, mse"),
        ("regression", {"loss": "hinge"}, "'hinge'; it is one of mse"),
        ("names", {"loss": "mse"}, "'mse'; it is one of cross_entropy"),
        ("names", {"regularisation": 1e-3}, "^regularisation cannot be 0.001; it is one of 0"),
        ("moons", {"dropout": 0.1}, "--dropout cannot be 0.1; it is one of 0"),
    ],
)
def test_what_is_too_large_or_does_not_fit_is_refused_with_the_number(task, changed, words):
    with pytest.raises(ValueError, match=words):
        Run(defaults(task, **changed))
