"""Check of a program of scalars: what must hold, and what is wrong where it does not.

    check_scalars(scalars)      # raises ProgramError with the first thing that is wrong

A file of a stranger is held to it before it is run, and tests hold every pass to it.
"""

from __future__ import annotations

import re
from typing import NoReturn

from ..errors import MinigradError
from ..ops import MANY, OPS
from ..text.translation import say
from .scalars import CONSTANT, INPUT, Scalars, arguments_of

__all__ = ["ProgramError", "check_scalars", "takes"]

CHAINS = re.compile("(chain|exact):0?[-+*~]+")
PUTS = re.compile("put:([1-9][0-9]{0,8})")
PARTIALS = re.compile("([a-z0-9_]+)'([0-9])")
FIXED = {INPUT: 0, CONSTANT: 0, "stop": 1, "lanesum": 1, "equal": 2, "gate": 2, "match": 3}
TRACED_OPS = (INPUT, CONSTANT, "stop", "take", "equal")  # what tracing writes, beside the rows of the table


class ProgramError(MinigradError, ValueError):
    """A program that breaks a rule of scalars.py."""


def _broken(key: str, **fields: object) -> NoReturn:
    raise ProgramError(say(key, **fields))


# ---- scalars ------------------------------------------------------------------------------------


def takes(op: str, count: int) -> bool | None:
    """Whether an op can have so many arguments; None for what is no op."""
    if op in FIXED:
        return count == FIXED[op]
    if op == "take":
        return count >= 2
    if op in OPS:
        return OPS[op].takes(count)
    if CHAINS.fullmatch(op):
        kind, place = arguments_of(op)[-1]
        return count == place + (2 if kind in "*~" else 1)
    if put := PUTS.fullmatch(op):
        return count == 2 * int(put[1]) + 1
    partial = PARTIALS.fullmatch(op)
    row = OPS.get(partial[1]) if partial else None
    if partial is None or row is None or row.arity[1] == MANY or int(partial[2]) >= row.arity[1]:
        return None
    return count == 1 + row.arity[1]  # the output, then the inputs


def check_scalars(scalars: Scalars, traced: bool = False) -> None:
    """Raise ProgramError unless these are scalars as scalars.py describes them.

    `traced` ones, such as a file has, are those that tracing writes: no pass has been at them.
    """
    ops, args = scalars.ops, scalars.args
    if len(ops) != len(args):
        _broken("compile.check.lengths", ops=len(ops), args=len(args))
    seen: dict[tuple[str, int], bool | None] = {}
    for node, (op, arguments) in enumerate(zip(ops, args, strict=True)):
        shape = (op, len(arguments))
        if shape not in seen:
            seen[shape] = None if traced and op not in TRACED_OPS and op not in OPS else takes(*shape)
        fits = seen[shape]
        if not fits:
            if fits is None:
                _broken("compile.check.op", node=node, op=repr(op)[:60])
            _broken("compile.check.arity", node=node, op=op, given=len(arguments))
        for arg in arguments:
            if not 0 <= arg < node:
                _broken("compile.check.older", node=node, arg=arg)
    _check_leaves(scalars)
    _check_ends(scalars)
    for node, times in scalars.when.items():
        slots = len(args[node]) if 0 <= node < len(ops) else 0
        if len(times) != slots:
            _broken("compile.check.when", node=node, times=len(times), slots=slots)
    if len(scalars.born) > len(ops):
        _broken("compile.check.lengths", ops=len(ops), args=len(scalars.born))


def _check_leaves(scalars: Scalars) -> None:
    constants = {node for node, op in enumerate(scalars.ops) if op == CONSTANT}
    for node in constants ^ scalars.data.keys():
        _broken("compile.check.data", node=node)
    for node, number in scalars.data.items():
        if type(number) is not float:
            _broken("compile.check.data", node=node)
    inputs = {node for node, op in enumerate(scalars.ops) if op == INPUT}
    for node in inputs ^ set(scalars.inputs):
        _broken("compile.check.inputs", node=node)
    if len(inputs) != len(scalars.inputs):
        twice = next(node for node in scalars.inputs if scalars.inputs.count(node) > 1)
        _broken("compile.check.inputs", node=twice)


def _check_ends(scalars: Scalars) -> None:
    last = len(scalars) - 1
    for node in scalars.outputs:
        if not 0 <= node <= last:
            _broken("compile.check.node", what=say("compile.check.word.output"), node=node, last=last)
    for guard in scalars.guards:
        if not 0 <= guard.node <= last:
            _broken("compile.check.node", what=say("compile.check.word.guard"), node=guard.node, last=last)
        if guard.expected != guard.expected:
            _broken("compile.check.guard", node=guard.node)
