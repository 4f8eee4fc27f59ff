"""Assertion for people's own tests: this rule is the derivative of its forward."""

from __future__ import annotations

from .examiner import RuleOptions, examine_rule
from .report import NOT_EXAMINED, WRONG
from .subject import Rule

__all__ = ["assert_right"]


def assert_right(
    fn: Rule,
    *inputs: object,
    library: str | None = None,
    seed: int = 0,
    beyond: bool = False,
    intended: str | None = None,
) -> None:
    """Raise AssertionError with the report where the gradient of `fn` is wrong, or could not be examined.

    Without inputs some are invented.  A rule that is right under some circumstances only (LIMITED) passes,
    but none whose backward raises at the very inputs that were given.
    """
    from .torch_rules import is_torch

    chosen = library or ("torch" if is_torch(fn, inputs) else "jax")
    options = RuleOptions(seed, beyond, intended)
    report = examine_rule(fn, inputs or None, chosen, "given", options)
    raises = bool(inputs) and "error-in-backward" in report.faults
    if raises or report.verdict in (WRONG, NOT_EXAMINED):
        raise AssertionError("\n" + report.text())
