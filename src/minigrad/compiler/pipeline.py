"""From scalars to vectors: the passes, in order.

fold       an op on constants is a constant
flatten    sums of products become chains
backward   the gradients, as nodes
total      (of a batch) one sum in place of a value for each sample, where only that is wanted
expand     rows with any number of arguments, as the ops of their formulas
simplify   what is computed twice, or changes no number
zeros      additions that only make 0.0 of -0.0
scatter    gradients of tables that rows are looked up in
dead       what nothing needs
spread     (in a batch) what chooses between samples and shared numbers
layout     levels, groups, cells, and the rules by which operands lie
reuse      cells that can hold several numbers, one after the other
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .gc_pause import uncollected
from .passes.backward import backward
from .passes.dead import dead
from .passes.expand import expand
from .passes.flatten import flatten
from .passes.fold import fold
from .passes.layout import layout
from .passes.reuse import reuse as reused
from .passes.scatter import scatter
from .passes.simplify import simplify
from .passes.spread import spread
from .passes.total import total
from .passes.zeros import zeros
from .plan import Plan
from .scalars import Scalars

__all__ = ["plan_of"]

Watch = Callable[[str, Any], None]


def _unwatched(_name: str, _program: Any) -> None:
    pass


def plan_of(
    scalars: Scalars,
    lanes: Iterable[int] = (),
    gradients: Iterable[int] = (),
    *,
    reuse: bool = True,
    stops: bool = False,
    totals: bool = False,
    watch: Watch = _unwatched,
) -> Plan:
    """The plan of a program; `lanes` and `gradients` are numbers of inputs.

    `reuse` lets numbers that are needed at different times have one cell.  `stops` keeps the op "stop", for
    other libraries that differentiate the program themselves.  `totals` gives the sum of each output over the
    batch instead of one for each sample.  `watch` is shown the program after each pass, with the pass's name.
    """
    with uncollected():
        return _built(scalars, frozenset(lanes), list(gradients), reuse, stops, totals, watch)


def _built(
    scalars: Scalars,
    chosen: frozenset[int],
    wanted: list[int],
    reuse: bool,
    stops: bool,
    totals: bool,
    watch: Watch,
) -> Plan:
    program = fold(scalars)
    watch("fold", program)
    program = flatten(program)
    watch("flatten", program)
    kept: list[int] = []
    if wanted:
        program, kept = backward(program, wanted, chosen)
        watch("backward", program)
    if totals:
        program = total(program, chosen)
    program, kept = expand(program, kept, stops)
    watch("expand", program)
    program, kept = simplify(program, kept)
    watch("simplify", program)
    program, kept = dead(scatter(zeros(program, kept)), kept)
    watch("dead", program)
    if chosen:
        program, kept = spread(program, chosen, kept)
        watch("spread", program)
    plan = layout(program, chosen, wanted, kept)
    watch("layout", plan)
    if reuse:
        plan = reused(plan)
        watch("reuse", plan)
    return plan
