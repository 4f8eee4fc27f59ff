"""The passes of the compiler, in its own order, each followed by the checker: for tests.

    made = watched(program, lanes={0}, gradients=[0, 1])
    made.plan, made.scalars, made.kept      # the plan, the last program of scalars, its nodes of gradients
    made.passes                             # the names of the passes that ran

After each pass the checker looks at the program; at a point, its outputs are computed once more, and must
have the bits that they had at first; and a plan must compute what the last program of scalars says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from textwrap import dedent
from unittest.mock import patch

from minigrad.compiler import pipeline
from minigrad.compiler.pipeline import Build, Result
from minigrad.compiler.plan import Plan
from minigrad.compiler.program_check import check_scalars
from minigrad.compiler.program_text import show
from minigrad.compiler.scalars import Scalars
from minigrad.text.translation import speaking
from plan_checks import check_plan, check_same
from scalar_meaning import evaluate
from scalar_programs import bits

__all__ = ["Watched", "program", "shows", "watched"]


@dataclass
class Watched:
    scalars: Scalars
    kept: list[int] = field(default_factory=list)
    plan: Plan | None = None
    passes: list[str] = field(default_factory=list)


def watched(
    program: Scalars,
    lanes: Iterable[int] = (),
    gradients: Iterable[int] = (),
    reuse: bool = True,
    pure: bool = False,
    point: Sequence[float] | None = None,
    instead: dict[str, Callable[[Build], Result]] | None = None,
    totals: bool = False,
) -> Watched:
    """`pure` also sees whether a pass has changed what it was given; `instead` has other passes by name."""
    made = Watched(program)
    check_scalars(program)
    first = None if point is None else outputs(program, point)

    def looked_at(name: str, function: Callable[[Build], Result]) -> Callable[[Build], Result]:
        def run(build: Build) -> Result:
            before = repr(build) if pure else ""
            result = function(build)
            assert not pure or repr(build) == before, f"{name} has changed what it was given"
            made.passes.append(name)
            if isinstance(result, Plan):
                check_plan(result)
                check_same(made.scalars, result, made.kept)
                made.plan = result
                return result
            made.scalars, made.kept = (result, made.kept) if isinstance(result, Scalars) else result
            check_scalars(made.scalars)
            assert all(0 <= node < len(made.scalars) for node in made.kept), name
            if first is not None:
                assert outputs(made.scalars, point) == first, f"{name} has changed a number"
            return result

        return run

    passes = [
        each._replace(run=looked_at(each.name, (instead or {}).get(each.name, each.run)))
        for each in pipeline.PASSES
    ]
    with patch.object(pipeline, "PASSES", passes):
        pipeline.plan_of(deepcopy(program) if pure else program, lanes, gradients, reuse=reuse, totals=totals)
    return made


def outputs(program: Scalars, point: Sequence[float]) -> list[str]:
    """The bits of what a program returns, and of what its guards look at."""
    numbers = evaluate(program, point)
    return [bits(numbers[node]) for node in (*program.outputs, *(guard.node for guard in program.guards))]


# ---- programs as texts ---------------------------------------------------------------------------


def program(inputs: int, *nodes: tuple, outputs: tuple[int, ...] = (-1,)) -> Scalars:
    """Inputs 0, 1, ...; then nodes, each an op and its arguments, or a number; the last one is the output."""
    made = Scalars()
    made.inputs = [made.add("input") for _ in range(inputs)]
    for node in nodes:
        if isinstance(node, float):
            made.constant(node)
        else:
            made.add(*node)
    made.outputs = [node % len(made) for node in outputs]
    return made


def renamed(text: str) -> str:
    """Nodes by their order alone: n1, n2, ...; constants are counted too, which does not matter here."""
    names = dict.fromkeys(re.findall(r"^n\d+", text, re.MULTILINE))
    places = {name: f"n{i}" for i, name in enumerate(names, 1)}
    return re.sub(r"\bn\d+", lambda found: places[found[0]], text)


def shows(shown: Scalars | Plan, text: str) -> None:
    with speaking("en"):
        assert renamed(show(shown)) == renamed(dedent(text).strip("\n"))
