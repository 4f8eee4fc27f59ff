"""An explanation: one traced pass, its paths and its check, ready to be shown in several ways.

It holds facts only.  The views beside this file turn them into text, one view per file; each
runs alone, as in `python -m minigrad.explain.thermometer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from itertools import groupby
from math import isfinite
from typing import Any

from ..graph import Graph
from ..messages import say, speaking
from ..numerals import show
from ..ops import OPS
from ..page import ROWS, Page, markdown_of, text_of
from ..paths import Paths, paths
from ..trace import EXPLANATION_SCHEMA, Flow, Trace, trace
from ..verify.central import central_differences
from ..verify.testimony import Testimony
from ..wording import name

__all__ = ["CLASSIC", "VIEWS", "Explanation", "explain"]

# The parts of an explanation in the order in which they are read; each is a file beside this one.
VIEWS = ("forward", "order", "walk", "ledger", "meaning", "thermometer", "check")
CLASSIC = ("ab = a*b; e = ab + c; f = a - c; L = e*f", {"a": 2.0, "b": 3.0, "c": 4.0})


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
        """The pass, one turn at a time: whose turn, and the contributions that it sent."""
        flows = (event for event in self.trace.events if isinstance(event, Flow))
        groups = [(source, list(group)) for source, group in groupby(flows, lambda flow: flow.source)]
        turns = iter(groups)
        following = next(turns, None)
        for i in self.trace.order:
            if following is not None and following[0] == i:
                yield following
                following = next(turns, None)
            elif self.trace.graph.nodes[i].args:
                yield i, []

    def notes(self) -> list[dict[str, str]]:
        """What a reader should know, as data: numbers out of range, points where a convention decides."""
        graph, values = self.trace.graph, self.trace.values
        notes = []
        for i, node in enumerate(graph.nodes):
            if node.op not in OPS:
                continue
            xs = [values[arg] for arg in node.args]
            about = {"name": name(graph, i), "op": node.op, "value": show(values[i])}
            if values[i] != values[i] and all(x == x for x in xs):
                notes.append({"note": "undefined", **about})
            elif not isfinite(values[i]) and all(map(isfinite, xs)):
                notes.append({"note": "overflow", **about})
            elif graph.active[i] and all(x == x for x in xs) and OPS[node.op].kink(*xs):
                notes.append({"note": "kink", **about})
        if not graph.active[graph.output]:
            notes.append({"note": "constant"})
        unused = [name(graph, i) for i, node in enumerate(graph.nodes) if node.label and not self._below[i]]
        if unused:
            notes.append({"note": "unused", "names": ", ".join(unused[:10])})
        return notes

    def sentences(self) -> list[str]:
        """The notes in words."""
        return [say(f"note.{note['note']}", **note) for note in self.notes()]

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
            wrapped = [page.wrap(f"{say('note')}: {note}", "") for note in self.sentences()]
            notes = list(page.clip([line for lines in wrapped for line in lines]))
            return text_of(self.sections(views, page), page, notes)

    def markdown(self, views: Iterable[str] = VIEWS, lang: str | None = None) -> str:
        """The explanation as Markdown; what a user wrote stays inside code fences."""
        with speaking(lang):
            output = name(self.trace.graph, self.trace.graph.output).replace("`", "'")
            sections = list(self.sections(views))
            if notes := self.sentences():
                sections.append((say("note.title"), notes))
            return markdown_of(say("markdown.title", output=f"`{output}`"), sections)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain data, the same in every language; Trace.from_json reads it back."""
        names = self.trace.graph.names
        document = self.trace.to_json()
        nodes = {row["name"]: row for row in document["nodes"]}
        return {
            "schema": EXPLANATION_SCHEMA,
            "output": document["output"],
            "value": nodes[document["output"]]["data"],
            "gradients": {key: nodes[key]["grad"] for key in self.gradients},
            "nodes": document["nodes"],
            "order": document["order"],
            "events": document["events"],
            "paths": {names[i]: found.to_json(names) for i, found in self.paths.items()},
            "check": self.testimony.to_json(),
            "notes": self.notes(),
        }

    def __str__(self) -> str:
        return self.text(page=Page(rows=ROWS))

    def __repr__(self) -> str:
        return f"<Explanation of {self.trace.graph!r}>"


def explain(subject: Any, inputs: Mapping[str, float] | None = None, /, **named: float) -> Explanation:
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
    print(explain(*CLASSIC).text((view,)), end="")
