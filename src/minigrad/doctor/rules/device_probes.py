"""Other devices: the same call on a GPU beside the CPU, where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING

from .conduct_checks import difference
from .grids import Grid
from .report import LIMITED, RuleFinding
from .subject import Point, RuleGradients, RuleRefusedError

if TYPE_CHECKING:
    from .torch_rules import TorchSubject

__all__ = ["device_findings", "devices"]

NATURAL = 1e-9  # relative; sums in another order, in float64
SLACK = 1e-6


def devices(torch: ModuleType) -> tuple[str, ...]:
    """The devices beside the CPU."""
    return ("cuda",) if torch.cuda.is_available() else ()


def device_findings(
    subject: TorchSubject,
    point: Point,
    upstream: Sequence[Grid],
    listed: Callable[[ModuleType], tuple[str, ...]] = devices,
) -> Iterator[RuleFinding]:
    """The gradients there beside those here; where the forward does not run there, or differs, nothing."""
    if subject.draws or subject.rounding:
        return
    here = [x for x in subject.arguments if isinstance(x, subject.torch.Tensor)]
    if any(x.device.type != "cpu" for x in here):
        return
    for device in listed(subject.torch):
        moved = replace(
            subject,
            arguments=[x.to(device) if isinstance(x, subject.torch.Tensor) else x for x in subject.arguments],
        )
        try:
            outputs, theirs = moved.forward(point), subject.forward(point)
        except RuleRefusedError:
            continue
        names = [""] * len(outputs)
        if difference(names, RuleGradients(tuple(outputs)), RuleGradients(tuple(theirs)), NATURAL):
            continue
        due = subject.pull(point, upstream)
        try:
            got = moved.pull(point, upstream)
        except RuleRefusedError as refused:
            fields: dict[str, float | str] = {"device": device, "message": refused.message}
            yield RuleFinding("device-differs", grade=LIMITED, fields=fields)
            continue
        if apart := difference(subject.names, got, due, SLACK):
            yield RuleFinding("device-differs", fields={"device": device, "message": ""}, **apart)
