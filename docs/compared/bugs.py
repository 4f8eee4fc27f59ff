"""Twelve backward rules, eleven of them wrong, each written once for PyTorch, JAX and HIPS autograd.

A rule is a formula over `m`, the library's own namespace; `as_torch`, `as_jax` and `as_autograd` make the
library's kind of custom function out of it, so that each library's checker is shown the same bug.
`compare.py` asks the checkers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Numbers = list[float] | list[list[float]]


@dataclass(frozen=True)
class Bug:
    name: str
    words: tuple[str, str]  # in English and Spanish
    forward: Callable[..., Any]  # of m and the inputs
    rule: Callable[..., tuple[Any, ...]]  # of m, the upstream gradient and the inputs
    inputs: tuple[Numbers, ...]


X = [0.7, -1.3, 2.1]
Y = [1.5, 0.4, -0.8]
MATRIX = [[0.7, -1.3, 2.1], [0.2, 1.9, -0.6]]


def _softmax(m: Any, x: Any) -> Any:
    return m.exp(x) / m.sum(m.exp(x))


def _stale() -> Bug:
    kept: list[Any] = []  # one place for all calls: the second call overwrites what the first one kept

    def forward(m: Any, x: Any) -> Any:
        kept[:] = [x]
        return x**2

    return Bug(
        "stale", ("what is kept for backward is shared by all calls",
                  "lo que se guarda para la pasada inversa es común a todas las llamadas"),
        forward, lambda m, g, x: (2 * kept[0] * g,), (X,),
    )  # fmt: skip


# fmt: off
BUGS = [
    Bug("right", ("nothing: the rule is right", "nada: la regla es correcta"),
        lambda m, x: x**2, lambda m, g, x: (2 * x * g,), (X,)),
    Bug("factor", ("the factor 2 of a square is forgotten", "se olvida el factor 2 del cuadrado"),
        lambda m, x: x**2, lambda m, g, x: (x * g,), (X,)),
    Bug("sign", ("the sign of the second operand of a - b is lost",
                 "se pierde el signo del segundo operando de a - b"),
        lambda m, x, y: x - y, lambda m, g, x, y: (g, g), (X, Y)),
    Bug("upstream", ("the upstream gradient is ignored", "se ignora el gradiente entrante"),
        lambda m, x: x**2, lambda m, g, x: (2 * x,), (X,)),
    Bug("mean", ("a mean over the stretched axis where a sum belongs",
                 "una media sobre el eje extendido donde corresponde una suma"),
        lambda m, x, w: x * w, lambda m, g, x, w: (g * w, m.mean(g * x, 0)), (MATRIX, X)),
    Bug("diagonal", ("the rule of softmax keeps the diagonal only",
                     "la regla de softmax conserva solo la diagonal"),
        _softmax, lambda m, g, x: (g * _softmax(m, x) * (1 - _softmax(m, x)),), (X,)),
    Bug("swapped", ("a * b hands each operand its own value",
                    "a * b entrega a cada operando su propio valor"),
        lambda m, x, y: x * y, lambda m, g, x, y: (g * x, g * y), (X, Y)),
    Bug("small", ("the slope is 0.05% too large", "la pendiente es un 0,05 % demasiado grande"),
        lambda m, x: m.sin(x), lambda m, g, x: (1.0005 * m.cos(x) * g,), (X,)),
    Bug("region", ("wrong for negative inputs; checked at positive ones",
                   "mal con entradas negativas; se examina con positivas"),
        lambda m, x: m.abs(x), lambda m, g, x: (g + 0 * x,), ([0.7, 1.3, 2.1],)),
    Bug("upstream-sign", ("the size of the upstream gradient is used, not its sign",
                          "se usa el tamaño del gradiente entrante y no su signo"),
        lambda m, x: x**2, lambda m, g, x: (2 * x * m.abs(g),), (X,)),
    _stale(),
    Bug("straight", ("a step whose gradient is passed straight through, on purpose",
                     "un escalón cuyo gradiente se deja pasar tal cual, a propósito"),
        lambda m, x: m.sign(x), lambda m, g, x: (g,), (X,)),
]
# fmt: on


def as_torch(bug: Bug) -> Any:
    import torch

    class Rule(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, *inputs: Any) -> Any:
            ctx.save_for_backward(*inputs)
            return bug.forward(torch, *inputs)

        @staticmethod
        def backward(ctx: Any, upstream: Any) -> Any:
            found = bug.rule(torch, upstream, *ctx.saved_tensors)
            return found if len(found) > 1 else found[0]

    Rule.__name__ = bug.name
    return Rule


def as_jax(bug: Bug) -> Any:
    import jax
    import jax.numpy as jnp

    @jax.custom_vjp
    def rule(*inputs: Any) -> Any:
        return bug.forward(jnp, *inputs)

    rule.defvjp(
        lambda *inputs: (bug.forward(jnp, *inputs), inputs),
        lambda inputs, upstream: bug.rule(jnp, upstream, *inputs),
    )
    return rule


def as_autograd(bug: Bug) -> Any:
    import autograd.numpy as anp
    from autograd.extend import defvjp, primitive

    @primitive
    def rule(*inputs: Any) -> Any:
        return bug.forward(anp, *inputs)

    def slot(i: int) -> Any:
        return lambda out, *inputs: lambda upstream: bug.rule(anp, upstream, *inputs)[i]

    defvjp(rule, *(slot(i) for i in range(len(bug.inputs))))
    return rule
