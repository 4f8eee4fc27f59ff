"""Examination of a program: its loss is run and recorded, probed, and the findings are read off the evidence.

    report = xray(make_loss, model=model, optimizer=optimizer)

The program is left as it was.  What takes longer than its budget is left, and the report says so.
"""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..errors import MinigradError
from ..text.excerpts import describe
from ..text.translation import say
from .build_record import BuildRecord, OptimizerMade
from .report import FAMILIES, NOT_EXAMINED, SUSPECT, XrayEntry, XrayRemark, XrayReport
from .subject import XrayEvidence, XraySubject

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from .loop_record import LoopEvent, LoopRecord

__all__ = [
    "XrayError",
    "assert_healthy",
    "check_intended",
    "check_program",
    "examine",
    "takes_nothing",
    "unintended",
    "xray",
]

STEPS = 3  # of the loop, that are watched
MOST_PASSES = 6  # backward passes of a step whose losses are examined
SECONDS = 60.0  # for the probes that run the loss again


class XrayError(MinigradError, ValueError):
    """What was given cannot be examined: the code of the reason, and what it speaks of."""

    def __init__(self, code: str, **detail: str) -> None:
        super().__init__(say(f"xray.{code}", **detail))
        self.code, self.detail = code, detail


def xray(
    make_loss: Callable[[], Any],
    *,
    model: nn.Module | None = None,
    optimizer: Optimizer | None = None,
    inputs: Sequence[Any] | None = None,
    intended: Sequence[str] = (),
    seconds: float = SECONDS,
) -> XrayReport:
    """Explain and examine the gradients of the loss that `make_loss()` gives.

    `inputs` are tensors that the loss hands to the model.  Their samples are replaced, one at a time, to see
    which outputs depend on them; without them, those of the first tensor that the model is called with.
    `intended` names families, or lines as "file.py:12", that are on purpose.
    """
    settled = check_intended(intended)
    check_program(model, optimizer)
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0:
        raise XrayError("seconds", given=describe(seconds))
    subject = XraySubject(make_loss, model, optimizer, _sequence_of(inputs), BuildRecord(), settled)
    if not callable(make_loss):
        raise XrayError("loss_call", given=type(make_loss).__name__)
    if not takes_nothing(make_loss):
        code = getattr(make_loss, "__code__", None)
        file = os.path.basename(code.co_filename) if code is not None else type(make_loss).__module__
        raise XrayError("loss_arguments", name=name_of(make_loss), file=file)
    return examine(subject, seconds)


def check_intended(words: Sequence[str]) -> frozenset[str]:
    """What is intended, as a set; what names neither a family nor a line is refused: it settles nothing."""
    given = (words,) if isinstance(words, str) else words
    if not isinstance(given, Iterable):
        raise XrayError("intended", given=describe(given), known=", ".join(FAMILIES))
    for word in (found := tuple(given)):
        if not isinstance(word, str) or (word not in FAMILIES and not re.fullmatch(r".+:[1-9]\d*", word)):
            raise XrayError("intended", given=describe(word), known=", ".join(FAMILIES))
    return frozenset(found)


def check_program(model: object, optimizer: object) -> None:
    """Refuse what is no model of PyTorch, and what is no optimizer."""
    import torch

    if model is not None and not isinstance(model, torch.nn.Module):
        raise XrayError("model_kind", given=describe(model))
    if optimizer is not None and not isinstance(getattr(optimizer, "param_groups", None), list):
        raise XrayError("optimizer_kind", given=describe(optimizer))


def _sequence_of(inputs: Any) -> Sequence[Any] | None:
    import torch

    if inputs is None or isinstance(inputs, (list, tuple)):
        return inputs
    if isinstance(inputs, torch.Tensor):
        return (inputs,)
    raise XrayError("inputs_kind", given=describe(inputs))


def takes_nothing(function: Any) -> bool:
    """Can it be called without arguments?"""
    try:
        inspect.signature(function).bind()
    except TypeError:
        return False
    except ValueError:  # it does not say what it takes
        return True
    return True


def assert_healthy(
    make_loss: Callable[[], Any],
    *,
    model: nn.Module | None = None,
    optimizer: Optimizer | None = None,
    inputs: Sequence[Any] | None = None,
    intended: Sequence[str] = (),
) -> None:
    """Raise AssertionError with the report where there is a finding, or nothing could be examined."""
    report = xray(make_loss, model=model, optimizer=optimizer, inputs=inputs, intended=intended)
    if report.verdict in (SUSPECT, NOT_EXAMINED):
        raise AssertionError("\n" + report.text())


def examine(subject: XraySubject, seconds: float = SECONDS) -> XrayReport:
    """The report on a subject: on its loss, and on its own steps where it has a function for them."""
    entries: list[XrayEntry] = []
    remarks: list[XrayRemark] = []
    seen: list[tuple[str, str]] = []
    _check_parameters(subject.model)
    if subject.make_loss is not None:
        entries, remarks, seen = _examine_loss(subject, seconds)
    if subject.step is not None:
        loop, first = _examine_steps(subject)
        report = loop.report()
        if subject.make_loss is None:
            subject, entries, remarks, seen = _examine_passes(subject, loop, first, seconds)
        remarks += report.remarks
        seen += report.seen
        entries += report.entries
    return XrayReport.of(unintended(entries, subject.intended), remarks, seen, subject)


def _check_parameters(model: nn.Module | None) -> None:
    """Refuse a model whose parameters have no shape yet."""
    from torch.nn.parameter import is_lazy

    lazy = [name for name, each in model.named_parameters() if is_lazy(each)] if model is not None else []
    if lazy:
        raise XrayError("lazy", name=lazy[0])


def _examine_loss(
    subject: XraySubject, seconds: float
) -> tuple[list[XrayEntry], list[XrayRemark], list[tuple[str, str]]]:
    import torch

    from ..doctor.rules import record
    from .backward_record import record_backward
    from .findings import FINDINGS
    from .forward_record import record_forward
    from .program_state import preserved

    assert subject.make_loss is not None
    with warnings.catch_warnings(), torch.enable_grad():
        warnings.simplefilter("ignore")  # they are the program's own, and it will give them again
        with preserved(subject.model, subject.optimizer) as generators:
            with record() as subject.rules, preserved(subject.model, subject.optimizer):
                forward = record_forward(subject.make_loss, subject.model)
            loss = forward.loss
            if not isinstance(loss, torch.Tensor) or loss.numel() != 1:
                given = f"{tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss).__name__
                raise XrayError("loss_kind", name=name_of(subject.make_loss), given=given)
            if not loss.requires_grad:
                raise XrayError("loss_graph", name=name_of(subject.make_loss))
            with preserved(None, None, forward.leaves):  # some are not the model's
                evidence = XrayEvidence(subject, forward, None, generators, deadline=monotonic() + seconds)
                evidence.trained = _trained(evidence)
                if loss.requires_grad and loss.grad_fn is not None:
                    evidence.backward = record_backward(forward)
                with preserved(subject.model, subject.optimizer):
                    evidence.repeatable = _is_same(loss, evidence.again())
                if not evidence.repeatable:
                    evidence.remarks.append(XrayRemark("repeats"))
                if not evidence.takes_inputs():
                    evidence.remarks.append(XrayRemark("inputs"))
                entries: list[XrayEntry] = []
                for find in FINDINGS:
                    try:
                        entries += find(evidence)
                    except Exception as error:  # what the others found still counts
                        evidence.remarks.append(XrayRemark("finding", f"{find.__name__}: {error}"))
    return entries, evidence.remarks, _seen(evidence)


def _is_same(one: Any, other: Any) -> bool:
    import torch

    return isinstance(other, torch.Tensor) and torch.equal(
        torch.nan_to_num(one.detach()), torch.nan_to_num(other.detach())
    )


class _LossReached(BaseException):
    """The backward pass of a step that is looked at is about to begin."""

    def __init__(self, loss: Any) -> None:
        self.loss = loss


def _examine_passes(
    subject: XraySubject, loop: LoopRecord, events: Sequence[LoopEvent], seconds: float
) -> tuple[XraySubject, list[XrayEntry], list[XrayRemark], list[tuple[str, str]]]:
    """What the losses of a step show: one for each backward pass with a line or ops of its own.

    Each is examined with the optimizer that uses its gradients, and with the model of which that holds
    parameters.  Given back is also the subject of the first, for those who ask `why`.
    """
    from .program_state import preserved

    assert subject.step is not None
    passes = _distinct_passes(events)
    entries: dict[Any, XrayEntry] = {}
    remarks: list[XrayRemark] = []
    subjects: list[XraySubject] = []
    seen: list[tuple[str, str]] = []
    known = {id(each.optimizer) for each in subject.build.optimizers}
    subject.build.optimizers += [OptimizerMade(each, ()) for each in loop.optimizers if id(each) not in known]
    with ExitStack() as opened:
        for module in loop.modules:
            opened.enter_context(preserved(module, None))
        for optimizer in loop.optimizers:
            opened.enter_context(preserved(None, optimizer))
        for at, event in passes[:MOST_PASSES]:
            optimizer = _optimizer_after(events, event) or subject.optimizer
            own = replace(
                subject,
                make_loss=_loss_of(subject.step, at, loop.optimizers),
                optimizer=optimizer,
                model=_model_of(optimizer, subject.model, loop.modules),
                rules=None,
            )
            try:
                found, told, counted = _examine_loss(own, seconds / min(len(passes), MOST_PASSES))
            except Exception:  # such as a step that has no batch left
                remarks.append(XrayRemark("pass", str(event.place)))
                continue
            subjects.append(own)
            for entry in found:
                entries.setdefault((entry.family, entry.code, entry.place), entry)
            remarks += [remark for remark in told if remark not in remarks]
            seen = seen or counted
    if not subjects:
        return subject, [], [XrayRemark("loop_only")], []
    remarks += [XrayRemark("pass", str(event.place)) for _, event in passes[MOST_PASSES:]]
    if len(subjects) > 1:
        seen.append(("passes", str(len(subjects))))
    return subjects[0], list(entries.values()), remarks, seen


def _distinct_passes(events: Sequence[LoopEvent]) -> list[tuple[int, LoopEvent]]:
    """The backward passes of a step, with their numbers, without those that are others once more."""
    found: dict[Any, tuple[int, LoopEvent]] = {}
    passes = [event for event in events if event.kind == "backward"]
    for at, event in enumerate(passes):
        found.setdefault((event.place, event.detail["joined"], event.detail["ops"]), (at, event))
    return list(found.values())


def _optimizer_after(events: Sequence[LoopEvent], event: LoopEvent) -> Any:
    """The first optimizer that takes a step after a backward pass."""
    later = list(events)[list(events).index(event) + 1 :]
    return next((each.detail["optimizer"] for each in later if each.kind == "step"), None)


def _model_of(optimizer: Any, model: Any, others: Sequence[Any]) -> Any:
    """The model of which an optimizer holds parameters: the subject's own, or another that was called."""
    groups = optimizer.param_groups if optimizer is not None else ()
    held = {id(each) for group in groups for each in group["params"]}
    for each in (model, *others):
        if each is not None and any(id(parameter) in held for parameter in each.parameters()):
            return each
    return model


def _loss_of(step: Callable[[], Any], number: int, optimizers: Sequence[Any]) -> Callable[[], Any]:
    """A function that gives the loss of one backward pass of a step, counted from 0.

    The step ends where that pass would begin.  Passes before it run, and no optimizer takes a step: the
    graph of the loss keeps the parameters that it was computed with.
    """

    def make_loss() -> Any:
        import torch

        before, count = torch.autograd.backward, 0

        def reach(tensors: Any, *args: Any, **options: Any) -> None:
            nonlocal count
            if count == number:
                raise _LossReached(tensors if isinstance(tensors, torch.Tensor) else next(iter(tensors)))
            count += 1
            before(tensors, *args, **options)

        def stand(closure: Callable[[], Any] | None = None) -> Any:
            return closure() if closure is not None else None

        with ExitStack() as opened:
            opened.callback(setattr, torch.autograd, "backward", before)
            torch.autograd.backward = reach
            for each in optimizers:
                held = vars(each).get("step")  # a scheduler puts one there
                opened.callback(_put_back, each, held)
                each.step = stand
            try:
                step()
            except _LossReached as reached:
                return reached.loss
        return None

    return make_loss


def _put_back(optimizer: Any, step: Any) -> None:
    if step is None:
        del optimizer.step
    else:
        optimizer.step = step


def name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _examine_steps(subject: XraySubject) -> tuple[LoopRecord, list[LoopEvent]]:
    """The record of some steps of the program's own, and the events of the first."""
    import torch

    from .loop_record import LoopRecord, recording_loop
    from .program_state import preserved

    assert subject.step is not None
    seen = LoopRecord(subject.model, subject.optimizer, subject.build)
    first: list[LoopEvent] = []
    with ExitStack() as opened:
        opened.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        opened.enter_context(torch.enable_grad())
        for each in subject.build.optimizers:
            opened.enter_context(preserved(None, each.optimizer))
        opened.enter_context(preserved(subject.model, subject.optimizer))
        with recording_loop(seen):
            try:
                for at in range(STEPS):
                    subject.step()
                    first = first if at else list(seen.events)
            except RuntimeError as error:
                seen.remarks.append(XrayRemark("step", str(error)))
    return seen, first


def _trained(evidence: XrayEvidence) -> int:
    """The leaves that are to be trained: those of the optimizer; without one, those of the model."""
    optimizer, forward = evidence.subject.optimizer, evidence.forward
    held = None
    if optimizer is not None:
        held = {id(each) for group in optimizer.param_groups for each in group["params"]}
    bits = 0
    for at, leaf in enumerate(forward.leaves):
        if leaf.requires_grad and (id(leaf) in held if held is not None else at < forward.registered):
            bits |= 1 << at
    return bits


def unintended(entries: Sequence[XrayEntry], intended: frozenset[str]) -> list[XrayEntry]:
    return [
        entry
        for entry in entries
        if entry.family not in intended and str(entry.place) not in intended and not _is_marked(entry)
    ]


def _is_marked(entry: XrayEntry) -> bool:
    """Does a comment on the line say that it is on purpose?"""
    _, _, comment = entry.place.text.partition("#")
    return f"intended: {entry.family}" in comment


def _seen(evidence: XrayEvidence) -> list[tuple[str, str]]:
    forward = evidence.forward
    return [("ops", str(len(forward.calls))), ("parameters", str(forward.registered))]


def not_examined(code: str, about: str = "") -> XrayReport:
    """The report on what could not be examined."""
    return XrayReport(NOT_EXAMINED, remarks=(XrayRemark(code, about),))
