"""Order of the vertices in each layer, chosen so that few wires cross.

Sweeps forth and back, layer by layer, put each vertex at the mean or the median of its neighbours (Sugiyama
1981, Eades and Wormald 1994); then neighbours change places while that removes a crossing (Gansner 1993).
Of several starts the best stays.  Where it makes no difference, arguments stand in the order of their slots.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence

__all__ = ["crossings", "reduce_crossings"]

Layers = list[list[int]]
_Near = Sequence[Sequence[int]]  # the neighbours of each vertex in the layer before, or in the one after

_PATIENCE = 4  # sweeps without a better result after which a start is given up
_WORK = 6_000  # wire pieces that are looked at in all the sweeps of one drawing
_PASSES = 12  # through a layer whose neighbours change places
_FEWEST, _MOST = 3, 40  # sweeps, however large or small it is


def reduce_crossings(layers: Layers, before: _Near, after: _Near) -> Layers:
    """The layers reordered.  Of `before`, each row is in the order of the slots."""
    return _Ordering(layers, before, after).best()


def crossings(layers: Sequence[Sequence[int]], after: _Near) -> int:
    """How many pairs of wire pieces cross."""
    place = {v: i for layer in layers for i, v in enumerate(layer)}
    return sum(_between(layer, after, place) for layer in layers)


def _between(layer: Sequence[int], after: _Near, place: Sequence[int] | dict[int, int]) -> int:
    total = 0
    seen: list[int] = []  # where the wires of the vertices so far arrive
    for v in layer:
        arrivals = [place[w] for w in after[v]]
        for at in arrivals:
            total += len(seen) - bisect_right(seen, at)
        for at in arrivals:
            insort(seen, at)
    return total


class _Ordering:
    def __init__(self, layers: Layers, before: _Near, after: _Near) -> None:
        self.before, self.after = before, after
        self.layers = layers
        self.place = [0] * len(before)
        self.pieces = sum(map(len, after))
        self.sweeps = max(_FEWEST, min(_MOST, _WORK // (1 + self.pieces)))

    def best(self) -> Layers:
        written = self._written(backward=True)
        natural = {v: i for layer in written for i, v in enumerate(layer)}
        best, fewest = written, crossings(written, self.after)
        starts = (written, self._written(backward=False), self.layers, [layer[::-1] for layer in written])
        for number, start in enumerate(starts):
            if fewest == 0 or (number and fewest > self.pieces):
                break  # nothing to gain, or a tangle whatever one does
            found, count = self._swept(start, median=number % 2 == 1, share=len(starts))
            if count < fewest:
                best, fewest = found, count
        return self._settled(best, natural)

    def _written(self, backward: bool) -> Layers:
        """The order in which a walk from the outputs meets the vertices, or one from the inputs."""
        near, other = (self.before, self.after) if backward else (self.after, self.before)
        layer_of = {v: r for r, layer in enumerate(self.layers) for v in layer}
        layers: Layers = [[] for _ in self.layers]
        met = [False] * len(near)
        ends = [v for v in sorted(layer_of) if not other[v]]
        stack = ends[::-1]
        while stack:
            v = stack.pop()
            if not met[v]:
                met[v] = True
                layers[layer_of[v]].append(v)
                stack.extend(w for w in reversed(near[v]) if not met[w])
        return layers

    def _set(self, layers: Layers) -> None:
        for layer in layers:
            for i, v in enumerate(layer):
                self.place[v] = i

    def _swept(self, start: Layers, median: bool, share: int) -> tuple[Layers, int]:
        layers = [layer[:] for layer in start]
        self._set(layers)
        best, fewest, since = layers, crossings(layers, self.after), 0
        for sweep in range(max(1, self.sweeps // share)):
            down = sweep % 2 == 0
            near = self.before if down else self.after
            for layer in layers if down else layers[::-1]:
                self._sort(layer, near, median, late=sweep % 4 > 1)
            self._exchange(layers)
            count = sum(_between(layer, self.after, self.place) for layer in layers)
            since += 1
            if count < fewest:
                best, fewest, since = [layer[:] for layer in layers], count, 0
            if fewest == 0 or since == _PATIENCE:
                break
        return best, fewest

    def _sort(self, layer: list[int], near: _Near, median: bool, late: bool) -> None:
        """Each vertex to the middle of its neighbours; one without any stays.  `late` turns ties round."""
        place = self.place
        keys: list[tuple[float, int, int]] = []
        spots: list[int] = []
        for i, v in enumerate(layer):
            row = near[v]
            if not row:
                continue
            spots.append(i)
            if len(row) == 1:
                key: float = place[row[0]]
            elif median:
                at = sorted([place[w] for w in row])
                key = (at[(len(at) - 1) // 2] + at[len(at) // 2]) / 2
            else:
                key = sum([place[w] for w in row]) / len(row)
            keys.append((key, -i if late else i, v))
        keys.sort()
        for i, (_, _, v) in zip(spots, keys, strict=True):
            layer[i] = v
        for i, v in enumerate(layer):
            place[v] = i

    def _exchange(self, layers: Layers, natural: dict[int, int] | None = None) -> None:
        """Let neighbours change places while that removes crossings, or is more natural and costs none."""
        place = self.place
        for layer in layers:
            ups = [self._ends(self.before[v]) for v in layer]
            downs = [self._ends(self.after[v]) for v in layer]
            pairs = list(range(len(layer) - 1))
            for _ in range(_PASSES):
                moved: dict[int, None] = {}  # the pairs next to those that have changed places
                for i in pairs:
                    up, next_up, down, next_down = ups[i], ups[i + 1], downs[i], downs[i + 1]
                    if (
                        natural is None
                        and (not up or not next_up or up[-1] <= next_up[0])
                        and (not down or not next_down or down[-1] <= next_down[0])
                    ):
                        continue  # no wires of these two cross
                    gain = _gain(up, next_up) + _gain(down, next_down)
                    u, v = layer[i], layer[i + 1]
                    if gain > 0 or (gain == 0 and natural is not None and natural[u] > natural[v]):
                        layer[i], layer[i + 1] = v, u
                        ups[i], ups[i + 1] = next_up, up
                        downs[i], downs[i + 1] = next_down, down
                        moved[i - 1] = moved[i + 1] = None
                pairs = sorted(i for i in moved if 0 <= i < len(layer) - 1)
                if not pairs:
                    break
            for i, v in enumerate(layer):
                place[v] = i

    def _ends(self, row: Sequence[int]) -> list[int]:
        """The places of these vertices, in order."""
        return [self.place[row[0]]] if len(row) == 1 else sorted([self.place[v] for v in row])

    def _settled(self, layers: Layers, natural: dict[int, int]) -> Layers:
        """The same crossings, as near to the natural order as neighbours that change places bring it."""
        candidates = [[layer[:] for layer in layers], [layer[::-1] for layer in layers]]
        for candidate in candidates:
            self._set(candidate)
            self._exchange(candidate, natural)
        return min(candidates, key=lambda found: (crossings(found, self.after), _unnatural(found, natural)))


def _gain(row: list[int], next_row: list[int]) -> int:
    """How many crossings go if two neighbours with these rows change places."""
    if not row or not next_row:
        return 0
    if len(row) == 1 == len(next_row):
        return (row[0] > next_row[0]) - (row[0] < next_row[0])
    total = 0
    for at in row:
        total += bisect_left(next_row, at) - (len(next_row) - bisect_right(next_row, at))
    return total


def _unnatural(layers: Layers, natural: dict[int, int]) -> int:
    """Pairs of one layer that stand against the natural order."""
    total = 0
    for layer in layers:
        seen: list[int] = []
        for v in layer:
            total += len(seen) - bisect_right(seen, natural[v])
            insort(seen, natural[v])
    return total
