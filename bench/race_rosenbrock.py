"""Rosenbrock's function in 1,000 variables: its value and its gradient, a call each.

What is given is an array of x that changes from call to call, what is wanted the value and the slopes.
PyTorch and JAX write the sum with shifted arrays; CasADi differentiates the same expression in SX.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import c_code
import casadi_ways
from programs import rosenbrock as program
from races import EXACT, Race, Way

import minigrad

__all__ = ["banana", "race", "start"]


def banana(xs: Any) -> Any:
    """As a user writes it, on a list of numbers."""
    return sum(100.0 * (xs[i + 1] - xs[i] ** 2) ** 2 + (1.0 - xs[i]) ** 2 for i in range(len(xs) - 1))


def on_array(x: Any) -> Any:
    """As a user of arrays writes it."""
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2).sum()


def start(size: int) -> Any:
    import numpy as np

    numbers: list[float] = []
    program(numbers.append, size)
    return np.array(numbers)


def race(size: int = 1_000, rounds: int = 31) -> Race:
    x = start(size)
    makers: dict[str, Callable[[], Way | str]] = {
        "eager": lambda: _eager(x),
        "compiled": lambda: _compiled(x),
        "jax": lambda: _jax(x),
        "torch": lambda: _torch(x),
        "casadi": lambda: _casadi(x, False),
        "casadi-c": lambda: _casadi(x, True),
    }
    return Race(
        "rosenbrock", f"Rosenbrock in {size:,} variables, value and gradient", "compiled", makers, rounds
    )


def _way(name: str, call: Callable[[], tuple[float, Any]], **more: Any) -> Way:
    def steps(count: int) -> None:
        for _ in range(count):
            call()

    def answer() -> dict[str, Any]:
        value, slopes = call()
        return {"value": [value], "gradient": slopes}

    return Way(name, steps, answer, **more)


def _eager(x: Any) -> Way:
    numbers = x.tolist()

    def call() -> tuple[float, Any]:
        xs = [minigrad.Value(number) for number in numbers]
        output = banana(xs)
        output.backward()
        return output.data, [leaf.grad for leaf in xs]

    return _way("minigrad, eager", call, version=minigrad.__version__)


def _compiled(x: Any) -> Way:
    compiled = minigrad.compile(banana)

    def call() -> tuple[float, Any]:
        return compiled.value_and_grad(x)

    return _way("minigrad compiled", call, version=minigrad.__version__, note=EXACT)


def _torch(x: Any) -> Way | str:
    try:
        import torch
    except ImportError:
        return "not installed: pip install torch"
    torch.set_num_threads(1)

    def call() -> tuple[float, Any]:
        given = torch.from_numpy(x).requires_grad_()
        value = on_array(given)
        value.backward()
        return value.item(), given.grad.numpy()

    return _way("PyTorch", call, version=version("torch"))


def _jax(x: Any) -> Way | str:
    try:
        import jax
    except ImportError:
        return "not installed: pip install jax"
    import numpy as np

    jax.config.update("jax_enable_x64", True)
    compiled = jax.jit(jax.value_and_grad(on_array))

    def call() -> tuple[float, Any]:
        value, slopes = compiled(x)
        return float(value), np.asarray(slopes)

    return _way("JAX, jit, warm", call, version=version("jax"))


def _casadi(x: Any, through_c: bool) -> Way | str:
    casadi = casadi_ways.load()
    if isinstance(casadi, str) or (through_c and c_code.missing()):
        return casadi if isinstance(casadi, str) else c_code.missing()
    xs = casadi.SX.sym("x", len(x))
    value = casadi.sum1(100.0 * (xs[1:] - xs[:-1] ** 2) ** 2 + (1.0 - xs[:-1]) ** 2)
    both = casadi.Function("rosenbrock", [xs], [value, casadi.gradient(value, xs)])
    both = casadi_ways.in_c(both, "rosenbrock") if through_c else both
    results, evaluate = casadi_ways.calling(both, [x])

    def call() -> tuple[float, Any]:
        evaluate()
        return float(results[0][0]), results[1]

    return _way("CasADi, its C by gcc" if through_c else "CasADi", call, version=version("casadi"))
