"""Models that duels are fought on: small ones, whose every step can be walked node by node.

`arena(on, ...)` are the settings of the run; `opponents(fault, ...)` are the fault's variants that can be at
work in it.  An op that the model lacks is looked for in the same model with another activation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from ...faults import Fault, Suspect
from ...faults.break_lab import most_telling
from ...graph import Graph
from ...graph.trace import trace
from ...text.escape import printable
from ...text.excerpts import listed
from ...text.numerals import counted
from ...text.translation import say
from .. import Run, Settings, defaults
from ..settings import ACTIVATIONS, OPTIMISERS

__all__ = ["ARENAS", "LEAST", "MOST", "Opponent", "arena", "chosen", "first_graph", "opponents"]

LEAST, MOST = 20, 5_000  # steps of a duel; in fewer there is no time to notice anything
VARIANTS = 3  # of one fault in the ranking
T = TypeVar("T")

# what: its settings; the learning rate of each optimiser
ARENAS = {
    "moons": defaults("moons", hidden=(10, 6), batch=6, steps=200),
    "names": defaults("names", width=8, heads=2, block=8, steps=150, schedule="constant"),
}
RATES = {
    "moons": {"sgd": 0.5, "adam": 0.05, "adamw": 0.05},
    "names": {"sgd": 0.3, "adam": 0.01, "adamw": 0.01},
}
FASTER = {"sigmoid": 2.0}  # times that rate: its gradients are a quarter of others' at best
Opponent = tuple[Settings, Suspect]


def arena(on: str, steps: int | None = None, seed: int = 0, optimiser: str = "") -> Settings:
    """The settings of the runs; ValueError in words for what cannot be."""
    if on not in ARENAS:
        raise ValueError(say("duel.on", given=ascii(on)[:60], known=", ".join(ARENAS)))
    settings = ARENAS[on]
    steps = settings.steps if steps is None else steps
    if not LEAST <= steps <= MOST:
        raise ValueError(say("duel.steps", given=steps, least=LEAST, most=counted(MOST)))
    optimiser = optimiser or settings.optimiser
    if optimiser not in OPTIMISERS:
        known = ", ".join(OPTIMISERS)
        raise ValueError(say("duel.optimiser", given=ascii(optimiser)[:60], known=known))
    lr = RATES[on][optimiser]
    return replace(settings, steps=steps, seed=seed, optimiser=optimiser, lr=lr).checked()


@lru_cache(maxsize=16)
def first_graph(settings: Settings) -> Graph:
    """The graph of the first step's loss."""
    return Graph.of(Run(settings).forward())


def opponents(fault: Fault, settings: Settings, *, every: bool) -> list[Opponent]:
    """The variants of a fault that can be at work in these runs, or with another activation.

    With `every`, some spread over all that there are; else the one that tells most.
    """
    if fault.across:  # what it does in a loop has no variants
        what = settings.steps if "{what}" in fault.name[0] else ""
        return [] if fault.across == "one-graph" else [(settings, Suspect(fault, what))]
    for other in _activated(fault, settings):
        graph = first_graph(other)
        found = [suspect for suspect in fault.suspects(graph) if suspect.portable or _steady(other)]
        if found and every:
            return [(other, suspect) for suspect in _spread(found, VARIANTS)]
        if found:
            telling = most_telling(fault, graph, trace(graph))
            return [(other, telling if telling in found else found[0])]
    return []


def chosen(fault: Fault, settings: Settings, variant: str) -> Opponent:
    """The variant that was asked for; ValueError says which there are."""
    known: list[str] = []
    for other in _activated(fault, settings):
        graph = first_graph(other)
        for suspect in () if fault.across else fault.suspects(graph):
            what = suspect.what(graph)
            if _plain(what) == _plain(variant) and what:
                return other, suspect
            known.append(printable(what))
    known = [what for what in dict.fromkeys(known) if what]
    given = ascii(variant)[:60]
    if not known:
        raise ValueError(say("lab.variant.none", slug=fault.slug, given=given))
    raise ValueError(say("duel.variant", slug=fault.slug, given=given, known=listed(known)))


def _activated(fault: Fault, settings: Settings) -> list[Settings]:
    """The settings, and those with the activations that the fault's own smallest graph is about."""
    own = {node.op for node in fault.graph.nodes}
    return [
        settings,
        *(
            replace(settings, activation=op, lr=settings.lr * FASTER.get(op, 1.0))
            for op in ACTIVATIONS
            if op in own and op != settings.activation and not settings.language
        ),
    ]


def _steady(settings: Settings) -> bool:
    """Is the graph the same in every step?  Else an edge of it means nothing in the next."""
    return not settings.language


def _spread(found: Sequence[T], most: int) -> list[T]:
    """Some of a row, evenly: the first, the last, and what is between."""
    if len(found) <= most:
        return list(found)
    return [found[i * (len(found) - 1) // (most - 1)] for i in range(most)]


def _plain(text: str) -> str:
    return "".join(text.split()).lower()
