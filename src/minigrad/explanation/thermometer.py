"""The thermometer of gradients: which way each input pushes the output, and how hard."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import isfinite

from ..graph.wording import name
from ..text.numerals import show
from ..text.page import Page
from ..text.translation import say
from ..values import ieee
from .explanation import Explanation, demo

NAME = "thermometer"
FEW = 4  # inputs of which every two are compared


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    trace, graph = explanation.trace, explanation.trace.graph
    ranked = sorted(graph.inputs, key=lambda i: -_size(trace.grads[i]))
    if not ranked:
        return
    labels = {i: name(graph, i) for i in ranked}
    numbers = {i: show(trace.grads[i]) for i in ranked}
    wide = max(map(len, labels.values()))
    digits = max(map(len, numbers.values()))
    half = max(4, (page.width - wide - digits - 9) // 2)
    finite = [abs(trace.grads[i]) for i in ranked if isfinite(trace.grads[i])]
    top = max(finite, default=0.0)
    lines = []
    for i in ranked:
        left, right = _bar(trace.grads[i], top, half)
        bar = f"{page.ink('grad', left)}│{page.ink('grad', right)}".rstrip()
        lines.append(f"  {labels[i].ljust(wide)}  {numbers[i].rjust(digits)}  {bar}")
    yield from page.clip(lines)
    yield from (page.ink("faint", f"  {line}") for line in _leverage(explanation, ranked))


def _size(grad: float) -> float:
    return abs(grad) if grad == grad else -1.0


def _bar(grad: float, top: float, half: int) -> tuple[str, str]:
    """The bar to the left of zero and the one to the right; a non-zero gradient always shows."""
    if grad != grad:
        return "?".rjust(half), "?"
    if not isfinite(grad):
        bar = "═" * (half - 1)
        return ("◀" + bar, "") if grad < 0 else (" " * half, bar + "▶")
    length = max(1, round(half * (abs(grad) / top))) if grad and top else 0
    return ("━" * length).rjust(half) if grad < 0 else " " * half, "━" * length if grad > 0 else ""


def _leverage(explanation: Explanation, ranked: list[int]) -> Iterator[str]:
    """How much more each input moves the output than each weaker one; of many, than the next one."""
    trace, graph = explanation.trace, explanation.trace.graph
    moving = [i for i in ranked if isfinite(trace.grads[i]) and trace.grads[i]]
    if len(moving) < 2:
        return
    sizes = {i: abs(trace.grads[i]) for i in moving}
    output = name(graph, graph.output)
    if len({*sizes.values()}) == 1:
        if len(moving) == len(ranked):
            yield say("thermometer.equal", output=output)
        return
    pairs = list(combinations(moving, 2)) if len(moving) <= FEW else list(pairwise(moving))[:FEW]
    for first, second in pairs:
        names = {"first": name(graph, first), "second": name(graph, second), "output": output}
        times = show(ieee.div(sizes[first], sizes[second]), 3)
        if sizes[first] == sizes[second]:
            yield say("thermometer.as_much", **names)
        elif times not in ("1", "inf"):
            yield say("thermometer.leverage", times=times, **names)


if __name__ == "__main__":
    demo(NAME)
