"""Faults of the seed: the pass starts from dL/dL = 1."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isclose, isfinite

from ...graph.trace import Pieces, Walk
from ..fault import Fault

__all__ = ["ROWS"]

FACTORS = (2, 3, 4, 5, 8, 10, 0.5, 0.1, -1)  # a batch, a loss scale, a sign


def _seed(seed: Callable[[Walk, float], float]) -> Callable[[Pieces, object], Pieces]:
    return lambda pieces, _what: pieces._replace(seed=seed)


def _scaled(pieces: Pieces, factor: float) -> Pieces:
    return pieces._replace(seed=lambda walk, seed: pieces.seed(walk, seed) * factor)


def _common_factor(pairs: Sequence[tuple[float, float]]) -> Iterable[float]:
    """The one factor between what is right and what was observed, where two numbers or more share it."""
    ratios = [got / right for right, got in pairs if right and isfinite(right) and isfinite(got)]
    if len(ratios) < 2 or any(got for right, got in pairs if not right):
        return ()
    middle = sorted(ratios)[len(ratios) // 2]
    alike = all(isclose(ratio, middle, rel_tol=1e-3) for ratio in ratios)
    return (float(f"{middle:.6g}"),) if alike and middle not in (0.0, 1.0, *FACTORS) else ()


def _start_at_one(pieces: Pieces, _what: object) -> Pieces:
    def start(walk: Walk) -> None:
        pieces.start(walk)
        walk.grads[:] = [grad + 1.0 for grad in walk.grads]

    return pieces._replace(start=start)


_SEED = "    root.grad = 1.0\n"
_NOTHING = _seed(lambda walk, seed: 0.0)  # two ways to write one bug

ROWS = (
    Fault(
        "no-seed",
        "seed",
        ("the output's gradient is never set", "nunca se fija el gradiente de la salida"),
        (
            "the pass multiplies by the 0 that it starts from, and every gradient is 0",
            "la pasada multiplica por el 0 del que parte, y todos los gradientes son 0",
        ),
        _NOTHING,
        "a = 3; -a",
        ((_SEED, ""),),
        seen=3,
    ),
    Fault(
        "zero-seed",
        "seed",
        ("the pass is seeded with 0", "la pasada empieza con la semilla 0"),
        (
            "zero_grad on the output came after its seed: every gradient is 0",
            "el zero_grad de la salida llegó después de su semilla: todos los gradientes son 0",
        ),
        _NOTHING,
        "a = 3; -a",
        ((_SEED, "    root.grad = 0.0\n"),),
    ),
    Fault(
        "seed-scaled",
        "seed",
        ("the seed is {what} in place of 1", "la semilla es {what} en lugar de 1"),
        (
            "every gradient is off by one common factor: a batch size, a loss scale, a sign",
            "todos los gradientes llevan un mismo factor: el tamaño de un lote, una escala, un signo",
        ),
        _scaled,
        "a = 3; -a",
        ((_SEED, "    root.grad = 1.0 * {what}\n"),),
        case="huggingface/transformers#34191",
        variants=lambda graph: FACTORS,
        fit=_common_factor,
    ),
    Fault(
        "seed-is-data",
        "seed",
        ("the output's data is the seed", "el valor de la salida es la semilla"),
        (
            "the pass starts from the value of the output in place of 1: gradients of half its square",
            "la pasada parte del valor de la salida en lugar de 1: los gradientes de la mitad de su cuadrado",
        ),
        _seed(lambda walk, seed: walk.values[walk.graph.output]),
        "a = 3; -a",
        ((_SEED, "    root.grad = root.data\n"),),
    ),
    Fault(
        "grads-start-at-one",
        "seed",
        ("every gradient starts at 1", "todos los gradientes empiezan en 1"),
        (
            "the 1 that belongs to the output alone is everywhere, and each node hands on one too many",
            "el 1 que solo corresponde a la salida está en todas partes, y cada nodo entrega uno de más",
        ),
        _start_at_one,
        "a = 3; -a",
        (
            ("            node.grad = 0.0\n", "            node.grad = 1.0\n"),
            ("            leaf.grad = 0.0\n", "            leaf.grad = 1.0\n"),
        ),
    ),
)
