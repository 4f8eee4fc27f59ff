"""Faults of the message: a contribution is the local derivative times the upstream gradient."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ...graph import Graph
from ...graph.trace import Pieces, Walk
from ...values import ieee
from ..fault import ALONE, Fault, ops_of

__all__ = ["ROWS"]

Message = Callable[[Walk, int, int, float, float], float]


def _message(message: Message) -> Callable[[Pieces, object], Pieces]:
    return lambda pieces, _what: pieces._replace(message=message)


def _ignored_in_one_op(pieces: Pieces, op: str) -> Pieces:
    def message(walk: Walk, source: int, slot: int, local: float, upstream: float) -> float:
        if walk.graph.nodes[source].op == op:
            return float(local)
        return pieces.message(walk, source, slot, local, upstream)

    return pieces._replace(message=message)


def _local_ignored(pieces: Pieces, op: str) -> Pieces:
    def message(walk: Walk, source: int, slot: int, local: float, upstream: float) -> float:
        if walk.graph.nodes[source].op == op:
            return upstream
        return pieces.message(walk, source, slot, local, upstream)

    return pieces._replace(message=message)


def _own_grad(walk: Walk, source: int, slot: int, local: float, upstream: float) -> float:
    return local * walk.grads[walk.graph.nodes[source].args[slot]]


def _grad_for_data(pieces: Pieces, _what: object) -> Pieces:
    def rule(walk: Walk, node: int) -> Sequence[float | None]:
        if walk.graph.nodes[node].op != "mul":
            return pieces.rule(walk, node)
        a, b = walk.graph.nodes[node].args
        return walk.grads[b], walk.grads[a]

    return pieces._replace(rule=rule)


def _has_mul(graph: Graph) -> Iterable[str]:
    return ALONE if "mul" in ops_of(graph) else ()


_AMOUNT = "        amount = local[slot] * upstream\n"

ROWS = (
    Fault(
        "upstream-ignored",
        "upstream",
        ("the upstream gradient is ignored", "se ignora el gradiente entrante"),
        (
            "a node sends its local derivative alone: right next to the output, wrong everywhere below",
            "un nodo envía solo su derivada local: correcto junto a la salida, incorrecto más abajo",
        ),
        _message(lambda walk, source, slot, local, upstream: float(local)),
        "a = 3; b = -a; b*b",
        ((_AMOUNT, "        amount = local[slot]\n"),),
        case="k2-fsa/k2#341",
    ),
    Fault(
        "upstream-ignored-one-op",
        "upstream",
        ("{what} ignores the upstream gradient", "{what} ignora el gradiente entrante"),
        (
            "one op forgot the factor, which nobody notices while its upstream gradient is 1",
            "una operación olvidó el factor, y nadie lo nota mientras su gradiente entrante sea 1",
        ),
        _ignored_in_one_op,
        "a = 3; b = -a; b*b",
        ((_AMOUNT, '        amount = local[slot] * (1.0 if node.op == "{what}" else upstream)\n'),),
        case="SciSharp/TensorFlow.NET#787",
        seen=8,
        variants=ops_of,
    ),
    Fault(
        "local-ignored",
        "upstream",
        ("{what} forgets its own derivative", "{what} olvida su propia derivada"),
        (
            "the inner derivative of the chain rule is missing: the op hands on what it got, unchanged",
            "falta la derivada interior de la regla de la cadena: la operación entrega lo recibido sin más",
        ),
        _local_ignored,
        "a = 3; b = a*a; b*b",
        ((_AMOUNT, '        amount = (1.0 if node.op == "{what}" else local[slot]) * upstream\n'),),
        variants=ops_of,
    ),
    Fault(
        "upstream-divided",
        "upstream",
        ("divided by the upstream gradient", "dividido entre el gradiente entrante"),
        (
            "* became /, which shows only where the upstream gradient is neither 1 nor -1",
            "* se convirtió en /, lo que solo se ve donde el gradiente entrante no es ni 1 ni -1",
        ),
        _message(lambda walk, source, slot, local, upstream: ieee.div(local, upstream)),
        "a = 3; b = -a; b*b",
        ((_AMOUNT, "        amount = local[slot] / upstream\n"),),
        case="harvard-edge/cs249r_book#2056",
    ),
    Fault(
        "upstream-added",
        "upstream",
        ("added to the upstream gradient", "sumado al gradiente entrante"),
        (
            "+ in place of *: the chain rule multiplies along a path and adds between paths",
            "+ en lugar de *: la regla de la cadena multiplica a lo largo de un camino y suma entre caminos",
        ),
        _message(lambda walk, source, slot, local, upstream: local + upstream),
        "a = 3; -a",
        ((_AMOUNT, "        amount = local[slot] + upstream\n"),),
    ),
    Fault(
        "upstream-twice",
        "upstream",
        ("multiplied by the upstream gradient twice", "multiplicado dos veces por el gradiente entrante"),
        (
            "the rule has the factor in it and the loop applies it again",
            "la regla ya lleva el factor y el bucle lo aplica otra vez",
        ),
        _message(lambda walk, source, slot, local, upstream: local * upstream * upstream),
        "a = 3; b = -a; b*b",
        ((_AMOUNT, "        amount = local[slot] * upstream * upstream\n"),),
    ),
    Fault(
        "data-for-grad",
        "data-or-grad",
        ("the output's data in place of its gradient", "el valor de la salida en lugar de su gradiente"),
        (
            "out.data was written where out.grad was meant: the numbers that went forward come back",
            "se escribió out.data donde se quería out.grad: vuelven los números que iban hacia delante",
        ),
        _message(lambda walk, source, slot, local, upstream: local * walk.values[source]),
        "a = 3; -a",
        (
            (
                "    local, upstream = locals_of(node), node.grad\n",
                "    local, upstream = locals_of(node), node.data\n",
            ),
        ),
    ),
    Fault(
        "own-grad-for-upstream",
        "data-or-grad",
        ("the child's own gradient as upstream", "el gradiente del propio hijo como entrante"),
        (
            "self.grad was written where out.grad was meant: the child is still at 0, and stays there",
            "se escribió self.grad donde se quería out.grad: el hijo sigue en 0, y ahí se queda",
        ),
        _message(_own_grad),
        "a = 3; -a",
        ((_AMOUNT, "        amount = local[slot] * child.grad\n"),),
    ),
    Fault(
        "grad-for-data",
        "data-or-grad",
        ("mul multiplies by the other's gradient", "mul multiplica por el gradiente del otro"),
        (
            "other.grad was written where other.data was meant: the other factor's gradient is still 0",
            "se escribió other.grad donde se quería other.data: el gradiente del otro factor aún es 0",
        ),
        _grad_for_data,
        "a = 3; b = 2; a*b",
        (
            (
                "    return LOCALS[node.op](node.data, *[x.data for x in node.operands])\n",
                '    if node.op == "mul":\n        a, b = node.operands\n        return b.grad, a.grad\n'
                "    return LOCALS[node.op](node.data, *[x.data for x in node.operands])\n",
            ),
        ),
        variants=_has_mul,
        ordered=True,
    ),
)
