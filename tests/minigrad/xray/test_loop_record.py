"""Record of a loop of somebody's own: what it did with its gradients, in which order."""

import pytest
import torch
from torch import nn

from minigrad.xray import record


def parts():
    torch.manual_seed(0)
    model = nn.Linear(3, 1)
    return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(8, 3), torch.randn(8, 1)


def loss_of(model, x, y):
    return nn.functional.mse_loss(model(x), y)


def codes(seen):
    return [entry.code for entry in seen.report().entries]


def test_a_right_loop_has_no_entry_and_computes_the_same():
    losses = []
    for watched in (False, True):
        model, optimizer, x, y = parts()
        with record(model if watched else nn.Identity(), optimizer) as seen:
            for _ in range(3):
                optimizer.zero_grad()
                loss = loss_of(model, x, y)
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
        losses.append(loss.item())
        assert codes(seen) == []
    assert losses[0] == losses[1]
    assert [event.kind for event in seen.events[:4]] == ["zero_grad", "backward", "clip", "step"]


def test_gradients_that_are_left_are_found_at_the_backward_pass():
    model, optimizer, x, y = parts()
    with record(model, optimizer) as seen:
        for _ in range(2):
            loss_of(model, x, y).backward()
            optimizer.step()
    (entry,) = seen.report().findings
    assert entry.code == "loop.left"
    assert entry.place.text.endswith("backward()")


def test_gradients_that_are_accumulated_on_purpose_are_not_left_over():
    model, optimizer, x, y = parts()
    with record(model, optimizer) as seen:
        for _ in range(2):
            for part in range(2):
                (loss_of(model, x[part::2], y[part::2]) / 2).backward()
            optimizer.step()
            optimizer.zero_grad()
    assert codes(seen) == []


def test_two_losses_over_one_trunk_are_no_second_walk():
    model, optimizer, x, y = parts()
    with record(model, optimizer) as seen:
        for _ in range(2):
            optimizer.zero_grad()
            out = model(x)
            out.mean().backward(retain_graph=True)
            (out - y).square().mean().backward()
            optimizer.step()
    assert seen.report().findings == ()


def test_a_loss_that_is_added_to_the_next_is_a_second_walk():
    model, optimizer, x, _ = parts()
    total = torch.zeros(())
    with record(model, optimizer) as seen:
        for _ in range(2):
            optimizer.zero_grad()
            total = total + model(x).mean()
            total.backward(retain_graph=True)
            optimizer.step()
    assert codes(seen) == ["loop.twice"]


def test_a_loop_of_a_function_without_steps_has_no_verdict():
    model, optimizer, x, _ = parts()
    with record(model, optimizer) as seen:
        model(x)
    assert seen.report().verdict == "not examined"


def test_pytorch_is_as_before_after_the_block():
    before = torch.autograd.backward, torch.optim.Optimizer.zero_grad, nn.Module.zero_grad
    with record():
        assert torch.autograd.backward is not before[0]
    assert (torch.autograd.backward, torch.optim.Optimizer.zero_grad, nn.Module.zero_grad) == before


# ---- several optimizers, and models in two modes ----------------------------------------------------


@pytest.mark.parametrize("clip", [nn.utils.clip_grad_norm_, nn.utils.clip_grad_value_])
@pytest.mark.parametrize(("late", "expected"), [(False, []), (True, ["loop.clip_late"])])
def test_a_clip_is_late_after_the_step_of_its_own_gradients_alone(clip, late, expected):
    torch.manual_seed(0)
    one, other, x = nn.Linear(3, 3), nn.Linear(3, 1), torch.randn(8, 3)
    both = nn.Sequential(one, other)
    optimizers = [torch.optim.SGD(each.parameters(), lr=0.1) for each in both]
    with record(both, optimizers[0]) as seen:
        for _ in range(3):
            for optimizer in optimizers:
                optimizer.zero_grad()
            both(x).square().mean().backward()
            for each, optimizer in zip(both, optimizers, strict=True):
                if late:
                    optimizer.step()
                clip(each.parameters(), 1.0)
                if not late:
                    optimizer.step()
    assert [entry.code for entry in seen.report().findings] == expected


class Adversaries:
    """A generator, and a discriminator that gets noise from it and samples."""

    def __init__(self):
        torch.manual_seed(0)
        self.made, self.judged = nn.Linear(3, 3), nn.Linear(3, 1)
        self.makes = torch.optim.SGD(self.made.parameters(), lr=0.1)
        self.judges = torch.optim.SGD(self.judged.parameters(), lr=0.1)
        self.samples = torch.randn(8, 3)

    def loss(self, x, label):
        judged = self.judged(x)
        return nn.functional.binary_cross_entropy_with_logits(judged, torch.full_like(judged, label))


def test_gradients_that_are_cleared_before_the_next_step_are_not_left_over():
    both = Adversaries()
    with record(both.judged, both.judges) as seen:
        for _ in range(3):
            both.makes.zero_grad()
            both.judges.zero_grad()
            fake = both.made(torch.randn(8, 3))
            (both.loss(both.samples, 1.0) + both.loss(fake.detach(), 0.0)).backward()
            both.judges.step()
            both.loss(fake, 1.0).backward()
            both.makes.step()
    assert codes(seen) == []


def test_the_generators_pass_leaves_gradients_to_a_discriminator_that_does_not_clear_them():
    both = Adversaries()
    with record(both.judged, both.judges) as seen:
        for _ in range(3):
            fake = both.made(torch.randn(8, 3))
            (both.loss(both.samples, 1.0) + both.loss(fake.detach(), 0.0)).backward()
            both.judges.step()
            both.made.weight.grad = both.made.bias.grad = None
            both.loss(fake, 1.0).backward()
            both.makes.step()
    assert codes(seen) == ["loop.left"]


def test_a_graph_that_is_kept_while_another_network_is_stepped_is_consistent():
    both = Adversaries()
    with record(both.judged, both.judges) as seen:
        for _ in range(3):
            fake = both.made(torch.randn(8, 3))
            both.judges.zero_grad()
            (both.loss(both.samples, 1.0) + both.loss(fake, 0.0)).backward(retain_graph=True)
            both.judges.step()
            both.makes.zero_grad()
            both.loss(fake, 1.0).backward()
            both.makes.step()
    assert [entry.family for entry in seen.report().findings] == []


def test_a_graph_that_goes_on_through_steps_of_its_own_parameters_is_found():
    model, optimizer, x, _ = parts()
    hidden = torch.zeros(8, 1)
    with record(model, optimizer) as seen:
        for _ in range(3):
            optimizer.zero_grad()
            hidden = torch.tanh(model(x)) + hidden
            hidden.sum().backward(retain_graph=True)
            optimizer.step()
    assert codes(seen) == ["loop.older"]


def frozen_network():
    torch.manual_seed(0)
    body = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8))
    head = nn.Sequential(nn.Dropout(0.5), nn.Linear(8, 2))
    return nn.Sequential(body, head).eval()


@pytest.mark.parametrize(("head_trains", "expected"), [(True, []), (False, ["loop.evaluation"])])
def test_a_head_in_training_mode_on_a_frozen_body_is_right(head_trains, expected):
    model, x, y = frozen_network(), torch.randn(8, 3), torch.zeros(8, dtype=torch.long)
    model[0].requires_grad_(False)
    model[1].train(head_trains)
    optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
    with record(model, optimizer) as seen:
        for _ in range(3):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
    assert codes(seen) == expected


def test_a_model_whose_input_is_optimized_may_be_in_evaluation_mode():
    model, x, y = frozen_network(), torch.randn(8, 3), torch.zeros(8, dtype=torch.long)
    model.requires_grad_(False)
    added = torch.zeros(8, 3, requires_grad=True)
    optimizer = torch.optim.SGD([added], lr=0.1)
    with record(model, optimizer) as seen:
        for _ in range(3):
            optimizer.zero_grad()
            (-nn.functional.cross_entropy(model(x + added), y)).backward()
            optimizer.step()
    assert codes(seen) == []


def test_a_step_that_makes_its_own_backward_pass_uses_the_gradients_after_it():
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def closure():
        optimizer.zero_grad()
        loss = model(torch.ones(1, 2)).sum()
        loss.backward()
        return loss

    with record(model, optimizer) as seen:
        optimizer.step(closure)
        optimizer.step(closure=closure)
    assert [event.kind for event in seen.events] == ["zero_grad", "backward", "step"] * 2
    assert all(event.detail["fed"] == 2 for event in seen.events if event.kind == "step")
