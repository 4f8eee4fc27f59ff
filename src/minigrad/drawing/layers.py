"""Layers of the boxes: wires point to later layers, and all together they are as short as can be.

The least total length is found by the network simplex of Gansner, Koutsofios, North and Vo (1993), in its
plainest form.  A forest of tight wires (length 1) holds the boxes together.  Cut one of its wires and the
part that hangs on it may move away; a step to the right costs (wires that enter the part) - (wires that
leave it).  While a part gains by moving, it moves, until another wire is tight and takes the cut one's place.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["ranks"]

_Pair = tuple[int, int]  # tail, head
_MOVES = 4  # per box, after which a forest that goes in circles is left as it is


def ranks(count: int, wires: Sequence[_Pair]) -> list[int]:
    """The layer of each of `count` boxes, from 0; ValueError if the wires run in a circle.

    A box that could stand in several layers at the same total length stands in the first of them.
    """
    return _Ranking(count, wires).settled()


class _Ranking:
    def __init__(self, count: int, wires: Sequence[_Pair]) -> None:
        weights: dict[_Pair, int] = {}
        for pair in wires:
            weights[pair] = weights.get(pair, 0) + 1
        self.pairs = list(weights)
        self.leaving: list[list[int]] = [[] for _ in range(count)]  # places in `pairs`
        self.entering: list[list[int]] = [[] for _ in range(count)]
        self.cost = [0] * count  # of one step to the right
        for k, ((tail, head), weight) in enumerate(weights.items()):
            self.leaving[tail].append(k)
            self.entering[head].append(k)
            self.cost[head] += weight
            self.cost[tail] -= weight
        self.order: list[int] = []  # tails before heads
        self.rank = [0] * count
        self.forest: list[list[int]] = [[] for _ in range(count)]  # the tight wires at each box
        self.roots: list[int] = []

    def settled(self) -> list[int]:
        self._longest_paths()
        for v in reversed(self.order):  # most of what there is to gain: an input goes to its first consumer
            if self.cost[v] < 0:
                self.rank[v] = min(self.rank[self.pairs[k][1]] for k in self.leaving[v]) - 1
        self._grow_forest()
        for _ in range(_MOVES * len(self.rank)):
            if not self._move():
                break
        for v in self.order:
            if self.cost[v] == 0 and self.entering[v]:
                self.rank[v] = max(self.rank[self.pairs[k][0]] for k in self.entering[v]) + 1
        for part in self._parts():
            first = min(self.rank[v] for v in part)
            for v in part:
                self.rank[v] -= first
        return self.rank

    def _longest_paths(self) -> None:
        waiting = [len(wires) for wires in self.entering]
        self.order = [v for v, count in enumerate(waiting) if not count]
        for v in self.order:  # grows while it is walked
            for k in self.leaving[v]:
                head = self.pairs[k][1]
                self.rank[head] = max(self.rank[head], self.rank[v] + 1)
                waiting[head] -= 1
                if not waiting[head]:
                    self.order.append(head)
        if len(self.order) < len(self.rank):
            raise ValueError("the wires run in a circle")

    def _slack(self, k: int) -> int:
        tail, head = self.pairs[k]
        return self.rank[head] - self.rank[tail] - 1

    def _grow_forest(self) -> None:
        """A tree of tight wires for each connected part; where it ends it moves, until the next is tight."""
        inside = [False] * len(self.rank)
        for root in range(len(self.rank)):
            if inside[root]:
                continue
            self.roots.append(root)
            inside[root] = True
            tree, walked = [root], 0
            while True:
                while walked < len(tree):
                    v = tree[walked]
                    walked += 1
                    for k in (*self.entering[v], *self.leaving[v]):
                        other = self.pairs[k][0] + self.pairs[k][1] - v
                        if not inside[other] and self._slack(k) == 0:
                            inside[other] = True
                            tree.append(other)
                            self.forest[v].append(k)
                            self.forest[other].append(k)
                border = [k for v in tree for k in self.leaving[v] if not inside[self.pairs[k][1]]]
                border += [k for v in tree for k in self.entering[v] if not inside[self.pairs[k][0]]]
                if not border:
                    break
                nearest = min(border, key=self._slack)
                step = self._slack(nearest) if inside[self.pairs[nearest][0]] else -self._slack(nearest)
                for v in tree:
                    self.rank[v] += step
                walked = 0

    def _walk(self) -> tuple[list[int], list[int], list[int]]:
        """The boxes, each before all that hang on it; the wire that each hangs on; how many each holds."""
        upward = [-1] * len(self.rank)
        order: list[int] = []
        stack = self.roots[::-1]
        while stack:
            v = stack.pop()
            order.append(v)
            for k in self.forest[v]:
                if k != upward[v]:
                    other = self.pairs[k][0] + self.pairs[k][1] - v
                    upward[other] = k
                    stack.append(other)
        size = [1] * len(self.rank)
        for v in reversed(order):
            if upward[v] >= 0:
                size[sum(self.pairs[upward[v]]) - v] += size[v]
        return order, upward, size

    def _parts(self) -> list[list[int]]:
        """The connected parts."""
        order, upward, size = self._walk()
        return [order[at : at + size[v]] for at, v in enumerate(order) if upward[v] < 0]

    def _move(self) -> bool:
        """Move the part that gains most; False if none does."""
        order, upward, size = self._walk()
        cost = self.cost[:]
        best, gain, to_left = -1, 0, False
        for at in range(len(order) - 1, -1, -1):
            v = order[at]
            if upward[v] < 0:
                continue
            tail, head = self.pairs[upward[v]]
            cost[tail + head - v] += cost[v]
            if (cost[v] if v == tail else -cost[v]) > gain:
                best, gain, to_left = at, abs(cost[v]), v == tail
        if best < 0:
            return False
        part = order[best : best + size[order[best]]]
        inside = set(part)  # asked, never walked
        ends, at_end = (self.entering, 0) if to_left else (self.leaving, 1)
        border = [k for v in part for k in ends[v] if self.pairs[k][at_end] not in inside]
        tightest = min(border, key=self._slack)
        step = -self._slack(tightest) if to_left else self._slack(tightest)
        for v in part:
            self.rank[v] += step
        for k, change in ((upward[order[best]], list.remove), (tightest, list.append)):
            for end in self.pairs[k]:
                change(self.forest[end], k)
        return True
