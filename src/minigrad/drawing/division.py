"""Division of a large part of a graph into smaller parts, none of which is too much for one picture.

Ops are cut into stretches of the order in which they were made, so wires between parts point to later ones
and run in no circle.  Labels say best where to cut: where h1 ends and h2 begins.  Else, of all cuts that
leave no stretch too heavy, those are taken that the fewest values cross.  A leaf goes with the one part that
uses it; one that several use stands beside them, by the stem of its label: w.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from re import findall

from ..graph import Graph

__all__ = ["Division", "GraphPart"]

MOST = 52  # how heavy a part is that is shown node by node
FEW = (
    12  # ops that stay nodes beside many leaves; leaves, or stems of their labels, that stay beside many ops
)
SPREAD = 28  # about the most parts that the ops of a part are cut into
LABELLED, LEAST, HEAVIEST = 28, 6, 0.6  # parts by label: the most, the fewest ops in one, the largest share
WIRES = 48  # from leaves that several parts use

Words = tuple[str, ...]
_NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class GraphPart:
    """Nodes that stand together: ops that were made one after the other, and leaves that only they use."""

    ops: list[int]
    leaves: list[int]

    def __len__(self) -> int:
        return len(self.ops) + len(self.leaves)

    @property
    def first(self) -> int:
        return (self.ops or self.leaves)[0]


class Division:
    """What dividing the parts of one graph needs to know of it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.whole = GraphPart([], [])
        for i, node in enumerate(graph.nodes):
            (self.whole.ops if node.args else self.whole.leaves).append(i)
        self.number = {i: k for k, i in enumerate(self.whole.ops)}  # of an op, among the ops
        self.words = {i: words_of(graph.nodes[i].label) for i in self.whole.ops}
        self.weights = {i: self._weight(i) for i in self.whole.ops}

    def _weight(self, op: int) -> int:
        """The op, with those of its arguments that a picture of its neighbourhood shows only for its sake."""
        weight = 1
        for arg in dict.fromkeys(self.graph.nodes[op].args):
            uses = self.graph.consumers[arg]
            if arg in self.number:
                weight += self.number[op] - self.number[arg] > MOST
            else:
                weight += uses[0] == op or self.number[uses[-1]] - self.number[uses[0]] > MOST
        return weight

    def divided(self, part: GraphPart) -> list[GraphPart]:
        """Its parts, leaves first; one of a single node is that node."""
        total = sum([self.weights[i] for i in part.ops]) if part.ops else len(part)
        if total <= MOST or len(part) <= FEW:
            parts = [GraphPart([], [i]) for i in part.leaves] + [GraphPart([i], []) for i in part.ops]
        elif not part.ops:
            parts = self._shelves(dict.fromkeys(part.leaves, _NOBODY))
        else:
            parts = self._stretches(part, total)
        return sorted(parts, key=lambda smaller: (bool(smaller.ops), smaller.first))

    def _stretches(self, part: GraphPart, total: int) -> list[GraphPart]:
        few = len(part.ops) <= FEW
        edges = [0, *(range(1, len(part.ops)) if few else self._cuts(part.ops, total)), len(part.ops)]
        stretches = [GraphPart(part.ops[low:high], []) for low, high in pairwise(edges)]
        stretch_of = {i: k for k, stretch in enumerate(stretches) for i in stretch.ops}
        shared: dict[int, frozenset[int]] = {}
        for leaf in part.leaves:
            users = frozenset(stretch_of[i] for i in self.graph.consumers[leaf])
            if len(users) == 1 and not few:
                stretches[min(users)].leaves.append(leaf)
            else:
                shared[leaf] = users
        return stretches + self._shelves(shared)

    # ---- where to cut a row of ops --------------------------------------------------------------

    def _cuts(self, ops: Sequence[int], total: int) -> list[int]:
        """The places before which to cut: by labels where that makes good parts, else the cheapest."""
        common = self._common(ops)
        for most in sorted({shared for shared in common if shared is not None}):
            cuts = [place for place, shared in enumerate(common) if shared is not None and shared <= most]
            sizes = [high - low for low, high in pairwise([0, *cuts, len(ops)])]
            good = len(sizes) <= LABELLED and len(sizes) * LEAST <= len(ops)
            if good and max(sizes) <= HEAVIEST * len(ops):
                return cuts
        return cheapest([self.weights[i] for i in ops], self._costs(ops, common), heaviest(total))

    def _common(self, ops: Sequence[int]) -> list[int | None]:
        """For each place, if a labelled op ends before it, how many words that label shares with the next."""
        found: list[int | None] = [None] * len(ops)
        following: Words = ()
        for place in range(len(ops) - 1, 0, -1):
            following = self.words[ops[place]] or following
            if label := self.words[ops[place - 1]]:
                pairs = enumerate(zip(label, following, strict=False))
                longest = min(len(label), len(following))
                found[place] = next((k for k, (a, b) in pairs if a != b), longest)
        return found

    def _costs(self, ops: Sequence[int], common: Sequence[int | None]) -> list[float]:
        """What a cut before each place costs: more for every value needed behind it, less after a label."""
        start, changes = self.number[ops[0]], [0] * (len(ops) + 1)
        for place, i in enumerate(ops):
            uses = self.graph.consumers[i]
            last = self.number[uses[-1]] - start if uses else place
            changes[place + 1] += 1
            changes[min(last, len(ops) - 1) + 1] -= 1
        return [
            (values * values + 0.5) * (1.0 if shared is None else min(0.55, 0.1 + 0.15 * shared))
            for values, shared in zip(accumulate(changes), common, strict=False)
        ]

    # ---- leaves that several parts use ----------------------------------------------------------

    def _shelves(self, users: Mapping[int, frozenset[int]]) -> list[GraphPart]:
        """Leaves one by one, by the stems of their labels, or all together: as finely as few wires allow.

        In a group of nothing but leaves there are no users; there, leaves of one stem are counted off.
        """
        leaves = list(users)
        if not leaves:
            return []
        for coarseness in range(5):
            shelves: dict[object, list[int]] = {}
            for i in leaves:
                shelves.setdefault(self._shelf(i, coarseness), []).append(i)
            wires = sum([len({user for i in shelf for user in users[i]}) for shelf in shelves.values()])
            if len(shelves) <= FEW and wires <= WIRES and (wires or len(shelves) > 1):
                return [GraphPart([], shelf) for shelf in shelves.values()]
        if any(users.values()):
            return [GraphPart([], leaves)]
        count = heaviest(len(leaves))
        return [GraphPart([], leaves[at : at + count]) for at in range(0, len(leaves), count)]

    def _shelf(self, leaf: int, coarseness: int) -> object:
        """A shelf for itself; for its label without the last number, without the last numbers, for its first
        word; for all: coarser and coarser.  Leaves without a label stand with those of their kind."""
        node = self.graph.nodes[leaf]
        words = words_of(node.label) or (" ", node.op)
        if coarseness in (0, 4):
            return leaf if coarseness == 0 else None
        if coarseness == 3:
            return words[0]
        while words and words[-1].isdigit():
            words = words[:-1]
            if coarseness == 1:
                break
        return words


def words_of(label: str) -> Words:
    """layer2.w[5] is layer 2 w 5."""
    return tuple(findall(r"[^\W\d_]+|\d+", label[:80]))


def heaviest(total: int) -> int:
    """How heavy a part may be: up to twice an even share, for good cuts, but no group the deeper for it."""
    depth, most = 1, MOST
    while most * SPREAD < total:
        depth, most = depth + 1, most * SPREAD
    count = next(count for count in range(2, SPREAD + 1) if MOST * count**depth >= total)
    return min(2 * total // count, most)


def cheapest(weights: Sequence[int], costs: Sequence[float], most: int) -> list[int]:
    """The cuts of a row that cost least together and leave no stretch heavier than `most`, if it can be cut.

    The best way to a cut at p is the best way to some q before it; the q that are not too far off are kept
    in a queue, the cheapest first.
    """
    upto = [0, *accumulate(weights)]
    best, previous = [0.0] * len(upto), [0] * len(upto)
    near: deque[int] = deque([0])
    for p in range(1, len(upto)):
        while near[0] < p - 1 and upto[p] - upto[near[0]] > most:
            near.popleft()
        previous[p] = near[0]
        best[p] = best[near[0]] + (costs[p] if p < len(costs) else 0.0)
        while near and best[near[-1]] >= best[p]:
            near.pop()
        near.append(p)
    cuts, p = [], previous[-1]
    while p:
        cuts.append(p)
        p = previous[p]
    return cuts[::-1]
