"""The duel: a broken pass does to a run what it would do in a real loop, and noticing raises no false alarm.

Expected numbers are worked out by hand, follow from an exact law (a seed of 2 is a doubled rate), or come
from PyTorch.
"""

from __future__ import annotations

import math
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

import pytest
import torch

from minigrad import Value
from minigrad.faults import FAULTS, Suspect
from minigrad.faults.fault import ACROSS
from minigrad.training import Run
from minigrad.training.duel import band_of, duel, noticed
from minigrad.training.duel.broken_backward import BrokenBackward, angle, ratio
from minigrad.training.duel.detection import PATIENCE, ROOM, WINDOW, smoothed
from minigrad.training.duel.duel_run import train
from minigrad.training.duel.models import arena, chosen, first_graph, opponents

torch.set_num_threads(1)  # tensors of six rows: threads would only wait for each other

MOONS = arena("moons", steps=30)


# ---- when a person would notice -------------------------------------------------------------------


def test_a_loss_is_smoothed_over_the_last_steps():
    assert smoothed([4.0, 2.0, 0.0, 6.0], 2) == [4.0, 3.0, 1.0, 3.0]


def test_the_band_is_what_right_runs_span():
    band = band_of([1, 2], [[4.0, 2.0], [2.0, 2.0]])
    assert (band.lowest, band.highest) == ((2.0, 2.0), (4.0, 3.0))  # smoothed: 4, 3 and 2, 2
    assert band.limit == (4.0 + ROOM * 2.0, 3.0 + ROOM * 1.0)


def flat(steps: int):
    """A band from 1 to 2."""
    return band_of([1, 2], [[1.0] * steps, [2.0] * steps])


def test_a_loss_that_stays_above_is_noticed_when_a_person_is_sure():
    steps = 100
    assert noticed([9.0] * steps, flat(steps)) == PATIENCE
    # from step 41 on; with 9s among 1s, two of ten lift the mean to 2.6, above 2.5
    assert noticed([1.0] * 40 + [9.0] * 60, flat(steps)) == 42 + PATIENCE - 1


def test_a_loss_at_the_limit_or_below_the_band_is_not_noticed():
    steps = 100
    assert noticed([2.0 + ROOM] * steps, flat(steps)) is None
    assert noticed([0.0] * steps, flat(steps)) is None


def test_a_short_excursion_is_not_noticed():
    steps = 100
    peak = [1.0] * 40 + [4.0] * 3 + [1.0] * 57  # 12 + 7 over 10: below 2.5
    assert noticed(peak, flat(steps)) is None
    high = [1.0] * 40 + [60.0] + [1.0] * 59  # above for as long as it is in the window
    assert WINDOW < PATIENCE
    assert noticed(high, flat(steps)) is None


@pytest.mark.parametrize("x", [math.nan, math.inf])
def test_what_is_no_number_is_noticed_at_once(x):
    assert noticed([1.0, 1.0, x], flat(10)) == 3


# ---- how far off a gradient is --------------------------------------------------------------------


def test_angles_by_hand():
    assert angle([1.0, 0.0], [0.0, 3.0]) == pytest.approx(90.0)
    assert angle([1.0, 1.0], [5.0, 0.0]) == pytest.approx(45.0)
    assert angle([1.0, -2.0], [-2.0, 4.0]) == pytest.approx(180.0)
    assert angle([1.0, 0.0], [1.0, 1e-9]) == pytest.approx(math.degrees(1e-9))  # an arc cosine says 0
    assert angle([1.0, 2.0], [2.0, 4.0]) == 0.0


def test_what_has_no_direction_has_no_angle():
    assert angle([1.0], [0.0]) is None
    assert angle([1.0], [math.nan]) is None
    assert angle([1.0], [math.inf]) is None
    assert ratio([3.0, 4.0], [0.0, 0.0]) == 0.0
    assert ratio([3.0, 4.0], [6.0, 8.0]) == 2.0
    assert ratio([0.0], [1.0]) is None


def test_gradients_of_other_sizes_have_no_angle():
    with pytest.raises(ValueError, match="shorter"):
        angle([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="longer"):
        angle([1.0], [1.0, 2.0])


# ---- the broken pass in a loop --------------------------------------------------------------------


def backward(slug: str, *parameters: Value, variant: object = "") -> BrokenBackward:
    return BrokenBackward(Suspect(FAULTS[slug], variant), {p.label: p for p in parameters})


def test_gradients_are_kept_without_zero_grad():
    p = Value(2.0, label="p")
    step = backward("no-zero-grad", p, variant=3)
    for factor, expected in ((3.0, 3.0), (5.0, 8.0), (-1.0, 7.0)):
        p.grad = 0.0
        step(p * factor)
        assert p.grad == expected
    assert step.angles == [0.0, 0.0, 180.0]
    assert step.ratios == [1.0, 8.0 / 5.0, 7.0]


def test_the_graph_of_the_step_before_sends_again():
    p = Value(2.0, label="p")
    step = backward("default-arguments-outlive", p)
    middle = -p
    step(-middle)
    assert p.grad == 1.0
    p.grad = 0.0
    step(p * 10.0)
    # its middle node holds -1 from before, gets -1 more, and sends 2
    assert p.grad == 10.0 + 2.0
    p.grad = 0.0
    step(p * 4.0)
    assert p.grad == 4.0 + 10.0  # only the last graph, in which nothing stands between


def test_a_parameter_that_the_fault_does_not_reach_gets_nothing():
    p, q = Value(2.0, label="p"), Value(3.0, label="q")
    step = backward("closure-never-attached", p, q, variant="neg")
    step(-p + q)
    assert (p.grad, q.grad) == (0.0, 1.0)
    assert step.angles == [pytest.approx(45.0)]
    assert not step.equal


def test_a_fault_that_does_nothing_here_leaves_the_run_as_it_is():
    right, broken = train(MOONS), train(MOONS, "relu-at-zero")  # no unit is exactly at 0
    assert broken.losses == right.losses
    assert broken.weights == right.weights
    assert broken.equal
    assert set(broken.angles) == {0.0}


def test_a_seed_of_two_is_a_doubled_rate():
    broken = train(MOONS, "seed-scaled", 2)
    assert broken.losses == train(replace(MOONS, lr=2.0 * MOONS.lr)).losses  # powers of two are exact
    assert set(broken.ratios) == {2.0}
    assert max(broken.angles) == 0.0
    assert not broken.equal


def torch_losses(settings, *, zero_grad: bool) -> list[float]:
    """The same run in PyTorch, in float64."""
    run = Run(settings)
    state = run.model.state_dict()
    sizes = [2, *settings.hidden, 1]

    def tensor(numbers):
        return torch.tensor(numbers, dtype=torch.float64, requires_grad=True)

    layers = [
        (
            tensor([state[f"layers.{i}.neurons.{j}.w"] for j in range(size)]),
            tensor([state[f"layers.{i}.neurons.{j}.b"] for j in range(size)]),
        )
        for i, size in enumerate(sizes[1:])
    ]
    parameters = [p for layer in layers for p in layer]
    optimiser = torch.optim.SGD(parameters, lr=settings.lr)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, settings.final, settings.steps)
    losses = []
    for _ in range(settings.steps):
        chosen_points = [run.task.points[i] for i in run.indices()]
        run.cursor += run.batch
        x = torch.tensor([point for point, _ in chosen_points], dtype=torch.float64)
        y = torch.tensor([label for _, label in chosen_points], dtype=torch.float64)
        for i, (weight, bias) in enumerate(layers):
            x = x @ weight.T + bias
            x = x.relu() if i < len(layers) - 1 else x
        loss = (1.0 - y * x[:, 0]).relu().mean()
        loss = loss + settings.regularisation * sum((p * p).sum() for p in parameters)
        if zero_grad:
            optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        losses.append(loss.item())
    return losses


def test_the_right_run_is_that_of_pytorch():
    assert train(MOONS).losses == pytest.approx(torch_losses(MOONS, zero_grad=True), rel=1e-9)


def test_without_zero_grad_the_run_is_that_of_pytorch_without_zero_grad():
    expected = torch_losses(MOONS, zero_grad=False)
    assert train(MOONS, "no-zero-grad", MOONS.steps).losses == pytest.approx(expected, rel=1e-9)
    assert expected != pytest.approx(torch_losses(MOONS, zero_grad=True), rel=1e-2)


# ---- which faults fight, and where ----------------------------------------------------------------


def test_every_fault_fights_or_has_a_reason_not_to():
    for fault in FAULTS.values():
        found = opponents(fault, MOONS, every=True)
        assert len(found) <= 3
        for settings, suspect in found:
            assert suspect.fault is fault
            assert settings == MOONS or settings.activation in {n.op for n in fault.graph.nodes}


def test_rows_say_how_they_act_from_step_to_step():
    for fault in FAULTS.values():
        assert fault.across in ("", *ACROSS)
        assert (fault.passes > 1) == bool(fault.across), fault.slug


def test_an_op_that_the_model_lacks_is_tried_as_its_activation():
    [(settings, _)] = opponents(FAULTS["tanh-plus"], MOONS, every=True)
    assert settings.activation == "tanh"
    assert "tanh" in {node.op for node in first_graph(settings).nodes}


def test_an_edge_means_nothing_where_graphs_differ_from_step_to_step():
    assert opponents(FAULTS["branch-dropped"], MOONS, every=False)
    found = duel(["branch-dropped"], "names", steps=20)
    assert [row.why for row in found.idle] == ["edges"]


def test_a_variant_can_be_chosen():
    settings, suspect = chosen(FAULTS["overwrite-one-op"], MOONS, " MUL ")
    assert (settings, suspect.variant) == (MOONS, "mul")


def test_what_takes_two_passes_over_one_graph_cannot_show():
    found = duel(["stale-intermediates", "visited-flags-outlive", "sqrt-no-half"], "moons", steps=20)
    assert [(row.fault.slug, row.why) for row in found.idle] == [
        ("stale-intermediates", "one-graph"),
        ("visited-flags-outlive", "one-graph"),
        ("sqrt-no-half", "no-op"),
    ]
    assert found.bouts == ()
    assert "stale-intermediates" in found.text()


# ---- whole duels ----------------------------------------------------------------------------------


def test_the_right_pass_raises_no_alarm():
    settings = arena("moons")
    losses = [train(replace(settings, seed=seed)).losses for seed in range(14)]
    for seed in range(7):
        assert noticed(losses[seed], band_of(range(7), losses[seed + 1 : seed + 8])) is None, seed


def test_a_duel_tells_what_hides_from_what_shows():
    found = duel(["subtract", "float32", "zero-seed", "relu-at-zero"], "moons", steps=60)
    status = {bout.fault.slug: bout.status for bout in found.bouts}
    assert status == {
        "subtract": "noticed",
        "float32": "hidden",
        "zero-seed": "noticed",
        "relu-at-zero": "equal",
    }
    rounded = found.bouts[1]
    assert 0.0 < rounded.angle < 0.01
    assert rounded.ratio == pytest.approx(1.0, abs=1e-3)
    still = found.bouts[2]
    assert still.angle is None
    assert still.ratio == 0.0
    assert still.broken.weights == Run(found.settings).model.state_dict()  # nothing was learned
    assert found.ranked[0] is rounded
    assert found.ranked[-1].status == "equal"


def test_a_pass_that_does_not_end_is_a_result(monkeypatch):
    monkeypatch.setattr("minigrad.faults.catalogue.traversal.LONGEST", 10)
    wide = replace(arena("moons", steps=20), hidden=(6, 6, 6))
    course = train(wide, "recursion")
    assert course.end == "endless"
    assert course.losses == ()


def test_what_is_no_number_ends_a_run():
    course = train(replace(MOONS, lr=1e6), "accumulate-twice")
    assert course.end == "not-a-number"
    assert len(course.losses) < MOONS.steps
    assert not math.isfinite(course.losses[-1])


def test_a_duel_is_the_same_whatever_the_number_of_processes():
    alone = duel(["subtract", "overwrite"], "moons", steps=20)
    shared = duel(["subtract", "overwrite"], "moons", steps=20, workers=2)
    assert alone.to_json() == shared.to_json()
    assert alone.to_html("en") == shared.to_html("en")
    assert alone.to_json() != duel(["subtract", "overwrite"], "moons", steps=20, seed=1).to_json()


def test_a_process_that_was_ended_from_outside_is_told_in_words(monkeypatch):
    def ended(self, *given):
        raise BrokenProcessPool

    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor.map", ended)
    with pytest.raises(ValueError, match="ended from outside"):
        duel(["subtract"], "moons", steps=20, workers=2)


def test_a_model_that_can_write_nothing_any_more_is_a_result_too():
    """Its weights are numbers, and so large that its scores are not."""
    found = duel(["floor-division"], "names", steps=25, optimiser="sgd")
    [bout] = found.bouts
    assert bout.broken.samples == ()
    assert len(bout.right.samples) == 5
    assert bout.status == "noticed"
    assert bout.right.samples[0] in found.text()
    assert found.to_json()["bouts"][0]["samples"]["broken"] == []


def test_a_duel_on_names_shows_what_was_learned():
    found = duel(["seed-scaled"], "names", steps=30, variant="-1")  # uphill
    [bout] = found.bouts
    assert bout.status == "noticed"
    assert len(bout.right.samples) == len(bout.broken.samples) == 5
    assert bout.right.accuracy is None
    assert bout.right.samples[0] in found.text()
