"""Faults of time: what an earlier pass left behind, and what changed before this one began."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...graph import INPUT, Graph
from ...graph.trace import Pieces, Walk
from ..fault import ALONE, Fault

__all__ = ["ROWS"]

STEPS = (2, 3, 4, 5, 10)


def _first_pass(pieces: Pieces, walk: Walk) -> Walk:
    """The pass before this one, over the same graph."""
    earlier = Walk(pieces, walk.graph, walk.values, walk.live)
    pieces.start(earlier)
    earlier.grads[walk.graph.output] = pieces.seed(earlier, 1.0)
    pieces.run(earlier)
    return earlier


def _leaves(walk: Walk) -> Iterable[int]:
    return (i for i, node in enumerate(walk.graph.nodes) if not node.args)


def _stale(pieces: Pieces, clear_inputs: bool) -> Pieces:
    """A second pass over one graph: what the first left between inputs and output is still there."""

    def start(walk: Walk) -> None:
        walk.grads[:] = _first_pass(pieces, walk).grads
        if clear_inputs:
            for i in _leaves(walk):
                walk.grads[i] = 0.0

    return pieces._replace(start=start)


def _no_zero_grad(pieces: Pieces, steps: int) -> Pieces:
    def start(walk: Walk) -> None:
        pieces.start(walk)
        earlier = _first_pass(pieces, walk)
        for i in _leaves(walk):
            walk.grads[i] += (steps - 1) * earlier.grads[i]

    return pieces._replace(start=start)


def _lists_outlive(pieces: Pieces, _what: object) -> Pieces:
    """The order still holds the nodes of the last graph, and they send once more."""

    def start(walk: Walk) -> None:
        pieces.start(walk)
        old = _first_pass(pieces, walk)
        for i in _leaves(walk):
            old.grads[i] = 0.0
        pieces.run(old)
        for i in _leaves(walk):
            walk.grads[i] += old.grads[i]

    return pieces._replace(start=start)


def _cleared_after(pieces: Pieces, _what: object) -> Pieces:
    def finish(walk: Walk) -> None:
        pieces.finish(walk)
        for i in _leaves(walk):
            walk.grads[i] = 0.0

    return pieces._replace(finish=finish)


def _cleared_in_the_loop(pieces: Pieces, _what: object) -> Pieces:
    """Before each turn everything but the node whose turn it is goes back to 0."""

    def rule(walk: Walk, node: int) -> Sequence[float | None]:
        for i in walk.memory.get("touched", range(len(walk.graph))):
            if i != node:
                walk.grads[i] = 0.0
        walk.memory["touched"] = (node, *walk.graph.nodes[node].args)
        return pieces.rule(walk, node)

    return pieces._replace(rule=rule)


def _stale_data(pieces: Pieces, _what: object) -> Pieces:
    """The rules read .data when the pass runs, and by then the inputs have been doubled."""

    def rule(walk: Walk, node: int) -> Sequence[float | None]:
        later: Walk | None = walk.memory.get("later")
        if later is None:
            now = [x * 2.0 if walk.graph.nodes[i].op == INPUT else x for i, x in enumerate(walk.values)]
            later = walk.memory["later"] = Walk(pieces, walk.graph, now, walk.live)
        later.grads = walk.grads
        return pieces.rule(later, node)

    return pieces._replace(rule=rule)


_CLEAR = "    for node in order:\n        if node.children:\n            node.grad = 0.0\n"
_ZERO = "        for leaf in leaves:\n            leaf.grad = 0.0\n"
_BUILD = "        loss = build()\n"
_LOOP = "    for _ in range(2):\n"
_KEPT = ((_BUILD, ""), (_LOOP, "    loss = build()\n" + _LOOP))  # the same graph in both steps

ROWS = (
    Fault(
        "stale-intermediates",
        "state",
        (
            "stale gradients in between on a second pass",
            "gradientes intermedios viejos en una segunda pasada",
        ),
        (
            "only the inputs were cleared: the nodes in between add the old gradient to the new one",
            "solo se borraron las entradas: los nodos intermedios suman el gradiente viejo al nuevo",
        ),
        lambda pieces, _what: _stale(pieces, True),
        "a = 3; b = -a; -b",
        ((_CLEAR, ""), *_KEPT),
        case="karpathy/micrograd#102",
        passes=2,
        across="one-graph",
    ),
    Fault(
        "nothing-cleared",
        "state",
        ("a second backward() with nothing cleared", "un segundo backward() sin borrar nada"),
        (
            "the first pass is still in every node: the inputs hold the sum of both, and of the echo between",
            "la primera pasada sigue en cada nodo: las entradas suman ambas, y el eco entre ellas",
        ),
        lambda pieces, _what: _stale(pieces, False),
        "a = 3; b = -a; -b",
        ((_CLEAR, ""), (_ZERO, ""), *_KEPT),
        case="karpathy/micrograd#53",
        passes=2,
        across="kept",
    ),
    Fault(
        "no-zero-grad",
        "state",
        ("no zero_grad between {what} steps", "sin zero_grad entre {what} pasos"),
        (
            "the += that adds up paths adds up training steps as well: the gradient grows with every step",
            "el += que suma caminos suma también pasos de entrenamiento: el gradiente crece en cada uno",
        ),
        _no_zero_grad,
        "a = 3; -a",
        ((_ZERO, ""), (_LOOP, "    for _ in range({what}):\n")),
        variants=lambda graph: STEPS,
        passes=2,
        across="kept",
    ),
    Fault(
        "zero-grad-too-late",
        "state",
        ("zero_grad after backward", "zero_grad después de backward"),
        (
            "the gradients are cleared between the pass and the step that wanted them: all are 0",
            "los gradientes se borran entre la pasada hacia atrás y la actualización: todos son 0",
        ),
        _cleared_after,
        "a = 3; -a",
        (("        backward(loss)\n", "        backward(loss)\n" + _ZERO),),
    ),
    Fault(
        "zero-grad-in-the-loop",
        "state",
        ("zero_grad inside the pass", "zero_grad dentro de la pasada"),
        (
            "each turn clears all other nodes before it sends, so only the last turn's messages are left",
            "cada turno borra los demás nodos antes de enviar, así que solo quedan los mensajes del último",
        ),
        _cleared_in_the_loop,
        "a = 3; b = 2; c = -a; c*b",
        (
            (
                "        node.closure()\n",
                "        for other in order:\n            if node.children and other is not node:\n"
                "                other.grad = 0.0\n        node.closure()\n",
            ),
        ),
        ordered=True,
    ),
    Fault(
        "visited-flags-outlive",
        "state",
        ("visited flags outlive the pass", "las marcas de visitado sobreviven a la pasada"),
        (
            "the marks stay on the nodes, so a second pass finds everything visited and sends nothing",
            "las marcas quedan en los nodos: una segunda pasada lo encuentra todo visitado y no envía nada",
        ),
        lambda pieces, _what: pieces._replace(order=lambda walk, order: ()),
        "a = 3; -a",
        (
            (
                "        if node not in visited:\n            visited.add(node)\n",
                '        if not hasattr(node, "visited"):\n            node.visited = True\n',
            ),
            *_KEPT,
        ),
        seen=4,
        passes=2,
        across="one-graph",
    ),
    Fault(
        "default-arguments-outlive",
        "state",
        ("default arguments outlive the pass", "los argumentos por defecto sobreviven a la pasada"),
        (
            "order=[] and visited=set() are made once: the nodes of the last graph send their gradient again",
            "order=[] y visited=set() se crean una vez: los nodos del grafo anterior envían otra vez",
        ),
        _lists_outlive,
        "a = 3; -a",
        (
            ("def order_of(root):\n", "def order_of(root, order=[], visited=set()):\n"),
            ("    order, visited = [], set()\n\n", ""),
            (_CLEAR, ""),
        ),
        case="bshillingford/autobw.torch#7",
        seen=4,
        passes=2,
        across="sent-again",
    ),
    Fault(
        "stale-data",
        "state",
        ("the inputs are changed before backward", "las entradas cambian antes de backward"),
        (
            "the rules read .data during the pass, and an update has doubled it since: a gradient of nothing",
            "las reglas leen .data durante la pasada, y desde entonces se duplicó: no es gradiente de nada",
        ),
        _stale_data,
        "a = 3; a*a",
        (
            (
                "        backward(loss)\n",
                "        for leaf in leaves:\n            leaf.data *= 2.0\n        backward(loss)\n"
                "        for leaf in leaves:\n            leaf.data /= 2.0\n",
            ),
        ),
        variants=lambda graph: ALONE if _reads_inputs(graph) else (),
    ),
)


def _reads_inputs(graph: Graph) -> bool:
    """Is there an op on an input whose rule reads it?  A sum's does not."""
    flat = ("add", "sub", "neg", "sum", "mean")
    return any(
        graph.active[i] and node.op not in flat and any(graph.nodes[arg].op == INPUT for arg in node.args)
        for i, node in enumerate(graph.nodes)
    )
