"""The check of the gradients: one line that says who checked them, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph import CUSTOM
from ..text.escape import printable
from ..text.numerals import show
from ..text.page import Page
from ..text.translation import say
from ..verify.testimony import AGREES, DISAGREES, UNRELIABLE
from .explanation import Explanation, demo

NAME = "check"


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    testimony = explanation.testimony
    if not testimony.findings:
        made_by_hand = any(node.op == CUSTOM for node in explanation.trace.graph.nodes)
        yield from page.wrap(say("check.by_hand" if made_by_hand else "check.nothing"))
        return
    agreeing = testimony.having(AGREES)
    if len(agreeing) == len(testimony.findings):
        gap = show(max(finding.gap for finding in agreeing), 2)
        key = "check.direction" if not agreeing[0].name else "check.agrees"
        yield from page.wrap(say(key, count=len(agreeing), gap=gap))
        return
    judged = len(agreeing) + len(testimony.having(DISAGREES))
    if judged:
        yield from page.wrap(say("check.some", count=len(agreeing), all=len(testimony.findings)))
    for finding in testimony.having(DISAGREES):
        who = printable(finding.name) or say("check.all_inputs")
        numbers = {"gradient": show(finding.gradient, 10), "witness": show(finding.witness, 10)}
        yield from page.wrap(say("check.disagrees", name=who, error=show(finding.error, 2), **numbers))
    reasons: dict[str, list[str]] = {}
    for finding in testimony.having(UNRELIABLE):
        who = printable(finding.name) or say("check.all_inputs")
        reasons.setdefault(finding.why, []).append(who)
    for why, inputs in reasons.items():
        yield from page.wrap(say("check.unreliable", name=", ".join(inputs), why=say(f"check.why.{why}")))


if __name__ == "__main__":
    demo(NAME)
