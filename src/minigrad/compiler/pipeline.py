"""Pipeline of the compiler: the passes that turn scalars into vectors, in the order in which they run.

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

A pass is a file in passes/ and its line in PASSES.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from .gc_pause import collector_paused
from .passes.backward import backward
from .passes.dead import dead
from .passes.expand import expand
from .passes.flatten import flatten
from .passes.fold import fold
from .passes.layout import layout
from .passes.reuse import reuse
from .passes.scatter import scatter
from .passes.simplify import simplify
from .passes.spread import spread
from .passes.total import total
from .passes.zeros import zeros
from .plan import Plan
from .scalars import Scalars

__all__ = ["PASSES", "Build", "Pass", "plan_of"]

Watch = Callable[[str, Scalars | Plan], None]


@dataclass(slots=True)
class Build:
    """A program on its way to a plan, and what was asked of it: see `plan_of`."""

    program: Scalars
    lanes: frozenset[int]
    gradients: list[int]
    reuse: bool
    stops: bool
    totals: bool
    kept: list[int] = field(default_factory=list)  # the nodes of the gradients, once there are some
    plan: Plan | None = None

    def laid_out(self) -> Plan:
        if self.plan is None:
            raise ValueError("no pass has made a plan")
        return self.plan

    def take(self, result: Result) -> None:
        """Go on with what a pass gave."""
        if isinstance(result, Plan):
            self.plan = result
        elif isinstance(result, Scalars):
            self.program = result
        else:
            self.program, self.kept = result


Result = Scalars | tuple[Scalars, list[int]] | Plan  # a program, one with its kept nodes, or its plan


def _always(_: Build) -> bool:
    return True


class Pass(NamedTuple):
    name: str
    run: Callable[[Build], Result]
    wanted: Callable[[Build], bool] = _always
    watched: bool = True  # False: explain() counts it together with the next one


PASSES = [
    Pass("fold", lambda build: fold(build.program)),
    Pass("flatten", lambda build: flatten(build.program)),
    Pass(
        "backward",
        lambda build: backward(build.program, build.gradients, build.lanes),
        wanted=lambda build: bool(build.gradients),
    ),
    Pass(
        "total",
        lambda build: total(build.program, build.lanes),
        wanted=lambda build: build.totals,
        watched=False,
    ),
    Pass("expand", lambda build: expand(build.program, build.kept, build.stops)),
    Pass("simplify", lambda build: simplify(build.program, build.kept)),
    Pass("zeros", lambda build: zeros(build.program, build.kept), watched=False),
    Pass("scatter", lambda build: scatter(build.program), watched=False),
    Pass("dead", lambda build: dead(build.program, build.kept)),
    Pass(
        "spread",
        lambda build: spread(build.program, build.lanes, build.kept),
        wanted=lambda build: bool(build.lanes),
    ),
    Pass("layout", lambda build: layout(build.program, build.lanes, build.gradients, build.kept)),
    Pass("reuse", lambda build: reuse(build.laid_out()), wanted=lambda build: build.reuse),
]


def _unwatched(_name: str, _program: Scalars | Plan) -> None:
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
    with collector_paused():
        build = Build(scalars, frozenset(lanes), list(gradients), reuse, stops, totals)
        for each in PASSES:
            if each.wanted(build):
                build.take(each.run(build))
                if each.watched:
                    watch(each.name, build.program if build.plan is None else build.plan)
        return build.laid_out()
