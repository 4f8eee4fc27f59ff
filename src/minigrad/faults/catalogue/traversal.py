"""Faults of the order: a node may send only when all of its own gradient has arrived."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from ...errors import MinigradError
from ...graph import Graph
from ...graph.trace import Pieces, Walk
from ..fault import Fault

__all__ = ["ROWS", "WalkTooLongError", "post_order"]

LONGEST = 4096  # turns, or four for each node, of a walk that visits nodes again: there can be billions


class WalkTooLongError(MinigradError):
    """A walk that visits nodes again and again has been given up."""


def _steps(walk: Walk, node: int) -> list[int]:
    """The children of a node that have a rule of their own to apply."""
    return [arg for arg in walk.graph.nodes[node].args if walk.live[arg] and walk.graph.nodes[arg].args]


def _limited(turns: Iterator[int], size: int) -> Iterator[int]:
    for count, node in enumerate(turns):
        if count == max(LONGEST, 4 * size):
            raise WalkTooLongError
        yield node


def post_order(graph: Graph, seen: Callable[[int], bool]) -> Iterator[int]:
    """Children first, then the node, as the usual recursive `visit` has it; `seen` marks as it asks."""
    stack = [(graph.output, iter(graph.nodes[graph.output].args))]
    seen(graph.output)
    while stack:
        node, children = stack[-1]
        child = next((arg for arg in children if not seen(arg)), None)
        if child is None:
            stack.pop()
            yield node
        else:
            stack.append((child, iter(graph.nodes[child].args)))


# ---- walks that visit a shared node again ---------------------------------------------------------


def _from_stack(walk: Walk, _order: Sequence[int]) -> Iterator[int]:
    stack = [walk.graph.output]
    while stack:
        node = stack.pop()
        yield node
        stack += _steps(walk, node)


def _recursive(walk: Walk, _order: Sequence[int]) -> Iterator[int]:
    stack = [walk.graph.output]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(_steps(walk, node))


def _from_queue(walk: Walk, _order: Sequence[int]) -> Iterator[int]:
    queue = deque([walk.graph.output])
    while queue:
        node = queue.popleft()
        yield node
        queue += _steps(walk, node)


def _guard_misplaced(walk: Walk, _order: Sequence[int]) -> Iterator[int]:
    """`order.append(node)` stands beside the guard, not under it: once for each time that it is met."""
    order: list[int] = []
    visited: set[int] = set()
    stack: list[tuple[int, Iterator[int]]] = [(walk.graph.output, iter(_steps(walk, walk.graph.output)))]
    while stack:
        node, children = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            order.append(node)
        elif child in visited:
            order.append(child)
        else:
            visited.add(child)
            stack.append((child, iter(_steps(walk, child))))
    yield from reversed(order)


# ---- walks that visit each node once, too early ---------------------------------------------------


def _breadth_first(walk: Walk, _order: Sequence[int]) -> Iterator[int]:
    queue, visited = deque([walk.graph.output]), {walk.graph.output}
    while queue:
        node = queue.popleft()
        yield node
        for child in _steps(walk, node):
            if child not in visited:
                visited.add(child)
                queue.append(child)


def _pre_order(walk: Walk, _order: Sequence[int]) -> Iterator[int]:
    visited: set[int] = set()
    stack = [walk.graph.output]
    while stack:
        node = stack.pop()
        if node not in visited:
            visited.add(node)
            yield node
            stack += reversed(_steps(walk, node))


def _not_reversed(walk: Walk, order: Sequence[int]) -> Iterator[int]:
    return reversed([node for node in order if walk.graph.nodes[node].args])


def _swap_order(turns: Callable[[Walk, Sequence[int]], Iterator[int]]) -> Callable[[Pieces, object], Pieces]:
    def order(walk: Walk, asked: Sequence[int]) -> Iterator[int]:
        return _limited(turns(walk, asked), len(walk.graph))

    return lambda pieces, _what: pieces._replace(order=order)


_LOOP = """\
    for node in reversed(order):
        node.closure()
"""
_VISIT = """\
        if node not in visited:
            visited.add(node)
            for child in node.children:
                visit(child)
            order.append(node)
"""

ROWS = (
    Fault(
        "recursion",
        "order",
        ("recursion without an order", "recursión sin un orden"),
        (
            "each node calls its children at once; a shared one is called again and sends everything again",
            "cada nodo llama enseguida a sus hijos; a uno compartido se le llama otra vez y lo reenvía todo",
        ),
        _swap_order(_recursive),
        "a = 3; b = a + a; b + b",
        (
            (
                _LOOP,
                "\n    def visit(node):\n        node.closure()\n        for child in node.children:\n"
                "            visit(child)\n\n    visit(root)\n",
            ),
        ),
        case="karpathy/micrograd#64",
        seen=13,
    ),
    Fault(
        "stack-revisits",
        "order",
        ("a stack that visits shared nodes again", "una pila que visita otra vez los nodos compartidos"),
        (
            "children are pushed each time they are met, so a shared node sends more than once",
            "los hijos se apilan cada vez que aparecen, así que un nodo compartido envía más de una vez",
        ),
        _swap_order(_from_stack),
        "a = 3; b = a + a; b + b",
        (
            (
                _LOOP,
                "    stack = [root]\n    while stack:\n        node = stack.pop()\n        node.closure()\n"
                "        stack += node.children\n",
            ),
        ),
        case="karpathy/micrograd#91",
        seen=13,
    ),
    Fault(
        "queue-revisits",
        "order",
        ("a queue that visits shared nodes again", "una cola que visita otra vez los nodos compartidos"),
        (
            "breadth first and without a mark for what has been visited: a shared node sends more than once",
            "por niveles y sin marcar lo visitado: un nodo compartido envía más de una vez",
        ),
        _swap_order(_from_queue),
        "a = 3; b = a + a; b + b",
        (
            (
                _LOOP,
                "    queue = [root]\n    for node in queue:  # it grows\n        node.closure()\n"
                "        queue += node.children\n",
            ),
        ),
        case="sebgao/cTensor#5",
        seen=13,
    ),
    Fault(
        "guard-misplaced",
        "order",
        ("the visited guard is indented wrongly", "la comprobación de visitados está mal sangrada"),
        (
            "a node enters the order once for every consumer and sends as often",
            "un nodo entra en el orden una vez por cada consumidor y envía otras tantas veces",
        ),
        _swap_order(_guard_misplaced),
        "a = 3; b = a + a; b + b",
        ((_VISIT, _VISIT.replace("            order.append", "        order.append")),),
        seen=8,
    ),
    Fault(
        "breadth-first",
        "order",
        ("breadth-first order", "orden por niveles"),
        (
            "a node has its turn when it is first met, before a longer path to it has delivered",
            "un nodo tiene su turno al aparecer por primera vez, antes de que entregue un camino más largo",
        ),
        _swap_order(_breadth_first),
        "a = 3; b = a*a; b * -b",
        (
            (
                _LOOP,
                "    queue = [root]\n    for node in queue:  # it grows\n        node.closure()\n"
                "        queue += [child for child in dict.fromkeys(node.children) if child not in queue]\n",
            ),
        ),
    ),
    Fault(
        "pre-order",
        "order",
        ("pre-order in place of a topological order", "preorden en lugar de un orden topológico"),
        (
            "depth first, parents before children, but not after all parents: a late path arrives too late",
            "en profundidad, padres antes que hijos, pero no tras todos los padres: un camino llega tarde",
        ),
        _swap_order(_pre_order),
        "a = 3; b = a*a; b * -b",
        (
            (
                _VISIT,
                _VISIT.replace("            order.append(node)\n", "").replace(
                    "visited.add(node)\n", "visited.add(node)\n            order.append(node)\n"
                ),
            ),
            (_LOOP, _LOOP.replace("reversed(order)", "order")),
        ),
        case="TrenTorch/TrenTorch#182",
        seen=4,
    ),
    Fault(
        "not-reversed",
        "order",
        ("the order is not reversed", "el orden no está invertido"),
        (
            "the pass starts at the inputs, before any gradient is there; only the output's children get one",
            "la pasada empieza por las entradas, sin gradiente aún; solo llega a los hijos de la salida",
        ),
        _swap_order(_not_reversed),
        "a = 3; b = 2; c = a*b; c + b",
        ((_LOOP, _LOOP.replace("reversed(order)", "order")),),
        seen=4,
    ),
)
