"""Text to Graph and back: a small language of our own, never eval.

    graph = parse("(a*b + c) * (a - c)", {"a": 2.0, "b": 3.0, "c": 4.0})
    graph = parse("a = 2; b = 3; ab = a*b; ab + exp(-a)")
    write(graph)                            # text that parse reads back

A text is statements, one per line or separated by `;`; `#` starts a comment, and inside
parentheses a line break is just space.  A statement is `name = expression`; the last one
is the output and may be a bare expression.
Expressions have Python's operators, precedence and associativity, `·` and `×` for `*`,
every op of the table as a function, and `softmax(k, x0, x1, ...)`, `cross_entropy(k, ...)`.
`name = number` makes an input, and so does a name that has its value in `inputs`; any
other number is a constant.

Nodes are created in the order in which Python would create Values: the inputs first, by
their first appearance, then left operand, right operand, op.  Each name becomes the label
of its node.  What is not in the language raises LanguageError, which says where, why and
what to write instead.  Nothing here recurses: depth is limited by LIMITS alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from re import fullmatch

from ..graph import Graph
from ..text.excerpts import describe
from ..text.translation import say
from .reader import Reader
from .tokens import LanguageError
from .vocabulary import FUNCTIONS, LIMITS
from .writer import write

__all__ = [
    "FUNCTIONS",
    "LIMITS",
    "LanguageError",
    "Places",
    "decimal_point",
    "number",
    "parse",
    "parse_with_places",
    "write",
]

Places = tuple[tuple[int, int] | None, ...]  # for each node, where in the text its statement starts and ends


def parse(text: str, inputs: Mapping[str, float] | None = None) -> Graph:
    """The graph that a text describes; `inputs` are the values of names that it does not define."""
    return parse_with_places(text, inputs)[0]


def number(text: str) -> float | None:
    """The number that a text is, or that an expression of numbers comes to, such as 1/3; None for others."""
    try:
        graph = parse(decimal_point(text))
    except LanguageError:
        return None
    return None if graph.inputs else float(graph.evaluate()[graph.output])


def decimal_point(text: str) -> str:
    """A plain numeral with its decimal comma as a point; 1,234 could be either number and stays as it is."""
    found = fullmatch(r"\s*([+-]?)(\d*),(\d+)\s*", text)
    if found is None or fullmatch(r"[+-]?[1-9]\d{0,2},\d{3}", text.strip()):
        return text
    sign, whole, part = found.groups()
    return f"{sign}{whole or 0}.{part}"


def parse_with_places(text: str, inputs: Mapping[str, float] | None = None) -> tuple[Graph, Places]:
    """The graph, and for each of its nodes the statement of the text that it comes from."""
    if not isinstance(text, str):
        raise TypeError(say("grammar.type", given=describe(text)))
    reader = Reader(text, inputs or {})
    graph = reader.graph()
    return graph, tuple(reader.places())
