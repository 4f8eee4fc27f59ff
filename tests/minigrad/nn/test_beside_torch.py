"""Every module and loss beside PyTorch in float64: values, gradients, and whole runs of training."""

from __future__ import annotations

import importlib.util
import math
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn import functional

from minigrad import Value, nn
from source_trees import ROOT
from torch_models import gpt_twin, gradients, mlp_twin, tensor, weights

pytestmark = pytest.mark.one_engine

CLOSE = 1e-12


def flat(thing: Any) -> list[Any]:
    return [inner for item in thing for inner in flat(item)] if isinstance(thing, (list, tuple)) else [thing]


def agree(ours: Any, theirs: torch.Tensor, within: float = CLOSE) -> None:
    found = [x.data if isinstance(x, Value) else x for x in flat(ours)]
    wanted = theirs.detach().reshape(-1).tolist()
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert one == other or abs(one - other) <= within * max(1.0, abs(other)), (one, other)


def values(draw: random.Random, *shape: int, spread: float = 1.0) -> Any:
    if not shape:
        return Value(draw.gauss(0.0, spread))
    return [values(draw, *shape[1:], spread=spread) for _ in range(shape[0])]


def data(thing: Any) -> Any:
    return [data(item) for item in thing] if isinstance(thing, list) else thing.data


def grads(thing: Any) -> Any:
    return [grads(item) for item in thing] if isinstance(thing, list) else thing.grad


def leaf(thing: Any) -> torch.Tensor:
    return tensor(data(thing)).requires_grad_()


def backward_both(ours: Any, theirs: torch.Tensor, draw: random.Random) -> None:
    """A pass from the same weighted sum of all outputs: weights that are all 1 would hide a mix-up."""
    outputs = flat(ours)
    seeds = [draw.uniform(0.5, 2.0) for _ in outputs]
    total = outputs[0] * seeds[0]
    for output, seed in zip(outputs[1:], seeds[1:], strict=True):
        total = total + output * seed
    total.backward()
    (theirs.reshape(-1) * tensor(seeds)).sum().backward()


# ---- layers -------------------------------------------------------------------------------------

LAYERS: dict[str, tuple[Callable[[], nn.Module], Callable[[], torch.nn.Module]]] = {
    "Linear": (lambda: nn.Linear(5, 3, seed=1), lambda: torch.nn.Linear(5, 3)),
    "Linear without bias": (
        lambda: nn.Linear(5, 3, bias=False, seed=1),
        lambda: torch.nn.Linear(5, 3, bias=False),
    ),
    "RMSNorm": (lambda: nn.RMSNorm(5), lambda: torch.nn.RMSNorm(5, eps=1e-5)),
    "RMSNorm without weights": (
        lambda: nn.RMSNorm(5, eps=0.1, elementwise_affine=False),
        lambda: torch.nn.RMSNorm(5, eps=0.1, elementwise_affine=False),
    ),
    "LayerNorm": (lambda: nn.LayerNorm(5), lambda: torch.nn.LayerNorm(5)),
    "LayerNorm without bias": (
        lambda: nn.LayerNorm(5, eps=0.5, bias=False),
        lambda: torch.nn.LayerNorm(5, eps=0.5, bias=False),
    ),
    "LayerNorm without weights": (
        lambda: nn.LayerNorm(5, elementwise_affine=False),
        lambda: torch.nn.LayerNorm(5, elementwise_affine=False),
    ),
    "ReLU": (nn.ReLU, torch.nn.ReLU),
    "LeakyReLU": (lambda: nn.LeakyReLU(0.2), lambda: torch.nn.LeakyReLU(0.2)),
    "ELU": (lambda: nn.ELU(1.5), lambda: torch.nn.ELU(1.5)),
    "GELU": (nn.GELU, torch.nn.GELU),
    "SiLU": (nn.SiLU, torch.nn.SiLU),
    "Tanh": (nn.Tanh, torch.nn.Tanh),
    "Sigmoid": (nn.Sigmoid, torch.nn.Sigmoid),
    "Softplus": (nn.Softplus, torch.nn.Softplus),
    "Softmax": (nn.Softmax, lambda: torch.nn.Softmax(-1)),
    "Identity": (nn.Identity, torch.nn.Identity),
    "Sequential": (
        lambda: nn.Sequential(nn.Linear(5, 4, seed=2), nn.Tanh(), nn.Linear(4, 2, seed=3)),
        lambda: torch.nn.Sequential(torch.nn.Linear(5, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)),
    ),
}


@pytest.mark.parametrize("batch", [False, True], ids=["vector", "batch"])
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_is_pytorchs(name: str, batch: bool) -> None:
    make, make_theirs = LAYERS[name]
    draw = random.Random(name)
    ours, theirs = make(), make_theirs().double()
    for parameter in ours.parameters():
        parameter.data = draw.gauss(0.5, 1.0)  # norms begin with weights of 1, which would hide theirs
    theirs.load_state_dict({key: tensor(numbers) for key, numbers in ours.state_dict().items()})
    x = values(draw, 3, 5) if batch else values(draw, 5)
    there = leaf(x)
    found, wanted = ours(x), theirs(there)
    agree(found, wanted)
    backward_both(found, wanted, draw)
    agree(grads(x), there.grad)
    for name_of, weight in theirs.named_parameters():
        agree(grads(ours.arrays()[name_of]), weight.grad)


def test_the_comparison_catches_a_layer_that_is_slightly_wrong() -> None:
    x = values(random.Random(1), 5)
    with pytest.raises(AssertionError):
        agree(nn.LayerNorm(5, eps=1.001e-5)(x), torch.nn.LayerNorm(5).double()(leaf(x)))


def test_an_embedding_is_pytorchs_and_a_token_twice_gets_both_gradients() -> None:
    ours, theirs = nn.Embedding(4, 3, seed=1), torch.nn.Embedding(4, 3).double()
    theirs.load_state_dict({"weight": tensor(ours.state_dict()["weight"])})
    found, wanted = ours([2, 0, 2]), theirs(torch.tensor([2, 0, 2]))
    agree(found, wanted)
    backward_both(found, wanted, random.Random(5))
    agree(grads(ours.weight), theirs.weight.grad)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_attention_is_pytorchs_multihead_attention(causal: bool, bias: bool) -> None:
    draw = random.Random(3)
    ours = nn.Attention(6, 3, causal=causal, bias=bias, seed=draw)
    theirs = torch.nn.MultiheadAttention(6, 3, bias=bias, batch_first=True, dtype=torch.float64)
    state = ours.state_dict()
    packed = {"in_proj_weight": [*state["query.weight"], *state["key.weight"], *state["value.weight"]]}
    packed["out_proj.weight"] = state["output.weight"]
    if bias:
        packed["in_proj_bias"] = [*state["query.bias"], *state["key.bias"], *state["value.bias"]]
        packed["out_proj.bias"] = state["output.bias"]
    theirs.load_state_dict({name: tensor(numbers) for name, numbers in packed.items()})
    x = values(draw, 4, 6)
    there = leaf(x)
    hidden = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1) if causal else None
    wanted, _ = theirs(there[None], there[None], there[None], attn_mask=hidden)
    found = ours(x)
    agree(found, wanted)
    backward_both(found, wanted, draw)
    agree(grads(x), there.grad)
    rows = [*grads(ours.query.weight), *grads(ours.key.weight), *grads(ours.value.weight)]
    agree(rows, theirs.in_proj_weight.grad)
    agree(grads(ours.output.weight), theirs.out_proj.weight.grad)


# ---- losses -------------------------------------------------------------------------------------

LOSSES: dict[str, tuple[Any, Any, Callable[[random.Random], Any], Callable[[random.Random], float]]] = {
    "mse": (nn.mse_loss, functional.mse_loss, lambda d: d.gauss(0, 2), lambda d: d.gauss(0, 2)),
    "bce": (
        nn.binary_cross_entropy,
        functional.binary_cross_entropy,
        lambda d: d.uniform(0.01, 0.99),
        lambda d: d.choice([0.0, 1.0, d.random()]),
    ),
    "bce with logits": (
        nn.binary_cross_entropy_with_logits,
        functional.binary_cross_entropy_with_logits,
        lambda d: d.gauss(0, 5),
        lambda d: d.choice([0.0, 1.0, d.random()]),
    ),
    "hinge": (  # PyTorch's margin ranking with the other score at 0 is max(0, 1 - y * score)
        nn.hinge_loss,
        lambda x, y, reduction: functional.margin_ranking_loss(
            x, torch.zeros_like(x), y, margin=1.0, reduction=reduction
        ),
        lambda d: d.gauss(0, 1.5),
        lambda d: d.choice([-1.0, 1.0]),
    ),
}


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_a_loss_is_pytorchs(name: str, reduction: str) -> None:
    ours, theirs, answer, target = LOSSES[name]
    draw = random.Random(f"{name} {reduction}")
    for shape in ((7,), (3, 4)):
        count = math.prod(shape)
        numbers = [answer(draw) for _ in range(count)]
        there = tensor(numbers).reshape(shape).requires_grad_()
        wanted = tensor([target(draw) for _ in range(count)]).reshape(shape)
        x = [[Value(n) for n in row] for row in there.tolist()] if len(shape) == 2 else [*map(Value, numbers)]
        found, expected = (
            ours(x, wanted.tolist(), reduction=reduction),
            theirs(there, wanted, reduction=reduction),
        )
        agree(found, expected)
        backward_both(found, expected, draw)
        agree(grads(x), there.grad)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_is_pytorchs(reduction: str) -> None:
    draw = random.Random(4)
    x, targets = values(draw, 5, 4, spread=3.0), [0, 3, 3, 1, 2]
    there = leaf(x)
    found = nn.cross_entropy(x, targets, reduction=reduction)
    wanted = functional.cross_entropy(there, torch.tensor(targets), reduction=reduction)
    agree(found, wanted)
    backward_both(found, wanted, draw)
    agree(grads(x), there.grad)
    agree(nn.cross_entropy(x[1], 3), functional.cross_entropy(there[1], torch.tensor(3)))


def test_losses_of_logits_are_pytorchs_at_1000_either_way() -> None:
    numbers = [1000.0, 1000.0, -1000.0, -1000.0, 0.0, 0.0]
    targets = [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]
    x, there = [Value(n) for n in numbers], tensor(numbers).requires_grad_()
    found = nn.binary_cross_entropy_with_logits(x, targets, reduction="none")
    wanted = functional.binary_cross_entropy_with_logits(there, tensor(targets), reduction="none")
    agree(found, wanted)
    backward_both(found, wanted, random.Random(1))
    agree(grads(x), there.grad)

    rows = [[Value(1000.0), Value(-1000.0), Value(0.0)] for _ in range(3)]
    there = leaf(rows)
    found = nn.cross_entropy(rows, [0, 1, 2], reduction="none")
    wanted = functional.cross_entropy(there, torch.tensor([0, 1, 2]), reduction="none")
    agree(found, wanted)
    assert [x.data for x in found] == [0.0, 2000.0, 1000.0]
    backward_both(found, wanted, random.Random(2))
    agree(grads(rows), there.grad)


def test_a_wrong_share_of_exactly_0_or_1_costs_100_and_pulls_with_1e12_as_in_pytorch() -> None:
    for share, target in ((0.0, 1.0), (1.0, 0.0), (1e-50, 1.0), (1e-15, 1.0), (0.0, 0.25)):
        x, there = Value(share), tensor(share).requires_grad_()
        found = nn.binary_cross_entropy(x, target)
        wanted = functional.binary_cross_entropy(there, tensor(target))
        agree(found, wanted)
        found.backward()
        wanted.backward()
        assert x.grad == pytest.approx(there.grad.item(), rel=1e-8)  # its 1e-12 is a float32
    # Where the share is right, PyTorch's gradient ends at 0; the slope of -log(s) at 1 is -1, and ours.
    for share, target, slope in ((1.0, 1.0, -1.0), (0.0, 0.0, 1.0)):
        x = Value(share)
        found = nn.binary_cross_entropy(x, target)
        assert found.data == 0.0
        found.backward()
        assert x.grad == slope


# ---- first weights ------------------------------------------------------------------------------


@pytest.mark.parametrize("nonlinearity", ["linear", "sigmoid", "tanh", "relu", "selu", "leaky_relu"])
def test_gains_are_pytorchs(nonlinearity: str) -> None:
    assert nn.calculate_gain(nonlinearity) == pytest.approx(
        torch.nn.init.calculate_gain(nonlinearity), rel=1e-15
    )


SPREADS: dict[str, dict[str, Any]] = {
    "xavier_uniform_": {"gain": 1.5},
    "xavier_normal_": {"gain": 0.5},
    "kaiming_uniform_": {"nonlinearity": "relu"},
    "kaiming_normal_": {"mode": "fan_out", "a": 0.3},
}


@pytest.mark.parametrize("name", SPREADS)
def test_first_weights_have_pytorchs_spread(name: str) -> None:
    """60 x 40: 2,400 draws, so their standard deviation is within 5% of the law's (3 sigma is 4.3%)."""
    array = getattr(nn, name)(nn.Linear(40, 60, seed=0).weight, seed=7, **SPREADS[name])
    theirs = getattr(torch.nn.init, name)(torch.empty(600, 400), **SPREADS[name])
    scale = math.sqrt(10.0)  # theirs has ten times the fans, for a sharper figure
    ours = tensor(data(array))
    assert ours.std().item() == pytest.approx(theirs.std().item() * scale, rel=0.05)
    assert abs(ours.mean().item()) < 0.1 * ours.std().item()
    if name.endswith("uniform_"):
        bound = theirs.abs().max().item() * scale
        assert 0.98 * bound < ours.abs().max().item() <= bound * 1.001


def test_layers_begin_as_in_pytorch() -> None:
    """Linear: from -1/sqrt(in) to 1/sqrt(in), weights and biases; Embedding: the bell curve of size 1."""
    linear = nn.Linear(25, 200, seed=3)
    for numbers in (flat(data(linear.weight)), data(linear.bias)):
        assert 0.195 < max(map(abs, numbers)) <= 0.2
    numbers = tensor(flat(data(nn.Embedding(100, 30, seed=3).weight)))
    assert numbers.std().item() == pytest.approx(1.0, rel=0.04)


# ---- whole models -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "activation", ["relu", "tanh", "gelu", "silu", "sigmoid", "softplus", "elu", "leaky_relu"]
)
def test_an_mlp_is_its_twin(activation: str) -> None:
    model = nn.MLP(3, [5, 4, 2], activation=activation, seed=2)
    twin, draw = mlp_twin(model), random.Random(1)
    point = [draw.gauss(0.0, 1.0) for _ in range(3)]
    found, wanted = model(point), twin(tensor([point]))[0]
    agree(found, wanted)
    backward_both(found, wanted, draw)
    by_name = gradients(twin)
    for name, parameter in model.named_parameters():
        assert math.isclose(parameter.grad, by_name.pop(name), rel_tol=1e-12, abs_tol=1e-14), name
    assert not by_name


@pytest.mark.parametrize(("layers", "width", "heads", "block"), [(1, 16, 4, 16), (2, 12, 3, 5), (3, 4, 1, 2)])
def test_a_gpt_is_its_twin_position_by_position_and_weight_by_weight(
    layers: int, width: int, heads: int, block: int
) -> None:
    model = nn.GPT(7, layers=layers, width=width, heads=heads, block=block, std=0.4, seed=5)
    twin = gpt_twin(model)
    tokens = [6, 0, 3, 3, 1, 5, 2, 6]  # longer than the smaller blocks: the loss takes what fits
    agree(model(tokens[:block]), twin(tokens[:block]))
    found, wanted = model.loss(tokens), twin.loss(tokens)
    agree(found, wanted)
    found.backward()
    wanted.backward()
    by_name = gradients(twin)
    for name, parameter in model.named_parameters():
        assert math.isclose(parameter.grad, by_name.pop(name), rel_tol=1e-10, abs_tol=1e-13), name
    assert not by_name


def test_50_steps_of_the_gpt_are_pytorchs_to_1e_9() -> None:
    documents = nn.data.names()
    random.Random(3).shuffle(documents)
    vocabulary = nn.Vocabulary(documents)
    model = nn.GPT(len(vocabulary), seed=42)
    twin = gpt_twin(model)
    ours = nn.Adam(model.parameters(), lr=0.01, betas=(0.85, 0.99), eps=1e-8)
    theirs = torch.optim.Adam(twin.parameters(), lr=0.01, betas=(0.85, 0.99), eps=1e-8)
    decay = {"start_factor": 1.0, "end_factor": 0.0, "total_iters": 50}
    schedules = nn.LinearLR(ours, **decay), torch.optim.lr_scheduler.LinearLR(theirs, **decay)
    losses = []
    for step in range(50):
        tokens = vocabulary.encode(documents[step % len(documents)])
        ours.zero_grad()
        theirs.zero_grad()
        found, wanted = model.loss(tokens), twin.loss(tokens)
        assert found.data == pytest.approx(wanted.item(), rel=1e-9), step
        found.backward()
        wanted.backward()
        ours.step()
        theirs.step()
        for schedule in schedules:
            schedule.step()
        losses.append(found.data)
    assert sum(losses[-10:]) < sum(losses[:10])
    by_name = weights(twin)
    for name, parameter in model.named_parameters():
        assert math.isclose(parameter.data, by_name[name], rel_tol=1e-7, abs_tol=1e-10), name


def example() -> Any:
    path = ROOT / "examples" / "microgpt.py"
    spec = importlib.util.spec_from_file_location("microgpt", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_in_one_file_is_the_same_model_and_the_same_training() -> None:
    """Five steps from the weights of a GPT, whose twin in PyTorch is stepped beside it."""
    microgpt = example()
    vocabulary = nn.Vocabulary(["abcdefghijklmnopqrstuvwxyz"])
    texts = [vocabulary.encode(text) for text in ("anna", "bo", "a" * 20, "zoe", "oscar")]
    model = nn.GPT(len(vocabulary), seed=6)
    twin = gpt_twin(model)
    theirs = torch.optim.Adam(twin.parameters(), lr=0.01, betas=(0.85, 0.99), eps=1e-8)
    own = microgpt.make_weights(len(vocabulary), random.Random(1))
    for name, numbers in model.state_dict().items():
        rows = own[name.removesuffix(".weight").rpartition(".")[2]]
        assert len(rows) == len(numbers)
        for row, row_of_numbers in zip(rows, numbers, strict=True):
            for weight, number in zip(row, row_of_numbers, strict=True):
                weight.data = number
    for step, found in enumerate(microgpt.train(own, texts, steps=5)):
        for group in theirs.param_groups:
            group["lr"] = 0.01 * (1 - step / 5)
        wanted = twin.loss(texts[step])
        assert found == pytest.approx(wanted.item(), rel=1e-9), step
        theirs.zero_grad()
        wanted.backward()
        theirs.step()
    invented = microgpt.invent(own, vocabulary.boundary, random.Random(2))
    assert len(invented) <= 16
    assert all(0 <= token < 26 for token in invented)


def test_the_example_runs_as_a_program_and_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    program = [sys.executable, str(ROOT / "examples" / "microgpt.py")]
    file = tmp_path / "two.txt"
    file.write_text("ab\nba\n")
    done = subprocess.run([*program, str(file), "--steps", "101"], capture_output=True, text=True)
    assert done.stderr == ""
    first, last, *names = done.stdout.splitlines()
    assert first.startswith("step 100: loss ")
    assert last.startswith("step 101: loss ")
    assert len(names) == 20
    assert set(names) <= {"ab", "ba", "a", "b", "aa", "bb", "", "aba", "bab"}
    done = subprocess.run([*program, str(tmp_path / "none.txt")], capture_output=True, text=True)
    assert done.returncode == 1
    assert "none.txt" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_well_known_demo_reaches_every_point() -> None:
    """micrograd's: MLP 2-16-16-1, max margin and weight decay, 100 steps from 1.0 down to 0.1."""
    random.seed(1337)
    model = nn.MLP(2, [16, 16, 1])
    points = nn.data.moons(100, noise=0.1, seed=0)
    for k in range(100):
        scores = [model([Value(x) for x in point]) for point, _ in points]
        losses = [(1 + -label * score).relu() for score, (_, label) in zip(scores, points, strict=True)]
        total = sum(losses) * (1.0 / len(losses)) + 1e-4 * sum(p * p for p in model.parameters())
        model.zero_grad()
        total.backward()
        rate = 1.0 - 0.9 * k / 100
        for p in model.parameters():
            p.data -= rate * p.grad
    right = sum((model(point).data > 0) == (label > 0) for point, label in points)
    assert right == 100
