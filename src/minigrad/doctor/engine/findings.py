"""Findings: what is wrong with an engine, bug by bug.

The fault dictionary names what it can.  What is left is described by where it shows: an op whose value
or rule is wrong, an operator made of the wrong others, a pass that loses its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ...faults import FAULTS
from ...graph import Graph
from ...graph.wording import statement
from ...ops import OPS
from ...text.numerals import show
from ...text.translation import pick, say
from .child_protocol import ExpansionStep
from .fault_dictionary import ALL, LARGE, Hypothesis, sound
from .probe_outcomes import WRONG, Examination, ProbeOutcome
from .probes import CHOICE, DEPTH, EDGE, FAR, STATE, UNKNOWN
from .source import SourcePlace

__all__ = ["EngineFinding", "Fix", "findings_of"]

# Bugs that are described rather than named; their sentences are under doctor.fault.CODE.
WRONG_VALUE, WRONG_RULE, WRONG_COMPOSITION = "wrong-value", "wrong-rule", "wrong-composition"
WRONG_PASS, SEED_IGNORED = "wrong-pass", "seed-ignored"
PASS_FAILS, PASS_HIDDEN = "pass-fails", "pass-hidden"
IN_PLACE, STATE_OUTLIVES = "in-place-mutates", "default-arguments-outlive"


@dataclass(frozen=True)
class Fix:
    """A change of the source, and whether it was tried."""

    line: int  # in the source
    place: SourcePlace
    hunks: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]  # lines before and after, place by place
    confirmed: bool  # were the probes right with it?

    @property
    def before(self) -> tuple[str, ...]:
        return tuple(line for old, _ in self.hunks for line in old)

    @property
    def after(self) -> tuple[str, ...]:
        return tuple(line for _, new in self.hunks for line in new)


@dataclass(frozen=True)
class EngineFinding:
    fault: str  # a row of the catalogue, or one of the codes above
    ops: tuple[str, ...]  # that it is about, if it is about any
    outcome: ProbeOutcome  # the smallest probe that shows it
    probes: tuple[str, ...]  # all that show it
    detail: str = ""  # what a composition computes instead
    fix: Fix | None = None
    alike: tuple[str, ...] = ()  # rows that no number can tell from it
    unsteady: ProbeOutcome | None = None  # a probe that shows it in some runs only
    exam: Examination | None = field(default=None, compare=False, repr=False)  # in which it was seen

    @property
    def flaky(self) -> bool:
        return self.unsteady is not None

    @property
    def name(self) -> str:
        what = ", ".join(self.ops)
        row = FAULTS.get(self.fault)
        if row is None:
            return say(f"doctor.fault.{self.fault}", what=what, detail=self.detail)
        return pick(row.name).format(what=what or say("doctor.every_op"))

    @property
    def story(self) -> str:
        row = FAULTS.get(self.fault)
        return pick(row.story) if row else say(f"doctor.story.{self.fault}")

    @property
    def graph(self) -> str:
        return statement(self.outcome.probe.graph) if self.outcome.probe.text else ""


# ---- findings -------------------------------------------------------------------------------------


def findings_of(exam: Examination) -> list[EngineFinding]:
    """Every bug, the most telling first."""
    diagnosis = exam.diagnosis
    groups: dict[str, list[Hypothesis]] = {}
    for hypothesis in diagnosis.hypotheses:
        groups.setdefault(hypothesis.fault.slug, []).append(hypothesis)
    found = []
    for slug, members in groups.items():
        shown = [p for p, by in diagnosis.explained.items() if any(one in members for one in by)]
        alone = [p for p in shown if len(diagnosis.explained[p]) == 1]
        outcomes = [exam.outcomes[p] for p in alone or shown]
        if not outcomes:
            continue
        ops = _ops(members)
        found.append(EngineFinding(slug, ops, _smallest(outcomes, ops), tuple(shown), alike=_alike(slug)))
    found += _described(exam, found, diagnosis.unexplained)
    found += _of_state(exam, found)
    if not _global(found):
        found += _of_unknown_ops(exam)
    found += _left_over(exam, found)
    return [
        replace(_steady(exam, finding), unsteady=_unsteady(exam, finding), exam=exam) for finding in found
    ]


def _left_over(exam: Examination, found: Sequence[EngineFinding]) -> list[EngineFinding]:
    """The net: no wrong number goes by.  What no finding accounts for is one, if nothing else was found."""
    seed = exam.outcomes.get("seed")
    plain = exam.outcomes.get("shared-early")
    if seed is not None and seed.status == WRONG and not _global(found) and plain and plain.status != WRONG:
        return [EngineFinding(SEED_IGNORED, (), seed, (seed.probe.id,))]
    wrong = [o for o in exam.outcomes.values() if o.status == WRONG and o.probe.topic not in (FAR, CHOICE)]
    return (
        [EngineFinding(WRONG_PASS, (), wrong[0], tuple(o.probe.id for o in wrong))]
        if wrong and not found
        else []
    )


def _steady(exam: Examination, finding: EngineFinding) -> EngineFinding:
    """Shown by a probe that comes out the same every time, or else wrong as often as can be: it is pasted."""
    if not finding.outcome.flaky:
        return finding
    shown = [o for p in finding.probes if (o := exam.outcomes[p]).status == WRONG and o.probe.kind == "graph"]
    same = [o for o in shown if not o.flaky]
    often = max((o.wrong_runs / o.runs for o in shown), default=0.0)
    chosen = same or [o for o in shown if o.wrong_runs / o.runs == often]
    return replace(finding, outcome=_smallest(chosen, finding.ops)) if chosen else finding


def _unsteady(exam: Examination, finding: EngineFinding) -> ProbeOutcome | None:
    if finding.outcome.flaky:
        return finding.outcome
    return next((exam.outcomes[p] for p in finding.probes if exam.outcomes[p].flaky), None)


def _ops(members: Sequence[Hypothesis]) -> tuple[str, ...]:
    if any(one.variant == ALL for one in members):
        return ()
    ops = [one.op for one in members if one.op]
    if ops:
        return tuple(dict.fromkeys(ops))
    return tuple(op for op in [_op_of(members[0].fault.slug)] if op)


def _op_of(slug: str) -> str:
    """The op that a row of the catalogue is about: of `exp-by-input`, exp; of `reflected-sub`, sub."""
    for part in (slug, slug.removeprefix("reflected-")):
        found = [op for op in OPS if part == op or part.startswith((f"{op}-", f"{op.replace('_', '-')}-"))]
        if found:
            return max(found, key=len)
    return "maximum" if slug.startswith("max-") else "minimum" if slug.startswith("min-") else ""


_SILENT = ("op-cut-from-graph", "op-without-rule", "closure-never-attached")
_ZERO = ("no-seed", "zero-seed", "own-grad-for-upstream")


def _alike(slug: str) -> tuple[str, ...]:
    for group in (_SILENT, _ZERO):
        if slug in group:
            return tuple(other for other in group if other != slug)
    return ()


def _smallest(outcomes: Iterable[ProbeOutcome], ops: Sequence[str] = ()) -> ProbeOutcome:
    """The one with the fewest nodes and inputs, of equals one that is about the op itself."""

    def size(outcome: ProbeOutcome) -> tuple[int, int, bool, str]:
        graph = outcome.probe.graph
        return len(graph), len(graph.inputs), outcome.probe.op not in ops, outcome.probe.id

    return min(outcomes, key=size)


def _described(
    exam: Examination, known: Sequence[EngineFinding], unexplained: Iterable[str]
) -> list[EngineFinding]:
    """Findings about what the catalogue does not explain."""
    left = {probe: exam.outcomes[probe] for probe in unexplained}
    if known:  # large graphs, or more of the same: they say nothing that smaller ones do not
        left = {p: o for p, o in left.items() if len(exam.graphs[p]) <= LARGE}
    found: list[EngineFinding] = []
    good = sound(exam.expansions)
    for op in sorted({key.split(" ")[0] for key in exam.expansions.keys() - good.keys()}):
        keys = [key for key in exam.expansions if key not in good and key.startswith(f"{op} ")]
        mine = [p for p, outcome in left.items() if outcome.probe.asks & {*keys}]
        if mine:
            detail = _computed(exam.expansions[keys[0]], keys[0].split(" ")[1])
            found.append(
                EngineFinding(WRONG_COMPOSITION, (op,), _smallest(left[p] for p in mine), tuple(mine), detail)
            )
            left = {p: o for p, o in left.items() if p not in mine}
    behind = [p for p, o in left.items() if _number_first(o) and _cut(o)]
    others = {o.probe.op for p, o in left.items() if p not in behind}
    behind = [p for p in behind if left[p].probe.op not in others]
    if behind:  # what is computed from a number is not followed
        ops = dict.fromkeys(left[p].probe.op for p in behind)
        found.append(EngineFinding(_SILENT[0], tuple(ops), _smallest(left[p] for p in behind), tuple(behind)))
        left = {p: o for p, o in left.items() if p not in behind}
    blamed = {op for finding in known for op in finding.ops}
    for op in _by_themselves(exam, left):
        mine = [p for p in left if _has(exam.graphs[p], op)]
        if not mine or op in blamed:
            continue
        smallest = _smallest(left[p] for p in mine)
        code = WRONG_VALUE if smallest.value_wrong else WRONG_RULE
        found.append(EngineFinding(code, (op,), smallest, tuple(mine)))
        left = {p: o for p, o in left.items() if p not in mine}
    all_found = [*known, *found]
    if left and (not all_found or not (_global(known) or _touched(left.values(), all_found))):
        smallest = _smallest(left.values())
        if smallest.probe.op and not _shares(exam.graphs[smallest.probe.id]):  # made of several ops
            code = WRONG_VALUE if smallest.value_wrong else WRONG_RULE
            found.append(EngineFinding(code, (smallest.probe.op,), smallest, tuple(left)))
        else:
            found.append(EngineFinding(WRONG_PASS, (), smallest, tuple(left)))
    return found


def _number_first(outcome: ProbeOutcome) -> bool:
    return any(asked.endswith(" kv") for asked in outcome.probe.asks)


def _cut(outcome: ProbeOutcome) -> bool:
    """Is the value right, and something that should get a gradient gets none?"""
    grads = outcome.grads
    return not outcome.value_wrong and any(
        not grads.get(name) and grad for name, grad in outcome.expected.grads.items()
    )


def _by_themselves(exam: Examination, left: Mapping[str, ProbeOutcome]) -> list[str]:
    """Ops that are wrong on their own, with nothing else in the graph that could be to blame.

    The graph is the one that the engine writes: a division made of mul and pow is not to blame for them.
    """
    found: dict[str, int] = {}
    for probe in left:
        graph = exam.graphs[probe]
        ops = {node.op for node in graph.nodes if node.args}
        if len(ops) == 1 and not _shares(graph):
            op = ops.pop()
            found[op] = found.get(op, 0) + 1
    return sorted(found, key=lambda op: (op in ("add", "mul"), -found[op]))


def _shares(graph: Graph) -> bool:
    """Is there a node, no leaf, with more than one consumer?  Then the order may be to blame."""
    used = [arg for node in graph.nodes for arg in node.args if graph.nodes[arg].args]
    return len({*used}) < len(used)


def _has(graph: Graph, op: str) -> bool:
    return any(node.op == op for node in graph.nodes)


def _global(findings: Iterable[EngineFinding]) -> bool:
    """Is there one that spoils whole graphs, so that what else is wrong may be its work too?"""
    return any(
        (finding.fault in FAULTS and FAULTS[finding.fault].piece in ("order", "closure", "seed", "start"))
        or (not finding.ops and finding.fault in FAULTS)
        for finding in findings
    )  # fmt: skip


def _touched(outcomes: Iterable[ProbeOutcome], findings: Sequence[EngineFinding]) -> bool:
    """Does every one of these have an op in it that is to blame for something?"""
    blamed = {op for finding in findings for op in finding.ops}
    return all(any(node.op in blamed for node in o.probe.graph.nodes) for o in outcomes)


def _computed(steps: Sequence[ExpansionStep], pattern: str) -> str:
    """What a composition computes, as a person would write it."""
    letters = ["a", "b"] if pattern == "vv" else ["2" if kind == "k" else "a" for kind in pattern]
    made: list[str] = []
    for step in steps:
        op, args = step.op, list[str]()
        for kind, what in step.operands:
            text = letters[int(what)] if kind == "x" else made[int(what)] if kind == "s" else show(what)
            args.append(f"({text})" if kind == "s" and not text.endswith(")") else text)
        if op not in OPS or not OPS[op].takes(len(args)):
            return ""
        made.append(OPS[op].write(*args))
    return made[-1] if made else ""


def _of_state(exam: Examination, known: Sequence[EngineFinding]) -> list[EngineFinding]:
    """What only a second graph, or a second way of writing, shows."""
    found = []
    plain = {p.id for p in (o.probe for o in exam.outcomes.values()) if exam.outcomes[p.id].status != WRONG}
    wrong = [o for o in exam.of(STATE, status=WRONG) if f"{o.probe.id}-plain" in plain]
    losses = [o for o in wrong if o.probe.kind == "two"]
    if losses:
        code = "visited-flags-outlive" if any(_lost(o) for o in losses) else STATE_OUTLIVES
        found.append(EngineFinding(code, (), _smallest(losses), tuple(o.probe.id for o in losses)))
    deep = exam.of(DEPTH, status=WRONG)
    if deep and not _global(known) and not any({"add"} & {*finding.ops} for finding in known):
        found.append(EngineFinding(WRONG_PASS, (), deep[0], tuple(o.probe.id for o in deep)))
    mutated = [o for o in wrong if o.probe.kind == "in-place"]
    if mutated:
        ops = tuple(dict.fromkeys(o.probe.op for o in mutated))
        found.append(EngineFinding(IN_PLACE, ops, _smallest(mutated), tuple(o.probe.id for o in mutated)))
    edges = [
        o
        for o in exam.of(EDGE, status=WRONG)
        if not any(o.probe.op in finding.ops for finding in known) and not _global(known)
    ]
    for op in dict.fromkeys(o.probe.op for o in edges):
        mine = [o for o in edges if o.probe.op == op]
        smallest = _smallest(mine)
        code = WRONG_VALUE if smallest.value_wrong else WRONG_RULE
        found.append(EngineFinding(code, (op,), smallest, tuple(o.probe.id for o in mine)))
    return found


def _of_unknown_ops(exam: Examination) -> list[EngineFinding]:
    """Methods whose gradient is not the slope of their own values."""
    found = []
    wrong = exam.of(UNKNOWN, status=WRONG)
    for name in dict.fromkeys(outcome.probe.op for outcome in wrong):
        mine = [outcome for outcome in wrong if outcome.probe.op == name]
        found.append(EngineFinding(WRONG_RULE, (name,), mine[0], tuple(o.probe.id for o in mine)))
    return found


def _lost(outcome: ProbeOutcome) -> bool:
    """Did a contribution get lost on the way, rather than come twice?"""
    grads, right = outcome.grads, outcome.expected.grads
    return any(abs(grads.get(name) or 0.0) < abs(grad) for name, grad in right.items())
