"""Probes: small programs that an engine must get right, each there for a reason.

A probe is a graph in minigrad's own language, or a scenario (two passes, two losses, a deep chain).
Most public engines that are wrong pass `a + a`, `a * a` and the classic tutorial graph.  What shows
their bugs is reuse of nodes that are not leaves, an early consumer that is deep and a late one that is
shallow, every op beside another contribution to the same operand (`f(a) + a`), every op below something
whose upstream is not 1 (`f(a*b) * c`), and numbers on both sides of every operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from ...graph import CONSTANT, INPUT, Graph
from ...language import parse

__all__ = ["DEEP", "Probe", "probes", "unknown_probes"]

STRUCTURE, OP, EDGE, STATE, DEPTH, CHOICE = "structure", "op", "edge", "state", "depth", "choice"
UNKNOWN, FAR = "unknown", "far"
DEEP = (100, 2_000, 50_000)


@dataclass(frozen=True)
class Probe:
    id: str
    topic: str  # STRUCTURE, OP, EDGE, STATE, DEPTH, CHOICE
    text: str = ""  # the graph, with its inputs
    kind: str = "graph"  # how the child runs it
    op: str = ""  # the op that it is about
    seed: float = 1.0
    integer: bool = False  # are the leaves whole numbers, written without a point?
    depth: int = 0
    first: str = ""  # of two losses, the one before
    written: float = 0.0
    seconds: float = 1.0

    @cached_property
    def graph(self) -> Graph:
        return parse(self.text)

    @property
    def asks(self) -> frozenset[str]:
        """The ops that it needs, with the pattern of their operands where a number is one of them."""
        found = set()
        for graph in [self.graph] if self.text else []:
            for node in graph.nodes:
                if node.args:
                    found.add(f"{node.op} {_pattern(graph, node.args)}")
        return frozenset(found)

    @cached_property
    def uses(self) -> frozenset[str]:
        """How each of its ops is used: on leaves, nodes or numbers, as the output, more than once."""
        graph, found = self.graph, set()
        consumed = [arg for node in graph.nodes for arg in node.args]
        for place, node in enumerate(graph.nodes):
            if node.args:
                kinds = (graph.nodes[arg] for arg in node.args)
                kind = "".join("l" if x.op == INPUT else "k" if x.op == CONSTANT else "n" for x in kinds)
                end = "output" if place == graph.output else "inside"
                found.add(f"{node.op} {kind} {end} {'again' * (consumed.count(place) > 1)}")
        return frozenset(found)

    @cached_property
    def leaves(self) -> frozenset[str]:
        """The names of the leaves whose gradients the child sends."""
        if self.kind in ("chain", "doubling", "unknown"):
            return frozenset({"a"})
        rows = _second(parse(self.first), self.graph) if self.kind == "two" else _rows(self.graph)
        return frozenset(str(label) for op, _, label, _ in rows if op == INPUT)

    def request(self) -> dict[str, object]:
        """The probe as the child runs it."""
        plain: dict[str, object] = {"id": self.id, "kind": self.kind, "seconds": self.seconds}
        if self.text:
            plain |= {"nodes": _rows(self.graph), "output": self.graph.output}
        if self.kind == "two":
            before = parse(self.first)
            plain["graphs"] = [
                {"nodes": _rows(before), "output": before.output},
                {"nodes": _second(before, self.graph), "output": self.graph.output},
            ]
        plain |= {"seed": self.seed, "integer": self.integer, "depth": self.depth, "op": self.op}
        plain["written"] = self.written
        return plain


def _rows(graph: Graph) -> list[list[object]]:
    return [
        [node.op, list(node.args), graph.names[i] if node.op == INPUT else node.label, node.data]
        for i, node in enumerate(graph.nodes)
    ]


def _second(before: Graph, graph: Graph) -> list[list[object]]:
    """The second loss's nodes; one that has the label of a node of the first is that node."""
    known = {node.label for node in before.nodes if node.label and node.args}
    rows = _rows(graph)
    for row in rows:
        if row[2] in known and row[0] != INPUT:
            row[0], row[1] = INPUT, []
    return rows


def _pattern(graph: Graph, args: tuple[int, ...]) -> str:
    return "".join("k" if graph.nodes[arg].op == CONSTANT else "v" for arg in args)


# ---- structure ------------------------------------------------------------------------------------

_STRUCTURE = {
    "add": "a = 3; b = 2; a + b",
    "mul": "a = 3; b = 2; a * b",
    "add-twice": "a = 3; a + a",
    "mul-twice": "a = 3; a * a",
    "diamond": "a = 3; b = 2; c = a*b; d = a + b; c * d",
    "three-uses": "a = 3; b = 2; a*b + a + a*a",
    "sum-of-sums": "a = 3; b = a + a; b + b",
    "square-of-square": "a = 1.5; b = a*a; b * b",
    "shared-late": "a = 3; b = 2; c = a*b; d = c + a; e = d*d; f = e*c; f + d",
    "shared-early": "a = 3; b = 2; c = a*b; ((c + b) * c + a) * c",
    "deep-then-shallow": "a = 3; b = 2; c = a + b; d = c*a; e = d*b; f = e*a; f + c",
    "shallow-then-deep": "a = 3; b = 2; c = a + b; c + ((c*a) * b) * a",
    "shallow-times-deep": "a = 1.5; b = 2; c = a*b; c * (((c + a) + b) * a)",
    "ladder": "a = 1.5; b = 2; c = a + b; d = c*a; e = d + c; f = e*d; f + e",
    "twins": "a = 3; b = 2; c = a*b; d = a*b; c * d",
    "three-levels": "a = 1.25; b = a*a; c = b + b; d = c*c; d + c",
    "crossed": "a = 3; b = 2; c = a*b; d = a + c; e = b + c; d * e",
    "classic": "a = 2; b = -3; c = 10; f = -2; (a*b + c) * f",
    "equal-leaves": "a = 3; b = 3; c = 2; a*c + b",
    "equal-leaves-in-turn": "a = 2; b = 2; c = 5; (a*c) * (b + c)",
    "equal-nodes": "a = 2; b = 5; c = a*a; d = a + a; c*b + d",
    "equal-to-a-leaf": "a = 2; b = 1; c = 4; d = a*a; d*b + c",
    "zero-between": "a = 3; b = -3; c = 2; d = a + b; d*c + a",
    "one-between": "a = 2; b = 0.5; c = a*b; c*c + c*a",
    "unused": "a = 3; b = 2; c = 5; d = c*c; a * b",
    "sums-only": "a = 1; b = 2; c = 3; d = a + b; e = d + c; e + d",
}
_BUILTIN_SUM = "a = 1.5; b = 2; c = 3; d = a*b; sum(d, c, a)"


def _structure() -> Iterator[Probe]:
    for name, text in _STRUCTURE.items():
        yield Probe(name, STRUCTURE, text)
    for count in range(3, 11):
        others = "; ".join(f"b{i} = {i + 0.5}" for i in range(1, count + 1))
        terms = " + ".join(f"a*b{i}" for i in range(1, count + 1))
        yield Probe(f"fan-out-{count}", STRUCTURE, f"a = 3; {others}; {terms}")
    many = "; ".join(f"w{i} = {i / 8}; x{i} = {(i * 7) % 11 - 5.5}" for i in range(1, 41))
    yield Probe("many-leaves", STRUCTURE, many + "; " + " + ".join(f"w{i}*x{i}" for i in range(1, 41)))
    yield Probe("chain-of-products", STRUCTURE, "a = 1.5; b = 2; ((((a*b)*a)*b)*a)*b")
    yield Probe("whole-numbers", STRUCTURE, "a = 3; b = 2; c = a*b; c*c + a", integer=True)
    yield Probe("seed", STRUCTURE, "a = 3; b = 2; c = a*b; (c + a) * c", seed=-2.5)
    yield Probe("builtin-sum", STRUCTURE, _BUILTIN_SUM)


# ---- every op -------------------------------------------------------------------------------------

# Where it is smooth and ordinary, the first being the point at which the patterns are run.
_UNARY = {
    "neg": (3.0, -1.5), "abs": (-3.0, 2.0), "square": (3.0, -1.5), "reciprocal": (2.0, -1.5),
    "exp": (0.75, -1.5, 3.0, 12.0), "log": (2.5, 0.25, 12.0), "log2": (2.5, 12.0), "log10": (2.5, 12.0),
    "sqrt": (2.25, 7.0), "sin": (0.75, 2.5), "cos": (0.75, 2.5), "tan": (0.75, -0.5),
    "arcsin": (0.5, -0.25), "arccos": (0.5, -0.25), "arctan": (0.75, -2.0), "sinh": (0.75, -1.5),
    "cosh": (0.75, -1.5), "tanh": (0.75, -0.25, 2.0, 3.0),
    "sigmoid": (0.75, -2.0, 3.0, 5.0), "softplus": (0.75, -2.0),
    "silu": (0.75, -2.0), "relu": (3.0, -2.0, 0.5),
}  # fmt: skip
_BINARY = {
    "sub": ((3.0, 2.0), (-1.5, 4.0)),
    "div": ((3.0, 2.0), (-1.5, 4.0)),
    "pow": ((1.5, 2.5), (3.0, 0.5)),
    "add": ((3.0, 2.0),),
    "mul": ((3.0, 2.0), (-1.5, 4.0)),
    "maximum": ((3.0, 2.0), (-1.5, 4.0)),
    "minimum": ((3.0, 2.0), (-1.5, 4.0)),
}
_SIGNS = {"sub": "-", "div": "/", "pow": "**", "add": "+", "mul": "*"}
_PATTERNS = {  # f is the op on one operand; c is what makes the upstream another than 1
    "alone": "f(a)",
    "below": "c = -2.5; f(a) * c",
    "between": "b = {near}; c = -2.5; f(a*b) * c",
    "before": "d = f(a); d + a",
    "after": "d = f(a); a + d",
    "beside": "c = -2.5; d = a*c; f(a) + d",
    "shared": "d = f(a); d * d",
    "node-before": "b = {near}; e = a*b; f(e) + e",
    "node-after": "b = {near}; e = a*b; e*b + f(e)",
}


def _written(op: str, x: str, y: str = "") -> str:
    if not y:
        return f"-{x}" if op == "neg" else f"{op}({x})"
    return f"({x} {_SIGNS[op]} {y})" if op in _SIGNS else f"{op}({x}, {y})"


def _unary(op: str, points: tuple[float, ...]) -> Iterator[Probe]:
    for place, point in enumerate(points):
        for name, pattern in _PATTERNS.items():
            if place and name not in ("alone", "below"):
                continue
            text = pattern.replace("{near}", "0.9" if op in ("arcsin", "arccos") else "1.1")
            text = text.replace("f(a*b)", _grouped(op, "a*b"))
            for inner in ("a", "e"):
                text = text.replace(f"f({inner})", _grouped(op, inner))
            mark = f"{op}-{name}" if not place else f"{op}-{name}-{place + 1}"
            yield Probe(mark, OP, f"a = {point}; {text}", op=op)


def _grouped(op: str, x: str) -> str:
    return f"(-({x}))" if op == "neg" else f"{op}({x})"


def _binary(op: str, points: tuple[tuple[float, float], ...]) -> Iterator[Probe]:
    (x, y), *others = points
    start = f"a = {x}; b = {y}; "
    whole = _written(op, "a", "b")
    texts = {
        "alone": f"{start}{whole}",
        "below": f"{start}c = -2.5; {whole} * c",
        "before": f"{start}d = {whole}; d + a",
        "after": f"{start}d = {whole}; b + d",
        "beside": f"{start}c = -2.5; e = a*c; {whole} + e",
        "beside-second": f"{start}c = -2.5; e = b*c; e + {whole}",
        "shared": f"{start}d = {whole}; d * d",
        "nodes": f"{start}c = 1.25; e = a*c; g = b*c; {_written(op, 'e', 'g')} * c",
        "node-before": f"{start}c = 1.25; e = a*c; {_written(op, 'e', 'b')} + e",
        "node-after": f"{start}c = 1.25; e = b*c; e*c + {_written(op, 'a', 'e')}",
        "itself": f"a = {x}; c = -2.5; {_written(op, 'a', 'a')} * c",
        "chained": f"{start}c = 1.25; {_written(op, whole, 'c')}",
    }
    for place, (p, q) in enumerate(others, 2):
        texts[f"alone-{place}"] = f"a = {p}; b = {q}; {whole}"
    for name, text in texts.items():
        yield Probe(f"{op}-{name}", OP, text, op=op)
    for number in ("3", "0.5") if op == "pow" else ("2",):
        mark = "" if number in ("2", "3") else "-half"
        k = f"a = 1.75; c = -2.5; {_written(op, 'a', number)}"
        yield Probe(f"{op}-number{mark}", OP, k, op=op)
        part = "0.5" if number == "2" else number  # who takes whole numbers alone is asked for another
        below = f"a = 1.75; c = -2.5; {_written(op, 'a', part)} * c"
        yield Probe(f"{op}-number{mark}-below", OP, below, op=op)
        yield Probe(
            f"{op}-number{mark}-before", OP, f"a = 1.75; d = {_written(op, 'a', number)}; d + a", op=op
        )
        yield Probe(
            f"{op}-number{mark}-after", OP, f"a = 1.75; d = {_written(op, 'a', number)}; a + d", op=op
        )
        yield Probe(
            f"{op}-number{mark}-node",
            OP,
            f"a = 1.75; c = 1.25; e = a*c; {_written(op, 'e', number)} + e",
            op=op,
        )
    if op in _SIGNS:
        k = f"a = 1.75; c = -2.5; {_written(op, '3', 'a')}"
        yield Probe(f"number-{op}", OP, k, op=op)
        yield Probe(f"number-{op}-below", OP, f"{k} * c", op=op)
        yield Probe(f"number-{op}-before", OP, f"a = 1.75; d = {_written(op, '3', 'a')}; d + a", op=op)
        yield Probe(f"number-{op}-behind", OP, f"a = 1.75; c = -2.5; c * {_written(op, '3', 'a')}", op=op)
    if op == "pow":
        yield Probe("pow-negative-base", EDGE, "a = -1.5; a ** 3", op=op)
        yield Probe("pow-negative-exponent", OP, "a = 1.5; a ** -2", op=op)
        yield Probe("pow-square", EDGE, "a = -1.5; a ** 2", op=op)
        yield Probe("pow-zero-base", EDGE, "a = 0; a ** 2", op=op)
        yield Probe("pow-one", EDGE, "a = 0; b = 3; (a ** 1) * b", op=op)


def _ops() -> Iterator[Probe]:
    for op, points in _UNARY.items():
        yield from _unary(op, points)
    for op, pairs in _BINARY.items():
        yield from _binary(op, pairs)
    yield Probe("relu-of-relu", OP, "a = -3; b = 2; relu(relu(a) + b) * a", op="relu")
    yield Probe("relu-negative-upstream", OP, "a = 3; c = -2.5; relu(a) * c + a", op="relu")
    yield Probe("relu-closed-beside", OP, "a = -3; b = 2; d = relu(a); a*b + d", op="relu")
    yield Probe("relu-closed-first", OP, "a = -3; b = 2; d = relu(a); d + a*b", op="relu")
    yield Probe("leaky-relu-open", OP, "a = 3; c = -2.5; leaky_relu(a, 0.1) * c", op="leaky_relu")
    yield Probe("leaky-relu-closed", OP, "a = -3; c = -2.5; leaky_relu(a, 0.1) * c", op="leaky_relu")
    yield Probe("mul-thousands", OP, "a = 1500; b = 2; c = -2.5; (a * b) * c", op="mul")
    yield Probe("op-kinds", OP, "a = 3; b = 2; c = a*b; c + (a - b)", op="sub")
    yield Probe("op-kinds-later", OP, "a = 3; b = 2; d = a - b; d * (a*b)", op="sub")


# ---- kinks, large inputs, state, depth ------------------------------------------------------------

_EDGES = {
    "relu-at-zero": ("relu", "a = 0; relu(a)"),
    "abs-at-zero": ("abs", "a = 0; abs(a)"),
    "maximum-tie": ("maximum", "a = 2; b = 2; maximum(a, b)"),
}
_FAR = {
    "relu-large": ("relu", "a = 1e10; relu(a)"),
    "exp-large": ("exp", "a = 500; exp(a)"),
    "exp-small": ("exp", "a = -500; exp(a)"),
    "tanh-large": ("tanh", "a = 20; b = 3; tanh(a) * b"),
    "tanh-overflow": ("tanh", "a = 400; b = 3; tanh(a) * b"),
    "tanh-negative": ("tanh", "a = -400; b = 3; tanh(a) * b"),
    "sigmoid-large": ("sigmoid", "a = 800; b = 3; sigmoid(a) * b"),
    "sigmoid-negative": ("sigmoid", "a = -800; b = 3; sigmoid(a) * b"),
    "softplus-large": ("softplus", "a = 800; b = 3; softplus(a) * b"),
    "log-small": ("log", "a = 1e-5; log(a)"),
    "mul-large": ("mul", "a = 1e200; b = 1e-200; a * b"),
}


_SHARED = "a = 3; b = 2; h = a*b; L = h + a"
_LOSSES = {  # one loss, and the next; nodes of one name are one node
    "two-losses": (_SHARED, "a = 3; b = 2; h2 = a*b; h2 * a"),
    "two-losses-one-node": (_SHARED, "a = 3; b = 2; h = a*b; h * a"),
    "two-losses-deep": ("a = 3; b = 2; g = a + b; h = g*a; h + b", "a = 3; b = 2; g = a + b; h = g*a; h * g"),
    "second-graph": ("a = 3; b = 2; a + b", "a = 3; b = 2; c = a*b; c * c"),
}


def _others() -> Iterator[Probe]:
    for name, (op, text) in _EDGES.items():
        yield Probe(name, EDGE, text, op=op)
    for name, (op, text) in _FAR.items():
        yield Probe(name, FAR, text, op=op)
    yield Probe("leaf", CHOICE, "a = 3; a", kind="leaf")
    for op in ("add", "sub", "mul", "div"):
        sign = {"add": "+", "sub": "-", "mul": "*", "div": "/"}[op]
        text = f"a = 3; b = 2; c = a*b; (c {sign} a) * c"
        yield Probe(f"in-place-{op}", STATE, text, kind="in-place", op=op)
        yield Probe(f"in-place-{op}-plain", OP, text, op=op)
    for name, (first, second) in _LOSSES.items():
        yield Probe(name, STATE, second, kind="two", first=first)
        yield Probe(f"{name}-plain", STRUCTURE, second)
    yield Probe("two-passes", CHOICE, "a = 3; b = 2; c = a*b; c + a", kind="twice")
    yield Probe("written-data", CHOICE, "a = 3; a * a", kind="mutated", written=10.0)
    for depth in DEEP:
        yield Probe(f"depth-{depth}", DEPTH, kind="chain", depth=depth, seconds=4.0)
    yield Probe("paths-4096", DEPTH, kind="doubling", depth=12)
    yield Probe("paths-2**40", DEPTH, kind="doubling", depth=40, seconds=0.3)  # 40 nodes take no time


def unknown_probes(names: Iterable[str]) -> list[Probe]:
    """Probes for methods that are no op of the table: only their own values can say what is right."""
    return [
        Probe(f"unknown-{name}-{place}", UNKNOWN, kind="unknown", op=name, seed=-2.5, written=point)
        for name in names
        for place, point in enumerate((0.75, -0.6, 1.9), 1)
    ]


@cache
def probes() -> tuple[Probe, ...]:
    """All of them."""
    found = (*_structure(), *_ops(), *_others())
    if len({probe.id for probe in found}) < len(found):
        raise RuntimeError("two probes have one name")
    return found
