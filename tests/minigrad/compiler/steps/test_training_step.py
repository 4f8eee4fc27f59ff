"""A compiled training step does what the plain one does to the last bit: losses, weights, memory."""

from __future__ import annotations

from functools import partial

import pytest

import minigrad
from minigrad import Value
from minigrad.nn import SGD, Adam, AdamW, CosineAnnealingLR
from minigrad.text.translation import speaking
from step_models import bits, listed, loss_of, plainly, samples, weights

OPTIMISERS = {
    "sgd": lambda p: SGD(p, lr=0.05),
    "momentum": lambda p: SGD(p, lr=0.05, momentum=0.9, dampening=0.1),
    "nesterov": lambda p: SGD(p, lr=0.01, momentum=0.9, nesterov=True, weight_decay=0.1, maximize=True),
    "adam": lambda p: Adam(p, lr=0.05),
    "far": lambda p: Adam(p, lr=0.05, betas=(0.3, 0.9), eps=0.0),
    "amsgrad": lambda p: Adam(p, lr=0.05, amsgrad=True, weight_decay=0.1, maximize=True),
    "adamw": lambda p: AdamW(p, lr=0.05, weight_decay=0.1),
}


@pytest.mark.usefixtures("executors")
@pytest.mark.parametrize("clip", [0.0, 0.5])
@pytest.mark.parametrize("make", OPTIMISERS.values(), ids=OPTIMISERS)
def test_each_optimiser_takes_the_steps_that_it_takes_plainly(make, clip):
    plain, called, run = weights(), weights(), weights()
    optimisers = [make(listed(w)) for w in (plain, called, run)]
    data = samples()
    losses = plainly(partial(loss_of, plain), optimisers[0], listed(plain), data, clip)

    step = minigrad.compile(loss_of).training(optimisers[1], called, clip=clip)
    assert [step(*sample) for sample in data] == losses
    step.write_back()
    many = minigrad.compile(loss_of).training(optimisers[2], run, clip=clip)
    assert many.run([x for x, _ in data], [y for _, y in data]).tolist() == losses
    many.write_back()
    for w, optimiser in ((called, optimisers[1]), (run, optimisers[2])):
        assert bits(listed(w)) == bits(listed(plain))
        assert optimiser.state_dict() == optimisers[0].state_dict()


def test_an_optimiser_with_a_step_of_its_own_is_refused():
    class Bounded(SGD):
        def step(self, closure=None):
            for parameter in self.param_groups[0]["params"]:
                parameter.grad = min(0.1, parameter.grad)
            return super().step(closure)

    class Halving(SGD):
        def _move(self, group, slots):
            for parameter in group["params"]:
                parameter.data *= 0.5

    for kind in (Bounded, Halving):
        w = Value(3.0)
        with pytest.raises(TypeError, match=f"{kind.__name__} has a step of its own"), speaking("en"):
            minigrad.compile(lambda w, x: w * x).training(kind([w]), w)


def test_parameters_with_a_hook_or_without_a_gradient_are_refused():
    w, frozen = Value(3.0, label="w"), Value(2.0, label="frozen")
    program, optimiser = minigrad.compile(lambda w, u, x: w * u * x), SGD([w, frozen])
    step = program.training(optimiser, w, frozen)
    frozen.requires_grad = False
    hook = w.register_hook(lambda grad: 0.5 * grad)
    with speaking("en"):
        with pytest.raises(ValueError, match="parameter w has a hook"):
            program.training(optimiser, w, frozen)
        hook.remove()
        with pytest.raises(ValueError, match="parameter frozen wants no gradient"):
            step.read()


def test_a_rule_that_is_wrong_by_a_millionth_is_seen(monkeypatch):
    right = Adam.rule

    def wrong(self, group, changing, data, grad, memory):
        moved, kept = right(self, group, changing, data, grad, memory)
        return moved * (1.0 + 1e-6), kept

    monkeypatch.setattr(Adam, "rule", wrong)
    plain, compiled = weights(), weights()
    losses = plainly(partial(loss_of, plain), Adam(listed(plain)), listed(plain), samples())
    step = minigrad.compile(loss_of).training(Adam(listed(compiled)), compiled)
    assert [step(*sample) for sample in samples()] != losses


def test_a_vanished_gradient_under_eps_0_divides_by_zero_as_it_does_plainly():
    def dead(w, x):
        return 0.0 * w * x

    plain, compiled = Value(1.0), Value(1.0)
    data = [(2.0,), (3.0,)]
    losses = plainly(partial(dead, plain), Adam([plain], eps=0.0), [plain], data)
    step = minigrad.compile(dead).training(Adam([compiled], eps=0.0), compiled)
    found = [step(*sample) for sample in data]
    step.write_back()
    assert repr(found) == repr(losses)
    assert repr(compiled) == repr(plain)


def test_a_norm_that_is_no_number_clips_as_it_does_plainly():
    for start in (float("inf"), float("nan"), 1e200):
        plain, compiled = Value(start), Value(start)
        losses = plainly(lambda x: plain * plain * x, SGD([plain]), [plain], [(1.0,)], clip=1.0)  # noqa: B023
        step = minigrad.compile(lambda w, x: w * w * x).training(SGD([compiled]), compiled, clip=1.0)
        assert repr([step(1.0)]) == repr(losses)
        step.write_back()
        assert repr(compiled) == repr(plain)


# ---- rates, groups, memory ------------------------------------------------------------------------


def grouped(w: dict) -> Adam:
    return Adam([{"params": listed(w)[:12]}, {"params": w["out"], "lr": 0.2, "betas": (0.5, 0.9)}], lr=0.05)


@pytest.mark.usefixtures("executors")
def test_groups_have_their_own_settings_and_a_schedule_moves_their_rates():
    plain, called, run = weights(), weights(), weights()
    data = samples()
    first, second, third = grouped(plain), grouped(called), grouped(run)
    losses = plainly(
        partial(loss_of, plain), first, listed(plain), data, 0.7, CosineAnnealingLR(first, T_max=9)
    )
    schedule = CosineAnnealingLR(second, T_max=9)
    step = minigrad.compile(loss_of).training(second, called, clip=0.7)
    found = []
    for sample in data:
        found.append(step(*sample))
        schedule.step()
    step.write_back()
    many = minigrad.compile(loss_of).training(third, run, clip=0.7)
    xs, ys = [x for x, _ in data], [y for _, y in data]
    assert many.run(xs, ys, schedule=CosineAnnealingLR(third, T_max=9)).tolist() == losses == found
    many.write_back()
    assert bits(listed(called)) == bits(listed(run)) == bits(listed(plain))
    assert first.state_dict() == second.state_dict() == third.state_dict()


def test_rates_can_be_given_as_numbers():
    plain, compiled = weights(), weights()
    optimiser, rates, losses = SGD(listed(plain), lr=9.0), [0.1, 0.05, 0.025], []
    for sample, rate in zip(samples(3), rates, strict=True):
        optimiser.param_groups[0]["lr"] = rate
        losses += plainly(partial(loss_of, plain), optimiser, listed(plain), [sample])
    step = minigrad.compile(loss_of).training(SGD(listed(compiled), lr=9.0), compiled)
    data = samples(3)
    assert step.run([x for x, _ in data], [y for _, y in data], lr=rates).tolist() == losses
    with pytest.raises(ValueError, match="2 rates for 3 steps"):
        step.run([x for x, _ in data], [y for _, y in data], lr=rates[:2])


def test_parameters_that_took_different_numbers_of_steps_go_on_with_their_own():
    plain, compiled = weights(), weights()
    optimisers = []
    for w in (plain, compiled):
        optimiser = Adam(listed(w), lr=0.05)
        for sample in samples(2, seed=1):
            found = loss_of(w, *sample)
            optimiser.zero_grad()
            found.backward()
            for parameter in listed(w)[::3]:
                parameter.grad = None  # type: ignore[assignment]  # it is left out of this step
            optimiser.step()
        optimisers.append(optimiser)
    losses = plainly(partial(loss_of, plain), optimisers[0], listed(plain), samples(), clip=0.5)
    step = minigrad.compile(loss_of).training(optimisers[1], compiled, clip=0.5)
    data = samples()
    assert step.run([x for x, _ in data], [y for _, y in data]).tolist() == losses
    step.write_back()
    assert bits(listed(compiled)) == bits(listed(plain))
    assert optimisers[1].state_dict() == optimisers[0].state_dict()


def test_a_setting_that_somebody_changes_counts_from_the_next_step_on():
    plain, compiled = weights(), weights()
    first, second = Adam(listed(plain)), Adam(listed(compiled))
    step = minigrad.compile(loss_of).training(second, compiled)
    for decay in (0.0, 0.3):
        first.param_groups[0]["weight_decay"] = second.param_groups[0]["weight_decay"] = decay
        losses = plainly(partial(loss_of, plain), first, listed(plain), samples(2))
        assert [step(*sample) for sample in samples(2)] == losses


def test_what_was_changed_outside_is_read_when_asked():
    w = weights()
    optimiser = SGD(listed(w), lr=0.1, momentum=0.9)
    state = optimiser.state_dict()
    before = [p.data for p in listed(w)]
    step = minigrad.compile(loss_of).training(optimiser, w)
    first = [step(*sample) for sample in samples(3)]
    step.write_back()
    for parameter, x in zip(listed(w), before, strict=True):
        parameter.data = x
    optimiser.load_state_dict(state)
    step.read()
    assert [step(*sample) for sample in samples(3)] == first


def test_a_state_of_another_order_that_is_read_lays_the_parameters_out_anew():
    def uneven(w) -> Adam:
        optimiser = Adam(listed(w), lr=0.05)
        for parameter in listed(w)[1::2]:
            parameter.grad = None
        optimiser.step()
        return optimiser

    plain, compiled = weights(), weights()
    first, second = uneven(plain), Adam(listed(compiled), lr=0.05)
    step = minigrad.compile(loss_of).training(second, compiled, clip=0.5)
    step(*samples(1)[0])
    for parameter, other in zip(listed(compiled), listed(plain), strict=True):
        parameter.data = other.data
    second.load_state_dict(first.state_dict())
    step.read()
    losses = plainly(partial(loss_of, plain), first, listed(plain), samples(), clip=0.5)
    assert [step(*sample) for sample in samples()] == losses
    step.write_back()
    assert bits(listed(compiled)) == bits(listed(plain))


def test_what_is_not_exact_is_near():
    plain = weights()
    losses = plainly(partial(loss_of, plain), Adam(listed(plain)), listed(plain), samples())
    for near, options in ((1e-12, {"exact": False}), (1e-4, {"dtype": "float32"})):
        w = weights()
        step = minigrad.compile(loss_of, **options).training(Adam(listed(w)), w)
        assert [step(*sample) for sample in samples()] == pytest.approx(losses, rel=near)
