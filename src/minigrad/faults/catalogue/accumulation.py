"""Faults of the sum: a gradient is one contribution per path, added up, and here it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ...graph import Graph
from ...graph.trace import Pieces, Walk
from ..fault import ALONE, Fault, ops_of

__all__ = ["ROWS", "edges"]


def edges(graph: Graph) -> Iterable[tuple[int, int]]:
    """(node, slot) for every contribution that a pass can make."""
    for i in graph.order:
        for slot, arg in enumerate(graph.nodes[i].args):
            if graph.active[arg]:
                yield i, slot


def _fan_out(graph: Graph) -> Iterable[int]:
    """The limits that would cut something off."""
    used = Counter(graph.nodes[i].args[slot] for i, slot in edges(graph))
    return range(2, max((2, *used.values())))


def _overwrite(pieces: Pieces, _what: object) -> Pieces:
    return pieces._replace(accumulate=lambda walk, source, slot, target, amount: amount)


def _overwrite_one_op(pieces: Pieces, op: str) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        if walk.graph.nodes[source].op == op:
            return amount
        return pieces.accumulate(walk, source, slot, target, amount)

    return pieces._replace(accumulate=accumulate)


def _keep_first(pieces: Pieces, _what: object) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        return walk.grads[target] or amount

    return pieces._replace(accumulate=accumulate)


def _keep_largest(pieces: Pieces, _what: object) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        before = walk.grads[target]
        return amount if abs(amount) > abs(before) else before

    return pieces._replace(accumulate=accumulate)


def _fan_out_limit(pieces: Pieces, limit: int) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        count = walk.memory.get(("arrived", target), 0) + 1
        walk.memory["arrived", target] = count
        if count > limit:
            return walk.grads[target]
        return pieces.accumulate(walk, source, slot, target, amount)

    return pieces._replace(accumulate=accumulate)


def _drop_branch(pieces: Pieces, edge: tuple[int, int]) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        if (source, slot) == edge:
            return walk.grads[target]
        return pieces.accumulate(walk, source, slot, target, amount)

    return pieces._replace(accumulate=accumulate)


def _twice(pieces: Pieces, _what: object) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        return pieces.accumulate(walk, source, slot, target, amount + amount)

    return pieces._replace(accumulate=accumulate)


def _subtract(pieces: Pieces, _what: object) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        return walk.grads[target] - amount

    return pieces._replace(accumulate=accumulate)


def _relu_zeroes(pieces: Pieces, _what: object) -> Pieces:
    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        if walk.graph.nodes[source].op == "relu" and not walk.values[source] > 0.0:
            return 0.0
        return pieces.accumulate(walk, source, slot, target, amount)

    return pieces._replace(accumulate=accumulate)


def _alias(pieces: Pieces, _what: object) -> Pieces:
    """An add hands its own array on: whoever adds to it in place changes all that hold it."""

    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        holders: tuple[int, ...] = walk.memory.get(("hold the array of", target), (target,))
        if walk.graph.nodes[source].op == "add" and walk.grads[target] == 0.0:
            for other in holders:
                walk.memory["hold the array of", other] = tuple(i for i in holders if i != target)
            shared = (*walk.memory.get(("hold the array of", source), (source,)), target)
            for other in shared:
                walk.memory["hold the array of", other] = shared
            return walk.grads[source]
        after = pieces.accumulate(walk, source, slot, target, amount)
        for other in holders:
            walk.grads[other] = after
        return after

    return pieces._replace(accumulate=accumulate)


def _average(pieces: Pieces, _what: object) -> Pieces:
    """The mean of the contributions in place of their sum."""

    def accumulate(walk: Walk, source: int, slot: int, target: int, amount: float) -> float:
        count: int = walk.memory.get(("averaged", target), 0) + 1
        walk.memory["averaged", target] = count
        return walk.grads[target] + (amount - walk.grads[target]) / count

    return pieces._replace(accumulate=accumulate)


def _has_relu(graph: Graph) -> Iterable[str]:
    return ALONE if "relu" in ops_of(graph) else ()


_ADD = "        child.grad += amount\n"

ROWS = (
    Fault(
        "overwrite",
        "sum",
        ("= in place of +=", "= en lugar de +="),
        (
            "each contribution replaces the ones before it, so only the last path into a node counts",
            "cada contribución reemplaza a las anteriores, y solo cuenta el último camino hacia un nodo",
        ),
        _overwrite,
        "a = 3; a + a",
        ((_ADD, "        child.grad = amount\n"),),
        case="callummcdougall/ARENA_3.0#127",
        seen=24,
        ordered=True,
    ),
    Fault(
        "overwrite-one-op",
        "sum",
        ("= in place of += in {what} only", "= en lugar de += solo en {what}"),
        (
            "one op was written with = and wipes out what other ops had already sent",
            "una operación se escribió con = y borra lo que otras ya habían enviado",
        ),
        _overwrite_one_op,
        "a = 3; b = exp(a); a + b",
        ((_ADD, '        child.grad = amount if node.op == "{what}" else child.grad + amount\n'),),
        case="karpathy/nn-zero-to-hero#52",
        seen=18,
        variants=ops_of,
        ordered=True,
    ),
    Fault(
        "keep-first",
        "sum",
        ("only the first contribution is kept", "solo se conserva la primera contribución"),
        (
            "a node that already has a gradient takes no more, so later branches are dropped",
            "un nodo que ya tiene gradiente no acepta más, así que se pierden las ramas posteriores",
        ),
        _keep_first,
        "a = 3; a - a*a",
        ((_ADD, "        child.grad = child.grad or amount\n"),),
        ordered=True,
    ),
    Fault(
        "keep-largest",
        "sum",
        ("only the largest contribution is kept", "solo se conserva la contribución más grande"),
        (
            "contributions compete instead of adding up, as max pooling would have it",
            "las contribuciones compiten en vez de sumarse, como en un max pooling",
        ),
        _keep_largest,
        "a = 3; a - a*a",
        ((_ADD, "        child.grad = amount if abs(amount) > abs(child.grad) else child.grad\n"),),
        ordered=True,
    ),
    Fault(
        "average",
        "sum",
        (
            "the mean of the contributions in place of their sum",
            "la media de las contribuciones en lugar de su suma",
        ),
        (
            "paths are averaged, so a node that is used n times gets an n-th of its gradient",
            "los caminos se promedian: un nodo que se usa n veces recibe una n-ésima parte de su gradiente",
        ),
        _average,
        "a = 3; a + a",
        (
            (
                "    root.grad = 1.0\n",
                "    root.grad = 1.0\n    for node in order:\n        node.count = 0\n",
            ),
            (_ADD, "        child.count += 1\n        child.grad += (amount - child.grad) / child.count\n"),
        ),
    ),
    Fault(
        "fan-out-limit",
        "sum",
        (
            "contributions after number {what} are lost",
            "las contribuciones posteriores a la número {what} se pierden",
        ),
        (
            "a fixed number of consumers is provided for; a node that is used more often loses the rest",
            "se prevé un número fijo de consumidores; un nodo que se usa más veces pierde el resto",
        ),
        _fan_out_limit,
        "a = 3; a*a + a",
        (
            (
                "    root.grad = 1.0\n",
                "    root.grad = 1.0\n    for node in order:\n        node.count = 0\n",
            ),
            (
                _ADD,
                "        child.count += 1\n        if child.count <= {what}:\n"
                "            child.grad += amount\n",
            ),
        ),
        case="apache/mxnet#16708",
        variants=_fan_out,
        ordered=True,
    ),
    Fault(
        "branch-dropped",
        "sum",
        ("the branch {what} is dropped", "se pierde la rama {what}"),
        (
            "one path of several is never followed, and the others still look like a gradient",
            "uno de los caminos no se recorre, y los demás siguen pareciendo un gradiente",
        ),
        _drop_branch,
        "a = 3; b = 2; a*b",
        (
            (
                _ADD,
                '        place = f" #{slot + 1}" if node.children.count(child) > 1 else ""\n'
                '        if f"{node.label} > {child.label}{place}" != "{what}":\n'
                "            child.grad += amount\n",
            ),
        ),
        case="SciSharp/TensorFlow.NET#303",
        variants=edges,
    ),
    Fault(
        "accumulate-twice",
        "sum",
        ("every contribution is added twice", "cada contribución se suma dos veces"),
        (
            "a closure runs twice, so the gradient doubles at every level of the graph",
            "una clausura se ejecuta dos veces, así que el gradiente se duplica en cada nivel del grafo",
        ),
        _twice,
        "a = 3; -a",
        ((_ADD, _ADD + _ADD),),
    ),
    Fault(
        "subtract",
        "sum",
        ("-= in place of +=", "-= en lugar de +="),
        (
            "the update of a parameter was pasted into the sum: signs flip at every level",
            "se pegó en la suma la actualización de un parámetro: los signos cambian en cada nivel",
        ),
        _subtract,
        "a = 3; -a",
        ((_ADD, "        child.grad -= amount\n"),),
    ),
    Fault(
        "relu-zeroes",
        "sum",
        ("relu zeroes what is already there", "relu pone a cero lo que ya había"),
        (
            "where it stops the gradient, relu writes 0 instead of adding nothing: other paths are lost",
            "donde detiene el gradiente, relu escribe 0 en vez de no sumar nada: se pierden otros caminos",
        ),
        _relu_zeroes,
        "a = -3; b = relu(a); a + b",
        (
            (
                _ADD,
                '        if node.op == "relu" and not node.data > 0:\n            child.grad = 0.0\n'
                "        else:\n            child.grad += amount\n",
            ),
        ),
        seen=1,
        variants=_has_relu,
        ordered=True,
    ),
    Fault(
        "aliased-upstream",
        "sum",
        ("add hands on its own gradient array", "add entrega su propio vector de gradiente"),
        (
            "two nodes hold one array, and what is added to the one in place arrives at the other as well",
            "dos nodos comparten un vector, y lo que se suma a uno, sin copiarlo, llega también al otro",
        ),
        _alias,
        "a = 3; b = 2; c = a*a; (a + b) + c",
        (
            (
                "class Value:\n",
                "class Value:\n"
                "    @property\n    def grad(self):\n        return self.array[0]\n\n"
                "    @grad.setter\n    def grad(self, x):\n        self.array[0] = x  # in place\n\n",
            ),
            ("        self.grad = 0.0\n", "        self.array = [0.0]\n"),
            (
                _ADD,
                '        if node.op == "add" and child.grad == 0.0:\n            child.array = node.array\n'
                "        else:\n            child.grad += amount\n",
            ),
            ("            leaf.grad = 0.0\n", "            leaf.array = [0.0]\n"),
        ),
        seen=1,
        ordered=True,
        slow=True,
    ),
)
