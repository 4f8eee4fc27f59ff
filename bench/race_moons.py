"""An epoch of the two moons: the MLP 2-16-16-1 on 100 points at once, forward, backward and SGD.

The task is the program `mlp` of programs.py: relu, a margin for each point, weight decay, rate 0.1.  All
start from its weights.  The points are one batch for PyTorch and JAX; in minigrad the function is written
for one point, and run for a batch of them.  Where a library can run many epochs without Python in
between, it does (minigrad, JAX); `..., a call each` is the same with one call an epoch.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import c_code
import casadi_ways
from engines import OfClass
from programs import PROGRAMS, Sgd, two_moons
from races import EXACT, Answer, Race, Way

import minigrad

__all__ = ["SIZES", "data_of", "layers_of", "margin", "race"]

SIZES = [2, 16, 16, 1]
DECAY = 1e-4
LEARNED = 3  # steps after which the weights are compared


def margin(layers: Any, point: Any, side: Any) -> Any:
    """The loss of one point, as a user writes it: layers are lists of neurons, [weights, bias] each."""
    xs = point
    for neurons in layers[:-1]:
        xs = [sum((w * x for w, x in zip(ws, xs, strict=True)), b).relu() for ws, b in neurons]
    ((ws, b),) = layers[-1]
    score = sum((w * x for w, x in zip(ws, xs, strict=True)), b)
    decay = sum(p * p for neurons in layers for ws, b in neurons for p in (*ws, b))
    return (1.0 - side * score).relu() + DECAY * decay


def numbers_of(points: int) -> Any:
    """The weights at the start, in the order of the program: neuron by neuron, its bias last."""
    import numpy as np

    numbers: list[float] = []
    PROGRAMS["mlp"].build(lambda x: numbers.append(x) or x, points)
    return np.array(numbers)


def data_of(points: int) -> tuple[Any, Any]:
    import numpy as np

    found = two_moons(points)
    return np.array([point for point, _ in found]), np.array([side for _, side in found])


def layers_of(make: Callable[[float], Any], points: int) -> tuple[list[Any], list[Any]]:
    """All weights in order, and by layer: neurons of [weights, bias]."""
    leaves = [make(number) for number in numbers_of(points).tolist()]
    rest = iter(leaves)
    return leaves, [
        [[[next(rest) for _ in range(inputs)], next(rest)] for _ in range(outputs)]
        for inputs, outputs in pairwise(SIZES)
    ]


def blocks(numbers: Any) -> list[Any]:
    """Views of all weights by layer: one row per neuron, its bias in the last column."""
    found, begin = [], 0
    for inputs, outputs in pairwise(SIZES):
        count = outputs * (inputs + 1)
        found.append(numbers[begin : begin + count].reshape(outputs, inputs + 1))
        begin += count
    return found


def race(points: int = 100, rounds: int = 21) -> Race:
    makers: dict[str, Callable[[], Way | str]] = {
        "eager": lambda: _eager(points),
        "compiled": lambda: _compiled(points, True),
        "compiled-calls": lambda: _compiled(points, False),
        "jax": lambda: _jax(points, True),
        "jax-calls": lambda: _jax(points, False),
        "torch": lambda: _torch(points),
        "casadi": lambda: _casadi(points, False),
        "casadi-c": lambda: _casadi(points, True),
    }
    return Race("moons", f"two moons, MLP 2-16-16-1, an epoch of {points} points", "compiled", makers, rounds)


# ---- minigrad -----------------------------------------------------------------------------------


def _eager(points: int) -> Way:
    import numpy as np

    program = PROGRAMS["mlp"]
    run = OfClass(minigrad.Value, program, points)

    def steps(count: int) -> None:
        for _ in range(count):
            run.forward()
            run.backward()
            run.update()
            run.free()

    def answer() -> Answer:
        run.forward()
        loss = run.output.data
        run.backward()
        slopes = np.array(run.gradients())
        run.update()
        steps(LEARNED - 1)
        return {"loss": [loss], "gradient": slopes, "learned weights": [leaf.data for leaf in run.leaves]}

    return Way("minigrad, eager", steps, answer, version=minigrad.__version__)


def _compiled(points: int, loop: bool) -> Way:
    x, side = data_of(points)
    leaves, layers = layers_of(minigrad.Value, points)
    rule = minigrad.nn.SGD(leaves, lr=Sgd.rate)
    step = minigrad.compile(margin).training(rule, layers, batched=True)

    def steps(count: int) -> None:
        if loop:
            step.repeat(count, x, side)
        else:
            for _ in range(count):
                step(x, side)

    def answer() -> Answer:
        loss = step.gradient(x, side)
        slopes = step.grad.copy()
        steps(LEARNED)
        return {"loss": [loss], "gradient": slopes, "learned weights": step.data.copy()}

    name = "minigrad compiled" + ", a call each" * (not loop)
    return Way(name, steps, answer, version=minigrad.__version__, note=EXACT)


# ---- PyTorch ------------------------------------------------------------------------------------


def _torch(points: int) -> Way | str:
    try:
        import torch
    except ImportError:
        return "not installed: pip install torch"
    import numpy as np

    torch.set_num_threads(1)
    x, side = map(torch.from_numpy, data_of(points))
    layers = [torch.nn.Linear(inputs, outputs).double() for inputs, outputs in pairwise(SIZES)]
    with torch.no_grad():
        for layer, block in zip(layers, blocks(numbers_of(points)), strict=True):
            layer.weight.copy_(torch.from_numpy(block[:, :-1]))
            layer.bias.copy_(torch.from_numpy(block[:, -1]))
    parameters = [p for layer in layers for p in layer.parameters()]
    rule = torch.optim.SGD(parameters, lr=Sgd.rate, fused=True)

    def loss_now() -> Any:
        h = torch.relu(layers[1](torch.relu(layers[0](x))))
        decay = sum((p * p).sum() for p in parameters)
        return torch.relu(1.0 - side * layers[2](h)[:, 0]).mean() + DECAY * decay

    def step() -> Any:
        rule.zero_grad()
        loss = loss_now()
        loss.backward()
        rule.step()
        return loss

    def steps(count: int) -> None:
        for _ in range(count):
            step()

    def in_order(tensors: Any) -> Any:
        arrays = [t.detach().numpy() for t in tensors]
        return np.concatenate(
            [np.column_stack(pair).ravel() for pair in zip(arrays[::2], arrays[1::2], strict=True)]
        )

    def answer() -> Answer:
        loss = step().item()
        slopes = in_order(p.grad for p in parameters)
        steps(LEARNED - 1)
        return {"loss": [loss], "gradient": slopes, "learned weights": in_order(parameters)}

    return Way("PyTorch", steps, answer, version=version("torch"), note="fused SGD")


# ---- JAX ----------------------------------------------------------------------------------------


def _jax(points: int, loop: bool) -> Way | str:
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return "not installed: pip install jax"
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    x, side = map(jnp.asarray, data_of(points))

    def loss_of(numbers: Any) -> Any:
        h = x
        *bent, last = blocks(numbers)
        for block in bent:
            h = jax.nn.relu(h @ block[:, :-1].T + block[:, -1])
        scores = (h @ last[:, :-1].T + last[:, -1])[:, 0]
        return jax.nn.relu(1.0 - side * scores).mean() + DECAY * (numbers * numbers).sum()

    both = jax.jit(jax.value_and_grad(loss_of))

    def learned(numbers: Any) -> Any:
        return numbers - Sgd.rate * jax.grad(loss_of)(numbers)

    step = jax.jit(learned, donate_argnums=0)
    many = jax.jit(
        lambda n, numbers: jax.lax.fori_loop(0, n, lambda _, p: learned(p), numbers), donate_argnums=1
    )
    start = numbers_of(points)
    state = jnp.asarray(start)

    def steps(count: int) -> None:
        nonlocal state
        if loop:
            state = many(count, state)
        else:
            for _ in range(count):
                state = step(state)
        state.block_until_ready()

    def answer() -> Answer:
        loss, slopes = both(jnp.asarray(start))
        steps(LEARNED)
        return {"loss": [float(loss)], "gradient": np.asarray(slopes), "learned weights": np.asarray(state)}

    name = "JAX, jit, warm" + ", a call each" * (not loop)
    return Way(name, steps, answer, version=version("jax"))


# ---- CasADi -------------------------------------------------------------------------------------


def _casadi(points: int, through_c: bool) -> Way | str:
    casadi = casadi_ways.load()
    if isinstance(casadi, str) or (through_c and c_code.missing()):
        return casadi if isinstance(casadi, str) else c_code.missing()

    x, side = data_of(points)
    start = numbers_of(points)
    weights, one, label = casadi.SX.sym("w", len(start)), casadi.SX.sym("x", 2), casadi.SX.sym("side")
    layers, begin = [], 0
    for inputs, outputs in pairwise(SIZES):
        count = outputs * (inputs + 1)
        layers.append(casadi.reshape(weights[begin : begin + count], inputs + 1, outputs))  # by columns
        begin += count
    h = one
    for layer in layers[:-1]:
        h = casadi.fmax(layer[:-1, :].T @ h + layer[-1, :].T, 0.0)
    score = layers[-1][:-1, :].T @ h + layers[-1][-1, :].T
    loss = casadi.fmax(1.0 - label * score, 0.0)
    point = casadi.Function("point", [weights, one, label], [loss, casadi.gradient(loss, weights)])
    mapped = point.map("mapped", "serial", points, [0], [0, 1])  # one set of weights; results are added up
    w = casadi.MX.sym("w", len(start))
    total, slopes = mapped(w, x.T, side[None, :])
    loss_now = total / points + DECAY * casadi.sumsqr(w)
    gradient = slopes / points + 2.0 * DECAY * w
    epoch = casadi.Function("epoch", [w], [w - Sgd.rate * gradient, loss_now, gradient])
    epoch = casadi_ways.in_c(epoch, "moons") if through_c else epoch
    state = start.copy()
    results, call = casadi_ways.calling(epoch, [state])

    def steps(count: int) -> None:
        for _ in range(count):
            call()
            state[:] = results[0]

    def answer() -> Answer:
        call()
        loss, slopes = results[1].copy(), results[2].copy()
        steps(LEARNED)
        return {"loss": loss, "gradient": slopes, "learned weights": state.copy()}

    name = "CasADi, its C by gcc" if through_c else "CasADi"
    return Way(name, steps, answer, version=version("casadi"), note="SX of a point, mapped")
