"""Fault dictionary: the bugs of the catalogue that give just what an engine gave, over all probes.

A hypothesis is a fault in one variant (overwriting in `pow`) or in all of them.  It explains a probe
that came out wrong when it gives these very numbers there, and it is contradicted by one that came out
right where it would give others.  The answer is the smallest set of hypotheses that explains what is
wrong, two bugs in one graph among it.

An engine writes `a - b` as `a + (-b)`, or not; so graphs are first written as that engine writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from math import isfinite

from ...faults import FAULTS, Fault, Suspect
from ...faults.fault import Variant
from ...faults.lineup import pieces_of, weight
from ...faults.order_outcomes import outcomes
from ...graph import CONSTANT, INPUT, Graph, Node
from ...graph.trace import RIGHT, Pieces, Walk
from ...ops import OPS
from ...values import ieee
from .child_protocol import Expansions
from .expected import close
from .probes import Probe

__all__ = ["Hypothesis", "ProbeReading", "as_written", "diagnose", "sound"]

ALL = "*"  # every variant that a graph has
STATES = 300  # walks side by side for one graph
LARGE = 24  # nodes; larger graphs say little that smaller ones do not
MOST = 5  # bugs in one engine
ENOUGH = 48  # wrong probes that are looked at, the smallest first
EFFORT = 400_000  # nodes of graphs that are worked out: so much in every run, however busy the machine is


@dataclass(frozen=True)
class ProbeReading:
    """What an engine gave on one probe: a set of numbers for each way in which it came out."""

    probe: Probe
    wrong: bool
    seen: tuple[tuple[float | None, tuple[tuple[str, float | None], ...]], ...]  # (value, gradients)


@dataclass(frozen=True, eq=False)
class Hypothesis:
    fault: Fault
    variant: Variant  # an op, an edge, ...; or ALL

    def __hash__(self) -> int:
        return hash((self.fault.slug, self.variant))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hypothesis) and (self.fault is other.fault, self.variant) == (
            True,
            other.variant,
        )

    def suspects(self, graph: Graph) -> list[Suspect]:
        if self.variant == ALL:
            return self.fault.suspects(graph)
        return [Suspect(self.fault, self.variant)] if self.variant in self.fault.variants(graph) else []

    @property
    def weight(self) -> float:
        return weight((Suspect(self.fault, self.variant),))

    @property
    def op(self) -> str:
        """The op that it is about, if its variant is one."""
        return self.variant if isinstance(self.variant, str) and self.variant in OPS else ""


Numbers = tuple[float, Mapping[str, float]]


class Dictionary:
    """What hypotheses give on graphs, remembered."""

    def __init__(self, graphs: Mapping[str, Graph]) -> None:
        self.graphs = graphs
        self.effort = 0
        self._asked: dict[tuple[tuple[Hypothesis, ...], str], list[Numbers]] = {}
        self._pages = {probe: _page(graph.nodes, graph.output) for probe, graph in graphs.items()}

    def gives(self, hypotheses: tuple[Hypothesis, ...], probe: str) -> list[Numbers]:
        """All results over the valid orders; those of the right pass where nothing of it shows."""
        asked = (hypotheses, probe)
        if asked not in self._asked:
            graph = self.graphs[probe]
            suspects = tuple(suspect for one in hypotheses for suspect in one.suspects(graph))
            self.effort += len(graph) if suspects else 1
            # Most hypotheses are about ops that a graph has not: there they are all the right pass.
            known = self._pages[probe].known
            if suspects not in known:
                known[suspects] = self._computed(suspects, probe)
            self._asked[asked] = known[suspects]
        return self._asked[asked]

    def _computed(self, suspects: tuple[Suspect, ...], probe: str) -> list[Numbers]:
        graph = self.graphs[probe]
        pieces = pieces_of(suspects) if suspects else RIGHT
        ordered = any(suspect.fault.ordered for suspect in suspects)
        try:
            value = pieces.begin(graph).values[graph.output]
            found = [*outcomes(graph, pieces, ordered, states=STATES).found]
            if pieces.order is not RIGHT.order:
                for mirror in self._pages[probe].mirrors:
                    found += outcomes(graph, _visiting(pieces, mirror), ordered, states=STATES).found
        except (ArithmeticError, ValueError, IndexError, KeyError):
            return []
        names = [(i, graph.names[i]) for i in graph.inputs]
        return [(value, {name: outcome.grads[i] for i, name in names}) for outcome in found]

    def explains(self, hypotheses: tuple[Hypothesis, ...], reading: ProbeReading) -> bool:
        given = self.gives(hypotheses, reading.probe.id)
        return bool(given) and all(any(_same(seen, one) for one in given) for seen in reading.seen)


class _DictionaryPage:
    """What is known of one graph: above all, what suspects give on it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.known: dict[tuple[Suspect, ...], list[Numbers]] = {}

    @cached_property
    def mirrors(self) -> list[Graph]:
        return _mirrors(self.graph)


@lru_cache(800)  # the next engine of the same style is asked about the same graphs
def _page(nodes: tuple[Node, ...], output: int) -> _DictionaryPage:
    return _DictionaryPage(Graph(nodes, output))


# Which nodes visit their second operand first: engines that keep operands in a set do, now and then.
VISITS: tuple[Callable[[int], bool], ...] = (
    lambda node: True,
    lambda node: node % 2 == 0,
    lambda node: node % 2 == 1,
    lambda node: node % 3 == 0,
    lambda node: node % 3 != 0,
)


def _mirrors(graph: Graph) -> list[Graph]:
    """The graph with operands in other orders, each of these once."""
    found: dict[tuple[tuple[int, ...], ...], Graph] = {}
    for flips in VISITS:
        flipped = [n._replace(args=n.args[::-1]) if flips(i) else n for i, n in enumerate(graph.nodes)]
        found.setdefault(tuple(node.args for node in flipped), Graph(flipped, graph.output))
    return list(found.values())


def _visiting(pieces: Pieces, mirror: Graph) -> Pieces:
    """The same pass, where the order that it walks comes from operands in another order."""

    def order(walk: Walk, asked: Sequence[int]) -> Iterable[int]:
        seen = walk.fork()
        seen.graph = mirror
        return pieces.order(seen, asked)

    return pieces._replace(order=order)


def _same(seen: tuple[float | None, Iterable[tuple[str, float | None]]], given: Numbers) -> bool:
    value, grads = given
    return _close(seen[0], value) and all(_close(grad, grads[name]) for name, grad in seen[1])


def _close(x: float | None, y: float) -> bool:
    return close(x, y) or (x is not None and not isfinite(x) and not isfinite(y))


# ---- graphs as an engine writes them --------------------------------------------------------------


def as_written(graph: Graph, expansions: Expansions) -> Graph:
    """The graph with every op that an engine composes of others replaced by these."""
    nodes: list[Node] = []
    place: list[int] = []  # where each node of the graph is now
    for node in graph.nodes:
        steps = expansions.get(f"{node.op} {_pattern(graph, node)}") if node.args else None
        if not steps:
            nodes.append(node._replace(args=tuple(place[arg] for arg in node.args)))
            place.append(len(nodes) - 1)
            continue
        made: list[int] = []
        for step in steps:
            args = []
            for kind, what in step.operands:
                if kind == "x":
                    args.append(place[node.args[int(what)]])
                elif kind == "s":
                    args.append(made[int(what)])
                else:
                    nodes.append(Node(CONSTANT, (), "", what))
                    args.append(len(nodes) - 1)
            nodes.append(Node(step.op, tuple(args)))
            made.append(len(nodes) - 1)
        nodes[-1] = nodes[-1]._replace(label=node.label)
        place.append(made[-1])
    return Graph(nodes, place[graph.output])


def _pattern(graph: Graph, node: Node) -> str:
    return "".join("k" if graph.nodes[arg].op == CONSTANT else "v" for arg in node.args)


def sound(expansions: Expansions) -> Expansions:
    """Those compositions that compute what they should; one that does not is a finding of its own."""
    good = {}
    for key, steps in expansions.items():
        op, pattern = key.split(" ")
        leaves = [
            Node(INPUT if kind == "v" else CONSTANT, (), "", x)
            for kind, x in zip(pattern, (0.75, 2.0), strict=False)
        ]
        graph = Graph([*leaves, Node(op, tuple(range(len(pattern))))])
        try:
            if all(OPS[step.op].takes(len(step.operands)) for step in steps):
                written = as_written(graph, {key: steps})
                if close(written.evaluate(ieee)[written.output], graph.evaluate(ieee)[graph.output]):
                    good[key] = steps
        except (KeyError, ValueError, IndexError, TypeError, ArithmeticError):
            continue
    return good


# ---- the search -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class EngineDiagnosis:
    hypotheses: tuple[Hypothesis, ...]
    explained: Mapping[str, tuple[Hypothesis, ...]]  # which probe is explained by which of them
    unexplained: tuple[str, ...]


class _Search:
    def __init__(
        self, readings: Sequence[ProbeReading], graphs: Mapping[str, Graph], patience: float
    ) -> None:
        small = [r for r in readings if len(graphs[r.probe.id]) <= LARGE]
        wrong = sorted((r for r in small if r.wrong), key=lambda r: len(graphs[r.probe.id]))
        self.wrong = wrong[:ENOUGH]
        looked_at = {r.probe.id for r in self.wrong}
        self.not_looked_at = [r.probe.id for r in readings if r.wrong and r.probe.id not in looked_at]
        self.most = EFFORT * patience
        self.right = [r for r in small if not r.wrong]
        self.dictionary = Dictionary(graphs)
        self.graphs = graphs

    @cached_property
    def everybody(self) -> list[Hypothesis]:
        """Every fault in every variant that a wrong probe could show."""
        found: dict[Hypothesis, None] = {}
        for fault in (*FAULTS.values(), *IN_ONE_SLOT):
            if fault.passes > 1 or fault.slug in NOT_HERE:
                continue
            variants: dict[Variant, None] = {}
            for reading in self.wrong:
                for variant in fault.variants(self.graphs[reading.probe.id]):
                    if not isinstance(variant, tuple):
                        variants[variant] = None
            for variant in variants:
                found[Hypothesis(fault, variant)] = None
            if len(variants) > 1 and all(variant in OPS for variant in variants):
                found[Hypothesis(fault, ALL)] = None
        return list(found)

    @property
    def tired(self) -> bool:
        return self.dictionary.effort > self.most

    def contradictions(self, hypotheses: tuple[Hypothesis, ...], most: int) -> int:
        """Right probes that should have come out wrong; they are counted until there are more than `most`."""
        against = (reading for reading in self.right if not self.dictionary.explains(hypotheses, reading))
        return sum(1 for _ in islice(against, most + 1))

    def best(self, chosen: tuple[Hypothesis, ...], left: Sequence[ProbeReading]) -> Hypothesis | None:
        """Who explains most of what is left, alone or together with those chosen already."""
        ranked = []
        for one in self.everybody:
            if one in chosen or self.tired:
                continue
            count = sum(self._explained(chosen, one, reading) for reading in left)
            if count:
                ranked.append((count, one))
        ranked.sort(key=lambda row: (-row[0], -row[1].weight))
        scored, least = list[tuple[int, int, int, bool, float, Hypothesis]](), 1
        for count, one in ranked[:24]:
            most = (count - least) // 3  # with more against it, it is behind another or says nothing
            if most < 0 or (against := self.contradictions((one,), most)) > most:
                continue
            least = max(least, count - 3 * against)
            # of equals: a rule that is wrong, before something done to rules in general
            closer = {"reflected": 2, "rule": 1, "forward": 1}.get(one.fault.family, 0)
            scored.append((count - 3 * against, -against, closer, one.variant != ALL, one.weight, one))
        scored.sort(key=lambda row: tuple(-x for x in row[:-1]))
        return scored[0][-1] if scored else None

    def _explained(self, chosen: tuple[Hypothesis, ...], one: Hypothesis, reading: ProbeReading) -> bool:
        if self.dictionary.explains((one,), reading):
            return True
        return bool(chosen) and self.dictionary.explains((*chosen, one), reading)

    def run(self) -> EngineDiagnosis:
        chosen: tuple[Hypothesis, ...] = ()
        left = self.wrong
        while left and len(chosen) < MOST and not self.tired:
            one = self.best(chosen, left)
            if one is None:
                break
            chosen = (*chosen, one)
            left = [r for r in left if not self._by_some(chosen, r)]
        explained = {r.probe.id: found for r in self.wrong if (found := self._by_some(chosen, r))}
        return EngineDiagnosis(chosen, explained, (*(r.probe.id for r in left), *self.not_looked_at))

    def _by_some(self, chosen: tuple[Hypothesis, ...], reading: ProbeReading) -> tuple[Hypothesis, ...]:
        """The fewest of those chosen that explain a probe."""
        for one in chosen:
            if self.dictionary.explains((one,), reading):
                return (one,)
        for i, one in enumerate(chosen):
            for other in chosen[i + 1 :]:
                if self.dictionary.explains((one, other), reading):
                    return (one, other)
        return chosen if len(chosen) > 2 and self.dictionary.explains(chosen, reading) else ()


def _in_one_slot(slug: str, slot: int) -> Fault:
    """A fault of one op, in one operand's line only."""
    fault = FAULTS[slug]

    def swap(pieces: Pieces, op: Variant) -> Pieces:
        whole = fault.swap(pieces, op)

        def accumulate(walk: Walk, source: int, at: int, target: int, amount: float) -> float:
            its = whole if at == slot else pieces
            return its.accumulate(walk, source, at, target, amount)

        def message(walk: Walk, source: int, at: int, local: float, upstream: float) -> float:
            its = whole if at == slot else pieces
            return its.message(walk, source, at, local, upstream)

        return pieces._replace(accumulate=accumulate, message=message)

    def variants(graph: Graph) -> Iterable[Variant]:
        return [op for op in fault.variants(graph) if OPS[str(op)].arity == (2, 2)]

    return replace(fault, swap=swap, variants=variants)


IN_ONE_SLOT = tuple(
    _in_one_slot(slug, slot) for slug in ("overwrite-one-op", "upstream-ignored-one-op") for slot in (0, 1)
)

# Not things that an engine does to every graph alike, or the same as another row to all numbers.
NOT_HERE = {
    "branch-dropped", "no-zero-grad", "zero-grad-too-late", "stale-data", "relu-at-zero", "float32",
    "keep-largest", "average",
}  # fmt: skip


def diagnose(
    readings: Sequence[ProbeReading], graphs: Mapping[str, Graph], patience: float = 1.0
) -> EngineDiagnosis:
    """The bugs that explain most of what came out wrong, and as little as can be of what came out right."""
    return _Search(readings, graphs, patience).run()
