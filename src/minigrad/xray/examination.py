"""Examination of a program: its loss is run and recorded, probed, and the findings are read off the evidence.

    report = xray(make_loss, model=model, optimizer=optimizer)

The program is left as it was.  What takes longer than its budget is left, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import MinigradError
from ..text.translation import say
from .build_record import BuildRecord
from .report import NOT_EXAMINED, SUSPECT, XrayEntry, XrayRemark, XrayReport
from .subject import XrayEvidence, XraySubject

if TYPE_CHECKING:
    from torch import nn
    from torch.optim import Optimizer

__all__ = ["XrayError", "assert_healthy", "examine", "xray"]

SECONDS = 60.0  # for the probes that run the loss again


class XrayError(MinigradError, ValueError):
    """What was given cannot be examined."""


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

    `inputs` are those that the model may be probed with; those of its first call, if they are not given.
    `intended` names families, or lines as "file.py:12", that are on purpose.
    """
    return examine(
        XraySubject(make_loss, model, optimizer, inputs, BuildRecord(), frozenset(intended)), seconds
    )


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
    """The report on a subject."""
    import torch

    from .backward_record import record_backward
    from .findings import FINDINGS
    from .forward_record import record_forward
    from .program_state import preserved

    if not callable(subject.make_loss):
        raise XrayError(say("xray.loss_call", given=type(subject.make_loss).__name__))
    with preserved(subject.model, subject.optimizer) as generators, torch.enable_grad():
        forward = record_forward(subject.make_loss, subject.model)
        loss = forward.loss
        if not isinstance(loss, torch.Tensor) or loss.numel() != 1:
            given = f"{tuple(loss.shape)}" if isinstance(loss, torch.Tensor) else type(loss).__name__
            raise XrayError(say("xray.loss_kind", given=given))
        evidence = XrayEvidence(subject, forward, None, generators, seconds=seconds)
        evidence.trained = _trained(evidence)
        if loss.requires_grad and loss.grad_fn is not None:
            evidence.backward = record_backward(forward)
        entries: list[XrayEntry] = []
        for find in FINDINGS:
            entries += find(evidence)
    return XrayReport.of(_unintended(entries, subject.intended), evidence.remarks, _seen(evidence), subject)


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


def _unintended(entries: Sequence[XrayEntry], intended: frozenset[str]) -> list[XrayEntry]:
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
