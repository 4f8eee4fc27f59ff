"""What a program of scalars means: its nodes computed one after the other, in floats.

    numbers = evaluate(scalars, [2.0, 3.0])         # of all nodes
    [numbers[node] for node in scalars.outputs]

This is the slowest way to run a program, and the one that all others are held against: a pass may change a
program as it likes as long as the outputs keep their bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from minigrad.compiler.scalars import CHAIN, CONSTANT, EXACT, INPUT, Scalars, arguments_of
from minigrad.ops import OPS
from minigrad.values import ieee

__all__ = ["evaluate", "formula"]


def evaluate(scalars: Scalars, inputs: Sequence[float]) -> list[float]:
    """The numbers of all nodes, where input j is `inputs[j]`."""
    given = dict(zip(scalars.inputs, map(float, inputs), strict=True))
    numbers: list[float] = []
    for node, (op, args) in enumerate(zip(scalars.ops, scalars.args, strict=True)):
        if op == INPUT:
            numbers.append(given[node])
        elif op == CONSTANT:
            numbers.append(scalars.data[node])
        else:
            numbers.append(formula(op)(*(numbers[arg] for arg in args)))
    return numbers


_formulas: dict[str, Callable[..., float]] = {}


def formula(op: str) -> Callable[..., float]:
    """An op of scalars.py as a function of floats."""
    if op not in _formulas:
        _formulas[op] = _formula(op)
    return _formulas[op]


def _formula(op: str) -> Callable[..., float]:
    if op.startswith((CHAIN, EXACT)):
        return _chain(op)
    if op.startswith("put:"):
        return _put
    name, _, slot = op.partition("'")
    if slot:
        partials, place = OPS[name].partials, int(slot)
        return lambda y, *xs: float(partials(ieee, y, *xs)[place])
    if op in _OTHERS:
        return _OTHERS[op]
    forward = OPS[op].forward
    return lambda *xs: forward(ieee, *xs)


def _chain(op: str) -> Callable[..., float]:
    terms, zero = arguments_of(op), op.partition(":")[2].startswith("0")

    def signed(xs: Sequence[float]) -> list[float]:
        products = [xs[at] * xs[at + 1] if kind in "*~" else xs[at] for kind, at in terms]
        return [-x if kind in "-~" else x for (kind, _), x in zip(terms, products, strict=True)]

    def chain(*xs: float) -> float:
        total, *rest = [0.0, *signed(xs)] if zero else signed(xs)
        for term in rest:
            total += term  # subtracting is adding the negative, to the bit
        return total

    def exact(*xs: float) -> float:
        return ieee.fsum(*signed(xs))

    return chain if op.startswith(CHAIN) else exact


def _take(which: float, *rows: float) -> float:
    return rows[int(which)]


def _put(*xs: float) -> float:
    terms = len(xs) // 2
    total = 0.0
    for which, term in zip(xs[:terms], xs[terms + 1 :], strict=True):
        total += term if which == xs[terms] else 0.0
    return total


_OTHERS: dict[str, Callable[..., float]] = {
    "stop": lambda x: x,
    "lanesum": lambda x: 0.0 + x,  # over a batch of one
    "take": _take,
    "match": lambda which, row, x: x if which == row else 0.0,
    "gate": lambda mask, x: x if mask != 0.0 else 0.0,
    "equal": lambda x, y: 1.0 if x == y else 0.0,
}
