"""One line that says who checked the gradients, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from ..messages import say
from ..numerals import show
from ..verify.testimony import AGREES, DISAGREES, UNRELIABLE
from .explanation import Explanation, demo
from .page import Page, printable

NAME = "check"


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    testimony = explanation.testimony
    if not testimony.findings:
        yield "  " + say("check.nothing")
        return
    agreeing = testimony.having(AGREES)
    if len(agreeing) == len(testimony.findings):
        gap = show(max(finding.gap for finding in agreeing), 2)
        key = "check.direction" if not agreeing[0].name else "check.agrees"
        yield "  " + say(key, count=len(agreeing), gap=gap)
        return
    yield "  " + say("check.some", count=len(agreeing), all=len(testimony.findings))
    for finding in testimony.having(DISAGREES):
        who = printable(finding.name) or say("check.all_inputs")
        numbers = {"gradient": show(finding.gradient, 10), "witness": show(finding.witness, 10)}
        yield "  " + say("check.disagrees", name=who, error=show(finding.error, 2), **numbers)
    for finding in testimony.having(UNRELIABLE):
        who = printable(finding.name) or say("check.all_inputs")
        yield "  " + say("check.unreliable", name=who, why=say(f"check.why.{finding.why}"))


if __name__ == "__main__":
    demo(NAME)
