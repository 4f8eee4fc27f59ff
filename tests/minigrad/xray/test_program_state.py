"""An examination leaves the program as it was: parameters, gradients, random numbers, optimizer, mode."""

import copy
import random

import pytest
import torch
from torch import nn

from minigrad.xray import record, xray
from minigrad.xray.program_state import preserved


class Program:
    """A model with everything that could be changed, two steps into its training."""

    def __init__(self):
        torch.manual_seed(3)
        self.model = nn.Sequential(
            nn.Linear(4, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Dropout(0.3), nn.Linear(6, 2)
        )
        self.x, self.y = torch.randn(8, 4), torch.randint(0, 2, (8,))
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.01)
        for _ in range(2):
            self.optimizer.zero_grad()
            self.loss().backward()
            self.optimizer.step()
        self.model[3].eval()

    def loss(self):
        return nn.functional.cross_entropy(self.model(self.x), self.y)

    def examine(self):
        return xray(self.loss, model=self.model, optimizer=self.optimizer)


@pytest.fixture
def program():
    return Program()


def same(one, other):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def test_parameters_and_buffers_are_as_before(program):
    before = copy.deepcopy(program.model.state_dict())
    program.examine()
    assert same(before, program.model.state_dict())


def test_gradients_are_as_before_and_the_same_tensors(program):
    held = [each.grad for each in program.model.parameters()]
    before = [each.clone() for each in held]
    program.examine()
    assert all(each.grad is grad for each, grad in zip(program.model.parameters(), held, strict=True))
    assert same(before, held)


def test_parameters_without_a_gradient_still_have_none(program):
    program.optimizer.zero_grad()
    program.examine()
    assert all(each.grad is None for each in program.model.parameters())


def test_the_optimizer_is_as_before(program):
    before = copy.deepcopy(program.optimizer.state_dict())
    program.examine()
    assert same(before, program.optimizer.state_dict())


def test_a_new_optimizer_is_still_new(program):
    program.optimizer = torch.optim.Adam(program.model.parameters())
    program.examine()
    assert not program.optimizer.state


def test_random_numbers_go_on_as_they_would_have(program):
    torch.manual_seed(5)
    random.seed(5)
    expected = torch.rand(3), random.random()
    torch.manual_seed(5)
    random.seed(5)
    program.examine()
    assert torch.equal(torch.rand(3), expected[0])
    assert random.random() == expected[1]


def test_the_training_mode_of_each_module_is_as_before(program):
    before = [module.training for module in program.model.modules()]
    program.examine()
    assert [module.training for module in program.model.modules()] == before
    assert False in before
    assert True in before


def test_a_graph_that_was_made_before_can_still_be_differentiated(program):
    loss = program.loss()
    program.examine()
    loss.backward()


def test_no_hook_is_left(program):
    program.examine()
    for module in program.model.modules():
        assert not module._forward_hooks
        assert not module._forward_pre_hooks
    from torch.nn.modules import module as shared

    assert not shared._global_forward_hooks
    assert not shared._global_forward_pre_hooks


def test_the_loss_is_the_same_to_the_bit_with_and_without(program):
    torch.manual_seed(1)
    before = program.loss().item()
    program = Program()
    program.examine()
    torch.manual_seed(1)
    assert program.loss().item() == before


def test_what_is_changed_inside_the_block_is_put_back(program):
    before = copy.deepcopy(program.model.state_dict())
    with preserved(program.model, program.optimizer):
        with torch.no_grad():
            program.model[0].weight.zero_()
        program.model.eval()
        program.model[0].weight.requires_grad_(False)
        program.optimizer.param_groups[0]["lr"] = 7.0
    assert same(before, program.model.state_dict())
    assert program.model[0].weight.requires_grad
    assert program.optimizer.param_groups[0]["lr"] == 0.01


# ---- what is no parameter of the model, or no ordinary tensor ---------------------------------------


def test_leaves_of_no_model_keep_their_numbers_and_gradients():
    w, u = torch.ones(2, requires_grad=True), torch.full((2,), 3.0, requires_grad=True)
    w.grad = held = torch.full((2,), 7.0)
    xray(lambda: (w * 2).sum() + (u * 0).sum())
    assert w.grad is held
    assert held.tolist() == [7.0, 7.0]
    assert u.grad is None
    assert (w.tolist(), u.tolist()) == ([1.0, 1.0], [3.0, 3.0])


def test_a_second_network_keeps_its_gradients():
    torch.manual_seed(0)
    model, other, x = nn.Linear(2, 2), nn.Linear(2, 1), torch.randn(5, 2)
    other.bias.grad = torch.full((1,), 7.0)
    xray(lambda: other(model(x)).mean(), model=model)
    assert other.weight.grad is None
    assert other.bias.grad.tolist() == [7.0]


def test_data_that_a_loss_assigns_is_undone_without_tying_parameters():
    torch.manual_seed(0)
    one, other, x = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False), torch.randn(5, 2)
    both = nn.ModuleList([one, other])
    before = copy.deepcopy(both.state_dict())
    place = other.weight.data_ptr()

    def loss():
        other.weight.data = one.weight.data
        return (one(x) + other(x)).square().mean()

    xray(loss, model=both)
    assert same(before, both.state_dict())
    assert other.weight.data_ptr() == place


def test_a_gradient_that_was_no_number_is_none_again():
    model = nn.Linear(2, 2)
    model.weight.grad = held = torch.full((2, 2), float("nan"))

    def loss():
        with torch.no_grad():
            model.weight.grad.nan_to_num_()
        return model(torch.ones(3, 2)).sum()

    xray(loss, model=model)
    assert model.weight.grad is held
    assert held.isnan().all()


def sparse_embedding():
    torch.manual_seed(0)
    model = nn.Embedding(9, 3, sparse=True)
    return model, lambda: model(torch.tensor([0, 4, 4, 7])).square().mean()


def test_sparse_gradients_are_as_before():
    model, loss = sparse_embedding()
    loss().backward()
    held, before = model.weight.grad, model.weight.grad.to_dense()

    def doubled():
        with torch.no_grad():
            model.weight.grad.mul_(2)
        return loss()

    report = xray(doubled, model=model, optimizer=torch.optim.SGD(model.parameters(), lr=0.1))
    assert (report.verdict, report.remarks) == ("healthy", ())
    assert model.weight.grad is held
    assert torch.equal(held.to_dense(), before)


@pytest.mark.parametrize("cleared", [True, False])
def test_a_loop_with_sparse_gradients_is_recorded(cleared):
    model, loss = sparse_embedding()
    optimizer = torch.optim.SparseAdam(model.parameters())
    with record(model, optimizer) as seen:
        for _ in range(3):
            if cleared:
                optimizer.zero_grad()
            loss().backward()
            optimizer.step()
    assert [entry.code for entry in seen.report().findings] == ([] if cleared else ["loop.left"])


class Graph(nn.Module):
    """A layer over a graph, whose edges are a sparse buffer."""

    def __init__(self, edges):
        super().__init__()
        self.register_buffer("edges", edges)
        self.layer = nn.Linear(3, 2)

    def forward(self, x):
        return torch.sparse.mm(self.edges, self.layer(x))


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
@pytest.mark.filterwarnings("ignore:Sparse CSR tensor support is in beta:UserWarning")
def test_sparse_buffers_are_as_before(layout):
    torch.manual_seed(0)
    model, x = Graph(torch.eye(6).to_sparse(layout=layout)), torch.randn(6, 3)
    unfinished = model(x).mean()

    def loss():
        with torch.no_grad():
            model.edges.mul_(2)
        return model(x).square().mean()

    report = xray(loss, model=model)
    assert "finding" not in [remark.code for remark in report.remarks]
    assert torch.equal(model.edges.to_dense(), torch.eye(6))
    unfinished.backward()
