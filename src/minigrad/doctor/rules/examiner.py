"""Examiner of the entrances: the one place from which recorded and named rules reach the examination."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from . import examination
from .report import NOT_EXAMINED, Remark, RuleReport, Unseen
from .subject import Rule, error_text

__all__ = ["RuleOptions", "examine_rule"]


@dataclass(frozen=True)
class RuleOptions:
    """How rules are examined, as the caller wishes."""

    seed: int = 0
    beyond: bool = False  # also far from the inputs, where nobody may have meant the rule to hold
    intended: str | None = None  # the name of a gradient that is another one on purpose

    def taken(self) -> dict[str, Any]:
        """Those options that the examination takes."""
        known = inspect.signature(examination.examine_function).parameters
        wishes: dict[str, Any] = {"seed": self.seed}
        if self.beyond:
            wishes["beyond" if "beyond" in known else "elsewhere"] = True
        if self.intended is not None:
            wishes["intended"] = self.intended
        return {name: wish for name, wish in wishes.items() if name in known}


def examine_rule(
    fn: Rule,
    inputs: Sequence[object] | None,
    library: str,
    origin: str,
    options: RuleOptions,
    remarks: Sequence[Remark] = (),
    name: str = "",
) -> RuleReport:
    """The report on a rule; whatever the examination of somebody's code raises is told in one."""
    try:
        report = examination.examine_function(fn, inputs, library=library, origin=origin, **options.taken())
    except Exception as error:
        report = _raised(fn, library, error)
    if inputs is None and [remark.code for remark in report.not_examined] == ["inputs"]:
        remarks = (*_complaint(fn, library), *remarks)
    return replace(report, name=name or report.name, not_examined=(*report.not_examined, *remarks))


def _complaint(fn: Rule, library: str) -> tuple[Remark, ...]:
    """The error that the forward raises on plain matrices: it may say what is missing."""
    forward = getattr(fn, "forward", fn) if isinstance(fn, type) else fn
    try:
        parameters = list(inspect.signature(forward).parameters.values())
    except (TypeError, ValueError):
        return ()
    if isinstance(fn, type):
        own = [each for each in fn.__mro__ if not each.__module__.startswith("torch.")]
        if not any("setup_context" in vars(each) for each in own):
            del parameters[:1]  # ctx
    needed = [each for each in parameters if each.default is each.empty and each.kind < each.VAR_POSITIONAL]
    try:
        make = import_module("torch" if library == "torch" else "jax.numpy").ones
        getattr(fn, "apply", fn)(*(make((3, 4)) for _ in needed))
    except Exception as error:
        return (Unseen("forward_says", error_text(error)),)
    return ()


def _raised(fn: Rule, library: str, error: Exception) -> RuleReport:
    name = getattr(fn, "__name__", type(fn).__name__)
    return RuleReport(library, name, NOT_EXAMINED, not_examined=(Unseen("examination", error_text(error)),))
