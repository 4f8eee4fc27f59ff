"""Small graphs drawn by lot, the same for a seed in every process and every version of Python.

Their numbers are small whole numbers and halves.  A graph is drawn again until nothing in it is there by
accident: no gradient is 0 or equals the input's own number, no two inputs or contributions are of one size,
and where a node is used twice, a pass that overwrites cannot be right in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from ...faults.catalogue import FAULTS
from ...faults.fault import Suspect
from ...faults.order_outcomes import outcomes
from ...graph import CONSTANT, INPUT, Graph, Node
from ...graph.trace import Flow, Trace, trace
from ...language import parse, write

__all__ = ["BACK", "EDITION", "LEVELS", "SIZES", "Lot", "draw_graph"]

LEVELS = (1, 2, 3)
EDITION = 2  # of the questions with choices; 1 is that of minigrad 0.1, by which its classes are graded
SIZES = {1: (3, 4), 2: (5, 6), 3: (7, 9)}  # nodes that have a name
TRIES = 50_000
MOST = {1: 30.0, 2: 36.0, 3: 48.0}  # the largest number
NAMES = "abcdefghij"
BACK = "b"  # a word of the terminal's session: never the one blank of a question

T = TypeVar("T")


class Lot:
    """Draws by lot; only `random()` is asked, whose numbers no version of Python changes."""

    def __init__(self, seed: str, edition: int = EDITION) -> None:
        self._random = Random(seed)
        self.even = edition > 1  # is each answer of a choice to be right as often as the others?

    def below(self, count: int) -> int:
        return int(self._random.random() * count)

    def chance(self, likely: float) -> bool:
        return self._random.random() < likely

    def pick(self, things: Sequence[T]) -> T:
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        left, drawn = list(things), []
        while left:
            drawn.append(left.pop(self.below(len(left))))
        return drawn


def draw_graph(
    lot: Lot,
    level: int,
    *,
    shared: tuple[bool, ...] | None = None,
    sizes: tuple[int, int] | None = None,
    suits: Callable[[Graph, Trace], bool] = lambda graph, right: True,
) -> Graph:
    """A graph of a level that suits; `shared` says whether some node is used twice, and has what may be."""
    least, most = sizes or SIZES[level]
    shared = shared or (level > 1,)
    for _ in range(TRIES):
        twice = lot.pick(shared)
        found = _attempt(lot, level, least + lot.below(most - least + 1), twice)
        if found is None:
            continue
        graph = parse(write(found))  # the graph that its text has, node by node
        right = trace(graph)
        if _for_people(right, MOST[level]) and _tells(graph, right, twice) and suits(graph, right):
            return graph
    raise RuntimeError(f"no graph of level {level} was found")  # a seed that has none would be a bug


def _attempt(lot: Lot, level: int, size: int, shared: bool) -> Graph | None:
    """Nodes put together at random; None where one of them is left over."""
    inputs = 2 if size < 6 else 3 if size > 7 or lot.chance(0.6) else 2
    nodes = [Node(INPUT, (), NAMES[i], _number(lot, level)) for i in range(inputs)]
    named = list(range(inputs))
    uses = dict.fromkeys(named, 0)
    for place in range(inputs, size):
        op, arity = _op(lot, level)
        pool = [i for i in named if not uses[i]] if not shared else named
        if arity == 1 or len(pool) < 2:
            if not shared and not pool:
                return None
            arg = lot.pick(pool)
            if op in ("neg", "square"):
                args: tuple[int, ...] = (arg,)
            else:
                op = lot.pick(("mul", "add", "sub")) if arity == 2 else op
                nodes.append(Node(CONSTANT, (), "", float(2 + lot.below(3))))
                constant = len(nodes) - 1
                args = (constant, arg) if op == "mul" or lot.chance(0.3) else (arg, constant)
            uses[arg] += 1
        else:
            fresh = [i for i in pool if not uses[i]]
            first = lot.pick(fresh if fresh and lot.chance(0.7) else pool)
            second = lot.pick([i for i in pool if i != first])
            args = (first, second) if lot.chance(0.5) else (second, first)
            for arg in args:
                uses[arg] += 1
        nodes.append(Node(op, args, NAMES[place]))
        named.append(len(nodes) - 1)
        uses[named[-1]] = 0
    made = [(node.op, node.args) for node in nodes if node.args]
    if len({*made}) < len(made) or any(not uses[i] for i in named[:-1]):
        return None
    if shared and max(uses.values()) < 2:
        return None
    return Graph(nodes)


def _op(lot: Lot, level: int) -> tuple[str, int]:
    if level == 1:
        return lot.pick((("mul", 2), ("mul", 2), ("add", 2), ("sub", 2), ("neg", 1), ("mul", 1), ("sub", 1)))
    usual = (("mul", 2), ("mul", 2), ("add", 2), ("sub", 2))
    return lot.pick((*usual, *usual, ("neg", 1), ("mul", 1), ("square", 1)) if level == 3 else usual)


def _number(lot: Lot, level: int) -> float:
    number = float(lot.pick((2, 3, 4, 5, -2, -3, -4, 6)))
    return number / 2.0 if level > 1 and lot.chance(0.15) else number


def _for_people(right: Trace, most: float) -> bool:
    """Can it be done by hand, and is each number told from the others?"""
    graph = right.graph
    numbers = [*right.values, *(right.grads[i] for i in graph.order)]
    if any(x == 0.0 or abs(x) > most or x * 4.0 != int(x * 4.0) for x in numbers):
        return False
    for node in graph.nodes:  # with equal factors, a rule that sends a factor to itself would be right
        if node.op == "mul" and abs(right.values[node.args[0]]) == abs(right.values[node.args[1]]):
            return False
    given = [right.values[i] for i in graph.inputs]
    if len({abs(x) for x in given}) < len(given):
        return False
    grads = [right.grads[i] for i in graph.inputs]
    if len({abs(x) for x in grads}) < len(grads) or all(abs(x) == 1.0 for x in grads):
        return False
    if any(right.grads[i] == right.values[i] for i in graph.inputs):
        return False
    return right.values[graph.output] not in grads


def _tells(graph: Graph, right: Trace, shared: bool) -> bool:
    """Contributions of different sizes; overwriting is never right."""
    sent: dict[int, list[float]] = {}
    for event in right.events:
        if isinstance(event, Flow):
            sent.setdefault(event.target, []).append(abs(event.amount))
    if any(len({*sizes}) < len(sizes) for sizes in sent.values()):
        return False
    if not shared:
        return True
    overwriting = outcomes(graph, Suspect(FAULTS["overwrite"]).pieces(), ordered=True)
    return all(any(o.grads[i] != right.grads[i] for i in graph.inputs) for o in overwriting.found)
