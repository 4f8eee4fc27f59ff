"""Record of a training loop: what zeroes, accumulates, clips, scales and uses the gradients, in which order.

    with record(model, optimizer) as seen:
        for x, y in batches: ...        # the loop as it is
    print(seen.report())

The loop computes what it would have computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .build_record import BuildRecord
from .program_place import NOWHERE, ProgramPlace, stack_here

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from .report import XrayReport

__all__ = ["LoopEvent", "LoopRecord", "record", "recording_loop"]


@dataclass(slots=True, eq=False)
class LoopEvent:
    """One thing that the loop did: backward, zero_grad, step, clip."""

    kind: str
    places: tuple[ProgramPlace, ...]
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def place(self) -> ProgramPlace:
        return self.places[0] if self.places else NOWHERE


@dataclass(eq=False)
class LoopRecord:
    """The events of a loop, in order."""

    model: Any
    optimizer: Any
    build: BuildRecord
    events: list[LoopEvent] = field(default_factory=list)

    def add(self, kind: str, **detail: Any) -> LoopEvent:
        event = LoopEvent(kind, stack_here(3)[0], detail)
        self.events.append(event)
        return event

    def report(self) -> XrayReport:
        """What the loop showed."""
        from .findings import LOOP_FINDINGS
        from .report import XrayReport

        return XrayReport.of([entry for find in LOOP_FINDINGS for entry in find(self)])


@contextmanager
def record(model: nn.Module | None = None, optimizer: Optimizer | None = None) -> Iterator[LoopRecord]:
    """Record the steps of a loop that run inside the block."""
    with recording_loop(LoopRecord(model, optimizer, BuildRecord())) as seen:
        yield seen


@contextmanager
def recording_loop(seen: LoopRecord) -> Iterator[LoopRecord]:
    """Let a record see what happens in the block; PyTorch is as before when it ends."""
    import torch

    with ExitStack() as opened:

        def patch(owner: Any, name: str, function: Any) -> None:
            opened.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, function)

        backward = torch.autograd.backward

        def watched(tensors: Any, *args: Any, **kwargs: Any) -> None:
            seen.add("backward")
            backward(tensors, *args, **kwargs)

        patch(torch.autograd, "backward", watched)
        yield seen
