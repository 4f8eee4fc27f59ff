"""Explanation of one weight of a run: the gradient that its next step will have, as a sum over paths.

    found = explain_weight(load("run.safetensors"), "blocks.0.attention.query.weight[3][5]")
    found.gradient, found.count, found.listed, found.rest      # listed amounts + rest == gradient, exactly
    print(found.text())

A weight of a GPT has more paths than anybody would list, so the largest are listed and the others are one
remainder, a Fraction.  The gradient comes out of a trace of the loss; two others check it: the engine's own
pass, which has to agree to the last bit, and central differences, which rerun the model and know no
derivative.  All of this happens on a copy: the run that was given is not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING

from ..graph import CONSTANT, INPUT, Graph
from ..graph.paths import Path, json_count, paths
from ..graph.trace import Flow, Trace, trace
from ..scalar import Value
from ..text.escape import printable
from ..text.numerals import json_number
from ..text.page import Page, Result, Sections
from ..text.translation import say
from ..values.differences import EPSILON, Slope, slope
from ..values.no_grad import no_grad
from .node_places import Whereabouts, whereabouts
from .run import Run
from .step_arrays import TrainingStep, copy_of, find_weight, step_of

if TYPE_CHECKING:
    from ..text.files import JSON

__all__ = ["MOST", "Hop", "Route", "Weight", "as_float", "explain_weight"]

SCHEMA = "minigrad.weight/1"
MOST = 10_000  # paths that are listed at most


@dataclass(frozen=True)
class Hop:
    """One node that a path goes through."""

    op: str
    place: str  # where in the model it was made: blocks.0.up[2][37], or "loss" outside of it
    call: int  # nodes with the same number were made by the same use of a module
    slot: int  # the argument through which the path enters
    local: float  # by which it is multiplied there


@dataclass(frozen=True)
class Route:
    """One path from the weight up to the loss."""

    amount: float
    hops: tuple[Hop, ...]
    skipped: int  # nodes left out before the loss, where there are very many


@dataclass(frozen=True)
class Weight(Result):
    """Why the gradient of one weight is what it is, and what comes of it."""

    step: TrainingStep
    name: str
    value: float
    gradient: float
    native: float  # what the engine's own pass says
    slope: Slope  # what central differences say
    count: int  # of paths
    carrying: int  # of them, those along which no local derivative is 0
    listed: tuple[Route, ...]
    rest: Fraction | None  # the gradient minus what is listed; None where not all are finite
    lr: float
    after: float | None  # the weight after the next step; None where no step can be taken

    @property
    def same(self) -> bool:
        """Does the engine's own pass agree, to the last bit?"""
        return self.native == self.gradient or (self.native != self.native and self.gradient != self.gradient)

    @property
    def verdict(self) -> str:
        """What central differences say: agrees, disagrees, or the reason why they cannot tell."""
        if not isfinite(self.gradient) or not isfinite(self.slope.left):
            return "range"
        if self.slope.kink or self.slope.rough:
            return "kink"
        if not self.slope.sharp:
            return "rounding"
        return "agrees" if self.slope.agrees(self.gradient) else "disagrees"

    @property
    def right(self) -> bool:
        return self.same and self.verdict != "disagrees"

    def sections(self, page: Page) -> Sections:
        from .weight_text import sections

        return sections(self, page)

    def _title(self) -> str:
        return say("weight.title", name=f"`{self.name}`")

    def to_json(self) -> dict[str, JSON]:
        return {
            "schema": SCHEMA,
            "run": self.step.to_json(),
            "weight": {
                "name": self.name,
                "value": json_number(self.value),
                "gradient": json_number(self.gradient),
            },
            "paths": {
                "count": json_count(self.count),
                "carrying": json_count(self.carrying),
                "listed": [_route_json(route) for route in self.listed],
                "rest": None if self.rest is None else json_number(as_float(self.rest)),
                "rest_exact": None if self.rest is None else str(self.rest),
            },
            "check": {
                "engine": json_number(self.native),
                "same": self.same,
                "central": json_number(self.slope.value),
                "error": json_number(self.slope.error),
                "verdict": self.verdict,
            },
            "next": {
                "optimiser": self.step.settings.optimiser,
                "lr": self.lr,
                "before": json_number(self.value),
                "after": None if self.after is None else json_number(self.after),
            },
        }


def _route_json(route: Route) -> dict[str, JSON]:
    return {
        "amount": json_number(route.amount),
        "hops": [
            {"op": hop.op, "place": hop.place, "slot": hop.slot, "local": json_number(hop.local)}
            for hop in route.hops
        ],
        "skipped": route.skipped,
    }


def as_float(exact: Fraction) -> float:
    """The nearest float, which may be infinite."""
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


# ---- one weight -----------------------------------------------------------------------------------


def explain_weight(run: Run, name: str, keep: int = 5) -> Weight:
    """The gradient of the weight `name` in the next step of a run, with its `keep` largest paths."""
    if isinstance(keep, bool) or not isinstance(keep, int) or not 0 <= keep <= MOST:
        raise ValueError(say("weight.keep", given=printable(repr(keep)), most=MOST))
    run = copy_of(run)
    name, weight = find_weight(run, name)
    with whereabouts(run.model) as found:
        loss = run.forward()
    graph = Graph.of(loss)
    indices = _indices(loss)
    value, native = weight.data, _native(run, loss, weight)
    node = indices.index(weight._index) if weight._index in indices else None
    step = step_of(run, loss.data)
    gradient, noise, count, carrying = 0.0, 0.0, 0, 0
    listed: tuple[Route, ...] = ()
    if node is not None:  # else no path leads from it to this loss: a letter that is not in the example
        passed = trace(_only(graph, node))
        gradient, noise = passed.grads[node], _noise(passed)
        for way in paths(passed, keep, [node]).values():
            count, carrying = way.count, _carrying(passed, node)
            listed = tuple(_route(passed, indices, found, path) for path in way.listed if path.amount)
    measured = slope(_rerun(run, weight), value, noise)
    lr, after = run.lr, _next(run, weight)
    rest = _rest(gradient, listed)
    return Weight(
        step, name, value, gradient, native, measured, count, carrying, listed, rest, lr, after
    )  # fmt: skip


def _indices(loss: Value) -> list[int]:
    """The creation index of each node of the graph below a loss, in the graph's order."""
    found, seen = [loss], {loss}
    for value in found:  # grows while it is walked
        for child in value._children if value.requires_grad else ():
            if child not in seen:
                seen.add(child)
                found.append(child)
    return sorted(value._index for value in found)


def _native(run: Run, loss: Value, weight: Value) -> float:
    run.model.zero_grad()
    loss.backward()
    return float(weight.grad)


def _only(graph: Graph, node: int) -> Graph:
    """The graph in which one input is left: only what depends on it takes part in a pass.

    Every consumer of such a node depends on it too, so each of them gets the sum that it gets in the whole
    pass, in the same order.
    """
    return Graph(
        [
            row._replace(op=CONSTANT) if row.op == INPUT and i != node else row
            for i, row in enumerate(graph.nodes)
        ],
        graph.output,
    )


def _route(passed: Trace, indices: Sequence[int], found: Whereabouts, path: Path) -> Route:
    nodes = path.nodes if path.skipped == 0 else path.nodes[:-1]
    hops = []
    for at, node in enumerate(nodes[1:]):
        place = found.of(indices[node])
        hops.append(Hop(passed.graph.nodes[node].op, place.name, place.call, path.slots[at], path.locals[at]))
    return Route(path.amount, tuple(hops), path.skipped)


def _carrying(passed: Trace, node: int) -> int:
    """How many paths there are along which no local derivative is 0."""
    counts = [0] * len(passed.graph)
    counts[passed.graph.output] = 1
    for event in passed.events:
        if isinstance(event, Flow) and event.local != 0.0:
            counts[event.target] += counts[event.source]
    return counts[node]


def _rest(gradient: float, listed: Sequence[Route]) -> Fraction | None:
    amounts = [route.amount for route in listed]
    if not all(map(isfinite, (gradient, *amounts))):
        return None
    return Fraction(gradient) - sum(map(Fraction, amounts), Fraction(0))


def _noise(passed: Trace) -> float:
    """What roundings may do to the loss while the weight moves: those of each node that moves with it."""
    graph = passed.graph
    moving = (abs(passed.grads[i] * passed.values[i]) for i in range(len(graph)) if graph.active[i])
    return EPSILON * sum(filter(isfinite, moving))


def _rerun(run: Run, weight: Value) -> Callable[[float], float]:
    """The loss as a plain function of one weight: the model is run again, and nothing is recorded."""

    def loss(x: float) -> float:
        before = weight.data
        weight.data = x
        try:
            with no_grad():
                return float(run.forward().data)
        finally:
            weight.data = before

    return loss


def _next(run: Run, weight: Value) -> float | None:
    """Take the step, on the copy, and look."""
    return float(weight.data) if run.advance().taken else None
