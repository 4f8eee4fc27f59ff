"""Record of a forward pass: its ops, their lines, and what a gradient can reach."""

import torch

from minigrad.xray.forward_record import record_forward


def net():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 1))


def test_each_op_has_its_line_and_its_module():
    model, x = net(), torch.ones(2, 3)
    record = record_forward(lambda: model(x).mean(), model)
    assert [call.name for call in record.calls] == ["linear", "relu", "linear", "mean"]
    assert [call.module.name if call.module else None for call in record.calls] == ["0", "1", "2", None]
    assert {call.place.file for call in record.calls} == {__file__}


def test_what_is_detached_is_used_and_not_reached():
    model, x = net(), torch.ones(2, 3)
    record = record_forward(lambda: (model(x).detach() * model[2].bias).sum(), model)
    loss = record.loss_note
    assert record.names(loss.depends) == ["0.weight", "0.bias", "2.weight", "2.bias"]
    assert record.names(loss.reaches) == ["2.bias"]
    (cut,) = [call for call in record.calls if call.lost]
    assert (cut.name, record.names(cut.lost)) == ("detach", ["0.weight", "0.bias", "2.weight", "2.bias"])


def test_a_node_belongs_to_the_call_that_made_it():
    model, x = net(), torch.ones(2, 3)
    record = record_forward(lambda: torch.nn.functional.cosine_similarity(model(x), x[:, :1]).sum(), model)
    node = record.loss.grad_fn.next_functions[0][0]
    assert record.call_of(record.loss.grad_fn).name == "sum"
    assert record.call_of(node).name == "cosine_similarity"


def test_a_recorded_loss_is_the_same_to_the_bit():
    model, x = net(), torch.randn(5, 3)
    assert (
        record_forward(lambda: model(x).square().mean(), model).loss.item() == model(x).square().mean().item()
    )
