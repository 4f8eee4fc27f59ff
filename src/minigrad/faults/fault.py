"""A fault: the backward pass with a piece swapped, and what there is to say about it.

One row of the catalogue is one `Fault`.  Many come in variants: overwriting in `mul` only, in `add`
only; a `Suspect` is a fault together with one variant, and that is what can be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from ..graph import Graph
from ..graph.trace import RIGHT, Pieces
from ..ops import OPS
from ..text.escape import visible
from ..text.translation import pick

__all__ = ["ACROSS", "ALONE", "Fault", "Suspect", "Variant", "ops_of", "rows"]

ALONE = ("",)  # the variants of a fault that has none
LARGE = 2000  # nodes; beyond, slow faults are not tried
ACROSS = (  # how a fault acts from step to step; "" is the same in each, whatever came before
    "kept",  # what the earlier steps left in the leaves is still there
    "sent-again",  # the graph of the step before sends its gradients once more
    "one-graph",  # not at all: it takes a second pass over the same graph
)

Variant: TypeAlias = str | float | tuple[int, int]  # an op, a number, or an edge: node and slot
Change = tuple[str, str]  # a passage of the specimen, and what stands there in the broken one


def alone(graph: Graph) -> Iterable[Variant]:
    return ALONE


@dataclass(frozen=True, repr=False)
class Fault:
    slug: str
    family: str  # which lesson it teaches: a key of the catalogue of messages, lesson.FAMILY
    name: tuple[str, str]  # English, Spanish; {what} is the variant
    story: tuple[str, str]  # one line: what is wrong, and what comes of it
    swap: Callable[[Pieces, Any], Pieces]  # the pass with the piece swapped, for one of its own variants
    smallest: str  # the smallest graph that shows it, in the language, with its inputs
    change: tuple[Change, ...]  # the same in specimen.py; {what} in it is the variant
    case: str = ""  # a public case: owner/repository#issue
    seen: int = 0  # of 191 public engines that were read, how many have a bug of this kind
    variants: Callable[[Graph], Iterable[Variant]] = alone  # those that can show on a graph
    words: Mapping[str, tuple[str, str]] = field(default_factory=dict)  # variants that need translating
    fit: Callable[[Sequence[tuple[float, float]]], Iterable[Variant]] | None = None
    # variants made to measure, from pairs of a right and an observed gradient
    ordered: bool = False  # do its numbers depend on which valid order the pass walks?
    slow: bool = False  # does its time grow with the square of the graph?
    passes: int = 1  # how many passes it takes until it shows
    across: str = ""  # what it does in a training loop, where every step makes a new graph: see ACROSS

    def __repr__(self) -> str:
        return f"<Fault {self.slug}>"

    def takes_too_long(self, graph: Graph) -> bool:
        return self.slow and len(graph) > LARGE

    @property
    def piece(self) -> str:
        """The first piece of the pass that it swaps."""
        broken = self.swap(RIGHT, next(iter(self.sample)))
        return next(f for f in Pieces._fields if getattr(broken, f) is not getattr(RIGHT, f))

    @cached_property
    def graph(self) -> Graph:
        """The smallest graph that shows it."""
        from ..language import parse

        return parse(self.smallest)

    @cached_property
    def sample(self) -> tuple[Variant, ...]:
        """The variants on the smallest graph."""
        return tuple(self.variants(self.graph))

    def broken(self, source: str, what: str) -> str:
        """The text of the specimen with the bug in it."""
        for old, new in self.change:
            if source.count(old) != 1:
                raise RuntimeError(f"{self.slug}: the specimen has {source.count(old)} passages {old!r}")
            source = source.replace(old, new.replace("{what}", what))
        return source

    def suspects(self, graph: Graph) -> list[Suspect]:
        return [Suspect(self, variant) for variant in self.variants(graph)]


@dataclass(frozen=True, repr=False)
class Suspect:
    """A fault in one of its variants."""

    fault: Fault
    variant: Variant = ""

    def __hash__(self) -> int:
        return hash((self.fault.slug, self.variant))

    def __repr__(self) -> str:
        return f"<Suspect {self.fault.slug} {self.variant}>".replace(" >", ">")

    def pieces(self, base: Pieces = RIGHT) -> Pieces:
        return self.fault.swap(base, self.variant)

    def what(self, graph: Graph) -> str:
        """The variant in words: an op's name, a number, or an edge of the graph."""
        if isinstance(self.variant, tuple):
            source, slot = self.variant
            args = graph.nodes[source].args
            place = f" #{slot + 1}" if args.count(args[slot]) > 1 else ""
            return f"{graph.names[source]} > {graph.names[args[slot]]}{place}"
        return str(self.variant)

    def name(self, graph: Graph) -> str:
        """For people; `what` is for documents."""
        what = visible(self.what(graph))
        return pick(self.fault.name).format(what=pick(self.fault.words.get(what, (what, what))))

    @property
    def portable(self) -> bool:
        """Does the variant mean the same on every graph?  An edge does not."""
        return not isinstance(self.variant, tuple)


def ops_of(graph: Graph) -> list[str]:
    """The ops of the table that a gradient passes through, each once, in the order of the nodes."""
    return list(
        dict.fromkeys(node.op for i, node in enumerate(graph.nodes) if node.op in OPS and graph.active[i])
    )


def rows(*faults: Fault) -> dict[str, Fault]:
    """Faults by slug; two of one name are a mistake."""
    table = {fault.slug: fault for fault in faults}
    if len(table) < len(faults):
        raise RuntimeError("the catalogue of faults has a slug twice")
    return table
