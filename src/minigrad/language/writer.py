"""Writer of a graph as a text that `parse` reads back, with the fewest statements and parentheses.

Nothing here recurses, so a graph may be as deep as it likes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import count

from ..graph import CONSTANT, CUSTOM, INPUT, Graph, Node
from ..ops import OPS, SYMBOLS
from ..text.translation import say
from .vocabulary import ATOM, COMPARISON, LEVELS, LIMITS, POWER, PRODUCT, SUM, UNARY, is_free

__all__ = ["write"]


def write(graph: Graph) -> str:
    """A text, one statement per line, that `parse` reads back as the same graph.

    The same ops in the same order with the same arguments, numbers and labels.  Only leaves
    move: inputs to the front, constants to where they are used.  An unlabelled node gets a
    name of `graph.names`, and so a label, where the text cannot do without one: it is an
    input, or used more than once, or not at all, or not in the order in which it was created,
    or nested too deep.  A label that is no legal name is replaced by one that resembles it.
    """
    custom = next((i for i, node in enumerate(graph.nodes) if node.op == CUSTOM), None)
    if custom is not None:
        raise ValueError(say("grammar.custom", name=graph.names[custom]))
    nodes, names, inlined = graph.nodes, _names(graph), _inlined(graph)
    lines = [f"{names[i]} = {_numeral(nodes[i])}" for i in graph.inputs]
    named = [i for i, node in enumerate(nodes) if node.op != INPUT and not inlined[i]]
    for i in named:
        text = _expression(nodes, names, inlined, i)
        if i == named[-1] == graph.output and not nodes[i].label:
            lines.append(text)
        else:  # name = 2.0 would be an input
            lines.append(f"{names[i]} = ({text})" if nodes[i].op == CONSTANT else f"{names[i]} = {text}")
    if graph.output != (named or graph.inputs)[-1]:
        lines.append(names[graph.output])
    return "\n".join(lines)


# ---- what gets a name, and which --------------------------------------------------------


def _inlined(graph: Graph) -> list[bool]:
    """For each node: is it written where it is used, rather than in a statement of its own?

    The ops of one statement are created one after the other, arguments before what they are
    for.  So an op, from its last argument to its first, takes in what was created just before
    all that it has taken in already, and the order of creation survives.
    """
    nodes = graph.nodes
    uses = [0] * len(nodes)
    for node in nodes:
        for arg in node.args:
            uses[arg] += 1
    inlined = [False] * len(nodes)
    turn = [0] * len(nodes)  # of an op, among the ops
    first = [0] * len(nodes)  # the turn of the first op in its text
    depth = [0] * len(nodes)  # how deep the parentheses in its text are nested
    turns = count(1)
    for i, node in enumerate(nodes):
        if not node.args:
            continue
        turn[i] = first[i] = next(turns)
        depth[i] = call = int(node.op not in _NEEDS)
        for slot in range(len(node.args) - 1, -1, -1):
            arg = node.args[slot]
            child = nodes[arg]
            if uses[arg] != 1 or child.label or child.op == INPUT or arg == graph.output:
                continue
            around = depth[arg] + (call or _bracketed(node.op, slot, child))
            if child.args:
                if turn[arg] != first[i] - 1 or around > LIMITS["nesting"]:
                    continue
                first[i] = first[arg]
            depth[i] = max(depth[i], around)
            inlined[arg] = True
    return inlined


def _names(graph: Graph) -> list[str]:
    """The graph's names, with a legal one in place of each that the language cannot read."""
    taken = set(filter(is_free, graph.names))
    numbers: dict[str, Iterator[int]] = {}  # one counter per stem, so that many alike take linear time
    names = []
    for name in graph.names:
        if not is_free(name):
            stem = _stem(name)
            counter = numbers.setdefault(stem, count(2))
            name = stem if stem not in taken and is_free(stem) else ""
            while not name or name in taken:
                name = f"{stem}_{next(counter)}"
            taken.add(name)
        names.append(name)
    return names


def _stem(label: str) -> str:
    """What is left of a label in letters, digits and _: "hidden[0]" becomes hidden_0."""
    from unicodedata import normalize

    plain = normalize("NFKD", label[:200]).encode("ascii", "ignore").decode("ascii")
    stem = "_".join(re.findall("[A-Za-z0-9]+", plain))[:80]
    return f"v_{stem}" if stem[:1].isdigit() else stem or "v"


# ---- expressions ------------------------------------------------------------------------

# How tightly each argument of an operator must bind to stand there without parentheses.
_NEEDS: dict[str, tuple[int, ...]] = {"neg": (UNARY,)}
_TIGHTNESS = {"neg": UNARY}
_BOTH_SIDES = {COMPARISON: (SUM, SUM), SUM: (SUM, PRODUCT), PRODUCT: (PRODUCT, UNARY), POWER: (ATOM, UNARY)}
for _symbol, _level in LEVELS.items():
    _NEEDS[SYMBOLS[_symbol].name] = _BOTH_SIDES[_level]
    _TIGHTNESS[SYMBOLS[_symbol].name] = _level


def _numeral(node: Node) -> str:
    assert node.data is not None
    return repr(float(node.data))


def _bracketed(op: str, slot: int, child: Node) -> bool:
    """Whether the text of `child` needs parentheses as this argument of `op`."""
    if op not in _NEEDS:
        return False
    if child.op != CONSTANT:
        return _TIGHTNESS.get(child.op, ATOM) < _NEEDS[op][slot]
    if op == "neg":  # -2.0 would be one constant
        return not _numeral(child).startswith("-")
    return _numeral(child).startswith("-") and _NEEDS[op][slot] > UNARY


def _expression(nodes: Sequence[Node], names: Sequence[str], inlined: Sequence[bool], root: int) -> str:
    """The text of one node, with its arguments inside it where they are inlined."""
    parts: list[str] = []
    todo: list[str | int] = [root]  # the next piece is the last one
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            parts.append(piece)
            continue
        node = nodes[piece]
        if node.op == CONSTANT:
            parts.append(_numeral(node))
            continue
        opening, between, closing = _around(node.op)
        todo.append(closing)
        for slot in range(len(node.args) - 1, -1, -1):
            arg = node.args[slot]
            if not inlined[arg]:
                todo.append(names[arg])
            elif _bracketed(node.op, slot, nodes[arg]):
                todo += [")", arg, "("]
            else:
                todo.append(arg)
            todo.append(between if slot else opening)
    return "".join(parts)


def _around(op: str) -> tuple[str, str, str]:
    """What stands before, between and after the arguments of an op."""
    if op == "neg":
        return "-", "", ""
    return ("", f" {OPS[op].symbol} ", "") if op in _NEEDS else (f"{op}(", ", ", ")")
