"""Faults of the slots: an op has ordered places for its operands, and one operand may stand in two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...graph import CONSTANT, Graph
from ...graph.trace import Pieces, Walk
from ...ops import OPS
from ..fault import ALONE, Fault, ops_of

__all__ = ["ROWS"]

Row = Sequence[float | None]


def _with_repeats(graph: Graph) -> Iterable[str]:
    """The ops that have one operand in two slots."""
    found = [
        node.op
        for i, node in enumerate(graph.nodes)
        if graph.active[i] and any(graph.active[arg] and node.args.count(arg) > 1 for arg in node.args)
    ]
    return dict.fromkeys(found)


def _once(pieces: Pieces, op: str) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        row, args = pieces.rule(walk, node), walk.graph.nodes[node].args
        if walk.graph.nodes[node].op != op:
            return row
        return [None if args[slot] in args[:slot] else local for slot, local in enumerate(row)]

    return pieces._replace(rule=rule)


def _in_a_set(pieces: Pieces, way: str) -> Pieces:
    """The children lose their repeats and perhaps their order; the local derivatives do not."""

    def rule(walk: Walk, node: int) -> Row:
        row, args = pieces.rule(walk, node), walk.graph.nodes[node].args
        children = list(dict.fromkeys(args))
        if way == "reversed":
            children.reverse()
        sent: list[float | None] = [None] * len(args)
        for child, local in zip(children, row, strict=False):
            sent[args.index(child)] = local
        return sent

    return pieces._replace(rule=rule)


def _set_ways(graph: Graph) -> Iterable[str]:
    several = any(graph.active[i] and len(node.args) > 1 for i, node in enumerate(graph.nodes))
    return ("kept", "reversed") if several else ()


def _by_operand(pieces: Pieces, _what: object) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        args = walk.graph.nodes[node].args
        last = dict(zip(args, pieces.rule(walk, node), strict=True))
        return [last[arg] for arg in args]

    return pieces._replace(rule=rule)


def _any_repeat(graph: Graph) -> Iterable[str]:
    return ALONE if any(True for _ in _with_repeats(graph)) else ()


def _binary(graph: Graph) -> Iterable[str]:
    """The ops whose second operand wants a gradient."""
    found = [
        node.op
        for i, node in enumerate(graph.nodes)
        if node.op in OPS and graph.active[i] and any(graph.active[arg] for arg in node.args[1:])
    ]
    return dict.fromkeys(found)


def _second_cut(pieces: Pieces, op: str) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        row = pieces.rule(walk, node)
        return [*row[:1], *[None] * (len(row) - 1)] if walk.graph.nodes[node].op == op else row

    return pieces._replace(rule=rule)


def _shifted(pieces: Pieces, _what: object) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        row, args = pieces.rule(walk, node), walk.graph.nodes[node].args
        sent = iter(row)
        return [None if walk.graph.nodes[arg].op == CONSTANT else next(sent) for arg in args]

    return pieces._replace(rule=rule)


def _constant_first(graph: Graph) -> Iterable[str]:
    """Is there an op with a constant in front of an operand that wants a gradient?"""
    for i, node in enumerate(graph.nodes):
        kinds = [graph.nodes[arg].op == CONSTANT for arg in node.args]
        if graph.active[i] and True in kinds and False in kinds[kinds.index(True) :]:
            return ALONE
    return ()


def _swapped(pieces: Pieces, op: str) -> Pieces:
    def rule(walk: Walk, node: int) -> Row:
        row = pieces.rule(walk, node)
        return [*reversed(row)] if walk.graph.nodes[node].op == op else row

    return pieces._replace(rule=rule)


def _pairs(graph: Graph) -> Iterable[str]:
    """The ops of two operands that have no row of their own for this."""
    return [op for op in ops_of(graph) if OPS[op].arity == (2, 2) and op not in ("add", "mul", "div")]


_AMOUNT = "        amount = local[slot] * upstream\n"
_CHILDREN = "        self.children = operands  # those that a gradient is sent to\n"

ROWS = (
    Fault(
        "repeated-once",
        "slots",
        ("a repeated operand of {what} counts once", "un operando repetido de {what} cuenta una vez"),
        (
            "in a*a the operand stands in two slots, and only one of them sends",
            "en a*a el operando ocupa dos ranuras, y solo una de ellas envía",
        ),
        _once,
        "a = 3; a*a",
        (
            (
                _AMOUNT,
                '        if node.op == "{what}" and child in node.children[:slot]:\n            continue\n'
                + _AMOUNT,
            ),
        ),
        variants=_with_repeats,
    ),
    Fault(
        "children-in-a-set",
        "slots",
        ("children in a set (order {what})", "hijos en un conjunto (orden: {what})"),
        (
            "a set has no repeats and no order of its own, so a + a loses a slot and a - b may be b - a",
            "un conjunto no tiene repetidos ni orden propio: a + a pierde una ranura y a - b puede ser b - a",
        ),
        _in_a_set,
        "a = 3; b = 2; a - b",
        (
            (
                _CHILDREN,
                "        self.children = list(dict.fromkeys(operands))  # a set; its order is {what}\n"
                '        if "{what}" == "reversed":\n            self.children.reverse()\n',
            ),
        ),
        variants=_set_ways,
        words={"kept": ("kept", "conservado"), "reversed": ("reversed", "invertido")},
    ),
    Fault(
        "locals-by-operand",
        "slots",
        ("local gradients keyed by operand", "gradientes locales indexados por operando"),
        (
            "a dict keeps one local derivative per operand: a + a is right by luck, a - a and a / a are not",
            "un diccionario guarda una derivada por operando: a + a sale bien por suerte; a - a y a / a, no",
        ),
        _by_operand,
        "a = 3; a - a",
        ((_AMOUNT, "        amount = dict(zip(node.operands, local))[child] * upstream\n"),),
        seen=2,
        variants=_any_repeat,
    ),
    Fault(
        "second-operand-cut",
        "slots",
        ("the second operand of {what} gets nothing", "el segundo operando de {what} no recibe nada"),
        (
            "the op read other.data and forgot other, so the gradient goes to the first operand alone",
            "la operación leyó other.data y olvidó other, así que el gradiente va solo al primer operando",
        ),
        _second_cut,
        "a = 3; b = 2; a*b",
        ((_CHILDREN, '        self.children = operands[:1] if op == "{what}" else operands\n'),),
        case="harvard-edge/cs249r_book#1343",
        variants=_binary,
    ),
    Fault(
        "slots-swapped",
        "slots",
        ("the two slots of {what} are swapped", "las dos ranuras de {what} están intercambiadas"),
        (
            "each operand gets the derivative that belongs to the other",
            "cada operando recibe la derivada que le corresponde al otro",
        ),
        _swapped,
        "a = 3; b = 2; a - b",
        (
            (
                "    local, upstream = locals_of(node), node.grad\n",
                "    local, upstream = locals_of(node), node.grad\n"
                '    if node.op == "{what}":\n        local = local[::-1]\n',
            ),
        ),
        variants=_pairs,
    ),
    Fault(
        "constants-shift-slots",
        "slots",
        ("constants have no slot", "las constantes no tienen ranura"),
        (
            "a constant is no child but has a derivative, so the others shift: in 2*a, a gets its own data",
            "una constante no es hijo pero tiene derivada local, y las demás se corren: en 2*a, a recibe a",
        ),
        _shifted,
        "a = 3; 2*a",
        (
            (
                "    out.closure = lambda: send(out)\n",
                "    out.closure = lambda: send(out)\n"
                "    out.children = tuple(x for x in given if isinstance(x, Value))\n",
            ),
        ),
        variants=_constant_first,
    ),
)
