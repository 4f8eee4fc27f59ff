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


def test_parts_of_a_batch_are_one_pass():
    model, optimizer, x, y = parts()

    def step():
        optimizer.zero_grad()
        for half in (slice(0, 3), slice(3, 6)):
            (nn.functional.mse_loss(model(x[half]), y[half]) / 2).backward()
        optimizer.step()

    report = examined(model, optimizer, step)
    assert (report.verdict, report.entries, report.remarks) == ("healthy", (), ())
    assert "passes" not in dict(report.seen)


def adversaries():
    torch.manual_seed(0)
    make = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))
    judge = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
    model = nn.ModuleDict({"make": make, "judge": judge})
    optimizers = [torch.optim.Adam(model[name].parameters(), lr=1e-3) for name in ("make", "judge")]
    return model, optimizers, torch.randn(6, 3), torch.randn(6, 4)


def adversarial_step(cut=lambda fake: fake, spread=lambda x: x, stop=lambda fake: fake.detach()):
    model, (maker, judge), z, real = adversaries()
    criterion = nn.functional.binary_cross_entropy_with_logits

    def step():
        judge.zero_grad()
        fake = model["make"](z)
        yes, no = model["judge"](real), model["judge"](stop(fake))
        (criterion(yes, torch.ones(6, 1)) + criterion(no, torch.zeros(6, 1))).backward()
        judge.step()
        maker.zero_grad()
        told = spread(model["judge"](cut(model["make"](z))))
        nn.functional.mse_loss(told, torch.ones(6, 1)).backward()
        maker.step()

    return model, (maker, judge), step


def test_both_losses_of_adversaries_are_examined_and_right_ones_not_accused():
    model, (maker, judge), step = adversarial_step()
    before = [each.detach().clone() for each in model.parameters()]
    for optimizer in (None, maker, judge):
        report = examined(model, optimizer, step)
        assert (report.verdict, report.findings, report.remarks) == ("healthy", (), ())
        assert dict(report.seen)["passes"] == "2"
    assert report.facts == ()
    assert all(map(torch.equal, before, model.parameters()))
    assert "step" not in vars(maker)


def test_a_cut_in_the_second_pass_is_seen():
    model, (maker, _), step = adversarial_step(cut=lambda fake: fake.detach() + 0 * fake)
    report = examined(model, maker, step)
    assert [entry.family for entry in report.facts] == ["graph-cut"]
    assert "make.0.weight" in report.facts[0].what


def test_a_mistaken_shape_in_the_second_pass_is_found():
    model, _, step = adversarial_step(spread=lambda told: told.squeeze(1))
    assert [entry.family for entry in examined(model, None, step).findings] == ["loss-shape"]


def test_each_of_two_losses_in_a_row_is_examined():
    model, optimizer, x, y = parts()

    def step():
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        nn.functional.l1_loss(model(x), y.squeeze(1)).backward()
        optimizer.step()

    report = examined(model, optimizer, step)
    assert [(entry.family, entry.place.line) for entry in report.findings] == [("loss-shape", 133)]


def test_losses_that_one_line_differentiates_are_examined_each():
    model, optimizer, x, y = parts()

    def step():
        optimizer.zero_grad()
        out = model(x)
        for loss in (out.abs().mean(), nn.functional.l1_loss(out, y.squeeze(1))):
            loss.backward(retain_graph=True)
        optimizer.step()

    report = examined(model, optimizer, step)
    assert [entry.family for entry in report.findings] == ["loss-shape"]
    assert dict(report.seen)["passes"] == "2"


def test_networks_of_their_own_are_examined_each_with_its_optimizer():
    _, _, step = adversarial_step(cut=lambda fake: fake.detach() + 0 * fake)
    report = examined(None, None, step)
    assert [entry.family for entry in report.facts] == ["graph-cut"]


def test_a_pass_that_cannot_be_examined_is_said_with_its_line():
    model, optimizer, x, y = parts()

    def step():
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        (model(x) - y).pow(2).backward(torch.ones(6, 1))
        optimizer.step()

    report = examined(model, optimizer, step)
    assert [remark.code for remark in report.remarks] == ["pass"]
    assert "test_examination_step.py" in report.remarks[0].about


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
