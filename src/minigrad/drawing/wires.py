"""Boxes and wires as vertices in layers: a wire is a chain of vertices, one in each layer that it passes.

Boxes stand in every second layer if there are labels; the layers between belong to the labels, so that a
label has a place of its own.  A bend is a vertex where a wire only passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .layers import ranks
from .wire_crossings import Layers, reduce_crossings

__all__ = ["Wiring", "wiring"]

Size = tuple[float, float]  # along the wires, and across them


@dataclass(frozen=True, slots=True)
class Wiring:
    boxes: int  # these are the first vertices; labels and bends follow
    layers: Layers
    layer_of: list[int]
    sizes: list[Size]
    chains: list[list[int]]  # of each wire, from its tail to its head
    labels: list[int | None]  # of each wire, the vertex that is its label
    thick: Sequence[float]  # of each wire


def wiring(
    boxes: Sequence[Size],
    pairs: Sequence[tuple[int, int]],
    labels: Sequence[Size | None],
    thick: Sequence[float] | None = None,
) -> Wiring:
    """Each box in its layer, each wire in its chain, and the vertices of each layer in their order."""
    rank = ranks(len(boxes), pairs)
    chains, layer_of = [], rank[:]
    for tail, head in pairs:
        bends = range(len(layer_of), len(layer_of) + rank[head] - rank[tail] - 1)
        layer_of.extend(range(rank[tail] + 1, rank[head]))
        chains.append([tail, *bends, head])
    layers: Layers = [[] for _ in range(max(rank) + 1)]
    for v, layer in enumerate(layer_of):
        layers[layer].append(v)
    before: list[list[int]] = [[] for _ in layer_of]
    after: list[list[int]] = [[] for _ in layer_of]
    for chain in chains:
        for u, v in pairwise(chain):
            before[v].append(u)
            after[u].append(v)
    layers = reduce_crossings(layers, before, after)
    sizes = list(boxes)
    thick = [0.0] * len(chains) if thick is None else thick
    for chain, wide in zip(chains, thick, strict=True):
        sizes += [(0.0, wide)] * (len(chain) - 2)
    if any(label is not None for label in labels):
        return _with_labels(len(boxes), layers, layer_of, sizes, chains, labels, thick)
    return Wiring(len(boxes), layers, layer_of, sizes, chains, [None] * len(chains), thick)


def _with_labels(
    boxes: int,
    layers: Layers,
    layer_of: list[int],
    sizes: list[Size],
    chains: list[list[int]],
    labels: Sequence[Size | None],
    thick: Sequence[float],
) -> Wiring:
    """A layer for labels between any two layers; every piece of wire has a vertex in it."""
    place = {v: i / (len(layer) or 1) for layer in layers for i, v in enumerate(layer)}
    between: list[list[tuple[float, int]]] = [[] for _ in layers[1:]]
    longer = []
    for chain, wide in zip(chains, thick, strict=True):
        woven = [chain[0]]
        for u, v in pairwise(chain):
            # Pieces that do not cross are in one order at both ends, so also by the sum of their ends.
            between[layer_of[u]].append((place[u] + place[v], len(sizes)))
            woven += [len(sizes), v]
            sizes.append((0.0, wide))
        longer.append(woven)
    woven_layers: Layers = [layers[0]]
    for pieces, layer in zip(between, layers[1:], strict=True):
        woven_layers += [[v for _, v in sorted(pieces)], layer]
    layer_of = [0] * len(sizes)
    for number, layer in enumerate(woven_layers):
        for v in layer:
            layer_of[v] = number
    at = _where_labels_stand(longer, layer_of, labels)
    for spot, label in zip(at, labels, strict=True):
        if spot is not None and label is not None:
            sizes[spot] = label
    return Wiring(boxes, woven_layers, layer_of, sizes, longer, at, thick)


def _where_labels_stand(
    chains: Sequence[Sequence[int]], layer_of: Sequence[int], labels: Sequence[Size | None]
) -> list[int | None]:
    """In the layer with the fewest labels so far, short wires first; of equal ones, nearest to the middle."""
    found: list[int | None] = [None] * len(chains)
    crowd: dict[int, int] = {}
    for w in sorted(range(len(chains)), key=lambda w: len(chains[w])):
        if labels[w] is None:
            continue
        choices = chains[w][1::2]
        middle = (len(choices) - 1) / 2
        at = min(range(len(choices)), key=lambda k: (crowd.get(layer_of[choices[k]], 0), abs(k - middle)))
        found[w] = choices[at]
        crowd[layer_of[choices[at]]] = crowd.get(layer_of[choices[at]], 0) + 1
    return found
