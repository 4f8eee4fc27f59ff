"""A whole training step of the small GPT, forward, backward and Adam, for one name and for 64 at once.

The model is the program `gpt` of programs.py: one layer, width 16, four heads; 60,475 nodes for "amelie".

    python      the plain Python class of reference.py, in the style of the well-known one-file GPT
    eager       minigrad's engine in C, the same code
    numpy       matrices and slopes derived by hand (by_hand_batch.py)
    tape        a scalar engine in plain C, a node per op (c/gpt_tape.c)
    loops       C by hand in ordinary loops: slopes on paper, sizes as constants (c/gpt_loops.c)
    vectors     the same in vector types, across positions, blocked for registers (c/gpt_vectors.c)
    torch, jax  PyTorch's own layers; JAX under jit
    compiled    examples/microgpt.py's kind of code through minigrad.compile(exact=False)

All start from the same weights; loss, gradient and the weights after three steps are compared first.  The
weights are put back before each turn, so that no way learns more than another.  Where a way can run many
steps without Python in between, it does; `..., a call each` has a call for each step.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import c_code
import numpy as np
from by_hand import EPSILON, SHAPES
from by_hand_batch import BatchGpt
from gpt_task import LEARNED, compiled_loss, gpt_loss, model_of, names_of, own, weights_at_start
from programs import HEAD, HEADS, NAME, WIDTH, Adam
from races import EXACT, Answer, Race, Way
from reference import LocalGrads

import minigrad

__all__ = ["race", "training_of"]


def race(names: int = 1, letters: int = len(NAME), rounds: int = 15) -> Race:
    tokens = names_of(names, letters)
    makers: dict[str, Callable[[], Way | str]] = {
        "numpy": lambda: _numpy(tokens),
        "python": lambda: _of_class("plain Python class", LocalGrads, tokens, collects=True),
        "eager": lambda: _of_class("minigrad, eager", minigrad.Value, tokens, version=minigrad.__version__),
        "tape": lambda: _in_c("C tape, a node per op", "gpt_tape", tokens),
        "loops": lambda: _in_c("C by hand, loops", "gpt_loops", tokens),
        "vectors": lambda: _in_c("C by hand, vector types", "gpt_vectors", tokens),
        "torch": lambda: _torch(tokens),
        "jax": lambda: _jax(tokens),
        "compiled": lambda: _compiled(tokens, True),
        "compiled-exact": lambda: _compiled(tokens, True, exact=True),
        "compiled-calls": lambda: _compiled(tokens, False),
    }
    many = f"{names} names, per name" if names > 1 else "one name"
    key = "gpt" if names == 1 else f"gpt-{names}"
    return Race(key, f"small GPT, a training step, {many}", "compiled", makers, rounds)


# ---- classes of numbers -------------------------------------------------------------------------


def _of_class(name: str, make: Callable[[float], Any], tokens: Any, **more: Any) -> Way:
    leaves, weights = model_of(make)
    names = tokens.tolist()
    rule = Adam(leaves)
    loss_of = own(gpt_loss)

    def pick(rows: Any, i: int) -> Any:
        return rows[i]

    def top(scores: Any) -> float:
        return max(score.data for score in scores)

    def gradient() -> float:
        total = 0.0
        for one in names:
            loss = loss_of(weights, one, pick, top)
            loss.backward()
            total += loss.data
        if len(names) > 1:
            for leaf in leaves:
                leaf.grad /= len(names)
        return total / len(names)

    def steps(count: int) -> None:
        for _ in range(count):
            gradient()
            rule()

    def reset() -> None:
        for leaf, x in zip(leaves, weights_at_start().tolist(), strict=True):
            leaf.data, leaf.grad = x, 0.0
        rule.m, rule.v, rule.steps = [0.0] * len(leaves), [0.0] * len(leaves), 0

    def answer() -> Answer:
        loss = gradient()
        slopes = [leaf.grad for leaf in leaves]
        rule()
        steps(LEARNED - 1)
        return {"loss": [loss], "gradient": slopes, "learned weights": [leaf.data for leaf in leaves]}

    return Way(name, steps, answer, len(names), reset=reset, **more)


# ---- matrices -----------------------------------------------------------------------------------


def _numpy(tokens: Any) -> Way:
    model = BatchGpt(weights_at_start(), len(tokens), tokens.shape[1] - 1)

    def steps(count: int) -> None:
        for _ in range(count):
            model.loss_and_gradient(tokens)
            model.adam()

    def reset() -> None:
        model.numbers[:], model.m[:], model.v[:], model.steps = weights_at_start(), 0.0, 0.0, 0

    def answer() -> Answer:
        loss = model.loss_and_gradient(tokens)
        slopes = model.gradient.copy()
        steps(LEARNED)
        return {"loss": [loss], "gradient": slopes, "learned weights": model.numbers.copy()}

    return Way("NumPy, by hand", steps, answer, len(tokens), version=version("numpy"), reset=reset)


class Learner(ctypes.Structure):
    """As in c/gpt.h."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("weights", "gradient", "mean", "square")),
        ("steps", ctypes.c_long),
    )


def _in_c(name: str, source: str, tokens: Any) -> Way | str:
    if c_code.missing():
        return c_code.missing()
    library = c_code.compiled(source, POSITIONS=tokens.shape[1] - 1)
    library.train.restype = library.gradient.restype = ctypes.c_double
    arrays = [np.array(weights_at_start()), *(np.zeros(len(weights_at_start())) for _ in range(3))]
    learner = Learner(*(array.ctypes.data for array in arrays), 0)
    where, given = ctypes.byref(learner), tokens.ctypes.data_as(ctypes.c_void_p)

    def steps(count: int) -> None:
        library.train(where, given, len(tokens), ctypes.c_long(count))

    def reset() -> None:
        for array, start in zip(arrays, (weights_at_start(), 0.0, 0.0, 0.0), strict=True):
            array[:] = start
        learner.steps = 0

    def answer() -> Answer:
        loss = library.gradient(where, given, len(tokens))
        slopes = arrays[1].copy()
        steps(LEARNED)
        return {"loss": [loss], "gradient": slopes, "learned weights": arrays[0].copy()}

    return Way(name, steps, answer, len(tokens), version=f"gcc {c_code.version()}", reset=reset)


# ---- PyTorch and JAX ----------------------------------------------------------------------------


def _torch(tokens: Any) -> Way | str:
    try:
        import torch
    except ImportError:
        return "not installed: pip install torch"
    from torch_gpt import Gpt

    torch.set_num_threads(1)
    model = Gpt(weights_at_start())
    given = torch.from_numpy(tokens).long()
    rate = {"lr": Adam.rate, "betas": (Adam.first, Adam.second), "eps": Adam.epsilon}
    rule = torch.optim.Adam(model.parameters(), **rate, fused=True)

    def step() -> Any:
        rule.zero_grad()
        loss = model(given)
        loss.backward()
        rule.step()
        return loss

    def steps(count: int) -> None:
        for _ in range(count):
            step()

    def reset() -> None:
        nonlocal rule
        with torch.no_grad():
            for mine, start in zip(model.parameters(), Gpt(weights_at_start()).parameters(), strict=True):
                mine.copy_(start)
        rule = torch.optim.Adam(model.parameters(), **rate, fused=True)

    def flat(tensors: Any) -> Any:
        return torch.cat([t.detach().flatten() for t in tensors]).numpy()

    def answer() -> Answer:
        loss = step().item()
        slopes = flat(p.grad for p in model.parameters())
        steps(LEARNED - 1)
        return {"loss": [loss], "gradient": slopes, "learned weights": flat(model.parameters())}

    return Way(
        "PyTorch", steps, answer, len(tokens), version=version("torch"), reset=reset, note="fused Adam"
    )


def _jax(tokens: Any) -> Way | str:
    try:
        import jax
        import jax.numpy as jnp
    except ImportError:
        return "not installed: pip install jax"
    jax.config.update("jax_enable_x64", True)
    count = tokens.shape[1] - 1
    given, wanted = jnp.asarray(tokens[:, :-1]), jnp.asarray(tokens[:, 1:])
    ahead = jnp.where(jnp.tri(count, dtype=bool), 0.0, -jnp.inf)

    def norm(x: Any) -> Any:
        return x * ((x * x).mean(-1, keepdims=True) + EPSILON) ** -0.5

    def heads(x: Any) -> Any:
        return x.reshape(*x.shape[:-1], HEADS, HEAD).swapaxes(1, 2)

    def loss_of(numbers: Any) -> Any:
        w, begin = {}, 0
        for name, (rows, columns) in SHAPES.items():
            w[name] = numbers[begin : begin + rows * columns].reshape(rows, columns)
            begin += rows * columns
        before = norm(w["tokens"][given] + w["positions"][:count])
        x = norm(before)
        query, key, value = (heads(x @ w[name].T) for name in ("query", "key", "value"))
        shares = jax.nn.softmax(query @ key.swapaxes(2, 3) * HEAD**-0.5 + ahead)
        found = (shares @ value).swapaxes(1, 2).reshape(*given.shape, WIDTH)
        middle = found @ w["attended"].T + before
        last = jax.nn.relu(norm(middle) @ w["up"].T) @ w["down"].T + middle
        logs = jax.nn.log_softmax(last @ w["logits"].T)
        return -jnp.take_along_axis(logs, wanted[..., None], -1).mean()

    def learned(state: Any) -> Any:
        numbers, m, v, step = state
        slopes = jax.grad(loss_of)(numbers)
        step = step + 1.0
        m = Adam.first * m + (1.0 - Adam.first) * slopes
        v = Adam.second * v + (1.0 - Adam.second) * slopes * slopes
        rate = Adam.rate / (1.0 - Adam.first**step)
        spread = jnp.sqrt(v / (1.0 - Adam.second**step)) + Adam.epsilon
        return numbers - rate * m / spread, m, v, step

    def fresh() -> Any:
        start = jnp.asarray(weights_at_start())
        return start, jnp.zeros_like(start), jnp.zeros_like(start), 0.0

    many = jax.jit(lambda n, state: jax.lax.fori_loop(0, n, lambda _, s: learned(s), state))
    both = jax.jit(jax.value_and_grad(loss_of))
    state = fresh()

    def steps(count: int) -> None:
        nonlocal state
        state = many(count, state)
        state[0].block_until_ready()

    def reset() -> None:
        nonlocal state
        state = fresh()

    def answer() -> Answer:
        loss, slopes = both(state[0])
        steps(LEARNED)
        return {"loss": [float(loss)], "gradient": slopes, "learned weights": state[0]}

    return Way("JAX, jit, warm", steps, answer, len(tokens), version=version("jax"), reset=reset)


# ---- minigrad, compiled -------------------------------------------------------------------------


def training_of(batched: bool, exact: bool = False) -> tuple[Any, Callable[[], None]]:
    """A compiled training step from the start, and a way back there."""
    leaves, weights = model_of(minigrad.Value)
    rule = minigrad.nn.Adam(leaves, lr=Adam.rate, betas=(Adam.first, Adam.second), eps=Adam.epsilon)
    before = copy.deepcopy(rule.state_dict())
    step = minigrad.compile(compiled_loss, exact=exact).training(rule, weights, batched=batched)

    def reset() -> None:
        for leaf, x in zip(leaves, weights_at_start().tolist(), strict=True):
            leaf.data = x
        rule.load_state_dict(before)
        step.read()

    return step, reset


def _compiled(tokens: Any, loop: bool, exact: bool = False) -> Way | str:
    batched = len(tokens) > 1
    step, reset = training_of(batched, exact)
    given = tokens if batched else tokens[0]

    def steps(count: int) -> None:
        if loop:
            step.repeat(count, given)
        else:
            for _ in range(count):
                step(given)

    def answer() -> Answer:
        loss = step.gradient(given)
        slopes = step.grad.copy()
        steps(LEARNED)
        return {"loss": [loss], "gradient": slopes, "learned weights": step.data.copy()}

    name = "minigrad compiled" + ", exact" * exact + ", a call each" * (not loop)
    note = EXACT if exact else "exact=False"
    return Way(name, steps, answer, len(tokens), version=minigrad.__version__, reset=reset, note=note)
