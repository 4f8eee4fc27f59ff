"""Optimisers, schedules and clipping against PyTorch in float64: the same numbers, step by step."""

from __future__ import annotations

import random
from math import inf, isclose, isfinite, isnan, nan

import pytest
import torch
from torch.optim import lr_scheduler

from minigrad import Value
from minigrad.nn import (
    MLP,
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
    data,
    hinge_loss,
)
from torch_models import mlp_twin, tensor, weights

pytestmark = pytest.mark.one_engine

STEPS = 200
PAIRS = {SGD: torch.optim.SGD, Adam: torch.optim.Adam, AdamW: torch.optim.AdamW}

OPTIMISERS = {
    "sgd": (SGD, {"lr": 0.1}),
    "momentum": (SGD, {"lr": 0.05, "momentum": 0.9}),
    "nesterov": (SGD, {"lr": 0.05, "momentum": 0.9, "nesterov": True}),
    "weight decay": (SGD, {"lr": 0.05, "momentum": 0.8, "weight_decay": 0.01}),
    "dampening": (SGD, {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}),
    "adam": (Adam, {"lr": 0.02}),
    "adam of the GPT": (Adam, {"lr": 0.01, "betas": (0.85, 0.99)}),
    "adam with weight decay": (Adam, {"lr": 0.02, "weight_decay": 0.01}),
    "amsgrad": (Adam, {"lr": 0.02, "amsgrad": True}),
    "adamw": (AdamW, {"lr": 0.02, "weight_decay": 0.1}),
    "adamw with amsgrad": (AdamW, {"lr": 0.02, "amsgrad": True}),
}


def warm_up(optimiser, kit, then):
    """Ten steps of warm-up, then another schedule for the rest."""
    first = kit.LinearLR(optimiser, start_factor=0.05, total_iters=10)
    return kit.SequentialLR(optimiser, [first, then(optimiser, kit)], milestones=[10])


def linear(optimiser, kit, steps=STEPS):
    return kit.LinearLR(optimiser, start_factor=1.0, end_factor=0.0, total_iters=steps)


def cosine(optimiser, kit, steps=STEPS):
    return kit.CosineAnnealingLR(optimiser, T_max=steps, eta_min=1e-4)


SCHEDULES = {
    "constant": lambda o, kit: kit.ConstantLR(o, factor=1.0, total_iters=0),
    "constant at first": lambda o, kit: kit.ConstantLR(o, factor=0.5, total_iters=50),
    "linear": linear,
    "cosine": cosine,
    "cosine with restarts": lambda o, kit: cosine(o, kit, 30),
    "warm-up, linear": lambda o, kit: warm_up(o, kit, lambda o, kit: linear(o, kit, STEPS - 10)),
    "warm-up, cosine": lambda o, kit: warm_up(o, kit, lambda o, kit: cosine(o, kit, STEPS - 10)),
    "function": lambda o, kit: kit.LambdaLR(o, lambda step: 0.99**step),
}


class Ours:
    """The names of minigrad.nn where torch.optim.lr_scheduler has its own."""

    ConstantLR, CosineAnnealingLR, LambdaLR, LinearLR, SequentialLR = (
        ConstantLR,
        CosineAnnealingLR,
        LambdaLR,
        LinearLR,
        SequentialLR,
    )


def disagreement(optimiser, theirs, schedule="", clip="", groups=False, steps=STEPS):
    """The first step at which the loss is not PyTorch's to 1e-9 relative, and both; None if there is none."""
    model = MLP(2, [8, 8, 1], seed=3)
    twin = mlp_twin(model)
    points = data.moons(100, noise=0.1, seed=5)
    order = random.Random(11)
    mine, yours = model.parameters(), list(twin.parameters())
    if groups:
        body = [p for layer in model.layers[:-1] for p in layer.parameters()]
        mine = [{"params": body}, {"params": model.layers[-1].parameters(), "lr": 0.003}]
        body = [p for layer in twin.layers[:-1] for p in layer.parameters()]
        yours = [{"params": body}, {"params": list(twin.layers[-1].parameters()), "lr": 0.003}]
    mine, yours = optimiser(mine), theirs(yours)
    if schedule:
        plan, their_plan = SCHEDULES[schedule](mine, Ours), SCHEDULES[schedule](yours, lr_scheduler)
    for step in range(steps):
        batch = order.sample(points, 10)
        loss = hinge_loss([model(point) for point, _ in batch], [label for _, label in batch])
        scores = twin(tensor([point for point, _ in batch]))[:, 0]
        their_loss = torch.relu(1.0 - tensor([label for _, label in batch]) * scores).mean()
        if not isclose(loss.data, their_loss.item(), rel_tol=1e-9, abs_tol=1e-300):
            return step, loss.data, their_loss.item()
        mine.zero_grad()
        loss.backward()
        yours.zero_grad()
        their_loss.backward()
        if clip == "norm":
            norm = clip_grad_norm_(model.parameters(), 0.5)
            their_norm = torch.nn.utils.clip_grad_norm_(twin.parameters(), 0.5)
            assert norm == pytest.approx(their_norm.item(), rel=1e-9)
        elif clip == "value":
            clip_grad_value_(model.parameters(), 0.05)
            torch.nn.utils.clip_grad_value_(twin.parameters(), 0.05)
        mine.step()
        yours.step()
        if schedule:
            plan.step()
            their_plan.step()
            assert plan.get_last_lr() == pytest.approx(their_plan.get_last_lr(), rel=1e-9)
    ours, final = dict(model.named_parameters()), weights(twin)
    assert {name: value.data for name, value in ours.items()} == pytest.approx(final, rel=1e-7, abs=1e-9)
    return None


def both(name, **more):
    kind, settings = OPTIMISERS[name]
    return (lambda p: kind(p, **settings, **more)), (lambda p: PAIRS[kind](p, **settings, **more))


@pytest.mark.parametrize("name", OPTIMISERS)
def test_two_hundred_steps_on_moons_have_the_losses_of_pytorch(name):
    assert disagreement(*both(name)) is None


@pytest.mark.parametrize(
    ("schedule", "name"), [(schedule, ("momentum", "adamw")[i % 2]) for i, schedule in enumerate(SCHEDULES)]
)
def test_each_schedule_does_what_that_of_pytorch_does(schedule, name):
    """All that an optimiser sees of a schedule is the rate: every one of them meets one optimiser."""
    assert disagreement(*both(name), schedule=schedule) is None


@pytest.mark.parametrize("name", ["nesterov", "amsgrad"])
def test_groups_have_their_own_rates(name):
    assert disagreement(*both(name), groups=True, schedule="warm-up, cosine") is None


@pytest.mark.parametrize("name", ["momentum", "adam"])
@pytest.mark.parametrize("clip", ["norm", "value"])
def test_clipped_gradients_are_those_of_pytorch(clip, name):
    assert disagreement(*both(name), clip=clip) is None


# ---- the comparison itself must catch something ---------------------------------------------------


class EpsilonInside(Adam):
    """Adds epsilon under the root."""

    def _move(self, group, slots):
        steps, means, squares, _ = (slots[name] for name in self.SLOTS)
        beta1, beta2 = group["betas"]
        for i, p in enumerate(group["params"]):
            t = steps[i] = (steps[i] or 0) + 1
            means[i] = beta1 * (means[i] or 0.0) + (1 - beta1) * p.grad
            squares[i] = beta2 * (squares[i] or 0.0) + (1 - beta2) * p.grad**2
            p.data -= group["lr"] * self.update(means[i] / (1 - beta1**t), squares[i] / (1 - beta2**t), t)

    def update(self, mean, square, t):
        return mean / (square + 1e-16) ** 0.5


class EpsilonBeforeCorrection(EpsilonInside):
    """Adds epsilon to the root before the root is corrected."""

    def update(self, mean, square, t):
        scale = (1 - 0.999**t) ** 0.5
        return mean / ((square**0.5 * scale + 1e-8) / scale)


class NoCorrection(EpsilonInside):
    """Forgets that the averages begin at zero."""

    def update(self, mean, square, t):
        return mean * (1 - 0.9**t) / ((square * (1 - 0.999**t)) ** 0.5 + 1e-8)


class RightAfterAll(EpsilonInside):
    """The textbook's formula, written once more: what the wrong ones above are variations of."""

    def update(self, mean, square, t):
        return mean / (square**0.5 + 1e-8)


class DampenedAtOnce(SGD):
    """Applies dampening to the first gradient, too."""

    def _move(self, group, slots):
        slots["momentum_buffer"] = [buffer or 0.0 for buffer in slots["momentum_buffer"]]
        super()._move(group, slots)


@pytest.mark.parametrize("wrong", [EpsilonInside, EpsilonBeforeCorrection, NoCorrection])
def test_a_wrong_adam_is_caught(wrong):
    found = disagreement(lambda p: wrong(p, lr=0.02), lambda p: torch.optim.Adam(p, lr=0.02))
    assert found is not None


def test_the_textbook_adam_is_not_caught():
    assert disagreement(lambda p: RightAfterAll(p, lr=0.02), lambda p: torch.optim.Adam(p, lr=0.02)) is None


def test_other_small_mistakes_are_caught():
    settings = {"lr": 0.1, "momentum": 0.9, "dampening": 0.5}
    wrong = disagreement(lambda p: DampenedAtOnce(p, **settings), lambda p: torch.optim.SGD(p, **settings))
    assert wrong is not None
    assert wrong[0] <= 2
    right, theirs = both("adam with weight decay")
    assert disagreement(lambda p: AdamW(p, lr=0.02, weight_decay=0.01), theirs) is not None
    assert disagreement(lambda p: Adam(p, lr=0.02, weight_decay=0.01, eps=2e-8), theirs) is not None
    assert disagreement(right, theirs, steps=50) is None


# ---- any settings ---------------------------------------------------------------------------------


def drawn_settings(draw):
    """An optimiser and settings for it, at random; a beta below 0.5 takes another branch of torch.lerp."""
    kind = draw.choice([SGD, Adam, AdamW])
    settings = {"lr": draw.choice([0.0, 0.01, 0.3]), "weight_decay": draw.choice([0.0, 0.0, 0.1])}
    settings["maximize"] = draw.random() < 0.3
    if kind is SGD:
        settings["momentum"] = draw.choice([0.0, 0.5, 0.99])
        settings["dampening"] = draw.choice([0.0, 0.3])
        settings["nesterov"] = settings["momentum"] > 0 == settings["dampening"]
    else:
        settings["betas"] = (draw.choice([0.0, 0.2, 0.5, 0.9]), draw.choice([0.0, 0.5, 0.999]))
        settings["eps"] = draw.choice([0.0, 1e-8, 0.1])
        settings["amsgrad"] = draw.random() < 0.5
    return kind, settings


def same(a, b):
    """Equal to 12 digits; NaN is NaN, and an infinity the same infinity."""
    return (isnan(a) and isnan(b)) or a == b or isclose(a, b, rel_tol=1e-12, abs_tol=1e-15)


STRANGE = (0.0, 0.0, nan, inf, -inf, 1e200, -1e-200, 1e-320)


@pytest.mark.parametrize("strange", [(), STRANGE], ids=["usual gradients", "strange gradients"])
def test_any_settings_and_any_gradients_move_weights_as_pytorch_does(strange):
    draw = random.Random(2)
    for _ in range(60):
        kind, settings = drawn_settings(draw)
        values = [Value(draw.uniform(-2, 2)) for _ in range(4)]
        tensors = [torch.tensor(v.data, dtype=torch.float64, requires_grad=True) for v in values]
        mine, yours = kind(values, **settings), PAIRS[kind](tensors, **settings)
        for step in range(12):
            for v, t in zip(values, tensors, strict=True):
                number = draw.gauss(0.0, 1.0)
                if strange and draw.random() < 0.3:
                    number = draw.choice(strange)
                v.grad = number if draw.random() < 0.9 else None  # None is left out, as there
                t.grad = None if v.grad is None else torch.tensor(number, dtype=torch.float64)
            mine.step()
            yours.step()
            pairs = [(v.data, t.item()) for v, t in zip(values, tensors, strict=True)]
            assert all(same(a, b) for a, b in pairs), (kind, settings, step, pairs)


# ---- states ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_state_saved_by_pytorch_goes_on_here(name):
    kind, settings = OPTIMISERS[name]
    draw = random.Random(4)
    tensors = [torch.tensor(draw.gauss(0, 1), dtype=torch.float64, requires_grad=True) for _ in range(5)]
    yours = PAIRS[kind]([{"params": tensors[:2]}, {"params": tensors[2:], "lr": 0.5}], **settings)

    def gradients():
        return [draw.gauss(0, 1) for _ in tensors]

    def step_theirs(numbers):
        for t, number in zip(tensors, numbers, strict=True):
            t.grad = torch.tensor(number, dtype=torch.float64)
        yours.step()

    for _ in range(7):
        step_theirs(gradients())
    values = [Value(t.item()) for t in tensors]
    mine = kind([{"params": values[:2]}, {"params": values[2:]}], lr=0.001)
    mine.load_state_dict(yours.state_dict())
    assert [group["lr"] for group in mine.param_groups] == [settings["lr"], 0.5]
    for _ in range(7):
        numbers = gradients()
        step_theirs(numbers)
        for v, number in zip(values, numbers, strict=True):
            v.grad = number
        mine.step()
        assert [v.data for v in values] == pytest.approx([t.item() for t in tensors], rel=1e-12)
    # and what is saved here has the layout of what is saved there
    here, there = mine.state_dict(), yours.state_dict()
    assert {i: set(kept) for i, kept in here["state"].items()} == {
        i: set(kept) for i, kept in there["state"].items()
    }
    for ours, theirs in zip(here["param_groups"], there["param_groups"], strict=True):
        engine = {"foreach", "capturable", "differentiable", "fused"}
        assert ours == {key: setting for key, setting in theirs.items() if key not in engine}


def drawn_schedule(draw):
    """A schedule at random, as a function of an optimiser and a kit of schedules."""
    kind = draw.choice(["constant", "linear", "cosine", "function"])
    length, low, high = draw.randint(1, 12), draw.choice([0.01, 0.25]), draw.choice([0.5, 1.0])
    if kind == "constant":
        return lambda o, kit: kit.ConstantLR(o, low, length)
    if kind == "linear":
        first, last = draw.choice([(low, high), (high, low), (1.0, 0.0)])
        return lambda o, kit: kit.LinearLR(o, first, last, length)
    if kind == "cosine":
        return lambda o, kit: kit.CosineAnnealingLR(o, length, low / 100)
    return lambda o, kit: kit.LambdaLR(o, [lambda step: high / (1 + step), lambda step: low**step])


def test_any_schedules_in_any_sequence_give_the_rates_of_pytorch():
    draw = random.Random(8)
    for _ in range(80):
        parts = [drawn_schedule(draw) for _ in range(draw.randint(1, 3))]
        milestones = sorted(draw.sample(range(1, 20), len(parts) - 1))
        t = [torch.zeros(1, requires_grad=True) for _ in range(2)]
        mine = SGD([{"params": [Value(1.0)]}, {"params": [Value(2.0)], "lr": 0.3}], lr=0.7)
        yours = torch.optim.SGD([{"params": t[:1]}, {"params": t[1:], "lr": 0.3}], lr=0.7)
        if len(parts) == 1:
            plan, their_plan = parts[0](mine, Ours), parts[0](yours, lr_scheduler)
        else:
            plan = SequentialLR(mine, [part(mine, Ours) for part in parts], milestones)
            their_plan = lr_scheduler.SequentialLR(
                yours, [part(yours, lr_scheduler) for part in parts], milestones
            )
        for _ in range(40):
            assert plan.get_last_lr() == pytest.approx(their_plan.get_last_lr(), rel=1e-12, abs=1e-18)
            assert [group["lr"] for group in mine.param_groups] == plan.get_last_lr()
            yours.step()
            plan.step()
            their_plan.step()
        assert set(plan.state_dict()) == set(their_plan.state_dict()) - {
            "_get_lr_called_within_step",
            "_is_initial",
        }


def test_a_schedule_saved_by_pytorch_goes_on_here():
    t = torch.zeros(1, requires_grad=True)
    yours = torch.optim.SGD([t], lr=0.4)
    their_plan = warm_up(yours, lr_scheduler, cosine)
    for _ in range(25):
        yours.step()
        their_plan.step()
    mine = SGD([Value(0.0)], lr=0.4)
    plan = warm_up(mine, Ours, cosine)
    plan.load_state_dict(their_plan.state_dict())
    mine.param_groups[0]["lr"] = yours.param_groups[0]["lr"]
    for _ in range(25):
        yours.step()
        their_plan.step()
        plan.step()
        assert plan.get_last_lr() == pytest.approx(their_plan.get_last_lr(), rel=1e-12)


# ---- clipping -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [1.0, 2.0, 3.5, inf])
def test_norms_of_every_kind_are_those_of_pytorch(kind):
    draw = random.Random(6)
    for strange in ((), (), STRANGE):
        for most in (0.0, 0.5, 100.0, inf):
            numbers = [
                draw.choice(strange) if strange and draw.random() < 0.2 else draw.gauss(0, 2)
                for _ in range(9)
            ]
            values, tensors = (
                [Value(0.0) for _ in numbers],
                [torch.zeros((), dtype=torch.float64) for _ in numbers],
            )
            for v, t, number in zip(values, tensors, numbers, strict=True):
                v.grad, t.grad = number, torch.tensor(number, dtype=torch.float64)
            norm = clip_grad_norm_(values, most, kind)
            their_norm = torch.nn.utils.clip_grad_norm_(tensors, most, kind).item()
            assert same(norm, their_norm), numbers
            assert all(same(v.grad, t.grad.item()) for v, t in zip(values, tensors, strict=True)), numbers
            if all(isfinite(number) for number in numbers):
                assert norm >= max(map(abs, numbers)) * (1 - 1e-12) or not isfinite(norm)
