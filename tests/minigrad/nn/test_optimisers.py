"""Optimisers, schedules and clipping: numbers worked out by hand, states, and what is refused."""

from __future__ import annotations

import json
from copy import deepcopy
from math import cos, inf, isnan, nan, pi, sqrt

import pytest

from minigrad import Value
from minigrad.nn import (
    SGD,
    Adam,
    AdamW,
    ConstantLR,
    CosineAnnealingLR,
    LambdaLR,
    LinearLR,
    SequentialLR,
    clip_grad_norm_,
    clip_grad_value_,
)
from minigrad.text.translation import speaking


def moved(kind, gradients, **settings):
    """Where a weight of 1 is after steps with these gradients."""
    weight = Value(1.0)
    optimiser = kind([weight], **settings)
    for gradient in gradients:
        weight.grad = gradient
        optimiser.step()
    return weight.data


# ---- by hand --------------------------------------------------------------------------------------


def test_sgd_goes_down_the_gradient():
    assert moved(SGD, [0.5], lr=0.1) == pytest.approx(0.95)
    assert moved(SGD, [0.5], lr=0.1, maximize=True) == pytest.approx(1.05)
    assert moved(SGD, [0.5], lr=0.1, weight_decay=0.1) == pytest.approx(0.94)  # 0.5 + 0.1 * 1


def test_momentum_adds_up_gradients_and_takes_the_first_one_whole():
    assert moved(SGD, [0.5], lr=0.1, momentum=0.9, dampening=0.5) == pytest.approx(0.95)
    assert moved(SGD, [0.5, 0.5], lr=0.1, momentum=0.9) == pytest.approx(0.95 - 0.1 * (0.45 + 0.5))
    assert moved(SGD, [0.5, 0.5], lr=0.1, momentum=0.9, dampening=0.5) == pytest.approx(0.95 - 0.1 * 0.7)


def test_nesterov_looks_ahead():
    assert moved(SGD, [0.5], lr=0.1, momentum=0.9, nesterov=True) == pytest.approx(1 - 0.1 * 0.95)
    assert moved(SGD, [0.5, 0.5], lr=0.1, momentum=0.9, nesterov=True) == pytest.approx(0.905 - 0.1 * 1.355)


@pytest.mark.parametrize("gradient", [1e-3, -7.0, 40.0])
def test_the_first_step_of_adam_is_the_rate_whatever_the_gradient(gradient):
    expected = 1.0 - 0.1 * (1 if gradient > 0 else -1)
    assert moved(Adam, [gradient], lr=0.1) == pytest.approx(expected, rel=1e-5)
    assert moved(AdamW, [gradient], lr=0.1, weight_decay=0.1) == pytest.approx(expected - 0.01, rel=1e-5)


def test_the_second_step_of_adam_by_hand():
    # after 0.5 and 0: mean 0.9 * 0.05, square 0.999 * 0.00025, each over its correction
    mean, square = 0.045 / (1 - 0.81), 0.00024975 / (1 - 0.998001)
    assert moved(Adam, [0.5, 0.0], lr=0.1) == pytest.approx(0.9 - 0.1 * mean / sqrt(square), rel=1e-6)
    # amsgrad divides by the larger square of the first step, 0.00025
    largest = 0.00025 / (1 - 0.998001)
    expected = 0.9 - 0.1 * mean / sqrt(largest)
    assert moved(Adam, [0.5, 0.0], lr=0.1, amsgrad=True) == pytest.approx(expected, rel=1e-6)


def test_a_gradient_that_is_not_a_number_is_not_hidden():
    for kind in (SGD, Adam, AdamW):
        assert isnan(moved(kind, [nan], lr=0.1))
    assert moved(SGD, [inf], lr=0.1) == -inf
    assert isnan(moved(Adam, [0.0], lr=0.1, eps=0.0))  # 0/0


def test_a_gradient_of_none_leaves_its_weight_out():
    a, b = Value(1.0), Value(2.0)
    optimiser = Adam([a, b], lr=0.1, weight_decay=0.5)
    a.grad, b.grad = 1.0, None
    optimiser.step()
    assert b.data == 2.0
    assert list(optimiser.state_dict()["state"]) == [0]
    optimiser.zero_grad()
    assert (a.grad, b.grad) == (0.0, 0.0)


def test_training_a_line_finds_its_slope():
    w, b = Value(0.0), Value(0.0)
    optimiser = SGD([w, b], lr=0.05, momentum=0.8)
    for _ in range(200):
        loss = sum(((w * x + b - (3.0 * x - 1.0)) ** 2 for x in (-1.0, 0.0, 2.0)), Value(0.0))
        optimiser.zero_grad()
        loss.backward()
        assert optimiser.step() is None
    assert (w.data, b.data) == (pytest.approx(3.0, abs=1e-6), pytest.approx(-1.0, abs=1e-6))


def test_a_closure_is_called_once_and_its_loss_handed_back():
    w = Value(3.0)
    optimiser = SGD([w], lr=0.5)

    def closure():
        optimiser.zero_grad()
        loss = w * w
        loss.backward()
        return loss

    assert optimiser.step(closure).data == 9.0
    assert w.data == 0.0  # 3 - 0.5 * 6


def test_groups_keep_what_they_set_and_inherit_the_rest():
    a, b = Value(1.0), Value(1.0)
    optimiser = SGD([{"params": [a]}, {"params": b, "lr": 0.5}], lr=0.1)
    a.grad = b.grad = 1.0
    optimiser.step()
    assert (a.data, b.data) == (pytest.approx(0.9), pytest.approx(0.5))
    optimiser.add_param_group({"params": [Value(4.0)], "weight_decay": 0.25})
    assert [group["weight_decay"] for group in optimiser.param_groups] == [0.0, 0.0, 0.25]
    optimiser.param_groups[0]["lr"] = 0.0
    optimiser.step()
    assert (a.data, b.data) == (pytest.approx(0.9), pytest.approx(0.0))
    assert "group 2: 1 parameters" in repr(optimiser)


def test_named_parameters_are_taken_with_their_names():
    optimiser = SGD([("w", Value(1.0)), ("b", Value(2.0))])
    assert optimiser.param_groups[0]["param_names"] == ["w", "b"]
    assert optimiser.state_dict()["param_groups"][0]["params"] == [0, 1]


# ---- schedules ------------------------------------------------------------------------------------


def rates(schedule_of, steps, lr=1.0):
    optimiser = SGD([Value(0.0)], lr=lr)
    schedule = schedule_of(optimiser)
    found = []
    for _ in range(steps):
        found.append(optimiser.param_groups[0]["lr"])
        assert schedule.get_last_lr() == [found[-1]]
        schedule.step()
    return found


def test_the_rates_by_hand():
    assert rates(lambda o: LinearLR(o, 1.0, 0.0, 4), 6) == pytest.approx([1, 0.75, 0.5, 0.25, 0, 0])
    assert rates(lambda o: LinearLR(o, 0.25, 1.0, 3), 5, lr=4.0) == pytest.approx([1, 2, 3, 4, 4])
    half = (1 + cos(pi / 4)) / 2
    wave = [1, half, 0.5, 1 - half, 0, 1 - half, 0.5, half, 1, half]
    assert rates(lambda o: CosineAnnealingLR(o, 4), 10) == pytest.approx(wave, abs=1e-15)
    assert rates(lambda o: CosineAnnealingLR(o, 2, eta_min=0.2), 3) == pytest.approx([1, 0.6, 0.2])
    assert rates(lambda o: ConstantLR(o, 0.5, 2), 4, lr=8.0) == [4, 4, 8, 8]
    assert rates(lambda o: LambdaLR(o, lambda step: 1 / (1 + step)), 3, lr=6.0) == [6, 3, 2]


def test_a_warm_up_is_followed_by_a_decay():
    def schedule(optimiser):
        warm = LinearLR(optimiser, 0.25, 1.0, 3)
        return SequentialLR(optimiser, [warm, LinearLR(optimiser, 1.0, 0.0, 2)], [3])

    assert rates(schedule, 7) == pytest.approx([0.25, 0.5, 0.75, 1, 0.5, 0, 0])


def test_a_rate_changed_by_hand_is_kept():
    optimiser = SGD([Value(0.0)], lr=1.0)
    schedule = LinearLR(optimiser, 1.0, 0.0, 4)
    optimiser.param_groups[0]["lr"] = 10.0
    schedule.step()
    assert schedule.get_last_lr() == [pytest.approx(7.5)]


# ---- states ---------------------------------------------------------------------------------------


def line(weights, x):
    return (weights[0] * x + weights[1] - (2.0 * x + 1.0)) ** 2


def trained(optimiser_of, schedule_of, stops):
    """All weights and rates of 12 steps; at each stop all is saved as JSON and loaded into new objects."""
    weights = [Value(0.3), Value(-0.2)]
    optimiser = optimiser_of(weights)
    schedule = schedule_of(optimiser)
    seen = []
    for step in range(12):
        if step in stops:
            saved = json.loads(json.dumps([optimiser.state_dict(), schedule.state_dict()]))
            weights = [Value(w.data) for w in weights]
            optimiser = optimiser_of(weights)
            schedule = schedule_of(optimiser)
            optimiser.load_state_dict(saved[0])
            schedule.load_state_dict(saved[1])
        optimiser.zero_grad()
        line(weights, step % 3 - 1.0).backward()
        optimiser.step()
        schedule.step()
        seen.append((weights[0].data, weights[1].data, schedule.get_last_lr()))
    return seen


@pytest.mark.parametrize(
    "optimiser_of",
    [
        lambda p: SGD(p, lr=0.1),
        lambda p: SGD(p, lr=0.1, momentum=0.9, dampening=0.1),
        lambda p: Adam([{"params": p[:1]}, {"params": p[1:], "lr": 0.3}], lr=0.1, amsgrad=True),
        lambda p: AdamW(p, lr=0.1),
    ],
    ids=["sgd", "momentum", "groups of adam", "adamw"],
)
@pytest.mark.parametrize(
    "schedule_of",
    [
        lambda o: LinearLR(o, 1.0, 0.0, 12),
        lambda o: CosineAnnealingLR(o, 5),
        lambda o: SequentialLR(o, [LinearLR(o, 0.1, 1.0, 4), CosineAnnealingLR(o, 8)], [4]),
        lambda o: LambdaLR(o, lambda step: 0.9**step),
    ],
    ids=["linear", "cosine", "warm-up", "function"],
)
def test_a_saved_run_goes_on_to_the_last_bit(optimiser_of, schedule_of):
    whole = trained(optimiser_of, schedule_of, ())
    for stops in ((1,), (4,), (7,), (3, 4, 5), (11,)):
        assert trained(optimiser_of, schedule_of, stops) == whole


def test_a_schedule_is_resumed_by_its_last_epoch():
    optimiser = SGD([Value(0.0)], lr=0.6)
    optimiser.param_groups[0]["initial_lr"] = 1.0
    schedule = LinearLR(optimiser, 1.0, 0.0, 5, last_epoch=1)
    assert schedule.get_last_lr() == [0.6]
    schedule.step()
    assert schedule.get_last_lr() == [pytest.approx(0.4)]  # epoch 3 of 5


BAD_STATES = {
    "another kind": lambda s: s["state"].update({0: {"momentum_buffer": 1.0}}),
    "half an entry": lambda s: s["state"][1].pop("exp_avg_sq"),
    "no maximum": lambda s: s["param_groups"][0].update(amsgrad=True),
    "a stranger": lambda s: s["state"].update({7: s["state"][0]}),
    "a text": lambda s: s["state"][1].update(exp_avg="0.5"),
    "half a step": lambda s: s["state"][1].update(step=1.5),
    "steps that are not a number": lambda s: s["state"][1].update(step=nan),
    "endless steps": lambda s: s["state"][1].update(step=inf),
    "a number of 401 digits": lambda s: s["state"][1].update(step=10**400),
    "a negative square": lambda s: s["state"][1].update(exp_avg_sq=-1.0),
    "one parameter less": lambda s: s["param_groups"][0].update(params=[0]),
    "one group more": lambda s: s["param_groups"].append(s["param_groups"][0]),
    "no groups": lambda s: s.pop("param_groups"),
    "a setting of another": lambda s: s["param_groups"][0].update(momentum=0.9),
    "a beta of 1": lambda s: s["param_groups"][0].update(betas=[0.9, 1.0]),
    "a group that is none": lambda s: s["param_groups"].__setitem__(0, 3),
}


@pytest.mark.parametrize("name", BAD_STATES)
def test_a_state_that_does_not_fit_is_refused_and_changes_nothing(name):
    weights = [Value(1.0), Value(2.0)]
    optimiser = Adam(weights, lr=0.1)
    weights[0].grad = weights[1].grad = 0.5
    optimiser.step()
    before = deepcopy(optimiser.state_dict())
    state = deepcopy(before)
    BAD_STATES[name](state)
    for language in ("en", "es"):
        with speaking(language), pytest.raises((ValueError, TypeError)):
            optimiser.load_state_dict(state)
    assert optimiser.state_dict() == before


def test_a_state_of_another_optimiser_is_refused_with_what_this_one_remembers():
    with pytest.raises(ValueError, match=r"parameter 0 is not what Adam remembers \(step, exp_avg, "):
        Adam([Value(1.0)]).load_state_dict(
            {"state": {0: {"momentum_buffer": 1.0}}, "param_groups": [{"params": [0]}]}
        )


def test_adam_remembers_a_maximum_only_where_it_uses_one():
    for amsgrad, names in (
        (False, ("exp_avg", "exp_avg_sq")),
        (True, ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")),
    ):
        optimiser = Adam([Value(1.0)], amsgrad=amsgrad)
        assert optimiser.remembered(optimiser.param_groups[0]) == names


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.pop("base_lrs"),
        lambda s: s.update(gamma=0.1),
        lambda s: s.update(_last_lr=[0.1, 0.2]),
        lambda s: s.update(last_epoch=1.5),
        lambda s: s.update(last_epoch=-2),
        lambda s: s.update(total_iters=-1),
        lambda s: s.update(start_factor=0.0),
    ],
)
def test_a_state_of_another_schedule_is_refused_and_changes_nothing(change):
    schedule = LinearLR(SGD([Value(0.0)]), 0.5)
    schedule.step()
    before = schedule.state_dict()
    state = schedule.state_dict()
    change(state)
    with pytest.raises(ValueError, match=r"state of LinearLR|in the state|has to be|part of the rate"):
        schedule.load_state_dict(state)
    assert schedule.state_dict() == before


# ---- what is refused ------------------------------------------------------------------------------

LEAF = Value(1.0, label="w")
REFUSED = {
    "no parameters": (lambda: SGD([]), "list is empty"),
    "an empty group": (lambda: SGD([{"params": []}]), "list is empty"),
    "a number": (lambda: SGD(3.0), "list of Values"),
    "numbers": (lambda: SGD([LEAF, 3.0]), "parameter 1 is 3.0 (float)"),
    "a set": (lambda: SGD({LEAF}), "list of Values"),
    "a dict": (lambda: SGD({"params": [LEAF]}), "list of Values"),
    "a group without parameters": (lambda: SGD([{"lr": 0.1}]), '"params" in it'),
    "a group among parameters": (lambda: SGD([{"params": [LEAF]}, LEAF]), '"params" in it'),
    "a result": (lambda: SGD([LEAF * 2.0]), "result of an operation"),
    "a constant": (lambda: SGD([Value(1.0, requires_grad=False)]), "is a constant"),
    "twice": (lambda: SGD([LEAF, LEAF]), "w is given twice"),
    "in two groups": (lambda: SGD([{"params": LEAF}, {"params": [LEAF]}]), "w is given twice"),
    "a negative rate": (lambda: SGD([LEAF], lr=-0.1), "lr is -0.1"),
    "no rate": (lambda: Adam([LEAF], lr=nan), "lr is nan"),
    "an endless rate": (lambda: AdamW([LEAF], lr=inf), "lr is inf"),
    "a text": (lambda: SGD([LEAF], lr="0.1"), "'0.1' (str)"),
    "a negative momentum": (lambda: SGD([LEAF], momentum=-1), "momentum is -1"),
    "a negative decay": (lambda: AdamW([LEAF], weight_decay=-1), "weight_decay is -1"),
    "an endless dampening": (lambda: SGD([LEAF], dampening=inf), "dampening is inf"),
    "nesterov alone": (lambda: SGD([LEAF], nesterov=True), "needs momentum above 0"),
    "nesterov dampened": (
        lambda: SGD([LEAF], momentum=0.9, dampening=0.1, nesterov=True),
        "dampening 0.1",
    ),
    "one beta": (lambda: Adam([LEAF], betas=0.9), "two numbers"),
    "a beta of 1": (lambda: Adam([LEAF], betas=(0.9, 1.0)), "beta of 1"),
    "a beta a little above 1": (
        lambda: Adam([LEAF], betas=(0.9, 1.0000000000000002)),
        "beta of 1.0000000000000002",
    ),
    "a setting of another": (
        lambda: Adam([{"params": [LEAF], "momentum": 0.9}]),
        "Adam has no setting momentum",
    ),
    "a beta below 0": (lambda: Adam([LEAF], betas=(-0.1, 0.9)), "beta of -0.1"),
    "a negative epsilon": (lambda: Adam([LEAF], eps=-1e-8), "eps is -1e-08"),
    "a switch": (lambda: Adam([LEAF], amsgrad=1), "True or False"),
    "an unknown setting": (lambda: SGD([{"params": LEAF, "betas": (0.9, 0.99)}]), "has no setting betas"),
    "a setting of a group": (lambda: SGD([{"params": LEAF, "lr": -2.0}]), "lr is -2"),
    "a schedule of nothing": (lambda: LinearLR([LEAF]), "is none"),
    "a factor of 0": (lambda: LinearLR(SGD([Value(0.0)]), 0.0), "start_factor is 0"),
    "a factor above 1": (lambda: LinearLR(SGD([Value(0.0)]), 0.5, 2.0), "end_factor is 2"),
    "half a step": (lambda: LinearLR(SGD([Value(0.0)]), total_iters=2.5), "total_iters is 2.5"),
    "no steps": (lambda: CosineAnnealingLR(SGD([Value(0.0)]), 0), "T_max is 0"),
    "an endless minimum": (lambda: CosineAnnealingLR(SGD([Value(0.0)]), 5, inf), "eta_min is inf"),
    "no function": (lambda: LambdaLR(SGD([Value(0.0)]), 0.9), "function of the epoch"),
    "no number": (lambda: LambdaLR(SGD([Value(0.0)]), lambda _: nan), "lr_lambda(0) is nan"),
    "functions": (lambda: LambdaLR(SGD([Value(0.0)]), [abs, abs]), "2 functions for 1 groups"),
    "a schedule resumed": (lambda: LinearLR(SGD([Value(0.0)]), last_epoch=3), "no initial_lr"),
    "no schedules": (lambda: SequentialLR(SGD([Value(0.0)]), [], []), "one milestone"),
    "a negative norm": (lambda: clip_grad_norm_([LEAF], -1.0), "max_norm is -1"),
    "no norm": (lambda: clip_grad_norm_([LEAF], nan), "max_norm is nan"),
    "a norm of order 0": (lambda: clip_grad_norm_([LEAF], 1.0, 0.0), "norm_type is 0"),
    "a negative value": (lambda: clip_grad_value_(LEAF, -1.0), "clip_value is -1"),
    "gradients of numbers": (lambda: clip_grad_value_([1.0], 1.0), "clipped on Values"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused_in_words(name):
    make, words = REFUSED[name]
    with speaking("en"), pytest.raises((ValueError, TypeError)) as error:
        make()
    assert words in str(error.value)
    with speaking("es"), pytest.raises((ValueError, TypeError)) as spanish:
        make()
    assert str(spanish.value) != str(error.value)


def test_sequences_that_cannot_be_are_refused():
    optimiser, other = SGD([Value(0.0)]), SGD([Value(0.0)])
    one, two = LinearLR(optimiser), LinearLR(optimiser)
    with pytest.raises(ValueError, match=r"one milestone .* 1 here, and 0 were given"):
        SequentialLR(optimiser, [one, two], [])
    with pytest.raises(ValueError, match="have to rise"):
        SequentialLR(optimiser, [one, two, LinearLR(optimiser)], [5, 5])
    with pytest.raises(ValueError, match="another optimiser"):
        SequentialLR(optimiser, [one, LinearLR(other)], [5])
    with pytest.raises(TypeError, match="is none"):
        SequentialLR(optimiser, [one, optimiser], [5])
    with pytest.raises(ValueError, match="part of another"):
        SequentialLR(optimiser, [one, SequentialLR(optimiser, [two], [])], [5])


def test_a_group_that_is_refused_is_not_added():
    optimiser = SGD([Value(0.0)])
    with pytest.raises(ValueError, match="lr is -1"):
        optimiser.add_param_group({"params": [Value(1.0)], "lr": -1.0})
    assert len(optimiser.param_groups) == 1
    optimiser.step()


# ---- clipping -------------------------------------------------------------------------------------


def clipped(cut, gradients):
    values = [Value(0.0) for _ in gradients]
    for value, gradient in zip(values, gradients, strict=True):
        value.grad = gradient
    answer = cut(values)
    return answer, [value.grad for value in values]


def test_a_long_gradient_is_scaled_to_the_norm_and_a_short_one_left():
    norm, cut = clipped(lambda p: clip_grad_norm_(p, 1.0), [3.0, -4.0])
    assert norm == 5.0
    assert cut == pytest.approx([0.6, -0.8], rel=1e-6)
    assert clipped(lambda p: clip_grad_norm_(p, 10.0), [3.0, -4.0]) == (5.0, [3.0, -4.0])
    assert clipped(lambda p: clip_grad_norm_(p, 10.0, inf), [3.0, -4.0]) == (4.0, [3.0, -4.0])
    assert clipped(lambda p: clip_grad_norm_(p, 10.0, "inf"), [3.0, -4.0])[0] == 4.0
    assert clip_grad_norm_([], 1.0) == 0.0


def test_values_are_cut_off_one_by_one():
    _, cut = clipped(lambda p: clip_grad_value_(p, 1.0), [3.0, -4.0, 0.5, -inf])
    assert cut == [1.0, -1.0, 0.5, -1.0]
    _, cut = clipped(lambda p: clip_grad_value_(p, 1.0), [nan])
    assert isnan(cut[0])


def test_a_norm_that_is_not_finite_shows_or_is_refused():
    norm, cut = clipped(lambda p: clip_grad_norm_(p, 1.0), [nan, 1.0])
    assert isnan(norm)
    assert all(isnan(gradient) for gradient in cut)
    values = [Value(0.0)]
    values[0].grad = inf
    with pytest.raises(ValueError, match="norm of the gradients is inf"):
        clip_grad_norm_(values, 1.0, error_if_nonfinite=True)
    assert values[0].grad == inf


@pytest.mark.parametrize("gradients", [[nan, 1.0], [1.0, nan], [2.0, nan, 3.0]])
def test_one_gradient_that_is_not_a_number_makes_the_largest_not_a_number(gradients):
    norm, cut = clipped(lambda p: clip_grad_norm_(p, 1.0, inf), gradients)
    assert isnan(norm)
    assert all(isnan(gradient) for gradient in cut)
    with pytest.raises(ValueError, match="norm of the gradients is nan"):
        clipped(lambda p: clip_grad_norm_(p, 1.0, inf, error_if_nonfinite=True), gradients)


def test_what_adam_has_saved_goes_on_as_adamw_with_decay_apart_from_the_gradient():
    before = Adam([Value(1.0)], lr=0.1, weight_decay=0.5)
    weight = Value(1.0)
    after = AdamW([weight], lr=0.1, weight_decay=0.5)
    after.load_state_dict(before.state_dict())
    weight.grad = 0.0
    after.step()
    assert weight.data == 1.0 - 0.1 * 0.5  # the weight shrinks, and a gradient of zero moves it no further
    assert after.param_groups[0]["decoupled_weight_decay"] is True
