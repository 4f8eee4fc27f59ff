"""Record of a loop of somebody's own: what it did with its gradients, in which order."""

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
