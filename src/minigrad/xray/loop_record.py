"""Record of a training loop: what zeroes, accumulates, clips, scales and uses the gradients, in which order.

    with record(model, optimizer) as seen:
        for x, y in batches: ...        # the loop as it is
    print(seen.report())

The loop computes what it would have computed.  Of the graphs, those of the last two steps are kept.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .build_record import BuildRecord
from .forward_record import HELD, Recorder, tensors_in
from .program_place import NOWHERE, ProgramPlace, stack_here
from .report import XrayRemark

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from .forward_record import TensorNote
    from .report import XrayReport

__all__ = ["LoopEvent", "LoopRecord", "record", "recording_loop"]

CLIPS = {"_foreach_mul_", "mul_", "clamp_", "_foreach_clamp_min_", "_foreach_clamp_max_", "_foreach_norm"}
MOST = 4000  # events that are kept
MOST_NODES = 200_000  # of a graph, that are compared with those of the last step


@dataclass(slots=True, eq=False)
class LoopEvent:
    """One thing that the loop did: backward, zero_grad, step, clip, scale, unscale."""

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
    intended: frozenset[str] = frozenset()
    recorder: Any = None
    remarks: list[XrayRemark] = field(default_factory=list)
    modules: list[Any] = field(default_factory=list)  # that the program called, and no other module did
    optimizers: list[Any] = field(default_factory=list)  # that took a step
    _walked: dict[Any, int] = field(default_factory=dict)  # nodes, and in which step they were walked last
    _roots: list[tuple[Any, int, float]] = field(
        default_factory=list
    )  # with the step and the parameters' sum
    _stepped: dict[int, int] = field(default_factory=dict)  # parameters, and the last step that took them
    steps: int = 0

    def add(self, kind: str, **detail: Any) -> None:
        if len(self.events) < MOST:
            self.events.append(LoopEvent(kind, stack_here(3)[0], detail))

    def parameters(self) -> list[Any]:
        groups = self.optimizer.param_groups if self.optimizer is not None else ()
        held = [each for group in groups for each in group["params"]]
        return held or (list(self.model.parameters()) if self.model is not None else [])

    def see_backward(self, tensors: Any) -> None:
        """A backward pass is about to begin."""
        from .backward_record import nodes_of

        roots = list(tensors if isinstance(tensors, (list, tuple)) else [tensors])
        nodes = [node for root in roots for node in nodes_of(root.grad_fn)][:MOST_NODES]
        own = [node for node in nodes if not hasattr(node, "variable")]
        if self.recorder is not None:
            calls = self.recorder.record.module_calls
            _add_new(self.modules, [call.module for call in calls if call.parent is None])
        state = self._sum()
        inside = set(own)
        twice = [step for root, step, _ in self._roots if root in inside]
        moved = [before != state for root, _, before in self._roots if root in inside]
        note = self._note(roots[0]) if roots else None
        self.add(
            "backward",
            dirty=[at for at, each in enumerate(self.parameters()) if _is_fed(each)],
            twice=bool(twice),
            moved=any(moved),
            older=self._has_moved([node for node in own if self._walked.get(node, self.steps) < self.steps]),
            training=None if self.model is None else any(each.training for each in self.model.modules()),
            loss=note,
            joined=self._joined(note),
            inputs=self._inputs(),
            ops=frozenset(Counter(node.name() for node in own).items()),
            leaves=frozenset(id(node.variable) for node in nodes if hasattr(node, "variable")),
        )
        self._roots = [*self._roots, *((root.grad_fn, self.steps, state) for root in roots)][-64:]
        self._walked = {node: step for node, step in self._walked.items() if step >= self.steps - 1}
        self._walked.update(dict.fromkeys(own, self.steps))

    def _has_moved(self, older: list[Any]) -> bool:
        """Has an optimizer stepped, since nodes of an earlier step were walked, on what these depend on?"""
        from .backward_record import nodes_of

        seen: set[Any] = set()
        for node in older:
            if node not in seen:
                seen.update(nodes_of(node))
        since = min((self._walked[node] for node in older), default=0)
        leaves = (node.variable for node in seen if hasattr(node, "variable"))
        return any(self._stepped.get(id(leaf), -1) >= since for leaf in leaves)

    def _sum(self) -> float:
        """A number that changes when the parameters do."""
        return sum(float(each.detach().double().sum()) for each in self.parameters())

    def _note(self, root: Any) -> TensorNote | None:
        return self.recorder.note(root) if self.recorder is not None else None

    def _joined(self, note: TensorNote | None) -> ProgramPlace | None:
        return note.producer.place if note is not None and note.producer is not None else None

    def _inputs(self) -> tuple[int, ...]:
        """Where in memory the first input of the last call of the model lies: (storage, offset)."""
        if self.recorder is None:
            return ()
        calls = [call for call in self.recorder.record.module_calls if call.parent is None and call.inside]
        for tensor in tensors_in((calls[-1].arguments, calls[-1].options)) if calls else ():
            return int(tensor.untyped_storage().data_ptr()), int(tensor.storage_offset())
        return ()

    def see_step(self, optimizer: Any) -> None:
        held = [each for group in optimizer.param_groups for each in group["params"]]
        own = {id(each) for each in self.model.parameters()} if self.model is not None else set()
        self.add(
            "step",
            fed=sum(_is_fed(each) for each in held),
            of=len(held),
            own=self.optimizer is None or optimizer is self.optimizer,
            trains=any(id(each) in own for each in held),
            used=frozenset(id(each.grad) for each in held if each.grad is not None),
            optimizer=optimizer,
        )
        _add_new(self.optimizers, [optimizer])
        self._stepped.update(dict.fromkeys(map(id, held), self.steps))
        self.steps += 1
        if self.recorder is not None and self.steps > 2:
            self.recorder.record.calls.clear()
            self.recorder.record.module_calls.clear()

    def report(self) -> XrayReport:
        """What the loop showed."""
        from .examination import unintended
        from .findings import LOOP_FINDINGS
        from .report import NOT_EXAMINED, XrayReport

        if not any(event.kind == "backward" for event in self.events):
            return XrayReport(NOT_EXAMINED, remarks=(XrayRemark("no_backward"), *self.remarks))
        entries = [entry for find in LOOP_FINDINGS for entry in find(self)]
        return XrayReport.of(
            unintended(entries, self.intended), self.remarks, [("steps", str(self.steps))], self
        )


def _add_new(things: list[Any], more: list[Any]) -> None:
    known = {id(each) for each in things}
    things += {id(each): each for each in more if id(each) not in known}.values()


def _is_fed(parameter: Any) -> bool:
    gradient = parameter.grad
    if gradient is not None and gradient.is_sparse:
        gradient = gradient.coalesce().values()
    return gradient is not None and bool((gradient != 0).any())


@contextmanager
def record(
    model: nn.Module | None = None,
    optimizer: Optimizer | None = None,
    *,
    intended: tuple[str, ...] = (),
) -> Iterator[LoopRecord]:
    """Record the steps of a loop that run inside the block."""
    from .examination import check_intended, check_program

    settled = check_intended(intended)
    check_program(model, optimizer)
    seen = LoopRecord(model, optimizer, BuildRecord(), intended=settled)
    if os.environ.get("WORLD_SIZE", "1") != "1":
        seen.remarks.append(XrayRemark("distributed"))
    with recording_loop(seen):
        yield seen


@contextmanager
def recording_loop(seen: LoopRecord) -> Iterator[LoopRecord]:
    """Let a record see what happens in the block; PyTorch is as before when it ends."""
    import torch
    from torch.amp.grad_scaler import GradScaler
    from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
    from torch.overrides import TorchFunctionMode

    seen.recorder = recorder = Recorder(seen.model, HELD)

    class ClipMode(TorchFunctionMode):  # type: ignore[misc]
        def __torch_function__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
        ) -> Any:
            if getattr(func, "__name__", "") in CLIPS:
                places, through = stack_here(2)
                if any(":nn/utils/clip_grad.py:" in step for step in through) and not (
                    seen.events and seen.events[-1].kind == "clip" and seen.events[-1].places == places
                ):
                    clipped = frozenset(map(id, tensors_in(args)))
                    seen.events.append(LoopEvent("clip", places, {"clipped": clipped}))
            return func(*args, **(kwargs or {}))

    with ExitStack() as opened:

        def patch(owner: Any, name: str, watch: Any) -> None:
            before = getattr(owner, name)

            def watched(*args: Any, **kwargs: Any) -> Any:
                watch(*args, **kwargs)
                return before(*args, **kwargs)

            opened.callback(setattr, owner, name, before)
            setattr(owner, name, watched)

        patch(torch.autograd, "backward", lambda tensors, *_, **__: seen.see_backward(tensors))
        patch(torch.optim.Optimizer, "zero_grad", lambda optimizer, *_, **__: seen.add("zero_grad"))
        patch(torch.nn.Module, "zero_grad", lambda module, *_, **__: seen.add("zero_grad"))
        patch(GradScaler, "scale", lambda scaler, *_: seen.add("scale", on=scaler.is_enabled()))
        patch(GradScaler, "unscale_", lambda scaler, *_: seen.add("unscale", on=scaler.is_enabled()))
        patch(GradScaler, "step", lambda scaler, *_, **__: seen.add("scaled_step", on=scaler.is_enabled()))
        # a step that is given a closure makes its backward pass itself, and uses the gradients after it
        for register, closed in (
            (register_optimizer_step_pre_hook, False),
            (register_optimizer_step_post_hook, True),
        ):

            def look(optimizer: Any, args: Any, kwargs: Any, closed: bool = closed) -> None:
                if any(map(callable, (*args[1:], *kwargs.values()))) == closed:
                    seen.see_step(optimizer)

            opened.callback(register(look).remove)
        opened.enter_context(recorder.running())
        opened.enter_context(ClipMode())
        yield seen
