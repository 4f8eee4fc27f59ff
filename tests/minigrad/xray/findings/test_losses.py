"""A broadcast of the loss is accused where it cannot be meant; programs that pair on purpose are not."""

import textwrap

import pytest

from torch_programs import examined

HEAD = """
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
N = 6
x, y = torch.randn(N, 4), torch.randn(N)
net = model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def make_loss():
"""

# Right: each pairs N things with N others, or lays N numbers over a grid of N.
MEANT = {
    "quantiles": """
        p, tau = net(x).squeeze(1), torch.linspace(0.1, 0.9, N)
        away = y[:, None] - p
        return torch.maximum(tau * away, (tau - 1) * away).mean()
    """,
    "quantiles_of_targets": """
        theta, target = net(x).squeeze(1), y + 0.5
        away = target.unsqueeze(1) - theta
        huber = torch.where(away.abs() < 1, 0.5 * away**2, away.abs() - 0.5)
        return (huber * (torch.linspace(0.1, 0.9, N) - (away.detach() < 0).float()).abs()).sum(1).mean()
    """,
    "kernel_of_two_batches": """
        a = net(x).squeeze(1)
        def kernel(u, v):
            return torch.exp(-((u[:, None] - v) ** 2)).mean()
        return kernel(a, a) + kernel(y, y) - 2 * kernel(a, y)
    """,
    "kernel_with_a_column_of_data": """
        return -torch.exp(-((net(x).squeeze(1) - CENTRES) ** 2)).mean(0).log().mean()
    """,
    "all_pairs_of_two_batches": """
        good, bad = net(x), net(-x).squeeze(1)
        return -F.logsigmoid(good - bad).mean()
    """,
    "net_less_net": """
        return (net(x) - net(x + 0.1).squeeze()).pow(2).mean() + net(x).pow(2).mean()
    """,
    "nearest_of_the_others": """
        far = (CENTRES - net(x).squeeze(1)).abs()
        return far.min(1).values.mean() + far.min(0).values.mean()
    """,
    "soft_assignment": """
        far = (net(x).squeeze(1) - CENTRES) ** 2
        return (torch.softmax(-far, dim=1) * far).sum(1).mean()
    """,
    "transport_plan": """
        cost = (net(x).squeeze(1) - CENTRES) ** 2
        u = torch.ones(N) / N
        return u @ cost @ u
    """,
    "outer_product_and_a_matrix": """
        return F.mse_loss(net(x) * y, TABLE)
    """,
    "waves_over_a_grid": """
        return (torch.sin(net(x) * torch.linspace(0, 1, N)) - TABLE).pow(2).mean()
    """,
    "ordered_thresholds": """
        chances = torch.sigmoid(torch.linspace(-1, 1, N) - net(x))
        return F.binary_cross_entropy(chances, (TABLE > 0).float())
    """,
    "pairs_without_the_diagonal": """
        away = (net(x) - y).pow(2)
        return (away * (1 - torch.eye(N))).sum() / (N * (N - 1))
    """,
    "upper_triangle": """
        return torch.triu((net(x) - y).abs(), 1).mean()
    """,
    "risk_set": """
        risk = net(x).squeeze(1) + torch.where(y[:, None] <= y, 0.0, -1e9)
        return (torch.logsumexp(risk, 1) - net(x).squeeze(1)).mean()
    """,
    "soft_histogram": """
        edges = torch.linspace(-1, 1, N)
        counts = torch.sigmoid((net(x)[:, 0].unsqueeze(-1) - edges) / 0.1).mean(0)
        return (counts - torch.linspace(1, 0, N)).pow(2).sum()
    """,
    "energy_distance": """
        s = net(x)
        return (s - y).abs().mean() - 0.5 * (s - s.T).abs().mean()
    """,
    "energy_distance_of_named_losses": """
        s = net(x)
        return F.l1_loss(s, y) - 0.5 * F.l1_loss(s, s.T)
    """,
    "ensemble_score_with_an_independent_draw": """
        s, again = net(x), net(x + 0.1)
        return (s - y).abs().mean() - 0.5 * (s - again.T).abs().mean()
    """,
    "scores_against_thresholds": """
        above = torch.sigmoid((net(x) - THRESHOLDS) / 0.1).mean(0)
        return (above - torch.linspace(1, 0, N)).pow(2).sum()
    """,
    "area_under_a_curve": """
        return 1 - torch.sigmoid(net(x) - THRESHOLDS).mean(0).sum() / N
    """,
    "area_over_thresholds": """
        above = torch.sigmoid(net(x) - THRESHOLDS)
        right, wrong = (above * LABELS).mean(0), (above * (1 - LABELS)).mean(0)
        return -torch.trapezoid(right, wrong)
    """,
    "worst_of_the_thresholds": """
        return (net(x) - THRESHOLDS).abs().mean(dim=0).max()
    """,
    "thresholds_as_a_column": """
        share = torch.sigmoid(CENTRES - net(x).squeeze(1)).mean(1)
        return (share - torch.linspace(0, 1, N)).abs().sum()
    """,
    "column_made_in_an_expression_of_two_lines": """
        p = net(x).squeeze(1)
        away = (
            p
            - y.float()
            .unsqueeze(1)
        )
        return away.abs().mean()
    """,
}

# Wrong: the same shapes, where one number for each sample is meant.
MISTAKEN = {
    "column_less_row": "return ((net(x) - y) ** 2).mean()",
    "row_less_column_of_data": "return (net(x).squeeze(1) - y2).abs().mean()",
    "a_named_loss": "return F.smooth_l1_loss(net(x), y)",
    "summed_along_an_axis": "return ((net(x) - y) ** 2).sum(1).mean()",
    "by_hand": """
        p, t = torch.sigmoid(net(x)), (y > 0).float()
        return -(t * p.log() + (1 - t) * (1 - p).log()).mean()
    """,
    "weighted": "return (y.abs() * F.l1_loss(net(x), y, reduction='none')).mean()",
    "column_made_lines_before": """
        pred = net(x).squeeze(1)
        target = y.unsqueeze(1)
        scale = 1.0
        return scale * ((pred - target)**2).mean()
    """,
    "column_made_before_in_the_same_line": """
        p = net(x).squeeze(1)
        t = y.unsqueeze(1).float(); return ((p - t)**2).mean()
    """,
    "column_given_to_a_named_loss": "return F.mse_loss(net(x).squeeze(1), y.view(-1, 1))",
    "values_of_the_next_state": """
        return F.mse_loss(net(x), y + 0.9 * net(x + 1).max(1).values.detach())
    """,
    "root_of_the_mean_of_each_output": "return ((net(x) - y) ** 2).mean(0).sqrt().sum()",
    "weights_of_samples": "return (y.abs() * ((net(x) - y) ** 2).sum(1)).mean()",
    "two_terms_of_one_mistake": """
        away = (net(x) - y).abs().mean(0) + 0.1 * ((net(x) - y) ** 2).mean(0)
        return away.sum()
    """,
    "regression_and_a_ranking": """
        s = net(x)
        order = torch.sign(y[:, None] - y)
        return ((s - y) ** 2).mean() + F.softplus(-(s - s.T) * order).mean()
    """,
    "from_the_model": "return ((net(x).squeeze(1).unsqueeze(1).mul(1.0) - y) ** 2).mean()",
}


def report_on(body, folder):
    made = "\n".join("    " + line for line in textwrap.dedent(body).strip().splitlines())
    data = (
        "CENTRES = torch.randn(N, 1)\nTABLE = torch.randn(N, N)\n"
        "THRESHOLDS, LABELS = torch.linspace(-1, 1, N), (CENTRES > 0).float()\n"
        "y2 = y[:, None].clone()\n\n\ndef make_loss"
    )
    return examined(HEAD.replace("\n\ndef make_loss", data) + made + "\n", folder)


@pytest.mark.parametrize("case", MEANT)
def test_pairs_that_are_meant_are_not_accused(case, folder):
    report = report_on(MEANT[case], folder)
    assert report["verdict"] == "healthy", report
    assert report["findings"] == []


@pytest.mark.parametrize("case", MISTAKEN)
def test_a_broadcast_by_mistake_is_accused(case, folder):
    report = report_on(MISTAKEN[case], folder)
    assert [entry["family"] for entry in report["findings"]][:1] == ["loss-shape"]
    assert report["findings"][0]["code"] == "loss.broadcast"


def test_all_pairs_of_two_batches_are_a_fact(folder):
    report = report_on(MEANT["all_pairs_of_two_batches"], folder)
    assert [(entry["family"], entry["code"]) for entry in report["facts"]] == [("loss-shape", "loss.pairs")]
