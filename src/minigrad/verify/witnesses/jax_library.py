"""The witness of JAX: the same graph in float64, op by op, and its own reverse mode.

Double precision is on inside this file's calls only; the setting of the program stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from types import ModuleType
from typing import TYPE_CHECKING

from ...ops import MANY, OPS
from ..case import Case
from ..testimony import Statement
from .libraries import estimate, its_function, of_a_library

if TYPE_CHECKING:
    from jax import Array

__all__ = ["in_double", "witness"]

NAME = "jax"


@of_a_library(NAME, extra="jax", largest=2_000)  # it is slow where it is not compiled; compiling is slower
def witness(case: Case) -> Statement:
    import jax
    import jax.numpy
    import jax.scipy.special

    return _run(jax, case)


def in_double(jax: ModuleType) -> AbstractContextManager[None]:
    """A block in which numbers have 64 bits; older versions keep it elsewhere."""
    if hasattr(jax, "enable_x64"):
        enable: Callable[[bool], AbstractContextManager[None]] = jax.enable_x64
    else:
        from importlib import import_module

        enable = import_module("jax.experimental").enable_x64
    return enable(True)


def _run(jax: ModuleType, case: Case) -> Statement:
    graph = case.graph
    places = [graph.index(name) for name in case.names]

    def output(numbers: Sequence[Array]) -> Array:
        given = dict(zip(places, numbers, strict=True))
        built: list[Array] = []
        for i, node in enumerate(graph.nodes[: graph.output + 1]):
            if node.args:
                built.append(_op(jax, node.op, [built[arg] for arg in node.args]))
            else:
                built.append(given[i] if i in given else jax.numpy.float64(case.values[i]))
        return built[graph.output]

    with in_double(jax):
        start = [jax.numpy.float64(case.values[i]) for i in places]
        value, pull = jax.vjp(output, start)
        (grads,) = pull(jax.numpy.ones_like(value))
        slopes = {name: estimate(float(grad)) for name, grad in zip(case.names, grads, strict=True)}
        return Statement(NAME, estimate(float(value)), slopes)


def _op(jax: ModuleType, op: str, xs: list[Array]) -> Array:
    function = its_function("jax", jax, op)
    if op == "where":
        return function(xs[0] != 0.0, xs[1], xs[2])
    if op == "gelu":
        return function(xs[0], approximate=False)
    if op == "dot":
        stack = jax.numpy.stack
        return function(stack(xs[: len(xs) // 2]), stack(xs[len(xs) // 2 :]))
    if OPS[op].arity[1] == MANY:
        return function(jax.numpy.stack(xs))
    result = function(*xs)
    return result.astype(jax.numpy.float64) if result.dtype == bool else result
