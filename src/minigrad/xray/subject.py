"""Subject of an x-ray: the loss, the model, the optimizer and the inputs, and what has been seen of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Any

from .build_record import BuildRecord
from .report import XrayRemark

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from ..doctor.rules import CallRecord
    from .backward_record import BackwardRecord
    from .forward_record import ForwardRecord, ModuleCall, TorchCall
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
    rules: CallRecord | None = None  # the custom Functions that the forward pass called
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
    deadline: float = 0.0  # of the probes
    remarks: list[XrayRemark] = field(default_factory=list)

    def again(self) -> Any:
        """The loss once more, from the same random numbers."""
        self.generators.restore()
        assert self.subject.make_loss is not None
        return self.subject.make_loss()

    def late(self) -> bool:
        """Is the time of the probes over?  Then the report says so."""
        if monotonic() < self.deadline:
            return False
        remark = XrayRemark("time")
        if remark not in self.remarks:
            self.remarks.append(remark)
        return True

    @cached_property
    def reaching(self) -> set[int]:
        """The indices of the calls that the loss depends on."""
        return self.forward.reaching(self.forward.loss_note)

    @cached_property
    def users(self) -> dict[int, list[TorchCall]]:
        return self.forward.users()

    def files(self) -> tuple[str, ...]:
        """The files of the program, as far as they have called anything."""
        return tuple(dict.fromkeys(place.file for call in self.forward.calls for place in call.places))

    @cached_property
    def entrance(self) -> ModuleCall | None:
        """The call of the model, or of a part of it, that the probes repeat: the first one that is given one
        of the subject's inputs; without these, the first one that is given a tensor."""
        outer = [call for call in self.forward.module_calls if call.parent is None and call.inside]
        taking = [call for call in outer if _tensors_of(call)]
        own = {id(each) for each in self._inputs}
        named = (call for call in taking if any(id(each) in own for each in _tensors_of(call)))
        return next(named, next(iter(taking), None))

    @cached_property
    def given(self) -> Any:
        """The tensor of the entrance of which the probes replace parts."""
        assert self.entrance is not None
        tensors, own = _tensors_of(self.entrance), {id(each) for each in self._inputs}
        return next((each for each in tensors if id(each) in own), tensors[0])

    def takes_inputs(self) -> bool:
        """Is one of the subject's inputs, where it has any, what the model was called with?"""
        own = {id(each) for each in self._inputs}
        return not own or (self.entrance is not None and id(self.given) in own)

    @property
    def _inputs(self) -> list[Any]:
        from .forward_record import tensors_in

        return list(tensors_in(self.subject.inputs or ()))

    @cached_property
    def batch(self) -> int:
        """The length of the first axis of what the model is given."""
        if self.entrance is None:
            return 0
        return int(self.given.shape[0]) if self.given.dim() else 0

    # ---- gradients -------------------------------------------------------------------------

    @cached_property
    def _gradients(self) -> dict[int, Any]:
        """The gradient of the loss with respect to what each call gave, by the key of its note."""
        import torch

        rows = [
            (note.key, note.value)
            for call in self.forward.calls
            for note in call.outputs[:1]
            if note.requires_grad and not note.leaf and note.floating and note.value is not None
        ]
        rows = [row for row in rows if row[1] is not self.forward.loss and row[1].requires_grad]
        loss = self.forward.loss
        if not rows or self.backward is None:
            return {}
        try:
            found = torch.autograd.grad(
                loss, [row[1] for row in rows], torch.ones_like(loss), retain_graph=True, allow_unused=True
            )
        except RuntimeError:
            return {}
        return {key: each for (key, _), each in zip(rows, found, strict=True)}

    def arrived(self, call: TorchCall) -> Any:
        """The gradient of the loss with respect to what a call gave; None where there is none."""
        return self._gradients.get(call.outputs[0].key) if call.outputs else None

    def starved(self, call: TorchCall) -> int:
        """The parameters before a call whose gradient is there and zero throughout."""
        bits = 0
        for at, count in (self.backward.gradients if self.backward is not None else {}).items():
            if count is not None and count.all_zero and count.size:
                bits |= 1 << at
        return bits & self.trained & (call.inputs[0].reaches if call.inputs else 0)

    def passes(self, call: TorchCall) -> bool:
        """Does anything of what arrived at a call go on to its first input?"""
        import torch

        given, taken, arrived = call.outputs[0].value, call.inputs[0].value, self.arrived(call)
        if given is None or taken is None or arrived is None or not taken.requires_grad:
            return True
        try:
            (sent,) = torch.autograd.grad(given, [taken], arrived, retain_graph=True, allow_unused=True)
        except RuntimeError:
            return True
        return sent is not None and bool((sent != 0).any())

    def without_samples(self, call: TorchCall, rows: Any) -> bool:
        """Do these rows of what a call gave send nothing to any parameter?"""
        import torch

        given, arrived = call.outputs[0].value, self.arrived(call)
        leaves = [leaf for at, leaf in enumerate(self.forward.leaves) if call.outputs[0].reaches >> at & 1]
        mask = rows.reshape(-1, *[1] * (arrived.dim() - 1)).to(arrived.dtype)
        try:
            sent = torch.autograd.grad(given, leaves, arrived * mask, retain_graph=True, allow_unused=True)
        except RuntimeError:
            return False
        return all(each is None or not bool((each != 0).any()) for each in sent)

    @cached_property
    def _still_zero(self) -> int:
        import torch

        from .program_state import preserved

        before = self.backward.gradients if self.backward is not None else {}
        zero = sum(1 << at for at, count in before.items() if count is not None and count.all_zero)
        if not zero or self.subject.make_loss is None:
            return zero
        optimizer = self.subject.optimizer
        with preserved(self.subject.model, optimizer, self.forward.leaves):
            try:
                if optimizer is not None:
                    optimizer.step()
                else:
                    with torch.no_grad():
                        for leaf in self.forward.leaves:
                            if leaf.grad is not None:
                                leaf.sub_(1e-2 * leaf.grad.sign())
                rows = [at for at in before if zero >> at & 1]
                found = torch.autograd.grad(
                    self.again(), [self.forward.leaves[at] for at in rows], allow_unused=True
                )
            except (RuntimeError, TypeError):
                return zero
        return sum(
            1 << at
            for at, each in zip(rows, found, strict=True)
            if each is not None and not bool((each != 0).any())
        )

    def still_zero(self) -> int:
        """The parameters whose gradient is zero throughout, and still is after a step."""
        return self._still_zero


def _tensors_of(call: ModuleCall) -> list[Any]:
    """What a module was called with, as far as it is tensors."""
    from .forward_record import tensors_in

    return list(tensors_in((call.arguments, call.options)))
