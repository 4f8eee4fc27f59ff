"""Programs as text that a person can read: show(scalars), show(plan).

    n2 = x0 * 3                     a row of the table, as it is written
    n3 = exp'0(n1, x0)              a local derivative
    n4 = 0 + x0*n2 - x1             a chain: a sum from left to right
    n5 = fsum(x0*x1, n4)            a sum that is rounded once
    out: n4; guard: n5 = 1

    S[12..27] i:16 = 0 + S[16*i+k]*S[4+k] k:16        a vector instruction: 16 sums of 16 products

Inputs are x0, x1, ...; constants stand where they are used.  Cells of a plan are those of the spaces S
(shared) and L (lanes); i, j, ... count the members and k the terms; `@` is for cells that follow no rule.
What is long is shortened in its middle, and says by how much.
"""

from __future__ import annotations

from math import copysign

from ..ops import OPS
from ..text.numerals import counted
from ..text.numerals import show as numeral
from ..text.translation import say
from .plan import LANES, SHARED, Access, Instruction, LaneSum, Map, Most, OpRun, Plan, Put, Take
from .scalars import CHAIN, CONSTANT, EXACT, INPUT, Scalars, arguments_of

__all__ = ["instruction_text", "show"]

LINES, TERMS = 60, 6  # more than that are shortened
LETTERS = "ijlmnpqr"  # of the dims; k is for terms
SPACES = {SHARED: "S", LANES: "L"}


def show(program: Scalars | Plan, lines: int = LINES) -> str:
    """The text of a program; of a long one, its first and last lines."""
    return _scalars(program, lines) if isinstance(program, Scalars) else _plan(program, lines)


def _number(x: float) -> str:
    return "-0" if x == 0.0 and copysign(1.0, x) < 0.0 else numeral(x)


def _shortened(parts: list[str], most: int) -> list[str]:
    """The parts, or the first and the last of them around a count of the others."""
    if len(parts) <= most:
        return parts
    head, tail = most - most // 3, most // 3
    more = say("compile.show.more", count=counted(len(parts) - head - tail))
    return [*parts[:head], f"... {more} ...", *parts[len(parts) - tail :]]


# ---- scalars ------------------------------------------------------------------------------------


def _scalars(program: Scalars, lines: int) -> str:
    names = [f"n{node}" for node in range(len(program))]
    for j, node in enumerate(program.inputs):
        names[node] = f"x{j}"
    for node, data in program.data.items():
        names[node] = _number(data)
    body = [
        f"{names[node]} = {_expression(op, [names[arg] for arg in args])}"
        for node, (op, args) in enumerate(zip(program.ops, program.args, strict=True))
        if op not in (INPUT, CONSTANT)
    ]
    ends = [f"{say('compile.show.output')}: {', '.join(_shortened([names[n] for n in program.outputs], 12))}"]
    for guard in program.guards:
        where = f"  ({guard.where})" if guard.where else ""
        ends.append(f"{say('compile.show.guard')}: {names[guard.node]} = {_number(guard.expected)}{where}")
    return "\n".join([*_shortened(body, lines), *_shortened(ends, 12)])


def _expression(op: str, args: list[str]) -> str:
    if op.startswith((CHAIN, EXACT)):
        terms = [
            (kind, f"{args[at]}*{args[at + 1]}" if kind in "*~" else args[at])
            for kind, at in arguments_of(op)
        ]
        return _sum(terms, op[len(CHAIN) :].startswith("0"), op.startswith(EXACT))
    if op in OPS and OPS[op].text:
        return OPS[op].write(*args)
    return f"{op}({', '.join(_shortened(args, TERMS))})"


def _sum(terms: list[tuple[str, str]], zero: bool, exact: bool) -> str:
    if exact:
        texts = [f"-{text}" if kind in "-~" else text for kind, text in terms]
        return f"fsum({', '.join(_shortened(['0', *texts] if zero else texts, TERMS))})"
    signed = [(" - " if kind in "-~" else " + ") + text for kind, text in terms]
    if zero:
        return "0" + "".join(_spaced(_shortened(signed, TERMS)))
    first = ("-" if terms[0][0] in "-~" else "") + terms[0][1]
    return "".join(_spaced(_shortened([first, *signed[1:]], TERMS)))


def _spaced(parts: list[str]) -> list[str]:
    return [f" {part}" if part.startswith("...") else part for part in parts]


# ---- plans --------------------------------------------------------------------------------------


def _plan(plan: Plan, lines: int) -> str:
    counts = dict(zip(("shared", "lanes"), map(counted, plan.cells), strict=True))
    kind = "lanes" if plan.cells[LANES] else "cells"
    head = say(f"compile.show.{kind}", **counts, constants=counted(len(plan.constants)))
    body: list[str] = []
    for part in ("before", "body", "after"):
        instructions = getattr(plan, part)
        if instructions and plan.body:
            body.append(f"{say(f'compile.show.{part}')}:")
        body += [f"  {instruction_text(one)}" for one in instructions]
    outputs = [f"{SPACES[space]}[{cell}]" for space, cell in plan.outputs]
    tail = f"{say('compile.show.output')}: {', '.join(_shortened(outputs, 12))}"
    return "\n".join([head, *_shortened(body, lines), tail])


def instruction_text(one: Instruction) -> str:
    """One vector instruction as a line."""
    count = 1
    for size in one.dims:
        count *= size
    cells = f"{one.out}..{one.out + count - 1}" if count > 1 else str(one.out)
    letters = " ".join(
        f"{letter}:{size}" for letter, size in zip(LETTERS, one.dims, strict=False) if size > 1
    )
    left = f"{SPACES[one.space]}[{cells}] {letters}".rstrip()
    return f"{left} = {_right(one)}"


def _right(one: Instruction) -> str:
    if isinstance(one, Map):
        return _expression(one.kernel, [_access(operand) for operand in one.operands])
    if isinstance(one, Most):
        return f"max({_access(one.a, one.terms)}){_terms(one.terms)}"
    if isinstance(one, Take):
        return f"take({_access(one.which)}, {_access(one.table, one.terms)}){_terms(one.terms)}"
    if isinstance(one, Put):
        which, source = _access(one.which, one.terms), _access(one.source, one.terms)
        return f"put({which} = {_access(one.row)}, {source}){_terms(one.terms)}"
    if isinstance(one, LaneSum):
        return f"lanesum({_access(one.source)})"
    return _sum([(run.kind, _run(run)) for run in one.runs], one.zero, one.exact)


def _run(run: OpRun) -> str:
    factors = [_access(access, run.terms) for access in (run.a, run.b) if access is not None]
    return "*".join(factors) + _terms(run.terms)


def _terms(terms: int) -> str:
    return f" k:{terms}" if terms > 1 else ""


def _access(access: Access, terms: int = 1) -> str:
    if access.index is not None:
        cells = [str(cell) for cell in access.index.ravel()[: TERMS + 1].tolist()]
        dots = ", ..." if access.index.size > TERMS else ""
        return f"{SPACES[access.space]}@[{', '.join(cells[:TERMS])}{dots}]"
    steps = [(letter, step) for letter, step in zip(LETTERS, access.strides, strict=False) if step]
    steps += [("k", access.step)] if access.step and terms > 1 else []
    text = str(access.base) if access.base or not steps else ""
    for letter, step in steps:
        size = letter if abs(step) == 1 else f"{abs(step)}*{letter}"
        text += f"-{size}" if step < 0 else f"+{size}" if text else size
    return f"{SPACES[access.space]}[{text}]"
