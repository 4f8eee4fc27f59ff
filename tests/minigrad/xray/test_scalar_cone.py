"""One number of a PyTorch model, down to scalars.

PyTorch's own gradient is the witness, and central differences are a second one.
"""

from __future__ import annotations

import random

import pytest
import torch
from torch import nn
from torch.nn import functional

from minigrad.xray.scalar_cone import scalar_cone
from minigrad.xray.scalar_ops import ScalarGraph
from xray_models import MODELS, model_of


def cone_of(make_loss, parameter, place, **options):
    return scalar_cone(make_loss, parameter, place, "w", **options)


def random_numbers(name, count, seed=0):
    model, make_loss = model_of(name)
    choose = random.Random(seed)
    named = list(model.named_parameters())
    for _ in range(count):
        parameter_name, parameter = choose.choice(named)
        yield model, make_loss, parameter_name, parameter, tuple(choose.randrange(n) for n in parameter.shape)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_random_numbers_of_five_models_have_the_gradient_of_pytorch(name):
    for model, make_loss, parameter_name, parameter, place in random_numbers(name, 4):
        (slope,) = torch.autograd.grad(make_loss(), [parameter])
        cone = scalar_cone(
            make_loss, parameter, place, parameter_name, modules=list(model.named_modules())[1:]
        )
        assert cone.gradient == pytest.approx(float(slope[place]), abs=1e-10, rel=1e-10)
        assert cone.whole
        assert not cone.omissions


def test_the_graph_computes_the_loss_and_its_slope_by_central_differences():
    model, make_loss = model_of("gpt")
    parameter = model.blocks[0].mlp[0].weight
    cone = scalar_cone(make_loss, parameter, (3, 2), "up[3, 2]")
    trace = cone.explanation.trace
    assert trace.values[trace.graph.output] == pytest.approx(float(make_loss().detach()), abs=1e-12)
    ends = []
    for step in (1e-5, -1e-5):
        moved = trace.graph.at({"up[3, 2]": cone.value + step})
        with torch.no_grad():
            parameter[3, 2] += step
            assert moved.evaluate()[moved.output] == pytest.approx(float(make_loss().detach()), abs=1e-12)
            ends.append(float(make_loss().detach()))
            parameter[3, 2] -= step
    assert cone.gradient == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6)


def test_what_is_detached_is_cut_and_what_is_not_is_followed():
    w = torch.tensor([2.0, 5.0], dtype=torch.float64, requires_grad=True)

    def make_loss():
        doubled = w * 2
        return (doubled * w.detach() + doubled.data * 3 + doubled**2).sum()

    cone = cone_of(
        make_loss, w, (0,)
    )  # 2 * 2 through the first, nothing through .data, 8 w through the square
    assert cone.gradient == 4.0 + 16.0
    assert cone.whole


def test_views_and_writes_in_place_are_followed_to_the_elements_that_they_touch():
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64, requires_grad=True)

    def make_loss():
        made = torch.zeros(3, 2, dtype=torch.float64)
        made[:2] = w.t()
        made[1].mul_(10.0)  # w[0, 1] and w[1, 1]
        made[2] += made[0]
        return (made * torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=torch.float64)).sum()

    slopes = {(0, 0): 1 + 5, (1, 0): 2 + 6, (0, 1): 30, (1, 1): 40}
    for place, slope in slopes.items():
        cone = cone_of(make_loss, w, place)
        assert cone.gradient == slope
        assert cone.whole


@pytest.mark.parametrize(
    "op",
    [
        lambda x: functional.softmax(x, -1)[0],
        lambda x: torch.logsumexp(x, 0),
        lambda x: functional.layer_norm(x, (6,)),
        lambda x: functional.group_norm(x.reshape(1, 6, 1), 2),
        lambda x: functional.gelu(x, approximate="tanh"),
        lambda x: functional.elu(x, 0.7),
        lambda x: functional.softplus(x, 2.0),
        lambda x: functional.hardtanh(x),
        lambda x: x.clamp(min=-0.2),
        lambda x: x.std(),
        lambda x: x.norm(),
        lambda x: x.abs().max(),
        lambda x: x.topk(2).values,
        lambda x: x.cumsum(0),
        lambda x: x.sort().values * torch.arange(6.0, dtype=torch.float64),
        lambda x: torch.cat([x, x.flip(0)]).reshape(3, 4).tril(),
        lambda x: torch.where(x > 0, x, x.exp()),
        lambda x: torch.lgamma(x.abs() + 1),
        lambda x: torch.linalg.inv(x.reshape(2, 3)[:, :2] + 3 * torch.eye(2, dtype=torch.float64)),
        lambda x: functional.pad(x, (1, 2)).unfold(0, 3, 2).prod(-1),
        lambda x: functional.interpolate(x.reshape(1, 1, 6), scale_factor=2, mode="linear"),
        lambda x: x.rsqrt() if bool((x > 0).all()) else (x * x + 1).rsqrt(),
        lambda x: torch.atan2(x, x + 3),
        lambda x: torch.einsum("ij,kj->ik", x.reshape(2, 3), x.reshape(2, 3)),
        lambda x: functional.conv1d(x.reshape(1, 2, 3), torch.ones(2, 2, 2, dtype=torch.float64)),
        lambda x: x[torch.tensor([0, 0, 3])] ** 3,
        lambda x: torch.zeros(4, dtype=torch.float64).index_add(0, torch.tensor([0, 1, 1, 2, 3, 3]), x),
        lambda x: functional.smooth_l1_loss(x, torch.zeros(6, dtype=torch.float64)),
    ],
)
def test_many_ops_as_scalars_have_the_gradient_of_pytorch(op):
    start = torch.tensor([0.3, -1.2, 0.8, 2.1, -0.4, 0.9], dtype=torch.float64)
    w = start.clone().requires_grad_()

    def make_loss():
        made = op(w * 1.5)
        return (made * torch.linspace(0.5, 2.0, made.numel(), dtype=torch.float64).reshape(made.shape)).sum()

    (slope,) = torch.autograd.grad(make_loss(), [w])
    for at in range(6):
        cone = cone_of(make_loss, w, (at,))
        assert cone.gradient == pytest.approx(float(slope[at]), abs=1e-10)
        assert not cone.omissions


def test_a_cone_that_is_too_large_follows_the_largest_routes_and_states_the_rest():
    generator = torch.Generator().manual_seed(0)
    first = torch.randn(200, 4, generator=generator, dtype=torch.float64).requires_grad_()
    second = torch.randn(50, 200, generator=generator, dtype=torch.float64)
    x = torch.randn(4, 30, generator=generator, dtype=torch.float64)
    cone = cone_of(lambda: (second @ (first @ x).tanh()).square().mean(), first, (0, 0), most=600)
    assert len(cone.explanation.trace.graph) <= 600
    assert cone.omissions
    assert not cone.whole
    assert cone.gradient + cone.remainder == cone.of_torch
    assert "routes" in cone.text("en")
    assert "rutas" in cone.text("es")


def test_the_largest_routes_are_those_through_which_most_of_the_gradient_flows():
    model, make_loss = model_of("gpt")
    part = cone_of(make_loss, model.wpe.weight, (1, 2), most=1500)
    whole = cone_of(make_loss, model.wpe.weight, (1, 2))
    assert whole.whole
    assert len(part.explanation.trace.graph) <= 1500 < len(whole.explanation.trace.graph)
    assert abs(part.remainder) < 0.2 * abs(part.of_torch)


def test_a_cone_in_which_no_route_fits_says_so():
    model, make_loss = model_of("gpt")
    cone = cone_of(make_loss, model.wpe.weight, (1, 2), most=30)
    assert cone.explanation is None
    assert "no route fits" in " ".join(cone.text("en").split())


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.sigmoid(x)
        ctx.save_for_backward(x, s)
        return x * s

    @staticmethod
    def backward(ctx, grad):
        x, s = ctx.saved_tensors
        return grad * (s + x * s * (1 - s))


class Turned(torch.autograd.Function):
    """Two results out of two tensors, and a number."""

    @staticmethod
    def forward(ctx, x, y, by):
        ctx.save_for_backward(x, y)
        ctx.by = by
        return x * y.sum() * by, y.clone()

    @staticmethod
    def backward(ctx, one, two):
        x, y = ctx.saved_tensors
        return one * y.sum() * ctx.by, (one * x).sum() * ctx.by + two, None


class Own(nn.Module):
    def forward(self, x):
        return Swish.apply(x)


def test_custom_functions_are_followed_by_what_their_backward_sends():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), Own(), nn.Linear(4, 3), Own(), nn.Linear(3, 1)).double()
    x = torch.randn(5, 3, dtype=torch.float64)
    parameter = model[0].weight

    def make_loss():
        one, two = Turned.apply(model(x), model[0].weight, 0.5)
        return one.pow(2).mean() + two.sin().sum()

    before = torch.autograd.Function.apply.__func__.__code__
    for place in ((0, 0), (3, 2)):
        cone = cone_of(make_loss, parameter, place)
        assert cone.whole
        assert cone.omissions == ()
        assert abs(cone.remainder) < 1e-12
        assert cone.functions == ("Swish", "Turned")
        assert "backward sends" in " ".join(cone.text("en").split())
        assert "Swish" in cone.text("es")
    assert torch.autograd.Function.apply.__func__.__code__ is before


def test_a_backward_that_does_not_fit_its_forward_is_shown_as_it_is():
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    w = torch.tensor([1.5], dtype=torch.float64, requires_grad=True)
    cone = cone_of(lambda: (Doubled.apply(w) + w**2).sum(), w, (0,))
    assert cone.of_torch == 3 + 3
    assert cone.gradient == 3 + 3
    assert cone.functions == ("Doubled",)
    assert any(node.locals == (3.0,) for node in cone.explanation.trace.graph.nodes)


def test_a_backward_that_is_not_linear_is_a_remainder_and_not_explained_away():
    class Cut(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return (grad * 2).clamp(-1, 1)

    w = torch.tensor([1.5], dtype=torch.float64, requires_grad=True)
    cone = cone_of(lambda: (Cut.apply(w) * 5).sum(), w, (0,))
    assert cone.of_torch == 1
    assert cone.gradient == 5
    assert cone.remainder == -4
    assert not cone.whole


def test_a_function_that_writes_in_place_is_stated_as_an_omission():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    w = torch.tensor([1.5], dtype=torch.float64, requires_grad=True)
    cone = cone_of(lambda: (Scaled.apply(w * 2) + w).sum(), w, (0,))
    assert cone.of_torch == 7
    assert [(each.op, each.followed) for each in cone.omissions] == [("Scaled", 0)]
    assert not cone.whole


def test_a_number_on_which_nothing_depends_has_no_graph():
    w = torch.ones(2, dtype=torch.float64, requires_grad=True)
    cone = cone_of(lambda: (w[1] * 3).sum(), w, (0,))
    assert cone.explanation is None
    assert cone.of_torch == 0
    assert "autograd" in cone.text("en")
    assert "<pre>" in cone.to_html(lang="es")


def test_a_wrong_formula_would_be_seen(monkeypatch):
    """The check itself: with another derivative the remainder is not nothing."""
    w = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
    make_loss = lambda: w.sigmoid().sum()  # noqa: E731
    assert cone_of(make_loss, w, (0,)).whole
    from minigrad.xray import scalar_ops

    monkeypatch.setitem(scalar_ops.ELEMENTWISE, "sigmoid", lambda g, x: g.apply("tanh", x))
    wrong = cone_of(make_loss, w, (0,))
    assert not wrong.whole
    assert abs(wrong.remainder) > 0.1


def test_numbers_in_single_precision_are_whole_within_its_rounding():
    model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    x = torch.ones(2, 3)
    cone = cone_of(lambda: model(x).square().mean(), model[0].weight, (1, 2))
    assert cone.whole
    assert not cone.double


def test_names_of_nodes_say_the_module_the_op_and_the_place():
    model, make_loss = model_of("mlp")
    cone = scalar_cone(make_loss, model[0].weight, (3, 2), "w", modules=list(model.named_modules())[1:])
    names = cone.explanation.trace.graph.names
    assert "1.relu[0, 3]" in names
    assert "loss" in names
    assert "0.addmm[0, 3]" in names


def test_a_graph_of_scalars_folds_what_is_constant():
    graph = ScalarGraph("x", 2.0)
    assert graph.apply("add", 3.0, 4.0) == 7.0
    node = graph.apply("mul", 0, 3.0)
    assert graph.values[node] == 6.0
    assert graph.slopes[node] == 3.0
    assert len(graph.graph(node)) == 3
