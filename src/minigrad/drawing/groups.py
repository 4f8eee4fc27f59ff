"""Named groups of a large graph, and groups of groups, so that no picture holds more than some fifty things.

found = groups(graph)        # empty if the graph is small enough to be drawn as it is
found["3.1"].title           # English and Spanish, with | between lines: "h1.0 … h1.7|32 mul, 24 add"
found.inside["3"]            # what one sees on opening it: nodes and smaller groups
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import ref

from ..graph import INPUT, Graph
from ..graph.wording import name
from ..text.excerpts import cut
from ..text.numerals import counted
from ..text.translation import say, speaking
from .division import Division, GraphPart

__all__ = ["SMALL", "Group", "Groups", "groups"]

SMALL = 60  # nodes of a graph that is drawn whole
LONGEST = 18  # characters of a name in a title

Pair = tuple[str, str]  # in English and in Spanish


@dataclass(frozen=True, slots=True)
class Group:
    id: str  # 3.1 is the first part of group 3
    parent: str
    members: tuple[int, ...]  # all the nodes in it
    title: Pair  # its name, then what it holds, line by line with | between them


class Groups(Mapping[str, Group]):
    """All groups by id; `inside` is what each shows when open, `home` where each node is; "" is the whole."""

    def __init__(
        self, found: Mapping[str, Group], inside: Mapping[str, tuple[int | str, ...]], home: Sequence[str]
    ) -> None:
        self.found, self.inside, self.home = found, inside, home

    def __getitem__(self, key: str) -> Group:
        return self.found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


_known: dict[int, tuple[ref[Graph], Groups]] = {}  # every scene of a graph asks for them


def groups(graph: Graph) -> Groups:
    """The groups that a graph is drawn in."""
    key = id(graph)
    graph_then, found = _known.get(key, (None, None))
    if graph_then is None or found is None or graph_then() is not graph:
        found = _grouped(graph)
        _known[key] = ref(graph, lambda _: _known.pop(key, None)), found
    return found


def _grouped(graph: Graph) -> Groups:
    found: dict[str, Group] = {}
    inside: dict[str, tuple[int | str, ...]] = {}
    home = [""] * len(graph)
    if len(graph) <= SMALL:
        return Groups(found, {"": tuple(range(len(graph)))}, home)
    division = Division(graph)
    open_parts = deque([("", division.whole)])
    while open_parts:
        key, part = open_parts.popleft()
        shown: list[int | str] = []
        for smaller in division.divided(part):
            if len(smaller) == 1:
                shown.append(smaller.first)
                home[smaller.first] = key
                continue
            inner = f"{key}.{len(shown) + 1}" if key else str(len(shown) + 1)
            shown.append(inner)
            members = tuple(sorted([*smaller.ops, *smaller.leaves]))
            found[inner] = Group(inner, key, members, _spoken(graph, smaller))
            open_parts.append((inner, smaller))
        inside[key] = tuple(shown)
    return Groups(found, inside, home)


# ---- titles -------------------------------------------------------------------------------------


def _spoken(graph: Graph, part: GraphPart) -> Pair:
    def said() -> str:
        return "|".join(filter(None, (_name(graph, part), _ops(graph, part), _leaves(graph, part))))

    with speaking("en"):
        english = said()
    with speaking("es"):
        return english, said()


def _name(graph: Graph, part: GraphPart) -> str:
    """The first and the last name in it, of the labels if it has any."""
    nodes = part.ops or part.leaves
    labelled = [i for i in nodes if graph.nodes[i].label]
    if not labelled and not part.ops and not any(graph.nodes[i].op == INPUT for i in nodes):
        return ""  # constants without a label are called by their numbers
    first, *others = labelled or nodes
    ends = [name(graph, i).replace("|", "¦") for i in (first, *others[-1:])]
    return " … ".join(cut(end, LONGEST, "…") for end in ends)


def _ops(graph: Graph, part: GraphPart) -> str:
    """84 mul, 80 add, 16 more."""
    kinds = Counter(graph.nodes[i].op for i in part.ops).most_common()
    said = [f"{counted(count)} {op}" for op, count in kinds[:2]]
    if rest := sum(count for _, count in kinds[2:]):
        said.append(say("groups.more", count=counted(rest)))
    return ", ".join(said)


def _leaves(graph: Graph, part: GraphPart) -> str:
    """12 inputs, 1 constant."""
    inputs = sum(graph.nodes[i].op == INPUT for i in part.leaves)
    said = []
    for count, one, many in (
        (inputs, "groups.input", "groups.inputs"),
        (len(part.leaves) - inputs, "groups.constant", "groups.constants"),
    ):
        if count:
            said.append(say(one) if count == 1 else say(many, count=counted(count)))
    return ", ".join(said)
