"""What may be intended is a fact; what is named as intended is left out; bad input is refused in words."""

import pytest
import torch
from torch import nn

from minigrad.xray import assert_healthy, xray
from minigrad.xray.examination import XrayError
from minigrad.xray.report import XrayReport


def broken():
    torch.manual_seed(0)
    model = nn.Linear(4, 1)
    x, y = torch.randn(6, 4), torch.randn(6)
    return model, lambda: nn.functional.mse_loss(model(x), y)


def test_a_finding_makes_a_program_suspect_and_fails_an_assertion():
    model, loss = broken()
    report = xray(loss, model=model)
    assert report.verdict == "suspect"
    assert [entry.family for entry in report.findings] == ["loss-shape"]
    with pytest.raises(AssertionError, match="loss-shape"):
        assert_healthy(loss, model=model)


@pytest.mark.parametrize("intended", [["loss-shape"], ["test_examination.py:16"]])
def test_what_is_intended_by_family_or_by_line_is_left_out(intended):
    model, loss = broken()
    assert_healthy(loss, model=model, intended=intended)


def test_what_is_intended_by_a_comment_is_left_out():
    model, _ = broken()
    x, y = torch.randn(6, 4), torch.randn(6)
    assert_healthy(lambda: nn.functional.mse_loss(model(x), y), model=model)  # intended: loss-shape


def test_a_detach_is_a_fact_and_no_finding():
    model, _ = broken()
    x = torch.randn(6, 4)
    report = xray(lambda: (model(x).detach() * model.bias).mean(), model=model)
    assert report.verdict == "healthy"
    assert [entry.family for entry in report.facts] == ["graph-cut"]
    assert_healthy(lambda: model(x).mean(), model=model)


def test_a_number_that_is_only_printed_is_no_fact():
    model, _ = broken()
    x = torch.randn(6, 4)
    printed = []

    def loss():
        made = model(x).square().mean()
        printed.append(made.item())
        return made

    assert xray(loss, model=model).entries == ()


def test_a_loss_that_differs_each_time_is_said_and_not_accused():
    model, _ = broken()
    times = []

    def loss():
        times.append(1)
        return model(torch.full((3, 4), float(len(times)))).square().mean()

    report = xray(loss, model=model)
    assert report.findings == ()
    assert [remark.code for remark in report.remarks] == ["repeats"]


@pytest.mark.parametrize(
    ("given", "words"),
    [(3, "cannot be called"), (lambda: 3.0, "float"), (lambda: torch.ones(2, requires_grad=True), r"\(2,\)")],
)
def test_what_is_no_loss_is_refused_in_words(given, words):
    with pytest.raises(XrayError, match=words):
        xray(given)


def test_a_report_is_the_same_after_json():
    model, loss = broken()
    report = xray(loss, model=model)
    again = XrayReport.from_json(report.to_json())
    assert again.to_json() == report.to_json()
    assert "Findings" in again.text("en")
    assert "Hallazgos" in again.text("es")


@pytest.mark.parametrize("change", [{"schema": "x"}, {"verdict": "fine"}, {"findings": [{"family": "x"}]}])
def test_another_document_is_no_report(change):
    model, loss = broken()
    document = xray(loss, model=model).to_json() | change
    with pytest.raises((ValueError, KeyError)):
        XrayReport.from_json(document)


class Weighed(nn.Module):
    """Classes of each sample, whose softmax runs over the samples of the batch."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(4, 3)

    def forward(self, scale, x):
        return torch.softmax(self.out(x), 0) * scale


def test_the_probes_take_the_inputs_that_are_given():
    torch.manual_seed(0)
    model, scale, x, y = Weighed(), torch.ones(1, 3), torch.randn(6, 4), torch.randn(6, 3)

    def loss():
        return (model(scale, x) - y).square().mean()

    assert "sample-leak" not in [entry.family for entry in xray(loss, model=model).entries]
    named = xray(loss, model=model, inputs=(x,))
    assert "sample-leak" in [entry.family for entry in named.entries]
    assert "inputs" not in [remark.code for remark in named.remarks]
    other = xray(loss, model=model, inputs=(torch.randn(6, 4),))
    assert "inputs" in [remark.code for remark in other.remarks]


def test_a_model_without_shapes_is_refused_in_words_and_stays_as_it_is():
    model, x = nn.Sequential(nn.LazyLinear(3)), torch.randn(6, 4)
    with pytest.raises(XrayError, match=r"0\.weight.*batch"):
        xray(lambda: model(x).mean(), model=model)
    assert nn.parameter.is_lazy(model[0].weight)
    model(x)
    assert xray(lambda: model(x).mean(), model=model).verdict == "healthy"


def test_all_pairs_of_one_tensor_are_no_mistaken_shape():
    torch.manual_seed(0)
    model, x, y = nn.Linear(4, 1), torch.randn(6, 4), torch.randn(6)

    def ranked():
        scores = model(x).squeeze(-1)
        pairs = (scores[:, None] - scores) * torch.sign(y[:, None] - y)
        return nn.functional.softplus(-pairs).mean()

    assert xray(ranked, model=model).findings == ()
    mistaken = xray(lambda: (model(x) - y).square().mean(), model=model)
    assert [entry.code for entry in mistaken.findings] == ["loss.broadcast"]


class Sequence(nn.Module):
    """A recurrent network that takes (time, batch, features), or one sequence as (time, features)."""

    def __init__(self):
        super().__init__()
        self.inside, self.out = nn.LSTM(4, 8), nn.Linear(8, 1)

    def forward(self, x):
        return self.out(self.inside(x)[0])


class Misread(Sequence):
    """The same network, whose caller takes the first axis for the one of the samples."""

    def forward(self, x):
        return self.out(self.inside(x)[0][:, -1])


class Words(Sequence):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(9, 4)

    def forward(self, x):
        return super().forward(self.words(x))


@pytest.mark.parametrize(
    ("made", "shape", "expected"),
    [
        (Sequence, (12, 1, 4), []),
        (Words, (12, 1), []),
        (Sequence, (12, 5, 4), []),
        (Sequence, (12, 4), []),
        (Misread, (12, 5, 4), ["sample-leak"]),
        (nn.TransformerEncoderLayer, (12, 1, 4), []),
    ],
)
def test_steps_of_one_sequence_are_no_samples(made, shape, expected):
    torch.manual_seed(0)
    model = made() if made is not nn.TransformerEncoderLayer else made(4, 2, 8, dropout=0.0)
    x = torch.randint(0, 9, shape) if made is Words else torch.randn(shape)
    report = xray(lambda: (model(x) - 1).square().mean(), model=model)
    assert [entry.family for entry in report.entries] == expected


@pytest.mark.parametrize(("dead", "expected"), [(3, ["75%"]), (1, [])])
def test_the_units_of_an_image_are_its_channels(dead, expected):
    torch.manual_seed(0)
    filters = nn.Conv2d(1, 4, 3, padding=1)
    with torch.no_grad():
        filters.bias[:dead] = -100.0
    model, x = nn.Sequential(filters, nn.ReLU(), nn.Flatten(), nn.Linear(144, 1)), torch.randn(8, 1, 6, 6)
    report = xray(lambda: model(x).square().mean(), model=model)
    assert [entry.fields["share"] for entry in report.facts if entry.code == "zero.units"] == expected


@pytest.mark.parametrize("name", ["weight_norm", "spectral_norm", "orthogonal"])
def test_a_parametrised_weight_is_examined_whole(name):
    from torch.nn.utils import parametrizations

    torch.manual_seed(0)
    made = getattr(parametrizations, name)(nn.Linear(6, 6))
    model = nn.Sequential(made, nn.LeakyReLU(0.2), nn.Linear(6, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    x, y = torch.randn(8, 6), torch.randn(8, 1)
    report = xray(lambda: (model(x) - y).pow(2).mean(), model=model, optimizer=optimizer)
    assert (report.verdict, report.entries, report.remarks) == ("healthy", (), ())
    first = next(key for key, _ in made.named_parameters() if "parametrizations" in key)
    assert report.why(f"0.{first}").norm > 0


def test_a_cut_behind_a_parametrised_weight_is_still_seen():
    from torch.nn.utils.parametrizations import spectral_norm

    torch.manual_seed(0)
    model = nn.Sequential(spectral_norm(nn.Linear(6, 6)), nn.Linear(6, 1))
    x = torch.randn(8, 6)
    report = xray(lambda: model[1](model[0](x).detach()).pow(2).mean(), model=model)
    assert [entry.family for entry in report.facts] == ["graph-cut"]
    assert "0.parametrizations.weight.original" in report.facts[0].what


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"make_loss": None}, "cannot be called"),
        ({"make_loss": lambda batch: batch.mean()}, "needs arguments"),
        ({"model": 3}, "no model"),
        ({"model": nn.Linear}, "no model"),
        ({"optimizer": "sgd"}, "no optimizer"),
        ({"inputs": 3}, "no tensor"),
        ({"seconds": "long"}, "no number of seconds"),
        ({"seconds": -1}, "no number of seconds"),
        ({"intended": [3]}, "neither a family nor a line"),
        ({"intended": 3}, "neither a family nor a line"),
    ],
)
def test_wrong_arguments_are_refused_in_words(given, words):
    model, loss = broken()
    with pytest.raises(XrayError, match=words):
        xray(**{"make_loss": loss, "model": model, **given})


def test_one_family_and_one_tensor_need_no_list():
    model, _ = broken()
    x, y = torch.randn(6, 4), torch.randn(6)
    report = xray(lambda: nn.functional.mse_loss(model(x), y), model=model, inputs=x, intended="loss-shape")
    assert (report.verdict, report.remarks) == ("healthy", ())


def test_a_recorded_loop_takes_a_model_and_an_optimizer():
    from minigrad.xray import record

    for arguments in ((3,), (None, 3)):
        with pytest.raises(XrayError), record(*arguments):
            pass
    with pytest.raises(XrayError), record(intended=("no-such-family",)):
        pass
