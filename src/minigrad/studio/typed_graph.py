"""Graph of the text that was typed, with its inputs: their values, places, and ranges of sliders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import floor, isfinite, log10, pi

from ..errors import MinigradError
from ..graph import Graph
from ..language import LanguageError, Places, parse_with_places
from ..language.tokens import INPUT_TARGET, NAME, TARGET, TOKEN
from ..language.vocabulary import is_free
from ..text.numerals import counted, json_number
from ..text.translation import say
from .requests import NODES, TEXT

__all__ = ["LimitError", "TypedGraph", "place_of", "read_graph"]

ASSUMED = {"pi": pi}  # names that nobody gave a value; all others are 1


class LimitError(MinigradError, ValueError):
    """More than the studio works on."""


@dataclass(frozen=True, slots=True)
class TypedGraph:
    text: str
    graph: Graph
    places: Places  # the statement that each node comes from
    written: Mapping[str, tuple[float, int, int]]  # the text's own number of an input, and where it stands
    assumed: frozenset[str]

    def rows(self) -> list[dict[str, object]]:
        """One row per input: its value, and what a slider needs."""
        found: list[dict[str, object]] = []
        for i in self.graph.inputs:
            name, value = self.graph.names[i], self.graph.nodes[i].data
            assert value is not None
            own = self.written.get(name)
            low, high, step = slider(value if own is None else own[0])
            if isfinite(value) and not low <= value <= high:
                low, high, step = slider(value)
            found.append(
                {
                    "name": name,
                    "value": json_number(value),
                    "written": None if own is None else json_number(own[0]),
                    "where": None if own is None else own[1:],
                    "assumed": name in self.assumed,
                    "low": low,
                    "high": high,
                    "step": step,
                }
            )
        return found


def read_graph(text: str, given: Mapping[str, float]) -> TypedGraph:
    """The graph of a text, with these numbers in its inputs.

    A value that is given replaces the text's own, one for a name that the text does not have is left
    aside, and a name that has none is assumed to be 1: a person who types gets to that name later.
    """
    if len(text) > TEXT:
        raise LimitError(say("server.limit.text", length=counted(len(text)), most=counted(TEXT)))
    used: dict[str, None] = {}
    assigned: set[str] = set()
    written: dict[str, tuple[float, int, int]] = {}
    for token in TOKEN.finditer(text):
        kind = token.lastindex
        if kind == NAME:
            used[token[NAME]] = None
        elif kind in (TARGET, INPUT_TARGET):
            assigned.add(token[NAME])
            if kind == INPUT_TARGET:
                number = float(token[INPUT_TARGET].replace(" ", "").replace("\t", ""))
                written[token[NAME]] = number, *token.span(INPUT_TARGET)
    free = {name: ASSUMED.get(name, 1.0) for name in used if name not in assigned and is_free(name)}
    graph, places = parse_with_places(text, {name: given.get(name, x) for name, x in free.items()})
    if len(graph) > NODES:
        raise LimitError(say("server.limit.nodes", count=counted(len(graph)), most=counted(NODES)))
    inputs = {graph.names[i] for i in graph.inputs}
    graph = graph.at({name: x for name, x in given.items() if name in inputs})
    return TypedGraph(text, graph, places, written, frozenset(free.keys() - given.keys()))


def place_of(text: str, error: LanguageError) -> tuple[int, int] | None:
    """Where an error is: the first and the last place in the text, or None where it is nowhere."""
    if not error.excerpt:
        return None
    start = 0
    for _ in range(error.line - 1):
        ends = [at for at in (text.find("\n", start), text.find("\r", start)) if at >= 0]
        start = min(ends, default=len(text) - 1) + 1
        if text[start - 1 : start + 1] == "\r\n":
            start += 1
    start = min(start + error.column - 1, len(text))
    token = TOKEN.match(text, start)
    kind = token.lastindex if token else None
    if token is None or kind is None:
        return start, start
    end = token.end(NAME if NAME <= kind <= INPUT_TARGET else kind)
    if not text[start:end].strip():  # something is missing at the end of a line
        return max(0, start - 1), start
    return start, end


def slider(value: float) -> tuple[float, float, float]:
    """A range around 0 in which a value has room on both sides, and a step, all of them round numbers."""
    size = abs(value) if isfinite(value) and value else 1.0
    if size > 1e300 or size < 1e-300:
        size = 1.0
    bound = _round_up(2.0 * size if size < 0.1 else 2.0 * max(1.0, size))
    return -bound, bound, bound / 100.0


def _round_up(x: float) -> float:
    """The next of 1, 2, 5, 10, 20, 50 ..."""
    power: float = 10.0 ** floor(log10(x))
    return next(digit * power for digit in (1.0, 2.0, 5.0, 10.0, 20.0) if digit * power >= x)
