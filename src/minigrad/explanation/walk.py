"""The backward pass step by step: one contribution per line, with its running total."""

from __future__ import annotations

from collections.abc import Iterator

from ..graph.trace import Flow, Seed
from ..graph.wording import name, product, recipe, rule_of
from ..ops import OPS
from ..text.numerals import show
from ..text.page import Page, columns
from ..text.translation import pick, say
from .explanation import Explanation, demo

NAME = "walk"


def render(explanation: Explanation, page: Page) -> Iterator[str]:
    graph = explanation.trace.graph
    output = name(graph, graph.output)
    lines: list[str] = []
    explained: set[str] = set()
    for event in explanation.trace.events:
        if isinstance(event, Seed):
            seed = page.ink("grad", show(event.grad))
            lines.append(f"  {say('walk.seed', output=output)} = {seed}")
    for source, flows in explanation.steps():
        op = graph.nodes[source].op
        upstream = page.ink("grad", show(flows[0].upstream if flows else explanation.trace.grads[source]))
        lines.append(f"  {name(graph, source)} = {recipe(graph, source)}   {say('walk.upstream')} {upstream}")
        if op in OPS:
            rule = rule_of(graph, source)
            if "{" in pick(OPS[op].rule) or op not in explained:  # one with names says something new
                explained.add(op)
                lines.extend(page.wrap(rule, "    ", "faint"))
        lines.extend(_contributions(explanation, source, flows, page))
    yield from page.clip(lines)


def _contributions(explanation: Explanation, source: int, flows: list[Flow], page: Page) -> Iterator[str]:
    graph = explanation.trace.graph
    rows = columns(
        [
            f"{name(graph, flow.target)}: {show(flow.before)} -> {show(flow.after)}",
            f"{product((flow.local, flow.upstream))} = {show(flow.amount)}",
        ]
        for flow in flows
    )
    for total, how in rows:
        yield f"    {page.ink('grad', total)}   {page.ink('local', how)}"
    sent = {flow.slot for flow in flows}
    for slot, arg in enumerate(graph.nodes[source].args):
        if slot not in sent and graph.active[arg]:
            condition = graph.nodes[source].op == "where" and slot == 0
            why = say("walk.condition" if condition else "walk.no_message")
            yield page.ink("faint", f"    {name(graph, arg)}: {why}")


if __name__ == "__main__":
    demo(NAME)
