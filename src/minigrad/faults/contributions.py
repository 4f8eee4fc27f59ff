"""Accounts of contributions: each kept, lost, changed on the way, or never due.

The right pass says which contributions a node is owed; the events of a broken pass say which of them
are still in its gradient at the end.  Nothing is asked of the fault itself: a total that does not grow
by the amount that was sent gives it away.  For every node

    the kept ones + the changed ones, as they arrived + the extra ones = what it got.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from ..graph.trace import Event, Flow, Pieces, Seed, Trace, Walk

__all__ = ["OUTSIDE", "Account", "ContributionTerm", "accounts", "same", "told_apart"]

OUTSIDE = -1  # the source and slot of what no node sent: the seed, and what was there or was written over
CLOSE = 1e-10  # another order of additions is no other result


@dataclass(frozen=True, slots=True)
class ContributionTerm:
    """One contribution: what `source` sent to its argument in `slot`."""

    source: int
    slot: int
    amount: float


@dataclass(frozen=True, slots=True)
class Account:
    """A node's gradient in the broken pass, held against the right one."""

    node: int
    expected: float
    got: float
    kept: tuple[ContributionTerm, ...]
    lost: tuple[ContributionTerm, ...]
    changed: tuple[tuple[ContributionTerm, ContributionTerm], ...]  # as it should have been, as it was
    extra: tuple[ContributionTerm, ...]

    @property
    def right(self) -> bool:
        """Is the number what it should be?  It can be so by luck, with contributions lost."""
        return same(self.expected, self.got, max((abs(term.amount) for term in self.owed), default=0.0))

    @property
    def owed(self) -> tuple[ContributionTerm, ...]:
        """The contributions of the right pass."""
        return (*self.kept, *self.lost, *(due for due, _ in self.changed))

    @property
    def untouched(self) -> bool:
        """Did everything arrive as it should, and nothing else?"""
        return not (self.lost or self.changed or self.extra)


def same(x: float, y: float, size: float = 0.0) -> bool:
    """Equal but for the roundings of numbers of this size; NaN equals NaN."""
    if x == y or (x != x and y != y):
        return True
    if not (isfinite(x) and isfinite(y)):
        return False
    return abs(x - y) <= CLOSE * max(abs(x), abs(y), size if isfinite(size) else 0.0)


def accounts(right: Trace, broken: Trace, twin: Trace | None = None) -> dict[int, Account]:
    """The account of every active node.

    When a message is as large as what is there already, one of the two is lost and the numbers do not
    say which.  A `twin` settles it: the same pass with the pieces `told_apart`; without it the later
    one counts as kept.
    """
    owed = _owed(right)
    held = _held(broken, twin)
    return {
        i: _account(i, right.grads[i], broken.grads[i], owed.get(i, ()), held[i]) for i in right.graph.order
    }


def told_apart(pieces: Pieces) -> Pieces:
    """The same pass with each message a little larger than it is, each by another factor."""

    def message(walk: Walk, source: int, slot: int, local: float, upstream: float) -> float:
        factor = 1.0 + ((source * 31 + slot * 7) % 997 + 1) * 1e-5
        return pieces.message(walk, source, slot, local, upstream) * factor

    return pieces._replace(message=message)


def _owed(right: Trace) -> dict[int, list[ContributionTerm]]:
    owed: dict[int, list[ContributionTerm]] = {}
    for event in right.events:
        if isinstance(event, Seed):
            owed.setdefault(event.node, []).append(ContributionTerm(OUTSIDE, OUTSIDE, event.grad))
        else:
            owed.setdefault(event.target, []).append(ContributionTerm(event.source, event.slot, event.amount))
    return owed


def _held(broken: Trace, twin: Trace | None) -> dict[int, list[ContributionTerm]]:
    """What each node's gradient consists of at the end of a pass."""
    twins = twin.events if twin is not None and len(twin.events) == len(broken.events) else broken.events
    held: dict[int, list[ContributionTerm]] = {}
    totals = [0.0] * len(broken.graph)  # as the events account for them
    for event, other in zip(broken.events, twins, strict=True):
        if isinstance(event, Seed):
            held[event.node] = [ContributionTerm(OUTSIDE, OUTSIDE, event.grad)]
            totals[event.node] = event.grad
            continue
        terms = held.setdefault(event.target, [])
        _notice(terms, totals[event.target], event.before)
        _take(terms, event, other)
        totals[event.target] = event.after
    for node, grad in enumerate(broken.grads):
        _notice(held.setdefault(node, []), totals[node], grad)
    return held


def _equal(x: float, y: float) -> bool:
    return x == y or (x != x and y != y)


def _notice(terms: list[ContributionTerm], known: float, found: float) -> None:
    """A gradient changed between two messages: it was cleared, or somebody else wrote to it."""
    if _equal(known, found):
        return
    if found == 0.0:
        terms.clear()
    else:
        terms.append(ContributionTerm(OUTSIDE, OUTSIDE, found - known))


def _take(terms: list[ContributionTerm], flow: Flow, twin: Event) -> None:
    """Enter one message: added, written over what was there, ignored, or something else."""
    arrived = flow.amount
    if not _equal(flow.after, flow.before + flow.amount):
        over, ignored = _equal(flow.after, flow.amount), _equal(flow.after, flow.before)
        if over and ignored and isinstance(twin, Flow):
            over = _equal(twin.after, twin.amount)
        if over:
            terms.clear()
        elif ignored:
            return
        else:
            arrived = flow.after - flow.before
    terms.append(ContributionTerm(flow.source, flow.slot, arrived))


def _account(
    node: int, expected: float, got: float, owed: Sequence[ContributionTerm], held: Sequence[ContributionTerm]
) -> Account:
    size = max([0.0, *(abs(term.amount) for term in owed)])
    arrived: dict[tuple[int, int], list[ContributionTerm]] = {}
    for term in held:
        arrived.setdefault((term.source, term.slot), []).append(term)
    kept, lost, changed, extra = [], [], [], []
    for due in owed:
        terms = arrived.get((due.source, due.slot))
        if not terms:
            lost.append(due)
            continue
        found = next((term for term in terms if same(term.amount, due.amount, size)), None)
        if found is not None:
            kept.append(due)
        else:
            found = terms[0]
            changed.append((due, found))
        terms.remove(found)  # sent again, it is one too many
    for terms in arrived.values():
        extra += terms
    for due in tuple(lost):  # sent from another slot of the same node, it was changed and not lost
        found = next((term for term in extra if term.source == due.source >= 0), None)
        if found is not None:
            lost.remove(due)
            extra.remove(found)
            changed.append((due, found))
    return Account(node, expected, got, tuple(kept), tuple(lost), tuple(changed), tuple(extra))
