"""An explanation: one traced pass, its paths and its check, ready to be shown in several ways.

It holds facts only.  The views beside this file turn them into text, one view per file; each
runs alone, as in `python -m minigrad.explanation.thermometer`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from itertools import groupby
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from ..drawing import DRAWINGS
from ..drawing.demo import CLASSIC
from ..graph import Graph
from ..graph.paths import Paths, paths
from ..graph.trace import EXPLANATION_SCHEMA, Flow, Trace, trace
from ..graph.wording import name
from ..ops import OPS
from ..text.files import write_whole
from ..text.numerals import json_number, show
from ..text.page import ROWS, Page, markdown_of, text_of
from ..text.translation import say, speaking
from ..verify.testimony import Testimony
from ..verify.witnesses.central_differences import central_differences
from .file_formats import FORMS, FormatOptions, drawing_of, page_of, svg_of

if TYPE_CHECKING:
    from ..language import Places
    from ..scalar import Value

__all__ = ["CLASSIC", "TEXTS", "VIEWS", "Explanation", "explain", "title", "unknown_view"]

# The parts of an explanation in the order in which they are read, each the file of that name beside this one.
TEXTS = ("forward", "order", "walk", "ledger", "meaning", "thermometer", "check", "waterfall")
VIEWS = tuple(view for view in TEXTS if view != "waterfall")  # which is printed when it is asked for by name


class Explanation:
    """Why the gradients of one output are what they are."""

    def __init__(self, trace: Trace, keep: int = 5, source: tuple[str, Places] | None = None) -> None:
        self.trace = trace
        self.keep = keep
        self.source = source  # the text that it was written as, and where in it each node comes from

    @cached_property
    def paths(self) -> dict[int, Paths]:
        return paths(self.trace, self.keep)

    @cached_property
    def testimony(self) -> Testimony:
        return central_differences(self.trace)

    @property
    def gradients(self) -> dict[str, float]:
        return self.trace.gradients

    def in_order(self, names: Sequence[str]) -> Explanation:
        """The same pass in another order of its ops; ValueError, with the reason, for an invalid one."""
        graph = self.trace.graph
        order = [graph.index(node) for node in names]
        graph.refuse_invalid(order)
        return Explanation(trace(graph, order=order), self.keep, self.source)

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
            if view not in TEXTS:
                raise ValueError(unknown_view(view))
            module = import_module(f".{view}", __package__)
            yield title(view), list(module.render(self, page or Page()))

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

    def to_json(self) -> dict[str, object]:
        """All of it as plain data, the same in every language; Trace.from_json reads it back."""
        graph = self.trace.graph
        names = graph.names
        document = self.trace.to_json()
        return {
            "schema": EXPLANATION_SCHEMA,
            "output": document["output"],
            "value": json_number(self.trace.values[graph.output]),
            "gradients": {key: json_number(self.trace.grads[graph.index(key)]) for key in self.gradients},
            "nodes": document["nodes"],
            "order": document["order"],
            "events": document["events"],
            "paths": {names[i]: found.to_json(names) for i, found in self.paths.items()},
            "check": self.testimony.to_json(),
            "notes": self.notes(),
        }

    # ---- as pictures and pages ----------------------------------------------------------

    def to_svg(
        self,
        view: str = "graph",
        *,
        node: str = "",
        group: str = "",
        theme: str = "auto",
        lang: str | None = None,
    ) -> str:
        """A drawing: graph, river, waterfall, thermometer, or the ledger of one node."""
        with speaking(lang):
            return svg_of(self, FormatOptions((view,), node, group, theme))

    def to_html(self, *, lang: str | None = None) -> str:
        """The player: the pass as a page that plays it, in one file."""
        with speaking(lang):
            return page_of(self)

    def save(
        self,
        path: str | PathLike[str],
        view: str = "",
        *,
        node: str = "",
        theme: str = "auto",
        lang: str | None = None,
    ) -> None:
        """Write a file; its ending says what: .html .svg .png .md .tex .json .txt."""
        ending = Path(path).suffix
        if ending not in FORMS:
            raise ValueError(say("usage.ending", given=repr(Path(path).name), known=", ".join(FORMS)))
        with speaking(lang):
            write_whole(
                Path(path), FORMS[ending](self, FormatOptions((view,) if view else (), node, "", theme))
            )

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """What a notebook shows: the player where it can, else the drawing, else text."""
        from ..player.notebook import bundle

        return bundle(self.to_html(), drawing_of(self), str(self))

    def __str__(self) -> str:
        return self.text(page=Page(rows=ROWS))

    def __repr__(self) -> str:
        return f"<Explanation of {self.trace.graph!r}>"


def explain(
    subject: Value | Graph | str, inputs: Mapping[str, float] | None = None, /, **named: float
) -> Explanation:
    """Explain the gradients of a Value, of a Graph, or of a text with its inputs.

    explain(L), or explain("(a*b + c) * (a - c)", a=2, b=3, c=4); print it, or take its parts.
    """
    if isinstance(subject, str):
        from ..language import parse_with_places

        parsed, places = parse_with_places(subject, {**(inputs or {}), **named})
        return Explanation(trace(parsed), source=(subject, places))
    graph = subject if isinstance(subject, Graph) else Graph.of(subject)
    return Explanation(trace(graph, {**(inputs or {}), **named}))


def title(view: str) -> str:
    """What a view is called, above its lines."""
    return say(f"view.title.{view}")


def unknown_view(view: str) -> str:
    """What to say of a view that no text has."""
    if view in DRAWINGS:
        return say("view.drawn", given=view)
    return say("view.unknown", given=ascii(view), known=", ".join(dict.fromkeys((*TEXTS, *DRAWINGS))))


def demo(view: str) -> None:
    """Show one view of the classic example: what running a view's file does."""
    print(explain(*CLASSIC).text((view,)), end="")
