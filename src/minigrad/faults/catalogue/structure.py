"""Faults of the record: the graph that the engine wrote down is not the one that was computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...graph import CONSTANT, INPUT, Graph
from ...graph.trace import Pieces, Walk
from ...ops import OPS
from ...values import ieee
from ..fault import ALONE, Fault, ops_of
from .traversal import post_order

__all__ = ["ROWS"]

Row = Sequence[float | None]


def _silent(pieces: Pieces, op: str) -> Pieces:
    """Nodes of one op send nothing."""

    def rule(walk: Walk, node: int) -> Row:
        row = pieces.rule(walk, node)
        return [None] * len(row) if walk.graph.nodes[node].op == op else row

    return pieces._replace(rule=rule)


def _closure_on_input(pieces: Pieces, op: str) -> Pieces:
    """The closure of an op hangs on its first operand, over the one that was there."""

    def closure(walk: Walk, node: int) -> int | None:
        nodes = walk.graph.nodes
        if not nodes[node].args:
            walk.memory["had its turn", node] = True
        holder = pieces.closure(walk, node)
        for newest in reversed(walk.graph.consumers[node]):
            if nodes[newest].op == op and nodes[newest].args[0] == node:  # over others, and the node's own
                if holder is not None and holder > newest:  # another op's came later still
                    return holder
                return newest if walk.live[newest] else None
        return holder if holder != node or nodes[node].op != op else None

    def finish(walk: Walk) -> None:
        for i in reversed(range(len(walk.graph))):  # an order may leave out the leaves
            if not walk.graph.nodes[i].args and ("had its turn", i) not in walk.memory:
                walk.turn(i)
        pieces.finish(walk)

    return pieces._replace(closure=closure, finish=finish)


def _one_parent(pieces: Pieces, _what: object) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        args, consumers = walk.graph.nodes[node].args, walk.graph.consumers
        row = pieces.rule(walk, node)
        return [local if consumers[arg][-1] == node else None for arg, local in zip(args, row, strict=True)]

    return pieces._replace(rule=rule)


def _shared(graph: Graph) -> Iterable[str]:
    """Is there anything that has two consumers?"""
    consumers = [arg for node in graph.nodes for arg in {*node.args} if graph.active[arg]]
    return ALONE if len({*consumers}) < len(consumers) else ()


def _op_on_operand(pieces: Pieces, _what: object) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        nodes = walk.graph.nodes
        first = nodes[node].args[0]
        newest = next(i for i in reversed(walk.graph.consumers[first]) if nodes[i].args[0] == first)
        op = nodes[newest].op
        own = nodes[node].op
        if op not in OPS or own not in OPS or OPS[op].arity != OPS[own].arity:
            return pieces.rule(walk, node)
        return OPS[op].partials(ieee, walk.values[node], *[walk.values[arg] for arg in nodes[node].args])

    return pieces._replace(rule=rule)


def _merge_leaves(pieces: Pieces, _what: object) -> Pieces:
    """Equal leaves are one node, constants among them."""

    def record(graph: Graph) -> Graph:
        graph = pieces.record(graph)
        first = _representatives(graph)
        nodes = [
            node._replace(args=tuple(first[arg] if first[arg] < i else arg for arg in node.args))
            for i, node in enumerate(graph.nodes)
        ]
        return Graph(nodes, graph.output)

    def finish(walk: Walk) -> None:
        pieces.finish(walk)
        for i, representative in _representatives(walk.graph).items():
            if walk.graph.nodes[i].op == INPUT:
                walk.grads[i] = walk.grads[representative]

    return pieces._replace(record=record, finish=finish)


def _representatives(graph: Graph) -> dict[int, int]:
    """For each node the input that it is taken for: of equal leaves, the first."""
    first: dict[float | None, int] = {}
    for i in graph.inputs:
        first.setdefault(graph.nodes[i].data, i)
    leaves = (INPUT, CONSTANT)
    return {i: first.get(node.data, i) if node.op in leaves else i for i, node in enumerate(graph.nodes)}


def _equal_leaves(graph: Graph) -> Iterable[str]:
    moved = any(i != j and graph.active[j] for i, j in _representatives(graph).items())
    return ALONE if moved else ()


def _hash_by_content(pieces: Pieces, _what: object) -> Pieces:
    """A node whose number has been met already counts as visited."""

    def order(walk: Walk, _asked: Sequence[int]) -> Iterator[int]:
        met: set[float] = set()

        def seen(node: int) -> bool:
            if walk.values[node] in met:
                return True
            met.add(walk.values[node])
            return False

        turns = list(post_order(walk.graph, seen))
        return (node for node in reversed(turns) if walk.live[node] and walk.graph.nodes[node].args)

    return pieces._replace(order=order)


_CLOSURE = "    out.closure = lambda: send(out)\n"

ROWS = (
    Fault(
        "closure-on-input",
        "record",
        ("the closure of {what} hangs on its input", "la clausura de {what} cuelga de su entrada"),
        (
            "self._backward was written for out._backward: it replaces the closure that the input had",
            "se escribió self._backward por out._backward: reemplaza la clausura que tenía la entrada",
        ),
        _closure_on_input,
        "a = 3; b = a*a; exp(b)",
        ((_CLOSURE, '    (operands[0] if op == "{what}" else out).closure = lambda: send(out)\n'),),
        seen=9,
        variants=ops_of,
        ordered=True,
    ),
    Fault(
        "closure-never-attached",
        "record",
        ("the closure of {what} is never attached", "la clausura de {what} nunca se asigna"),
        (
            "the rule was written and not handed to the node, so nothing passes through this op",
            "la regla se escribió pero no se entregó al nodo, así que nada pasa por esta operación",
        ),
        _silent,
        "a = 3; -a",
        ((_CLOSURE, '    if op != "{what}":\n        out.closure = lambda: send(out)\n'),),
        seen=3,
        variants=ops_of,
    ),
    Fault(
        "op-without-rule",
        "record",
        ("{what} has no backward rule", "{what} no tiene regla hacia atrás"),
        (
            "the op was added for its value alone, and the gradient stops at it",
            "la operación se añadió solo por su valor, y el gradiente se detiene en ella",
        ),
        _silent,
        "a = 3; -a",
        (
            (
                "    local, upstream = locals_of(node), node.grad\n",
                '    if node.op == "{what}":\n        return\n'
                "    local, upstream = locals_of(node), node.grad\n",
            ),
        ),
        case="huggingface/candle#3569",
        seen=7,
        variants=ops_of,
    ),
    Fault(
        "op-cut-from-graph",
        "record",
        ("{what} is cut from the graph", "{what} queda fuera del grafo"),
        (
            "the op was built from .data and knows no parents: its value is right, its gradient ends there",
            "la operación se construyó con .data y no conoce a sus padres: su gradiente termina ahí",
        ),
        _silent,
        "a = 3; -a",
        (
            (
                _CLOSURE,
                '    if op == "{what}":\n        return Value(out.data)\n' + _CLOSURE,
            ),
        ),
        case="nvidia/warp#1350",
        seen=11,
        variants=ops_of,
    ),
    Fault(
        "one-parent",
        "record",
        ("one parent pointer per node", "un solo puntero al padre por nodo"),
        (
            "a node remembers only the op that used it last, and gets that op's contribution alone",
            "un nodo recuerda solo la operación que lo usó por última vez, y recibe solo su contribución",
        ),
        _one_parent,
        "a = 3; b = a*a; b + a",
        (
            (_CLOSURE, _CLOSURE + "    for x in operands:\n        x.parent = out\n"),
            (
                "        amount = local[slot] * upstream\n",
                "        if child.parent is not node:\n            continue\n"
                "        amount = local[slot] * upstream\n",
            ),
        ),
        seen=1,
        variants=_shared,
    ),
    Fault(
        "op-on-operand",
        "record",
        ("the kind of op is stored on the operand", "el tipo de operación se guarda en el operando"),
        (
            "an operand that is used again forgets what it was used for before, and an old node asks it",
            "un operando que se usa de nuevo olvida para qué se usó antes, y un nodo anterior se lo pregunta",
        ),
        _op_on_operand,
        "a = 3; b = 2; c = a*b; c + (a - b)",
        (
            (_CLOSURE, _CLOSURE + "    operands[0].kind = op\n"),
            (
                "    return LOCALS[node.op](node.data, *[x.data for x in node.operands])\n",
                "    rule = LOCALS[node.operands[0].kind]\n"
                "    if rule.__code__.co_argcount != LOCALS[node.op].__code__.co_argcount:\n"
                "        rule = LOCALS[node.op]\n"
                "    return rule(node.data, *[x.data for x in node.operands])\n",
            ),
        ),
        seen=2,
        variants=_shared,
    ),
    Fault(
        "equal-leaves-merged",
        "record",
        ("equal leaves are one node", "las hojas iguales son un solo nodo"),
        (
            "two inputs with the same number share a node and so a gradient: each shows the sum of both",
            "dos entradas con el mismo número comparten nodo y gradiente: cada una muestra la suma",
        ),
        _merge_leaves,
        "a = 3; b = 3; a - b",
        (
            (
                "class Value:\n",
                "POOL = {}\n\n\nclass Value:\n"
                '    def __new__(cls, data, operands=(), op="", label=""):\n'
                "        fresh = object.__new__(cls)\n"
                "        return fresh if operands else POOL.setdefault(data, fresh)\n\n",
            ),
        ),
        case="tinygrad/tinygrad#9597",
        variants=_equal_leaves,
    ),
    Fault(
        "hash-by-content",
        "record",
        ("nodes are compared by their data", "los nodos se comparan por su valor"),
        (
            "a node that happens to hold a number met before counts as visited and is left out of the order",
            "un nodo que resulta tener un número ya visto cuenta como visitado y queda fuera del orden",
        ),
        _hash_by_content,
        "a = 2; a*a * (a + a)",
        (
            (
                "class Value:\n",
                "class Value:\n    def __eq__(self, other):\n        return self.data == other.data\n\n"
                "    def __hash__(self):\n        return hash(self.data)\n\n",
            ),
        ),
        seen=1,
    ),
)
