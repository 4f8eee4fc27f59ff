"""scatter: the gradient of a table that rows are looked up in.

A row gets the messages of the look-ups that took it: a sum of gates, one per look-up, each of which opens
if its index is that row's.  As one op, "put", an executor can walk the look-ups instead, and add each
message to the row that was taken.
"""

from __future__ import annotations

from ..scalars import CHAIN, Scalars

__all__ = ["scatter"]


def scatter(program: Scalars) -> Scalars:
    """Sums of gates on one row each, as puts; the gates are left for `dead` to take away."""
    ops, args = list(program.ops), list(program.args)
    for i, op in enumerate(program.ops):
        terms = op.removeprefix(CHAIN + "0+")
        if terms == op or not terms or terms.strip("+"):
            continue
        gates = args[i]
        if any(ops[gate] != "gate" or ops[args[gate][0]] != "equal" for gate in gates):
            continue
        masks = [args[args[gate][0]] for gate in gates]
        if len({row for _, row in masks}) == 1 and masks[0][1] in program.data:
            ops[i] = f"put:{len(gates)}"
            args[i] = (*(which for which, _ in masks), masks[0][1], *(args[gate][1] for gate in gates))
    return Scalars(ops, args, program.data, program.inputs, program.outputs, program.guards)
