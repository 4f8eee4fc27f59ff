"""Mistakes behind a wrong gradient: forensics for those of an engine, and rows for those of people.

A row of SLIPS looks at the answer as a whole or at one number of it, and says a sentence where the answer is
what that slip gives.  No sentence says the right number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import isfinite

from ...faults.contribution_text import written
from ...faults.fault import Fault
from ...faults.forensics import EXPLAINED, Diagnosis, examine
from ...faults.lineup import Lineup, LineupEntry
from ...graph import Graph
from ...graph.trace import Flow, Trace, trace
from ...graph.wording import name
from ...text.translation import say
from .number_parser import TypedNumber, number_text
from .question import Answer
from .question_text import bug_words, list_names, off_words

__all__ = [
    "Evidence",
    "bug_sentence",
    "diagnose_typed",
    "explain_answer",
    "fault_answers",
    "is_program_fault",
    "lineup",
    "same",
]

CLOSE = 1e-6  # relative
MINUS = "subtract"  # over one step this is a wrong sign, and said so
MOST = 6  # contributions of which every part is tried
ORDERS = 4  # results of one fault that are answers to expect
PROGRAMS = ("slots", "record", "state", "reflected", "numeric", "forward")  # families; see of_programs


def same(x: float, y: float) -> bool:
    """The same number, but for its last digits."""
    return x == y or (isfinite(x - y) and abs(x - y) <= CLOSE * max(abs(x), abs(y)))


def is_program_fault(fault: Fault) -> bool:
    """Is this a fault of programs rather than of a pass, so that nobody makes it with a pencil?"""
    return fault.family in PROGRAMS


class SingleFaultLineup(Lineup):
    """One mistake at a time: some pair of them gives almost any number, and a learner is told of one."""

    def two_by_two(self) -> Iterator[LineupEntry]:
        return iter(())


@lru_cache(maxsize=16)
def lineup(graph: Graph) -> Lineup:
    """The faults that can be at work in a graph, one at a time; kept for the next answer about it."""
    return SingleFaultLineup(graph)


@dataclass(frozen=True)
class Evidence:
    """An answer about the gradients of some nodes."""

    right: Trace
    nodes: Mapping[str, int]  # by blank
    typed: Mapping[str, TypedNumber]
    off: Sequence[str]  # the blanks that are wrong

    @property
    def graph(self) -> Graph:
        return self.right.graph

    def flows(self, node: int) -> list[Flow]:
        return [event for event in self.right.events if isinstance(event, Flow) and event.target == node]


# ---- slips of people ----------------------------------------------------------------------------


def _data(seen: Evidence) -> str:
    """The data of every node that was asked for."""
    values = seen.right.values
    if all(same(seen.typed[blank].value, values[node]) for blank, node in seen.nodes.items()):
        return say("question.slip.data", names=list_names(seen.nodes))
    return ""


def _swapped(seen: Evidence) -> str:
    if len(seen.off) != 2:
        return ""
    first, second = seen.off
    grads = seen.right.grads
    crossed = same(seen.typed[first].value, grads[seen.nodes[second]]) and same(
        seen.typed[second].value, grads[seen.nodes[first]]
    )
    return say("question.slip.swapped", names=list_names(seen.off)) if crossed else ""


def _all_signs(seen: Evidence) -> str:
    """All that is wrong has the other sign."""
    if all(same(seen.typed[blank].value, -seen.right.grads[seen.nodes[blank]]) for blank in seen.off):
        key = "question.slip.sign" if len(seen.off) == 1 else "question.slip.signs"
        return say(key, names=list_names(seen.off))
    return ""


def _output(seen: Evidence, blank: str) -> str:
    graph = seen.graph
    if not same(seen.typed[blank].value, seen.right.values[graph.output]):
        return ""
    return say("question.slip.output", name=f"`{blank}`", output=f"`{name(graph, graph.output)}`")


def _own_data(seen: Evidence, blank: str) -> str:
    if same(seen.typed[blank].value, seen.right.values[seen.nodes[blank]]):
        return say("question.slip.own_data", name=f"`{blank}`")
    return ""


def _part(seen: Evidence, blank: str) -> str:
    """Some of the contributions, not all."""
    flows = seen.flows(seen.nodes[blank])
    if not 1 < len(flows) <= MOST:
        return ""
    for count in range(len(flows) - 1, 0, -1):
        for kept in combinations(flows, count):
            if same(seen.typed[blank].value, sum(flow.amount for flow in kept)):
                left = [flow for flow in flows if flow not in kept]
                ways = list_names(dict.fromkeys(name(seen.graph, flow.source) for flow in left))
                return say("question.slip.part", name=f"`{blank}`", ways=ways)
    return ""


def _no_upstream(seen: Evidence, blank: str) -> str:
    flows = seen.flows(seen.nodes[blank])
    if flows and same(seen.typed[blank].value, sum(flow.local for flow in flows)):
        return say("question.slip.no_upstream", name=f"`{blank}`")
    return ""


def _no_local(seen: Evidence, blank: str) -> str:
    flows = seen.flows(seen.nodes[blank])
    if flows and same(seen.typed[blank].value, sum(flow.upstream for flow in flows)):
        return say("question.slip.no_local", name=f"`{blank}`")
    return ""


def _sign_of_one(seen: Evidence, blank: str) -> str:
    """One contribution with the other sign."""
    flows = seen.flows(seen.nodes[blank])
    for flow in flows:
        total = sum(-each.amount if each is flow else each.amount for each in flows)
        if same(seen.typed[blank].value, total):
            via = f"`{name(seen.graph, flow.source)}`"
            return say("question.slip.one_sign", name=f"`{blank}`", via=via)
    return ""


WHOLE: tuple[Callable[[Evidence], str], ...] = (_data, _swapped)
SIGNS: tuple[Callable[[Evidence], str], ...] = (_all_signs,)
SLIPS: tuple[Callable[[Evidence, str], str], ...] = (
    _part,
    _sign_of_one,
    _no_upstream,
    _no_local,
    _own_data,
    _output,
)


# ---- together -----------------------------------------------------------------------------------


def diagnose_typed(graph: Graph, typed: Iterable[TypedNumber]) -> list[Diagnosis]:
    """The single faults that give what was typed, the likeliest of somebody with a pencil first."""
    found = examine(lineup(graph), {each.name: each.observed for each in typed})
    if found.verdict != EXPLAINED:
        return []
    return sorted(found.diagnoses, key=lambda diagnosis: is_program_fault(diagnosis.suspects[0].fault))


def explain_answer(seen: Evidence) -> tuple[tuple[str, ...], str]:
    """Sentences about a wrong answer, and the slug of the fault that it is, where it is one."""
    found = diagnose_typed(seen.graph, seen.typed.values())
    slug = found[0].suspects[0].fault.slug if found else ""
    bug = (bug_sentence(found[0]), *loss_sentences(found[0], seen)) if found else ()
    for slip in WHOLE:
        if sentence := slip(seen):
            return (sentence,), slug
    suspect = found[0].suspects[0] if found else None
    of_the_pass = suspect is not None and suspect.variant == "" and not is_program_fault(suspect.fault)
    if of_the_pass and slug != MINUS:  # not of one op or edge
        return bug, slug
    for slip in SIGNS:
        if sentence := slip(seen):
            return (sentence,), slug
    if of_the_pass:
        return bug, slug
    sentences = [_slip(seen, blank) for blank in seen.off]
    if all(sentences) or (any(sentences) and not found):
        return tuple(filter(None, sentences))[:2], slug
    if found:
        return bug, slug
    return off_words(seen.off, seen.typed, hint(seen, seen.off[0])), ""


def _slip(seen: Evidence, blank: str) -> str:
    return next((sentence for slip in SLIPS if (sentence := slip(seen, blank))), "")


def bug_sentence(diagnosis: Diagnosis) -> str:
    """The bug that an answer looks like: its name, and what it does."""
    return say("question.fault", bug=bug_words(diagnosis.suspects[0], diagnosis.graph))


def loss_sentences(diagnosis: Diagnosis, seen: Evidence) -> Iterator[str]:
    """What was lost on the way to the first number that is wrong, where that does not give it away."""
    for blank in seen.off:
        account = diagnosis.accounts.get(seen.nodes[blank])
        if account is not None and account.lost and account.kept:
            terms = written(seen.graph, account, account.lost)
            yield say("question.happened", name=f"`{blank}`", terms=terms)
            return


def hint(seen: Evidence, blank: str) -> str:
    """Where to look; never the number."""
    graph, node = seen.graph, seen.nodes[blank]
    users = [name(graph, i) for i in graph.consumers[node] if graph.active[i]]
    if not users:
        return say("question.hint.output", name=f"`{blank}`")
    key = "question.hint.one" if len(users) == 1 else "question.hint"
    return say(key, name=f"`{blank}`", count=len(users), users=list_names(users))


def fault_answers(graph: Graph, nodes: Mapping[str, int]) -> Iterator[Answer]:
    """What the faults of the catalogue give, one at a time, in a few orders; the usual ones first."""
    right = trace(graph)
    for entry in lineup(graph).one_by_one:
        for outcome in entry.results.found[:ORDERS]:
            numbers = {blank: outcome.grads[node] for blank, node in nodes.items()}
            if all(x == x and abs(x) < 1e9 for x in numbers.values()) and any(
                not same(numbers[blank], right.grads[node]) for blank, node in nodes.items()
            ):
                yield {blank: number_text(x) for blank, x in numbers.items()}
