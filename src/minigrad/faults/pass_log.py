"""The log of a broken pass: what a print statement in the loop would say, beside the right pass.

One entry per message, in the order in which they were sent.  An entry that leaves the right pass says
in which way; the first one is where to look.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..graph.trace import Flow, Seed, Trace
from ..graph.trace import trace as walk_through
from .contributions import same

__all__ = ["LogEntry", "log"]


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log.  `kind` is "" where it is as it should be, else one of

    value    a node's number is wrong before any gradient is computed
    seed     the output starts from another gradient
    total    the gradient of a node does not become what it should
    missing  a message was never sent
    again    a node sends a second time
    early    a node sends before all of its own gradient has arrived
    extra    a message to a node that is owed none
    end      a gradient is written to after the last message
    """

    kind: str
    node: int  # whose number it is about
    source: int  # whose turn it is; -1 for nobody's
    before: float
    after: float
    due_before: float
    due_after: float
    upstream: float = 0.0  # what the source had to pass on
    due_node: int = -1  # whose number it should have been about, of a message


def log(right: Trace, broken: Trace) -> list[LogEntry]:
    entries = _values(right, broken)
    own_seed = [event for event in broken.events if isinstance(event, Seed)]
    for seed, due in zip(own_seed, [e for e in right.events if isinstance(e, Seed)], strict=False):
        kind = "" if same(seed.grad, due.grad) else "seed"
        entries.append(LogEntry(kind, seed.node, -1, 0.0, seed.grad, 0.0, due.grad))
    flows = [event for event in broken.events if isinstance(event, Flow)]
    if _valid(right, broken):
        entries += _side_by_side(walk_through(right.graph, order=broken.order), flows)
    else:
        entries += _by_message(right, flows)
    return entries + _at_the_end(right, broken)


def _values(right: Trace, broken: Trace) -> list[LogEntry]:
    """A wrong forward pass: the first node whose number is not what it should be."""
    for i, (x, y) in enumerate(zip(right.values, broken.values, strict=True)):
        if not same(x, y):
            return [LogEntry("value", i, -1, 0.0, y, 0.0, x)]
    return []


def _valid(right: Trace, broken: Trace) -> bool:
    """Is the order that was walked one of the right pass?"""
    nodes = right.graph.nodes
    ops = [i for i in broken.order if nodes[i].args]
    if sorted(ops) != sorted(i for i in right.order if nodes[i].args):
        return False
    done: set[int] = set()
    for i in ops:
        done.add(i)
        if any(arg in done for arg in nodes[i].args):
            return False
    return True


def _side_by_side(right: Trace, flows: list[Flow]) -> list[LogEntry]:
    """Both passes take the same turns: each message is held against the one that is due."""
    due: dict[int, list[Flow]] = {}
    for event in right.events:
        if isinstance(event, Flow):
            due.setdefault(event.source, []).append(event)
    sent: dict[int, list[Flow]] = {}
    for message in flows:
        sent.setdefault(message.source, []).append(message)
    entries = []
    for source in right.order:
        for flow, owed in _paired(sent.get(source, []), due.get(source, [])):
            if flow is None:
                assert owed is not None
                entries.append(LogEntry("missing", owed.target, source, 0.0, 0.0, owed.before, owed.after))
            elif owed is None:
                entries.append(_entry("extra", flow, None))
            else:
                entries.append(_entry("" if _as_due(flow, owed) else "total", flow, owed))
    return entries


def _paired(sent: list[Flow], due: list[Flow]) -> list[tuple[Flow | None, Flow | None]]:
    """The messages of one turn beside those that are due: of the same slot, else to the same node."""
    by_slot = {flow.slot: flow for flow in sent}
    pairs: list[tuple[Flow | None, Flow | None]] = []
    for owed in due:
        to_it = (slot for slot, other in by_slot.items() if other.target == owed.target)
        slot = owed.slot if owed.slot in by_slot else next(to_it, -1)
        pairs.append((by_slot.pop(slot, None), owed))
    return [*pairs, *((flow, None) for flow in by_slot.values())]


def _by_message(right: Trace, flows: list[Flow]) -> list[LogEntry]:
    """The broken pass goes its own way: its messages are looked up, whenever they come."""
    due = {(event.source, event.slot): event for event in right.events if isinstance(event, Flow)}
    sent: set[tuple[int, int]] = set()
    entries = []
    for flow in flows:
        key = flow.source, flow.slot
        if key in sent:
            kind = "again"
        elif key not in due:
            kind = "extra"
        elif not same(flow.upstream, right.grads[flow.source]):
            kind = "early"
        else:
            kind = "" if same(flow.amount, due[key].amount) and _added(flow) else "total"
        sent.add(key)
        entries.append(_entry(kind, flow, due.get(key)))
    for key, owed in due.items():
        if key not in sent:
            entries.append(LogEntry("missing", owed.target, owed.source, 0.0, 0.0, owed.before, owed.after))
    return entries


def _entry(kind: str, flow: Flow, owed: Flow | None) -> LogEntry:
    before, after = (owed.before, owed.after) if owed is not None else (flow.before, flow.before)
    due_node = owed.target if owed is not None else flow.target
    return LogEntry(
        kind, flow.target, flow.source, flow.before, flow.after, before, after, flow.upstream, due_node
    )


def _added(flow: Flow) -> bool:
    return same(flow.after, flow.before + flow.amount)


def _as_due(flow: Flow, owed: Flow) -> bool:
    size = max(abs(owed.before), abs(owed.amount))
    return (
        flow.target == owed.target
        and same(flow.before, owed.before, size)
        and same(flow.after, owed.after, size)
    )


def _at_the_end(right: Trace, broken: Trace) -> list[LogEntry]:
    """Gradients that are not what the last message to them left."""
    totals: dict[int, float] = {}
    for event in broken.events:
        if isinstance(event, Seed):
            totals[event.node] = event.grad
        else:
            totals[event.target] = event.after
    return [
        LogEntry("end", i, -1, totals.get(i, 0.0), broken.grads[i], right.grads[i], right.grads[i])
        for i in right.graph.order
        if not same(totals.get(i, 0.0), broken.grads[i]) and not same(broken.grads[i], right.grads[i])
    ]
