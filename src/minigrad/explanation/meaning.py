"""The meaning of each gradient in words: what happens to the output if this node grows a little."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from textwrap import wrap

from ..graph.wording import name
from ..text.numerals import show
from ..text.page import Page, columns
from ..text.translation import say
from .explanation import Explanation, demo

NAME = "meaning"


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    head = [say("meaning.input"), say("meaning.data"), say("meaning.grad"), say("meaning.meaning")]
    rows = columns([head, *table(explanation)])
    yield page.ink("faint", "  " + "   ".join(rows[0]))
    lines = []
    for label, data, slope, words in rows[1:]:
        margin = len(f"  {label}   {data}   {slope}   ")
        first, *others = wrap(words, max(24, page.width - margin))
        lines.append(f"  {label}   {page.ink('data', data)}   {page.ink('grad', slope)}   {first}")
        lines.extend(" " * margin + other for other in others)
    yield from page.clip(lines)


def table(explanation: Explanation) -> Iterator[list[str]]:
    """For each input and each named node in between its name, data, gradient, and the sentence."""
    trace, graph = explanation.trace, explanation.trace.graph
    output = name(graph, graph.output)
    findings = {finding.name: finding for finding in explanation.testimony.findings}
    for i in graph.inputs:
        label, grad = name(graph, i), trace.grads[i]
        finding = findings.get(graph.names[i])
        if finding is not None and finding.sides:
            words = _at_kink(label, output, *finding.sides)
        elif finding is not None and finding.why == "rough":
            words = say("meaning.rough", output=output, input=label)
        elif not isfinite(trace.values[i]) or not isfinite(trace.values[graph.output]):
            words = say("meaning.undefined", output=output, input=label)
        else:
            words = sentence(label, output, grad)
        yield [label, show(trace.values[i]), show(grad), words]
    if any(finding.sides or finding.why for finding in findings.values()):
        return  # what holds for an input at a kink may hold for what is made from it
    for i, node in enumerate(graph.nodes):
        if node.args and node.label and isfinite(trace.values[i]) and graph.active[i]:
            label = name(graph, i)
            words = say("meaning.seed") if i == graph.output else sentence(label, output, trace.grads[i])
            yield [label, show(trace.values[i]), show(trace.grads[i]), words]


def _at_kink(label: str, output: str, left: float, right: float) -> str:
    """What really happens on either side of a kink, where the gradient is a convention."""
    digits = next((n for n in range(4, 12) if show(left, n) != show(right, n)), 12)
    return say("meaning.kink", output=output, input=label, left=show(left, digits), right=show(right, digits))


def sentence(label: str, output: str, grad: float) -> str:
    """If a grows a little, L grows 4 times as much."""
    if grad != grad:
        return say("meaning.undefined", output=output, input=label)
    if grad == 0.0:
        return say("meaning.flat", output=output, input=label)
    way = "up" if grad > 0 else "down"
    if not isfinite(grad):
        return say(f"meaning.steep.{way}", output=output, input=label)
    if abs(grad) == 1.0:
        return say(f"meaning.same.{way}", output=output, input=label)
    return say(f"meaning.{way}", output=output, input=label, times=show(abs(grad), 4))


if __name__ == "__main__":
    demo(NAME)
