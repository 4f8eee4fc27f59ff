"""Gradients as sums over uses and routes.

The witness of a share by use is the same program with a leaf of its own for each use; of a share by route,
the same program in which all other routes are detached.
"""

from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from minigrad.xray.forward_record import record_forward
from minigrad.xray.ledger import LedgerError, gradient_ledger, why
from minigrad.xray.subject import XraySubject
from xray_models import MODELS, model_of


def ledger_of(make_loss, model, name, **options):
    return gradient_ledger(record_forward(make_loss, model), name, **options)


class Tied(nn.Module):
    """A language model whose table is used at both ends; `apart` gives each use a leaf of its own."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.randn(7, 4, dtype=torch.float64))
        self.mix = nn.Linear(4, 4).double()

    def forward(self, tokens, first=None, second=None):
        first = self.table if first is None else first
        second = self.table if second is None else second
        return self.mix(functional.embedding(tokens, first)).tanh() @ second.t()


def shares_of(parts, total):
    square = float((total * total).sum())
    return [float((part * total).sum()) / square for part in parts]


def test_shares_of_a_tied_table_are_those_of_two_leaves():
    torch.manual_seed(3)
    model, tokens = Tied(), torch.tensor([0, 3, 3, 6])
    found = ledger_of(lambda: functional.cross_entropy(model(tokens), tokens.flip(0)), model, "table")
    first, second = (model.table.detach().clone().requires_grad_() for _ in range(2))
    apart = torch.autograd.grad(
        functional.cross_entropy(model(tokens, first, second), tokens.flip(0)), [first, second]
    )
    expected = shares_of(apart, sum(apart))
    by_op = {part.op: part for part in found.uses}
    assert by_op["Embedding"].share == pytest.approx(expected[0], abs=1e-12)
    assert by_op["Mm"].share == pytest.approx(expected[1], abs=1e-12)
    assert by_op["Embedding"].norm == pytest.approx(float(apart[0].norm()), rel=1e-12)
    assert by_op["Embedding"].role == "input-embedding"
    assert found.rest_of_uses == pytest.approx(0, abs=1e-12)
    line = Tied.forward.__code__.co_firstlineno + 3
    assert {part.place.line for part in found.uses} == {line}


def test_the_shares_of_the_calls_of_a_cell_are_those_of_a_leaf_for_each_call():
    torch.manual_seed(1)
    w = nn.Parameter(torch.randn(3, 3, dtype=torch.float64) / 2)
    model = nn.Module()
    model.w = w
    x = torch.randn(4, 3, dtype=torch.float64)

    def run(weights):
        state = torch.zeros(3, dtype=torch.float64)
        for step, weight in zip(x, weights, strict=True):
            state = torch.tanh(weight @ state + step)
        return state.sum()

    found = ledger_of(lambda: run([w] * 4), model, "w")
    leaves = [w.detach().clone().requires_grad_() for _ in range(4)]
    apart = torch.autograd.grad(run(leaves), leaves)
    (part,) = found.uses
    assert part.count == 4
    assert list(part.each) == pytest.approx(shares_of(apart, sum(apart)), abs=1e-12)
    assert sum(part.each) == pytest.approx(1)


class Stream(nn.Module):
    """Two residual blocks; `only` names the routes that are not detached."""

    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(3, 4).double()
        self.one = nn.Linear(4, 4).double()
        self.two = nn.Sequential(nn.Linear(4, 4), nn.Tanh()).double()

    def forward(self, x, only=None):
        def let(name, tensor):
            return tensor if only is None or name in only else tensor.detach()

        x = self.enter(x)
        x = let("past one", x) + self.one(let("one", x))
        return let("past two", x) + self.two(let("two", x))


def test_routes_are_those_of_programs_in_which_the_others_are_detached():
    torch.manual_seed(0)
    model, x = Stream(), torch.randn(5, 3, dtype=torch.float64)
    found = ledger_of(lambda: model(x).square().sum(), model, "enter.weight")

    def gradient(only):
        # the squared loss depends on the value alone, which detaching leaves as it is
        return torch.autograd.grad(model(x, only).square().sum(), model.enter.weight)[0]

    total = gradient(None)
    routes = {
        ("through", "one"): gradient({"one", "past two", "two"}),
        ("through", "two"): gradient({"past one", "two"}),
        ("residual", ""): gradient({"past one", "past two"}),
    }
    expected = dict(zip(routes, shares_of(routes.values(), total), strict=True))
    names = {(part.kind, part.module): part for part in found.routes}
    assert names.keys() == routes.keys()
    for key, part in names.items():
        assert part.share == pytest.approx(expected[key], abs=1e-12), key
        assert part.norm == pytest.approx(float(routes[key].norm()), rel=1e-12), key
    assert sum(part.share for part in found.routes) == pytest.approx(1)
    assert found.rest_of_routes == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_shares_add_up_to_one_in_every_parameter_of_five_models(name):
    model, make_loss = model_of(name)
    record = record_forward(make_loss, model)
    for path, _ in model.named_parameters():
        found = gradient_ledger(record, path)
        gradient = torch.autograd.grad(record.loss, dict(model.named_parameters())[path], retain_graph=True)[
            0
        ]
        assert found.norm == pytest.approx(float(gradient.norm()), rel=1e-12)
        if found.norm > 1e-12:  # a bias before a norm has rounding for a gradient, which has no parts
            assert sum(part.share for part in found.uses) + found.rest_of_uses == pytest.approx(1), path
            assert abs(found.rest_of_uses) < 1e-9, path
            assert abs(found.rest_of_routes) < 1e-9, path


def test_uses_through_views_and_casts_are_looked_through():
    w = nn.Parameter(torch.arange(12.0).reshape(3, 4))
    model = nn.Module()
    model.w = w

    def make_loss():
        q, k, v = w.t().contiguous().half().float().chunk(3, 1)
        return (2 * q).sum() + (k**2).sum() + v.sum() * 0

    found = ledger_of(make_loss, model, "w", tensors=True)
    parts = {key.rpartition(":")[2]: value for key, value in found.tensors.items()}
    assert torch.equal(parts["Mul"], torch.tensor([[2.0] * 4, [0.0] * 4, [0.0] * 4]))
    assert torch.equal(parts["Pow"], torch.cat([torch.zeros(1, 4), 2 * w.detach()[1:2], torch.zeros(1, 4)]))


def test_contributions_that_cancel_are_stated_with_their_norms():
    w = nn.Parameter(torch.tensor([1.0, 2.0], dtype=torch.float64))
    model = nn.Module()
    model.w = w
    found = ledger_of(lambda: (w * 100).sum() - (w.exp() * 0).sum() + (w / 0.0101).sum() * -1, model, "w")
    assert found.cancellation > 100
    assert "cancel" in found.text("en")
    assert "cancelan" in found.text("es")
    zero = ledger_of(lambda: (w * -100).sum() + (w / 0.01).sum(), model, "w")
    assert zero.norm == 0
    assert all(part.norm for part in zero.uses)
    assert "zero" in zero.text("en")
    assert "cero" in zero.text("es")


def test_what_a_hook_on_the_parameter_changes_is_the_remainder():
    w = nn.Parameter(torch.ones(3, dtype=torch.float64))
    w.register_hook(lambda grad: grad * 0.5)
    model = nn.Module()
    model.w = w
    found = ledger_of(lambda: (w * 4).sum(), model, "w")
    assert found.uses[0].share == pytest.approx(2)
    assert found.rest_of_uses == pytest.approx(-1)
    assert "hook" in found.text("en")
    assert "hook" in found.text("es")


def test_a_ledger_without_enough_passes_says_so():
    model, make_loss = model_of("gpt")
    found = ledger_of(make_loss, model, "wpe.weight", passes=4)
    assert found.unfinished
    assert found.passes <= 4
    assert sum(part.share for part in found.routes) == pytest.approx(1)
    assert "4" in found.text("en")


def test_a_route_that_is_masked_wrongly_would_be_seen(monkeypatch):
    """The comparison with detached programs must fail where a mask lets everything through."""
    from minigrad.xray import ledger

    monkeypatch.setattr(ledger._PartialPasses, "_mask", lambda self, edges, sent: lambda gradients: None)
    torch.manual_seed(0)
    model, x = Stream(), torch.randn(5, 3, dtype=torch.float64)
    found = ledger_of(lambda: model(x).square().sum(), model, "enter.weight")
    assert abs(sum(part.share for part in found.routes) - 1) > 0.5
    assert abs(found.rest_of_routes) > 0.5


# ---- what is asked ------------------------------------------------------------------------------


def subject_of(name):
    model, make_loss = model_of(name)
    return XraySubject(make_loss, model)


def test_why_says_the_uses_in_one_sentence():
    found = why(subject_of("gpt"), "wte.weight")
    text = " ".join(found.text("en").split())
    assert "as the output layer + " in text
    assert " as the input embedding" in text
    assert "como capa de salida" in " ".join(found.text("es").split())
    assert found.to_json()["remainder_of_uses"] == pytest.approx(0, abs=1e-12)


def test_routes_are_given_of_the_largest_use_that_has_several():
    found = why(subject_of("gpt"), "wte.weight")
    assert found.uses[0].role == "output-layer"  # from there one route leads to the loss
    assert found.of_routes.role == "input-embedding"
    assert sum(part.share for part in found.routes) == pytest.approx(found.of_routes.share)
    assert {"residual", "through"} == {part.kind for part in found.routes}


def test_a_parameter_with_two_names_is_found_under_both():
    subject = subject_of("gpt")
    assert why(subject, "head.weight").uses == why(subject, "wte.weight").uses


def test_why_of_one_number_is_its_cone_and_of_nothing_the_whole_model():
    subject = subject_of("mlp")
    (slope,) = torch.autograd.grad(subject.make_loss(), [subject.model[0].weight])
    assert why(subject, "0.weight[3, 2]").gradient == pytest.approx(float(slope[3, 2]), abs=1e-10)
    assert why(subject, "0.weight[3][-1]").gradient == pytest.approx(float(slope[3, -1]), abs=1e-10)
    text = why(subject).text("en")
    assert "0.weight" in text
    assert "times" in text
    assert "norma" in why(subject).text("es")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("0.wieght", "0.weight"),
        ("0.weight[9, 0]", "(6, 3)"),
        ("0.weight[1]", "0.weight[0, 0]"),
        ("0.weight[a, 0]", "fc1.weight[3, 2]"),
        ("[0]", "fc1.weight[3, 2]"),
        ("  ", "fc1.weight[3, 2]"),
        ("x" * 5000, "0.weight"),
        (3, "3 (int)"),
        (["0.weight"], "fc1.weight[3, 2]"),
        (b"0.weight", "fc1.weight[3, 2]"),
    ],
)
def test_a_name_that_is_none_is_refused_with_what_to_write(name, says):
    with pytest.raises(LedgerError) as error:
        why(subject_of("mlp"), name)
    assert says in str(error.value)
    assert len(str(error.value)) < 250


def test_frozen_unused_and_lost_parameters_are_refused_with_the_reason():
    model = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    model[0].bias.requires_grad_(False)
    subject = XraySubject(lambda: model[0](torch.ones(1, 2)).sum(), model)
    with pytest.raises(LedgerError, match="requires_grad_"):
        why(subject, "0.bias")
    with pytest.raises(LedgerError, match="no gradient reaches"):
        why(subject, "1.weight")
    with pytest.raises(LedgerError, match="in this process"):
        why(None, "1.weight")


def test_what_a_reentrant_checkpoint_hides_is_said_with_what_to_write():
    model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
    x = torch.ones(2, 3, requires_grad=True)
    make_loss = lambda reentrant: model[1](checkpoint(model[0], x, use_reentrant=reentrant)).sum()  # noqa: E731
    with pytest.raises(LedgerError, match="use_reentrant=False"):
        why(XraySubject(lambda: make_loss(True), model), "0.weight")
    found = why(XraySubject(lambda: make_loss(False), model), "0.weight")
    assert found.uses[0].share == pytest.approx(1)


def test_asking_leaves_the_program_as_it_was():
    model, make_loss = model_of("cnn")
    optimizer = torch.optim.Adam(model.parameters())
    make_loss().backward()
    optimizer.step()
    before = {name: x.clone() for name, x in model.state_dict().items()}
    gradients = {name: x.grad.clone() for name, x in model.named_parameters()}
    random = torch.get_rng_state()
    subject = XraySubject(make_loss, model, optimizer)
    for name in ("", "0.weight", "0.weight[0, 0, 1, 1]"):
        why(subject, name)
    assert all(torch.equal(x, before[name]) for name, x in model.state_dict().items())
    assert all(torch.equal(x.grad, gradients[name]) for name, x in model.named_parameters())
    assert torch.equal(torch.get_rng_state(), random)
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_dropout_is_the_same_in_each_run_of_one_question():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 20), nn.Dropout(0.5), nn.Linear(20, 1)).double()
    x = torch.randn(4, 3, dtype=torch.float64)
    cone = why(XraySubject(lambda: model(x).square().sum(), model), "0.weight[2, 1]")
    assert cone.whole
