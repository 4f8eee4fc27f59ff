"""When the things of a pass happen: at which step of the timeline each number arrives.

Drawings write these steps down beside what they draw, so that the player can show any moment of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..graph.trace import Flow, Trace
from .timeline import FLOW, FORWARD, SEED, steps
from .trace_cache import remembered

__all__ = ["Moments", "moments"]


@dataclass(frozen=True, slots=True)
class Moments:
    """The steps of one trace, by what they are about."""

    forward: Mapping[int, int]  # when an op has its data; a leaf has it from the start
    seed: Mapping[int, int]  # when the output has its seed
    arriving: Mapping[int, Sequence[tuple[int, Flow]]]  # the contributions to a node, and when they come
    leaving: Mapping[int, Sequence[tuple[int, Flow]]]  # those that a node sends
    sent: Mapping[tuple[int, int], tuple[int, Flow]]  # the last one that went through a slot

    def known(self, node: int) -> int:
        """When a node has the gradient that it keeps."""
        arriving = self.arriving.get(node)
        return arriving[-1][0] if arriving else self.seed.get(node, 0)

    def shared(self, node: int) -> bool:
        """Do several contributions meet in this node?"""
        return len(self.arriving.get(node, ())) > 1


@remembered
def moments(trace: Trace) -> Moments:
    """The steps of a trace, looked up once."""
    forward: dict[int, int] = {}
    seed: dict[int, int] = {}
    arriving: dict[int, list[tuple[int, Flow]]] = {}
    leaving: dict[int, list[tuple[int, Flow]]] = {}
    sent: dict[tuple[int, int], tuple[int, Flow]] = {}
    for at, step in enumerate(steps(trace)):
        if step.kind == FORWARD:
            forward[step.node] = at
        elif step.kind == SEED:
            seed[step.node] = at
        elif step.kind == FLOW and step.event is not None:
            event = trace.events[step.event]
            if isinstance(event, Flow):
                arriving.setdefault(event.target, []).append((at, event))
                leaving.setdefault(event.source, []).append((at, event))
                sent[event.source, event.slot] = (at, event)
    return Moments(forward, seed, arriving, leaving, sent)
