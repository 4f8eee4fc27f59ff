"""The line-up: every fault that can show on a graph, in every variant, with all that it can give there.

It depends on the graph alone, so one line-up answers for any number of observations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import combinations

from ..graph import Graph
from ..graph.trace import RIGHT, Pieces, Trace, trace
from .catalogue import FAULTS
from .contributions import same
from .fault import Suspect
from .order_outcomes import Outcome, Outcomes, outcomes

__all__ = ["Lineup", "LineupEntry", "pieces_of", "weight"]

SINGLES = 200_000  # turns for one fault at a time, some two seconds of work
STATES = 10_000  # walks side by side for one fault: 15 nodes, however wide
PAIRS = 200_000  # turns for two at a time


@dataclass(frozen=True, slots=True)
class LineupEntry:
    """One or two suspects, and what they give together."""

    suspects: tuple[Suspect, ...]
    results: Outcomes


@cache
def _sharing() -> Counter[tuple[str, int]]:
    """How many rows share a count: engines were counted by kind, and a kind may have several rows."""
    return Counter((fault.family, fault.seen) for fault in FAULTS.values())


def weight(suspects: tuple[Suspect, ...]) -> float:
    """How likely this is before any number is seen: how many public engines have it."""
    total = 1.0
    for suspect in suspects:
        seen = suspect.fault.seen / _sharing()[suspect.fault.family, suspect.fault.seen]
        total *= (seen + 0.5) / (4.0 if suspect.fault.passes > 1 else 1.0)
        total /= 1.0 if suspect.portable else 10.0  # an edge can be chosen to fit almost anything
    return total / 100.0 ** (len(suspects) - 1)


def pieces_of(suspects: tuple[Suspect, ...]) -> Pieces:
    """The right pass with the pieces of all of them swapped, one after the other."""
    pieces = RIGHT
    for suspect in suspects:
        pieces = suspect.pieces(pieces)
    return pieces


@dataclass
class Lineup:
    graph: Graph
    singles: int = SINGLES
    pairs: int = PAIRS
    untried: list[tuple[Suspect, ...]] = field(default_factory=list)  # filled while the line-up is walked

    @cached_property
    def right(self) -> Trace:
        return trace(self.graph)

    @cached_property
    def suspects(self) -> list[Suspect]:
        """Everyone who can show here, the usual ones first."""
        found = [suspect for fault in FAULTS.values() for suspect in fault.suspects(self.graph)]
        return sorted(found, key=lambda suspect: -weight((suspect,)))

    @cached_property
    def one_by_one(self) -> list[LineupEntry]:
        """One suspect at a time: everybody in the newest-first order, then the orders that matter.

        As far as the budget goes; a few faults with many orders must not keep the others from being asked.
        """
        entries, left = [], self.singles
        for suspect in self.suspects:
            if left < len(self.graph) or suspect.fault.takes_too_long(self.graph):
                self.untried.append((suspect,))
                continue
            entries.append(self._entry((suspect,)))
            left -= entries[-1].results.turns + len(self.graph)  # forward is work too
        for place, entry in enumerate(entries):
            if entry.suspects[0].fault.ordered:
                if left < len(self.graph):
                    entries[place] = LineupEntry(entry.suspects, replace(entry.results, complete=False))
                    continue
                entries[place] = self._entry(entry.suspects, states=min(STATES, max(1, left // 2)))
                left -= entries[place].results.turns
        return entries

    def made_to_measure(self, pairs: Sequence[tuple[float, float]]) -> list[LineupEntry]:
        """Faults with a number in them that only the observation can tell: a common factor."""
        return [
            self._entry((Suspect(fault, variant),))
            for fault in FAULTS.values()
            if fault.fit is not None
            for variant in fault.fit(pairs)
        ]

    def two_by_two(self) -> Iterator[LineupEntry]:
        """Two of those that show, in the newest-first order; then, while the budget lasts, in others."""
        showing = [entry.suspects[0] for entry in self.one_by_one if self._shows(entry)]
        left = self.pairs
        later = []
        for pair in combinations(showing, 2):
            for suspects in (pair, pair[::-1]) if _same_piece(pair) else (pair,):
                if left < len(self.graph):
                    self.untried.append(suspects)
                    continue
                entry = self._entry(suspects)
                left -= entry.results.turns + len(self.graph)
                yield entry
                if any(suspect.fault.ordered for suspect in suspects):
                    later.append(suspects)
        for suspects in later:
            if left < len(self.graph):
                self.untried.append(suspects)
                continue
            entry = self._entry(suspects, states=200)
            left -= entry.results.turns
            if not entry.results.complete:
                self.untried.append(suspects)  # not in all orders
            yield entry

    def _entry(self, suspects: tuple[Suspect, ...], states: int | None = None) -> LineupEntry:
        """What they give in the newest-first order, or in as many others as so many states allow."""
        pieces = pieces_of(suspects)
        if states is None or not any(suspect.fault.ordered for suspect in suspects):
            return LineupEntry(suspects, outcomes(self.graph, pieces, ordered=False))
        return LineupEntry(suspects, outcomes(self.graph, pieces, ordered=True, states=states))

    def _shows(self, entry: LineupEntry) -> bool:
        return any(self.wrong(outcome) for outcome in entry.results.found)

    def wrong(self, outcome: Outcome) -> bool:
        """Does it differ from the right gradients in any input?"""
        return any(not same(outcome.grads[i], self.right.grads[i]) for i in self.graph.inputs)


def _same_piece(pair: tuple[Suspect, ...]) -> bool:
    first, second = (suspect.pieces() for suspect in pair)
    return any(x is not y and x is not z for x, y, z in zip(first, RIGHT, second, strict=True) if z is not y)
