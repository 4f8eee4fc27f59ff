"""Outcomes of a broken pass: its gradients over all valid orders, each set of them once.

A graph of ten ops can have a million valid orders, and overwriting gives a handful of results.  So
orders are not walked one by one: all walks take their turns side by side, and those that have visited
the same nodes and hold the same gradients are one walk from there on, counted as many times as there
are orders that lead to it.  Where there are too many even so, or the graph is large, some are followed
to the end, newest first among them, and `complete` says that this was not all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import isnan
from typing import TypeAlias

from ..graph import Graph
from ..graph.trace import RIGHT, Pieces, Walk
from .catalogue.traversal import WalkTooLongError

__all__ = ["Outcome", "Outcomes", "count_orders", "outcomes"]

Key: TypeAlias = tuple[object, ...]  # what tells two walks apart
Linked: TypeAlias = "tuple[Linked, int] | None"  # the nodes of an order, the last one first

STATES = 4000  # walks that are kept side by side, all together
LARGE = 300  # nodes; beyond, orders are sampled


@dataclass(frozen=True, slots=True)
class Outcome:
    """The gradients of every node, one order that leads to them, and how many there are."""

    grads: tuple[float, ...]
    order: tuple[int, ...]
    count: int

    def gradients(self, graph: Graph) -> dict[str, float]:
        return {graph.names[i]: self.grads[i] for i in graph.inputs}


@dataclass(frozen=True, slots=True)
class Outcomes:
    """All different results, that of the newest-first order in front."""

    found: tuple[Outcome, ...]
    complete: bool = True  # was every valid order followed?
    turns: int = 0  # how much work it was


def outcomes(
    graph: Graph,
    pieces: Pieces,
    ordered: bool,
    inputs: Mapping[str, float] | None = None,
    *,
    states: int = STATES,
) -> Outcomes:
    """What `pieces` give on a graph, over all valid orders if these matter (`ordered`)."""
    walk = pieces.begin(graph, inputs)
    if not ordered:
        try:
            turns = pieces.run(walk)
        except WalkTooLongError:
            return Outcomes((), False, len(graph))
        order = tuple(i for i in turns if walk.graph.nodes[i].args)
        return Outcomes((Outcome(tuple(walk.grads), order, 1),), True, len(turns))
    if len(graph) > LARGE:
        return _sampled(walk)
    if pieces.order is not RIGHT.order:  # it goes its own way, along the order that it is given
        return _one_by_one(walk, graph, states)
    return _side_by_side(walk, states)


def _one_by_one(start: Walk, graph: Graph, limit: int) -> Outcomes:
    """For a pass that rearranges the order it is given: each valid order, as far as the limit allows."""
    met: dict[Key, Outcome] = {}
    turns = 0
    for order in graph.orders():
        if turns > limit:
            return Outcomes(tuple(met.values()), False, turns)
        walk = start.fork()
        try:
            walked = walk.pieces.run(walk, order)
        except WalkTooLongError:
            return Outcomes(tuple(met.values()), False, turns + len(graph))
        turns += len(walked) + 1  # an order may be empty
        key = _key(walk.grads)
        before = met.get(key)
        met[key] = Outcome(
            tuple(walk.grads), before.order if before else order, 1 + (before.count if before else 0)
        )
    return Outcomes(tuple(met.values()), True, turns)


@dataclass(slots=True)
class _State:
    """Walks that have visited the same nodes and hold the same gradients."""

    walk: Walk
    done: frozenset[int]
    ready: tuple[int, ...]  # whose turn it may be, newest first
    order: Linked  # one of the orders that lead here, as a linked list
    count: int  # how many there are


def _side_by_side(start: Walk, states: int) -> Outcomes:
    steps, feeds, consumers = _dependencies(start)
    layer: dict[Key, _State] = {
        (): _State(start, frozenset(), tuple(i for i in steps if not consumers[i]), None, 1)
    }
    complete, turns, widest = True, 0, max(1, states // max(1, len(steps)))
    for _ in steps:
        following: dict[Key, _State] = {}
        for state in layer.values():
            for node in state.ready:
                walk = state.walk.fork()
                walk.turn(node)
                turns += 1
                done = state.done | {node}
                spot = (done, *_key(walk.grads, tuple(walk.memory.items())))
                if spot in following:
                    following[spot].count += state.count
                elif len(following) == widest:
                    complete = False
                else:
                    freed = [i for i in feeds[node] if done.issuperset(consumers[i])]
                    ready = sorted([i for i in state.ready if i != node] + freed, reverse=True)
                    following[spot] = _State(walk, done, tuple(ready), (state.order, node), state.count)
        layer = following
    met: dict[Key, Outcome] = {}
    for state in layer.values():
        start.pieces.finish(state.walk)
        key = _key(state.walk.grads)
        found = met.get(key) or Outcome(tuple(state.walk.grads), tuple(_listed(state.order)), 0)
        met[key] = Outcome(found.grads, found.order, found.count + state.count)
    return Outcomes(tuple(met.values()), complete, turns)


def _dependencies(walk: Walk) -> tuple[list[int], dict[int, list[int]], dict[int, list[int]]]:
    """The op nodes that a message reaches, newest first; which of them each feeds, and who feeds it."""
    nodes, live = walk.graph.nodes, walk.live
    steps = [i for i in walk.graph.order if nodes[i].args and live[i]]
    feeds = {i: [a for a in dict.fromkeys(nodes[i].args) if nodes[a].args and live[a]] for i in steps}
    consumers = {i: [c for c in walk.graph.consumers[i] if live[c]] for i in steps}
    return steps, feeds, consumers


def _sampled(walk: Walk) -> Outcomes:
    """A few orders of a large graph, very different ones: newest first, and oldest first."""
    steps, feeds, consumers = _dependencies(walk)
    oldest: list[int] = []
    waiting = {i: len(consumers[i]) for i in steps}
    ready = [i for i in steps if not waiting[i]]
    while ready:
        node = heappop(ready)
        oldest.append(node)
        for arg in feeds[node]:
            waiting[arg] -= 1
            if not waiting[arg]:
                heappush(ready, arg)
    met: dict[Key, Outcome] = {}
    for order in (steps, oldest):
        other = walk.fork()
        try:
            other.pieces.run(other, order)
        except WalkTooLongError:
            return Outcomes((), False, len(steps))
        met.setdefault(_key(other.grads), Outcome(tuple(other.grads), tuple(order), 1))
    return Outcomes(tuple(met.values()), steps == oldest, 2 * len(steps))


def _key(grads: Sequence[float], memory: tuple[object, ...] = ()) -> Key:
    """What tells two walks apart; NaN equals NaN here."""
    known: tuple[float | None, ...] = tuple(grads)
    if isnan(sum(grads)):  # seldom, and to look at each of them takes long
        known = tuple(None if isnan(grad) else grad for grad in grads)
    return (known, memory) if memory else (known,)


def _listed(order: Linked) -> Iterator[int]:
    nodes: list[int] = []
    while order is not None:
        order, node = order
        nodes.append(node)
    return reversed(nodes)


def count_orders(graph: Graph, limit: int = 50_000) -> int | None:
    """How many valid orders a graph has; None where counting them would take too long."""
    steps, feeds, consumers = _dependencies(RIGHT.begin(graph))
    if len(steps) > LARGE:
        return None
    layer = {frozenset[int](): (1, tuple(i for i in steps if not consumers[i]))}
    work = 0
    for _ in steps:
        following: dict[frozenset[int], tuple[int, tuple[int, ...]]] = {}
        for done, (count, ready) in layer.items():
            for node in ready:
                after = done | {node}
                freed = [i for i in feeds[node] if after.issuperset(consumers[i])]
                before = following.get(after, (0, ()))[0]
                following[after] = before + count, (*(i for i in ready if i != node), *freed)
                work += 1
            if work > limit:
                return None
        layer = following
    return next(iter(layer.values()))[0]
