"""Wording of nodes, numbers and products, which all views share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from re import sub

from ..language import write
from ..ops import OPS
from ..text.escape import printable
from ..text.numerals import counted, show
from ..text.translation import pick, say
from .graph import CONSTANT, Graph
from .paths import Path, Paths
from .trace import Trace

__all__ = [
    "factor",
    "factors",
    "labels",
    "name",
    "names",
    "product",
    "recipe",
    "route",
    "rule_of",
    "slots",
    "statement",
    "substituted",
    "terms",
]

MOST = 6  # arguments that are written out of a long list
HOPS = 8  # nodes of a path that are written out


def name(graph: Graph, i: int) -> str:
    """A node's name; a constant without a label is its number."""
    node = graph.nodes[i]
    if node.op == CONSTANT and not node.label and node.data is not None:
        return show(node.data)
    return printable(graph.names[i])


def names(graph: Graph, indices: Sequence[int], most: int | None = None) -> str:
    """Their names; of more than `most`, the first."""
    shown = ", ".join(name(graph, i) for i in indices[:most])
    return shown + (", ..." if most is not None and len(indices) > most else "")


def statement(graph: Graph, inputs: bool = True) -> str:
    """A graph in the language on one line, its inputs in front; 2.0 is written 2."""
    lines = write(graph).split("\n")
    return sub(r"(?<=\d)\.0\b", "", "; ".join(lines if inputs else lines[len(graph.inputs) :]))


def factor(x: float) -> str:
    """A number inside a sum or product: negative ones in parentheses."""
    text = show(x)
    return f"({text})" if text.startswith("-") else text


def product(factors: Sequence[float]) -> str:
    """-2 * 1, 3 * 1 * (-2); long ones are cut."""
    texts = [show(factors[0]), *(factor(x) for x in factors[1:])] if factors else ["1"]
    if len(texts) > MOST + 2:
        texts = [*texts[:MOST], "...", texts[-1]]
    return " * ".join(texts)


def _written(graph: Graph, i: int, arguments: Sequence[str]) -> str:
    node = graph.nodes[i]
    shown = list(arguments)
    if len(shown) > MOST:
        shown = [*shown[: MOST - 1], f"... ({counted(len(arguments))})"]
    if node.op not in OPS:
        return f"{node.op}({', '.join(shown)})"
    return OPS[node.op].write(*shown)


def recipe(graph: Graph, i: int) -> str:
    """How a node is made: e * f."""
    return _written(graph, i, [name(graph, arg) for arg in graph.nodes[i].args])


def rule_of(graph: Graph, i: int) -> str:
    """A node's local rule in words, about its own arguments; only what concerns active ones."""
    node = graph.nodes[i]
    parts = pick(OPS[node.op].rule).split(" | ")  # one part per slot, where the rule has parts
    if len(parts) > 1:
        parts = [part for part, arg in zip(parts, node.args, strict=True) if graph.active[arg]]
    arguments = zip("abc", (name(graph, arg) for arg in node.args), strict=False)
    return "; ".join(parts).format(**dict(arguments))


def substituted(trace: Trace, i: int) -> str:
    """The same with numbers: 10 * (-2)."""
    graph, values = trace.graph, trace.values
    inside_call = graph.nodes[i].op not in OPS or not OPS[graph.nodes[i].op].text
    write = show if inside_call else factor
    texts = [write(values[arg]) for arg in graph.nodes[i].args]
    if not inside_call and len(texts) > 1:
        texts[0] = show(values[graph.nodes[i].args[0]]) if graph.nodes[i].op != "pow" else texts[0]
    return _written(graph, i, texts)


# ---- a gradient as a sum over paths ---------------------------------------------------------------


def terms(graph: Graph, found: Paths) -> str:
    """10 via f - 6 via ab, and what the paths that are not listed add up to."""
    text = ""
    for path, label in zip(found.listed, labels(graph, found), strict=True):
        way = say("ledger.via", node=label) if label else say("ledger.itself")
        text += f"{_signed(path.amount, not text)} {way}"
    more = found.count - len(found.listed)
    if more:
        text += (
            _signed(found.rest, not text)
            + " "
            + say("ledger.rest" if more > 1 else "ledger.rest.one", count=counted(more))
        )
    return text


def _signed(x: float, first: bool) -> str:
    text = show(x)
    if first:
        return text
    return f" - {text[1:]}" if text.startswith("-") else f" + {text}"


def labels(graph: Graph, found: Paths) -> list[str]:
    """What tells the paths apart: the first node, more of them where it takes more, and the slot."""
    routes = Counter(path.nodes for path in found.listed)
    short = dict.fromkeys(routes, "")
    unclear, hops = list(routes), 0
    while unclear and hops < HOPS:
        hops += 1
        for nodes in unclear:
            short[nodes] = " > ".join(name(graph, i) for i in nodes[1 : 1 + hops])
        counts = Counter(short.values())
        unclear = [nodes for nodes in unclear if counts[short[nodes]] > 1]
    return [f"{short[path.nodes]} {slots(graph, path, found)}".strip() for path in found.listed]


def slots(graph: Graph, path: Path, found: Paths) -> str:
    """The argument places in which a path differs from others along the same nodes: a*a has two.

    "[slot 1]" is a place of the first node on the way; a place of a later one is named with its node.
    """
    others = [other.slots for other in found.listed if other.nodes == path.nodes]
    places = [k for k, found_ in enumerate(zip(path.slots, *others, strict=True)) if len({*found_}) > 1]
    if not places:
        return ""
    if places == [0]:
        return say("ledger.slot", slot=path.slots[0] + 1)
    known = len(path.slots) - bool(
        path.skipped
    )  # after the last one, the nodes before the output are left out
    owners = [name(graph, path.nodes[k + 1]) if k < known else "..." for k in places]
    named = [
        say("ledger.slot_of", slot=path.slots[k] + 1, node=o) for k, o in zip(places, owners, strict=True)
    ]
    return f"[{', '.join(named)}]"


def factors(trace: Trace, path: Path) -> list[float]:
    """What a path multiplies: its locals, and the seed where that is not 1."""
    seed = trace.grads[trace.graph.output]
    return [*path.locals, *([] if seed == 1.0 or path.skipped else [seed])]


def route(graph: Graph, path: Path) -> str:
    """a > ab > e > L; of a long path, its beginning and its end."""
    shown = [name(graph, i) for i in path.nodes]
    hidden = len(shown) + path.skipped - (HOPS - 1)
    if hidden > 1:
        shown = [*shown[: HOPS - 2], f"... ({counted(hidden)})", shown[-1]]
    return " > ".join(shown)
