"""Context of the blocks of a lesson: the graph on stage, and the names that its Python code has made.

`lesson_renderer.py` and `lesson_fields.py` ask it; it changes only at a `graph` or a `python` block.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import cached_property
from io import StringIO
from shlex import split

from ..graph import Graph
from ..graph.paths import Paths, paths
from ..graph.trace import Flow, Trace, trace
from ..language import parse
from ..text.translation import say

__all__ = ["LessonContext", "StagedGraph", "printed_by"]

WIDTH = 76  # of what a command prints into a lesson
PATHS = 64  # into one node that a lesson may speak of


@dataclass(frozen=True)
class StagedGraph:
    """A graph with its pass, and what is asked about it."""

    text: str
    trace: Trace

    @classmethod
    def of(cls, text: str) -> StagedGraph:
        return cls(text, trace(parse(text)))

    @property
    def graph(self) -> Graph:
        return self.trace.graph

    @cached_property
    def paths(self) -> dict[int, Paths]:
        return paths(self.trace, PATHS, range(len(self.graph)))

    def node(self, name: str) -> int:
        """The place of a node; ValueError for a name that the graph has not."""
        try:
            return self.graph.index(name)
        except KeyError as error:
            raise ValueError(error.args[0]) from None

    def flows(self, target: int) -> list[Flow]:
        """The messages to a node, as they arrive."""
        return [event for event in self.trace.events if isinstance(event, Flow) and event.target == target]


@dataclass
class LessonContext:
    """The graph on stage and the names of the lesson's own code, as they stand at a block."""

    staged: StagedGraph | None = None
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "lesson"})

    @property
    def stage(self) -> StagedGraph:
        if self.staged is None:
            raise ValueError(say("course.no_graph"))
        return self.staged

    def python(self, source: str, file: str) -> str:
        """Run a block of Python in the names of the lesson; what it prints."""
        with _captured_output() as heard:
            exec(compile(source, file, "exec"), self.names)
        return heard.getvalue()


def printed_by(command: str, width: int = WIDTH) -> str:
    """What a command of ours prints on a page of some width; ValueError if it was refused."""
    from ..cli import main

    words = split(command.replace("\\\n", " "))
    if words[:1] != ["minigrad"]:
        raise ValueError(say("course.foreign", command=command[:80]))
    with _captured_output() as heard, _as_wide_as(width):
        code = main(words[1:])
    if code not in (0, 1, 3):  # a check that failed is something to show
        raise ValueError(say("course.refused", command=command[:80], code=code))
    return heard.getvalue()


@contextmanager
def _as_wide_as(width: int) -> Iterator[None]:
    """Commands ask the terminal how wide it is, and the environment before it."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(width + 2)
    try:
        yield
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


@contextmanager
def _captured_output() -> Iterator[StringIO]:
    heard = StringIO()
    with redirect_stdout(heard):
        yield heard
