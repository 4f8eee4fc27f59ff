"""The witness of the chain rule by hand: one product per path, as on paper, and then their sum.

It takes the local derivatives from the column `paper` of the op table, in which they stand as a
person writes them; the passes use other formulas, which lose fewer bits.  It also writes the sum
out, in symbols and in numbers:

    dL/da = dL/df * df/da + dL/de * de/dab * dab/da
          = e * 1 + f * 1 * b
          = 10 * 1 + (-2) * 1 * 3 = 4
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap

from ...graph import CUSTOM, Graph
from ...graph.notation.paper import OTHERS, local_symbol, on_paper, parsed, partial
from ...graph.wording import factor, name, recipe
from ...ops import OPS
from ...text.numerals import counted, json_number, show
from ...text.page import Page
from ...text.translation import say
from ...values import ieee
from ..case import Case
from ..testimony import CANNOT, Estimate, Statement

__all__ = ["NAME", "PathTerm", "Sum", "local_on_paper", "sums", "witness"]

NAME = "paper"
MOST = 2000  # paths that are followed
LONGEST = 200_000  # steps of all paths together
WRITTEN = 4  # paths that are written out for one input
NAMED = 12  # nodes without a name that are introduced
STEPS = 8  # steps of a path that is written out


@dataclass(frozen=True, slots=True)
class PathTerm:
    """One path from an input up to the output."""

    nodes: tuple[int, ...]  # from the output down to the input
    symbols: tuple[str, ...]  # the local derivative of each step, in symbols
    locals: tuple[float, ...]
    amount: float


@dataclass(frozen=True, slots=True)
class Sum:
    """The derivative by one input, as far as it is written out."""

    name: str
    terms: tuple[PathTerm, ...]  # the first few
    count: int
    total: float

    def to_json(self, graph: Graph) -> dict[str, object]:
        return {
            "input": self.name,
            "paths": self.count,
            "terms": [
                {
                    "nodes": [graph.names[i] for i in term.nodes],
                    "symbols": list(term.symbols),
                    "locals": [json_number(x) for x in term.locals],
                    "amount": json_number(term.amount),
                }
                for term in self.terms
            ],
            "total": json_number(self.total),
        }


# ---- local derivatives --------------------------------------------------------------------------


def local_on_paper(graph: Graph, i: int, slot: int, values: Mapping[int, float] | list[float]) -> float:
    """The local derivative of node i in a slot, by its formula on paper."""
    node = graph.nodes[i]
    if node.op == CUSTOM:
        return node.locals[slot]
    xs = [values[arg] for arg in node.args]
    text, letters = on_paper(node.op, slot)
    if text == OTHERS:
        return math.prod(xs[:slot] + xs[slot + 1 :])
    half = len(xs) // 2
    numbers = {
        **dict(zip("abc", xs, strict=False)),
        "y": values[i],
        "pi": math.pi,
        "x": xs[slot],
        "partner": xs[(slot + half) % len(xs)],
        "n": float(len(xs)),
    }
    formula = parsed(text, letters)
    result: float = formula.evaluate(inputs={letter: numbers[letter] for letter in letters})[formula.output]
    return result


# ---- paths --------------------------------------------------------------------------------------


def _counts(graph: Graph) -> tuple[list[int], list[int]]:
    """For each node: the paths from it up to the output, and the steps of all of them together."""
    paths, steps = [0] * len(graph), [0] * len(graph)
    paths[graph.output] = 1
    for i in graph.order:
        for arg in graph.nodes[i].args:
            if graph.active[arg] and paths[i]:
                paths[arg] += paths[i]
                steps[arg] += steps[i] + paths[i]
    return paths, steps


def _ways(
    graph: Graph, target: int, rows: Mapping[int, list[float]]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every path from the output down to `target`, as (node, slot) steps; nodes not above it are left out."""
    above = [False] * len(graph)
    above[target] = True
    for i, node in enumerate(graph.nodes):
        above[i] = above[i] or any(above[arg] for arg in node.args)
    stack: list[tuple[int, tuple[tuple[int, int], ...]]] = [(graph.output, ())]
    while stack:
        i, way = stack.pop()
        if i == target:
            yield way
            continue
        args = graph.nodes[i].args
        for slot in range(len(args)):  # the newest argument is on top of the stack, as a pass goes
            silent = graph.nodes[i].op in OPS and OPS[graph.nodes[i].op].selective and rows[i][slot] == 0.0
            if above[args[slot]] and not silent:
                stack.append((args[slot], (*way, (i, slot))))


def sums(case: Case, names: tuple[str, ...] | None = None) -> list[Sum]:
    """The derivative by each input, path by path; the first paths are kept, all are added."""
    graph, values = case.graph, list(case.values)
    rows = {
        i: [local_on_paper(graph, i, slot, values) for slot in range(len(graph.nodes[i].args))]
        for i in graph.order
    }
    found = []
    for each in case.names if names is None else names:
        target = graph.index(each)
        amounts: list[float] = []
        kept: list[PathTerm] = []
        if graph.active[target]:
            for way in _ways(graph, target, rows):
                locals_ = tuple(rows[i][slot] for i, slot in way)
                amount = math.prod(locals_)
                amounts.append(amount)
                if len(kept) < WRITTEN:
                    symbols = tuple(local_symbol(graph, i, slot) for i, slot in way)
                    kept.append(PathTerm((*(i for i, _ in way), target), symbols, locals_, amount))
        total = ieee.fsum(*amounts)
        found.append(Sum(each, tuple(kept), len(amounts), total))
    return found


def witness(case: Case) -> Statement:
    paths, steps = _counts(case.graph)
    targets = [case.graph.index(each) for each in case.names]
    count = sum(paths[i] for i in targets)
    if count > MOST or sum(steps[i] for i in targets) > LONGEST:
        return Statement(NAME, status=CANNOT, why="paths", about=counted(count))
    slopes = {found.name: Estimate(found.total) for found in sums(case)}
    return Statement(NAME, None, slopes, note="on_paper")


# ---- written out --------------------------------------------------------------------------------


def written(case: Case, found: Sequence[Sum], page: Page) -> Iterator[str]:
    """The sums in symbols, with the formulas, and in numbers; first, what the unnamed nodes are."""
    graph = case.graph
    used = {i for each in found for term in each.terms for i in term.nodes}
    unnamed = [i for i in sorted(used) if graph.nodes[i].args and not graph.nodes[i].label]
    if unnamed:
        recipes = [f"{name(graph, i)} = {recipe(graph, i)}" for i in unnamed[:NAMED]]
        recipes += ["..."] if len(unnamed) > NAMED else []
        yield from page.wrap(say("court.with", recipes=", ".join(recipes)), "  ")
    for each in found:
        yield from _sum(graph, each, page)


def _sum(graph: Graph, found: Sum, page: Page) -> Iterator[str]:
    left = f"d{name(graph, graph.output)}/d{name(graph, graph.index(found.name))}"
    total = show(found.total)
    lines = []
    if found.terms and found.terms[0].symbols:
        rest = []
        if found.count > len(found.terms):
            rest = [say("court.more_paths", count=counted(found.count - len(found.terms)))]
        alone = found.count == 1 and len(found.terms[0].symbols) == 1
        if alone:  # dL/da = dL/da says nothing
            symbols = found.terms[0].symbols[0]
            lines = [symbols] if symbols != total else []
        else:
            lines = [
                " + ".join([*(_chain(graph, term) for term in found.terms), *rest]),
                " + ".join([*(_joined([_factor(s) for s in term.symbols]) for term in found.terms), *rest]),
                " + ".join([*(_joined([factor(x) for x in term.locals]) for term in found.terms), *rest]),
            ]
    lines = [*lines[:2], f"{lines[2]} = {total}"] if len(lines) > 2 else [*lines, total]
    inner = " " * (2 + len(left) + 3)
    if 2 * len(inner) > page.width:  # a long name must not push everything to the right
        inner = " " * 8
    for place, line in enumerate(lines):
        start = inner[:-2] + "= " if place else f"  {left} = "
        yield from wrap(
            line, page.width, initial_indent=start, subsequent_indent=inner,
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip


def _chain(graph: Graph, term: PathTerm) -> str:
    steps = zip(term.nodes, term.nodes[1:])  # noqa: B905 pairs
    return _joined([partial(graph, i, j) for i, j in steps])


def _joined(factors: list[str]) -> str:
    if len(factors) > STEPS:
        factors = [*factors[: STEPS - 1], "...", factors[-1]]
    return " * ".join(factors)


def _factor(text: str) -> str:
    """A formula inside a product: in parentheses unless it is one already, or a call, or a name."""
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and (letter in "+/<>" or (letter == "-" and at == 0) or text[at : at + 3] == " - "):
            return f"({text})"
    return text
