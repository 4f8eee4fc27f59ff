"""Callbacks for trainers: what they see, what they leave as it is, and what they say they cannot see.

Neither library is among the requirements of the tests.  What stands for them here calls a callback as they
do, in the same order: Lightning makes the backward pass in a closure that it hands to the step.
"""

import sys
from types import ModuleType, SimpleNamespace

import pytest
import torch

from minigrad.xray import lightning_callback, transformers_callback
from minigrad.xray.examination import XrayError
from minigrad.xray.program_place import _kind
from minigrad.xray.report import HEALTHY, NOT_EXAMINED, SUSPECT


@pytest.fixture(autouse=True)
def libraries(monkeypatch):
    """Two libraries that have only the class that a callback is of."""
    for name, known in (("lightning.pytorch", "Callback"), ("transformers", "TrainerCallback")):
        module = ModuleType(name)
        setattr(module, known, type(known, (), {}))
        monkeypatch.setitem(sys.modules, name.partition(".")[0], ModuleType(name.partition(".")[0]))
        monkeypatch.setitem(sys.modules, name, module)


def program():
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = [(torch.randn(8, 4), torch.randn(8, 1)) for _ in range(8)]
    return model, optimizer, batches


def loss_of(model, batch):
    return torch.nn.functional.mse_loss(model(batch[0]), batch[1])


class Wrapped(torch.optim.Optimizer):
    """An optimizer as trainers wrap it: it has the real one, and is one by its class alone."""

    def __init__(self, optimizer):
        self.optimizer = optimizer

    def __getattr__(self, name):
        return getattr(self.__dict__["optimizer"], name)

    def step(self, closure=None):
        return self.optimizer.step(closure)


def fit_lightning(callbacks, *, forgets=False, raises_at=None, **trainer):
    """The loop of Lightning: what it calls, in its order."""
    model, optimizer, batches = program()
    trainer = SimpleNamespace(
        optimizers=[Wrapped(optimizer)], **{"world_size": 1, "num_devices": 1} | trainer
    )
    for each in callbacks:
        each.on_train_start(trainer, model)
    for number, batch in enumerate(batches):

        def closure(batch=batch):
            loss = loss_of(model, batch)
            if not forgets:
                optimizer.zero_grad()
            loss.backward()
            return loss

        if number == raises_at:
            for each in callbacks:
                each.on_exception(trainer, model, KeyboardInterrupt())
            return model
        optimizer.step(closure=closure)
        for each in callbacks:
            each.on_train_batch_end(trainer, model, None, batch, number)
    for each in callbacks:
        each.on_train_end(trainer, model)
    return model


def fit_transformers(callbacks, *, forgets=False, **arguments):
    """The loop of the Trainer of transformers: clipped, and zeroed through the model."""
    model, optimizer, batches = program()
    usual = {"world_size": 1, "n_gpu": 0, "parallel_mode": "NOT_PARALLEL", "deepspeed": None, "fsdp": []}
    args = SimpleNamespace(**usual | arguments)
    given = {"model": model, "optimizer": Wrapped(optimizer)}
    for each in callbacks:
        each.on_train_begin(args, None, None, **given)
    for batch in batches:
        loss_of(model, batch).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        Wrapped(optimizer).step()
        if not forgets:
            model.zero_grad()
        for each in callbacks:
            each.on_step_end(args, None, None, **given)
    for each in callbacks:
        each.on_train_end(args, None, None, **given)
    return model


FITS = [(lightning_callback, fit_lightning), (transformers_callback, fit_transformers)]


@pytest.mark.parametrize(("callback", "fit"), FITS)
@pytest.mark.parametrize("steps", [1, 3, 100])
def test_a_right_loop_is_healthy_and_computes_what_it_would_have(callback, fit, steps):
    seen = callback(steps=steps)
    watched, plain = fit([seen]), fit([])
    assert seen.report.verdict == HEALTHY
    assert seen.report.entries == ()
    assert dict(seen.report.seen)["steps"] == str(min(steps, 8))
    assert all(map(torch.equal, watched.parameters(), plain.parameters()))


@pytest.mark.parametrize(("callback", "fit"), FITS)
def test_gradients_left_over_are_found(callback, fit):
    seen = callback()
    fit([seen], forgets=True)
    (finding,) = seen.report.findings
    assert (seen.report.verdict, finding.family) == (SUSPECT, "loop-order")
    assert "backward()" in finding.place.text
    intended = callback(intended=["loop-order"])
    fit([intended], forgets=True)
    assert intended.report.verdict == HEALTHY


@pytest.mark.parametrize(("callback", "fit"), FITS)
def test_pytorch_is_as_it_was_when_the_steps_are_over(callback, fit):
    before = torch.autograd.backward, torch.optim.Optimizer.zero_grad
    fit([callback(steps=2)])
    assert (torch.autograd.backward, torch.optim.Optimizer.zero_grad) == before


def test_a_training_that_is_interrupted_ends_the_record():
    before, seen = torch.autograd.backward, lightning_callback(steps=100)
    fit_lightning([seen], raises_at=2)
    assert torch.autograd.backward is before
    assert dict(seen.report.seen)["steps"] == "2"


@pytest.mark.parametrize(
    ("callback", "fit", "how", "name"),
    [
        (lightning_callback, fit_lightning, {"world_size": 2, "strategy": 3}, "int"),
        (lightning_callback, fit_lightning, {"num_devices": 4}, "NoneType"),
        (
            transformers_callback,
            fit_transformers,
            {"n_gpu": 2, "parallel_mode": "NOT_DISTRIBUTED"},
            "NOT_DIS",
        ),
        (transformers_callback, fit_transformers, {"world_size": 2}, "NOT_PARALLEL"),
        (transformers_callback, fit_transformers, {"deepspeed": "zero.json"}, "deepspeed"),
        (transformers_callback, fit_transformers, {"fsdp": ["full_shard"]}, "fsdp"),
    ],
)
def test_what_is_divided_among_processes_is_not_looked_at(callback, fit, how, name):
    seen = callback()
    before = torch.autograd.backward
    fit([seen], **how)
    assert seen.report.verdict == NOT_EXAMINED
    assert name in seen.report.text()
    assert "DDP" in seen.report.text(lang="es")
    assert torch.autograd.backward is before


def test_a_wrapped_model_is_not_looked_at():
    class FullyShardedDataParallel(torch.nn.Module):
        def __init__(self, module):
            super().__init__()
            self.module = module

    seen, (model, optimizer, _) = transformers_callback(), program()
    args = SimpleNamespace(world_size=1, n_gpu=0)
    seen.on_train_begin(args, None, None, model=FullyShardedDataParallel(model), optimizer=optimizer)
    assert "FullyShardedDataParallel" in seen.report.text()


@pytest.mark.parametrize("callback", [lightning_callback, transformers_callback])
def test_before_the_first_step_there_is_no_verdict(callback):
    assert callback().report.verdict == NOT_EXAMINED
    assert callback().report.text()


@pytest.mark.parametrize("callback", [lightning_callback, transformers_callback])
@pytest.mark.parametrize("steps", [0, -1, "3", 2.0, True])
def test_steps_that_are_none_are_refused(callback, steps):
    with pytest.raises(XrayError, match="whole number"):
        callback(steps=steps)


@pytest.mark.parametrize(
    ("callback", "name"), [(lightning_callback, "lightning"), (transformers_callback, "transformers")]
)
def test_a_library_that_is_not_there_is_named(monkeypatch, callback, name):
    for module in ("lightning", "lightning.pytorch", "pytorch_lightning", "transformers"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(XrayError, match=f"pip install {name}"):
        callback()


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("/x/site-packages/lightning/pytorch/loops/fit_loop.py", ""),
        ("/x/site-packages/accelerate/accelerator.py", ""),
        ("/x/site-packages/transformers/trainer.py", ""),
        ("/x/site-packages/transformers/models/gpt2/modeling_gpt2.py", "program"),
        ("/x/lightning/mine.py", "program"),
    ],
)
def test_lines_are_those_of_the_user_and_not_of_a_trainer(file, kind):
    assert _kind(file) == kind
