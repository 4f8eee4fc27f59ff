"""Subject of an x-ray: the loss, the model, the optimizer and the inputs, and what has been seen of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .build_record import BuildRecord
from .report import XrayRemark

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from .backward_record import BackwardRecord
    from .forward_record import ForwardRecord
    from .program_state import RandomState

__all__ = ["XrayEvidence", "XraySubject"]


@dataclass(eq=False)
class XraySubject:
    """What is examined, as the caller gave it."""

    make_loss: Callable[[], Any] | None  # None where only a step is given, which makes its own
    model: nn.Module | None = None
    optimizer: Optimizer | None = None
    inputs: Sequence[Any] | None = None
    build: BuildRecord = field(default_factory=BuildRecord)
    intended: frozenset[str] = frozenset()
    step: Callable[[], Any] | None = None  # one step of the program's own loop


@dataclass(eq=False)
class XrayEvidence:
    """What the runs of a subject have shown; the findings are read off it."""

    subject: XraySubject
    forward: ForwardRecord
    backward: BackwardRecord | None
    generators: RandomState
    repeatable: bool = True  # does make_loss give the same again?
    trained: int = 0  # the bits of the parameters that are to be trained
    seconds: float = 60.0  # for the probes
    remarks: list[XrayRemark] = field(default_factory=list)

    def again(self) -> Any:
        """The loss once more, from the same random numbers."""
        self.generators.restore()
        assert self.subject.make_loss is not None
        return self.subject.make_loss()
