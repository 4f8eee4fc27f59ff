"""Predictions beside what came out: a pure function of a lab and of what somebody expected.

A guess that is wrong is worth a remark: it may be the right gradient, one contribution out of several,
or what another order would have given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from ..graph.wording import name
from ..text.numerals import show
from ..text.translation import say
from .break_lab import Lab
from .contribution_text import written
from .contributions import ContributionTerm
from .lab_table import order_text

__all__ = ["Guess", "judge", "prediction_sentences"]

CLOSE = 5e-6  # of what is shown with six digits


@dataclass(frozen=True, slots=True)
class Guess:
    """What was said about one input, and which number that is."""

    node: int
    guess: float
    kind: str  # untouched, foreseen, right, order, term, opposite or other
    order: tuple[int, ...] = ()  # for "order": one that gives it
    term: ContributionTerm | None = None  # for "term": the contribution that it is


def judge(lab: Lab, node: int, guess: float) -> Guess:
    """Which number of the lab a guess is."""
    expected = lab.right.grads[node]
    got = lab.broken.grads[node] if lab.broken is not None else None
    if got is not None and _is(guess, got):
        return Guess(node, guess, "untouched" if _is(got, expected) else "foreseen")
    if _is(guess, expected):
        return Guess(node, guess, "right")
    for run in lab.runs.listed if lab.runs is not None else ():
        if _is(guess, run.grads[node]):
            return Guess(node, guess, "order", order=run.order)
    account = lab.accounts.get(node)
    for term in account.owed if account is not None else ():
        if _is(guess, term.amount) and term.source >= 0:
            return Guess(node, guess, "term", term=term)
    if got is not None and _is(guess, -got):
        return Guess(node, guess, "opposite")
    return Guess(node, guess, "other")


def _is(x: float, y: float) -> bool:
    """Nearly the same; infinity is near to itself alone."""
    if not isfinite(x - y):
        return x == y or (x != x and y != y)
    return abs(x - y) <= CLOSE * max(abs(x), abs(y))


def prediction_sentences(lab: Lab, guesses: Mapping[str, float]) -> Iterator[str]:
    """One sentence per guess, and how many were foreseen."""
    graph = lab.graph
    judged = [judge(lab, i, guesses[graph.names[i]]) for i in graph.inputs if graph.names[i] in guesses]
    for found in judged:
        got = lab.broken.grads[found.node] if lab.broken is not None else float("nan")
        about = {
            "name": name(graph, found.node),
            "guess": show(found.guess),
            "expected": show(lab.right.grads[found.node]),
            "got": show(got),
        }
        if found.term is not None:
            about["term"] = written(graph, lab.accounts[found.node], (found.term,))
        if found.order:
            about["order"] = order_text(lab, found.order)
        yield say(f"lab.guess.{found.kind}", **about)
    if judged:
        hits = sum(found.kind in ("untouched", "foreseen") for found in judged)
        yield say("lab.guess.count", count=hits, all=len(judged))
    else:
        yield say("lab.guess.none")
