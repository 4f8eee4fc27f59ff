"""A program that has only a step: its loss is examined too, where the step has one backward pass."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from minigrad.xray import xray
from minigrad.xray.build_record import BuildRecord
from minigrad.xray.examination import XrayError, examine
from minigrad.xray.subject import XraySubject


def parts():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(6, 4), torch.randn(6, 1)


def examined(model, optimizer, step):
    return examine(XraySubject(None, model, optimizer, None, BuildRecord(), step=step))


def training(model, optimizer, loss):
    def step():
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()

    return step


def test_a_right_step_is_healthy_and_its_ops_are_counted():
    model, optimizer, x, y = parts()
    step = training(model, optimizer, lambda: nn.functional.mse_loss(model(x), y))
    before = [each.detach().clone() for each in model.parameters()]
    report = examined(model, optimizer, step)
    assert (report.verdict, report.entries) == ("healthy", ())
    assert {code for code, _ in report.seen} >= {"ops", "steps"}
    assert all(map(torch.equal, before, model.parameters()))


def test_what_is_wrong_in_the_loss_of_a_step_is_found():
    model, optimizer, x, y = parts()
    step = training(model, optimizer, lambda: nn.functional.mse_loss(model(x), y.squeeze(-1)))
    report = examined(model, optimizer, step)
    assert [entry.family for entry in report.findings] == ["loss-shape"]


def test_what_is_wrong_in_the_loop_is_found_beside_it():
    model, optimizer, x, y = parts()

    def step():
        nn.functional.mse_loss(model(x), y.squeeze(-1)).backward()
        optimizer.step()

    families = {entry.family for entry in examined(model, optimizer, step).findings}
    assert families == {"loop-order", "loss-shape"}


def test_a_step_with_two_backward_passes_says_that_only_its_loop_was_seen():
    model, optimizer, x, y = parts()

    def step():
        optimizer.zero_grad()
        for half in (slice(0, 3), slice(3, 6)):
            (nn.functional.mse_loss(model(x[half]), y[half]) / 2).backward()
        optimizer.step()

    report = examined(model, optimizer, step)
    assert report.verdict == "healthy"
    assert [remark.code for remark in report.remarks] == ["loop_only"]


def test_a_step_without_a_batch_left_is_no_error():
    model, optimizer, x, y = parts()
    batches = iter([(x, y)] * 3)

    def step():
        optimizer.zero_grad()
        x, y = next(batches)
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()

    assert [remark.code for remark in examined(model, optimizer, step).remarks] == ["loop_only"]


def test_a_loss_without_a_gradient_is_refused_in_words():
    with pytest.raises(XrayError, match="backward\\(\\) would raise"):
        xray(lambda: torch.zeros(()), model=parts()[0])


@pytest.mark.parametrize("word", ["graph_cut", "train.py:0", ""])
def test_what_settles_nothing_is_no_intention(word):
    model, _, x, y = parts()
    with pytest.raises(XrayError, match="neither a family nor a line"):
        xray(lambda: nn.functional.mse_loss(model(x), y), model=model, intended=[word])
