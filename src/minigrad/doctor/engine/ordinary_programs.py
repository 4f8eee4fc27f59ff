"""Ordinary programs: the probes that must give numbers before an engine is called CORRECT.

The rule.  An engine is asked for every probe whose ops it has.  Of these, ordinary are

* all graphs over its ops at usual points, with operands that are used once and more than once,
* relu at 0,
* two losses over the same leaves, one after the other,
* a chain of 100 ops, and a graph of 12 ops with 4,096 paths.

CORRECT requires that all of them ran.  One that raises, ends the process, or is reported as not supported
although the search found its ops makes the engine LIMITED.  If more than half of them did not run, or there
was no time for one (a chain or a graph of many paths aside, which are run last), the engine is NOT EXAMINED.
Wrong numbers count more than all of this: they are WRONG.

An engine that refuses one of these is still CORRECT: an exponent, if the power alone is refused with it too;
whole numbers as data; another gradient than 1 at the output; Python's sum(); a second loss, where the first
pass has freed the graph or a gradient cannot be set back to 0.
"""

from __future__ import annotations

from ...graph.wording import statement
from .child_protocol import ProbeFailed, Trouble
from .probe_outcomes import FAILED, MISSING, WRONG, Examination, ProbeOutcome
from .probes import DEPTH, OP, STATE, STRUCTURE, Probe

__all__ = ["failure_of", "is_ordinary", "programs_not_run", "too_few_ran"]

MAY_BE_REFUSED = ("whole-numbers", "seed", "builtin-sum")
OVER_LEAVES_ALONE = ("two-losses", "second-graph")  # the other pairs of losses share a node in between
SHALLOW = 100  # ops of a chain that every engine must get through
FEW_PATHS = 12


def is_ordinary(probe: Probe) -> bool:
    if probe.topic == STRUCTURE:
        return probe.id not in MAY_BE_REFUSED
    if probe.topic == STATE:
        return probe.id in OVER_LEAVES_ALONE
    if probe.topic == DEPTH:
        return probe.depth <= (SHALLOW if probe.kind == "chain" else FEW_PATHS)
    return probe.topic == OP or probe.id == "relu-at-zero"


def programs_not_run(exam: Examination) -> list[ProbeOutcome]:
    """Ordinary programs that gave no numbers and had no right to."""
    return [
        outcome
        for outcome in exam.outcomes.values()
        if outcome.status in (FAILED, MISSING)
        and is_ordinary(outcome.probe)
        and not _is_excused(exam, outcome)
    ]


def too_few_ran(exam: Examination) -> Trouble | None:
    """Why nothing can be said about the engine, if too few of the ordinary programs ran."""
    if any(outcome.status == WRONG for outcome in exam.outcomes.values()):
        return None
    asked = [probe for probe in exam.asked if is_ordinary(probe)]
    without = programs_not_run(exam)
    if 2 * len(without) > len(asked):
        first = without[0]
        program = f"{statement(first.probe.graph)}: " if first.probe.text else ""
        return Trouble("few_ran", f"{len(asked) - len(without)}/{len(asked)}; {program}{failure_of(first)}")
    reached = exam.outcomes.keys()
    if not without and any(probe.id not in reached for probe in asked if probe.topic != DEPTH):
        return Trouble("unreached_some")
    return None


def failure_of(outcome: ProbeOutcome) -> str:
    """What a probe that gave no numbers raised, or else how it failed, as a code."""
    worst = outcome.worst
    return (worst.detail or worst.failed) if isinstance(worst, ProbeFailed) else ""


def _is_excused(exam: Examination, outcome: ProbeOutcome) -> bool:
    """Is it what the engine may do: refuse an exponent, wherever the power stands; free its graph?"""
    probe, worst = outcome.probe, outcome.worst
    if probe.topic == STATE and isinstance(worst, ProbeFailed):
        return worst.failed == "freed" or outcome.status == MISSING  # a gradient that cannot be set back
    alone = exam.outcomes.get(_power_alone(probe.id)) if probe.op == "pow" else None
    return alone is not None and alone.status == FAILED


def _power_alone(probe: str) -> str:
    """The power by itself, with the exponent and the base that a probe has."""
    for start in ("pow-number-half", "pow-number", "number-pow", "pow-negative-exponent", "pow-alone-2"):
        if probe.startswith(start):
            return start
    return "pow-alone"
