"""Examiner of the entrances: the one place from which recorded and named rules reach the examination."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from . import examination
from .report import NOT_EXAMINED, Remark, RuleReport, Unseen
from .subject import Rule, error_text
from .time_limit import LateError, limited

__all__ = ["RuleOptions", "examine_rule"]

SECONDS = 60.0  # of the processor: an iteration may converge at the inputs, and not nearby


@dataclass(frozen=True)
class RuleOptions:
    """How rules are examined, as the caller wishes."""

    seed: int = 0
    beyond: bool = False  # also far from the inputs, where nobody may have meant the rule to hold
    intended: str | None = None  # the name of a gradient that is another one on purpose


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
    examine = partial(
        examination.examine_function,
        fn,
        inputs,
        library=library,
        origin=origin,
        seed=options.seed,
        beyond=options.beyond,
        intended=options.intended,
    )
    try:
        report = limited(SECONDS, examine, processor=True)
    except LateError:
        unseen = (Unseen("late", f"{SECONDS:.0f}"),)
        report = RuleReport(library, getattr(fn, "__name__", ""), NOT_EXAMINED, not_examined=unseen)
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # a rule may call sys.exit, or skip the test that it was recorded in
        report = _raised(fn, library, error)
    return replace(report, name=name or report.name, not_examined=(*report.not_examined, *remarks))


def _raised(fn: Rule, library: str, error: BaseException) -> RuleReport:
    name = getattr(fn, "__name__", type(fn).__name__)
    return RuleReport(library, name, NOT_EXAMINED, not_examined=(Unseen("examination", error_text(error)),))
