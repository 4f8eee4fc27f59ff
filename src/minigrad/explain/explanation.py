"""An explanation: one traced pass, its paths and its check, ready to be shown in several ways.

It holds facts only.  The views beside this file turn them into text, one view per file; each
runs alone, as in `python -m minigrad.explain.thermometer`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from itertools import groupby
from math import isfinite
from typing import Any

from ..graph import Graph
from ..messages import say, speaking
from ..ops import OPS
from ..paths import Paths, paths
from ..trace import Flow, Trace, trace
from ..verify.central import central_differences
from ..verify.testimony import Testimony
from .page import Page
from .wording import name

__all__ = ["VIEWS", "Explanation", "explain"]

# The parts of an explanation in the order in which they are read; each is a file beside this one.
VIEWS = ("forward", "order", "walk", "ledger", "meaning", "thermometer", "check")
SCHEMA = "minigrad.explanation/1"
ROWS = 60  # lines of one view that are printed, unless all are asked for


class Explanation:
    """Why the gradients of one output are what they are."""

    def __init__(self, trace: Trace, keep: int = 5) -> None:
        self.trace = trace
        self.keep = keep

    @cached_property
    def paths(self) -> dict[int, Paths]:
        return paths(self.trace, self.keep)

    @cached_property
    def testimony(self) -> Testimony:
        return central_differences(self.trace)

    @property
    def gradients(self) -> dict[str, float]:
        return self.trace.gradients

    def steps(self) -> Iterator[tuple[int, list[Flow]]]:
        """The pass, one node at a time: which node, and the contributions it sent."""
        flows = (event for event in self.trace.events if isinstance(event, Flow))
        sent = {source: list(group) for source, group in groupby(flows, lambda flow: flow.source)}
        for i in self.trace.order:
            if self.trace.graph.nodes[i].args:
                yield i, sent.get(i, [])

    def notes(self) -> list[str]:
        """What a reader should know: numbers out of range, points where a convention decides."""
        graph, values = self.trace.graph, self.trace.values
        notes = []
        for i, node in enumerate(graph.nodes):
            if node.op not in OPS:
                continue
            xs = [values[arg] for arg in node.args]
            fields = {"name": name(graph, i)}
            if values[i] != values[i] and all(x == x for x in xs):
                notes.append(say("note.undefined", **fields))
            elif not isfinite(values[i]) and all(map(isfinite, xs)):
                notes.append(say("note.overflow", value=values[i], **fields))
            elif graph.active[i] and all(x == x for x in xs) and OPS[node.op].kink(*xs):
                notes.append(say("note.kink", op=node.op, **fields))
        if not graph.active[graph.output]:
            notes.append(say("note.constant"))
        unused = [name(graph, i) for i, node in enumerate(graph.nodes) if node.label and not self._below[i]]
        if unused:
            notes.append(say("note.unused", names=", ".join(unused[:10])))
        return notes

    @cached_property
    def _below(self) -> list[bool]:
        graph = self.trace.graph
        below = [i == graph.output for i in range(len(graph))]
        for i in range(graph.output, -1, -1):
            if below[i]:
                for arg in graph.nodes[i].args:
                    below[arg] = True
        return below

    # ---- as text ------------------------------------------------------------------------

    def sections(
        self, views: Iterable[str] = VIEWS, page: Page | None = None
    ) -> Iterator[tuple[str, list[str]]]:
        """The title and the lines of each view."""
        for view in views.split(",") if isinstance(views, str) else views:
            if view not in VIEWS:
                raise ValueError(say("view.unknown", given=repr(view), known=", ".join(VIEWS)))
            module = import_module(f".{view}", __package__)
            yield say(f"view.{view}"), list(module.render(self, page or Page()))

    def text(self, views: Iterable[str] = VIEWS, lang: str | None = None, page: Page | None = None) -> str:
        """The explanation for a terminal."""
        page = page or Page()
        with speaking(lang):
            parts = [
                "\n".join([page.ink("title", title), *lines]) for title, lines in self.sections(views, page)
            ]
            notes = [
                line for note in page.clip(self.notes()) for line in page.wrap(f"{say('note')}: {note}", "")
            ]
        return "\n\n".join([*parts, *(["\n".join(notes)] if notes else [])]) + "\n"

    def markdown(self, views: Iterable[str] = VIEWS, lang: str | None = None) -> str:
        """The explanation as Markdown; what a user wrote stays inside code fences."""
        with speaking(lang):
            output = name(self.trace.graph, self.trace.graph.output).replace("`", "'")
            parts = [f"# {say('markdown.title', output=f'`{output}`')}"]
            sections = list(self.sections(views))
            if notes := self.notes():
                sections.append((say("note.title"), notes))
            for title, lines in sections:
                body = "\n".join(line.removeprefix("  ") for line in lines)
                fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
                parts.append(f"## {title}\n\n{fence}text\n{body}\n{fence}")
        return "\n\n".join(parts) + "\n"

    def to_json(self, lang: str | None = None) -> dict[str, Any]:
        """All of it as plain data: gradients, nodes, order, events, paths, check, notes."""
        names = self.trace.graph.names
        document = self.trace.to_json()
        nodes = {row["name"]: row for row in document["nodes"]}
        with speaking(lang):
            notes = self.notes()
        return {
            "schema": SCHEMA,
            "output": document["output"],
            "value": nodes[document["output"]]["data"],
            "gradients": {key: nodes[key]["grad"] for key in self.gradients},
            "nodes": document["nodes"],
            "order": document["order"],
            "events": document["events"],
            "paths": {names[i]: found.to_json(names) for i, found in self.paths.items()},
            "check": self.testimony.to_json(),
            "notes": notes,
        }

    def __str__(self) -> str:
        return self.text(page=Page(rows=ROWS))

    def __repr__(self) -> str:
        return f"<Explanation of {self.trace.graph!r}>"


def explain(subject: Any, inputs: Mapping[str, float] | None = None, **named: float) -> Explanation:
    """Explain the gradients of a Value, of a Graph, or of a text with its inputs.

    explain(L), or explain("(a*b + c) * (a - c)", a=2, b=3, c=4); print it, or take its parts.
    """
    if isinstance(subject, str):
        from ..language import parse

        return Explanation(trace(parse(subject, {**(inputs or {}), **named})))
    graph = subject if isinstance(subject, Graph) else Graph.of(subject)
    return Explanation(trace(graph, {**(inputs or {}), **named}))


def demo(view: str) -> None:
    """Show one view of the classic example: what running a view's file does."""
    print(explain("ab = a*b; e = ab + c; f = a - c; L = e*f", a=2, b=3, c=4).text((view,)), end="")
