"""Forensics: the search for the mistake behind wrong numbers.

    diagnose("c = a*b; d = a + b; e = c + d", {"a": 1, "b": 1}, a=2, b=-3)
    # overwrite, walked e, c, d: kept +1 via d, lost -3 via c ...

Every fault of the catalogue, in every variant and over all valid orders, is asked what it would give;
those that give what was observed are the diagnoses, the most usual first.  Where none does, pairs of
faults are asked.  Observed numbers may be few, rounded, or those of nodes in between.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, isfinite

from ..graph import CONSTANT, CUSTOM, Graph
from ..graph.trace import Flow, Trace, trace
from ..graph.wording import statement
from ..language import parse
from ..scalar import Value
from ..text.excerpts import describe
from ..text.numerals import json_number
from ..text.page import Page, Result, Sections
from ..text.printed_numbers import PrintedNumber, readings
from ..text.translation import say
from ..values.validation import number
from .contributions import OUTSIDE, Account, ContributionTerm, accounts, told_apart
from .distinction import Distinction, distinguish
from .fault import Suspect, Variant
from .lineup import Lineup, LineupEntry, pieces_of, weight
from .order_outcomes import Outcome

__all__ = ["EXPLAINED", "RIGHT", "UNEXPLAINED", "Diagnosis", "Forensics", "diagnose"]

SCHEMA = "minigrad.forensics/1"
RIGHT, EXPLAINED, UNEXPLAINED = "right", "wrong", "unexplained"
LONGEST = 40  # nodes of an expression that is shown
ALTERNATIVES = 4  # that a distinguishing graph is looked for


@dataclass(frozen=True)
class Diagnosis:
    """One explanation: who, in which order, and what became of the contributions."""

    suspects: tuple[Suspect, ...]
    outcome: Outcome
    right: Trace
    rounded: bool = False  # does it fit only if the numbers were rounded?
    misses: tuple[str, ...] = ()  # names that it does not explain

    @property
    def graph(self) -> Graph:
        return self.right.graph

    @property
    def other_order(self) -> bool:
        """Does it take another order than newest first?"""
        if not any(suspect.fault.ordered for suspect in self.suspects):
            return False
        walked = {*self.outcome.order}
        return self.outcome.order != tuple(i for i in self.graph.order if i in walked)

    @property
    def rank(self) -> float:
        return weight(self.suspects) / (2.0 if self.other_order else 1.0)

    @property
    def behaviour(self) -> frozenset[tuple[object, Variant]]:
        """Equal for diagnoses that no number can tell apart: one bug, written in two ways."""
        return frozenset((suspect.fault.swap, suspect.variant) for suspect in self.suspects)

    @property
    def _given_order(self) -> tuple[int, ...] | None:
        return self.outcome.order if any(suspect.fault.ordered for suspect in self.suspects) else None

    @cached_property
    def broken(self) -> Trace:
        """The pass that gives these numbers."""
        return trace(self.graph, pieces=pieces_of(self.suspects), order=self._given_order)

    @cached_property
    def accounts(self) -> dict[int, Account]:
        twin = trace(self.graph, pieces=told_apart(pieces_of(self.suspects)), order=self._given_order)
        return accounts(self.right, self.broken, twin)

    @property
    def slugs(self) -> str:
        return " + ".join(suspect.fault.slug for suspect in self.suspects)

    def name(self) -> str:
        return say("forensics.and").join(suspect.name(self.graph) for suspect in self.suspects)

    def to_json(self) -> dict[str, object]:
        names = self.graph.names

        def term(found: ContributionTerm) -> dict[str, object]:
            via = names[found.source] if found.source != OUTSIDE else None  # None: no node sent it
            return {"via": via, "slot": found.slot, "amount": json_number(found.amount)}

        def by_input(terms: Callable[[Account], list[dict[str, object]]]) -> dict[str, object]:
            return {names[i]: terms(self.accounts[i]) for i in self.graph.inputs if i in self.accounts}

        def changed(account: Account) -> list[dict[str, object]]:
            return [{**term(due), "arrived": json_number(found.amount)} for due, found in account.changed]

        return {
            "fault": self.suspects[0].fault.slug,
            "faults": [
                {"fault": suspect.fault.slug, "variant": suspect.what(self.graph)}
                for suspect in self.suspects
            ],
            "order": [names[i] for i in self.outcome.order],
            "gradients": {names[i]: json_number(self.outcome.grads[i]) for i in self.graph.inputs},
            "kept": by_input(lambda account: [term(found) for found in account.kept]),
            "lost": by_input(lambda account: [term(found) for found in account.lost]),
            "changed": by_input(changed),
            "rounded": self.rounded,
            "unexplained": list(self.misses),
        }


@dataclass(frozen=True, repr=False)
class Forensics(Result):
    """What the numbers say."""

    graph: Graph
    right: Trace
    observed: tuple[PrintedNumber, ...]
    verdict: str  # RIGHT, EXPLAINED or UNEXPLAINED
    diagnoses: tuple[Diagnosis, ...]  # those that explain everything, the likeliest first
    closest: tuple[Diagnosis, ...] = ()  # where nothing does
    untried: tuple[tuple[Suspect, ...], ...] = ()
    cut: tuple[str, ...] = ()  # faults whose orders were too many to try all
    rounded: bool = False  # is it right only if the numbers were rounded?
    exact: tuple[Diagnosis, ...] = ()  # and if so, what would explain them if they were not

    @cached_property
    def distinction(self) -> Distinction | None:
        """The smallest graph that tells the likeliest explanations apart."""
        suspects = [group[0].suspects[0] for group in self.groups if len(group[0].suspects) == 1]
        return distinguish(suspects[:ALTERNATIVES]) if len(suspects) > 1 else None

    @cached_property
    def groups(self) -> list[list[Diagnosis]]:
        """The diagnoses, those that no number can tell apart together."""
        groups: dict[frozenset[tuple[object, Variant]], list[Diagnosis]] = {}
        for diagnosis in self.diagnoses:
            groups.setdefault(diagnosis.behaviour, []).append(diagnosis)
        return list(groups.values())

    @property
    def expression(self) -> str:
        """What was examined, in the language; "" where that would be long, or cannot be."""
        if len(self.graph) > LONGEST or any(node.op == CUSTOM for node in self.graph.nodes):
            return ""
        return statement(self.graph)

    @property
    def expected(self) -> dict[str, float]:
        return self.right.gradients

    def sections(self, page: Page) -> Sections:
        from .forensics_report_text import sections

        return sections(self, page)

    def _title(self) -> str:
        return say("forensics.title")

    def __repr__(self) -> str:
        likeliest = f": {self.diagnoses[0].slugs}" if self.diagnoses else ""
        return f"<Forensics of {self.graph!r}: {self.verdict}{likeliest}>"

    def to_json(self) -> dict[str, object]:
        return {
            "schema": SCHEMA,
            "verdict": self.verdict,
            "expression": self.expression,
            "expected": {name: json_number(x) for name, x in self.expected.items()},
            "observed": {reading.name: json_number(reading.value) for reading in self.observed},
            "diagnoses": [found.to_json() for found in self.diagnoses],
            "distinguish": self.distinction.to_json() if self.distinction else None,
            "closest": [found.to_json() for found in self.closest],
            "if_exact": [found.to_json() for found in self.exact],
            "untried": [
                {"faults": list(slugs), "variants": count}
                for slugs, count in Counter(
                    tuple(suspect.fault.slug for suspect in suspects) for suspects in self.untried
                ).items()
            ],
            "cut": list(self.cut),
        }


def diagnose(
    subject: Graph | Value | str,
    observed: Mapping[str, float | str],
    inputs: Mapping[str, float] | None = None,
    /,
    **named: float,
) -> Forensics:
    """Which mistake gives these gradients?

    `observed` names inputs or nodes in between; a number may be a text, as it was printed.
    """
    for mapping in (observed, inputs or {}):
        if not isinstance(mapping, Mapping):
            raise TypeError(say("forensics.mapping", given=describe(mapping)))
    if not isinstance(subject, (str, Graph, Value)):
        raise TypeError(say("lab.subject", given=describe(subject)))
    given = {name: number(x) for name, x in {**(inputs or {}), **named}.items()}
    if isinstance(subject, str):
        return examine(Lineup(parse(subject, given)), observed)
    graph = subject if isinstance(subject, Graph) else Graph.of(subject)
    return examine(Lineup(graph.at(given)), observed)


def examine(lineup: Lineup, observed: Mapping[str, float | str]) -> Forensics:
    """The same on a line-up that is there already."""
    if not observed:
        raise ValueError(say("forensics.nothing"))
    graph, right = lineup.graph, lineup.right
    sizes = [abs(right.grads[i]) for i in graph.inputs if isfinite(right.grads[i])]
    found, few = readings(observed, _noise(right), max(sizes, default=inf))
    nodes = {reading: _node(graph, reading.name) for reading in found}

    def fits(grads: tuple[float, ...], rounded: bool) -> bool:
        return all(reading.fits(grads[node], rounded) for reading, node in nodes.items())

    def search(entries: Iterable[LineupEntry], rounded: bool) -> list[Diagnosis]:
        hits = []
        for entry in entries:
            fitting = [o for o in entry.results.found if fits(o.grads, rounded)]
            if fitting:
                hits.append(Diagnosis(entry.suspects, fitting[0], right, rounded))
        ranked = sorted(hits, key=lambda hit: -hit.rank)
        return list({frozenset(hit.suspects): hit for hit in reversed(ranked)}.values())[::-1]  # A+B is B+A

    def acquittal(rounded: bool = False, exact: Iterable[Diagnosis] = ()) -> Forensics:
        return Forensics(graph, right, tuple(found), RIGHT, (), rounded=rounded, exact=tuple(exact))

    def result(
        verdict: str, diagnoses: Iterable[Diagnosis] = (), closest: Iterable[Diagnosis] = ()
    ) -> Forensics:
        cut = dict.fromkeys(e.suspects[0].fault.slug for e in lineup.one_by_one if not e.results.complete)
        untried = tuple(lineup.untried)
        return Forensics(
            graph, right, tuple(found), verdict, tuple(diagnoses), tuple(closest), untried, tuple(cut)
        )

    if fits(right.grads, False):
        return acquittal()
    if fits(right.grads, True):  # an accusation on a few rounded digits would be the worse mistake
        exact = search(lineup.one_by_one, False)[:ALTERNATIVES] if few else ()
        return acquittal(rounded=True, exact=exact)
    fitted = lineup.made_to_measure([(right.grads[node], r.value) for r, node in nodes.items()])
    for rounded in (False, True):
        if hits := search([*lineup.one_by_one, *fitted], rounded):
            return result(EXPLAINED, hits)
    pairs = list(lineup.two_by_two()) if len(found) > 1 else []  # some pair gives almost any one number
    for rounded in (False, True):
        if hits := search(pairs, rounded):
            return result(EXPLAINED, hits)
    return result(UNEXPLAINED, closest=_closest(lineup, nodes))


def _noise(right: Trace) -> dict[str, float]:
    """What the roundings of a pass can leave in each gradient, where contributions cancel."""
    noise = [0.0] * len(right.graph)
    for event in right.events:
        if isinstance(event, Flow):
            made = abs(event.local) * noise[event.source] + 1e-14 * abs(event.amount)
            noise[event.target] += made if isfinite(made) else 0.0  # else any number would do there
    return dict(zip(right.graph.names, noise, strict=True))


def _closest(lineup: Lineup, nodes: Mapping[PrintedNumber, int]) -> list[Diagnosis]:
    """The single faults that explain most of the numbers, and come nearest in the rest."""
    ranked = []
    for entry in lineup.one_by_one:
        for outcome in entry.results.found:
            if lineup.wrong(outcome):
                misses = {r.name: r.miss(outcome.grads[node]) for r, node in nodes.items()}
                missed = tuple(name for name, miss in misses.items() if miss)
                explains = any(not misses[r.name] and r.miss(lineup.right.grads[n]) for r, n in nodes.items())
                diagnosis = Diagnosis(entry.suspects, outcome, lineup.right, False, missed)
                far = round(sum(misses.values()), 3)
                ranked.append((not explains, len(missed), far, -diagnosis.rank, diagnosis))
    ranked.sort(key=lambda row: row[:4])
    kept: dict[tuple[Suspect, ...], Diagnosis] = {}
    for *_, diagnosis in ranked:
        kept.setdefault(diagnosis.suspects, diagnosis)
    return list(kept.values())[:3]


def _node(graph: Graph, name: str) -> int:
    """The node that a name stands for; ValueError, with the names that there are, for another."""
    try:
        node = graph.index(name)
    except KeyError as error:
        raise ValueError(error.args[0]) from None
    if graph.nodes[node].op == CONSTANT:
        raise ValueError(say("forensics.no_gradient", name=name))
    return node
