"""simplify: what is computed twice is computed once, and what changes no number is not computed.

The gradients are nodes by now, so this is about numbers alone: two nodes of one op and the same
arguments have the same bits, whatever they were for. Inputs are never merged, whatever they hold.
"""

from __future__ import annotations

from ...ops import OPS
from ...values import ieee
from ..scalars import CHAIN, CONSTANT, EXACT, INPUT, Scalars, arguments_of

__all__ = ["simplify"]

_EITHER_WAY = {"add", "mul", "equal"}  # a op b has the bits of b op a


def simplify(program: Scalars, kept: list[int]) -> tuple[Scalars, list[int]]:
    """The same outputs, guards and `kept` nodes, from fewer nodes."""
    ops, args, data = program.ops, program.args, program.data
    short = Scalars()
    place = [-1] * len(program)
    seen: dict[tuple[str, tuple[int, ...]], int] = {}
    constants: dict[str, int] = {}
    for i, op in enumerate(ops):
        if op == INPUT:
            place[i] = short.add(INPUT)
        else:
            row = tuple([place[arg] for arg in args[i]])
            number = data[i] if op == CONSTANT else _folded(op, row, short)
            if number is not None:
                key = number.hex() if number == number else "nan"
                if key not in constants:
                    constants[key] = short.constant(number)
                place[i] = constants[key]
                continue
            if op.startswith((CHAIN, EXACT)):
                op, row = _without_ones(op, row, short)
            same = _same(op, row, short)
            if same is None:
                key_row = (row[1], row[0]) if op in _EITHER_WAY and row[0] > row[1] else row
                same = seen.get((op, key_row))
                if same is None:  # as it was written: alike nodes keep alike arguments
                    same = seen[op, key_row] = short.add(op, *row)
            place[i] = same
    short.take_ends(program, place)
    return short, [place[node] for node in kept]


def _without_ones(op: str, row: tuple[int, ...], short: Scalars) -> tuple[str, tuple[int, ...]]:
    """A chain in which a product with the constant 1.0 is the other factor alone."""
    if not any(short.data.get(node) == 1.0 for node in row):
        return op, row
    head, _, shape = op.partition(":")
    kinds, kept = ["0"] if shape.startswith("0") else [], list[int]()
    for kind, place in arguments_of(op):
        factors = [
            node for node in row[place : place + (2 if kind in "*~" else 1)] if short.data.get(node) != 1.0
        ]
        if kind in "*~" and len(factors) < 2:
            kinds.append("+" if kind == "*" else "-")
            kept.append(factors[0] if factors else row[place])
        else:
            kinds.append(kind)
            kept += row[place : place + (2 if kind in "*~" else 1)]
    return f"{head}:{''.join(kinds)}", tuple(kept)


def _folded(op: str, row: tuple[int, ...], short: Scalars) -> float | None:
    """The number that an op on constants is."""
    data = short.data
    if op in OPS and row and all(node in data for node in row):
        return float(OPS[op].forward(ieee, *[data[node] for node in row]))
    return None


def _same(op: str, row: tuple[int, ...], short: Scalars) -> int | None:
    """The argument that the result of an op always equals, to the bit."""
    if op in ("mul", "div"):
        if short.data.get(row[1]) == 1.0:
            return row[0]
        if op == "mul" and short.data.get(row[0]) == 1.0:
            return row[1]
    elif op == "sub":
        if short.is_zero(row[1]):
            return row[0]
    elif op == "add":
        for one, other in (row, row[::-1]):
            if short.is_zero(one, -1.0) or (short.is_zero(one) and short.never_negative_zero(other)):
                return other
    elif (op == "max" and len(row) == 1) or (op == CHAIN + "0+" and short.never_negative_zero(row[0])):
        return row[0]
    return None
