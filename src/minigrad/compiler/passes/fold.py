"""fold: an op on constants is a constant.

Only before the backward pass is made, and only whole ops: `x * 1` stays, because the node it makes has
a gradient of its own that is rounded before it is passed on. `simplify` takes such nodes away later,
where they are numbers only.
"""

from __future__ import annotations

from dataclasses import replace

from ...ops import OPS
from ...values import ieee
from ..scalars import CONSTANT, Scalars

__all__ = ["fold"]


def fold(program: Scalars) -> Scalars:
    ops, args = list(program.ops), list(program.args)
    found = dict(program.data)
    for i, (op, arguments) in enumerate(zip(ops, args, strict=True)):
        if op in OPS and arguments and all(arg in found for arg in arguments):
            found[i] = float(OPS[op].forward(ieee, *[found[arg] for arg in arguments]))
            ops[i], args[i] = CONSTANT, ()
    return replace(program, ops=ops, args=args, data=found)
