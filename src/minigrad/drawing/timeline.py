"""The one clock of every drawing and of the player: the steps of a trace, forward and then backward.

Step 0 shows the leaves.  Then each op gets its data, oldest first; then the output gets its seed; then
the contributions arrive one by one.  A frame at time t shows everything up to and including step t.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..graph.trace import Flow, Trace

__all__ = ["FLOW", "FORWARD", "INPUTS", "SEED", "Step", "steps"]

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
