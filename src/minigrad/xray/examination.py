"""Examination of a program: its loss is run and recorded, probed, and the findings are read off the evidence.

    report = xray(make_loss, model=model, optimizer=optimizer)

The program is left as it was.  What takes longer than its budget is left, and the report says so.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from ..errors import MinigradError
from ..text.excerpts import describe
from ..text.translation import say
from .build_record import BuildRecord
from .report import FAMILIES, NOT_EXAMINED, SUSPECT, XrayEntry, XrayRemark, XrayReport
from .subject import XrayEvidence, XraySubject

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

    from .loop_record import LoopRecord

__all__ = ["XrayError", "assert_healthy", "check_intended", "examine", "unintended", "xray"]

STEPS = 3  # of the loop, that are watched
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
    check_intended(intended)
    return examine(
        XraySubject(make_loss, model, optimizer, inputs, BuildRecord(), frozenset(intended)), seconds
    )


def check_intended(words: Sequence[str]) -> None:
    """Refuse what names neither a family nor a line: it would settle nothing."""
    for word in words:
        if word not in FAMILIES and not re.fullmatch(r".+:[1-9]\d*", word):
            raise XrayError("intended", given=describe(word), known=", ".join(FAMILIES))


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
        loop = _examine_steps(subject)
        report = loop.report()
        if subject.make_loss is None:
            subject = replace(subject, make_loss=_loss_of(subject.step))
            try:
                if [event.kind for event in loop.events].count("backward") != STEPS:
                    raise XrayError("loss_kind", name=name_of(subject.step), given="NoneType")
                entries, remarks, seen = _examine_loss(subject, seconds)
            except Exception:  # such as a step that has no batch left
                remarks.append(XrayRemark("loop_only"))
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

    if not callable(subject.make_loss):
        raise XrayError("loss_call", given=type(subject.make_loss).__name__)
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
    """The backward pass of a step is about to begin."""

    def __init__(self, loss: Any) -> None:
        self.loss = loss


def _loss_of(step: Callable[[], Any]) -> Callable[[], Any]:
    """A function that gives the loss of a step: the step ends where its backward pass would begin."""

    def make_loss() -> Any:
        import torch

        def reach(tensors: Any, *_: Any, **__: Any) -> None:
            raise _LossReached(tensors if isinstance(tensors, torch.Tensor) else next(iter(tensors)))

        before = torch.autograd.backward
        torch.autograd.backward = reach
        try:
            step()
        except _LossReached as reached:
            return reached.loss
        finally:
            torch.autograd.backward = before
        return None

    return make_loss


def name_of(function: Any) -> str:
    return getattr(function, "__name__", type(function).__name__)


def _examine_steps(subject: XraySubject) -> LoopRecord:
    """The record of some steps of the program's own."""
    import torch

    from .loop_record import LoopRecord, recording_loop
    from .program_state import preserved

    assert subject.step is not None
    seen = LoopRecord(subject.model, subject.optimizer, subject.build)
    with warnings.catch_warnings(), torch.enable_grad(), preserved(subject.model, subject.optimizer):
        warnings.simplefilter("ignore")
        with recording_loop(seen):
            try:
                for _ in range(STEPS):
                    subject.step()
            except RuntimeError as error:
                seen.remarks.append(XrayRemark("step", str(error)))
    return seen


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
