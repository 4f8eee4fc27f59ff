"""Timeline of a trace: its steps, forward and then backward, and the step at which each number arrives.

Step 0 shows the leaves.  Then each op gets its data, oldest first; then the output gets its seed; then
the contributions arrive one by one.  A frame at time t shows everything up to and including step t.
It is the one clock of every drawing and of the player: drawings write these steps down beside what they draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..graph.trace import Flow, Trace
from .trace_cache import remember_last

__all__ = ["FLOW", "FORWARD", "INPUTS", "SEED", "Step", "StepTimes", "step_times", "steps"]

INPUTS, FORWARD, SEED, FLOW = "inputs", "forward", "seed", "flow"


@dataclass(frozen=True, slots=True)
class Step:
    kind: str
    node: int  # whose data or grad changes; -1 for all the leaves at once
    event: int | None = None  # its place in trace.events


def steps(trace: Trace) -> tuple[Step, ...]:
    """All of them; the time of a step is its place."""
    forward = [Step(FORWARD, i) for i, node in enumerate(trace.graph.nodes) if node.args]
    backward = [
        Step(FLOW, event.target, at) if isinstance(event, Flow) else Step(SEED, event.node, at)
        for at, event in enumerate(trace.events)
    ]
    return (Step(INPUTS, -1), *forward, *backward)


@dataclass(frozen=True, slots=True)
class StepTimes:
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


@remember_last
def step_times(trace: Trace) -> StepTimes:
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
    return StepTimes(forward, seed, arriving, leaving, sent)
