"""What goes by in a backward pass.  The witnesses are the chain rule by hand and hooks of PyTorch itself."""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from minigrad.xray.forward_record import record_forward
from minigrad.xray.tensor_trace import NodeGraph, op_name, trace_gradients
from xray_models import MODELS, model_of


def traced(make_loss, model=None, **options):
    return trace_gradients(record_forward(make_loss, model), **options)


def test_sizes_are_those_of_the_chain_rule_by_hand():
    w = torch.tensor([[1.0, -2.0], [0.5, 3.0]], dtype=torch.float64)
    layer = nn.Linear(2, 2, bias=False).double()
    layer.weight.data.copy_(w)
    x = torch.tensor([[1.0, 2.0]], dtype=torch.float64)
    # y = (-3, 6.5); relu keeps the second; loss = 3 * sum: the gradient of the weight is (0, 0; 3, 6)
    found = traced(lambda: 3 * layer(x).relu().sum(), layer)
    size = found.gradients["weight"]
    assert size.norm == pytest.approx(45**0.5)
    assert (size.low, size.high, size.count, size.zeros) == (0.0, 6.0, 4, 2)
    assert size.dtype == "float64"
    relu = next(node for node in found.nodes if node.op == "Relu")
    assert relu.arrived[0].norm == pytest.approx(18**0.5)
    assert relu.sent[0].size.norm == 3.0
    assert relu.sent[0].size.zeros == 1
    assert relu.place.line == test_sizes_are_those_of_the_chain_rule_by_hand.__code__.co_firstlineno + 6


@pytest.mark.filterwarnings("ignore:Full backward hook is firing")  # the first module's input needs none
@pytest.mark.parametrize("name", sorted(MODELS))
def test_what_arrives_at_each_module_is_what_a_hook_of_pytorch_sees(name):
    model, make_loss = model_of(name)
    seen = {}

    def watch(path):
        def look(module, sent, arrived):
            seen[path] = float(arrived[0].norm())

        return look

    hooks = [
        module.register_full_backward_hook(watch(path))
        for path, module in model.named_modules()
        if path and not list(module.children()) and not isinstance(module, nn.LSTM)
    ]
    make_loss().backward()
    for hook in hooks:
        hook.remove()
    model.zero_grad()
    model, make_loss = model_of(name)
    rows = {row.module: row.above for row in traced(make_loss, model).depth() if row.module in seen}
    assert rows
    for path, norm in rows.items():
        assert norm == pytest.approx(seen[path], rel=1e-9), path


@pytest.mark.parametrize("name", sorted(MODELS))
def test_loss_and_gradients_have_the_same_bits_with_and_without_the_trace(name):
    model, make_loss = model_of(name)
    loss = make_loss()
    loss.backward()
    plain = {path: parameter.grad.clone() for path, parameter in model.named_parameters()}
    model, make_loss = model_of(name)
    record = record_forward(make_loss, model)
    found = trace_gradients(record, tensors=True)
    assert torch.equal(record.loss.detach(), loss.detach())
    for path, gradient in plain.items():
        assert torch.equal(found.tensors[path], gradient), path
        assert found.gradients[path].norm == pytest.approx(float(gradient.norm()), rel=1e-12)
    assert all(parameter.grad is None for parameter in model.parameters())


def test_contributions_add_up_to_what_arrives_where_a_tensor_is_used_twice():
    x = torch.tensor([1.0, 2.0, 4.0], dtype=torch.float64, requires_grad=True)
    found = traced(lambda: (x * x.detach()).sum() + (x * 3).sum())
    leaf = next(node for node in found.nodes if node.parameter == "" and hasattr(node.node, "variable"))
    sizes = [part.size.norm for node in found.nodes for part in node.sent if part.target == leaf.index]
    assert sorted(sizes) == pytest.approx(sorted([21**0.5, 27**0.5]))
    assert leaf.arrived[0].norm == pytest.approx((4**2 + 5**2 + 7**2) ** 0.5)


def test_nan_and_infinity_are_counted_at_the_node_that_made_them():
    x = torch.tensor([0.0, 4.0], dtype=torch.float64, requires_grad=True)
    found = traced(lambda: (x.sqrt() * torch.tensor([0.0, 1.0], dtype=torch.float64)).sum())
    root = next(node for node in found.nodes if node.op == "Sqrt")
    assert root.arrived[0].finite
    assert root.sent[0].size.nans == 1
    assert root.sent[0].size.health == "broken"


def test_a_hook_of_the_program_is_seen_in_what_arrives():
    x = torch.ones(3, dtype=torch.float64, requires_grad=True)

    def make_loss():
        y = x * 2
        y.register_hook(lambda grad: grad * 10)
        return y.sum()

    found = traced(make_loss)
    assert next(node for node in found.nodes if node.op == "Mul").arrived[0].norm == pytest.approx(300**0.5)


@pytest.mark.parametrize("reentrant", [True, False])
def test_a_checkpointed_segment_gives_the_same_gradients(reentrant):
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)).double()
    x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
    model[0].weight.grad = before = torch.full((4, 3), 7.0, dtype=torch.float64)

    def make_loss():
        return model[2](checkpoint(model[:2], x, use_reentrant=reentrant)).sum()

    plain = torch.autograd.grad(model(x).sum(), list(model.parameters()))
    found = traced(make_loss, model, tensors=True)
    for (name, _), gradient in zip(model.named_parameters(), plain, strict=True):
        assert torch.allclose(found.tensors[name], gradient, rtol=1e-12), name
    assert model[0].weight.grad is before
    assert bool((before == 7.0).all())
    assert bool(found.notes) == reentrant  # one node, inside of which nothing is seen


def test_several_losses_low_precision_and_sparse_gradients_are_sized():
    table = nn.Embedding(10, 4, sparse=True)
    dense = nn.Linear(4, 2)

    def make_loss():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            made = dense(table(torch.tensor([1, 1, 3])))
        return made.float().sum(), (made.float() ** 2).mean()

    model = nn.ModuleList([table, dense])
    found = traced(make_loss, model)
    assert found.gradients["0.weight"].count == 40
    assert found.gradients["0.weight"].zeros == 32
    assert any(size.dtype == "bfloat16" for node in found.nodes for size in node.arrived if size is not None)


def test_a_parameter_that_nothing_uses_has_no_size():
    model = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    found = traced(lambda: model[0](torch.ones(1, 2)).sum(), model)
    assert found.gradients["1.weight"] is None
    assert found.gradients["0.weight"] is not None


def test_a_trace_with_a_wrong_size_would_be_seen(monkeypatch):
    """The comparison with PyTorch's hooks must fail where the trace is wrong."""
    from minigrad.xray import tensor_trace

    model, make_loss = model_of("mlp")
    right = traced(make_loss, model).depth()[0].above
    monkeypatch.setattr(tensor_trace, "_without_repeats", lambda x: x.flatten()[:1])
    model, make_loss = model_of("mlp")
    assert traced(make_loss, model).depth()[0].above != pytest.approx(right, rel=1e-3)


def test_the_graph_knows_its_nodes_and_who_sends_to_whom():
    x = torch.ones(2, requires_grad=True)
    y = x * 3
    graph = NodeGraph([(y + y.exp()).sum()])
    assert [op_name(node) for node in graph.nodes[:2]] == ["Sum", "Add"]
    assert sorted(op_name(consumer) for consumer, _, _ in graph.edges[y.grad_fn]) == ["Add", "Exp"]


def test_a_trace_is_plain_data_in_json():
    from json import dumps

    model, make_loss = model_of("lstm")
    assert "out.weight" in dumps(traced(make_loss, model).to_json())
