"""Facts about labels that a model can copy, a softmax over the samples, an optimizer of a copy, no_grad."""

import pytest
import torch
from torch import nn
from torch.nn import functional

from minigrad.xray import xray


class Causal(nn.Module):
    """Reads tokens from left to right."""

    def __init__(self):
        super().__init__()
        self.embed, self.body, self.head = (
            nn.Embedding(11, 8),
            nn.GRU(8, 8, batch_first=True),
            nn.Linear(8, 11),
        )

    def forward(self, ids):
        return self.head(self.body(self.embed(ids))[0])


def codes(loss, model, optimizer=None):
    report = xray(loss, model=model, optimizer=optimizer)
    assert report.findings == ()
    assert report.remarks == ()
    return [(entry.family, entry.code) for entry in report.facts]


@pytest.fixture
def ids():
    torch.manual_seed(0)
    return torch.randint(0, 11, (4, 9))


def test_labels_at_the_step_at_which_they_are_given_can_be_copied(ids):
    model = Causal()
    copied = [("time-leak", "leak.copied")]
    assert codes(lambda: functional.cross_entropy(model(ids).flatten(0, 1), ids.flatten()), model) == copied
    some = ids.masked_fill(torch.rand(ids.shape) < 0.5, -100)
    assert codes(lambda: functional.cross_entropy(model(ids).transpose(1, 2), some), model) == copied


def test_labels_of_the_next_step_and_of_hidden_tokens_cannot(ids):
    model = Causal()
    assert (
        codes(lambda: functional.cross_entropy(model(ids)[:, :-1].flatten(0, 1), ids[:, 1:].flatten()), model)
        == []
    )
    hidden = torch.rand(ids.shape) < 0.5
    given, labels = ids.masked_fill(hidden, 0), ids.masked_fill(~hidden, -100)
    assert codes(lambda: functional.cross_entropy(model(given).transpose(1, 2), labels), model) == []
    other = torch.randint(0, 11, ids.shape)
    assert codes(lambda: functional.cross_entropy(model(ids).transpose(1, 2), other), model) == []


def test_a_softmax_of_the_loss_over_the_samples_is_a_fact():
    torch.manual_seed(0)
    model, x, labels = nn.Linear(5, 3), torch.randn(6, 5), torch.randint(0, 3, (6,))

    def loss(dim):
        return -functional.log_softmax(model(x), dim).gather(1, labels[:, None]).mean()

    assert codes(lambda: loss(0), model) == [("sample-leak", "leak.softmax")]
    assert codes(lambda: loss(-2), model) == [("sample-leak", "leak.softmax")]
    assert codes(lambda: loss(1), model) == []


def test_weights_of_instances_and_all_samples_with_all_are_no_leak():
    torch.manual_seed(0)
    model, x = nn.Linear(5, 1), torch.randn(6, 5)
    assert codes(lambda: (torch.softmax(model(x), 0) * x).sum(0).pow(2).mean(), model) == []
    embed = nn.Linear(5, 4)
    both = torch.arange(6)
    contrast = lambda: functional.nll_loss(functional.log_softmax(embed(x) @ embed(x + 0.1).T, 0), both)  # noqa: E731
    assert codes(contrast, embed) == []


def test_an_optimizer_of_a_copy_is_a_fact_with_its_names():
    import copy

    torch.manual_seed(0)
    model, x = nn.Linear(5, 1), torch.randn(6, 5)
    average = copy.deepcopy(model)
    optimizer = torch.optim.Adam(average.parameters())
    assert codes(lambda: model(x).pow(2).mean(), model, optimizer) == [
        ("parameter-wiring", "wiring.elsewhere")
    ]
    own = torch.optim.Adam(model.parameters())
    assert codes(lambda: model(x).pow(2).mean(), model, own) == []


def test_what_runs_under_no_grad_is_one_fact_at_the_line_that_switched_it_on():
    torch.manual_seed(0)
    body = nn.Sequential(nn.Linear(5, 5), nn.Tanh(), nn.Linear(5, 5), nn.Tanh())
    model = nn.ModuleDict({"body": body, "head": nn.Linear(5, 1)})
    x = torch.randn(6, 5)

    def run(module, x):
        for each in module:
            x = each(x)
        return x

    def loss():
        with torch.no_grad():
            hidden = run(model["body"], x)
        return model["head"](hidden).pow(2).mean()

    report = xray(loss, model=model)
    (fact,) = report.facts
    assert (fact.code, fact.place.text) == ("cut.no_grad", 'hidden = run(model["body"], x)')


def test_a_loss_that_is_not_finite_brings_no_second_accusation():
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Linear(5, 5), nn.LayerNorm(5)), torch.randn(6, 5)

    def loss():
        made = model(x)
        weights = made.masked_fill(torch.ones_like(made) > 0, float("-inf")).softmax(-1)
        return (weights + made + x).pow(2).mean()

    assert [entry.family for entry in xray(loss, model=model).findings] == ["non-finite"]
