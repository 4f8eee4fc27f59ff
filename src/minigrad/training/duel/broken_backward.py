"""A broken backward pass for a training loop: it fills the parameters' `.grad`, and is measured.

Each step makes a new graph.  The engine's own pass gives the right gradient at these weights; the walker of
`trace.py`, with the fault's piece swapped, gives the broken one, and that is what the optimiser gets.  What
a fault does from step to step is in its row (`Fault.across`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import atan2, degrees, hypot, isfinite

from ...faults import Suspect
from ...graph import INPUT, Graph
from ...graph.trace import RIGHT, Walk
from ...scalar import Value

__all__ = ["BrokenBackward", "angle", "ratio"]

CLOSE = 1e-10  # of the largest gradient: what another order of additions may do


class BrokenBackward:
    """Called with the loss of each step; the angles and the ratios of the norms are kept, step by step."""

    def __init__(self, suspect: Suspect, parameters: Mapping[str, Value]) -> None:
        self.suspect = suspect
        self.parameters = parameters
        self.pieces = RIGHT if suspect.fault.across else suspect.pieces()
        self.angles: list[float | None] = []
        self.ratios: list[float | None] = []
        self.equal = True  # so far, is every gradient the right one?
        self._before: Walk | None = None
        self._left = dict.fromkeys(parameters, 0.0)

    def __call__(self, loss: Value) -> None:
        loss.backward()
        right = {name: float(value.grad) for name, value in self.parameters.items()}
        broken = self._broken(loss, right)
        for name, value in self.parameters.items():
            value.grad = broken[name]
        theirs, ours = list(right.values()), list(broken.values())
        self.angles.append(angle(theirs, ours))
        self.ratios.append(ratio(theirs, ours))
        self.equal = self.equal and _alike(theirs, ours)

    def _broken(self, loss: Value, right: Mapping[str, float]) -> dict[str, float]:
        across = self.suspect.fault.across
        if across == "one-graph":
            return dict(right)
        if across == "kept":
            self._left = {name: self._left[name] + grad for name, grad in right.items()}
            return self._left
        walk = self.pieces.begin(Graph.of(loss))
        self.pieces.run(walk)
        found = dict.fromkeys(right, 0.0) | _leaves(walk)
        if across == "sent-again":
            if self._before is not None:
                for name, extra in _sent_again(self._before).items():
                    found[name] += extra
            self._before = walk
        return found


def _leaves(walk: Walk) -> dict[str, float]:
    """The gradients of the parameters, by the labels that they have."""
    return {
        node.label: walk.grads[i]
        for i, node in enumerate(walk.graph.nodes)
        if node.op == INPUT and node.label
    }


def _sent_again(walk: Walk) -> dict[str, float]:
    """What a walk that is over sends when its nodes have their turns once more, with what they hold."""
    for i, node in enumerate(walk.graph.nodes):
        if not node.args:
            walk.grads[i] = 0.0
    walk.pieces.run(walk)
    return _leaves(walk)


# ---- how far off ----------------------------------------------------------------------------------


def angle(right: Sequence[float], broken: Sequence[float]) -> float | None:
    """The degrees between two gradients, 0 to 180; None where one of them is 0 or no number."""
    first, second = hypot(*right), hypot(*broken)
    if not (first and second and isfinite(first) and isfinite(second)):
        return None
    pairs = [(x / first, y / second) for x, y in zip(right, broken, strict=True)]
    apart = hypot(*(x - y for x, y in pairs))
    together = hypot(*(x + y for x, y in pairs))
    return degrees(2.0 * atan2(apart, together))  # an arc cosine would lose half of the digits near 0


def ratio(right: Sequence[float], broken: Sequence[float]) -> float | None:
    """How many times as long the broken gradient is; None where that is no number."""
    first, second = hypot(*right), hypot(*broken)
    return second / first if first and isfinite(first) and isfinite(second) else None


def _alike(right: Sequence[float], broken: Sequence[float]) -> bool:
    size = max(map(abs, right), default=0.0)
    return all(x == y or abs(x - y) <= CLOSE * size for x, y in zip(right, broken, strict=True))
