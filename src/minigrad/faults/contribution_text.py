"""Contributions in words: -2 via e; kept, lost, changed and one too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ..graph import Graph
from ..graph.trace import Flow, Trace
from ..graph.wording import name
from ..text.numerals import counted, show
from ..text.translation import say
from .contributions import Account, ContributionTerm

__all__ = ["account_in_words", "owed_terms", "parts", "show_apart", "written"]

MOST = 4  # terms of one kind that are written out


def show_apart(x: float, other: float) -> str:
    """A number beside another one: with as many digits as it takes to tell them apart."""
    if x == other or show(x) != show(other):
        return show(x)
    return show(x, 10) if show(x, 10) != show(other, 10) else show(x, 17)


def owed_terms(right: Trace) -> dict[int, list[Flow]]:
    """The contributions to each node in the right pass."""
    owed: dict[int, list[Flow]] = {}
    for event in right.events:
        if isinstance(event, Flow):
            owed.setdefault(event.target, []).append(event)
    return owed


def written(graph: Graph, account: Account, terms: Iterable[ContributionTerm]) -> str:
    """-2 via e, -10 via f; the slot where a source has several."""
    sources = Counter(term.source for term in {(t.source, t.slot): t for t in _all(account)}.values())
    texts = [_term(graph, term, sources[term.source] > 1, account) for term in terms]
    if len(texts) > MOST:
        texts = [*texts[:MOST], f"... ({counted(len(texts))})"]
    return ", ".join(texts)


def _all(account: Account) -> Iterator[ContributionTerm]:
    yield from account.owed
    yield from account.extra


def _term(graph: Graph, term: ContributionTerm, several: bool, account: Account) -> str:
    if term.source < 0:
        key = "lab.term.seed" if account.node == graph.output else "lab.term.outside"
        return say(key, amount=show(term.amount))
    via = say("ledger.via", node=name(graph, term.source))
    slot = " " + say("ledger.slot", slot=term.slot + 1) if several else ""
    return f"{show(term.amount)} {via}{slot}"


def parts(graph: Graph, account: Account) -> str:
    """What was kept, what was lost, what arrived changed and what was not due."""
    found = []
    if account.kept:
        found.append(say("lab.term.kept", terms=written(graph, account, account.kept)))
    if account.lost:
        found.append(say("lab.term.lost", terms=written(graph, account, account.lost)))
    for due, arrived in account.changed[:MOST]:
        term = written(graph, account, (due,))
        found.append(say("lab.term.changed", term=term, amount=show_apart(arrived.amount, due.amount)))
    if len(account.changed) > MOST:
        found.append(say("lab.term.more", count=counted(len(account.changed) - MOST)))
    if account.extra:
        found.append(say("lab.term.extra", terms=written(graph, account, account.extra)))
    return "; ".join(found)


def account_in_words(graph: Graph, account: Account) -> str:
    """c: -2 for -12: kept -2 via e; lost -10 via f."""
    about = {"name": name(graph, account.node), "got": show_apart(account.got, account.expected)}
    if not account.right:
        why = parts(graph, account)
        return say("lab.account.wrong", expected=show(account.expected), why=why, **about)
    if not account.untouched:
        return say("lab.account.nonetheless", why=parts(graph, account), **about)
    if not account.owed:
        return say("lab.account.right", why=say("ledger.unreached"), **about)
    if len(account.owed) == 1:
        term = written(graph, account, account.owed)
        return say("lab.account.right", why=say("lab.account.one", term=term), **about)
    why = say("lab.account.all", count=counted(len(account.owed)))
    return say("lab.account.right", why=why, **about)
